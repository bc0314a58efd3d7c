"""The lab's key, protocol 5.2: made once, readable by its group, refused where everybody could read it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from p2pcards.errors import UserError
from p2pcards.store.lab import create_lab_key, lab_key
from tests.testing.require import require

posix = pytest.mark.skipif(sys.platform == "win32", reason="no modes or links there")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "the lab" / "key"


def create(file: Path) -> bytes:
    file.parent.mkdir(exist_ok=True)
    create_lab_key(file)
    return file.read_bytes()


def test_a_key_is_made_and_read(file: Path, tmp_path: Path) -> None:
    made = create(file)
    assert len(made) == 32
    assert lab_key(file) == made
    assert create(tmp_path / "another") != made


@posix
@pytest.mark.parametrize("umask", [0, 0o077])
def test_its_group_can_read_it_and_nobody_else(file: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        create(file)
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == 0o640


@posix
def test_what_is_to_be_done_next_can_be_pasted(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.parent.mkdir()
    monkeypatch.chdir(file.parent)
    told = create_lab_key(Path("key"))
    assert f"chgrp GROUP '{file}'" in told
    assert f"--lab-key '{file}'" in told


@pytest.mark.parametrize("there", ["a file", "a link to nothing"])
def test_nothing_is_ever_written_over(file: Path, there: str) -> None:
    file.parent.mkdir()
    if there == "a file":
        file.write_text("precious")
    else:
        file.symlink_to("nothing")
    with pytest.raises(UserError, match="is there already"):
        create_lab_key(file)
    assert file.is_symlink() or file.read_text() == "precious"
    assert [path.name for path in file.parent.iterdir()] == ["key"]


def test_where_no_file_can_be_made_there_is_one_sentence(file: Path) -> None:
    with pytest.raises(UserError) as refused:
        create_lab_key(file)
    assert str(refused.value) == f"{file} can't be written: there is no folder {file.parent}."
    assert refused.value.exit_code == 2


def test_a_key_that_can_not_be_written_leaves_no_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match=r"can't be written: No space left on device\."):
        create(file)
    assert not file.exists()


def _too_short(file: Path) -> None:
    file.write_bytes(bytes(31))


def _too_long(file: Path) -> None:
    file.write_bytes(bytes(33))


def _pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file, 0o640)


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir(mode=0o750)


@posix
@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (
            lambda file: file.chmod(0o644),
            r"can be read by everybody here; to keep it to members: chmod o= '.*lab/key'$",
        ),
        (lambda file: file.chmod(0o642), "chmod o="),
        (lambda file: file.chmod(0o641), "chmod o="),
        (_too_short, r"is no lab's key \(32 bytes\): `p2pcards lab-key create FILE` makes one\."),
        (_too_long, "is no lab's key"),
        (_pipe, "is not a regular file"),
        (_folder, "is not a regular file|Is a directory"),
        (lambda file: file.unlink(), r"can't be read: No such file or directory\."),
    ],
)
def test_a_key_that_can_not_be_trusted_is_one_sentence(file: Path, spoil: Callable[[Path], None], says: str) -> None:
    create(file)
    spoil(file)
    with pytest.raises(UserError, match=says) as refused:
        lab_key(file)
    assert "\n" not in str(refused.value)


@posix
def test_the_chmod_that_is_named_mends_it(file: Path) -> None:
    made = create(file)
    file.chmod(0o646)
    with pytest.raises(UserError) as refused:
        lab_key(file)
    subprocess.run(str(refused.value).split("members: ")[1], shell=True, check=True)  # noqa: S602 - what one would paste
    assert lab_key(file) == made


@posix
def test_a_link_to_the_key_is_the_key(file: Path, tmp_path: Path) -> None:
    made = create(file)
    (tmp_path / "link").symlink_to(file)
    assert lab_key(tmp_path / "link") == made


@posix
def test_who_is_not_in_the_group_is_told_so() -> None:
    require(os.geteuid() == 0, "only root can become another user")
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        create(Path(folder) / "key")
        assert _told_to_nobody(Path(folder) / "key") == 0


def _told_to_nobody(file: Path) -> int:
    """0 if a process that is in no group is told so."""
    child = os.fork()
    if child == 0:  # nothing of pytest may run in it
        told = b""
        try:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            lab_key(file)
        except UserError as error:
            told = str(error).encode()
        finally:
            os._exit(0 if b"you are not in the group that may read it" in told else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
