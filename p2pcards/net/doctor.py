"""The doctor: every step between this program and another is tried, and what was found is told as it comes.

    await Doctor(Wish(peer="10.0.0.7"), tell).run()      # tell(Finding), in the order of the report

Names of interfaces that aren't there, and a peer that can be no address, raise UserError. Whoever cancels it gets every
socket back. It plays nothing, advertises nothing and shows nobody the user's key: those whom it asks see a fresh one.
"""

from __future__ import annotations

import asyncio
import errno
import secrets
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import msgspec
from msgspec import Struct

from p2pcards import PROTOCOL, __version__
from p2pcards.errors import UserError
from p2pcards.net.address import FIRST_PORT, LAST_PORT, Target, format_target, is_address, parse_target
from p2pcards.net.bucket import Bucket
from p2pcards.net.clock import now
from p2pcards.net.dial import Unreachable, dial, resolve
from p2pcards.net.doctor_call import Call
from p2pcards.net.doctor_desk import LOWEST_PORT, Desk, Line, Reply, TellsNothing, Visit, call, reason
from p2pcards.net.doctor_ear import Ear
from p2pcards.net.doctor_machine import acquaintances, holders, surroundings, way_to
from p2pcards.net.interfaces import Interface, Network, interfaces
from p2pcards.net.listener import ANYWHERE
from p2pcards.net.lookout import Lookout
from p2pcards.net.probe import ask
from p2pcards.table import diagnosis
from p2pcards.table.diagnosis import Met
from p2pcards.table.findings import Code, Finding, found
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Info

ASK_SECONDS = 0.4
"""Between two questions to everybody."""
TELL_SECONDS = 1.0
"""Between two words of one that listens."""
ANSWERS = (5.0, 10.0)
"""Words to those that ask, a second and at once."""
HEAR_SECONDS = 1.0
"""How much longer a peer that was met by TCP is listened for."""
DIAL_SECONDS = 3.0
ADDRESSES = 4
"""Of one peer, tried at the most."""
MOST_CALLS = 64
"""Doctors remembered."""


class Wish(Struct, frozen=True):
    """What was asked for. wait: seconds that others are listened for; with `listen`, until it ends, None: for ever."""

    peer: str = ""
    listen: bool = False
    interface: str | None = None
    port: int | None = None
    wait: float | None = None


WAIT_SECONDS = 1.5
"""What `wait` is where nothing was said."""
LOOK_SECONDS = 0.6
"""How long one that listens looks around before it does so: it goes on hearing anyway."""


