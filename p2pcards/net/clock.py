"""The clock of the whole program: seconds that go on while the machine sleeps (protocol 7.1)."""

from __future__ import annotations

import sys
import time
from functools import partial

now = partial(time.clock_gettime, time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic
"""Seconds since some moment in the past."""
