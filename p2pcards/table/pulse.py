"""When the host says that it is there, and what it says: the heartbeat, every second and when others wait for it."""

from __future__ import annotations

from p2pcards.table.lease import Lease
from p2pcards.table.outbox import Outbox
from p2pcards.table.pen import Pen
from p2pcards.table.presence import BEAT, Presence
from p2pcards.wire.entries import EntryKind
from p2pcards.wire.messages import Heartbeat

ASLEEP = 2.0
"""Two inputs so far apart, with a machine that wakes every BEAT, mean that it slept (protocol 7.1)."""

_AWAITED = frozenset(
    {
        EntryKind.ROSTER,
        EntryKind.KICK,
        EntryKind.ROUND_END,
        EntryKind.DISCLOSE,
        EntryKind.MATCH_END,
        EntryKind.TERM_START,
        EntryKind.HANDOVER,
        EntryKind.FORK,
    }
)
"""Kinds whose commit somebody waits for: it is told at once."""


class Pulse:
    """One host's heartbeat."""

    def __init__(self, pen: Pen, presence: Presence, lease: Lease, out: Outbox) -> None:
        self._pen, self._presence, self._lease, self._out = pen, presence, lease, out
        self._looked: float | None = None
        self._told = 0  # the commit index that was told last
        self._voters: tuple[bytes, ...] = ()  # those that a heartbeat was sent to
        self.at = 0.0  # of the next one

    def wakes(self) -> None:
        """Something happened. Whoever slept can't know what the others made of it."""
        now = self._pen.now
        if self._looked is not None and now - self._looked > ASLEEP:
            self.slept()
        self._looked = now

    def slept(self) -> None:
        """This machine stood still: nothing counts but what is answered from now on."""
        self._lease.drop()
        self.at = self._pen.now

    def look(self) -> None:
        """Sends one where it is time, or where others wait for what it says."""
        now = self._pen.now
        if now >= self.at:
            self.at = max(self.at + BEAT, now)
        elif self._voters == self._pen.public.voters and not self._is_awaited():
            return
        self.beat()

    def _is_awaited(self) -> bool:
        fresh = self._pen.journal.entries[self._told + 1 : self._lease.commit + 1]
        return any(entry.kind in _AWAITED for entry in fresh)

    def beat(self) -> None:
        """Sends one to everybody."""
        journal, books = self._pen.journal, self._pen.public
        self._told, self._voters = self._lease.commit, books.voters
        number = self._lease.beat(self._pen.now)
        message = Heartbeat(
            books.table, books.term, journal.last, journal.head, self._lease.commit, number, journal.hostsig
        )
        for link, _ in self._presence.welcomed():
            self._out.send(link, message)
