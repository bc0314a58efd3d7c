"""Screens as text, for tests that look at them without a terminal."""

from __future__ import annotations

from p2pcards.ui.width import Line, width_of


def text_of(line: Line) -> str:
    """The line without its styles and without spaces behind it."""
    return "".join(text for _, text in line).rstrip()


def texts(lines: list[Line]) -> list[str]:
    """All lines as text."""
    return [text_of(line) for line in lines]


def widest(lines: list[Line]) -> int:
    """Cells of the widest line."""
    return max((width_of(line) for line in lines), default=0)
