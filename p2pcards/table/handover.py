"""A host hands its table over to another voter, because it goes or because its person wants it so (protocol 7.6).

HANDOVER is the last entry of the term: behind it the host writes and accepts nothing, in no case, so that nobody is
told anything that the successor does not know of. When it is committed the successor is told so, and what the open
round hides; everything else it has.
"""

from __future__ import annotations

from p2pcards.errors import UserError
from p2pcards.table.effects import LinkId
from p2pcards.table.guest import DEAD
from p2pcards.table.lease import Lease
from p2pcards.table.outbox import Outbox
from p2pcards.table.pen import Pen
from p2pcards.table.play import Play
from p2pcards.table.presence import Connection, Presence
from p2pcards.table.rank import ranked
from p2pcards.wire.entries import EntryKind, Handover
from p2pcards.wire.messages import Secret


class HandOver:
    """One host's. successor: whom it has named, once HANDOVER stands; done: whether that one has all it needs."""

    def __init__(self, pen: Pen, play: Play, presence: Presence, lease: Lease, out: Outbox) -> None:
        self._pen, self._play, self._presence, self._lease, self._out = pen, play, presence, lease, out
        self.successor = b""
        self.done = False
        self._index, self._since = 0, 0.0

    def order(self, nick: str) -> None:
        """Names a successor: that one, or for "" the first in rank. UserError where there is none to be named."""
        books = self._pen.public
        able = [key for key in ranked(books, without=(books.host,)) if self._is_able(key)]
        if self._pen.rests:
            raise UserError("The table stands still: it can't be handed over now.")
        if not able:
            raise UserError("Nobody is here who could take the table over.")
        named = [key for key in able if nick.lower() in ("", books.nick_of(key).lower())]
        if not named:
            others = ", ".join(books.nick_of(key) for key in able)
            raise UserError(f"{nick} can't take the table over; who can: {others}.")
        self.successor = named[0]
        self._index = self._pen.write(EntryKind.HANDOVER, Handover(named[0], books.term + 1))
        self._since = self._pen.now

    def _is_able(self, key: bytes) -> bool:
        return self._pen.public.votes(key) and any(_follows(there) for _, there in self._presence.of(key))

    def look(self) -> bool:
        """Whether the successor is to be told now that the entry is committed; `tell` must follow that."""
        if not self.successor or self.done:
            return False
        few = len(self._pen.public.voters) <= 2
        held = self._lease.holds(self.successor, self._index) if few else self._lease.commit >= self._index
        return held and not self.is_late

    def tell(self) -> None:
        """Gives the successor what the round hides."""
        self.done = True
        current = self._pen.public.round
        for link in self._links():
            if current and self._play.dealer.secret:
                self._out.send(link, Secret(current.first_epoch, self._play.dealer.secret))

    @property
    def is_late(self) -> bool:
        """Whether it was not committed in time: then the host is silent, and the others elect."""
        return bool(self.successor) and not self.done and self._pen.now >= self._since + DEAD

    @property
    def wake_at(self) -> float | None:
        """When it is too late."""
        return self._since + DEAD if self.successor and not self.done and not self.is_late else None

    def _links(self) -> list[LinkId]:
        return [link for link, there in self._presence.of(self.successor) if not there.silent]


def _follows(there: Connection) -> bool:
    """Whether it keeps its votes, and holds the table's journal, or is about to."""
    return there.vote_file is True and there.sent is not None and not there.silent
