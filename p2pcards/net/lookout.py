"""The list of tables, kept up: adverts heard, hosts asked over TCP, and our own advert out.

lookout = Lookout(network, me, changed)    # me: gives our identity; changed: called when rows may be others
lookout.watch(True)                        # the list is on screen: ask and ask again
lookout.rows
row = await lookout.find("lab", 5.0)       # a title, its beginning, `~` and the start of an id, "" for the only one
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Iterable

from p2pcards import PROTOCOL, __version__
from p2pcards.errors import UserError
from p2pcards.games.registry import GAMES
from p2pcards.net.clock import now
from p2pcards.net.dial import Unreachable, dial
from p2pcards.net.discovery import Discovery
from p2pcards.net.interfaces import Network
from p2pcards.net.link import Link
from p2pcards.table.access import my_games
from p2pcards.table.effects import Woke
from p2pcards.table.listing import Answered, Input, Listing, Missed, Probe, Row, Shown
from p2pcards.wire.advert import Advert
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Hello, Info, Message, Method
from p2pcards.wire.text import table_text

ANSWER_SECONDS = 5.0
"""How long a host that has proved its key may take to tell of its table."""
LOOK_SECONDS = 0.5
"""How long the network is looked at before a title may be taken for the only one of its kind."""


class Lookout:
    """One program's eyes on the network, and its voice."""

    def __init__(self, network: Network, me: Callable[[], Identity], changed: Callable[[], None]) -> None:
        self._network, self._me, self._changed = network, me, changed
        self._discovery = Discovery(network, changed)
        self._listing = Listing(PROTOCOL, {name: game.rules for name, game in GAMES.items()}, secrets.token_bytes)
        self._rows: tuple[Row, ...] = ()
        self._began = now()
        self._watching = False
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._news = asyncio.Event()

    @property
    def rows(self) -> tuple[Row, ...]:
        """The tables there are, as far as we know."""
        return self._rows

    @property
    def trouble(self) -> str:
        """Why nothing can be found, in one sentence; empty while all is well."""
        return self._discovery.trouble

    @property
    def searching_for(self) -> float:
        """Seconds since the list was last put on screen."""
        return now() - self._began if self._watching else 0.0

    def watch(self, watching: bool) -> None:
        """The list is on screen, or no longer."""
        if watching == self._watching:
            return
        self._watching = watching
        if watching:
            self._began = now()
            self._discovery.browse(self._feed)
        else:
            self._discovery.stop_browsing()
        self._feed(Shown(watching))

    def advertise(self, advert: Advert, port: int) -> None:
        """Tells everybody of our table."""
        self._discovery.advertise(advert, port)

    def withdraw(self) -> None:
        """Takes our advert back."""
        self._set_going(self._discovery.withdraw())

    async def close(self) -> None:
        """Says good-bye and lets go of everything."""
        self._watching = False
        if self._timer is not None:
            self._timer.cancel()
        await self._discovery.close()  # first: a good-bye that is being said is said to its end
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def find(self, wanted: str, wait: float) -> Row | None:
        """The table that `wanted` names, waited for so many seconds; UserError where it names several."""
        self.watch(True)
        asyncio.get_running_loop().call_later(max(0.0, LOOK_SECONDS - self.searching_for), self._news.set)
        try:
            async with asyncio.timeout(wait):
                while True:
                    self._news.clear()
                    if self._is_sure(wanted) and (row := _chosen(self._rows, wanted)) is not None:
                        return row
                    await self._news.wait()
        except TimeoutError:
            return _chosen(self._rows, wanted, silent=True)

    def _is_sure(self, wanted: str) -> bool:
        """Whether the rows tell by now which table is meant: another of that title may be a moment later."""
        if wanted.startswith("~"):
            return True
        return self.searching_for >= LOOK_SECONDS and (bool(wanted) or self._listing.settled)

    # ---- the listing

    def _feed(self, happened: Input) -> None:
        for probe in self._listing.handle(happened, now()):
            self._set_going(self._ask(probe))
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._watching and self._listing.wake_at is not None:
            delay = max(0.0, self._listing.wake_at - now())
            self._timer = asyncio.get_running_loop().call_later(delay, self._feed, Woke())
        rows = self._listing.rows
        if rows != self._rows:
            self._rows = rows
            self._changed()
        self._news.set()

    async def _ask(self, probe: Probe) -> None:
        """Ends in one Answered or Missed."""
        happened: Input = Missed(probe)
        try:
            link = await dial(probe.targets, self._me(), probe.key)
        except Unreachable:
            pass
        else:
            info = await _info(link)
            if info is not None:
                here = link.address[0].partition("%")[0] in self._network.own
                happened = Answered(probe, info, link.address, here, self._network.name_of(link.local[0]))
        self._feed(happened)

    def _set_going(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _info(link: Link) -> Info | None:
    """What the host at the other end tells a probe; None where it tells nothing."""
    answer: asyncio.Future[Info | None] = asyncio.get_running_loop().create_future()

    def heard(message: Message) -> None:
        if not answer.done():
            answer.set_result(message if isinstance(message, Info) else None)

    def lost(why: str) -> None:
        if not answer.done():
            answer.set_result(None)

    link.start(heard, lost)
    link.send(Hello(__version__, PROTOCOL, my_games(), "probe", 0, int(Method.PROBE), b"", 0, (), ()))
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            return await answer
    except TimeoutError:
        return None
    finally:
        link.abort("asked")


def _chosen(rows: Iterable[Row], wanted: str, silent: bool = False) -> Row | None:
    """The row that is meant; silent: one that has not answered will do. UserError where several may be meant."""
    open_rows = [row for row in rows if row.addresses and (silent or row.answers or row.version)]
    lower = wanted.lower()
    if wanted.startswith("~"):
        found = [row for row in open_rows if table_text(row.table).startswith(lower[1:])]
    elif not wanted:
        found = open_rows
    else:
        found = [row for row in open_rows if row.title.lower() == lower]
        found = found or [row for row in open_rows if row.title.lower().startswith(lower)]
    if len({row.table for row in found}) > 1:
        names = ", ".join(f"{row.title} (~{table_text(row.table)[:6]})" for row in found)
        raise UserError(f"Several tables could be meant: {names}.", 2 if wanted else 3)
    return found[0] if found else None
