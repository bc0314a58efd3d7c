"""Programs that write one history, to be run beside each other and to be killed:

python -m tests.testing.history_writers write FOLDER COUNT       # so many matches, round by round
python -m tests.testing.history_writers killed FOLDER TIMES      # children that do so, each killed at some point
python -m tests.testing.history_writers fill FOLDER              # until the disk is full

Each prints, as JSON, what had been acknowledged: the number of rounds of each match, by its table.
"""

from __future__ import annotations

import os
import random
import select
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NoReturn
from unittest import mock

import msgspec
from msgspec.structs import replace

from p2pcards.errors import UserError
from p2pcards.store.folders import Folders
from p2pcards.store.history import History
from p2pcards.store.history_match import KeptMatch
from p2pcards.table.results import Over
from tests.testing.many_matches import many_matches

ROUNDS = 4
MOST_ACKNOWLEDGED = 3
"""Rounds after which a child is killed, if not before."""
SOON = 0.008
"""Seconds within which it is killed after that: about what keeping a round takes."""
HEAVY = 16_000
"""Bytes of a round, which don't compress: several pages of the file."""


def folders(base: Path) -> Folders:
    """Those below a folder."""
    return Folders(base / "config", base / "data", base / "local")


def grown(match: KeptMatch) -> Iterator[KeptMatch]:
    """The match after each of its rounds."""
    dice = random.Random(match.table)  # noqa: S311 - the same round again
    parts = (match.parts[0], *(f"{dice.randbytes(HEAVY).hex()}\n" for _ in range(ROUNDS)))
    endings = match.endings[:1] * ROUNDS
    for rounds in range(1, ROUNDS + 1):
        yield replace(
            match, parts=parts[: rounds + 1], endings=endings[:rounds], over=Over.YES if rounds == ROUNDS else Over.NO
        )


def write(base: Path, matches: Iterator[KeptMatch], acknowledged: Callable[[KeptMatch], None]) -> None:
    """Keeps them, each round by round."""
    history = History(folders(base))
    for match in matches:
        for one in grown(match):
            history.keep(one)
            acknowledged(one)


def _killed(base: Path, times: int) -> dict[str, int]:
    told: dict[str, int] = {}
    dice = random.Random(times)  # noqa: S311 - the same moments again, as far as the machine lets them be
    for seed in range(times):
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.close(reading)
            _write_to(writing, base, seed)
        os.close(writing)
        with open(reading, "rb", buffering=0) as pipe:  # noqa: PTH123 - it has no name
            data = b""
            for _ in range(dice.randrange(MOST_ACKNOWLEDGED)):
                data += pipe.read(4096)
            select.select([], [], [], dice.random() * SOON)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            data += pipe.read()
        for line in data.decode().splitlines():
            table, _, rounds = line.partition(" ")
            told[table] = int(rounds)
    return told


class _Forgetful(sqlite3.Connection):
    """Holds next to nothing in memory, so that most of a transaction is on its way to the disk before it ends."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.execute("PRAGMA cache_size = 1")


def _write_to(pipe: int, base: Path, seed: int) -> NoReturn:
    mock.patch.object(sqlite3, "connect", partial(sqlite3.connect, factory=_Forgetful)).start()

    def acknowledged(match: KeptMatch) -> None:
        os.write(pipe, f"{match.table} {match.rounds}\n".encode())

    names = map(f"{seed}-{{}}".format, count())
    matches = (
        replace(match, key=name.encode(), table=name)
        for match, name in zip(many_matches(50, seed), names, strict=False)
    )
    write(base, matches, acknowledged)
    os._exit(0)


def _fill(base: Path, acknowledged: Callable[[KeptMatch], None]) -> None:
    """Tells what the disk says to it; then there is room again, and another match is kept."""
    ballast = base / "ballast"
    ballast.write_bytes(bytes(200_000))
    try:
        write(base, many_matches(10_000), acknowledged)
    except UserError as error:
        sys.stderr.write(f"{error}\n")
    ballast.unlink()
    last = replace(next(many_matches(1)), key=b"last", table="last")
    History(folders(base)).keep(last)
    acknowledged(last)


def main() -> None:
    """Does what the arguments say."""
    what, base, *number = sys.argv[1:]
    told: dict[str, int] = {}

    def acknowledged(match: KeptMatch) -> None:
        told[match.table] = match.rounds

    match what:
        case "write":
            write(Path(base), many_matches(int(number[0])), acknowledged)
        case "killed":
            told = _killed(Path(base), int(number[0]))
        case "fill":
            _fill(Path(base), acknowledged)
            kept = {one.table: one.rounds for one in History(folders(Path(base))).newest()}
            told = {"filled": len(told), "lost": sum(kept[table] < rounds for table, rounds in told.items())}
    sys.stdout.write(msgspec.json.encode(told).decode())


if __name__ == "__main__":
    main()
