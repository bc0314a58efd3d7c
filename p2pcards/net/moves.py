"""The moves of the bots at one table: each after its pace, thought out in slices between which the loop does the rest.

moves = Moves(rng, 0.3, Budget(clock=thread_time))
moves.later("hard", game, view, move)      # move("draw") once it is decided, in a later turn of the loop
moves.ask(program, game, view, match, 5.0, move)  # the same by a program of somebody's own
moves.close()
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from time import thread_time
from typing import Any

from p2pcards.bots.budget import Budget, slices, spent
from p2pcards.bots.dice import seeded
from p2pcards.bots.registry import bot
from p2pcards.bots.thinking import Deliberate, Thought
from p2pcards.games.base import Game, Rng
from p2pcards.games.match import Match
from p2pcards.net.botprogram import BotProgram

_log = logging.getLogger(__name__)

ADVISER = "hard"
"""The level of bots that people ask what to do."""

LONGER = 10
"""As long as for a move of its own it thinks for people, who wait for one answer and not for every move."""


class Moves:
    """Every decision that is on its way. pace: seconds before a bot begins to think; budget: for one that does."""

    def __init__(self, rng: Rng, pace: float, budget: Budget) -> None:
        self._rng, self._pace, self._budget = rng, pace, budget
        self._loop = asyncio.get_running_loop()
        self._timers: set[asyncio.TimerHandle] = set()
        self._thoughts: set[asyncio.Task[None]] = set()
        self._asked: asyncio.Task[None] | None = None  # of a program
        self._asked_for: Any = None  # the view
        self._advising: asyncio.Task[None] | None = None
        self._advised_on: Any = None  # the view

    def later(self, level: str, game: Game[Any, Any, Any], view: Any, move: Callable[[str], None]) -> None:
        """Has a bot of that level decide what the viewer does, and gives `move` the text of the action."""

        def due() -> None:
            self._timers.discard(timer)
            self._begin(level, game, view, self._rng, lambda thought: move(thought.action), self._budget)

        timer = self._loop.call_later(self._pace, due)
        self._timers.add(timer)

    def ask(
        self,
        program: BotProgram,
        game: Game[Any, Any, Any],
        view: Any,
        match: Match,
        seconds: float | None,
        move: Callable[[str], None],
    ) -> None:
        """Has our own program decide, in so many seconds if that is less than it has anyway; not twice about one view.

        Its decision about another view is waited for no longer.
        """
        if self._asked is not None and not self._asked.done():
            if self._asked_for == view:
                return
            self._asked.cancel()
        self._asked_for = view
        self._asked = self._task(self._answer(program, game, view, match, seconds, move))

    def advise(self, game: Game[Any, Any, Any], view: Any, advice: Callable[[Thought[str]], None]) -> None:
        """Has the strongest bot think for the viewer, without pace, and gives `advice` the texts of what it thought.

        Not twice at once: another view takes the place of the one before.
        """
        if self._advising is not None and not self._advising.done():
            if self._advised_on == view:
                return
            self._advising.cancel()
        self._advised_on = view
        dice = seeded(0)  # its own: what bots do later must not hang on what people asked
        self._advising = self._begin(ADVISER, game, view, dice, advice, self._budget.times(LONGER))

    def close(self) -> None:
        """Nothing is decided any more."""
        for timer in self._timers:
            timer.cancel()
        for thought in self._thoughts:
            thought.cancel()

    def _begin(
        self,
        level: str,
        game: Game[Any, Any, Any],
        view: Any,
        rng: Rng,
        decided: Callable[[Thought[str]], None],
        budget: Budget,
    ) -> asyncio.Task[None] | None:
        player = bot(game.name, level)
        if isinstance(player, Deliberate):
            thoughts = slices(spent(player.thinker.think(game, view, rng), budget), thread_time)
            return self._task(self._think(thoughts, game, view, decided))
        try:
            action = player.choose(game, view, rng)
        except Exception:
            action = _after_a_fault(game, view)
        decided(Thought(game.format(action)))
        return None

    def _task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        thought = self._loop.create_task(work)
        self._thoughts.add(thought)
        thought.add_done_callback(self._thoughts.discard)
        thought.add_done_callback(lambda thought: work.close())  # where it was cancelled before it began
        return thought

    async def _think(
        self,
        thoughts: Iterator[Thought[Any]],
        game: Game[Any, Any, Any],
        view: Any,
        decided: Callable[[Thought[str]], None],
    ) -> None:
        last: list[Thought[Any]] = []
        try:
            for thought in thoughts:
                last = [thought]
                await asyncio.sleep(0)
        except Exception:
            last = [Thought(_after_a_fault(game, view))]
        decided(last[0].of(game.format))

    async def _answer(
        self,
        program: BotProgram,
        game: Game[Any, Any, Any],
        view: Any,
        match: Match,
        seconds: float | None,
        move: Callable[[str], None],
    ) -> None:
        await asyncio.sleep(self._pace)
        try:
            action = await program.choose(game, view, match, seconds)
        except Exception:
            action = _after_a_fault(game, view)
        move(game.format(action))


def _after_a_fault(game: Game[Any, Any, Any], view: Any) -> Any:
    """What is done where a bot of ours fails: its seat must not wait for ever."""
    _log.exception("a bot failed at %s", game.name)
    return game.default(view)
