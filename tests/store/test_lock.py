"""Locks that outlive no program."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.store.lock import Lock


def test_one_holds_it_until_it_is_released(tmp_path: Path) -> None:
    held = Lock.take(tmp_path / "a.lock")
    assert held is not None
    assert Lock.take(tmp_path / "a.lock") is None
    assert Lock.take(tmp_path / "b.lock") is not None
    held.release()
    assert Lock.take(tmp_path / "a.lock") is not None


def test_a_place_that_cannot_hold_one_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"The lock .* can't be used: No such file or directory\."):
        Lock.take(tmp_path / "none" / "a.lock")


def test_a_file_system_without_locks_is_not_taken_for_a_held_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    opened: list[int] = []

    def without(fd: int, how: int) -> None:
        opened.append(fd)
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", without)
    with pytest.raises(UserError, match="No locks available"):
        Lock.take(tmp_path / "a.lock")
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(opened[0])
