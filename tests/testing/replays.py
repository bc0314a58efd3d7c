"""Records for tests of the viewer: the samples, a record that goes wrong, and places in them that snapshots show."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import NamedTuple

from p2pcards.games.base import Seat
from p2pcards.games.reel import Reel
from p2pcards.games.replay import replay
from p2pcards.ui.replay_app import run_viewer
from p2pcards.ui.replay_commands import parse
from p2pcards.ui.replay_desk import Viewing
from p2pcards.ui.theme import Look, Size
from tests.testing.painted import acted
from tests.testing.samples import record_file
from tests.testing.scenes import SCENES
from tests.testing.terminal import Terminal, running

HEAD = """
format = 1
game = "tongits"
players = ["ana", "ben", "cy"]
"""

ROUND = """
[[rounds]]
starter = "ana"
hands = { ana = "AS 2S 3S 9D", ben = "4C 5C", cy = "7H 8H" }
stock = "KD 3C"
"""

OPEN = f'{HEAD}{ROUND}actions = ["ana: draw", "ana: expose AS 2S 3S", "ana: discard KD"]\n'
"""A round that nobody finished."""

WRONG = f'{HEAD}{ROUND}actions = ["ana: draw", "ana: expose AS 2S 3S", "ben: draw", "ana: discard KD"]\n'
"""In line 3 somebody acts out of turn."""

EMPTY = f"{HEAD}{ROUND}"
"""Dealt, and nothing more."""


def reel(text: str) -> Reel:
    """The record as positions."""
    made = Reel.of(replay(text))
    assert made is not None
    return made


def sample_reel(game: str) -> Reel:
    """That of docs/samples."""
    return reel(record_file(game).read_text(encoding="utf-8"))


class Place(NamedTuple):
    """A place in a sample: what is typed to get there, and whether what was legal is listed."""

    game: str
    typed: tuple[str, ...]
    listing: bool = False
    eyes: Seat | None = None

    def desk(self) -> Viewing:
        """A viewer that stands there."""
        desk = Viewing(sample_reel(self.game), self.eyes)
        for line in self.typed:
            desk.do(parse(line))
        if self.listing:
            desk.list_legal()
        return desk


REPLAYS = {
    "replay-tongits": Place("tongits", ("round 2", "move 21"), listing=True, eyes=Seat(1)),
    "replay-tienlen": Place("tienlen", ("round 2", "move 30")),
    "replay-straights": Place("straights", ("move 30",)),
    "replay-onecard": Place("onecard", ("round 2", "move 30"), eyes=Seat(0)),
    "replay-sheet": Place("tongits", ("move 16",)),
}
"""By the names of their snapshots."""


@asynccontextmanager
async def viewed(desk: Viewing, size: Size) -> AsyncIterator[Terminal]:
    """The viewer on a terminal of that size."""

    def run(terminal: Terminal) -> Awaitable[int]:
        return run_viewer(desk, look=Look(), input=terminal.keys, output=terminal.output)

    async with running(run, size.cols, size.rows) as (terminal, _):
        await terminal.sees("? help")
        yield terminal


def shown(name: str, size: Size) -> AbstractAsyncContextManager[Terminal]:
    """That scene, or that place in a record, on a terminal of that size."""
    return viewed(REPLAYS[name].desk(), size) if name in REPLAYS else acted(SCENES[name], size)
