"""A table without a network: one host and its guests, every message through the wire's own codec, time by hand."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable

from p2pcards.table.effects import (
    OWN_LINK,
    BotChose,
    Chose,
    Effects,
    Left,
    LinkDown,
    LinkId,
    LinkUp,
    Ordered,
    Received,
    Wanted,
    Woke,
)
from p2pcards.table.guest import Guest
from p2pcards.table.host import Host
from p2pcards.table.notices import BotTurn, Notice, SeatsFull
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Close, Message, decode, encode

WALL = 1_700_000_000.0


def identity(name: str) -> Identity:
    """A key that belongs to a name."""
    return Identity(name.encode().ljust(32, b"."))


class Peer:
    """A guest, its link to the host, and what it was told."""

    def __init__(self, name: str, guest: Guest) -> None:
        self.name, self.guest = name, guest
        self.link: LinkId | None = None
        self.notices: list[Notice] = []
        self.received: list[Message] = []
        self.journal: list[bytes] = []

    def told(self, kind: type[Notice]) -> list[Notice]:
        """Every notice of that kind so far."""
        return [notice for notice in self.notices if isinstance(notice, kind)]


class Cluster:
    """Drives the machines: `settle` delivers until nothing is on its way, `pass_time` lets the clocks run."""

    def __init__(self, seed: int = 1, **table: object) -> None:
        self.now = 1000.0
        self.rng = random.Random(seed)  # noqa: S311 - a test's dice
        settings: dict[str, object] = {"title": "lab", "game": "tongits", "seats": 3, **table}
        self.host = Host(identity("host"), self.bytes, WALL, **settings)  # type: ignore[arg-type]
        self.host_notices: list[Notice] = []
        self.host_journal: list[bytes] = []
        self.secrets: dict[str, bytes] = {}
        self.peers: dict[str, Peer] = {}
        self.links: dict[LinkId, Peer] = {}
        self.bots: Callable[[BotTurn], str] | None = None
        self._queue: deque[Callable[[], None]] = deque()
        self._next_link = 1
        self._wakes: dict[int, float] = {}
        self._carry_host(self.host.open(self.now))

    def bytes(self, count: int) -> bytes:
        """Random bytes of this cluster."""
        return self.rng.randbytes(count)

    # ---- people

    def join(self, name: str, *, host: bool = False, program: bool = False, watch: bool = False) -> Peer:
        """A program comes to the table."""
        guest = Guest(identity("host" if host else name), self.bytes, name, program=program, watch=watch, host=host)
        peer = self.peers[name] = Peer(name, guest)
        self.connect(peer, OWN_LINK if host else None)
        self.settle()
        return peer

    def connect(self, peer: Peer, link: LinkId | None = None) -> None:
        """A link between the peer and the host comes up."""
        if link is None:
            link = LinkId(self._next_link)
            self._next_link += 1
        peer.link, self.links[link] = link, peer
        key = peer.guest._identity.key
        self.tell_host(LinkUp(link, key))
        self.tell(peer, LinkUp(link, identity("host").key))

    def cut(self, peer: Peer) -> None:
        """The link breaks; both sides notice."""
        link = peer.link
        if link is not None:
            self._break(link)
            self.tell_host(LinkDown(link))
            self.tell(peer, LinkDown(link))
            self.settle()

    def _break(self, link: LinkId) -> None:
        peer = self.links.pop(link, None)
        if peer and peer.link == link:
            peer.link = None

    def order(self, *words: str) -> None:
        """The host's keyboard."""
        self.tell_host(Ordered(words))
        self.settle()

    def act(self, name: str, text: str) -> None:
        """A player acts."""
        self.tell(self.peers[name], Chose(text))
        self.settle()

    def want(self, name: str, text: str) -> None:
        """A player asks for something."""
        self.tell(self.peers[name], Wanted(text))
        self.settle()

    def leave(self, name: str, reason: int = 1) -> None:
        """A player leaves for good."""
        self.tell(self.peers[name], Left(reason))
        self.settle()

    # ---- machinery

    def tell(self, peer: Peer, happened: Chose | Wanted | Left | LinkUp | LinkDown | Received | Woke) -> None:
        """One input for a guest."""
        self._carry(peer, peer.guest.handle(happened, self.now))

    def tell_host(self, happened: LinkUp | LinkDown | Received | Woke | BotChose | Ordered) -> None:
        """One input for the host."""
        self._carry_host(self.host.handle(happened, self.now))

    def settle(self) -> None:
        """Delivers until nothing is on its way."""
        while self._queue:
            self._queue.popleft()()

    def pass_time(self, seconds: float) -> None:
        """Lets the clocks run in steps of a quarter of a second."""
        for _ in range(round(seconds * 4)):
            self.now += 0.25
            self.tell_host(Woke())
            for peer in list(self.peers.values()):
                self.tell(peer, Woke())
            self.settle()

    def _carry_host(self, effects: Effects) -> None:
        self.secrets.update(effects.secrets)
        self.host_journal += effects.entries
        for link, message in effects.outgoing:
            self._queue.append(lambda link=link, message=message: self._to_guest(link, message))  # type: ignore[misc]
        self.host_notices += effects.notices
        for notice in effects.notices:
            if isinstance(notice, BotTurn) and self.bots:
                text = self.bots(notice)
                chose = BotChose(notice.seat, text, notice.head)
                self._queue.append(lambda chose=chose: self.tell_host(chose))  # type: ignore[misc]

    def _carry(self, peer: Peer, effects: Effects) -> None:
        peer.journal += effects.entries
        for link, message in effects.outgoing:
            self._queue.append(lambda link=link, message=message: self._to_host(link, message))  # type: ignore[misc]
        peer.notices += effects.notices

    def _to_guest(self, link: LinkId, message: Message) -> None:
        peer = self.links.get(link)
        if peer:
            message = decode(*encode(message))
            peer.received.append(message)
            if isinstance(message, Close):
                self._break(link)
            self.tell(peer, Received(link, message))

    def _to_host(self, link: LinkId, message: Message) -> None:
        if link in self.links:
            if isinstance(message, Close):
                self._break(link)
            self.tell_host(Received(link, decode(*encode(message))))


def three(seed: int = 1, **table: object) -> Cluster:
    """A table of ana (who hosts), ben and cy, before the start."""
    cluster = Cluster(seed, **table)
    cluster.join("ana", host=True)
    cluster.join("ben")
    cluster.join("cy")
    return cluster


def play_round(cluster: Cluster, limit: int = 400, among: Iterable[str] | None = None) -> int:
    """Everybody acts at random until the round is over; gives the number of acts."""
    acts = 0
    while cluster.host.public.round is not None:
        movers = [peer for peer in cluster.peers.values() if peer.guest.my_turn is not None]
        if among is not None:
            movers = [peer for peer in movers if peer.name in among]
        assert movers, "nobody can act"
        peer = movers[0]
        game, view = peer.guest.public.rules, peer.guest.my_turn
        legal = list(game.legal_actions(view))
        cluster.act(peer.name, game.format(cluster.rng.choice(legal)))
        acts += 1
        assert acts < limit, "the round does not end"
    return acts


__all__ = ["Cluster", "Peer", "SeatsFull", "identity", "play_round", "three"]
