"""The bots there are: each game and level is a place in one table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2pcards.bots import onecard, straights, tienlen, tongits
from p2pcards.bots.base import Bot
from p2pcards.bots.budget import Budget
from p2pcards.bots.chance import Chance
from p2pcards.bots.thinking import AllSeeing, Deliberate
from p2pcards.cards import quoted
from p2pcards.errors import UserError

LEVELS = ("random", "easy", "medium", "hard")
"""The levels that every game has, weakest first."""

CHEAT = "cheat"
"""The level that sees all hands: in the arena alone."""

_GAMES: dict[str, Any] = {"onecard": onecard, "straights": straights, "tienlen": tienlen, "tongits": tongits}

_BOTS: dict[str, dict[str, Bot[Any, Any]]] = {
    name: {
        "random": Chance(),
        "easy": game.Easy(),
        "medium": game.Medium(),
        "hard": Deliberate(game.HARD, Budget()),
    }
    for name, game in _GAMES.items()
}
_BOTS["straights"] |= {
    "seed-easy": straights.SEED_EASY,
    "seed-medium": straights.SEED_MEDIUM,
    "seed-hard": straights.SEED_HARD,
}


def levels(game_name: str) -> tuple[str, ...]:
    """The levels that a game of the registry has: LEVELS first, then those of its own."""
    return tuple(_BOTS[game_name])


def bot(game_name: str, level: str) -> Bot[Any, Any]:
    """The bot of that level for a game of the registry; raises UserError for an unknown level."""
    bots = _BOTS[game_name]
    if level not in bots:
        raise UserError(no_level(level, [*bots]), 2)
    return bots[level]


def arena_bot(game_name: str, level: str, budget: Budget) -> Bot[Any, Any] | AllSeeing:
    """The bot of that level for the arena, thinking as long as the budget says if it thinks; UserError as above."""
    if level == CHEAT:
        return AllSeeing(_GAMES[game_name].CHEAT, budget)
    bots = _BOTS[game_name]
    if level not in bots:
        raise UserError(no_level(level, [*bots, CHEAT]), 2)
    found = bots[level]
    return Deliberate(found.thinker, budget) if isinstance(found, Deliberate) else found


def no_level(word: str, known: Sequence[str], guess: str = "") -> str:
    """What to say of a word that is no level. guess: what else was perhaps meant, if none of the known ones was."""
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), known, 1) or ([guess] if guess else [])
    rest = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}."
    return f"No bot level is called {quoted(word)!r}; {rest}"
