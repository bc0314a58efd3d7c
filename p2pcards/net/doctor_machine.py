"""What `doctor` asks this machine's own system: its interfaces, its ways, its firewall, who else listens.

Everything is read; nothing is sent, changed or started. What a system doesn't tell is empty.
"""

from __future__ import annotations

import ipaddress
import os
import shutil
import socket
import sys
from pathlib import Path

from p2pcards.net.interfaces import Interface, Network
from p2pcards.net.question import PORT
from p2pcards.table.diagnosis import Plug, Surroundings

NOWHERE = "198.51.100.1"
"""An address that nobody has (RFC 5737): its way is the way to the rest of the world."""

_PROC, _SYSTEM = Path("/proc"), Path("/sys/class/net")
_TUNNELS = ("tun", "tap", "utun", "wg", "ppp", "ipsec", "tailscale", "zt", "nordlynx", "proton", "vpn", "gpd")
_TUNNEL_TYPES = {"512", "65534"}  # ARPHRD_PPP; ARPHRD_NONE, which tun and WireGuard have
_SBIN = os.pathsep.join(("/usr/sbin", "/sbin", "/usr/local/sbin"))
_COMPLETE = 0x2  # ATF_COM


def surroundings(network: Network, every: tuple[Interface, ...]) -> Surroundings:
    """This machine on its network, as things are now."""
    networks = _networks()
    plugs = {one.name: _plug(one, networks.get(one.name, ())) for one in every}
    kind, on = _firewall()
    return Surroundings(
        tuple(plugs.values()),
        tuple(plugs[one.name] for one in network.chosen if one.name in plugs),
        way_to(NOWHERE, every),
        kind,
        on,
        str(Path(sys.executable).resolve()),
    )


def way_to(host: str, every: tuple[Interface, ...]) -> str:
    """The interface that packets to this address leave by; "" where there is no way. No packet is sent."""
    bare, _, scope = host.partition("%")
    try:
        with socket.socket(socket.AF_INET6 if ":" in bare else socket.AF_INET, socket.SOCK_DGRAM) as sock:
            sock.connect(socket.getaddrinfo(host, 9, type=socket.SOCK_DGRAM)[0][4])
            own = str(sock.getsockname()[0]).partition("%")[0]
    except (OSError, UnicodeError):
        return ""
    if scope:
        return scope
    named = [one.name for one in every if own in (address.partition("%")[0] for address in one.addresses)]
    return named[0] if named else ""


def holders() -> tuple[str, ...]:
    """Which programs, or whose, have UDP 5353 open on this machine, as far as it can be seen; asked before we do."""
    found: dict[str, str] = {}  # inode to user
    for table in ("udp", "udp6"):
        for line in _lines(_PROC / "net" / table):
            cells = line.split()
            if len(cells) > 9 and cells[1].rpartition(":")[2] == f"{PORT:04X}":
                found[cells[9]] = cells[7]
    if not found:
        return ()
    names = _programs(set(found))
    return tuple(dict.fromkeys(names.get(inode) or f"a program of {_user(uid)}" for inode, uid in found.items()))


def acquaintances(devices: set[str]) -> int:
    """How many machines the system has lately met on these interfaces, those that lead elsewhere apart."""
    gateways = set()
    for line in _lines(_PROC / "net" / "route"):
        cells = line.split()
        if len(cells) > 2 and cells[2] != "00000000":
            gateways.add(str(ipaddress.ip_address(int(cells[2], 16).to_bytes(4, sys.byteorder))))
    met = set()
    for line in _lines(_PROC / "net" / "arp"):
        cells = line.split()
        if len(cells) > 5 and cells[5] in devices and int(cells[2], 16) & _COMPLETE:
            met.add(cells[0])
    return len(met - gateways)


def _plug(one: Interface, networks: tuple[str, ...]) -> Plug:
    kind = "".join(_lines(_SYSTEM / one.name / "type", heading=False)).strip()
    tunnel = kind in _TUNNEL_TYPES or one.name.lower().startswith(_TUNNELS)
    return Plug(one.name, one.addresses, networks, one.loopback, tunnel and not one.loopback)


def _networks() -> dict[str, tuple[str, ...]]:
    """The networks of each interface, link-local ones left out: every interface has that."""
    import ifaddr

    found: dict[str, tuple[str, ...]] = {}
    for adapter in ifaddr.get_adapters():
        for one in adapter.ips:
            host = one.ip if isinstance(one.ip, str) else one.ip[0]
            if not (":" in host and ipaddress.ip_address(host).is_link_local):
                network = str(ipaddress.ip_network(f"{host}/{one.network_prefix}", strict=False))
                found[adapter.nice_name] = (*found.get(adapter.nice_name, ()), network)
    return found


def _firewall() -> tuple[str, bool | None]:
    """The firewall that this machine has, and whether it is on; of two the one that is."""
    if sys.platform == "darwin":
        return "macos", None
    if sys.platform == "win32":
        return "windows", None
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), _SBIN))
    found: list[tuple[str, bool | None]] = []
    if shutil.which("ufw", path=path):
        settings = [line.strip().lower() for line in _lines(Path("/etc/ufw/ufw.conf"), heading=False)]
        found.append(("ufw", "enabled=yes" in settings if settings else None))
    if shutil.which("firewall-cmd", path=path):
        found.append(("firewalld", Path("/run/firewalld.pid").exists() or Path("/run/firewalld").exists()))
    return max(found, key=lambda one: bool(one[1]), default=("", None))


def _programs(inodes: set[str]) -> dict[str, str]:
    """The names of the programs that hold these sockets, of those that we may look into."""
    found: dict[str, str] = {}
    for process in _PROC.iterdir() if _PROC.is_dir() else ():
        if not process.name.isdigit():
            continue
        try:
            for handle in (process / "fd").iterdir():
                inode = str(handle.readlink()).removeprefix("socket:[").removesuffix("]")
                if inode in inodes:
                    found[inode] = "".join(_lines(process / "comm", heading=False)).strip()
        except OSError:  # another's, or gone
            continue
    return found


def _user(uid: str) -> str:
    try:
        import pwd

        return pwd.getpwuid(int(uid)).pw_name
    except (ImportError, KeyError, ValueError):
        return f"user {uid}"


def _lines(file: Path, heading: bool = True) -> list[str]:
    """The lines of a file of the system, but for the heading; none where it can't be read."""
    try:
        return file.read_text(encoding="utf-8", errors="replace").splitlines()[heading:]
    except OSError:
        return []
