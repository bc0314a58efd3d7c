"""Links and doors at which the clock stands still, so that no limit hangs on how fast the machine is."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import pytest

from p2pcards.net import link as link_module
from p2pcards.net import listener as listener_module
from p2pcards.net.clock import now
from tests.net.pair import WELCOME, Door, Ear, listening

MOMENT = 0.001
DEADLINE = 60.0
"""Real seconds for what takes a few milliseconds."""


class Clock:
    """Clocks that stand still: the event loop's, and that of links and listeners, which began at another moment."""

    def __init__(self) -> None:
        self.at, self.loop_at = now(), asyncio.get_running_loop().time()

    def now(self) -> float:
        return self.at

    def loop_time(self) -> float:
        return self.loop_at

    async def advance(self, seconds: float) -> None:
        """Lets time pass, and everything happen that is due by then."""
        self.at += seconds
        self.loop_at += seconds
        for _ in range(20):
            await asyncio.sleep(0)


@contextmanager
def standing() -> Iterator[Clock]:
    """Stops the clocks for a while."""
    clock, loop = Clock(), asyncio.get_running_loop()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "time", clock.loop_time)
        patch.setattr(link_module, "now", clock.now)
        patch.setattr(listener_module, "now", clock.now)
        yield clock


async def until(holds: Callable[[], object]) -> None:
    """Waits for something that no clock brings about."""
    end = time.monotonic() + DEADLINE
    while not holds():
        assert time.monotonic() < end, "it never happened"
        await asyncio.sleep(0)


class Raw:
    """A connection by hand, from an address of choice, to one listener."""

    def __init__(self, door: Door, host: str = "127.0.0.2") -> None:
        self.sock = socket.socket()
        self.sock.bind((host, 0))
        self.sock.connect(("127.0.0.1", door.port))
        self.sock.setblocking(False)

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def heard(self) -> bytes | None:
        """What came by now; None once the far end has hung up, and nothing is left."""
        try:
            return self.sock.recv(4096) or None
        except BlockingIOError:
            return b""
        except ConnectionError:
            return None

    @property
    def is_open(self) -> bool:
        """Whether the far end is still there."""
        return self.heard() is not None


@asynccontextmanager
async def standing_door() -> AsyncIterator[tuple[Door, Clock]]:
    async with listening() as door:
        with standing() as clock:
            yield door, clock


async def call(door: Door) -> tuple[Ear, Ear]:
    """BEN at the door, and ANA's end of it."""
    before = len(door.came)
    ben = await door.call()
    await until(lambda: len(door.came) > before)
    return ben, door.came[-1]


@asynccontextmanager
async def inside() -> AsyncIterator[tuple[Ear, Ear, Clock]]:
    """BEN and ANA, who has let him in; the clock stands still."""
    async with standing_door() as (door, clock):
        ben, ana = await call(door)
        ana.link.send(WELCOME)
        await until(lambda: ben.messages)
        ben.messages.clear()
        yield ben, ana, clock
