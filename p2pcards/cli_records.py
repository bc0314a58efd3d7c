"""The commands about files of records: `replay` and `verify`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from p2pcards.errors import UserError
from p2pcards.flags import takes
from p2pcards.store.record_file import read_record, shown_name

if TYPE_CHECKING:
    from p2pcards.table.people import People
    from p2pcards.table.verify import Unverified, Verified


@click.command()
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
    shown = shown_name(file)
    name = "" if alone else f"{shown}: "
    try:
        found = replay(read_record(file), lambda refused: words.problem(Problem(refused.code, refused.detail)))
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

    people = _people()
    codes = [_verify(file, json, people, alone=len(files) == 1) for file in files]
    if 0 in codes and not json:
        click.echo(LIMITS)
    return max(codes)


def _verify(file: str, json: bool, people: People, alone: bool) -> int:
    """Verifies one record and returns its exit code; why it is not verified is one sentence on standard error."""
    import msgspec

    from p2pcards.table.verify import Unverified
    from p2pcards.ui.words_proof import proved, refuted, report

    shown = shown_name(file)
    found = _found(file, shown if alone else "it")
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
