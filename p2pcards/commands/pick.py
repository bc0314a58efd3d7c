"""What cards that are picked, not typed, can mean: whole lines of the same table and the same rules that typing has.

A line comes out of here as it could have been typed, so whoever does it reads it as any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from p2pcards.cards import Card, deck
from p2pcards.commands.command import Command, Problem, Trouble
from p2pcards.commands.context import Context, Where
from p2pcards.commands.legal import Legal, bits
from p2pcards.commands.parse import parse
from p2pcards.commands.suggest import Suggestion, suggest
from p2pcards.errors import InvalidAction, InvalidCard

WITHOUT_CARDS = ("draw", "pass")
"""The game verbs for who plays no card, the first that may be done now."""

GOING_ON = {Where.BETWEEN: "next", Where.OVER: "again"}
"""What is done in their place where no round is open."""

ENDINGS = 8
"""So many lines that begin with a command, or fewer, are offered whole."""


def picked(cards: Sequence[Card], context: Context) -> tuple[Suggestion, ...]:
    """The legal actions with exactly these cards of the hand; with none of them, those that need none."""
    if context.legal is None or context.me not in context.to_act or context.pending or context.halts:
        return ()
    legal = context.legal
    texts = [legal.game.ranking.format(card) for card in cards]
    if len(set(texts)) < len(texts):
        return ()
    held = {legal.game.ranking.format(card) for card in context.hand}.difference(texts)
    among = legal.having(texts, legal.all()) if texts else legal.all()
    return tuple(
        Suggestion(legal.lines[place], legal.lines[place], legal.notes[place], 0)
        for place in bits(among)
        if held.isdisjoint(legal.words[place])
    )


def refusal(cards: Sequence[Card], context: Context) -> Problem:
    """Why nothing can be done with exactly these cards: what is said to the likeliest line that names them."""
    legal = context.legal
    texts = [] if context.game is None else [context.game.ranking.format(card) for card in cards]
    found = parse(" ".join(texts), context)
    if legal is None or context.me not in context.to_act or context.pending or context.halts:
        return found if isinstance(found, Problem) else Problem(Trouble.NO_USE, tuple(texts))
    lines = [f"{verb} {' '.join(texts)}" for verb in _likeliest(legal, texts)]
    said = [problem for line in lines if isinstance(problem := parse(line, context), Problem)]
    return said[0] if said else Problem(Trouble.NO_USE, tuple(texts))


def without_cards(context: Context) -> str:
    """The line of who plays no card now, or goes on after a round; empty where there is none."""
    if (line := GOING_ON.get(context.where)) is not None:
        return line if context.me is not None and not context.ready else ""
    lines = {one.text for one in picked((), context)}
    return next((verb for verb in WITHOUT_CARDS if verb in lines), "")


def unable(context: Context) -> Problem | None:
    """Why nobody can play no card now; None where no round is open, and nothing is to be said."""
    if context.game is None or context.where is not Where.PLAYING:
        return None
    verb = next(verb for verb in WITHOUT_CARDS if verb in context.game.verbs)
    found = parse(verb, context)
    return found if isinstance(found, Problem) else None


def whole(offered: Iterable[Suggestion], context: Context) -> Iterator[Suggestion]:
    """Of what is offered on an empty line what can be done as it stands, and how the rest may end where that is few.

    Each line once.
    """
    lines = dict[str, Suggestion]()
    for one in offered:
        line = one.text.strip()
        if line and isinstance(parse(line, context), Command):
            lines.setdefault(line, Suggestion(line, line, one.note, 0))
        elif line:
            for ending in _endings(f"{line} ", context):
                lines.setdefault(ending.text, ending)
    yield from lines.values()


def _endings(begun: str, context: Context) -> Iterator[Suggestion]:
    ends = [one for one in suggest(begun, context) if one.text and one.start >= len(begun.rstrip())]
    lines = [(begun[: one.start] + one.text).rstrip() for one in ends]
    if len(ends) <= ENDINGS and all(isinstance(parse(line, context), Command) for line in lines):
        yield from (Suggestion(line, line, one.note, 0) for line, one in zip(lines, ends, strict=True))


def _likeliest(legal: Legal, texts: Sequence[str]) -> list[str]:
    """The game's verbs with which these cards make an action, legal or not; then those that take other cards now.

    The likeliest first: for one card what takes no two, and what may be done now before what may not.
    """
    verbs = list(legal.game.verbs)
    two = [*texts, next(text for text in map(legal.game.ranking.format, deck()) if text not in texts)]
    takes = {verb: _is_action(legal, verb, texts) for verb in verbs}
    wide = {verb: len(texts) == 1 and _is_action(legal, verb, two) for verb in verbs}
    others = [verb for verb in verbs if any(legal.words[place] for place in bits(legal.verbs.get(verb, 0)))]
    likely = sorted((verb for verb in verbs if takes[verb]), key=lambda verb: (wide[verb], verb not in legal.verbs))
    return [*likely, *(verb for verb in others if not takes[verb])]


def _is_action(legal: Legal, verb: str, texts: Sequence[str]) -> bool:
    try:
        legal.game.parse(" ".join([verb, *texts]))
    except (InvalidAction, InvalidCard):
        return False
    return True