class Doctor:
    """One examination."""

    def __init__(self, wish: Wish, tell: Callable[[Finding], None]) -> None:
        self._wish, self._tell = wish, tell
        if _is_place(wish.peer):
            parse_target(wish.peer)  # nonsense is said before anything is looked at
        self._every: tuple[Interface, ...] = interfaces()
        self._network = Network(wish.interface, lambda: self._every)
        self._around = diagnosis.Surroundings((), ())
        self._calls: dict[str, tuple[str, Call]] = {}  # by token: from where, and the last word
        self._echoes: set[str] = set()  # tokens of those who heard us
        self._visits: set[Visit] = set()
        self._greeted: set[str] = set()  # addresses
        self._waiting = False  # for visitors, whoever comes is told at once
        self._answers = Bucket(*ANSWERS, now())
        self._ear = Ear(self._network.chosen, self._network.own, self._take)
        hosts = self._network.addresses if wish.interface else ANYWHERE
        self._desk = Desk(self._reply, self._came, hosts, answers=wish.listen)

    async def run(self) -> None:
        """Examines, and with `listen` waits for others."""
        try:
            heard = await self._look_around()
            if self._wish.listen:
                await self._listen(heard)
            else:
                await self._examine(heard)
        finally:
            self._ear.close()
            self._desk.close()

    # ---- this machine

    async def _look_around(self) -> int:
        """Everything that needs no peer; gives how many others were heard."""
        self._around = around = surroundings(self._network, self._every)
        self._tell(diagnosis.interfaces(around))
        self._tell(diagnosis.route(around))
        held = holders()
        await self._ear.open()
        port = await self._open_desk()
        wait = WAIT_SECONDS if self._wish.wait is None else self._wish.wait
        end = now() + (LOOK_SECONDS if self._wish.listen else wait)
        await self._ear.ask(self._desk.port)
        for one in self._network.chosen:
            self._tell(self._multicast(one))
        self._tell(port)
        while (left := end - now()) > 0:
            await asyncio.sleep(min(left, ASK_SECONDS))
            if end > now():
                await self._ear.ask(self._desk.port)
        for name in self._ear.tokens:
            if name not in self._ear.faults:
                self._tell(found(Code.ECHO if name in self._ear.echoed else Code.ECHO_NONE, name=name, **self._wall))
        who = ", ".join(held) or ("another program" if self._ear.answered_here else "")
        self._tell(found(Code.MDNS_SHARED if who else Code.MDNS_ALONE, who=who))
        heard = len(self._ear.speakers | self._ear.answerers)
        self._tell(diagnosis.neighbours(around, heard, acquaintances({plug.name for plug in around.lan})))
        return heard

    @property
    def _wall(self) -> dict[str, object]:
        """What a sentence about this machine's firewall needs."""
        around = self._around
        return {"firewall": around.firewall, "ports": self._ports, "program": around.program}

    @property
    def _ports(self) -> str:
        """The ports that a firewall should leave open for us."""
        port = self._desk.port or self._wish.port or FIRST_PORT
        return f"{FIRST_PORT}-{LAST_PORT}" if FIRST_PORT <= port <= LAST_PORT else str(port)

    def _multicast(self, one: Interface) -> Finding:
        """Whether we could join the group there and speak to it."""
        fault = self._ear.faults.get(one.name)
        if fault is None:
            return found(Code.MULTICAST, name=one.name)
        about = {"name": one.name, "why": fault.strerror or fault, "errno": errno.errorcode.get(fault.errno or 0, "?")}
        if fault.errno == errno.EADDRINUSE:
            return found(Code.MULTICAST_HELD, who=", ".join(holders()) or "another program", **about)
        if sys.platform == "darwin" and fault.errno in (errno.EHOSTUNREACH, errno.EPERM, errno.EACCES):
            return found(Code.MULTICAST_FORBIDDEN, **about)
        return found(Code.MULTICAST_FAILED, **about, **self._wall)

    async def _open_desk(self) -> Finding:
        """Where a table would be, and whether that is what was wished for."""
        try:
            port = self._desk.open(self._wish.port)
        except UserError as error:
            return found(Code.PORT_TAKEN, port=self._wish.port or FIRST_PORT, why=error)
        await self._desk.start()
        return found(Code.PORT if self._wish.port is not None or port == FIRST_PORT else Code.PORT_NEXT, port=port)

    # ---- a peer

    async def _examine(self, heard: int) -> None:
        met: Met | None = None
        targets: Sequence[Target] = ()
        if self._wish.peer:
            name, targets = await self._find(self._wish.peer)
            if any(self._is_here(target) for target in targets):
                raise UserError(f"{name} is this machine, where nobody else listens: name another one.", 2)
            if not targets:
                met = Met(name, "unknown_host")
        elif here := self._listening():
            targets = here
        own = self._own(targets[0][0] if targets else "")
        if targets:
            met = await self._meet(targets)
            if met.kind == "table":
                await self._until(partial(self._speaks, targets))
            met = self._by_multicast(met, targets)
            if step := diagnosis.way(self._around, met.peer, targets[0][0], way_to(targets[0][0], self._every)):
                self._tell(step)
        if met is not None:
            echoed = bool(self._ear.echoed)
            for finding in diagnosis.peer(met, self._around, own, self._ports, echoed):
                self._tell(finding)
        self._tell(diagnosis.firewall(self._around, self._ports, met.back if met else ""))
        for finding in diagnosis.outcome(self._around, met, own, heard):
            self._tell(finding)

    def _is_here(self, target: Target) -> bool:
        """Whether our own desk would answer there."""
        host, port = target
        return port == self._desk.port and (host.partition("%")[0] in self._network.own or host.startswith("127."))

    def _listening(self) -> Sequence[Target]:
        """A doctor that listens and was heard, if there is one."""
        for host, said in self._calls.values():
            if said.verb == "tell" and said.port >= LOWEST_PORT:
                return ((host, said.port),)
        return ()

    async def _find(self, wanted: str) -> tuple[str, Sequence[Target]]:
        """What the peer is called, and where it may be: an address, a table, a host's nick, or a machine's name."""
        if not _is_place(wanted):
            lookout = Lookout(self._network, lambda: Identity(secrets.token_bytes(32)), lambda: None)
            try:
                row = await lookout.find(wanted, self._wish.wait or WAIT_SECONDS)
                rows = [row] if row else [one for one in lookout.rows if one.host.lower() == wanted.lower()]
                if rows and rows[0].addresses:
                    return rows[0].title, rows[0].addresses[:ADDRESSES]
            finally:
                await lookout.close()
        try:
            host, port = parse_target(wanted)
            places = (await resolve((host, port)))[:ADDRESSES]
        except UserError:  # nobody knows it, or it can be no machine's name
            return wanted, ()
        at = {host.partition("%")[0] for host, _ in places}
        told = [said.port for host, said in self._calls.values() if host.partition("%")[0] in at and said.port]
        if told and (is_address(wanted) or ":" not in wanted):  # no port was named, and it says itself which
            return wanted, [(host, told[-1]) for host, _ in places]
        return wanted, places

    async def _meet(self, targets: Sequence[Target]) -> Met:
        """Who answers at these addresses: of several the first that does, else what tells most."""
        await self._ear.ask(self._desk.port)  # once more: the answer tells whether it came in
        line = Line("hello", list(self._ear.tokens.values()), self._desk.port)
        answers = await asyncio.gather(*(call(target, line) for target in targets), return_exceptions=True)
        for target, answer in zip(targets, answers, strict=True):
            if isinstance(answer, Reply):
                await self._until(partial(self._heard, answer))  # it has just spoken to everybody
                return self._doctor(target, answer)
        strangers = [place for place, answer in zip(targets, answers, strict=True) if isinstance(answer, TellsNothing)]
        if strangers:
            return await self._table(strangers)
        failure = next(answer for answer in answers if isinstance(answer, BaseException))
        if not isinstance(failure, OSError):
            raise failure
        return Met(format_target(targets[0]), reason(failure), failure.strerror or str(failure))

    def _doctor(self, target: Target, reply: Reply) -> Met:
        return Met(
            format_target(target),
            "doctor",
            reply.version,
            reply.back,
            heard=self._heard(reply),
            hears=bool(set(reply.heard) & set(self._ear.tokens.values())) or bool(self._echoes & set(reply.tokens)),
            ahead=reply.clock - time.time(),
            firewall=reply.firewall,
            other=reply.protocol if reply.protocol != str(PROTOCOL) else "",
        )

    def _heard(self, reply: Reply) -> bool:
        """Whether that doctor's words to everybody come in here."""
        return any(token in self._calls for token in reply.tokens)

    async def _until(self, holds: Callable[[], bool]) -> None:
        """Waits HEAR_SECONDS for something to be heard, and no longer than it takes."""
        with suppress(TimeoutError):
            async with asyncio.timeout(HEAR_SECONDS):
                while not holds():
                    self._ear.news.clear()
                    await self._ear.news.wait()

    async def _table(self, targets: Sequence[Target]) -> Met:
        """Whether what answers there is a table."""
        peer = format_target(targets[0])
        try:
            async with asyncio.timeout(DIAL_SECONDS):
                link = await dial(targets, Identity(secrets.token_bytes(32)))
                told = await ask(link, b"")
        except Unreachable as error:
            return Met(peer, error.why.name.lower())
        except (OSError, TimeoutError):
            return Met(peer, "no_p2pcards")
        if not isinstance(told, Info):
            return Met(format_target(link.address), "program")
        other = str(told.protocol) if told.protocol != PROTOCOL else ""
        return Met(format_target(link.address), "table", told.title, other=other)

    def _by_multicast(self, met: Met, targets: Sequence[Target]) -> Met:
        """The same with what the ear knows of it."""
        hosts = {host.partition("%")[0] for host, _ in targets}
        near = bool(hosts & self._network.own) or any(
            plug.reaches(host) for plug in self._around.chosen for host, _ in targets
        )
        met = msgspec.structs.replace(met, near=near)
        if met.kind == "doctor":
            return met
        heard = self._speaks(targets)
        tokens = {token for token, (host, _) in self._calls.items() if host.partition("%")[0] in hosts}
        hears = bool(tokens & self._echoes) if tokens else None
        known = heard or met.kind == "table" or not met.reached
        return msgspec.structs.replace(met, heard=heard if known else None, hears=hears)

    def _speaks(self, targets: Sequence[Target]) -> bool:
        """Whether somebody at these addresses was heard speaking to everybody."""
        hosts = {host.partition("%")[0] for host, _ in targets}
        spoke = bool(hosts & {host.partition("%")[0] for host in self._ear.speakers})
        return spoke or (bool(hosts & self._network.own) and self._ear.answered_here)

    def _own(self, peer: str) -> str:
        """Where we are reached, from the peer's side where there is one; "" for nowhere."""
        around = self._around
        near = [plug for plug in around.chosen if peer and plug.reaches(peer)] or [*around.lan, *around.chosen]
        return format_target((near[0].addresses[0], self._desk.port)) if near and self._desk.port else ""

    # ---- others that come

    async def _listen(self, heard: int) -> None:
        self._tell(diagnosis.firewall(self._around, self._ports, ""))
        for finding in diagnosis.outcome(self._around, None, "", heard):
            self._tell(finding)
        if not self._desk.port:
            return
        self._tell(found(Code.LISTENING, own=self._own("")))
        for host in tuple(self._greeted):
            self._tell(found(Code.VISITOR_HEARD, peer=host))
        self._waiting = True
        end = None if self._wish.wait is None else now() + self._wish.wait
        while end is None or now() < end:
            self._ear.tell(self._desk.port)
            await asyncio.sleep(TELL_SECONDS if end is None else min(TELL_SECONDS, max(0.0, end - now())))

    def _take(self, said: Call, host: str) -> None:
        """Another doctor said something to everybody."""
        if said.token in self._calls or len(self._calls) < MOST_CALLS:
            self._calls[said.token] = host, said
        if said.echo in self._ear.tokens.values() and len(self._echoes) < MOST_CALLS:
            self._echoes.add(said.token)
        if said.verb != "ask" or not self._wish.listen:
            return
        if self._answers.take(now()):
            self._ear.tell(self._desk.port, said.token)
        if host not in self._greeted and len(self._greeted) < MOST_CALLS:
            self._greeted.add(host)
            if self._waiting:
                self._tell(found(Code.VISITOR_HEARD, peer=host))

    def _reply(self, line: Line) -> Reply:
        """What a caller is answered."""
        heard = [token for token in line.tokens if token in self._calls]
        mine = list(self._ear.tokens.values())
        if line.doctor == "knock":
            return Reply(mine, heard)
        self._ear.tell(self._desk.port)  # who came may hear it by now
        return Reply(mine, heard, __version__, str(PROTOCOL), time.time(), self._around.firewall)

    def _came(self, visit: Visit) -> None:
        """A caller was here: told once for each way it went."""
        reached = visit.back in ("ok", "")
        codes = {
            (True, True): Code.VISITOR,
            (False, True): Code.VISITOR_UNHEARD,
            (True, False): Code.VISITOR_UNREACHED,
            (False, False): Code.VISITOR_NEITHER,
        }
        if visit not in self._visits and len(self._visits) < MOST_CALLS:
            self._visits.add(visit)
            self._tell(found(codes[visit.heard, reached], peer=visit.host, why=visit.back, **self._wall))


def _is_place(wanted: str) -> bool:
    """Whether this names an address and can't be the title of a table."""
    return ":" in wanted or is_address(wanted)
