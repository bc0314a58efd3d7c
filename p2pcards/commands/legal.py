"""What the rules allow now, made once per view and asked at every keystroke.

The words behind a verb may come in any order, so an action is found by the set of its words: every word knows, as bits
of one int, the actions that contain it, and a half-typed line is the intersection of its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from p2pcards.commands.notes import notes
from p2pcards.games.base import Game


class Legal:
    """All legal actions of one view: an action is its place in `lines`, the canonical texts, and in `notes`.

    nicks are by seat.
    """

    def __init__(self, game: Game[Any, Any, Any], view: Any, nicks: tuple[str, ...] = ()) -> None:
        self.game, self.view, self.nicks = game, view, nicks
        self.actions: tuple[Any, ...] = tuple(game.legal_actions(view))
        self.lines: tuple[str, ...] = tuple(map(game.format, self.actions))
        self.words = tuple(tuple(line.split(" ")[1:]) for line in self.lines)
        self.notes = notes(game, view, self.actions, nicks)
        self.verbs: dict[str, int] = {}
        self.containing: dict[str, int] = {}
        for place, line in enumerate(self.lines):
            verb = line.split(" ")[0]
            self.verbs[verb] = self.verbs.get(verb, 0) | 1 << place
            for word in self.words[place]:
                self.containing[word] = self.containing.get(word, 0) | 1 << place

    def all(self) -> int:
        """Every action, as bits."""
        return (1 << len(self.lines)) - 1

    def having(self, words: Iterable[str], among: int) -> int:
        """Those actions of `among` that contain all these words."""
        for word in words:
            among &= self.containing.get(word, 0)
        return among

    def exactly(self, words: Iterable[str], among: int) -> int | None:
        """The action of `among` that has these words and no other."""
        typed = sorted(words)
        for place in bits(self.having(typed, among)):
            if sorted(self.words[place]) == typed:
                return place
        return None


def bits(places: int) -> Iterator[int]:
    """The places of the bits that are set, lowest first."""
    while places:
        low = places & -places
        yield low.bit_length() - 1
        places ^= low
