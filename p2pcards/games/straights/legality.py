"""Why a seat may not do something, from its view alone (docs/rules/straights.md)."""

from __future__ import annotations

from p2pcards.cards import ACE_LOW, Card, Cards, format_cards, suit
from p2pcards.errors import IllegalAction
from p2pcards.games import base
from p2pcards.games.base import Seat
from p2pcards.games.straights.actions import Action, Discard, Pass, Play
from p2pcards.games.straights.options import StraightsOptions
from p2pcards.games.straights.refusals import Refusal
from p2pcards.games.straights.state import BITS, SEVEN, SUITS, Public


def check(options: StraightsOptions, public: Public, seat: Seat | None, hand: Cards, action: Action) -> None:
    """Raises IllegalAction with the reason when the seat, holding this hand, may not do this now."""
    if public.reason:
        raise IllegalAction(base.Refusal.OVER)
    if seat != public.turn:
        raise IllegalAction(base.Refusal.NOT_YOUR_TURN)
    if type(action) is Play:
        if not hand & public.fits & BITS[action.card]:
            raise _no_play(public, hand, action.card)
        return
    if type(action) is Pass:
        if options.mode != "sevens_pass":
            raise IllegalAction(Refusal.NOBODY_PASSES)
    elif options.mode == "sevens_pass":
        raise IllegalAction(Refusal.NOBODY_DISCARDS)
    elif type(action) is Discard and not hand >> action.card & 1:
        raise IllegalAction(base.Refusal.NOT_HELD, ACE_LOW.format(action.card))
    if playable := hand & public.fits:
        code = Refusal.MUST_PLAY if public.table else Refusal.START_CARD
        raise IllegalAction(code, format_cards(ACE_LOW, Cards(playable)))


def _no_play(public: Public, hand: Cards, card: Card) -> IllegalAction:
    """Why this card can't be played."""
    name = ACE_LOW.format(card)
    if not hand >> card & 1:
        return IllegalAction(base.Refusal.NOT_HELD, name)
    if not public.table:
        return IllegalAction(Refusal.START_CARD, format_cards(ACE_LOW, public.fits))
    if not public.table & SUITS[suit(card)]:
        return IllegalAction(Refusal.SUIT_NOT_OPEN, name, ACE_LOW.format(Card(SEVEN * 4 + suit(card))))
    fitting = Cards(public.fits & SUITS[suit(card)])
    return IllegalAction(Refusal.DOES_NOT_FIT, name, format_cards(ACE_LOW, fitting))
