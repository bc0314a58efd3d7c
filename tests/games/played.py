"""Rounds of any game from text: players A, B, C, … by seat, actions as in records."""

from __future__ import annotations

from typing import Any, Generic, Self, TypeVar

from p2pcards.cards import format_cards
from p2pcards.errors import IllegalAction
from p2pcards.games.base import DEALER, Game, Outcome, Seat

S = TypeVar("S")

NAMES = "ABCDEFGH"


def seat_of(name: str) -> Seat:
    """The seat of a player, or the DEALER."""
    return DEALER if name == "dealer" else Seat(NAMES.index(name))


class Played(Generic[S]):
    """A round under way; each game's builder says how it begins, and what is asked of it."""

    def __init__(self, game: Game[S, Any, Any], state: S) -> None:
        self.game, self.state = game, state

    def play(self, *lines: str) -> Self:
        """`A draw`, `B discard KD`, `dealer shuffle 3H 4D`, …: each must be legal."""
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
            return " ".join((refusal.code.value, *refusal.detail)).rstrip()
        raise AssertionError(f"{line} is legal")

    def checked(self, name: str) -> list[str]:
        """Every legal action, each of them checked."""
        view = self.game.view(self.state, seat_of(name))
        actions = list(self.game.legal_actions(view))
        for action in actions:
            self.game.check(view, action)
        return list(map(self.game.format, actions))

    @property
    def to_act(self) -> str:
        """Whose turn it is; `dealer` where a shuffle is waited for."""
        acting = self.game.to_act(self.game.view(self.state, None))
        return "dealer" if acting == (DEALER,) else "".join(NAMES[seat] for seat in acting)

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
        return format_cards(self.game.ranking, self.game.hand(self.game.view(self.state, seat_of(name))))

    def _after(self, line: str) -> S:
        name, _, text = line.partition(" ")
        return self.game.step(self.state, seat_of(name), self.game.parse(text))
