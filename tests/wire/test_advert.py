"""Adverts (protocol 5.1): small, readable by any mDNS browser, and never trusted."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.errors import ProtocolError
from p2pcards.wire.advert import (
    STATES,
    TXT_BYTES,
    VALUE_BYTES,
    Advert,
    decode_advert,
    encode_advert,
    host_record,
    instance_name,
)
from p2pcards.wire.encode import digest
from p2pcards.wire.identity import Identity, short
from p2pcards.wire.text import clean_title, nick
from tests.wire.strategies import TABLES

KEY = Identity(b"\1" * 32).key
ADVERT = Advert(1, bytes(16), KEY, "open", "tongits", 1, 3, "friday night", "ann", "lobby", 1)
WORDS = st.from_regex(r"[a-z0-9+-]{1,16}", fullmatch=True)
ADVERTS = st.builds(
    Advert,
    st.just(1),
    TABLES,
    st.binary(min_size=32, max_size=32).map(lambda seed: Identity(seed).key),
    WORDS,
    WORDS,
    st.integers(0, 8),
    st.integers(8, 99),
    st.text(max_size=60).map(clean_title),
    st.text(max_size=20).map(nick),
    st.sampled_from(STATES),
    st.integers(0, 2**32 - 1),
    st.just(b"") | st.binary(min_size=16, max_size=16),
)


def txt(advert: Advert, **changes: str | None) -> dict[bytes, bytes | None]:
    """The fields as they come from the network, some of them changed; None removes one."""
    fields = encode_advert(advert) | changes
    return {name.encode(): value.encode() for name, value in fields.items() if value is not None}


def refused(fields: dict[bytes, bytes | None]) -> None:
    with pytest.raises(ProtocolError):
        decode_advert(fields, 1)


def test_fields() -> None:
    assert encode_advert(ADVERT) == {
        "v": "1",
        "t": "a" * 26,
        "k": "iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w",
        "a": "open",
        "g": "tongits",
        "p": "1/3",
        "n": "friday night",
        "h": "ann",
        "s": "lobby",
        "e": "1",
    }


@given(ADVERTS)
def test_round_trip_within_the_limits(advert: Advert) -> None:
    fields = txt(advert)
    assert decode_advert(fields, 1) == advert
    assert sum(len(name) + 2 + len(value or b"") for name, value in fields.items()) <= TXT_BYTES
    assert all(len(value or b"") < VALUE_BYTES for value in fields.values())


FIELD_NAMES = st.sampled_from([b"v", b"t", b"k", b"a", b"g", b"p", b"n", b"h", b"s", b"e", b"m", b"V", b""])


@given(ADVERTS, st.dictionaries(FIELD_NAMES | st.binary(max_size=5), st.none() | st.binary(max_size=60), max_size=4))
def test_decoding_is_total(advert: Advert, noise: dict[bytes, bytes | None]) -> None:
    for fields in (txt(advert) | noise, noise):
        try:
            seen = decode_advert(fields, 1)
        except ProtocolError:
            continue
        assert seen.title == clean_title(seen.title)
        assert seen.host == nick(seen.host)
        if seen.version == 1:
            assert decode_advert(txt(seen), 1) == seen


@pytest.mark.parametrize(
    "changes",
    [
        {"v": None},
        {"v": ""},
        {"v": "one"},
        {"v": "-1"},
        {"v": "١"},
        {"t": None},
        {"t": "b" * 25},
        {"t": "A" * 26},
        {"k": None},
        {"k": "A" * 43},  # 32 zero bytes: small order
        {"k": encode_advert(ADVERT)["k"] + "="},
        {"k": encode_advert(ADVERT)["k"][:-1]},
        {"k": "!" + encode_advert(ADVERT)["k"]},
        {"k": "é" * 22},
        {"a": "Open\x1b[2J"},
        {"a": ""},
        {"g": "Tong its"},
        {"p": "4/3"},
        {"p": "1/100"},
        {"p": "3"},
        {"s": "asleep"},
        {"s": None},
        {"e": "4294967296"},
        {"e": ""},
        {"n": "x" * VALUE_BYTES},
        {"x": "y" * 99, "z": "y" * 99, "zz": "y" * 99},
        {"m": "tag"},
        {"m": "A" * 21},
        {"m": "A" * 22 + "=="},
        {"m": "A" * 21 + "B"},  # bits behind the last byte
        {"m": "A" * 43},
    ],
)
def test_malformed_fields_are_refused(changes: dict[str, str | None]) -> None:
    refused(txt(ADVERT, **changes))


def test_bytes_that_are_no_text_are_refused() -> None:
    refused(txt(ADVERT) | {b"n": b"\xff"})
    refused(txt(ADVERT) | {b"\xff": b"n"})
    refused(txt(ADVERT) | {b"t": None})


def test_what_is_shown_is_made_safe() -> None:
    seen = decode_advert(txt(ADVERT, n="fri\x1b[2Jday\u202e", h="bot-1"), 1)
    assert (seen.title, seen.host) == ("fri[2Jday", "p-bot-1")
    bare = decode_advert(txt(ADVERT, n=None, h=None), 1)
    assert (bare.title, bare.host) == ("table", "player")


def test_unknown_fields_are_passed_over() -> None:
    assert decode_advert(txt(ADVERT, zz="x"), 1) == ADVERT


def test_the_tag_of_a_lab_is_a_field_where_there_is_one() -> None:
    tagged = msgspec.structs.replace(ADVERT, tag=bytes(range(16)))
    assert encode_advert(tagged) == encode_advert(ADVERT) | {"m": "AAECAwQFBgcICQoLDA0ODw"}
    assert decode_advert(txt(tagged), 1) == tagged
    assert decode_advert(txt(tagged, m=""), 1) == ADVERT


def test_the_longest_advert_fits() -> None:
    longest = Advert(1, bytes(16), KEY, "a" * 16, "g" * 16, 99, 99, "é" * 20, "h" * 16, "waiting", 2**32 - 1, bytes(16))
    assert decode_advert(txt(longest), 1) == longest


def test_another_version_is_seen_but_not_read() -> None:
    later = {b"v": b"7", b"n": b"friday", b"h": b"ann", b"g": b"tongits", b"t": b"another form"}
    assert decode_advert(later, 1) == Advert(7, b"", b"", "", "tongits", 0, 0, "friday", "ann", "", 0)
    assert decode_advert(later | {b"g": b"\x1b"}, 1).game == ""


@given(st.text(max_size=80), TABLES)
def test_instance_names_are_labels_without_dots(title: str, table: bytes) -> None:
    name = instance_name(title, table, KEY)
    assert len(name.encode("utf-8")) <= 50
    assert "." not in name
    assert re.fullmatch(r".+ ~[0-9a-f]{8}", name)


def test_names() -> None:
    tail = digest("inst", bytes(16), KEY).hex()[:8]
    assert instance_name("v1.2 of it", bytes(16), KEY) == f"v1-2 of it ~{tail}"
    assert instance_name("", bytes(16), KEY) == f"table ~{tail}"
    assert instance_name("lab", b"\1" * 16, KEY) != instance_name("lab", bytes(16), KEY)
    assert host_record(KEY) == f"p2pc-{short(KEY)}.local."


def test_an_own_title_is_cut_to_fit() -> None:
    long = msgspec.structs.replace(ADVERT, title="é" * 60)
    assert encode_advert(long)["n"] == "é" * 20
