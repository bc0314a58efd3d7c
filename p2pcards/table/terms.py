"""Which term it is, by what voters have signed, and who of them signed twice in one (protocol 7.3, STALE; 7.5).

terms = Terms(books)
terms.saw(vote)                # a vote that counts; False: its term is one that there can't be
terms.voted(vote)              # the same of a vote of our own
terms.raise_to(term, stale)    # an entry of a later term, and the STALE that shows it to others
terms.newest, terms.stale
"""

from __future__ import annotations

from p2pcards.table.evidence import by_entry, by_vote
from p2pcards.table.public import Public
from p2pcards.wire.messages import Stale
from p2pcards.wire.vote import Vote

AHEAD = 4096
"""Nobody honest is so many terms ahead: a vote from beyond would use the numbers up."""


class Terms:
    """The newest term of the table as it is now."""

    def __init__(self, public: Public) -> None:
        self.public = public
        self.doubles: list[tuple[Vote, Vote]] = []  # two votes of one voter in one term each, not told yet
        self.forget()

    def forget(self) -> None:
        """The table became another one by a FORK: votes of before count nothing in it."""
        self._bound: tuple[int, Stale | None] = (0, None)  # by our own vote, or an entry: nothing takes that back
        self._heard: Vote | None = None  # of another voter: for a later term, when we heard of it
        self._seen: dict[bytes, Vote] = {}  # the newest vote of each voter
        self._caught: dict[bytes, int] = {}  # the newest term in which a voter signed twice

    @property
    def newest(self) -> int:
        """The newest term that we know of.

        Not by the vote of who was shown out since: no host stops for that, and it binds nobody else to the term.
        """
        heard = self._heard.term if self._heard and self.public.votes(self._heard.voter) else 0
        return max(self.public.term, self._bound[0], heard)

    @property
    def raised(self) -> bool:
        """Whether it is a later one than that of the books."""
        return self.newest > self.public.term

    @property
    def stale(self) -> Stale | None:
        """What shows it to others, our own vote before theirs; None in the first term of all."""
        term, proof = self._bound
        if not self.raised:
            return by_entry(self.public)
        return proof if term == self.newest or self._heard is None else by_vote(self._heard)

    def saw(self, vote: Vote) -> bool:
        """Takes note of a vote that counts; whether its term is one that there can be."""
        if vote.term > self.newest + AHEAD:
            return False
        earlier = self._seen.get(vote.voter)
        if earlier is None or vote.term > earlier.term:
            self._seen[vote.voter] = vote
        elif vote.term == earlier.term > self._caught.get(vote.voter, 0) and _said(vote) != _said(earlier):
            self._caught[vote.voter] = vote.term
            self.doubles.append((earlier, vote))
        if vote.term > self.newest:
            self._heard = vote
        return True

    def voted(self, vote: Vote) -> None:
        """We are bound to that term, whatever becomes of others who spoke of it."""
        self.saw(vote)
        if vote.term > self._bound[0]:
            self._bound = vote.term, by_vote(vote)

    def raise_to(self, term: int, proof: Stale | None) -> None:
        """Somebody signed for that term: an earlier one is over."""
        if self.newest < term <= self.newest + AHEAD:
            self._bound = term, proof


def _said(vote: Vote) -> tuple[bytes, int, int, bytes]:
    return vote.candidate, vote.last_term, vote.last, vote.head
