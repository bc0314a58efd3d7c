"""The first steps of a host whose table has been another's, or was on its disk (protocol 7.6).

Its journal says everything but what the open round hides: that comes from the host before, from its own disk or from
the shares of those who hold them. Until then, and until enough voters follow it, it writes nothing.
"""

from __future__ import annotations

from p2pcards.games.match import Match
from p2pcards.table.effects import OWN_LINK
from p2pcards.table.lease import Lease
from p2pcards.table.outbox import Outbox
from p2pcards.table.pen import Pen
from p2pcards.table.play import Play
from p2pcards.table.presence import Presence
from p2pcards.table.recovery import Recovery
from p2pcards.wire.messages import Secret, Share


class TakeOver:
    """One take-over. start: index of the entry that the holders must have before they are asked."""

    def __init__(
        self, pen: Pen, play: Play, presence: Presence, lease: Lease, out: Outbox, *, match: Match, start: int
    ) -> None:
        self._pen, self._play, self._presence, self._lease, self._out = pen, play, presence, lease, out
        self._match, self._start = match, start
        self._asked = set[tuple[int, bytes]]()  # link and key
        books = pen.public
        seconds = float(books.setting("grace_seconds"))
        self._recovery = Recovery(books, pen.now, seconds) if books.round and not books.round.lost else None
        self.done = False

    def take_secret(self, secret: bytes) -> None:
        """R, from the host before us or from our own disk."""
        current = self._pen.public.round
        if self._recovery and current and secret and not self.done:
            self._recovery.take_secret(Secret(current.first_epoch, secret))

    def take(self, key: bytes, share: Share) -> None:
        """A holder's share, our own too."""
        if self._recovery and not self.done:
            self._recovery.take(key, share)

    def look(self) -> None:
        """Asks whom it can, and goes on with the table when there is all that it takes."""
        recovery = self._recovery
        if self.done:
            return
        if recovery:
            self._ask(recovery)
            if not self._lease.active(self._pen.now):
                recovery.wait_anew(self._pen.now)
            recovery.look(self._pen.now)
            for notice in recovery.notices:
                self._out.tell(notice)
            recovery.notices.clear()
            if not recovery.secret and not recovery.expired(self._pen.now):
                return
        if self._lease.active(self._pen.now) and not self._pen.shut:
            self.done = True
            self._play.take_up(recovery.secret if recovery else b"", self._match, self._pen.now)

    def _ask(self, recovery: Recovery) -> None:
        """Each holder, and who dealt, once on each link, as soon as it has said that it holds the certificate."""
        books = self._pen.public
        dealer = books.host_at(books.open_round.opened_at)
        for link, there in self._presence.welcomed():
            asked = (int(link), there.key)
            if (
                link != OWN_LINK
                and (recovery.wants(there.key) or there.key == dealer)
                and asked not in self._asked
                and self._lease.holds(there.key, self._start)
            ):
                self._asked.add(asked)
                self._out.send(link, recovery.ask)

    @property
    def wake_at(self) -> float | None:
        """When there is something to say, or nobody is waited for any more."""
        return self._recovery.wake_at if self._recovery and not self.done else None
