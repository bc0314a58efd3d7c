"""The conversation without a screen: lines in, notices out, until one side has enough. Plain mode and JSON share it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from p2pcards.commands.command import Command
from p2pcards.commands.questions import question
from p2pcards.errors import UserError
from p2pcards.table.notices import Closed, Failed, Notice
from p2pcards.table.tableview import Stage
from p2pcards.ui import words_forced
from p2pcards.ui.apart import apart
from p2pcards.ui.faults import loud
from p2pcards.ui.forced import Forced
from p2pcards.ui.ports import Node
from p2pcards.ui.prompt import NO, Answer, Kind, Prompt
from p2pcards.ui.signals import INTERRUPTED
from p2pcards.ui.streams import RawInput, read_lines

SETTLING = dict.fromkeys(("join", "watch", "resume", "host", "practise"), 10.0)
SETTLE = 2.0
"""Seconds that a script's next line waits at most for what comes of a command, so that it means the place after it."""

LEAVING = 4.0
"""Seconds that leaving may take; the table says good-bye in less."""

NO_TABLE, REFUSED, LOST = 3, 4, 5
_LOST = frozenset({"lost", "broken", "not_the_host"})


class Teller(Protocol):
    """How one kind of listener is told."""

    def heard(self, notice: Notice | None) -> None:
        """Tells a notice; None: the list of tables changed."""

    def answer(self, answer: Answer) -> None:
        """Tells what came of a line."""

    def ready(self) -> None:
        """The next line can come."""

    def typed(self, line: str | None) -> None:
        """It came; None: none will come any more."""

    def at_end(self) -> None:
        """Standard input was closed before anything was typed, at home: shows what there is."""


def exit_code(closed: Closed, asked: bool, stage: Stage | None) -> int:
    """Of a table that we are no longer at. asked: we left by ourselves; stage: where the table stood."""
    if closed.reason in ("left", "hung_up"):
        return 0
    if closed.reason == "bye":
        return 0 if asked or stage is Stage.OVER else LOST
    if closed.reason == "no_such_table":
        return NO_TABLE
    return LOST if closed.reason in _LOST else REFUSED


