"""How often the screen is painted for what no key asked for: events, and seconds that count down."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

EVENT_SECONDS = 0.05
"""Between two paints for what happens; a key is painted at once."""


class Pace:
    """paint: asks for a paint. follow: what is to be brought up to date before one for an event."""

    def __init__(self, paint: Callable[[], None], follow: Callable[[], None]) -> None:
        self._paint, self._follow = paint, follow
        self._counting = asyncio.Event()
        self._painting: asyncio.TimerHandle | None = None
        self._waiting = False  # something happened since the last paint for events

    def happened(self) -> None:
        """Something happened: the menu follows at once, the screen so often that a storm of events costs little."""
        self._follow()
        if self._painting is None:
            self._painting = asyncio.get_running_loop().call_later(EVENT_SECONDS, self._painted)
            self._paint()
        else:
            self._waiting = True

    def count(self, needed: bool) -> None:
        """Whether something on the screen counts down."""
        if needed:
            self._counting.set()
        else:
            self._counting.clear()

    async def count_down(self) -> None:
        """Paints once a second while something does."""
        while True:
            await self._counting.wait()
            await asyncio.sleep(1)
            self._paint()

    def _painted(self) -> None:
        self._painting = None
        if self._waiting:
            self._waiting = False
            self.happened()
