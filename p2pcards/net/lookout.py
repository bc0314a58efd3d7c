"""The list of tables, kept up: adverts heard, hosts asked over TCP, and our own advert out.

lookout = Lookout(network, me, changed)    # me: gives our identity; changed: called when rows may be others
                                           # lab=: our lab's key, where we have one
lookout.watch(True)                        # the list is on screen: ask and ask again
lookout.rows
row = await lookout.find("lab", 5.0)       # a title, its beginning, `~` and the start of an id, "" for the only one
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine, Iterable, Sequence

from p2pcards import PROTOCOL
from p2pcards.errors import UserError
from p2pcards.games.registry import GAMES
from p2pcards.net.address import Target, format_target
from p2pcards.net.clock import now
from p2pcards.net.dial import Unreachable, dial
from p2pcards.net.discovery import Discovery
from p2pcards.net.interfaces import Network
from p2pcards.net.probe import ask
from p2pcards.table.effects import Woke
from p2pcards.table.hearsay import Answered, Barred, Input, Missed, Probe, Shown
from p2pcards.table.listing import Listing, Row
from p2pcards.wire.advert import Advert
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Close, Info, Reason
from p2pcards.wire.text import table_text

HASTY_SECONDS = 0.5
"""How long one table may take to be reached and to answer where many wait to be asked."""
LOOK_SECONDS = 0.5
"""How long the network is looked at before a title may be taken for the only one of its kind."""
SHOW_SECONDS = 0.05
"""Between two looks at the rows: a flood of adverts must not keep the screen busy."""
MOST_NAMED = 6
"""Tables named in a sentence."""

_log = logging.getLogger(__name__)


class Lookout:
    """One program's eyes on the network, and its voice."""

    def __init__(
        self, network: Network, me: Callable[[], Identity], changed: Callable[[], None], lab: bytes = b""
    ) -> None:
        self._network, self._me, self._changed, self._lab = network, me, changed, lab
        self._discovery = Discovery(network, changed, lab)
        self._listing = Listing(PROTOCOL, {name: game.rules for name, game in GAMES.items()}, secrets.token_bytes)
        self._rows: tuple[Row, ...] = ()
        self._began = now()
        self._watching = False
        self._timer: asyncio.TimerHandle | None = None
        self._showing: asyncio.TimerHandle | None = None  # makes the rows anew
        self._shown_at = -SHOW_SECONDS
        self._tasks: set[asyncio.Task[None]] = set()
        self._news = asyncio.Event()

    @property
    def rows(self) -> tuple[Row, ...]:
        """The tables there are, as far as we know."""
        return self._rows

    def ways(self, table: bytes) -> tuple[tuple[bytes, tuple[Target, ...]], ...]:
        """Everybody who was heard of at this table: keys and addresses."""
        return self._listing.ways(table)

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
        for timer in (self._timer, self._showing):
            if timer is not None:
                timer.cancel()
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
        if self._showing is None:
            delay = self._shown_at + SHOW_SECONDS - now()
            if delay <= 0:
                self._show()
            else:
                self._showing = asyncio.get_running_loop().call_later(delay, self._show)

    def _show(self) -> None:
        """Makes the rows anew and tells of it."""
        self._showing, self._shown_at = None, now()
        rows = self._listing.rows
        if rows != self._rows:
            self._rows = rows
            self._changed()
        self._news.set()

    async def _ask(self, probe: Probe) -> None:
        """Ends in one Answered, Barred or Missed."""
        happened: Input = Missed(probe)
        try:
            async with asyncio.timeout(HASTY_SECONDS if probe.hasty else None):
                link = await dial(probe.targets, self._me(), probe.key)
                answer = await ask(link, self._lab)
        except (Unreachable, TimeoutError):
            pass
        except OSError as error:  # no descriptor is left to ask with
            _log.debug("asking: %s", error)
        else:
            here = link.address[0].partition("%")[0] in self._network.own
            interface = self._network.name_of(link.local[0])
            if isinstance(answer, Info):
                happened = Answered(probe, answer, link.address, here, interface)
            elif isinstance(answer, Close) and answer.reason == Reason.NOT_A_MEMBER:
                happened = Barred(probe, link.address, here, interface)
        self._feed(happened)

    def _set_going(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _chosen(rows: Iterable[Row], wanted: str, silent: bool = False) -> Row | None:
    """The row that is meant; silent: one that has not answered will do where none has.

    Of several the only one of our lab is meant: strangers may borrow its title, but not that. UserError where it may
    still be several.
    """
    named = [row for row in rows if row.addresses and _names(row, wanted)]
    found = [row for row in named if row.answers or row.version] or (named if silent else [])
    if wanted and not wanted.startswith("~"):
        lower = wanted.lower()
        found = [row for row in found if row.title.lower() == lower] or found
    if len(found) > 1:
        found = [row for row in found if row.lab] if sum(row.lab for row in found) == 1 else found
    if len(found) > 1:
        raise UserError(_several(found), 2 if wanted else 3)
    return found[0] if found else None


def _names(row: Row, wanted: str) -> bool:
    """Whether this may be the wanted one: an id after "~", a title's beginning, or anything."""
    if wanted.startswith("~"):
        return table_text(row.table).startswith(wanted[1:].lower())
    return row.title.lower().startswith(wanted.lower())


def _several(rows: Sequence[Row]) -> str:
    """That several tables could be meant, and what names one of them."""
    if len({row.table for row in rows}) == 1:
        where = " or ".join(format_target(row.addresses[0]) for row in rows[:MOST_NAMED])
        return f"Several hosts answer for {rows[0].title}: join one by its address, {where}."
    names = ", ".join(f"{row.title} (~{table_text(row.table)[:6]})" for row in rows[:MOST_NAMED])
    more = f" and {len(rows) - MOST_NAMED} more" if len(rows) > MOST_NAMED else ""
    return f"Several tables could be meant: {names}{more}."
