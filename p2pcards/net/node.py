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
import logging
import secrets
import time
from collections.abc import Callable

from msgspec import structs

from p2pcards.commands.command import Command
from p2pcards.commands.presets import Presets
from p2pcards.errors import ProtocolError, UserError
from p2pcards.net.address import unpack_targets
from p2pcards.net.attendance import Attendance
from p2pcards.net.audience import Audience
from p2pcards.net.background import Background
from p2pcards.net.clock import now
from p2pcards.net.files import Keep, TableFolder
from p2pcards.net.hosting import Hosting
from p2pcards.net.interfaces import Network
from p2pcards.net.joining import NoWay, Own, Way
from p2pcards.net.keeping import Keeping, Shelf
from p2pcards.net.kept import Found
from p2pcards.net.lookout import Lookout
from p2pcards.net.moderation import Moderation, Place
from p2pcards.net.opening import Setup, new_host, new_practice
from p2pcards.net.seating import Seating
from p2pcards.net.sitting import Sitting
from p2pcards.net.tablecommands import TableCommands
from p2pcards.table.effects import HungUp
from p2pcards.table.host import Host
from p2pcards.table.listing import HomeView
from p2pcards.table.merits import Statistics
from p2pcards.table.notices import (
    Closed,
    CodeIs,
    Entered,
    Failed,
    HostElsewhere,
    LinkBack,
    Notice,
    Opened,
    OptionsSet,
    Refused,
    Seated,
    SeatsFull,
    Watching,
)
from p2pcards.table.people import People
from p2pcards.table.results import Past
from p2pcards.table.settings import levels
from p2pcards.table.tableview import TableView
from p2pcards.wire.envelope import LeaveReason
from p2pcards.wire.identity import Identity, chip
from p2pcards.wire.text import clean_title

_log = logging.getLogger(__name__)

CLOSING_SECONDS = 4.5
"""How long the last words of a program may take, a hand-over among them."""

HANGING_SECONDS = 2.0
"""How long a program may take to hand over whose person is gone without a word."""

FOR_GOOD = frozenset({"left", "bye", "kicked", "banned"})
"""Ends of a table that nobody comes back to; after any other its folder stays."""


