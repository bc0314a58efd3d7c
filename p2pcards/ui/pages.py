"""Pages of text that cover the table while they are read: help, rules, the log."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.ui.frame import Screen, page_rows
from p2pcards.ui.local import Local
from p2pcards.ui.theme import Size
from p2pcards.ui.width import Line, wrap


def draw(title: str, text: Sequence[str], size: Size, local: Local) -> Screen:
    """The part of the text that `local.scroll` is at; paragraphs are wrapped, lines that start with spaces kept so."""
    lines = lay_out(text, size.cols)
    rows = page_rows(size)
    first = _clamp(local.scroll, len(lines), rows)
    last = min(len(lines), first + rows)
    status: Line = [("class:dim", f"lines {first + 1}-{last} of {len(lines)} · PageUp, PageDown · Esc closes")]
    if len(lines) <= rows:
        status = [("class:dim", "Esc closes")]
    return Screen([("class:title", title)], status, [lines[first:last]], news=False)


def lay_out(text: Sequence[str], width: int) -> list[Line]:
    """The text in lines of the screen's width; a heading of the rules (`## …`) stands out."""
    lines: list[Line] = []
    for paragraph in text:
        bare = paragraph.lstrip(" ")
        indent = " " * (1 + len(paragraph) - len(bare))
        style = "class:title" if bare.startswith("#") else ""
        body = bare.lstrip("#").lstrip() if style else bare
        hang = indent + "  " if bare.startswith(("* ", "- ")) else indent
        first, *more = wrap(body, max(1, width - len(hang) - 1))
        lines += [[(style, indent + first)], *([(style, hang + line)] for line in more)]
    return lines


def scrolled(text: Sequence[str], scroll: int, pages: int, size: Size) -> int:
    """The first line that is shown after so many pages more."""
    lines, rows = len(lay_out(text, size.cols)), page_rows(size)
    return _clamp(_clamp(scroll, lines, rows) + pages * rows, lines, rows)


def _clamp(scroll: int, lines: int, rows: int) -> int:
    """The nearest first line that leaves no empty room under the last one."""
    return max(0, min(scroll, lines - rows))
