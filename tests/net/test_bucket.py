"""Token buckets."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from p2pcards.net.bucket import Bucket


def test_burst_then_rate() -> None:
    bucket = Bucket(2.0, 3.0, 100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.wait(100.0) == 0.5
    assert not bucket.take(100.4)
    assert bucket.take(100.5)
    assert not bucket.is_full(101.0)
    assert bucket.is_full(200.0)
    assert bucket.wait(200.0) == 0


@given(st.lists(st.floats(0, 0.5), max_size=80))
def test_never_more_than_burst_and_rate_together(gaps: list[float]) -> None:
    bucket, at, taken = Bucket(10.0, 5.0, 0.0), 0.0, 0
    for gap in gaps:
        at += gap
        taken += bucket.take(at)
        assert taken <= 5 + math.floor(10 * at + 1e-6)
