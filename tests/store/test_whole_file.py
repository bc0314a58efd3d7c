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


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    require(sys.platform != "win32", "limits of a process are POSIX's")
    import resource

    file = tmp_path / "out"
    file.write_text("old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(UserError, match="can't be written: File too large"):
            write_whole(file, "new" * 100, force=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert file.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


def test_what_is_no_file_is_never_replaced(tmp_path: Path) -> None:
    require(sys.platform != "win32", "pipes with a name are POSIX's")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "null").symlink_to("/dev/null")
    for name in ("pipe", "null"):
        with pytest.raises(UserError, match=f"{name} is a device or a pipe, and no file"):
            write_whole(tmp_path / name, "text", force=True)
    assert (tmp_path / "pipe").is_fifo()
    assert Path("/dev/null").is_char_device()


def test_of_a_link_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_whole(tmp_path / "link", "new", force=True)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_what_others_planted_where_it_is_prepared_is_not_written_through(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("theirs")
    (tmp_path / f".p2pcards.{os.getpid()}.new").symlink_to(victim)
    with pytest.raises(UserError, match="can't be written: File exists"):
        write_whole(tmp_path / "out", "new", force=False)
    assert victim.read_text() == "theirs"


def test_a_name_that_no_file_can_have_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    for name in ("x" * 300, "a"):
        with pytest.raises(UserError, match="can't be written"):
            write_whole(tmp_path / name, "text", force=True)
