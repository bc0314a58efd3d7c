"""While a game goes on its course, nothing changes about who is host: then nobody looks, until something may have.

Theory of operation. After an input a peer lets election, fork, hand-over and member links look at everything anew (a
drive). What comes of that is a function of the books, the links, what others said of terms and forks, and the time
against the clocks that it wound. So behind a drive another one moves nothing as long as

- we have a host, our own one being active, and nobody hands over, or has asked us to go on as another table;
- what came in is not for any of these, but goes between a host and its guests, or one program and its person;
- behind the journal as it was there are acts of a round alone, by which no voter, seat, term or table changes;
- host and links are the same ones, no later term has been heard of, and no clock is due.

    stood = lull.stands           # before a drive
    lull.begins(stood)            # behind it
    lull.lasts(happened)          # behind an input: whether another drive would move nothing
"""

from __future__ import annotations

import math

from p2pcards.table.acts import ACTS
from p2pcards.table.effects import BotChose, Chose, Input, Received, Spoke, Wanted, Woke
from p2pcards.table.election import Election
from p2pcards.table.forking import Forking
from p2pcards.table.mesh import Mesh
from p2pcards.table.pair import Pair
from p2pcards.table.parting import Parting
from p2pcards.table.reign import Reign
from p2pcards.wire import messages

TICK = 1.0
"""We look at the clocks of the election so often at least."""

_COURSE = frozenset(
    {
        Woke,
        BotChose,
        Chose,
        Wanted,
        Spoke,
        messages.Ack,
        messages.Act,
        messages.Audit,
        messages.Chat,
        messages.Clock,
        messages.Entries,
        messages.Heartbeat,
        messages.Held,
        messages.Ready,
        messages.Refused,
        messages.Standing,
        messages.View,
        messages.Want,
    }
)
"""With these a game goes on its course: beside the journal, the links and the newest term, no drive hangs on them."""

Stands = tuple[tuple[object, ...], int, bytes]
"""Host and links; index and head of the journal's newest entry."""


class Lull:
    """One peer's. next: when the first of the clocks that the newest drive wound is due."""

    def __init__(
        self, pair: Pair, mesh: Mesh, election: Election, forking: Forking, reign: Reign, parting: Parting
    ) -> None:
        self._pair, self._mesh, self._election = pair, mesh, election
        self._forking, self._reign, self._parting = forking, reign, parting
        self._on = False
        self._until, self.next = pair.now, math.inf
        self._stood = self.stands

    @property
    def stands(self) -> Stands:
        """What a drive looks at, and may move."""
        journal = self._pair.guest.journal
        return self._links, journal.last, journal.head

    @property
    def _links(self) -> tuple[object, ...]:
        return self._pair.host, self._pair.guest.host_link, len(self._mesh.links)

    def begins(self, stood: Stands) -> None:
        """A drive is done. stood: how things stood before it."""
        guest, host, now = self._pair.guest, self._pair.host, self._pair.now
        led = guest.proven and (host is None or host.active(now)) and self._election.hears_host(now)
        self._stood = self.stands
        self._on = stood == self._stood and led and guest.public.handover is None and not self._forking.asked
        rooms = self._election.wake_at, self._mesh.wake_at, self._forking.wake_at
        waits = self._parting.by, self._reign.take_at, self._reign.share_at
        self.next = min([at for at in (*rooms, *waits) if at is not None], default=math.inf)
        self._until = min(self.next, now + TICK)

    def lasts(self, happened: Input) -> bool:
        """Whether a drive would move nothing again, as the newest one did."""
        pair, (links, index, head) = self._pair, self._stood
        journal, host = pair.guest.journal, pair.host
        if not self._on or pair.now >= self._until or not _is_of_course(happened):
            return False
        if links != self._links or self._election.raised or not journal.saw(index, head):
            return False
        if journal.last > index and any(entry.kind not in ACTS for entry in journal.entries[index + 1 :]):
            return False
        if host is not None:
            if host.stopped or not host.active(pair.now):
                return False
            self._reign.heard()
        self._stood = links, journal.last, journal.head
        return True


def _is_of_course(happened: Input) -> bool:
    return type(happened.message if isinstance(happened, Received) else happened) in _COURSE
