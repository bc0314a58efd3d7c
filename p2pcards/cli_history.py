"""The commands about what was played: `history` and what stands behind it."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2pcards.errors import InvalidRecord, UserError
from p2pcards.flags import Number, one_game, takes

if TYPE_CHECKING:
    from p2pcards.store.history import History
    from p2pcards.store.history_match import KeptMatch, MatchReader
    from p2pcards.table.results import Result

LISTED = 20
"""Matches in the table, unless somebody wants more."""

BATCH = 100
"""So many matches are written together: each time the disk is waited for."""

_AGO = re.compile(r"([0-9]{1,4})([hdw])")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def _game(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    return None if value is None else one_game(context, parameter, value)


def _moment(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """A day, a moment or how long ago it was, as RFC 3339 in UTC; without a zone it is local."""
    if value is None:
        return None
    try:
        ago = _AGO.fullmatch(value.lower())
        moment = datetime.now(UTC) - int(ago[1]) * _UNITS[ago[2]] if ago else datetime.fromisoformat(value)
        return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        sentence = f"{value!r} is neither a day like 2026-11-30 nor a time ago like 12h, 7d or 2w."
        raise click.BadParameter(sentence, context, parameter) from None


NUMBER = Number(click.IntRange(1, 2**62), "the number of a match")
SOME = Number(click.IntRange(1, 2**62), "a number of matches, 1 or more")


@click.group(invoke_without_command=True)
@click.option("--game", callback=_game, metavar="GAME", help="Only matches of that game.")
@click.option("--with", "nick", metavar="NICK", help="Only matches in which NICK played.")
@click.option("--since", callback=_moment, metavar="DATE|7d", help="Only matches from then on; also 12h and 2w.")
@click.option("--limit", type=SOME, metavar="N", help="At most so many; 20, with --json all.")
@click.option("--json", is_flag=True, help="An array of objects instead of a table.")
@takes("debug")
@click.pass_context
def history(
    context: click.Context, game: str | None, nick: str | None, since: str | None, limit: int | None, json: bool
) -> None:
    """Shows what was played on this machine, the newest match first.

    Every match that you play or look on at is kept, practice too, with its whole record. NICK is a name in the record,
    or one by which you know a person, who may have had other names.

    \b
      p2pcards history
      p2pcards history --game tongits --with ana --since 7d
      p2pcards history --json
      p2pcards history show 12
      p2pcards history export 12 game.p2pcards.toml
    """
    if context.invoked_subcommand:
        return
    gc.disable()  # much is made, and kept to the end
    context.call_on_close(gc.enable)
    store, most = _history(), limit or (None if json else LISTED)
    found = store.newest(game, since=since or "", limit=-1 if nick or most is None else most)
    chosen = list(_with(found, nick))
    shown = chosen[:most]
    if json:
        import msgspec

        click.echo(msgspec.json.encode([_object(result) for result in shown]))
        return
    whole = len(chosen) if nick else store.count(game, since=since or "")
    lines = list(_rows(shown))
    if len(shown) < whole:
        lines.append(f"{whole - len(shown)} more: --limit shows as many as you want.")
    click.echo("\n".join(lines) if lines else _nothing(any((game, nick, since))))


@history.command()
@click.argument("number", type=NUMBER, metavar="N")
@takes("debug")
def show(number: int) -> None:
    """Shows match N: who played, how it came out, and every move.

    \b
      p2pcards history show 12
    """
    import time

    from p2pcards.games.record_fields import without_proofs
    from p2pcards.games.replay import replay, told
    from p2pcards.ui.history import match_lines

    result, text = _match(number)
    for line in match_lines(result, time.time()):
        click.echo(line)
    click.echo()
    found = replay(without_proofs(text)[0])
    for line in told(found):
        click.echo(line)
    if found.error:
        click.echo(found.error, err=True)


@history.command()
@click.argument("number", type=NUMBER, metavar="N")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--force", is_flag=True, help="Write over a FILE that is there.")
@takes("debug")
def export(number: int, file: Path, force: bool) -> None:
    """Writes the record of match N to FILE, with its proof.

    `p2pcards replay` shows it, and `p2pcards verify` checks that it was played so.

    \b
      p2pcards history export 12 game.p2pcards.toml
    """
    from p2pcards.store.whole_file import refuse_nowhere, write_whole

    _, text = _match(number)
    refuse_nowhere(file)
    write_whole(file, text, force=force)


@history.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE|DIR...")
@takes("debug")
def import_(files: Sequence[str]) -> int:
    """Takes the matches in FILE, or in the records (*.p2pcards.toml) below DIR, into the history.

    Each is replayed first. What is no record, or was not played by the rules, is named and left out; a match that is in
    the history already is not taken twice, from whoever it comes. The keys of its players count only where
    `p2pcards verify` finds that it was played as written: anybody may write a name and a key into a file.

    Exit code: 1 something was left out, 2 a file can't be read.

    \b
      p2pcards history import game.p2pcards.toml
      p2pcards history import ~/records
    """
    from p2pcards.progress import Progress
    from p2pcards.store.history import Kept

    kept, store, bad = dict.fromkeys(Kept, 0), _history(), list[int]()
    found = list(_records(files))
    with Progress(len(found)) as bar:

        def left_out(sentence: str, code: int) -> None:
            bad.append(code)
            bar.say(sentence)

        matches = _sound(found, left_out, bar.step)
        while batch := list(islice(matches, BATCH)):
            for became in store.keep_all(batch, import_=True):
                kept[became] += 1
    told = [_counted(kept[Kept.NEW], "taken in")]
    told += [f"{kept[Kept.GROWN]} had come farther"] if kept[Kept.GROWN] else []
    told += [f"{kept[Kept.THERE]} there already"] if kept[Kept.THERE] else []
    told += [f"{len(bad)} left out"] if bad else []
    click.echo(f"{', '.join(told)}.")
    return max(bad, default=0)


@history.command()
@click.argument("numbers", nargs=-1, type=NUMBER, metavar="[N...]")
@click.option("--before", callback=_moment, metavar="DATE|7d", help="All matches before then.")
@click.option("--all", "every", is_flag=True, help="All matches.")
@click.option("--yes", is_flag=True, help="Don't ask.")
@takes("debug")
def forget(numbers: Sequence[int], before: str | None, every: bool, yes: bool) -> None:
    """Forgets matches for good: their records too, and what statistics know of them.

    \b
      p2pcards history forget 12 13
      p2pcards history forget --before 2026-01-01
      p2pcards history forget --all --yes
    """
    if (len(numbers) > 0) + (before is not None) + every != 1:
        sentence = "Say which matches: their numbers, --before DATE or --all."
        raise click.UsageError(sentence, click.get_current_context())
    store = _history()
    known = {result.number: result.date for result in store.newest()}
    for number in numbers:
        if number not in known:
            raise _missing(number)
    wanted = set(numbers) or {number for number, date in known.items() if every or (before and date < before)}
    if not wanted:
        click.echo("There is nothing to forget.")
    elif yes or click.confirm(f"Forget {_counted(len(wanted), 'for good')}?", err=True):
        click.echo(f"{_counted(store.forget(wanted), 'forgotten')}.")
    else:
        click.echo("Nothing was forgotten.")


# ---- what is read


def _history() -> History:
    from p2pcards.store.folders import folders
    from p2pcards.store.history import History

    return History(folders())


def _match(number: int) -> tuple[Result, str]:
    """How that match came out, and its record; UserError where there is none."""
    store = _history()
    result, text = store.result(number), store.text(number)
    if result is None or text is None:
        raise _missing(number)
    return result, text


def _missing(number: int) -> UserError:
    from p2pcards.ui.history import missing

    return UserError(missing(number))


def _with(results: Iterable[Result], nick: str | None) -> Iterator[Result]:
    """Those in which somebody played who is called so, in the record or by us."""
    if nick is None:
        yield from results
        return
    keys = _keys(nick)
    for result in results:
        if any(taker.name.lower() == nick.lower() or taker.key in keys for taker in result.takers):
            yield result


def _keys(nick: str) -> set[str]:
    """Fingerprints of whom we know by that nick, petname or login; of nobody, where that can't be read."""
    from p2pcards.store.folders import folders
    from p2pcards.store.people import KnownPeople

    try:
        people = KnownPeople(folders()).named(nick)
    except UserError as error:
        click.echo(f"{error} So only the names in the records count.", err=True)
        return set()
    if not people:
        return set()
    from p2pcards.wire.identity import words  # brings all cryptography along

    return {words(person.key) for person in people}


