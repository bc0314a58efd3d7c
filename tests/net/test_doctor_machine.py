"""What the doctor asks the system, where the system says this and that."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from p2pcards.net import doctor_machine
from p2pcards.net.doctor_machine import acquaintances, holders, surroundings, way_to
from p2pcards.net.interfaces import Interface, Network

LO = Interface("lo", ("127.0.0.1",), True, 1)
UDP = """  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
  10: 00000000:14E9 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4242 2 0 0
  11: 00000000:0044 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4343 2 0 0
"""
ROUTE = """Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT
eth0 00000000 {gateway} 0003 0 0 0 00000000 0 0 0
eth0 00004D0A 00000000 0001 0 0 0 00FFFFFF 0 0 0
"""
ARP = """IP address       HW type     Flags       HW address            Mask     Device
10.77.0.254      0x1         0x2         02:00:00:00:00:fe     *        eth0
10.77.0.2        0x1         0x2         02:00:00:00:00:02     *        eth0
10.77.0.3        0x1         0x0         00:00:00:00:00:00     *        eth0
10.66.0.2        0x1         0x2         02:00:00:00:00:09     *        docker0
"""


@pytest.fixture
def proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "net").mkdir()
    monkeypatch.setattr(doctor_machine, "_PROC", tmp_path)
    return tmp_path


def test_who_has_the_port_is_named_by_program_or_by_user(proc: Path) -> None:
    (proc / "net" / "udp").write_text(UDP)
    assert holders() in (("a program of root",), ("a program of user 0",))
    (proc / "77" / "fd").mkdir(parents=True)
    (proc / "77" / "fd" / "5").symlink_to("socket:[4242]")
    (proc / "77" / "comm").write_text("avahi-daemon\n")
    assert holders() == ("avahi-daemon",)
    (proc / "77" / "comm").write_bytes(b"avahi\xff\n")  # a program calls itself what it likes
    assert holders() == ("avahi\ufffd",)


def test_whom_the_system_has_met_without_the_way_out(proc: Path) -> None:
    gateway = int.from_bytes(bytes([10, 77, 0, 254]), sys.byteorder)
    (proc / "net" / "route").write_text(ROUTE.format(gateway=f"{gateway:08X}"))
    (proc / "net" / "arp").write_text(ARP)
    assert acquaintances({"eth0"}) == 1
    assert acquaintances({"eth0", "docker0"}) == 2
    assert acquaintances(set()) == 0


def test_a_system_that_tells_nothing_is_no_fault(proc: Path) -> None:
    assert (holders(), acquaintances({"eth0"})) == ((), 0)


def test_the_way_to_oneself_and_to_nowhere() -> None:
    assert way_to("127.0.0.1", (LO,)) == "lo"
    assert way_to("fe80::2%eth7", (LO,)) in ("eth7", "")
    assert way_to("no address", (LO,)) == ""


@pytest.mark.parametrize(("kind", "tunnel"), [("65534", True), ("512", True), ("1", False), ("772", False)])
def test_a_tunnel_is_known_by_its_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, tunnel: bool
) -> None:
    (tmp_path / "office").mkdir()
    (tmp_path / "office" / "type").write_text(f"{kind}\n")
    monkeypatch.setattr(doctor_machine, "_SYSTEM", tmp_path)
    office = Interface("office", ("10.9.0.2",), False, 5)
    assert doctor_machine._plug(office, ()).tunnel == tunnel


@pytest.mark.parametrize(("name", "tunnel"), [("utun3", True), ("wg0", True), ("ppp0", True), ("en0", False)])
def test_a_tunnel_is_known_by_its_name_elsewhere(name: str, tunnel: bool) -> None:
    assert doctor_machine._plug(Interface(name, ("10.9.0.2",), False, 5), ()).tunnel == tunnel


@pytest.mark.parametrize(("platform", "firewall"), [("darwin", "macos"), ("win32", "windows")])
def test_systems_with_a_firewall_of_their_own(monkeypatch: pytest.MonkeyPatch, platform: str, firewall: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert doctor_machine._firewall() == (firewall, None)


@pytest.mark.skipif(sys.platform == "win32", reason="programs there are called otherwise")
def test_a_firewall_is_known_by_its_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(doctor_machine, "_SBIN", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert doctor_machine._firewall() == ("", None)
    for name in ("ufw", "firewall-cmd"):
        program = tmp_path / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        kind, on = doctor_machine._firewall()
        assert kind == "ufw" if name == "ufw" else kind in ("ufw", "firewalld")
        assert on in (True, False, None)


def test_surroundings_of_this_machine() -> None:
    around = surroundings(Network("lo", lambda: (LO,)), (LO,))
    (plug,) = around.chosen
    assert (plug.name, plug.loopback, plug.tunnel) == ("lo", True, False)
    assert plug.reaches("127.0.0.53")
    assert around.lan == ()
    assert around.program.startswith("/") or sys.platform == "win32"
