"""What is believed of others' terms, heads and votes, and what is kept to show to who is behind (protocol 7.3, 7.5).

A term is known to be over by anything of a later one that a voter signed: a vote, or the entry that begins it. A head
is worth what its host's signature is. Two votes of one voter in one term are proof of a lie.
"""

from __future__ import annotations

import msgspec

from p2pcards.errors import ProtocolError
from p2pcards.table.certificates import BEGINS
from p2pcards.table.public import Public
from p2pcards.wire.entries import Fork, TermStart, decode_pub, decode_wire, head, head_signed
from p2pcards.wire.identity import verify
from p2pcards.wire.messages import RAISED_BY_ENTRY, RAISED_BY_VOTE, Stale
from p2pcards.wire.vote import Vote, verify_fork, verify_vote

Newest = tuple[int, int, bytes]
"""Term, index and head of somebody's newest entry."""

_VOTE = msgspec.msgpack.Decoder(Vote)


def newest(books: Public) -> Newest:
    """Our own."""
    journal = books.journal
    return journal.term_at(journal.last), journal.last, journal.head


def is_vouched(books: Public, shown: Newest, hostsig: bytes) -> bool:
    """Whether a head that somebody shows is one of the table's: on our chain, or signed by the host of its term.

    Of a term behind our newest one we know no host; then it must be signed by somebody whom we know at the table.
    """
    term, index, digest = shown
    journal = books.journal
    if journal.saw(index, digest):
        return journal.term_at(index) == term
    reign = next(((start, key) for start, key in books.reigns if journal.term_at(start) == term), None)
    if reign is not None:
        start, key = reign
        return verify(key, hostsig, head_signed(journal.table_at(start), term, index, digest))
    if term <= books.term:
        return False
    signed = head_signed(books.table, term, index, digest)
    seated = (held.key for held in books.seats if len(held.key) == 32)
    known = dict.fromkeys((*books.voters, *seated, *(key for key, _ in books.spectators)))
    return any(verify(key, hostsig, signed) for key in known)


def is_as_new(books: Public, shown: Newest) -> bool:
    """Whether somebody holds at least what we hold: a later term, or in ours no fewer entries, our own among them."""
    ours = newest(books)
    if shown[:2] == ours[:2]:
        return shown[2] == ours[2]
    return shown[:2] > ours[:2]


def check_vote(books: Public, vote: Vote) -> bool:
    """Whether it counts as a vote at this table as it is now; ProtocolError where it is forged."""
    if vote.table != books.table or not books.votes(vote.voter):
        return False
    if not verify_vote(vote):
        raise ProtocolError("a vote that its voter did not sign")
    return True


def by_vote(vote: Vote) -> Stale:
    """The STALE that shows a vote."""
    return Stale(RAISED_BY_VOTE, msgspec.msgpack.encode(vote))


def by_entry(books: Public) -> Stale | None:
    """The STALE that shows with which entry our newest term begins; None in the first term of all."""
    start = books.reigns[-1][0] if books.reigns else 0
    if books.journal.last < start or books.journal.entries[start].kind not in BEGINS:
        return None
    return Stale(RAISED_BY_ENTRY, books.journal.wires[start])


def read_stale(books: Public, key: bytes, stale: Stale) -> Vote | int | None:
    """What a STALE shows: a vote that counts, or the term that an entry begins; None where it says nothing to us.

    key: ours. Raises ProtocolError for a forged one.
    """
    if stale.what == RAISED_BY_ENTRY:
        return _begun(books, key, stale.data)
    if stale.what != RAISED_BY_VOTE:
        raise ProtocolError(f"a STALE of kind {stale.what}")
    try:
        vote = _VOTE.decode(stale.data)
    except (msgspec.MsgspecError, ValueError) as error:
        raise ProtocolError(f"a STALE without a vote: {error}") from error
    return vote if check_vote(books, vote) else None


def _begun(books: Public, key: bytes, wire: bytes) -> int | None:
    """The term that the entry begins, signed by its host, a voter.

    Those who went on as another table by a FORK are of no concern to who did not agree to it.
    """
    entry, hostsig = decode_wire(wire)
    pub = decode_pub(entry.kind, entry.pub) if entry.kind in BEGINS else None
    if not isinstance(pub, TermStart | Fork):
        raise ProtocolError(f"a STALE that shows {entry.kind.name}")
    table = books.table
    if isinstance(pub, Fork):
        sig = dict(pub.said).get(key)
        if pub.earlier != table or sig is None or not verify_fork(key, sig, table, pub.head, pub.fresh):
            return None
        table = pub.fresh
    signed = head_signed(table, entry.term, entry.index, head(table, wire[:-64]))
    return entry.term if books.votes(pub.host) and verify(pub.host, hostsig, signed) else None
