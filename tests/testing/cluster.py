"""A table without a network: one host and its guests, every message through the wire's own codec, time by hand.

The clocks are honest: a machine is woken when it asked to be and not otherwise, so a wrong `wake_at` shows.

Every program has dice of its own, so that what one draws changes nothing for others. R is drawn until it gives a deal
that `wish` likes, with the parts that the others' dice will give; it stays what the journal commits to. A wish is
granted where all who are asked for a part give it: it knows nothing of those left out. A reshuffle is of the same R, so
nobody's wish has a say in it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeVar

from p2pcards.errors import ProtocolError
from p2pcards.table.deal import PART_BYTES, Deal, deal_from, faces, part_commitment
from p2pcards.table.door import Gate
from p2pcards.table.effects import (
    OWN_LINK,
    Agreed,
    BotChose,
    Chose,
    Effects,
    Input,
    Left,
    LinkDown,
    LinkId,
    LinkUp,
    Ordered,
    Received,
    Spoke,
    Voted,
    Wanted,
    Woke,
)
from p2pcards.table.guest import Guest
from p2pcards.table.host import Host
from p2pcards.table.notices import BotTurn, Notice, PakeRun
from p2pcards.table.parts import may_contribute
from p2pcards.table.ticket import Ticket
from p2pcards.wire.code import answer
from p2pcards.wire.envelope import ActKind, Envelope, encode_envelope
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Act, Close, Entries, Message, decode, encode
from p2pcards.wire.records import BODY_BYTES
from tests.testing.dice import Dice, dice

WALL = 1_700_000_000.0

N = TypeVar("N", bound=Notice)
M = TypeVar("M", bound=Message)


def session(link: LinkId) -> bytes:
    """th3 of a link, 32 bytes."""
    return int(link).to_bytes(32, "big")


def identity(name: str) -> Identity:
    """A key that belongs to a name."""
    return Identity(name.encode().ljust(32, b"."))


class Line:
    """The far end of a link to the host, driven message by message: a program that may do anything.

    contributes: whether it gives its part of every shuffle by itself, as honest programs do.
    """

    def __init__(self, cluster: Cluster, name: str, link: LinkId) -> None:
        self.cluster, self.name, self.link = cluster, name, link
        self.identity, self.dice = identity(name), Dice(f"{cluster.seed} line {link}")
        self.received: list[Message] = []
        self.contributes = True
        self._part: tuple[int, bytes] = (0, b"")  # epoch, r_i

    @property
    def closed(self) -> Close | None:
        """The host's last word."""
        last = self.received[-1] if self.received else None
        return last if isinstance(last, Close) else None

    def send(self, *messages: Message) -> list[Message]:
        """Says these to the host, and gives what it answered."""
        before = len(self.received)
        for message in messages:
            self.cluster.to_host(self.link, message)
        self.cluster.settle()
        return self.received[before:]

    def heard(self, kind: type[M]) -> list[M]:
        """Every message of that kind so far."""
        return [message for message in self.received if isinstance(message, kind)]

    def contribute(self) -> None:
        """Says what the shuffle under way waits for from this key: its commitment, then its part."""
        said = self.contribution()
        if said is not None:
            self.cluster.to_host(self.link, said)

    def contribution(self) -> Act | None:
        """The same, not yet said; None where nothing is waited for."""
        books, seat = self.cluster.host.public, self.cluster.host.public.seat_of(self.identity.key)
        deal = books.round.dealing if books.round else None
        if deal is None or seat is None or seat not in deal.asked:
            return None
        table, epoch = books.journal.table, books.epoch
        if self._part[0] != epoch:
            self._part = epoch, self.dice.take(PART_BYTES)
        part = self._part[1]
        kind = ActKind.REVEAL if deal.committed else ActKind.COMMIT
        payload = part if deal.committed else part_commitment(table, epoch, seat, part)
        n = books.said.get(self.identity.key, 0) + 1
        envelope = Envelope(table, epoch, seat, n, books.journal.last, books.journal.head, kind, payload)
        data = encode_envelope(envelope)
        return Act(data, self.identity.sign(data), b"")


