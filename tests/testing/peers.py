"""Whole programs at one table, and those that say anything: links without delay, time by hand.

lan = Lan("ana", "ben", "cy")      # ana opens the table, the others come to it, each keeps its votes
lan.start()                        # the first round is dealt
eve = lan.turned("cy")             # cy's program is gone, and its key and its links are in the hands of a script
eve.says("ben", ShareAsk(1))       # what ben answers is in eve.received
lan.kill("ana"); lan.pass_time(6.0)

Every message goes through the wire's own codec. A program is woken when it asked to be and not otherwise, and dials
whom its peer wants. What a program is given is written down as a shell would: a rewind, then entries; secrets by name.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from p2pcards.table.effects import Chose, LinkDown, LinkId, LinkUp, Woke
from p2pcards.table.guest import Guest
from p2pcards.table.host import Host
from p2pcards.table.peer import Peer
from p2pcards.table.reign import Kept, Means
from p2pcards.wire.messages import Keepalive, Message
from tests.testing.cluster import WALL, identity, session
from tests.testing.dice import Dice, dice
from tests.testing.one_peer import Program

DIAL_SECONDS = 0.5
"""Between two tries to dial the same program."""

SETTLES = 20_000
"""Nothing honest has so much to say in one instant."""


class Lan:
    """Several programs, and the time. tamper: (sender, far end, message) -> what comes out, or None."""

    def __init__(
        self,
        *names: str,
        game: str = "tongits",
        seats: int = 0,
        settings: Mapping[str, str] | None = None,
        options: Mapping[str, str] | None = None,
        seed: int = 1,
        asks: bool = False,
    ) -> None:
        """The first of them opens the table, and the others come to it."""
        self.now, self.seed = 1000.0, seed
        self.asks = asks
        self.rng = dice(seed)
        self.programs: dict[str, Program] = {}
        self.past: list[Program] = []
        self.silent: set[frozenset[str]] = set()  # pairs between whom every message is lost
        self.apart: set[frozenset[str]] = set()  # pairs that can't dial each other
        self.tamper: Callable[[str, str, Message], Message | None] | None = None
        self._queue: deque[Callable[[], None]] = deque()
        self._links = 0
        first, *others = names
        table = {"seat_order": "join_order", "grace_seconds": "20", "turn_seconds": "0", **(settings or {})}
        host = Host(
            identity(first),
            Dice(f"{seed} {first} host").take,
            WALL,
            title="lab",
            game=game,
            seats=seats or len(names),
            options=options,
            table_settings=table,
        )
        program = self._program(first, host)
        program.carry(program.the.open(self.now))
        self.settle()
        for name in others:
            self.come(name)

    def _program(self, name: str, host: Host | None = None, kept: Kept | None = None, watch: bool = False) -> Program:
        starts = sum(program.name == name for program in (*self.past, *self.programs.values()))
        drawn = Dice(f"{self.seed} {name} {starts}")
        guest = Guest(
            identity(name),
            drawn.take,
            name,
            watch=watch,
            host=host is not None,
            port=1,
            addresses=(name.encode()[:6].ljust(6, b"."),),
            started=int(self.now),
        )
        means = Means(asks=self.asks)
        peer = Peer(identity(name), drawn.take, WALL, guest, host, means, kept=kept, now=self.now)
        program = Program(self, name, peer)
        if name in self.programs:
            self.past.append(self.programs[name])
        self.programs[name] = program
        return program

    def __getitem__(self, name: str) -> Program:
        return self.programs[name]

    @property
    def honest(self) -> list[Program]:
        """Those that run and are no script."""
        return [program for program in self.programs.values() if program.alive and program.peer is not None]

    @property
    def host(self) -> Program:
        """The one that hosts."""
        (host,) = (program for program in self.honest if program.the.host is not None)
        return host

    @property
    def books(self) -> Any:
        """Those of whoever holds most."""
        return max((program.the.guest.public for program in self.honest), key=_newest)

    # ---- people

    def come(self, name: str, *, watch: bool = False) -> Program:
        """A program comes to the table, and is a voter by and by, where it is seated."""
        program = self._program(name, watch=watch)
        self.connect(program, self.host)
        self.pass_time(1.0)
        return program

    def bare(self, name: str) -> Program:
        """A script that holds this name's key, and no link yet."""
        program = self.programs[name] = Program(self, name, None)
        return program

    def turned(self, name: str) -> Program:
        """From here on a script speaks for it: key, links and journal are those of the program before."""
        program = self.programs[name]
        script = self.bare(name)
        script.links, script.journal, script.secrets = program.links, list(program.journal), dict(program.secrets)
        for far, there in script.links.values():
            mine = far.links[there][1]
            far.links[there] = (script, mine)
        program.alive = False
        return script

    def again(self, name: str, *, same_boot: bool = True) -> Program:
        """The program starts again, from what it kept."""
        old = self.programs[name]
        kept = Kept(tuple(old.journal), dict(old.secrets), same_boot)
        program = self._program(name, kept=kept)
        program.journal, program.secrets = list(old.journal), dict(old.secrets)
        program.carry(program.the.resume(self.now))
        self.settle()
        return program

    def kill(self, *names: str) -> None:
        """They are gone, and their machines say so."""
        for name in names:
            program = self.programs[name]
            program.alive = False
            self._hang_up(program)
        self.settle()

    def _hang_up(self, program: Program) -> None:
        for far, there in list(program.links.values()):
            if there in far.links:
                far.links.pop(there)
                self.later(partial(far.feed, LinkDown(there)))
        program.links.clear()

    def breaks(self, name: str, other: str) -> None:
        """Every link between the two is down, and both notice."""
        for one, two in ((name, other), (other, name)):
            program = self.programs[one]
            for link in [link for link, (far, _) in program.links.items() if far.name == two]:
                del program.links[link]
                program.feed(LinkDown(link))
        self.settle()

    def silence(self, name: str, *others: str) -> None:
        """Nothing gets through between them any more, and nobody is told."""
        for other in others or (other for other in self.programs if other != name):
            self.silent.add(frozenset((name, other)))
            self.apart.add(frozenset((name, other)))

    def heal(self) -> None:
        """Everything gets through again."""
        self.silent.clear()
        self.apart.clear()

    # ---- links

    def connect(self, dialler: Program, far: Program) -> LinkId:
        """A link between two comes up; gives the dialler's end."""
        ours, theirs = self._new_link(), self._new_link()
        dialler.links[ours], far.links[theirs] = (far, theirs), (dialler, ours)
        th3 = session(ours)
        far.feed(LinkUp(theirs, dialler.identity.key, th3, dialled=False))
        dialler.feed(LinkUp(ours, far.identity.key, th3, dialled=True))
        self.settle()
        return ours

    def _new_link(self) -> LinkId:
        self._links += 1
        return LinkId(self._links)

    def _dial(self) -> bool:
        """Dials whom somebody wants; whether anybody was there."""
        for program in self.honest:
            for key in program.the.wanted:
                far = next((other for other in self.programs.values() if other.identity.key == key), None)
                due = program.dialled.get(key, 0.0) + DIAL_SECONDS
                if far and far.alive and self.now >= due and frozenset((program.name, far.name)) not in self.apart:
                    program.dialled[key] = self.now
                    self.connect(program, far)
                    return True
        return False

    # ---- time

    def later(self, what: Callable[[], None]) -> None:
        """In this same instant, behind what is already on its way."""
        self._queue.append(what)

    def settle(self) -> None:
        """Until nothing is on its way."""
        for _ in range(SETTLES):
            if not self._queue:
                return
            self._queue.popleft()()
        raise AssertionError("they never stop talking")

    def pass_time(self, seconds: float) -> None:
        """The clocks run; whoever asked to be woken is."""
        until = self.now + seconds
        while True:
            self.settle()
            while self._dial():
                self.settle()
            due = min((at for program in self.honest if (at := program.wake_at) is not None), default=until)
            if due > until:
                break
            self.now = max(self.now, due)
            woken = [program for program in self.honest if program.wake_at is not None and program.wake_at <= self.now]
            for program in woken:
                program.feed(Woke())
                self.settle()
            if due == until and all(program.wake_at is None or program.wake_at > until for program in self.honest):
                break
            if woken and all(program.wake_at is not None and program.wake_at <= self.now for program in woken):
                self.now += 0.001  # a clock that is due at once again is looked at a moment later
                until = max(until, self.now)
        self.now = max(self.now, until)

    def until(self, there: Callable[[], bool], seconds: float = 60.0, step: float = 0.25) -> None:
        """Lets time pass until it is so."""
        end = self.now + seconds
        while not there():
            assert self.now < end, "it never came to that"
            self.pass_time(step)

    def stays(self, script: Program, seconds: float, *names: str) -> None:
        """Time passes; meanwhile the script says to these that it is still there."""
        books = self.books
        said = Keepalive(books.table, books.term, 0, books.journal.heads[0], books.journal.wires[0][-64:])
        for _ in range(int(seconds)):
            self.pass_time(1.0)
            for name in names:
                if script.has_link_to(name):
                    script.says(name, said)

    # ---- the game

    def start(self) -> None:
        """The match begins, and its first round is dealt."""
        self.host.order("start")
        self.until(lambda: bool(self.movers) and self.committed)

    @property
    def committed(self) -> bool:
        """Whether everybody who is honest knows that all there is stands for good."""
        return all(program.the.guest.committed == program.the.guest.journal.last for program in self.honest)

    @property
    def movers(self) -> list[Program]:
        """Those whose turn it is, as they see it."""
        return [program for program in self.honest if program.the.guest.my_turn is not None]

    def act(self, program: Program) -> str:
        """It does anything that it may; what."""
        game, view = program.the.guest.public.rules, program.the.guest.my_turn
        text = game.format(self.rng.choice(list(game.legal_actions(view))))
        program.feed(Chose(text))
        self.settle()
        return text

    def play(self, rounds: int = 1) -> None:
        """People play so many rounds to their ends, where nothing hinders them."""
        done = self.books.round_number + rounds - (self.books.round is not None)
        self.until(lambda: self._play_on(done), seconds=600.0)

    def _play_on(self, done: int) -> bool:
        while self.movers and not (self.books.round is None and self.books.round_number >= done):
            self.act(self.movers[0])
        return self.books.round is None and bool(self.books.round_number >= done)

    def agree(self, *names: str) -> None:
        """These, or all that are honest, hold the same journal, on their disks too."""
        here = [program for program in self.honest if not program.the.finished]
        programs = [self.programs[name] for name in names] or here
        wires = programs[0].the.guest.journal.wires
        for program in programs:
            assert program.the.guest.journal.wires == wires, program.name
            assert program.journal == wires, program.name


def _newest(books: Any) -> tuple[int, int]:
    return books.term, len(books.journal)
