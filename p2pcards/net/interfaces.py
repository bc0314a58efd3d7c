"""Which interfaces this machine has and which of them the program uses.

    network = Network(wanted="wlan0")      # None: every one that is up; UserError if there is no such interface
    network.chosen                         # tuple[Interface, ...]; changes while the program runs
    network.own                            # all addresses of this machine
    network.subscribe(changed)             # called after a change has settled
    watch = asyncio.create_task(network.watch())

`ifaddr` lists the addresses on every system; zeroconf, which needs the same list, brings it along.
"""

from __future__ import annotations

import asyncio
import ipaddress
import sys
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from p2pcards.errors import UserError
from p2pcards.net.clock import now

POLL = 2.0
"""Seconds between two looks at the interfaces."""
SETTLE = 2.0
"""Seconds that a change must have lasted before anything is done about it: a flapping cable is no news."""
MOST = 10
"""Interfaces used at once: a machine full of containers has dozens, and the system's multicast tables are small."""

_SYSTEM = Path("/sys/class/net")
_IFF_UP, _IFF_LOOPBACK = 0x1, 0x8


class Interface(Struct, frozen=True):
    """One interface that is up. Addresses: IPv4 first, link-local IPv6 with its %scope."""

    name: str
    addresses: tuple[str, ...]
    loopback: bool = False
    index: int = 0  # the system's number for it


def interfaces() -> tuple[Interface, ...]:
    """The interfaces of this machine that are up and have an address, those with IPv4 first."""
    import ifaddr

    listed: dict[tuple[str, int], list[str]] = {}
    for adapter in ifaddr.get_adapters():
        name = adapter.nice_name
        if _is_up(name):
            addresses = listed.setdefault((name, adapter.index or 0), [])
            addresses.extend(_text(address.ip, name) for address in adapter.ips)
    every = [
        Interface(name, tuple(sorted(dict.fromkeys(addresses), key=_rank)), _is_loopback(addresses), index)
        for (name, index), addresses in listed.items()
        if addresses
    ]
    return tuple(sorted(every, key=lambda interface: ":" in interface.addresses[0]))


def choose(every: tuple[Interface, ...], wanted: str | None) -> tuple[Interface, ...]:
    """The ones to use, <= 10: the one called or addressed `wanted`, else all but loopback, else loopback."""
    if wanted is not None:
        return tuple(one for one in every if wanted == one.name or wanted in one.addresses)
    outward = tuple(one for one in every if not one.loopback)[:MOST]
    return outward or tuple(one for one in every if one.loopback)


class Settling:
    """A value that counts as changed only once it has stayed the same for SETTLE seconds."""

    def __init__(self, value: object) -> None:
        self._settled = self._seen = value
        self._since = 0.0

    def changed(self, value: object, at: float) -> bool:
        """Whether `value`, seen at `at`, has just settled as something else than before."""
        if value != self._seen:
            self._seen, self._since = value, at
        if self._seen == self._settled or at - self._since < SETTLE:
            return False
        self._settled = self._seen
        return True


class Network:
    """The interfaces of this machine and those chosen among them, followed while the program runs."""

    def __init__(self, wanted: str | None = None, look: Callable[[], tuple[Interface, ...]] = interfaces) -> None:
        self._wanted = wanted
        self._look = look
        self._every = look()
        self._subscribers: list[Callable[[], None]] = []
        if wanted is not None and not self.chosen:
            here = ", ".join(f"{one.name} ({one.addresses[0]})" for one in self._every) or "none that is up"
            raise UserError(f"No interface or address {wanted!r} on this machine; there is: {here}.")

    @property
    def chosen(self) -> tuple[Interface, ...]:
        """The interfaces in use; none while the wanted one, or every one, is down."""
        return choose(self._every, self._wanted)

    @property
    def addresses(self) -> tuple[str, ...]:
        """All addresses of the interfaces in use: where others may reach us."""
        return tuple(address for one in self.chosen for address in one.addresses)

    @property
    def own(self) -> frozenset[str]:
        """Every address of this machine, without scope."""
        return frozenset(address.partition("%")[0] for one in self._every for address in one.addresses)

    @property
    def trouble(self) -> str:
        """Why nobody else can be found, in one sentence; empty while there is a network."""
        if not self.chosen:
            return f"{self._wanted} is down." if self._wanted else "No network interface is up."
        if self._wanted is None and all(one.loopback for one in self.chosen):
            return "No network: only tables on this machine can be found."
        return ""

    def name_of(self, address: str) -> str:
        """The interface that has this address; "" if none has it."""
        return next((one.name for one in self._every if _bare(address) in map(_bare, one.addresses)), "")

    def subscribe(self, changed: Callable[[], None]) -> None:
        """Calls `changed` whenever the interfaces or their addresses have changed and settled."""
        self._subscribers.append(changed)

    async def watch(self) -> None:
        """Looks at the interfaces every POLL seconds until cancelled."""
        settling = Settling(self._every)
        while True:
            await asyncio.sleep(POLL)
            try:
                every = self._look()
            except OSError:  # no descriptor is left to ask with: what was known goes on
                continue
            if settling.changed(every, now()):
                self._every = every
                for changed in self._subscribers:
                    changed()


def _is_up(name: str) -> bool:
    """Whether the interface is up; where the system doesn't tell, having an address is enough."""
    if sys.platform != "linux":
        return True
    try:
        flags = int((_SYSTEM / name.partition(":")[0] / "flags").read_text(), 16)
    except OSError:
        return True
    return bool(flags & _IFF_UP)


def _is_loopback(addresses: list[str]) -> bool:
    return any(ipaddress.ip_address(address).is_loopback for address in addresses)


def _rank(address: str) -> tuple[bool, bool]:
    """IPv4 before IPv6, and the link-local address last."""
    return ":" in address, "%" in address


def _text(ip: str | tuple[str, int, int], name: str) -> str:
    """The address as it is dialled: a link-local one needs to know its interface."""
    if isinstance(ip, str):
        return ip
    host, _, scope = ip
    if not ipaddress.ip_address(host).is_link_local:
        return host
    return f"{host}%{scope if sys.platform == 'win32' else name}"


def _bare(address: str) -> str:
    return address.partition("%")[0]
