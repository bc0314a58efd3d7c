"""The guest and the host of one program, and everything that they want done, put together.

They talk by OWN_LINK, without a socket. Entries are those of the host while there is one: its own guest's are copies.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from p2pcards.table.effects import OWN_LINK, Effects, Input, LinkId, LinkUp, Received
from p2pcards.table.guest import Guest
from p2pcards.table.host import Host
from p2pcards.table.notices import Notice
from p2pcards.wire.entries import decode_wire
from p2pcards.wire.messages import Close, Message, Peers


class Pair:
    """key: ours. now: of the input that is being handled. closed: called with each link that one of the two ends."""

    def __init__(
        self, key: bytes, guest: Guest, host: Host | None, now: float, closed: Callable[[LinkId], object]
    ) -> None:
        self.key, self._closed = key, closed
        self.guest, self.host, self.now = guest, host, now
        self._queue: deque[tuple[bool, Input]] = deque()  # True: for the host
        self._reset()

    def _reset(self) -> None:
        self.secrets: list[tuple[str, bytes]] = []
        self.notices: list[Notice] = []
        self._entries: list[bytes] = []
        self._outgoing: list[tuple[LinkId, Message]] = []
        self._rewind: int | None = None
        self.told: Peers | None = None  # where the members are reached, by our own host's word

    # ---- in

    def to_host(self, happened: Input) -> None:
        """One input for the host, if there is one, and what follows from it."""
        if self.host is not None:
            self._queue.append((True, happened))
            self.run()

    def to_guest(self, happened: Input) -> None:
        """One input for the guest, and what follows from it."""
        self._queue.append((False, happened))
        self.run()

    def run(self) -> None:
        """Lets the two talk until neither has anything to say."""
        while self._queue:
            for_host, happened = self._queue.popleft()
            if not for_host:
                self.take_guest(self.guest.handle(happened, self.now))
            elif self.host is not None:
                self.take_host(self.host.handle(happened, self.now))

    def seat_own_guest(self) -> None:
        """The host has just begun: our own guest is its first."""
        self._queue.append((True, LinkUp(OWN_LINK, self.key)))
        self._queue.append((False, LinkUp(OWN_LINK, self.key)))
        self.run()

    def drop_host(self) -> None:
        """We are host no longer."""
        self.host = None
        self._queue.clear()

    # ---- out

    def take_host(self, effects: Effects) -> None:
        """What the host wants done."""
        self.secrets += effects.secrets
        self._entries += effects.entries
        self.notices += effects.notices
        for link, message in effects.outgoing:
            if link == OWN_LINK and isinstance(message, Peers):
                self.told = message
            elif link == OWN_LINK:
                self._queue.append((False, Received(OWN_LINK, message)))
            else:
                self.send(link, message)

    def take_guest(self, effects: Effects) -> None:
        """What the guest wants done."""
        self.secrets += effects.secrets
        self.notices += effects.notices
        if self.host is None:
            if effects.rewind is not None:
                self._entries = [wire for wire in self._entries if decode_wire(wire)[0].index < effects.rewind]
                self._rewind = effects.rewind if self._rewind is None else min(self._rewind, effects.rewind)
            self._entries += effects.entries
        for link, message in effects.outgoing:
            if link == OWN_LINK:
                self._queue.append((True, Received(OWN_LINK, message)))
            else:
                self.send(link, message)

    def send(self, link: LinkId, message: Message) -> None:
        """Says this to somebody else's program."""
        self._outgoing.append((link, message))
        if isinstance(message, Close):
            self._closed(link)

    def done(self, wake_at: float | None) -> Effects:
        """Everything since the last time, in one piece."""
        effects = Effects(
            tuple(self.secrets),
            tuple(self._entries),
            tuple(self._outgoing),
            tuple(self.notices),
            wake_at,
            self._rewind,
        )
        self._reset()
        return effects

    @property
    def wake_at(self) -> float | None:
        """When a clock of one of the two is due."""
        guest = self.guest.wake_at
        if self.host is None or self.host.closed:
            return guest
        host = self.host.wake_at
        return host if guest is None else min(host, guest)
