"""docs/screens/*.svg, painted by the program in places that real play has led to. To paint them anew:

python -m tests.testing.screens_svg
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import NamedTuple

from p2pcards.ui.theme import Size
from tests.testing.house import ROOT
from tests.testing.painted import painted
from tests.testing.replays import shown
from tests.testing.svg import svg

FOLDER = ROOT / "docs" / "screens"


class Picture(NamedTuple):
    """A scene, in which size, and what it shows in words."""

    scene: str
    size: Size
    title: str


NORMAL, WIDE = Size(80, 24), Size(120, 36)

PICTURES = {
    "home": Picture("home-menu", NORMAL, "The list of tables on the network, with what may be typed after join"),
    "lobby": Picture("lobby-host", Size(100, 30), "The lobby of a table with a code at its door, and what was said"),
    "tongits": Picture("seat-held", NORMAL, "Tong-its: the melds on the table, my hand, what I may do; a seat is held"),
    "tongits-wide": Picture("tongits-late", WIDE, "Tong-its in a large window: melds drawn, what happened beside them"),
    "tienlen": Picture("tienlen-bomb", NORMAL, "Tiến lên: four of a kind have bombed a 2"),
    "tienlen-menu": Picture("tienlen-menu", NORMAL, "Tiến lên: which cards may be played, as the menu offers them"),
    "picker": Picture("tienlen-picker", NORMAL, "Tiến lên: three cards raised with the arrows, and what they mean"),
    "straights": Picture("straights-middle", NORMAL, "Straights: the rows grow around the sevens"),
    "onecard": Picture("onecard-attack", NORMAL, "One Card: an attack that grows from player to player"),
    "onecard-wide": Picture("onecard-full", WIDE, "One Card with eight players in a large window"),
    "sheet": Picture("straights-sheet", NORMAL, "The score sheet after a round, with the check of deal and moves"),
    "replay": Picture("replay-tongits", NORMAL, "A record looked at: what was legal there, and what was done"),
    "help": Picture("help", NORMAL, "The help page, with the commands of this moment"),
    "host": Picture("host-changed", NORMAL, "The host's program is gone and another player's has taken over"),
    "vote": Picture("vote-open", NORMAL, "The table votes on showing somebody out"),
}
"""Name of the file to what is on it."""


async def picture(name: str) -> str:
    """The SVG."""
    what = PICTURES[name]
    async with shown(what.scene, NORMAL) as terminal:
        return svg(painted(terminal, what.size), what.title)


def file_of(name: str) -> Path:
    """Where that picture lies."""
    return FOLDER / f"{name}.svg"


def main() -> None:
    """Paints all, and takes away what is no picture any more."""
    FOLDER.mkdir(exist_ok=True)
    for name in PICTURES:
        file_of(name).write_text(asyncio.run(picture(name)), encoding="utf-8")
    for file in FOLDER.glob("*.svg"):
        if file.stem not in PICTURES:
            file.unlink()


if __name__ == "__main__":
    main()
