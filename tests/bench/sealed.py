"""A round trip over a sealed link, beside a bare protocol that sends back what comes: same loop, same bytes, loopback.

Both ends live in this process, so a trip is two messages written, sealed, read, opened and handed over. The limits on
newcomers are raised, not taken out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import process_time
from typing import cast
from unittest.mock import patch

from p2pcards.net import link as links
from p2pcards.net.dial import dial
from p2pcards.net.link import Link
from p2pcards.net.listener import Listener
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Keepalive, Message, Reason, Welcome, encode
from p2pcards.wire.records import Sealer
from tests.bench.figure import Figure, interleaved

HOST = "127.0.0.1"
TRIPS, REPEATS = 1000, 25
MESSAGE = Keepalive(bytes(16), 1, 1, bytes(32), bytes(64))
RECORD = Sealer(bytes(32), bytes(32)).seal(*encode(MESSAGE))


class Trips:
    """Trips one after another: `came` is called when what was sent has come back."""

    def __init__(self, send: Callable[[], None]) -> None:
        self._send, self._left = send, 0
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def timed(self) -> float:
        """Seconds of CPU time a trip."""
        self._left, self._done = TRIPS, asyncio.get_running_loop().create_future()
        start = process_time()
        self._send()
        await self._done
        return (process_time() - start) / TRIPS

    def came(self) -> None:
        """One more."""
        self._left -= 1
        if self._left:
            self._send()
        else:
            self._done.set_result(None)

    def lost(self, why: str) -> None:
        """There is nobody any more who sends back."""
        if not self._done.done():
            self._done.set_exception(ConnectionError(why))


class Echo(asyncio.Protocol):
    """Sends back what comes."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self.transport.write(data)


class Bare(Echo):
    """The end that begins; a small message comes in one piece on loopback."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.trips = Trips(lambda: self.transport.write(RECORD))

    def data_received(self, data: bytes) -> None:
        self.trips.came()


def measure() -> Figure:
    """Sealed trips over bare ones."""
    with patch.object(links, "OTHERS", (1e9, 1e9)), asyncio.Runner() as runner:
        link, sealed = runner.run(_sealed())
        bare = runner.run(_bare())
        trip, anchor = interleaved(REPEATS, lambda: runner.run(sealed.timed()), lambda: runner.run(bare.trips.timed()))
        runner.run(_end(link, bare))
    return Figure(trip / anchor, {"us a trip": trip * 1e6, "of the echo": anchor * 1e6})


async def _sealed() -> tuple[Link, Trips]:
    """A link to a link that sends back what comes, and what goes over it once it is let in."""

    def welcome(link: Link) -> None:
        link.start(link.send, lambda why: None)
        link.send(Welcome(bytes(16), 1, link.key, 0, "open", 1, 0, b""))

    def came(message: Message) -> None:
        if let_in.done():
            trips.came()
        else:
            let_in.set_result(None)

    listener = Listener(Identity(bytes(32)), welcome, hosts=(HOST,))
    link = await dial([(HOST, await listener.open(0))], Identity(bytes([1]) * 32))
    listener.close()
    let_in: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    trips = Trips(lambda: link.send(MESSAGE))
    link.start(came, trips.lost)
    await let_in
    return link, trips


async def _bare() -> Bare:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Echo, HOST, 0)
    _, bare = await loop.create_connection(Bare, *server.sockets[0].getsockname())
    server.close()
    return bare


async def _end(link: Link, bare: Bare) -> None:
    link.close(Reason.BYE, "measured")
    bare.transport.close()
