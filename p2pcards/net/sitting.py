"""The table this program sits at: runs its machine and carries out what that asks for, in order.

    sitting = Sitting(peer, hands)             # folder=: that of a table we come back to
    sitting.open()                             # our own table's first entries; or `resume`, of a table from its folder
    sitting.add(link)                          # a link that came in, or one that we dialled
    sitting.feed(Chose("draw"))
    sitting.order("start")

Inputs wait in one queue, so that the machine is not entered while it is at work. What an input leads to is done before
the next is looked at: secrets and entries are in their files before the first message leaves (protocol 6.2). What can't
be kept is not sent either: who can't keep a vote doesn't give it, and a host that can't write its journal is none.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import secrets
from collections import deque
from collections.abc import Callable
from functools import partial

from msgspec import Struct, structs

from p2pcards.bots.budget import Budget
from p2pcards.bots.thinking import Thought
from p2pcards.errors import ProtocolError, UserError
from p2pcards.games.base import Rng
from p2pcards.net.address import MOST_TARGETS, pack_targets
from p2pcards.net.botprogram import BotProgram
from p2pcards.net.clock import ahead, now
from p2pcards.net.files import Keep, TableFolder
from p2pcards.net.link import Link
from p2pcards.net.moves import Moves
from p2pcards.table.effects import (
    OWN_LINK,
    Agreed,
    BotChose,
    Chose,
    Effects,
    Input,
    KeptUp,
    LinkDown,
    LinkId,
    LinkUp,
    Received,
    Slept,
    Unkept,
    Woke,
)
from p2pcards.table.guest import Guest
from p2pcards.table.host import Host
from p2pcards.table.notices import BotTurn, Closed, Failed, Hinted, Knocked, Notice, PakeRun
from p2pcards.table.peer import PEERS, Peer
from p2pcards.wire.code import answer
from p2pcards.wire.messages import Close, Hello, Message

_log = logging.getLogger(__name__)

DOOR_SECONDS = 65.0
"""How long a link waits at the door while we are asked; the host has turned it away by then (protocol 4.5)."""


AGAIN_SECONDS = 1.0
"""From a fault of ours to the next look at what is due."""

JUMP_SECONDS = 2.0
"""The two clocks of a machine that was awake differ by less from one look to the next (protocol 7.1)."""


class Hands(Struct, frozen=True):
    """What a sitting works with.

    key: our own. folder: makes the table's folder, None where nothing is kept. heard: takes every notice. moved: called
    when the machine may have changed. rng, pace: of bots, seconds between their moves. level: of the bot that plays our
    own seat, program: that plays it instead; neither for a person. budget: of bots that think.
    """

    key: bytes
    folder: Callable[[bytes], TableFolder] | None
    heard: Callable[[Notice], None]
    moved: Callable[[], None]
    rng: Rng
    pace: float = 0.0
    level: str = ""
    program: BotProgram | None = None
    budget: Budget = Budget()


class Sitting:
    """One peer with its links, clock, bots and files."""

    def __init__(self, peer: Peer, hands: Hands, folder: TableFolder | None = None) -> None:
        self.peer, self._hands = peer, hands
        self._loop = asyncio.get_running_loop()
        self._links: dict[LinkId, Link] = {}
        self._next_link = OWN_LINK + 1
        self._queue: deque[Callable[[], None]] = deque()
        self._busy = False
        self._folder = folder
        self._wake: asyncio.TimerHandle | None = None
        self._moves = Moves(hands.rng, hands.pace, hands.budget)
        self._runs: set[asyncio.Task[None]] = set()  # guesses at the code that are being answered
        self._chosen_at = b""  # head at which our own bot was asked
        self._whole = True  # the journal in the file has no hole
        self._ahead = ahead()
        self._early: tuple[tuple[str, bytes], ...] = ()  # secrets of a table that we don't know yet
        self.closed = False

    @property
    def guest(self) -> Guest:
        """Our part in the table as everybody has one."""
        return self.peer.guest

    @property
    def host(self) -> Host | None:
        """The host, while that is here."""
        return self.peer.host

    def has_link(self, key: bytes) -> bool:
        """Whether there is a link to that key."""
        return any(link.key == key for link in self._links.values())

    # ---- inputs

    def open(self) -> None:
        """Begins a table of our own: its first entries, and our own guest in it; UserError where they can't be kept."""
        opened = self.peer.open(now())
        self._write(opened)
        self._put(lambda: self._pass_on(opened))

    def resume(self) -> None:
        """Takes up a table from its folder; host is again who may be."""
        self._put(lambda: self._carry(self.peer.resume(now())))

    def add(self, link: Link) -> None:
        """Takes a link, whoever dialled."""
        number = LinkId(self._next_link)
        self._next_link += 1
        self._links[number] = link
        self.feed(LinkUp(number, link.key, link.session.th3, not link.newcomer))
        link.start(partial(self._incoming, number), lambda why: self._gone(number))

    def feed(self, happened: Input) -> None:
        """One input; it may be carried out later than this returns."""
        self._look_at_clocks()
        self._put(lambda: self._carry(self.peer.handle(happened, now())))

    def order(self, *words: str) -> None:
        """What the person at the host's keyboard orders; raises UserError at once when it can't be done."""
        self._look_at_clocks()
        effects = self.peer.order(words, now())
        self._put(lambda: self._carry(effects))

    def close(self, keep: Keep) -> None:
        """Lets go of everything at once; links get no good-bye that the machine has not said, and nothing is told.

        keep: what stays in the table's folder.
        """
        self.closed = True
        self._queue.clear()
        if self._wake is not None:
            self._wake.cancel()
        self._moves.close()
        if self._hands.program is not None:
            self._hands.program.stand_up()
        for run in self._runs:
            run.cancel()
        for link in list(self._links.values()):
            link.abort("the program ends")
        self._links.clear()
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.leave(keep)

    # ---- the pump

    def _look_at_clocks(self) -> None:
        """Where `now` stands still in sleep, the wall clock alone tells of it."""
        before, self._ahead = self._ahead, (after := ahead())
        if abs(after - before) > JUMP_SECONDS:
            self._put(lambda: self._carry(self.peer.handle(Slept(after), now())))

    def _put(self, work: Callable[[], None]) -> None:
        self._queue.append(work)
        if self._busy or self.closed:
            return
        self._busy = True
        try:
            while self._queue and not self.closed:
                self._queue.popleft()()
        except Exception:
            self._wake_at(now() + AGAIN_SECONDS)  # whatever it fails at, its timers go on
            raise
        finally:
            self._busy = False
        if not self.closed:
            self._trust_host()
            self._play_own_seat()
            self._hands.moved()

    def _incoming(self, number: LinkId, message: Message) -> None:
        if isinstance(message, Close):
            self._links.pop(number, None)
        elif isinstance(message, Hello) and (link := self._links.get(number)) is not None and link.newcomer:
            message = _as_seen(message, link)
        self.feed(Received(number, message))

    def _gone(self, number: LinkId) -> None:
        if self._links.pop(number, None) is not None:
            self.feed(LinkDown(number))

    def _trust_host(self) -> None:
        """Records of the host are bounded in size only, whoever dialled; those of other members by their rate too."""
        host = self.guest.public.host
        for link in self._links.values():
            link.limited = link.newcomer if not host else link.key != host

    # ---- effects

    def _carry(self, effects: Effects) -> None:
        whole = self._whole
        try:
            unkept = self._write(effects)
        except UserError as error:
            self._stop_hosting(error)
            return
        self._pass_on(structs.replace(effects, outgoing=()) if unkept else effects)
        if unkept:
            self.feed(Unkept())
        elif whole is not self._whole:
            self.feed(KeptUp() if self._whole else Unkept(journal=True))

    def _pass_on(self, effects: Effects) -> None:
        """What is to be done once the files are written."""
        for number, message in effects.outgoing:
            self._send(number, message)
        for notice in effects.notices:
            if isinstance(notice, BotTurn):
                chosen = partial(self._bot_chose, notice)
                self._moves.later(notice.level, self.guest.public.rules, notice.view, chosen)
            elif isinstance(notice, PakeRun):
                self._answer_run(notice)
            else:
                if isinstance(notice, Knocked) and (link := self._links.get(LinkId(notice.link))) is not None:
                    link.patience(DOOR_SECONDS)
                self._tell(notice)
        self._wake_at(effects.wake_at)

    def _tell(self, notice: Notice) -> None:
        if not self.closed:
            self._hands.heard(notice)

    def _send(self, number: LinkId, message: Message) -> None:
        link = self._links.get(number)
        if link is not None:
            link.send(message)
            if isinstance(message, Close):
                del self._links[number]

    def _wake_at(self, at: float | None) -> None:
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None
        if at is not None and not self.closed:
            self._wake = self._loop.call_later(max(0.0, at - now()), self.feed, Woke())

    # ---- files

    def _write(self, effects: Effects) -> bool:
        """Writes what the effects are to keep; whether a secret among it could not be, so that nothing may be sent.

        UserError where we are the host: it must not go on, for a crash would make it tell two histories. A guest can
        play on without its copy of the journal, but as no voter, now or when it starts again: it has acknowledged what
        is not there. What is lacking is tried again with whatever comes next.
        """
        secrets = (*self._early, *effects.secrets)
        if self._hands.folder is None or not (secrets or effects.entries or effects.rewind is not None):
            return False
        if self._folder is None and not self.peer.table:
            self._early = secrets  # nothing hangs on them before there is a journal
            return False
        self._early = ()
        unkept = False
        for name, data in secrets:
            if data:
                unkept |= not self._keeps(partial(self._keep, name, data)) and name != PEERS
        self._write_whole(effects)
        for name, data in secrets:
            if not data and self._folder is not None:
                self._keeps(partial(self._folder.keep, name, b""))
        return unkept

    def _write_whole(self, effects: Effects) -> None:
        """The journal, and what our word is worth by it to who reopens the folder."""
        written = self._keeps(partial(self._write_journal, effects))
        if self._whole and not written:
            self._whole = False
            self._keeps(lambda: self._the_folder().doubt())
        elif written and not self._whole:
            self._whole = self._keeps(lambda: self._the_folder().trust())

    def _keeps(self, work: Callable[[], None]) -> bool:
        """Does something with the folder; whether it could be done."""
        try:
            work()
        except UserError as error:
            if self.host is not None:
                raise
            _log.warning("not kept: %s", error)
            return False
        return True

    def _keep(self, name: str, data: bytes) -> None:
        self._the_folder().keep(name, data)

    def _write_journal(self, effects: Effects) -> None:
        if effects.rewind is not None:
            self._the_folder().rewind(effects.rewind)
        if effects.entries or not self._whole:
            self._the_folder().append(effects.entries)

    def _the_folder(self) -> TableFolder:
        if self._folder is None:
            if self._hands.folder is None:
                raise ValueError("nothing is kept of this table")
            self._folder = self._hands.folder(self.peer.table)
        return self._folder

    def _stop_hosting(self, error: UserError) -> None:
        """We can't keep our journal: alone we close the table, else we fall silent and the others find another host."""
        voters = self.guest.public.voters
        if len(voters) > 1:
            self._tell(Failed(f"{error} The others go on without this program.", error.exit_code))
            self._tell(Closed("lost", ""))
            return
        self._tell(Failed(f"{error} The table is closed.", error.exit_code))
        if not self.closed and self.host is not None and not self.host.closed:
            self._pass_on(self.peer.order(("close", "the host can't write its journal"), now()))

    # ---- the code

    def _answer_run(self, run: PakeRun) -> None:
        task = self._loop.create_task(self._agree(run))
        self._runs.add(task)
        task.add_done_callback(self._runs.discard)

    async def _agree(self, run: PakeRun) -> None:
        """Our half of a run takes milliseconds of arithmetic: in a thread, so that nobody else waits for it."""
        sides = (run.code, run.key, self._hands.key, run.session, run.point)
        try:
            point, secret = await asyncio.to_thread(answer, *sides, secrets.token_bytes)
        except ProtocolError:
            point = secret = b""
        self.feed(Agreed(LinkId(run.link), point, secret))

    # ---- bots

    def _bot_chose(self, turn: BotTurn, action: str) -> None:
        self.feed(BotChose(turn.seat, action, turn.head))

    def _play_own_seat(self) -> None:
        guest, view = self.guest, self.guest.my_turn
        level, program = self._hands.level, self._hands.program
        if not (level or program) or view is None or self._chosen_at == guest.journal.head:
            return
        self._chosen_at = guest.journal.head
        chosen = partial(self._chose, view)
        if program is not None:
            clock = int(guest.public.setting("turn_seconds")) / 2  # the rest is for the way
            self._moves.ask(program, guest.public.rules, view, guest.match, clock or None, chosen)
        else:
            self._moves.later(level, guest.public.rules, view, chosen)

    def hint(self) -> bool:
        """Has the strongest bot think about our turn, and tells of it; False where it isn't our turn."""
        guest, view = self.guest, self.guest.my_turn
        if view is None:
            return False
        self._moves.advise(guest.public.rules, view, partial(self._hinted, view))
        return True

    def _hinted(self, view: object, thought: Thought[str]) -> None:
        if self.guest.my_turn == view:  # else it is too late to be of use
            self._tell(Hinted(thought.action, thought.second or "", thought.worlds, thought.sure))

    def _chose(self, view: object, action: str) -> None:
        if self.guest.my_turn == view:
            self.feed(Chose(action))


def _as_seen(hello: Hello, link: Link) -> Hello:
    """The same with the address that it came from first: that one leads to it, from here at least.

    An address that means nothing elsewhere is passed on only by who tells no other.
    """
    host = link.address[0]
    if not hello.port or "%" in host or not host:
        return hello
    if hello.addresses and ipaddress.ip_address(host).is_loopback:
        return hello
    seen = pack_targets((host,), hello.port)
    return structs.replace(hello, addresses=tuple(dict.fromkeys((*seen, *hello.addresses)))[:MOST_TARGETS])
