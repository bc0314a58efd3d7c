"""Without a screen: a table that runs by itself, and a client for programs. Events go to standard output."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TextIO

from p2pcards.commands.command import Command
from p2pcards.errors import UserError
from p2pcards.table.notices import Closed, CodeIs, Failed, MatchOver, Notice, Spoken
from p2pcards.table.tableview import Stage
from p2pcards.ui import events
from p2pcards.ui.conversation import LEAVING, Conversation, exit_code
from p2pcards.ui.ports import Node
from p2pcards.ui.prompt import Answer, Kind, Prompt
from p2pcards.ui.streams import Out, RawInput
from p2pcards.ui.voice import Cards

CLOSING = 10.0
"""Seconds in which a table of our own closes by itself after its match."""

PARTING = 1.0
"""Seconds that a guest waits after the match for the host to close the table, before it leaves."""


async def run_json(
    node: Node,
    stdin: RawInput | None,
    stdout: TextIO,
    *,
    rules: Callable[[str], str],
    first: Command | None = None,
    stay: bool = True,
) -> int:
    """A client for programs: commands in, events out; the exit code."""
    prompt = Prompt(node, Cards.SIGNS, rules)
    prompt.settings.asks = False
    voice = Json(node, prompt, Out(stdout, lambda: talk.stop()), lists=stay)
    talk = Conversation(node, prompt, voice, terminal=False, stay=stay, look=0.0)
    try:
        return await talk.run(stdin, first)
    except UserError as error:
        return voice.failed(error)


async def run_kept(
    node: Node,
    stdin: RawInput | None,
    stdout: TextIO,
    *,
    json: bool,
    rules: Callable[[str], str],
    first: Command,
    cards: Cards = Cards.SIGNS,
) -> int:
    """A table that stays open, over all its matches; the exit code. The node plays our seat, and starts each match.

    Commands come in as at any table, and nothing is asked back. Where no more of them can come it goes on.
    """
    prompt = Prompt(node, cards, rules)
    prompt.settings.asks = False
    out = Out(stdout, lambda: talk.stop())
    voice = Json(node, prompt, out, lists=False) if json else Told(prompt, out)
    talk = Conversation(node, prompt, voice, terminal=False, stay=False, look=0.0, lasts=True)
    try:
        return await talk.run(stdin, first)
    except UserError as error:
        return voice.failed(error)


async def run_headless(
    node: Node,
    stdout: TextIO,
    *,
    json: bool,
    rules: Callable[[str], str],
    first: Command | None = None,
    cards: Cards = Cards.SIGNS,
) -> int:
    """Tells what happens until the match is over; the exit code. The node plays our seat and starts our table."""
    gone = asyncio.Event()
    prompt = Prompt(node, cards, rules)
    out = Out(stdout, gone.set)
    voice = Json(node, prompt, out, lists=False) if json else Told(prompt, out)
    watch = Watch(node, voice, gone)
    try:
        if first is not None:
            node.do(first)
    except UserError as error:
        return voice.failed(error)
    return await watch.run()


class Json:
    """Tells everything as events. lists: the list of tables, too, as it changes while we are at none."""

    def __init__(self, node: Node, prompt: Prompt, out: Out, *, lists: bool) -> None:
        self._node, self._prompt, self._out, self._lists = node, prompt, out, lists
        self._listed: list[events.Event] = []  # as told last

    def heard(self, notice: Notice | None) -> None:
        """The events of a notice."""
        if notice is None:
            if self._lists and self._node.table is None and self._tables() != self._listed:
                self._list()
            return
        self._prompt.heard(notice)
        if not self._prompt.hears(notice):
            return
        text = " ".join(self._prompt.words.notice(notice, self._node.table))
        for event in events.events(notice, text):
            self._tell(event)

    def answer(self, answer: Answer) -> None:
        """A refusal, or what was asked."""
        if answer.kind is Kind.WRONG:
            text = " ".join(answer.lines)
            error = answer.code == "error"
            self._tell({"event": "error", "text": text} if error else _refused(answer.code, text))
        elif answer.command is not None and answer.command.verb == "list":
            self._list()
        elif answer.command is not None and answer.command.verb == "legal":
            self._tell({"event": "legal", "actions": self._legal()})
        elif answer.lines and answer.command is not None:
            self._tell({"event": "answer", "command": answer.command.verb, "lines": answer.lines})

    def failed(self, error: UserError) -> int:
        """What it all began with can't be done: an event and the exit code."""
        self._tell({"event": "error", "text": str(error)})
        return error.exit_code

    def ready(self) -> None:
        """Programs need no prompt."""

    def typed(self, line: str | None) -> None:
        """Programs know what they wrote."""

    def at_end(self) -> None:
        """Programs that say nothing are told nothing more."""

    def _list(self) -> None:
        self._listed = self._tables()
        self._tell({"event": "tables", "tables": self._listed})

    def _tables(self) -> list[events.Event]:
        return [events.listed(row) for row in self._node.home.rows]

    def _legal(self) -> list[str]:
        context = self._prompt.here.context()
        mine = context.me in context.to_act and context.legal is not None
        return sorted(context.legal.lines) if mine and context.legal is not None else []

    def _tell(self, event: events.Event) -> None:
        self._out.line(events.encode(event))


