"""The command `arena`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from itertools import chain
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from p2pcards import completing
from p2pcards.errors import INTERRUPTED, InvalidOption, UserError
from p2pcards.flags import ROUNDS, game_argument, takes
from p2pcards.progress import Progress

if TYPE_CHECKING:
    from p2pcards.bots.arena import AnyGame, Played
    from p2pcards.bots.stopping import Until
    from p2pcards.contest import Contest
    from p2pcards.store.arena_file import ArenaFile, Heading

USUAL, FAR = 1000, 100_000
"""Rounds, unless somebody says otherwise: as such, and at most where they are played until something is known."""

MOST_PROCESSES = 256


def _aim(context: click.Context, parameter: click.Parameter, value: str | None) -> Until | None:
    """What an arena is played for, or nothing."""
    if value is None:
        return None
    from p2pcards.bots.stopping import Clear, Narrow

    if value == "clear":
        return Clear()
    try:
        points = float(value)
    except ValueError:
        points = 0.0
    if not 0 < points < 50:
        raise click.BadParameter(f"{value!r} is neither clear nor a number of points, such as 2.", context, parameter)
    return Narrow(points / 100)


def _processes(context: click.Context, parameter: click.Parameter, value: str | None) -> int:
    """How many processes are to work."""
    if value == "all":
        from p2pcards.contest import cores

        return cores()
    try:
        number = int(value or "1")
    except ValueError:
        number = 0
    if not 1 <= number <= MOST_PROCESSES:
        sentence = f"{value!r} is neither all nor a number of processes, 1 to {MOST_PROCESSES}."
        raise click.BadParameter(sentence, context, parameter)
    return number


@click.command()
@game_argument
@click.option(
    "--seat",
    "seats",
    multiple=True,
    required=True,
    metavar="BOT",
    help="Who plays a seat; one for each.",
    shell_complete=completing.bots,
)
@click.option(
    "--rounds", type=ROUNDS, metavar="N", help="How many in all, up to whole deals; 1000, or 100000 with --until."
)
@click.option(
    "--until",
    callback=_aim,
    metavar="POINTS|clear",
    help="Stop early: at intervals of ±POINTS, or once the first bot is clear of chance.",
)
@click.option("--seed", type=int, default=0, metavar="S", help="Other cards; 0.")
@takes("option")
@takes("think")
@click.option("--jobs", callback=_processes, metavar="N", help="Play in so many processes; all: one a core.")
@click.option(
    "--save",
    metavar="FILE",
    help="Keep the deals in it; the same command again goes on from there.",
    shell_complete=completing.files,
)
@click.option("--json", is_flag=True, help="An object instead of a table.")
@takes("debug")
def arena(game: str, save: str | None, json: bool, until: Until | None, **given: Any) -> int:
    """Pits bots against each other at GAME, each deal played from every seat.

    BOT is a level, or cheat, which sees all hands, or the command line of a program (docs/bots.md).

    \b
      p2pcards arena tongits --seat medium --seat random --seat random
      p2pcards arena tongits --seat ./mybot --seat easy --seat easy --rounds 6000 --seed 7 --json
      p2pcards arena tienlen --seat medium --seat easy --seat easy --seat easy --until 2 --jobs all --save night.jsonl
    """
    from p2pcards.contest import Contest
    from p2pcards.store.arena_file import ArenaFile

    seats: tuple[str, ...] = given["seats"]
    contest = Contest(game, given["options"], seats, given["seed"])
    if given["think"] is not None:
        contest = Contest(game, given["options"], seats, given["seed"], given["think"] / 1000)
    try:
        rules = contest.rules()
    except InvalidOption as error:
        raise UserError(f"{error}.", 2) from error
    thinks = contest.thinks()
    wanted = given["rounds"] or (FAR if until else USUAL)
    kept = ArenaFile(Path(save), _heading(contest, rules, thinks)) if save is not None else None
    run = _Run(contest, min(-(-wanted // len(seats)), sys.maxsize), until)
    try:
        run.play(given["jobs"], kept)
    except KeyboardInterrupt:
        run.interrupted = True
        return INTERRUPTED
    except Exception:  # what there is is told all the same, and not as the whole
        run.interrupted = True
        raise
    finally:
        if kept:
            kept.close()
        if run.played and json:
            click.echo(_report(run))
        elif run.played:
            _tell(run, rules, wanted)
    return 0


class _Once:
    """Says each sentence once."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say, self._said = say, set[str]()

    def __call__(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self._say(sentence)


class _Run:
    """One arena, as far as it has come. deals: how many at most."""

    def __init__(self, contest: Contest, deals: int, until: Until | None) -> None:
        self.contest, self.deals, self.until = contest, deals, until
        self.played: list[Played] = []
        self.reached = False  # what it was played for
        self.interrupted = False

    def play(self, jobs: int, kept: ArenaFile | None) -> None:
        """Plays on from what is kept; whatever ends it early, `played` is what there is."""
        watch = self.until.watch(len(self.contest.seats)) if self.until else None
        old = kept.played[: self.deals] if kept else []
        numbers = range(len(old), self.deals)
        with (
            Progress(len(numbers)) as bar,
            closing(self.contest.play(numbers, jobs, _Once(bar.say))) as fresh,
        ):
            for deal in chain(old, fresh):
                self.played.append(deal)
                if watch:
                    self.reached = watch.over(deal)
                    bar.expect(self._expected(watch.needed()) - len(old))
                if len(self.played) > len(old):
                    bar.step()
                    if kept:
                        kept.add(deal)
                if self.reached:
                    return

    def _expected(self, needed: float) -> int:
        """How many deals there will be in all, as things look now."""
        if self.reached:
            return len(self.played)
        return max(len(self.played) + 1, ceil(min(self.deals, needed)))


def _heading(contest: Contest, rules: AnyGame, thinks: bool) -> Heading:
    import msgspec

    from p2pcards.store.arena_file import Heading

    options, think = msgspec.to_builtins(rules.options), round(contest.think * 1000, 6)
    think_ms, programs = think if thinks else None, contest.programs()
    return Heading(contest.game, options, contest.seats, str(contest.seed), think_ms, rules.rules, programs)


def _report(run: _Run) -> bytes:
    """What came out, as one object of JSON."""
    import msgspec

    from p2pcards.bots.standing import standings

    seats = run.contest.seats
    chance = 1 / len(seats)
    rows = [
        {"bot": bot, **msgspec.structs.asdict(one), "clear": not one.low <= chance <= one.high}
        for bot, one in zip(seats, standings(run.played, run.until), strict=True)
    ]
    report = {
        "game": run.contest.game,
        "rounds": len(run.played) * len(seats),
        "seats": rows,
        "deals": len(run.played),
        "chance": chance,
        "ended": "interrupted" if run.interrupted else "until" if run.reached else "rounds",
    }
    return msgspec.json.encode(report)


def _tell(run: _Run, rules: AnyGame, wanted: int) -> None:
    from p2pcards.bots.arena import plays_matches
    from p2pcards.bots.standing import standings
    from p2pcards.ui.standings import told

    found = standings(run.played, run.until)
    deals = len(run.played)
    for line in told(
        rules.title, plays_matches(rules), run.contest.seats, found, deals, wanted, run.until, run.reached
    ):
        click.echo(line)
