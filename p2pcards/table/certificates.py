"""Who is host: what must stand in the journal where that changes (protocol 7.2, 7.3).

A term begins by the votes of a quorum, by the word of the host before, or (a FORK) by the yes of everybody named who
goes on without the others. Each is checked against the books as they stand before the entry: so whose vote counts, and
over which history it was given, is told by the very journal that the new host goes on with. `Public` asks here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pcards.errors import ProtocolError
from p2pcards.table.escrow import quorum
from p2pcards.wire.entries import Entry, EntryKind, Fork, Genesis, Handover, SeatKind, TermStart, decode_pub
from p2pcards.wire.vote import Vote, verify_fork, verify_vote

if TYPE_CHECKING:
    from p2pcards.table.public import Public

BEGINS = frozenset({EntryKind.TERM_START, EntryKind.FORK})
"""Kinds that begin a term."""

ELECTS = 3
"""So many voters at least elect a host; fewer have no majority without the one that is gone."""


def host_of(entry: Entry, books: Public) -> bytes:
    """Whose signature the entry must carry if it follows; ProtocolError where it names nobody.

    An entry that begins a term names its host itself: whether it may is for the books to say.
    """
    if entry.kind is EntryKind.GENESIS or entry.kind in BEGINS:
        pub = decode_pub(entry.kind, entry.pub)
        if isinstance(pub, Genesis | TermStart | Fork):
            return pub.host
    return books.host


def members(books: Public) -> frozenset[bytes]:
    """Keys of those who may be asked whether the table goes on: who is seated, or votes, and is not shown out."""
    seated = {held.key for held in books.seats if held.kind is SeatKind.MEMBER}
    return frozenset(seated | set(books.voters)) - {books.going}


def check_handover(books: Public, pub: Handover) -> None:
    """A host hands over to another voter, who begins the very next term."""
    if pub.successor == books.host or not books.votes(pub.successor):
        raise ProtocolError("a table handed over to nobody")
    if pub.term != books.term + 1:
        raise ProtocolError("a table handed over for another term than the next")


def check_term_start(books: Public, entry: Entry, pub: TermStart) -> None:
    """A term begins by votes, or by the HANDOVER in the entry before; never by both."""
    if entry.term <= books.term:
        raise ProtocolError(f"term {entry.term} begun after term {books.term}")
    if not books.votes(pub.host):
        raise ProtocolError("a host that has no vote at this table")
    if pub.votes:
        _check_votes(books, entry, pub)
        return
    given = books.handover
    if given is None or pub.handover != entry.index - 1:
        raise ProtocolError("a host that nobody has chosen")
    if (pub.host, entry.term) != (given.successor, given.term):
        raise ProtocolError("another host, or another term, than the table was handed over to")


def _check_votes(books: Public, entry: Entry, pub: TermStart) -> None:
    voters = {vote.voter for vote in pub.votes}
    if pub.handover or len(voters) < len(pub.votes):
        raise ProtocolError("a vote counted twice")
    if len(books.voters) < ELECTS or len(voters) < quorum(len(books.voters)):
        raise ProtocolError("a host elected by too few")
    if books.handover and entry.term <= books.handover.term:
        raise ProtocolError("a host elected for the term of a successor")
    for vote in pub.votes:
        _check_vote(books, entry, pub.host, vote)


def _check_vote(books: Public, entry: Entry, host: bytes, vote: Vote) -> None:
    if (vote.table, vote.term, vote.candidate) != (books.table, entry.term, host):
        raise ProtocolError("a vote for another host, term or table")
    if not books.votes(vote.voter):
        raise ProtocolError("a vote of somebody who has none")
    journal = books.journal
    known = vote.last < entry.index and journal.saw(vote.last, vote.head)
    if not known or vote.last_term != journal.term_at(vote.last):
        raise ProtocolError("a vote over another history")
    if vote.last < books.admitted.get(vote.voter, 0):
        raise ProtocolError("a vote over a history in which its voter has none yet")
    if not verify_vote(vote):
        raise ProtocolError("a vote that its voter did not sign")


def check_fork(books: Public, entry: Entry, pub: Fork) -> None:
    """Everybody named said yes to this head; the old host stays host where it is among them."""
    if entry.term != books.term + 1:
        raise ProtocolError(f"a fork into term {entry.term} after term {books.term}")
    at = (books.table, entry.index - 1, entry.prev)
    if (pub.earlier, pub.index, pub.head) != at or pub.fresh in (books.table, *books.tables):
        raise ProtocolError("a fork from another history, or into a table that was")
    named = [key for key, _ in pub.said]
    if not named or named != sorted(set(named)) or not members(books).issuperset(named):
        raise ProtocolError("a fork of others than the table's members, or not in their order")
    if pub.host not in named or (books.host in named and pub.host != books.host):
        raise ProtocolError("a fork under another host than is its due")
    if not all(verify_fork(key, sig, pub.earlier, pub.head, pub.fresh) for key, sig in pub.said):
        raise ProtocolError("a fork that somebody named did not agree to")
