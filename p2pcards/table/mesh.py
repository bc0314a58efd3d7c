"""The links between members, beside those to the host: who is there when the host is not (protocol 7.2, member links).

Every voter keeps a link to every other one from the moment it is seated, so that a new host needs no introductions.
Both ends may dial; of two links between the same two keys the one dialled by the smaller key stays. Who is no voter
has no such link: it is told where the host is, and goes.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto

from msgspec import MsgspecError, Struct, msgpack

from p2pcards.errors import ProtocolError
from p2pcards.table.effects import LinkId
from p2pcards.table.guest import Guest
from p2pcards.table.settings import NEEDS_LAB
from p2pcards.wire import messages
from p2pcards.wire.entries import head_signed
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.identity import verify
from p2pcards.wire.lab import proves_i
from p2pcards.wire.messages import Close, Hello, Method, Reason

KEEPALIVE_SECONDS = 5.0
"""Between two words on a member link (protocol 4.5)."""

DEAD_SECONDS = 15.0
"""A link that says nothing for so long is no link: a member's, or one without its first words."""


class Stage(Enum):
    """What a link is for."""

    NEW = auto()  # it came in, and has not said HELLO
    ASKED = auto()  # we dialled, said HELLO, and wait for the answer
    MEMBER = auto()  # between two voters
    TABLE = auto()  # our guest's to its host, or our host's to a guest


UP = (Stage.MEMBER, Stage.TABLE)
"""Those of a link whose first words were said."""


class Far(Struct):
    """The far end of one link. newest: (term, index) of what it last said to hold."""

    key: bytes
    session: bytes
    dialled: bool
    stage: Stage
    heard: float
    said: float
    newest: tuple[int, int] = (0, -1)


