"""Numbers by which a kernel does a certain move."""

from __future__ import annotations

from random import Random

from p2pcards.bots.dice import CHANCE


def number_of(place: int, count: int, rng: Random) -> int:
    """One of the numbers that pick the move at that place of so many."""
    first, last = (-(-(at << CHANCE) // count) for at in (place, place + 1))
    return rng.randrange(first, last)
