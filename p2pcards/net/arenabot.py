"""A program of somebody's own as a bot of the arena, where each action is waited for.

with ProgramBot("./mybot --fast", told) as bot:     # told("The bot mybot did not answer within 1 s; …")
    play_deal(game, [bot, …], seed, number)
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Self

from p2pcards.games.base import Game, Rng
from p2pcards.games.match import Match
from p2pcards.net.botprogram import IN_ARENA, BotProgram, Patience, command_of


class ProgramBot:
    """Plays by what the program answers, in a loop of its own that runs while it is asked."""

    def __init__(self, command: str, told: Callable[[str], None], patience: Patience = IN_ARENA) -> None:
        """UserError where the program isn't there. told: takes a sentence on what went wrong."""
        self._program = BotProgram(command_of(command), told, patience)
        self._runner = asyncio.Runner()
        self._match = Match()

    def begin(self, match: Match) -> None:
        """A round of that match begins."""
        self._match = match

    def choose(self, game: Game[Any, Any, Any], view: Any, rng: Rng) -> Any:
        """The program's action, else the safe default; ValueError where the viewer has nothing to do."""
        return self._runner.run(self._program.choose(game, view, self._match))

    @property
    def defaulted(self) -> int:
        """How often the safe default was played in its place."""
        return self._program.faults.total()

    def close(self) -> None:
        """Ends the program."""
        try:
            self._runner.run(self._program.close())
        finally:
            self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()
