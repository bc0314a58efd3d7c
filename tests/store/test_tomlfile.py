"""Files that several programs write: nobody's change is lost, nothing unknown is dropped, nothing broken is written."""

from __future__ import annotations

import logging
import os
import sys
import tomllib
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from p2pcards.errors import UserError
from p2pcards.store import tomlfile
from p2pcards.store.tomlfile import Tables, TomlFile

posix = pytest.mark.skipif(sys.platform == "win32", reason="no modes or links there")


def _understood(tables: Tables) -> int:
    """The counters there are; they are numbers."""
    if not all(isinstance(value, int) for value in tables.get("count", {}).values()):
        raise ValueError("a counter is no number")
    return len(tables.get("count", {}))


def counters(base: Path, locks: str = "locks") -> TomlFile[int]:
    return TomlFile(base / "own" / "counters", base / locks, "# Counters.\n\n", "counters", _understood)


def counts(name: str) -> Callable[[Tables], None]:
    def change(tables: Tables) -> None:
        tables.setdefault("count", {})[name] = 1

    return change


def test_what_is_changed_is_there_for_the_next_program(tmp_path: Path) -> None:
    assert counters(tmp_path).load() == 0
    assert counters(tmp_path).change(counts("a")) == 1
    assert counters(tmp_path).load() == 1
    assert counters(tmp_path).path.read_text() == "# Counters.\n\n[count]\na = 1\n"


@posix
@pytest.mark.parametrize("before", [None, 0o644])
def test_the_file_is_its_owners_alone(tmp_path: Path, before: int | None) -> None:
    file = counters(tmp_path).path
    if before is not None:
        file.parent.mkdir()
        file.write_text("")
        file.chmod(before)
    counters(tmp_path).change(counts("a"))
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert list(file.parent.iterdir()) == [file]


def test_only_a_file_that_changed_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, other = counters(tmp_path), counters(tmp_path)
    mine.change(counts("a"))
    reads = []
    parse = tomllib.loads

    def counted(text: str) -> Tables:
        reads.append(1)
        return parse(text)

    monkeypatch.setattr(tomllib, "loads", counted)
    assert [mine.load() for _ in range(3)] == [1, 1, 1]
    assert reads == []
    other.change(counts("b"))
    reads.clear()
    assert [mine.load() for _ in range(3)] == [2, 2, 2]
    assert reads == [1]
    mine.path.unlink()
    assert [mine.load() for _ in range(3)] == [0, 0, 0]
    assert reads == [1]


def _count(base: Path, name: str) -> None:
    counters(base).change(counts(name))


def test_programs_that_write_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    names = [f"n{number}" for number in range(12)]
    with ProcessPoolExecutor(4) as pool:
        list(pool.map(_count, [tmp_path] * len(names), names))
    assert counters(tmp_path).load() == len(names)


def test_what_another_machine_writes_between_reading_and_writing_is_kept(tmp_path: Path) -> None:
    """The locks of two machines that share a home folder know nothing of each other."""
    here, there = counters(tmp_path), counters(tmp_path, "locks of another machine")
    others = iter(["x", "y"])

    def change(tables: Tables) -> None:
        counts("a")(tables)
        for name in others:
            there.change(counts(name))
            break

    assert here.change(change) == 3


def test_a_machine_that_never_stops_writing_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tomlfile, "TRIES", 2)
    here, there = counters(tmp_path), counters(tmp_path, "locks of another machine")
    numbers = iter(range(100))

    def change(tables: Tables) -> None:
        there.change(counts(f"n{next(numbers)}"))
        counts("a")(tables)

    with pytest.raises(UserError, match="Another machine goes on writing"):
        here.change(change)
    assert "a = 1" not in here.path.read_text()
    assert list(here.path.parent.iterdir()) == [here.path]


def test_a_change_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    mine = counters(tmp_path)
    mine.change(counts("a"))
    before = mine.path.read_bytes()

    def refuse(tables: Tables) -> None:
        tables.clear()
        raise UserError("no")

    with pytest.raises(UserError, match="no"):
        mine.change(refuse)
    assert mine.path.read_bytes() == before
    assert mine.load() == 1
    assert mine.change(counts("b")) == 2  # the lock is free


def test_a_disk_that_is_full_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = counters(tmp_path)
    mine.change(counts("a"))
    before = mine.path.read_bytes()

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match=r"counters can't be written: No space left on device\."):
        mine.change(counts("b"))
    assert mine.path.read_bytes() == before
    assert list(mine.path.parent.iterdir()) == [mine.path]


BROKEN = ["[count\n", "[count]\na = 'x'\n", "a = \xff", "a = " + "[" * 2000 + "]" * 2000]


@pytest.mark.parametrize("text", BROKEN, ids=["cut", "other", "no text", "deep"])
def test_a_file_that_can_not_be_read_is_one_sentence_and_never_written_to(tmp_path: Path, text: str) -> None:
    mine = counters(tmp_path)
    mine.path.parent.mkdir()
    mine.path.write_bytes(text.encode("latin-1"))
    for work in (mine.load, mine.held, lambda: mine.change(counts("a"))):
        with pytest.raises(UserError, match=r"can't be read as counters \(.*\): mend it, or move it away\.") as told:
            work()
        assert "\n" not in str(told.value)
    assert mine.path.read_bytes() == text.encode("latin-1")


def test_of_a_file_that_is_spoiled_later_what_was_read_stays_in_force(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    mine = counters(tmp_path)
    mine.change(counts("a"))
    mine.path.write_text("[count\n")
    with caplog.at_level(logging.WARNING):
        assert [mine.held() for _ in range(3)] == [1, 1, 1]
    assert len(caplog.records) == 1
    with pytest.raises(UserError):
        mine.change(counts("b"))
    mine.path.write_text("")
    assert mine.held() == 0


def test_whatever_another_version_put_there_is_kept(tmp_path: Path) -> None:
    mine = counters(tmp_path)
    mine.path.parent.mkdir()
    mine.path.write_text(
        'when = 2026-01-02\n"odd key" = "a\\"\\u0001\\\\"\n'
        'mixed = [1, "x", {deep = [true, 1.5]}]\n[[list]]\nname = "ä"\n'
    )
    found: list[dict[str, Any]] = []
    mine.change(counts("a"))
    mine.change(lambda tables: found.append(dict(tables)))
    assert found == [
        {
            "when": date(2026, 1, 2),
            "odd key": 'a"\x01\\',
            "mixed": [1, "x", {"deep": [True, 1.5]}],
            "list": [{"name": "ä"}],
            "count": {"a": 1},
        }
    ]


@posix
def test_a_link_stays_one(tmp_path: Path) -> None:
    target = tmp_path / "dotfiles" / "counters"
    target.parent.mkdir()
    target.write_text("")
    mine = counters(tmp_path)
    mine.path.parent.mkdir()
    mine.path.symlink_to(target)
    mine.change(counts("a"))
    assert mine.path.is_symlink()
    assert "a = 1" in target.read_text()


def test_a_folder_in_its_place_is_one_sentence(tmp_path: Path) -> None:
    mine = counters(tmp_path)
    mine.path.mkdir(parents=True)
    with pytest.raises(UserError, match=r"counters can't be read: "):
        mine.load()
    with pytest.raises(UserError, match=r"counters can't be written: "):
        mine.change(counts("a"))
