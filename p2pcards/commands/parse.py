"""A line as typed, to a Command or the Problem with it. Nothing is guessed from prefixes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from p2pcards.commands import cardwords
from p2pcards.commands.command import Command, Problem, Trouble
from p2pcards.commands.context import Context, Where
from p2pcards.commands.entry import HOME, TABLE, Arg, Entry, Kind
from p2pcards.commands.hand import hand_argument
from p2pcards.commands.help import PAGES, usage
from p2pcards.commands.legal import Legal, bits
from p2pcards.commands.parse_people import (
    SPEAKS,
    WHOLE,
    completed,
    is_duration,
    misspelt_code,
    person_argument,
    pointless,
    unquoted,
)
from p2pcards.commands.presets import preset_name
from p2pcards.commands.table import (
    ENTRIES,
    GAME_ALIASES,
    VERB_ALIASES,
    is_host,
    lacks_seat,
    meant,
    named,
    offered,
    verb,
    works,
)
from p2pcards.commands.table_look import theme
from p2pcards.commands.table_tell import event, ways
from p2pcards.errors import IllegalAction, InvalidAction, InvalidCard
from p2pcards.games import registry
from p2pcards.games.base import Game, Refusal
from p2pcards.games.tongits.refusals import Refusal as TongIts
from p2pcards.wire.code import read_code
from p2pcards.wire.text import clean, clean_title

LONGEST = 400
"""Characters of the longest line that is read."""

MELD = re.compile(r"m\d{1,3}")
"""The name of a meld on the table (records, "Actions in text")."""

ALIKE = 0.7
"""How much a known word must look like the typed one to be what was meant, of 1."""

SURELY = 0.8
"""The same for a command of another place: it would be refused here, and the word may be one to say."""

_ELSEWHERE = sorted({entry.word for entry in ENTRIES})

SHORT = 30
"""Characters of a line that is said again in an answer."""

_FLAG = re.compile(r"--[a-z]")
"""How an option of the command line begins; a line of the shell that is typed here has such."""

_APART = re.compile(r"[\s,]+")


def parse(line: str, context: Context) -> Command | Problem:
    """What the line asks for, as a canonical command; pure, and it never raises. What can't be seen is left out."""
    if len(line.strip().splitlines()) > 1:
        return Problem(Trouble.LINES)
    line = clean(line, 4 * len(line)).removeprefix("/").removeprefix("p2pcards ").lstrip()  # a join line, pasted whole
    if not line:
        return Problem(Trouble.EMPTY)
    if line.startswith(SPEAKS):
        return _command(named("say"), line.removeprefix(SPEAKS), context)
    word, *rest = line.split(None, 1)
    tail = rest[0] if rest else ""
    found = named(word.lower())
    if len(line) > LONGEST and not _speaks(found):
        return Problem(Trouble.TOO_LONG)
    read = _read_line(found, word, tail, line, context)
    if context.asking and isinstance(read, Problem):
        return _code(found, line) or read
    return read


def _speaks(found: tuple[Entry, ...]) -> bool:
    """Whether the line is something to say, which has a limit of its own."""
    return any(arg.kind is Kind.SPEECH for entry in found for arg in entry.args)


def _code(found: tuple[Entry, ...], line: str) -> Command | Problem | None:
    """The line as the code that is asked for, typed without its command."""
    if any(entry.word == "code" for entry in found):
        return None
    if code := read_code(line):
        return Command("code", (code,))
    return None if found else misspelt_code(line)


def _read_line(found: tuple[Entry, ...], word: str, tail: str, line: str, context: Context) -> Command | Problem:
    if found:
        return _command(meant(found, len(tail.split())), tail, context)
    if context.game is not None and (own := verb(context.game, word.lower())):
        return _action(own, _split(tail), context)
    if (
        context.game is not None
        and cardwords.read(context.game.ranking, context.hand, _APART.split(line)[0]) is not None
    ):
        return _bare(_split(line), context)
    if context.hand and _is_number(word):
        return Problem(Trouble.BARE_NUMBER, (word,))
    if any(verb(game, word.lower()) for game in registry.GAMES.values()):
        if context.game is not None:
            return Problem(Trouble.OTHER_GAME, (word.lower(), context.game.title))
        return Problem(Trouble.NO_ROUND, (word.lower(),))
    near = nearest(word, _known(context)) or get_close_matches(word.lower(), _ELSEWHERE, n=1, cutoff=SURELY)
    return Problem(Trouble.UNKNOWN, (word, *(near or _as_speech(word, line, context))))


