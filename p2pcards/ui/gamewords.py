"""The sentences of each game: one module a game, all of one form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, StrEnum
from typing import Any, Protocol

from p2pcards.games.base import Game
from p2pcards.table.notices import Acted
from p2pcards.ui import words_onecard, words_straights, words_tienlen, words_tongits
from p2pcards.ui.voice import Voice


class GameWords(Protocol):
    """What a `words_<game>` module has."""

    @property
    def SENTENCES(self) -> Mapping[type[Enum], Mapping[Enum, str]]:
        """The templates of all codes of the game: refusals, notes, the coach's tips."""

    @property
    def VEILED(self) -> Mapping[Enum, str]:
        """Templates in place of those while the hand is hidden: for the tips of the coach that are told then, and for
        refusals that would name cards of the hand; they tell nothing of it."""

    @property
    def REFUSALS(self) -> type[StrEnum]:
        """Why the rules of the game refuse an action."""

    def acted(self, voice: Voice, notice: Acted, who: str, nicks: tuple[str, ...]) -> str:
        """What a seat did, from the views around it where we have them. who: the subject; nicks: by seat."""

    def ending(
        self, voice: Voice, view: Any, reason: str, winners: tuple[str, ...], nicks: tuple[str, ...]
    ) -> list[str]:
        """How the round ended, one line at least; view: the last one we were shown, or None."""

    def table(self, voice: Voice, view: Any, nicks: tuple[str, ...]) -> list[str]:
        """What lies on the table, for plain mode's `table`."""

    def hand(self, view: Any) -> str:
        """What the own hand counts, a sentence; "" where that says nothing."""

    def unit(self, game: Game[Any, Any, Any]) -> str:
        """What scores count: wins, points, chips."""


GAME_WORDS: Mapping[str, GameWords] = {
    "onecard": words_onecard,
    "straights": words_straights,
    "tienlen": words_tienlen,
    "tongits": words_tongits,
}

OPENINGS: Mapping[str, Callable[[Voice, Any, tuple[str, ...]], list[str]]] = {"onecard": words_onecard.opening}
"""For games in which cards are turned up before the first turn: what those are, from the first view; nicks by seat."""