class Peer:
    """A guest, its link to the host, what it was told, and what it keeps."""

    def __init__(self, name: str, guest: Guest, dice: Dice) -> None:
        self.name, self.guest, self.dice = name, guest, dice
        self.link: LinkId | None = None
        self.deaf = self.mute = False  # what the host says gets lost, or what we say
        self.notices: list[Notice] = []
        self.received: list[Message] = []
        self.journal: list[bytes] = []
        self.secrets: dict[str, bytes] = {}
        self.wake_at: float | None = None

    @property
    def seat(self) -> int:
        """Its seat."""
        seat = self.guest.me
        assert seat is not None
        return seat

    def told(self, kind: type[N]) -> list[N]:
        """Every notice of that kind so far."""
        return [notice for notice in self.notices if isinstance(notice, kind)]


class Cluster:
    """Drives the machines: `settle` delivers until nothing is on its way, `pass_time` lets the clocks run."""

    def __init__(
        self,
        seed: int = 1,
        *,
        game: str = "tongits",
        seats: int = 3,
        options: Mapping[str, str] | None = None,
        settings: Mapping[str, str] | None = None,
        closes: bool = False,
        keeps: bool = False,
        title: str = "lab",
        wish: Callable[[Deal], bool] | None = None,
        door: str = "open",
        gate: Gate | None = None,
    ) -> None:
        self.now = 1000.0
        self.seed = seed
        self.rng = dice(seed)  # what bots and players choose
        self.dice = Dice(f"{seed} host")
        self.wish = wish
        self.host = Host(
            identity("host"),
            self.host_bytes,
            WALL,
            title=title,
            game=game,
            seats=seats,
            options=options,
            table_settings=settings,
            closes_after_match=closes,
            keeps=keeps,
            door=door,
            gate=gate or Gate(),
        )
        self.host_notices: list[Notice] = []
        self.host_journal: list[bytes] = []
        self.host_wakes_at: float | None = None
        self.secrets: dict[str, bytes] = {}
        self.peers: dict[str, Peer] = {}
        self.past: list[Peer] = []  # programs that were started afresh since
        self.acted: list[tuple[str, str]] = []  # who chose what
        self.links: dict[LinkId, Peer | Line] = {}
        self.bots: Callable[[BotTurn], str] | None = self.any_legal
        self.tamper: Callable[[str, Message], Message] | None = None  # what the host says to whom, changed
        self.loses: Callable[[str, Message], bool] | None = None  # what somebody says to the host, lost on the way
        self._queue: deque[Callable[[], None]] = deque()
        self._next_link = 1
        self._carry_host(self.host.open(self.now))

    def host_bytes(self, count: int) -> bytes:
        """The host's random bytes."""
        drawn = self.dice.take(count)
        while self.wish and self._draws_secret(count) and not self.wish(self._deal_of(drawn)):
            drawn = self.dice.take(count)
        return drawn

    def _draws_secret(self, count: int) -> bool:
        books = self.host.public
        return count == len(bytes(32)) and not books.match_over and books.round is None

    def _deal_of(self, secret: bytes) -> Deal:
        books = self.host.public
        cards, seats = faces(books.rules.decks()), len(books.seats)
        return deal_from(self.host.table, books.epoch + 1, secret, cards, seats, self._parts_to_come())

    def _parts_to_come(self) -> dict[int, bytes]:
        """What the next deal's contributors will add to it: the next bytes of their dice."""
        books, parts = self.host.public, {}
        for seat, held in enumerate(books.seats):
            if not (may_contribute(books, seat) and self.host._presence.listens(held.key)):
                continue
            for end in self.links.values():
                deaf = end.deaf or end.mute if isinstance(end, Peer) else not end.contributes
                if identity(end.name).key == held.key and end.link != OWN_LINK and not deaf:
                    parts[seat] = end.dice.peek(PART_BYTES)
        return parts

    def any_legal(self, turn: BotTurn) -> str:
        """A bot that does anything it may."""
        game = self.host.public.rules
        return game.format(self.rng.choice(list(game.legal_actions(turn.view))))

    # ---- people

    def join(
        self,
        name: str,
        *,
        host: bool = False,
        program: bool = False,
        watch: bool = False,
        ticket: Ticket | None = None,
        nick: str = "",
    ) -> Peer:
        """A program comes to the table, afresh where it was there before."""
        key = identity("host" if host else name)
        starts = sum(peer.name == name for peer in (*self.past, *self.peers.values()))
        drawn = Dice(f"{self.seed} {name} {starts}")
        guest = Guest(
            key,
            drawn.take,
            nick or name,
            program=program,
            watch=watch,
            host=host,
            ticket=ticket or Ticket(),
            started=int(self.now),
        )
        peer = Peer(name, guest, drawn)
        if name in self.peers:
            self.past.append(self.peers[name])
            peer.secrets = self.peers[name].secrets
        self.peers[name] = peer
        self.connect(peer, OWN_LINK if host else None)
        self.settle()
        return peer

    def connect(self, peer: Peer, link: LinkId | None = None) -> None:
        """A link between the peer and the host comes up."""
        peer.link = link = self._new_link() if link is None else link
        peer.deaf = peer.mute = False
        self.links[link] = peer
        key = identity("host" if link == OWN_LINK else peer.name).key
        self.tell_host(LinkUp(link, key, session(link)))
        self.tell(peer, LinkUp(link, identity("host").key, session(link)))

    def back(self, *names: str) -> None:
        """They have their lines back."""
        for name in names:
            self.connect(self.peers[name])
            self.settle()

    def line(self, name: str) -> Line:
        """A bare link of the key of that name."""
        link = self._new_link()
        line = Line(self, name, link)
        self.links[link] = line
        self.tell_host(LinkUp(link, identity(name).key, session(link)))
        self.settle()
        return line

    def _new_link(self) -> LinkId:
        self._next_link += 1
        return LinkId(self._next_link - 1)

    def cut(self, *names: str) -> None:
        """Their links break, as when a program crashes; both sides notice at once."""
        for name in names:
            peer = self.peers[name]
            link = peer.link
            if link is not None:
                self._break(link)
                self.tell_host(LinkDown(link))
                self.tell(peer, LinkDown(link))
                self.settle()

    def silence(self, *names: str) -> None:
        """Nothing gets through to them or from them, and nobody notices (a cable pulled out)."""
        for name in names:
            self.peers[name].deaf = self.peers[name].mute = True

    def _break(self, link: LinkId) -> None:
        end = self.links.pop(link, None)
        if isinstance(end, Peer) and end.link == link:
            end.link, end.deaf, end.mute = None, False, False

    def order(self, *words: str) -> None:
        """The host's keyboard."""
        self.tell_host(Ordered(words))
        self.settle()

    def act(self, name: str, text: str) -> None:
        """A player acts."""
        self.acted.append((name, text))
        self.tell(self.peers[name], Chose(text))
        self.settle()

    def want(self, name: str, text: str) -> None:
        """A player asks for something."""
        self.tell(self.peers[name], Wanted(text))
        self.settle()

    def speak(self, name: str, text: str, to: str = "") -> None:
        """A player says something."""
        self.tell(self.peers[name], Spoke(text, to))
        self.settle()

    def vote(self, name: str, about: str, yes: bool = True) -> None:
        """A player votes on showing another out."""
        self.tell(self.peers[name], Voted(self.peers[about].seat, yes))
        self.settle()

    def leave(self, name: str, reason: int = 1) -> None:
        """A player leaves for good."""
        self.tell(self.peers[name], Left(reason))
        self.settle()

    def at(self, seat: int) -> Peer:
        """Who holds a seat."""
        key = self.host.public.seats[seat].key
        return next(peer for name, peer in self.peers.items() if peer.guest.me == seat and self._key(name) == key)

    def _key(self, name: str) -> bytes:
        return identity("host" if self.peers[name].link == OWN_LINK else name).key

    @property
    def movers(self) -> list[Peer]:
        """Those who may act now, by seat."""
        movers = [peer for peer in self.peers.values() if peer.link is not None and peer.guest.my_turn is not None]
        return sorted(movers, key=lambda peer: peer.seat)

    # ---- machinery

    def tell(self, peer: Peer, happened: Input) -> None:
        """One input for a guest."""
        self._carry(peer, peer.guest.handle(happened, self.now))

    def tell_host(self, happened: Input) -> None:
        """One input for the host."""
        self._carry_host(self.host.handle(happened, self.now))

    def settle(self) -> None:
        """Delivers until nothing is on its way."""
        while self._queue:
            self._queue.popleft()()

    def pass_time(self, seconds: float) -> None:
        """Lets the clocks run: everybody is woken when it asked to be."""
        end, woken = self.now + seconds, 0
        while (at := self._next_wake()) is not None and at <= end:
            woken = 0 if at > self.now else woken + 1
            assert woken < 50, "somebody wants to be woken again and again"
            self.now = max(self.now, at)
            if self.host_wakes_at is not None and self.host_wakes_at <= self.now:
                self.tell_host(Woke())
            for peer in list(self.peers.values()):
                if peer.wake_at is not None and peer.wake_at <= self.now:
                    self.tell(peer, Woke())
            self.settle()
        self.now = end

    def _next_wake(self) -> float | None:
        wakes = (self.host_wakes_at, *(peer.wake_at for peer in self.peers.values()))
        return min((at for at in wakes if at is not None), default=None)

    def _carry_host(self, effects: Effects) -> None:
        _keep(self.secrets, effects)
        self.host_journal += effects.entries
        for link, message in effects.outgoing:
            self._queue.append(partial(self.to_guest, link, message))
        self.host_notices += effects.notices
        for notice in effects.notices:
            if isinstance(notice, BotTurn) and self.bots:
                chose = BotChose(notice.seat, self.bots(notice), notice.head)
                self._queue.append(partial(self.tell_host, chose))
            elif isinstance(notice, PakeRun):
                self._queue.append(partial(self._agree, notice))
        self.host_wakes_at = effects.wake_at

    def _agree(self, run: PakeRun) -> None:
        """The shell's part of a guess at the code."""
        link = LinkId(run.link)
        try:
            point, secret = answer(run.code, run.key, identity("host").key, run.session, run.point, self.dice.take)
        except ProtocolError:
            point, secret = b"", b""
        self.tell_host(Agreed(link, point, secret))

    def _carry(self, peer: Peer, effects: Effects) -> None:
        _keep(peer.secrets, effects)
        peer.journal += effects.entries
        for link, message in effects.outgoing:
            self._queue.append(partial(self.to_host, link, message))
        peer.notices += effects.notices
        peer.wake_at = peer.guest.wake_at

    def to_guest(self, link: LinkId, message: Message) -> None:
        """Delivers what the host says; a Close ends the link."""
        end = self.links.get(link)
        message = _carried(self.tamper(end.name, message) if self.tamper and end else message)
        if isinstance(message, Close):
            self._break(link)
        if end is None or (isinstance(end, Peer) and end.deaf):
            return
        end.received.append(message)
        if isinstance(end, Peer):
            self.tell(end, Received(link, message))
        elif isinstance(message, Entries) and end.contributes:
            end.contribute()

    def to_host(self, link: LinkId, message: Message) -> None:
        """Delivers what a guest says."""
        end = self.links.get(link)
        message = _carried(message)
        if end is None or (isinstance(end, Peer) and end.mute) or (self.loses and self.loses(end.name, message)):
            return
        if isinstance(message, Close):
            self._break(link)
        self.tell_host(Received(link, message))


