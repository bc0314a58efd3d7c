"""A running program of a simulation: a `Peer`, and the shell that carries its effects out as `net.sitting` does.

Whatever a shell does in more than one step can be cut short by a crash in between.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Protocol

from p2pcards.errors import UserError
from p2pcards.table.effects import (
    BotChose,
    Chose,
    Effects,
    GoOn,
    Input,
    KeptUp,
    LinkDown,
    LinkId,
    LinkUp,
    Received,
    Unkept,
    Woke,
)
from p2pcards.table.notices import BotTurn, Closed, GoOnAsked, HostElsewhere, Notice, Refused
from p2pcards.table.peer import PEERS, Peer
from p2pcards.wire.messages import Message, VoteAsk, decode, encode
from p2pcards.wire.vote import Vote
from tests.sim.birth import Box
from tests.sim.network import Connection, End, Network
from tests.sim.plan import At
from tests.sim.schedule import Schedule
from tests.sim.story import brief

BACK_OFF = (0.2, 5.0)
"""Seconds between the first two tries to dial somebody; twice as many each time, up to the second number."""

IMPATIENCE = 3.0
"""A person whose turn it still is after so long chooses again."""


HURRY = 0.85
"""How often people play the longest thing they can."""

DEAD_SECONDS = 15.0
"""A link over which nothing came for so long is given up, as by `net.link`."""

RESTLESS = 20
"""Nobody has to be woken so often without any time going by."""


class Crashed(Exception):
    """The program is no more."""


class Surroundings(Protocol):
    """What a program sees of the world. think: how long its person thinks; tracing: somebody reads the story."""

    schedule: Schedule
    network: Network
    rng: Random
    think: float
    coded: bool
    tracing: bool

    def trace(self, who: str, text: str) -> None:
        """A line of the story."""

    def running(self, key: bytes) -> Program | None:
        """The program of a key, where one runs."""

    def host_seen(self, by: Program) -> bytes | None:
        """The key under which the table is found on the network, by who does not know its members."""

    def after(self, program: Program, effects: Effects) -> None:
        """Effects were carried out."""

    def before_send(self, program: Program, link: LinkId, message: Message) -> None:
        """A message leaves."""


class Program:
    """One start of one program."""

    def __init__(self, world: Surroundings, box: Box, peer: Peer) -> None:
        self.world, self.place, self.name, self.peer = world, box.place, box.name, peer
        self.key, self.disk, self.clock = box.identity.key, box.disk, box.clock
        self.alive = True
        self.links: dict[LinkId, tuple[Connection, End]] = {}
        self.notices: list[Notice] = []
        self.armed: At | None = None
        self.disk_full = self.disk_bad = False
        self.whole = True  # its journal on the disk has no hole
        self._should, self._boot = list(box.disk.journal), box.boot  # what belongs there, and since which start
        self.leaving = False  # for good, by its own wish
        self.closed: Closed | None = None
        self.moved_at = world.schedule.now  # when its journal last changed
        self._next_link = 1
        self._heard: dict[LinkId, float] = {}
        self._wakes_at: float | None = None  # when it wants to be woken
        self._rings_at: float | None = None  # when its timer rings
        self._woken = (0, 0.0)  # how often at the same time
        self._dialling: dict[bytes, float] = {}  # key -> the last pause
        self._host_at = b""  # where a member said that the host is
        self._thought = (b"", 0.0)  # head and time of the last choice

    @property
    def now(self) -> float:
        """What its clock shows."""
        return self.clock.now

    # ---- inputs

    def open(self) -> None:
        """The first entries of a table of its own."""
        self._do(lambda: self.peer.open(self.now))

    def resume(self) -> None:
        """It comes back to the table that its disk tells of."""
        self._do(lambda: self.peer.resume(self.now))

    def wake(self) -> None:
        """It begins to look around."""
        self.feed(Woke())

    def feed(self, happened: Input) -> None:
        """Something happened."""
        self._do(lambda: self.peer.handle(happened, self.now))

    def order(self, *words: str) -> str:
        """The person's order; why it is refused, or nothing."""
        refused: list[str] = []

        def do() -> Effects:
            try:
                return self.peer.order(words, self.now)
            except UserError as error:
                refused.append(str(error))
                return Effects(wake_at=self._wakes_at)

        self._do(do)
        return "".join(refused)

    def incoming(self, link: LinkId, message: Message) -> None:
        """A message is here."""
        if link in self.links:
            self._heard[link] = self.world.schedule.now
            if self.links[link][1].closed:
                del self.links[link]
            if self.world.tracing:
                self.world.trace(self.name, f"<- {self._far(link, message)}")
            self.feed(Received(link, message))

    def link_down(self, link: LinkId) -> None:
        """A link ended without a Close."""
        if self.links.pop(link, None) is not None:
            self.feed(LinkDown(link))

    def _do(self, work: Callable[[], Effects]) -> None:
        if not self.alive:
            return
        try:
            self._carry(work())
        except Crashed:
            self.die("crash")
            return
        self._dial()
        self._think()

    # ---- effects

    def _carry(self, effects: Effects) -> None:
        now, table = self.world.schedule.now, self.peer.guest.journal.table
        if effects.entries or effects.secrets:
            self._crash(At.BEFORE_WRITE)
        unkept = self.disk_full and any(data for name, data in effects.secrets if name != PEERS)
        if unkept:
            self.disk_full = False
            self.world.trace(self.name, "can't keep a secret")
            if self.peer.host is not None:
                raise Crashed  # a host that can't keep its journal falls silent
        if table:
            self.disk.table = table
        for name, data in effects.secrets:
            if data and not unkept:
                self.disk.keep(name, data)
        if effects.entries and effects.secrets:
            self._crash(At.BETWEEN_FILES)
        told = self._write_journal(effects, now)
        for name, data in effects.secrets:
            if not data:
                self.disk.keep(name, data)
        if effects.outgoing:
            self._crash(At.BEFORE_SEND)
        if unkept:
            self.world.schedule.after(0.0, lambda: self.feed(Unkept()))
        else:
            self._send(effects)
        if told is not None and not unkept:
            self.world.schedule.after(0.0, lambda: self.feed(told))
        for notice in effects.notices:
            self._hear(notice)
        self._wake(effects.wake_at)
        self.world.after(self, effects)

    def _write_journal(self, effects: Effects, now: float) -> Input | None:
        """The journal, as far as the disk takes it; what the machine is told of that."""
        if effects.rewind is not None:
            del self._should[effects.rewind :]
        self._should += effects.entries
        if self.disk_bad and (effects.entries or effects.rewind is not None or not self.whole):
            if self.peer.host is not None:
                raise Crashed
            told = Unkept(journal=True) if self.whole else None
            self.whole, self.disk.boot = False, -1
            return told
        if self.whole:
            if effects.rewind is not None:
                self.disk.rewind(effects.rewind, now)
            if effects.entries and self.armed is At.TORN:
                self.disk.append(effects.entries[: self.world.rng.randrange(len(effects.entries))], now)
                raise Crashed
            self.disk.append(effects.entries, now)
            return None
        pairs = enumerate(zip(self.disk.journal, self._should, strict=False))
        shorter = min(len(self.disk.journal), len(self._should))
        good = next((place for place, (one, other) in pairs if one != other), shorter)
        self.disk.rewind(good, now)
        self.disk.append(tuple(self._should[good:]), now)
        self.whole, self.disk.boot = True, self._boot
        return KeptUp()

    def _send(self, effects: Effects) -> None:
        cut = self.world.rng.randint(0, len(effects.outgoing)) if self.armed is At.MID_SEND else -1
        for number, (link, message) in enumerate(effects.outgoing):
            if number == cut:
                raise Crashed
            self.world.before_send(self, link, message)
            if self.world.tracing:
                self.world.trace(self.name, f"-> {self._far(link, message)}")
            if link in self.links:
                connection, end = self.links[link]
                connection.send(end, _carried(message) if self.world.coded else message)
                if end.closed:
                    del self.links[link]
            if isinstance(message, (Vote, VoteAsk)):
                self._crash(At.AFTER_VOTE)

    def _crash(self, at: At) -> None:
        """It dies here if it is to."""
        if self.armed in (at, At.ANYWHERE):
            raise Crashed

    def _hear(self, notice: Notice) -> None:
        self.notices.append(notice)
        if self.world.tracing and not isinstance(notice, BotTurn):
            self.world.trace(self.name, f"   {notice}")
        match notice:
            case BotTurn():
                self.world.schedule.after(0.01, lambda: self._answer(notice))
            case HostElsewhere(key):
                self._host_at = key if any(key) else b""
            case GoOnAsked():
                self.world.schedule.after(0.5, lambda: self.feed(GoOn(True)))
            case Refused():
                self._thought = (b"", 0.0)
            case Closed():
                self.closed = notice
            case _:
                pass

    def _answer(self, turn: BotTurn) -> None:
        if self.alive:
            self.feed(BotChose(turn.seat, self._any(turn.view), turn.head))

    def _any(self, view: object) -> str:
        """Anything legal; mostly what takes the most words, which is how rounds end soon."""
        game = self.peer.guest.public.rules
        texts = sorted(map(game.format, game.legal_actions(view)))
        return max(texts, key=len) if self.world.rng.random() < HURRY else self.world.rng.choice(texts)

    def _wake(self, at: float | None) -> None:
        """One timer, as in a shell: it rings at the earliest time asked for, and is set anew where that was changed."""
        self._wakes_at = at
        if at is not None and (self._rings_at is None or at < self._rings_at):
            self._rings_at = at
            self.world.schedule.at(self.clock.true(at), lambda: self._ring(at))

    def _ring(self, at: float) -> None:
        if self.alive and self._rings_at == at:
            self._rings_at = None
            self.world.network.at_machine(self.place, self._woke)

    def _woke(self) -> None:
        if self.alive and self._wakes_at is not None:
            if self._wakes_at <= self.now:
                self._woken = (self._woken[0] + 1, self.now) if self._woken[1] == self.now else (0, self.now)
                if self._woken[0] > RESTLESS:
                    raise RuntimeError(f"{self.name} wants to be woken again and again")
                self.feed(Woke())
            else:
                self._wake(self._wakes_at)

    # ---- the person

    def _think(self) -> None:
        guest = self.peer.guest
        head, now = guest.journal.head, self.world.schedule.now
        if (self._thought[0] != head or now > self._thought[1] + IMPATIENCE) and guest.my_turn is not None:
            self._thought = head, now
            pause = self.world.rng.uniform(0.5, 1.5) * self.world.think
            self.world.schedule.after(pause, lambda: self.world.network.at_machine(self.place, self._choose))

    def _choose(self) -> None:
        view = self.peer.guest.my_turn
        if self.alive and view is not None:
            self.feed(Chose(self._any(view)))

    # ---- links

    def _dial(self) -> None:
        """Begins to dial whom the peer wants, and who is not being dialled."""
        for key in sorted(self._wanted()):
            if key not in self._dialling:
                self._dialling[key] = 0.0
                self._later_dial(key, 0.0)

    def _wanted(self) -> set[bytes]:
        wanted = set(self.peer.wanted)
        if not len(self.peer.guest.journal) and not self.links:
            seen = self.world.host_seen(self)
            wanted |= {seen} if seen else set()
        if self._host_at and self.peer.host is None and not self.peer.guest.welcomed:
            wanted.add(self._host_at)
        wanted.discard(self.key)
        return wanted

    def _later_dial(self, key: bytes, pause: float) -> None:
        jitter = self.world.rng.uniform(0.8, 1.2)
        call = partial(self.world.network.at_machine, self.place, partial(self._call, key))
        self.world.schedule.after(pause * jitter, call)

    def _call(self, key: bytes) -> None:
        if not self.alive or key not in self._wanted():
            self._dialling.pop(key, None)
            return
        pause = min(max(2 * self._dialling.get(key, 0.0), BACK_OFF[0]), BACK_OFF[1])
        self._dialling[key] = pause
        self._later_dial(key, pause)
        far = self.world.running(key)
        if far is not None and self.world.network.meets(self.place, far.place):
            trip = self.world.network.trip()
            self.world.schedule.after(trip, lambda: self._meet(far))

    def _meet(self, far: Program) -> None:
        network = self.world.network
        network.at_machine(far.place, lambda: network.at_machine(self.place, lambda: self._met(far)))

    def _met(self, far: Program) -> None:
        """The handshake ended well, if both are still there."""
        if not (self.alive and far.alive and self.world.network.meets(self.place, far.place)):
            return
        session = self.world.rng.randbytes(32)
        ours, theirs = End(self, self.new_link()), End(far, far.new_link())
        connection = self.world.network.connect(ours, theirs)
        self.links[ours.link], far.links[theirs.link] = (connection, ours), (connection, theirs)
        self.hears(ours.link)
        far.hears(theirs.link)
        far.feed(LinkUp(theirs.link, self.key, session, dialled=False))
        self.feed(LinkUp(ours.link, far.key, session, dialled=True))

    def hears(self, link: LinkId) -> None:
        """A link lives as long as something comes over it."""
        self._heard[link] = self.world.schedule.now
        self._later_alive(link)

    def _later_alive(self, link: LinkId) -> None:
        check = partial(self.world.network.at_machine, self.place, partial(self._check_alive, link))
        self.world.schedule.at(self._heard[link] + DEAD_SECONDS, check)

    def _check_alive(self, link: LinkId) -> None:
        if not self.alive or link not in self.links:
            self._heard.pop(link, None)
        elif self.world.schedule.now < self._heard[link] + DEAD_SECONDS:
            self._later_alive(link)
        else:
            connection, end = self.links[link]
            connection.hang_up(end, polite=True)
            self.link_down(link)

    def new_link(self) -> LinkId:
        """A number for a link."""
        self._next_link += 1
        return LinkId(self._next_link - 1)

    # ---- the end

    def die(self, how: str, polite: bool = True) -> None:
        """The program is gone; polite: its machine closes its connections."""
        if self.alive:
            self.world.trace(self.name, f"dies: {how}")
            self.alive = False
            for connection, end in self.links.values():
                connection.hang_up(end, polite)

    def _far(self, link: LinkId, message: Message) -> str:
        connection, end = self.links.get(link, (None, None))
        if connection is None or end is None:
            return f"({link}) {brief(message)}"
        far = connection.other(end).party
        return f"{getattr(far, 'name', '?')} ({link}) {brief(message)}"


def _carried(message: Message) -> Message:
    """As it comes out of the wire's codec."""
    return decode(*encode(message))
