"""What the benchmark measures and how: every figure beside an anchor that ran in turn with it."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from msgspec import Struct


class Figure(Struct, frozen=True):
    """A figure in the item's unit, and what it was made of."""

    value: float
    parts: dict[str, float]


class Missing(Exception):
    """What an item needs and this machine hasn't, in a sentence; the other items are measured all the same."""


class Item(Struct, frozen=True):
    """One line of the benchmark: what is measured, in which unit, and what is aimed at."""

    what: str
    unit: str
    aim: float
    measure: Callable[[], Figure]
    more_is_better: bool = False

    def is_met(self, figure: Figure) -> bool:
        """Whether the figure is what is aimed at."""
        return figure.value >= self.aim if self.more_is_better else figure.value <= self.aim


def interleaved(repeats: int, *runs: Callable[[], float]) -> list[float]:
    """The median of each run; they take turns, so that whatever disturbs the machine disturbs all of them."""
    found: list[list[float]] = [[] for _ in runs]
    for _ in range(repeats):
        for run, values in zip(runs, found, strict=True):
            values.append(run())
    return [median(values) for values in found]
