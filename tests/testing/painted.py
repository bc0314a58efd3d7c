"""Scenes as a terminal shows them: the whole program paints, pyte reads what it wrote."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager
from itertools import groupby
from typing import Any, NamedTuple

import pyte
from prompt_toolkit.application import get_app_or_none

from p2pcards.store.manual import rules_text
from p2pcards.ui.app import run_app
from p2pcards.ui.ports import Node
from p2pcards.ui.theme import Look, Size
from tests.testing.scenes import Scene, SceneNode
from tests.testing.terminal import Terminal, running

FAINT = 2
"""The code for dim text."""

_LONGER = {38, 48}
"""Codes that are followed by a colour of their own."""


class Style(NamedTuple):
    """What a cell looks like. fg, bg: a colour's name as pyte has it, six hex digits, or "default"."""

    fg: str = "default"
    bg: str = "default"
    bold: bool = False
    italics: bool = False
    underscore: bool = False
    reverse: bool = False
    faint: bool = False


class Cells(pyte.Screen):
    """pyte's screen that knows dim text as well: it is kept as blinking, which nothing here does."""

    def select_graphic_rendition(self, *attrs: int, **more: Any) -> None:
        """The codes of one sequence."""
        super().select_graphic_rendition(*attrs, **more)
        if FAINT in attrs and not _LONGER & set(attrs):
            self.cursor.attrs = self.cursor.attrs._replace(blink=True)

    def styles(self, row: int) -> list[Style]:
        """The look of every cell of a row. A space shows none of its own: between two of one look it has that one."""
        looks = [self._style(self.buffer[row][column]) for column in range(self.columns)]
        seen: int | None = None
        for place, look in enumerate(looks):
            if look is None:
                continue
            if seen is not None and looks[seen] == look:
                looks[seen:place] = [look] * (place - seen)
            seen = place
        return [look or Style() for look in looks]

    def runs(self, row: int) -> Iterator[tuple[int, int, str, Style]]:
        """Where a run of one look begins, how many cells it takes, its text, its look."""
        at = 0
        for style, cells in groupby(enumerate(self.styles(row)), key=lambda one: one[1]):
            columns = [column for column, _ in cells]
            yield at, len(columns), "".join(self.buffer[row][column].data for column in columns), style
            at += len(columns)

    @staticmethod
    def _style(cell: Any) -> Style | None:
        if cell.data == " " and cell.bg == "default" and not (cell.reverse or cell.underscore):
            return None
        return Style(cell.fg, cell.bg, cell.bold, cell.italics, cell.underscore, cell.reverse, cell.blink)


@asynccontextmanager
async def acted(scene: Scene, size: Size, node: SceneNode | None = None) -> AsyncIterator[Terminal]:
    """The program at that place, on a terminal of that size. node: to do more there, one made for the scene."""
    node = node or scene.node()

    async def made() -> Node:
        return node

    def run(terminal: Terminal) -> Awaitable[int]:
        return run_app(made, look=Look(), manual=rules_text, input=terminal.keys, output=terminal.output)

    async with running(run, size.cols, size.rows) as (terminal, _):
        await terminal.sees(node.home.words)
        scene.happens(node)
        node.tell(None)
        terminal.type(scene.typed)
        await terminal.sees(scene.sees)
        yield terminal


def painted(terminal: Terminal, size: Size) -> Cells:
    """What the program paints on a terminal of that size, from an empty screen on."""
    app = get_app_or_none()
    assert app is not None
    terminal.resize(size.cols, size.rows)
    terminal.raw.clear()
    app.renderer.reset()
    app._redraw()
    screen = Cells(size.cols, size.rows)
    pyte.Stream(screen).feed("".join(terminal.raw))
    return screen
