"""What a seat may do, from its view alone: the list, and the reason why not (docs/rules/tongits.md, R8 to R20)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from p2pcards.cards import ACE_LOW, Card, Cards, format_cards
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
from p2pcards.games.tongits.state import Block, Phase, Public, View

_BLOCKED = {
    Block.OWN: Refusal.BLOCKED_OWN,
    Block.LAID: Refusal.BLOCKED_LAID,
    Block.TAKEN: Refusal.BLOCKED_TAKEN,
}


def legal(options: TongItsOptions, view: View) -> Iterator[Action]:
    """Everything the viewer may do now, in a fixed order; nothing when it isn't its turn."""
    public, seat = view.public, view.seat
    phase = public.phase
    if phase is Phase.RESPOND:
        if seat in public.asked:
            yield CHALLENGE
            yield FOLD
    elif seat != public.turn:
        return
    elif phase is Phase.ACT:
        yield from _in_act(options, public, view.hand)
    elif phase is Phase.DRAW:
        yield from _in_draw(options, public, view.hand)


def _in_draw(options: TongItsOptions, public: Public, hand: Cards) -> Iterator[Action]:
    yield DRAW
    if public.discards:
        top = public.discards[-1]
        for cards in melds_with(hand, top):
            yield TAKES[cards]
        if options.discard_layoff:
            for name, meld in enumerate(public.melds):
                if fits(meld.cards) >> top & 1:
                    yield TAKE_LAYOFFS[name]
    if not public.call_blocked[public.turn] and any(meld.owner == public.turn for meld in public.melds):
        yield CALL


def _in_act(options: TongItsOptions, public: Public, hand: Cards) -> Iterator[Action]:
    for meld in melds_in(hand):
        yield EXPOSES[meld]
    layable = 0
    for name, lying in enumerate(public.melds):
        if fitting := hand & fits(lying.cards):
            layable |= fitting
            layoffs = LAYOFFS[name]
            while fitting:
                low = fitting & -fitting
                fitting ^= low
                yield layoffs[low.bit_length() - 1]
    left = hand & ~layable if options.must_not_discard_layoffable else hand
    while left:
        low = left & -left
        left ^= low
        yield DISCARDS[low.bit_length() - 1]


def check(options: TongItsOptions, view: View, action: Action) -> None:
    """Raises IllegalAction with the reason when the viewer may not do this now."""
    public = view.public
    if public.phase is Phase.OVER:
        raise IllegalAction(base.Refusal.OVER)
    if view.seat not in public.asked if public.phase is Phase.RESPOND else view.seat != public.turn:
        raise IllegalAction(base.Refusal.NOT_YOUR_TURN)
    _check_phase(public.phase, action)
    match action:
        case Take(cards):
            top = 1 << _top(public)
            _check_held(view.hand, cards)
            _check_meld(Cards(cards | top))
        case TakeLayoff(meld):
            if not options.discard_layoff:
                raise IllegalAction(Refusal.NOT_ON_MELDS)
            _check_fits(public, _top(public), meld)
        case Call():
            if not any(meld.owner == public.turn for meld in public.melds):
                raise IllegalAction(Refusal.NOTHING_EXPOSED)
            if block := public.call_blocked[public.turn]:
                raise IllegalAction(_BLOCKED[block])
        case Expose(cards):
            _check_held(view.hand, cards)
            _check_meld(cards)
        case Layoff(card, meld):
            _check_held(view.hand, Cards(1 << card))
            _check_fits(public, card, meld)
        case Discard(card):
            _check_held(view.hand, Cards(1 << card))
            if options.must_not_discard_layoffable:
                for name, lying in enumerate(public.melds):
                    if fits(lying.cards) >> card & 1:
                        raise IllegalAction(Refusal.FITS_A_MELD, ACE_LOW.format(card), meld_name(name))


def _check_phase(phase: Phase, action: Action) -> None:
    refusal: Enum
    match action:
        case Draw() | Take() | TakeLayoff():
            wanted, refusal = Phase.DRAW, Refusal.ALREADY_DRAWN
        case Call():
            wanted, refusal = Phase.DRAW, Refusal.CALL_FIRST
        case Expose() | Layoff() | Discard():
            wanted, refusal = Phase.ACT, Refusal.DRAW_FIRST
        case Challenge() | Fold():
            wanted, refusal = Phase.RESPOND, Refusal.NO_CALL
    if phase is not wanted:
        raise IllegalAction(Refusal.ANSWER_THE_CALL if phase is Phase.RESPOND else refusal)


def _top(public: Public) -> Card:
    if not public.discards:
        raise IllegalAction(Refusal.NO_DISCARD)
    return public.discards[-1]


def _check_held(hand: Cards, cards: Cards) -> None:
    if missing := cards & ~hand:
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
