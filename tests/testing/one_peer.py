"""One program at a table of `tests.testing.peers`: a peer, or a script that holds its key and its links."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from p2pcards.table.effects import BotChose, Effects, Input, LinkDown, LinkId, Received
from p2pcards.table.notices import BotTurn, Notice
from p2pcards.table.peer import Peer
from p2pcards.wire.envelope import ActKind, Envelope, LeaveReason, encode_envelope, pack_leave
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.messages import Act, Close, Message, decode, encode
from tests.testing.cluster import identity

if TYPE_CHECKING:
    from tests.testing.peers import Lan

N = TypeVar("N", bound=Notice)
M = TypeVar("M", bound=Message)


class Program:
    """One program: a peer, or (`peer` is None) a script that holds its key and its links."""

    def __init__(self, lan: Lan, name: str, peer: Peer | None) -> None:
        self.lan, self.name, self.peer, self.identity = lan, name, peer, identity(name)
        self.links: dict[LinkId, tuple[Program, LinkId]] = {}
        self.alive = True
        self.journal: list[bytes] = []
        self.secrets: dict[str, bytes] = {}
        self.kept: list[tuple[str, bytes]] = []  # every secret that was ever written
        self.notices: list[Notice] = []
        self.received: list[tuple[str, Message]] = []  # from whom
        self.sent: list[tuple[str, Message]] = []  # to whom
        self.wake_at: float | None = None
        self.dialled: dict[bytes, float] = {}

    @property
    def the(self) -> Peer:
        """Its peer."""
        assert self.peer is not None
        return self.peer

    def told(self, kind: type[N]) -> list[N]:
        """Every notice of that kind so far."""
        return [notice for notice in self.notices if isinstance(notice, kind)]

    def heard(self, kind: type[M], *names: str) -> list[M]:
        """Every message of that kind so far, from those."""
        said = (message for name, message in self.received if not names or name in names)
        return [message for message in said if isinstance(message, kind)]

    def said(self, kind: type[M], *names: str) -> list[M]:
        """Every message of that kind that it sent to those."""
        said = (message for name, message in self.sent if not names or name in names)
        return [message for message in said if isinstance(message, kind)]

    def link_to(self, name: str) -> LinkId:
        """Its newest link to that program."""
        return [link for link, (far, _) in self.links.items() if far.name == name][-1]

    def has_link_to(self, name: str) -> bool:
        """Whether there is one."""
        return any(far.name == name for far, _ in self.links.values())

    # ---- inputs

    def feed(self, happened: Input) -> None:
        """Something happened."""
        if not self.alive:
            return
        if self.peer is not None:
            self.carry(self.peer.handle(happened, self.lan.now))
        elif isinstance(happened, Received):
            self.received.append((self.links[happened.link][0].name, happened.message))
        self._forget(happened)

    def _forget(self, happened: Input) -> None:
        if isinstance(happened, LinkDown) or (isinstance(happened, Received) and isinstance(happened.message, Close)):
            self.links.pop(happened.link, None)

    def order(self, *words: str) -> None:
        """The host's keyboard."""
        self.carry(self.the.order(words, self.lan.now))
        self.lan.settle()

    def carry(self, effects: Effects) -> None:
        """Does what the peer wants done."""
        if effects.rewind is not None:
            del self.journal[effects.rewind :]
        self.journal += effects.entries
        self.kept += effects.secrets
        self.secrets |= dict(effects.secrets)
        self.notices += effects.notices
        self.wake_at = effects.wake_at
        for link, message in effects.outgoing:
            if link in self.links:
                self.send(link, message)
        for turn in effects.notices:
            if isinstance(turn, BotTurn):
                game = self.the.guest.public.rules
                text = game.format(self.lan.rng.choice(list(game.legal_actions(turn.view))))
                self.lan.later(partial(self.feed, BotChose(turn.seat, text, turn.head)))

    # ---- what it says

    def send(self, link: LinkId, message: Message) -> None:
        """Says this over a link."""
        far, there = self.links[link]
        self.sent.append((far.name, message))
        said = self.lan.tamper(self.name, far.name, message) if self.lan.tamper else message
        if isinstance(message, Close):
            self.links.pop(link)
        if said is not None and far.alive and frozenset((self.name, far.name)) not in self.lan.silent:
            carried = decode(*encode(said))
            self.lan.later(lambda: far.feed(Received(there, carried)) if there in far.links else None)

    def says(self, name: str, *messages: Message) -> list[Message]:
        """A script says these to that program over the link that there is; what that one answers."""
        before = len(self.received)
        for message in messages:
            self.send(self.link_to(name), message)
        self.lan.settle()
        return [message for sender, message in self.received[before:] if sender == name]

    def act(
        self,
        kind: ActKind,
        payload: bytes,
        *,
        by: str = "",
        seat: int | None = None,
        n: int | None = None,
        seen: int | None = None,
    ) -> Act:
        """An act as a script signs it, over the books of another program."""
        books = self.lan.books
        key = identity(by or self.name)
        at = books.journal.last if seen is None else seen
        place = seat if seat is not None else books.seat_of(key.key)
        envelope = Envelope(
            books.journal.table,
            books.epoch,
            NO_SEAT if place is None else place,
            books.said.get(key.key, 0) + 1 if n is None else n,
            at,
            books.journal.heads[at],
            kind,
            payload,
        )
        data = encode_envelope(envelope)
        return Act(data, key.sign(data), b"")

    def leave(self, term: int | None = None, **how: Any) -> Act:
        """A signed good-bye that names a term; the books', where none is given."""
        return self.act(ActKind.LEAVE, pack_leave(LeaveReason.LEAVE, term or self.lan.books.term), **how)
