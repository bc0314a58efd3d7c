"""Rounds of One Card from text: hands of any size, piles as they lie, actions as in records."""

from __future__ import annotations

from typing import Any

from p2pcards.cards import ACE_LOW, DECK, Card, Cards, cards_of
from p2pcards.games.base import Dealt
from p2pcards.games.onecard import OneCard
from p2pcards.games.onecard.pack import held
from p2pcards.games.onecard.state import Public, State
from p2pcards.games.options import convert_options
from tests.games.played import NAMES, Played, seat_of

STOCK = "4C 5C 6C 8C 9C TC KC AC 4D 5D 6D 8D"
"""Cards without an effect."""


def cards(text: str) -> Cards:
    """The hand of these cards."""
    return held(ACE_LOW.parse_all(text))


class Round(Played[State]):
    """Players A, B, …, as many as there are hands; A starts. `under` lies under the top card, its last card highest."""

    game: OneCard

    def __init__(
        self, *hands: str, top: str, under: str = "", stock: str = STOCK, starter: str = "A", **options: Any
    ) -> None:
        game = OneCard(convert_options(OneCard, options))
        shown = ACE_LOW.parse_all(f"{under} {top}")
        dealt = Dealt(tuple(map(cards, hands)), ACE_LOW.parse_all(stock), shown)
        super().__init__(game, game.position(dealt, seat_of(starter)))

    def legal(self, name: str) -> str:
        """Every legal action, each of them checked: `play 2H, draw`."""
        return ", ".join(self.checked(name))

    def draws(self, name: str, number: int) -> Round:
        """That player draws and has so many cards more."""
        before = len(self.hand(name).split())
        self.play(f"{name} draw")
        assert len(self.hand(name).split()) == before + number
        return self

    @property
    def public(self) -> Public:
        """What all see."""
        return self.state.public

    @property
    def attack(self) -> str:
        """Who is to act and the cards pending: `B 5`."""
        return f"{self.to_act} {self.public.pending}"

    @property
    def result(self) -> str:
        """Reason, winners and who starts the next round: `out B, next B`."""
        outcome = self.outcome
        assert outcome.starter is not None
        return f"{outcome.reason} {self.winners or 'nobody'}, next {NAMES[outcome.starter]}"

    def stock(self) -> str:
        """The stock as it lies."""
        return " ".join(map(ACE_LOW.format, self.state.stock))

    def discards(self) -> str:
        """The discards, the top one last."""
        return " ".join(map(ACE_LOW.format, self.public.discards))


def everything(state: State) -> list[int]:
    """The faces of all zones, sorted."""
    faces = [card % DECK for hand in state.hands for card in range(DECK * 4) if hand >> card & 1]
    return sorted([*faces, *state.stock, *state.public.discards])


def twice(text: str) -> Cards:
    """Cards as two packs have them: each once as copy 0 and once as copy 1."""
    return cards_of(Card(card + DECK * copy) for card in ACE_LOW.parse_all(text) for copy in range(2))
