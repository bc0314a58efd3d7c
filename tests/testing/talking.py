"""Standard input and output of a program under test: what it is told line by line, and what it wrote."""

from __future__ import annotations

import asyncio
import io
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

DEADLINE = 20.0


class Written(io.StringIO):
    """What was written; `news` is set by every write."""

    def __init__(self) -> None:
        super().__init__()
        self.news = asyncio.Event()

    def write(self, text: str, /) -> int:
        self.news.set()
        return super().write(text)


class ReadEnd:
    """The end of a pipe that a thread reads. Closing waits for it: else it might read from another test's pipe, which
    has got the same number."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._reading = descriptor, threading.Lock()

    def read(self, size: int, /) -> bytes:
        """What has come, as soon as something has; nothing at the end."""
        with self._reading:
            return os.read(self._descriptor, size) if self._descriptor >= 0 else b""

    def close(self) -> None:
        """The other end must be closed already."""
        with self._reading:
            if self._descriptor >= 0:
                os.close(self._descriptor)
            self._descriptor = -1


class Talking:
    """stdin: what the program reads; stdout: what it writes."""

    def __init__(self) -> None:
        reading, self._writing = os.pipe()
        self.stdin = ReadEnd(reading)
        self.stdout = Written()

    def type(self, *lines: str) -> None:
        """Types whole lines; they must fit into a pipe."""
        self.send("".join(f"{line}\n" for line in lines).encode())

    def send(self, data: bytes) -> None:
        """Bytes as they are."""
        os.write(self._writing, data)

    def end(self) -> None:
        """Closes the input."""
        if self._writing >= 0:
            os.close(self._writing)
            self._writing = -1

    @property
    def said(self) -> list[str]:
        """The lines written so far."""
        return self.stdout.getvalue().splitlines()

    async def until_said(self, text: str, times: int = 1) -> None:
        """Waits until a text was written."""
        async with asyncio.timeout(DEADLINE):
            while self.stdout.getvalue().count(text) < times:
                self.stdout.news.clear()
                await self.stdout.news.wait()


@contextmanager
def talking() -> Iterator[Talking]:
    """Input and output for one program; lines typed before it runs wait for it."""
    talk = Talking()
    try:
        yield talk
    finally:
        talk.end()
        talk.stdin.close()


class BrokenPipe(io.StringIO):
    """An output whose reader goes away after so many lines."""

    def __init__(self, lines: int) -> None:
        super().__init__()
        self._left = lines

    def write(self, text: str, /) -> int:
        if self._left <= 0:
            raise BrokenPipeError
        self._left -= text.count("\n")
        return super().write(text)
