"""Options of the command line that more than one command takes, and how what they are given is read."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from p2pcards import completing

F = TypeVar("F", bound=Callable[..., Any])


def one_game(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """The name of the registry's game that was named or nearly so."""
    from difflib import get_close_matches

    from p2pcards.commands.table import GAME_ALIASES
    from p2pcards.games.registry import GAMES

    word = GAME_ALIASES.get(value.lower(), value.lower())
    if word in GAMES:
        return word
    near = get_close_matches(word, [*GAMES, *(alias for alias, game in GAME_ALIASES.items() if game in GAMES)], 1)
    guess = f"did you mean {near[0]}?" if near else f"there is: {', '.join(GAMES)}."
    raise click.BadParameter(f"No game is called {value!r}; {guess}", context, parameter)


def game_argument(command: F) -> F:
    """Adds the argument GAME."""
    which = click.argument("game", callback=one_game, metavar="GAME", shell_complete=completing.games)
    return which(command)


def pairs(context: click.Context, parameter: click.Parameter, value: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """KEY=VALUE, any number of them, apart at the first =."""
    for text in value:
        if not all(text.partition("=")):
            raise click.BadParameter(f"{text!r} is not KEY=VALUE.", context, parameter)
    return tuple((text.partition("=")[0], text.partition("=")[2]) for text in value)


def _levels() -> dict[str, None]:
    """Every level that a game has."""
    from p2pcards.games.registry import GAMES
    from p2pcards.table.settings import levels

    return dict.fromkeys(level for game in GAMES for level in levels(game))


def one_level(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """The level of a bot, or nothing."""
    if value and value not in _levels():
        raise _no_level(context, parameter, value)
    return value


def _no_level(context: click.Context, parameter: click.Parameter, value: str, guess: str = "") -> click.BadParameter:
    from p2pcards.bots.registry import no_level

    return click.BadParameter(no_level(value, [*_levels()], guess), context, parameter)


def one_player(context: click.Context, parameter: click.Parameter, value: str | None) -> str | tuple[str, ...] | None:
    """The level of a bot, or the words of the command line of one, or nothing."""
    if value and value not in _levels():
        from p2pcards.net.botprogram import command_of, is_command, like

        if is_command(value):
            return command_of(value)
        raise _no_level(context, parameter, value, like(value))
    return value


def one_door(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Who gets in at a table, or nothing."""
    if value:
        from p2pcards.table.settings import DOORS

        if value not in DOORS:
            sentence = f"No door is called {value!r}; there is: {', '.join(DOORS)}."
            raise click.BadParameter(sentence, context, parameter)
    return value


class Number(click.ParamType[float]):
    """A number within limits. what: which numbers they are, for who typed another."""

    name = "number"

    def __init__(self, limits: click.IntRange | click.FloatRange, what: str) -> None:
        self._limits, self._what = limits, what

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            number = self._limits.convert(value, param, ctx)
        except click.BadParameter:
            number = math.nan
        if isinstance(number, float) and not math.isfinite(number):
            self.fail(f"{value!r} is not {self._what}.", param, ctx)
        return number


PORT = Number(click.IntRange(0, 65535), "a number from 0 to 65535")
SECONDS = Number(click.FloatRange(0), "a number of seconds, 0 or more")
PATIENCE = Number(click.FloatRange(0, min_open=True), "a number of seconds, more than 0")
MILLISECONDS = Number(click.FloatRange(0, min_open=True), "a number of milliseconds, more than 0")
ROUNDS = Number(click.IntRange(1), "a number of rounds, 1 or more")
BOTS = Number(click.IntRange(0), "a number of seats, 0 or more")
SEATS = Number(click.IntRange(1), "a number of seats, 1 or more")
COUNT = Number(click.IntRange(0), "a number, 0 or more")

OPTIONS: dict[str, Callable[[F], F]] = {
    "nick": click.option("--nick", metavar="NICK", help="What the others call you; else your login."),
    "profile": click.option(
        "--profile", metavar="NAME", help="Play under another key of yours.", shell_complete=completing.profiles
    ),
    "port": click.option("--port", type=PORT, metavar="P", help="Listen there; 0 takes any."),
    "interface": click.option(
        "--interface",
        metavar="IF",
        help="Use this interface or address only.",
        shell_complete=completing.interfaces,
    ),
    "plain": click.option("--plain", is_flag=True, help="Lines instead of a screen, for screen readers and pipes."),
    "ascii": click.option("--ascii", is_flag=True, help="Cards and lines in ASCII."),
    "color": click.option("--no-color", "color", is_flag=True, flag_value=False, default=True, help="No colours."),
    "debug": click.option(
        "--debug", is_flag=True, expose_value=False, help="Log more, and show the traceback of a fault."
    ),
    "json": click.option("--json", is_flag=True, help="Events as JSON lines; commands on standard input."),
    "keep": click.option("--keep", is_flag=True, help="Keep the table open, with a new lobby after each match."),
    "headless": click.option("--headless", is_flag=True, help="No screen: a bot plays your seat, to the match's end."),
    "bot": click.option(
        "--bot",
        metavar="LEVEL|COMMAND",
        callback=one_player,
        help="That bot, or a program of yours; else medium.",
        shell_complete=completing.bots,
    ),
    "bot_seconds": click.option(
        "--bot-seconds", type=PATIENCE, metavar="S", help="How long your program may think about a move; 5."
    ),
    "pace": click.option("--pace", type=SECONDS, metavar="S", help="Seconds between a bot's moves."),
    "think": click.option(
        "--think", type=MILLISECONDS, metavar="MS", help="Processor time for a move, for bots that think; 20."
    ),
    "record": click.option(
        "--record", metavar="FILE", help="Write the match as a record.", shell_complete=completing.files
    ),
    "log": click.option("--log", metavar="FILE", help="Write what happens, to read.", shell_complete=completing.files),
    "rounds": click.option("-r", "--rounds", type=ROUNDS, metavar="N", help="End after N rounds."),
    "option": click.option(
        "--option",
        "options",
        multiple=True,
        callback=pairs,
        metavar="K=V",
        help="A house rule; may be repeated.",
        shell_complete=completing.options,
    ),
    "preset": click.option(
        "--preset",
        metavar="NAME",
        help="The rules kept under that name; --option goes on top.",
        shell_complete=completing.presets,
    ),
    "seats": click.option("-n", "--seats", type=SEATS, metavar="N", help="So many sit at the table."),
    "cards": click.option("-c", "--cards", type=COUNT, metavar="N", help="One Card: deal so many cards to each."),
    "decks": click.option("-d", "--decks", type=COUNT, metavar="N", help="One Card: shuffle so many decks."),
    "bots": click.option("--bots", type=BOTS, metavar="N", help="Give N seats to bots."),
    "door": click.option(
        "--door",
        metavar="POLICY",
        callback=one_door,
        help="Who gets in: open, ask, code, lab or lab+uid; else open.",
        shell_complete=completing.doors,
    ),
    "lab_key": click.option("--lab-key", metavar="FILE", help="Your lab's key.", shell_complete=completing.files),
    "lab_keys": click.option(
        "--lab-keys",
        metavar="DIR",
        help="The directory where your lab proves logins.",
        shell_complete=completing.directories,
    ),
    "level": click.option(
        "--level",
        metavar="LEVEL",
        callback=one_level,
        help="How well bots play.",
        shell_complete=completing.levels,
    ),
}
"""Options that more than one command takes."""

PERSON = ("nick", "profile")
LAB = ("lab_key", "lab_keys")
NETWORK = ("port", "interface")
TABLE = ("seats", "cards", "decks", "rounds", "preset", "option", "level")
SEAT = ("headless", "bot", "bot_seconds", "think", "pace")
FILES = ("record", "log")
SCREEN = ("json", "plain", "ascii", "color", "debug")


def takes(*names: str) -> Callable[[F], F]:
    """Adds the options of these names, in this order."""

    def add(command: F) -> F:
        for name in reversed(names):
            command = OPTIONS[name](command)
        return command

    return add
