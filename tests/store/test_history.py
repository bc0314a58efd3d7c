"""What was played is kept: whole, once, through crashes, beside other programs, and never at the game's cost."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from unittest import mock

import pytest
from msgspec.structs import replace

from p2pcards.errors import UserError
from p2pcards.store import history_file
from p2pcards.store.folders import Folders
from p2pcards.store.history import History, Kept
from p2pcards.store.history_file import MIGRATIONS, reading, writing
from p2pcards.store.history_match import KeptMatch, MatchReader
from p2pcards.table.results import Over
from tests.testing.history_writers import ROUNDS, folders, grown
from tests.testing.house import ROOT
from tests.testing.many_matches import fill, many_matches
from tests.testing.recorded import one_game, record_parts
from tests.testing.require import require

KILLS = 200


@pytest.fixture
def own(tmp_path: Path) -> Folders:
    return folders(tmp_path)


@pytest.fixture
def in_the_midst(own: Folders, monkeypatch: pytest.MonkeyPatch) -> Iterator[History]:
    """Ten matches on a disk that other machines see, all but three half deleted by a program that is still at it."""
    monkeypatch.setattr(history_file, "PATIENCE", 0.05)
    with mock.patch("p2pcards.store.history.writing", partial(writing, remote=lambda folder: True)):
        History(own).keep_all(many_matches(10))
    with closing(sqlite3.connect(own.history, isolation_level=None)) as other:
        other.execute("PRAGMA cache_size = 2")  # so that it writes before it is done
        other.execute("BEGIN EXCLUSIVE")
        other.execute("DELETE FROM part")
        other.execute("DELETE FROM match WHERE number > 3")
        yield History(own)


@pytest.fixture
def history(own: Folders) -> History:
    return History(own)


def a_match(number: int = 0) -> KeptMatch:
    return list(many_matches(number + 1))[number]


def text_of(match: KeptMatch) -> str:
    return "".join(match.parts)


# ---- what is kept


def test_nothing_is_there_at_first_and_no_file_is_made(own: Folders, history: History, tmp_path: Path) -> None:
    assert (history.results(), history.newest(), history.result(1), history.text(1)) == ([], [], None, None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", ["tongits", "tienlen", "straights", "onecard"])
def test_a_match_comes_back_as_the_very_text_that_was_recorded(history: History, game: str) -> None:
    text = one_game(game)
    assert history.keep(MatchReader().match(record_parts(text))) is Kept.NEW
    (found,) = history.newest()
    assert history.text(found.number) == text
    assert (found.game, found.title, found.rounds) == (game, "lab", 2)
    assert history.result(found.number) == found


def test_a_match_is_one_row_however_often_and_from_whatever_seat_it_comes(history: History) -> None:
    first, *_, last = grown(a_match())
    assert [history.keep(one) for one in (first, first, last, last, first)] == [
        *(Kept.NEW, Kept.THERE, Kept.GROWN, Kept.THERE, Kept.THERE),
    ]
    (found,) = history.newest()
    assert (found.over, found.rounds, history.text(found.number)) == (True, ROUNDS, text_of(last))


def test_a_round_that_was_rolled_back_and_played_anew_takes_the_place_of_the_other(history: History) -> None:
    _, second, *_ = grown(a_match())
    anew = replace(second, parts=(*second.parts[:-1], "another round\n"))
    assert [history.keep(one) for one in (second, anew)] == [Kept.NEW, Kept.GROWN]
    assert history.text(1) == text_of(anew)


def test_what_comes_from_elsewhere_goes_on_with_a_match_but_changes_nothing_of_one_that_is_over(
    history: History,
) -> None:
    first, second, *_, last = grown(a_match())
    other = replace(first, parts=(*first.parts[:-1], "another round\n"))
    longer = replace(last, parts=(*last.parts, "one more\n"), endings=last.endings * 2)
    kept = [history.keep_all([one], import_=True)[0] for one in (first, other, second, last, longer)]
    assert kept == [Kept.NEW, Kept.THERE, Kept.GROWN, Kept.GROWN, Kept.THERE]
    assert history.text(1) == text_of(last)


def test_what_comes_from_elsewhere_goes_on_with_a_match_that_has_no_end(history: History) -> None:
    first, second, *_, last = (replace(one, over=Over.SO_FAR) for one in grown(a_match()))
    kept = [history.keep_all([one], import_=True)[0] for one in (second, first, last, replace(last, over=Over.YES))]
    assert kept == [Kept.NEW, Kept.THERE, Kept.GROWN, Kept.THERE]


def test_only_matches_that_are_over_count_and_the_oldest_comes_first(history: History) -> None:
    early, late = a_match(0), a_match(1)
    open_ = replace(a_match(2), over=Over.NO)
    history.keep_all([late, open_, early])
    assert [one.date for one in history.results()] == [early.date, late.date]
    assert [one.date for one in history.results(unfinished=True)] == [early.date, late.date, open_.date]
    assert [one.date for one in history.newest()] == [open_.date, late.date, early.date]
    assert [one.date for one in history.newest(limit=1)] == [open_.date]


def test_matches_are_found_by_game_and_from_a_date_on(history: History) -> None:
    kept = list(many_matches(40))
    history.keep_all(kept)
    assert [one.table for one in history.results("straights")] == [m.table for m in kept if m.game == "straights"]
    assert [one.table for one in history.results(since=kept[30].date)] == [match.table for match in kept[30:]]


def test_what_is_forgotten_is_gone_from_the_file_and_its_number_comes_not_back(own: Folders, history: History) -> None:
    title = "a record that nobody is to find"
    history.keep_all([replace(a_match(), title=title), a_match(1)])
    assert history.forget([1, 7]) == 1
    assert [one.number for one in history.newest()] == [2]
    assert history.text(1) is None
    assert title.encode() not in b"".join(file.read_bytes() for file in own.data.iterdir())
    history.forget([2])
    history.keep(a_match(2))
    assert [one.number for one in history.newest()] == [3]


def test_what_is_forgotten_makes_room(own: Folders, history: History) -> None:
    fill(own, 60)
    size = own.history.stat().st_size
    history.forget(range(1, 60))
    assert own.history.stat().st_size < size / 3


@pytest.mark.skipif(sys.platform == "win32", reason="modes are those of POSIX")
def test_the_history_is_its_owners_alone(own: Folders, history: History) -> None:
    history.keep(a_match())
    assert own.data.stat().st_mode & 0o777 == 0o700
    assert own.history.stat().st_mode & 0o777 == 0o600


# ---- several programs, and programs that are killed


def writers(what: str, base: Path, *more: int | str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.testing.history_writers", what, str(base), *map(str, more)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def acknowledged(program: subprocess.Popen[str]) -> dict[str, int]:
    out, _ = program.communicate(timeout=110)
    assert program.returncode == 0
    told: dict[str, int] = json.loads(out)
    return told


def rounds_kept(own: Folders) -> dict[str, int]:
    """Rounds of each match by its table, as lists count them; its record has as many."""
    history = History(own)
    found = history.newest()
    for one in found:
        text = history.text(one.number)
        assert text is not None
        assert text.count("\n") == 1 + one.rounds
    return {one.table: one.rounds for one in found}


def sound(own: Folders) -> bool:
    with reading(own) as connection:
        assert connection is not None
        return [*connection.execute("PRAGMA integrity_check")] == [("ok",)]


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_a_program_that_is_killed_while_it_writes_loses_nothing_that_was_acknowledged(
    own: Folders, tmp_path: Path
) -> None:
    told = acknowledged(writers("killed", tmp_path, KILLS))
    kept = rounds_kept(own)
    assert len(told) > KILLS // 4
    assert {table: kept.get(table, 0) for table, rounds in told.items() if kept.get(table, 0) < rounds} == {}
    assert sound(own)


def test_two_programs_that_write_the_same_matches_at_once_keep_each_once(own: Folders, tmp_path: Path) -> None:
    programs = [writers("write", tmp_path, 25) for _ in range(2)]
    told = [acknowledged(program) for program in programs]
    assert told[0] == told[1] == rounds_kept(own)
    assert set(told[0].values()) == {ROUNDS}
    assert sound(own)


def test_who_finds_the_history_held_says_so_and_has_changed_nothing(
    own: Folders, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    history.keep(a_match())
    monkeypatch.setattr(history_file, "PATIENCE", 0.05)
    with writing(own), pytest.raises(UserError, match="can't be written: another program holds it"):
        history.keep(a_match(1))
    assert len(history.newest()) == 1


# ---- disks and files that won't do


def test_nobody_reads_what_another_program_has_half_written(in_the_midst: History) -> None:
    with pytest.raises(UserError, match="can't be read: another program holds it"):
        in_the_midst.count()


def test_what_a_program_left_half_written_when_it_died_is_taken_back_by_who_reads(
    in_the_midst: History, own: Folders, tmp_path: Path
) -> None:
    found = folders(tmp_path / "found")
    shutil.copytree(own.data, found.data)
    assert (found.data / "history.db-journal").stat().st_size
    assert len(History(found).newest()) == 10


def test_a_disk_that_other_machines_see_has_no_log_beside_the_file(own: Folders) -> None:
    modes: list[str] = []
    for remote in (set(), {own.data}, set()):
        with writing(own, remote=remote.__contains__) as connection:
            modes += connection.execute("PRAGMA journal_mode").fetchone()
    assert modes == ["wal", "delete", "wal"]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"no database at all, but long enough to look like one" * 100, "is damaged"),
        (b"SQLite format 3\0" + bytes(4080), "is damaged"),
    ],
)
def test_a_damaged_file_is_said_to_be_one_and_never_written_to(
    own: Folders, history: History, data: bytes, sentence: str
) -> None:
    own.data.mkdir()
    own.history.write_bytes(data)
    for use in (history.newest, lambda: history.keep(a_match()), lambda: history.forget([1])):
        with pytest.raises(UserError, match=sentence):
            use()
    assert own.history.read_bytes() == data
    assert [file.name for file in own.data.iterdir()] == [own.history.name]


def test_a_damaged_file_is_not_held_open(own: Folders, history: History) -> None:
    require(sys.platform == "linux", "/proc is Linux's")
    own.data.mkdir()
    own.history.write_bytes(b"no database at all" * 300)
    for use in (history.newest, lambda: history.keep(a_match())):
        with pytest.raises(UserError) as told:  # who holds the error holds what it happened in
            use()
        assert own.history not in [one.resolve() for one in Path("/proc/self/fd").iterdir()], told.value


def test_a_file_whose_pages_are_damaged_keeps_what_is_left_of_it(own: Folders, history: History) -> None:
    fill(own, 30)
    data = bytearray(own.history.read_bytes())
    data[4096:] = b"\xaa" * (len(data) - 4096)
    own.history.write_bytes(data)
    with pytest.raises(UserError, match="is damaged, so it is left as it is: move it away, and another one is begun"):
        history.keep(a_match(31))
    assert own.history.read_bytes() == data


def test_values_that_are_none_are_damage_too(own: Folders, history: History) -> None:
    history.keep(a_match())
    with writing(own) as connection:
        connection.execute("UPDATE match SET takers = '[7]'")
        connection.execute("UPDATE part SET text = x'00'")
    for use in (history.newest, lambda: history.text(1)):
        with pytest.raises(UserError, match="is damaged"):
            use()


@pytest.mark.parametrize("statement", ["CREATE TABLE birds (name)", "PRAGMA user_version = 1"])
def test_what_another_program_keeps_there_is_left_alone(own: Folders, history: History, statement: str) -> None:
    own.data.mkdir()
    with sqlite3.connect(own.history) as other:
        other.execute(statement)
    other.close()
    data = own.history.read_bytes()
    for use in (history.newest, lambda: history.keep(a_match())):
        with pytest.raises(UserError, match="is no history of p2pcards, so it is left as it is"):
            use()
    assert own.history.read_bytes() == data


def test_a_form_of_a_later_version_is_left_alone(own: Folders, history: History) -> None:
    history.keep(a_match())
    with writing(own) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    data = own.history.read_bytes()
    for use in (history.newest, lambda: history.keep(a_match(1)), lambda: history.forget([1])):
        with pytest.raises(UserError, match="is of a later version of p2pcards, so it is left as it is: update this"):
            use()
    assert own.history.read_bytes() == data


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS)))
def test_every_earlier_form_is_brought_up_to_date_by_who_reads_and_by_who_writes(
    own: Folders, history: History, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(history_file, "MIGRATIONS", MIGRATIONS[:version])
        history.keep(a_match())
    with reading(own) as connection:
        assert connection is not None
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    history.keep(a_match(1))
    assert [history.text(one.number) for one in history.newest()] == [text_of(a_match(1)), text_of(a_match())]


def test_a_step_that_fails_leaves_the_earlier_form_whole(
    own: Folders, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    history.keep(a_match())
    step = ("ALTER TABLE match ADD COLUMN mood TEXT", "CREATE TABLE match (again)")
    with monkeypatch.context() as patch:
        patch.setattr(history_file, "MIGRATIONS", (*MIGRATIONS, step))
        for use in (history.newest, lambda: history.keep(a_match(1))):
            with pytest.raises(UserError, match="can't be written: table match already exists"):
                use()
    assert len(history.newest()) == 1
    with reading(own) as connection:
        assert connection is not None
        assert "mood" not in [column[1] for column in connection.execute("PRAGMA table_info(match)")]


_MOUNT = 'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"'


def in_a_small_disk(base: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Runs it where the folder is a file system of 1 MB."""
    require(os.name == "posix" and os.geteuid() == 0, "mounting needs root")
    require(shutil.which("unshare"), "there is no unshare here")
    alone = ("unshare", "--mount", "--propagation", "private", "sh", "-c", _MOUNT, str(base))
    return subprocess.run([*alone, *command], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)


def test_a_full_disk_is_said_all_that_was_acknowledged_is_there_and_once_there_is_room_it_goes_on(
    tmp_path: Path,
) -> None:
    done = in_a_small_disk(tmp_path, sys.executable, "-m", "tests.testing.history_writers", "fill", str(tmp_path))
    told = json.loads(done.stdout)
    assert done.stderr == f"The history {folders(tmp_path).history} can't be written: no space is left.\n"
    assert told["filled"] > 2
    assert told["lost"] == 0
