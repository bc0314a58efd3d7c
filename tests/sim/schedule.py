"""True time and what happens in it, and the clocks of the machines, which are never quite right."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count

EPSILON = 1e-6
"""A timer never rings before its time: so much later by the machine's own clock."""


class Schedule:
    """What happens when. Things of the same time happen in the order in which they were planned."""

    def __init__(self) -> None:
        self.now = 0.0
        self._planned: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()

    def at(self, time: float, what: Callable[[], None]) -> None:
        """Plans it; the past is now."""
        heapq.heappush(self._planned, (max(time, self.now), next(self._order), what))

    def after(self, seconds: float, what: Callable[[], None]) -> None:
        """Plans it from now on."""
        self.at(self.now + seconds, what)

    def step(self, until: float) -> bool:
        """Lets the next thing happen; False, and the time is `until`, where nothing is left before it."""
        if not self._planned or self._planned[0][0] > until:
            self.now = until
            return False
        self.now, _, what = heapq.heappop(self._planned)
        what()
        return True


class Clock:
    """A machine's own: it began anywhere, and runs a little too fast or too slow."""

    def __init__(self, schedule: Schedule, start: float, drift: float) -> None:
        """drift: seconds won in each, below 0 lost."""
        self._schedule, self._start, self._rate = schedule, start, 1.0 + drift

    @property
    def now(self) -> float:
        """What it shows."""
        return self._start + self._schedule.now * self._rate

    def true(self, shown: float) -> float:
        """The true time at which it shows this."""
        return (shown + EPSILON - self._start) / self._rate
