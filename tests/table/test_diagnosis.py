"""Every judgement of the doctor, from facts alone."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.table import diagnosis
from p2pcards.table.diagnosis import ERRORS, Met, Plug, Surroundings
from p2pcards.table.findings import Code, Finding
from p2pcards.ui.words_doctor import told

LO = Plug("lo", ("127.0.0.1",), ("127.0.0.0/8",), loopback=True)
LAN = Plug("eth0", ("10.77.0.1", "fe80::1%eth0"), ("10.77.0.0/24",))
OTHER = Plug("docker0", ("10.66.0.1",), ("10.66.0.0/16",))
VPN = Plug("tun0", ("10.99.0.2",), ("10.99.0.0/24",), tunnel=True)
USUAL = Surroundings((LAN, LO), (LAN,), "eth0", program="/usr/bin/python3")
PEER, OWN, PORTS = "10.77.0.2:25252", "10.77.0.1:25252", "25252-25271"


def codes(*findings: Finding) -> list[Code]:
    for finding in findings:
        told(finding)  # every sentence has what it needs
    return [finding.code for finding in findings]


def steps(echoed: bool = True, around: Surroundings = USUAL, **met: Any) -> list[Code]:
    return codes(*diagnosis.peer(Met(PEER, **met), around, OWN, PORTS, echoed))


@pytest.mark.parametrize(
    ("around", "code"),
    [
        (USUAL, Code.INTERFACES),
        (Surroundings((LO,), (LO,)), Code.INTERFACES_LOOPBACK),
        (Surroundings((), ()), Code.INTERFACES_NONE),
    ],
)
def test_interfaces(around: Surroundings, code: Code) -> None:
    assert codes(diagnosis.interfaces(around)) == [code]


def test_interfaces_that_are_left_out_are_named() -> None:
    assert told(diagnosis.interfaces(Surroundings((LAN, OTHER, LO), (LAN,))))[0].endswith("not in use: docker0.")


@pytest.mark.parametrize(
    ("around", "code"),
    [
        (USUAL, Code.ROUTE),
        (replace(USUAL, way=""), Code.ROUTE_NONE),
        (Surroundings((LAN, VPN), (LAN, VPN), "tun0"), Code.ROUTE_TUNNEL),
        (Surroundings((LAN, VPN), (LAN,), "tun0"), Code.ROUTE_TUNNEL),
        (Surroundings((LAN, VPN), (VPN,), "eth0"), Code.ROUTE_ONLY_TUNNEL),
        (Surroundings((VPN,), (VPN,), "tun0"), Code.ROUTE_ONLY_TUNNEL),
        (Surroundings((LAN, OTHER), (LAN,), "docker0"), Code.ROUTE_ELSEWHERE),
        (Surroundings((LAN, OTHER), (LAN, OTHER), "docker0"), Code.ROUTE),
        (Surroundings((LAN, LO), (LO,), "eth0"), Code.ROUTE),
    ],
)
def test_route(around: Surroundings, code: Code) -> None:
    assert codes(diagnosis.route(around)) == [code]


@pytest.mark.parametrize(
    ("address", "taken", "code"),
    [
        ("10.77.0.2", "eth0", Code.WAY),
        ("10.77.0.2", "tun0", Code.WAY_ELSEWHERE),
        ("10.77.0.1", "lo", Code.WAY),  # our own address
        ("10.66.0.9", "docker0", Code.WAY_OTHER_INTERFACE),
        ("fe80::2%eth0", "eth0", Code.WAY),
        ("10.1.2.3", "eth0", None),
        ("10.77.0.2", "", None),
    ],
)
def test_way(address: str, taken: str, code: Code | None) -> None:
    found = diagnosis.way(Surroundings((LAN, OTHER, VPN, LO), (LAN,)), PEER, address, taken)
    assert (codes(found) if found else [None]) == [code]


def test_neighbours() -> None:
    assert codes(*(diagnosis.neighbours(USUAL, *counts) for counts in ((3, 0), (0, 0), (0, 2)))) == [
        Code.NEIGHBOURS,
        Code.NEIGHBOURS_NONE,
        Code.NEIGHBOURS_SILENT,
    ]


def test_a_doctor_on_the_other_side_where_all_is_well() -> None:
    assert steps(kind="doctor", back="ok", heard=True, hears=True, ahead=0.2) == [
        Code.PEER_DOCTOR,
        Code.BACK,
        Code.HEARD,
        Code.HEARS,
        Code.CLOCK,
    ]


@pytest.mark.parametrize(("kind", "code"), [*ERRORS.items(), ("failed", Code.PEER_FAILED)])
def test_a_peer_that_is_not_reached_says_why(kind: str, code: Code) -> None:
    assert steps(kind=kind) == [code]


@pytest.mark.parametrize(
    ("back", "code"),
    [
        ("timed_out", Code.BACK_BLOCKED),
        ("refused", Code.BACK_BLOCKED),
        ("stranger", Code.BACK_WRONG),
        ("", Code.BACK_UNASKED),
        ("ok", Code.BACK),
    ],
)
def test_the_way_back(back: str, code: Code) -> None:
    assert steps(kind="doctor", back=back)[1] is code


@pytest.mark.parametrize(
    ("heard", "hears", "echoed", "expected"),
    [
        (True, False, True, [Code.HEARD, Code.HEARS_NOT]),
        (False, True, True, [Code.HEARD_NOT, Code.HEARS]),
        (False, False, True, [Code.HEARD_NEITHER, Code.HEARS_NEITHER]),
        (False, False, False, [Code.HEARD_NOT, Code.HEARS_NOT]),  # a wall here: it is the first to go
        (False, None, True, [Code.HEARD_NOT]),
    ],
)
def test_multicast_between_two_doctors(heard: bool, hears: bool | None, echoed: bool, expected: list[Code]) -> None:
    assert steps(echoed, kind="doctor", back="ok", heard=heard, hears=hears)[2:] == expected


def test_the_command_for_the_others_firewall_is_the_others() -> None:
    met = Met(PEER, "doctor", back="ok", heard=True, hears=False, firewall="ufw")
    finding = list(diagnosis.peer(met, replace(USUAL, firewall="firewalld"), OWN, PORTS, True))[-1]
    assert told(finding)[1] == "There: `sudo ufw allow 5353/udp`"


@pytest.mark.parametrize(
    ("peer", "host"),
    [("10.0.0.7:25252", "10.0.0.7"), ("[fe80::1%eth0]:25252", "fe80::1%eth0"), ("fe80::1", "fe80::1"), ("bob", "bob")],
)
def test_multicast_knows_no_port(peer: str, host: str) -> None:
    assert Met(peer, "doctor").host == host


def test_a_table_that_is_not_heard_and_one_on_another_network() -> None:
    assert steps(kind="table", heard=False)[2:] == [Code.HEARD_NO_ANSWER]
    assert steps(kind="table", heard=True)[2:] == [Code.HEARD]
    assert steps(kind="table", heard=False, near=False)[2:] == []  # no multicast goes there


def test_another_protocol_and_another_time() -> None:
    assert steps(kind="doctor", other="9")[0] is Code.PEER_PROTOCOL
    assert steps(kind="doctor", ahead=-3600.0)[-1] is Code.CLOCK_OFF
    off = list(diagnosis.peer(Met(PEER, "doctor", ahead=60.0), USUAL, OWN, PORTS, True))[-1]
    assert told(off)[0].startswith("This machine's clock is 60 s behind that of")


@pytest.mark.parametrize(
    ("kind", "on", "back", "code"),
    [
        ("", None, "", Code.FIREWALL_NONE),
        ("ufw", False, "", Code.FIREWALL_OFF),
        ("ufw", True, "", Code.FIREWALL_ON),
        ("ufw", True, "timed_out", Code.FIREWALL_ON),
        ("firewalld", True, "ok", Code.FIREWALL_OPEN),
        ("macos", None, "", Code.FIREWALL_PERHAPS),
        ("windows", None, "ok", Code.FIREWALL_OPEN),
    ],
)
def test_firewall(kind: str, on: bool | None, back: str, code: Code) -> None:
    assert codes(diagnosis.firewall(replace(USUAL, firewall=kind, firewall_on=on), PORTS, back)) == [code]


@pytest.mark.parametrize(
    ("met", "expected"),
    [
        (None, [Code.NETWORK, Code.JOIN_HERE]),
        (Met(PEER, "doctor", heard=True, hears=True), [Code.NETWORK, Code.JOIN_LIST]),
        (Met(PEER, "table", heard=True), [Code.NETWORK, Code.JOIN_LIST]),
        (Met(PEER, "doctor", heard=True, hears=False), [Code.NETWORK_NO_MULTICAST, Code.JOIN_LINE]),
        (Met(PEER, "table", heard=False, near=False), [Code.NETWORK_OTHER, Code.JOIN_LINE]),
        (Met(PEER, "timed_out", heard=False), [Code.NETWORK_APART, Code.JOIN_NOT]),
        (Met(PEER, "no_route", heard=False), [Code.NETWORK_APART, Code.JOIN_TURNED]),
        (Met(PEER, "timed_out", heard=True, hears=True), [Code.NETWORK, Code.JOIN_TURNED]),
        (Met(PEER, "refused"), [Code.NETWORK, Code.JOIN_TURNED]),
        (Met("bob", "unknown_host"), [Code.NETWORK, Code.JOIN_NOT]),
    ],
)
def test_what_it_comes_to(met: Met | None, expected: list[Code]) -> None:
    assert codes(*diagnosis.outcome(USUAL, met, OWN, 1)) == expected


def test_a_vpn_is_suspected_where_nobody_is_reached() -> None:
    behind = Surroundings((LAN, VPN), (LAN,), "tun0")
    assert codes(*diagnosis.outcome(behind, None, OWN, 0))[0] is Code.NETWORK_VPN
    assert codes(*diagnosis.outcome(behind, None, OWN, 2))[0] is Code.NETWORK
    assert codes(*diagnosis.outcome(behind, Met(PEER, "timed_out"), OWN, 0))[0] is Code.NETWORK_VPN


def test_no_facts_leave_a_sentence_without_its_words() -> None:
    kinds = ("doctor", "table", "program", "failed", *ERRORS)
    three = (True, False, None)
    for kind, back, heard, hears, near in product(
        kinds, ("", "ok", "stranger", "refused"), three, three, (True, False)
    ):
        met = Met(PEER, kind, "x", back, heard, hears, 99.0, near=near)
        codes(*diagnosis.peer(met, USUAL, OWN, PORTS, True), *diagnosis.outcome(USUAL, met, OWN, 0))
