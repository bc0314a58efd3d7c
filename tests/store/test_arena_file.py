"""The file of an arena: it goes on, or is left as it is."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.bots.arena import Played
from p2pcards.errors import UserError
from p2pcards.store.arena_file import ArenaFile, Heading

HEADING = Heading("tongits", {"scoring": "chips", "ante": 0}, ("hard", "easy", "easy"), "7", 20.0, 1, {"./mine": "a"})
DEALS = [Played((1 / 3, 2 / 3, 0.0), (0.1, -0.1, 0.0)), Played((1.0, 0.0, 0.0), (5.0, -2.5, -2.5), (0, 4, 0))]


def written(file: Path, *deals: Played) -> bytes:
    """What is in the file after these deals have been added to it."""
    opened = ArenaFile(file, HEADING)
    for deal in deals:
        opened.add(deal)
    opened.close()
    return file.read_bytes()


def kept(file: Path) -> list[Played]:
    """The deals that are in it."""
    opened = ArenaFile(file, HEADING)
    opened.close()
    return opened.played


def refused(file: Path, heading: Heading = HEADING) -> str:
    """Why the file is not taken; it is as it was afterwards."""
    before = file.read_bytes()
    with pytest.raises(UserError) as raised:
        ArenaFile(file, heading)
    assert raised.value.exit_code == 2
    assert file.read_bytes() == before
    return str(raised.value).replace(str(file), "FILE").removesuffix("; nothing was changed in it.")


def test_deals_come_back_as_they_were(tmp_path: Path) -> None:
    file = tmp_path / "deals"
    first = written(file)
    assert first.count(b"\n") == 1
    two = written(file, *DEALS)
    assert kept(file) == DEALS
    three = written(file, DEALS[0])
    assert (three.startswith(two), two.startswith(first)) == (True, True)
    assert kept(file) == [*DEALS, DEALS[0]]


def test_a_file_with_nothing_in_it_is_a_new_one(tmp_path: Path) -> None:
    file = tmp_path / "deals"
    file.touch()
    assert written(file, *DEALS) == written(tmp_path / "other", *DEALS)


def test_wherever_a_line_was_torn_the_whole_ones_are_there_and_it_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "deals"
    whole = written(file, *DEALS)
    for end in range(len(whole)):
        file.write_bytes(whole[:end])
        left = max(0, whole[:end].count(b"\n") - 1)
        assert written(file, *DEALS[left:]) == whole


def test_of_a_torn_line_nothing_is_left(tmp_path: Path) -> None:
    file = tmp_path / "deals"
    one = written(file, DEALS[0])
    file.write_bytes(one + b'{"deal":1,"shares":[' + b"0.25," * 100)
    assert written(file) == one


@given(st.binary(max_size=60))
def test_other_files_are_not_touched(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    file = tmp_path_factory.mktemp("any") / "deals"
    file.write_bytes(b"x" + data)
    assert refused(file) == "FILE is no file of an arena"


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"arena": "straights"}, "its game is tongits, not straights"),
        ({"seats": ("hard", "hard", "hard")}, "its row of bots is hard, easy, easy, not hard, hard, hard"),
        ({"options": {"scoring": "wins", "ante": 0}}, "its scoring is chips, not wins"),
        ({"seed": "-1"}, "its seed is 7, not -1"),
        ({"think_ms": 60.5}, "its time to think in ms is 20, not 60.5"),
        ({"think_ms": None}, "its time to think in ms is 20, not none"),
        ({"rules": 2}, "its version of the rules is 1, not 2"),
        ({"programs": {"./mine": "b"}}, "the bot ./mine has been changed since"),
        ({"p2pcards": "9"}, f"its version of p2pcards is {HEADING.p2pcards}, not 9"),
    ],
)
def test_a_file_of_another_arena_is_refused_with_what_is_other(
    tmp_path: Path, other: dict[str, object], says: str
) -> None:
    file = tmp_path / "deals"
    written(file, *DEALS)
    assert refused(file, msgspec.structs.replace(HEADING, **other)) == f"FILE is of another arena: {says}"


@pytest.mark.parametrize(
    "line",
    [b"{}", b"", b"\xff", b'{"deal":1,"shares":[1,0,0],"points":[0,0,0]}', b'{"deal":0,"shares":[1],"points":[1]}'],
)
def test_a_line_that_is_not_the_next_deal_is_told(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "deals"
    whole = written(file, *DEALS).split(b"\n")
    file.write_bytes(b"\n".join([whole[0], line, whole[2], b""]))
    assert refused(file) == "Line 2 of FILE is not deal 0"


@pytest.mark.skipif(sys.platform == "win32", reason="no such locks")
def test_two_arenas_do_not_write_to_one_file(tmp_path: Path) -> None:
    file = tmp_path / "deals"
    one = ArenaFile(file, HEADING)
    assert refused(file) == "Another arena is writing to FILE now."
    one.close()
    assert written(file, *DEALS).count(b"\n") == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path(os.devnull)):
        with pytest.raises(UserError, match=f"{path} is no file that deals can be kept in.") as raised:
            ArenaFile(path, HEADING)
        assert raised.value.exit_code == 2


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("no/where", "No such file or directory"),
        ("x" * 300, "File name too long"),
        ("a\0b", "that is no name of a file"),
    ],
)
def test_where_nothing_can_be_written_is_told(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(UserError, match=f"can't be written: {says}.") as raised:
        ArenaFile(tmp_path / name, HEADING)
    assert raised.value.exit_code == 2


def test_what_a_strange_file_says_does_not_steer_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "deals"
    strange = msgspec.structs.replace(HEADING, seats=("\x1b[2J\x1b[31mhard", "easy", "x" * 500))
    opened = ArenaFile(file, strange)
    opened.close()
    said = refused(file)
    assert said.isprintable()
    assert len(said) < 300
