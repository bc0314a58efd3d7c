"""Where files go, protocol 6.9 included."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.store.folders import folders, private


def _mounts(tmp_path: Path, *lines: str) -> Path:
    file = tmp_path / "mounts"
    file.write_text("".join(f"{line} rw 0 0\n" for line in lines))
    return file


def test_xdg_variables_name_the_folders(home: Path) -> None:
    found = folders(mounts=home / "none")
    assert (found.config, found.data) == (home / "config/p2pcards", home / "data/p2pcards")
    assert found.local == home / "state/p2pcards"
    assert {found.tables.parent, found.locks.parent, found.logs.parent} == {found.local}
    assert not found.shared


@pytest.mark.parametrize("value", ["", "not/absolute"])
def test_an_empty_or_relative_variable_counts_as_unset(home: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", value)
    data = folders().data
    assert data.is_absolute()
    assert data.name == "p2pcards"
    assert "not" not in data.parts


def test_nothing_is_made_by_asking(home: Path) -> None:
    folders()
    assert not any((home / name).exists() for name in ("config", "data", "state"))


@pytest.mark.skipif(os.name == "nt", reason="file servers are told by /proc")
@pytest.mark.parametrize(
    ("kind", "remote"),
    [("nfs4", True), ("cifs", True), ("fuse.sshfs", True), ("fuseblk", False), ("ext4", False), ("tmpfs", False)],
)
def test_state_on_a_file_server_moves_to_this_machine(home: Path, kind: str, remote: bool) -> None:
    mounts = _mounts(home, "/dev/sda / ext4", f"server:/home {home} {kind}", "proc /proc proc")
    spare = home / "spare"
    spare.mkdir()
    found = folders(mounts=mounts, spare=spare)
    assert found.local == (spare / f"p2pcards-{os.geteuid()}" if remote else home / "state/p2pcards")
    assert found.data == home / "data/p2pcards"  # the key is the user's, wherever she sits
    assert not found.shared


@pytest.mark.skipif(os.name == "nt", reason="file servers are told by /proc")
def test_the_deepest_and_latest_mount_counts(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = home / "state with space"
    monkeypatch.setenv("XDG_STATE_HOME", str(odd))
    spare = home / "spare"
    spare.mkdir()
    escaped = str(odd).replace(" ", "\\040")
    mounts = _mounts(home, f"server:/home {home} nfs", f"/dev/sdb {escaped} nfs", f"/dev/sdb {escaped} ext4")
    assert folders(mounts=mounts, spare=spare).local == odd / "p2pcards"


@pytest.mark.skipif(os.name == "nt", reason="file servers are told by /proc")
@pytest.mark.parametrize("trap", ["link", "open to others", "file", "nothing can be made"])
def test_a_spare_folder_that_is_not_ours_alone_is_not_used(home: Path, trap: str) -> None:
    mounts = _mounts(home, f"server:/home {home} nfs")
    spare = home / "spare"
    spare.mkdir()
    own = spare / f"p2pcards-{os.geteuid()}"
    if trap == "link":
        (home / "elsewhere").mkdir(mode=0o700)
        own.symlink_to(home / "elsewhere")
    elif trap == "open to others":
        own.mkdir()
        own.chmod(0o755)
    elif trap == "file":
        own.touch()
    else:
        spare = home / "missing"
    found = folders(mounts=mounts, spare=spare)
    assert found.local == home / "state/p2pcards"
    assert found.shared


@pytest.mark.skipif(os.name == "nt", reason="no modes there")
def test_a_private_folder_is_open_to_its_owner_alone(tmp_path: Path) -> None:
    made = private(tmp_path / "a" / "b")
    assert made.stat().st_mode & 0o777 == 0o700
    made.chmod(0o755)
    assert private(made).stat().st_mode & 0o777 == 0o700


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"The folder .*file.x can't be used: Not a directory\."):
        private(tmp_path / "file" / "x")
