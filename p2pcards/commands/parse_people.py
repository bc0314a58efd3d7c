"""Arguments that name people, doors, codes and times, and texts that are said: checked and made canonical."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from p2pcards.commands.command import Problem, Trouble
from p2pcards.commands.context import Context, Fellow
from p2pcards.commands.entry import Arg, Entry, Kind
from p2pcards.commands.table_hosts import heirs
from p2pcards.commands.table_people import DOORS, LAB_DOORS
from p2pcards.wire.code import code_words, read_code
from p2pcards.wire.entries import REASON_CHARS
from p2pcards.wire.messages import CHAT_CHARS
from p2pcards.wire.text import NICK_CHARS, is_reserved

SPEAKS = "'"
"""Before a text it is `say`, with nothing between."""

FOREVER = "forever"

LONGEST_NAME = 65
"""Characters of a nick, a petname, a login, some words of a key; of the beginning of a key in hex, behind `~`."""

ALIKE = 0.6
"""How much a name or word must look like the typed one to be what was meant, of 1."""

WHOLE = frozenset({Kind.REASON, Kind.SPEECH, Kind.CODE, Kind.PETNAME, Kind.KEPT, Kind.LINE})
"""Arguments that take the rest of the line."""

_DURATION = re.compile(r"([0-9]{1,9})([a-z]?)")
_MEANT = re.compile(r"[-+]?[0-9][0-9.,]*[a-z]?")
_UNITS = {"m": 60, "h": 3600, "d": 86400}
_LONGEST = 10 * 365 * 86400
_QUOTES = ('""', "''", "“”")
_NAME = re.compile(rf"[A-Za-z0-9_-]{{1,{NICK_CHARS}}}")


def seconds(typed: str) -> int | None:
    """How long `10m`, `2h`, `7d` or `forever` (0) is; None for what is no such time, or longer than ten years."""
    lower = typed.lower()
    if lower == FOREVER:
        return 0
    found = _DURATION.fullmatch(lower)
    long = int(found[1]) * _UNITS.get(found[2], 0) if found else 0
    return long if 0 < long <= _LONGEST else None


def is_duration(typed: str) -> bool:
    """Whether it is meant as one, be it right or wrong."""
    return typed.lower() == FOREVER or _MEANT.fullmatch(typed.lower()) is not None


def person_argument(entry: Entry, arg: Arg, typed: str, context: Context) -> str | Problem:
    """The argument, canonical; of the kinds that this file knows."""
    match arg.kind:
        case Kind.DOOR:
            return _door(typed, context)
        case Kind.PERSON:
            found = _fellow(entry, typed, context)
            return found.nick if isinstance(found, Fellow) else found
        case Kind.PLAYER:
            return _player(entry, typed, context)
        case Kind.CALLER:
            callers = {caller.nick.lower(): caller.nick for caller in context.knocks}
            return callers.get(typed.lower()) or Problem(Trouble.NOT_WAITING, (typed, *callers.values()))
        case Kind.SOMEBODY:
            return _somebody(entry, typed, context)
        case Kind.BANNED:
            banned = {nick.lower(): nick for nick in context.banned}
            return banned.get(typed.lower()) or _known(typed)
        case Kind.DURATION:
            long = seconds(typed)
            return Problem(Trouble.BAD_DURATION, (typed,)) if long is None else str(long)
        case Kind.PETNAME:
            good = _NAME.fullmatch(typed) and not is_reserved(typed)
            return typed if good else Problem(Trouble.BAD_NAME, (typed,))
        case Kind.CODE:
            return read_code(typed) or bad_code(typed)
        case Kind.SPEECH:
            return _short(typed, CHAT_CHARS, Trouble.LONG_TEXT)
        case Kind.REASON:
            return _short(typed, REASON_CHARS, Trouble.LONG_REASON)
        case Kind.LINE:
            return typed
        case Kind.KEPT:
            return _kept(typed, context)
    raise ValueError(arg.kind)


def pointless(entry: Entry, context: Context) -> Problem | None:
    """Why the command can do nothing now, whatever stands behind it."""
    if entry.company and context.alone:
        return Problem(Trouble.ALONE, (entry.words,))
    match entry.words:
        case "code" if not context.asking:
            return Problem(Trouble.NOT_ASKED)
        case "admit" | "deny" if not context.knocks:
            return Problem(Trouble.NOBODY_WAITS, (entry.word,))
        case "resume" if not context.kept:
            return Problem(Trouble.NOTHING_KEPT)
        case "handover" if not heirs(context):
            return Problem(Trouble.NO_HEIR)
        case "proceed" | "wait" if not context.may_go_on:
            return Problem(Trouble.NOBODY_MISSING, (entry.word,))
        case "away" if context.bot_plays:
            return Problem(Trouble.AWAY)
        case "sit" if context.me is not None:
            return Problem(Trouble.SEATED)
        case "sit" if context.seat_kept:
            return Problem(Trouble.SEAT_KEPT, (entry.word,))
        case "vote kick" if context.vote is not None:
            return Problem(Trouble.VOTE_OPEN, (context.vote.nick,))
        case "vote yes" | "vote no":
            return _vote(context)
    return None


def completed(entry: Entry, args: list[str], context: Context) -> tuple[str, ...] | Problem:
    """The arguments with those that were left out, as far as they are known here."""
    match entry.words:
        case "list" if args == ["lab"] and not context.in_lab:
            return Problem(Trouble.NO_LAB, ("list lab",))
        case "admit" | "deny":
            waiting = [caller.nick for caller in context.knocks]
            if not args and len(waiting) > 1:
                return Problem(Trouble.SEVERAL_WAIT, (entry.word, *waiting))
            args = args or waiting
            return tuple(args) if entry.word == "admit" else (*args, "")[:2]
        case "resume" if not args and len(context.kept) > 1:
            return Problem(Trouble.SEVERAL_KEPT, tuple(one.title for one in context.kept))
        case "resume":
            return tuple(args) or (context.kept[0].name,)
        case "handover":
            return tuple(args) or ("",)
        case "kick":
            return (*args, "")[:2]
        case "ban":
            return (*args, *("0", "")[len(args) - 1 :])
    return tuple(args)


def bad_code(typed: str) -> Problem:
    """Why that is no code: the first word that stands in none, where there is one, and what may have been meant."""
    known = frozenset(code_words())
    wrong = [word for word in re.split(r"[\s-]+", typed.lower()) if word and word not in known]
    return Problem(Trouble.BAD_CODE, (typed, *(word for one in wrong[:1] for word in (one, *_like(one, code_words())))))


def misspelt_code(line: str) -> Problem | None:
    """What is wrong with a line that is nearly a code: two words with a hyphen between, or one of them a code's."""
    words = re.split(r"[\s-]+", line.lower())
    nearly = len(words) == 2 and ("-" in line or not set(words).isdisjoint(code_words()))
    return bad_code(line) if nearly else None


