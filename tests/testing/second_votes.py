"""What the second program knows of section 7 of the protocol: votes, and forks. It imports nothing of p2pcards."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from nacl.signing import SigningKey

from tests.testing import second


def key(seed: bytes) -> bytes:
    return bytes(SigningKey(seed).verify_key)


# ---- 7.3, R3


def vote(
    seed: bytes, table: bytes, term: int, candidate: bytes, seat: int, last_term: int, last: int, head: bytes
) -> list[int | bytes]:
    """The fields of a VOTE, signed."""
    newest = struct.pack(">I", last_term) + struct.pack(">Q", last)
    said = second.enc("vote", table, struct.pack(">I", term), candidate, bytes([seat]), newest, head)
    return [table, term, candidate, key(seed), seat, last_term, last, head, second.signature(seed, said)]


# ---- 7.3, FORK


def agreed(seeds: Sequence[bytes], table: bytes, head: bytes, fresh: bytes) -> list[list[bytes]]:
    """Everybody's yes, by key."""
    said = second.enc("fork", table, head, fresh)
    return sorted([key(seed), second.signature(seed, said)] for seed in seeds)


def fork(
    seeds: Sequence[bytes],
    host: bytes,
    table: bytes,
    fresh: bytes,
    before: tuple[int, bytes],
    place: tuple[int, int, int],
) -> tuple[bytes, bytes, bytes]:
    """pub, head and wire of a FORK. host: seed of the host's key; before: index and head; place: term, epoch, ms."""
    index, head = before
    term, epoch, ms = place
    pub = second.packed([table, fresh, index, head, key(host), agreed(seeds, table, head, fresh)])
    body = second.entry(22, 255, 0, term, epoch, index + 1, head, ms, pub, b"")
    named = second.head(fresh, body)
    return pub, named, body + second.hostsig(host, fresh, term, index + 1, named)
