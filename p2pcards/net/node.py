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
import random
import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from p2pcards.commands.command import Command
from p2pcards.commands.presets import NoPresets, Presets, find
from p2pcards.errors import UserError
from p2pcards.net.address import Target, format_target, pack_targets, parse_target
from p2pcards.net.clock import now
from p2pcards.net.dial import Unreachable, Why, dial
from p2pcards.net.files import Lock, TableFolder
from p2pcards.net.interfaces import Network
from p2pcards.net.link import Link
from p2pcards.net.listener import ANYWHERE, Listener
from p2pcards.net.lookout import Lookout
from p2pcards.net.opening import Setup, advert_of, new_host
from p2pcards.net.presets import load_rules
from p2pcards.net.sitting import Hands, Sitting
from p2pcards.table.effects import Chose, HostGone, Left, Wanted
from p2pcards.table.guest import Guest
from p2pcards.table.host import Host
from p2pcards.table.listing import HomeView
from p2pcards.table.notices import (
    Closed,
    Entered,
    Failed,
    LinkBack,
    LinkLost,
    Notice,
    Opened,
    OptionsSet,
    Refused,
    SeatsFull,
)
from p2pcards.table.people import NoPeople, People
from p2pcards.table.settings import levels
from p2pcards.table.tableview import TableView
from p2pcards.wire.advert import Advert
from p2pcards.wire.identity import Identity, chip
from p2pcards.wire.messages import Reason
from p2pcards.wire.text import clean_title

_log = logging.getLogger(__name__)

NO_TABLE = "no_such_table"
"""Reason of a Closed for a table that was never reached."""

PRACTICE = "practice"
"""Title of a table without a network."""

PEOPLE_PACE = 0.8
"""Seconds between two moves of bots, where people watch."""

CLOSING_SECONDS = 2.0
"""How long the last words of a program may take."""

BACK_OFF = (0.2, 5.0)
"""Seconds before the first and before every later try to reach a lost host (protocol 5.6)."""

