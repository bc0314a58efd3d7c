"""Every command once: its words, arguments, places, who carries it out, one line of help, and more for `help WORD`.

Parsing, completion and help are made from this table. A game's own verbs come from `Game.verbs`; none is a word of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from p2pcards.commands.context import Context, Where
from p2pcards.commands.entry import (
    AFTER,
    BEFORE,
    BETWEEN,
    EVERYWHERE,
    HOME,
    MATCH,
    PLAYING,
    SWITCH,
    TABLE,
    Arg,
    By,
    Entry,
    Kind,
)
from p2pcards.commands.table_forced import FORCED
from p2pcards.commands.table_hand import HAND
from p2pcards.commands.table_hosts import STAYING, WAYS_IN, heirs
from p2pcards.commands.table_look import LOOK
from p2pcards.commands.table_people import PEOPLE, accused, knows_somebody, players
from p2pcards.commands.table_tell import TELLING
from p2pcards.commands.table_why import HINT, WHY
from p2pcards.games.base import Game

_GAME = Arg("GAME", Kind.GAME)

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "list",
        "show the tables on this network",
        HOME,
        By.UI,
        (Arg("lab|all", Kind.CHOICE, True, ("lab", "all")),),
        aliases=("tables",),
        more="`list lab` leaves only those whose hosts have proved to be of your lab, `list all` shows them all again.",
        examples=("list", "list lab"),
    ),
    *WAYS_IN,
    Entry(
        "host",
        "open a table that the others can see",
        HOME,
        By.NODE,
        (_GAME, Arg("TITLE", Kind.TEXT, True)),
        more="`help safe` tells what becomes of the table when your program is gone.",
        examples=("host tongits", "host tongits Friday night"),
    ),
    Entry(
        "practise",
        "play bots on this machine alone",
        HOME,
        By.NODE,
        (_GAME,),
        aliases=("practice",),
        examples=("practise tongits",),
    ),
    Entry("start", "deal; bots take the open seats", BEFORE, By.NODE, host=True),
    Entry(
        "set",
        "change a rule of the table",
        BEFORE,
        By.NODE,
        (Arg("OPTION", Kind.OPTION), Arg("VALUE", Kind.VALUE)),
        host=True,
        more="Tab shows the options, what each does, and its values.",
        examples=("set scoring chips", "set match_rounds 5"),
    ),
    Entry(
        "bot",
        "give an open seat to a bot",
        BEFORE,
        By.NODE,
        (Arg("LEVEL", Kind.LEVEL, True),),
        "add",
        host=True,
        examples=("bot add", "bot add easy"),
    ),
    Entry(
        "bot",
        "send a bot away",
        BEFORE,
        By.NODE,
        (Arg("BOT", Kind.BOT),),
        "remove",
        host=True,
        examples=("bot remove bot-1",),
    ),
    Entry(
        "bot",
        "make a bot weaker or stronger",
        BEFORE,
        By.NODE,
        (Arg("BOT", Kind.BOT), Arg("LEVEL", Kind.LEVEL)),
        "level",
        host=True,
        more="BOT is its name, or the number of its seat.",
        examples=("bot level bot-1 easy", "bot level 2 easy"),
    ),
    Entry(
        "next",
        "go on to the next round",
        BETWEEN,
        By.NODE,
        seated=True,
        more="The cards are dealt when everybody has typed it, or by themselves after a while.",
    ),
    Entry(
        "again",
        "play another match",
        AFTER,
        By.NODE,
        aliases=("rematch",),
        quiet=BETWEEN,
        seated=True,
        more="It begins when everybody has typed it. Between rounds it is the same as `next`.",
    ),
    Entry(
        "stop",
        "end the match for everybody",
        BETWEEN,
        By.NODE,
        seated=True,
        more="It asks once. A match that has an end of its own can't be stopped.",
    ),
    Entry("hand", "show your cards", PLAYING, By.UI, aliases=("cards",), seated=True),
    Entry("table", "show what lies on the table", MATCH, By.UI),
    Entry("turn", "show whose turn it is, and what you may do", MATCH, By.UI),
    Entry("clock", "show how long the turn may still take", MATCH, By.UI),
    Entry("legal", "show everything you may do now", PLAYING, By.UI, seated=True),
    WHY,
    HINT,
    Entry("last", "show what was done last", MATCH, By.UI),
    Entry("scores", "show who has won what", MATCH, By.UI, aliases=("score",)),
    Entry(
        "log",
        "show the last things that happened",
        EVERYWHERE,
        By.UI,
        (Arg("N", Kind.NUMBER, True),),
        examples=("log", "log 30"),
    ),
    Entry("who", "show who sits at the table", TABLE, By.UI),
    *HAND,
    Entry(
        "coach",
        "say at each step what you may do",
        EVERYWHERE,
        By.UI,
        (SWITCH,),
        more="Without a word behind it, it tells whether it is on.",
        examples=("coach off",),
    ),
    FORCED,
    *TELLING,
    *LOOK,
    Entry(
        "set",
        "show the rules of the table, and what they can be",
        TABLE,
        By.UI,
        (Arg("OPTION", Kind.OPTION, True),),
        more="Without a word behind it, it lists them all, first what is not as usual.",
        examples=("set", "set scoring"),
    ),
    Entry(
        "rules",
        "show the rules of a game",
        EVERYWHERE,
        By.UI,
        (Arg("GAME", Kind.GAME, True),),
        examples=("rules tongits",),
    ),
    Entry(
        "help",
        "explain the commands",
        EVERYWHERE,
        By.UI,
        (Arg("WORD", Kind.TOPIC, True),),
        aliases=("?",),
        more="`help deal` tells how the cards are dealt so that nobody has to be trusted, `help safe` what becomes of "
        "a table when its host is gone.",
        examples=("help", "help discard"),
    ),
    Entry(
        "skip",
        "ask that the turn be ended",
        PLAYING,
        By.NODE,
        seated=True,
        more="What is safest is played for who is waited for: at once if the host wants it, else when most want it.",
    ),
    Entry(
        "back",
        "play again where a bot plays for you",
        PLAYING | BETWEEN,
        By.NODE,
        seated=True,
        more="A bot plays for who is `away`, and for who lets three turns in a row run out.",
    ),
    Entry(
        "deck",
        "lay the whole deck open, if the table allows it",
        PLAYING,
        By.NODE,
        seated=True,
        more="It asks once, for everybody sees all cards then. In practice it may be done; elsewhere the host has to "
        "allow it in the lobby, `set allow_peek true`.",
    ),
    Entry(
        "preset",
        "keep the rules of this table under a name",
        TABLE,
        By.UI,
        (Arg("NAME", Kind.PRESET),),
        "save",
        more="What was kept under that name is replaced. `--preset NAME` opens a table with it.",
        examples=("preset save friday",),
    ),
    Entry(
        "preset",
        "take the rules that are kept under a name",
        BEFORE,
        By.NODE,
        (Arg("NAME", Kind.PRESET),),
        "load",
        host=True,
        more="Every other rule is as usual then.",
        examples=("preset load friday",),
    ),
    Entry("preset", "show the rules that are kept", EVERYWHERE, By.UI, (), "list"),
    Entry(
        "preset",
        "forget the rules that are kept under a name",
        EVERYWHERE,
        By.UI,
        (Arg("NAME", Kind.PRESET), Arg("GAME", Kind.GAME, True)),
        "delete",
        more="GAME is needed only at home, where presets of several games have that name.",
        examples=("preset delete friday",),
    ),
    *STAYING,
    *PEOPLE,
    Entry(
        "leave",
        "leave the table",
        TABLE,
        By.NODE,
        joining=True,
        searching="give up looking",
        more="In a match a bot plays on for you. A host hands the table over to another player first; where nobody "
        "could take it, it closes, and that is asked once.",
    ),
    Entry(
        "ragequit", "leave, and say so", MATCH, By.NODE, seated=True, more="It is `leave`, and everybody hears of it."
    ),
    Entry(
        "quit",
        "end the program",
        EVERYWHERE,
        By.NODE,
        aliases=("exit",),
        more="At a table it is `leave` as well.",
    ),
)

HOSTS_WORDS = frozenset({"skip", "next", "stop"})
"""Commands of players that a host without a seat has too, and whose word alone is enough."""

LEAVING = frozenset({"leave", "ragequit", "quit"})
"""Commands after which we are no longer at the table."""

VERB_ALIASES = {"fight": "call", "knock": "call"}
"""Other words for game verbs, where the game has that verb."""

GAME_ALIASES = {
    "tong-its": "tongits",
    "tien-len": "tienlen",
    "thirteen": "tienlen",
    "sevens": "straights",
    "one-card": "onecard",
}
"""Other words for games."""

ASKING_VERBS = frozenset({"call", "fold"})
"""Game verbs that ask once before they are done."""


def works(entry: Entry, context: Context) -> bool:
    """Whether the command works in this place, for somebody at least."""
    return context.where in entry.where or (entry.joining and bool(context.joining))


def offered(context: Context, among: tuple[Entry, ...] = ENTRIES) -> tuple[Entry, ...]:
    """The commands that are of use to this person here, in the order of the table; of some or of all."""
    return tuple([entry for entry in among if works(entry, context) and _is_for(entry, context)])


def _is_for(entry: Entry, context: Context) -> bool:
    if (entry.host and not is_host(context)) or lacks_seat(entry, context) or context.where in entry.quiet:
        return False
    wanted = _WANTED.get(entry.words)
    return not (entry.company and context.alone) and (wanted is None or wanted(context))


def is_host(context: Context) -> bool:
    """Whether the host's commands are ours: at home there is no other."""
    return context.host or context.where is Where.HOME