# ---- what is told


def _object(result: Result) -> dict[str, object]:
    return {
        "id": result.number,
        "date": result.date,
        "game": result.game,
        "players": [taker.name for taker in result.takers],
        "winners": [taker.name for taker in result.takers if taker.won],
        "scores": {taker.name: taker.points for taker in result.takers},
    }


def _rows(results: Sequence[Result]) -> Iterator[str]:
    from p2pcards.ui.history import outcome, where

    width = max((len(str(result.number)) for result in results), default=0)
    games = max((len(result.game) for result in results), default=0)
    for result in results:
        number, game, date = f"{result.number:{width}}", f"{result.game:{games}}", f"{_local(result.date):16}"
        place = where(result).removeprefix(", ")
        yield f"{number}  {date}  {game}  {place and f'{place}: '}{outcome(result)}"


def _local(date: str) -> str:
    try:
        return f"{datetime.fromisoformat(date).astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return "?"


def _nothing(chosen: bool) -> str:
    if chosen:
        return "No match of the history is like that; `p2pcards history` shows them all."
    return "Nothing has been played yet; `p2pcards practise tongits` plays bots now, and every match is kept."


def _counted(number: int, what: str) -> str:
    return f"{number} {'match' if number == 1 else 'matches'} {what}"


# ---- what comes in


