"""What each connection is sent of the table: the journal, then what is for its own eyes (protocol 4.7, 6.7).

Everything comes in the order in which it makes sense: entries, the share of the open round's secret, what others found
in the last one, and only then the view of the newest entry with the cards that are new in it.
"""

from __future__ import annotations

from p2pcards.table.effects import LinkId
from p2pcards.table.lease import Lease
from p2pcards.table.leaves import Opening, opened
from p2pcards.table.outbox import Outbox
from p2pcards.table.pen import Pen
from p2pcards.table.play import Play
from p2pcards.table.presence import Connection, Presence
from p2pcards.table.round import HostRound
from p2pcards.table.verdicts import Relay
from p2pcards.wire.messages import Entries, Share, View

BATCH = 15 * 1024
"""Bytes of entries in one message, so that it stays within 16 KiB (protocol 4.5)."""

UNDER_WAY = 128 * 1024
"""Bytes of entries that a guest is sent ahead of what it has acknowledged: half of what waits for a slow reader."""


class Courier:
    """Brings every guest up to date."""

    def __init__(self, pen: Pen, play: Play, presence: Presence, lease: Lease, verdicts: Relay, out: Outbox) -> None:
        self._pen, self._play, self._presence, self._lease = pen, play, presence, lease
        self._verdicts, self._out = verdicts, out

    def publish(self) -> None:
        """Sends what each guest lacks, a long journal piece by piece, then its own view of the newest entry."""
        journal = self._pen.journal
        for link, there in self._presence.welcomed():
            if there.sent is not None and there.sent < len(journal):
                there.sent = self._send_on(link, there, there.sent)
            if there.sent != len(journal):
                continue
            self._share(link, there)
            for said in self._verdicts.due(there):
                self._out.send(link, said)
            if self._play.round and there.viewed < journal.last:
                self._show(link, there, self._play.round)

    def _send_on(self, link: LinkId, there: Connection, sent: int) -> int:
        """Sends entries from `sent` on, so many that not too much is under way; gives the first that is left."""
        wires = self._pen.journal.wires
        under_way = sum(map(len, wires[there.acked + 1 : sent]))
        while sent < len(wires) and under_way < UNDER_WAY:
            some = batch(wires, sent)
            under_way += sum(map(len, some))
            sent += len(some)
            self._out.send(link, Entries(self._lease.commit, some))
        return sent

    def _show(self, link: LinkId, there: Connection, current: HostRound) -> None:
        """The newest entry's view, and the cards in it that this connection was not shown in this round."""
        books = self._pen.public
        seat, newest = books.seat_of(there.key), self._pen.journal.last
        if books.round and there.viewed < books.round.opened_at:
            there.opened = 0
        shown: tuple[Opening, ...] = ()
        if seat is not None:
            leaves = current.fold.leaves
            shown = opened(current.fold, self._play.dealer.secret, leaves.held(seat, there.opened))
            there.opened = len(leaves.of(seat))
        there.viewed = newest
        view = books.rules.encode_view(current.fold.view(seat))
        self._out.send(link, View(newest, view, shown))

    def _share(self, link: LinkId, there: Connection) -> None:
        """A holder's share of the open round's secret, once on each connection."""
        held = self._play.dealer.share_of(there.key)
        if held and there.shared != held[0]:
            there.shared, there.shared_at = held[0], self._lease.newest
            self._out.send(link, Share(*held))


def batch(wires: list[bytes], start: int) -> tuple[bytes, ...]:
    """As many wires from `start` on as go into one message, one at least."""
    end, room = start, BATCH
    while end < len(wires) and (end == start or len(wires[end]) <= room):
        room -= len(wires[end])
        end += 1
    return tuple(wires[start:end])
