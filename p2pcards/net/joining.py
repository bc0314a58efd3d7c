"""The way to somebody else's table: found, its door learnt, what opens the door fetched, its host dialled.

    way = Way("lab", setup, lookout, me, tell)
    link, ticket = await way.walk()       # NoWay: the notices that end it
    way.again(refused)                    # whether another walk may lead in where this one did not
    way.code("mango-tiger")               # while `way.asking`

A door is what the list or a probe says of it, and may be another one when we get there; then it is learnt anew, once.
Each guess at a code takes a connection of its own. Nobody is bothered at a door that can't open for us. Who is called
and turns out not to be the host names it, and the way goes on there.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from p2pcards import PROTOCOL
from p2pcards.errors import UserError
from p2pcards.games.registry import GAMES
from p2pcards.net.address import Target, parse_target, unpack_targets
from p2pcards.net.dial import Unreachable, Why, dial
from p2pcards.net.link import Link
from p2pcards.net.lookout import Lookout
from p2pcards.net.opening import Setup
from p2pcards.net.probe import ask
from p2pcards.table.notices import Closed, CodeWanted, Notice, Refused
from p2pcards.table.settings import DOORS, NEEDS_LAB
from p2pcards.table.ticket import Ticket
from p2pcards.wire.code import read_code
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Info, Reason
from p2pcards.wire.text import clean, clean_title

NO_TABLE = "no_such_table"
"""Reason of a Closed for a table that was never reached."""

RUN_SECONDS = 1.1
"""Between two guesses at one code, where another newcomer was faster."""

MOST_RUNS = 5
"""So often we step back for others who try the code at the same time."""

MOST_HOPS = 4
"""So often one program may send us on to another."""

_OTHER_DOOR = {
    "declined": frozenset({"code", *NEEDS_LAB}),
    "wrong_code": frozenset(DOORS) - {"code"},
    "not_a_member": frozenset(DOORS) - NEEDS_LAB,
}
"""Refusals that may mean another door than the one we came for, which is one of these."""

_NO_CODE = Refused("wrong_code", "no code was given; --code-file FILE names one")


class NoWay(Exception):
    """The table isn't there, or its door stays shut; `notices` say so."""

    def __init__(self, *notices: Notice) -> None:
        super().__init__(*notices)
        self.notices = notices


class Own:
    """Under which of our identities we come; `other` takes the next free one, where there may be one.

    was_at: whether we have the folder of a table, so that its members let us in while it has no host.
    """

    def __init__(
        self,
        identity: Callable[[], Identity],
        other: Callable[[], None] | None,
        was_at: Callable[[bytes], bool] = lambda table: False,
    ) -> None:
        self.identity, self.other, self.was_at = identity, other, was_at


