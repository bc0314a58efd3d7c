"""Garbage is collected while nobody waits for the screen.

A full collection looks at everything that lives and takes as long as several paints. So what is loaded at the start is
set aside for good, and the rest is collected when nothing was painted for a while; while one paint follows the other,
only a lot of garbage brings a full collection about.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable

QUIET = 0.5
"""Seconds without a paint after which somebody is likely to be reading, or away."""

DUE = 4
"""Collections of what is young since the last full one, from which on it is worth while."""

_THRESHOLDS = (700, 10, 200)
"""Python's own for what is young; a full collection by itself only after so many of the second kind."""


def settle() -> None:
    """All that lives now does so until the program ends. It turns the collector on."""
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    gc.enable()


def collect() -> None:
    """A full collection, if enough has come together."""
    if gc.get_count()[2] >= DUE:
        gc.collect()


class Lull:
    """Does the work once whenever nothing was painted for some time after a paint."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._painted = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def painted(self) -> None:
        """There was a paint."""
        loop = asyncio.get_running_loop()
        self._painted = loop.time()
        if self._timer is None:
            self._timer = loop.call_later(QUIET, self._look)

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() - self._painted >= QUIET:
            self._timer = None
            self._work()
        else:
            self._timer = loop.call_at(self._painted + QUIET, self._look)
