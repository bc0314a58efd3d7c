"""What each program found when it checked a disclosed round, signed by who found it (protocol 6.8).

The signature covers the head of the round's DISCLOSE: rounds of different matches have the same numbers, and nobody's
word about one round or history may be passed off as one about another.
"""

from __future__ import annotations

from p2pcards.wire.encode import enc, u32, u64
from p2pcards.wire.identity import Identity, verify
from p2pcards.wire.messages import NOTHING_BAD, REASON_CHARS, Audit


def sign_verdict(identity: Identity, table: bytes, head: bytes, round: int, bad: int | None, reason: str) -> Audit:
    """The signed verdict. head: of the round's DISCLOSE; bad: index of the first bad entry, None where all is in
    order; reason: cut to fit."""
    place, reason = NOTHING_BAD if bad is None else bad, reason[:REASON_CHARS]
    signed = _signed(table, head, identity.key, round, place, reason)
    return Audit(identity.key, round, place, reason, identity.sign(signed))


def verify_verdict(table: bytes, head: bytes, said: Audit) -> bool:
    """Whether the verdict is that of the key that it names, at this table and about what this head stands for."""
    return verify(said.key, said.sig, _signed(table, head, said.key, said.round, said.bad, said.reason))


def _signed(table: bytes, head: bytes, key: bytes, round: int, bad: int, reason: str) -> bytes:
    return enc("audit", table, head, key, u32(round), u64(bad), reason.encode())
