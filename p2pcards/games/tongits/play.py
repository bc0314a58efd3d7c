"""What each action does to the state (docs/rules/tongits.md, R10 to R26). Nothing here asks whether it is legal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from p2pcards.cards import Cards
from p2pcards.games.base import Seat
from p2pcards.games.tongits import showdown
from p2pcards.games.tongits.actions import (
    Action,
    Call,
    Challenge,
    Discard,
    Draw,
    Expose,
    Fold,
    Layoff,
    Take,
    TakeLayoff,
)
from p2pcards.games.tongits.options import TongItsOptions
from p2pcards.games.tongits.state import ACTING, DRAWING, ENDED, RESPONDING, Block, Meld, Public, Reason, State

T = TypeVar("T")

_NEXT = (Seat(1), Seat(2), Seat(0))


def after(options: TongItsOptions, state: State, seat: Seat, action: Action) -> State:
    """The state after a legal action of this seat."""
    return _AFTER[type(action)](options, state, seat, action)


def _draw(options: TongItsOptions, state: State, seat: Seat, action: Draw) -> State:
    public, hand = state.public, state.hands[seat] | 1 << state.stock[0]
    counts = _put(public.counts, seat, public.counts[seat] + 1)
    return State(
        replace(public, phase=ACTING, counts=counts, stock=public.stock - 1, last_drawer=seat),
        _put(state.hands, seat, hand),
        state.stock[1:],
    )


def _discard(options: TongItsOptions, state: State, seat: Seat, action: Discard) -> State:
    public, hand = state.public, state.hands[seat] ^ 1 << action.card
    hands = _put(state.hands, seat, hand)
    counts = _put(public.counts, seat, public.counts[seat] - 1)
    discards = (*public.discards, action.card)
    if not hand:
        return State(_tongits(replace(public, counts=counts, discards=discards), seat), hands, state.stock)
    block = Block.OWN if public.self_laid[seat] and options.self_layoff_blocks_draw else None
    public = replace(
        public,
        phase=DRAWING,
        turn=_NEXT[seat] if state.stock else seat,
        counts=counts,
        discards=discards,
        call_blocked=_put(public.call_blocked, seat, block),
        self_laid=(False, False, False),
    )
    if not state.stock:
        public = showdown.exhausted(options, public, hands)
    return State(public, hands, state.stock)


def _expose(options: TongItsOptions, state: State, seat: Seat, action: Expose) -> State:
    return _exposed(options, state, seat, action.cards, action.cards)


def _exposed(options: TongItsOptions, state: State, seat: Seat, used: Cards, meld: Cards) -> State:
    """A meld exposed for which these cards of the hand are used."""
    public, hand = state.public, state.hands[seat] ^ used
    self_laid = public.self_laid
    if options.four_meld_is_self_layoff and meld.bit_count() >= 4:
        self_laid = _put(self_laid, seat, True)
    public = replace(
        public,
        phase=ACTING,
        counts=_put(public.counts, seat, hand.bit_count()),
        melds=(*public.melds, Meld(seat, meld)),
        self_laid=self_laid,
    )
    return State(public if hand else _tongits(public, seat), _put(state.hands, seat, hand), state.stock)


def _take(options: TongItsOptions, state: State, seat: Seat, action: Take) -> State:
    top, public = state.public.discards[-1], _without_top(options, state.public)
    state = State(public, state.hands, state.stock)
    return _exposed(options, state, seat, action.cards, Cards(action.cards | 1 << top))


def _take_layoff(options: TongItsOptions, state: State, seat: Seat, action: TakeLayoff) -> State:
    public = _laid_off(_without_top(options, state.public), seat, action.meld, state.public.discards[-1])
    return State(replace(public, phase=ACTING), state.hands, state.stock)


def _layoff(options: TongItsOptions, state: State, seat: Seat, action: Layoff) -> State:
    public, hand = state.public, state.hands[seat] ^ 1 << action.card
    public = _laid_off(public, seat, action.meld, action.card)
    public = replace(public, counts=_put(public.counts, seat, public.counts[seat] - 1))
    return State(public if hand else _tongits(public, seat), _put(state.hands, seat, hand), state.stock)


def _laid_off(public: Public, seat: Seat, meld: int, card: int) -> Public:
    old = public.melds[meld]
    grown = Meld(old.owner, Cards(old.cards | 1 << card))
    melds = (*public.melds[:meld], grown, *public.melds[meld + 1 :])
    if old.owner == seat:
        return replace(public, melds=melds, self_laid=_put(public.self_laid, seat, True))
    return replace(public, melds=melds, call_blocked=_put(public.call_blocked, old.owner, Block.LAID))


def _without_top(options: TongItsOptions, public: Public) -> Public:
    """The top discard, which the seat before discarded, is taken."""
    blocked = public.call_blocked
    if options.taken_discard_blocks_draw:
        blocked = _put(blocked, Seat((public.turn - 1) % 3), Block.TAKEN)
    return replace(public, discards=public.discards[:-1], call_blocked=blocked)


def _call(options: TongItsOptions, state: State, seat: Seat, action: Call) -> State:
    asked = tuple(
        other
        for other in (Seat((seat + 1) % 3), Seat((seat + 2) % 3))
        if showdown.may_contest(options, state.public, other, state.hands[other])
    )
    public = replace(state.public, phase=RESPONDING, asked=asked)
    if not asked:
        public = showdown.called(options, public, state.hands)
    return State(public, state.hands, state.stock)


def _answer(options: TongItsOptions, state: State, seat: Seat, action: Challenge | Fold) -> State:
    public, challenges = state.public, isinstance(action, Challenge)
    answers = sorted((*public.answers, (seat, challenges)), key=lambda answer: (answer[0] - public.turn) % 3)
    asked = tuple(other for other in public.asked if other != seat)
    public = replace(public, asked=asked, answers=tuple(answers))
    if not asked:
        public = showdown.called(options, public, state.hands)
    return State(public, state.hands, state.stock)


def _tongits(public: Public, seat: Seat) -> Public:
    return replace(public, phase=ENDED, reason=Reason.TONGITS, winners=(seat,))


_AFTER: dict[type[Action], Callable[[TongItsOptions, State, Seat, Any], State]] = {
    Draw: _draw,
    Discard: _discard,
    Expose: _expose,
    Layoff: _layoff,
    Take: _take,
    TakeLayoff: _take_layoff,
    Call: _call,
    Challenge: _answer,
    Fold: _answer,
}


def _put(values: tuple[T, ...], seat: Seat, value: Any) -> tuple[T, ...]:
    """The values by seat with one of them replaced."""
    first, second, third = values
    return (value, second, third) if seat == 0 else (first, value, third) if seat == 1 else (first, second, value)
