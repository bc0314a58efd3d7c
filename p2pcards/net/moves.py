"""The moves of the bots at one table: each after its pace, thought out in slices between which the loop does the rest.

moves = Moves(rng, pace=0.3)
moves.later("hard", game, view, move)      # move("draw") once it is decided, in a later turn of the loop
moves.close()
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from p2pcards.bots.registry import bot, levels
from p2pcards.bots.thinking import Deliberate, slices
from p2pcards.games.base import Game, Rng

ADVISER = "hard"
"""The level of bots that people ask what to do."""


class Moves:
    """Every decision that is on its way. pace: seconds before a bot begins to think."""

    def __init__(self, rng: Rng, pace: float) -> None:
        self._rng, self._pace = rng, pace
        self._loop = asyncio.get_running_loop()
        self._timers: set[asyncio.TimerHandle] = set()
        self._thoughts: set[asyncio.Task[None]] = set()

    def later(self, level: str, game: Game[Any, Any, Any], view: Any, move: Callable[[str], None]) -> None:
        """Has a bot of that level decide what the viewer does, and gives `move` the text of the action."""

        def due() -> None:
            self._timers.discard(timer)
            self._begin(level, game, view, move)

        timer = self._loop.call_later(self._pace, due)
        self._timers.add(timer)

    def advise(self, game: Game[Any, Any, Any], view: Any, advice: Callable[[str], None]) -> None:
        """Has the strongest bot decide for the viewer, without pace, and gives `advice` the text of the action."""
        self._begin(ADVISER if ADVISER in levels(game.name) else "medium", game, view, advice)

    def close(self) -> None:
        """Nothing is decided any more."""
        for timer in self._timers:
            timer.cancel()
        for thought in self._thoughts:
            thought.cancel()

    def _begin(self, level: str, game: Game[Any, Any, Any], view: Any, move: Callable[[str], None]) -> None:
        player = bot(game.name, level)
        if isinstance(player, Deliberate):
            thought = self._loop.create_task(self._think(player, game, view, move))
            self._thoughts.add(thought)
            thought.add_done_callback(self._thoughts.discard)
        else:
            move(game.format(player.choose(game, view, self._rng)))

    async def _think(
        self, player: Deliberate, game: Game[Any, Any, Any], view: Any, move: Callable[[str], None]
    ) -> None:
        best: Any = None
        for thought in slices(player.thinker.think(game, view, self._rng), player.budget):
            best = thought
            await asyncio.sleep(0)
        move(game.format(best))
