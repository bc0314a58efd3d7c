"""A LAN of network namespaces: N hosts on one switch, with cables to pull and an avahi daemon where one is wanted.

    with lan(3) as net:
        first, second, third = net.hosts
        process = first.start("p2pcards", "list", "--json")      # Popen, ended with the LAN at the latest
        net.cut(second); net.heal(second)
        with avahi(third) as beside:
            beside.run("avahi-browse", "-rpt", "_p2pcards._tcp").stdout

Nothing leaves the namespaces: they have no link to the machine's own network. Needs root and `ip`; skips without.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from tests.testing.require import require

_RUN = Path("/run/netns")
_STEM = "p2pc"
_numbers = itertools.count()

_ALONE = ("--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc")
_AVAHI = """
set -e
mount -t tmpfs tmpfs /run
mkdir -p /run/dbus /run/avahi-daemon
cat > /run/avahi.conf <<END
[server]
host-name=$1
use-ipv4=yes
use-ipv6=yes
allow-interfaces=eth0
[publish]
publish-workstation=no
END
dbus-daemon --system --nofork --nopidfile 2>/dev/null &
until [ -S /run/dbus/system_bus_socket ]; do sleep .02; done
exec avahi-daemon -f /run/avahi.conf --no-rlimits --no-drop-root 2>&1
"""


class Host:
    """One machine of the LAN: the namespace `name`, reachable for the others at `address` on its eth0."""

    def __init__(self, name: str, address: str) -> None:
        self.name = name
        self.address = address
        self.prefix: tuple[str, ...] = ("ip", "netns", "exec", name)
        self.processes: list[subprocess.Popen[str]] = []

    def run(self, *command: str, timeout: float = 30, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Runs a command to its end inside the host and returns its output."""
        return subprocess.run([*self.prefix, *command], capture_output=True, text=True, timeout=timeout, check=check)

    def start(self, *command: str, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
        """Starts a command inside the host; standard input and output are pipes."""
        process = subprocess.Popen(
            [*self.prefix, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **(env or {})},
        )
        self.processes.append(process)
        return process


class Lan:
    """The hosts and the switch between them."""

    def __init__(self, stem: str, count: int) -> None:
        self.switch = f"{stem}sw"
        self.hosts = [Host(f"{stem}h{number}", f"10.77.0.{number}") for number in range(1, count + 1)]
        self.away: set[Host] = set()
        """Whose cable is out."""

    def cut(self, host: Host) -> None:
        """Pulls the host's cable: it keeps its address."""
        ip("-n", self.switch, "link", "set", self._port(host), "down")
        self.away.add(host)

    def heal(self, host: Host) -> None:
        """Plugs it in again."""
        ip("-n", self.switch, "link", "set", self._port(host), "up")
        self.away.discard(host)

    def down(self, host: Host) -> None:
        """Switches the host's own interface off."""
        ip("-n", host.name, "link", "set", "eth0", "down")

    def up(self, host: Host) -> None:
        """Switches it on, with the route that went with it."""
        ip("-n", host.name, "link", "set", "eth0", "up")
        ip("-n", host.name, "route", "replace", "default", "via", "10.77.0.254")

    def drop_multicast(self) -> None:
        """The switch filters mDNS and lets everything else pass."""
        for rule in (
            "add table bridge x",
            "add chain bridge x f { type filter hook forward priority 0; }",
            "add rule bridge x f ether daddr 01:00:5e:00:00:fb drop",
            "add rule bridge x f ether daddr 33:33:00:00:00:fb drop",
        ):
            _run("ip", "netns", "exec", self.switch, "nft", rule)

    def rules(self, *rules: str) -> None:
        """What the switch does to the frames that it passes on, in place of what it did: rules of nft, the hosts'
        ports being `port1` and so on. None: it passes on everything.
        """
        require(shutil.which("nft"), "`nft` is not installed")
        lines = ["add table bridge y", "delete table bridge y", "add table bridge y"]
        lines.append("add chain bridge y f { type filter hook forward priority 0; }")
        lines += [f"add rule bridge y f {rule}" for rule in rules]
        _run("ip", "netns", "exec", self.switch, "nft", "; ".join(lines))

    def one_way(self, host: Host) -> None:
        """What the host says reaches nobody, and it hears everybody."""
        self.rules(f"iifname {self._port(host)} drop")

    def apart(self, *hosts: Host) -> None:
        """These and the others don't reach each other, and everybody's interface stays up."""
        ports = ", ".join(map(self._port, hosts))
        here, there = f"{{ {ports} }}", f"!= {{ {ports} }}"
        self.rules(f"iifname {here} oifname {there} drop", f"iifname {there} oifname {here} drop")

    def lose(self, percent: int) -> None:
        """The switch loses so many of a hundred frames."""
        self.rules(f"numgen random mod 100 < {percent} drop")

    def _port(self, host: Host) -> str:
        return f"port{self.hosts.index(host) + 1}"

    def _build(self) -> None:
        ip("netns", "add", self.switch)
        ip("-n", self.switch, "link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
        ip("-n", self.switch, "link", "set", "br0", "up")
        for number, host in enumerate(self.hosts, 1):
            ip("netns", "add", host.name)
            # without the two seconds in which an IPv6 address may not be used yet
            host.run("sh", "-c", "for kind in all default; do echo 0 > /proc/sys/net/ipv6/conf/$kind/accept_dad; done")
            ip("-n", host.name, "link", "set", "lo", "up")
            ip("-n", host.name, "link", "add", "eth0", "type", "veth", "peer", f"port{number}", "netns", self.switch)
            ip("-n", host.name, "addr", "add", f"{host.address}/24", "dev", "eth0")
            ip("-n", self.switch, "link", "set", f"port{number}", "master", "br0")
            ip("-n", self.switch, "link", "set", f"port{number}", "up")
            self.up(host)

    def _remove(self) -> None:
        for host in self.hosts:
            for process in host.processes:
                _end(process)
        for name in (*(host.name for host in self.hosts), self.switch):
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


@contextlib.contextmanager
def lan(count: int) -> Iterator[Lan]:
    """A LAN of `count` hosts, removed with all its processes however the test ends."""
    require(os.name == "posix" and os.geteuid() == 0, "network namespaces need root")
    require(shutil.which("ip"), "network namespaces need `ip` (iproute2)")
    _remove_leftovers()
    net = Lan(f"{_STEM}{os.getpid()}x{next(_numbers)}", count)
    try:
        net._build()
        yield net
    finally:
        net._remove()


@contextlib.contextmanager
def avahi(host: Host) -> Iterator[Host]:
    """The same host with an avahi daemon beside what runs there; commands of the host given out can talk to it."""
    for program in ("avahi-daemon", "avahi-browse", "dbus-daemon", "unshare", "nsenter"):
        require(shutil.which(program), f"`{program}` is not installed")
    daemon = host.start("unshare", *_ALONE, "sh", "-c", _AVAHI, "sh", host.name)
    assert daemon.stdout is not None
    for line in daemon.stdout:
        if "Server startup complete" in line:
            break
    else:
        raise RuntimeError("avahi-daemon did not start")
    beside = Host(host.name, host.address)
    beside.prefix = ("nsenter", "-t", str(daemon.pid), "-m", "-n", "--")
    try:
        yield beside
    finally:
        for process in beside.processes:
            _end(process)
        daemon.kill()  # unshare passes no other signal on; what it started dies with it
        _end(daemon)


def ip(*words: str) -> None:
    """Runs `ip` with these words."""
    _run("ip", *words)


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")


def _end(process: subprocess.Popen[str]) -> None:
    """Ends one process of ours, politely at first."""
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


def _remove_leftovers() -> None:
    """Namespaces of test runs that were killed before they could clean up."""
    for place in _RUN.glob(f"{_STEM}*x*"):
        owner = place.name.removeprefix(_STEM).partition("x")[0]
        if owner.isdigit() and not Path("/proc", owner).exists():
            subprocess.run(["ip", "netns", "del", place.name], check=False, capture_output=True)


def until(seconds: float, poll: float = 0.02) -> Iterator[float]:
    """Counts down a generous deadline: `for left in until(10): if done(): break`, then AssertionError."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        yield left
        time.sleep(poll)
    raise AssertionError(f"did not happen within {seconds} s")
