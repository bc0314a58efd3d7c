"""What the menu offers: suggestions, those first that are likely while nothing is typed."""

from __future__ import annotations

from collections.abc import Iterator

from p2pcards.commands.command import Remark
from p2pcards.commands.context import Context, Where
from p2pcards.commands.suggest import Note, Suggestion, suggest
from p2pcards.commands.suggest_people import ANSWERS

LIKELY = {
    Where.HOME: ("code", "leave", "resume", "join", "watch", "host", "practise"),
    Where.LOBBY: ("start", "bot", "say", "set", "door", "leave"),
    Where.BETWEEN: ("next", "stop", "leave"),
    Where.OVER: ("again", "start", "leave"),
}
"""Commands that stand first on an empty line."""


def offers(text: str, context: Context, joinable: frozenset[int], hidden: bool) -> Iterator[Suggestion]:
    """What may be typed behind `text`; during a round an empty line offers moves alone, and answers to who waits.

    Those come first, but behind the moves of one's own turn, so that Tab takes what it would have taken before.
    joinable: numbers of the tables where a seat is free. hidden: nothing that names a card of the own hand.
    """
    secret: set[str] = set()
    if hidden and context.game is not None:
        secret = {context.game.ranking.format(card) for card in context.hand}
    found = list(_veiled(text, context, secret) if secret else suggest(text, context))
    if text.strip():
        yield from found
        return
    answers = [one for one in found if one.note.code in ANSWERS]
    found = [one for one in found if one.note.code not in ANSWERS]
    if context.where is Where.PLAYING:
        verbs = () if context.game is None else context.game.verbs
        moves = [one for one in found if verb_of(one) in verbs]
        mine = context.me in context.to_act and not context.may_go_on
        yield from (*moves, *answers) if mine else (*answers, *moves)
    else:
        yield from answers
        if context.where is Where.HOME and not context.joining:
            yield from (ways := tuple(_ways_back(context)))
            found = [one for one in found if not (ways and verb_of(one) == "resume")]
            yield from _free_seats(context, joinable)
        likely = LIKELY[context.where]
        yield from sorted((one for one in found if verb_of(one) in likely), key=lambda one: likely.index(verb_of(one)))
        yield from (one for one in found if verb_of(one) not in likely)


def _veiled(text: str, context: Context, secret: set[str]) -> Iterator[Suggestion]:
    """What names no secret card; in place of whole actions that do, their verb."""
    verbs = {} if context.game is None else dict(context.game.verbs)
    for one in suggest(text, context):
        if not one.text:
            continue
        own = verb_of(one)
        if secret.isdisjoint([*one.display.split(), *one.note.detail]):
            yield one
        elif own.startswith(text.strip().lower()) and (help_line := verbs.pop(own, None)) is not None:
            yield Suggestion(f"{own} ", own, Remark(Note.HELP, (help_line,)), one.start)


def _ways_back(context: Context) -> Iterator[Suggestion]:
    """`resume`, or `resume TITLE` for each table that we have a seat at, as whole lines."""
    for one in suggest("resume ", context) if context.kept else ():
        line = "resume" if len(context.kept) == 1 else f"resume {one.text}"
        yield Suggestion(line, line, one.note, 0)


def _free_seats(context: Context, joinable: frozenset[int]) -> Iterator[Suggestion]:
    """`join 1`, `join 2`, … as whole lines."""
    for one in suggest("join ", context):
        if one.display.isdecimal() and int(one.display) in joinable:
            yield Suggestion(f"join {one.text}", f"join {one.display}", one.note, 0)


def verb_of(suggestion: Suggestion) -> str:
    """The first word of the line."""
    return suggestion.text.split()[0]
