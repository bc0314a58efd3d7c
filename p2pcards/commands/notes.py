"""What an action does, for the menu of suggestions: each game says it in a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from p2pcards.commands.command import Remark
from p2pcards.commands.notes_tongits import note as note_tongits
from p2pcards.games.base import Game


class Plain(StrEnum):
    """A note for games that have none of their own: the verb's line of help."""

    VERB = "verb"


_NOTES: dict[str, Callable[[Game[Any, Any, Any], Any, Any, tuple[str, ...]], Remark]] = {"tongits": note_tongits}


def note(game: Game[Any, Any, Any], view: Any, action: Any, nicks: tuple[str, ...]) -> Remark:
    """What the legal action does, in this view; nicks by seat."""
    if game.name in _NOTES:
        return _NOTES[game.name](game, view, action, nicks)
    return Remark(Plain.VERB, (game.verbs[game.format(action).split(" ")[0]],))
