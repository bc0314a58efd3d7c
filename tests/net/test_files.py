"""The folder of a live table (protocol 6.9)."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from p2pcards.errors import UserError
from p2pcards.net import files
from p2pcards.net.files import CLOCK_SECONDS, Keep, TableFolder
from p2pcards.store.lock import Lock
from p2pcards.wire.identity import short
from p2pcards.wire.text import table_text
from tests.net.shelves import ANA, left, table_of, wires

TABLE, KEY = b"t" * 16, b"k" * 32


def refuse(*_: object) -> NoReturn:
    raise OSError(30, "read-only")


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
    return TableFolder.begin(tmp_path / "tables", TABLE, KEY, Lock.take)


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
    assert not folder.whole
    monkeypatch.undo()
    folder.append([b"three"])
    assert journal(folder.path) == [b"one", b"two", b"three"]
    assert folder.whole


def test_what_the_disk_refused_may_be_taken_back_before_it_is_written(
    folder: TableFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.append([b"one", b"two"])
    monkeypatch.setattr(os, "write", refuse)
    for more in ([b"three"], [b"four", b"five"]):
        with pytest.raises(UserError, match="read-only"):
            folder.append(more)
    folder.rewind(4)
    assert not folder.whole
    monkeypatch.setattr(os, "ftruncate", refuse)
    with pytest.raises(UserError, match="read-only"):
        folder.rewind(1)
    with pytest.raises(UserError, match="read-only"):
        folder.append([b"six"])
    assert not folder.whole
    monkeypatch.undo()
    folder.append([])
    assert journal(folder.path) == [b"one", b"six"]
    assert folder.whole


@pytest.mark.parametrize("same_boot", [True, False])
def test_a_folder_is_trusted_again_only_as_far_as_it_was(folder: TableFolder, same_boot: bool) -> None:
    folder.same_boot = same_boot
    folder.doubt()
    folder.trust()
    folder.close()
    again = TableFolder.reopen(folder.path, Lock.take)
    assert again.same_boot is same_boot
    again.close()


def test_votes_vouch_for_no_journal_that_lacks_something(folder: TableFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.same_boot = False
    monkeypatch.setattr(os, "write", refuse)
    with pytest.raises(UserError, match="read-only"):
        folder.append([b"one"])
    monkeypatch.undo()
    folder.doubt()
    folder.keep("votes", b"v")
    folder.close()
    again = TableFolder.reopen(folder.path, Lock.take)
    assert not again.same_boot
    again.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of its boots")
def test_a_folder_that_can_keep_nothing_is_let_go_again(tmp_path: Path) -> None:
    there = tmp_path / f"{table_text(TABLE)}-{short(KEY)}"
    (there / "boot" / "in the way").mkdir(parents=True)
    with pytest.raises(UserError, match="boot"):
        TableFolder.begin(tmp_path, TABLE, KEY, Lock.take)
    shutil.rmtree(there / "boot")
    TableFolder.begin(tmp_path, TABLE, KEY, Lock.take).close()


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
        TableFolder.begin(tmp_path / "tables", TABLE, KEY, Lock.take)
    assert journal(folder.path) == [b"one"]
    TableFolder.begin(tmp_path / "tables", TABLE, b"j" * 32, Lock.take).close()
    folder.close()
    again = TableFolder.begin(tmp_path / "tables", TABLE, KEY, Lock.take)
    assert journal(again.path) == []
    again.close()


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "tables").write_text("a file in the way")
    with pytest.raises(UserError, match="can't be used"):
        TableFolder.begin(tmp_path / "tables", TABLE, KEY, Lock.take)


def test_a_journal_that_cannot_be_made_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / f"{table_text(TABLE)}-{short(KEY)}"
    (path / "journal").mkdir(parents=True)
    with pytest.raises(UserError, match="can't be used"):
        TableFolder.begin(tmp_path, TABLE, KEY, Lock.take)
    (path / "journal").rmdir()
    TableFolder.begin(tmp_path, TABLE, KEY, Lock.take).close()


def test_it_is_gone_when_the_table_is_over(folder: TableFolder) -> None:
    folder.keep("root", b"secret")
    folder.append([b"one"])
    folder.leave(Keep.NOTHING)
    assert not folder.path.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells one start of the machine from another")
def test_it_remembers_this_start_of_the_machine(folder: TableFolder) -> None:
    assert (folder.path / "boot").read_bytes() == Path("/proc/sys/kernel/random/boot_id").read_bytes()


# ---- as an earlier program left it


def test_what_a_killed_program_left_is_all_there(tmp_path: Path) -> None:
    entries = wires()
    path = left(tmp_path, entries, votes=b"v", peers=b"p")
    folder = TableFolder.reopen(path, Lock.take)
    assert folder.wires == entries
    assert folder.secrets == {"votes": b"v", "peers": b"p"}
    assert folder.same_boot
    folder.append([b"next"])
    assert journal(path) == [*entries, b"next"]
    with pytest.raises(UserError, match="Another program"):
        TableFolder.reopen(path, Lock.take)
    folder.close()


@pytest.mark.parametrize("torn", [b"\0", b"\0\0\1\0", b"\0\0\0\4only", bytes(400), b"\xff" * 4 + bytes(90)], ids=len)
def test_a_torn_last_entry_is_cut_off(tmp_path: Path, torn: bytes) -> None:
    entries = wires()
    path = left(tmp_path, entries)
    with (path / "journal").open("ab") as file:
        file.write(torn)
    folder = TableFolder.reopen(path, Lock.take)
    assert folder.wires == entries
    assert journal(path) == list(entries)
    folder.close()


def test_every_cut_of_a_journal_leaves_its_whole_entries(tmp_path: Path) -> None:
    entries = wires(more=1)
    path = left(tmp_path, entries)
    whole = (path / "journal").read_bytes()
    first = 4 + len(entries[0])
    for length in range(0, len(whole), 7):
        (path / "journal").write_bytes(whole[:length])
        folder = TableFolder.reopen(path, Lock.take)
        assert folder.wires == entries[: (length >= first) + (length == len(whole))]
        folder.close()


def test_an_entry_in_the_wrong_place_ends_the_journal(tmp_path: Path) -> None:
    one, two, three = wires()
    path = left(tmp_path, (one, three, two))
    folder = TableFolder.reopen(path, Lock.take)
    assert folder.wires == (one,)
    folder.close()


def test_a_rewound_journal_goes_on_from_there(folder: TableFolder) -> None:
    folder.append([b"one", b"two", b"three"])
    folder.rewind(1)
    assert journal(folder.path) == [b"one"]
    folder.append([b"other"])
    assert journal(folder.path) == [b"one", b"other"]
    folder.rewind(5)
    assert journal(folder.path) == [b"one", b"other"]
    folder.rewind(0)
    folder.append([b"zero"])
    assert journal(folder.path) == [b"zero"]


def test_no_vote_is_ever_forgotten_by_beginning_anew(tmp_path: Path) -> None:
    entries = wires()
    path = left(tmp_path, entries, votes=b"v")
    with pytest.raises(UserError, match="voted"):
        TableFolder.begin(tmp_path, table_of(entries), ANA.key, Lock.take)
    assert (path / "votes").read_bytes() == b"v"
    assert journal(path) == list(entries)
    TableFolder.reopen(path, Lock.take).close()  # the lock was let go


def test_beginning_anew_forgets_the_rest(tmp_path: Path) -> None:
    path = left(tmp_path, wires(), root=b"r", share=b"s")
    folder = TableFolder(path, Lock.take, anew=True)
    assert sorted(file.name for file in path.iterdir() if file.name != "boot") == ["journal", "lock"]
    assert journal(path) == []
    folder.close()


def test_what_was_voted_may_outlive_the_table(tmp_path: Path) -> None:
    folder = TableFolder.reopen(left(tmp_path, wires(), votes=b"v", root=b"r"), Lock.take)
    folder.leave(Keep.VOTES)
    again = TableFolder.reopen(folder.path, Lock.take)
    assert (again.wires, again.secrets) == ((), {"votes": b"v"})
    again.leave(Keep.NOTHING)
    assert not folder.path.exists()
    plain = TableFolder.reopen(left(tmp_path, wires(), root=b"r"), Lock.take)
    plain.leave(Keep.VOTES)
    assert not plain.path.exists()


def test_another_start_of_the_machine_is_noticed_until_votes_are_written_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = left(tmp_path, wires(), votes=b"v")
    monkeypatch.setattr(files, "boot", lambda: b"another")
    folder = TableFolder.reopen(path, Lock.take)
    assert not folder.same_boot
    folder.keep("share-1", b"s")
    folder.close()
    folder = TableFolder.reopen(path, Lock.take)
    assert not folder.same_boot
    folder.keep("votes", b"w")
    folder.close()
    folder = TableFolder.reopen(path, Lock.take)
    assert folder.same_boot
    folder.close()


def test_the_machine_counts_as_started_anew_until_the_votes_that_know_it_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that is killed in between must not come back with the old votes and the new start."""
    path = left(tmp_path, wires(), votes=b"v")
    monkeypatch.setattr(files, "boot", lambda: b"another")
    folder = TableFolder.reopen(path, Lock.take)
    done: list[str] = []
    monkeypatch.setattr(TableFolder, "_write", lambda _, name, data: done.append(name))
    folder.keep("votes", b"w")
    folder.close()
    assert done == ["votes", "boot"]


def test_where_no_system_tells_of_its_boots_the_clocks_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(files, "_BOOT_ID", tmp_path / "none")
    mark = files.boot()
    assert mark.isdigit()
    assert files.is_boot(mark)
    assert files.is_boot(b"%d" % (int(mark) + CLOCK_SECONDS - 2))
    assert not files.is_boot(b"%d" % (int(mark) - CLOCK_SECONDS - 2))
    assert not files.is_boot(b"")
