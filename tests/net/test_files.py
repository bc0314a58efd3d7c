"""The folder of a live table (protocol 6.9)."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.net.files import TableFolder
from p2pcards.store.lock import Lock
from p2pcards.wire.identity import short
from p2pcards.wire.text import table_text

TABLE, KEY = b"t" * 16, b"k" * 32


def journal(folder: Path) -> list[bytes]:
    """The entries in a journal file."""
    data, entries = (folder / "journal").read_bytes(), []
    while data:
        end = 4 + int.from_bytes(data[:4], "big")
        entries.append(data[4:end])
        data = data[end:]
    return entries


@pytest.fixture
def folder(tmp_path: Path) -> TableFolder:
    return TableFolder(tmp_path / "tables", TABLE, KEY, Lock.take)


def test_it_is_called_by_table_and_key_and_is_its_owners_alone(folder: TableFolder) -> None:
    assert folder.path.name == f"{table_text(TABLE)}-{short(KEY)}"
    folder.keep("root", b"secret")
    if sys.platform != "win32":
        assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
        for name in ("journal", "root", "lock"):
            assert stat.S_IMODE((folder.path / name).stat().st_mode) == 0o600


def test_entries_are_in_the_file_when_append_returns(folder: TableFolder) -> None:
    folder.append([b"one", b"", b"three" * 1000])
    folder.append([])
    folder.append([b"four"])
    assert journal(folder.path) == [b"one", b"", b"three" * 1000, b"four"]


def test_a_full_disk_is_a_sentence_and_leaves_whole_entries(
    folder: TableFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.append([b"one"])
    write, left = os.write, [3]

    def full(fd: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(28, "No space left on device")
        count = write(fd, data[: left[0]])
        left[0] -= count
        return count

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(UserError, match="No space left"):
        folder.append([b"two"])
    assert journal(folder.path) == [b"one"]
    monkeypatch.undo()
    folder.append([b"three"])
    assert journal(folder.path) == [b"one", b"three"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of its boots")
def test_a_folder_that_can_keep_nothing_is_let_go_again(tmp_path: Path) -> None:
    there = tmp_path / f"{table_text(TABLE)}-{short(KEY)}"
    (there / "boot" / "in the way").mkdir(parents=True)
    with pytest.raises(UserError, match="boot"):
        TableFolder(tmp_path, TABLE, KEY, Lock.take)
    shutil.rmtree(there / "boot")
    TableFolder(tmp_path, TABLE, KEY, Lock.take).close()


def test_a_secret_is_synced_before_it_counts(folder: TableFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def synced(fd: int) -> None:
        done.append("sync")
        fsync(fd)

    def replaced(self: Path, target: Path) -> Path:
        done.append("replace")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    folder.keep("root", b"secret")
    assert (folder.path / "root").read_bytes() == b"secret"
    assert done[:2] == ["sync", "replace"]
    if sys.platform != "win32":
        assert done == ["sync", "replace", "sync"]


def test_an_empty_secret_is_none(folder: TableFolder) -> None:
    folder.keep("root", b"secret")
    folder.keep("root", b"")
    folder.keep("share", b"")
    assert not (folder.path / "root").exists()


@pytest.mark.parametrize("name", ["journal", "lock", "../root", "", "Root", ".hidden", "a/b", "x" * 40])
def test_a_secret_is_never_another_file(folder: TableFolder, name: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        folder.keep(name, b"x")


def test_a_second_program_is_kept_out(folder: TableFolder, tmp_path: Path) -> None:
    folder.append([b"one"])
    with pytest.raises(UserError, match="Another program"):
        TableFolder(tmp_path / "tables", TABLE, KEY, Lock.take)
    assert journal(folder.path) == [b"one"]
    TableFolder(tmp_path / "tables", TABLE, b"j" * 32, Lock.take).close()
    folder.close()
    again = TableFolder(tmp_path / "tables", TABLE, KEY, Lock.take)
    assert journal(again.path) == []
    again.close()


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "tables").write_text("a file in the way")
    with pytest.raises(UserError, match="can't be used"):
        TableFolder(tmp_path / "tables", TABLE, KEY, Lock.take)


def test_a_journal_that_cannot_be_made_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / f"{table_text(TABLE)}-{short(KEY)}"
    (path / "journal").mkdir(parents=True)
    with pytest.raises(UserError, match="can't be used"):
        TableFolder(tmp_path, TABLE, KEY, Lock.take)
    (path / "journal").rmdir()
    TableFolder(tmp_path, TABLE, KEY, Lock.take).close()


def test_it_is_gone_when_the_table_is_over(folder: TableFolder) -> None:
    folder.keep("root", b"secret")
    folder.append([b"one"])
    folder.remove()
    assert not folder.path.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells one start of the machine from another")
def test_it_remembers_this_start_of_the_machine(folder: TableFolder) -> None:
    assert (folder.path / "boot").read_bytes() == Path("/proc/sys/kernel/random/boot_id").read_bytes()
