"""The command `stats`."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Any

import click

from p2pcards import completing
from p2pcards.errors import UserError
from p2pcards.flags import one_game, takes

if TYPE_CHECKING:
    from p2pcards.store.statistics import HistoryStatistics
    from p2pcards.table.merits import Merit, Tally

PATIENCE = 1.0
"""Seconds after which who waits at a terminal is told what for."""


def _game(context: click.Context, parameter: click.Parameter, value: str | None) -> str:
    return one_game(context, parameter, value) if value else ""


@click.command()
@click.argument("nick", required=False, default="", metavar="[NICK]")
@click.option(
    "--game",
    callback=_game,
    metavar="GAME",
    help="Count the matches of one game only.",
    shell_complete=completing.games,
)
@click.option("--plot", is_flag=True, help="Draw how rating and score changed.")
@click.option("--json", is_flag=True, help="An object instead of tables.")
@takes("color", "debug")
def stats(nick: str, game: str, plot: bool, json: bool, color: bool) -> None:
    """Shows what the matches in your history came to.

    Without NICK everybody, the best first. NICK is a name, or two or all of the words of a key; who has the same name
    under another key is somebody else. Bots are counted apart, and nobody is rated by playing them.

    \b
      p2pcards stats
      p2pcards stats ana --game tongits
      p2pcards stats --plot
      p2pcards stats --json
    """
    gc.disable()  # much is made, and kept to the end
    from p2pcards.store.folders import folders
    from p2pcards.store.statistics import HistoryStatistics

    if plot and json:
        raise click.UsageError("--plot draws and --json does not: take one of them.", click.get_current_context())
    kept = HistoryStatistics(folders())
    with _told_when_long():
        if nick or plot:
            _one(kept, nick, game, plot=plot, json=json, color=color)
        else:
            _all(kept, game, json=json)


@contextmanager
def _told_when_long() -> Iterator[None]:
    """Where many matches are new, or another program holds the history, it takes a while; a terminal is told so."""
    from p2pcards.ui.words_stats import COUNTING

    timer = Timer(PATIENCE, click.echo, (COUNTING,), {"err": True})
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _all(kept: HistoryStatistics, game: str, *, json: bool) -> None:
    from p2pcards.ui import words_stats

    found = kept.everybody(game)
    if json:
        report = {"matches": found.matches, "people": [*map(_person, found.people)], "bots": _levels(found.bots)}
        _print_json(report)
    elif not found.matches:
        click.echo(words_stats.nothing("p2pcards practise", game))
    else:
        _print(words_stats.leaders(found, _width(), game))


def _one(kept: HistoryStatistics, nick: str, game: str, *, plot: bool, json: bool, color: bool) -> None:
    from p2pcards.ui import words_stats

    found = kept.called(nick, game)
    if json:
        _print_json({"people": [_detailed(one) for one in found]})
    elif not found:
        raise UserError(words_stats.nobody(nick or "you", game))
    else:
        if len(found) > 1 and nick:
            click.echo(words_stats.several(nick, found))
        for one in found[: words_stats.MOST_NAMESAKES] if nick else found:
            _print(_plots(kept, one, color) if plot else words_stats.person(one, _width()))


def _plots(kept: HistoryStatistics, one: Merit, color: bool) -> list[str]:
    from p2pcards.ui.plots import Course, drawn

    lines: list[str] = []
    painted = color and not os.environ.get("NO_COLOR")  # click takes colours out where they go to no terminal
    for game in one.games:
        climbed, scores = kept.course(one, game)
        ratings = tuple((step.date, step.ratings[one.key].mean, step.ratings[one.key].spread) for step in climbed)
        lines += drawn(Course(one.nick, game, ratings, scores), _width(), ascii=not _shows_signs(), color=painted)
    return lines


def _person(one: Merit) -> dict[str, Any]:
    return {
        "nick": one.nick,
        "key": one.key,
        "own": one.own,
        **_tally(one.whole, points=len(one.games) == 1),
        "alone": {"matches": one.alone.games, "won": one.alone.wins},
        "games": {game: {**_tally(tally), "rating": _rating(one, game)} for game, tally in one.games.items()},
    }


def _rating(one: Merit, game: str) -> dict[str, Any] | None:
    rating = one.ratings.get(game)
    if rating is None:
        return None
    return {"mean": rating.mean, "spread": rating.spread, "ordinal": rating.ordinal, "matches": rating.matches}


def _detailed(one: Merit) -> dict[str, Any]:
    import msgspec

    return {
        **_person(one),
        "endings": {game: dict(found) for game, found in one.endings.items()},
        "against": [msgspec.structs.asdict(other) for other in one.others],
        "bots": [{"bot": other.nick, **_met(msgspec.structs.asdict(other))} for other in one.bots],
    }


def _met(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if name not in ("nick", "key")}


def _tally(tally: Tally, *, points: bool = True) -> dict[str, Any]:
    """points: whether scores of one game alone are in it."""
    return {
        "matches": tally.games,
        "won": tally.wins,
        "share": tally.share,
        "places": tally.places,
        "points": tally.points if points else None,
        "streak": tally.streak,
        "longest": tally.longest,
    }


def _levels(bots: Any) -> dict[str, Any]:
    return {game: {level: _tally(tally) for level, tally in levels.items()} for game, levels in bots.items()}


def _print_json(report: dict[str, Any]) -> None:
    import msgspec

    click.echo(msgspec.json.encode(report))


def _print(lines: list[str]) -> None:
    click.echo("\n".join(lines))


def _width() -> int:
    """Columns of the terminal, or of `COLUMNS`; 80 where neither tells."""
    return shutil.get_terminal_size().columns


def _shows_signs() -> bool:
    """Whether standard output can show more than ASCII."""
    try:
        "─⡇".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
