"""The command line: arguments in, the program built on one page, nothing else.

Each command imports what it needs when it runs, so that none pays for the others.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from p2pcards import PROTOCOL, __version__
from p2pcards.cli_arena import arena
from p2pcards.cli_completion import completion
from p2pcards.cli_doctor import doctor
from p2pcards.cli_history import history
from p2pcards.cli_records import replay, verify
from p2pcards.cli_stats import stats
from p2pcards.errors import INTERRUPTED, NO_SPACE, UserError
from p2pcards.flags import FILES, LAB, NETWORK, PERSON, SCREEN, SEAT, SECONDS, TABLE, game_argument, takes

if TYPE_CHECKING:
    from p2pcards.store.folders import Folders
    from p2pcards.store.settings import Settings

ALIASES = {"practice": "practise"}

log = logging.getLogger(__name__)


def run(arguments: Sequence[str]) -> int:
    """Does what the arguments say and returns the exit code; every error is one sentence on standard error."""
    _mend_streams()
    debug = "--debug" in arguments
    logging.getLogger("p2pcards").setLevel(logging.DEBUG if debug else logging.INFO)
    try:
        code = program.main(list(arguments), "p2pcards", standalone_mode=False) or 0
        return code or _all_written()
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
        from p2pcards.ui.unread import FULL

        if isinstance(error, OSError) and error.errno in FULL:
            return _all_written() or _complain(NO_SPACE, 1)
        return _complain(f"p2pcards stopped over a fault of its own ({error!r}).{_logged(error)}", 1)


class Program(click.Group):
    """The command line as a whole: aliases, no abbreviations."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name or alias."""
        return super().get_command(ctx, ALIASES.get(cmd_name, cmd_name))


