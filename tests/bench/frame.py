"""The first frame of `p2pcards` with its prompt, beside that of the smallest full-screen program, both on a terminal of
80x24 in a clean venv: from the start of the process until the screen shows it. Discovery stays on loopback."""

from __future__ import annotations

import os
import select
import subprocess
import termios
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter

import pyte

from tests.bench.figure import Figure, interleaved
from tests.bench.installed import environment, programs

REPEATS = 21
DEADLINE = 60.0
ROWS, COLUMNS = 24, 80
OURS, SMALLEST = "Ctrl-D quit", "ready"
"""What the last line of each first frame says."""


def measure() -> Figure:
    """Time to the first frame over that of the smallest program."""
    folder = programs()
    ours = start(environment(), OURS, str(folder / "p2pcards"), "--interface", "lo")
    smallest_screen = str(Path(__file__).with_name("smallest_screen.py"))
    smallest = start(environment(), SMALLEST, str(folder / "python"), "-P", smallest_screen)
    ours()  # the first start of all makes the key
    first, anchor = interleaved(REPEATS, ours, smallest)
    return Figure(first / anchor, {"ms": first * 1e3, "of the smallest program": anchor * 1e3})


def start(environment: Mapping[str, str], shows: str, *command: str) -> Callable[[], float]:
    """Seconds from the start of the command, on a terminal of its own, until it shows that text; it is killed then."""

    def timed() -> float:
        terminal, its_end = os.openpty()
        termios.tcsetwinsize(its_end, (ROWS, COLUMNS))
        start = perf_counter()
        process = subprocess.Popen(
            command, stdin=its_end, stdout=its_end, stderr=its_end, env=environment, start_new_session=True
        )
        os.close(its_end)
        try:
            return _shown(terminal, shows, start) - start
        finally:
            process.kill()
            process.wait()
            os.close(terminal)

    return timed


def _shown(terminal: int, text: str, start: float) -> float:
    """When the text was on the screen."""
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    while perf_counter() - start < DEADLINE:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        stream.feed(os.read(terminal, 65536))
        at = perf_counter()
        if any(text in line for line in screen.display):
            return at
    raise TimeoutError(f"no {text!r} on the screen within {DEADLINE:.0f} s")
