"""Work that goes on by itself: what it fails with is told, and it ends with the program.

background = Background(failed)        # failed(error): a UserError, or another for a fault of ours, already logged
task = background.start(coroutine)
await background.close()
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from p2pcards.errors import UserError

_log = logging.getLogger(__name__)


class Background:
    """The tasks of one program."""

    def __init__(self, failed: Callable[[Exception], None]) -> None:
        self._failed = failed
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Sets it going."""
        task = asyncio.create_task(self._watched(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda task: work.close())  # where it was cancelled before it began
        return task

    async def close(self) -> None:
        """Cancels all of it, and what it sets going at its end, and waits until it has ended."""
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0)  # sockets of what was cancelled are closed in the loop's next turn

    async def _watched(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except UserError as error:
            self._failed(error)
        except Exception as error:
            _log.exception("in the background")
            self._failed(error)
