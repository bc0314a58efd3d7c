"""The journal of a table: a hash chain of entries that its host signs (protocol 6.2).

Whoever holds the newest head holds all of history: each entry names the head before it, each act names the head its
player had seen, and every head carries the host's signature. So nobody can slip a move in, take one out or put one
elsewhere without a signature of his own standing under two different heads. The host appends; everybody else accepts.

A FORK gives the journal another T: from that entry on heads and signatures are under the new one, so nothing that was
signed at the old table can be passed off at the new one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from p2pcards.errors import ProtocolError
from p2pcards.wire.entries import (
    Entry,
    EntryKind,
    Fork,
    decode_pub,
    decode_wire,
    encode_entry,
    head,
    head_signed,
    table_id,
)
from p2pcards.wire.identity import verify

NO_HEAD = bytes(32)
"""`prev` of the first entry."""


JOURNAL_BYTES = 64 * 1024 * 1024
"""The longest journal; at this length the match ends after the round, and nobody new comes in (protocol 4.5)."""

ROUND_BYTES = 8 * 1024 * 1024
"""What a last round, and the good-byes after it, may add to that."""


class Journal:
    """Entries from index 0, their wire bytes and their heads.

    last: index of the newest entry; -1 while there is none. head: its head; zeros while there is none. table: T as it
    is now; empty while there is no entry.
    """

    def __init__(self) -> None:
        self.last, self.head, self.table = -1, NO_HEAD, b""
        self.entries: list[Entry] = []
        self.wires: list[bytes] = []
        self.heads: list[bytes] = []
        self._starts: list[int] = []  # where each T begins
        self._tables: list[bytes] = []
        self._bytes = 0

    def __len__(self) -> int:
        return len(self.entries)

    def table_at(self, index: int) -> bytes:
        """The T that entry `index` stands under; empty where there is no entry."""
        place = bisect_right(self._starts, index)
        return self._tables[place - 1] if 0 <= index < len(self.entries) and place else b""

    def term_at(self, index: int) -> int:
        """The term of entry `index`; 0 where there is none."""
        return self.entries[index].term if 0 <= index < len(self.entries) else 0

    @property
    def full(self) -> bool:
        """Whether it has room for no further round."""
        return self._bytes >= JOURNAL_BYTES

    @property
    def hostsig(self) -> bytes:
        """The host's signature under the newest head."""
        return self.wires[-1][-64:]

    def append(self, entry: Entry, sign: Callable[[bytes], bytes]) -> bytes:
        """Chains, signs and keeps an entry of our own; gives its wire bytes."""
        body = encode_entry(entry)
        table = self._table_of(entry)
        digest = head(table, body)
        wire = body + sign(head_signed(table, entry.term, entry.index, digest))
        self._keep(table, entry, wire, digest)
        return wire

    def accept(self, wire: bytes, host: bytes) -> Entry:
        """Checks and keeps an entry that the host with that key sent; raises ProtocolError when it doesn't fit here."""
        entry, _ = decode_wire(wire)
        self.take(entry, wire, host)
        return entry

    def take(self, entry: Entry, wire: bytes, host: bytes) -> None:
        """`accept`, where the wire is decoded already."""
        if entry.index != len(self.entries) or entry.prev != self.head:
            raise ProtocolError(f"entry {entry.index} does not follow entry {self.last}")
        if (entry.index == 0) != (entry.kind is EntryKind.GENESIS):
            raise ProtocolError("a genesis entry stands first and nowhere else")
        if self._bytes + len(wire) > JOURNAL_BYTES + ROUND_BYTES:
            raise ProtocolError("a journal without an end")
        table = self._table_of(entry)
        digest = head(table, wire[:-64])
        if not verify(host, wire[-64:], head_signed(table, entry.term, entry.index, digest)):
            raise ProtocolError(f"entry {entry.index} is not signed by the host")
        self._keep(table, entry, wire, digest)

    def saw(self, index: int, digest: bytes) -> bool:
        """Whether `digest` is the head of entry `index` here."""
        return 0 <= index < len(self.heads) and self.heads[index] == digest

    def truncate(self, length: int) -> None:
        """Forgets every entry from index `length` on."""
        self._bytes -= sum(map(len, self.wires[length:]))
        for kept in (self.entries, self.wires, self.heads):
            del kept[length:]
        while self._starts and self._starts[-1] >= length:
            self._starts.pop()
            self._tables.pop()
        self.last, self.head = len(self.heads) - 1, self.heads[-1] if self.heads else NO_HEAD
        self.table = self._tables[-1] if self._tables else b""

    def copy(self, length: int | None = None) -> Journal:
        """Another journal with the same entries, or with the first so many of them."""
        other = Journal()
        other.entries, other.wires, other.heads = self.entries[:], self.wires[:], self.heads[:]
        other._starts, other._tables, other._bytes = self._starts[:], self._tables[:], self._bytes
        other.truncate(len(self) if length is None else length)
        return other

    def _table_of(self, entry: Entry) -> bytes:
        """The T that an entry in the next place stands under."""
        if entry.kind is EntryKind.GENESIS:
            return table_id(entry.pub)
        if entry.kind is EntryKind.FORK:
            pub = decode_pub(entry.kind, entry.pub)
            if isinstance(pub, Fork):
                return pub.fresh
        return self.table

    def _keep(self, table: bytes, entry: Entry, wire: bytes, digest: bytes) -> None:
        if table != self.table:
            self._starts.append(len(self.entries))
            self._tables.append(table)
        self.last, self.head, self.table = self.last + 1, digest, table
        self._bytes += len(wire)
        self.entries.append(entry)
        self.wires.append(wire)
        self.heads.append(digest)
