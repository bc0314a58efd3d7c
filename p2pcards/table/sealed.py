"""Hidden choices that the host may see (protocol 6.4): sealed into their entry, opened by everybody with R.

The keys are made from R and from term and index of the entry: under a new host the same index can be written again
under the same R, and a key must never seal two choices.
"""

from __future__ import annotations

from p2pcards.wire.encode import expand, u32, u64
from p2pcards.wire.envelope import CHOICE_BYTES
from p2pcards.wire.records import HEADER_BYTES, Opener, Sealer

SALT_BYTES = 32
_PLAIN_BYTES = SALT_BYTES + CHOICE_BYTES


def seal_choice(secret: bytes, term: int, index: int, salt: bytes, body: bytes) -> bytes:
    """The sealed part of the entry `index`, always of one length; body: the canonical text."""
    return Sealer(*_keys(secret, term, index)).seal_plain((salt + body).ljust(_PLAIN_BYTES, b"\0"))


def open_choice(secret: bytes, term: int, index: int, sealed: bytes) -> tuple[bytes, bytes]:
    """(salt, body) of a sealed part; ProtocolError where R does not open it."""
    plain = Opener(*_keys(secret, term, index)).open_plain(sealed[HEADER_BYTES:])
    return plain[:SALT_BYTES], plain[SALT_BYTES:].rstrip(b"\0")


def unpack_choice(opening: bytes) -> tuple[bytes, bytes]:
    """(salt, body) as they come to the host beside the act; of a choice cut short nothing is left of the body."""
    return opening[:SALT_BYTES], opening[SALT_BYTES:_PLAIN_BYTES]


def _keys(secret: bytes, term: int, index: int) -> tuple[bytes, bytes]:
    place = u32(term) + u64(index)
    return expand(secret, "seal enc", place), expand(secret, "seal mac", place)
