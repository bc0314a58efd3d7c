"""The clock of the whole program: seconds that go on while the machine sleeps (protocol 7.1).

`now()` counts from some moment in the past.
"""

from __future__ import annotations

import sys
import time

if sys.platform == "linux":
    from functools import partial

    now = partial(time.clock_gettime, time.CLOCK_BOOTTIME)
else:
    now = time.monotonic


def ahead() -> float:
    """By how much the wall clock is ahead of `now`: it jumps where that stood still, or where somebody set it."""
    return time.time() - now()
