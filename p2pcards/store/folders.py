"""Where the program keeps its files.

`$XDG_CONFIG_HOME`, `$XDG_DATA_HOME` and `$XDG_STATE_HOME` are honoured on every system, the system's own folders taken
where they aren't set. A home folder may lie on a file server and be seen by many machines at once: locks, logs and live
tables therefore go to a folder that is this machine's own (protocol 6.9).
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import platformdirs

from p2pcards.errors import UserError

NAME = "p2pcards"
REMOTE = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "fuse"})
"""File systems that other machines may see too ("fuse.sshfs" counts as "fuse", "fuseblk" is a disk)."""

MOUNTS = Path("/proc/self/mounts")
SPARE = Path("/var/tmp")  # noqa: S108 - the folder made in it is checked: ours alone, or not used


class Folders(NamedTuple):
    """The program's folders; none of them needs to exist.

    config and data are the user's, `local` is this machine's own; `shared` says that no such folder could be had, so
    that `local` lies where other machines see it too.
    """

    config: Path
    data: Path
    local: Path
    shared: bool = False

    @property
    def settings(self) -> Path:
        """What is said once for all."""
        return self.config / "config.toml"

    @property
    def presets(self) -> Path:
        """Rules of tables under a name."""
        return self.config / "presets.toml"

    @property
    def choices(self) -> Path:
        """What was set at the prompt last."""
        return self.data / "choices.toml"

    @property
    def people(self) -> Path:
        """Whom we know."""
        return self.data / "known_peers"

    @property
    def bans(self) -> Path:
        """Who may not come to our tables."""
        return self.data / "bans"

    @property
    def history(self) -> Path:
        """Every match that was played."""
        return self.data / "history.db"

    @property
    def tables(self) -> Path:
        """Live tables: their journals and secrets."""
        return self.local / "tables"

    @property
    def locks(self) -> Path:
        """One lock a profile, held while a program plays under it."""
        return self.local / "locks"

    @property
    def logs(self) -> Path:
        """What the program did, for finding faults."""
        return self.local / "log"


def folders(*, mounts: Path = MOUNTS, spare: Path = SPARE) -> Folders:
    """The folders of this user on this machine, as the environment has them now."""
    state = _home("XDG_STATE_HOME", platformdirs.user_state_path)
    local, shared = state, False
    if sys.platform != "win32" and is_remote(state, mounts):
        own = spare / f"{NAME}-{os.geteuid()}"
        local, shared = (own, False) if _is_ours_alone(own) else (state, True)
    return Folders(
        config=_home("XDG_CONFIG_HOME", platformdirs.user_config_path),
        data=_home("XDG_DATA_HOME", platformdirs.user_data_path),
        local=local,
        shared=shared,
    )


def private(folder: Path) -> Path:
    """Makes the folder, open to its owner alone, and returns it; raises UserError where that can't be done."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if sys.platform != "win32" and folder.stat().st_mode & 0o077:
            folder.chmod(0o700)
    except OSError as error:
        raise UserError(f"The folder {folder} can't be used: {error.strerror}.") from error
    return folder


def is_remote(folder: Path, mounts: Path = MOUNTS) -> bool:
    """Whether the folder lies on a file server; False where the system doesn't tell."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return False
    where = folder.resolve()
    depth, kind = -1, ""
    for line in lines:
        _, point, fstype, *_ = line.split(" ")
        place = Path(point.replace("\\040", " "))
        if where.is_relative_to(place) and len(place.parts) >= depth:  # of two on one place the later covers
            depth, kind = len(place.parts), fstype
    return kind.split(".")[0] in REMOTE


def _home(variable: str, native: Callable[..., Path]) -> Path:
    base = Path(os.environ.get(variable, ""))
    return base / NAME if base.is_absolute() else native(NAME, appauthor=False)


def _is_ours_alone(folder: Path) -> bool:
    if sys.platform == "win32":
        return False
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077