class Way:
    """One `join`, from the command until we are in; it may take several walks."""

    def __init__(
        self,
        wanted: str,
        setup: Setup,
        lookout: Lookout,
        own: Own,
        tell: Callable[[Notice | None], None],
        *,
        watch: bool = False,
    ) -> None:
        """watch: we come to look on. tell: takes a CodeWanted, a Refused that is not the end, and None when nothing is
        asked for any more.
        """
        self.wanted, self.watch = wanted, watch
        self.targets: tuple[Target, ...] = ()
        self.key: bytes | None = None  # the host's, where it is known
        self.table = b""  # T, where it is known
        self.asking = ""  # title of the table, while its code is wanted from a person
        self._setup, self._lookout, self._own, self._tell = setup, lookout, own, tell
        self._other = own.other  # None once it was tried
        self._switch = False
        self._title = ""
        self._door = ""  # "" where it has to be learnt
        self._code = setup.code if setup.code_written is None else ""
        self._typed: asyncio.Future[str] | None = None
        self._told_wrong = False  # that a code is
        self._pause, self._runs = 0.0, 0
        self._doubt: tuple[str, Refused] | None = None  # a door, and a refusal that may mean another
        self._learnt_anew = False
        self._hops = 0
        self._led = False  # to another door than the one we stand at

    async def walk(self) -> tuple[Link, Ticket]:
        """A link to the host and what to ask it with; UserError where `wanted` is no address or means several."""
        await asyncio.sleep(self._pause)
        self._pause = 0.0
        while True:
            if self._switch:
                self._switch = False
                self._as_other()
            try:
                return await self._walk()
            except Unreachable as error:
                if error.why is Why.OWN_KEY and self._other is not None:
                    self._switch = True
                elif error.why is Why.UNKNOWN_HOST and not is_address(self.wanted):  # it was a title
                    raise self._not_found() from error
                else:
                    raise NoWay(Closed(NO_TABLE, str(error))) from error
            except UserError as error:
                if error.exit_code != 3:
                    raise
                raise NoWay(Closed(NO_TABLE, str(error))) from error

    async def _walk(self) -> tuple[Link, Ticket]:
        if not self.targets:
            await self._find()
        if not self._door:
            await self._learn()
        ticket = await self._ticket()
        link = await dial(self.targets, self._own.identity(), self.key)
        self.key = link.key
        return link, ticket

    def _as_other(self) -> None:
        """Once for each `join`: two programs of one user need two keys."""
        other, self._other = self._other, None
        if other is not None:
            other()

    # ---- where it is

    async def _find(self) -> None:
        """NoWay where it is nowhere."""
        wanted = self.wanted
        if is_address(wanted):
            self.targets = (parse_target(wanted),)
            return
        row = await self._lookout.find(wanted, self._setup.wait)
        if row is not None:
            self.targets, self.key, self._title = row.addresses, row.key or None, row.title
            self.table = row.table
            if row.barred and not self._setup.lab:
                raise self._no_member()
            self._door = _door(row.door) if row.answers and row.state != "waiting" and not row.barred else ""
        elif wanted and not wanted.startswith("~"):
            try:
                self.targets = (parse_target(wanted),)
            except UserError:
                raise self._not_found() from None
        else:
            raise self._not_found()

    def _not_found(self) -> NoWay:
        """The sentence for a table that isn't there, with what may be wrong."""
        called = f" called {clean_title(self.wanted)}" if self.wanted else ""
        return NoWay(Closed(NO_TABLE, f"No table{called} was found on this network. {self._lookout.trouble}".rstrip()))

    # ---- its door

    async def _learn(self) -> None:
        """What the host tells a probe; from a host that tells nothing, the door itself will be heard."""
        while True:
            link = await dial(self.targets, self._own.identity(), self.key)
            answer = await ask(link, self._setup.lab)
            if not isinstance(answer, Info) or not self._leads_on(answer, link.key):
                break
        if isinstance(answer, Info):
            self._title, self.key = clean_title(answer.title), link.key
            self._door = _door(answer.door) if _is_ours(answer) else DOORS[0]  # nobody is asked for a code in vain
        elif answer is None:
            self._door = DOORS[0]
        elif answer.reason == Reason.NOT_A_MEMBER:
            raise self._no_member()
        elif answer.reason == Reason.BYE:
            raise NoWay(Closed("bye", clean(answer.text, 300)))
        else:
            raise _refusal(_name(answer.reason), clean(answer.text, 300), answer.until)
        if self._doubt is not None:
            (door, refused), self._doubt = self._doubt, None
            if door == self._door:
                raise _refusal(refused.code, refused.text, refused.until)

    def _leads_on(self, told: Info, key: bytes) -> bool:
        """Whether the host is elsewhere, as it is at a member's, and we are to go there. key: whom we asked."""
        self.table = told.table
        if told.host == key or self._own.was_at(told.table):
            return False
        if not any(told.host):
            raise _refusal("members_only", "its host is gone, and its members are finding another one")
        if not self.elsewhere(told.host, told.addresses):
            raise _refusal("not_the_host", "who answers there is not the host, and does not know where that is")
        return True

    def elsewhere(self, key: bytes, addresses: tuple[bytes, ...]) -> bool:
        """Who we called says who is the host, and where; whether we go on there."""
        targets = unpack_targets(addresses)
        self._hops += 1
        if not targets or not any(key) or self._hops > MOST_HOPS:
            return False
        self.targets, self.key, self._door, self._led = targets, key, "", True
        return True

    async def _ticket(self) -> Ticket:
        lab = self._setup.lab
        if self._door in NEEDS_LAB and not lab:
            raise self._no_member()
        if self._door == "code" and not self._code:
            if not self._setup.asks:
                raise _refusal(_NO_CODE.code, _NO_CODE.text)
            self._code = await self._typed_code()
        return Ticket(self._door, self._code if self._door == "code" else "", lab)

    def _no_member(self) -> NoWay:
        text = "its lab has another key than yours" if self._setup.lab else "--lab-key FILE shows that you are one"
        return _refusal("not_a_member", text)

    async def _typed_code(self) -> str:
        self.asking = self._title or "table"
        self._typed = asyncio.get_running_loop().create_future()
        self._tell(CodeWanted(self.asking))
        try:
            return await self._typed
        finally:
            self.asking, self._typed = "", None
            self._tell(None)

    def code(self, text: str | None = None) -> None:
        """What the person gives for the code, None: nobody can; UserError where it is none, or none is wanted."""
        if self._typed is None or self._typed.done():
            raise UserError("No table asks for a code just now.")
        if text is None:
            told = () if self._told_wrong else (_NO_CODE,)
            self._typed.set_exception(NoWay(*told, Closed(_NO_CODE.code, _NO_CODE.text)))
            return
        code = read_code(text)
        if code is None:
            raise UserError("A code is two words of the list, like mango-tiger: the host's screen shows it.")
        self._typed.set_result(code)

    # ---- refused

    def again(self, refused: Refused) -> bool:
        """Whether to walk again, after a refusal at the door."""
        led, self._led = self._led, False
        if refused.code == "not_the_host" and led:
            return True
        if refused.code == "already_here" and self._other is not None:
            self._switch = True
            return True
        if refused.code == "wrong_code" and self._door == "code" and self._setup.asks:
            self._code, self._told_wrong = "", True
            self._tell(refused)
            return True
        if refused.code == "too_fast" and self._door == "code" and self._runs < MOST_RUNS:
            self._runs += 1
            self._pause = RUN_SECONDS * random.uniform(1.0, 1.5)  # noqa: S311 - jitter
            return True
        if self._door in _OTHER_DOOR.get(refused.code, ()) and not self._learnt_anew:
            self._learnt_anew = True
            self._doubt, self._door = (self._door, refused), ""
            return True
        return False


def is_address(wanted: str) -> bool:
    """Whether this names a machine and can't be the title of a table."""
    host = wanted.rpartition(":")[0] if wanted.count(":") == 1 else wanted
    return ":" in wanted or (host.replace(".", "").isdigit() and "." in host)


def _is_ours(told: Info) -> bool:
    """Whether the two programs can play together; a host answers before all else if they can't."""
    game = GAMES.get(told.game)
    return told.protocol == PROTOCOL and game is not None and told.rules == game.rules


def _door(said: str) -> str:
    """The door that a host names; one that we don't know is tried as the widest."""
    return said if said in DOORS else DOORS[0]


def _name(reason: int) -> str:
    return Reason(reason).name.lower() if reason in set(Reason) else Reason.BROKEN.name.lower()


def _refusal(reason: str, text: str, until: int = 0) -> NoWay:
    """reason: a name of wire.messages.Reason in lower case."""
    return NoWay(Refused(reason, text, until), Closed(reason, text, until))
