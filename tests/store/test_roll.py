"""The directory of keys, protocol 3: whose key is whose, and everything that must not pass for it."""

from __future__ import annotations

import errno
import os
import pwd
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.store import roll
from p2pcards.store.roll import Roll
from p2pcards.wire.encode import enc
from p2pcards.wire.identity import Identity
from tests.testing.require import require

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files have no owners there")

ME = Identity(bytes(range(32)))
OTHER = Identity(b"\x07" * 32)
MINE = pwd.getpwuid(os.geteuid()).pw_name if sys.platform != "win32" else ""
NAME = "0123456789abcdef.pub"


class Clock:
    """Seconds that a test turns."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def text(identity: Identity, login: str = MINE) -> bytes:
    return identity.key + identity.sign(enc("uid", login.encode()))


def put(folder: Path, written: bytes, name: str = NAME, mode: int = 0o644) -> Path:
    file = folder / name
    file.write_bytes(written)
    file.chmod(mode)
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "keys"
    made.mkdir()
    made.chmod(0o1777)
    return made


def somebody() -> tuple[int, str]:
    """A user who isn't us; only root can give files away."""
    require(os.geteuid() == 0, "only root can make files of another user")
    return next((each.pw_uid, each.pw_name) for each in pwd.getpwall() if each.pw_uid != 0)


# ---- what proves


def test_who_enrols_is_proved_to_all_who_read(folder: Path) -> None:
    before = os.umask(0o077)
    try:
        Roll(folder).enrol(ME)
    finally:
        os.umask(before)
    (file,) = folder.iterdir()
    assert file.read_bytes() == text(ME)
    assert file.stat().st_mode & 0o777 == 0o644
    assert roll._NAME.fullmatch(file.name)
    assert Roll(folder).login(ME.key) == MINE
    assert Roll(folder).login(OTHER.key) == ""


def test_the_name_is_that_of_the_account_whatever_the_environment_says(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "dean")
    Roll(folder).enrol(ME)
    assert Roll(folder).login(ME.key) == MINE


def test_nobody_enrols_twice(folder: Path) -> None:
    kept = Roll(folder)
    kept.enrol(ME)
    kept.enrol(ME)
    Roll(folder).enrol(ME)
    assert len(list(folder.iterdir())) == 1
    kept.enrol(OTHER)
    assert (kept.login(ME.key), kept.login(OTHER.key)) == (MINE, MINE)


def test_a_file_of_another_proves_that_other(folder: Path) -> None:
    number, name = somebody()
    os.chown(put(folder, text(OTHER, name)), number, -1)
    assert Roll(folder).login(OTHER.key) == name


# ---- what doesn't


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def _longer(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"\n")


def _written_by_others(file: Path) -> None:
    file.chmod(0o646)


def _written_by_the_group(file: Path) -> None:
    file.chmod(0o664)


def _linked(file: Path) -> None:
    file.rename(file.with_name("real"))
    file.symlink_to(file.with_name("real"))


def _second_name(file: Path) -> None:
    os.link(file, file.with_name("another"))


def _pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file, 0o644)


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _wrong_signature(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1] + bytes([file.read_bytes()[-1] ^ 1]))


def _signed_for_another_name(file: Path) -> None:
    file.write_bytes(text(ME, MINE + "x"))


def _signed_by_another_key(file: Path) -> None:
    file.write_bytes(ME.key + OTHER.sign(enc("uid", MINE.encode())))


def _signed_for_another_purpose(file: Path) -> None:
    file.write_bytes(ME.key + ME.sign(enc("chat", MINE.encode())))


def _another_ending(file: Path) -> None:
    file.rename(file.with_suffix(".new"))


@pytest.mark.parametrize(
    "spoil",
    [
        _cut,
        _longer,
        _written_by_others,
        _written_by_the_group,
        _linked,
        _second_name,
        _pipe,
        _folder,
        _wrong_signature,
        _signed_for_another_name,
        _signed_by_another_key,
        _signed_for_another_purpose,
        _another_ending,
    ],
)
def test_what_is_spoiled_proves_nothing(folder: Path, spoil: Callable[[Path], None]) -> None:
    file = put(folder, text(ME))
    assert Roll(folder).login(ME.key) == MINE
    spoil(file)
    assert Roll(folder).login(ME.key) == ""


