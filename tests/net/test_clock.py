"""The clock."""

from __future__ import annotations

import sys
import time

import pytest

from p2pcards.net.clock import now


def test_it_only_goes_forward() -> None:
    seen = [now() for _ in range(1000)]
    assert seen == sorted(seen)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no clock counts the sleep")
def test_it_counts_sleep() -> None:
    before = time.clock_gettime(time.CLOCK_BOOTTIME)
    assert before <= now() <= time.clock_gettime(time.CLOCK_BOOTTIME)
