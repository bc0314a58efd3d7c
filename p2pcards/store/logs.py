"""The log file: what the program did, for finding faults. Never the screen, never a secret.

Messages carry names and numbers. Whatever may hold key bytes or cards (bytes, structs) is logged by its kind and size
alone, so that a careless line can't put a secret on the disk.
"""

from __future__ import annotations

import logging
import re
import traceback
from pathlib import Path
from typing import Any

from p2pcards.errors import UserError
from p2pcards.store.folders import NAME, Folders, private
from p2pcards.store.lock import Lock

WORDS = 300
"""Characters of what an exception says."""

_SECRET = re.compile(
    r"\bb'(?:[^'\\]|\\.)*'?|\bb\"(?:[^\"\\]|\\.)*\"?"  # bytes
    r"|(?<!\w)(?:(?:[A1-9TJQK]|10)[CDHS♣♦♥♠]|[CDHS♣♦♥♠](?:10|[A1-9TJQK]))(?!\w)"  # a card
    r"|(?<!\w)(?:(?:10|[1-9])[cdhs]|[cdhs](?:10|[1-9]))(?!\w)"  # as somebody types it
    r"|[(\[{]\d+(?:, \d+)*,?[)\]}]|\b\d+ (?=is not in )"  # cards as numbers
    r"|\b[0-9a-f]{16,}\b"  # a key
    r"|\b\w+\(\w+=.*"  # a struct, and whatever stands behind it
)

_AFTER_WORDS = re.compile(r"[\n(<{:]")

MOST_OWN = 999
"""Programs without a profile that may write to logs of one name at once."""

LIMIT = 1_000_000
"""Bytes of one file; one older file is kept beside it."""


def log_path(folders: Folders, name: str) -> Path:
    """The log file `name`; it need not exist."""
    return folders.logs / f"{name}.log"


def start_log(folders: Folders, name: str) -> Path:
    """Sends all log records of this process to the file `name`.log and returns its path.

    A program that plays takes the name of its profile: one holds it at a time, so no two write to one file.
    """
    from logging.handlers import RotatingFileHandler  # not needed for the first picture

    private(folders.logs)
    file = log_path(folders, name)
    handler = RotatingFileHandler(file, maxBytes=LIMIT, backupCount=1, encoding="utf-8", delay=True)
    handler.name = NAME
    handler.setFormatter(_Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    handler.addFilter(mask)
    logging.raiseExceptions = False  # a full disk must not write tracebacks over the screen
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.WARNING)  # libraries: what they see on the wire is of no use here
    return file


def start_own_log(folders: Folders, name: str) -> Path:
    """Like `start_log`, for programs without a profile: of several that run at once the second writes to `name`-2.log.

    The file is this process's until it ends. UserError where none can be had.
    """
    for number in range(1, MOST_OWN + 1):
        own = f"{name}-{number}" if number > 1 else name
        if Lock.take(private(folders.locks) / f"log-{own}.lock"):  # never released
            return start_log(folders, own)
    raise UserError(f"Too many programs of yours write to files like {log_path(folders, name)}.")


def log_file() -> Path | None:
    """The file that `start_log` opened; None before."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logging.FileHandler) and handler.name == NAME:
            return Path(handler.baseFilename)
    return None


class _Formatter(logging.Formatter):
    """Where an exception came from, and its words without what may be cards, keys or whole states."""

    def format(self, record: logging.LogRecord) -> str:
        record.exc_text = None  # another handler's, with everything in it
        return super().format(record)

    def formatException(self, ei: Any) -> str:
        lines, error = [], ei[1]
        seen: set[int] = set()
        while error is not None and id(error) not in seen:
            seen.add(id(error))
            trace = "".join(traceback.format_tb(error.__traceback__))
            lines.append(f"Traceback (most recent call last):\n{trace}{type(error).__qualname__}: {_told(error)}")
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\nwhich came of\n".join(lines)


def _told(error: BaseException) -> str:
    """The words of an exception."""
    if isinstance(error, OSError):
        return str(error)
    told = " ".join(one if isinstance(one, str) else f"<{type(one).__name__}>" for one in error.args)
    return _SECRET.sub("<…>", told)[:WORDS]


def mask(record: logging.LogRecord) -> bool:
    """Puts kind and size in the place of arguments that may hold secrets; lets every record pass.

    Of what asyncio says by itself the first words stay: behind them stand calls and tasks with their arguments.
    """
    if record.name == "asyncio":
        record.msg, record.args = _AFTER_WORDS.split(record.getMessage(), maxsplit=1)[0], None
    elif isinstance(record.args, tuple):
        record.args = tuple(_masked(each) for each in record.args)
    elif isinstance(record.args, dict):
        record.args = {key: _masked(each) for key, each in record.args.items()}
    return True


def _masked(value: object) -> object:
    if isinstance(value, bytes | bytearray | memoryview):
        return f"<{len(value)} bytes>"
    if hasattr(value, "__struct_fields__"):
        return f"<{type(value).__name__}>"
    if isinstance(value, tuple | list | set | frozenset | dict):
        return f"<{type(value).__name__} of {len(value)}>"
    return value
