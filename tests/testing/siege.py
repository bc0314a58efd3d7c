"""What strangers do to a table, as a program: `python -m tests.testing.siege tcp PORT SECONDS|adverts SECONDS [TABLE]`.

tcp: 500 connections from 127.0.0.2 to 127.0.0.64 that say nothing and are opened again when they are dropped; senders
of one byte a second, before and after the handshake; a guest who doesn't read; a guest who sends 10,000 records a
second, again and again. adverts: 64 a second of tables that aren't there, some of them of TABLE with other keys, some
too long, some of no sense. It prints "ready" once all of it has begun, and what it did as JSON at the end.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import socket
import sys
import time
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress

from p2pcards import PROTOCOL, __version__
from p2pcards.net.adverts import service_of
from p2pcards.net.dial import Unreachable, dial
from p2pcards.net.link import Link
from p2pcards.table.access import my_games
from p2pcards.wire.advert import Advert
from p2pcards.wire.handshake import Initiator
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Flag, Get, Hello, Kind, Message, Method, Welcome

HALF_OPEN = 500
ADVERTS = 64
"""A second."""
RECORDS = 10_000
"""A second."""
GROUP = ("224.0.0.251", 5353)

did: Counter[str] = Counter()


def stranger() -> Identity:
    """Somebody new."""
    return Identity(secrets.token_bytes(32))


async def half_open(port: int, number: int) -> None:
    """One connection that says nothing, opened again when it is dropped."""
    loop = asyncio.get_running_loop()
    while True:
        with socket.socket() as sock, suppress(OSError):
            sock.setblocking(False)
            sock.bind((f"127.0.0.{2 + number % 63}", 0))
            await loop.sock_connect(sock, ("127.0.0.1", port))
            did["half-open connections"] += 1
            await loop.sock_recv(sock, 1)
        await asyncio.sleep(1)


async def slow(port: int, number: int) -> None:
    """One that sends a byte a second: of its first message, or of a record after the handshake."""
    while True:
        with suppress(OSError, Unreachable):
            if number % 2:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                for byte in Initiator(stranger(), secrets.token_bytes(32)).m1:
                    writer.write(bytes([byte]))
                    await writer.drain()
                    did["slow bytes"] += 1
                    await asyncio.sleep(1)
            else:
                link = await dial([("127.0.0.1", port)], stranger())
                for byte in link.session.sealer.seal(Kind.HELLO, bytes(200)):
                    link._transport.write(bytes([byte]))
                    did["slow bytes"] += 1
                    await asyncio.sleep(1)
        await asyncio.sleep(0.5)


async def guest(port: int) -> Link:
    """Somebody who is let in to watch."""
    link = await dial([("127.0.0.1", port)], stranger())
    inside = asyncio.get_running_loop().create_future()

    def heard(message: Message) -> None:
        if not inside.done():
            inside.set_result(isinstance(message, Welcome))

    def lost(why: str) -> None:
        if not inside.done():
            inside.set_result(False)

    link.start(heard, lost)
    nick = f"x{secrets.token_hex(4)}"
    link.send(Hello(__version__, PROTOCOL, my_games(), nick, int(Flag.SPECTATOR), int(Method.KNOCK), b"", 0, (), ()))
    if not await inside:
        link.abort("not let in")
    return link


async def deaf(port: int) -> None:
    """A guest who asks for the whole journal again and again and reads nothing."""
    while True:
        with suppress(Unreachable):
            link = await guest(port)
            link._transport.pause_reading()
            did["guests who read nothing"] += 1
            for _ in range(400):
                link.send(Get(0))
                await asyncio.sleep(0.025)
            link.abort("enough")
        await asyncio.sleep(0.5)


async def loud(port: int) -> None:
    """A guest who sends 10,000 records a second."""
    while True:
        with suppress(Unreachable):
            link = await guest(port)
            did["loud guests"] += 1
            while link._open and not link._transport.is_closing():
                did["records"] += RECORDS // 100
                seal = link.session.sealer.seal
                link._transport.write(b"".join(seal(Kind.GET, b"\x91\x00") for _ in range(RECORDS // 100)))
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)


async def tcp(port: int, seconds: float) -> None:
    """All of it at once."""
    work: list[Coroutine[object, object, None]] = [half_open(port, number) for number in range(HALF_OPEN)]
    work += [slow(port, number) for number in range(8)]
    work += [deaf(port), loud(port)]
    tasks = [asyncio.create_task(one) for one in work]
    while did["half-open connections"] < HALF_OPEN or not did["records"]:  # noqa: ASYNC110 - counters tell no one
        await asyncio.sleep(0.05)
    _say("ready")
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def packet(number: int, table: bytes) -> bytes:
    """One fake advert: tables of their own, of one address or many, of the real table, too long, or nonsense."""
    from zeroconf._protocol.outgoing import DNSOutgoing

    key = stranger().key
    fake = Advert(PROTOCOL, secrets.token_bytes(16), key, "open", "tongits", 1, 3, f"lab {number}", "eve", "lobby", 9)
    address = "10.77.0.66" if number % 2 else f"10.77.0.{100 + number % 100}"
    match number % 8:
        case 3 if table:
            fake = Advert(PROTOCOL, table, key, "open", "tongits", 1, 3, "lab", "eve", "lobby", 2**32 - 1)
        case 5:
            return secrets.token_bytes(200)
    info = service_of(fake, 25252 + number % 3, (address,))
    if number % 8 == 7:
        info.text = b"".join(b"\xff" + secrets.token_bytes(255) for _ in range(4))
    out = DNSOutgoing(0x8400)
    for record in (info.dns_pointer(), info.dns_service(), info.dns_text(), *info.dns_addresses()):
        out.add_answer_at_time(record, 0)
    return out.packets()[0]


def adverts(seconds: float, table: bytes) -> None:
    """64 a second."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        began = time.monotonic()
        _say("ready")
        while (gone := time.monotonic() - began) < seconds:
            while did["fake adverts"] < gone * ADVERTS:
                sock.sendto(packet(did["fake adverts"], table), GROUP)
                did["fake adverts"] += 1
            time.sleep(1 / ADVERTS)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # that a far end is gone is what is wanted
    match sys.argv[1:]:
        case ["tcp", port, seconds]:
            asyncio.run(tcp(int(port), float(seconds)))
        case ["adverts", seconds, *table]:
            adverts(float(seconds), bytes.fromhex("".join(table)))
    _say(json.dumps(did))
