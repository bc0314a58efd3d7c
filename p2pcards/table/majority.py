"""Votes on showing a player out, as the journal tells them: what a ballot says, and when there are enough (wants 3).

A ballot is an envelope that names a seat; who sat there is what counts, so a ballot must have seen the roster that it
is read by. Host, guests and whoever audits a table count alike, so that no host can make up a vote.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from p2pcards.errors import ProtocolError
from p2pcards.wire.entries import PROGRAM, Kick, SeatKind
from p2pcards.wire.envelope import ActKind, Envelope

if TYPE_CHECKING:
    from p2pcards.table.public import Public

_TEXT = re.compile(r"(kick|against) (0|[1-9][0-9]{0,2})")


class Ballot(Struct, frozen=True):
    """Who voted on whom, by key."""

    voter: bytes
    about: bytes
    yes: bool


class NoBallot(ProtocolError):
    """It can't be counted. code: for the player."""

    def __init__(self, code: str) -> None:
        super().__init__(f"a ballot that can't be counted: {code}")
        self.code = code


def ballot_text(seat: int, yes: bool) -> str:
    """The payload of the envelope."""
    return f"{'kick' if yes else 'against'} {seat}"


def read_ballot(said: Envelope, books: Public) -> Ballot:
    """What the envelope of a seat says; its signature, its n and its head are the caller's to check.

    Raises NoBallot: no_vote (no text of a vote), not_seated, vote_program (programs have no vote), vote_seat (no
    player there), vote_host, vote_self, or stale (the seats have changed since).
    """
    match = _TEXT.fullmatch(said.payload.decode("utf-8", "replace")) if said.kind is ActKind.VOTE else None
    if match is None:
        raise NoBallot("no_vote")
    verb, seat = match[1], int(match[2])
    if said.seat >= len(books.seats) or books.seats[said.seat].kind is not SeatKind.MEMBER:
        raise NoBallot("not_seated")
    if books.seats[said.seat].flags & PROGRAM:
        raise NoBallot("vote_program")
    if seat >= len(books.seats) or books.seats[seat].kind is not SeatKind.MEMBER:
        raise NoBallot("vote_seat")
    voter, about = books.seats[said.seat].key, books.seats[seat].key
    if about == books.host:
        raise NoBallot("vote_host")
    if about == voter:
        raise NoBallot("vote_self")
    if said.seen_index < books.seats_at:
        raise NoBallot("stale")
    return Ballot(voter, about, verb == "kick")


def persons(books: Public) -> frozenset[bytes]:
    """Keys of those who count: everybody seated who is no program."""
    seats = (held for held in books.seats if held.kind is SeatKind.MEMBER)
    return frozenset(held.key for held in seats if not held.flags & PROGRAM)


def needed(books: Public) -> int:
    """How many must be for it: more than half of them."""
    return len(persons(books)) // 2 + 1


class BallotBox(Struct):
    """The ballots of the newest vote, as far as the journal tells.

    It does not tell when a vote came to nothing. But one vote is open at a time, and nobody has two voices in it: so a
    ballot about somebody else begins another, and a second ballot of one voter shows that the first, and all before
    it, were of a vote that is over.
    """

    about: bytes = b""
    ballots: dict[int, Ballot] = {}  # by index of the entry

    def put(self, ballot: Ballot, index: int) -> None:
        """Takes the ballot of an entry."""
        over = max((at for at, earlier in self.ballots.items() if earlier.voter == ballot.voter), default=-1)
        if ballot.about != self.about:
            self.about, self.ballots = ballot.about, {}
        self.ballots = {at: earlier for at, earlier in self.ballots.items() if at > over} | {index: ballot}

    def check(self, kick: Kick, books: Public) -> None:
        """A KICK that names ballots must have been voted by a majority of who is seated; raises ProtocolError.

        The books are those before anybody has lost the seat.
        """
        if not kick.ballots:
            return
        votes = {index: self.ballots.get(index) for index in kick.ballots}
        voters = {vote.voter for vote in votes.values() if vote and vote.yes}
        if kick.key != self.about or len(voters) != len(kick.ballots):
            raise ProtocolError("somebody shown out by a vote that there was not")
        if books.seat_of(kick.key) is None or not voters <= persons(books):
            raise ProtocolError("somebody shown out by the votes of others than who is seated")
        if len(voters) < needed(books):
            raise ProtocolError("somebody shown out by too few votes")