def nearest(word: str, known: list[str]) -> list[str]:
    """The known word that looks most like it, if one looks like it at all, or the only one that begins so."""
    begun = {name for name in known if name.startswith(word.lower())} if len(word) > 1 else set()
    return get_close_matches(word.lower(), known, n=1, cutoff=ALIKE) or (list(begun) if len(begun) == 1 else [])


def _as_speech(word: str, line: str, context: Context) -> list[str]:
    """The line to type where these may be words for the others at the table."""
    if not (context.people and word.isalpha() and len(word) > 1):
        return []
    return [f"say {line}" if len(line) <= SHORT else f"say {line[:SHORT].rstrip()} …"]


def _known(context: Context) -> list[str]:
    words = [name for entry in offered(context) for name in (entry.word, *entry.aliases)]
    if context.game is not None:
        words += [*context.game.verbs, *(alias for alias in VERB_ALIASES if verb(context.game, alias))]
    return words


def _split(text: str) -> list[str]:
    return [word for word in _APART.split(text) if word]


# ---- table commands


def _command(found: tuple[Entry, ...], tail: str, context: Context) -> Command | Problem:
    here = [entry for entry in found if works(entry, context)]
    if found[0].words == "set" and context.where is not Where.HOME and (problem := _fixed(found[0], tail, context)):
        return problem
    if not here:
        return _not_here(found[0], context)
    if not any(is_host(context) or not entry.host for entry in here):
        return Problem(Trouble.HOST_ONLY, (here[0].word,))
    if lacks_seat(here[0], context):
        return Problem(Trouble.SEAT_KEPT if context.seat_kept else Trouble.WATCHING, (here[0].word,))
    if not here[0].second:
        return _arguments(here[0], tail, context)
    second, *rest = tail.split(None, 1) or [""]
    for entry in found:
        if entry.second == second.lower():
            if entry not in here:
                return Problem(
                    Trouble.NOT_HERE, (entry.words, *(where.value for where in Where if where in entry.where))
                )
            if entry.host and not is_host(context):
                return Problem(Trouble.HOST_ONLY, (entry.words,))
            return _arguments(entry, rest[0] if rest else "", context)
    here = [entry for entry in here if is_host(context) or not entry.host]
    seconds = tuple(entry.second for entry in here)
    return Problem(Trouble.BAD_CHOICE, (second, *seconds)) if second else Problem(Trouble.MISSING, _usages(here))


def _fixed(entry: Entry, tail: str, context: Context) -> Problem | None:
    """Why a rule of the table can't be changed by us or now; an option that there is not comes first."""
    if not entry.host:
        return None
    option = _argument(entry, entry.args[0], tail.split()[0], context)
    if isinstance(option, Problem):
        return option
    if not is_host(context):
        return Problem(Trouble.RULES_HOST)
    return None if works(entry, context) else Problem(Trouble.RULES_LATER)


def _not_here(entry: Entry, context: Context) -> Problem:
    if context.where is Where.OVER and Where.BETWEEN in entry.where:
        return Problem(Trouble.MATCH_OVER, (entry.word,))
    places = [] if entry.where == TABLE else [where.value for where in Where if where in entry.where]
    leaves = context.where is not Where.HOME and (entry.where == HOME or entry.word == "stop")
    return Problem(Trouble.LEAVE_FIRST if leaves else Trouble.NOT_HERE, (entry.word, *places))


def _usages(found: list[Entry]) -> tuple[str, ...]:
    return tuple(entry.usage for entry in found)


