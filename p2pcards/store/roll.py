"""The lab's directory of keys: which key belongs to which login (protocol 3, "uid binding").

Everybody writes a file `<16 hex digits>.pub` into a directory that all share (mode 1777): the key, and the key's
signature over the login name. Two facts make it a proof. Only Alice can make a file that Alice owns, so it is she who
vouches for the key; and only the key's owner can sign her login with it, so she can't claim a key that is Bob's by
copying his file. A file that others may write to, or that has a second name somewhere, proves nothing. The random name
keeps anybody from taking Alice's name first. The file server and the administrators of the machines are trusted.

Whoever likes can fill the directory, so each look at it has bounds: names, files of one owner, files opened.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import stat
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from heapq import nsmallest
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from p2pcards.errors import UserError
from p2pcards.wire.encode import enc
from p2pcards.wire.identity import Identity, verify

MOST_NAMES = 10_000
MOST_OF_ONE = 64
"""Files of one owner."""

MOST_AT_ONCE = 100
"""New files that one look opens, and names of nothing that it looks at again; the first look opens MOST_NAMES."""

LOOK_SECONDS = 0.2
"""Looks at the directory are so far apart."""

TRUST_SECONDS = 30.0
"""So long a directory that has not changed, and a file that was looked at, are taken for what they were."""

_BYTES = 96
_NAME = re.compile(r"[0-9a-f]{16}\.pub")
_NOFOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
_NONBLOCK: int = getattr(os, "O_NONBLOCK", 0)

_log = logging.getLogger(__name__)


class _File(NamedTuple):
    """What a file was when it was looked into. `key` is empty where it proves none."""

    state: tuple[int, ...]
    owner: int
    key: bytes
    login: str


class Roll:
    """The directory, read as it changes."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """Raises UserError where the directory can't serve."""
        self._folder, self._clock = folder, clock
        self._files: dict[str, tuple[float, _File | None]] = {}  # by name, since when; None: it can't be one
        self._logins: dict[bytes, str] = {}
        self._state = 0  # of the directory at the last look
        self._looked = self._renewed = -float("inf")
        self._behind = False
        self._check()
        self._look(MOST_NAMES)

    def login(self, key: bytes) -> str:
        """The login name of the key's owner; empty where the directory doesn't prove it."""
        now = self._clock()
        if (key not in self._logins and now - self._looked >= LOOK_SECONDS) or now - self._renewed >= TRUST_SECONDS:
            self._look(MOST_AT_ONCE)
        return self._logins.get(key, "")

    def enrol(self, identity: Identity) -> None:
        """Writes the file of this key where there is none; raises UserError where that proves nothing afterwards."""
        name = _own_login()
        if not name:
            raise UserError(f"You have no login name that {self._folder} could prove.")
        self._look(MOST_AT_ONCE)
        if self._logins.get(identity.key) == name:
            return
        file = self._folder / f"{secrets.token_hex(8)}.pub"
        fresh = file.with_suffix(".new")
        try:
            self._write(fresh, identity.key + identity.sign(enc("uid", name.encode())))
            fresh.rename(file)
        except OSError as error:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise UserError(f"Your key can't be written to {self._folder}: {error.strerror}.") from error
        if self._prove(file) != identity.key:
            with suppress(OSError):
                file.unlink()
            raise UserError(f"{self._folder} doesn't keep who owns a file, so it can't prove your login.")
        self._renewed = -float("inf")

    def _write(self, file: Path, text: bytes) -> None:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW, 0o644), "wb") as out:
            out.write(text)
            if sys.platform != "win32":
                os.fchmod(out.fileno(), 0o644)  # whatever the umask says: all are to read it
            out.flush()
            os.fsync(out.fileno())

    def _check(self) -> None:
        if sys.platform == "win32":
            raise UserError("A directory of keys needs files with owners: this system has none that could be proved.")
        try:
            found = self._folder.stat()
            os.scandir(self._folder).close()
        except OSError as error:
            raise UserError(f"The directory of keys {self._folder} can't be used: {error.strerror}.") from error
        if found.st_mode & 0o022 and not found.st_mode & stat.S_ISVTX:
            raise UserError(
                f"In the directory of keys {self._folder} anybody could take away what is another's: "
                f"its mode must be 1777 (chmod 1777, by its owner)."
            )

    # ---- looking

    def _look(self, most: int) -> None:
        """Reads what came, forgets what went; at most `most` new files are opened."""
        now = self._looked = self._clock()
        try:
            fd = os.open(self._folder, os.O_RDONLY)  # asks the file server, where `stat` may tell what was a while ago
            try:
                state = os.fstat(fd).st_mtime_ns
                if state == self._state and not self._behind and now - self._renewed < TRUST_SECONDS:
                    return
                self._read(fd, most)
            finally:
                os.close(fd)
        except OSError as error:
            if self._files or self._logins:
                _log.warning("the directory of keys can't be read: %s", error.strerror)
            self._files, self._logins, self._state, self._renewed = {}, {}, 0, -float("inf")
        else:
            self._state, self._renewed = state, now

    def _read(self, folder: int, most: int) -> None:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in islice(entries, MOST_NAMES + 1)]
        if len(names) > MOST_NAMES:
            _log.warning("the directory of keys has more than %d files: some are not read", MOST_NAMES)
        names = list(filter(_NAME.fullmatch, names[:MOST_NAMES]))
        files: dict[str, tuple[float, _File | None]] = {}
        of_one = Counter[int]()
        again = self._second_looks(names)
        self._behind = False
        for name in names:
            since, file = self._files.get(name, (-float("inf"), None))
            due = file is not None or name in again or name not in self._files
            if due and self._looked - since >= TRUST_SECONDS:
                found = _look_at(name, folder)
                if found is None or of_one[found.st_uid] >= MOST_OF_ONE:
                    file = None
                elif file is None or file.state != _state(found):
                    if most <= 0:
                        self._behind = True
                        continue
                    most -= 1
                    file = _look_into(name, folder)
                since = self._looked
            files[name] = since, file
            if file is not None:
                of_one[file.owner] += 1
        self._files, self._logins = files, _proved([file for _, file in files.values() if file is not None])

    def _second_looks(self, names: list[str]) -> set[str]:
        """Of the names that were no members' files a few, those looked at longest ago: who makes thousands of them must
        not keep the table waiting."""
        junk = [name for name in names if name in self._files and self._files[name][1] is None]
        return set(nsmallest(MOST_AT_ONCE, junk, key=lambda name: self._files[name][0]))

    def _prove(self, file: Path) -> bytes:
        fd = os.open(self._folder, os.O_RDONLY)
        try:
            found = _look_into(file.name, fd)
            return found.key if found else b""
        finally:
            os.close(fd)


