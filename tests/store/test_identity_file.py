"""The key file, protocol 3: made once, checked at every start, one profile a running program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.store import identity_file
from p2pcards.store.folders import Folders, folders
from p2pcards.store.identity_file import key_file, seed, take

posix = pytest.mark.skipif(os.name == "nt", reason="no modes, owners or links there")


@pytest.fixture
def own(home: Path) -> Folders:
    return folders()


def test_a_key_is_made_once_and_then_read(tmp_path: Path) -> None:
    file = tmp_path / "data" / "identity.key"
    made = seed(file)
    assert len(made) == 32
    assert seed(file) == made == file.read_bytes()
    assert seed(tmp_path / "other.key") != made


@posix
def test_key_and_folder_are_their_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "data" / "identity.key"
    umask = os.umask(0)
    try:
        seed(file)
    finally:
        os.umask(umask)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


@posix
def test_a_program_that_has_a_key_leaves_it_in_no_core_dump(tmp_path: Path) -> None:
    import resource

    limits = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (limits[1], limits[1]))
    try:
        seed(tmp_path / "identity.key")
        assert resource.getrlimit(resource.RLIMIT_CORE) == (0, limits[1])
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, limits)


def _open_to_others(file: Path) -> None:
    file.chmod(0o640)


def _too_short(file: Path) -> None:
    file.write_bytes(bytes(31))


def _too_long(file: Path) -> None:
    file.write_bytes(bytes(33))


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _linked(file: Path) -> None:
    file.rename(file.with_name("real"))
    file.symlink_to(file.with_name("real"))


def _pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file, 0o600)


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir(mode=0o700)


@posix
@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_open_to_others, r"can be read by others; to keep it to yourself: chmod 600 '.*my data/identity\.key'$"),
        (_too_short, r"is no key of p2pcards \(32 bytes\); .* mv '.*identity\.key' '.*identity\.key\.bad'$"),
        (_too_long, "is no key of p2pcards"),
        (_empty, "is no key of p2pcards"),
        (_linked, "is a link"),
        (_pipe, "is not a regular file"),
        (_folder, "is not a regular file|Is a directory"),
    ],
)
def test_a_key_file_that_cannot_be_trusted_is_one_sentence(
    tmp_path: Path, spoil: Callable[[Path], None], says: str
) -> None:
    file = tmp_path / "my data" / "identity.key"
    seed(file)
    spoil(file)
    with pytest.raises(UserError, match=says) as refused:
        seed(file)
    assert refused.value.exit_code == 1
    assert "\n" not in str(refused.value)


@posix
def test_the_chmod_that_is_named_mends_it(tmp_path: Path) -> None:
    file = tmp_path / "my data" / "identity.key"
    made = seed(file)
    file.chmod(0o644)
    with pytest.raises(UserError) as refused:
        seed(file)
    subprocess.run(str(refused.value).split(": ")[1], shell=True, check=True)  # noqa: S602 - what a user would paste
    assert seed(file) == made


@posix
def test_a_key_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "identity.key"
    seed(file)
    monkeypatch.setattr(os, "geteuid", lambda: file.stat().st_uid + 1)
    with pytest.raises(UserError, match="belongs to another user"):
        seed(file)


def test_of_two_programs_that_make_the_key_at_once_both_get_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "identity.key"
    made = identity_file._make

    def late(file: Path) -> bytes:
        made(file)  # the other program, between our look and our making
        return made(file)

    monkeypatch.setattr(identity_file, "_make", late)
    assert seed(file) == file.read_bytes()


def test_a_key_that_cannot_be_written_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match=r"identity.key can't be used: No space left on device\."):
        seed(tmp_path / "identity.key")
    assert not (tmp_path / "identity.key").exists()


def test_profiles_have_files_of_their_own(tmp_path: Path) -> None:
    assert key_file(tmp_path, "default") == tmp_path / "identity.key"
    assert key_file(tmp_path, "lab") == tmp_path / "identity-lab.key"


@pytest.mark.parametrize("name", ["", "../x", "a b", "x" * 33, "ä", "a\n"])
def test_a_name_that_could_be_no_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match="can't be a profile") as refused:
        key_file(tmp_path, name)
    assert refused.value.exit_code == 2


def test_further_programs_take_the_next_free_profile_and_say_so(own: Folders) -> None:
    held = [take(own) for _ in range(9)]
    assert [profile.name for profile in held] == ["default", *(f"default-{number}" for number in range(2, 10))]
    assert len({profile.seed for profile in held}) == 9
    assert held[0].note == ""
    assert all(profile.name in profile.note for profile in held[1:])
    with pytest.raises(UserError, match="All profiles are in use"):
        take(own)
    held[3].lock.release()
    again = take(own)
    assert (again.name, again.seed) == (held[3].name, held[3].seed)


def test_after_a_profile_that_sits_at_the_table_already_comes_the_next(own: Folders) -> None:
    assert take(own, after="default").name == "default-2"
    assert take(own, after="default-2").name == "default-3"


def test_a_named_profile_is_taken_or_refused_never_replaced(own: Folders) -> None:
    lab = take(own, "lab")
    assert (lab.name, lab.note) == ("lab", "")
    assert lab.file == own.data / "identity-lab.key"
    with pytest.raises(UserError, match="The profile lab is in use"):
        take(own, "lab")
    assert take(own).name == "default"


@posix
def test_a_refused_key_file_does_not_keep_its_profile(own: Folders) -> None:
    take(own).lock.release()
    key_file(own.data, "default").chmod(0o644)
    with pytest.raises(UserError, match="can be read by others"):
        take(own)
    key_file(own.data, "default").chmod(0o600)
    assert take(own).name == "default"


def test_a_profile_does_not_show_its_key(own: Folders) -> None:
    profile = take(own)
    assert repr(profile) == "Profile(default)"
    assert profile.seed.hex() not in repr(profile)


def test_a_killed_program_gives_its_profile_back(own: Folders) -> None:
    code = (
        "from p2pcards.store.folders import folders; from p2pcards.store.identity_file import take\n"
        "print(take(folders()).name, flush=True); input()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline().split() == [b"default"]
        second = take(own)
        assert second.name == "default-2"
        second.lock.release()
        other.kill()
        other.wait()
    assert take(own).name == "default"
