"""What `help` and `help WORD` have to say: lines of usage and explanation, of what works in this place."""

from __future__ import annotations

from msgspec import Struct

from p2pcards.commands.context import Context
from p2pcards.commands.table import VERB_ALIASES, Entry, entries, named, verb
from p2pcards.games import registry

_USAGES: dict[str, dict[str, str]] = {
    "tongits": {"take": "CARDS", "expose": "CARDS", "layoff": "CARD MELD", "discard": "CARD"},
}
"""What stands behind a game's verbs."""


class HelpLine(Struct, frozen=True):
    """One line of help. usage: what to type; help: what it does; aliases: other words for it; here: it works here."""

    usage: str
    help: str
    aliases: tuple[str, ...] = ()
    here: bool = True


def overview(context: Context) -> tuple[HelpLine, ...]:
    """Everything that works here, the game's actions first."""
    actions = () if context.legal is None else tuple(_verb_lines(context))
    return (*actions, *(_line(entry, context) for entry in entries(context.where, context.host)))


def explain(topic: str, context: Context) -> tuple[HelpLine, ...]:
    """The lines of one command or game verb, wherever it works; none for anything else."""
    if found := named(topic):
        return tuple(_line(entry, context) for entry in found)
    return tuple(line for line in _verb_lines(context) if line.usage.split(" ")[0] == topic)


def _line(entry: Entry, context: Context) -> HelpLine:
    here = context.where in entry.where and (context.host or not entry.host)
    return HelpLine(entry.usage, entry.help, entry.aliases, here)


def _verb_lines(context: Context) -> list[HelpLine]:
    games = registry.GAMES.values() if context.game is None else (context.game,)
    here = context.legal is not None
    lines = []
    for game in games:
        for own, text in game.verbs.items():
            aliases = tuple(alias for alias in VERB_ALIASES if verb(game, alias) == own)
            lines.append(HelpLine(_usage(game.name, own), text, aliases, here))
    return lines


def _usage(game: str, own: str) -> str:
    return f"{own} {_USAGES.get(game, {}).get(own, '')}".rstrip()
