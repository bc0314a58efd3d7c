"""A program that hosts or looks, for a test to run on a machine of its own: `python -m tests.net.finder host|look`.

One JSON line for each thing that happens; it ends politely when its standard input does.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys

from p2pcards import PROTOCOL
from p2pcards.net.dial import Unreachable, dial
from p2pcards.net.discovery import Discovery
from p2pcards.net.interfaces import Network
from p2pcards.net.listener import Listener
from p2pcards.table.hearsay import Gone, Heard
from p2pcards.wire.advert import Advert
from p2pcards.wire.identity import Identity


def say(**what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


class Finder:
    """Says what it finds, and whether it can be reached."""

    def __init__(self, identity: Identity, discovery: Discovery) -> None:
        self._identity, self._discovery = identity, discovery
        self._tasks: set[asyncio.Task[None]] = set()

    def heard(self, one: Heard | Gone) -> None:
        if isinstance(one, Gone):
            say(gone=one.name)
            return
        say(heard=one.advert.title, targets=one.targets)
        task = asyncio.create_task(self._reach(one))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _reach(self, one: Heard) -> None:
        try:
            link = await dial(one.targets, self._identity, one.advert.key)
        except Unreachable as error:
            say(unreachable=str(error))
        else:
            say(reached=one.advert.title, at=link.address[0])
            link.abort("reached")


async def main(role: str) -> None:
    network = Network()
    discovery = Discovery(network, lambda: say(trouble=discovery.trouble))
    identity = Identity(secrets.token_bytes(32))
    watch = asyncio.create_task(network.watch())
    listener = Listener(identity, lambda link: None, own=lambda: network.own)
    if role == "host":
        port = await listener.open()
        table = secrets.token_bytes(16)
        discovery.advertise(
            Advert(PROTOCOL, table, identity.key, "open", "tongits", 1, 3, "lab", "ana", "lobby", 1), port
        )
    else:
        discovery.browse(Finder(identity, discovery).heard)
    say(ready=role, trouble=discovery.trouble)
    await asyncio.to_thread(sys.stdin.read)
    watch.cancel()
    await discovery.close()
    listener.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
