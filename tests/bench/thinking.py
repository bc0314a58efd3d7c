"""How late the event loop of a host is while its bots think."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles
from time import monotonic

from p2pcards.table.notices import RoundOver, RoundStarted
from tests.bench.figure import Figure
from tests.testing.program import programs

MATCHES = 3
TICK = 0.001
"""Seconds between two looks at the loop."""


def late(game: str, level: str) -> Callable[[], Figure]:
    """Measures by how many milliseconds the loop was late, the worst of a hundred, with bots alone at the table."""

    def measure() -> Figure:
        with tempfile.TemporaryDirectory() as folder:
            thinking = asyncio.run(_lateness(Path(folder), game, level))
            quick = asyncio.run(_lateness(Path(folder), game, "easy"))
        parts = {"ms the worst": 1e3 * max(thinking), "ms with bots that don't think": 1e3 * _p99(quick)}
        return Figure(1e3 * _p99(thinking), parts)

    return measure


async def _lateness(folder: Path, game: str, level: str) -> list[float]:
    """Seconds by which each look at the loop was late, over some matches among bots."""
    found: list[float] = []
    for seed in range(MATCHES):
        setup = {"demo": True, "bot_level": level, "rounds": 1, "seed": seed}
        async with programs(folder / f"{level}-{seed}", "ana", **setup) as (ana,):
            ana.do("practise", game)
            await ana.hear(RoundStarted)
            watch = asyncio.create_task(_watch(found))
            await ana.hear(RoundOver)
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)
    return found


async def _watch(found: list[float]) -> None:
    while True:
        due = monotonic() + TICK
        await asyncio.sleep(TICK)
        found.append(monotonic() - due)


def _p99(values: list[float]) -> float:
    return quantiles(values, n=100)[-1]