def _like(typed: str, known: Sequence[str]) -> list[str]:
    return get_close_matches(typed, known, n=1, cutoff=ALIKE)


def _short(typed: str, most: int, code: Trouble) -> str | Problem:
    return typed if len(typed) <= most else Problem(code, (str(most), str(len(typed) - most)))


def _door(typed: str, context: Context) -> str | Problem:
    lower = typed.lower()
    if lower not in DOORS:
        return Problem(Trouble.NO_SUCH_DOOR, (typed, *DOORS))
    return Problem(Trouble.NO_LAB, (f"door {lower}",)) if lower in LAB_DOORS and not context.in_lab else lower


def _here(typed: str, context: Context) -> Fellow | None:
    """Who is at the table by that nick, else by what we call them, else by two words of the key."""
    lower, people = typed.lower(), context.people
    names = [(one.nick, one) for one in people] + [(one.petname, one) for one in people]
    names += [(one.chip, one) for one in people]
    return next((fellow for name, fellow in names if name.lower() == lower), None)


def _fellow(entry: Entry, typed: str, context: Context) -> Fellow | Problem:
    """Who is meant, at the table."""
    lower = typed.lower()
    if (here := _here(typed, context)) is not None:
        return here
    for caller in context.knocks:
        if caller.nick.lower() == lower:
            return Problem(Trouble.AT_THE_DOOR, (caller.nick,))
    if problem := _nobody_else(entry, typed, context):
        return problem
    names = {name.lower(): name for fellow in context.people for name in (fellow.petname, fellow.nick) if name}
    return Problem(Trouble.NO_SUCH_PERSON, (typed, *(names[name] for name in _like(lower, list(names)))))


def _nobody_else(entry: Entry, typed: str, context: Context) -> Problem | None:
    """The name is our own, or a bot's."""
    lower = typed.lower()
    for chair in context.chairs:
        if chair.bot and chair.nick.lower() == lower:
            return Problem(Trouble.A_BOT, (entry.words, chair.nick))
    return Problem(Trouble.YOURSELF, (entry.words,)) if lower == context.nick.lower() else None


def _player(entry: Entry, typed: str, context: Context) -> str | Problem:
    found = _fellow(entry, typed, context)
    if isinstance(found, Problem):
        return found
    if found.host and entry.word == "vote":
        return Problem(Trouble.THE_HOST, (entry.words, found.nick))
    if found.seat is not None and found.absent and entry.word == "handover":
        return Problem(Trouble.ABSENT, (found.nick,))
    return found.nick if found.seat is not None else Problem(Trouble.NO_SEAT, (entry.words, found.nick))


def _somebody(entry: Entry, typed: str, context: Context) -> str | Problem:
    """A nick as it is written here; any other name may be that of somebody we met elsewhere."""
    lower = typed.lower()
    if (here := _here(typed, context)) is not None:
        return here.nick
    for caller in context.knocks:
        if lower in (caller.nick.lower(), caller.chip):
            return caller.nick
    if entry.word in ("stats", "whois") and lower == context.nick.lower():
        return context.nick
    if problem := _nobody_else(entry, typed, context):
        return problem
    return _known(typed)


def unquoted(typed: str) -> str:
    """A title as it is meant that was typed in quotes, as for a shell; with none around it, as it is."""
    inner = typed[1:-1].strip()
    return inner if inner and typed[0] + typed[-1] in _QUOTES else typed


def _kept(typed: str, context: Context) -> str | Problem:
    """The `~id` of a table that we have a seat at, by title, the beginning of one title, or the beginning of the id."""
    lower = unquoted(typed).lower()
    ways = (
        [one.name for one in context.kept if one.title.lower() in (typed.lower(), lower)],
        [one.name for one in context.kept if one.title.lower().startswith(lower)],
        [one.name for one in context.kept if lower.startswith("~") and one.name.startswith(lower)],
    )
    for found in ways:
        if len(found) == 1:
            return found[0]
    return Problem(Trouble.NO_SUCH_KEPT, (typed, *(one.title for one in context.kept)))


def _known(typed: str) -> str | Problem:
    """A name of somebody who is not here, as it stands."""
    return typed if len(typed) <= LONGEST_NAME else Problem(Trouble.BAD_NAME, (typed,))


def _vote(context: Context) -> Problem | None:
    """Why we can't vote now."""
    vote = context.vote
    if vote is None:
        return Problem(Trouble.NO_VOTE)
    if vote.nick == context.nick:
        return Problem(Trouble.ABOUT_YOU)
    return None if vote.may else Problem(Trouble.VOTED, (vote.nick,))