class Conversation:
    """One program's talk. stay: whether there is a home to come back to after a table; look: seconds to look around.

    lasts: the end of input ends nothing, for the table needs nobody.
    """

    def __init__(
        self,
        node: Node,
        prompt: Prompt,
        voice: Teller,
        *,
        terminal: bool,
        stay: bool,
        look: float,
        lasts: bool = False,
    ) -> None:
        self._node, self._prompt, self._voice = node, prompt, voice
        self._terminal, self._stay, self._look, self._lasts = terminal, stay, look, lasts
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self._news = asyncio.Event()
        self._told = 0
        self._forced = Forced(node, prompt, armed=self._tell_forced, enter=True)
        self._over = asyncio.Event()
        self._stage: Stage | None = None
        self._unheard = False  # nobody reads what we say
        self._interrupts = 0  # since a line was typed
        self._broken_off = False  # by them
        self._began = 0.0  # when it began to look for tables
        self.code = 0
        node.listen(self._heard)

    async def run(self, stdin: RawInput | None, first: Command | None) -> int:
        """Talks until it is over; the exit code. first: done before any line; raises its UserError."""
        self._began = asyncio.get_running_loop().time()
        if first is not None:
            self._prompt.did = first.verb
            self._node.do(first)
        talk = asyncio.create_task(self._talk(first, stdin))
        over = asyncio.create_task(self._over.wait())
        try:
            await asyncio.wait((talk, over), return_when=asyncio.FIRST_COMPLETED)
        finally:
            over.cancel()
            if not talk.done():
                talk.cancel()
        await asyncio.gather(over, return_exceptions=True)
        with suppress(asyncio.CancelledError):
            await talk
        return INTERRUPTED if self._broken_off else self.code

    def stop(self) -> None:
        """Nobody listens any more: leaves politely."""
        self._unheard = True
        self._typed.put_nowait(None)
        self._news.set()

    def interrupt(self) -> None:
        """Ctrl-C of somebody who types: it drops what was asked, asks where leaving asks, and the next one leaves."""
        self._interrupts += 1
        if self._interrupts == 1 and self._prompt.question:
            self._interrupts = 0
            self._voice.answer(self._prompt.enter(NO[0]))
        elif self._interrupts > 1 or not self._asks_at_end():
            self._broken_off = True
            self._typed.put_nowait(None)
            return
        self._voice.ready()

    def _heard(self, notice: Notice | None) -> None:
        table = self._node.table
        if table is not None:
            self._stage = table.stage
        try:
            self._voice.heard(notice)
            self._forced.heard(notice)
        finally:  # what can't be told has happened all the same
            self._happened(notice)

    def _happened(self, notice: Notice | None) -> None:
        self._told += notice is not None
        self._news.set()
        if self._stay:
            return
        if isinstance(notice, Closed):
            self.code = exit_code(notice, self._prompt.leaving, self._stage)
            self._over.set()
        elif isinstance(notice, Failed) and self._node.table is None:
            self.code = notice.exit_code
            self._over.set()

    async def _talk(self, first: Command | None, stdin: RawInput | None) -> None:
        taken = read_lines(stdin, self._typed.put_nowait)
        typed, asked = False, False
        if first is not None and not self._terminal:
            await self._until(lambda: self._told > 0, SETTLING.get(first.verb, SETTLE))
        while True:
            await self._until(lambda: self._node.table is None or not self._node.table.pending, SETTLING["join"])
            self._voice.ready()
            line = await self._typed.get()
            taken()
            self._voice.typed(line)
            if line is None and self._lasts and not self._unheard:
                self._node.unattended()
                continue  # the next one is that nobody reads what we say
            interrupted, self._interrupts = self._interrupts, 0
            stopped = self._forced.stop()
            if line is None:
                if interrupted or asked or not self._asks_at_end():
                    break
                asked, taken = True, read_lines(stdin, self._typed.put_nowait)  # a terminal goes on behind Ctrl-D
                continue
            typed, asked = True, False
            if stopped and not line.strip():
                self._answer(words_forced.STOPPED)
            if not await self._enter(line):
                return
            self._forced.look()
        if not self._terminal:
            await self._arrived()
        if self._node.table is not None:
            await self._enter("leave", sure=True)
        elif not typed and self._stay and not self._broken_off:
            await asyncio.sleep(self._look)
            self._voice.at_end()

    async def _arrived(self) -> None:
        """Where no line can come any more, a table that we are on the way to still answers; a code it can't have."""
        while self._node.home.joining and not self._unheard:
            self._news.clear()
            if self._node.home.asking:
                with suppress(UserError):
                    self._node.do(Command("code"))
            await self._news.wait()

    def _asks_at_end(self) -> bool:
        """Ctrl-D on a terminal is `quit`, so it asks where that asks."""
        context = self._prompt.here.context()
        if not self._terminal or self._unheard or self._prompt.question or not question(Command("quit"), context):
            return False
        self._voice.answer(self._prompt.enter("quit"))
        return True

    async def _enter(self, line: str, *, sure: bool = False) -> bool:
        """Does one line; False when it ends the program. sure: nothing is asked before."""
        told = self._told
        if self._forced.repeats(line):
            self._answer(words_forced.played(self._forced.last))
            return True
        try:
            answer = self._prompt.enter(line, sure=sure)
            if answer.command is not None and answer.command.verb == "list" and await self._looked():
                answer = self._prompt.enter(line, sure=sure)
            if answer.later is not None:
                answer = await apart(answer.later)
            self._voice.answer(answer)
        except Exception as error:  # whatever goes wrong in it ends nothing
            loud(error, "a line")
            return True
        if answer.kind is not Kind.DONE or answer.command is None:
            return True
        if self._prompt.leaving:
            await self._until(lambda: self._node.table is None, LEAVING)
            return answer.command.verb != "quit" and self._stay
        if not self._terminal:
            await self._until(lambda: self._told > told, SETTLING.get(answer.command.verb, SETTLE))
        return True

    async def _looked(self) -> bool:
        """Whether it was waited until tables had time to be found: a script asks at once and does not ask again."""
        left = self._began + self._look - asyncio.get_running_loop().time()
        if self._terminal or self._node.table is not None or left <= 0:
            return False
        await asyncio.sleep(left)
        return True

    def _tell_forced(self) -> None:
        self._answer(self._forced.sentence)

    def _answer(self, text: str) -> None:
        self._voice.answer(Answer(Kind.SHOWN, (text,), Command("forced")))

    async def _until(self, true: Callable[[], bool], seconds: float) -> None:
        """Waits for what notices bring about, so long at most."""
        try:
            async with asyncio.timeout(seconds):
                while not true():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            return
