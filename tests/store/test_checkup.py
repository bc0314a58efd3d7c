"""What the doctor sees of the key file and the folders, and that it changes neither."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from p2pcards.store.checkup import check_folders, check_key
from p2pcards.store.folders import folders
from p2pcards.store.identity_file import key_file, seed
from p2pcards.table.findings import Code
from p2pcards.ui.words_doctor import told

posix = pytest.mark.skipif(sys.platform == "win32", reason="has no modes")


@pytest.fixture
def file(home: Path) -> Path:
    return key_file(folders().data, "default")


def test_a_key_that_is_to_come_is_not_made(file: Path) -> None:
    assert check_key(file).code is Code.KEY_TO_COME
    assert not file.parent.exists()


def test_a_key_that_is_sound(file: Path) -> None:
    seed(file)
    assert check_key(file).code is Code.KEY


def longer(file: Path) -> None:
    file.write_bytes(b"x" * 33)


def linked(file: Path) -> None:
    file.rename(file.with_suffix(".real"))
    file.symlink_to(file.with_suffix(".real"))


def shown(file: Path) -> None:
    file.chmod(0o644)


@posix
@pytest.mark.parametrize(
    ("spoil", "code"), [(longer, Code.KEY_NO_KEY), (linked, Code.KEY_NO_FILE), (shown, Code.KEY_OPEN)]
)
def test_a_key_that_is_not_as_it_should_be(file: Path, spoil: Callable[[Path], None], code: Code) -> None:
    key = seed(file)
    spoil(file)
    before = file.lstat()
    finding = check_key(file)
    assert finding.code is code
    assert file.lstat() == before
    assert key.hex() not in "".join(told(finding))


@posix
def test_a_key_of_another_user(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seed(file)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert check_key(file).code is Code.KEY_OF_ANOTHER


def test_a_key_that_cannot_be_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seed(file)

    def refuse(self: Path, mode: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    finding = check_key(file)
    assert (finding.code, finding.detail["why"]) == (Code.KEY_UNREADABLE, "Permission denied")


def test_folders_that_can_be_written_are_left_as_they_were(home: Path) -> None:
    assert [finding.code for finding in check_folders(folders())] == [Code.FILES]
    assert list(home.iterdir()) == []


def test_folders_on_a_file_server(home: Path) -> None:
    own = folders()._replace(shared=True)
    assert [finding.code for finding in check_folders(own)] == [Code.FILES_SHARED]


@posix
def test_a_link_that_leads_nowhere_is_no_folder_to_come(home: Path) -> None:
    own = folders()
    own.data.parent.mkdir(parents=True, exist_ok=True)
    own.data.symlink_to(home / "nowhere")
    codes = {finding.detail["folders"]: finding.code for finding in check_folders(own)}
    assert codes[str(own.data)] is Code.FILES_SHUT


def test_folders_that_cannot_be_written(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    first, second = check_folders(folders())
    assert {first.code, second.code} == {Code.FILES_SHUT}
    assert told(first)[0].endswith(": No space left on device.")
