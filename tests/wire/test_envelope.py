"""Envelopes (protocol 6.4): one statement, one encoding."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.errors import ProtocolError
from p2pcards.wire.encode import digest, enc, u8, u32, u64
from p2pcards.wire.envelope import (
    ENVELOPE_BYTES,
    ActKind,
    Envelope,
    LeaveReason,
    choice_commitment,
    decode_envelope,
    encode_envelope,
    pack_leave,
    pack_opening,
    unpack_leave,
    unpack_opening,
)
from tests.wire.strategies import ENVELOPES

TABLE, HEAD = b"T" * 16, b"H" * 32
PLAIN = Envelope(TABLE, 1, 2, 3, 4, HEAD, ActKind.ACT, b"draw stock")


def refused(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode_envelope(data)


def test_layout() -> None:
    assert encode_envelope(PLAIN) == enc("act", TABLE, u32(1), u8(2), u32(3), u64(4), HEAD, u8(1), b"draw stock")


@given(ENVELOPES)
def test_round_trip(envelope: Envelope) -> None:
    assert decode_envelope(encode_envelope(envelope)) == envelope


@given(ENVELOPES, st.data())
def test_decoding_is_total_and_strict(envelope: Envelope, data: st.DataObject) -> None:
    honest = encode_envelope(envelope)
    at = data.draw(st.integers(0, len(honest) - 1))
    damaged = honest[:at] + data.draw(st.binary(max_size=3)) + honest[at + 1 :]
    for raw in (damaged, honest[:at], honest + b"\0", data.draw(st.binary(max_size=150))):
        try:
            assert encode_envelope(decode_envelope(raw)) == raw
        except ProtocolError:
            continue


@pytest.mark.parametrize(
    "parts",
    [
        (TABLE[1:], u32(1), u8(2), u32(3), u64(4), HEAD, u8(1), b"x"),
        (TABLE, u64(1), u8(2), u32(3), u64(4), HEAD, u8(1), b"x"),
        (TABLE, u32(1), b"", u32(3), u64(4), HEAD, u8(1), b"x"),
        (TABLE, u32(1), u8(2), u32(3), u64(4), HEAD + b"\0", u8(1), b"x"),
        (TABLE, u32(1), u8(2), u32(3), u64(4), HEAD, b"", b"x"),
        (TABLE, u32(1), u8(2), u32(3), u64(4), HEAD, u8(1)),
        (TABLE, u32(1), u8(2), u32(3), u64(4), HEAD, u8(1), b"x", b"y"),
        (),
    ],
)
def test_fields_of_the_wrong_size_are_refused(parts: tuple[bytes, ...]) -> None:
    refused(enc("act", *parts))


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        (0, b""),
        (9, b""),
        (ActKind.ACT, b"\xff"),
        (ActKind.VOTE, b"\xff"),
        (ActKind.SEALED, bytes(31)),
        (ActKind.BLIND, bytes(33)),
        (ActKind.OPENING, bytes(35)),
        (ActKind.OPENING, bytes(69)),
        (ActKind.COMMIT, b""),
        (ActKind.REVEAL, bytes(64)),
        (ActKind.LEAVE, bytes(4)),
    ],
)
def test_payloads_that_fit_no_kind_are_refused(kind: int, payload: bytes) -> None:
    refused(enc("act", TABLE, u32(1), u8(2), u32(3), u64(4), HEAD, u8(kind), payload))


def test_an_envelope_is_bounded() -> None:
    room = ENVELOPE_BYTES - len(encode_envelope(msgspec.structs.replace(PLAIN, payload=b"")))
    longest = msgspec.structs.replace(PLAIN, payload=b"x" * room)
    assert decode_envelope(encode_envelope(longest)) == longest
    refused(encode_envelope(msgspec.structs.replace(PLAIN, payload=b"x" * (room + 1))))


def test_another_label_is_no_envelope() -> None:
    refused(encode_envelope(PLAIN).replace(b"p2pcards/1 act", b"p2pcards/2 act"))


def test_a_choice_is_bound_to_its_place() -> None:
    """Table, epoch, seat, n, salt and body: no two of these give one commitment."""
    places: list[tuple[Any, ...]] = [
        (TABLE, 1, 2, 3, HEAD, b"fold"),
        (b"U" * 16, 1, 2, 3, HEAD, b"fold"),
        (TABLE, 2, 2, 3, HEAD, b"fold"),
        (TABLE, 1, 3, 3, HEAD, b"fold"),
        (TABLE, 1, 2, 4, HEAD, b"fold"),
        (TABLE, 1, 2, 3, TABLE * 2, b"fold"),
        (TABLE, 1, 2, 3, HEAD, b"challenge"),
    ]
    assert len({choice_commitment(*place) for place in places}) == len(places)
    assert choice_commitment(*places[0]) == digest("choice", TABLE, u32(1), u8(2), u32(3), HEAD, b"fold")


@given(st.integers(0, 2**32 - 1), st.binary(min_size=32, max_size=32), st.binary(max_size=32))
def test_openings_round_trip(n: int, salt: bytes, body: bytes) -> None:
    assert unpack_opening(pack_opening(n, salt, body)) == (n, salt, body)


@pytest.mark.parametrize("size", [0, 35, 69])
def test_openings_of_another_length_are_refused(size: int) -> None:
    with pytest.raises(ProtocolError):
        unpack_opening(bytes(size))


@given(st.sampled_from(LeaveReason), st.integers(0, 2**32 - 1))
def test_leaves_round_trip(reason: LeaveReason, term: int) -> None:
    assert unpack_leave(pack_leave(reason, term)) == (reason, term)


@pytest.mark.parametrize("payload", [b"", b"\1\0\0\0", b"\1\0\0\0\0\0", b"\0\0\0\0\0", b"\5\0\0\0\0"])
def test_malformed_leaves_are_refused(payload: bytes) -> None:
    with pytest.raises(ProtocolError):
        unpack_leave(payload)
