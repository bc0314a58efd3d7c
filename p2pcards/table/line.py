"""A guest's line to its host, and what is said over it and told beside it."""

from __future__ import annotations

from p2pcards.table.effects import LinkId
from p2pcards.table.notices import Notice
from p2pcards.wire.messages import Message


class Line:
    """link: None while there is none; welcomed: the host has let us in over it; host: key of its far end."""

    def __init__(self) -> None:
        self.link: LinkId | None = None
        self.host = b""
        self.welcomed = False
        self.outgoing: list[tuple[LinkId, Message]] = []
        self.notices: list[Notice] = []

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
