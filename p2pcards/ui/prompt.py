"""What a typed line does: the one core under the screen, plain mode and the JSON client.

A line is parsed in its context; what the node carries out is handed to it, what the screen knows by itself is answered
in sentences, and what can't be taken back is asked about once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import Enum

from msgspec import Struct

from p2pcards.commands.arrange import ORDERS
from p2pcards.commands.coach import coach
from p2pcards.commands.command import Command, Problem, Trouble
from p2pcards.commands.parse import parse
from p2pcards.commands.table import ASKING_VERBS, By, Entry, named
from p2pcards.errors import UserError
from p2pcards.table.notices import Acted, Notice
from p2pcards.ui import queries
from p2pcards.ui.context import Here
from p2pcards.ui.ports import Node
from p2pcards.ui.voice import Cards, sentence
from p2pcards.ui.words import Words

LOG_LENGTH = 500
"""Sentences that are kept for `log`."""

BELL_SECONDS = 1.0
"""Between two rings of the bell: what others do must not make a siren of it."""

LEAVING = frozenset({"leave", "ragequit", "quit"})
"""Commands after which we are no longer at the table."""

YES = ("yes", "y")
NO = ("no", "n", "")


class Kind(Enum):
    """What came of a line."""

    NOTHING = "nothing"  # an empty line
    DONE = "done"  # the node has it; what comes of it arrives as notices
    SHOWN = "shown"  # answered here
    ASKED = "asked"  # waits for yes or no
    WRONG = "wrong"  # refused; nothing has changed


class Answer(Struct, frozen=True):
    """What came of a line: the command where it was one, the sentences to show, a refusal's code."""

    kind: Kind
    lines: tuple[str, ...] = ()
    command: Command | None = None
    code: str = ""


class Settings(Struct):
    """What only this screen knows. asks: whether irreversible commands ask once."""

    coach: bool = True
    bell: bool = True
    hidden: bool = False
    asks: bool = True


class Prompt:
    """Takes lines for one node and keeps the log of what it was told. rules: a game's rules as text."""

    def __init__(self, node: Node, cards: Cards, rules: Callable[[str], str]) -> None:
        self.here = Here(node)
        self.settings = Settings()
        self.log: deque[str] = deque(maxlen=LOG_LENGTH)
        self.last = ""
        self.leaving = False  # the last command handed to the node leaves the table
        self._node, self._cards, self._rules = node, cards, rules
        self._waiting: Command | None = None
        self._rang = -BELL_SECONDS

    @property
    def words(self) -> Words:
        """The sentences for the person who sits here."""
        table = self._node.table
        return Words(self._cards, self._node.home.nick if table is None else table.nick, self.settings.hidden)

    @property
    def question(self) -> str:
        """What was asked and not answered yet."""
        return "" if self._waiting is None else _question(self._waiting, self.here.context().host)

    def heard(self, notice: Notice) -> tuple[str, ...]:
        """The sentences of a notice, kept for `log` and `last`."""
        lines = self.words.notice(notice, self._node.table)
        self.log.extend(lines)
        if isinstance(notice, Acted) and lines:
            self.last = lines[-1]
        return lines

    def may_ring(self) -> bool:
        """Whether the bell rings, asked when there is reason to: it is on, and has been silent for a while."""
        now = self._node.now()
        if not self.settings.bell or now - self._rang < BELL_SECONDS:
            return False
        self._rang = now
        return True

    def coach(self) -> str:
        """The coach's line, whether or not the coach is on."""
        return self.words.coach(coach(self.here.context()))

    def enter(self, line: str) -> Answer:
        """Does what the line says."""
        waiting, self._waiting = self._waiting, None
        word = line.strip().lower()
        if waiting is not None and word in YES:
            return self._do(waiting)
        if waiting is not None and word in NO:
            return Answer(Kind.SHOWN, ("Not done.",), waiting)
        found = parse(line, self.here.context())
        if isinstance(found, Problem):
            if found.code is Trouble.EMPTY:
                return Answer(Kind.NOTHING)
            return Answer(Kind.WRONG, (self.words.problem(found),), None, found.code.value)
        entry = _entry(found)
        if entry is not None and entry.by is By.UI:
            return Answer(Kind.SHOWN, tuple(self._show(found)), found)
        if self.settings.asks and found != waiting and self._asks(found, entry):
            self._waiting = found
            return Answer(Kind.ASKED, (self.question,), found)
        return self._do(found)

    def _asks(self, command: Command, entry: Entry | None) -> bool:
        if entry is None:
            return command.verb in ASKING_VERBS
        context = self.here.context()
        return context.where in entry.asks and context.me is not None

    def _do(self, command: Command) -> Answer:
        self.leaving = command.verb in LEAVING
        try:
            self._node.do(command)
        except UserError as error:
            self.leaving = False
            return Answer(Kind.WRONG, (sentence(str(error)),), command, "error")
        return Answer(Kind.DONE, (), command)

    def _show(self, command: Command) -> list[str]:
        """Settings are changed here; everything else is a question about what is known."""
        match command.verb, command.args:
            case "sort", args:
                orders = ORDERS[(ORDERS.index(self.here.order) + 1) % len(ORDERS)]
                self.here.order = args[0] if args else orders
                return [f"Your cards are sorted by {self.here.order}.", *queries.hand(self.here.context(), self.words)]
            case "hide", _:
                self.settings.hidden = not self.settings.hidden
                return [f"Your cards are {'hidden; `hide` shows them again' if self.settings.hidden else 'shown'}."]
            case "coach", args:
                self.settings.coach = args[0] == "on" if args else not self.settings.coach
                return [f"The coach is {'on' if self.settings.coach else 'off'}."]
            case "bell", args:
                self.settings.bell = args[0] == "on" if args else not self.settings.bell
                return [f"The bell is {'on' if self.settings.bell else 'off'}."]
            case "log", args:
                return list(self.log)[-int(args[0] if args else 10) :] or ["Nothing has happened yet."]
            case "last", _:
                return [self.last or "Nobody has done anything yet."]
            case "rules", args:
                return self._rules_of(args)
            case "hand", _ if self.settings.hidden:
                return ["Your cards are hidden; `hide` shows them again."]
            case "turn", _:
                return [self.coach()] if self.coach() else ["No round is open."]
        return queries.answer(command, self._node, self.here.context(), self.words)

    def _rules_of(self, args: tuple[str, ...]) -> list[str]:
        game = self.here.context().game
        name = args[0] if args else "" if game is None else game.name
        if not name:
            return ["Of which game? `rules tongits` shows those of Tong-its."]
        return self._rules(name).splitlines()


def _entry(command: Command) -> Entry | None:
    """The table's entry for the command; None for an action of the game."""
    entries = [] if command.action else named(command.verb)
    return next((entry for entry in entries if not entry.second or entry.second == command.args[0]), None)


def _question(command: Command, host: bool) -> str:
    """What is asked before it is done; a host's table does not outlive its program."""
    after = "The table ends with it" if host else "A bot plays on for you"
    what = {
        "call": "Call the draw? You can't take it back",
        "fold": "Fold? You give in without showing your hand",
        "ragequit": f"Leave in a rage, for everybody to see? {after}",
        "quit": f"End the program in the middle of a round? {after}",
    }
    return f"{what[command.verb]}: yes or no?"
