"""What a seat may do, from its view alone: the list, and the reason why not (docs/rules/tienlen.md, R9 to R20)."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards import THREE_LOW, Cards, format_cards
from p2pcards.errors import IllegalAction
from p2pcards.games import base
from p2pcards.games.base import Seat
from p2pcards.games.tienlen.actions import PASS, Action, Play
from p2pcards.games.tienlen.combos import DOUBLES, QUAD, TWOS, Combo, beats, bombs_on, combo_of
from p2pcards.games.tienlen.options import TienLenOptions
from p2pcards.games.tienlen.plays import beating, four_pairs, leads
from p2pcards.games.tienlen.refusals import Refusal
from p2pcards.games.tienlen.state import ENDED, Public, View

_PASSES = (PASS,)


def legal(options: TienLenOptions, view: View) -> Sequence[Action]:
    """Everything the viewer may do now, in a fixed order, `pass` last; nothing when it isn't its turn."""
    public, hand = view.public, view.hand
    pile, turn = public.pile, public.turn
    if view.seat != turn or public.phase is ENDED:
        return ()
    if pile is None:
        plays = leads(options, hand)
        if public.must is not None:
            plays = [play for play in plays if play.cards >> public.must & 1]
    elif public.passed[turn]:
        plays = four_pairs(options, hand)
    else:
        plays = beating(options, hand, pile)
        if not plays:
            return _PASSES
    if options.no_finish_on_two and _bound(public, hand):
        plays = [play for play in plays if play.cards != hand]
    return plays if pile is None else [*plays, PASS]


def check(options: TienLenOptions, public: Public, seat: Seat | None, hand: Cards, action: Action) -> None:
    """Raises IllegalAction with the reason when the seat, holding this hand, may not do this now."""
    if public.phase is ENDED:
        raise IllegalAction(base.Refusal.OVER)
    if seat != public.turn:
        raise IllegalAction(base.Refusal.NOT_YOUR_TURN)
    pile = public.pile
    if type(action) is not Play:
        if pile is None:
            raise IllegalAction(Refusal.MUST_LEAD)
        return
    cards = action.cards
    if cards & hand != cards:
        raise IllegalAction(base.Refusal.NOT_HELD, _text(Cards(cards & ~hand)))
    combo = combo_of(cards)
    if combo is None:
        raise IllegalAction(Refusal.NO_COMBINATION, _text(cards))
    if combo.is_sequence and not options.twos_in_sequences and cards & TWOS:
        raise IllegalAction(Refusal.TWO_IN_SEQUENCE, _text(cards))
    if pile is None:
        if public.must is not None and not cards >> public.must & 1:
            raise IllegalAction(Refusal.MUST_CONTAIN, THREE_LOW.format(public.must))
    elif public.passed[public.turn] and (combo.kind is not DOUBLES or combo.size != 4):
        raise IllegalAction(Refusal.ONLY_FOUR_PAIRS, _text(pile.cards))
    elif not beats(options, combo, pile):
        raise _too_weak(options, combo, pile)
    if options.no_finish_on_two and cards == hand and _bound(public, hand):
        raise IllegalAction(Refusal.NO_FINISH_ON_TWO)


def _bound(public: Public, hand: Cards) -> bool:
    """Whether the hand is of 2s alone, which may not be the last cards, except where the only lead is the last 2."""
    return not hand & ~TWOS and (public.pile is not None or hand.bit_count() > 1)


def _too_weak(options: TienLenOptions, combo: Combo, pile: Combo) -> IllegalAction:
    """Why the one does not beat the other."""
    lying, size = _text(pile.cards), str(pile.size)
    if combo.kind is pile.kind and combo.size == pile.size:
        if combo.top > pile.top:
            return IllegalAction(Refusal.ONE_SUIT, lying)
        return IllegalAction(
            Refusal.TOO_LOW, pile.kind.value, size, THREE_LOW.format(pile.top), THREE_LOW.format(combo.top)
        )
    quads, pairs = bombs_on(options, pile)
    if combo.is_bomb and pairs and pile.only_twos:
        return IllegalAction(Refusal.BOMB_TOO_SMALL, str(pairs), QUAD.value if quads else "", lying)
    if combo.kind is pile.kind:
        return IllegalAction(Refusal.WRONG_SIZE, pile.kind.value, size, str(combo.size), lying)
    if combo.is_bomb and not pile.is_bomb:
        return IllegalAction(Refusal.BOMBS_BEAT_TWOS, pile.kind.value, size, lying)
    return IllegalAction(Refusal.WRONG_KIND, pile.kind.value, size, lying)


def _text(cards: Cards) -> str:
    return format_cards(THREE_LOW, cards)