def test_a_link_is_followed_neither_when_looked_at_nor_when_opened(folder: Path) -> None:
    _linked(put(folder, text(ME)))
    fd = os.open(folder, os.O_RDONLY)
    try:
        assert (roll._look_at(NAME, fd), roll._look_into(NAME, fd)) == (None, None)
    finally:
        os.close(fd)


def test_a_copy_of_the_file_of_another_proves_nothing(folder: Path) -> None:
    number, name = somebody()
    put(folder, text(OTHER, name), "00000000000000aa.pub")  # ours, what stands in it is theirs
    assert Roll(folder).login(OTHER.key) == ""
    os.chown(put(folder, text(OTHER, name), "00000000000000bb.pub"), number, -1)
    assert Roll(folder).login(OTHER.key) == name


def test_a_key_of_another_can_not_be_claimed_by_a_file_of_ones_own(folder: Path) -> None:
    number, _ = somebody()
    os.chown(put(folder, text(ME)), number, -1)  # what we signed, in a file of theirs
    assert Roll(folder).login(ME.key) == ""


def test_a_key_for_which_two_people_vouch_proves_neither(folder: Path) -> None:
    number, name = somebody()
    put(folder, text(ME), "00000000000000aa.pub")
    os.chown(put(folder, text(ME, name), "00000000000000bb.pub"), number, -1)
    assert Roll(folder).login(ME.key) == ""


def test_a_file_of_nobody_the_system_knows_proves_nothing(folder: Path) -> None:
    somebody()
    os.chown(put(folder, text(ME, "")), 3_999_999, -1)
    assert Roll(folder).login(ME.key) == ""


def test_a_key_of_small_order_is_nobodys(folder: Path) -> None:
    forged = bytes([1]) + bytes(31)
    put(folder, forged + forged + bytes(32))
    assert Roll(folder).login(forged) == ""


# ---- as it changes


def test_a_newcomer_is_found_at_once_and_who_went_is_forgotten(folder: Path) -> None:
    clock = Clock()
    kept = Roll(folder, clock)
    assert kept.login(ME.key) == ""
    file = put(folder, text(ME))
    clock.now += roll.LOOK_SECONDS
    assert kept.login(ME.key) == MINE
    file.unlink()
    clock.now += roll.TRUST_SECONDS + 1
    assert kept.login(ME.key) == ""


def test_a_file_that_is_opened_to_others_later_proves_nothing_any_more(folder: Path) -> None:
    clock = Clock()
    file = put(folder, text(ME))
    kept = Roll(folder, clock)
    assert kept.login(ME.key) == MINE
    file.chmod(0o666)
    clock.now += roll.TRUST_SECONDS + 1
    assert kept.login(ME.key) == ""


def test_a_directory_that_goes_away_proves_nobody(folder: Path) -> None:
    clock = Clock()
    put(folder, text(ME))
    kept = Roll(folder, clock)
    folder.rename(folder.with_name("gone"))
    clock.now += roll.TRUST_SECONDS + 1
    assert kept.login(ME.key) == ""


def test_a_directory_that_fails_while_it_is_read_proves_nobody_until_it_can_be_read_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Clock()
    put(folder, text(ME))
    kept = Roll(folder, clock)

    def stale(fd: int) -> None:
        raise OSError(errno.ESTALE, "Stale file handle")

    with monkeypatch.context() as broken:
        broken.setattr(os, "scandir", stale)
        clock.now += roll.TRUST_SECONDS
        assert [kept.login(ME.key) for _ in range(3)] == [""] * 3
    assert caplog.messages == ["the directory of keys can't be read: Stale file handle"]
    assert kept.login(ME.key) == MINE


