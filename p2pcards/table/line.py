"""A guest's line to its host, and what is said over it and told beside it."""

from __future__ import annotations

from p2pcards.table.effects import OWN_LINK, LinkId
from p2pcards.table.notices import LinkBack, LinkLost, Notice
from p2pcards.table.presence import BEAT
from p2pcards.wire.messages import Message

ASLEEP = 2 * BEAT
"""Who heard nothing for so long, with a host that says something every second, was not here meanwhile."""


class Line:
    """link: None while there is none; welcomed: the host has let us in over it; host: key of its far end.

    sync_to: the host's newest entry when it let us in; own: the host is in this same process; adopted: it was a link
    between members before; shown: a view came over it; up_at: since when it is there; heard: when the host last said
    something.
    """

    def __init__(self) -> None:
        self.link: LinkId | None = None
        self.host = b""
        self.welcomed = self.own = self.adopted = self.shown = False
        self.sync_to = 0
        self.up_at = self.heard = self._awake_at = 0.0
        self.outgoing: list[tuple[LinkId, Message]] = []
        self.notices: list[Notice] = []
        self._lost: bytes | None = None  # the host to whom we told that the line is lost

    def up(self, link: LinkId, host: bytes, now: float) -> None:
        """A link to the host, or to who may be it."""
        self.link, self.host, self.own = link, host, link == OWN_LINK
        self.adopted = self.shown = False
        self.up_at = self.heard = now

    def lost(self) -> None:
        """Tells that it is down, once: whom we try then, and lose again, is no news."""
        if self._lost is None:
            self._lost = self.host
            self.tell(LinkLost())

    def entered(self) -> None:
        """We hold what there is at the table: whatever line we lost on the way to it, the next loss is another."""
        self._lost = None

    def back(self) -> bool:
        """Tells that it is up again, where it was told that it is down; whether it was."""
        if self._lost is None:
            return False
        self.tell(LinkBack(another=self.host != self._lost))
        self._lost = None
        return True

    def hears(self, now: float) -> None:
        """The host says something."""
        if now > self.heard + ASLEEP:
            self._awake_at = now + BEAT  # until then we read what was said meanwhile
        self.heard = now

    @property
    def awake(self) -> bool:
        """Whether what we hear is said now, not while we slept."""
        return self.heard >= self._awake_at

    def synced(self, last: int) -> bool:
        """Whether a journal up to that entry is all that the host had when it let us in."""
        return last >= self.sync_to

    def send(self, message: Message) -> None:
        """Says this to the host; nothing happens without a link."""
        if self.link is not None:
            self.outgoing.append((self.link, message))

    def tell(self, *notices: Notice) -> None:
        """Tells our own screens."""
        self.notices += notices

    def empty(self) -> tuple[tuple[tuple[LinkId, Message], ...], tuple[Notice, ...]]:
        """What was said and told since the last time."""
        done = tuple(self.outgoing), tuple(self.notices)
        self.outgoing, self.notices = [], []
        return done
