"""A recording: lines that asciinema reads, which end with the picture that the viewer has there."""

from __future__ import annotations

import json
import math
from typing import Any

import pyte
import pytest
from msgspec.structs import replace

from p2pcards.games.base import Seat
from p2pcards.games.reel import Reel
from p2pcards.games.registry import GAMES
from p2pcards.ui.replay_cast import SHEET, cast
from p2pcards.ui.replay_commands import parse
from p2pcards.ui.replay_desk import Viewing
from p2pcards.ui.theme import Look, Size
from tests.testing.painted import Cells, painted
from tests.testing.replays import EMPTY, WRONG, reel, sample_reel, viewed

SIZE = Size(80, 24)


def read(text: str) -> tuple[dict[str, Any], list[tuple[float, str, str]]]:
    head, *events = map(json.loads, text.splitlines())
    return head, [tuple(event) for event in events]


def played(text: str, screen: pyte.Screen) -> list[str]:
    """What stands on the screen after each event."""
    stream = pyte.Stream(screen)
    seen = []
    for _, _, data in read(text)[1]:
        stream.feed(data)
        seen.append("\n".join(line.rstrip() for line in screen.display))
    return seen


@pytest.mark.parametrize("game", GAMES)
async def test_it_ends_with_the_picture_of_the_viewer_colours_and_all(game: str) -> None:
    made = sample_reel(game)
    screen = Cells(*SIZE)
    pictures = played(cast(made, None, SIZE, Look()), screen)
    desk = Viewing(made)
    desk.do(parse("end"))
    async with viewed(desk, SIZE) as terminal:
        viewer = painted(terminal, SIZE)
        assert pictures[-1].split("\n") == [line.rstrip() for line in viewer.display]
        assert [screen.styles(row) for row in range(SIZE.rows)] == [viewer.styles(row) for row in range(SIZE.rows)]


def test_it_has_every_position_in_order() -> None:
    made = sample_reel("tongits")
    pictures = played(cast(made, Seat(1), Size(100, 30), Look()), pyte.Screen(100, 30))
    assert len(pictures) == len(made.spots) + 1
    for spot, picture in zip(made.spots, pictures, strict=False):
        assert f"round {spot.round + 1} of {made.rounds} · move {spot.move} of {made.moves(spot.round)}" in picture
        assert "as bot-2" in picture


def test_head_and_times_are_as_the_form_wants_them() -> None:
    made = sample_reel("tongits")
    head, events = read(cast(made, None, Size(100, 30), Look(), speed=2.0))
    assert (head["version"], head["width"], head["height"]) == (2, 100, 30)
    assert head["title"] == "Tong-its: sample"
    times = [at for at, _, _ in events]
    assert times == sorted(times)
    assert {kind for _, kind, _ in events} == {"o"}
    sheets = sum(made.outcome(spot) is not None for spot in made.spots)
    assert math.isclose(times[-1], (len(made.spots) - sheets + SHEET * sheets) / 2)


def test_the_same_is_the_same_to_the_byte() -> None:
    first = cast(sample_reel("onecard"), None, SIZE, Look())
    assert first == cast(sample_reel("onecard"), None, SIZE, Look())
    assert first != cast(sample_reel("onecard"), Seat(0), SIZE, Look())


def test_without_colours_and_in_ascii_it_has_none_and_is() -> None:
    text = cast(sample_reel("tongits"), None, SIZE, Look(unicode=False, colours=False))
    assert text.isascii()
    pictures = played(text, screen := Cells(*SIZE))
    assert "move 47 of 47" in pictures[-1]
    assert all(style.fg == "default" for row in range(SIZE.rows) for style in screen.styles(row))


@pytest.mark.parametrize("text", [EMPTY, WRONG])
def test_a_record_that_stops_early_is_recorded_so_far(text: str) -> None:
    made = reel(text)
    assert len(read(cast(made, None, SIZE, Look()))[1]) == len(made.spots) + 1


def test_a_strange_title_steers_no_terminal() -> None:
    made: Reel = sample_reel("tongits")
    made.record = replace(made.record, title='\x1b]0;x\x07"\n\u202e')
    head, events = read(cast(made, None, SIZE, Look()))
    assert "\x1b" not in head["title"]
    assert not any("\x1b]" in data or "\x07" in data or "\n" in data for _, _, data in events)
