"""A real host under siege, in network namespaces (root only): how late its event loop is, and how much it grows.

`python -m tests.bench.besieged FILE ARGUMENTS` is the program with these arguments that writes down how late its loop
was; `measure` runs it and sends `tests.testing.siege` at it.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterable
from pathlib import Path
from statistics import quantiles
from typing import Any

from tests.bench.figure import Figure
from tests.testing.clients import Client, homes
from tests.testing.lan import Host, lan

SECONDS = 15.0
CALM_SECONDS = 3.0
TICK = 0.005
"""Seconds between two looks at the loop."""

Tick = tuple[float, float, float]
"""When it was, how late the loop was, and how long the program worked meanwhile; seconds."""


def measure() -> Figure:
    """Milliseconds by which the host's loop was late, the worst of a hundred, while all of the siege went on."""
    with tempfile.TemporaryDirectory() as folder, lan(2) as net:
        here, there = net.hosts
        told = Path(folder, "late")
        client = Client(
            here.start(
                sys.executable, "-m", "tests.bench.besieged", str(told),
                "host", "tongits", "--name", "lab", "--bots", "1", "--json", env=homes(Path(folder)),
            )
        )  # fmt: skip
        table = client.hear("table")
        pid = client.process.pid
        time.sleep(CALM_SECONDS)
        calm_until, before = time.monotonic(), _resident(pid)
        attackers = [
            _siege(here, "tcp", str(table["port"]), str(SECONDS)),
            _siege(there, "adverts", str(SECONDS)),
        ]
        for attacker in attackers:
            attacker.line()
        began = time.monotonic()
        done = [json.loads(attacker.line(10 * SECONDS)) for attacker in attackers]
        ended, after = time.monotonic(), _resident(pid)
        client.say("leave")
        client.say("quit")
        client.finish()
        ticks: list[Tick] = json.loads(told.read_text())
    siege = [tick for tick in ticks if began <= tick[0] <= ended]
    calm = [tick for tick in ticks if tick[0] <= calm_until]
    counts = {what: float(count) for one in done for what, count in one.items()}
    return Figure(
        1e3 * _p99(late for _, late, _ in siege),
        {
            "ms the worst": 1e3 * max(late for _, late, _ in siege),
            "ms of its own work (p99)": 1e3 * _p99(work for _, _, work in siege),
            "ms in peace": 1e3 * _p99(late for _, late, _ in calm),
            "MiB grown": (after - before) / 2**20,
            **counts,
        },
    )


def _siege(host: Host, *words: str) -> Client:
    """Strangers, who are not to take the processor away from the host: they would have one of their own."""
    return Client(host.start("nice", sys.executable, "-m", "tests.testing.siege", *words))


def _p99(values: Iterable[float]) -> float:
    return quantiles(values, n=100)[-1]


def _resident(pid: int) -> int:
    """Bytes of memory that the process holds."""
    status = Path(f"/proc/{pid}/status").read_text()
    return 1024 * int(status.partition("VmRSS:")[2].split()[0])


async def _watch(ticks: list[Tick]) -> None:
    """Notes how late the loop is, for ever, and how much of that was its own work."""
    while True:
        due, worked = time.monotonic() + TICK, time.process_time()
        await asyncio.sleep(TICK)
        at = time.monotonic()
        ticks.append((at, at - due, time.process_time() - worked))


def _watched(told: Path) -> None:
    """The program, with somebody who watches its loop."""
    run = asyncio.run
    ticks: list[Tick] = []

    def run_watched(work: Coroutine[Any, Any, int]) -> int:
        async def both() -> int:
            watch = asyncio.create_task(_watch(ticks))
            try:
                return await work
            finally:
                watch.cancel()
                await asyncio.gather(watch, return_exceptions=True)

        try:
            return run(both())
        finally:
            told.write_text(json.dumps(ticks))

    asyncio.run = run_watched  # type: ignore[assignment]  # the program runs one thing, and plainly
    from p2pcards.__main__ import main

    sys.exit(main())


if __name__ == "__main__":
    _watched(Path(sys.argv.pop(1)))
