"""Whatever happens between two paints, the screen is the one that a paint from nothing gives: no line stays behind."""

from __future__ import annotations

import pyte
import pytest
from msgspec.structs import replace
from prompt_toolkit.application import get_app
from prompt_toolkit.layout import walk

from p2pcards.commands.command import Command
from p2pcards.table.tableview import Stage
from p2pcards.ui.canvas import Canvas
from p2pcards.ui.theme import Size
from tests.testing.dice import dice
from tests.testing.painted import Cells, acted, painted
from tests.testing.scenes import SCENES, SceneNode
from tests.testing.terminal import Terminal

SIZES = (Size(80, 24), Size(100, 30), Size(64, 20), Size(81, 24))
LINES = ("hide", "theme light", "theme contrast", "cards letters", "cards signs", "ace 1", "ace A", "help")
SCENES_OF_PLAY = ("tongits-early", "tienlen-lead", "straights-early", "onecard-early")
STEPS = 16


def seen(screen: Cells) -> list[list[tuple[int, object]]]:
    """Of every row the cells on which something is to be seen, with their looks."""
    return [
        [
            (column, cell)
            for column, cell in enumerate(map(screen.buffer[row].__getitem__, range(screen.columns)))
            if cell.data != " " or cell.reverse or cell.underscore or cell.bg != "default"
        ]
        for row in range(screen.lines)
    ]


class Watched:
    """A program whose terminal remembers looks, so that what was painted bit by bit can be held against a whole."""

    def __init__(self, terminal: Terminal, node: SceneNode, size: Size) -> None:
        self.terminal, self.node, self.size = terminal, node, size
        self._begin()

    def _begin(self) -> None:
        """From an empty screen of its size on."""
        self.bits = Cells(self.size.cols, self.size.rows)
        self.terminal.screen = self.bits
        self.terminal._stream = pyte.Stream(self.bits)
        get_app().renderer.reset()
        get_app()._redraw()

    def check(self, what: str) -> None:
        """What a paint of the changes leaves is what one from nothing gives."""
        get_app()._redraw()
        by_bits = seen(self.bits)
        for canvas in walk(get_app().layout.container):
            if isinstance(canvas, Canvas):
                canvas._made = {}
        assert by_bits == seen(painted(self.terminal, self.size)), what

    def resize(self, size: Size) -> None:
        self.size = size
        self.terminal.resize(size.cols, size.rows)

    async def type(self, keys: str) -> None:
        """Keys that the program has taken."""
        app = get_app()
        before = app.render_counter
        self.terminal.type(keys)
        await self.terminal.until(lambda: app.render_counter > before, f"a paint for {keys!r}")


@pytest.mark.parametrize("scene", SCENES_OF_PLAY)
async def test_a_screen_painted_bit_by_bit_is_the_whole_one(scene: str) -> None:
    node, rng = SCENES[scene].node(), dice(scene)
    async with acted(SCENES[scene], SIZES[0], node) as terminal:
        watched = Watched(terminal, node, SIZES[0])
        for _ in range(STEPS):
            table = node.table
            assert table is not None
            what = rng.choice(("act", "act", "act", "line", "line", "key", "second", "size", "name", "score"))
            if what == "act" and table.stage is Stage.PLAYING and table.view is not None:
                actions = list(table.game.legal_actions(table.view))
                node.do(Command("act", (), table.game.format(rng.choice(actions))))
            elif what == "act":
                node.deal()
            elif what == "line":
                await watched.type(f"\x15{rng.choice(LINES)}\r")
            elif what == "key":
                await watched.type(rng.choice("plw \x15"))
            elif what == "second":
                node.clock += rng.randrange(1, 4)
            elif what == "size":
                watched.resize(rng.choice(SIZES))
                watched._begin()
            elif what == "name":
                place = rng.randrange(1, len(table.seats))
                nick = rng.choice(("bo", "漢字", "name-of-sixteen1", "e\u0301"))
                seats = [replace(one, nick=nick) if at == place else one for at, one in enumerate(table.seats)]
                node.change(seats=tuple(seats))
            else:
                node.change(scores=tuple(rng.randrange(-20, 20) for _ in table.seats))
            watched.check(what)