class Node:
    """One program on the network."""

    def __init__(self, identity: Identity, setup: Setup, keeping: Keeping) -> None:
        """Raises UserError where the wanted interface isn't there."""
        self._identity, self._profile, self._setup, self._keeping = identity, setup.profile, setup, keeping
        self._audience = Audience()
        self._tell = self._audience.tell
        self._network = Network(setup.interface)
        self._lookout = Lookout(self._network, lambda: self._identity, self._looked, setup.lab)
        self._hosting = Hosting(self._network, self._lookout, setup)
        self._shelf = Shelf(keeping, lambda: self._identity.key)
        self._background = Background(self._went_wrong)
        self._at = Attendance(self._lookout, self._hosting, self._background)
        self._seating = Seating(setup, keeping.people, self._folder, self._notice, self._at.moved)
        self._moderation = Moderation(keeping.people, lambda: self._identity.key, time.time, self._tell)
        self._commands = TableCommands(keeping.presets, self._moderation, self._tell)
        self._way: Way | None = None  # to somebody else's table, until we are in
        self._walk: asyncio.Task[None] | None = None  # on that way
        self._opening: asyncio.Task[None] | None = None  # of a table of our own, or that we come back to
        self._hung_up = False

    async def open(self) -> None:
        """Begins to look around."""
        self._background.start(self._network.watch())
        self._network.subscribe(self._moved_house)
        self._at.look_around()

    async def close(self) -> None:
        """Leaves the table politely, says good-bye on the network, and lets go of everything, all in little time."""
        if self._place is not None:
            self._commands.leave(self._place.sitting, LeaveReason.EXIT)
            if not await self._at.is_up(CLOSING_SECONDS):
                self._get_up(Keep.ALL if self._hung_up else Keep.VOTES)
        await self._background.close()
        await self._seating.close()
        await self._lookout.close()

    async def hang_up(self) -> None:
        """The person is gone without a word: the seat is kept for the grace time, where `close` gives it away.

        A host hands over first; alone with bots it leaves the match where it is, for `resume`.
        """
        if self._place is not None:
            self._hung_up = True
            self._place.sitting.feed(HungUp())
            if not await self._at.is_up(HANGING_SECONDS):
                self._get_up(Keep.ALL)

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
            self._shelf.tables() if self._place is None else (),
        )

    @property
    def table(self) -> TableView | None:
        """The table we are at."""
        return None if self._place is None else self._place.sitting.peer.table_view()

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
    def history(self) -> Past:
        """What was played."""
        return self._keeping.history()

    @property
    def statistics(self) -> Statistics:
        """What it came to."""
        return self._keeping.statistics()

    @property
    def _place(self) -> Place | None:
        return self._at.place

    @property
    def _sitting(self) -> Sitting | None:
        return self._at.sitting

    def now(self) -> float:
        """Seconds of the clock of every deadline in the views."""
        return now()

    def listen(self, heard: Callable[[Notice | None], None]) -> None:
        """Calls `heard` with every notice, and with None whenever `home` changed."""
        self._audience.listen(heard)

    def warn(self, sentence: str) -> None:
        """Tells that something beside the game came to nothing; the game goes on."""
        self._tell(Failed(sentence, 0))

    def unattended(self) -> None:
        """No command can come any more: nobody is asked about who comes to the table that we host."""
        self._setup = structs.replace(self._setup, asks=False)
        if self._place is not None and self._place.ours:
            self._place.sitting.order("unattended")

    # ---- commands

    def do(self, command: Command) -> None:
        """Carries the command out or sets it going; UserError where it is refused at once, and nothing has changed."""
        place = None if self._way else self._place
        match command.verb, command.args:
            case ("quit", _):
                if self._place is not None:
                    self._commands.leave(self._place.sitting, LeaveReason.EXIT)
            case ("watch", ()) if place is not None:
                self._commands.do(place, command)
            case ("host" | "join" | "watch" | "practise" | "resume", _):
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
        if self._opening:
            raise UserError("A table is being opened: `leave` gives up.")
        if self._place is not None and self._way is None:
            raise UserError("You are at a table: `leave` it first.")
        wanted = command.args[0] if command.args else ""
        if command.verb in ("join", "watch"):
            other = self._as_another if self._keeping.another else None
            own = Own(lambda: self._identity, other, self._shelf.was_at)
            watch = command.verb == "watch"
            self._turn_round()
            self._way = Way(wanted, self._setup, self._lookout, own, self._tell, watch=watch)
            self._walk = self._background.start(self._join(self._way))
            self._changed()
        elif command.verb == "resume":
            found = self._shelf.find(wanted)
            self._turn_round()
            self._opening = self._background.start(self._resume(*found))
        elif command.verb == "practise":
            practice = new_practice(self._setup, wanted, self._identity)
            self._turn_round()
            self._opening = self._background.start(self._practise(*practice))
        else:
            title = clean_title(command.args[1] if len(command.args) > 1 else self._setup.title or self._setup.nick)
            host = new_host(
                self._setup, wanted, title, self._identity, secrets.token_bytes, people=self._keeping.people
            )
            self._turn_round()
            self._opening = self._background.start(self._host(host, title))

    def _turn_round(self) -> None:
        """Goes no further on the way to a table, for another takes its place."""
        if self._way is not None:
            self._give_up()

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
        port = await self._at.listen(self._identity)
        sitting = self._at.sit(self._seating.at_own(host, self._identity, alone=False), self._identity)
        self._begin(sitting)
        self._tell(Opened(title, host.table, port, host.code))
        for _ in range(self._setup.bots):
            sitting.order("bot", "add", self._setup.bot_level)
        self._setup = structs.replace(self._setup, title="", bots=0, code="")  # what was asked for was this one table

    async def _practise(self, host: Host, identity: Identity) -> None:
        sitting = self._at.sit(self._seating.at_own(host, identity, alone=True), identity)
        self._begin(sitting)
        sitting.order("start")

    def _begin(self, sitting: Sitting) -> None:
        """Raises UserError where the table can't be kept."""
        self._arrived()
        try:
            sitting.open()
        except Exception:
            self._get_up()
            raise

    def _folder(self, table: bytes) -> TableFolder:
        return TableFolder.begin(self._keeping.tables, table, self._identity.key, self._keeping.take)

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
        try:
            await self._at.listen(self._identity)
            folder = self._shelf.reopen(way.table)
        except BaseException:
            link.abort("not wanted any more")
            raise
        self._walk = None
        try:
            place = self._seating.at(self._identity, ticket, watch=way.watch, folder=folder)
        except ProtocolError as error:  # we come as somebody new, who keeps nothing and so has no vote
            _log.warning("what is kept of this table makes no sense: %s", error)
            if folder is not None:
                folder.close()
            folder = None
            place = self._seating.at(self._identity, ticket, watch=way.watch)
        sitting = self._at.sit(place, self._identity)
        if folder is not None:
            sitting.resume()
        if self._at.reaching is not None:
            self._at.reaching.door(link.key, way.targets)
        self._at.reached(link)

    async def _resume(self, found: Found, profile: str) -> None:
        """Back to a table that an earlier program of ours was at."""
        if profile and self._keeping.become is not None:
            self._identity, self._profile = self._keeping.become(profile), profile
            self._changed()
        folder = TableFolder.reopen(found.path, self._keeping.take)
        try:
            port = await self._at.listen(self._identity)
            place = self._seating.back_at(self._identity, folder)
        except ProtocolError as error:
            folder.close()
            raise UserError(f"What is kept of {found.title} in {found.path} makes no sense: {error}.") from error
        except BaseException:
            folder.close()
            raise
        sitting = self._at.sit(place, self._identity)
        self._arrived()
        sitting.resume()
        if sitting.host is not None:
            self._tell(Opened(found.title, sitting.peer.table, port, sitting.host.code))

    def _as_another(self) -> None:
        """Takes the next free identity of ours."""
        if self._keeping.another is not None:
            self._identity, self._profile = self._keeping.another()
            self._changed()

    # ---- what happens

    def _notice(self, notice: Notice) -> None:
        sitting = self._sitting
        if sitting is None:
            return
        match notice:
            case OptionsSet() if self._commands.quiet:
                return
            case HostElsewhere(key, addresses):
                if self._way is not None:
                    self._way.elsewhere(key, addresses)
                elif self._at.reaching is not None:
                    self._at.reaching.elsewhere(key, unpack_targets(addresses))
                return
            case Refused() if self._way is not None and self._way.again(notice):
                self._get_up(Keep.ALL)
                self._walk = self._background.start(self._join(self._way))
                return
            case Entered() | LinkBack():
                self._arrived()
                if isinstance(notice, Entered) and self._setup.level:
                    asyncio.get_running_loop().call_soon(self._check_level, sitting)
            case SeatsFull() if self._setup.closes or self._setup.starts:
                asyncio.get_running_loop().call_soon(self._commands.begin, sitting)
            case Closed(reason):
                self._arrived()
                keep = self._keep(reason, sitting)
                if reason == "hung_up" and not self._has_kept_seat(sitting, keep):
                    notice = Closed("left", "")
                self._get_up(keep)
            case CodeIs(code):
                self._write_code(code)  # first: who hears of it looks there
        self._tell(notice)
        if isinstance(notice, Entered | Seated | Watching):
            self._look_who_is_here()

    def _keep(self, reason: str, sitting: Sitting) -> Keep:
        """What to keep of a table that has just ended for us, for this reason. Nothing is lost with an empty lobby."""
        public, key = sitting.guest.public, self._identity.key
        alone = set(public.voters) <= {key}
        if self._hung_up and alone and public.match_over:
            return Keep.NOTHING
        if self._hung_up or reason not in FOR_GOOD:
            return Keep.ALL
        return Keep.VOTES if reason == "left" and key in public.voters and not alone else Keep.NOTHING

    def _has_kept_seat(self, sitting: Sitting, keep: Keep) -> bool:
        """Whether `resume` leads back to a seat of ours: not in practice, from an empty lobby or where we looked on."""
        seated = sitting.guest.public.seat_of(self._identity.key) is not None
        return seated and not self.alone and keep is Keep.ALL

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

    def _get_up(self, keep: Keep = Keep.NOTHING) -> None:
        """We are at no table any more. keep: what stays in its folder."""
        self._at.get_up(keep)
        self._shelf.stale()

    def _looked(self) -> None:
        """The list may be another."""
        self._at.looked()
        self._changed()

    def _moved_house(self) -> None:
        """The interfaces changed."""
        self._background.start(self._hosting.moved())
        self._changed()

    def _changed(self) -> None:
        self._tell(None)

    def _went_wrong(self, error: Exception) -> None:
        """Something in the background came to nothing: the table with it, if there is none yet."""
        self._arrived()
        log = self._setup.log
        failed = Failed(f"Something went wrong inside p2pcards{f'; the log is {log}' if log else ''}.", 1)
        if isinstance(error, UserError):
            failed = Failed(str(error), error.exit_code)
        if isinstance(error, UserError) or self._place is None:
            self._get_up(Keep.ALL)
        self._tell(failed)
