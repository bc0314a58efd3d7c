"""Every screen as text and colours, for a test that compares and a person who reads the difference. To renew them:

python -m tests.testing.snapshots [NAME]...

A file has the scene in each size: first the lines, each behind a bar, then the looks of each row as a run of lengths:
`1: 2 8* 3~` says that in row 1 two cells look like any other, then eight are bold, then three are dim, and that the
rest of it looks like any other. Rows that look alike stand together: `6-7: …`. The letters of a look are

k r g y b m c w    the colour, a capital where it is a bright one; #rrggbb any other
* / _ ! ~          bold, italic, underlined, reversed, dim
[c]                the colour of the ground
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from p2pcards.ui.theme import Size
from tests.testing.house import TESTS
from tests.testing.painted import Cells, Style, painted
from tests.testing.replays import REPLAYS, shown
from tests.testing.scenes import SCENES

FOLDER = TESTS / "ui" / "snapshots"
SIZES = (Size(80, 24), Size(100, 30), Size(120, 40), Size(200, 60))

NAMES = (*SCENES, *REPLAYS)
"""What there is a snapshot of."""

_COLOURS = {
    "black": "k",
    "red": "r",
    "green": "g",
    "brown": "y",  # what pyte calls yellow
    "yellow": "y",
    "blue": "b",
    "magenta": "m",
    "cyan": "c",
    "white": "w",
}


def file_of(name: str) -> Path:
    """Where the snapshot of that scene lies."""
    return FOLDER / f"{name}.txt"


async def snapshot(name: str) -> str:
    """The scene in all sizes."""
    async with shown(name, SIZES[0]) as terminal:
        parts = [_part(painted(terminal, size), size) for size in SIZES]
    return "\n".join(parts)


def _part(screen: Cells, size: Size) -> str:
    lines = [f"|{line.rstrip()}" for line in screen.display]
    return "\n".join([f"{size.cols}x{size.rows}", *lines, *_looks(screen, size.rows)]) + "\n"


def _looks(screen: Cells, rows: int) -> Iterator[str]:
    written = [(row, _row(screen, row)) for row in range(rows)]
    for looks, group in groupby(written, key=lambda one: one[1]):
        numbers = [row + 1 for row, _ in group]
        if looks:
            where = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
            yield f"{where}: {looks}"


def _row(screen: Cells, row: int) -> str:
    runs = [f"{length}{look(style)}" for _, length, _, style in screen.runs(row)]
    while runs and runs[-1].isdigit():
        runs.pop()
    return " ".join(runs)


def look(style: Style) -> str:
    """The letters of a look; nothing for that of most cells."""
    signs = zip("*/_!~", (style.bold, style.italics, style.underscore, style.reverse, style.faint), strict=True)
    ground = "" if style.bg == "default" else f"[{_colour(style.bg)}]"
    return _colour(style.fg) + "".join(sign for sign, there in signs if there) + ground


def _colour(name: str) -> str:
    if name == "default":
        return ""
    bright = name.startswith("bright")
    letter = _COLOURS.get(name.removeprefix("bright"))
    return f"#{name}" if letter is None else letter.upper() if bright else letter


def main() -> None:
    """Writes the snapshots that are named, or all, and takes away what is no scene any more."""
    for name in sys.argv[1:] or NAMES:
        file_of(name).write_text(asyncio.run(snapshot(name)), encoding="utf-8")
    for file in FOLDER.glob("*.txt"):
        if file.stem not in NAMES:
            file.unlink()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    main()
