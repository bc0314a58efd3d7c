"""What a seat may do, from its view alone: the list, and the reason why not (docs/rules/tongits.md, R10 to R18)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from p2pcards.cards import ACE_LOW, ByBytes, Card, Cards, by_bytes, format_cards, gathered
from p2pcards.errors import IllegalAction
from p2pcards.games import base
from p2pcards.games.tongits.actions import (
    CALL,
    CHALLENGE,
    DISCARDS,
    DRAW,
    EXPOSES,
    FOLD,
    LAYOFFS,
    TAKE_LAYOFFS,
    TAKES,
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
    meld_name,
)
from p2pcards.games.tongits.melds import fits, is_meld, melds_in, melds_with
from p2pcards.games.tongits.options import TongItsOptions
from p2pcards.games.tongits.refusals import Refusal
from p2pcards.games.tongits.state import ACTING, DRAWING, ENDED, RESPONDING, Block, Phase, Public, View

_DISCARDS: ByBytes[Action] = by_bytes(DISCARDS)
_BLOCKED = {
    Block.OWN: Refusal.BLOCKED_OWN,
    Block.LAID: Refusal.BLOCKED_LAID,
    Block.TAKEN: Refusal.BLOCKED_TAKEN,
}


def legal(options: TongItsOptions, view: View) -> Sequence[Action]:
    """Everything the viewer may do now, in a fixed order; nothing when it isn't its turn."""
    public = view.public
    phase = public.phase
    if phase is RESPONDING:
        return (CHALLENGE, FOLD) if view.seat in public.asked else ()
    if view.seat != public.turn or phase is ENDED:
        return ()
    return _in_act(options, public, view.hand) if phase is ACTING else _in_draw(options, public, view.hand)


def _in_draw(options: TongItsOptions, public: Public, hand: Cards) -> list[Action]:
    actions: list[Action] = [DRAW]
    melds, turn = public.melds, public.turn
    if public.discards:
        top = public.discards[-1]
        for cards in melds_with(hand, top):
            actions.append(TAKES[cards])
        if options.discard_layoff:
            for name, meld in enumerate(melds):
                if fits(meld.cards) >> top & 1:
                    actions.append(TAKE_LAYOFFS[name])
    if not public.call_blocked[turn]:
        for meld in melds:
            if meld.owner == turn:
                actions.append(CALL)
                break
    return actions


def _in_act(options: TongItsOptions, public: Public, hand: Cards) -> list[Action]:
    actions: list[Action] = []
    for meld in melds_in(hand):
        actions.append(EXPOSES[meld])
    layable = 0
    for name, lying in enumerate(public.melds):
        if fitting := hand & fits(lying.cards):
            layable |= fitting
            layoffs = LAYOFFS[name]
            while fitting:
                low = fitting & -fitting
                fitting ^= low
                actions.append(layoffs[low.bit_length() - 1])
    left = hand & ~layable if options.must_not_discard_layoffable else hand
    return actions + gathered(_DISCARDS, left)


def check(options: TongItsOptions, view: View, action: Action) -> None:
    """Raises IllegalAction with the reason when the viewer may not do this now."""
    public = view.public
    phase = public.phase
    if phase is ENDED:
        raise IllegalAction(base.Refusal.OVER)
    if view.seat not in public.asked if phase is RESPONDING else view.seat != public.turn:
        raise IllegalAction(base.Refusal.NOT_YOUR_TURN)
    wanted, otherwise, checked = _CHECKS[type(action)]
    if phase is not wanted:
        raise IllegalAction(Refusal.ANSWER_THE_CALL if phase is RESPONDING else otherwise)
    if checked:
        checked(options, view, action)


def _check_discard(options: TongItsOptions, view: View, action: Discard) -> None:
    _check_held(view, 1 << action.card)
    if options.must_not_discard_layoffable:
        for name, lying in enumerate(view.public.melds):
            if fits(lying.cards) >> action.card & 1:
                raise IllegalAction(Refusal.FITS_A_MELD, ACE_LOW.format(action.card), meld_name(name))


def _check_expose(options: TongItsOptions, view: View, action: Expose) -> None:
    _check_held(view, action.cards)
    _check_meld(action.cards)


def _check_layoff(options: TongItsOptions, view: View, action: Layoff) -> None:
    _check_held(view, 1 << action.card)
    _check_fits(view.public, action.card, action.meld)


def _check_take(options: TongItsOptions, view: View, action: Take) -> None:
    top = 1 << _top(view.public)
    _check_held(view, action.cards)
    _check_meld(Cards(action.cards | top))


def _check_take_layoff(options: TongItsOptions, view: View, action: TakeLayoff) -> None:
    if not options.discard_layoff:
        raise IllegalAction(Refusal.NOT_ON_MELDS)
    _check_fits(view.public, _top(view.public), action.meld)


def _check_call(options: TongItsOptions, view: View, action: Call) -> None:
    public = view.public
    if not any(meld.owner == public.turn for meld in public.melds):
        raise IllegalAction(Refusal.NOTHING_EXPOSED)
    if block := public.call_blocked[public.turn]:
        if block is Block.OWN and options.four_meld_is_self_layoff:
            raise IllegalAction(Refusal.BLOCKED_OWN_OR_FOUR)
        raise IllegalAction(_BLOCKED[block])


_CHECKS: dict[type[Action], tuple[Phase, Refusal, Callable[[TongItsOptions, View, Any], None] | None]] = {
    Draw: (DRAWING, Refusal.ALREADY_DRAWN, None),
    Take: (DRAWING, Refusal.ALREADY_DRAWN, _check_take),
    TakeLayoff: (DRAWING, Refusal.ALREADY_DRAWN, _check_take_layoff),
    Call: (DRAWING, Refusal.CALL_FIRST, _check_call),
    Expose: (ACTING, Refusal.DRAW_FIRST, _check_expose),
    Layoff: (ACTING, Refusal.DRAW_FIRST, _check_layoff),
    Discard: (ACTING, Refusal.DRAW_FIRST, _check_discard),
    Challenge: (RESPONDING, Refusal.NO_CALL, None),
    Fold: (RESPONDING, Refusal.NO_CALL, None),
}
"""For each action: the phase it belongs to, the refusal in another phase, and what else must hold."""


def _top(public: Public) -> Card:
    if not public.discards:
        raise IllegalAction(Refusal.NO_DISCARD)
    return public.discards[-1]


def _check_held(view: View, cards: int) -> None:
    if missing := cards & ~view.hand:
        raise IllegalAction(base.Refusal.NOT_HELD, format_cards(ACE_LOW, Cards(missing)))


def _check_meld(cards: Cards) -> None:
    if not is_meld(cards):
        raise IllegalAction(Refusal.NO_MELD, format_cards(ACE_LOW, cards))


def _check_fits(public: Public, card: Card, meld: int) -> None:
    if meld >= len(public.melds):
        raise IllegalAction(Refusal.UNKNOWN_MELD, meld_name(meld))
    lying = public.melds[meld].cards
    if not fits(lying) >> card & 1:
        raise IllegalAction(Refusal.DOES_NOT_FIT, ACE_LOW.format(card), meld_name(meld), format_cards(ACE_LOW, lying))
