"""The file of a join code, for tables that no one looks at: `--code-file` (protocol 5.3)."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from p2pcards.errors import UserError
from p2pcards.store.places import is_there, led_to
from p2pcards.wire.code import read_code

_LONGEST = 1000
"""Bytes; a longer file holds something else."""


def code_in(file: Path) -> str:
    """The code in the file, canonical; raises UserError where there is none."""
    text = _text(file)
    code = read_code(text)
    if code is None:
        raise UserError(f"{file} holds no join code: two words, like mango-tiger.", 2)
    return code


class CodeFile:
    """The host's file: the code that stands in it, and each later one. `trouble`: why the last one isn't in it."""

    def __init__(self, file: Path) -> None:
        """Raises UserError where no file can be made, or one is there that holds something else."""
        self._file = file
        self.trouble = ""
        self.code = ""
        try:
            self._place = led_to(file)  # a link stays one
            if is_there(file):
                if not file.is_file():
                    raise UserError(f"{file} is not a regular file: no code can be written to it.", 2)
                if file.stat().st_size:
                    self.code = code_in(file)
        except OSError as error:
            raise UserError(f"No code can be written to {file}: {error.strerror}.", 2) from error
        if not self._place.parent.is_dir() or not os.access(self._place.parent, os.W_OK):
            raise UserError(f"No code can be written to {file}: its folder can't be written to.", 2)

    def write(self, code: str) -> None:
        """Replaces the code, in a file that is its owner's alone; raises UserError where that can't be done."""
        file = self._place
        fresh = file.with_name(f".{file.name}.{os.getpid()}.new")
        try:
            fresh.unlink(missing_ok=True)
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
                out.write(f"{code}\n")
            fresh.replace(file)
            self.trouble = ""
        except OSError as error:
            self.trouble = f"The code could not be written to {self._file}: {error.strerror}."
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise UserError(self.trouble) from error


def _text(file: Path) -> str:
    try:
        with file.open("rb") as found:
            text = found.read(_LONGEST + 1)
    except OSError as error:
        raise UserError(f"The code in {file} can't be read: {error.strerror}.", 2) from error
    return text.decode("utf-8-sig", "replace") if len(text) <= _LONGEST else ""