_WANTED: Mapping[str, Callable[[Context], bool]] = {
    "stop": lambda context: context.endless,
    "back": lambda context: context.bot_plays,
    "away": lambda context: not context.bot_plays,
    "sit": lambda context: context.me is None,
    "resume": lambda context: bool(context.kept),
    "handover": lambda context: bool(heirs(context)),
    "proceed": lambda context: bool(context.may_go_on),
    "wait": lambda context: bool(context.may_go_on),
    "code": lambda context: bool(context.asking),
    "admit": lambda context: bool(context.knocks),
    "deny": lambda context: bool(context.knocks),
    "kick": lambda context: bool(context.people),
    "ban": knows_somebody,
    "ignore": knows_somebody,
    "unignore": knows_somebody,
    "petname": knows_somebody,
    "vouch": knows_somebody,
    "unban": lambda context: bool(context.banned),
    "vote kick": lambda context: not context.host and context.vote is None and bool(accused(context)),
    "vote yes": lambda context: context.vote is not None and context.vote.may,
    "vote no": lambda context: context.vote is not None and context.vote.may,
    "msg": lambda context: bool(players(context)),
}
"""When a command is of use, beside place and person; by its words."""


def lacks_seat(entry: Entry, context: Context) -> bool:
    """Whether it takes a seat that this person does not have; a host's word moves the table on even without one."""
    return entry.seated and context.me is None and not (entry.word in HOSTS_WORDS and context.host)


def named(word: str) -> tuple[Entry, ...]:
    """The commands of that first word or alias: several where there is a second word, or where it shows and changes."""
    return tuple(entry for entry in ENTRIES if word == entry.word or word in entry.aliases)


def meant(found: tuple[Entry, ...], words: int) -> tuple[Entry, ...]:
    """Of commands without a second word the one that takes so many words, `set OPTION` or `set OPTION VALUE`; the
    longest where none takes as many."""
    if len(found) < 2 or found[0].second:
        return found
    takes = [entry for entry in found if len(entry.args) >= words]
    return (min(takes, key=lambda entry: len(entry.args)) if takes else max(found, key=lambda entry: len(entry.args)),)


def verb(game: Game[Any, Any, Any] | type[Game[Any, Any, Any]], word: str) -> str | None:
    """The game's own verb that the word names."""
    word = VERB_ALIASES.get(word, word)
    return word if word in game.verbs else None
