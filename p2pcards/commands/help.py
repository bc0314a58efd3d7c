"""What `help` and `help WORD` have to say: lines of usage and explanation, of what works in this place."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from p2pcards.commands import help_onecard, help_straights, help_tienlen, help_tongits
from p2pcards.commands.command import VerbHelp
from p2pcards.commands.context import Context, Where
from p2pcards.commands.entry import Entry
from p2pcards.commands.table import VERB_ALIASES, named, offered, verb
from p2pcards.games import registry

_VERBS: Mapping[str, Mapping[str, VerbHelp]] = {
    "onecard": help_onecard.VERBS,
    "straights": help_straights.VERBS,
    "tienlen": help_tienlen.VERBS,
    "tongits": help_tongits.VERBS,
}
_NONE = VerbHelp("", "", ())

PAGES: Mapping[str, str] = {
    "deal": "how the cards are dealt, so that nobody has to be trusted",
    "safe": "what becomes of a table when its host is gone, or others are",
}
"""What `help` explains beside the commands, at length; the text is the screen's."""


class HelpLine(Struct, frozen=True):
    """One line of help.

    usage: what to type; help: what it does; aliases: other words for it; here: it works here, for this person; places:
    where a table command works at all; host: for the host alone; more: when it may be done, and other sentences;
    examples: whole lines; game: title of the one that it belongs to, where it could be another.
    """

    usage: str
    help: str
    aliases: tuple[str, ...] = ()
    here: bool = True
    places: frozenset[Where] = frozenset()
    host: bool = False
    more: str = ""
    examples: tuple[str, ...] = ()
    game: str = ""


def overview(context: Context) -> tuple[HelpLine, ...]:
    """Everything that works here, the game's actions first."""
    actions = () if context.legal is None or context.me is None else tuple(_verb_lines(context))
    return (*actions, *(_line(entry, context) for entry in offered(context)))


def explain(topic: str, context: Context) -> tuple[HelpLine, ...]:
    """The lines of one command or game verb, wherever it works; none for anything else."""
    if found := named(topic):
        return tuple(_line(entry, context) for entry in found)
    return tuple(line for line in _verb_lines(context) if line.usage.split(" ")[0] == topic)


def usage(game: str, own: str) -> str:
    """What stands behind a game's verb, `CARD MELD`; "" where nothing does."""
    return _VERBS.get(game, {}).get(own, _NONE).cards


def _line(entry: Entry, context: Context) -> HelpLine:
    here = entry in offered(context) or context.where in entry.quiet
    help_line = entry.helps(searching=bool(context.joining))
    return HelpLine(entry.usage, help_line, entry.aliases, here, entry.where, entry.host, entry.more, entry.examples)


def _verb_lines(context: Context) -> list[HelpLine]:
    games = registry.GAMES.values() if context.game is None else (context.game,)
    here = context.legal is not None and context.me is not None
    lines = []
    for game in games:
        told = _VERBS.get(game.name, {})
        title = game.title if context.game is None else ""
        for own, text in game.verbs.items():
            known = told.get(own, _NONE)
            aliases = tuple(alias for alias in VERB_ALIASES if verb(game, alias) == own)
            usage = f"{own} {known.cards}".rstrip()
            lines.append(HelpLine(usage, text, aliases, here, more=known.more, examples=known.examples, game=title))
    return lines
