"""Rounds of Straights from text: hands of any size, actions as in records."""

from __future__ import annotations

from typing import Any

from p2pcards.cards import ACE_LOW, Cards, cards_of
from p2pcards.games.base import Dealt, Outcome, Seat
from p2pcards.games.match import Match
from p2pcards.games.options import convert_options
from p2pcards.games.straights.rules import Straights
from p2pcards.games.straights.state import Public, State, View
from tests.games.played import Played, seat_of


def cards(text: str) -> Cards:
    """The set of these cards."""
    return cards_of(ACE_LOW.parse_all(text))


class Round(Played[State]):
    """Players A, B, C and D; the holder of the start card begins."""

    game: Straights

    def __init__(self, a: str, b: str = "KC", c: str = "KD", d: str = "KH", **options: Any) -> None:
        game = Straights(convert_options(Straights, options))
        dealt = Dealt(tuple(map(cards, (a, b, c, d))), ())
        super().__init__(game, game.position(dealt, game.opener(dealt, Seat(0), True)))

    def legal(self, name: str) -> list[str]:
        """Every legal action, each of them checked."""
        return self.checked(name)

    def view(self, name: str) -> View:
        """What that player may know; "" for a spectator."""
        return self.game.view(self.state, seat_of(name) if name else None)

    @property
    def public(self) -> Public:
        """What all see."""
        return self.state.public

    def piles(self) -> str:
        """The rows that are open, as their ends: `7S-9S`."""
        return " ".join("-".join(map(ACE_LOW.format, pile)) for pile in self.public.piles if pile)


def settled(*rounds: tuple[int, ...], **options: Any) -> Match:
    """A match after rounds with these points."""
    match = Match.start(Straights(convert_options(Straights, options)), 4)
    for points in rounds:
        fewest = tuple(Seat(seat) for seat, count in enumerate(points) if count == min(points))
        match = match.settle(Outcome("played", fewest, points, None))
    return match
