"""`p2pcards --version` beside a Python that does nothing, in a clean venv: from start to end, by the clock."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from time import perf_counter

from tests.bench.figure import Figure, interleaved
from tests.bench.installed import environment, programs

REPEATS = 41


def measure() -> Figure:
    """Its start over that of `python -c pass`."""
    folder = programs()
    version, nothing = interleaved(
        REPEATS, _run(str(folder / "p2pcards"), "--version"), _run(str(folder / "python"), "-c", "pass")
    )
    return Figure(version / nothing, {"ms": version * 1e3, "of python -c pass": nothing * 1e3})


def _run(*command: str) -> Callable[[], float]:
    def timed() -> float:
        start = perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment())
        return perf_counter() - start

    return timed
