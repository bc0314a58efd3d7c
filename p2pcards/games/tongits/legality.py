"""What a seat may do, from its view alone: the list, and the reason why not (docs/rules/tongits.md, R10 to R18)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from p2pcards.cards import ACE_LOW, Card, Cards, each, format_cards
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

_PARTS = tuple(0x1FFF << 13 * part for part in range(4))
_BLOCKED = {
    Block.OWN: Refusal.BLOCKED_OWN,
    Block.LAID: Refusal.BLOCKED_LAID,
    Block.TAKEN: Refusal.BLOCKED_TAKEN,
}

_WANTED: dict[type[Action], tuple[Phase, Refusal]] = {
    Draw: (DRAWING, Refusal.ALREADY_DRAWN),
    Take: (DRAWING, Refusal.ALREADY_DRAWN),
    TakeLayoff: (DRAWING, Refusal.ALREADY_DRAWN),
    Call: (DRAWING, Refusal.CALL_FIRST),
    Expose: (ACTING, Refusal.DRAW_FIRST),
    Layoff: (ACTING, Refusal.DRAW_FIRST),
    Discard: (ACTING, Refusal.DRAW_FIRST),
    Challenge: (RESPONDING, Refusal.NO_CALL),
    Fold: (RESPONDING, Refusal.NO_CALL),
}


def legal(options: TongItsOptions, view: View) -> Iterator[Action]:
    """Everything the viewer may do now, in a fixed order; nothing when it isn't its turn."""
    public = view.public
    phase = public.phase
    if phase is RESPONDING:
        return iter((CHALLENGE, FOLD) if view.seat in public.asked else ())
    if view.seat != public.turn or phase is ENDED:
        return iter(())
    return _in_act(options, public, view.hand) if phase is ACTING else _in_draw(options, public, view.hand)


def _in_draw(options: TongItsOptions, public: Public, hand: Cards) -> Iterator[Action]:
    yield DRAW
    melds, turn = public.melds, public.turn
    if public.discards:
        top = public.discards[-1]
        for cards in melds_with(hand, top):
            yield TAKES[cards]
        if options.discard_layoff:
            for name, meld in enumerate(melds):
                if fits(meld.cards) >> top & 1:
                    yield TAKE_LAYOFFS[name]
    if not public.call_blocked[turn]:
        for meld in melds:
            if meld.owner == turn:
                yield CALL
                return


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
    for part in _PARTS:
        yield from _discards(left & part)


@lru_cache(None)
def _discards(part: int) -> tuple[Discard, ...]:
    """The discards of a quarter of the pack, of which a hand has few different ones."""
    return tuple(DISCARDS[card] for card in each(Cards(part)))


def check(options: TongItsOptions, view: View, action: Action) -> None:
    """Raises IllegalAction with the reason when the viewer may not do this now."""
    public = view.public
    if public.phase is ENDED:
        raise IllegalAction(base.Refusal.OVER)
    if view.seat not in public.asked if public.phase is RESPONDING else view.seat != public.turn:
        raise IllegalAction(base.Refusal.NOT_YOUR_TURN)
    _check_phase(public.phase, action)
    match action:
        case Discard(card):
            _check_held(view.hand, 1 << card)
            if options.must_not_discard_layoffable:
                for name, lying in enumerate(public.melds):
                    if fits(lying.cards) >> card & 1:
                        raise IllegalAction(Refusal.FITS_A_MELD, ACE_LOW.format(card), meld_name(name))
        case Expose(cards):
            _check_held(view.hand, cards)
            _check_meld(cards)
        case Layoff(card, meld):
            _check_held(view.hand, 1 << card)
            _check_fits(public, card, meld)
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


def _check_phase(phase: Phase, action: Action) -> None:
    wanted, refusal = _WANTED[type(action)]
    if phase is not wanted:
        raise IllegalAction(Refusal.ANSWER_THE_CALL if phase is RESPONDING else refusal)


def _top(public: Public) -> Card:
    if not public.discards:
        raise IllegalAction(Refusal.NO_DISCARD)
    return public.discards[-1]


def _check_held(hand: int, cards: int) -> None:
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
