"""What an action does, for the menu of suggestions: each game says it in a file of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

from p2pcards.commands import notes_onecard, notes_straights, notes_tienlen, notes_tongits
from p2pcards.commands.command import Remark
from p2pcards.games.base import Game


class Plain(StrEnum):
    """A note for games that have none of their own: the verb's line of help."""

    VERB = "verb"


_Notes = Callable[[Game[Any, Any, Any], Any, Sequence[Any], tuple[str, ...]], tuple[Remark, ...]]

_NOTES: dict[str, _Notes] = {
    "onecard": notes_onecard.notes,
    "straights": notes_straights.notes,
    "tienlen": notes_tienlen.notes,
    "tongits": notes_tongits.notes,
}


_PURPOSES: dict[str, Callable[[Any, str], str]] = {"tienlen": notes_tienlen.purpose}
"""What a verb is for in this view, where that is less than its line of help; "" for that line."""


def purpose(game: Game[Any, Any, Any], view: Any, own: str) -> str:
    """What the game's verb is for now."""
    told = _PURPOSES[game.name](view, own) if game.name in _PURPOSES else ""
    return told or game.verbs[own]


def notes(game: Game[Any, Any, Any], view: Any, actions: Sequence[Any], nicks: tuple[str, ...]) -> tuple[Remark, ...]:
    """What each of the legal actions does, in this view; nicks by seat."""
    if game.name in _NOTES:
        return _NOTES[game.name](game, view, actions, nicks)
    return tuple(Remark(Plain.VERB, (game.verbs[game.format(action).split(" ")[0]],)) for action in actions)
