"""A match: rounds until the options say that it is over, as one small immutable value."""

from __future__ import annotations

from typing import Any, Self

from msgspec import Struct
from msgspec.structs import replace

from p2pcards.games.base import Carry, Game, Outcome, Seat


class Match(Struct, frozen=True):
    """The match after its last finished round; `Match()` is none yet."""

    game: Game[Any, Any, Any] | None = None
    scores: tuple[int, ...] = ()  # by seat
    wins: tuple[int, ...] = ()  # rounds won, by seat
    round: int = 0  # rounds finished
    last: Outcome | None = None
    points: tuple[int, ...] = ()  # what the last round added to the scores, by seat
    carry: Carry = Carry()

    @classmethod
    def start(cls, game: Game[Any, Any, Any], seats: int) -> Self:
        """A match of that many seats before its first round."""
        return cls(game, (0,) * seats, (0,) * seats)

    def starter(self, lot: int) -> Seat:
        """Whom the next deal begins with; `lot` is a number below the number of seats, from outside."""
        return self._rules.starter(self.last, len(self.scores), lot)

    @property
    def first(self) -> bool:
        """Whether the next round is the first one."""
        return self.round == 0

    def settle(self, outcome: Outcome) -> Self:
        """The match after one more round."""
        points, carry = self._rules.settle(self.carry, outcome)
        return replace(
            self,
            scores=tuple(score + won for score, won in zip(self.scores, points, strict=True)),
            wins=tuple(won + (seat in outcome.winners) for seat, won in enumerate(self.wins)),
            round=self.round + 1,
            last=outcome,
            points=points,
            carry=carry,
        )

    def stop(self) -> Self:
        """The match ended by its players after the last finished round, of which there is at least one."""
        return replace(self, game=self._rules.stopped(self.round))

    @property
    def over(self) -> bool:
        """Whether no further round follows."""
        return self.game is not None and self.round > 0 and self.game.ended(self.round, self.wins, self.scores)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who won the match, jointly; nobody while it goes on."""
        return self._rules.leaders(self.scores) if self.over else ()

    @property
    def endless(self) -> bool:
        """Whether only its players end the match."""
        return self.game is not None and self.game.endless()

    @property
    def pot(self) -> int:
        """Chips to be won in the round that is open or comes next; after the match what lapses."""
        if self.game is None or self.over:
            return self.carry.pot
        return self.game.pot(self.carry, len(self.scores))

    @property
    def _rules(self) -> Game[Any, Any, Any]:
        if self.game is None:
            raise ValueError("no match")
        return self.game
