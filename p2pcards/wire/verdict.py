"""What each program found when it checked a disclosed round, signed by who found it (protocol 6.8).

Rounds of different matches have the same numbers, so a verdict of ours names in its reason, before anything else, the
head of the DISCLOSE that it is about: nobody's word about one round may be passed off as one about another. A verdict
that names none is taken for one about the round that was disclosed last.
"""

from __future__ import annotations

import re

from p2pcards.wire.encode import enc, u32, u64
from p2pcards.wire.identity import Identity, verify
from p2pcards.wire.messages import NOTHING_BAD, REASON_CHARS, Audit

_ABOUT = re.compile(r"head ([0-9a-f]{16})(?: |$)")


def sign_verdict(identity: Identity, table: bytes, head: bytes, round: int, bad: int | None, reason: str) -> Audit:
    """The signed verdict. head: of the round's DISCLOSE; bad: index of the first bad entry, None where all is in
    order; reason: cut to fit."""
    place = NOTHING_BAD if bad is None else bad
    about = f"head {head[:8].hex()} {reason}"[:REASON_CHARS].rstrip()
    return Audit(identity.key, round, place, about, identity.sign(_signed(table, identity.key, round, place, about)))


def verify_verdict(table: bytes, head: bytes, said: Audit) -> bool:
    """Whether the verdict is that of the key that it names, at this table and about what this head stands for."""
    named = _ABOUT.match(said.reason)
    if named and named[1] != head[:8].hex():
        return False
    return verify(said.key, said.sig, _signed(table, said.key, said.round, said.bad, said.reason))


def finding(said: Audit) -> str:
    """What was found, without what it is about."""
    named = _ABOUT.match(said.reason)
    return said.reason[named.end() :] if named else said.reason


def _signed(table: bytes, key: bytes, round: int, bad: int, reason: str) -> bytes:
    return enc("audit", table, key, u32(round), u64(bad), reason.encode())
