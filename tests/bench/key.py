"""From a key to the screen: the program in a round of Tiến lên, beside a full-screen program of one control, each on a
terminal of its own in the same run, a key here and a key there. What is aimed at is in comparison with a control that
has text on all of the screen, for most of the time goes into cells; one that shows the typed line alone is told beside
it. What an event sends is counted in this process."""

from __future__ import annotations

import asyncio
import os
import select
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from msgspec import Struct
from prompt_toolkit.application import get_app_or_none

from p2pcards.commands.command import Command
from p2pcards.table.tableview import Stage
from p2pcards.ui.theme import Size
from tests.bench.figure import Figure
from tests.testing.dice import dice
from tests.testing.house import ROOT
from tests.testing.painted import acted
from tests.testing.scenes import SCENES

NORMAL, LARGE = Size(80, 24), Size(200, 60)
SCENE = "tienlen-lead"
KEYS = "play qd kc ah 2h\x15"
"""Typed over and over: a line whose suggestions change with every key, and its end."""

COUNT, WARM = 400, 40
QUIET = 0.05
"""Seconds without a byte after which nothing more is on its way: longer than a paint, for a key may bring two."""
STARTING = 60.0
EVENTS = 200


class Typed(Struct, frozen=True):
    """What some hundred keys cost: seconds to the first byte, and all bytes that they brought, by key."""

    ours: list[float]
    anchor: list[float]
    empty: list[float]
    sent: list[int]


@cache
def _typed(size: Size) -> Typed:
    here = (sys.executable, "-m", "tests.bench.key_scene", SCENE)
    smallest = (sys.executable, "-P", str(Path(__file__).with_name("one_control.py")))
    found = Typed([], [], [], [])
    with (
        _terminal(size, *here) as ours,
        _terminal(size, *smallest, "full") as anchor,
        _terminal(size, *smallest) as empty,
    ):
        for place, key in enumerate(islice(cycle(KEYS), COUNT + WARM)):
            seconds, sent = _press(ours, key)
            beside, _ = _press(anchor, key)
            least, _ = _press(empty, key)
            if place >= WARM:
                found.ours.append(seconds)
                found.anchor.append(beside)
                found.empty.append(least)
                found.sent.append(sent)
    return found


@contextmanager
def _terminal(size: Size, *command: str) -> Iterator[int]:
    """A program on a terminal of that size, once it has painted and is silent."""
    terminal, its_end = os.openpty()
    termios.tcsetwinsize(its_end, (size.rows, size.cols))
    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command, stdin=its_end, stdout=its_end, stderr=its_end, env=environment, start_new_session=True, cwd=ROOT
    )
    os.close(its_end)
    try:
        _read(terminal, STARTING)
        _read(terminal, 1.0)
        yield terminal
    finally:
        process.kill()
        process.wait()
        os.close(terminal)


def _press(terminal: int, key: str) -> tuple[float, int]:
    """Seconds until the first byte came, and how many came."""
    _read(terminal, 0.0)  # what came late of the key before
    start = perf_counter()
    os.write(terminal, key.encode())
    select.select([terminal], [], [], STARTING)
    return perf_counter() - start, _read(terminal, QUIET)


def _read(terminal: int, patience: float) -> int:
    """All bytes until it is silent for so long; the first may take as long as it likes within that."""
    count = 0
    while select.select([terminal], [], [], patience)[0]:
        count += len(os.read(terminal, 65536))
        patience = min(patience, 1.0)
    return count


def beside(size: Size) -> Callable[[], Figure]:
    """The median time to the screen over that of the program of one control."""

    def measured() -> Figure:
        typed = _typed(size)
        ours, anchor, empty = median(typed.ours), median(typed.anchor), median(typed.empty)
        parts = {"ms": ours * 1e3, "ms of one control full of text": anchor * 1e3, "ms of an empty one": empty * 1e3}
        return Figure(ours / anchor, parts)

    return measured


def late(size: Size) -> Callable[[], Figure]:
    """The 99th percentile of the time to the screen over its median."""

    def measured() -> Figure:
        typed = _typed(size)
        ours, anchor = _p99(typed.ours), _p99(typed.anchor)
        parts = {"ms": ours * 1e3, "ms of one control": anchor * 1e3, "of one control": anchor / median(typed.anchor)}
        return Figure(ours / median(typed.ours), parts)

    return measured


def key_bytes(size: Size) -> Callable[[], Figure]:
    """What most keys send: the 99th percentile."""

    def measured() -> Figure:
        sent = [float(count) for count in _typed(size).sent]
        return Figure(_p99(sent), {"usually": median(sent), "most": max(sent)})

    return measured


def event_bytes(size: Size) -> Callable[[], Figure]:
    """What a move at the table sends: the median over some rounds of Tiến lên."""

    def measured() -> Figure:
        sent = asyncio.run(_events(size))
        return Figure(median(sent), {"99 of 100": _p99(sent), "most": max(sent)})

    return measured


async def _events(size: Size) -> list[float]:
    scene = SCENES[SCENE]
    node, rng = scene.node(), dice(1)
    sent: list[float] = []
    async with acted(scene, size, node) as terminal:
        app = get_app_or_none()
        assert app is not None

        def count() -> None:
            terminal.raw.clear()
            app._redraw()
            if written := "".join(terminal.raw):
                sent.append(float(len(written.encode())))

        app._redraw()
        node.listen(lambda notice: count())
        while len(sent) < EVENTS and node.table is not None:
            if node.table.stage is Stage.BETWEEN:
                node.deal()
            else:
                actions = list(node.table.game.legal_actions(node.table.view))
                node.do(Command("act", (), node.table.game.format(rng.choice(actions))))
    return sent


def _p99(values: list[float]) -> float:
    return quantiles(values, n=100)[98]
