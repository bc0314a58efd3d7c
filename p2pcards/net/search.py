"""The live list of tables: what discovery hears, asked over TCP, as rows (protocol 5.1).

    search = Search(network, discovery, asker, changed)
    search.show()                      # the list is on screen: browse and probe
    search.rows, search.seconds        # what to show, and for how long it has been searched
    search.settled                     # every table heard of has answered, or failed to, once
    search.hide()
    await search.close()

`changed` is called when the rows are others than before.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from p2pcards import PROTOCOL
from p2pcards.net.address import Target
from p2pcards.net.clock import now
from p2pcards.net.dial import Unreachable, Why, dial
from p2pcards.net.discovery import Discovery
from p2pcards.net.interfaces import Network
from p2pcards.net.link import Link
from p2pcards.table.effects import Woke
from p2pcards.table.listing import Answered, Input, Listing, Missed, Probe, Row, Shown
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Close, Hello, Info, Message, Reason

ANSWER_SECONDS = 3.0
"""From the proof to the answer."""

_log = logging.getLogger(__name__)


class Asker(Struct, frozen=True):
    """Who asks, and with what words: a HELLO of method PROBE. rules: the rules integer of every game we have."""

    identity: Identity
    hello: Hello
    rules: Mapping[str, int]


class Search:
    """Discovery, probes and the machine behind the list."""

    def __init__(self, network: Network, discovery: Discovery, asker: Asker, changed: Callable[[], None]) -> None:
        self._network, self._discovery, self._asker, self._changed = network, discovery, asker, changed
        self._listing = Listing(PROTOCOL, asker.rules, secrets.token_bytes)
        self._since: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.rows: tuple[Row, ...] = ()

    @property
    def seconds(self) -> float:
        """For how long the list has been on screen; 0 while it isn't."""
        return 0.0 if self._since is None else now() - self._since

    @property
    def settled(self) -> bool:
        """Whether nothing that was heard is still to be asked for the first time."""
        return self._listing.settled

    def show(self) -> None:
        """The list is on screen from now on."""
        if self._since is None:
            self._since = now()
            self._handle(Shown())
            self._discovery.browse(self._handle)

    def hide(self) -> None:
        """It is no longer: nobody is asked any more."""
        if self._since is not None:
            self._since = None
            self._discovery.stop_browsing()
            self._handle(Shown(False))

    async def close(self) -> None:
        """Stops, whatever is on its way."""
        self.hide()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _handle(self, happened: Input) -> None:
        for probe in self._listing.handle(happened, now()):
            task = asyncio.get_running_loop().create_task(self._probe(probe))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if self._timer is not None:
            self._timer.cancel()
        at = self._listing.wake_at
        self._timer = None
        if at is not None:
            self._timer = asyncio.get_running_loop().call_later(max(0.0, at - now()), self._handle, Woke())
        rows = self._listing.rows
        if rows != self.rows:
            self.rows = rows
            self._changed()

    async def _probe(self, probe: Probe) -> None:
        asker = self._asker
        try:
            link, info = await ask(probe.targets, probe.key, asker.identity, asker.hello)
        except Unreachable as error:
            _log.debug("probe: %s", error)
            self._handle(Missed(probe))
            return
        host = link.local[0]
        here = host == link.address[0] or ipaddress.ip_address(host).is_loopback
        self._handle(Answered(probe, info, link.address, here, self._network.name_of(host)))


async def ask(targets: Sequence[Target], key: bytes | None, identity: Identity, hello: Hello) -> tuple[Link, Info]:
    """What the host at one of the targets tells of its table, and the link, which ends by itself.

    key: the one it must prove; None: any. Unreachable where nobody is, or says nothing of use.
    """
    link = await dial(targets, identity, key)
    told: asyncio.Future[Info | Close | str] = asyncio.get_running_loop().create_future()

    def take(message: Message | str) -> None:
        if not told.done() and isinstance(message, Info | Close | str):
            told.set_result(message)

    link.start(take, take)
    link.send(hello)
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            answer = await told
    except TimeoutError:
        answer = "it says nothing"
    finally:
        link.close(Reason.BYE, "")
    if isinstance(answer, Info):
        return link, answer
    raise Unreachable(link.address, Why.FAILED, answer.text if isinstance(answer, Close) else answer)
