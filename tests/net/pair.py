"""Sealed connections over loopback, both ends in one test, and a way to wait for what they tell."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from p2pcards import PROTOCOL
from p2pcards.net.dial import dial
from p2pcards.net.link import Link
from p2pcards.net.listener import Listener
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Close, Hello, Message, Method, Welcome

ANA, BEN = Identity(b"a" * 32), Identity(b"b" * 32)
HELLO = Hello("0", PROTOCOL, (("tongits", 1),), "ben", 0, Method.KNOCK, b"", 0, (), ())
WELCOME = Welcome(b"t" * 16, 1, ANA.key, 0, "open", 0, 0, b"")


class Ear:
    """One end of a link and all it was told."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.messages: list[Message] = []
        self.lost: list[str] = []
        link.start(self.messages.append, self.lost.append)

    @property
    def closes(self) -> list[Close]:
        return [message for message in self.messages if isinstance(message, Close)]

    def said_good_bye(self) -> bool:
        """Whether the far end has closed the link."""
        return bool(self.closes)


class Door:
    """ANA listens on loopback: who came in, and who called."""

    def __init__(self, hosts: tuple[str, ...]) -> None:
        self.came: list[Ear] = []
        self.called: list[Ear] = []
        self.listener = Listener(ANA, lambda link: self.came.append(Ear(link)), hosts=hosts)

    @property
    def port(self) -> int:
        return self.listener.port

    async def call(self, host: str = "127.0.0.1") -> Ear:
        """BEN's end of a link to ANA."""
        self.called.append(Ear(await dial([(host, self.port)], BEN, ANA.key)))
        return self.called[-1]


async def until(holds: Callable[[], object], seconds: float = 15) -> None:
    """Waits until something holds."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - what is waited for has no event of its own
            await asyncio.sleep(0.002)


@asynccontextmanager
async def listening(hosts: tuple[str, ...] = ("127.0.0.1",)) -> AsyncIterator[Door]:
    """A door that is open; every link through it ends with the test."""
    door = Door(hosts)
    await door.listener.open(0)
    try:
        yield door
    finally:
        door.listener.close()
        for ear in (*door.called, *door.came):
            ear.link.abort("the test is over")
        await until(lambda: all(ear.link._gone for ear in (*door.called, *door.came)))
        for _ in range(10):
            await asyncio.sleep(0)  # connections that were just being accepted are dropped


@asynccontextmanager
async def linked(welcome: bool = True) -> AsyncIterator[tuple[Ear, Ear]]:
    """BEN, who dialled, and ANA, who was dialled and has let him in."""
    async with listening() as door:
        ben = await door.call()
        await until(lambda: door.came)
        if welcome:
            door.came[0].link.send(WELCOME)
            await until(lambda: ben.messages)
            ben.messages.clear()
        yield ben, door.came[0]
