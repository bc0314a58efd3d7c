"""What somebody's matches came to: values that a store counts and screens tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct


class Rating(Struct, frozen=True):
    """How well somebody plays one game, as far as is known: OpenSkill's mu and sigma, after so many matches."""

    mean: float
    spread: float
    matches: int

    @property
    def ordinal(self) -> float:
        """What ranks: the strength that somebody has almost surely, three spreads below the mean."""
        return self.mean - 3 * self.spread


class Tally(Struct, frozen=True):
    """What came of some matches.

    places: how often first, second, and so on; points: the mean of a match's score, which compares within one game
    alone; streak: won in a row up to now, or (below zero) not won; longest: the most won in a row.
    """

    games: int = 0
    wins: int = 0
    places: tuple[int, ...] = ()
    points: float = 0.0
    streak: int = 0
    longest: int = 0

    @property
    def share(self) -> float:
        """The part that was won, 0 to 1."""
        return self.wins / self.games if self.games else 0.0


class Against(Struct, frozen=True):
    """What came of the matches with one other, by place: so often ahead of them, behind them, and level."""

    key: str
    nick: str
    games: int = 0
    ahead: int = 0
    behind: int = 0
    level: int = 0


class Merit(Struct, frozen=True):
    """One person. key: six words, "" where no key is known; nick: the last one; own: it is the owner of this history.

    games, ratings: by game. endings: how rounds ended that they won, the most frequent first, by game; others: those
    they met, whom most often first; both for who is asked about alone. alone: matches against bots only.
    """

    key: str
    nick: str
    own: bool = False
    whole: Tally = Tally()
    games: Mapping[str, Tally] = {}
    ratings: Mapping[str, Rating] = {}
    alone: Tally = Tally()
    endings: Mapping[str, tuple[tuple[str, int], ...]] = {}
    others: tuple[Against, ...] = ()
    bots: tuple[Against, ...] = ()


class Merits(Struct, frozen=True):
    """Everybody. matches: by game; people: the most matches first; bots: by game, and by level or program."""

    matches: Mapping[str, int] = {}
    people: tuple[Merit, ...] = ()
    bots: Mapping[str, Mapping[str, Tally]] = {}


class Statistics(Protocol):
    """Where merits come from; both raise UserError where the history can't be read."""

    def everybody(self, game: str = "") -> Merits:
        """Of the matches of that game, or of all."""

    def called(self, name: str, game: str = "") -> tuple[Merit, ...]:
        """Who goes by that nick or those words, with endings and others; the own identities for ""."""


class NoStatistics:
    """For programs that keep nothing."""

    def everybody(self, game: str = "") -> Merits:
        """Nobody."""
        return Merits()

    def called(self, name: str, game: str = "") -> tuple[Merit, ...]:
        """Nobody."""
        return ()