def _keep(kept: dict[str, bytes], effects: Effects) -> None:
    """What a program keeps in files of its own; no bytes remove one."""
    for name, data in effects.secrets:
        if data:
            kept[name] = data
        else:
            kept.pop(name, None)


def _carried(message: Message) -> Message:
    """The message as it comes out of the wire's codec."""
    kind, body = encode(message)
    assert len(body) <= BODY_BYTES
    carried = decode(kind, body)
    assert carried == message
    return carried


# ---- tables in one line


def three(seed: int = 1, **table: Any) -> Cluster:
    """A table of ana (who hosts), ben and cy, before the start."""
    cluster = Cluster(seed, **table)
    cluster.join("ana", host=True)
    cluster.join("ben")
    cluster.join("cy")
    return cluster


def started(seed: int = 1, **table: Any) -> Cluster:
    """The same in the first round, ana, ben and cy in seats 0, 1 and 2 unless a setting says otherwise."""
    settings = {"seat_order": "join_order", **table.pop("settings", {})}
    cluster = three(seed, settings=settings, **table)
    cluster.order("start")
    return cluster


Choose = Callable[[Cluster, Peer], str]


def at_random(cluster: Cluster, peer: Peer) -> str:
    """Anything that is legal."""
    game = peer.guest.public.rules
    return game.format(cluster.rng.choice(list(game.legal_actions(peer.guest.my_turn))))


def play_round(
    cluster: Cluster, limit: int = 400, among: Iterable[str] | None = None, choose: Choose = at_random
) -> int:
    """Everybody acts until the round is over (or nobody of `among` can); gives the number of acts."""
    acts = 0
    number = cluster.host.public.round_number
    while cluster.host.public.round is not None and cluster.host.public.round_number == number:
        movers = [peer for peer in cluster.movers if among is None or peer.name in among]
        if not movers and among is not None:
            break
        assert movers, "nobody can act"
        cluster.act(movers[0].name, choose(cluster, movers[0]))
        acts += 1
        assert acts < limit, "the round does not end"
    return acts
