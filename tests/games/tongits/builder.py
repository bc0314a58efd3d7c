"""Rounds of Tong-its from text: hands of any size, actions as in records."""

from __future__ import annotations

from typing import Any

from p2pcards.cards import ACE_LOW, Cards, cards_of, deck, format_cards
from p2pcards.games.base import Dealt
from p2pcards.games.options import convert_options
from p2pcards.games.tongits.rules import TongIts
from p2pcards.games.tongits.state import Public, State
from tests.games.played import NAMES, Played, seat_of


def cards(text: str) -> Cards:
    """The set of these cards."""
    return cards_of(ACE_LOW.parse_all(text))


class Round(Played[State]):
    """Players A, B and C; A starts. Without a stock, five cards that nobody holds are drawn from."""

    game: TongIts

    def __init__(self, a: str, b: str, c: str, stock: str = "", starter: str = "A", **options: Any) -> None:
        game = TongIts(convert_options(TongIts, options))
        hands = tuple(map(cards, (a, b, c)))
        held = hands[0] | hands[1] | hands[2]
        spare = tuple(card for card in deck() if not held >> card & 1)[:5]
        dealt = Dealt(hands, ACE_LOW.parse_all(stock) or spare)
        super().__init__(game, game.position(dealt, seat_of(starter)))

    def legal(self, name: str) -> list[str]:
        """Every legal action, each of them checked."""
        return self.checked(name)

    @property
    def public(self) -> Public:
        """What all see."""
        return self.state.public

    @property
    def winner(self) -> str:
        """Reason and winners: `call B`."""
        return f"{self.outcome.reason} {self.winners}"

    def melds(self) -> list[str]:
        """Owner and cards of every exposed meld."""
        return [f"{NAMES[meld.owner]}: {format_cards(ACE_LOW, meld.cards)}" for meld in self.public.melds]

    def shown(self) -> list[str]:
        """Name and points of everybody whose hand was compared."""
        return [f"{NAMES[seat]} {points}" for seat, _, points in self.public.shown]
