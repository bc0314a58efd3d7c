"""The doctor between machines: whatever step is blocked, its report names that one."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.testing.lan import Host, Lan, avahi, ip, lan
from tests.testing.require import require

PORTS = "25252-25271"
TO_EVERYBODY = "ether daddr 01:00:5e:00:00:fb"


@pytest.fixture
def two() -> Iterator[Lan]:
    require(shutil.which("nft"), "`nft` is not installed")
    with lan(2) as net:
        yield net


class Report:
    """What one run said, line by line."""

    def __init__(self, rows: list[dict[str, str]], code: int) -> None:
        self.rows = rows
        assert code == int(any(row["state"] == "bad" for row in rows))

    def __getitem__(self, check: str) -> dict[str, str]:
        (row,) = (row for row in self.rows if row["check"] == check)
        return row

    def of(self, state: str) -> list[str]:
        """The checks that stand so, in their order."""
        return [row["check"] for row in self.rows if row["state"] == state]


def doctor(host: Host, *arguments: str, wait: float = 0.8) -> Report:
    done = host.run(sys.executable, "-m", "p2pcards", "doctor", "--json", "--wait", str(wait), *arguments, check=False)
    assert done.stderr == ""
    return Report(json.loads(done.stdout), done.returncode)


@contextmanager
def listening(host: Host, *arguments: str) -> Iterator[Any]:
    """A doctor that waits on this machine; hands out its lines."""
    process = host.start(sys.executable, "-m", "p2pcards", "doctor", "--listen", *arguments)
    assert process.stdout is not None
    for line in process.stdout:
        if "`p2pcards doctor " in line and "ITS-ADDRESS" not in line:
            break
    yield process.stdout


def wall(host: Host, *rules: str) -> None:
    """What this machine's own firewall does with what comes in."""
    host.run("nft", "add table inet fw; add chain inet fw i { type filter hook input priority 0; }")
    for rule in rules:
        host.run("nft", f"add rule inet fw i {rule}")


def test_where_nothing_is_wrong_everything_is_ok(two: Lan) -> None:
    here, there = two.hosts
    with listening(there) as lines:
        report = doctor(here, there.address)
        assert {row["state"] for row in report.rows} == {"ok"}
        assert report["peer"]["found"].startswith(f"{there.address}:25252 is reached by TCP")
        assert report["back"]["found"] == f"{there.address}:25252 reaches this machine by TCP at {here.address}:25252."
        assert f"`p2pcards join {there.address}:25252`" in report["join"]["found"]
        assert next(lines) == f"ok    visitor       {here.address} is heard by multicast.\n"
        assert next(lines) == f"ok    visitor       {here.address} came, and every way between us works from here.\n"
        assert doctor(here)["peer"]["found"] == report["peer"]["found"]  # who listens needs no name


def test_multicast_that_the_network_drops_in_both_directions(two: Lan) -> None:
    here, there = two.hosts
    two.drop_multicast()
    with listening(there):
        report = doctor(here, there.address)
    assert report.of("bad") == ["hears peer", "heard by peer"]
    assert (report["peer"]["state"], report["back"]["state"], report["echo"]["state"]) == ("ok", "ok", "ok")
    assert "multicast doesn't" in report["network"]["found"]
    assert f"`p2pcards join {there.address}:25252`" in report["join"]["advice"]


def test_multicast_that_is_lost_on_the_way_to_the_other(two: Lan) -> None:
    here, there = two.hosts
    two.rules(f"iifname port1 {TO_EVERYBODY} drop")
    with listening(there) as lines:
        report = doctor(here, there.address)
        assert next(lines).startswith(f"bad   visitor       {here.address} came by TCP, and isn't heard by multicast.")
    assert report.of("bad") == ["heard by peer"]
    assert report["heard by peer"]["advice"].startswith("There: ")


def test_multicast_that_is_lost_on_the_way_from_the_other(two: Lan) -> None:
    here, there = two.hosts
    two.rules(f"iifname port2 {TO_EVERYBODY} drop")
    with listening(there):
        report = doctor(here, there.address)
    assert report.of("bad") == ["hears peer"]
    assert "UDP 5353" in report["hears peer"]["advice"]


def test_a_wall_of_ones_own_against_mdns_is_heard_by_the_missing_echo(two: Lan) -> None:
    here, there = two.hosts
    wall(here, "udp dport 5353 drop")
    with listening(there):
        report = doctor(here, there.address)
    assert report.of("bad") == ["echo", "hears peer"]
    assert "UDP 5353" in report["echo"]["advice"]


def test_a_wall_against_what_goes_out_is_told_with_its_error(two: Lan) -> None:
    here, there = two.hosts
    here.run("nft", "add table inet fw; add chain inet fw o { type filter hook output priority 0; }")
    here.run("nft", "add rule inet fw o udp dport 5353 drop")
    with listening(there):
        report = doctor(here, there.address)
    assert report.of("bad") == ["multicast", "heard by peer"]
    assert report["multicast"]["found"].endswith("(EPERM).")


def test_tcp_that_the_other_machine_swallows(two: Lan) -> None:
    here, there = two.hosts
    wall(there, f"tcp dport {PORTS} drop")
    with listening(there):
        report = doctor(here, there.address)
    assert report.of("bad") == ["peer"]
    assert "doesn't answer by TCP" in report["peer"]["found"]
    assert (report["hears peer"]["state"], report["heard by peer"]["state"]) == ("ok", "ok")
    assert f"`p2pcards join {here.address}:25252`" in report["join"]["advice"]  # the other way round


