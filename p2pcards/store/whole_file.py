"""A file that somebody asked for, written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from p2pcards.errors import UserError
from p2pcards.store.places import led_to


def refuse_existing(file: Path) -> None:
    """Raises UserError where there is such a file."""
    if os.path.lexists(file):
        raise UserError(f"{file} is there already; --force writes over it.")


def refuse_nowhere(file: Path) -> None:
    """Raises UserError, of a wrong call, where there is no folder for it: before what shall stand in it is made."""
    if not os.path.isdir(file.parent):  # noqa: PTH112 - Path.is_dir raises for names that can't be
        raise UserError(f"{file} can't be written: there is no folder {file.parent}.", 2)


def write_whole(file: Path, text: str, *, force: bool) -> None:
    """Puts the text there, in place of what is there if `force`; raises UserError where that can't be, and then
    nothing has changed. Of a link what it leads to is replaced; a device or a pipe never is."""
    try:
        if not force:
            refuse_existing(file)
        whole = led_to(file)
        if file.exists() and not file.is_file():
            raise UserError(f"{file} is {'a folder' if file.is_dir() else 'a device or a pipe, and no file'}.")
        fresh = whole.with_name(f".p2pcards.{os.getpid()}.new")
        try:
            with fresh.open("x", encoding="utf-8", newline="\n") as opened:
                opened.write(text)
            fresh.replace(whole)
        except BaseException:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UserError(f"{file} can't be written: {error.strerror}.") from error
