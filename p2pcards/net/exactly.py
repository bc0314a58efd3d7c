"""Reading a handshake: exactly the bytes of its next message leave the socket, none more (protocol 4.5).

Windows' event loop reads further ahead and goes on handing what it read to the protocol it began with, whoever has
taken the connection over meanwhile. So what follows the last message is passed on, or, where nobody has, dropped.
"""

from __future__ import annotations

import asyncio
from typing import cast


class Exactly(asyncio.BufferedProtocol):
    """A connection of which nobody has proved anything yet. Whoever inherits says what comes and takes it."""

    transport: asyncio.Transport

    def __init__(self, size: int) -> None:
        self._expect(size)

    def _expect(self, size: int) -> None:
        """The next message has `size` bytes."""
        self._message = bytearray(size)
        self._filled = 0

    def took(self, message: bytes) -> None:
        """A whole message came in."""
        raise NotImplementedError

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection stands."""
        self.transport = cast(asyncio.Transport, transport)

    def get_buffer(self, sizehint: int) -> memoryview:
        """Room for what is missing."""
        if not self._is_done:
            return memoryview(self._message)[self._filled :]
        successor = self._successor
        return memoryview(bytearray(max(1, sizehint)) if successor is None else successor.get_buffer(sizehint))

    def buffer_updated(self, nbytes: int) -> None:
        """Some of it came."""
        if self._is_done:
            if self._successor is not None:
                self._successor.buffer_updated(nbytes)
            return
        self._filled += nbytes
        if self._is_done:
            self.took(bytes(self._message))

    @property
    def _is_done(self) -> bool:
        return self._filled == len(self._message)

    @property
    def _successor(self) -> asyncio.BufferedProtocol | None:
        """Who has taken the connection over."""
        protocol = self.transport.get_protocol()
        return protocol if protocol is not self and isinstance(protocol, asyncio.BufferedProtocol) else None
