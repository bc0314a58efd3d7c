"""What voters sign when a table changes its host: votes for a candidate, and leaving the old T behind (protocol 7.3).

A vote names the term, the candidate and the newest entry that the candidate showed; so a certificate, enough of them
for one term, says which history the new host stands on.
"""

from __future__ import annotations

from p2pcards.wire.encode import enc, u8, u32, u64
from p2pcards.wire.fields import NO_SEAT, U8, U32, U64, Digest, Key, Signature, TableId
from p2pcards.wire.identity import Identity, verify
from p2pcards.wire.struct import Body


class Vote(Body, frozen=True):
    """A signed vote. seat: the voter's, or NO_SEAT; last_term, last, head: the candidate's newest entry."""

    table: TableId
    term: U32
    candidate: Key
    voter: Key
    seat: U8
    last_term: U32
    last: U64
    head: Digest
    sig: Signature


def sign_vote(
    identity: Identity, table: bytes, term: int, candidate: bytes, seat: int | None, last: tuple[int, int, bytes]
) -> Vote:
    """Our vote. last: term, index and head of the candidate's newest entry."""
    place = NO_SEAT if seat is None else seat
    sig = identity.sign(_vote_signed(table, term, candidate, place, *last))
    return Vote(table, term, candidate, identity.key, place, *last, sig)


def verify_vote(vote: Vote) -> bool:
    """Whether the vote is that of the key that it names."""
    signed = _vote_signed(vote.table, vote.term, vote.candidate, vote.seat, vote.last_term, vote.last, vote.head)
    return verify(vote.voter, vote.sig, signed)


def _vote_signed(table: bytes, term: int, candidate: bytes, seat: int, last_term: int, last: int, head: bytes) -> bytes:
    return enc("vote", table, u32(term), candidate, u8(seat), u32(last_term) + u64(last), head)


def sign_fork(identity: Identity, table: bytes, head: bytes, fresh: bytes) -> bytes:
    """Our yes to going on as the table `fresh` from that head on: from then on the old T is refused for ever."""
    return identity.sign(_fork_signed(table, head, fresh))


def verify_fork(key: bytes, sig: bytes, table: bytes, head: bytes, fresh: bytes) -> bool:
    """Whether `sig` is that key's yes."""
    return verify(key, sig, _fork_signed(table, head, fresh))


def _fork_signed(table: bytes, head: bytes, fresh: bytes) -> bytes:
    return enc("fork", table, head, fresh)
