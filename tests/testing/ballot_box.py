"""Elections under heavy faults: voters with real journals and real signatures, and everything else made simple.

A discrete-event model of protocol 7.4: every voter runs an `Election`; whoever it elects leads with a `Lease`, writes
an entry now and then and commits what a quorum holds. Messages are lost, late and out of order, links are cut one way
or both, clocks drift, machines sleep, programs end (some right behind a vote) and start again with or without what
they kept. After every single event these must hold, or `Broken` is raised:

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

from p2pcards.table.election import Certificate, Election
from p2pcards.table.lease import Lease
from p2pcards.table.public import Public
from p2pcards.table.votefile import VoteFile
from p2pcards.wire.entries import (
    EntryKind,
)
from p2pcards.wire.messages import Message, VoteAsk
from p2pcards.wire.vote import Vote
from tests.testing.ballot_voter import Voter
from tests.testing.cluster import identity
from tests.testing.dice import dice
from tests.testing.forge import Forge, member, roster

LOSS, LATE, VERY_LATE = 0.08, 0.05, 0.25
LONGEST_DELAY = 6.0


class Broken(AssertionError):
    """What must always hold does not."""


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
        self._late = VERY_LATE if seed % 2 else LATE
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
        return self._make(
            who, books, file if self._files or self.time == 0 else VoteFile(since=0), now, same_boot=same_boot
        )

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
        late = self.faults and rng.random() < self._late
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
        kind = rng.choice(("part", "cut", "pair", "pair", "crash", "sleep", "host"))
        if kind == "part":
            side = set(rng.sample(names, rng.randint(1, len(names) - 1)))
            until = self.time + rng.uniform(3, 30)
            self._cuts |= {(a, b): until for a in names for b in names if (a in side) != (b in side)}
        elif kind in ("cut", "pair"):
            a, b = rng.sample(names, 2)
            self._cuts[a, b] = until = self.time + rng.uniform(3, 30)
            if kind == "pair":
                self._cuts[b, a] = until
        else:
            hosts = [voter for voter in self.voters.values() if voter.lease is not None]
            voter = rng.choice(hosts if hosts and kind == "host" else list(self.voters.values()))
            if kind == "sleep" or (kind == "host" and rng.random() < 0.5):
                if voter.runs and not voter.asleep:
                    voter.asleep = True
                    self.at(rng.uniform(2, 15), voter.rise)
            elif voter.runs:
                self._kill(voter, rng.uniform(0.2, 15))
        self.at(rng.uniform(0.5, 8), self._fault)

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
        self.leads(voter, won.term)

    def leads(self, voter: Voter, term: int) -> None:
        if self.winners.setdefault(term, voter.name) != voter.name:
            raise Broken(f"two hosts of term {term}")
        for index, head in self.committed.items():
            if not voter.books.journal.saw(index, head):
                raise Broken(f"{voter.name} is elected without the committed entry {index}")

    def committed_to(self, voter: Voter, before: int, commit: int) -> None:
        for index in range(before + 1, commit + 1):
            head = voter.books.journal.heads[index]
            if self.committed.setdefault(index, head) != head:
                raise Broken(f"another entry {index} was committed")
