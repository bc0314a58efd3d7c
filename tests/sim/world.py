"""A simulated world: machines, the programs that run on them, the faults of a plan, and what must hold throughout."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from p2pcards.table.effects import Effects, HungUp, Input, Left, LinkId, Slept, Voted, Wanted
from p2pcards.table.forking import HOLD_SECONDS, ROUND_SECONDS
from p2pcards.table.guest import Guest
from p2pcards.table.public import Public
from p2pcards.wire.envelope import LeaveReason
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Message
from tests.sim.birth import WALL, born
from tests.sim.disk import Disk
from tests.sim.invariants import Broken, Invariants
from tests.sim.network import Network
from tests.sim.plan import (
    HOST,
    BadDisk,
    Break,
    Crash,
    Cut,
    Fault,
    FullDisk,
    Jump,
    Loss,
    Order,
    Plan,
    Relay,
    Sleep,
    Slow,
    Storm,
    Wish,
)
from tests.sim.program import Program
from tests.sim.schedule import Clock, Schedule
from tests.testing.dice import dice

NAMES = ("ana", "ben", "cy", "dora", "eli", "fay", "gus", "hal")

DRIFT = 0.02
"""How much a clock may win or lose."""

RESTART_SECONDS = 3.0
"""Whoever was thrown off the table starts the program again after so long."""

PROGRESS_SECONDS = 30.0
"""Once nothing is wrong any more, something happens within so long, beside the grace of those who are missing."""

LONGEST_RUN = 600.0


class Machine:
    """A computer: its disk, its clock, the program that runs on it, and the person before it."""

    def __init__(self, place: int, identity: Identity, clock: Clock) -> None:
        self.place, self.identity, self.clock = place, identity, clock
        self.name = NAMES[place]
        self.disk = Disk()
        self.program: Program | None = None
        self.awake_at = 0.0
        self.waiting: list[Callable[[], None]] = []  # for it to wake
        self.starts = self.boot = 0  # of programs, of the machine
        self.gone = False  # for good

    @property
    def alive(self) -> bool:
        """Whether a program runs here."""
        return self.program is not None and self.program.alive


class World:
    """One run. `run` raises Broken where something that must hold does not."""

    def __init__(self, plan: Plan, trace: Callable[[str], None] | None = None) -> None:
        self.plan, self.rng = plan, dice(f"world {plan.seed} {plan.peers} {plan.game}")
        self._trace, self.tracing = trace, trace is not None
        self.schedule = Schedule()
        self.network = Network(self.schedule, self.rng, self._at_machine)
        self.think, self.coded = plan.think, plan.coded
        self.invariants = Invariants(self)
        self.machines = [self._machine(place) for place in range(plan.peers)]
        self.healed = False
        self.outcome = ""  # ended, match over, or gone: nobody is left

    def _machine(self, place: int) -> Machine:
        clock = Clock(self.schedule, self.rng.uniform(100.0, 10000.0), self.rng.uniform(-DRIFT, DRIFT))
        return Machine(place, Identity(self.rng.randbytes(32)), clock)

    # ---- what programs see

    def trace(self, who: str, text: str) -> None:
        """A line of the story."""
        if self._trace is not None:
            self._trace(f"{self.schedule.now:9.3f} {who:5} {text}")

    def programs(self) -> list[Program]:
        """Those that run."""
        return [program for there in self.machines if (program := there.program) is not None and program.alive]

    def newest(self) -> list[Program]:
        """The newest of every machine, be it dead by now."""
        return [program for there in self.machines if (program := there.program) is not None]

    def running(self, key: bytes) -> Program | None:
        """The program of a key, where one runs."""
        return next((program for program in self.programs() if program.key == key), None)

    def host(self) -> Program | None:
        """Who hosts, of the newest term where several believe it."""
        hosts = [program for program in self.programs() if program.peer.host is not None]
        return max(hosts, key=lambda program: program.peer.guest.public.term, default=None)

    def host_seen(self, by: Program) -> bytes | None:
        """The key under which the table is found on the network, by who does not know its members."""
        host = self.host()
        others = [program for program in self.programs() if program is not by and program.peer.guest.entered]
        return host.key if host is not None else self.rng.choice(others).key if others else None

    def after(self, program: Program, effects: Effects) -> None:
        """Effects were carried out."""
        self.invariants.after(program, effects)
        if effects.entries or effects.rewind is not None:
            program.moved_at = self.schedule.now
        if program.closed is not None and program.alive:
            self.schedule.after(0.5, partial(self._got_up, self.machines[program.place], program))

    def before_send(self, program: Program, link: LinkId, message: Message) -> None:
        """A message leaves."""
        self.invariants.before_send(program, link, message)

    def _at_machine(self, place: int, what: Callable[[], None]) -> None:
        machine = self.machines[place]
        if machine.awake_at > self.schedule.now:
            machine.waiting.append(what)
        else:
            what()

    # ---- the run

    def run(self) -> None:
        """From the first program to the end of what was planned."""
        plan = self.plan
        self._start(self.machines[0], opens=True)
        for machine in self.machines[1:]:
            self.schedule.after(self.rng.uniform(0.0, 0.3), partial(self._start, machine))
        self.schedule.at(plan.started, self._begin)
        for fault in plan.faults:
            self.schedule.at(fault.time, partial(self._happen, fault))
        self._until(plan.heal, lambda: False)
        self._heal()
        self._until(LONGEST_RUN, self._over)
        if not self._over():
            raise Broken(f"not over after {LONGEST_RUN:.0f} s")
        self.invariants.at_the_end()

    def _until(self, time: float, done: Callable[[], bool]) -> None:
        while not done() and self.schedule.step(time):
            self.invariants.always()

    def _begin(self) -> None:
        """A match is begun by whoever hosts, as soon as that can be."""
        for program in self.programs():
            host = program.peer.host
            if (
                host is not None
                and host.public.match < self.plan.matches
                and host.public.match_over
                and not host.closed
            ):
                refused = program.order("start")
                if refused:
                    self.trace(program.name, f"can't start: {refused}")
        self.schedule.after(1.0, self._begin)

    def _wants_match(self, books: Public) -> bool:
        return books.match_over and books.match < self.plan.matches

    def _over(self) -> bool:
        """Whether what was planned has come about and everybody knows, or there is nobody left to whom it could."""
        if self.healed and not any(map(self._may_go_on, self.machines)):
            self.outcome = "gone"
        elif self._all_done():
            self.outcome = "match over" if self.plan.match else "ended"
        return bool(self.outcome)

    def _all_done(self) -> bool:
        """Whether somebody is at a table still, and everybody who is knows that it came about."""
        playing = False
        for there in self.machines:
            program = there.program
            if program is not None and program.alive and program.closed is None:
                playing, guest = True, program.peer.guest
                if not guest.entered or not self._done(guest):
                    return False
        return playing

    @staticmethod
    def _may_go_on(machine: Machine) -> bool:
        """Whether its program has, or may have, a say in what becomes of a table."""
        program = machine.program
        if program is None or not program.alive or not program.peer.guest.entered:
            return not machine.gone and not machine.disk.empty
        return program.peer.host is not None or program.key in program.peer.guest.public.voters

    def _done(self, guest: Guest) -> bool:
        books = guest.public
        if self.plan.match:
            # the last entries may be for its own host alone to commit
            return books.match >= self.plan.matches and books.match_over
        return books.disclosed > 0 and guest.committed >= books.disclosed_at

    def _moves(self) -> None:
        """Liveness: nobody waits for nothing."""
        for program in self.programs():
            waited = self.schedule.now - max(program.moved_at, self.plan.heal)
            if not self._done(program.peer.guest) and waited > PROGRESS_SECONDS + self.patience:
                raise Broken(f"nothing happened to {program.name} for {waited:.0f} s: {self.invariants.standing()}")
        self.schedule.after(1.0, self._moves)

    @property
    def patience(self) -> float:
        """How long those who are missing are waited for, too few votes, or a FORK that came to nothing."""
        missing = any(machine.gone or not machine.alive for machine in self.machines)
        forgot = any(isinstance(fault, Crash) and fault.loss in (Loss.BOOT, Loss.DISK) for fault in self.plan.faults)
        promised = any(program.peer._election.file.forks for program in self.programs())  # it is asked again later
        grace = float(dict(self.plan.settings)["grace_seconds"])
        return max(
            2 * grace + 10.0 if missing else 0.0, ROUND_SECONDS + HOLD_SECONDS + grace if forgot or promised else 0.0
        )

    def _heal(self) -> None:
        """From here on nothing goes wrong, and people are quick."""
        self.trace("", "---- nothing is wrong any more")
        self.healed, self.think = True, 0.05
        self.schedule.after(1.0, self._moves)
        self.network.mend_all()
        for machine in self.machines:
            if machine.program is not None:
                machine.program.armed, machine.program.disk_full = None, False
            self.schedule.after(0.0, partial(self._wake, machine))
            if not machine.alive and not machine.gone:
                self.schedule.after(0.5, partial(self._restart, machine))

    # ---- programs

    def _start(self, machine: Machine, opens: bool = False) -> None:
        machine.starts += 1
        self.network.dark(machine.place, False)
        peer = born(self.plan, self.schedule, machine, opens)
        program = machine.program = Program(self, machine, peer)
        self.trace(machine.name, f"starts, with {len(machine.disk.journal)} entries on its disk")
        if opens:
            program.open()
        elif machine.disk.empty:
            program.wake()
        else:
            program.resume()

    def _got_up(self, machine: Machine, program: Program) -> None:
        """Its program is at no table any more: over, left, or thrown off and to be started again."""
        if program.alive:
            closed = program.closed
            program.die(f"closed: {closed}")
            if closed is not None and closed.reason not in ("left", "bye", "kicked", "banned"):
                self.schedule.after(RESTART_SECONDS, partial(self._restart, machine))
            else:
                machine.gone = True

    def _restart(self, machine: Machine) -> None:
        if not machine.alive and not machine.gone:
            self._start(machine)

    # ---- faults

    def _happen(self, fault: Fault) -> None:
        self.trace("", f"---- {fault}")
        match fault:
            case Storm(_, delay, loss, _):
                self.network.weather.delay, self.network.weather.loss = delay, loss
            case Cut():
                self._cut(fault)
            case Break(_, one, other):
                self.network.break_off(self._place(one), self._place(other))
            case Crash():
                self._arm(fault)
            case Sleep(_, who, seconds):
                machine = self.machines[self._place(who)]
                machine.awake_at = max(machine.awake_at, self.schedule.now + seconds)
                self.schedule.at(machine.awake_at, partial(self._wake, machine))
            case Order(_, who, what):
                self._order(self.machines[self._place(who)], what)
            case FullDisk(_, who):
                program = self.machines[self._place(who)].program
                if program is not None:
                    program.disk_full = True
                    self.schedule.after(8.0, partial(self._restart, self.machines[program.place]))
            case Slow(_, who, delay, seconds):
                place = self._place(who)
                self.network.slow[place] = delay
                self.schedule.after(seconds, partial(self.network.mend_slow, place))
            case Jump(_, who):
                place = self._place(who)
                self._feed(place, Slept(WALL + self.schedule.now - self.machines[place].clock.now + 3600.0))
            case Wish(_, who, what) if what in ("for", "against"):
                self._vote(who, what == "for")
            case Wish(_, who, what):
                self._feed(who, Wanted(what))
            case BadDisk(_, who, seconds):
                program = self.machines[self._place(who)].program
                if program is not None:
                    program.disk_bad = True
                    self.schedule.after(seconds, partial(setattr, program, "disk_bad", False))
                    self.schedule.after(8.0, partial(self._restart, self.machines[program.place]))
            case Relay(time, who, at, loss, seconds):
                host, heir = self.host(), self.machines[who].program
                if host is not None and heir is not None and heir.alive and host is not heir:
                    self.trace(host.name, host.order("handover", self.machines[who].name))
                    self._arm(Crash(time, who, at, loss, seconds))

    def _feed(self, place: int, happened: Input) -> None:
        machine = self.machines[place]
        if machine.program is not None and machine.program.alive and machine.awake_at <= self.schedule.now:
            machine.program.feed(happened)

    def _vote(self, who: int, yes: bool) -> None:
        """Somebody calls a vote on a seat, or is against it; where it is called, everybody is for it by and by."""
        about = Voted(self.rng.randrange(self.plan.seats), yes)
        self._feed(who, about)
        for place in range(self.plan.peers) if yes else ():
            self.schedule.after(self.rng.uniform(0.1, 3.0), partial(self._feed, place, about))

    def _place(self, who: int) -> int:
        """The machine that is meant."""
        if who != HOST:
            return who
        host = self.host()
        return host.place if host is not None else self.rng.randrange(self.plan.peers)

    def _cut(self, fault: Cut) -> None:
        side = {self._place(who) for who in fault.side}
        rest = set(range(self.plan.peers)) - side
        ways = [(one, other) for one in side for other in rest]
        ways += [] if fault.one_way else [(other, one) for one, other in ways]
        for way in ways:
            self.network.cut(*way)
            self.schedule.after(fault.seconds, partial(self.network.mend, *way))

    def _arm(self, fault: Crash) -> None:
        machine = self.machines[self._place(fault.who)]
        program = machine.program
        if program is None or not program.alive:
            return
        program.armed = fault.at
        self.schedule.after(2.0, partial(self._crashed, machine, program, fault))

    def _crashed(self, machine: Machine, program: Program, fault: Crash) -> None:
        """It is down by now, wherever it was; what it loses beside is lost, and it starts again."""
        if machine.program is not program:
            return  # it was down before, and started again meanwhile
        polite = fault.loss in (Loss.NOTHING, Loss.GONE)
        program.die("where it stood", polite)
        match fault.loss:
            case Loss.BOOT:
                self.network.dark(machine.place, True)
                machine.disk.power_lost(self.rng, self.schedule.now)
                machine.boot += 1
            case Loss.DISK:
                self.network.dark(machine.place, True)
                machine.disk.wipe()
            case Loss.GONE:
                machine.gone = True
            case Loss.NOTHING:
                pass
        if not machine.gone:
            self.schedule.after(fault.seconds, partial(self._restart, machine))

    def _wake(self, machine: Machine) -> None:
        if machine.awake_at > self.schedule.now and not self.healed:
            return  # it was put to sleep again
        machine.awake_at = 0.0
        waiting, machine.waiting = machine.waiting, []
        for what in waiting:
            what()

    def _order(self, machine: Machine, what: str) -> None:
        program = machine.program
        if program is None or not program.alive or machine.awake_at > self.schedule.now:
            return
        if what in ("leave", "ragequit"):
            program.leaving = machine.gone = True
            program.feed(Left(LeaveReason[what.upper()]))
        elif what == "hang up":
            program.feed(HungUp())
            self.schedule.after(1.0, partial(program.die, "hung up"))
            self.schedule.after(6.0, partial(self._restart, machine))
        elif what == "handover":
            self.trace(program.name, program.order("handover", ""))
        elif what == "again":
            program.feed(Wanted("next"))
        else:
            until = str(int(WALL + self.schedule.now + 5)) if what == "ban" else "0"
            others = [held.nick for held in program.peer.guest.public.seats if held.nick and held.nick != program.name]
            if others and program.peer.host is not None:
                self.trace(program.name, program.order("kick", self.rng.choice(others), "noise", until))