class Mesh:
    """Every link of this peer, and what is done on those between members. `send` takes a message for a link."""

    def __init__(self, key: bytes, guest: Guest, send: Callable[[LinkId, messages.Message], None]) -> None:
        self._key, self._guest, self._send = key, guest, send
        self.links: dict[LinkId, Far] = {}
        self.addresses: dict[bytes, tuple[bytes, ...]] = {}  # packed; of the members, as the host told them
        self.named: dict[bytes, bytes] = {}  # whom each member last named as the host
        self._hostless: dict[bytes, float] = {}  # whom we asked for the host, and when they said that there is none
        self.elsewhere: set[bytes] = set()  # members who went on as another table, and are not dialled any more

    def recall(self, data: bytes) -> None:
        """Where the members were reached, as a file of ours says; nothing where that says nothing."""
        with suppress(MsgspecError, ValueError):
            self.addresses |= dict(msgpack.decode(data, type=list[tuple[bytes, tuple[bytes, ...]]]))

    # ---- links

    def up(self, link: LinkId, key: bytes, session: bytes, dialled: bool, now: float) -> Far:
        """A handshake ended well."""
        if not dialled:
            self.elsewhere.discard(key)
        far = self.links[link] = Far(key, session, dialled, Stage.NEW, now, now)
        return far

    def down(self, link: LinkId) -> Far | None:
        """It is gone."""
        return self.links.pop(link, None)

    def has(self, key: bytes) -> bool:
        """Whether there is a link to that key, be it at its first words."""
        return any(far.key == key for far in self.links.values())

    def members(self) -> dict[bytes, LinkId]:
        """The member links, by key."""
        return {far.key: link for link, far in self.links.items() if far.stage is Stage.MEMBER}

    def to(self, key: bytes) -> LinkId | None:
        """A link to that key that is up, whatever it is for."""
        there = [link for link, far in self.links.items() if far.key == key and far.stage in UP]
        return there[-1] if there else None

    def linked(self) -> set[bytes]:
        """The voters that we have a link to."""
        return {far.key for far in self.links.values() if far.stage in UP}.intersection(self._guest.public.voters)

    def leads(self, key: bytes, host: bytes, now: float) -> None:
        """Whom we asked for the host names one, or none: who has no vote learns in this way alone who is there."""
        if any(host):
            self._hostless.clear()
        else:
            self._hostless[key] = now

    def hostless(self, now: float) -> set[bytes]:
        """The voters that said lately that there is no host."""
        late = {key for key, at in self._hostless.items() if now < at + DEAD_SECONDS}
        return late.intersection(self._guest.public.voters)

    def newest(self) -> dict[bytes, tuple[int, int]]:
        """Term and index of the newest entry that each of those said to hold."""
        voters = self._guest.public.voters
        return {far.key: far.newest for far in self.links.values() if far.stage in UP and far.key in voters}

    # ---- the first words

    def ask(self, link: LinkId) -> None:
        """Says our first word on a link that we dialled to a member."""
        self.links[link].stage = Stage.ASKED
        self._send(link, self._guest.hello(Method.MEMBER))

    def hello(self, link: LinkId, hello: Hello, info: messages.Info, hostless: bool, lab: bytes) -> bool:
        """Somebody's first word, while we are not the host; whether it is a member link now.

        info: what we tell who is none, unless the table is a lab's, and he shows nothing that our `lab` key proves.
        """
        far, books = self.links[link], self._guest.public
        if hello.method == Method.MEMBER and far.key in books.voters and self._key in books.voters:
            journal, host = books.journal, books.host if self._guest.welcomed else bytes(32)
            seat = books.seat_of(far.key)
            place = NO_SEAT if seat is None else seat
            self._send(
                link,
                messages.Welcome(
                    journal.table, books.term, host, place, books.door, journal.last, self._committed, b""
                ),
            )
            self._is_member(link)
            return True
        told = books.door not in NEEDS_LAB or books.is_here(far.key) or proves_i(lab, far.session, hello.proof)
        if not told:
            self.close(link, Close(Reason.NOT_A_MEMBER, "this table is for members of its lab"))
            return False
        self._send(link, info)
        if hello.method == Method.PROBE:
            self.close(link, Close(Reason.BYE, ""))
        elif hostless:
            self.close(link, Close(Reason.MEMBERS_ONLY, "this table has no host just now"))
        else:
            self.close(link, Close(Reason.NOT_THE_HOST, "another program is this table's host"))
        return False

    def welcomed(self, link: LinkId, message: messages.Welcome) -> None:
        """The member that we dialled lets us in."""
        far = self.links[link]
        if far.stage is not Stage.ASKED:
            raise ProtocolError("a WELCOME that nobody asked for")
        far.newest = (message.term, message.last)
        self._is_member(link)

    def _is_member(self, link: LinkId) -> None:
        """Of two links between the same two keys one stays."""
        far = self.links[link]
        far.stage = Stage.MEMBER
        for other, twin in list(self.links.items()):
            if other != link and twin.key == far.key and twin.stage is Stage.MEMBER:
                by_us = self._key < far.key  # then the one that we dialled stays
                worse = other if far.dialled is by_us or twin.dialled is far.dialled else link
                self.close(worse, Close(Reason.SUPERSEDED, ""))
        if link in self.links:
            self.keepalive(link)

    @property
    def _committed(self) -> int:
        return max(0, self._guest.committed)

    # ---- words between members

    def keepalive(self, link: LinkId) -> None:
        """Says what we hold, signed by its host: whoever holds something else under that number has been lied to."""
        journal = self._guest.journal
        if len(journal):
            last = journal.last
            term = journal.entries[last].term
            self._send(link, messages.Keepalive(journal.table_at(last), term, last, journal.head, journal.hostsig))

    def lie(self, message: messages.Keepalive) -> bytes | None:
        """Our own wire in the place that a member speaks of, where one host has signed two for it (T16)."""
        journal, index = self._guest.journal, message.index
        if index >= len(journal) or journal.saw(index, message.head) or journal.term_at(index) != message.term:
            return None
        host = self._guest.public.host_at(index)
        signed = head_signed(journal.table_at(index), message.term, index, message.head)
        return journal.wires[index] if host and verify(host, message.hostsig, signed) else None

    def tick(self, now: float) -> list[LinkId]:
        """Keeps the member links alive; gives those that are dead."""
        dead = []
        for link, far in self.links.items():
            if far.stage is Stage.MEMBER:
                if now >= far.heard + DEAD_SECONDS:
                    dead.append(link)
                elif now >= far.said + KEEPALIVE_SECONDS:
                    far.said = now
                    self.keepalive(link)
            elif far.stage is not Stage.TABLE and now >= far.heard + DEAD_SECONDS:
                dead.append(link)
        return dead

    @property
    def wake_at(self) -> float | None:
        """When to call `tick`."""
        times: list[float] = []
        for far in self.links.values():
            if far.stage is Stage.MEMBER:
                times += far.said + KEEPALIVE_SECONDS, far.heard + DEAD_SECONDS
            elif far.stage is not Stage.TABLE:
                times.append(far.heard + DEAD_SECONDS)
        return min(times, default=None)

    def close(self, link: LinkId, last: Close) -> None:
        """Ends a link with these last words."""
        if self.links.pop(link, None) is not None:
            self._send(link, last)
