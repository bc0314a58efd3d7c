"""Work that may take long, done in a thread of its own: the loop goes on meanwhile, and its end waits for no work.

`asyncio.to_thread` is not for that: the end of a loop waits for all its threads.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

T = TypeVar("T")


async def apart(work: Callable[[], T]) -> T:
    """What the work gives or raises; where the system has no thread left it is done in place."""
    loop = asyncio.get_running_loop()
    came: asyncio.Future[T] = loop.create_future()

    def settle(put: Callable[[], None]) -> None:
        if not came.done():  # whoever waited may have gone
            put()

    def run() -> None:
        try:
            put = partial(came.set_result, work())
        except BaseException as error:  # it belongs to who waits
            put = partial(came.set_exception, error)
        with suppress(RuntimeError):  # the loop is over
            loop.call_soon_threadsafe(settle, put)

    try:
        threading.Thread(target=run, name="apart", daemon=True).start()
    except RuntimeError:
        return work()
    return await came
