"""The running program: a home with the list of tables, at most one table, and the commands that move between them.

    node = Node(me, setup, keeping)
    await node.open()
    node.listen(heard)
    node.do(Command("host", ("tongits", "Friday night")))
    ...
    await node.close()

`do` carries out what can be done at once and sets the rest going; what comes of that arrives as notices. A table that
we are no longer at ends with a Closed notice, whatever the reason; reason "no_such_table" means that none was reached.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct, structs

from p2pcards.commands.command import Command
from p2pcards.commands.presets import NoPresets, Presets
from p2pcards.errors import UserError
from p2pcards.net.audience import Audience
from p2pcards.net.background import Background
from p2pcards.net.clock import now
from p2pcards.net.files import Lock, TableFolder
from p2pcards.net.hosting import Hosting, turn_away
from p2pcards.net.interfaces import Network
from p2pcards.net.joining import NoWay, Own, Way
from p2pcards.net.link import Link
from p2pcards.net.lookout import Lookout
from p2pcards.net.moderation import Moderation, Place
from p2pcards.net.opening import Setup, new_host, new_practice
from p2pcards.net.returning import Return
from p2pcards.net.seating import Seating
from p2pcards.net.sitting import Sitting
from p2pcards.net.tablecommands import TableCommands
from p2pcards.table.effects import HostGone
from p2pcards.table.host import Host
from p2pcards.table.listing import HomeView
from p2pcards.table.notices import (
    Closed,
    CodeIs,
    Entered,
    Failed,
    LinkBack,
    LinkLost,
    Notice,
    Opened,
    OptionsSet,
    Refused,
    Seated,
    SeatsFull,
    Watching,
)
from p2pcards.table.people import NoPeople, People
from p2pcards.table.settings import levels
from p2pcards.table.tableview import TableView
from p2pcards.wire.envelope import LeaveReason
from p2pcards.wire.identity import Identity, chip
from p2pcards.wire.text import clean_title

CLOSING_SECONDS = 2.0
"""How long the last words of a program may take."""

LOST_SECONDS = 90.0
"""A host that can't be reached at all is given up after so long."""

JOIN_SECONDS = 10.0
"""A host that has not let us in yet, however often we came, is given up after so long."""


class Keeping(Struct, frozen=True):
    """Where tables are kept, and how a folder is locked; `another` gives the next free identity and its profile."""

    tables: Path
    take: Callable[[Path], Lock | None]
    another: Callable[[], tuple[Identity, str]] | None = None
    presets: Presets = NoPresets()
    people: People = NoPeople()