@click.group(
    cls=Program,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@takes(*PERSON, *LAB, *NETWORK, *SCREEN)
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
@game_argument
@click.argument("called", required=False, metavar="[TITLE]")
@takes(*PERSON)
@click.option("--name", "title", metavar="TITLE", help="What the table is called; else your nick.")
@takes("bots", *TABLE)
@click.option("--no-seat", "seat", is_flag=True, flag_value=False, default=True, help="Deal, but don't play.")
@click.option("--hidden", is_flag=True, help="Keep the table off the list: it is joined by HOST:PORT.")
@takes("keep")
@takes("door")
@click.option("--code-file", metavar="FILE", help="Take the code from it, and write each new one to it.")
@takes(*LAB, *NETWORK, *SEAT, *FILES, *SCREEN)
def host(called: str | None, **given: Any) -> int:
    """Opens a table of GAME that the others can see, called TITLE.

    \b
      p2pcards host tongits
      p2pcards host tongits "Friday night" --option scoring=chips --bots 1
      p2pcards host tongits --door ask
      p2pcards host tongits --headless --rounds 3 --record game.p2pcards.toml --json
      p2pcards host tongits --no-seat --keep --headless

    With --keep and --headless it takes commands on standard input, a line each, and goes on until `quit` or a signal.
    """
    if called is not None:
        if given["title"] is not None:
            raise UserError("The table has two names: leave out --name, or the other one.", 2)
        given["title"] = called
    return _open("host", given)


@program.command()
@click.argument("target", required=False, metavar="[TABLE]")
@takes(*PERSON)
@click.option("--wait", type=SECONDS, metavar="S", help="Seconds to look for it; 5.")
@click.option("--code-file", metavar="FILE", help="Take the table's code from it.")
@takes(*LAB, *NETWORK, *SEAT, *FILES, *SCREEN)
def join(**given: Any) -> int:
    """Takes a seat at TABLE: its title or the beginning of it, ~ and the beginning of its id, or HOST[:PORT].

    Without TABLE it shows the list; without a screen it takes the only table there is.

    \b
      p2pcards join "Friday night"
      p2pcards join 10.0.0.7:25252
      p2pcards join lab --headless --bot easy --json
      p2pcards join "Friday night" --headless --code-file code.txt

    Exit code: 3 no such table, 4 not let in or shown out (it says why), 5 the host was lost.
    """
    return _open("join", given)


@program.command()
@click.argument("target", required=False, metavar="[TABLE]")
@takes(*PERSON)
@click.option("--wait", type=SECONDS, metavar="S", help="Seconds to look for it; 5.")
@click.option("--code-file", metavar="FILE", help="Take the table's code from it.")
@takes(*LAB, *NETWORK, "headless", *FILES, *SCREEN)
def watch(**given: Any) -> int:
    """Looks on at TABLE without a seat; TABLE as for join.

    You see what everybody may see, and every hand when its round is over.

    \b
      p2pcards watch "Friday night"
      p2pcards watch lab --headless --json --record game.p2pcards.toml
    """
    return _open("watch", given)


@program.command()
@click.argument("target", required=False, metavar="[TABLE]")
@takes(*PERSON, *LAB, *NETWORK, *SEAT, *FILES, *SCREEN)
def resume(**given: Any) -> int:
    """Goes back to a table that this program was at when it ended.

    It finds the others again wherever they are, and waits for them. TABLE is its title or the beginning of it, or ~ and
    the beginning of its id; without one it is the table that was played at last.

    \b
      p2pcards resume
      p2pcards resume "Friday night"

    Exit code: 3 nothing to go back to, 4 not let in any more, 5 the host was lost.
    """
    return _open("resume", given)


@program.command("list")
@click.option("--wait", type=SECONDS, default=1.5, metavar="S", help="Seconds to look; 1.5.")
@click.option("--watch", is_flag=True, help="Go on: a board for all to see, or lines whenever the list changes.")
@click.option("--lab", is_flag=True, help="Only the tables of your lab.")
@click.option("--json", is_flag=True, help="An array of objects instead of sentences.")
@takes("lab_key", "interface", "plain", "ascii", "color", "debug")
def list_(watch: bool, **given: Any) -> int:
    """Prints the tables on this network.

    \b
      p2pcards list
      p2pcards list --json --wait 3
      p2pcards list --watch

    --watch on a terminal paints the whole screen, for a projector; anywhere else it prints the list at each change.
    """
    from p2pcards.program import list_tables

    return list_tables(_settings(given), watch=watch)


@program.command()
@game_argument
@takes(*PERSON, *TABLE)
@click.option("--seed", type=int, metavar="N", help="The same cards again.")
@click.option("--demo", is_flag=True, help="Bots take all seats, and you look on.")
@takes("think", "pace", *FILES, *SCREEN)
def practise(**given: Any) -> int:
    """Plays GAME against bots on this machine alone.

    \b
      p2pcards practise tongits
      p2pcards practise tongits --level easy --seed 7
      p2pcards practise tienlen --demo --plain --log tienlen.txt
    """
    return _open("practise", given)


program.add_command(arena)


@program.command()
@game_argument
@takes("debug")
def rules(game: str) -> None:
    """Shows the rules of GAME, with tips for play.

    \b
      p2pcards rules tongits
    """
    from p2pcards.store.manual import rules_text

    click.echo_via_pager(rules_text(game))


program.add_command(history)
program.add_command(replay)
program.add_command(verify)
program.add_command(doctor)
program.add_command(stats)
program.add_command(completion)


@program.group(invoke_without_command=True)
@takes("profile", "debug")
@click.pass_context
def identity(context: click.Context, profile: str | None) -> None:
    """Shows and makes the profiles that you play under.

    A profile is a key: its words tell others that it is you. The usual one is made when it is first needed.

    \b
      p2pcards identity
      p2pcards identity new lab
      p2pcards identity --profile lab
    """
    if not context.invoked_subcommand:
        from p2pcards.store.folders import folders
        from p2pcards.store.identity_file import DEFAULT

        _show_identity(folders(), profile or DEFAULT)


@identity.command()
@click.argument("name", metavar="NAME")
@takes("debug")
def new(name: str) -> None:
    """Makes the profile NAME.

    It has a key of its own, and is played under with --profile NAME.

    \b
      p2pcards identity new lab
    """
    from p2pcards.store.folders import folders
    from p2pcards.store.identity_file import key_file

    own = folders()
    file = key_file(own.data, name)
    if file.exists():
        raise UserError(f"The profile {name} is there already; its key is {file}.")
    _show_identity(own, name)


def _show_identity(own: Folders, profile: str) -> None:
    """The profile, made where there is none, and the others in short."""
    from p2pcards.store.config import read_config
    from p2pcards.store.identity_file import in_use, key_file, peek, profiles, seed
    from p2pcards.store.login import login
    from p2pcards.wire.identity import Identity, words
    from p2pcards.wire.text import nick

    file = key_file(own.data, profile)
    called = read_config(own).nick or nick(login())
    made = not file.exists()
    key = Identity(seed(file)).key
    if made:
        click.echo(f"The profile {profile} is new: its key was made now.", err=True)
    _table(
        ("words", words(key)),
        ("key", key.hex()),
        ("nick", called),
        ("profile", profile),
        ("file", str(file)),
        ("used", "by another program here" if in_use(own, profile) else "no"),
    )
    for name, other in profiles(own.data).items():
        if name != profile:
            sound = peek(other)
            about = words(Identity(sound).key) if sound else "its key can't be used"
            _table(("also", f"{name}: {about}{', in use' if in_use(own, name) else ''}"))


@program.group("lab-key", no_args_is_help=False)
def lab_key() -> None:
    """The key that makes people one lab.

    \b
      p2pcards lab-key create /srv/lab/p2pcards.key
    """


@lab_key.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@takes("debug")
def create(file: Path) -> None:
    """Makes the key of a lab in FILE.

    FILE must not exist; what to do next is said. Whoever can read the key is a member of the lab: a table with the door
    lab lets in members, and nobody else.

    \b
      p2pcards lab-key create /srv/lab/p2pcards.key
    """
    from p2pcards.store.lab import create_lab_key

    click.echo(create_lab_key(file))


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
        ("settings", str(found.settings)),
        ("presets", str(found.presets)),
        ("data", str(found.data)),
        ("key", str(key_file(found.data, DEFAULT))),
        ("choices", str(found.choices)),
        ("people", str(found.people)),
        ("history", str(found.history)),
        ("bans", str(found.bans)),
        ("tables", str(found.tables)),
        ("logs", str(found.logs)),
        ("locks", str(found.locks)),
    )


