"""Token buckets: so many a second, so many at once (protocol 4.5)."""

from __future__ import annotations


class Bucket:
    """`rate` tokens a second, at most `burst` saved up; full at first."""

    __slots__ = ("_at", "_burst", "_rate", "_tokens")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate, self._burst = rate, burst
        self._tokens, self._at = burst, now

    def take(self, now: float) -> bool:
        """Takes a token if there is one."""
        self._fill(now)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def wait(self, now: float) -> float:
        """Seconds until the next token; 0 where there is one."""
        self._fill(now)
        return max(0.0, (1 - self._tokens) / self._rate)

    def is_full(self, now: float) -> bool:
        """Whether nothing was taken for so long that the bucket might as well be a fresh one."""
        self._fill(now)
        return self._tokens >= self._burst

    def _fill(self, now: float) -> None:
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
