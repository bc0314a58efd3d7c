"""Dialling whom a table wants to reach: members that have no link to us, and the host when it was lost (protocol 5.6).

    calls = Calls(identity, background.start, came)     # came(link): one that was wanted is there
    calls.want({key: targets})                          # from now on these and nobody else
    calls.close()

Each is dialled at all its addresses side by side until it answers or is wanted no more, with pauses that grow. Whoever
answers and hangs up again is not dialled faster for it.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from p2pcards.net.address import Target
from p2pcards.net.clock import now
from p2pcards.net.dial import Unreachable, dial
from p2pcards.net.link import Link
from p2pcards.wire.identity import Identity

BACK_OFF = (0.2, 5.0)
"""Seconds between the first two tries; twice as many each time, up to the second number."""

CALM_SECONDS = 10.0
"""After so long without being dialled somebody is dialled at once again."""


class _Call:
    """One key: where it may be, and how long to wait before it is tried again."""

    def __init__(self) -> None:
        self.targets: tuple[Target, ...] = ()
        self.news = asyncio.Event()  # there is another address to try
        self.pause = 0.0
        self.tried_at = -CALM_SECONDS
        self.task: asyncio.Task[None] | None = None

    def next_pause(self) -> float:
        """Seconds until the next try."""
        if now() - self.tried_at >= CALM_SECONDS:
            self.pause = 0.0
        pause, self.pause = self.pause, min(max(2 * self.pause, BACK_OFF[0]), BACK_OFF[1])
        return pause * random.uniform(0.8, 1.2)  # noqa: S311 - jitter


class Calls:
    """All that one program dials for its table."""

    def __init__(
        self,
        identity: Identity,
        start: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]],
        came: Callable[[Link], None],
    ) -> None:
        self._identity, self._start, self._came = identity, start, came
        self._calls: dict[bytes, _Call] = {}

    def want(self, wanted: Mapping[bytes, tuple[Target, ...]]) -> None:
        """Dials these keys at these addresses, and no others."""
        for key, call in self._calls.items():
            if key not in wanted and call.task is not None:
                call.task.cancel()
                call.task = None
        for key, targets in wanted.items():
            call = self._calls.setdefault(key, _Call())
            if set(targets) - set(call.targets):
                call.news.set()
            call.targets = targets
            if call.task is None:
                call.task = self._start(self._dial(key, call))

    def close(self) -> None:
        """Dials nobody any more."""
        self.want({})

    async def _dial(self, key: bytes, call: _Call) -> None:
        while True:
            call.news.clear()
            try:
                async with asyncio.timeout(call.next_pause()):
                    await call.news.wait()
            except TimeoutError:
                pass
            if not call.targets:
                await call.news.wait()
            call.tried_at = now()
            try:
                link = await dial(call.targets, self._identity, key)
            except (Unreachable, OSError):
                continue
            finally:
                call.tried_at = now()
            self._came(link)
