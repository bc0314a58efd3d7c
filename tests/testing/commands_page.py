"""docs/commands.md, made from the command table and the command line. To write it anew:

python -m tests.testing.commands_page > docs/commands.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from p2pcards.cli import ALIASES, program
from p2pcards.commands.context import Where
from p2pcards.commands.entry import Entry
from p2pcards.commands.table import ASKING_VERBS, ENTRIES, GAME_ALIASES, VERB_ALIASES
from p2pcards.games.options import explained
from p2pcards.games.registry import GAMES
from p2pcards.table.settings import DEFAULTS, EFFECTS
from p2pcards.ui.context import allowed

PLACES = {
    Where.HOME: "at home",
    Where.LOBBY: "in the lobby",
    Where.PLAYING: "in a round",
    Where.BETWEEN: "between rounds",
    Where.OVER: "after the match",
}

BAR = "\\|"
"""A bar inside a cell of a table."""


def page() -> str:
    """The whole page."""
    return "\n".join([*_head(), *_typed(), *_games(), *_settings(), *_command_line()]) + "\n"


def _head() -> Iterator[str]:
    yield "# Commands"
    yield ""
    yield "What can be typed inside the program, what a table can be set to, and the command line. This page is made"
    yield "from the program itself (`python -m tests.testing.commands_page`)."


def _typed() -> Iterator[str]:
    yield ""
    yield "## Inside"
    yield ""
    yield "Words in capitals are yours to fill in, words in brackets can be left out. `Tab` completes."
    yield ""
    yield _row("command", "what it does", "where", "also")
    yield _row("---", "---", "---", "---")
    for entry in ENTRIES:
        where = _where(entry) + (" (the host)" if entry.host else "")
        yield _row(f"`{entry.usage}`", entry.help, where, _words(entry.aliases))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |"


def _where(entry: Entry) -> str:
    if entry.where == frozenset(Where):
        return "everywhere"
    if entry.where == frozenset(Where) - {Where.HOME}:
        return "at a table"
    return ", ".join(place for where, place in PLACES.items() if where in entry.where)


def _games() -> Iterator[str]:
    for name, game in GAMES.items():
        yield ""
        yield f"## {game.title}"
        yield ""
        named = [alias for alias, meant in GAME_ALIASES.items() if meant == name]
        yield f"`{name}`" + (f", also {_words(named)}" if named else "") + f"; the rules: `p2pcards rules {name}`."
        yield ""
        yield _row("action", "what it does", "also")
        yield _row("---", "---", "---")
        for verb, effect in game.verbs.items():
            asks = " (asks once)" if verb in ASKING_VERBS else ""
            aliases = [alias for alias, meant in VERB_ALIASES.items() if meant == verb]
            yield _row(f"`{verb}`", effect + asks, _words(aliases))
        yield ""
        yield _row("option", "default", "allowed", "what it does")
        yield _row("---", "---", "---", "---")
        for option in explained(game):
            yield _row(f"`{option.name}`", option.default, option.allowed, option.effect)


def _settings() -> Iterator[str]:
    yield ""
    yield "## Table settings"
    yield ""
    yield "Set like the options of a game: `set grace_seconds 30` in the lobby, `--option grace_seconds=30` before."
    yield "How many may sit is set likewise where a game leaves it open: `set seats 5`, `--seats 5`."
    yield ""
    yield _row("setting", "default", "allowed", "what it does")
    yield _row("---", "---", "---", "---")
    for name, default in DEFAULTS.items():
        yield _row(f"`{name}`", default, allowed(name), EFFECTS[name])


def _command_line() -> Iterator[str]:
    yield ""
    yield "## Command line"
    for words, command in _commands((), program):
        arguments = [str(each.metavar) for each in command.params if isinstance(each, click.Argument)]
        yield ""
        yield "### " + " ".join(["p2pcards", *words, *arguments])
        yield ""
        aliases = [alias for alias, meant in ALIASES.items() if (meant,) == words]
        yield (command.help or "").split("\n")[0] + (f" Also {_words(aliases)}." if aliases else "")
        yield ""
        yield _row("option", "what it does")
        yield _row("---", "---")
        for option in command.params:
            if isinstance(option, click.Option):
                value = f" {option.metavar}" if option.metavar else ""
                yield _row(f"`{', '.join(option.opts)}{value}`", option.help or "")


def _commands(words: tuple[str, ...], command: click.Command) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield words, command
    for name, below in command.commands.items() if isinstance(command, click.Group) else ():
        yield from _commands((*words, name), below)


def _words(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    sys.stdout.write(page())
