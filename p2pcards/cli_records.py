"""The commands about files of records: `replay` and `verify`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from p2pcards.errors import UserError
from p2pcards.flags import Number, takes
from p2pcards.progress import Progress
from p2pcards.store.record_file import read_record, shown_name

if TYPE_CHECKING:
    from p2pcards.games.replay import Replay
    from p2pcards.table.people import People
    from p2pcards.table.verify import Unverified, Verified


NUMBER = Number(click.IntRange(1, 2**62), "the number of a match")
SPEED = Number(click.FloatRange(0.01, 100), "a number of moves a second, 0.01 to 100")


def _size(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, int]:
    """COLSxROWS, columns and rows."""
    cols, _, rows = value.lower().partition("x")
    number = all(part.isascii() and part.isdecimal() and len(part) < 4 for part in (cols, rows))
    if not number or not (40 <= int(cols) <= 400 and 10 <= int(rows) <= 200):
        raise click.BadParameter(f"{value!r} is no size from 40x10 to 400x200, such as 80x24.", context, parameter)
    return int(cols), int(rows)


@click.command()
@click.argument("files", nargs=-1, type=click.Path(), metavar="FILE...")
@click.option("--history", "number", type=NUMBER, metavar="N", help="Match N of the history in place of a FILE.")
@click.option("--check", is_flag=True, help="Only say whether every action was legal and every result agrees.")
@click.option("--json", is_flag=True, help="Check, and print one line of JSON a file.")
@click.option("--eyes", metavar="NICK|all", help="See it as NICK did; else with all hands open.")
@click.option("--cast", metavar="OUT", help="Write a recording that asciinema plays.")
@click.option("--html", metavar="OUT", help="Write a page that plays in a browser.")
@click.option("--speed", type=SPEED, metavar="N", help="Moves a second, where it runs by itself; 1.")
@click.option("--size", callback=_size, default="80x24", metavar="COLSxROWS", help="Of the recording; 80x24.")
@click.option("--force", is_flag=True, help="Write over an OUT that is there.")
@takes("plain", "ascii", "color", "debug")
def replay(files: Sequence[str], number: int | None, check: bool, json: bool, **given: Any) -> int:
    """Replays the records in FILE.

    On a terminal it is a screen that steps through one record (? shows its keys), with --plain in lines. Elsewhere, and
    of several files, it prints every move.

    Exit code: 0 sound, 1 an illegal action or a wrong result, 2 no record; the worst of several files.

    \b
      p2pcards replay game.p2pcards.toml
      p2pcards replay --history 12
      p2pcards replay game.p2pcards.toml --html game.html
      p2pcards replay game.p2pcards.toml --cast game.cast --eyes ana --speed 2
      p2pcards replay --check --json monday.p2pcards.toml tuesday.p2pcards.toml
    """
    if bool(files) == (number is not None):
        raise click.UsageError("Say which record: FILE, or --history N.", click.get_current_context())
    alone, writes = len(files) < 2, given["cast"] or given["html"]
    if writes and (check or json or not alone):
        sentence = "--cast and --html are of one record, and without --check and --json."
        raise click.UsageError(sentence, click.get_current_context())
    if given["cast"] and given["html"] and Path(given["cast"]).absolute() == Path(given["html"]).absolute():
        raise click.UsageError("--cast and --html are two files.", click.get_current_context())
    if alone and not (check or json):
        from p2pcards.replaying import Wanted, looked_at, written

        wanted = Wanted(**given)
        if writes or wanted.interactive:
            found = _found_in(files[0]) if number is None else _found_at(number)
            return written(found, wanted) if writes else looked_at(found, wanted)
    if number is not None:
        return _replay(_found_at(number), check or json, json, "")
    worst = 0
    with Progress(len(files)) as bar:
        for file in files:
            found = _found_in(file)
            bar.make_way()
            worst = max(worst, _replay(found, check or json, json, "" if alone else f"{shown_name(file)}: "))
            bar.step()
    return worst


def _found_in(file: str) -> Replay:
    """The record in the file, played through."""
    from p2pcards.games.replay import Replay

    try:
        return _played(read_record(file))
    except OSError as error:
        sentence = f"not a record: {shown_name(file)} can't be read: {error.strerror}"
        return Replay(2, {"ok": False, "error": sentence}, sentence)


def _found_at(number: int) -> Replay:
    """Match N of the history, played through; UserError where there is none."""
    from p2pcards.games.record_fields import without_proofs
    from p2pcards.store.folders import folders
    from p2pcards.store.history import History
    from p2pcards.ui.history import missing

    text = History(folders()).text(number)
    if text is None:
        raise UserError(missing(number))
    return _played(without_proofs(text)[0])


def _played(data: str | bytes) -> Replay:
    from p2pcards.commands.command import Problem
    from p2pcards.games.replay import replay
    from p2pcards.ui.words import Words

    words = Words()
    return replay(data, lambda refused: words.problem(Problem(refused.code, refused.detail)))


def _replay(found: Replay, check: bool, json: bool, name: str) -> int:
    """Tells of one record and returns its exit code; what is wrong with it is one sentence on standard error.

    name: stands before each sentence, where there are several records.
    """
    import msgspec

    from p2pcards.games.replay import told

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


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@click.option("--json", is_flag=True, help="Print one line of JSON a file.")
@takes("debug")
def verify(files: Sequence[str], json: bool) -> int:
    """Verifies that the matches in FILE were played as written.

    A record that p2pcards wrote at a table carries what was signed there. From that the whole match is derived again:
    chain, signatures, shuffles, moves, points and names. Whose the keys are, you must know yourself.

    Exit code: 0 verified, 6 something is not as it was played, 1 no proof in it or can't be read; the worst of several.

    \b
      p2pcards verify game.p2pcards.toml
      p2pcards verify --json monday.p2pcards.toml tuesday.p2pcards.toml
    """
    from p2pcards.ui.words_proof import LIMITS

    people, codes = _people(), list[int]()
    with Progress(len(files)) as bar:
        for file in files:
            found = _found(file, shown_name(file) if len(files) == 1 else "it")
            bar.make_way()
            codes.append(_verified(found, file, json, people, alone=len(files) == 1))
            bar.step()
    if 0 in codes and not json:
        click.echo(LIMITS)
    return max(codes)


def _verified(found: Verified | Unverified, file: str, json: bool, people: People, alone: bool) -> int:
    """Tells of one record and returns its exit code; why it is not verified is one sentence on standard error."""
    import msgspec

    from p2pcards.table.verify import Unverified
    from p2pcards.ui.words_proof import proved, refuted, report

    shown = shown_name(file)
    if json:
        which = {} if alone else {"file": shown}
        click.echo(msgspec.json.encode({**which, **report(found, people)}))
    name = "" if alone else f"{shown}: "
    if isinstance(found, Unverified):
        click.echo(f"{name}{refuted(found)}", err=True)
        return found.exit_code
    if not json:
        for line in proved(found, people):
            click.echo(f"{'' if line.startswith(' ') else name}{line}")
    return 0


def _found(file: str, called: str) -> Verified | Unverified:
    from p2pcards.table.verify import UNPROVED, Unverified, verify_record

    try:
        return verify_record(read_record(file))
    except OSError as error:
        return Unverified(UNPROVED, f"{called} can't be read: {error.strerror}")


def _people() -> People:
    """Whom the owner knows; nobody, where that can't be read."""
    from p2pcards.store.config import read_config
    from p2pcards.store.folders import folders
    from p2pcards.store.membership import Membership
    from p2pcards.store.people import KnownPeople
    from p2pcards.store.settings import Settings
    from p2pcards.table.people import NoPeople

    try:
        own = folders()
        return KnownPeople(own, Membership(Settings(), read_config(own)).roll)
    except UserError as error:
        click.echo(f"{error} So every key counts as unknown.", err=True)
        return NoPeople()
