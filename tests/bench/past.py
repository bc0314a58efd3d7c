"""A command, and the home screen, over a history of ten thousand matches, by the clock from the start of a process."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from statistics import median
from tempfile import mkdtemp
from time import perf_counter

from p2pcards.store.folders import Folders
from tests.bench import frame
from tests.bench.figure import Figure
from tests.testing.many_matches import fill

MATCHES = 10_000
REPEATS = 15
ALONE = ("--interface", "lo")


def command(*arguments: str) -> Callable[[], Figure]:
    """Seconds that `p2pcards` takes with these arguments, and what the first time took, which may have to catch up."""

    def measure() -> Figure:
        folder = _filled()
        first = _seconds(arguments, folder)
        return Figure(median(_seconds(arguments, folder) for _ in range(REPEATS)), {"s the first time": first})

    return measure


def home() -> Figure:
    """Seconds until the first picture of the home screen."""
    opened = frame.start({**_filled(), "TERM": "xterm-256color"}, frame.OURS, sys.executable, "-m", "p2pcards", *ALONE)
    return Figure(median(opened() for _ in range(REPEATS)), {})


@cache
def _filled() -> Mapping[str, str]:
    """The environment of a user with that history."""
    root = Path(mkdtemp(prefix="p2pcards-past-"))
    atexit.register(shutil.rmtree, root)
    fill(Folders(config=root / "p2pcards", data=root / "p2pcards", local=root / "p2pcards"), MATCHES)
    homes = {f"XDG_{name}_HOME": str(root) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    environment = {**os.environ, **homes}
    subprocess.run([sys.executable, "-m", "p2pcards", "identity"], check=True, capture_output=True, env=environment)
    return environment


def _seconds(arguments: tuple[str, ...], environment: Mapping[str, str]) -> float:
    start = perf_counter()
    subprocess.run([sys.executable, "-m", "p2pcards", *arguments], check=True, capture_output=True, env=environment)
    return perf_counter() - start
