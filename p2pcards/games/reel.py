"""A record as a row of positions: before the first action of a round, behind each of them, and so through all rounds.

    reel = Reel.of(replay(data))                    # None where there is no round to be shown
    spot = reel.spots[-1]
    reel.view(spot, seat), reel.acting(spot)        # what that seat knew there, and who was to act

States are made when they are asked for, a round at a time: a record may have thousands of rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from p2pcards.games.base import DEALER, Game, Outcome, Seat, Secrecy
from p2pcards.games.match import Match
from p2pcards.games.record import Record, Round
from p2pcards.games.replay import Played, Replay, Step


class Spot(NamedTuple):
    """A position: so many moves of that round are done. round counts from 0."""

    round: int
    move: int


class Reel:
    """The rounds of a record as far as they are legal.

    record: its head; wrong: what is wrong with it, a sentence, "" for nothing.
    """

    def __init__(self, record: Record, rounds: Sequence[tuple[Round, Played]], wrong: str) -> None:
        """Of one round at least."""
        self.record, self.wrong = record, wrong
        self.game: Game[Any, Any, Any] = record.rules
        self.players = record.players
        self._rounds = tuple(rounds)
        self.spots = tuple(
            Spot(number, move) for number, (_, played) in enumerate(rounds) for move in range(len(played.steps) + 1)
        )
        self._places = {spot: place for place, spot in enumerate(self.spots)}
        self._matches = [Match.start(self.game, len(self.players))]
        for _, played in rounds:
            match = self._matches[-1]
            self._matches.append(match if played.outcome is None else match.settle(played.outcome))
        self._made: tuple[int, tuple[Any, ...]] = (-1, ())  # the round whose states were asked for last, and they

    @classmethod
    def of(cls, found: Replay) -> Self | None:
        """What can be shown of a record that was played through; None where that is nothing."""
        if found.record is None:
            return None
        rounds = list(zip(found.record.rounds, found.rounds, strict=True))
        rounds += [] if found.broken is None else [found.broken]
        return cls(found.record, rounds, found.error) if rounds else None

    # ---- the row

    @property
    def rounds(self) -> int:
        """How many there are."""
        return len(self._rounds)

    def place(self, spot: Spot) -> int:
        """Where in `spots` that one stands."""
        return self._places[spot]

    def moves(self, number: int) -> int:
        """How many moves that round has."""
        return len(self.steps(number))

    def steps(self, number: int) -> tuple[Step, ...]:
        """Its moves."""
        return self._rounds[number][1].steps

    def stated(self, number: int) -> Round:
        """The round as it is written down."""
        return self._rounds[number][0]

    def turns(self, number: int) -> tuple[int, ...]:
        """At which moves somebody's turn begins; the end of a finished round is the last of them."""
        states = self._states(number)
        return tuple(move for move, state in enumerate(states) if not self.game.mid_turn(self.game.view(state, None)))

    def last(self, spot: Spot) -> Step | None:
        """The move that led there; None before the first one."""
        return self.steps(spot.round)[spot.move - 1] if spot.move else None

    # ---- what is there

    def before(self, spot: Spot) -> Match:
        """The match before that round."""
        return self._matches[spot.round]

    def after(self, spot: Spot) -> Match:
        """The match after that round."""
        return self._matches[spot.round + 1]

    def outcome(self, spot: Spot) -> Outcome | None:
        """How the round ended, at its end; None while it is open."""
        return self._rounds[spot.round][1].outcome if spot.move == self.moves(spot.round) else None

    def state(self, spot: Spot) -> Any:
        """The whole truth."""
        return self._states(spot.round)[spot.move]

    def view(self, spot: Spot, seat: Seat | None) -> Any:
        """What that seat knew: of answers that are shown together nothing before all are there."""
        return self.game.view(self._states(spot.round)[self._disclosed(spot)], seat)

    def acting(self, spot: Spot) -> tuple[Seat, ...]:
        """Who was to act."""
        return self.game.to_act(self.game.view(self.state(spot), None))

    def secrecy(self, step: Step) -> Secrecy:
        """Who knew of a move when it was done."""
        return Secrecy.PUBLIC if step.seat == DEALER else self.game.secrecy(self.game.parse(step.text))

    def veiled(self, spot: Spot) -> bool:
        """Whether the move that led there is an answer which the others don't know yet."""
        return self._disclosed(spot) < spot.move

    def _disclosed(self, spot: Spot) -> int:
        """The move behind which there are only answers that the others don't know yet; the spot's if there are none."""
        if not self.acting(spot):
            return spot.move
        steps, first = self.steps(spot.round), spot.move
        while first and self.secrecy(steps[first - 1]) is Secrecy.BLIND:
            first -= 1
        return first

    def _states(self, number: int) -> tuple[Any, ...]:
        if self._made[0] != number:
            stated = self.stated(number)
            opener = Seat(self.players.index(stated.starter))
            states = [self.game.position(stated.dealt, opener, self._matches[number].first)]
            for step in self.steps(number):
                states.append(self.game.apply(states[-1], step.seat, self.game.parse(step.text)))
            self._made = number, tuple(states)
        return self._made[1]
