"""Chance that comes out the same every time."""

from __future__ import annotations

import random


def dice(seed: int | str) -> random.Random:
    """A generator for tests and benchmarks; cards that people play with come from elsewhere."""
    return random.Random(seed)  # noqa: S311 - repeatable is what is wanted