# ---- junk


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of all files that are opened."""
    names: list[str] = []
    real = roll._look_into

    def look(name: str, folder: int) -> roll._File | None:
        names.append(name)
        return real(name, folder)

    monkeypatch.setattr(roll, "_look_into", look)
    return names


def test_what_can_not_be_a_members_file_is_never_opened(folder: Path, opened: list[str]) -> None:
    os.mkfifo(folder / "00000000000000aa.pub")
    put(folder, b"x" * 95, "00000000000000bb.pub")
    put(folder, b"x" * 96, "README")
    (folder / "00000000000000cc.pub").symlink_to("/dev/zero")
    Roll(folder)
    assert opened == []


def test_files_that_stay_are_opened_once(folder: Path, opened: list[str]) -> None:
    clock = Clock()
    kept = Roll(folder, clock)
    for number in range(5):
        put(folder, text(ME), f"{number:016x}.pub")
        for _ in range(3):
            clock.now += roll.TRUST_SECONDS + 1
            kept.login(OTHER.key)
    assert sorted(opened) == [f"{number:016x}.pub" for number in range(5)]


def test_one_who_fills_the_directory_is_read_up_to_a_bound(
    folder: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roll, "MOST_OF_ONE", 3)
    for number in range(20):
        put(folder, b"x" * 96, f"{number:016x}.pub")
    clock = Clock()
    kept = Roll(folder, clock)
    for _ in range(3):
        clock.now += roll.TRUST_SECONDS + 1
        kept.login(ME.key)
    assert len(set(opened)) == len(opened) == 3


def test_one_who_fills_the_directory_hides_nobody_else(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    number, name = somebody()
    monkeypatch.setattr(roll, "MOST_OF_ONE", 3)
    for count in range(20):
        put(folder, b"x" * 96, f"{count:016x}.pub")
    os.chown(put(folder, text(OTHER, name), "ffffffffffffffff.pub"), number, -1)
    assert Roll(folder).login(OTHER.key) == name


def test_of_many_that_come_at_once_some_are_read_with_the_next_look(
    folder: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roll, "MOST_AT_ONCE", 2)
    clock = Clock()
    kept = Roll(folder, clock)
    keys = [Identity(bytes([number]) * 32) for number in range(5)]
    for number, one in enumerate(keys):
        put(folder, text(one), f"{number:016x}.pub")
    for most in (2, 4, 5, 5):
        clock.now += roll.LOOK_SECONDS
        kept.login(bytes(32))
        assert len(opened) == most
    assert [kept.login(one.key) for one in keys] == [MINE] * 5


def test_junk_is_looked_at_again_a_few_at_a_time_and_what_was_mended_is_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roll, "MOST_AT_ONCE", 2)
    for number in range(9):
        put(folder, b"x" * 95, f"{number:016x}.pub")
    put(folder, text(OTHER), "ffffffffffffffff.pub")
    clock = Clock()
    kept = Roll(folder, clock)
    looked: list[str] = []
    real = roll._look_at

    def look(name: str, fd: int) -> os.stat_result | None:
        looked.append(name)
        return real(name, fd)

    monkeypatch.setattr(roll, "_look_at", look)
    for file in folder.iterdir():
        if file.stat().st_size == 95:
            file.write_bytes(text(ME))  # the directory itself stays as it is
            break
    for _ in range(5):
        looked.clear()
        clock.now += roll.TRUST_SECONDS
        assert kept.login(OTHER.key) == MINE
        assert len(looked) <= 2 + 2  # the members' and as much of the rest
    assert kept.login(ME.key) == MINE


def test_looks_are_some_time_apart(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    kept = Roll(folder, Clock())
    monkeypatch.setattr(kept, "_look", looks.append)
    for _ in range(100):
        kept.login(ME.key)
    assert looks == []


def test_of_too_many_names_the_rest_is_left_unread(
    folder: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(roll, "MOST_NAMES", 4)
    for number in range(9):
        put(folder, b"x" * 96, f"{number:016x}.pub")
    Roll(folder)
    assert len(opened) == 4
    assert "more than 4 files" in caplog.text


# ---- a directory that can't serve


def test_without_a_directory_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"The directory of keys .*/none can't be used: No such file or directory\."):
        Roll(tmp_path / "none")
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"can't be used: Not a directory\."):
        Roll(tmp_path / "file")


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o757])
def test_a_directory_where_anybody_could_take_files_away_is_refused(folder: Path, mode: int) -> None:
    folder.chmod(mode)
    with pytest.raises(UserError, match="its mode must be 1777"):
        Roll(folder)


def test_who_can_not_write_there_is_told_and_can_still_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(folder, text(OTHER))
    kept = Roll(folder)

    def refuse(file: Path, written: bytes) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(kept, "_write", refuse)
    with pytest.raises(UserError, match=r"Your key can't be written to .*keys: Permission denied\."):
        kept.enrol(ME)
    assert kept.login(OTHER.key) == MINE


def test_a_file_server_that_forgets_owners_is_told_and_nothing_is_left(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, _ = somebody()
    kept = Roll(folder)
    write = kept._write

    def squash(file: Path, written: bytes) -> None:
        write(file, written)
        os.chown(file, number, -1)

    monkeypatch.setattr(kept, "_write", squash)
    with pytest.raises(UserError, match="doesn't keep who owns a file"):
        kept.enrol(ME)
    assert list(folder.iterdir()) == []
