"""What a host has to say: messages to its links and notices to its own program, each in the order of saying."""

from __future__ import annotations

from p2pcards.table.effects import LinkId
from p2pcards.table.notices import Notice
from p2pcards.wire.messages import Message, Refused

DETAIL_CHARS = 300
"""The longest detail of a refusal (`wire.fields.Text`)."""


class Outbox:
    """Collects them until the shell takes them away."""

    def __init__(self) -> None:
        self._messages: list[tuple[LinkId, Message]] = []
        self._notices: list[Notice] = []

    def send(self, link: LinkId, message: Message) -> None:
        """A message to one link."""
        self._messages.append((link, message))

    def refuse(self, link: LinkId, n: int, code: str, *detail: str) -> None:
        """Tells a link that something can't be had. n: of the act, 0 for anything else."""
        self.send(link, Refused(n, code, " ".join(detail)[:DETAIL_CHARS]))

    def tell(self, notice: Notice) -> None:
        """A notice to the host's own program."""
        self._notices.append(notice)

    def empty(self) -> tuple[tuple[tuple[LinkId, Message], ...], tuple[Notice, ...]]:
        """All messages and all notices; nothing is left."""
        taken = tuple(self._messages), tuple(self._notices)
        self._messages, self._notices = [], []
        return taken