def _records(named: Sequence[str]) -> Iterator[str]:
    """The files that were named, and the records below folders that were."""
    from p2pcards.store.record_file import SUFFIX

    for name in named:
        if Path(name).is_dir():
            yield from sorted(str(file) for file in Path(name).rglob(f"*{SUFFIX}"))
        else:
            yield name


def _sound(files: Iterable[str], left_out: Callable[[str, int], None], done: Callable[[], None]) -> Iterator[KeptMatch]:
    """The matches in them. left_out: told why not of every other file, and the exit code; done: called behind each."""
    from p2pcards.store.history_match import MatchReader
    from p2pcards.store.record_file import shown_name

    reader = MatchReader()
    for file in files:
        try:
            yield _read(file, reader)
        except OSError as error:
            left_out(f"{shown_name(file)} can't be read: {error.strerror}; it is left out.", 2)
        except InvalidRecord as error:
            left_out(f"{shown_name(file)}: {error}; it is left out.", 1)
        done()


def _read(file: str, reader: MatchReader) -> KeptMatch:
    """The match in that file, replayed; one without a date gets that of the file, and players without a proof no keys.

    Raises InvalidRecord, OSError.
    """
    from msgspec.structs import replace

    from p2pcards.commands.command import Problem
    from p2pcards.games.record import read_canonical
    from p2pcards.games.replay import replay
    from p2pcards.store.history_match import parts_of
    from p2pcards.store.record_file import read_record
    from p2pcards.table.verify import Verified, verify_record
    from p2pcards.ui.words import Words

    data = read_record(file)
    words = Words()
    found = replay(data, lambda refused: words.problem(Problem(refused.code, refused.detail)))
    if found.error or found.record is None:
        raise InvalidRecord(found.error)
    as_it_stands = read_canonical(data.decode("utf-8", "replace"))
    match = reader.match(parts_of(as_it_stands or found.record))
    if found.record.identities and not isinstance(verify_record(data), Verified):
        match = match.without_keys()
    written = datetime.fromtimestamp(Path(file).stat().st_mtime, UTC)
    return match if match.date else replace(match, date=written.strftime("%Y-%m-%dT%H:%M:%SZ"))
