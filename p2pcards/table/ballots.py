"""The open vote on showing a player out: as the host decides it, and as a guest follows it.

One vote at a time, with one vote for each person at the table but the one it is about, who counts all the same. More
than half of all must be for it within VOTE_SECONDS. Who called a vote that failed must wait before the next call.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from enum import Enum
from math import ceil

from msgspec import Struct

from p2pcards.table.majority import Ballot, NoBallot, needed, persons, read_ballot
from p2pcards.table.notices import Notice, VoteCalled, VoteCast, VoteFailed
from p2pcards.table.public import Public
from p2pcards.table.round import Refused
from p2pcards.table.tableview import Vote
from p2pcards.wire.envelope import Envelope

VOTE_SECONDS = 30.0
"""How long a vote is open."""

CALL_SECONDS = 120.0
"""How long the caller of a vote that failed must wait before the next call."""

_LATE_SECONDS = 1.0
"""A guest's clock gives a ballot that is under way when the time is up this long to arrive."""


class Outcome(Enum):
    """How an open vote stands."""

    OPEN = "open"
    CARRIED = "carried"
    FAILED = "failed"  # too many are against it, or its time is up
    GONE = "gone"  # the one it is about has no seat any more


class Decided(Struct, frozen=True):
    """A vote that is over. ballots: indexes of those that carried it."""

    outcome: Outcome
    about: bytes  # key
    ballots: tuple[int, ...] = ()


class _Open:
    """The ballots of one vote, by key; only those count whose voters are seated."""

    def __init__(self, first: Ballot, until: float) -> None:
        self.about, self.caller, self.until = first.about, first.voter, until
        self.yes: dict[bytes, int] = {}  # voter -> index of the ballot
        self.no: set[bytes] = set()

    def put(self, ballot: Ballot, index: int) -> None:
        if ballot.yes:
            self.yes[ballot.voter] = index
        else:
            self.no.add(ballot.voter)

    def has(self, voter: bytes) -> bool:
        return voter in self.yes or voter in self.no

    def counted(self, books: Public) -> tuple[AbstractSet[bytes], AbstractSet[bytes]]:
        """Who is for it and who is against it."""
        voters = persons(books) - {self.about}
        return voters & self.yes.keys(), voters & self.no

    def stands(self, books: Public) -> Outcome:
        """How it stands as long as there is time."""
        if books.seat_of(self.about) is None:
            return Outcome.GONE
        votes, against = self.counted(books)
        if len(votes) >= needed(books):
            return Outcome.CARRIED
        lost = len(persons(books) - {self.about}) - len(against) < needed(books)
        return Outcome.FAILED if lost else Outcome.OPEN


class Ballots:
    """The host's. Votes are taken in by `check` (nothing changes), then the entry, then `cast`; `look` decides."""

    def __init__(self) -> None:
        self._open: _Open | None = None
        self._again: dict[bytes, float] = {}  # who called a vote that failed, and when the next may be called

    @property
    def wake_at(self) -> float | None:
        """When the open vote's time is up."""
        return self._open.until if self._open else None

    def check(self, said: Envelope, books: Public, now: float) -> None:
        """Raises Refused where the vote can't be taken.

        Codes beside those of `read_ballot`: no_vote (none is open), vote_open (another is; detail: about whom), voted,
        vote_soon (detail: the seconds until one may be called), vote_few (too few people to carry any).
        """
        try:
            ballot = read_ballot(said, books)
        except NoBallot as error:
            raise Refused(error.code) from error
        if self._open:
            if ballot.about != self._open.about:
                raise Refused("vote_open", books.nick_of(self._open.about))
            if self._open.has(ballot.voter):
                raise Refused("voted")
        elif not ballot.yes:
            raise Refused("no_vote")
        elif now < self._again.get(ballot.voter, now):
            raise Refused("vote_soon", str(ceil(self._again[ballot.voter] - now)))
        elif len(persons(books) - {ballot.about}) < needed(books):
            raise Refused("vote_few")

    def cast(self, said: Envelope, index: int, books: Public, now: float) -> None:
        """Counts a vote that was checked and stands in the journal as entry `index`."""
        ballot = read_ballot(said, books)
        if self._open is None:
            self._open = _Open(ballot, now + VOTE_SECONDS)
        self._open.put(ballot, index)

    def look(self, books: Public, now: float) -> Decided | None:
        """The open vote's end, once; None while it is open or there is none."""
        self._again = {key: at for key, at in self._again.items() if now < at}
        vote = self._open
        if vote is None:
            return None
        outcome = vote.stands(books)
        if outcome is Outcome.OPEN:
            if now < vote.until:
                return None
            outcome = Outcome.FAILED
        self._open = None
        if outcome is Outcome.FAILED:
            self._again[vote.caller] = now + CALL_SECONDS
        carried = sorted(vote.yes[key] for key in vote.counted(books)[0]) if outcome is Outcome.CARRIED else ()
        return Decided(outcome, vote.about, tuple(carried))


class VoteWatch:
    """A guest's: the open vote, from the journal's ballots and its own clock."""

    def __init__(self) -> None:
        self._open: _Open | None = None
        self._nick = self._by = ""  # of whom it is about, and of who called it

    @property
    def wake_at(self) -> float | None:
        """When it counts as failed."""
        return self._open.until + _LATE_SECONDS if self._open else None

    def take(self, said: Envelope, index: int, books: Public, now: float) -> Iterator[Notice]:
        """A ballot that has just come to stand in the journal."""
        ballot = read_ballot(said, books)
        by = books.nick_of(ballot.voter)
        vote = self._open
        if vote is None or vote.about != ballot.about or vote.has(ballot.voter):
            if ballot.yes:
                self._open = _Open(ballot, now + VOTE_SECONDS)
                self._open.put(ballot, index)
                self._nick, self._by = books.nick_of(ballot.about), by
                seat = books.seat_of(ballot.about)
                yield VoteCalled(seat or 0, self._nick, by, needed(books), round(VOTE_SECONDS))
            return
        vote.put(ballot, index)
        votes, against = vote.counted(books)
        yield VoteCast(self._nick, by, ballot.yes, len(votes), len(against), needed(books))

    def kicked(self, key: bytes) -> None:
        """Somebody was shown out, by the vote or by the host."""
        if self._open and self._open.about == key:
            self._open = None

    def look(self, books: Public, now: float) -> Iterator[Notice]:
        """Whether it came to nothing. To be asked after every entry, and when the time is up."""
        vote = self._open
        if vote is None:
            return
        late = now >= vote.until + _LATE_SECONDS
        if late or vote.stands(books) in (Outcome.FAILED, Outcome.GONE):
            self._open = None
            yield VoteFailed(self._nick)

    def view(self, books: Public) -> Vote | None:
        """The vote as the screens show it."""
        vote = self._open
        seat = books.seat_of(vote.about) if vote else None
        if vote is None or seat is None:
            return None
        votes, against = (_seats(keys, books) for keys in vote.counted(books))
        return Vote(seat, self._by, votes, against, needed(books), vote.until)


def _seats(keys: AbstractSet[bytes], books: Public) -> tuple[int, ...]:
    return tuple(seat for seat in range(len(books.seats)) if books.seats[seat].key in keys)
