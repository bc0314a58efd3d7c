"""How long a bot may think about one action, and thought in portions: until that is spent, or slice by slice.

for thought in spent(bot.think(game, view, rng), Budget(clock=thread_time)): ...
for thought in slices(spent(thoughts, budget), thread_time): await sleep(0)     # between them others run
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")

SECONDS = 0.020
"""Of processor time for one decision, unless somebody says otherwise."""

STEPS = 100
"""Of thought for one decision where no clock is at hand: about what SECONDS are worth."""

SLICE = 0.002
"""Seconds of processor time between two turns of a table's loop."""

Clock = Callable[[], float]
"""Seconds of processor time."""


class Budget(Struct, frozen=True):
    """So many seconds by the clock, or without one so many steps: with these it chooses the same wherever it runs."""

    seconds: float = SECONDS
    clock: Clock | None = None
    steps: int = STEPS

    @classmethod
    def in_steps(cls, seconds: float) -> Budget:
        """As many steps as so many seconds are worth."""
        return cls(seconds, steps=max(1, round(STEPS * seconds / SECONDS)))

    def times(self, factor: int) -> Budget:
        """So many times as long."""
        return Budget(self.seconds * factor, self.clock, self.steps * factor)


def spent(thoughts: Iterator[T], budget: Budget) -> Iterator[T]:
    """The thoughts that the budget allows, one at least. What others do between two of them takes nothing from it."""
    clock = budget.clock
    if clock is None:
        yield from islice(thoughts, budget.steps)
        return
    used, began = 0.0, clock()
    for best in thoughts:
        used += clock() - began
        yield best
        if used >= budget.seconds:
            return
        began = clock()


def slices(thoughts: Iterator[T], clock: Clock) -> Iterator[T]:
    """The last thought of each SLICE: between two of them others run."""
    began, last = clock(), list[T]()
    for thought in thoughts:
        last = [thought]
        if clock() - began >= SLICE:
            yield thought
            began, last = clock(), []
    yield from last
