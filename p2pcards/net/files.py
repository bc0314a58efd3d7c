"""The folder of one live table: journal and secrets on this machine's own disk (protocol 6.9).

    folder = TableFolder(tables, table, key, Lock.take)    # made 0700, locked; UserError if another program has it
    folder.append(effects.entries)                         # in the file when it returns
    folder.keep("root", secret)                            # on the disk when it returns; b"" removes
    folder.remove()                                        # after the last round is disclosed; `close` only lets go

The journal file is every entry in order, each after its length as u32: a torn last entry is one that nobody was sent.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from p2pcards.errors import UserError
from p2pcards.wire.identity import short
from p2pcards.wire.text import table_text

JOURNAL = "journal"
LOCK = "lock"
BOOT = "boot"

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_BINARY: int = getattr(os, "O_BINARY", 0)  # Windows alone has it


class Lock(Protocol):
    """What `take` answers: held until released or until the program ends."""

    def release(self) -> None:
        """Lets others have it."""


class TableFolder:
    """`<tables>/<T>-<pk8>`, held by this program alone. The journal is begun anew: its owner follows from entry 0."""

    def __init__(self, tables: Path, table: bytes, key: bytes, take: Callable[[Path], Lock | None]) -> None:
        self.path = tables / f"{table_text(table)}-{short(key)}"
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = take(self.path / LOCK)
            if lock is None:
                raise UserError(f"Another program of yours is at this table already ({self.path}).")
            try:
                self._journal = os.open(self.path / JOURNAL, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, 0o600)
            except OSError:
                lock.release()
                raise
        except OSError as error:
            raise _unusable(self.path, error) from error
        self._lock = lock
        self._length = 0
        if _BOOT_ID.exists():
            try:
                self.keep(BOOT, _BOOT_ID.read_bytes())
            except UserError:
                self.close()
                raise

    def append(self, entries: Iterable[bytes]) -> None:
        """Adds the wires to the journal with write(2); UserError (disk full, …) leaves the file as it was."""
        data = b"".join(len(wire).to_bytes(4, "big") + wire for wire in entries)
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(self._journal, rest) :]
        except OSError as error:
            os.truncate(self._journal, self._length)
            os.lseek(self._journal, self._length, os.SEEK_SET)
            raise _unusable(self.path / JOURNAL, error) from error
        self._length += len(data)

    def keep(self, name: str, data: bytes) -> None:
        """Replaces the file `name` as a whole, fsynced and for the owner's eyes only; b"" removes it."""
        if not _NAME.fullmatch(name) or name in (JOURNAL, LOCK):
            raise ValueError(f"no name for a secret: {name!r}")
        file = self.path / name
        try:
            if data:
                fresh = file.with_name(f".{name}")
                fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, 0o600)
                with os.fdopen(fd, "wb") as target:
                    target.write(data)
                    target.flush()
                    os.fsync(fd)
                fresh.replace(file)
            else:
                file.unlink(missing_ok=True)
            _sync(self.path)
        except OSError as error:
            raise _unusable(file, error) from error

    def close(self) -> None:
        """Lets go of the folder and leaves it where it is."""
        os.close(self._journal)
        self._lock.release()

    def remove(self) -> None:
        """Lets go of the folder and deletes it with everything in it."""
        self.close()
        shutil.rmtree(self.path, ignore_errors=True)


def _sync(folder: Path) -> None:
    """Makes names in the folder last; Windows neither can nor needs to."""
    if sys.platform != "win32":
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def _unusable(path: Path, error: OSError) -> UserError:
    return UserError(f"{path} can't be used: {error.strerror}.")
