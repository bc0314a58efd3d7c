"""What a shell offers for the words of a command line, where that is more than the names of commands and options."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

Offered = list[CompletionItem]


def games(context: click.Context, parameter: click.Parameter, incomplete: str) -> Offered:
    """Games, with their titles."""
    from p2pcards.games.registry import GAMES

    return _beginning(incomplete, {name: game.title for name, game in GAMES.items()})


def levels(context: click.Context, parameter: click.Parameter, incomplete: str) -> Offered:
    """The levels of bots, of the game where it is named."""
    from p2pcards.games.registry import GAMES
    from p2pcards.table.settings import levels

    named = _game(context)
    known = dict.fromkeys(level for game in ([named] if named else GAMES) for level in levels(game))
    return _beginning(incomplete, dict.fromkeys(known, ""))


def bots(context: click.Context, parameter: click.Parameter, incomplete: str) -> Offered:
    """The levels, or the file of a program."""
    return levels(context, parameter, incomplete) or files(context, parameter, incomplete)


def doors(context: click.Context, parameter: click.Parameter, incomplete: str) -> Offered:
    """Who may get in."""
    from p2pcards.table.settings import DOORS

    return _beginning(incomplete, dict.fromkeys(DOORS, ""))


def options(context: click.Context, parameter: click.Parameter, incomplete: str) -> Offered:
    """KEY=VALUE: keys of the game that was named and of tables first, then the values of the key where they are few."""
    from p2pcards.games.options import explained
    from p2pcards.games.registry import GAMES
    from p2pcards.table.settings import DEFAULTS, EFFECTS, choices

    game = _game(context)
    if not game:
        return []
    rules = {option.name: option for option in explained(GAMES[game])}
    key, is_whole, begun = incomplete.partition("=")
    if not is_whole:
        keys = {name: option.effect for name, option in rules.items()} | {name: EFFECTS[name] for name in DEFAULTS}
        return _beginning(key, {f"{name}=": effect for name, effect in keys.items()})
    values = rules[key].choices if key in rules else choices(game, key)
    return _beginning(incomplete, {f"{key}={value}": "" for value in values if value.startswith(begun)})


def presets(context: click.Context, parameter: click.Parameter, incomplete: str) -> Offered:
    """The rules that are kept under a name."""
    from p2pcards.errors import UserError
    from p2pcards.store.folders import folders
    from p2pcards.store.presets import PresetFile

    try:
        kept = PresetFile(folders()).all().get(_game(context), {})
    except UserError:
        return []
    return _beginning(incomplete, dict.fromkeys(kept, ""))


def profiles(context: click.Context, parameter: click.Parameter, incomplete: str) -> Offered:
    """The profiles that there are."""
    from p2pcards.store.folders import folders
    from p2pcards.store.identity_file import DEFAULT, profiles

    return _beginning(incomplete, dict.fromkeys((DEFAULT, *profiles(folders().data)), ""))


def interfaces(context: click.Context, parameter: click.Parameter, incomplete: str) -> Offered:
    """The interfaces of this machine, with their addresses."""
    import ifaddr

    found = {adapter.nice_name: ", ".join(str(ip.ip) for ip in adapter.ips) for adapter in ifaddr.get_adapters()}
    return _beginning(incomplete, found)


def files(context: click.Context, parameter: click.Parameter, incomplete: str) -> Offered:
    """Files, which the shell knows by itself."""
    return [CompletionItem(incomplete, type="file")]


def directories(context: click.Context, parameter: click.Parameter, incomplete: str) -> Offered:
    """Folders, the same way."""
    return [CompletionItem(incomplete, type="dir")]


def _game(context: click.Context) -> str:
    """The game that was named, "" where none was; at the value of an option the rest of the line is still unread."""
    from p2pcards.games.registry import GAMES

    said = (context.params.get("game"), *context.args)
    return next((word for word in said if word in GAMES), "")


def _beginning(incomplete: str, known: dict[str, str]) -> Offered:
    """Those that begin so, each with a word on it."""
    return [CompletionItem(name, help=about or None) for name, about in known.items() if name.startswith(incomplete)]
