"""The part of the layout that shows finished lines.

Most of a paint is the making of cells out of lines, and from one paint to the next most lines stay. Cells are made of
nothing but a line, the width and the style around it, so those of the last paint are taken again for a line that is
the same, wherever it stands now: what has changed in any way is another line.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache

from prompt_toolkit.application import get_app
from prompt_toolkit.layout import Container, Dimension
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition

from p2pcards.ui.theme import Size
from p2pcards.ui.width import Fragment, Line

Row = defaultdict[int, Char]
"""The cells of a line on the screen, by column."""

_cell = lru_cache(maxsize=4096)(Char)


class Canvas(Container):
    """Asks for its lines at every paint, for the size that the terminal has then, and shows as many as it has rows.

    height: rows, where not all that are left. It takes the whole width of the screen, at its left edge.
    """

    def __init__(self, draw: Callable[[Size], list[Line]], height: int | None = None) -> None:
        self._draw, self._height = draw, height
        self._made: dict[tuple[Fragment, ...], Row] = {}
        self._for = (0, "")  # the width and the style that they were made for

    def reset(self) -> None:
        """Nothing of it outlives a paint but cells."""

    def preferred_width(self, max_available_width: int) -> Dimension:
        """All there is."""
        return Dimension()

    def preferred_height(self, width: int, max_available_height: int) -> Dimension:
        """What was asked for."""
        return Dimension() if self._height is None else Dimension.exact(self._height)

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        """Paints the lines into its rows of the screen."""
        size = get_app().output.get_size()
        width, top, height = write_position.width, write_position.ypos, write_position.height
        lines = self._draw(Size(size.columns, size.rows))[:height]
        before = self._made if self._for == (width, parent_style) else {}
        self._made, self._for = {}, (width, parent_style)
        lines += [[] for _ in range(height - len(lines))]
        for place, line in enumerate(lines, top):
            key = tuple(line)
            row = before.get(key)
            self._made[key] = row = cells(line, width, parent_style.strip()) if row is None else row
            screen.data_buffer[place] = row.copy()
        screen.height = max(screen.height, top + height)

    def get_children(self) -> list[Container]:
        """None."""
        return []


def cells(line: Line, width: int, around: str = "") -> Row:
    """The cells of a line. around: the style under those of its fragments, on all of the width."""
    before = f"{around} " if around else ""
    empty = _cell(" ", f"{before}[transparent]")
    behind = _cell("", around)  # in the second cell of a wide sign: like no other, so that what comes there is painted
    row: Row = defaultdict(lambda: empty)
    at = 0
    for style, text in line:
        for char in text:
            cell = _cell(char, before + style)
            if not cell.width:
                _join(row, at, char)
            elif at < width:
                row[at] = cell
                for place in range(at + 1, at + cell.width):
                    row[place] = behind
                at += cell.width
    if around:
        for place in range(at, width):
            row[place] = empty
    return row


def _join(row: Row, at: int, accent: str) -> None:
    """Puts an accent on the sign before that column."""
    for wide in (2, 1):
        if at >= wide and row[at - wide].width == wide:
            row[at - wide] = _cell(row[at - wide].char + accent, row[at - wide].style)
            return
