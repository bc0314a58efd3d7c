"""Elections under heavy faults: voters with real journals and real signatures, and everything else made simple.

A discrete-event model of protocol 7.4: every voter runs an `Election`; whoever it elects leads with a `Lease`, writes an
entry now and then and commits what a quorum holds. Messages are lost, late and out of order, links are cut one way or
both, clocks drift, machines sleep, programs end (some right behind a vote) and start again with or without what they
kept. After every single event these must hold, or `Broken` is raised:

* no two certificates in one term, and no two votes of one voter in one term;
* no two active hosts at one instant;
* a candidate that is elected holds every committed entry; no two entries are committed in one place.

    box = BallotBox(seed, voters=3)
    box.run(120.0)      # with faults
    box.heal(40.0)      # without: then somebody must be host
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from p2pcards.errors import ProtocolError
from p2pcards.table.certificates import host_of
from p2pcards.table.election import DEAD, Certificate, Election
from p2pcards.table.journal import Journal
from p2pcards.table.lease import Lease
from p2pcards.table.public import Public
from p2pcards.table.votefile import VoteFile
from p2pcards.wire.entries import (
    Cause,
    EntryKind,
    Handover,
    OptionsPub,
    Pub,
    Roster,
    TermStart,
    decode_wire,
)
from p2pcards.wire.messages import Ack, Entries, Get, Heartbeat, Message, Vote, VoteAsk
from tests.testing.cluster import identity
from tests.testing.dice import dice
from tests.testing.forge import Forge, member, roster

BEAT = 1.0
LOSS, LATE = 0.08, 0.05
LONGEST_DELAY = 6.0
DRIFT = 0.02


class Broken(AssertionError):
    """What must always hold does not."""


class Voter:
    """One machine: its clock, its disk, and the program that runs on it or does not."""

    def __init__(self, box: BallotBox, name: str, wires: list[bytes]) -> None:
        self.box, self.name, self.identity = box, name, identity(name)
        self.key = self.identity.key
        self._offset, self._rate = box.rng.uniform(0, 1000), 1 + box.rng.uniform(-DRIFT, DRIFT)
        self.disk, self.file = list(wires), VoteFile(since=0).encode()
        self.runs = self.life = self._wakes = 0
        self.asleep = False
        self.inbox: list[tuple[str, Message]] = []  # while asleep
        self.start()

    @property
    def now(self) -> float:
        """By its own clock."""
        return self._offset + self.box.time * self._rate

    # ---- life and death

    def start(self, *, same_boot: bool = True) -> None:
        """The program starts, with what is on the disk."""
        self.life += 1
        self.runs = self.life
        self.books = self.fold(self.disk)
        file = VoteFile.decode(self.file)
        self.election = self.box.elects(self.identity, self.books, file, self.now, same_boot)
        self.lease: Lease | None = None
        self.term = 0  # that we lead, or led last
        self.readmits: set[bytes] = set()
        self._beat_at = self._work_at = self.now
        self.box.at(0.0, self.wake, self.life)

    def stop(self) -> None:
        """The program is killed."""
        self.runs, self.lease, self.inbox = 0, None, []

    def restart(self, how: str) -> None:
        """how: "file", "none" (nothing was kept), or "boot" (the newest entries are gone)."""
        if how == "none":
            self.disk, self.file = self.disk[:1], b""
        elif how == "boot":
            self.disk = self.disk[: max(3, len(self.disk) - 4)]
        self.start(same_boot=how != "boot")

    @staticmethod
    def fold(wires: list[bytes]) -> Public:
        books = Public(Journal())
        for wire in wires:
            entry, _ = decode_wire(wire)
            books.fold(books.journal.accept(wire, host_of(entry, books)))
        return books

    # ---- one event

    def wake(self, life: int) -> None:
        """Its clock ticks."""
        if life != self.runs or self.asleep:
            return
        self.act()
        due = self.now + BEAT
        if self.lease is not None:
            due = min(due, self._beat_at + BEAT)
        if self.runs and self.election.wake_at is not None:
            due = min(due, self.election.wake_at)
        self._wakes += 1
        self.box.at(max(0.001, (due - self.now) / self._rate), self._ring, life, self._wakes)

    def _ring(self, life: int, wake: int) -> None:
        if wake == self._wakes:
            self.wake(life)

    def hear(self, sender: str, message: Message) -> None:
        if self.asleep:
            self.inbox.append((sender, message))
        elif self.runs:
            self.take(sender, message)
            self.act()

    def rise(self) -> None:
        """It wakes from its sleep: the machine sees that first, then what came meanwhile."""
        if not self.asleep:
            return
        self.asleep = False
        if not self.runs:
            return
        self.box.sleeper_rises(self)
        inbox, self.inbox = self.inbox, []
        for sender, message in inbox:
            self.hear(sender, message)
        self.wake(self.runs)

    def act(self) -> None:
        """What is due, whatever happened."""
        now = self.now
        if self.lease is not None and self.lease.active(now):
            self.election.host_heard(now)
        self.election.tick(now, self.box.linked(self))
        if self.lease is not None and (self.election.raised or self.books.term != self.term):
            self.lease = None
        self.flush()
        if self.election.won is not None and self.runs:
            won, self.election.won = self.election.won, None
            self.box.elected(self, won)
            self.lead(won.term, TermStart(self.key, won.votes, 0))
            if self.lease is not None:
                self.lease.granted([vote.voter for vote in won.votes], won.asked_at)
        self.succeed()
        if self.lease is not None:
            self.host(now)

    def flush(self) -> None:
        """The file first; then the words, if the program lives so long."""
        election = self.election
        if election.kept is not None:
            self.file, election.kept = election.kept, None
        sent, election.sent[:] = list(election.sent), []
        for key, message in sent:
            self.box.send(self, self.box.by_key[key], message)
            if isinstance(message, Vote | VoteAsk) and self.box.dies(self):
                return

    # ---- host

    def lead(self, term: int, pub: TermStart) -> None:
        self.lease, self.term = Lease(self.books, self.key), term
        self.lease.commit = -1
        self.readmits = set()
        self.write(EntryKind.TERM_START, pub, term)
        self._beat_at = self.now - BEAT

    def write(self, kind: EntryKind, pub: Pub, term: int) -> None:
        """Appends, and tells everybody."""
        forge = Forge(self.identity)
        forge.journal, forge.term = self.books.journal, term
        wire = forge.entry(kind, pub)
        self.books.fold(self.books.journal.entries[-1])
        self.disk.append(wire)
        self.tell(Entries(max(0, self.lease.commit) if self.lease else 0, (wire,)))

    def tell(self, message: Message) -> None:
        for key in self.books.voters:
            if key != self.key:
                self.box.send(self, self.box.by_key[key], message)

    def host(self, now: float) -> None:
        lease, books = self.lease, self.books
        assert lease is not None
        before = lease.commit
        lease.advance(lambda key: True)
        self.box.committed_to(self, before, lease.commit)
        if books.handover is not None and now >= self._work_at + DEAD:
            self.lease = None  # nobody took over: the others elect
            return
        if now >= self._beat_at + BEAT:
            self._beat_at = now
            journal = books.journal
            commit, beat = max(0, lease.commit), lease.beat(now)
            self.tell(Heartbeat(books.table, books.term, journal.last, journal.head, commit, beat, journal.hostsig))
        if now < self._work_at + BEAT or not self.box.may_act(self):
            return
        self._work_at = now
        ours = lease.commit >= books.reigns[-1][0]
        again = sorted(self.readmits)
        if again and lease.settled() and ours:
            self.readmits.clear()
            current = Roster(books.seats, books.voters, books.spectators, Cause.READMITTED, again[0])
            self.write(EntryKind.ROSTER, current, books.term)
        elif ours and self.box.hands_over():
            others = sorted(set(books.voters) - {self.key})
            self.write(EntryKind.HANDOVER, Handover(self.box.rng.choice(others), books.term + 1), books.term)
        else:
            door = "ask" if books.door == "open" else "open"
            self.write(EntryKind.OPTIONS, OptionsPub(door, books.options, books.settings), books.term)

    # ---- follower

    def take(self, sender: str, message: Message) -> None:
        far = self.box.voters[sender]
        match message:
            case Heartbeat():
                self.beat(far, message)
            case Entries():
                self.entries(far, message)
            case Get(index):
                wires = tuple(self.books.journal.wires[index : index + 64])
                if wires:
                    self.box.send(self, far, Entries(0, wires))
            case Ack():
                if self.lease is not None and message.term == self.term:
                    self.lease.take(far.key, message)
                    if not message.vote_file:
                        self.readmits.add(far.key)
            case _:
                self.election.take(far.key, message, self.now)

    def beat(self, far: Voter, message: Heartbeat) -> None:
        election, journal = self.election, self.books.journal
        if message.term < election.term:
            if election.stale is not None:
                self.box.send(self, far, election.stale)
        elif message.term > self.books.term or message.last > journal.last:
            self.box.send(self, far, Get(max(0, min(journal.last + 1, message.last) - 4)))
        if message.term == self.books.term == election.term and far.key == self.books.host:
            election.host_heard(self.now)
            election.welcomed(message.last)
            self.ack(far, message.beat)
            self.known = message.commit

    known = 0

    def ack(self, far: Voter, beat: int) -> None:
        journal = self.books.journal
        if self.election.may_ack and not self.election.raised:
            said = Ack(self.books.table, self.books.term, journal.last, journal.head, beat, 0, self.election.vote_file)
            self.box.send(self, far, said)

    def entries(self, far: Voter, message: Entries) -> None:
        journal, wires = self.books.journal, message.wires
        first, _ = decode_wire(wires[0])
        if first.index > len(journal) or (first.index and journal.heads[first.index - 1] != first.prev):
            self.box.send(self, far, Get(max(0, min(first.index, len(journal)) - 16)))
            return
        same = 0
        while same < len(wires) and first.index + same < len(journal):
            if journal.wires[first.index + same] != wires[same]:
                break
            same += 1
        new = list(wires[same:])
        if new:
            entry, _ = decode_wire(new[-1])
            if entry.term < self.election.term or (first.index + same < len(journal) and entry.term <= self.books.term):
                return
            self.box.follows(self, first.index + same, new)
        if far.key == self.books.host and not self.election.raised:
            self.election.host_heard(self.now)
            self.ack(far, 0)

    def succeed(self) -> None:
        """A host that hands over to us is done, as far as we know from it."""
        given, books = self.books.handover, self.books
        if given is None or given.successor != self.key or self.lease is not None or not self.runs:
            return
        if self.known >= books.journal.last and self.election.term <= given.term:
            self.election.adopt(given.term)
            self.lead(given.term, TermStart(self.key, (), books.journal.last))


class BallotBox:
    """Voters, the network between them, true time, and what is known of the whole."""

    def __init__(
        self,
        seed: int,
        voters: int,
        make: Callable[..., Election] = Election,
        *,
        files: bool = True,
        handovers: bool = True,
        lossy_disks: bool = True,
    ) -> None:
        """make: the election to try. files: whether what is kept is kept. lossy_disks: whether disks lose anything."""
        self.rng = dice(f"ballot box {seed} {voters}")
        self.time, self._n = 0.0, 0
        self._queue: list[tuple[float, int, Callable[..., None], tuple[Any, ...]]] = []
        self._make, self._files, self._handovers, self._lossy = make, files, handovers, lossy_disks
        self._cuts: dict[tuple[str, str], float] = {}
        self.faults = True
        self.winners: dict[int, str] = {}
        self.votes: dict[tuple[bytes, int], bytes] = {}
        self.committed: dict[int, bytes] = {}
        self.elections = self.two = 0
        forge = Forge(identity("host"))
        names = ["host", *(f"voter {number}" for number in range(1, voters))]
        seats = [replace(member(name, f"p{number}"), level="") for number, name in enumerate(names[1:])]
        forge.genesis(game="onecard")
        forge.options(("seat_order", "join_order"))
        forge.entry(EntryKind.ROSTER, roster(*seats))
        wires = forge.journal.wires
        self.voters: dict[str, Voter] = {}
        for name in names:
            self.voters[name] = Voter(self, name, wires)
        self.by_key = {voter.key: voter for voter in self.voters.values()}
        first = self.voters["host"]
        first.lease, first.term = Lease(first.books, first.key, 2), 1
        first.lease.granted([voter.key for voter in self.voters.values()], first.now)
        first.election.host_heard(first.now)
        self.at(self.rng.uniform(0, 5), self._fault)

    def elects(self, who: Any, books: Public, file: VoteFile | None, now: float, same_boot: bool) -> Election:
        """A program's election."""
        return self._make(who, books, file if self._files or self.time == 0 else VoteFile(since=0), now,
                          same_boot=same_boot)

    # ---- time

    def at(self, delay: float, call: Callable[..., None], *args: Any) -> None:
        self._n += 1
        heapq.heappush(self._queue, (self.time + delay, self._n, call, args))

    def run(self, seconds: float) -> None:
        """So many seconds, checking after every event."""
        end = self.time + seconds
        while self._queue and self._queue[0][0] <= end:
            self.time, _, call, args = heapq.heappop(self._queue)
            call(*args)
            self._check()
        self.time = end

    def heal(self, seconds: float) -> None:
        """No more faults; everybody runs. Then there must be a host, where enough have a vote file."""
        self.faults, self._cuts = False, {}
        for voter in self.voters.values():
            voter.rise()
            if not voter.runs:
                voter.start()
        self.run(seconds)
        able = [voter for voter in self.voters.values() if voter.election.may_vote]
        if len(able) > len(self.voters) // 2 and not self.active:
            raise Broken(f"no host {seconds} s after the last fault")

    # ---- network and faults

    def linked(self, who: Voter) -> list[bytes]:
        """Whom it thinks to be linked to: it does not know of cuts."""
        return [voter.key for voter in self.voters.values() if voter.runs and voter is not who]

    def send(self, sender: Voter, far: Voter, message: Message) -> None:
        if isinstance(message, Vote):
            self._voted(message)
        elif isinstance(message, VoteAsk):
            self._voted(message.vote)
        rng = self.rng
        if self.faults and (rng.random() < LOSS or self._cuts.get((sender.name, far.name), 0) > self.time):
            return
        late = self.faults and rng.random() < LATE
        delay = rng.uniform(0.5, LONGEST_DELAY) if late else rng.uniform(0.001, 0.05)
        self.at(delay, self._arrive, sender.name, sender.life, far, far.life, message)

    def _arrive(self, sender: str, life: int, far: Voter, far_life: int, message: Message) -> None:
        if far.runs == far_life and self.voters[sender].life == life:
            far.hear(sender, message)

    def dies(self, voter: Voter) -> bool:
        """Right behind a vote."""
        if not self.faults or self.rng.random() >= 0.1:
            return False
        self._kill(voter, self.rng.uniform(0.1, 4))
        return True

    def _kill(self, voter: Voter, seconds: float) -> None:
        voter.stop()
        voter.asleep = False
        how = self.rng.choices(("file", "none", "boot"), (8, 1, 1))[0] if self._lossy else "file"
        self.at(seconds, self._restart, voter, how)

    def _restart(self, voter: Voter, how: str) -> None:
        if not voter.runs:
            voter.restart(how)

    def _fault(self) -> None:
        if not self.faults:
            return
        rng, names = self.rng, list(self.voters)
        kind = rng.choice(("part", "part", "cut", "cut", "crash", "sleep", "host"))
        if kind == "part":
            side = set(rng.sample(names, rng.randint(1, len(names) - 1)))
            until = self.time + rng.uniform(3, 30)
            self._cuts |= {(a, b): until for a in names for b in names if (a in side) != (b in side)}
        elif kind == "cut":
            a, b = rng.sample(names, 2)
            self._cuts[a, b] = self.time + rng.uniform(3, 30)
        else:
            hosts = [voter for voter in self.voters.values() if voter.lease is not None]
            voter = rng.choice(hosts if hosts and kind == "host" else list(self.voters.values()))
            if kind == "sleep" or (kind == "host" and rng.random() < 0.5):
                if voter.runs and not voter.asleep:
                    voter.asleep = True
                    self.at(rng.uniform(2, 15), voter.rise)
            elif voter.runs:
                self._kill(voter, rng.uniform(0.2, 15))
        self.at(rng.uniform(1, 10), self._fault)

    def hands_over(self) -> bool:
        return self._handovers and self.faults and self.rng.random() < 0.05

    def sleeper_rises(self, voter: Voter) -> None:
        voter.election.slept(voter.now)
        if voter.lease is not None:
            voter.lease.drop()

    def may_act(self, voter: Voter) -> bool:
        """A host acts while its lease holds, and never behind a HANDOVER."""
        return voter.lease is not None and voter.lease.active(voter.now) and voter.books.handover is None

    # ---- what must hold

    @property
    def active(self) -> list[Voter]:
        """The hosts that might act now."""
        return [voter for voter in self.voters.values() if voter.runs and not voter.asleep and self.may_act(voter)]

    def _check(self) -> None:
        if len(self.active) > 1:
            raise Broken(f"two active hosts at {self.time:.2f}: {[(one.name, one.term) for one in self.active]}")
        for voter in self.voters.values():
            if voter.runs and voter.election.proofs:
                raise Broken("two votes in one term")

    def _voted(self, vote: Vote) -> None:
        if self.votes.setdefault((vote.voter, vote.term), vote.candidate) != vote.candidate:
            raise Broken(f"two votes in term {vote.term}")

    def elected(self, voter: Voter, won: Certificate) -> None:
        self.elections += 1
        if self.winners.setdefault(won.term, voter.name) != voter.name:
            raise Broken(f"two certificates in term {won.term}")
        for index, head in self.committed.items():
            if not voter.books.journal.saw(index, head):
                raise Broken(f"{voter.name} is elected without the committed entry {index}")

    def committed_to(self, voter: Voter, before: int, commit: int) -> None:
        for index in range(before + 1, commit + 1):
            head = voter.books.journal.heads[index]
            if self.committed.setdefault(index, head) != head:
                raise Broken(f"another entry {index} was committed")

    def follows(self, voter: Voter, start: int, wires: list[bytes]) -> None:
        """Takes these in from there on; a line that does not hold is an error of the model."""
        journal = voter.books.journal
        try:
            if start < len(journal):
                books = Public(journal.copy(start))
                fold_all(books)
                extend(books, wires)
                journal.truncate(start)
                voter.books.restart()
                fold_all(voter.books)
            extend(voter.books, wires)
        except ProtocolError as error:
            raise Broken(f"{voter.name} can't follow: {error}") from error
        voter.disk[start:] = wires


def fold_all(books: Public) -> None:
    """Folds every entry of the journal."""
    for entry in books.journal.entries:
        books.fold(entry)


def extend(books: Public, wires: list[bytes]) -> None:
    """Accepts and folds these."""
    for wire in wires:
        entry, _ = decode_wire(wire)
        books.fold(books.journal.accept(wire, host_of(entry, books)))


