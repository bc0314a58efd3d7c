"""A file that somebody asked for is there whole, or nothing has changed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.store.whole_file import refuse_existing, write_whole
from tests.testing.require import require


def test_it_is_written_and_nothing_else(tmp_path: Path) -> None:
    write_whole(tmp_path / "out", "a♠\n", force=False)
    assert (tmp_path / "out").read_bytes() == "a♠\n".encode()
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


def test_what_is_there_stays_unless_it_is_forced(tmp_path: Path) -> None:
    file = tmp_path / "out"
    file.write_text("old")
    with pytest.raises(UserError, match="out is there already; --force writes over it"):
        write_whole(file, "new", force=False)
    with pytest.raises(UserError, match="out is there already; --force writes over it"):
        refuse_existing(file)
    assert file.read_text() == "old"
    write_whole(file, "new", force=True)
    assert file.read_text() == "new"


def test_a_link_that_leads_nowhere_is_there_too(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to(tmp_path / "nowhere")
    with pytest.raises(UserError, match="there already"):
        refuse_existing(tmp_path / "out")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is a folder"):
        write_whole(tmp_path, "text", force=True)


def test_where_nothing_can_be_written_it_says_why(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't be written: No such file or directory"):
        write_whole(tmp_path / "none" / "out", "text", force=False)


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require(sys.platform == "linux", "/dev/full is Linux's")
    file = tmp_path / "out"
    file.write_text("old")
    fresh = tmp_path / f".out.{os.getpid()}.new"
    fresh.symlink_to("/dev/full")
    with pytest.raises(UserError, match="can't be written: No space left on device"):
        write_whole(file, "new", force=True)
    assert file.read_text() == "old"
    assert not fresh.is_symlink()
    assert Path("/dev/full").exists()
