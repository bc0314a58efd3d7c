"""Every command once: its words, arguments, places, who carries it out, and one line of help.

Parsing, completion and help are made from this table. A game's own verbs come from `Game.verbs`; none is a word of it.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from msgspec import Struct

from p2pcards.commands.arrange import ORDERS
from p2pcards.commands.context import Where
from p2pcards.games.base import Game


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
    CHOICE = "choice"
    TOPIC = "topic"


class Arg(Struct, frozen=True):
    """One argument; choices of a CHOICE only."""

    name: str
    kind: Kind
    optional: bool = False
    choices: tuple[str, ...] = ()


class Entry(Struct, frozen=True):
    """One command. second: its second word (`bot add`); asks: where it asks once before it is done."""

    word: str
    help: str
    where: frozenset[Where]
    by: By
    args: tuple[Arg, ...] = ()
    second: str = ""
    aliases: tuple[str, ...] = ()
    host: bool = False
    asks: frozenset[Where] = frozenset()

    @property
    def words(self) -> str:
        """The words that name it, `bot add`."""
        return f"{self.word} {self.second}".rstrip()

    @property
    def usage(self) -> str:
        """The words and the arguments, those in brackets not needed: `set OPTION VALUE`."""
        return " ".join([self.words, *(f"[{arg.name}]" if arg.optional else arg.name for arg in self.args)])


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

_GAME = Arg("GAME", Kind.GAME)
_SWITCH = Arg("on|off", Kind.CHOICE, optional=True, choices=("on", "off"))

ENTRIES: tuple[Entry, ...] = (
    Entry("list", "show the tables on this network", HOME, By.UI, aliases=("tables",)),
    Entry("join", "take a seat at a table", HOME, By.NODE, (Arg("TABLE", Kind.TABLE),)),
    Entry("host", "open a table that the others can see", HOME, By.NODE, (_GAME, Arg("TITLE", Kind.TEXT, True))),
    Entry("practise", "play bots on this machine alone", HOME, By.NODE, (_GAME,), aliases=("practice",)),
    Entry("start", "deal; bots take the open seats", BEFORE, By.NODE, host=True),
    Entry(
        "set",
        "change a rule of the table",
        BEFORE,
        By.NODE,
        (Arg("OPTION", Kind.OPTION), Arg("VALUE", Kind.VALUE)),
        host=True,
    ),
    Entry("bot", "give an open seat to a bot", BEFORE, By.NODE, (Arg("LEVEL", Kind.LEVEL, True),), "add", host=True),
    Entry("bot", "send a bot away", BEFORE, By.NODE, (Arg("BOT", Kind.BOT),), "remove", host=True),
    Entry(
        "bot",
        "make a bot weaker or stronger",
        LOBBY | AFTER,
        By.NODE,
        (Arg("BOT", Kind.BOT), Arg("LEVEL", Kind.LEVEL)),
        "level",
        host=True,
    ),
    Entry("next", "go on to the next round", BETWEEN, By.NODE),
    Entry("again", "play on", AFTER, By.NODE, aliases=("rematch",)),
    Entry("stop", "end the match after this round", BETWEEN, By.NODE),
    Entry("hand", "show your cards", PLAYING, By.UI, aliases=("cards",)),
    Entry("table", "show what lies on the table", MATCH, By.UI),
    Entry("turn", "show whose turn it is, and what you may do", MATCH, By.UI),
    Entry("legal", "show everything you may do now", PLAYING, By.UI),
    Entry("last", "show what was done last", MATCH, By.UI),
    Entry("scores", "show who has won what", MATCH, By.UI, aliases=("score",)),
    Entry("log", "show the last things that happened", TABLE, By.UI, (Arg("N", Kind.NUMBER, True),)),
    Entry("who", "show who sits at the table", TABLE, By.UI),
    Entry(
        "sort",
        "put your cards in order",
        PLAYING,
        By.UI,
        (Arg("|".join(ORDERS), Kind.CHOICE, True, ORDERS),),
    ),
    Entry("hide", "hide your cards, or show them again", TABLE, By.UI),
    Entry("coach", "say at each step what you may do", EVERYWHERE, By.UI, (_SWITCH,)),
    Entry("bell", "ring when it is your turn or somebody comes", EVERYWHERE, By.UI, (_SWITCH,)),
    Entry("rules", "show the rules of a game", EVERYWHERE, By.UI, (Arg("GAME", Kind.GAME, True),)),
    Entry("help", "explain the commands", EVERYWHERE, By.UI, (Arg("WORD", Kind.TOPIC, True),), aliases=("?",)),
    Entry("leave", "leave the table; in a match a bot plays on for you", TABLE, By.NODE),
    Entry("ragequit", "leave, and say so", MATCH, By.NODE, asks=PLAYING),
    Entry("quit", "end the program", EVERYWHERE, By.NODE, aliases=("exit",), asks=PLAYING),
)

VERB_ALIASES = {"fight": "call", "knock": "call"}
"""Other words for game verbs, where the game has that verb."""

GAME_ALIASES = {"tong-its": "tongits"}
"""Other words for games."""

ASKING_VERBS = frozenset({"call", "fold"})
"""Game verbs that ask once before they are done."""


def entries(where: Where, host: bool) -> tuple[Entry, ...]:
    """The commands that work there, in the order of the table."""
    return tuple(entry for entry in ENTRIES if where in entry.where and (host or not entry.host))


def named(word: str) -> tuple[Entry, ...]:
    """The commands of that first word or alias; several where there is a second word."""
    return tuple(entry for entry in ENTRIES if word == entry.word or word in entry.aliases)


def verb(game: Game[Any, Any, Any] | type[Game[Any, Any, Any]], word: str) -> str | None:
    """The game's own verb that the word names."""
    word = VERB_ALIASES.get(word, word)
    return word if word in game.verbs else None
