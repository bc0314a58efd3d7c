"""The links of the journal (protocol 6.2): exact bytes, and nothing malformed gets in."""

from __future__ import annotations

import struct
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.errors import ProtocolError
from p2pcards.wire.encode import digest, enc, u32, u64
from p2pcards.wire.entries import (
    ENVELOPES,
    PUBS,
    SEALED_BYTES,
    WIRE_BYTES,
    Disclose,
    Entry,
    EntryFlag,
    EntryKind,
    Fork,
    Handover,
    TermStart,
    decode_pub,
    decode_wire,
    encode_entry,
    encode_pub,
    head,
    head_signed,
    table_id,
)
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.vote import Vote
from tests.wire.strategies import KEYS, U32S, U64S, pubs

HOSTSIG, ACTSIG, PREV = b"h" * 64, b"a" * 64, b"p" * 32
ACT = Entry(EntryKind.ACT, EntryFlag.ACTSIG, 2, 1, 3, 9, PREV, 1234, b"envelope", b"", ACTSIG)
OPTIONS = Entry(EntryKind.OPTIONS, EntryFlag(0), NO_SEAT, 1, 0, 1, PREV, 0, b"\x93")
EVERY_PUB = pytest.mark.parametrize("kind", list(PUBS))

_PLACE = (U32S, U32S, U64S, KEYS, U64S, st.binary(max_size=300))  # term to pub
_SEALS = st.binary(min_size=SEALED_BYTES, max_size=SEALED_BYTES)
_VOUCHERS = [
    (flag, kind)
    for kind in sorted(ENVELOPES)
    for flag in EntryFlag
    if flag is EntryFlag.ACTSIG or kind is not EntryKind.BALLOT  # nobody votes for another
]
_VOUCHED = st.sampled_from(_VOUCHERS).flatmap(
    lambda voucher: st.builds(
        Entry,
        st.just(voucher[1]),
        st.just(voucher[0]),
        st.integers(0, NO_SEAT - 1),
        *_PLACE,
        sealed=_SEALS if voucher[1] is EntryKind.SEALED else st.just(b""),
        actsig=st.just(ACTSIG if voucher[0] is EntryFlag.ACTSIG else b""),
    )
)
_HOSTS = st.builds(Entry, st.sampled_from(sorted(PUBS)), st.just(EntryFlag(0)), st.just(NO_SEAT), *_PLACE)
ENTRIES = _VOUCHED | _HOSTS


