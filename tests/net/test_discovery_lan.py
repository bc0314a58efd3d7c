"""mDNS between machines: what loopback can't show."""

from __future__ import annotations

import json
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.testing.lan import Host, Lan, avahi, ip, lan
from tests.testing.require import require

DEADLINE = 30.0
"""Seconds for what takes less than one."""

HOLD_5353 = """
import socket, sys
holder = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
holder.bind(("", 5353))
print("held", flush=True)
sys.stdin.read()
"""


class Finder:
    """tests.net.finder on a machine: its lines as they come."""

    def __init__(self, host: Host, role: str) -> None:
        self.process = host.start(sys.executable, "-m", "tests.net.finder", role)
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, args=(self.process,), daemon=True).start()
        self.hear(lambda line: line.get("ready") == role)

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self._lines.put(line)

    def hear(self, wanted: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """The next line that is wanted."""
        while True:
            line: dict[str, Any] = json.loads(self._lines.get(timeout=DEADLINE))
            if wanted(line):
                return line

    def leave(self) -> None:
        """Lets it end politely."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait(DEADLINE) == 0


@pytest.fixture
def two() -> Iterator[Lan]:
    with lan(2) as net:
        yield net


def test_a_machine_with_avahi_and_two_programs_finds_and_is_found(two: Lan) -> None:
    here, there = two.hosts
    with avahi(there) as beside:
        first, second = Finder(beside, "look"), Finder(beside, "look")
        host = Finder(here, "host")
        late, neighbour = Finder(beside, "look"), Finder(here, "look")
        for finder in (first, second, late, neighbour):
            assert finder.hear(lambda line: "heard" in line)["targets"][0][0] == here.address
            assert finder.hear(lambda line: "reached" in line)["reached"] == "lab"
        host.leave()
        for finder in (first, second, late, neighbour):
            finder.hear(lambda line: "gone" in line)


def test_a_network_with_ipv6_alone(two: Lan) -> None:
    for host in two.hosts:
        ip("-n", host.name, "addr", "flush", "dev", "eth0", "scope", "global")
    looker = Finder(two.hosts[1], "look")
    Finder(two.hosts[0], "host")
    targets = looker.hear(lambda line: "heard" in line)["targets"]
    assert targets[0][0].startswith("fe80::")
    assert targets[0][0].endswith("%eth0")
    assert looker.hear(lambda line: "reached" in line)["at"].endswith("%eth0")


def test_a_network_that_comes_up_under_a_running_program(two: Lan) -> None:
    here, there = two.hosts
    two.down(here)
    host = Finder(here, "host")
    looker = Finder(there, "look")
    two.up(here)
    assert looker.hear(lambda line: "heard" in line)["targets"][0][0] == here.address
    looker.hear(lambda line: "reached" in line)
    host.hear(lambda line: line.get("trouble") == "")


def test_an_address_that_changes_under_a_running_table(two: Lan) -> None:
    here, there = two.hosts
    Finder(here, "host")
    looker = Finder(there, "look")
    looker.hear(lambda line: "reached" in line)
    ip("-n", here.name, "addr", "del", f"{here.address}/24", "dev", "eth0")
    ip("-n", here.name, "addr", "add", "10.77.0.44/24", "dev", "eth0")
    two.up(here)
    looker.hear(lambda line: ["10.77.0.44", 25252] in line.get("targets", []))
    looker.hear(lambda line: line.get("at") == "10.77.0.44")


def test_a_second_network_is_used_too_and_only_the_address_that_works_is_taken(two: Lan) -> None:
    here, there = two.hosts
    for host in (here, there):  # a bridge for containers: the same address everywhere, and it leads nowhere
        ip("-n", host.name, "link", "add", "docker0", "type", "bridge")
        ip("-n", host.name, "addr", "add", "10.66.0.1/16", "dev", "docker0")
        ip("-n", host.name, "link", "set", "docker0", "up")
    Finder(here, "host")
    looker = Finder(there, "look")
    targets = looker.hear(lambda line: "heard" in line)["targets"]
    assert {host for host, _ in targets} >= {here.address, "10.66.0.1"}
    assert looker.hear(lambda line: "reached" in line)["at"] == here.address


def test_another_program_that_keeps_the_port_to_itself_is_said_and_waited_for(two: Lan) -> None:
    here, there = two.hosts
    holder = here.start(sys.executable, "-c", HOLD_5353)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    host = Finder(here, "host")
    assert "5353" in host.hear(lambda line: line.get("trouble"))["trouble"]
    looker = Finder(there, "look")
    assert holder.stdin is not None
    holder.stdin.close()
    looker.hear(lambda line: "reached" in line)
    host.hear(lambda line: line.get("trouble") == "")


def test_a_firewall_that_drops_is_told_with_ways_out(two: Lan) -> None:
    require(shutil.which("nft"), "`nft` is not installed")
    here, there = two.hosts
    here.run("nft", "add table inet fw; add chain inet fw i { type filter hook input priority 0; }")
    here.run("nft", "add rule inet fw i tcp dport 25252 drop")
    Finder(here, "host")
    looker = Finder(there, "look")
    assert "firewall" in looker.hear(lambda line: "unreachable" in line)["unreachable"]
