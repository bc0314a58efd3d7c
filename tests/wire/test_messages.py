"""Messages (protocol 4.7): each comes out as it went in, and no bytes from outside do more than be refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.errors import ProtocolError
from p2pcards.wire.messages import (
    BODIES,
    Close,
    Get,
    Hello,
    Kind,
    Message,
    Reason,
    Resume,
    Want,
    decode,
    encode,
)
from p2pcards.wire.records import BODY_BYTES
from tests.wire.strategies import messages

TABLE, HEAD = bytes(16), bytes(32)
HELLO = Hello("0.1", 1, (("tongits", 1),), "ann", 0, 1, b"", 25252, (bytes(6), bytes(18)), Resume(TABLE, 5, HEAD))
EVERY_BODY = pytest.mark.parametrize("kind", list(Kind))


def refused(kind: int, body: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode(kind, body)


def array(*fields: Any) -> bytes:
    return msgspec.msgpack.encode(fields)


@EVERY_BODY
@settings(max_examples=25)
@given(st.data())
def test_round_trip(kind: Kind, data: st.DataObject) -> None:
    message = data.draw(messages(BODIES[kind]))
    assert encode(message) == (kind, msgspec.msgpack.encode(message))
    assert decode(*encode(message)) == message


@EVERY_BODY
@settings(max_examples=25)
@given(st.data())
def test_a_field_too_many_or_too_few_and_trailing_bytes_are_refused(kind: Kind, data: st.DataObject) -> None:
    message = data.draw(messages(BODIES[kind]))
    _, body = encode(message)
    fields = msgspec.structs.astuple(message)
    refused(kind, body + b"\xc0")
    refused(kind, array(*fields, None))
    refused(kind, array())
    if kind is not Kind.CLOSE:  # its `until` may be left out
        refused(kind, array(*fields[:-1]))


@EVERY_BODY
@settings(max_examples=25)
@given(st.data())
def test_decoding_is_total(kind: Kind, data: st.DataObject) -> None:
    """Noise, and honest bytes with one place of them changed."""
    _, honest = encode(data.draw(messages(BODIES[kind])))
    at = data.draw(st.integers(0, len(honest) - 1))
    damaged = honest[:at] + data.draw(st.binary(max_size=3)) + honest[at + 1 :]
    for body in (damaged, honest[:at], data.draw(st.binary(max_size=60))):
        try:
            message = decode(kind, body)
        except ProtocolError:
            continue
        assert decode(*encode(message)) == message


def test_unknown_kinds_are_refused() -> None:
    for kind in set(range(256)) - set(Kind):
        refused(kind, b"\x90")


@EVERY_BODY
@pytest.mark.parametrize("nested", [b"\x91", b"\xdc\x00\x01", b"\x81\xa1a"])
def test_deep_nesting_is_refused(kind: Kind, nested: bytes) -> None:
    body = nested * 100_000
    refused(kind, body)
    fields = len(BODIES[kind].__struct_fields__)
    refused(kind, bytes([0x90 | fields]) + body)
    refused(kind, (bytes([0x90 | fields]) + body)[:BODY_BYTES])


def test_a_map_is_no_body() -> None:
    refused(Kind.GET, msgspec.msgpack.encode({"index": 1}))


@pytest.mark.parametrize("value", [-1, 2**32, True, None, "1", 1.0, b"1"])
def test_numbers_are_of_their_width_and_nothing_else(value: Any) -> None:
    refused(Kind.REFUSED, array(value, "code", "text"))


def test_a_64_bit_number_has_no_sign() -> None:
    assert decode(Kind.GET, array(2**64 - 1)) == Get(2**64 - 1)
    refused(Kind.GET, array(-1))


@pytest.mark.parametrize(
    "text",
    [b"text", "x" * 301],
)
def test_texts_are_text_and_bounded(text: Any) -> None:
    refused(Kind.WANT, array(text))
    assert decode(Kind.WANT, array("x" * 300)) == Want("x" * 300)


def test_text_that_is_no_utf_8_is_refused() -> None:
    refused(Kind.WANT, b"\x91\xa1\xff")


def test_a_returner_says_what_it_holds() -> None:
    message = decode(*encode(HELLO))
    assert isinstance(message, Hello)
    assert message.returning == Resume(TABLE, 5, HEAD)
    fresh = msgspec.structs.replace(HELLO, resume=())
    assert fresh.returning is None
    assert encode(fresh)[1].endswith(b"\x90")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("resume", (TABLE,)),
        ("resume", (TABLE, 5)),
        ("resume", (TABLE[1:], 5, HEAD)),
        ("resume", (TABLE, 5, HEAD[1:])),
        ("resume", (TABLE, -5, HEAD)),
        ("resume", (5, TABLE, HEAD)),
        ("resume", (TABLE, 5, HEAD, 5)),
        ("addresses", (bytes(7),)),
        ("addresses", (bytes(5),)),
        ("addresses", (bytes(19),)),
        ("addresses", (bytes(6),) * 9),
        ("proof", bytes(65)),
        ("games", (("tongits", 1),) * 33),
    ],
)
def test_a_malformed_hello_is_refused(field: str, value: Any) -> None:
    fields = msgspec.structs.asdict(HELLO) | {field: value}
    refused(Kind.HELLO, array(*fields.values()))


def test_close_may_leave_out_until() -> None:
    assert decode(Kind.CLOSE, array(1, "bye")) == Close(Reason.BYE, "bye", 0)


def test_every_kind_has_one_body() -> None:
    assert set(BODIES) == set(Kind)
    assert len(set(BODIES.values())) == len(BODIES)
    assert set(BODIES.values()) == set(Message.__args__)