class Told:
    """Tells everything in sentences, to a log or to somebody who only looks on. secrets: the join code and what is said
    to one person alone, too."""

    def __init__(self, prompt: Prompt, out: Out, *, secrets: bool = True) -> None:
        self._prompt, self._out, self._secrets = prompt, out, secrets

    def heard(self, notice: Notice | None) -> None:
        """The sentences of a notice."""
        if not self._secrets and (isinstance(notice, CodeIs) or (isinstance(notice, Spoken) and notice.to)):
            return
        for line in () if notice is None else self._prompt.heard(notice):
            self._out.line(line)

    def answer(self, answer: Answer) -> None:
        """What came of a command, in as many lines as it takes."""
        for line in answer.lines:
            self._out.line(line)

    def failed(self, error: UserError) -> int:
        """What it all began with can't be done: the command line says so on standard error."""
        raise error

    def ready(self) -> None:
        """Nobody looks for a prompt."""

    def typed(self, line: str | None) -> None:
        """Who wrote it knows."""

    def at_end(self) -> None:
        """Nobody is at home."""


class Watch:
    """Runs a table without anybody at the keyboard."""

    def __init__(self, node: Node, voice: Json | Told, gone: asyncio.Event) -> None:
        self._node, self._voice, self._gone = node, voice, gone
        self._match_over = asyncio.Event()
        self._closed = asyncio.Event()
        self._stage: Stage | None = None
        self._code = 0
        node.listen(self._heard)

    async def run(self) -> int:
        """Waits for the end of the match, then for the end of the table; leaves a table that stays open."""
        ends = [asyncio.create_task(event.wait()) for event in (self._match_over, self._closed, self._gone)]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in ends:
                end.cancel()
        await asyncio.gather(*ends, return_exceptions=True)
        table = self._node.table
        if self._match_over.is_set():
            await self._wait(CLOSING if table is not None and table.mine else PARTING)
        if not self._closed.is_set() and self._node.table is not None:
            self._node.do(Command("leave"))
            await self._wait(LEAVING)
        return 0 if self._match_over.is_set() else self._code

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._closed.wait()
        except TimeoutError:
            return

    def _heard(self, notice: Notice | None) -> None:
        table = self._node.table
        if table is not None:
            self._stage = table.stage
        try:
            self._voice.heard(notice)
        finally:  # what can't be told has happened all the same
            self._happened(notice)

    def _happened(self, notice: Notice | None) -> None:
        match notice:
            case MatchOver():
                self._match_over.set()
            case Failed() if self._node.table is None:
                self._code = notice.exit_code
                self._closed.set()
            case Closed():
                self._code = exit_code(notice, self._gone.is_set(), self._stage)
                self._closed.set()


def _refused(code: str, text: str) -> events.Event:
    return {"event": "refused", "reason": code, "text": text}
