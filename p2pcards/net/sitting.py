"""The table this program sits at: runs the machines and carries out what they ask for, in order.

    sitting = Sitting(guest, host, hands)      # host: None unless the table is ours
    sitting.open()                             # the host's first entries, the own guest's link
    sitting.add(link)                          # a link that came in, or the one we dialled
    sitting.feed_guest(Chose("draw"))
    sitting.feed_host(Ordered(("start",)))

Inputs wait in one queue, so that no machine is entered while another is at work. What an input leads to is done before
the next is looked at: secrets and entries are in their files before the first message leaves (protocol 6.2).
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable
from functools import partial

from msgspec import Struct

from p2pcards.bots.registry import bot
from p2pcards.errors import ProtocolError, UserError
from p2pcards.games.base import Rng
from p2pcards.net.clock import now
from p2pcards.net.files import TableFolder
from p2pcards.net.link import Link
from p2pcards.table.effects import (
    OWN_LINK,
    Agreed,
    BotChose,
    Chose,
    Effects,
    Input,
    LinkDown,
    LinkId,
    LinkUp,
    Ordered,
    Received,
    Woke,
)
from p2pcards.table.guest import Guest
from p2pcards.table.host import Host
from p2pcards.table.notices import BotTurn, Failed, Knocked, Notice, PakeRun
from p2pcards.wire.code import answer
from p2pcards.wire.messages import Close, Message

_log = logging.getLogger(__name__)

DOOR_SECONDS = 65.0
"""How long a link waits at the door while we are asked; the host has turned it away by then (protocol 4.5)."""


class Hands(Struct, frozen=True):
    """What a sitting works with.

    key: our own. folder: makes the table's folder, None where nothing is kept. heard: takes every notice. moved: called
    when the machines may have changed. rng, pace: of bots, seconds between their moves. level: of the bot that plays
    our own seat, "" for a person.
    """

    key: bytes
    folder: Callable[[bytes], TableFolder] | None
    heard: Callable[[Notice], None]
    moved: Callable[[], None]
    rng: Rng
    pace: float = 0.0
    level: str = ""


class Sitting:
    """One guest, and one host if the table is ours, with their links, clocks, bots and files."""

    def __init__(self, guest: Guest, host: Host | None, hands: Hands) -> None:
        self.guest, self.host, self._hands = guest, host, hands
        self._loop = asyncio.get_running_loop()
        self._links: dict[LinkId, Link] = {}
        self._next_link = OWN_LINK + 1
        self._queue: deque[Callable[[], None]] = deque()
        self._busy = False
        self._folder: TableFolder | None = None
        self._wakes: dict[str, asyncio.TimerHandle] = {}
        self._moves: set[asyncio.TimerHandle] = set()
        self._runs: set[asyncio.Task[None]] = set()  # guesses at the code that are being answered
        self._chosen_at = -1  # journal index at which our own bot was asked
        self._kept = True  # the journal can be written
        self.closed = False

    # ---- inputs

    def open(self) -> None:
        """Begins a table of our own: its first entries, and our own guest in it; UserError where they can't be kept."""
        if self.host is None:
            raise ValueError("not our table")
        opened = self.host.open(now())
        self._keep(opened)
        self._queue.append(lambda: self._pass_on(opened))
        self.feed_host(LinkUp(OWN_LINK, self._hands.key))
        self.feed_guest(LinkUp(OWN_LINK, self._hands.key))

    def add(self, link: Link) -> None:
        """Takes a link: a newcomer's goes to the host, one that we dialled to the guest."""
        number = LinkId(self._next_link)
        self._next_link += 1
        self._links[number] = link
        feed = self.feed_host if link.newcomer else self.feed_guest
        feed(LinkUp(number, link.key, link.session.th3))
        link.start(
            lambda message: self._incoming(number, message, feed),
            lambda why: self._gone(number, feed),
        )

    def feed_guest(self, happened: Input) -> None:
        """One input for the guest; it may be carried out later than this returns."""
        self._put(lambda: self._carry_guest(self.guest.handle(happened, now())))

    def feed_host(self, happened: Input) -> None:
        """One input for the host."""
        host = self.host
        if host is not None:
            self._put(lambda: self._carry_host(host.handle(happened, now())))

    def order(self, *words: str) -> None:
        """What the person at the host's keyboard orders; raises UserError at once when it can't be done."""
        if self.host is None:
            raise UserError("Only the host can do that.")
        effects = self.host.handle(Ordered(words), now())
        self._put(lambda: self._carry_host(effects))

    def close(self) -> None:
        """Lets go of everything at once; links get no good-bye that the machines have not said, and nothing is told."""
        self.closed = True
        self._queue.clear()
        for timer in (*self._wakes.values(), *self._moves):
            timer.cancel()
        for run in self._runs:
            run.cancel()
        for link in list(self._links.values()):
            link.abort("the program ends")
        self._links.clear()
        if self._folder is not None:
            self._folder.remove()
            self._folder = None

    # ---- the pump

    def _put(self, work: Callable[[], None]) -> None:
        self._queue.append(work)
        if self._busy or self.closed:
            return
        self._busy = True
        try:
            while self._queue and not self.closed:
                self._queue.popleft()()
        finally:
            self._busy = False
        if not self.closed:
            self._play_own_seat()
            self._hands.moved()

    def _incoming(self, number: LinkId, message: Message, feed: Callable[[Input], None]) -> None:
        if isinstance(message, Close):
            self._links.pop(number, None)
        feed(Received(number, message))

    def _gone(self, number: LinkId, feed: Callable[[Input], None]) -> None:
        if self._links.pop(number, None) is not None:
            feed(LinkDown(number))

    # ---- effects

    def _carry_host(self, effects: Effects) -> None:
        try:
            self._keep(effects)
        except UserError as error:
            self._stop_unkept(error)
        else:
            self._pass_on(effects)

    def _pass_on(self, effects: Effects) -> None:
        """What a host wants done once its entries are in the file."""
        for number, message in effects.outgoing:
            if number == OWN_LINK:
                self.feed_guest(Received(OWN_LINK, message))
            else:
                self._send(number, message)
        for notice in effects.notices:
            if isinstance(notice, BotTurn):
                self._later(partial(self._answer, notice))
            elif isinstance(notice, PakeRun):
                self._answer_run(notice)
            else:
                if isinstance(notice, Knocked) and (link := self._links.get(LinkId(notice.link))) is not None:
                    link.patience(DOOR_SECONDS)
                self._tell(notice)
        self._wake("host", effects.wake_at, self.feed_host)

    def _carry_guest(self, effects: Effects) -> None:
        if self.host is None:
            try:
                self._keep(effects)
            except UserError as error:  # a guest can play on without its copy; one with a hole is worth nothing
                self._kept = False
                _log.warning("journal not kept: %s", error)
        for number, message in effects.outgoing:
            if number == OWN_LINK:
                self.feed_host(Received(OWN_LINK, message))
            else:
                self._send(number, message)
        for notice in effects.notices:
            self._tell(notice)
        self._wake("guest", effects.wake_at, self.feed_guest)

    def _tell(self, notice: Notice) -> None:
        if not self.closed:
            self._hands.heard(notice)

    def _keep(self, effects: Effects) -> None:
        if not (effects.secrets or effects.entries) or self._hands.folder is None or not self._kept:
            return
        if self._folder is None:
            journal = self.host.public.journal if self.host else self.guest.journal
            self._folder = self._hands.folder(journal.table)
        for name, data in effects.secrets:
            if data:
                self._folder.keep(name, data)
        self._folder.append(effects.entries)
        for name, data in effects.secrets:
            if not data:
                self._folder.keep(name, b"")

    def _stop_unkept(self, error: UserError) -> None:
        """A host that can't keep its journal must not go on: a crash would make it tell two histories."""
        self._tell(Failed(f"{error} The table is closed.", error.exit_code))
        self._kept = False
        if self.host is not None and not self.host.closed:
            self._carry_host(self.host.handle(Ordered(("close", "the host can't write its journal")), now()))

    def _send(self, number: LinkId, message: Message) -> None:
        link = self._links.get(number)
        if link is not None:
            link.send(message)
            if isinstance(message, Close):
                del self._links[number]

    def _wake(self, who: str, at: float | None, feed: Callable[[Input], None]) -> None:
        timer = self._wakes.pop(who, None)
        if timer is not None:
            timer.cancel()
        if at is not None and not self.closed:
            self._wakes[who] = self._loop.call_later(max(0.0, at - now()), feed, Woke())

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
        self.feed_host(Agreed(LinkId(run.link), point, secret))

    # ---- bots

    def _answer(self, turn: BotTurn) -> None:
        self.feed_host(BotChose(turn.seat, self._choice(turn.level, turn.view), turn.head))

    def _play_own_seat(self) -> None:
        guest, view = self.guest, self.guest.my_turn
        if not self._hands.level or view is None or self._chosen_at == guest.journal.last:
            return
        self._chosen_at = guest.journal.last
        self._later(self._move)

    def _move(self) -> None:
        view = self.guest.my_turn
        if view is not None:
            self.feed_guest(Chose(self._choice(self._hands.level, view)))

    def _choice(self, level: str, view: object) -> str:
        game = self.guest.public.rules
        return game.format(bot(game.name, level).choose(game, view, self._hands.rng))

    def _later(self, move: Callable[[], None]) -> None:
        """A bot's move after its pace; without one in the next turn of the loop."""

        def due() -> None:
            self._moves.discard(timer)
            move()

        timer = self._loop.call_later(self._hands.pace, due)
        self._moves.add(timer)
