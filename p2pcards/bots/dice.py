"""Quick numbers for playing out, from a number that the caller's chance gave: the same for the same one.

Nothing that anybody plays for hangs on them: cards are dealt from elsewhere.
"""

from __future__ import annotations

import random

from p2pcards.games.base import Rng

Dice = random.Random
"""Quick, and with more to ask of than an Rng has."""

CHANCE = 24
"""Random bits by which a kernel does one of several moves; no move is more likely than another by more than one bit."""

_SEEDS = 1 << 32


def seeded(seed: int) -> Dice:
    """The numbers of that seed."""
    return random.Random(seed)  # noqa: S311 - playing out, not dealing


def seeded_by(rng: Rng) -> Dice:
    """Numbers that hang on nothing but the next one of `rng`."""
    return seeded(rng.randrange(_SEEDS))


class Later:
    """The numbers of a seed, made no sooner than one is asked for: to make them takes as long as a short playout."""

    __slots__ = ("_dice", "_seed")

    def __init__(self, seed: int) -> None:
        self._dice: Dice | None = None
        self._seed = seed

    def random(self) -> float:
        """The next one, from 0 to below 1."""
        if self._dice is None:
            self._dice = seeded(self._seed)
        return self._dice.random()
