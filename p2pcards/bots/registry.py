"""The bots there are: each game and level is a place in one table."""

from __future__ import annotations

from typing import Any

from p2pcards.bots.base import Bot
from p2pcards.bots.chance import Chance
from p2pcards.bots.tongits import Easy, Medium
from p2pcards.errors import UserError

LEVELS = ("random", "easy", "medium")
"""The levels that every game has, weakest first."""

_BOTS: dict[str, dict[str, Bot[Any, Any]]] = {
    "tongits": {"random": Chance(), "easy": Easy(), "medium": Medium()},
}


def bot(game_name: str, level: str) -> Bot[Any, Any]:
    """The bot of that level for a game of the registry; raises UserError for an unknown level."""
    bots = _BOTS[game_name]
    if level not in bots:
        raise UserError(f"No bot level is called {level!r}; there are: {', '.join(bots)}.", 2)
    return bots[level]