def refused(wire: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode_wire(wire)


def test_layout() -> None:
    fixed = struct.pack(">BBBBIIQ32sQ", 1, 10, 1, 2, 1, 3, 9, PREV, 1234)
    assert encode_entry(ACT) == fixed + b"\0\x08envelope" + b"\0\0" + ACTSIG
    assert encode_entry(OPTIONS) == struct.pack(">BBBBIIQ32sQ", 1, 2, 0, 255, 1, 0, 1, PREV, 0) + b"\0\1\x93\0\0"


@given(ENTRIES)
def test_round_trip(entry: Entry) -> None:
    assert decode_wire(encode_entry(entry) + HOSTSIG) == (entry, HOSTSIG)


@given(ENTRIES, st.data())
def test_decoding_is_total_and_strict(entry: Entry, data: st.DataObject) -> None:
    """What is taken encodes to the very bytes that came: nothing in them is passed over."""
    honest = encode_entry(entry) + HOSTSIG
    at = data.draw(st.integers(0, len(honest) - 1))
    damaged = honest[:at] + data.draw(st.binary(max_size=3)) + honest[at + 1 :]
    for wire in (damaged, honest[:at], honest + b"\0", data.draw(st.binary(max_size=200))):
        try:
            taken, hostsig = decode_wire(wire)
        except ProtocolError:
            continue
        assert encode_entry(taken) + hostsig == wire


def test_every_truncation_and_extension_is_refused() -> None:
    for entry in (ACT, OPTIONS):
        wire = encode_entry(entry) + HOSTSIG
        for length in range(len(wire)):
            refused(wire[:length])
        refused(wire + b"\0")


@pytest.mark.parametrize("size", [0, 1, 131, WIRE_BYTES + 1, 10_000_000])
def test_other_lengths_are_refused(size: int) -> None:
    refused(bytes(size))


def test_lengths_that_reach_beyond_the_entry_are_refused() -> None:
    wire = encode_entry(OPTIONS) + HOSTSIG
    refused(wire[: -len(HOSTSIG) - 2] + b"\0\5" + HOSTSIG)
    refused(raw_wire(pub=bytes(WIRE_BYTES)))


def test_an_entry_has_8_kib_with_its_signature() -> None:
    room = WIRE_BYTES - len(encode_entry(OPTIONS)) - len(HOSTSIG) + len(OPTIONS.pub)
    longest = msgspec.structs.replace(OPTIONS, pub=bytes(room))
    assert decode_wire(encode_entry(longest) + HOSTSIG)[0] == longest
    with pytest.raises(ValueError, match="8193 bytes"):
        encode_entry(msgspec.structs.replace(longest, pub=bytes(room + 1)))
    refused(raw_wire(**(msgspec.structs.asdict(longest) | {"pub": bytes(room + 1)})))


IMPOSSIBLE: list[dict[str, Any]] = [
    {"kind": EntryKind.OPTIONS},
    {"flags": EntryFlag(0), "actsig": b""},
    {"flags": EntryFlag.BOT},
    {"flags": EntryFlag.BOT | EntryFlag.TIME, "actsig": b""},
    {"flags": EntryFlag.ACTSIG | EntryFlag.BOT},
    {"actsig": b""},
    {"actsig": ACTSIG[1:]},
    {"seat": NO_SEAT},
    {"sealed": b"x"},
    {"kind": EntryKind.SEALED},
    {"kind": EntryKind.SEALED, "sealed": bytes(SEALED_BYTES - 1)},
]


@pytest.mark.parametrize("changes", IMPOSSIBLE)
def test_parts_that_do_not_go_together_are_refused(changes: dict[str, Any]) -> None:
    """By the encoder as our own mistake, by the decoder as the peer's."""
    fields = msgspec.structs.asdict(ACT) | changes
    with pytest.raises(ValueError, match=r"ACT|OPTIONS|SEALED"):
        encode_entry(Entry(**fields))
    refused(raw_wire(**fields))


def raw_wire(version: int = 1, **fields: Any) -> bytes:
    """The wire bytes of an entry that `encode_entry` may refuse."""
    entry = Entry(**(msgspec.structs.asdict(ACT) | fields))
    fixed = struct.pack(">BBBB", version, entry.kind, entry.flags, entry.seat)
    place = struct.pack(">IIQ32sQ", entry.term, entry.epoch, entry.index, entry.prev, entry.ms)
    lengths = (len(part).to_bytes(2, "big") for part in (entry.pub, entry.sealed))
    return b"".join((fixed, place, next(lengths), entry.pub, next(lengths), entry.sealed, entry.actsig, HOSTSIG))


def test_the_raw_wire_is_the_encoders() -> None:
    assert raw_wire() == encode_entry(ACT) + HOSTSIG


@pytest.mark.parametrize(
    "changes", [{"version": 0}, {"version": 2}, {"kind": 0}, {"kind": 4}, {"kind": 11}, {"flags": 9}]
)
def test_unknown_versions_kinds_and_flags_are_refused(changes: dict[str, Any]) -> None:
    refused(raw_wire(**changes))


@pytest.mark.parametrize(
    "changes", [{"prev": PREV[1:]}, {"term": -1}, {"term": 2**32}, {"index": 2**64}, {"seat": 256}]
)
def test_an_entry_that_fits_no_bytes_is_our_own_mistake(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        encode_entry(msgspec.structs.replace(ACT, **changes))


def test_heads() -> None:
    table = table_id(b"genesis")
    assert table == digest("table", b"genesis")[:16]
    assert head(table, b"E") == digest("entry", table, b"E")
    assert head(table, b"E") != head(bytes(16), b"E")
    assert head_signed(table, 7, 8, PREV) == enc("head", table, u32(7), u64(8), PREV)


# ---- bodies


@EVERY_PUB
@settings(max_examples=25)
@given(st.data())
def test_bodies_round_trip(kind: EntryKind, data: st.DataObject) -> None:
    pub = data.draw(pubs(PUBS[kind]))
    assert decode_pub(kind, encode_pub(pub)) == pub


@EVERY_PUB
@settings(max_examples=25)
@given(st.data())
def test_decoding_bodies_is_total(kind: EntryKind, data: st.DataObject) -> None:
    honest = encode_pub(data.draw(pubs(PUBS[kind])))
    at = data.draw(st.integers(0, len(honest) - 1))
    damaged = honest[:at] + data.draw(st.binary(max_size=3)) + honest[at + 1 :]
    for raw in (damaged, honest[:at], data.draw(st.binary(max_size=60))):
        try:
            pub = decode_pub(kind, raw)
        except ProtocolError:
            continue
        assert decode_pub(kind, encode_pub(pub)) == pub


@EVERY_PUB
def test_what_is_no_body_is_refused(kind: EntryKind) -> None:
    fields = len(PUBS[kind].__struct_fields__)
    deep = b"\x91" * 100_000
    for raw in (b"", b"\x90", b"\x80", deep, bytes([0x90 | fields]) + deep):
        with pytest.raises(ProtocolError):
            decode_pub(kind, raw)


@EVERY_PUB
@settings(max_examples=25)
@given(st.data())
def test_trailing_bytes_and_further_fields_are_refused(kind: EntryKind, data: st.DataObject) -> None:
    pub = data.draw(pubs(PUBS[kind]))
    further = msgspec.msgpack.encode((*msgspec.structs.astuple(pub), None))
    for raw in (encode_pub(pub) + b"\xc0", further):
        with pytest.raises(ProtocolError):
            decode_pub(kind, raw)


@pytest.mark.parametrize("kind", sorted(ENVELOPES))
def test_an_envelope_is_no_body(kind: EntryKind) -> None:
    with pytest.raises(ProtocolError):
        decode_pub(kind, b"\x90")


KEY, SIG = b"k" * 32, b"s" * 64


@pytest.mark.parametrize(
    "seat",
    [(0, KEY, "", 0, ""), (1, b"", "ann", 0, ""), (1, KEY[1:], "ann", 0, ""), (2, KEY[1:], "bot-1", 0, "easy"), (3,)],
)
def test_a_seat_without_the_right_key_is_refused(seat: tuple[Any, ...]) -> None:
    with pytest.raises(ProtocolError):
        decode_pub(EntryKind.ROSTER, msgspec.msgpack.encode([[seat], [], [], 4, b"", b"", b""]))


@pytest.mark.parametrize(
    "rest",
    [
        (2, KEY, b"", b""),
        (2, KEY, b"leave", b""),
        (2, KEY, b"", SIG),
        (2, KEY, b"leave", SIG[1:]),
        (1, KEY, b"leave", SIG),
        (1, KEY, b"", SIG),
        (1, KEY[1:], b"", b""),
        (0, KEY, b"", b""),
        (6, KEY, b"", b""),
    ],
)
def test_a_roster_names_its_cause_and_only_a_leaver_signs(rest: tuple[Any, ...]) -> None:
    with pytest.raises(ProtocolError):
        decode_pub(EntryKind.ROSTER, msgspec.msgpack.encode([[], [], [], *rest]))


def test_every_kind_is_a_body_or_an_envelope() -> None:
    assert set(PUBS) | ENVELOPES == set(EntryKind)
    assert not set(PUBS) & ENVELOPES


def test_the_secret_of_a_round_never_shows() -> None:
    secret = b"\x5a" * 32
    disclosed = Disclose(3, secret)
    entry = msgspec.structs.replace(OPTIONS, kind=EntryKind.DISCLOSE, pub=encode_pub(disclosed))
    assert repr(disclosed) == "Disclose(round=3)"
    assert repr(entry) == "Entry(DISCLOSE, seat=255, term=1, index=1)"


def test_the_largest_certificate_and_the_largest_fork_fit_an_entry() -> None:
    """So many votes, each as long as can be."""
    most = 2**32 - 1
    vote = Vote(b"t" * 16, most, b"c" * 32, b"v" * 32, 255, most, 2**64 - 1, b"h" * 32, b"s" * 64)
    longest = TermStart(b"c" * 32, (vote,) * 32, 2**64 - 1)
    yes = Fork(b"t" * 16, b"u" * 16, 2**64 - 1, b"h" * 32, b"c" * 32, ((b"v" * 32, b"s" * 64),) * 32)
    for kind, pub in ((EntryKind.TERM_START, longest), (EntryKind.FORK, yes)):
        assert decode_pub(kind, encode_pub(pub)) == pub
        entry = Entry(kind, EntryFlag(0), NO_SEAT, most, most, 2**64 - 1, PREV, 2**64 - 1, encode_pub(pub))
        assert len(encode_entry(entry)) + len(HOSTSIG) <= WIRE_BYTES


@pytest.mark.parametrize(
    "pub",
    [TermStart(b"c" * 32, (), 3), Handover(b"s" * 32, 7), Fork(bytes(16), bytes(16), 1, bytes(32), bytes(32), ())],
)
def test_what_begins_and_ends_a_term_has_fields_of_their_sizes(pub: Any) -> None:
    (kind,) = (kind for kind, body in PUBS.items() if body is type(pub))
    fields = msgspec.structs.astuple(pub)
    for at, value in enumerate(fields):
        wrong: list[Any] = [None, -1, "x"]
        if isinstance(value, bytes):
            wrong += [value[1:], value + b"x"]
        for other in wrong:
            with pytest.raises(ProtocolError):
                decode_pub(kind, msgspec.msgpack.encode([*fields[:at], other, *fields[at + 1 :]]))


def test_more_votes_than_there_can_be_are_refused() -> None:
    vote = Vote(b"t" * 16, 1, b"c" * 32, b"v" * 32, 255, 1, 1, b"h" * 32, b"s" * 64)
    for kind, pub in (
        (EntryKind.TERM_START, TermStart(b"c" * 32, (vote,) * 33, 0)),
        (EntryKind.FORK, Fork(bytes(16), bytes(16), 1, bytes(32), bytes(32), ((bytes(32), bytes(64)),) * 33)),
    ):
        with pytest.raises(ProtocolError, match="length"):
            decode_pub(kind, encode_pub(pub))
