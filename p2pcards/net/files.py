"""The folder of one live table: journal and secrets on this machine's own disk (protocol 6.9).

    folder = TableFolder.begin(tables, table, key, Lock.take)  # made 0700, locked; UserError if another program has it
    folder = TableFolder.reopen(path, Lock.take)               # as an earlier program of ours left it
    folder.wires, folder.secrets, folder.same_boot             # what was found in it
    folder.rewind(7)                                           # forgets all but the first seven entries
    folder.append(effects.entries)                             # in the file when it returns
    folder.keep("root", secret)                                # on the disk when it returns; b"" removes
    folder.leave(Keep.NOTHING)                                 # for good

The journal file is every entry in order, each after its length as u32: a torn last entry is one that nobody was sent.
The vote file outlives everything else: a vote that was forgotten could be given twice.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import Enum, auto
from pathlib import Path
from typing import NoReturn, Protocol

from p2pcards.errors import ProtocolError, UserError
from p2pcards.wire.entries import WIRE_BYTES, decode_wire
from p2pcards.wire.identity import short
from p2pcards.wire.text import table_text

JOURNAL = "journal"
LOCK = "lock"
BOOT = "boot"
VOTES = "votes"

CLOCK_SECONDS = 60
"""Two starts of the machine lie further apart; so far its wall clock may be set meanwhile."""

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_BINARY: int = getattr(os, "O_BINARY", 0)  # Windows alone has it
_LENGTH = 4


class Keep(Enum):
    """What stays of a table that we get up from."""

    NOTHING = auto()
    VOTES = auto()  # others may still count us among the voters
    ALL = auto()  # to come back to it


class Lock(Protocol):
    """What `take` answers: held until released or until the program ends."""

    def release(self) -> None:
        """Lets others have it."""


Take = Callable[[Path], Lock | None]


class TableFolder:
    """`<tables>/<T>-<pk8>`, held by this program alone; a table keeps it when it goes on under another T."""

    def __init__(self, path: Path, take: Take, *, anew: bool) -> None:
        """Use `begin` or `reopen`. anew: the journal begins with entry 0, and secrets of an earlier one are gone."""
        self.path = path
        self.wires: tuple[bytes, ...] = ()
        self.secrets: dict[str, bytes] = {}
        self.same_boot = True  # the machine has not been started since the vote file was written
        self._ends: list[int] = []  # where each entry ends in the file
        self._missed: list[bytes] = []  # entries behind these that the disk refused
        self._torn = False  # more may be in the file than these
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = take(self.path / LOCK)
            if lock is None:
                raise UserError(f"Another program of yours is at this table already ({self.path}).")
            try:
                self._journal = os.open(self.path / JOURNAL, os.O_RDWR | os.O_CREAT | _BINARY, 0o600)
                try:
                    self._begin() if anew else self._read()
                except (OSError, UserError):
                    os.close(self._journal)
                    raise
            except (OSError, UserError):
                lock.release()
                raise
        except OSError as error:
            raise _unusable(self.path, error) from error
        self._lock = lock

    @classmethod
    def begin(cls, tables: Path, table: bytes, key: bytes, take: Take) -> TableFolder:
        """For a table that we come to; UserError where an earlier program of ours voted there: it can be reopened."""
        return cls(tables / folder_name(table, key), take, anew=True)

    @classmethod
    def reopen(cls, path: Path, take: Take) -> TableFolder:
        """The folder with what is in it, a torn last entry cut off."""
        return cls(path, take, anew=False)

    @property
    def whole(self) -> bool:
        """Whether the journal file holds all that was added to it."""
        return not self._missed and not self._torn

    def append(self, entries: Iterable[bytes]) -> None:
        """Adds the wires to the journal with write(2), behind those that it lacks.

        UserError (disk full, …) leaves the file as it was, and the next call writes them; that of none does, too.
        """
        self._missed += entries
        data = b"".join(len(wire).to_bytes(_LENGTH, "big") + wire for wire in self._missed)
        rest = memoryview(data)
        try:
            if self._torn:
                self._cut(self._length)
            while rest:
                rest = rest[os.write(self._journal, rest) :]
        except OSError as error:
            self._refused(error)
        for wire in self._missed:
            self._ends.append(self._length + _LENGTH + len(wire))
        self._missed.clear()

    def rewind(self, count: int) -> None:
        """Leaves the first so many entries in the journal."""
        del self._missed[max(0, count - len(self._ends)) :]
        del self._ends[count:]
        try:
            self._cut(self._length)
        except OSError as error:
            self._refused(error)

    def _refused(self, error: OSError) -> NoReturn:
        self._torn = True
        with suppress(OSError):
            self._cut(self._length)
        raise _unusable(self.path / JOURNAL, error) from error

    def keep(self, name: str, data: bytes) -> None:
        """Replaces the file `name` as a whole, fsynced and for the owner's eyes only; b"" removes it."""
        if not _NAME.fullmatch(name) or name in (JOURNAL, LOCK):
            raise ValueError(f"no name for a secret: {name!r}")
        file = self.path / name
        try:
            if data:
                self._write(name, data)
            else:
                file.unlink(missing_ok=True)
            if name == VOTES and data and not self.same_boot and self.whole:  # last: these know of the earlier start
                self._write(BOOT, boot())
                self.same_boot = True
            _sync(self.path)
        except OSError as error:
            raise _unusable(file, error) from error

    def doubt(self) -> None:
        """The journal lacks entries that were acknowledged: who reopens it counts as on a machine started anew."""
        self.keep(BOOT, b"")

    def trust(self) -> None:
        """The journal has them all by now; where the votes are of an earlier start, that goes on being doubted."""
        if self.same_boot:
            self.keep(BOOT, boot())

    def close(self) -> None:
        """Lets go of the folder and leaves it where it is."""
        os.close(self._journal)
        self._lock.release()

    def leave(self, keep: Keep) -> None:
        """Lets go of the folder, and deletes what is not to be kept."""
        self.close()
        if keep is Keep.ALL:
            return
        if keep is Keep.VOTES and (self.path / VOTES).exists():
            for file in self.path.iterdir():
                if file.name not in (VOTES, BOOT, LOCK):
                    file.unlink(missing_ok=True)
        else:
            shutil.rmtree(self.path, ignore_errors=True)

    # ---- opening

    def _begin(self) -> None:
        """Whatever an earlier program left but its votes is gone."""
        if (self.path / VOTES).exists():
            raise UserError(f"What an earlier program of yours voted at this table stands in {self.path}.")
        self._cut(0)
        for file in self.path.iterdir():
            if file.is_file() and file.name not in (JOURNAL, LOCK):
                file.unlink()
        self.keep(BOOT, boot())

    def _read(self) -> None:
        """Takes in what is there."""
        found: list[bytes] = []
        data = (self.path / JOURNAL).read_bytes()
        while (wire := _entry(data, self._length, len(found))) is not None:
            found.append(wire)
            self._ends.append(self._length + _LENGTH + len(wire))
        self._cut(self._length)
        self.wires = tuple(found)
        for file in self.path.iterdir():
            if file.is_file() and _NAME.fullmatch(file.name) and file.name not in (JOURNAL, LOCK):
                self.secrets[file.name] = file.read_bytes()
        self.same_boot = is_boot(self.secrets.pop(BOOT, b""))

    # ---- files

    @property
    def _length(self) -> int:
        return self._ends[-1] if self._ends else 0

    def _cut(self, length: int) -> None:
        os.ftruncate(self._journal, length)
        os.lseek(self._journal, length, os.SEEK_SET)
        self._torn = False

    def _write(self, name: str, data: bytes) -> None:
        fresh = self.path / f".{name}"
        fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, 0o600)
        with os.fdopen(fd, "wb") as target:
            target.write(data)
            target.flush()
            os.fsync(fd)
        fresh.replace(self.path / name)


def folder_name(table: bytes, key: bytes) -> str:
    """Of the folder of the table that began as `table`, for one of our keys."""
    return f"{table_text(table)}-{short(key)}"


def boot() -> bytes:
    """What tells this start of the machine from another: its id, or when it was, in unix seconds."""
    if _BOOT_ID.exists():
        return _BOOT_ID.read_bytes()
    return b"%d" % round(time.time() - time.monotonic())


def is_boot(mark: bytes) -> bool:
    """Whether the mark was made since the machine was started; False where that is not sure."""
    now = boot()
    if mark.isdigit() and now.isdigit():
        return abs(int(mark) - int(now)) <= CLOCK_SECONDS
    return mark == now


def _entry(data: bytes, at: int, place: int) -> bytes | None:
    """The entry that begins there, if it is whole and belongs into that place."""
    length = int.from_bytes(data[at : at + _LENGTH], "big")
    wire = data[at + _LENGTH : at + _LENGTH + length]
    if not 0 < length <= WIRE_BYTES or len(wire) < length:
        return None
    try:
        return wire if decode_wire(wire)[0].index == place else None
    except ProtocolError:
        return None


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
