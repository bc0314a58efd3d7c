"""The encoder under every hash and signature (protocol 2.1), held against the known answers of appendix A."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards import Stream
from p2pcards.errors import ProtocolError
from p2pcards.wire.encode import dec, digest, enc, expand, mac, u8, u16, u32, u64
from tests.vectors import load

DEAL = load("deal")
TABLE, ROOT_SECRET = bytes.fromhex(DEAL["table"]), bytes.fromhex(DEAL["root_secret"])
EPOCH = u32(DEAL["epoch"])
LABELS = st.text("abcdefghijklmnopqrstuvwxyz 0123456789", min_size=1, max_size=20)
PARTS = st.lists(st.binary(max_size=50), max_size=8)


def test_layout() -> None:
    assert enc("act", b"ab", b"") == b"\x0ep2pcards/1 act\x02\0\0\0\x02ab\0\0\0\0"


def test_packers_are_big_endian_and_of_fixed_width() -> None:
    assert (u8(1), u16(1), u32(1), u64(1)) == (b"\1", b"\0\1", b"\0\0\0\1", b"\0\0\0\0\0\0\0\1")
    with pytest.raises(OverflowError):
        u8(256)


@given(LABELS, PARTS)
def test_dec_is_the_inverse_of_enc(label: str, parts: list[bytes]) -> None:
    assert dec(label, enc(label, *parts)) == tuple(parts)


@given(LABELS, PARTS, LABELS, PARTS)
def test_different_inputs_never_encode_alike(one: str, parts: list[bytes], other: str, others: list[bytes]) -> None:
    assert (enc(one, *parts) == enc(other, *others)) == ((one, parts) == (other, others))


@given(PARTS, st.data())
def test_dec_takes_nothing_else(parts: list[bytes], data: st.DataObject) -> None:
    honest = enc("act", *parts)
    cut = data.draw(st.integers(0, len(honest) - 1))
    for wrong in (honest[:cut], honest + b"\0", enc("acts", *parts)):
        with pytest.raises(ProtocolError):
            dec("act", wrong)


@given(st.binary(max_size=200))
def test_dec_is_total(data: bytes) -> None:
    for raw in (data, enc("act")[:-1] + data):
        try:
            parts = dec("act", raw)
        except ProtocolError:
            continue
        assert enc("act", *parts) == raw


def test_known_commitments() -> None:
    seat, secret = DEAL["contributions"][0]
    share = bytes.fromhex(DEAL["share_1"])
    assert digest("root", TABLE, EPOCH, ROOT_SECRET).hex() == DEAL["root"]
    assert digest("contrib", TABLE, EPOCH + u8(seat), bytes.fromhex(secret)).hex() == DEAL["commitment_1"]
    assert digest("share", TABLE, EPOCH + u16(0) + u8(1), share).hex() == DEAL["share_commitment_1"]


def test_known_deck() -> None:
    parts = (u8(seat) + bytes.fromhex(secret) for seat, secret in DEAL["contributions"])
    seed = mac(digest("deal salt", TABLE, EPOCH, *parts), expand(ROOT_SECRET, "deal"))
    deck = Stream(seed).shuffle(range(52))
    salt = expand(ROOT_SECRET, "card salt", EPOCH + u16(0))
    assert seed.hex() == DEAL["seed"]
    assert list(deck[:13]) == DEAL["deck_start"]
    assert hashlib.sha256(bytes(deck)).hexdigest() == DEAL["deck_sha256"]
    assert digest("card", TABLE, EPOCH + u16(0), salt, u8(deck[0])).hex() == DEAL["leaf_0"]
    assert list(Stream(bytes(32)).shuffle(range(52))) == DEAL["shuffle_of_zero_seed"]


def test_expand_gives_as_much_as_is_asked_for() -> None:
    assert expand(bytes(32), "share coeff", length=80)[:32] == expand(bytes(32), "share coeff")
