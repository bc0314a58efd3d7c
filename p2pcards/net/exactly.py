"""Reading a handshake: exactly the bytes of its next message leave the socket, none more (protocol 4.5)."""

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
        return memoryview(self._message)[self._filled :]

    def buffer_updated(self, nbytes: int) -> None:
        """Some of it came."""
        self._filled += nbytes
        if self._filled == len(self._message):
            self.took(bytes(self._message))