class Node:
    """One program on the network."""

    def __init__(self, identity: Identity, setup: Setup, keeping: Keeping) -> None:
        """Raises UserError where the wanted interface isn't there."""
        self._identity, self._profile, self._setup, self._keeping = identity, setup.profile, setup, keeping
        self._audience = Audience()
        self._tell = self._audience.tell
        self._network = Network(setup.interface)
        self._lookout = Lookout(self._network, lambda: self._identity, self._changed, setup.lab)
        self._hosting = Hosting(self._network, self._lookout, setup)
        self._seating = Seating(setup, keeping.people, self._folder, self._notice, self._hosting.changed)
        self._background = Background(self._went_wrong)
        self._moderation = Moderation(keeping.people, lambda: self._identity.key, time.time, self._tell)
        self._commands = TableCommands(keeping.presets, self._moderation, self._tell)
        self._place: Place | None = None  # the table that we sit at, or whose door we stand at
        self._way: Way | None = None  # to somebody else's table, until we are in
        self._walk: asyncio.Task[None] | None = None  # on that way
        self._opening: asyncio.Task[None] | None = None  # of a table of our own
        self._return = Return((), b"")  # to somebody else's table
        self._up = asyncio.Event()  # from the table
        self._opened = False  # looks around when at no table

    async def open(self) -> None:
        """Begins to look around."""
        self._background.start(self._network.watch())
        self._network.subscribe(self._moved_house)
        self._opened = True
        self._lookout.watch(True)

    async def close(self) -> None:
        """Leaves the table politely, says good-bye on the network, and lets go of everything, all in little time."""
        if self._place is not None:
            self._up.clear()
            self._commands.leave(self._place.sitting, LeaveReason.EXIT)
            try:
                async with asyncio.timeout(CLOSING_SECONDS):
                    await self._up.wait()
            except TimeoutError:
                self._get_up()
        await self._background.close()
        await self._lookout.close()

    def hang_up(self) -> None:
        """The person is gone without a word: a guest's seat is kept for the grace time, where `close` gives it away."""
        if self._place is not None and not self._place.ours:
            self._get_up()

    # ---- what the screens read

    @property
    def home(self) -> HomeView:
        """The list of tables and who I am, as of now."""
        way = self._way
        return HomeView(
            self._setup.nick,
            chip(self._identity.key),
            self._profile,
            tuple((one.name, one.addresses[0]) for one in self._network.chosen),
            self._lookout.rows,
            self._lookout.trouble,
            self._lookout.searching_for,
            self._hosting.line,
            "" if way is None else way.wanted or "any table",
            "" if way is None else way.asking,
            bool(self._setup.lab),
            self._identity.key,
        )

    @property
    def table(self) -> TableView | None:
        """The table we are at."""
        sitting = self._sitting
        view = None if sitting is None else sitting.guest.table_view()
        if view is None or sitting is None or sitting.host is None:
            return view
        return structs.replace(view, code=sitting.host.code, knocks=sitting.host.knocks)

    @property
    def alone(self) -> bool:
        """Whether the table we are at has no network under it."""
        return self._place is not None and self._place.alone

    @property
    def presets(self) -> Presets:
        """The rules that are kept under a name."""
        return self._keeping.presets

    @property
    def people(self) -> People:
        """Whom the owner of this program knows."""
        return self._keeping.people

    @property
    def _sitting(self) -> Sitting | None:
        return None if self._place is None else self._place.sitting

    def now(self) -> float:
        """Seconds of the clock of every deadline in the views."""
        return now()

    def listen(self, heard: Callable[[Notice | None], None]) -> None:
        """Calls `heard` with every notice, and with None whenever `home` changed."""
        self._audience.listen(heard)

    # ---- commands

    def do(self, command: Command) -> None:
        """Carries the command out or sets it going; UserError where it is refused at once, and nothing has changed."""
        place = None if self._way else self._place
        match command.verb, command.args:
            case ("quit", _):
                if self._place is not None:
                    self._commands.leave(self._place.sitting, LeaveReason.EXIT)
            case ("host" | "join" | "practise", _):
                self._go(command)
            case ("code", code) if self._way is not None:
                self._way.code(*code)
            case ("ban", (name, seconds, reason)):
                self._moderation.ban(place, name, seconds, reason)
            case ("unban", (name,)):
                self._moderation.unban(place, name)
            case ("leave", ()) if self._way or self._opening:
                self._give_up()
            case _ if place is None:
                raise UserError("You are at no table.")
            case _:
                self._commands.do(place, command)

    def _go(self, command: Command) -> None:
        if self._way or self._opening:
            raise UserError("You are on the way to a table: `leave` gives up.")
        if self._place is not None:
            raise UserError("You are at a table: `leave` it first.")
        if command.verb == "join":
            wanted = command.args[0] if command.args else ""
            own = Own(lambda: self._identity, self._as_another if self._keeping.another else None)
            self._way = Way(wanted, self._setup, self._lookout, own, self._tell)
            self._walk = self._background.start(self._join(self._way))
            self._changed()
        elif command.verb == "practise":
            self._opening = self._background.start(
                self._practise(*new_practice(self._setup, command.args[0], self._identity))
            )
        else:
            title = clean_title(command.args[1] if len(command.args) > 1 else self._setup.title or self._setup.nick)
            host = new_host(
                self._setup, command.args[0], title, self._identity, secrets.token_bytes, people=self._keeping.people
            )
            self._opening = self._background.start(self._host(host, title))

    def _give_up(self) -> None:
        """Stops looking for the table that was to be joined, goes from its door, or stops opening our own."""
        for task in (self._opening, self._walk):
            if task is not None:
                task.cancel()
        self._arrived()
        if self._place is not None:
            self._commands.leave(self._place.sitting, LeaveReason.LEAVE)
        else:
            self._get_up()
            self._tell(Closed("left", ""))

    def _arrived(self) -> None:
        """We are no longer on the way, whatever came of it."""
        self._opening = self._walk = self._way = None

    # ---- a table of our own

    async def _host(self, host: Host, title: str) -> None:
        port = await self._hosting.open(self._identity, host, self._came)
        sitting = self._sit(host, self._identity)
        self._tell(Opened(title, host.table, port, host.code))
        for _ in range(self._setup.bots):
            sitting.order("bot", "add", self._setup.bot_level)
        self._setup = structs.replace(self._setup, title="", bots=0, code="")  # what was asked for was this one table

    async def _practise(self, host: Host, identity: Identity) -> None:
        self._sit(host, identity, alone=True).order("start")

    def _sit(self, host: Host, identity: Identity, *, alone: bool = False) -> Sitting:
        """Raises UserError where the table can't be kept."""
        self._arrived()
        self._place = self._seating.at_own(host, identity, alone=alone)
        self._lookout.watch(False)
        try:
            self._place.sitting.open()
        except Exception:
            self._get_up()
            raise
        return self._place.sitting

    def _folder(self, table: bytes) -> TableFolder:
        return TableFolder(self._keeping.tables, table, self._identity.key, self._keeping.take)

    def _came(self, link: Link) -> None:
        """A newcomer proved its key."""
        if self._sitting is not None and self._sitting.host is not None and not self._sitting.host.closed:
            self._sitting.add(link)
        else:
            turn_away(link)

    # ---- somebody else's table

    async def _join(self, way: Way) -> None:
        """Walks to the table's door and knocks."""
        try:
            link, ticket = await way.walk()
        except NoWay as end:
            self._arrived()
            for notice in end.notices:
                self._tell(notice)
            return
        self._walk, self._return = None, Return(way.targets, link.key)
        self._place = self._seating.at(self._identity, ticket)
        self._lookout.watch(False)
        self._place.sitting.add(link)

    def _as_another(self) -> None:
        """Takes the next free identity of ours."""
        if self._keeping.another is not None:
            self._identity, self._profile = self._keeping.another()
            self._changed()

    async def _reach_again(self, sitting: Sitting) -> None:
        """Dials the lost host until it answers or there is no hope."""

        def wanted() -> bool:
            return self._sitting is sitting and not sitting.guest.finished

        link = await self._return.dial(self._identity, JOIN_SECONDS if self._way else LOST_SECONDS, wanted)
        if link is not None and self._sitting is sitting:
            sitting.add(link)
        elif link is not None:
            link.abort("not wanted any more")
        elif wanted():
            sitting.feed_guest(HostGone())

    # ---- what happens

    def _notice(self, notice: Notice) -> None:
        sitting = self._sitting
        if sitting is None:
            return
        match notice:
            case OptionsSet() if self._commands.quiet:
                return
            case Refused() if self._way is not None and self._way.again(notice):
                self._get_up()
                self._walk = self._background.start(self._join(self._way))
                return
            case Entered() | LinkBack():
                self._return.done()
                self._arrived()
                if isinstance(notice, Entered) and self._setup.level:
                    asyncio.get_running_loop().call_soon(self._check_level, sitting)
            case LinkLost():
                self._background.start(self._reach_again(sitting))
            case SeatsFull() if self._setup.closes:
                asyncio.get_running_loop().call_soon(self._commands.begin, sitting)
            case Closed():
                self._arrived()
                self._get_up()
            case CodeIs(code):
                self._write_code(code)  # first: who hears of it looks there
        self._tell(notice)
        if isinstance(notice, Entered | Seated | Watching):
            self._look_who_is_here()

    def _write_code(self, code: str) -> None:
        """Whoever wants the code in a file has each one there."""
        if self._setup.code_written is not None:
            try:
                self._setup.code_written(code)
            except UserError as error:
                self._tell(Failed(str(error), 0))  # the code itself is told where codes are, and nowhere else

    def _look_who_is_here(self) -> None:
        place = self._place
        if place is not None and not place.alone:
            for notice in place.seen.look(place.sitting.guest.public, self._identity.key, place.ours):
                self._tell(notice)

    def _check_level(self, sitting: Sitting) -> None:
        """A bot that does not know the game can't play our seat."""
        game = sitting.guest.public.rules
        if self._setup.level not in levels(game.name) and self._sitting is sitting:
            self._tell(Failed(f"No bot of {game.title} is called {self._setup.level}.", 2))
            self._commands.leave(sitting, LeaveReason.LEAVE)

    def _get_up(self) -> None:
        """We are at no table any more."""
        place, self._place = self._place, None
        self._up.set()
        if place is not None:
            place.sitting.close()
        self._hosting.close()
        self._lookout.watch(self._opened)

    def _moved_house(self) -> None:
        """The interfaces changed."""
        self._background.start(self._hosting.moved())
        self._changed()

    def _changed(self) -> None:
        self._tell(None)

    def _went_wrong(self, error: Exception) -> None:
        """Something in the background came to nothing: the table with it, if there is none yet."""
        self._arrived()
        failed = Failed("Something went wrong inside p2pcards; the log has the details.", 1)
        if isinstance(error, UserError):
            failed = Failed(str(error), error.exit_code)
        if isinstance(error, UserError) or self._place is None:
            self._get_up()
        self._tell(failed)
