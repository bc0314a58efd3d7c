"""One voter of the model in `ballot_box`: its machine, its disk, and the program that leads or follows on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pcards.table.certificates import host_of
from p2pcards.table.election import DEAD
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
from p2pcards.wire.messages import Ack, Entries, Get, Heartbeat, Message, VoteAsk
from p2pcards.wire.vote import Vote
from tests.testing.cluster import identity
from tests.testing.forge import Forge

if TYPE_CHECKING:
    from tests.testing.ballot_box import BallotBox

BEAT = 1.0
"""Between two heartbeats, and two entries."""

DRIFT = 0.02
"""How much a clock may win or lose."""


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
        extend(books, wires)
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
            self.follow(first.index + same, new)
        if far.key == self.books.host and not self.election.raised:
            self.election.host_heard(self.now)
            self.ack(far, 0)

    def follow(self, start: int, wires: list[bytes]) -> None:
        """Takes these in from there on. Nobody in this model sends a line that does not hold."""
        journal = self.books.journal
        if start < len(journal):
            books = Public.of(journal.copy(start))
            extend(books, wires)
            journal.truncate(start)
            self.books.restart()
            for entry in journal.entries:
                self.books.fold(entry)
        extend(self.books, wires)
        self.disk[start:] = wires

    def succeed(self) -> None:
        """A host that hands over to us is done, as far as we know from it."""
        given, books = self.books.handover, self.books
        if given is None or given.successor != self.key or self.lease is not None or not self.runs:
            return
        if self.known >= books.journal.last and self.election.term <= given.term:
            self.election.adopt(given.term)
            self.box.leads(self, given.term)
            self.lead(given.term, TermStart(self.key, (), books.journal.last))


def extend(books: Public, wires: list[bytes]) -> None:
    """Accepts and folds these."""
    for wire in wires:
        entry, _ = decode_wire(wire)
        books.fold(books.journal.accept(wire, host_of(entry, books)))
