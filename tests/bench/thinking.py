"""How late the event loop of a host is while its bots think."""

from __future__ import annotations

import asyncio
import gc
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import quantiles
from time import monotonic, process_time

from p2pcards.table.notices import RoundOver, RoundStarted
from tests.bench.figure import Figure
from tests.testing.program import programs

MATCHES = 3
TICK = 0.001
"""Seconds between two looks at the loop."""

Late = tuple[float, float]
"""How late the loop was, and how long the program had worked meanwhile; seconds."""


def late(game: str, level: str) -> Callable[[], Figure]:
    """Measures by how many milliseconds the loop was late, the worst of a hundred, with bots alone at the table."""

    def measure() -> Figure:
        gc.collect()
        gc.freeze()  # what other items left behind is none of the table's garbage
        with tempfile.TemporaryDirectory() as folder:
            thinking = asyncio.run(_lateness(Path(folder), game, level))
            quick = asyncio.run(_lateness(Path(folder), game, "easy"))
        gc.unfreeze()
        return Figure(
            1e3 * _p99(late for late, _ in thinking),
            {
                "ms the worst": 1e3 * max(late for late, _ in thinking),
                "ms of its own work (p99)": 1e3 * _p99(work for _, work in thinking),
                "ms with bots that don't think": 1e3 * _p99(late for late, _ in quick),
            },
        )

    return measure


async def _lateness(folder: Path, game: str, level: str) -> list[Late]:
    """Seconds by which each look at the loop was late, over some matches among bots."""
    found: list[Late] = []
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


async def _watch(found: list[Late]) -> None:
    while True:
        due, worked = monotonic() + TICK, process_time()
        await asyncio.sleep(TICK)
        found.append((monotonic() - due, process_time() - worked))


def _p99(values: Iterable[float]) -> float:
    return quantiles(values, n=100)[-1]
