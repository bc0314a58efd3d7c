"""Programs of a test on loopback: real nodes, real sockets, folders of their own, nobody's network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from p2pcards.commands.command import Command
from p2pcards.commands.presets import NoPresets, Presets
from p2pcards.net.keeping import Keeping
from p2pcards.net.node import Node
from p2pcards.net.opening import Setup
from p2pcards.store.folders import Folders
from p2pcards.store.lock import Lock
from p2pcards.store.people import KnownPeople
from p2pcards.table.notices import Notice, Opened
from p2pcards.table.people import NoPeople, People
from p2pcards.wire.identity import Identity

PATIENCE = 20.0
"""Seconds that a test waits for what takes milliseconds."""

_NO_PRESETS, _NOBODY = NoPresets(), NoPeople()

N = TypeVar("N", bound=Notice)


class Program:
    """One node and everything it was told."""

    def __init__(
        self,
        name: str,
        folder: Path,
        *,
        another: Callable[[], tuple[Identity, str]] | None = None,
        presets: Presets = _NO_PRESETS,
        people: People = _NOBODY,
        **setup: Any,
    ) -> None:
        self.name = name
        given = {"nick": name, "interface": "lo", "pace": 0.0, "port": 0, **setup}
        identity = Identity(name.encode().ljust(32, b"."))
        self.node = Node(identity, Setup(**given), Keeping(folder, Lock.take, another, presets, people))
        self.notices: list[Notice] = []
        self._news = asyncio.Event()
        self.node.listen(self._heard)

    def _heard(self, notice: Notice | None) -> None:
        if notice is not None:
            self.notices.append(notice)
        self._news.set()

    def do(self, verb: str, *args: str, action: str = "") -> None:
        """One command."""
        self.node.do(Command(verb, args, action))

    def told(self, kind: type[N]) -> list[N]:
        """The notices of that kind so far."""
        return [notice for notice in self.notices if isinstance(notice, kind)]

    async def hear(self, kind: type[N], count: int = 1) -> N:
        """Waits for the `count`-th notice of that kind."""
        await self.until(lambda: len(self.told(kind)) >= count)
        return self.told(kind)[count - 1]

    async def until(self, holds: Callable[[], bool]) -> None:
        """Waits until something holds, looking after every notice and now and then."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                self._news.clear()
                try:
                    await asyncio.wait_for(self._news.wait(), 0.05)
                except TimeoutError:
                    continue


async def opened(host: Program, title: str = "lab") -> str:
    """Opens a table and gives its address."""
    count = len(host.told(Opened))
    host.do("host", "tongits", title)
    return f"127.0.0.1:{(await host.hear(Opened, count + 1)).port}"


def known_people(folder: Path) -> KnownPeople:
    """People kept in files under that folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return KnownPeople(Folders(folder / "config", folder / "data", folder / "local"))


@asynccontextmanager
async def programs(folder: Path, *names: str, **setup: Any) -> AsyncIterator[list[Program]]:
    """Programs that are open, and closed again afterwards."""
    started = [Program(name, folder / name, **setup) for name in names]
    try:
        for program in started:
            await program.node.open()
        yield started
    finally:
        for program in started:
            await program.node.close()
