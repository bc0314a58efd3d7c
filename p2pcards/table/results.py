"""How a match came out: what history lists and statistics count."""

from __future__ import annotations

from enum import IntEnum
from typing import Protocol

from msgspec import Struct

from p2pcards.errors import UserError


class Over(IntEnum):
    """Whether a match is over; one that its options give no end counts as far as it has come."""

    NO = 0
    SO_FAR = 1
    YES = 2


class Taker(Struct, frozen=True):
    """Who played a seat.

    key: fingerprint of the person's key as records state it, "" where that is not known, or nothing proves it. bot: the
    level or program that played the seat, "" for a person. points: the score of the match. place: 1 for the best; who
    are equal share it. won: the match; nobody has while it is not over.
    """

    name: str
    key: str
    bot: str
    points: int
    place: int
    won: bool


class Ending(Struct, frozen=True, array_like=True):
    """How a round ended: the reason as records have it, and the seats that won it."""

    reason: str
    winners: tuple[int, ...]


class Result(Struct, frozen=True):
    """One match.

    number: in this history. table: its id, "" where it has none. date: RFC 3339, UTC. takers: by seat. endings: of its
    rounds, in order. over: statistics count no other matches.
    """

    number: int
    table: str
    date: str
    game: str
    title: str
    rounds: int
    takers: tuple[Taker, ...]
    endings: tuple[Ending, ...] = ()
    over: bool = True

    @property
    def practice(self) -> bool:
        """Whether no two people played in it."""
        return sum(not taker.bot for taker in self.takers) < 2


class Past(Protocol):
    """The matches that are kept; every method raises UserError where they can't be read."""

    def newest(self, game: str | None = None, *, limit: int = -1) -> list[Result]:
        """The matches, the newest first, those that are not over too. limit: at most so many."""

    def result(self, number: int) -> Result | None:
        """How that match came out; None where there is none."""


class NoPast:
    """For programs that keep nothing."""

    def newest(self, game: str | None = None, *, limit: int = -1) -> list[Result]:
        """Refuses."""
        raise UserError("What was played is not kept here.")

    def result(self, number: int) -> Result | None:
        """Refuses."""
        raise UserError("What was played is not kept here.")
