"""What a command of the table is: its words, its arguments, the places where it works."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from p2pcards.commands.context import Where


class By(Enum):
    """Who carries a command out."""

    NODE = "node"
    UI = "ui"


class Kind(Enum):
    """What an argument is, for checking and completing it."""

    GAME = "game"
    TABLE = "table"  # a row's number, a title or its beginning, `~id`, HOST[:PORT]
    TEXT = "text"  # the rest of the line
    OPTION = "option"
    VALUE = "value"
    LEVEL = "level"
    BOT = "bot"
    NUMBER = "number"
    PRESET = "preset"
    THEME = "theme"
    CHOICE = "choice"
    TOPIC = "topic"
    DOOR = "door"
    PERSON = "person"  # somebody at the table beside us, no bot
    PLAYER = "player"  # likewise, with a seat
    CALLER = "caller"  # who waits at the door
    SOMEBODY = "somebody"  # at the table, at the door, or known from elsewhere by a name, a login, words of the key
    BANNED = "banned"
    DURATION = "duration"
    REASON = "reason"  # the rest of the line
    SPEECH = "speech"  # likewise, as it is
    PETNAME = "petname"
    CODE = "code"
    EVENT = "event"
    WAYS = "ways"  # the rest of the line: ways of being told, or on or off
    CARD = "card"  # of the own hand
    PLACE = "place"  # in the own hand
    LINE = "line"  # the rest of the line, a line itself
    KEPT = "kept"  # a table that we have a seat at: its title or the beginning of it, `~id`


class Arg(Struct, frozen=True):
    """One argument; choices of a CHOICE only, noun: what each of them is."""

    name: str
    kind: Kind
    optional: bool = False
    choices: tuple[str, ...] = ()
    noun: str = ""


class Entry(Struct, frozen=True):
    """One command.

    second: its second word (`bot add`); host: at a table for its host alone; quiet: places where it is understood, but
    another word is offered; seated: only for who has a seat; joining: also at home while a table is being joined;
    company: not where nobody else can be, in practice; searching: its help while a table is being joined;
    more: what else is to be known, sentences; examples: whole
    lines.
    """

    word: str
    help: str
    where: frozenset[Where]
    by: By
    args: tuple[Arg, ...] = ()
    second: str = ""
    aliases: tuple[str, ...] = ()
    host: bool = False
    quiet: frozenset[Where] = frozenset()
    seated: bool = False
    joining: bool = False
    company: bool = False
    searching: str = ""
    more: str = ""
    examples: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The words that name it, `bot add`."""
        return f"{self.word} {self.second}" if self.second else self.word

    def helps(self, *, searching: bool) -> str:
        """Its line of help; searching: a table is being joined."""
        return self.searching if searching and self.searching else self.help

    @property
    def usage(self) -> str:
        """The words and the arguments, those in brackets not needed: `set OPTION VALUE`."""
        if not self.args:
            return self.words
        return " ".join([self.words, *[f"[{arg.name}]" if arg.optional else arg.name for arg in self.args]])


HOME = frozenset({Where.HOME})
LOBBY = frozenset({Where.LOBBY})
PLAYING = frozenset({Where.PLAYING})
BETWEEN = frozenset({Where.BETWEEN})
OVER = frozenset({Where.OVER})
AFTER = BETWEEN | OVER
MATCH = PLAYING | AFTER
TABLE = LOBBY | MATCH
BEFORE = LOBBY | OVER
EVERYWHERE = HOME | TABLE

SWITCH = Arg("on|off", Kind.CHOICE, optional=True, choices=("on", "off"))
