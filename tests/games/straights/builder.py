"""Rounds of Straights from text: hands of any size, actions as in records."""

from __future__ import annotations

from typing import Any

from p2pcards.cards import ACE_LOW, Cards, cards_of, format_cards
from p2pcards.errors import IllegalAction
from p2pcards.games.base import Dealt, Outcome, Seat
from p2pcards.games.match import Match
from p2pcards.games.options import convert_options
from p2pcards.games.straights.rules import Straights
from p2pcards.games.straights.state import Public, State, View

NAMES = "ABCD"


def cards(text: str) -> Cards:
    """The set of these cards."""
    return cards_of(ACE_LOW.parse_all(text))


class Round:
    """Players A, B, C and D; the holder of the start card begins."""

    def __init__(self, a: str, b: str = "KC", c: str = "KD", d: str = "KH", **options: Any) -> None:
        self.game = Straights(convert_options(Straights, options))
        dealt = Dealt(tuple(map(cards, (a, b, c, d))), ())
        self.state = self.game.position(dealt, self.game.opener(dealt, Seat(0), True))

    def play(self, *lines: str) -> Round:
        """`A play 7S`, `B discard KD`, …: each must be legal."""
        for line in lines:
            self.state = self._after(line)
        return self

    def refused(self, line: str) -> str:
        """The code of the refusal and its details; fails when the action is legal."""
        before = self.state
        try:
            self._after(line)
        except IllegalAction as refusal:
            assert self.state == before
            return " ".join((refusal.code.value, *refusal.detail))
        raise AssertionError(f"{line} is legal")

    def legal(self, name: str) -> list[str]:
        """Every legal action, each of them checked."""
        view = self.view(name)
        actions = list(self.game.legal_actions(view))
        for action in actions:
            self.game.check(view, action)
        return list(map(self.game.format, actions))

    def view(self, name: str) -> View:
        """What that player may know; "" for a spectator."""
        return self.game.view(self.state, _seat(name) if name else None)

    @property
    def public(self) -> Public:
        """What all see."""
        return self.state.public

    @property
    def to_act(self) -> str:
        """Whose turn it is."""
        return "".join(NAMES[seat] for seat in self.game.to_act(self.view("")))

    @property
    def outcome(self) -> Outcome:
        """How it ended; fails while it is open."""
        outcome = self.game.outcome(self.state)
        assert outcome is not None
        return outcome

    @property
    def winners(self) -> str:
        """Who won the round."""
        return "".join(NAMES[seat] for seat in self.outcome.winners)

    def hand(self, name: str) -> str:
        """The hand's canonical text."""
        return format_cards(ACE_LOW, self.state.hands[_seat(name)])

    def piles(self) -> str:
        """The rows that are open, as their ends: `7S-9S`."""
        return " ".join("-".join(map(ACE_LOW.format, pile)) for pile in self.public.piles if pile)

    def _after(self, line: str) -> State:
        name, _, text = line.partition(" ")
        return self.game.step(self.state, _seat(name), self.game.parse(text))


def settled(*rounds: tuple[int, ...], **options: Any) -> Match:
    """A match after rounds with these points."""
    match = Match.start(Straights(convert_options(Straights, options)), 4)
    for points in rounds:
        fewest = tuple(Seat(seat) for seat, count in enumerate(points) if count == min(points))
        match = match.settle(Outcome("played", fewest, points, None))
    return match


def _seat(name: str) -> Seat:
    return Seat(NAMES.index(name))
