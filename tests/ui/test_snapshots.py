"""Every screen looks as it did when somebody last looked at it; `python -m tests.testing.snapshots` renews what is kept
of them, and the difference belongs into the review."""

from __future__ import annotations

import pyte
import pytest

from tests.testing.painted import Cells, Style
from tests.testing.snapshots import FOLDER, NAMES, SIZES, file_of, look, snapshot

MOST_BYTES = 1_500_000
"""All snapshots together."""


@pytest.mark.parametrize("name", NAMES)
async def test_a_screen_looks_as_it_did(name: str) -> None:
    found = await snapshot(name)
    assert found == file_of(name).read_text(encoding="utf-8"), "python -m tests.testing.snapshots renews it"


def test_every_snapshot_is_of_a_scene_and_all_are_small() -> None:
    files = sorted(FOLDER.glob("*"))
    assert sorted(file.stem for file in files) == sorted(NAMES)
    assert sum(file.stat().st_size for file in files) < MOST_BYTES


@pytest.mark.parametrize("name", NAMES)
def test_no_line_of_a_snapshot_is_wider_than_its_screen(name: str) -> None:
    """What went over an edge would stand in the row below, or be gone."""
    text = file_of(name).read_text(encoding="utf-8")
    for size in SIZES:
        part = text.split(f"{size.cols}x{size.rows}\n", 1)[1].split("\n\n")[0]
        lines = [line[1:] for line in part.splitlines() if line.startswith("|")]
        assert len(lines) == size.rows
        assert all(len(line) <= size.cols for line in lines)


def test_a_look_is_told_in_letters() -> None:
    assert look(Style()) == ""
    assert look(Style("red", bold=True)) == "r*"
    assert look(Style("brightblue", italics=True, underscore=True, reverse=True, faint=True)) == "B/_!~"
    assert look(Style("ff8700", "brown")) == "#ff8700[y]"


def test_dim_text_is_seen_and_no_colour_is_taken_for_it() -> None:
    screen = Cells(8, 1)
    pyte.Stream(screen).feed("\x1b[0;2ma\x1b[0;1mb\x1b[0;38;5;2mc\x1b[0md")
    assert [(text, style.faint, style.bold) for _, _, text, style in screen.runs(0)] == [
        ("a", True, False),
        ("b", False, True),
        ("c", False, False),
        ("d    ", False, False),
    ]
