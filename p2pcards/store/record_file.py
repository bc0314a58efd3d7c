"""The files of records: those that `--record` and `--log` name, and those that are read."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from p2pcards.errors import UserError
from p2pcards.store.places import is_there, led_to
from p2pcards.store.whole_file import refuse_nowhere

SUFFIX = ".p2pcards.toml"

LONGEST = 256 * 1024 * 1024
"""Bytes of a record: twice what the longest journal makes of it."""

_STREAMS = ("/dev/", "/proc/")
"""Where the pipes are that a shell has set up: there somebody writes."""


def read_record(file: str) -> bytes:
    """What stands in the file; OSError also for what has no end, or may never have a beginning."""
    if Path(file).is_fifo() and not file.startswith(_STREAMS):
        raise OSError(errno.ESPIPE, "it is a pipe")
    with Path(file).open("rb") as opened:
        data = opened.read(LONGEST + 1)
    if len(data) > LONGEST:
        raise OSError(errno.EFBIG, "it is longer than any record")
    return data


def shown_name(file: str) -> str:
    """The name of a file, which need not be text."""
    return "".join(char if char.isprintable() else "?" for char in file) or '""'


def open_text(file: Path) -> TextIO:
    """The file, emptied and open for writing; raises UserError, of a wrong call, where that can't be done."""
    refuse_nowhere(file)
    try:
        return file.open("w", encoding="utf-8")
    except OSError as error:
        raise UserError(f"{file} can't be written: {error.strerror}.", 2) from error


class RecordFile:
    """The match so far, replaced as a whole with every round; a second match goes to NAME-2, and so on."""

    def __init__(self, file: Path) -> None:
        """Raises UserError, of a wrong call, where no file can be made there."""
        self._file = file
        self._matches = 0
        self.trouble = ""
        refuse_nowhere(file)
        try:
            self._place(file)
        except OSError as error:
            raise UserError(f"No record can be written to {file}: {error.strerror}.", 2) from error

    def begin(self) -> None:
        """Another match."""
        self._matches += 1

    def write(self, text: str) -> None:
        """Replaces the file of this match; what goes wrong stands in `trouble`, and the game goes on."""
        file = self._file if self._matches < 2 else self._numbered()
        try:
            place = self._place(file)
            fresh = place.with_name(f".{place.name}.new")
            try:
                fresh.write_text(text, encoding="utf-8", newline="\n")
                fresh.replace(place)
            except OSError:
                with suppress(OSError):
                    fresh.unlink(missing_ok=True)
                raise
            self.trouble = ""
        except OSError as error:
            self.trouble = f"The record {file} could not be written: {error.strerror}."

    @staticmethod
    def _place(file: Path) -> Path:
        """Where the file is made: a link stays one, and a folder, a device or a pipe is never replaced (OSError)."""
        place = led_to(file)
        if place.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if is_there(place) and not place.is_file():
            raise OSError(errno.EINVAL, "it is a device or a pipe, and no file")
        if not place.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if not os.access(place.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return place

    def _numbered(self) -> Path:
        name = self._file.name
        ending = SUFFIX if name.endswith(SUFFIX) else self._file.suffix
        return self._file.with_name(f"{name.removesuffix(ending)}-{self._matches}{ending}")
