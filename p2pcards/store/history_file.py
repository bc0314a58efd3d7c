"""The file of the history: opened for reading or for writing, its form brought up to date, its troubles in words.

SQLite, with a write-ahead log where the file lies on a disk of this machine. Where other machines see it too there is
none: they would not share the memory that one needs. A file that is damaged, of another program or of a later version
is never written to.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from p2pcards.errors import UserError
from p2pcards.store.folders import Folders, is_remote, private
from p2pcards.store.places import is_there

PATIENCE = 5.0
"""Seconds to wait for another program that is writing."""

APPLICATION = 0x50325043
"""What stands in the head of the file, so that nothing is taken for a history that is none."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE match (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            key BLOB NOT NULL UNIQUE,
            date TEXT NOT NULL,
            game TEXT NOT NULL,
            title TEXT NOT NULL,
            table_id TEXT NOT NULL,
            rounds INTEGER NOT NULL,
            over INTEGER NOT NULL,
            takers TEXT NOT NULL,
            endings TEXT NOT NULL
        )""",
        "CREATE INDEX match_by_date ON match (date, number)",
        """CREATE TABLE part (
            match INTEGER,
            place INTEGER,
            digest BLOB NOT NULL,
            text BLOB NOT NULL,
            PRIMARY KEY (match, place)
        )""",
    ),
    (
        "CREATE TABLE ladder (game TEXT PRIMARY KEY, told TEXT NOT NULL)",
        """CREATE TRIGGER forget_ladder AFTER DELETE ON match BEGIN
            DELETE FROM ladder WHERE game = old.game;
        END""",
    ),
)
"""What each version of the form adds to the one before. takers, endings: JSON of table.results; part 0 is the head of
the record, every other one a round; digest: of its text, which is compressed (zlib). told: JSON of a
store.rating.Ladder, which can be made again from the matches, and knows nobody whose matches are forgotten."""

_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_HELD = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


@contextmanager
def writing(
    own: Folders, *, remote: Callable[[Path], bool] = is_remote, patience: float = PATIENCE
) -> Iterator[sqlite3.Connection]:
    """The history within one transaction, made where there is none: all of it is done and on the disk, or nothing.

    Raises UserError where it can't be written; then nothing is.
    """
    private(own.data)
    with _in_words(own.history, "written"):
        if not is_there(own.history):
            own.history.touch(mode=0o600)
        connection = sqlite3.connect(own.history, timeout=patience, isolation_level=None)
        try:
            fresh = _version(connection, own.history) == 0
            if fresh:
                connection.execute("PRAGMA auto_vacuum = FULL")
            wanted = "delete" if remote(own.data) else "wal"
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != wanted:
                with suppress(sqlite3.OperationalError):  # another program is at it: the next one changes it
                    connection.execute(f"PRAGMA journal_mode = {wanted}")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN IMMEDIATE")
            with connection:  # commits, or takes everything back
                _migrate(connection, own.history)
                yield connection
        finally:
            connection.close()


@contextmanager
def reading(own: Folders) -> Iterator[sqlite3.Connection | None]:
    """The history as it is now, None where there is none; raises UserError where it can't be read."""
    file = own.history
    with _in_words(file, "read"):
        if not is_there(file):
            yield None
            return
        connection = _opened(file)
        try:
            version = _version(connection, file)
            if 0 < version < len(MIGRATIONS):
                connection.close()
                with writing(own):
                    pass
                connection = _opened(file)
            yield connection if version else None
        finally:
            connection.close()


def _opened(file: Path) -> sqlite3.Connection:
    """For reading, even where nothing can be written beside it.

    What a program left half done when it died must be taken back first, by who may write; and never is a file read
    past those that write to it, for its pages may be of two times.
    """
    uri = file.resolve().as_uri()
    for mode in ("ro", "rw"):
        connection = sqlite3.connect(f"{uri}?mode={mode}", timeout=PATIENCE, uri=True)
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema")
        except sqlite3.OperationalError as error:
            connection.close()
            if _code(error) in _HELD:
                raise
            trouble = error
        except BaseException:
            connection.close()
            raise
        else:
            return connection
    beside = [file.with_name(f"{file.name}-{end}") for end in ("wal", "journal")]
    if any(one.exists() and one.stat().st_size for one in beside):
        raise trouble
    return sqlite3.connect(f"{uri}?immutable=1", uri=True)


def _version(connection: sqlite3.Connection, file: Path) -> int:
    """Which form the file has, 0 for one that is empty; UserError where it is none that we know."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION:
        if version or application or connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            raise UserError(f"{file} is no history of p2pcards, so it is left as it is: move it away.")
        return 0
    if version > len(MIGRATIONS):
        raise UserError(
            f"The history {file} is of a later version of p2pcards, so it is left as it is: update this one."
        )
    return version


def _migrate(connection: sqlite3.Connection, file: Path) -> None:
    version = _version(connection, file)  # another program may have done it meanwhile
    for steps in MIGRATIONS[version:]:
        for step in steps:
            connection.execute(step)
    if version < len(MIGRATIONS):
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


@contextmanager
def _in_words(file: Path, done: str) -> Iterator[None]:
    """What SQLite finds wrong, as a UserError. done: what was to be done with the file."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise UserError(_sentence(file, done, error)) from error
    except (zlib.error, UnicodeDecodeError, msgspec.DecodeError) as error:
        raise UserError(_damaged(file)) from error
    except OSError as error:
        raise UserError(f"The history {file} can't be {done}: {error.strerror}.") from error


def _sentence(file: Path, done: str, error: sqlite3.DatabaseError) -> str:
    code = _code(error)
    if code in _DAMAGED:
        return _damaged(file)
    if code in _HELD:
        return f"The history {file} can't be {done}: another program holds it."
    if code == sqlite3.SQLITE_FULL:
        return f"The history {file} can't be {done}: no space is left."
    if code == sqlite3.SQLITE_READONLY or (code == sqlite3.SQLITE_CANTOPEN and not os.access(file.parent, os.W_OK)):
        return f"The history {file} can't be {done}: it may only be read."
    return f"The history {file} can't be {done}: {error}."


def _code(error: sqlite3.DatabaseError) -> int:
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF  # the rest says more closely what it is


def _damaged(file: Path) -> str:
    return f"The history {file} is damaged, so it is left as it is: move it away, and another one is begun."
