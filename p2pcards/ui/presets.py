"""What `preset save`, `preset list` and `preset delete` do and say. To load one is the node's."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.commands.context import Context
from p2pcards.errors import UserError
from p2pcards.games.registry import GAMES
from p2pcards.table.settings import IN_PRACTICE
from p2pcards.ui.ports import Node
from p2pcards.ui.voice import house_rules, listed

NO_RULES = frozenset({"seats", "hidden"})
"""What `set` changes and a preset does not keep: how many sit, and who finds it, is another thing every evening."""


def answer(second: str, args: Sequence[str], node: Node, context: Context) -> list[str]:
    """The sentences; UserError where it can't be done, and nothing has changed."""
    match second, args:
        case "save", (name,):
            return _save(name, node, context)
        case "delete", (name, *game):
            return _delete(name, game[0] if game else "", node, context)
    return _list(node, context)


def _save(name: str, node: Node, context: Context) -> list[str]:
    if context.game is None:
        raise UserError("You are at no table.")
    left_out = NO_RULES | (IN_PRACTICE.keys() if context.alone else set())
    rules = tuple(
        (choice.name, choice.now)
        for choice in context.choices
        if choice.now != choice.usual and choice.name not in left_out
    )
    node.presets.save(context.game.name, name, rules)
    return [
        f"Kept as {name}: {house_rules(rules)}. `preset load {name}` brings it back, and so does `--preset {name}`."
    ]


def _list(node: Node, context: Context) -> list[str]:
    kept = node.presets.all()
    lines = [
        f"{name}, for {GAMES[game].title if game in GAMES else game}: {house_rules(rules)}."
        for game, named in kept.items()
        for name, rules in named.items()
        if context.game is None or game == context.game.name
    ]
    return lines or ["No preset is kept yet; the host of a table keeps one in the lobby, `preset save NAME`."]


def _delete(name: str, wanted: str, node: Node, context: Context) -> list[str]:
    game = wanted or (context.game.name if context.game is not None else "")
    kept = node.presets.all()
    games = [one for one, named in kept.items() if name in named and game in ("", one)]
    if len(games) > 1:
        ways = listed([f"`preset delete {name} {one}`" for one in games], "or")
        raise UserError(f"Presets of several games are called {name}: type {ways}.")
    if not games:
        names = sorted({one for of, named in kept.items() if game in ("", of) for one in named})
        there = f"there is: {', '.join(names)}" if names else "none is kept yet"
        raise UserError(f"No preset is called {name}; {there}.")
    node.presets.delete(games[0], name)
    title = GAMES[games[0]].title if games[0] in GAMES else games[0]
    return [f"The preset {name} for {title} is forgotten."]