def _arguments(entry: Entry, tail: str, context: Context) -> Command | Problem:
    cleaned: list[str] = []
    left = tail.strip()
    if problem := pointless(entry, context):
        return problem
    for arg in entry.args:
        if not left:
            break
        if arg.kind is Kind.DURATION and not is_duration(left.partition(" ")[0]):
            cleaned.append("0")
            continue
        if arg.kind in (Kind.TEXT, Kind.TABLE, Kind.VALUE, Kind.WAYS) or arg.kind in WHOLE:
            typed, left = left, ""
        else:
            typed, _, left = left.partition(" ")
            left = left.strip()
        value = _argument(entry, arg, typed, context)
        if isinstance(value, Problem):
            return value
        cleaned.append(value)
    if left:
        return Problem(Trouble.TOO_MANY, (entry.usage,))
    if len(cleaned) < sum(not arg.optional for arg in entry.args):
        return Problem(Trouble.MISSING, (entry.usage,))
    args = completed(entry, cleaned, context)
    if isinstance(args, Problem):
        return args
    return Command(entry.word, (entry.second, *args) if entry.second else args)


def _argument(entry: Entry, arg: Arg, typed: str, context: Context) -> str | Problem:
    """The argument, cleaned."""
    lower = typed.lower()
    match arg.kind:
        case Kind.GAME:
            name = GAME_ALIASES.get(lower, lower)
            return name if name in registry.GAMES else Problem(Trouble.NO_SUCH_GAME, (typed, *registry.GAMES))
        case Kind.TABLE:
            table, flag = _table(typed, context), _flag(typed)
            return Problem(Trouble.SHELL_FLAG, (flag, entry.word, entry.usage)) if flag and table == typed else table
        case Kind.LEVEL:
            return lower if lower in context.levels else Problem(Trouble.NO_SUCH, ("level", typed, *context.levels))
        case Kind.BOT:
            bots = {chair.nick.lower(): chair.nick for chair in context.chairs if chair.bot}
            if lower.isdecimal() and lower.isascii():
                place = int(lower[:4]) - 1
                there = 0 <= place < len(context.chairs) and context.chairs[place].bot
                return context.chairs[place].nick if there else Problem(Trouble.NO_BOT_THERE, (typed,))
            return bots[lower] if lower in bots else Problem(Trouble.NO_SUCH_BOT, (typed, *bots.values()))
        case Kind.NUMBER:
            good = typed.isdecimal() and len(typed) <= 6 and int(typed) > 0
            return str(int(typed)) if good else Problem(Trouble.BAD_NUMBER, (typed,))
        case Kind.CHOICE:
            choices = {choice.lower(): choice for choice in arg.choices}
            if lower not in choices and arg.noun:
                return Problem(Trouble.NO_SUCH, (arg.noun, typed, *arg.choices))
            return choices[lower] if lower in choices else Problem(Trouble.BAD_CHOICE, (typed, *arg.choices))
        case Kind.PRESET:
            return preset_name(typed) or Problem(Trouble.BAD_PRESET, (typed,))
        case Kind.THEME:
            return theme(typed, context)
        case Kind.TOPIC:
            return _topic(lower, context)
        case Kind.EVENT | Kind.WAYS:
            return event(typed, context) if arg.kind is Kind.EVENT else ways(typed)
        case Kind.OPTION:
            known = [choice.name for choice in context.choices]
            return lower if lower in known else Problem(Trouble.NO_SUCH_OPTION, (typed, *nearest(typed, known)))
        case Kind.TEXT:
            if flag := _flag(typed):
                return Problem(Trouble.A_FLAG, (flag,))
            title = unquoted(typed)
            left = clean_title(title)
            return title if left == title else Problem(Trouble.LONG_TITLE, (left,))
        case Kind.VALUE:
            return typed
        case Kind.CARD | Kind.PLACE:
            return hand_argument(arg, typed, context)
        case _:
            return person_argument(entry, arg, typed, context)


def _flag(typed: str) -> str:
    """The first option of the command line in it; empty where there is none."""
    return next((word.partition("=")[0] for word in typed.split() if _FLAG.match(word)), "")


def _table(typed: str, context: Context) -> str | Problem:
    """A number, a title or the beginning of one title: its table's `~id`; anything else as typed, an address maybe."""
    if typed.isdecimal():
        rows = [row.name for row in context.listed if str(row.number) == typed.lstrip("0")]
        return rows[0] if rows else Problem(Trouble.NO_SUCH_ROW, (typed,))
    bare = unquoted(typed)
    for name in dict.fromkeys((typed.lower(), bare.lower())):
        exact = [row.name for row in context.listed if row.title.lower() == name]
        begun = [row.name for row in context.listed if row.title.lower().startswith(name)]
        for rows in (exact, begun):
            if len(rows) == 1:
                return rows[0]
    return bare


