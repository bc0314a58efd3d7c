"""The command line: arguments in, the program built on one page, nothing else.

Each command imports what it needs when it runs, so that none pays for the others.
"""

from __future__ import annotations

import logging
import math
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from p2pcards import PROTOCOL, __version__
from p2pcards.errors import InvalidOption, UserError

ALIASES = {"practice": "practise"}
INTERRUPTED = 130

F = TypeVar("F", bound=Callable[..., Any])

log = logging.getLogger(__name__)


def run(arguments: Sequence[str]) -> int:
    """Does what the arguments say and returns the exit code; every error is one sentence on standard error."""
    _mend_streams()
    debug = "--debug" in arguments
    logging.getLogger("p2pcards").setLevel(logging.DEBUG if debug else logging.INFO)
    try:
        return program.main(list(arguments), "p2pcards", standalone_mode=False) or 0
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "p2pcards"
        return _complain(f"{error.format_message()} Try '{where} --help'.", error.exit_code)
    except click.ClickException as error:
        return _complain(error.format_message(), error.exit_code)
    except UserError as error:
        return _complain(str(error), error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except Exception as error:
        if debug:
            raise
        return _complain(f"p2pcards stopped over a fault of its own ({error!r}).{_logged(error)}", 1)


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


def pairs(context: click.Context, parameter: click.Parameter, value: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """KEY=VALUE, any number of them, apart at the first =."""
    for text in value:
        if not all(text.partition("=")):
            raise click.BadParameter(f"{text!r} is not KEY=VALUE.", context, parameter)
    return tuple((text.partition("=")[0], text.partition("=")[2]) for text in value)


class Program(click.Group):
    """The command line as a whole: aliases, no abbreviations."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name or alias."""
        return super().get_command(ctx, ALIASES.get(cmd_name, cmd_name))


def one_level(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """The level of a bot, or nothing."""
    if value:
        from p2pcards.games.registry import GAMES
        from p2pcards.table.settings import levels

        known = dict.fromkeys(level for game in GAMES for level in levels(game))
        if value not in known:
            raise click.BadParameter(f"No bot is called {value!r}; there is: {', '.join(known)}.", context, parameter)
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
ROUNDS = Number(click.IntRange(1), "a number of rounds, 1 or more")
BOTS = Number(click.IntRange(0), "a number of seats, 0 or more")
SEATS = Number(click.IntRange(1), "a number of seats, 1 or more")
COUNT = Number(click.IntRange(0), "a number, 0 or more")

OPTIONS: dict[str, Callable[[F], F]] = {
    "nick": click.option("--nick", metavar="NICK", help="What the others call you; else your login."),
    "profile": click.option("--profile", metavar="NAME", help="Play under another key of yours."),
    "port": click.option("--port", type=PORT, metavar="P", help="Listen there; 0 takes any."),
    "interface": click.option("--interface", metavar="IF", help="Use this interface or address only."),
    "plain": click.option("--plain", is_flag=True, help="Lines instead of a screen, for screen readers and pipes."),
    "ascii": click.option("--ascii", is_flag=True, help="Cards and lines in ASCII."),
    "color": click.option("--no-color", "color", is_flag=True, flag_value=False, default=True, help="No colours."),
    "debug": click.option(
        "--debug", is_flag=True, expose_value=False, help="Log more, and show the traceback of a fault."
    ),
    "json": click.option("--json", is_flag=True, help="Events as JSON lines; commands on standard input."),
    "headless": click.option("--headless", is_flag=True, help="No screen: a bot plays your seat, to the match's end."),
    "bot": click.option("--bot", metavar="LEVEL", callback=one_level, help="That bot; else medium."),
    "pace": click.option("--pace", type=SECONDS, metavar="S", help="Seconds between a bot's moves."),
    "record": click.option("--record", metavar="FILE", help="Write the match as a record."),
    "log": click.option("--log", metavar="FILE", help="Write what happens, to read."),
    "rounds": click.option("-r", "--rounds", type=ROUNDS, metavar="N", help="End after N rounds."),
    "option": click.option(
        "--option", "options", multiple=True, callback=pairs, metavar="K=V", help="A house rule; may be repeated."
    ),
    "preset": click.option("--preset", metavar="NAME", help="The rules kept under that name; --option goes on top."),
    "seats": click.option("-n", "--seats", type=SEATS, metavar="N", help="So many sit at the table."),
    "cards": click.option("-c", "--cards", type=COUNT, metavar="N", help="One Card: deal so many cards to each."),
    "decks": click.option("-d", "--decks", type=COUNT, metavar="N", help="One Card: shuffle so many decks."),
    "bots": click.option("--bots", type=BOTS, metavar="N", help="Give N seats to bots."),
    "level": click.option("--level", metavar="LEVEL", callback=one_level, help="How well bots play."),
}
"""Options that more than one command takes."""

PERSON = ("nick", "profile")
NETWORK = ("port", "interface")
TABLE = ("seats", "cards", "decks", "rounds", "preset", "option", "level")
SEAT = ("headless", "bot", "pace")
FILES = ("record", "log")
SCREEN = ("json", "plain", "ascii", "color", "debug")


def takes(*names: str) -> Callable[[F], F]:
    """Adds the options of these names, in this order."""

    def add(command: F) -> F:
        for name in reversed(names):
            command = OPTIONS[name](command)
        return command

    return add


@click.group(
    cls=Program,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@takes(*PERSON, *NETWORK, *SCREEN)
@click.version_option(__version__, "-V", "--version", message=f"p2pcards %(version)s (protocol {PROTOCOL})")
@click.pass_context
def program(context: click.Context, /, **given: Any) -> int:
    """Card games between friends on one network, with no server.

    \b
      p2pcards                       the tables on this network; join one, or open one
      p2pcards practise tongits      play bots, here and now
      p2pcards host tongits          open a table that the others can see
      p2pcards join "Friday night"   sit down at one
    """
    said = {key: value for key, value in given.items() if context.get_parameter_source(key) is COMMANDLINE}
    context.default_map = dict.fromkeys(program.commands, said)  # `p2pcards --plain host …` means host --plain
    return 0 if context.invoked_subcommand else _open("", given)


COMMANDLINE = click.core.ParameterSource.COMMANDLINE


@program.command()
@click.argument("game", callback=one_game, metavar="GAME")
@takes(*PERSON)
@click.option("--name", "title", metavar="TITLE", help="What the table is called; else your nick.")
@takes("bots", *TABLE)
@click.option("--no-seat", "seat", is_flag=True, flag_value=False, default=True, help="Deal, but don't play.")
@click.option("--hidden", is_flag=True, help="Keep the table off the list: it is joined by HOST:PORT.")
@takes(*NETWORK, *SEAT, *FILES, *SCREEN)
def host(**given: Any) -> int:
    """Opens a table of GAME that the others can see.

    \b
      p2pcards host tongits
      p2pcards host tongits --name "Friday night" --option scoring=chips --bots 1
      p2pcards host tongits --headless --rounds 3 --record game.p2pcards.toml --json
    """
    return _open("host", given)


@program.command()
@click.argument("target", required=False, metavar="[TABLE]")
@takes(*PERSON)
@click.option("--wait", type=SECONDS, metavar="S", help="Seconds to look for it; 5.")
@takes("interface", *SEAT, *FILES, *SCREEN)
def join(**given: Any) -> int:
    """Takes a seat at TABLE: its title or the beginning of it, ~ and the beginning of its id, or HOST[:PORT].

    Without TABLE it shows the list; without a screen it takes the only table there is.

    \b
      p2pcards join "Friday night"
      p2pcards join 10.0.0.7:25252
      p2pcards join lab --headless --bot easy --json
    """
    return _open("join", given)


@program.command("list")
@click.option("--wait", type=SECONDS, default=1.5, metavar="S", help="Seconds to look; 1.5.")
@click.option("--watch", is_flag=True, help="Go on, and print the list whenever it changes.")
@click.option("--json", is_flag=True, help="An array of objects instead of sentences.")
@takes("interface", "debug")
def list_(wait: float, watch: bool, json: bool, interface: str | None) -> int:
    """Prints the tables on this network.

    \b
      p2pcards list
      p2pcards list --json --wait 3
    """
    from p2pcards.program import list_tables

    return list_tables(wait, watch=watch, json=json, interface=interface)


@program.command()
@click.argument("game", callback=one_game, metavar="GAME")
@takes(*PERSON, *TABLE)
@click.option("--seed", type=int, metavar="N", help="The same cards again.")
@click.option("--demo", is_flag=True, help="Bots take all seats, and you look on.")
@takes("pace", *FILES, *SCREEN)
def practise(**given: Any) -> int:
    """Plays GAME against bots on this machine alone.

    \b
      p2pcards practise tongits
      p2pcards practise tongits --level easy --seed 7
      p2pcards practise tienlen --demo --plain --log tienlen.txt
    """
    return _open("practise", given)


@program.command()
@click.argument("game", callback=one_game, metavar="GAME")
@click.option("--seat", "seats", multiple=True, required=True, metavar="BOT", help="Who plays a seat; one for each.")
@click.option("--rounds", type=ROUNDS, default=1000, metavar="N", help="How many in all, up to whole deals; 1000.")
@click.option("--seed", type=int, default=0, metavar="S", help="Other cards; 0.")
@takes("option")
@click.option("--json", is_flag=True, help="An object instead of a table.")
@takes("debug")
def arena(
    game: str, seats: Sequence[str], rounds: int, seed: int, options: Sequence[tuple[str, str]], json: bool
) -> int:
    """Pits bots against each other at GAME, each deal played from every seat.

    \b
      p2pcards arena tongits --seat medium --seat random --seat random
      p2pcards arena tongits --seat medium --seat easy --seat easy --rounds 6000 --seed 7 --json
    """
    import msgspec

    from p2pcards.bots.arena import Played, play_deal, plays_matches
    from p2pcards.bots.registry import bot
    from p2pcards.bots.standing import standings
    from p2pcards.games.options import read_options
    from p2pcards.games.registry import GAMES
    from p2pcards.ui.standings import told

    bots = [bot(game, level) for level in seats]
    try:
        rules = GAMES[game](read_options(GAMES[game], dict(options)))
        rules.check_seats(len(bots))
    except InvalidOption as error:
        raise UserError(f"{error}.", 2) from error
    played: list[Played] = []
    code = 0
    try:
        with click.progressbar(range(-(-rounds // len(bots))), file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
            for number in bar:
                played.append(play_deal(rules, bots, seed, number))
    except KeyboardInterrupt:
        code = INTERRUPTED
    if not played:
        return code
    found = standings(played)
    if json:
        rows = [{"bot": level, **msgspec.structs.asdict(one)} for level, one in zip(seats, found, strict=True)]
        click.echo(msgspec.json.encode({"game": game, "rounds": len(played) * len(bots), "seats": rows}))
    else:
        for line in told(rules.title, plays_matches(rules), seats, found, len(played), rounds):
            click.echo(line)
    return code


@program.command()
@click.argument("game", callback=one_game, metavar="GAME")
@takes("debug")
def rules(game: str) -> None:
    """Shows the rules of GAME, with tips for play.

    \b
      p2pcards rules tongits
    """
    from p2pcards.store.manual import rules_text

    click.echo_via_pager(rules_text(game))


@program.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@click.option("--check", is_flag=True, help="Only say whether every action was legal and every result agrees.")
@click.option("--json", is_flag=True, help="Check, and print one line of JSON a file.")
@takes("debug")
def replay(files: Sequence[str], check: bool, json: bool) -> int:
    """Replays the records in FILE.

    Exit code: 0 sound, 1 an illegal action or a wrong result, 2 no record; the worst of several files.

    \b
      p2pcards replay game.p2pcards.toml
      p2pcards replay --check --json monday.p2pcards.toml tuesday.p2pcards.toml
    """
    return max(_replay(file, check or json, json, alone=len(files) == 1) for file in files)


def _replay(file: str, check: bool, json: bool, alone: bool) -> int:
    """Replays one record and returns its exit code; what is wrong with it is one sentence on standard error."""
    import msgspec

    from p2pcards.commands.command import Problem
    from p2pcards.games.replay import Replay, replay, told
    from p2pcards.ui.words import Words

    words = Words()
    shown = "".join(char if char.isprintable() else "?" for char in file)  # a name need not be text
    name = "" if alone else f"{shown}: "
    try:
        found = replay(Path(file).read_bytes(), lambda refused: words.problem(Problem(refused.code, refused.detail)))
    except OSError as error:
        sentence = f"not a record: {shown} can't be read: {error.strerror}"
        found = Replay(2, {"ok": False, "error": sentence}, sentence)
    if json:
        click.echo(msgspec.json.encode(found.report))
    elif not check:
        for line in told(found):
            click.echo(line)
    elif not found.error:
        click.echo(f"{name}every action was legal and every stated result agrees")
    if found.error:
        click.echo(f"{name}{found.error}", err=True)
    return found.exit_code


@program.command()
@takes("profile", "debug")
def identity(profile: str | None) -> None:
    """Shows who you are: your key's words, the key, its profile and file.

    \b
      p2pcards identity
    """
    from p2pcards.store.folders import folders
    from p2pcards.store.identity_file import DEFAULT, key_file, seed
    from p2pcards.store.login import login
    from p2pcards.wire.identity import Identity, words
    from p2pcards.wire.text import nick

    profile = profile or DEFAULT
    file = key_file(folders().data, profile)
    key = Identity(seed(file)).key
    _table(
        ("words", words(key)), ("key", key.hex()), ("nick", nick(login())), ("profile", profile), ("file", str(file))
    )


@program.command()
@takes("debug")
def where() -> None:
    """Prints where the program keeps its files.

    \b
      p2pcards where
    """
    from p2pcards.store.folders import folders
    from p2pcards.store.identity_file import DEFAULT, key_file

    found = folders()
    _table(
        ("config", str(found.config)),
        ("data", str(found.data)),
        ("key", str(key_file(found.data, DEFAULT))),
        ("tables", str(found.tables)),
        ("logs", str(found.logs)),
        ("locks", str(found.locks)),
    )


def _open(verb: str, given: dict[str, Any]) -> int:
    """Runs the program with what was said, one command first (none: home), to its exit code."""
    if given.get("bot") and not given["headless"]:
        raise click.UsageError("--bot plays your seat: it goes with --headless.", click.get_current_context())
    for name in ("decks", "cards"):
        count = given.pop(name, None)
        if count is not None:
            given["options"] = ((name, str(count)), *given["options"])
            _has_option(given["game"], name)
    from p2pcards.program import open_program
    from p2pcards.store.settings import Settings

    return open_program(verb, Settings(**{name: value for name, value in given.items() if value is not None}))


def _has_option(game: str, name: str) -> None:
    """-c and -d stand for options that only One Card has."""
    from p2pcards.games.options import explained
    from p2pcards.games.registry import GAMES

    if name not in (option.name for option in explained(GAMES[game])):
        sentence = f"-{name[0]} sets the {name} of One Card; {GAMES[game].title} leaves no choice there."
        raise click.UsageError(sentence, click.get_current_context())


def _mend_streams() -> None:
    """A closed stream swallows what is written, and what a locale can't show becomes "?": neither ends the program."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open to the end
        elif hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="replace")


def _table(*rows: tuple[str, str]) -> None:
    for name, value in rows:
        click.echo(f"{name:8} {value}")


def _complain(sentence: str, code: int) -> int:
    click.echo(sentence, err=True)
    return code


def _logged(error: Exception) -> str:
    """Writes the traceback to the log and says where it stands; nothing where no log can be written."""
    from p2pcards.store.folders import folders
    from p2pcards.store.logs import log_file, start_log

    try:
        file = log_file() or start_log(folders(), "commands")
    except UserError:
        return ""
    log.error("a fault of ours", exc_info=error)
    return f" What happened stands in {file}."
