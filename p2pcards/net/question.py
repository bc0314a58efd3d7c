"""A question to everybody on the network, for answers to us alone (RFC 6762, 6.7).

    question = Question(take)                          # take(datagram, source) gets every answer
    failure = await question.ask(interfaces)           # what went wrong on one; `question.worked` are the others
    question.close()

It is asked from a port of its own. Such answers come at once, where those to everybody may be held back for a second;
they are not lost to another program on the mDNS port; and on a wireless network, where what goes to everybody is sent
once and hoped for, they are sent until they arrive. It also shows which interfaces mDNS can work on at all.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import struct
from collections.abc import Callable, Iterable
from typing import Any

from p2pcards.net.interfaces import Interface

GROUP, GROUP6, PORT = "224.0.0.251", "ff02::fb", 5353
ANSWER_SECONDS = 3.0
"""How long answers are waited for."""

_WHO_HAS_TABLES = b"\0\0\0\1" + bytes(6) + b"\x09_p2pcards\x04_tcp\x05local\0" + b"\0\x0c\0\1"
_HOPS = 255


class Question:
    """Asks, and hands on what comes back."""

    def __init__(self, take: Callable[[bytes, Any], None]) -> None:
        self.worked: tuple[Interface, ...] = ()
        self._take = take
        self._waiting: set[asyncio.DatagramTransport] = set()

    async def ask(self, interfaces: Iterable[Interface]) -> OSError | None:
        """Asks on each of the interfaces."""
        # the id is another each time: the same bytes twice within a second are taken for an echo
        question = secrets.token_bytes(2) + _WHO_HAS_TABLES
        loop = asyncio.get_running_loop()
        worked, failure = [], None
        for interface in interfaces:
            try:
                sock = send_question(question, interface)
            except OSError as error:
                failure = error
                continue
            worked.append(interface)
            transport, _ = await loop.create_datagram_endpoint(lambda: _Answers(self._take), sock=sock)
            self._waiting.add(transport)
            loop.call_later(ANSWER_SECONDS, self._drop, transport)
        self.worked = tuple(worked)
        return failure

    def close(self) -> None:
        """Waits for no more answers."""
        for transport in tuple(self._waiting):
            self._drop(transport)

    def _drop(self, transport: asyncio.DatagramTransport) -> None:
        self._waiting.discard(transport)
        transport.abort()


class _Answers(asyncio.DatagramProtocol):
    def __init__(self, take: Callable[[bytes, Any], None]) -> None:
        self._take = take

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self._take(data, addr)


def send_question(question: bytes, interface: Interface) -> socket.socket:
    """Sends the question to the group on this interface; answers come to the socket."""
    own, index = interface.addresses[0].partition("%")[0], interface.index
    six = ":" in own
    sock = socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        if six:
            group = socket.inet_pton(socket.AF_INET6, GROUP6) + struct.pack("@I", index)
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, _HOPS)
            sock.bind((own, 0, 0, index))  # first: Windows lets only a bound socket join
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group)
            sock.sendto(question, (GROUP6, PORT, 0, index))
        else:
            group = socket.inet_aton(GROUP) + socket.inet_aton(own)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(own))
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, _HOPS)
            sock.bind((own, 0))
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
            sock.sendto(question, (GROUP, PORT))
    except OSError:
        sock.close()
        raise
    return sock
