"""Folders of tables as programs leave them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from p2pcards.games.registry import GAMES
from p2pcards.net.files import TableFolder
from p2pcards.store.lock import Lock
from p2pcards.table.journal import Journal
from p2pcards.wire.entries import Entry, EntryFlag, EntryKind, Genesis, OptionsPub, Pub, encode_pub
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.identity import Identity

ANA = Identity(b"a" * 32)


def wires(title: str = "lab", game: str = "tongits", more: int = 2) -> tuple[bytes, ...]:
    """The first entries of a table of ANA's, each of them whole and signed."""
    journal = Journal()
    genesis = Genesis(ANA.key, title, game, GAMES[game].rules, b"r" * 32)
    pubs: list[tuple[EntryKind, Pub]] = [
        (EntryKind.GENESIS, genesis),
        *[(EntryKind.OPTIONS, OptionsPub("open", (), ()))] * more,
    ]
    for kind, pub in pubs:
        place = len(journal), journal.head
        entry = Entry(kind, EntryFlag(0), NO_SEAT, 1, 0, *place, 0, encode_pub(pub))
        journal.append(entry, ANA.sign)
    return tuple(journal.wires)


def table_of(entries: Sequence[bytes]) -> bytes:
    """T."""
    journal = Journal()
    journal.accept(entries[0], ANA.key)
    return journal.table


def left(tables: Path, entries: Sequence[bytes], key: bytes = ANA.key, **secrets: bytes) -> Path:
    """The folder of a table whose program was killed."""
    folder = TableFolder.begin(tables, table_of(entries), key, Lock.take)
    folder.append(entries)
    for name, data in secrets.items():
        folder.keep(name, data)
    folder.close()
    return folder.path