def _topic(lower: str, context: Context) -> str | Problem:
    if found := named(lower):
        return found[0].word
    verbs = _verbs(context)
    known = VERB_ALIASES.get(lower, lower)
    if known in verbs or known in PAGES:
        return known
    words = [entry.word for entry in ENTRIES] + verbs + list(PAGES)
    return Problem(Trouble.NO_SUCH_TOPIC, (lower, *nearest(lower, words)))


def _verbs(context: Context) -> list[str]:
    games = registry.GAMES.values() if context.game is None else (context.game,)
    return [word for game in games for word in game.verbs]


# ---- actions of the game


def _action(own: str, words: list[str], context: Context) -> Command | Problem:
    legal = context.legal
    if legal is None and context.where is Where.PLAYING and (trouble := _not_mine(own, context)):
        return trouble
    if legal is None:
        return Problem(Trouble.NO_ROUND, (own,))
    if trouble := _not_mine(own, context):
        return trouble
    typed = _read(legal.game, words, context)
    if isinstance(typed, Problem):
        return typed
    mine = legal.verbs.get(own, 0)
    place = legal.exactly(typed, mine)
    if place is not None:
        return _do(legal, place)
    text = " ".join([own, *sorted(typed, key=lambda word: MELD.fullmatch(word) is not None)])
    try:
        action = legal.game.parse(text)
        legal.game.check(legal.view, action)
    except IllegalAction as refused:
        would = _would(legal, typed, mine)
        if would and refused.code is TongIts.NO_MELD:  # not yet
            return _unfinished(own, typed, mine, legal)
        return Problem(refused.code, refused.detail, would)
    except (InvalidAction, InvalidCard):
        return _unfinished(own, typed, mine, legal)
    return Command(own, (), legal.game.format(action))


def _would(legal: Legal, typed: list[str], among: int) -> tuple[str, ...]:
    """The legal lines of `among` with these words and more, the shortest first."""
    possible = legal.having(typed, among) if typed else 0
    return tuple(sorted((legal.lines[place] for place in bits(possible)), key=len))


def _names(legal: Legal, place: int, typed: list[str]) -> bool:
    """Whether every card of the action is among the words: no card is played that was not named."""
    return all(word in typed or MELD.fullmatch(word) for word in legal.words[place])


def _unfinished(own: str, typed: list[str], mine: int, legal: Legal) -> Command | Problem:
    """The text is no action: the only legal one but for its meld, the beginning of some, or nonsense."""
    possible = list(bits(legal.having(typed, mine)))
    if len(possible) == 1 and typed and _names(legal, possible[0], typed):
        return _do(legal, possible[0])
    if typed and any(_names(legal, place, typed) for place in possible):
        return Problem(Trouble.WHICH, tuple(legal.lines[place] for place in possible))
    if possible:
        rest = (" ".join(word for word in legal.words[place] if word not in typed) for place in possible)
        several = any(len(_cards(legal.words[place])) > 1 for place in possible)
        return Problem(Trouble.WHICH_CARDS if several else Trouble.WHICH_CARD, (" ".join([own, *typed]), *rest))
    if not typed and not mine:
        return Problem(Trouble.NOTHING_TO, (own,))
    if (cards := _cards(typed))[1:] and _takes_one(legal, own):
        return Problem(Trouble.ONE_CARD, cards)
    return Problem(
        Trouble.NOT_AN_ACTION,
        (own, f"{own} {usage(legal.game.name, own)}".rstrip(), *(legal.lines[place] for place in bits(mine))),
    )


def _cards(words: Iterable[str]) -> tuple[str, ...]:
    """The words that are no melds."""
    return tuple(word for word in words if not MELD.fullmatch(word))


def _takes_one(legal: Legal, own: str) -> bool:
    """Whether the verb takes one card and never more."""
    return usage(legal.game.name, own).split()[:1] == ["CARD"]


