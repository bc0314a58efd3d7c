"""The deals of an arena in a file, a JSON line each, so that it can go on where it stopped.

The first line says which arena it is, and the deals follow in the order of their numbers. Each line is written at once
and in one piece: a program that is ended, however that is, leaves whole lines, and at most the beginning of another.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from p2pcards import __version__
from p2pcards.bots.arena import Played
from p2pcards.errors import UserError
from p2pcards.wire.text import clean


class Heading(Struct, frozen=True, forbid_unknown_fields=True):
    """All that the deals hang on. rules: which version of them; think_ms: None where no bot takes its time.

    programs: of the bots that are programs, by their command lines, what tells their text from another.
    """

    arena: str
    options: dict[str, Any]
    seats: tuple[str, ...]
    seed: str
    think_ms: float | None
    rules: int
    programs: dict[str, str] = {}
    p2pcards: str = __version__


class _Deal(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    deal: int
    shares: tuple[float, ...]
    points: tuple[float, ...]
    defaults: tuple[int, ...] = ()


_CALLED = {
    "arena": "game",
    "seats": "row of bots",
    "rules": "version of the rules",
    "think_ms": "time to think in ms",
    "p2pcards": "version of p2pcards",
}
"""What people call it, where that is another word."""


class ArenaFile:
    """The file, open for one arena. `played`: the deals that were in it, from the first one on."""

    def __init__(self, file: Path, heading: Heading) -> None:
        """Opens or makes it; raises UserError, and changes nothing, where it is anything else or can't be written."""
        self._file = _opened(file)
        file = self._path = Path(_shown(file))
        try:
            _lock(self._file, file)
            data = self._file.readall()
            first = msgspec.json.encode(heading) + b"\n"
            self.played = [] if first.startswith(data) and first != data else _deals(data, heading, file)
            self._end = data.rfind(b"\n") + 1
            if self._end < len(data):
                self._file.truncate(self._end)
            self._file.seek(self._end)
            if not self._end:
                self._write(first)
        except OSError as error:
            self._file.close()
            raise UserError(f"{file} can't be read: {error.strerror}.", 2) from error
        except UserError:
            self._file.close()
            raise

    def add(self, deal: Played) -> None:
        """Writes the next deal; raises UserError where that can't be done, and then only whole lines are there."""
        self._write(msgspec.json.encode(_Deal(len(self.played), deal.shares, deal.points, deal.defaults)) + b"\n")
        self.played.append(deal)

    def close(self) -> None:
        """Others may have it."""
        self._file.close()

    def _write(self, line: bytes) -> None:
        try:
            rest = line
            while rest:
                rest = rest[self._file.write(rest) :]
            self._end += len(line)
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._end)
            raise UserError(f"{self._path} can't be written: {error.strerror}.") from error


def _shown(file: Path) -> str:
    """Its name, which need not be text."""
    return "".join(char if char.isprintable() else "?" for char in str(file))


def _opened(file: Path) -> FileIO:
    try:
        if file.exists() and not file.is_file():
            raise UserError(f"{_shown(file)} is no file that deals can be kept in.", 2)
        try:
            return FileIO(file, "r+b")
        except FileNotFoundError:
            return FileIO(file, "x+b")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "that is no name of a file"
        raise UserError(f"{_shown(file)} can't be written: {why}.", 2) from error


def _lock(opened: FileIO, file: Path) -> None:
    """For as long as it is open; where the system or the file's disk has no such locks, it does without."""
    if sys.platform == "win32":
        return
    import fcntl

    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UserError(f"Another arena is writing to {file} now.", 2) from error
    except OSError:
        return


def _deals(data: bytes, heading: Heading, file: Path) -> list[Played]:
    """The deals of whole lines; raises UserError where they are not those of this arena."""
    first, *lines = data.split(b"\n")
    try:
        found = msgspec.json.decode(first, type=Heading)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"{file} is no file of an arena; nothing was changed in it.", 2) from error
    if found != heading:
        raise UserError(f"{file} is of another arena: {_difference(found, heading)}; nothing was changed in it.", 2)
    played = []
    for number, line in enumerate(lines[:-1]):
        try:
            deal = msgspec.json.decode(line, type=_Deal)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            deal = _Deal(-1, (), ())
        seats = len(heading.seats)
        sizes = {len(deal.shares), len(deal.points), len(deal.defaults) or seats}
        if deal.deal != number or sizes != {seats}:
            raise UserError(f"Line {number + 2} of {file} is not deal {number}; nothing was changed in it.", 2)
        played.append(Played(deal.shares, deal.points, deal.defaults))
    return played


_SHOWN = 100
"""Characters of another file that a sentence shows."""


def _difference(found: Heading, wanted: Heading) -> str:
    """The first thing in which they differ."""
    for name in ("arena", "seats", "options", "seed", "think_ms", "rules", "p2pcards"):
        theirs, ours = getattr(found, name), getattr(wanted, name)
        if theirs != ours:
            break
    else:
        either = {**found.programs, **wanted.programs}
        changed = next(bot for bot in either if found.programs.get(bot) != wanted.programs.get(bot))
        return f"the bot {clean(changed, _SHOWN)} has been changed since"
    if name == "options":
        name = next(key for key in (*ours, *theirs) if theirs.get(key) != ours.get(key))
        theirs, ours = theirs.get(name), ours.get(name)
    return f"its {clean(_CALLED.get(name, name), _SHOWN)} is {clean(_text(theirs), _SHOWN)}, not {_text(ours)}"


def _text(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return ", ".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value).lower() if isinstance(value, bool) else str(value)
