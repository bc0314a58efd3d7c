"""What a doctor hears and says on the mDNS group, on each interface by itself.

    ear = Ear(interfaces, take_call)       # take_call(call, address): what other doctors say
    ear.faults                             # after open(): interface name -> OSError, where no socket could be had
    await ear.open()
    ear.ask(port)                          # to everybody; again and again: one may get lost
    ear.echoed, ear.speakers, ear.answerers, ear.answered_here
    ear.close()

It listens beside whoever has UDP 5353 already. Packets of others are counted by their address, never parsed.
"""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import socket
import struct
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from p2pcards.net.address import with_scope
from p2pcards.net.doctor_call import NOBODY, Call, is_answer, read, token, write
from p2pcards.net.interfaces import Interface
from p2pcards.net.question import ANSWER_SECONDS, GROUP, GROUP6, PORT, send_question

MOST = 256
"""Speakers remembered."""

_TABLES = b"\x09_p2pcards\x04_tcp\x05local\0" + b"\0\x0c\0\1"
_SERVICES = b"\x09_services\x07_dns-sd\x04_udp\x05local\0" + b"\0\x0c\0\1"
_HOPS = 255


class Ear(asyncio.DatagramProtocol):
    """Our sockets on the group: one an interface, for everybody's packets, and one each for answers to us alone."""

    def __init__(self, interfaces: Iterable[Interface], own: frozenset[str], take: Callable[[Call, str], None]) -> None:
        """own: the addresses of this machine, without scope."""
        self.faults: dict[str, OSError] = {}
        self.tokens: dict[str, str] = {}  # by the name of the interface, those that have a socket
        self.echoed: set[str] = set()  # interfaces
        self.speakers: set[str] = set()  # addresses of others who spoke to everybody, with scope
        self.answerers: set[str] = set()  # of others who answered us alone
        self.answered_here = False
        self.news = asyncio.Event()  # something came in
        self._interfaces = {one.name: one for one in interfaces}
        self._own, self._take = own, take
        self._group: dict[str, tuple[socket.socket, Any]] = {}  # and where the group is
        self._transports: set[asyncio.DatagramTransport] = set()

    async def open(self) -> None:
        """Joins the group on every interface where that can be done."""
        loop = asyncio.get_running_loop()
        for name, interface in self._interfaces.items():
            try:
                sock, group = _join(interface)
            except OSError as error:
                self.faults[name] = error
                continue
            self.tokens[name] = token()
            transport, _ = await loop.create_datagram_endpoint(lambda: self, sock=sock)
            self._transports.add(transport)
            self._group[name] = sock, group

    async def ask(self, port: int) -> None:
        """Asks doctors and everybody else whether they are there. port: of our TCP door."""
        loop = asyncio.get_running_loop()
        for name in tuple(self._group):
            self._send(name, write(Call("ask", self.tokens[name], NOBODY, port)))
            with suppress(OSError):  # told by the send before
                sock = send_question(_question(self._interfaces[name]), self._interfaces[name])
                transport, _ = await loop.create_datagram_endpoint(lambda: _Aside(self), sock=sock)
                self._transports.add(transport)
                loop.call_later(ANSWER_SECONDS, self._drop, transport)  # another comes with each question
            self._send(name, _question(self._interfaces[name]))

    def tell(self, port: int, echo: str = NOBODY) -> None:
        """Tells doctors that we listen, or (echo) that we have heard one."""
        for name in tuple(self._group):
            self._send(name, write(Call("tell", self.tokens[name], echo, port)))

    def close(self) -> None:
        """Gives every socket back."""
        for transport in tuple(self._transports):
            self._drop(transport)
        self._group.clear()

    def _drop(self, transport: asyncio.DatagramTransport) -> None:
        self._transports.discard(transport)
        transport.abort()

    def datagram_received(self, data: bytes, addr: Any) -> None:
        host = with_scope(addr[0], addr[3] if len(addr) == 4 else 0)
        call = read(data)
        if call is not None and call.token in self.tokens.values():
            self.echoed |= {name for name, own in self.tokens.items() if own == call.token}
            return
        if call is not None:
            self._take(call, host)
        self.note(self.speakers, data, host)
        self.news.set()

    def note(self, kind: set[str], data: bytes, host: str) -> None:
        """Counts a packet among those of others, of that kind, or as one of a responder on this machine."""
        if host.partition("%")[0] in self._own:
            self.answered_here |= is_answer(data)
        elif len(kind) < MOST:
            kind.add(host)

    def _send(self, name: str, packet: bytes) -> None:
        sock, group = self._group[name]
        try:
            sock.sendto(packet, group)  # by the socket itself: the transport would swallow the error
        except BlockingIOError:
            pass
        except (OSError, ValueError) as error:
            self.faults[name] = error if isinstance(error, OSError) else OSError(str(error))


class _Aside(asyncio.DatagramProtocol):
    """Where answers to us alone come in."""

    def __init__(self, ear: Ear) -> None:
        self._ear = ear

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self._ear.note(self._ear.answerers, data, with_scope(addr[0], addr[3] if len(addr) == 4 else 0))


def _question(interface: Interface) -> bytes:
    """Who has tables, who has anything, who has my address: some responder knows one of them."""
    own = ipaddress.ip_address(interface.addresses[0].partition("%")[0])
    labels = own.reverse_pointer.split(".")
    mine = b"".join(bytes([len(label)]) + label.encode() for label in labels) + b"\0" + b"\0\x0c\0\1"
    return secrets.token_bytes(2) + struct.pack(">HHHHH", 0, 3, 0, 0, 0) + _TABLES + _SERVICES + mine


def _join(interface: Interface) -> tuple[socket.socket, Any]:
    """A socket on the mDNS port that is in the group on this interface alone, and where the group is."""
    own, index = interface.addresses[0].partition("%")[0], interface.index
    six = ":" in own
    sock = socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            with suppress(OSError):
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if six:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            sock.bind(("", PORT))
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, _HOPS)
            group = socket.inet_pton(socket.AF_INET6, GROUP6) + struct.pack("@I", index)
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group)
            return sock, (GROUP6, PORT, 0, index)
        sock.bind(("", PORT))
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(own))
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, _HOPS)
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP) + socket.inet_aton(own))
        if sys.platform == "linux":  # else it hears what comes to other sockets' interfaces too
            sock.setsockopt(socket.IPPROTO_IP, 49, 0)  # IP_MULTICAST_ALL
    except OSError:
        sock.close()
        raise
    return sock, (GROUP, PORT)
