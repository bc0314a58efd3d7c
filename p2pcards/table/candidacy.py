"""What a candidate asks of the others: first whether they would vote for it, then their votes (protocol 7.3, R1, R6).

asking = Asking.whether(term, books, now, ASK_SECONDS)     # PREVOTE_ASK: nothing has changed yet
asking = Asking.for_votes(own_vote, books, now)            # VOTE_ASK: the term has begun
for key, question in asking.questions(books, linked): ...
asking.take(vote, books, now); asking.votes(books)
"""

from __future__ import annotations

from collections.abc import Collection

from p2pcards.table.evidence import newest
from p2pcards.table.public import Public
from p2pcards.wire.messages import Message, PrevoteAsk, VoteAsk
from p2pcards.wire.vote import Vote

VOTE_WINDOW = 3.0
"""How long a vote counts, from when it was asked for."""


class Asking:
    """One question to everybody, and the answers. at, until: when it was asked, and how long answers count."""

    def __init__(self, term: int, books: Public, at: float, until: float, own: Vote | None) -> None:
        self.term, self.at, self.until, self.own = term, at, until, own
        self._shown, self._hostsig = newest(books), books.journal.hostsig
        self._willing: set[bytes] = set()
        self._votes = {own.voter: own} if own else {}
        self._told: set[bytes] = set()

    @classmethod
    def whether(cls, term: int, books: Public, now: float, seconds: float) -> Asking:
        """Whether they would vote for us in that term."""
        return cls(term, books, now, now + seconds, None)

    @classmethod
    def for_votes(cls, own: Vote, books: Public, now: float) -> Asking:
        """For their votes; `own` is the first."""
        return cls(own.term, books, now, now + VOTE_WINDOW, own)

    def questions(self, books: Public, linked: Collection[bytes]) -> list[tuple[bytes, Message]]:
        """For those linked who were not asked over the link that they have now; to be called when links change."""
        fresh = sorted(set(linked) - self._told)
        self._told = set(linked)
        if self.own is None:
            return [(key, PrevoteAsk(books.table, self.term, *self._shown, self._hostsig)) for key in fresh]
        return [(key, VoteAsk(self.own, self._hostsig)) for key in fresh]

    def would(self, key: bytes) -> None:
        """Somebody would vote for us."""
        self._willing.add(key)

    def willing(self, books: Public) -> int:
        """How many would, we among them."""
        return 1 + sum(map(books.votes, self._willing))

    def take(self, vote: Vote, books: Public, now: float) -> None:
        """A vote, well signed; it counts if it is for us, now, and for what we showed and hold still."""
        if self.own is None or now >= self.until or (vote.term, vote.candidate) != (self.term, self.own.voter):
            return
        if (vote.last_term, vote.last, vote.head) == self._shown and books.journal.saw(vote.last, vote.head):
            self._votes[vote.voter] = vote

    def votes(self, books: Public) -> tuple[Vote, ...]:
        """Those that count."""
        return tuple(vote for voter, vote in self._votes.items() if books.votes(voter))
