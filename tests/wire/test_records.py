"""Sealed records (protocol 4.4): what was sent comes out, in order, and nothing else does (see test_damage too)."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.errors import ProtocolError
from p2pcards.wire.encode import mac, u32, u64
from p2pcards.wire.records import BODY_BYTES, EARLY_BYTES, PLAIN_BYTES, Opener, Sealer, record_length

KEYS = (b"\x11" * 32, b"\x22" * 32)
OTHER_KEYS = (b"\x33" * 32, b"\x44" * 32)


def open_record(opener: Opener, record: bytes) -> tuple[int, bytes]:
    return opener.open(record_length(record[:4]), record[4:])


def refused(record: bytes, opener: Opener | None = None) -> None:
    with pytest.raises(ProtocolError):
        open_record(opener or Opener(*KEYS), record)


@given(st.lists(st.tuples(st.integers(0, 255), st.binary(max_size=300)), max_size=5))
def test_round_trip(messages: list[tuple[int, bytes]]) -> None:
    sealer, opener = Sealer(*KEYS), Opener(*KEYS)
    assert [open_record(opener, sealer.seal(kind, body)) for kind, body in messages] == messages


@pytest.mark.parametrize("size", [0, 60, 61, 124, BODY_BYTES])
def test_lengths_come_in_steps_of_64(size: int) -> None:
    record = Sealer(*KEYS).seal(1, bytes(size))
    assert len(record) == 4 + (4 + size + 63) // 64 * 64 + 32
    assert open_record(Opener(*KEYS), record) == (1, bytes(size))


def test_layout_and_numbering() -> None:
    """The n-th record has n in its counter block and under its tag."""
    sealer = Sealer(*KEYS)
    for seq in range(3):
        record = sealer.seal(7, b"abc")
        length, ct, tag = record[:4], record[4:-32], record[-32:]
        cipher = Cipher(AES(KEYS[0]), CTR(u64(seq) + bytes(8))).decryptor()
        assert length == u32(64 + 32)
        assert tag == mac(KEYS[1], u64(seq) + u32(64) + ct)
        assert cipher.update(ct) == b"\7\0\0\3abc" + bytes(57)


def test_a_longer_body_is_our_own_mistake() -> None:
    with pytest.raises(ValueError, match="body of"):
        Sealer(*KEYS).seal(1, bytes(BODY_BYTES + 1))


def test_equal_messages_look_different() -> None:
    sealer = Sealer(*KEYS)
    assert sealer.seal(1, b"same") != sealer.seal(1, b"same")


def test_every_truncation_and_extension_is_refused() -> None:
    record = Sealer(*KEYS).seal(1, b"draw stock")
    for length in range(len(record)):
        refused(record[:length])
    refused(record + b"\0")


def test_replayed_reordered_and_skipped_records_are_refused() -> None:
    sealer = Sealer(*KEYS)
    first, second, third = (sealer.seal(1, body) for body in (b"a", b"b", b"c"))
    for heard, wrong in (([], second), ([first], first), ([first], third), ([first, second], first)):
        opener = Opener(*KEYS)
        for record in heard:
            open_record(opener, record)
        with pytest.raises(ProtocolError, match="tag"):
            open_record(opener, wrong)


def test_a_record_of_the_other_direction_is_refused() -> None:
    """Reflected, or sealed with keys of which one belongs elsewhere."""
    for keys in (OTHER_KEYS, (KEYS[0], OTHER_KEYS[1])):
        refused(Sealer(*keys).seal(1, b"a"))
    wrong_cipher = Sealer(OTHER_KEYS[0], KEYS[1]).seal(1, b"a")
    refused(wrong_cipher)


def test_after_a_bad_record_nothing_is_opened() -> None:
    sealer, opener = Sealer(*KEYS), Opener(*KEYS)
    good = sealer.seal(1, b"a")
    refused(good[:-1] + bytes([good[-1] ^ 1]), opener)
    refused(good, opener)


@pytest.mark.parametrize(
    "plain",
    [
        b"\1\1\0\0" + bytes(60),  # second byte
        b"\1\0\0\0" + bytes(59) + b"\1",  # padding
        b"\1\0\0\3abc" + b"\1" + bytes(56),  # padding right behind the body
        b"\1\0\0\x3d" + bytes(60),  # body longer than the record
        b"\1\0\xff\xff" + bytes(60),
        b"\1\0\0\0" + bytes(124),  # a block more than needed
    ],
)
def test_a_well_sealed_record_of_wrong_shape_is_refused(plain: bytes) -> None:
    sealer, opener = Sealer(*KEYS), Opener(*KEYS)
    refused(sealer.seal_plain(plain), opener)
    refused(sealer.seal(1, b""), opener)


@given(st.binary(max_size=200))
def test_opening_is_total(rest: bytes) -> None:
    with pytest.raises(ProtocolError):
        Opener(*KEYS).open(len(rest), rest)


@pytest.mark.parametrize("length", [0, 32, 64, 95, 97, 95 + 64, PLAIN_BYTES + 33, PLAIN_BYTES + 96, 2**32 - 1])
def test_impossible_lengths_are_refused_from_the_header(length: int) -> None:
    with pytest.raises(ProtocolError):
        record_length(u32(length))


def test_possible_lengths() -> None:
    assert record_length(u32(96)) == 96
    assert record_length(u32(PLAIN_BYTES + 32)) == PLAIN_BYTES + 32
    assert record_length(u32(EARLY_BYTES + 32), EARLY_BYTES) == EARLY_BYTES + 32
    with pytest.raises(ProtocolError):
        record_length(u32(EARLY_BYTES + 96), EARLY_BYTES)
    with pytest.raises(ProtocolError):
        record_length(b"\0\0\x60")


def test_a_length_that_does_not_fit_is_refused() -> None:
    record = Sealer(*KEYS).seal(1, b"a")
    with pytest.raises(ProtocolError):
        Opener(*KEYS).open(160, record[4:])


def test_keys_wear_out_after_2_to_the_32_records() -> None:
    sealer, opener = Sealer(*KEYS), Opener(*KEYS)
    sealer._seq = opener._seq = 2**32 - 1
    assert open_record(opener, sealer.seal(1, b"last")) == (1, b"last")
    with pytest.raises(ProtocolError):
        sealer.seal(1, b"one more")
    sealer._seq = 2**32 - 1
    refused(sealer.seal(1, b"last"), opener)
