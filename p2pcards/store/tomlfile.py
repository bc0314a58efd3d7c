"""A TOML file that several programs of one user read and write.

Whoever changes it takes a lock, reads the file anew and replaces it as a whole, so that a reader finds the old file or
the new one, and nobody's change is lost. The lock is this machine's (protocol 6.9); where the folder lies on a file
server, another machine may write at the same moment, so a file that is no longer the one that was read is read again
before it is replaced. A file that can't be read is never written to. What another version of the program put into it
is kept; comments are not.
"""

from __future__ import annotations

import logging
import os
import platform
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from p2pcards.errors import UserError
from p2pcards.store.folders import private
from p2pcards.store.lock import Lock
from p2pcards.store.places import led_to

TRIES, PAUSE = 100, 0.02
"""How often, and after how many seconds, another program's lock is tried again."""

Tables = dict[str, Any]
"""A TOML file as read."""

_log = logging.getLogger(__name__)

T = TypeVar("T")
_State = tuple[int, int, int]


class _Read(NamedTuple, Generic[T]):
    """The file as it was read or written; state None: there was none."""

    state: _State | None
    tables: Tables
    value: T


class TomlFile(Generic[T]):
    """One such file, its owner's alone.

    path: where it lies; it need not exist. head: comment at its top. what: what it holds, for sentences: "presets".
    understood: the value that the program takes from it; raises ValueError where the file holds something else.
    """

    def __init__(self, file: Path, locks: Path, head: str, what: str, understood: Callable[[Tables], T]) -> None:
        self.path, self._lock = file, locks / f"{file.stem}.lock"
        self._head, self._what, self._understood = head, what, understood
        self._last: _Read[T] | None = None
        self._spoiled = False

    def load(self) -> T:
        """What is in it, nothing where there is none; read again only when the file has changed. Not to be changed."""
        try:
            state = _state(self.path.stat())
        except FileNotFoundError:
            state = None
        except OSError as error:
            raise UserError(f"{self.path} can't be read: {error.strerror}.") from error
        if self._last is not None and self._last.state == state:
            return self._last.value
        try:
            return self._read().value
        except OSError as error:
            raise UserError(f"{self.path} can't be read: {error.strerror}.") from error

    def held(self) -> T:
        """Like `load`, but of a file that was spoiled meanwhile what was read before; the log says so, once."""
        try:
            value = self.load()
        except UserError as error:
            if self._last is None:
                raise
            if not self._spoiled:
                _log.warning("%s", error)
            self._spoiled = True
            return self._last.value
        self._spoiled = False
        return value

    def change(self, change: Callable[[Tables], None]) -> T:
        """Lets `change` alter what is in the file and writes it; raises UserError, and writes nothing, if that fails.

        `change` may run more than once, each time on what was read anew.
        """
        try:
            private(self.path.parent)
            with self._locked():
                for _ in range(TRIES):
                    read = self._read()
                    tables = _copy(read.tables)
                    change(tables)
                    if self._replace(tables, read.state):
                        break
                    time.sleep(PAUSE)
                else:
                    raise UserError(f"Another machine goes on writing {self.path}: try again.")
        except OSError as error:
            raise UserError(f"{self.path} can't be written: {error.strerror}.") from error
        return self.load()

    def _read(self) -> _Read[T]:
        """The file as it is now: opening it asks the file server, where `stat` may tell what was a while ago."""
        try:
            state, tables = None, {}
            with suppress(FileNotFoundError), self.path.open("rb") as found:
                state = _state(os.fstat(found.fileno()))
                if self._last is not None and self._last.state == state:
                    return self._last
                tables = tomllib.loads(found.read().decode("utf-8"))
            self._last = _Read(state, tables, self._understood(tables))
        except (ValueError, RecursionError) as error:  # bad TOML, bad UTF-8, or something else in it
            raise UserError(
                f"{self.path} can't be read as {self._what} ({error}): mend it, or move it away."
            ) from error
        return self._last

    @contextmanager
    def _locked(self) -> Iterator[None]:
        private(self._lock.parent)
        for _ in range(TRIES):
            lock = Lock.take(self._lock)
            if lock is not None:
                break
            time.sleep(PAUSE)
        else:
            raise UserError(f"Another program of yours is writing the {self._what}: try again.")
        try:
            yield
        finally:
            lock.release()

    def _replace(self, tables: Tables, read: _State | None) -> bool:
        """Puts the tables in the file's place; False, and nothing done, where it isn't the one that was `read`."""
        import tomli_w  # only who writes pays

        file = led_to(self.path)  # a link stays one
        fresh = file.with_name(f".{file.name}.{platform.node()}.{os.getpid()}.new")
        try:
            fresh.unlink(missing_ok=True)
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
                out.write((self._head + tomli_w.dumps(tables)).encode())
                out.flush()
                os.fsync(out.fileno())
                written = _Read(_state(os.fstat(out.fileno())), tables, self._understood(tables))
            if self._now() != read:
                return False
            fresh.replace(file)
            self._last = written
        finally:
            fresh.unlink(missing_ok=True)
        return True

    def _now(self) -> _State | None:
        try:
            with self.path.open("rb") as found:
                return _state(os.fstat(found.fileno()))
        except FileNotFoundError:
            return None


def _copy(value: Any) -> Any:
    """The same tables and arrays anew; what is in them is never altered."""
    if isinstance(value, dict):
        return {key: _copy(each) for key, each in value.items()}
    return [_copy(each) for each in value] if isinstance(value, list) else value


def _state(found: os.stat_result) -> _State:
    return found.st_mtime_ns, found.st_size, found.st_ino
