"""Addresses: typed, dialled, packed."""

from __future__ import annotations

import ipaddress
import socket
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.errors import UserError
from p2pcards.net.address import (
    FIRST_PORT,
    format_target,
    is_dialable,
    pack_targets,
    parse_target,
    unpack_targets,
    with_scope,
)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("10.0.0.7", ("10.0.0.7", FIRST_PORT)),
        ("10.0.0.7:4000", ("10.0.0.7", 4000)),
        (" lab-12.example.org:1 ", ("lab-12.example.org", 1)),
        ("lab_12", ("lab_12", FIRST_PORT)),
        ("::1", ("::1", FIRST_PORT)),
        ("fe80::1%eth0", ("fe80::1%eth0", FIRST_PORT)),
        ("[fe80::1%eth0]:25253", ("fe80::1%eth0", 25253)),
        ("[::1]", ("::1", FIRST_PORT)),
        ("[::1]:65535", ("::1", 65535)),
    ],
)
def test_what_people_type(text: str, target: tuple[str, int]) -> None:
    assert parse_target(text) == target


@pytest.mark.parametrize(
    "text",
    [
        "", ":", "host:", "host:x", "host:0", "host:65536", "host:-1", "host:1.5", "host:١", "a b", "[::1", "[::1]5",
        "[::1]:", "[host]:5", "10.0.0.256", "10.0.0", "1", "-x", "ho/st", "1:2:3", "fe80::g", "x" * 64, "a..b",
    ],
)  # fmt: skip
def test_what_is_no_address_is_said_in_one_sentence(text: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_target(text)
    assert caught.value.exit_code == 2
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


@given(st.text(max_size=40))
def test_anything_at_all_is_an_address_or_a_sentence(text: str) -> None:
    try:
        host, port = parse_target(text)
    except UserError:
        return
    assert host
    assert 1 <= port <= 65535


@given(st.ip_addresses(), st.integers(1, 65535))
def test_what_is_shown_can_be_typed(address: ipaddress.IPv4Address | ipaddress.IPv6Address, port: int) -> None:
    target = str(address), port
    assert parse_target(format_target(target)) == target


@pytest.mark.parametrize(
    ("host", "can"),
    [
        ("10.0.0.7", True),
        ("fd00::7", True),
        ("fe80::7%eth0", True),
        ("fe80::7", False),
        ("224.0.0.251", False),
        ("ff02::fb%eth0", False),
        ("0.0.0.0", False),  # noqa: S104 - nobody binds it
        ("::", False),
        ("lab", False),
    ],
)
def test_what_a_peer_may_name(host: str, can: bool) -> None:
    assert is_dialable(host) is can


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows scopes by number")
def test_a_scope_is_shown_by_the_name_of_its_interface() -> None:
    index, name = socket.if_nameindex()[0]
    assert with_scope("fe80::1", index) == f"fe80::1%{name}"
    assert with_scope("fe80::1", 0) == "fe80::1"
    assert with_scope("fe80::1", 999_999) == "fe80::1%999999"
    assert with_scope("fe80::1%eth7", 3) == "fe80::1%eth7"


def test_addresses_in_messages_are_bare_and_few() -> None:
    packed = pack_targets(["10.0.0.7", "fe80::1%eth0", "10.0.0.7"], 258)
    assert packed == (b"\x0a\0\0\x07\x01\x02", b"\xfe\x80" + bytes(13) + b"\x01\x01\x02")
    assert len(pack_targets([f"10.0.0.{number}" for number in range(20)], 1)) == 8


def test_addresses_of_a_message_are_dialled_where_they_can_be() -> None:
    packed = pack_targets(("10.0.0.7", "::1", "fe80::1%eth0", "224.0.0.1", "0.0.0.0"), 25252)  # noqa: S104 - nobody listens
    assert unpack_targets((*packed, packed[0], bytes([10, 0, 0, 8, 0, 0]))) == (("10.0.0.7", 25252), ("::1", 25252))
