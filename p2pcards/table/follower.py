"""How a peer takes the journal in, whoever sends it: at its end, beside what it holds, or over to another line.

Every entry is signed by the host of its term, so it may come from anybody. Entries at the end are taken as they come.
One that differs from what stands here begins a branch: the line of a host that was certified over an earlier entry than
our newest. Nothing is given up for it before the branch shows a later term than ours, begun as the books demand; and
what was committed is given up for nothing at all. Two entries of one term in one place are proof that their host lies.
"""

from __future__ import annotations

from msgspec import Struct

from p2pcards.errors import ProtocolError
from p2pcards.table.certificates import BEGINS, ELECTS, host_of
from p2pcards.table.notices import RolledBack
from p2pcards.table.public import Public
from p2pcards.table.reader import Reader
from p2pcards.wire.entries import Entry, EntryKind, Pub, decode_wire
from p2pcards.wire.envelope import Envelope


class TwoHeads(ProtocolError):
    """One host signed two entries for one place: `proof`, both wires, the first behind its length (u32)."""

    def __init__(self, index: int, ours: bytes, theirs: bytes) -> None:
        super().__init__(f"the host tells two histories from entry {index} on")
        self.proof = len(ours).to_bytes(4, "big") + ours + theirs


class Elsewhere(ProtocolError):
    """Others went on as another table, from before what was committed here: that one is not ours."""


class Taken(Struct):
    """What came of some wires. gap: what lies before one of them is missing; ask from `Follower.ask_from`."""

    entries: list[tuple[Entry, Pub | Envelope]] = []
    rolled: RolledBack | None = None
    gap: bool = False


class Follower:
    """One peer's way through the journal of its table."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._branch: list[tuple[Entry, bytes]] = []  # entries and wires of another line than ours
        self._from = 0  # index of the first of them
        self._books = reader.public  # those of that line

    @property
    def ask_from(self) -> int:
        """The first entry that may be another one elsewhere."""
        return self._reader.committed + 1

    def take(self, wires: tuple[bytes, ...], now: float, gaps: bool = False) -> Taken:
        """Takes wires in, in order; raises ProtocolError where they can't be, TwoHeads where they prove a lie.

        gaps: they may follow what we lack. Otherwise only a term's beginning may: whoever hosts shows that to anybody.
        """
        taken = Taken()
        journal = self._reader.journal
        for wire in wires:
            entry, _ = decode_wire(wire)
            if self._branch and entry.index == self._from + len(self._branch):
                self._follow(entry, wire)
                self._change_over(entry, taken, now)
                continue
            self._branch = []
            lacking = gaps and entry.index > len(journal)
            if lacking or (entry.kind in BEGINS and self._branches_before(entry)):
                taken.gap = True
                break
            if entry.index < len(journal):
                if journal.wires[entry.index] != wire:
                    self._differs(entry, wire)
                    self._change_over(entry, taken, now)
            else:
                taken.entries.append((entry, self._reader.take(entry, wire, now)))
        return taken

    def _branches_before(self, entry: Entry) -> bool:
        """Whether it follows an entry that we lack, or have another one in place of."""
        journal = self._reader.journal
        return entry.index > len(journal) or (entry.index > 0 and entry.prev != journal.heads[entry.index - 1])

    def _differs(self, entry: Entry, wire: bytes) -> None:
        """Another entry than ours: a lie of its host, or the beginning of another line."""
        journal, index = self._reader.journal, entry.index
        if entry.prev != journal.entries[index].prev:
            raise ProtocolError(f"entry {index} does not follow entry {index - 1}")
        if entry.term == journal.entries[index].term:
            before = Public.of(journal.copy(index))
            host = host_of(entry, before)
            before.journal.take(entry, wire, host)  # or it is nobody's word
            if host != self._reader.public.host_at(index):
                if EntryKind.FORK in (entry.kind, journal.entries[index].kind):
                    raise Elsewhere("a table that went on without us")
                raise ProtocolError(f"entry {index} of another host than that of its term")
            raise TwoHeads(index, journal.wires[index], wire)
        # of two, each commits what the other does not see: who went on by himself is followed; who watches has no say
        voters, forked = self._reader.public.voters, entry.kind is EntryKind.FORK
        few = len(voters) < ELECTS or self._reader.key not in voters
        if index <= self._reader.committed and not (few and forked):
            ours_forked = journal.table != journal.table_at(index - 1)
            stale = entry.term < journal.entries[index].term  # of a host before, who went on by himself from there
            if forked or ours_forked or stale:
                raise Elsewhere("a table that went on without us")
            raise ProtocolError(f"a history without entry {self._reader.committed}, which was committed")
        self._branch, self._from, self._books = [], index, Public.of(journal.copy(index))
        self._follow(entry, wire)

    def _follow(self, entry: Entry, wire: bytes) -> None:
        """One more entry of the branch: what is not signed, or not possible, is not kept until it may be of use."""
        self._books.journal.take(entry, wire, host_of(entry, self._books))
        self._books.fold(entry)
        self._branch.append((entry, wire))

    def _change_over(self, newest: Entry, taken: Taken, now: float) -> None:
        """Follows the branch, if it has come to a later term than ours."""
        journal = self._reader.journal
        if newest.kind not in BEGINS or newest.term <= journal.entries[-1].term:
            return
        branch, self._branch = self._branch, []
        taken.rolled = self._reader.rewind(self._from)
        taken.entries += [(entry, self._reader.take(entry, wire, now)) for entry, wire in branch]