@program.command()
@takes("debug")
def config() -> None:
    """Prints what config.toml says, and checks it.

    It is a file of yours that the program only reads; docs/config.md has everything that can stand in it.

    \b
      p2pcards config
    """
    from p2pcards.store.config import read_config
    from p2pcards.store.folders import folders

    own = folders()
    said = read_config(own)
    click.echo(f"{own.settings}{'' if own.settings.exists() else ' is not there: nothing is set.'}")
    for name in said._fields:
        match getattr(said, name):
            case str(value):
                click.echo(f"  {name:13} {value or '-'}")
            case table:
                click.echo(f"  {f'[{name}]':13} {', '.join(table) or '-'}")


def _open(verb: str, given: dict[str, Any]) -> int:
    """Runs the program with what was said, one command first (none: home), to its exit code."""
    if given.get("bot") and not given.get("headless"):
        raise click.UsageError("--bot plays your seat: it goes with --headless.", click.get_current_context())
    if given.get("bot_seconds") and not isinstance(given.get("bot"), tuple):
        sentence = "--bot-seconds is for a program of yours: it goes with --bot COMMAND."
        raise click.UsageError(sentence, click.get_current_context())
    for name in ("decks", "cards"):
        count = given.pop(name, None)
        if count is not None:
            given["options"] = ((name, str(count)), *given["options"])
            _has_option(given["game"], name)
    from p2pcards.program import open_program

    return open_program(verb, _settings(given))


def _settings(given: dict[str, Any]) -> Settings:
    from p2pcards.store.settings import Settings

    return Settings(**{name: value for name, value in given.items() if value is not None})


def _has_option(game: str, name: str) -> None:
    """-c and -d stand for options that only One Card has."""
    from p2pcards.games.options import explained
    from p2pcards.games.registry import GAMES

    if name not in (option.name for option in explained(GAMES[game])):
        sentence = f"-{name[0]} sets the {name} of One Card; {GAMES[game].title} leaves no choice there."
        raise click.UsageError(sentence, click.get_current_context())


def _mend_streams() -> None:
    """A stream that is closed, or whose reader goes, swallows what is written, and what a locale can't show becomes
    letters: nothing of it ends the program."""
    from p2pcards.ui.letters import mend
    from p2pcards.ui.unread import forgiving

    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open to the end
        else:
            setattr(sys, name, forgiving(getattr(sys, name)))
            mend(getattr(sys, name))


def _table(*rows: tuple[str, str]) -> None:
    for name, value in rows:
        click.echo(f"{name:8} {value}")


def _all_written() -> int:
    """The exit code by whether what was written found room."""
    from p2pcards.ui.unread import is_full

    return _complain(NO_SPACE, 1) if is_full(sys.stdout) else 0


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
