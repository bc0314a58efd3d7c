"""What makes a host stop: a voter has signed that a later term has begun, or asks for it (protocol 7.3, R7)."""

from __future__ import annotations

import msgspec

from p2pcards.errors import ProtocolError
from p2pcards.table.public import Public
from p2pcards.wire.entries import EntryKind, Fork, TermStart, decode_pub, decode_wire, head, head_signed
from p2pcards.wire.identity import verify
from p2pcards.wire.messages import RAISED_BY_ENTRY, RAISED_BY_VOTE, Message, Stale, VoteAsk
from p2pcards.wire.vote import Vote, verify_vote

_VOTE = msgspec.msgpack.Decoder(Vote)


def raises(message: Message, books: Public) -> bool:
    """Whether this is a voter's signed word that a term above that of the books is on. ProtocolError for no word."""
    match message:
        case Vote():
            return _vote_raises(message, books)
        case VoteAsk(vote):
            return _vote_raises(vote, books)
        case Stale(what, data) if what == RAISED_BY_VOTE:
            try:
                return _vote_raises(_VOTE.decode(data), books)
            except (msgspec.MsgspecError, ValueError) as error:
                raise ProtocolError(f"a STALE that shows nothing: {error}") from error
        case Stale(what, data) if what == RAISED_BY_ENTRY:
            return _entry_raises(data, books)
    raise ProtocolError(f"{type(message).__name__} that raises no term")


def _vote_raises(vote: Vote, books: Public) -> bool:
    above = vote.table == books.table and vote.term > books.term
    return above and books.votes(vote.voter) and verify_vote(vote)


def _entry_raises(wire: bytes, books: Public) -> bool:
    entry, hostsig = decode_wire(wire)
    if entry.kind not in (EntryKind.TERM_START, EntryKind.FORK) or entry.term <= books.term:
        return False
    pub, table = decode_pub(entry.kind, entry.pub), books.table
    if isinstance(pub, Fork):
        if pub.earlier != table:
            return False
        table = pub.fresh
    if not isinstance(pub, TermStart | Fork) or not books.votes(pub.host):
        return False
    return verify(pub.host, hostsig, head_signed(table, entry.term, entry.index, head(table, wire[:-64])))
