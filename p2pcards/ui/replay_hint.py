"""What the strongest bot would have done: thought out in slices between which the screen is painted and keys are read.

It thinks from what the seat knew there, and from nothing else.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from time import thread_time
from typing import TYPE_CHECKING, Any

from p2pcards.bots.budget import Budget, slices, spent
from p2pcards.bots.dice import seeded
from p2pcards.bots.registry import bot
from p2pcards.bots.thinking import Deliberate, Thought

if TYPE_CHECKING:
    from p2pcards.games.base import Game

ADVISER = "hard"
"""Level of the bot that is asked."""

LONGER = 10
"""So many times as long as at a table it thinks for a person."""

_log = logging.getLogger(__name__)


def thoughts(game: Game[Any, Any, Any], view: Any, budget: Budget | None = None) -> Iterator[Thought[Any]]:
    """What it thinks about the view of a seat whose turn it is, slice by slice; the last one counts."""
    adviser = bot(game.name, ADVISER)
    if not isinstance(adviser, Deliberate):
        raise ValueError(f"{ADVISER} does not think about {game.name}")
    budget = Budget(clock=thread_time).times(LONGER) if budget is None else budget
    return slices(spent(adviser.thinker.think(game, view, seeded(0)), budget), thread_time)


class Adviser:
    """Asked about one position at a time. told: gets its thought, or None where the bot failed."""

    def __init__(self, told: Callable[[Thought[str] | None], None]) -> None:
        self._told = told
        self._task: asyncio.Task[None] | None = None

    def ask(self, game: Game[Any, Any, Any], view: Any) -> None:
        """Begins to think, about this in place of what it thought about."""
        self.cancel()
        self._task = asyncio.get_running_loop().create_task(self._think(game, view))

    def cancel(self) -> None:
        """Nobody wants to know any more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    @property
    def thinks(self) -> bool:
        """Whether it is at it."""
        return self._task is not None and not self._task.done()

    async def _think(self, game: Game[Any, Any, Any], view: Any) -> None:
        last: Thought[Any] | None = None
        try:
            for thought in thoughts(game, view):
                last = thought
                await asyncio.sleep(0)
        except Exception:
            _log.exception("the bot failed at %s", game.name)
            last = None
        self._told(None if last is None else last.of(game.format))
