"""How soon a table is in the list of another machine, and gone from it: processes in network namespaces (root only)."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.figure import Figure
from tests.testing.clients import P2PCARDS, Client, homes
from tests.testing.lan import Host, Lan, lan

TRIALS = 10


def listed() -> Figure:
    """Seconds from the opening of a table to its row on a machine that looks already."""
    with _net() as (net, start):
        watcher = start(net.hosts[1], "list", "--watch", "--json")
        return _figure([_appears(start, net.hosts[0], watcher)[0] for _ in range(TRIALS)])


def late() -> Figure:
    """Seconds from the start of the program to the row of a table that is open already."""
    with _net() as (net, start):
        start(net.hosts[0], "host", "tongits", "--name", "lab", "--json").hear("table")
        found = []
        for _ in range(TRIALS):
            began = time.monotonic()
            watcher = start(net.hosts[1], "list", "--watch", "--json")
            found.append(_row(watcher, lambda rows: len(rows) == 1) - began)
            watcher.process.terminate()
            watcher.process.wait()
        return _figure(found)


def gone() -> Figure:
    """Seconds from the order to leave to the row's end."""
    with _net() as (net, start):
        watcher = start(net.hosts[1], "list", "--watch", "--json")
        return _figure([_appears(start, net.hosts[0], watcher)[1] for _ in range(TRIALS)])


Start = Callable[..., Client]


@contextmanager
def _net() -> Iterator[tuple[Lan, Start]]:
    with tempfile.TemporaryDirectory() as folder, lan(2) as net:

        def start(host: Host, *words: str) -> Client:
            home = Path(folder, host.name)
            home.mkdir(exist_ok=True)
            return Client(host.start(*P2PCARDS, *words, env=homes(home)))

        yield net, start


def _appears(start: Start, host: Host, watcher: Client) -> tuple[float, float]:
    """Seconds until a new table of the host is listed, and until it has left the list."""
    opener = start(host, "host", "tongits", "--name", "lab", "--json")
    opener.hear("table")
    opened = opener.times[-1]
    came = _row(watcher, lambda rows: len(rows) == 1)
    left_at = time.monotonic()
    opener.say("leave")
    went = _row(watcher, lambda rows: not rows)
    opener.say("quit")
    opener.finish()
    return came - opened, went - left_at


def _row(watcher: Client, fits: Callable[[list[Any]], bool]) -> float:
    """When the list first was as wanted."""
    while True:
        at, line = watcher.timed_line()
        if fits(json.loads(line)):
            return at


def _figure(seconds: list[float]) -> Figure:
    return Figure(median(seconds), {"least": min(seconds), "most": max(seconds)})
