"""Completion of people, doors, codes and times, and what waits for an answer.

A program may know thousands of people, of whom a handful is offered; they and the 2,048 words of codes are found by
halving.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import islice, takewhile

from p2pcards.commands.command import Remark
from p2pcards.commands.context import Caller, Context, Fellow
from p2pcards.commands.entry import Entry, Kind
from p2pcards.commands.parse_people import seconds
from p2pcards.commands.table_hosts import heirs
from p2pcards.commands.table_people import DOORS, LAB_DOORS, accused, players
from p2pcards.wire.code import code_words


class About(StrEnum):
    """What stands beside a suggestion about people; its detail."""

    CALLER = "caller"  # at the door: two words of the key, a `table.people.Known`, the proved login or ""
    CALLER_NAMED = "caller_named"  # likewise: they have the name of somebody we know
    FELLOW = "fellow"  # at the table: two words of the key, a `table.people.Known`, our name for them or ""
    KNOWN = "known"  # known from elsewhere
    BANNED = "banned"
    VOTE = "vote"  # for yes: whom it is about, who called it, the votes for it, how many are needed
    VOTE_NO = "vote_no"  # whom it is about
    DURATION = "duration"  # for how many seconds, 0 for good
    OPEN = "open"
    ASK = "ask"
    CODE = "code"
    OTHER_CODE = "other_code"  # the door asks for a code already
    LAB = "lab"
    LAB_UID = "lab+uid"
    WORD = "word"  # of a code
    GO_ON = "go_on"  # for proceed: without whom
    WAIT = "wait"  # for whom
    KEPT = "kept"  # of a table that we have a seat at: its game, and for how many seconds we have been away


MOST = 5
"""Names of people who are not here that are offered at once."""

_PLAYERS: Mapping[str, Callable[[Context], tuple[Fellow, ...]]] = {"vote": accused, "handover": heirs}
"""Whom a command is about, of those who sit at the table."""

_GOING_ON = (("proceed", About.GO_ON), ("wait", About.WAIT))

_DURATIONS = ("10m", "2h", "7d", "forever")

_IGNORING = frozenset({"ignore", "unignore"})

_APART = re.compile(r"[\s-]+")


def people_values(entry: Entry, kind: Kind, lower: str, context: Context) -> Iterator[tuple[str, Remark]]:
    """Every value that begins so and that the argument can have, with what is to be said about it."""
    match kind:
        case Kind.PERSON:
            yield from map(_fellow, context.people)
        case Kind.PLAYER:
            yield from map(_fellow, _PLAYERS.get(entry.word, players)(context))
        case Kind.CALLER:
            yield from map(_caller, context.knocks)
        case Kind.SOMEBODY:
            yield from _somebody(entry, lower, context)
        case Kind.BANNED:
            yield from ((nick, Remark(About.BANNED)) for nick in _begun(context.banned, lower))
        case Kind.DURATION:
            yield from ((text, Remark(About.DURATION, (str(seconds(text)),))) for text in _DURATIONS)
        case Kind.DOOR:
            yield from _doors(context)


ANSWERS = frozenset({About.CALLER, About.CALLER_NAMED, About.VOTE, About.VOTE_NO, About.GO_ON, About.WAIT})
"""On an empty line these stand beside what answers something that waits for it."""


def pressing(fragment: str, context: Context) -> Iterator[tuple[str, Remark]]:
    """Whole lines that begin so and answer what waits for an answer; nothing typed yet, of who waits the first.

    Who has the name of somebody we know is not the one whom a thoughtless Tab lets in.
    """
    callers = context.knocks if fragment else context.knocks[:1]
    verbs = ("deny", "admit") if callers and callers[0].asked == "name" else ("admit", "deny")
    answers = [(f"{verb} {caller.nick}", _caller(caller)[1]) for verb in verbs for caller in callers]
    if (vote := context.vote) is not None and vote.may:
        yes = Remark(About.VOTE, (vote.nick, vote.by, str(vote.votes), str(vote.needed)))
        answers += [("vote yes", yes), ("vote no", Remark(About.VOTE_NO, (vote.nick,)))]
    if context.may_go_on:
        answers += [(verb, Remark(about, context.may_go_on)) for verb, about in _GOING_ON]
    yield from ((line, note) for line, note in answers if line.startswith(fragment))


def kept(begun: str, context: Context) -> Iterator[tuple[str, Remark]]:
    """The tables that we have a seat at and whose title begins so; by their id where two have one title."""
    titles = [one.title.lower() for one in context.kept]
    for one in context.kept:
        if one.title.lower().startswith(begun.lower()):
            name = one.name if titles.count(one.title.lower()) > 1 else one.title
            yield name, Remark(About.KEPT, (one.game, str(round(one.age)), one.title))


def code_endings(text: str) -> Iterator[tuple[int, str]]:
    """How the code that begins so may go on: where, and its next word; the first one with what stands behind it."""
    at = 0
    for found in _APART.finditer(text):
        if at:  # a third word
            return
        at = found.end()
        if text[: found.start()].lower() not in _begun(code_words(), text[: found.start()].lower(), 1):
            return
    fragment = text[at:].lower()
    for word in _begun(code_words(), fragment, len(code_words())) if fragment else ():
        yield at, word if at else f"{word}-"


def _begun(ordered: Sequence[str], fragment: str, most: int = MOST) -> list[str]:
    """The first words that begin so, of words in order; upper and lower case are one."""
    place = bisect_left(ordered, fragment, key=str.lower)
    return list(takewhile(lambda word: word.lower().startswith(fragment), islice(ordered, place, place + most)))


def _caller(caller: Caller) -> tuple[str, Remark]:
    code = About.CALLER_NAMED if caller.asked == "name" else About.CALLER
    return caller.nick, Remark(code, (caller.chip, caller.known, caller.login))


def _fellow(fellow: Fellow) -> tuple[str, Remark]:
    return fellow.nick, Remark(About.FELLOW, (fellow.chip, fellow.known, fellow.petname))


def _somebody(entry: Entry, lower: str, context: Context) -> Iterator[tuple[str, Remark]]:
    """Who is here, then who is known from elsewhere."""
    ignored = entry.word == "unignore"
    for fellow in context.people:
        if entry.word not in _IGNORING or fellow.ignored == ignored:
            yield _fellow(fellow)
    if entry.word not in _IGNORING:
        yield from map(_caller, context.knocks)
    here = {fellow.nick for fellow in context.people} | {caller.nick for caller in context.knocks}
    yield from ((name, Remark(About.KNOWN)) for name in _begun(context.named, lower) if name not in here)


def _doors(context: Context) -> Iterator[tuple[str, Remark]]:
    """The doors that the table could have beside its own; another code is one."""
    for door in DOORS:
        if door in LAB_DOORS and not context.in_lab:
            continue
        if door != context.door:
            yield door, Remark(About(door))
        elif door == "code":
            yield door, Remark(About.OTHER_CODE)