def _bare(words: list[str], context: Context) -> Command | Problem:
    """Cards without a verb run the only legal action of exactly these cards; one that is in more needs its verb named
    where verbs differ."""
    legal = context.legal
    if legal is None and context.where is Where.PLAYING and (trouble := _not_mine(" ".join(words), context)):
        return trouble
    if legal is None:
        return Problem(Trouble.NO_ROUND, (" ".join(words),))
    if trouble := _not_mine(" ".join(words), context):
        return trouble
    typed = _read(legal.game, words, context)
    if isinstance(typed, Problem):
        return typed
    among = legal.having(typed, legal.all())
    possible = list(bits(among))
    named = [place for place in possible if _names(legal, place, typed)]
    verbs = {legal.lines[place].split(" ")[0] for place in (possible if len(typed) == 1 else named)}
    if len(named) == 1 and len(verbs) == 1:
        return _do(legal, named[0])
    if len(possible) > 1 and (named or (len(verbs) > 1 and len(typed) == 1)):
        return Problem(Trouble.WHICH, tuple(legal.lines[place] for place in (possible if len(typed) == 1 else named)))
    if possible:
        return _refused(legal, typed, _would(legal, typed, among)) or Problem(
            Trouble.WHICH, tuple(legal.lines[place] for place in possible)
        )
    held = {legal.game.ranking.format(card) for card in context.hand}
    if missing := [word for word in typed if word not in held and not MELD.fullmatch(word)]:
        return Problem(Refusal.NOT_HELD, tuple(missing))
    takers = [own for own in legal.game.verbs if usage(legal.game.name, own)]
    if (cards := _cards(typed))[1:] and all(_takes_one(legal, own) for own in takers):
        return Problem(Trouble.ONE_CARD, cards)
    return _refused(legal, typed) or Problem(Trouble.NO_USE, tuple(typed))


def _refused(legal: Legal, typed: list[str], would: tuple[str, ...] = ()) -> Problem | None:
    """Why the cards can't be played, where only one verb of the game takes them."""
    found: list[Problem] = []
    for own in legal.game.verbs:
        try:
            legal.game.check(legal.view, legal.game.parse(" ".join([own, *typed])))
        except IllegalAction as refused:
            found.append(Problem(refused.code, refused.detail, would))
        except (InvalidAction, InvalidCard):
            continue
    return found[0] if len(found) == 1 else None


def _read(game: Game[Any, Any, Any], words: list[str], context: Context) -> list[str] | Problem:
    """The words behind a verb, canonical: each a card, a meld's name or another word of a legal line."""
    typed = []
    for word in words:
        card = cardwords.read(game.ranking, context.hand, word)
        if isinstance(card, Problem):
            return card
        if card is None and not MELD.fullmatch(word.lower()) and not _is_word(word.lower(), context):
            return Problem(Trouble.BARE_NUMBER if _is_number(word) else Trouble.NO_SUCH_CARD, (word,))
        typed.append(card or word.lower())
    again = [word for place, word in enumerate(typed) if word in typed[:place]]
    return Problem(Trouble.TWICE, (again[0],)) if again else typed


def _is_word(word: str, context: Context) -> bool:
    return context.legal is not None and word in context.legal.containing


def _is_number(word: str) -> bool:
    """A number as it stands under a card of the hand."""
    return word.isdecimal() and len(word) <= 2


def halted(typed: str, context: Context) -> Problem | None:
    """Why no move can be made now, whoever's turn it is."""
    if context.waiting_for:
        return Problem(Trouble.STANDS_STILL, context.waiting_for)
    if context.changing:
        return Problem(Trouble.NO_HOST, (typed,))
    return None if context.connected else Problem(Trouble.NO_LINE, (typed,))


def _not_mine(typed: str, context: Context) -> Problem | None:
    if context.me is None:
        return Problem(Trouble.SEAT_KEPT if context.seat_kept else Trouble.WATCHING, (typed,))
    if halt := halted(typed, context):
        return halt
    if context.pending:
        return Problem(Trouble.PENDING, (context.pending,))
    if context.me not in context.to_act:
        return Problem(Refusal.NOT_YOUR_TURN, tuple(context.chairs[seat].nick for seat in context.to_act))
    return None


def _do(legal: Legal, place: int) -> Command:
    line = legal.lines[place]
    return Command(line.split(" ")[0], (), line)
