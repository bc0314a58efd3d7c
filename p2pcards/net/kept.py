"""The tables that a program of ours was at when it ended: what `resume` finds on this machine (protocol 6.9).

    found = kept(tables, Lock.take)              # the newest first; a table where a program still sits is none of them
    one = chosen(found, "lab")                   # a title or its beginning, `~` and the start of an id, "": the newest

A folder that was not written to for DAYS is deleted on the way: its table is long over, or has gone on without us.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from p2pcards.errors import ProtocolError, UserError
from p2pcards.net.files import JOURNAL, LOCK, VOTES, Take
from p2pcards.wire.entries import WIRE_BYTES, EntryKind, Fork, Genesis, decode_pub, decode_wire, table_id
from p2pcards.wire.text import clean_title, table_text

DAYS = 7
"""So long a table is kept that nobody comes back to."""

MOST_NAMED = 6
"""Tables named in a sentence."""

_FOLDER = re.compile(r"([a-z2-7]{26})-([0-9a-f]{8})")
_DAY = 24 * 3600.0


class Found(Struct, frozen=True):
    """One table. key8: of our key there, as in names of folders; written: unix seconds of the last entry."""

    path: Path
    tables: tuple[bytes, ...]  # T, and what it has become since
    key8: str
    title: str
    game: str
    written: float

    @property
    def table(self) -> bytes:
        """T as it is now."""
        return self.tables[-1]


def kept(tables: Path, take: Take) -> list[Found]:
    """Every table to resume here."""
    found = []
    for path in tables.iterdir() if tables.is_dir() else ():
        match = _FOLDER.fullmatch(path.name)
        if match is None or not (written := _written(path)) or _is_held(path, take):
            continue
        if time.time() - written > DAYS * _DAY:
            shutil.rmtree(path, ignore_errors=True)
            continue
        try:
            found.append(_read(path, match[2], written))
        except (OSError, ProtocolError, ValueError):
            continue  # a table that we had hardly come to
    return sorted(found, key=lambda one: -one.written)


def voted(tables: Path, table: bytes, key8: str, take: Take) -> Path | None:
    """The folder of this key at that table, if an earlier program left it there; none while one holds it."""
    every = kept(tables, take)
    known = next((one.path for one in every if table in one.tables and one.key8 == key8), None)
    if known is not None:
        return known
    left = tables / f"{table_text(table)}-{key8}"  # its journal is gone, for it was left; its votes are not
    return left if (left / VOTES).exists() and not _is_held(left, take) else None


def chosen(found: Iterable[Found], wanted: str) -> Found | None:
    """The one that is meant; UserError (exit 2) where it could be several."""
    every = list(found)
    if not wanted:
        return every[0] if every else None
    if wanted.startswith("~"):
        named = [one for one in every if table_text(one.table).startswith(wanted[1:].lower())]
    else:
        lower = wanted.lower()
        named = [one for one in every if one.title.lower().startswith(lower)]
        named = [one for one in named if one.title.lower() == lower] or named
    if len({one.table for one in named}) > 1:
        raise UserError(_several(named), 2)
    return named[0] if named else None


def _several(found: Sequence[Found]) -> str:
    names = ", ".join(f"{one.title} (~{table_text(one.table)[:6]})" for one in found[:MOST_NAMED])
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return f"Several tables could be meant: {names}{more}."


def _written(path: Path) -> float:
    """When the table's journal was last written to, else its folder; 0 where it is none."""
    for file in (path / JOURNAL, path):
        try:
            return file.stat().st_mtime
        except OSError:
            continue
    return 0.0


def _is_held(path: Path, take: Take) -> bool:
    """Whether a running program is at that table."""
    try:
        lock = take(path / LOCK)
    except UserError:
        return True
    if lock is not None:
        lock.release()
    return lock is None


def _read(path: Path, key8: str, written: float) -> Found:
    """What the journal says of the table; raises where there is none."""
    tables: list[bytes] = []
    title = game = ""
    with (path / JOURNAL).open("rb") as journal:
        while 0 < (length := int.from_bytes(journal.read(4), "big")) <= WIRE_BYTES:
            wire = journal.read(length)
            kind = wire[1] if len(wire) == length > 1 else 0
            if kind not in (EntryKind.GENESIS, EntryKind.FORK):
                if not title:
                    break
                continue
            entry, _ = decode_wire(wire)
            match decode_pub(entry.kind, entry.pub):
                case Genesis() as genesis:
                    tables.append(table_id(entry.pub))
                    title, game = clean_title(genesis.title), genesis.game
                case Fork() as fork:
                    tables.append(fork.fresh)
    if not title:
        raise ValueError("no table")
    return Found(path, tuple(tables), key8, title, game, written)
