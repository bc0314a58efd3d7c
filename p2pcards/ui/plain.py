"""Plain mode: the whole program as lines, one full sentence per event, for screen readers, pipes and scripts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TextIO

from p2pcards.commands.command import Command
from p2pcards.table.listing import Row
from p2pcards.table.notices import (
    Audited,
    CardsChanged,
    Closed,
    Entered,
    MatchOver,
    Notice,
    Opened,
    RoundStarted,
    TurnOf,
)
from p2pcards.table.settings import DOORS
from p2pcards.table.tableview import Stage
from p2pcards.ui import queries, whois
from p2pcards.ui.choices import Keep, nowhere
from p2pcards.ui.conversation import Conversation
from p2pcards.ui.habits import USUAL, Habits
from p2pcards.ui.ports import Node
from p2pcards.ui.prompt import Answer, Kind, Prompt
from p2pcards.ui.signals import interrupts
from p2pcards.ui.streams import Out, RawInput, columns
from p2pcards.ui.tell import Teller
from p2pcards.ui.voice import Cards
from p2pcards.ui.ways import Ways
from p2pcards.ui.words_trust import TRUST

PROMPT = "> "
BELL = "\a"
QUIET = 0.05
"""Seconds without news until the prompt comes back, so that several have one."""
LOOK = 1.5
"""Seconds to look for tables when nobody will type anything."""


async def run_plain(
    node: Node,
    stdin: RawInput | None,
    stdout: TextIO,
    *,
    rules: Callable[[str], str],
    terminal: bool = False,
    first: Command | None = None,
    stay: bool = True,
    look: float = LOOK,
    habits: Habits = USUAL,
    keep: Keep = nowhere,
) -> int:
    """Runs until the person leaves, input ends or (unless `stay`) the table is over; the exit code.

    rules: a game's rules as text. terminal: a person types, so there is a prompt and a bell. first: done before any
    line, `host` or `join` of the command line; its UserError is raised.
    """
    prompt = Prompt(node, Cards.WORDS, rules, habits=habits, keep=keep)
    voice = Plain(node, prompt, Out(stdout, lambda: talk.stop()), terminal, habits.sound_command)
    talk = Conversation(node, prompt, voice, terminal=terminal, stay=stay, look=look)
    if first is None and node.table is None:
        voice.greet()
    if not terminal:
        return await talk.run(stdin, first)
    with interrupts(asyncio.get_running_loop(), talk.interrupt):
        return await talk.run(stdin, first)


class Plain:
    """Tells everything in sentences."""

    def __init__(self, node: Node, prompt: Prompt, out: Out, terminal: bool, sound: str = "") -> None:
        """sound: the command line that plays one."""
        self._node, self._prompt, self._out, self._terminal = node, prompt, out, terminal
        write = out.write if terminal else None
        ways = Ways(ring=partial(out.write, BELL) if terminal else None, write=write, command=sound)
        self._teller = Teller(node, prompt, ways)
        self._asking = False  # the prompt stands at the end of what was written
        self._again: asyncio.TimerHandle | None = None  # it comes back behind the news
        self._ended = False  # no line will come any more
        self._dealt = False  # the cards of a new round are to be told
        self._known: dict[bytes, Row] = {}  # tables that were told, once they had answered, so with their rules
        self._known.update(self._answering())

    def greet(self) -> None:
        """Who one is and what can be typed."""
        shown = self._node.home
        on = ", ".join(f"{name} {address}" for name, address in shown.interfaces)
        self._say(f"You are {shown.nick} ({shown.words}){f' on {on}' if on else ''}.")
        if self._terminal:
            for line in queries.kept(shown):
                self._say(line)
            self._say("`help` explains, `list` shows the tables on this network.")

    def heard(self, notice: Notice | None) -> None:
        """Tells a notice; at home, tables that come and go."""
        self._teller.heard(notice)
        if notice is None:
            self._list_changed()
            return
        for line in self._prompt.heard(notice):
            self._say(line)
        match notice:
            case RoundStarted():
                self._dealt = True
            case CardsChanged() if self._dealt:
                self._dealt = False
                if not self._prompt.settings.cover.on_turn:
                    self._tell_hand()
            case TurnOf(_, True, fresh):
                self._tell_turn(fresh)
            case Closed():
                self._dealt = False
            case Audited():
                self._tell_what_next(Stage.BETWEEN)
            case MatchOver():
                self._tell_what_next(Stage.OVER)
            case Opened():
                self._tell_door()
            case Entered() if not self._node.alone:
                self._say(f"{TRUST[0].upper()}{TRUST[1:]}; `help deal` tells more.")

    def answer(self, answer: Answer) -> None:
        """Tells what came of a line."""
        for line in answer.lines:
            self._say(line)
        if answer.kind is Kind.DONE and self._node.table is None and self._node.home.joining:
            self._say(f"Looking for {queries.wanted(self._node.home)}; `leave` gives up.")

    def ready(self) -> None:
        """The prompt, where a person types."""
        if self._again is not None:
            self._again.cancel()
            self._again = None
        if self._terminal and not self._asking:
            self._out.write(PROMPT)
            self._asking = True

    def typed(self, line: str | None) -> None:
        """The cursor stands at the beginning of a line again. After the last line the list is told as a whole."""
        if line is None and self._asking:
            self._out.write("\n")  # nobody has pressed Enter
        self._asking, self._ended = False, line is None
        if self._again is not None:
            self._again.cancel()
            self._again = None

    def at_end(self) -> None:
        """The list of tables."""
        for line in queries.tables(self._node.home, self._prompt.here.context()):
            self._say(line)

    def _say(self, line: str) -> None:
        if self._asking:  # a sentence in the middle of typing begins a line of its own
            self._out.write("\n")
            self._asking = False
            self._again = asyncio.get_running_loop().call_later(QUIET, self.ready)
        for piece in self._pieces(line):
            self._out.line(piece)

    def _pieces(self, line: str) -> list[str]:
        """The sentence, on a terminal in lines that break between words."""
        width = columns(self._out.stdout) if self._terminal else 0
        if not width:
            return [line]
        from p2pcards.ui.width import wrap  # nobody else here needs what it brings along

        return wrap(line, width)

    def _tell_hand(self) -> None:
        if not self._prompt.hidden:
            for line in queries.hand(self._prompt.here.context(), self._prompt.words):
                self._say(line)

    def _tell_turn(self, fresh: bool) -> None:
        if fresh and self._prompt.settings.cover.on_turn:
            self._tell_hand()
        if self._prompt.settings.coach:
            self._say(self._prompt.coach())
        elif fresh:
            self._say("Your turn.")

    def _tell_door(self) -> None:
        """How others come to our table."""
        if self._node.home.join_line:
            self._say(f"Who does not see it can type: {self._node.home.join_line}")
        table = self._node.table
        if table is not None and table.door != DOORS[0]:
            self._say(whois.door(table, self._node)[0])

    def _tell_what_next(self, stage: Stage) -> None:
        """What can be done after a round or a match, where that is how the table stands."""
        table = self._node.table
        if table is not None and table.stage is stage and self._prompt.settings.coach:
            for line in (self._prompt.coach(), *queries.goes_on(table, self._node.now())):
                self._say(line)

    def _answering(self) -> dict[bytes, Row]:
        """The tables that have answered, those that fell silent since included."""
        rows = self._node.home.rows
        return {row.table: row for row in rows if row.answers or row.version or row.table in self._known}

    def _list_changed(self) -> None:
        rows = self._node.home.rows
        known, self._known = self._known, self._answering()
        if self._node.table is not None or self._ended:
            return
        for row, listed in zip(rows, self._prompt.here.context().listed, strict=True):
            if row.table in self._known and row.table not in known and self._lists(row):
                self._say(f"There is a table: {queries.table_line(row, listed)}")
        for table, row in known.items():
            if table not in self._known and self._lists(row):
                self._say(f"The table {row.title} is gone.")

    def _lists(self, row: Row) -> bool:
        """Whether the person wants to hear of the table."""
        return row.lab or not self._prompt.settings.lab_only