def test_tcp_that_the_other_machine_rejects(two: Lan) -> None:
    here, there = two.hosts
    wall(there, f"tcp dport {PORTS} reject")
    with listening(there):
        report = doctor(here, there.address)
    assert report.of("bad") == ["peer"]


def test_tcp_that_this_machine_swallows(two: Lan) -> None:
    here, there = two.hosts
    wall(here, f"tcp dport {PORTS} drop")
    with listening(there) as lines:
        report = doctor(here, there.address)
        said = next(lines), next(lines)
    assert report.of("bad") == ["back"]
    assert report["back"]["found"].endswith(f"by TCP at {here.address}:25252: no answer.")
    assert f"TCP {PORTS}" in report["back"]["advice"]
    assert said[1] == f"bad   visitor       {here.address} came, and can't be reached from here by TCP: no answer.\n"


def test_an_access_point_that_keeps_its_guests_apart(two: Lan) -> None:
    here, there = two.hosts
    two.apart(there)
    with listening(there):
        report = doctor(here, there.address)
    assert report.of("bad") == ["peer", "hears peer"]
    assert "keeps its guests apart" in report["network"]["found"]
    assert "hotspot" in report["join"]["advice"]


def tunnel(host: Host, *routes: str) -> None:
    """A VPN that takes these routes to itself, and leads nowhere."""
    ip("-n", host.name, "tuntap", "add", "tun0", "mode", "tun")
    ip("-n", host.name, "addr", "add", "10.99.0.2/24", "dev", "tun0")
    ip("-n", host.name, "link", "set", "tun0", "up")
    for route in routes:
        ip("-n", host.name, "route", "replace", route, "dev", "tun0")


def test_a_default_route_over_another_interface_is_named_and_the_lan_is_used_all_the_same(two: Lan) -> None:
    here, there = two.hosts
    tunnel(here, "default")
    with listening(there):
        report = doctor(here, there.address)
        alone = doctor(here, there.address, "--interface", "tun0")
    assert "bad" not in {row["state"] for row in report.rows if row["check"] not in ("multicast", "echo")}
    assert report["route"]["state"] == "warn"
    assert "tun0" in report["route"]["found"]
    assert "`--interface eth0`" in report["route"]["advice"]
    assert alone["way"] == {
        "check": "way",
        "state": "bad",
        "found": f"{there.address}:25252 is on the network of eth0, and p2pcards uses tun0 alone.",
        "advice": "`--interface eth0`",
    }


def test_a_vpn_that_takes_the_way_to_the_other_is_named(two: Lan) -> None:
    here, there = two.hosts
    tunnel(here, "default", f"{there.address}/32")
    with listening(there):
        report = doctor(here, there.address, "--interface", "eth0")
    assert {"way", "peer"} <= set(report.of("bad"))
    assert "leaves by tun0, though its network is on eth0" in report["way"]["found"]
    assert "VPN" in report["network"]["found"]


def test_a_network_with_ipv6_alone(two: Lan) -> None:
    here, there = two.hosts
    for host in two.hosts:
        ip("-n", host.name, "addr", "flush", "dev", "eth0", "scope", "global")
    with listening(there):
        report = doctor(here)
    assert {row["state"] for row in report.rows} == {"ok"}
    assert report["peer"]["found"].startswith("[fe80::")
    assert "%eth0]:25252 is reached by TCP" in report["peer"]["found"]


def test_a_machine_with_avahi_shares_the_port(two: Lan) -> None:
    here, there = two.hosts
    with avahi(here), listening(there):
        report = doctor(here, there.address)
    assert {row["state"] for row in report.rows} == {"ok"}
    assert "avahi" in report["mdns"]["found"]


def test_who_keeps_the_port_to_himself_is_named(two: Lan) -> None:
    here, _ = two.hosts
    holder = here.start(
        sys.executable,
        "-c",
        "import socket, sys; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(('', 5353)); "
        "print('held', flush=True); sys.stdin.read()",
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    report = doctor(here)
    assert report.of("bad") == ["multicast"]
    assert "python" in report["multicast"]["found"]
    assert report["multicast"]["found"].endswith("keeps UDP port 5353 to itself (EADDRINUSE).")


def test_no_interface_at_all(two: Lan) -> None:
    here, _ = two.hosts
    two.down(here)
    assert "interfaces" in doctor(here).of("warn")
    ip("-n", here.name, "link", "set", "lo", "down")
    report = doctor(here)
    assert report["interfaces"]["found"] == "No network interface is up."
    assert "interfaces" in report.of("bad")


@pytest.mark.parametrize("called", ["friday", "ana", "10.77.0.2"])
def test_a_table_is_met_by_title_nick_or_address(two: Lan, called: str) -> None:
    here, there = two.hosts
    table = there.start(
        sys.executable, "-m", "p2pcards", "host", "tongits", "--headless", "--json", "--name", "Friday", "--nick", "ana"
    )
    assert table.stdout is not None
    table.stdout.readline()
    report = doctor(here, called, wait=3)
    assert report.of("bad") == []
    assert "Friday" in report["peer"]["found"]
    assert report["hears peer"]["state"] == "ok"
    assert report["back"]["state"] == "warn"


def test_nobody_of_that_name_is_one_sentence(two: Lan) -> None:
    report = doctor(two.hosts[0], "nobody-here")
    assert report.of("bad") == ["peer"]
    assert report["peer"]["found"] == "No table, host or machine called nobody-here is known here."
