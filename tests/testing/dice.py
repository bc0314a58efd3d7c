"""Chance that comes out the same every time."""

from __future__ import annotations

import random


def dice(seed: int | str) -> random.Random:
    """A generator for tests and benchmarks; cards that people play with come from elsewhere."""
    return random.Random(seed)  # noqa: S311 - repeatable is what is wanted


class Dice:
    """Random bytes of one program; those that come next can be seen without being taken."""

    def __init__(self, seed: int | str) -> None:
        self._rng, self._next = dice(seed), b""

    def take(self, count: int) -> bytes:
        """The next bytes: what a program is given as its source of chance."""
        taken = self.peek(count)
        self._next = self._next[count:]
        return taken

    def peek(self, count: int) -> bytes:
        """The bytes that `take` would give."""
        self._next += self._rng.randbytes(max(0, count - len(self._next)))
        return self._next[:count]
