"""A file that somebody asked for, written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from p2pcards.errors import UserError


def refuse_existing(file: Path) -> None:
    """Raises UserError where there is such a file."""
    if os.path.lexists(file):
        raise UserError(f"{file} is there already; --force writes over it.")


def write_whole(file: Path, text: str, *, force: bool) -> None:
    """Puts the text there, in place of what is there if `force`; raises UserError where that can't be, and then
    nothing has changed."""
    if file.is_dir():
        raise UserError(f"{file} is a folder.")
    if not force:
        refuse_existing(file)
    fresh = file.with_name(f".{file.name}.{os.getpid()}.new")
    try:
        fresh.write_text(text, encoding="utf-8", newline="\n")
        fresh.replace(file)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise UserError(f"{file} can't be written: {error.strerror}.") from error
