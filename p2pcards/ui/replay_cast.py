"""A record as a recording that asciinema plays (asciicast v2): the viewer running by itself from the first move on.

The file is lines of JSON: a head, then `[seconds, "o", what the terminal is sent]`. The same record, eyes, size and
speed give the same bytes.
Source of the form: docs.asciinema.org, "asciicast v2".
"""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

from prompt_toolkit.data_structures import Size as Cells
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.renderer import print_formatted_text

from p2pcards.ui.replay_desk import Viewing
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.themes import COLOURLESS, USUAL, palette
from p2pcards.ui.width import Line, clean, fill

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from prompt_toolkit.styles import BaseStyle

    from p2pcards.games.base import Seat
    from p2pcards.games.reel import Reel

SHEET = 3
"""So many moves' time it stays at a score sheet, and at the end."""

_START, _END = "\x1b[?25l\x1b[?7l\x1b[2J", "\x1b[?7h\x1b[?25h"
"""The cursor is hidden and no line is broken; and as it was."""


def cast(
    reel: Reel,
    eyes: Seat | None,
    size: Size,
    look: Look,
    speed: float = 1.0,
    step: Callable[[], None] = lambda: None,
) -> str:
    """The recording. speed: moves a second; step: called after each position."""
    title = clean(reel.record.title) if reel.record.title else reel.game.title
    head = {
        "version": 2,
        "width": size.cols,
        "height": size.rows,
        "title": f"{reel.game.title}: {title}" if reel.record.title else title,
        "env": {"TERM": "xterm-256color", "SHELL": "/bin/sh"},
    }
    lines = [head, *([round(at, 3), "o", text] for at, text in _frames(reel, eyes, size, look, speed, step))]
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)


def _frames(
    reel: Reel, eyes: Seat | None, size: Size, look: Look, speed: float, step: Callable[[], None]
) -> Iterator[tuple[float, str]]:
    """When each picture comes, and what turns the one before into it."""
    desk = Viewing(reel, eyes)
    desk.speed, desk.playing = speed, not desk.ended
    painter = _Painter(look)
    before: list[Line] = []
    at, text = 0.0, _START
    while True:
        picture = [fill(line, size.cols) for line in (*desk.picture(size, look), desk.keys_line(size, look))]
        rows = enumerate(picture)
        text += "".join(painter.row(row, line) for row, line in rows if row >= len(before) or line != before[row])
        yield at, text
        step()
        at += (SHEET if reel.outcome(desk.spot) is not None else 1) / speed
        if desk.ended:
            yield at, _END
            return
        before, text = picture, ""
        desk.step(1)
        desk.playing = not desk.ended


class _Painter:
    """Lines as a terminal is sent them."""

    def __init__(self, look: Look) -> None:
        from prompt_toolkit.styles import Style

        looks = palette(USUAL if look.colours else COLOURLESS, {}, colours=look.colours)
        self._style: BaseStyle = Style(list(looks.items()))
        self._depth = ColorDepth.DEPTH_8_BIT if look.colours else ColorDepth.MONOCHROME
        self._made: dict[tuple[tuple[str, str], ...], str] = {}

    def row(self, row: int, line: Line) -> str:
        """The line, put into that row, counted from 0."""
        key = tuple(line)
        if key not in self._made:
            written = io.StringIO()
            output = Vt100_Output(written, lambda: Cells(1, 1), term="xterm-256color")
            print_formatted_text(output, FormattedText(line), self._style, color_depth=self._depth)
            self._made[key] = written.getvalue()
        return f"\x1b[{row + 1};1H{self._made[key]}"