REFUSED_SECONDS = 5.0
"""A host whose machine says that nothing listens there any more is given up after so long."""

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
        self._identity, self._setup, self._keeping = identity, setup, keeping
        self._profile = setup.profile
        self._network = Network(setup.interface)
        self._lookout = Lookout(self._network, lambda: self._identity, self._changed)
        self._listener: Listener | None = None
        self._sitting: Sitting | None = None
        self._target: tuple[tuple[Target, ...], bytes | None] = ((), None)
        self._entered = False
        self._lost_at: float | None = None  # when the host was lost that has not let us in again
        self._up = asyncio.Event()  # from the table
        self._opened = False  # looks around when at no table
        self._on_the_way: asyncio.Task[None] | None = None  # to a table
        self._joining = ""  # what `join` was given, while on the way
        self._heard: list[Callable[[Notice | None], None]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._advert: Advert | None = None
        self._wanted = ""
        self._retried = False  # with another identity
        self._quiet = False  # a preset is loaded: what came of it is told when it is through

    async def open(self) -> None:
        """Begins to look around."""
        self._set_going(self._network.watch())
        self._network.subscribe(self._moved_house)
        self._opened = True
        self._lookout.watch(True)

    async def close(self) -> None:
        """Leaves the table politely, says good-bye on the network, and lets go of everything, all in little time."""
        if self._sitting is not None:
            self._up.clear()
            self._leave(3)
            try:
                async with asyncio.timeout(CLOSING_SECONDS):
                    await self._up.wait()
            except TimeoutError:
                self._get_up()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._lookout.close()

    def hang_up(self) -> None:
        """The person is gone without a word: a guest's seat is kept for the grace time, where `close` gives it away."""
        if self._sitting is not None and self._sitting.host is None:
            self._get_up()

    # ---- what the screens read

    @property
    def home(self) -> HomeView:
        """The list of tables and who I am, as of now."""
        return HomeView(
            self._setup.nick,
            chip(self._identity.key),
            self._profile,
            tuple((one.name, one.addresses[0]) for one in self._network.chosen),
            self._lookout.rows,
            self._lookout.trouble,
            self._lookout.searching_for,
            self._join_line(),
            self._joining,
        )

    @property
    def table(self) -> TableView | None:
        """The table we are at."""
        return self._sitting.guest.table_view() if self._sitting else None

    @property
    def alone(self) -> bool:
        """Whether the table we are at has no network under it."""
        return self._sitting is not None and self._sitting.host is not None and self._listener is None

    @property
    def presets(self) -> Presets:
        """The rules that are kept under a name."""
        return self._keeping.presets

    @property
    def people(self) -> People:
        """Whom the owner of this program knows."""
        return self._keeping.people

    def now(self) -> float:
        """Seconds of the clock of every deadline in the views."""
        return now()

    def listen(self, heard: Callable[[Notice | None], None]) -> None:
        """Calls `heard` with every notice, and with None whenever `home` changed."""
        self._heard.append(heard)

    # ---- commands

    def do(self, command: Command) -> None:
        """Carries the command out or sets it going; UserError where it is refused at once, and nothing has changed."""
        if command.verb == "quit":
            if self._sitting is not None:
                self._leave(3)
        elif command.verb in ("host", "join", "practise"):
            self._go(command)
        elif self._sitting is None and command.verb == "leave" and self._on_the_way:
            self._give_up()
        elif self._sitting is None:
            raise UserError("You are at no table.")
        else:
            self._at_table(self._sitting, command)

    def _go(self, command: Command) -> None:
        if self._sitting is not None:
            raise UserError("You are at a table: `leave` it first.")
        if self._on_the_way:
            raise UserError("You are on the way to a table: `leave` gives up.")
        if command.verb == "join":
            wanted = command.args[0] if command.args else ""
            self._retried, self._joining = False, wanted or "any table"
            self._on_the_way = self._set_going(self._join(wanted))
            self._changed()
        elif command.verb == "practise":
            self._on_the_way = self._set_going(self._practise(*self._new_practice(command.args[0])))
        else:
            title = clean_title(command.args[1] if len(command.args) > 1 else self._setup.title or self._setup.nick)
            host = new_host(self._setup, command.args[0], title, self._identity, secrets.token_bytes)
            self._on_the_way = self._set_going(self._host(host, title))

    def _give_up(self) -> None:
        """Stops looking for the table that was to be joined, or opening our own."""
        if self._on_the_way is not None:
            self._on_the_way.cancel()
        self._arrived()
        self._get_up()
        self._tell(Closed("left", ""))

    def _arrived(self) -> None:
        """We are no longer on the way, whatever came of it."""
        self._on_the_way, self._joining = None, ""

    def _at_table(self, sitting: Sitting, command: Command) -> None:
        if command.action:
            sitting.feed_guest(Chose(command.action))
            return
        match command.verb, command.args:
            case ("start", ()):
                sitting.order("start")
            case ("next" | "again", ()):
                sitting.feed_guest(Wanted("next"))
            case ("stop", ()):
                sitting.feed_guest(Wanted("stop"))
            case ("back", ()) if sitting.guest.me not in sitting.guest.public.bots_on:
                raise UserError("You play yourself: no bot stands in for you.")
            case ("skip" | "deck" | "back" as wish, ()):
                sitting.feed_guest(Wanted(wish))
            case ("preset", ("load", name)):
                self._load_preset(sitting, name)
            case ("set" | "bot", args):
                sitting.order(command.verb, *(args if len(args) > 1 or command.verb == "set" else (*args, "")))
            case ("leave", ()):
                self._leave(1)
            case ("ragequit", ()):
                self._leave(2)
            case _:
                raise UserError(f"{command.verb} can't be done here.")

    def _load_preset(self, sitting: Sitting, name: str) -> None:
        """The table gets the rules of the preset and no others; what does not exist any more is told."""
        rules = find(self._keeping.presets, sitting.guest.public.rules.name, name)
        self._quiet = True
        try:
            gone = load_rules(sitting, rules)
        finally:
            self._quiet = False
        self._tell(OptionsSet(sitting.guest.public.options, sitting.guest.public.settings))
        if gone:
            self._tell(Failed(f"The preset {name} has what this game no longer has: {', '.join(gone)}.", 0))

    def _leave(self, reason: int) -> None:
        """A guest says good-bye and its seat is taken care of; a host's table closes with it."""
        sitting = self._sitting
        if sitting is None:
            return
        if sitting.host is not None:
            sitting.order("close", f"{sitting.guest.public.nick_of(self._identity.key) or 'the host'} closed the table")
        else:
            sitting.feed_guest(Left(reason))

    # ---- a table of our own

    async def _host(self, host: Host, title: str) -> None:
        setup = self._setup
        hosts = tuple(address for one in self._network.chosen for address in one.addresses)
        self._listener = Listener(
            self._identity, self._came, own=lambda: self._network.own, hosts=hosts if setup.interface else ANYWHERE
        )
        port = await self._listener.open(setup.port)
        host.addresses = pack_targets(self._network.addresses, port)
        sitting = self._sit(host, self._identity, folder=True)
        self._tell(Opened(title, host.table, port))
        for _ in range(setup.bots):
            sitting.order("bot", "add", setup.bot_level)
        self._setup = structs.replace(setup, title="", bots=0)  # what was asked for was this one table

    def _new_practice(self, game: str) -> tuple[Host, Identity]:
        """With a seed the same for everybody: cards, seats and bots then hang on nothing but that number."""
        identity = self._identity
        if self._setup.seed is not None:
            same = random.Random(self._setup.seed)  # noqa: S311 - the same cards again
            identity = Identity(same.randbytes(32))
            return new_host(self._setup, game, PRACTICE, identity, same.randbytes, alone=True), identity
        return new_host(self._setup, game, PRACTICE, identity, secrets.token_bytes, alone=True), identity

    async def _practise(self, host: Host, identity: Identity) -> None:
        self._sit(host, identity, folder=False).order("start")

    def _sit(self, host: Host, identity: Identity, *, folder: bool) -> Sitting:
        self._entered = False
        self._arrived()
        guest = self._new_guest(identity, host=True, watch=not self._setup.seat or self._setup.demo)
        self._sitting = Sitting(guest, host, self._hands(identity.key, folder))
        self._lookout.watch(False)
        self._sitting.open()
        return self._sitting

    def _new_guest(self, identity: Identity, *, host: bool, watch: bool) -> Guest:
        return Guest(
            identity,
            secrets.token_bytes,
            self._setup.nick,
            program=bool(self._setup.level),
            watch=watch,
            host=host,
        )

    def _hands(self, key: bytes, folder: bool) -> Hands:
        pace = self._setup.pace
        return Hands(
            key,
            self._folder if folder else None,
            self._notice,
            self._changed_table,
            random.Random(self._setup.seed),  # noqa: S311 - a bot's whims
            PEOPLE_PACE if pace is None else pace,
            self._setup.level,
        )

    def _folder(self, table: bytes) -> TableFolder:
        return TableFolder(self._keeping.tables, table, self._identity.key, self._keeping.take)

    def _came(self, link: Link) -> None:
        """A newcomer proved its key."""
        if self._sitting is not None and self._sitting.host is not None and not self._sitting.host.closed:
            self._sitting.add(link)
        else:
            link.start(lambda message: None, lambda why: None)
            link.close(Reason.BYE, "the table is closed")

    # ---- somebody else's table

    async def _join(self, wanted: str) -> None:
        try:
            targets, key = await self._find(wanted)
            link = await dial(targets, self._identity, key)
        except Unreachable as error:
            if error.why is Why.OWN_KEY and self._may_retry:
                await self._join_as_another(wanted)
                return
            is_guess = error.why is Why.UNKNOWN_HOST and not _is_address(wanted)
            self._fail(self._not_found(wanted) if is_guess else str(error))
            return
        except UserError as error:
            if error.exit_code != 3:
                raise
            self._fail(str(error))
            return
        self._arrived()
        self._target, self._wanted = (targets, link.key), wanted
        self._entered, self._lost_at = False, None
        self._sitting = Sitting(
            self._new_guest(self._identity, host=False, watch=False), None, self._hands(self._identity.key, folder=True)
        )
        self._lookout.watch(False)
        self._sitting.add(link)

    async def _find(self, wanted: str) -> tuple[tuple[Target, ...], bytes | None]:
        """Where the wanted table is, and its host's key where that is known; UserError with exit code 3 if nowhere."""
        if _is_address(wanted):
            return (parse_target(wanted),), None
        row = await self._lookout.find(wanted, self._setup.wait)
        if row is not None:
            return row.addresses, row.key
        if wanted and not wanted.startswith("~"):
            try:
                return (parse_target(wanted),), None
            except UserError:
                pass
        raise UserError(self._not_found(wanted), 3)

    def _not_found(self, wanted: str) -> str:
        """The sentence for a table that isn't there, with what may be wrong."""
        called = f" called {clean_title(wanted)}" if wanted else ""
        return f"No table{called} was found on this network. {self._lookout.trouble}".rstrip()

    @property
    def _may_retry(self) -> bool:
        """Whether another identity may be tried, once for each `join`: two programs of one user need two keys."""
        return not self._retried and self._keeping.another is not None

    async def _join_as_another(self, wanted: str) -> None:
        """Joins under the next free identity of ours."""
        self._retried = True
        if self._keeping.another is not None:
            self._identity, self._profile = self._keeping.another()
            self._changed()
        await self._join(wanted)

    async def _reach_again(self, sitting: Sitting) -> None:
        """Dials the lost host until it answers or there is no hope."""
        targets, key = self._target
        lost_at = self._lost_at = self._lost_at or now()
        patience = LOST_SECONDS if self._entered else JOIN_SECONDS
        refused_at, pause = None, BACK_OFF[0]
        while self._sitting is sitting and not sitting.guest.finished:
            hopeless = refused_at is not None and now() - refused_at >= REFUSED_SECONDS
            if hopeless or now() - lost_at >= patience:
                sitting.feed_guest(HostGone())
                return
            try:
                link = await dial(targets, self._identity, key)
            except Unreachable as error:
                refused_at = (refused_at or now()) if error.why is Why.REFUSED else None
            else:
                if self._sitting is sitting:
                    sitting.add(link)
                else:
                    link.abort("not wanted any more")
                return
            await asyncio.sleep(pause * random.uniform(0.8, 1.2))  # noqa: S311 - jitter
            pause = min(2 * pause, BACK_OFF[1])

    # ---- what happens

    def _notice(self, notice: Notice) -> None:
        sitting = self._sitting
        if isinstance(notice, Entered | LinkBack):
            self._entered, self._lost_at = True, None
        if isinstance(notice, OptionsSet) and self._quiet:
            return
        if isinstance(notice, Entered) and sitting is not None and self._setup.level:
            asyncio.get_running_loop().call_soon(self._check_level, sitting)
        if isinstance(notice, Refused) and notice.code == "already_here" and not self._entered and self._may_retry:
            self._on_the_way = self._set_going(self._join_as_another(self._wanted))
            self._get_up()
            return
        if isinstance(notice, LinkLost) and sitting is not None:
            self._set_going(self._reach_again(sitting))
        if isinstance(notice, SeatsFull) and self._setup.closes:
            asyncio.get_running_loop().call_soon(self._begin)
        if isinstance(notice, Closed):
            self._get_up()
        self._tell(notice)

    def _check_level(self, sitting: Sitting) -> None:
        """A bot that does not know the game can't play our seat."""
        game = sitting.guest.public.rules
        if self._setup.level not in levels(game.name) and self._sitting is sitting:
            self._tell(Failed(f"No bot of {game.title} is called {self._setup.level}.", 2))
            self._leave(1)

    def _begin(self) -> None:
        """A table that nobody watches over starts by itself, once; where somebody has got up again, later."""
        if self._sitting is not None and self._sitting.guest.public.match == 0:
            with suppress(UserError):
                self._sitting.order("start")

    def _get_up(self) -> None:
        """We are at no table any more."""
        sitting, self._sitting = self._sitting, None
        self._up.set()
        if sitting is not None:
            sitting.close()
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        self._advert = None
        self._lookout.withdraw()
        self._lookout.watch(self._opened)

    def _fail(self, text: str) -> None:
        self._arrived()
        self._tell(Closed(NO_TABLE, text))

    def _changed_table(self) -> None:
        """The machines may have changed: so may what others are told of our table."""
        sitting, listener = self._sitting, self._listener
        if sitting is None or sitting.host is None or listener is None or self._setup.hidden:
            return
        advert = advert_of(sitting.host)
        if advert != self._advert:
            self._advert = advert
            self._lookout.advertise(advert, listener.port)

    def _moved_house(self) -> None:
        """The interfaces changed."""
        sitting, listener = self._sitting, self._listener
        if sitting is not None and sitting.host is not None and listener is not None:
            sitting.host.addresses = pack_targets(self._network.addresses, listener.port)
            if self._setup.interface:
                self._set_going(listener.follow(self._network.addresses))
        self._changed()

    def _changed(self) -> None:
        self._tell(None)

    def _tell(self, notice: Notice | None) -> None:
        for heard in self._heard:
            try:
                heard(notice)
            except Exception as error:  # whoever can't tell it must not stop the table
                loop = asyncio.get_running_loop()
                loop.call_exception_handler({"message": f"telling of {type(notice).__name__}", "exception": error})

    def _set_going(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(self._watched(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda task: work.close())  # where it was cancelled before it began
        return task

    async def _watched(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except UserError as error:
            self._arrived()
            self._get_up()
            self._tell(Failed(str(error), error.exit_code))
        except Exception:
            _log.exception("in the background")
            self._arrived()
            if self._sitting is None:
                self._get_up()
            self._tell(Failed("Something went wrong inside p2pcards; the log has the details.", 1))

    def _join_line(self) -> str:
        """What others can type where the network hides our table; empty without one."""
        if self._listener is None or not self._network.addresses:
            return ""
        address = next(iter(self._network.addresses))
        return f"p2pcards join {format_target((address, self._listener.port))}"


def _is_address(wanted: str) -> bool:
    """Whether this names a machine and can't be the title of a table."""
    host = wanted.rpartition(":")[0] if wanted.count(":") == 1 else wanted
    return ":" in wanted or (host.replace(".", "").isdigit() and "." in host)
