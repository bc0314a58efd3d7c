"""What a seat says and signs (protocol 6.4): an act, a choice committed or opened, a good-bye.

The bytes of an envelope are enc("act", T, u32 epoch, u8 seat, u32 n, u64 seen_index, seen_head, u8 kind, payload):
what the seat's key signs and, unchanged, the pub of the entry. It names the head that its signer saw, so a host can't
keep it back and play it in another place.
"""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from p2pcards.errors import ProtocolError
from p2pcards.wire.encode import dec, digest, enc, u8, u32, u64

ENVELOPE_BYTES = 512
"""The longest envelope; a message has no room for more."""

CHOICE_BYTES = 32
"""The longest text of a hidden choice."""

_SIZES = (16, 4, 1, 4, 8, 32, 1)


class ActKind(IntEnum):
    """What the payload is."""

    ACT = 1  # canonical text
    SEALED = 2  # commitment; the host knows the choice
    BLIND = 3  # commitment; nobody else knows the choice
    OPENING = 4  # of a BLIND
    COMMIT = 5  # to a contribution
    REVEAL = 6  # of a contribution
    LEAVE = 7
    VOTE = 8  # text


_PAYLOAD = {
    ActKind.SEALED: range(32, 33),
    ActKind.BLIND: range(32, 33),
    ActKind.OPENING: range(36, 36 + CHOICE_BYTES + 1),
    ActKind.COMMIT: range(32, 33),
    ActKind.REVEAL: range(32, 33),
    ActKind.LEAVE: range(5, 6),
}


class Envelope(Struct, frozen=True):
    """One signed statement. n counts up per key (0: the host speaks for the seat); payload as in ActKind."""

    table: bytes
    epoch: int
    seat: int
    n: int
    seen_index: int
    seen_head: bytes
    kind: ActKind
    payload: bytes


def encode_envelope(envelope: Envelope) -> bytes:
    """The bytes to sign."""
    return enc(
        "act",
        envelope.table,
        u32(envelope.epoch),
        u8(envelope.seat),
        u32(envelope.n),
        u64(envelope.seen_index),
        envelope.seen_head,
        u8(envelope.kind),
        envelope.payload,
    )


def decode_envelope(data: bytes) -> Envelope:
    """The envelope whose encoding is exactly `data`; ProtocolError if there is none."""
    if len(data) > ENVELOPE_BYTES:
        raise ProtocolError(f"envelope of {len(data)} bytes")
    parts = dec("act", data)
    if tuple(map(len, parts[:-1])) != _SIZES:
        raise ProtocolError("envelope with fields of the wrong size")
    table, epoch, seat, n, seen_index, seen_head, kind, payload = parts
    try:
        act_kind = ActKind(kind[0])
        if act_kind in (ActKind.ACT, ActKind.VOTE):
            payload.decode("utf-8")
    except ValueError as error:
        raise ProtocolError(f"envelope: {error}") from error
    if act_kind in _PAYLOAD and len(payload) not in _PAYLOAD[act_kind]:
        raise ProtocolError(f"{act_kind.name} with a payload of {len(payload)} bytes")
    return Envelope(table, _int(epoch), seat[0], _int(n), _int(seen_index), seen_head, act_kind, payload)


def _int(part: bytes) -> int:
    return int.from_bytes(part, "big")


# ---- payloads


def choice_commitment(table: bytes, epoch: int, seat: int, n: int, salt: bytes, body: bytes) -> bytes:
    """c, 32 bytes: binds a hidden choice to its place; `salt` is 32 random bytes, `body` the canonical text."""
    return digest("choice", table, u32(epoch), u8(seat), u32(n), salt, body)


def pack_opening(n: int, salt: bytes, body: bytes) -> bytes:
    """Payload of an OPENING. n: of the BLIND it opens, 0 where there is none."""
    return u32(n) + salt + body


def unpack_opening(payload: bytes) -> tuple[int, bytes, bytes]:
    """(n, salt, body) of an OPENING payload."""
    if len(payload) not in _PAYLOAD[ActKind.OPENING]:
        raise ProtocolError(f"opening of {len(payload)} bytes")
    return _int(payload[:4]), payload[4:36], payload[36:]


class LeaveReason(IntEnum):
    """How somebody goes."""

    LEAVE = 1
    RAGEQUIT = 2
    EXIT = 3
    HANDED_OVER = 4  # an exit behind a HANDOVER


def pack_leave(reason: LeaveReason, term: int) -> bytes:
    """Payload of a LEAVE. term: the newest that the leaver knows."""
    return u8(reason) + u32(term)


def unpack_leave(payload: bytes) -> tuple[LeaveReason, int]:
    """(reason, term) of a LEAVE payload."""
    if len(payload) not in _PAYLOAD[ActKind.LEAVE]:
        raise ProtocolError(f"leave of {len(payload)} bytes")
    try:
        return LeaveReason(payload[0]), _int(payload[1:])
    except ValueError as error:
        raise ProtocolError(f"leave: {error}") from error
