"""A record looked at: on the screen, in lines, as a recording for asciinema, as a page for a browser."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from p2pcards.errors import UserError

if TYPE_CHECKING:
    from p2pcards.games.base import Seat
    from p2pcards.games.reel import Reel
    from p2pcards.games.replay import Replay
    from p2pcards.ui.habits import Habits


class Wanted(NamedTuple):
    """What the command line says. eyes: a nick, or all; cast, html: files to be written; speed: moves a second."""

    eyes: str | None = None
    cast: str | None = None
    html: str | None = None
    speed: float | None = None
    size: tuple[int, int] = (80, 24)
    force: bool = False
    plain: bool = False
    ascii: bool = False
    color: bool = True

    @property
    def interactive(self) -> bool:
        """Whether somebody sits there who can step through it."""
        return all(stream is not None and not stream.closed and stream.isatty() for stream in (sys.stdin, sys.stdout))


def looked_at(found: Replay, wanted: Wanted) -> int:
    """Shows the record until the person leaves; the exit code is the record's, or says how it was left."""
    if (reel := _reel(found)) is None:
        return found.exit_code
    eyes = _eyes(reel, wanted)
    if wanted.plain or os.environ.get("TERM") in ("dumb", "unknown"):
        code = asyncio.run(_in_lines(reel, eyes, wanted))
    else:
        code = asyncio.run(_on_screen(reel, eyes, wanted))
    if found.error:
        _say(found.error)
    return code or found.exit_code


def written(found: Replay, wanted: Wanted) -> int:
    """Writes what was asked for; the exit code is the record's. Raises UserError where it can't be written."""
    from p2pcards.progress import Progress
    from p2pcards.store.whole_file import refuse_existing, refuse_nowhere, write_whole

    if (reel := _reel(found)) is None:
        return found.exit_code
    eyes = _eyes(reel, wanted)
    files = [Path(file) for file in (wanted.cast, wanted.html) if file]
    for file in files:
        refuse_nowhere(file)
        if not wanted.force:
            refuse_existing(file)
    if wanted.cast:
        from p2pcards.ui.replay_cast import cast
        from p2pcards.ui.theme import Look, Size

        look = Look(unicode=not wanted.ascii, colours=wanted.color)
        with Progress(len(reel.spots)) as bar:
            text = cast(reel, eyes, Size(*wanted.size), look, wanted.speed or 1.0, bar.step)
        write_whole(Path(wanted.cast), text, force=wanted.force)
        print(f"{wanted.cast} is written: asciinema plays it.")  # noqa: T201 - the answer
    if wanted.html:
        from p2pcards.ui.replay_html import page

        with Progress(len(reel.spots)) as bar:
            text = page(reel, eyes, wanted.speed or 1.0, bar.step)
        write_whole(Path(wanted.html), text, force=wanted.force)
        print(f"{wanted.html} is written: any browser plays it.")  # noqa: T201 - the answer
    if found.error:
        _say(found.error)
    return found.exit_code


def _reel(found: Replay) -> Reel | None:
    """The record as positions; where there are none, what is wrong with it is said."""
    from p2pcards.games.reel import Reel

    reel = Reel.of(found)
    if reel is None:
        _say(found.error)
    return reel


def _eyes(reel: Reel, wanted: Wanted) -> Seat | None:
    from p2pcards.ui.replay_desk import eyes_of

    try:
        return None if wanted.eyes is None else eyes_of(reel, wanted.eyes)
    except UserError as error:
        raise UserError(str(error), 2) from None


async def _on_screen(reel: Reel, eyes: Seat | None, wanted: Wanted) -> int:
    from p2pcards.ui.keynames import names
    from p2pcards.ui.replay_app import run_viewer
    from p2pcards.ui.replay_desk import Viewing
    from p2pcards.ui.replay_view import Shown
    from p2pcards.ui.terminal import look_of, on_console
    from p2pcards.ui.voice import Cards

    habits, log = _habits(), _log()
    look = look_of(os.environ, sys.platform, ascii=wanted.ascii, color=wanted.color)
    letters = habits.cards == "ascii"
    shown = Shown(habits.sort, habits.cards or "boxes", Cards.LETTERS if letters else Cards.SIGNS)
    desk = Viewing(reel, eyes, shown, names(habits.keys))
    desk.speed = wanted.speed or desk.speed
    look = look._replace(ace="1" if habits.aces == "1" else "A")
    with on_console():
        return await run_viewer(desk, look=look, habits=habits, log_file=log)


async def _in_lines(reel: Reel, eyes: Seat | None, wanted: Wanted) -> int:
    from p2pcards.ui.letters import mend
    from p2pcards.ui.replay_desk import Viewing
    from p2pcards.ui.replay_plain import run_plain_viewer
    from p2pcards.ui.streams import standard_input

    mend(sys.stdout, "ascii" if wanted.ascii else None)
    desk = Viewing(reel, eyes)
    desk.speed = wanted.speed or desk.speed
    return await run_plain_viewer(desk, standard_input(), sys.stdout)


def _habits() -> Habits:
    """What config.toml says; the usual where it can't be read, which is said."""
    from p2pcards.program import habits_of
    from p2pcards.store.config import read_config
    from p2pcards.store.folders import folders
    from p2pcards.ui.habits import USUAL

    try:
        own = folders()
        return habits_of(read_config(own), own)
    except UserError as error:
        _say(f"{error} So it looks as usual.")
        return USUAL


def _log() -> Path | None:
    """Where faults are written; None where nothing can be."""
    from p2pcards.store.folders import folders
    from p2pcards.store.logs import start_log

    try:
        return start_log(folders(), "commands")
    except UserError:
        return None


def _say(line: str) -> None:
    print(line, file=sys.stderr)  # noqa: T201 - before and after the screen
