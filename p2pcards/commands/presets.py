"""Presets: the rules of a table under a name, for the next one. Where they are kept is the caller's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

from p2pcards.cards import quoted
from p2pcards.errors import UserError
from p2pcards.games.registry import GAMES

Rules = tuple[tuple[str, str], ...]
"""Options of a game and settings of a table that aren't at their default, as `set` takes them."""

_NAME = re.compile(r"[a-z0-9_-]{1,24}")


class Presets(Protocol):
    """What is kept between two runs of the program; every method raises UserError where it can't be."""

    def all(self) -> Mapping[str, Mapping[str, Rules]]:
        """By game and name."""

    def save(self, game: str, name: str, rules: Rules) -> None:
        """Keeps the rules under the name, in place of what was kept there."""

    def delete(self, game: str, name: str) -> None:
        """Forgets them."""


class NoPresets:
    """For programs that keep nothing."""

    def all(self) -> Mapping[str, Mapping[str, Rules]]:
        """None."""
        return {}

    def save(self, game: str, name: str, rules: Rules) -> None:
        """Refuses."""
        raise UserError("Presets are not kept here.")

    def delete(self, game: str, name: str) -> None:
        """Refuses."""
        raise UserError("Presets are not kept here.")


def preset_name(typed: str) -> str | None:
    """The name as it is kept, in lower case; None where it can be none."""
    lower = typed.lower()
    return lower if _NAME.fullmatch(lower) else None


def find(presets: Presets, game: str, name: str) -> Rules:
    """The rules of that preset; UserError names those that there are."""
    kept = presets.all().get(game, {})
    lower = name.lower()
    if lower in kept:
        return kept[lower]
    there = f"there is: {', '.join(kept)}." if kept else "none is kept yet (`preset save NAME` in the lobby keeps one)."
    title = GAMES[game].title if game in GAMES else game
    raise UserError(f"No preset for {title} is called {quoted(name)}; {there}", 2)
