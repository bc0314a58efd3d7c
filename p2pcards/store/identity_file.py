"""The key file: who I am, on disk (protocol 3).

32 raw bytes, `identity.key`, or `identity-NAME.key` for the profile NAME, readable by its owner alone. One identity can
hold one seat at a table, so a second program of the same user on the same machine takes a profile of its own.
"""

from __future__ import annotations

import errno
import os
import re
import shlex
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from p2pcards.errors import UserError
from p2pcards.store.folders import Folders, private
from p2pcards.store.lock import Lock

DEFAULT = "default"
SPARES = tuple(f"{DEFAULT}-{number}" for number in range(2, 10))
"""Profiles that a further program takes by itself, in this order."""

SEED_BYTES = 32
_NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")
_NOFOLLOW: int = getattr(os, "O_NOFOLLOW", 0)  # Windows has none of these three
_NONBLOCK: int = getattr(os, "O_NONBLOCK", 0)  # a pipe in the key's place must not stop the program
_BINARY: int = getattr(os, "O_BINARY", 0)


class Profile(NamedTuple):
    """A profile that this program holds until it ends. `note` says in one line that it isn't the usual one."""

    name: str
    file: Path
    seed: bytes
    lock: Lock
    note: str = ""

    def __repr__(self) -> str:
        return f"Profile({self.name})"


def key_file(data: Path, profile: str) -> Path:
    """Where the profile's key lies; raises UserError for a name that could be no file's."""
    if not _NAME.fullmatch(profile):
        raise UserError(f"{profile!r} can't be a profile: take 1 to 32 letters, digits, - and _.", 2)
    return data / ("identity.key" if profile == DEFAULT else f"identity-{profile}.key")


def take(folders: Folders, wanted: str = "", *, after: str = "") -> Profile:
    """The profile for a program that plays: `wanted`, else the first free one (of those behind `after`).

    Its key is made where it doesn't exist. Raises UserError when none is free or the key file can't be used.
    """
    usual = (DEFAULT, *SPARES)
    names = (wanted,) if wanted else usual[usual.index(after) + 1 :] if after in usual else usual
    for name in names:
        file = key_file(folders.data, name)
        lock = Lock.take(private(folders.locks) / f"{file.stem}.lock")
        if lock is None:
            continue
        note = "" if name in (wanted, DEFAULT) else f"Another p2pcards of yours runs here, so this one is {name}."
        try:
            return Profile(name, file, seed(file), lock, note)
        except UserError:
            lock.release()
            raise
    if wanted:
        raise UserError(f"The profile {wanted} is in use on this machine: close the other program or name another one.")
    raise UserError("All profiles are in use on this machine: close one of your programs or name a --profile.")


def seed(file: Path) -> bytes:
    """The key in this file, 32 bytes, made where there is none; raises UserError when the file can't be trusted.

    From here on this process leaves no core dump behind, for the key would stand in it.
    """
    _dump_no_core()
    try:
        try:
            return _load(file)
        except FileNotFoundError:
            private(file.parent)
        try:
            return _make(file)
        except FileExistsError:  # another program of ours was faster
            return _load(file)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK):  # what O_NOFOLLOW answers for a link
            raise UserError(f"{file} is a link: the key must be a file of its own.") from error
        raise UserError(f"The key file {file} can't be used: {error.strerror}.") from error


def profiles(data: Path) -> dict[str, Path]:
    """The profiles that have a key file here, the default first; whether the keys are sound is not looked at."""
    found = {}
    for file in data.glob("identity*.key") if data.is_dir() else ():
        name = DEFAULT if file.stem == "identity" else file.stem.removeprefix("identity-")
        if _NAME.fullmatch(name) and file == key_file(data, name):
            found[name] = file
    return dict(sorted(found.items(), key=lambda item: (item[0] != DEFAULT, item[0])))


def in_use(folders: Folders, profile: str) -> bool:
    """Whether a running program on this machine holds the profile."""
    lock = folders.locks / f"{key_file(folders.data, profile).stem}.lock"
    if not lock.exists():
        return False
    held = Lock.take(lock)
    if held is not None:
        held.release()
    return held is None


def peek(file: Path) -> bytes | None:
    """The key in this file, if it is there and can be trusted; None else, and empty while somebody makes it."""
    try:
        with _opened(file) as found:
            data = found.read(SEED_BYTES + 1)
    except (OSError, UserError):
        return None
    return data if len(data) in (0, SEED_BYTES) else None


def _dump_no_core() -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _make(file: Path) -> bytes:
    fd = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _BINARY, 0o600)
    made = os.urandom(SEED_BYTES)
    try:
        with os.fdopen(fd, "wb") as out:
            out.write(made)
            out.flush()
            os.fsync(out.fileno())
    except OSError:
        file.unlink(missing_ok=True)
        raise
    return made


def _load(file: Path) -> bytes:
    with _opened(file) as found:
        for _ in range(20):  # whoever makes the file this moment has yet to fill it
            data = found.read(SEED_BYTES + 1)
            if data:
                break
            time.sleep(0.05)
    if len(data) != SEED_BYTES:
        away = f"mv {shlex.quote(str(file))} {shlex.quote(f'{file}.bad')}"
        raise UserError(f"{file} is no key of p2pcards (32 bytes); to get a new key, move it away: {away}")
    return data


@contextmanager
def _opened(file: Path) -> Iterator[BinaryIO]:
    fd = os.open(file, os.O_RDONLY | _NOFOLLOW | _NONBLOCK | _BINARY)
    with os.fdopen(fd, "rb") as found:
        _check(file, os.fstat(fd))
        yield found


def _check(file: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise UserError(f"{file} is not a regular file: the key must be a file of its own.")
    if sys.platform == "win32":
        return
    if found.st_uid != os.geteuid():
        raise UserError(f"{file} belongs to another user: a key must be your own. Name another --profile.")
    if found.st_mode & 0o077:
        raise UserError(f"{file} can be read by others; to keep it to yourself: chmod 600 {shlex.quote(str(file))}")