def _proved(files: list[_File]) -> dict[bytes, str]:
    """The login of each key; a key for which two people vouch proves neither."""
    logins: dict[bytes, str] = {}
    for file in files:
        if file.key:
            logins[file.key] = file.login if logins.get(file.key, file.login) == file.login else ""
    return logins


def _look_at(name: str, folder: int) -> os.stat_result | None:
    """What the file is, None where it can't be a member's; it isn't opened."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return None
    return found if _could_prove(found) else None


def _look_into(name: str, folder: int) -> _File | None:
    """What stands in the file; None where it can't be a member's."""
    try:
        fd = os.open(name, os.O_RDONLY | _NOFOLLOW | _NONBLOCK, dir_fd=folder)
        with os.fdopen(fd, "rb") as file:
            found = os.fstat(fd)
            text = file.read(_BYTES + 1) if _could_prove(found) else b""
    except OSError:
        return None
    if len(text) != _BYTES:
        return None
    key, signature, login = text[:32], text[32:], _login(found.st_uid)
    proved = login and verify(key, signature, enc("uid", login.encode()))
    return _File(_state(found), found.st_uid, key if proved else b"", login)


def _state(found: os.stat_result) -> tuple[int, ...]:
    return found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_mode, found.st_uid


def _could_prove(found: os.stat_result) -> bool:
    return stat.S_ISREG(found.st_mode) and found.st_size == _BYTES and not found.st_mode & 0o022 and found.st_nlink == 1


def _own_login() -> str:
    if sys.platform == "win32":
        return ""
    return _login(os.geteuid())


def _login(owner: int) -> str:
    """The login name of this user id; empty where the system knows none."""
    if sys.platform == "win32":
        return ""
    import pwd

    try:
        return pwd.getpwuid(owner).pw_name
    except KeyError:
        return ""
