"""The program, built on one page: who I am, the node, and the face that was asked for.

The node brings network and cryptography with it. They are imported when they are needed, behind the first picture, and
so is whatever else that picture can do without.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from p2pcards.errors import UserError
from p2pcards.store.folders import Folders, folders, private
from p2pcards.store.identity_file import Profile, take
from p2pcards.store.lock import Lock
from p2pcards.store.login import login
from p2pcards.store.logs import log_path, start_log
from p2pcards.store.manual import rules_text
from p2pcards.store.settings import Settings

if TYPE_CHECKING:
    from p2pcards.commands.command import Command
    from p2pcards.net.node import Node
    from p2pcards.store.code_file import CodeFile
    from p2pcards.store.config import Config
    from p2pcards.store.history import History
    from p2pcards.store.history_writer import HistoryWriter
    from p2pcards.store.membership import Membership
    from p2pcards.store.record_file import RecordFile
    from p2pcards.store.statistics import HistoryStatistics
    from p2pcards.ui.choices import Keep
    from p2pcards.ui.habits import Habits
    from p2pcards.wire.identity import Identity

DEMO_PACE = 1.0
"""Seconds between two moves of a demo that somebody looks at."""

_PACES = {"instant": 0.0, "slow": 2.5}
"""What `pace` in the file of settings means, in the same seconds; "natural" is the usual one."""

BOT = "medium"
"""Level of the bot that plays a headless seat where none was named."""


def open_program(verb: str, settings: Settings) -> int:
    """Runs the program, `verb` (host, join, watch, practise, resume; "" home) first, and returns its exit code."""
    terminal = _is_terminal(sys.stdin) and _is_terminal(sys.stdout)
    told = settings.json or settings.headless
    screen = not told and _has_screen(settings)
    if not screen:
        _for_lines(settings)
    picks = verb in ("join", "watch") and not settings.target and terminal and not told  # from the list at home
    start = _command(verb, settings) if verb and not picks else None
    return asyncio.run(_run(settings, start, screen, terminal))


def _command(verb: str, settings: Settings) -> Command:
    from p2pcards.commands.command import Command

    return Command(verb, tuple(filter(None, (settings.game, settings.target))))


async def _run(settings: Settings, start: Command | None, screen: bool, terminal: bool) -> int:
    from p2pcards.store.record_file import RecordFile, open_text

    own = folders()
    settings, door = _at_the_door(start.verb if start else "", settings, own)
    nick = _nick(settings.nick)
    wanted = _with_preset(settings, own) if settings.preset else settings
    record = RecordFile(Path(settings.record)) if settings.record else None
    profile = take(own, settings.profile)
    if profile.note:
        _say(profile.note)
    if own.shared:
        _say(f"No folder of this machine's own could be had: tables are kept in {own.tables}.")
    tell = _say if start is None or start.verb != "practise" else lambda note: None  # bots ask for no lab
    writer: HistoryWriter | None = None
    try:
        async with AsyncExitStack() as stack:
            story = stack.enter_context(open_text(Path(settings.log))) if settings.log else None
            code = 0

            async def close(node: Node) -> None:
                from p2pcards.ui.signals import HANGUP

                if code == HANGUP:
                    await node.hang_up()
                await node.close()

            async def make_node() -> Node:
                nonlocal writer
                log = start_log(own, profile.name)
                looks_on = start is not None and start.verb == "watch"
                node = _node(
                    wanted, own, profile, nick, door, screen=screen, terminal=terminal, plays=not looks_on, log=str(log)
                )
                stack.push_async_callback(close, node)
                writer = _remember(node, own)
                _follow(node, record, story)
                if start is None or start.verb != "practise":
                    await node.open()
                elif screen:
                    _open_later(node)
                if screen:
                    from p2pcards.ui.idle import settle

                    settle()
                return node

            habits, keep = habits_of(door.config, own), partial(_keep, own)
            if screen:
                code = await _on_screen(settings, make_node, start, log_path(own, profile.name), habits, keep)
            else:
                node = await make_node()
                door.membership.tell(tell)
                code = await _in_lines(settings, node, start, terminal, habits, keep)
    finally:  # after Ctrl-C too: what was played is not on the disk yet
        door.membership.tell(tell)
        if writer:
            writer.close()
            if writer.untold:
                _say(writer.untold)
    troubles = [file.trouble for file in (record, door.code_file) if file and file.trouble]
    for trouble in troubles:
        _say(trouble)
    return code or int(bool(troubles))


def _with_preset(settings: Settings, own: Folders) -> Settings:
    """The options of the preset come first; what there is of it no more is left out, and said."""
    from p2pcards.commands.presets import find
    from p2pcards.games.registry import GAMES
    from p2pcards.net.presets import usable
    from p2pcards.store.presets import PresetFile

    rules, gone = usable(GAMES[settings.game], find(PresetFile(own), settings.game, settings.preset))
    if gone:
        title = GAMES[settings.game].title
        _say(f"The preset {settings.preset} has what {title} no longer has, so it is left out: {', '.join(gone)}.")
    return settings._replace(options=(*rules.items(), *settings.options))


class _Door(NamedTuple):
    """What there is for the door of a table, our own or another's."""

    membership: Membership
    config: Config
    code: str = ""
    code_file: CodeFile | None = None


def _at_the_door(verb: str, settings: Settings, own: Folders) -> tuple[Settings, _Door]:
    """What config.toml says and the command line doesn't, and what was named for the door; UserError if it can't be."""
    from p2pcards.store.config import read_config
    from p2pcards.store.membership import Membership

    config = read_config(own)
    membership = Membership(settings, config)
    settings = settings._replace(nick=settings.nick or config.nick, door=settings.door or config.door)
    if verb == "host":
        if settings.headless and settings.door == "ask" and not settings.keep:
            raise UserError(
                "Nobody could be asked at the door of a --headless table: take another --door, or --keep.", 2
            )
        membership.check_door(settings.door)
    if not settings.code_file:
        return settings, _Door(membership, config)
    from p2pcards.store.code_file import CodeFile, code_in

    if verb == "host":
        file = CodeFile(Path(settings.code_file))
        return settings, _Door(membership, config, file.code, file)
    return settings, _Door(membership, config, code_in(Path(settings.code_file)))


def _node(
    settings: Settings,
    own: Folders,
    profile: Profile,
    nick: str,
    door: _Door,
    *,
    screen: bool,
    terminal: bool,
    plays: bool,
    log: str,
) -> Node:
    """plays: a headless program has a bot for its seat; who looks on has none."""
    from p2pcards.bots.budget import SECONDS
    from p2pcards.net.botprogram import AT_TABLE
    from p2pcards.net.keeping import Keeping
    from p2pcards.net.node import Node
    from p2pcards.net.opening import Setup
    from p2pcards.store.own_keys import by_key
    from p2pcards.store.people import KnownPeople
    from p2pcards.store.presets import PresetFile
    from p2pcards.wire.identity import Identity

    def enrolled(taken: Profile) -> Identity:
        identity = Identity(taken.seed)
        if roll is not None:
            try:
                roll.enrol(identity)
            except UserError as error:  # others may be proved all the same
                door.membership.notes.append(str(error))
        return identity

    def another() -> tuple[Identity, str]:
        further = take(own, after=profile.name)
        told = f"A program with your key is at that table already, so this one is {further.name}."
        node.warn(told) if screen else _say(told)
        return enrolled(further), further.name

    def become(name: str) -> Identity:
        return enrolled(take(own, name))

    roll = door.membership.roll
    player = (settings.bot or BOT) if settings.headless and plays else ""
    setup = Setup(
        nick,
        profile=profile.name,
        game=settings.game,
        title=settings.title,
        options=settings.options,
        rounds=settings.rounds,
        seats=settings.seats,
        bots=settings.bots,
        bot_level=settings.level,
        seat=settings.seat,
        hidden=settings.hidden,
        port=settings.port,
        interface=settings.interface,
        level=player if isinstance(player, str) else "",
        program=() if isinstance(player, str) else player,
        program_seconds=settings.bot_seconds or AT_TABLE.seconds,
        pace=_pace(settings, terminal, door.config.pace) if settings.pace is None else settings.pace,
        think=SECONDS if settings.think is None else settings.think / 1000,
        closes=(settings.headless and not settings.keep) or (settings.demo and not screen),
        starts=settings.headless,
        keep=settings.keep,
        demo=settings.demo,
        wait=settings.wait,
        seed=settings.seed,
        door=settings.door,
        code=door.code,
        code_written=door.code_file.write if door.code_file else None,
        lab=door.membership.lab,
        roll=roll is not None,
        asks=settings.keep or not settings.headless,
        log=log,
    )
    keeping = Keeping(
        private(own.tables),
        Lock.take,
        None if settings.profile else another,
        PresetFile(own),
        KnownPeople(own, roll),
        lambda: by_key(own.data),
        None if settings.profile else become,
        partial(_history, own),
        partial(_statistics, own),
    )
    node = Node(enrolled(profile), setup, keeping)
    return node


def _pace(settings: Settings, terminal: bool, wanted: str) -> float | None:
    """Seconds between two moves of bots: none where nobody looks on, the usual ones where nothing else is said.

    wanted: a word of the file of settings.
    """
    if settings.headless:
        return 0.0
    if settings.demo and (settings.json or not terminal):
        return 0.0
    return _PACES.get(wanted, DEMO_PACE if settings.demo else None)


def _follow(node: Node, record: RecordFile | None, story: TextIO | None) -> None:
    """What `--record` and `--log` ask for, written as it happens."""
    from p2pcards.table.notices import MatchStarted, Notice, Recorded
    from p2pcards.ui.headless import Told
    from p2pcards.ui.prompt import Prompt
    from p2pcards.ui.streams import Out
    from p2pcards.ui.voice import Cards

    def keep(notice: Notice | None) -> None:
        if record and isinstance(notice, MatchStarted):
            record.begin()
        elif record and isinstance(notice, Recorded):
            record.write(notice.text)

    node.listen(keep)
    if story:
        node.listen(Told(Prompt(node, Cards.SIGNS, rules_text), Out(story, lambda: None), secrets=False).heard)


def _remember(node: Node, own: Folders) -> HistoryWriter:
    """What is played goes to the history as it happens; that it can't is told once, at the table or in the end."""
    from contextlib import suppress

    from p2pcards.store.history_writer import HistoryWriter
    from p2pcards.wire.identity import words

    loop = asyncio.get_running_loop()

    def warn() -> None:
        if node.table is not None:
            node.warn(writer.untold)
            writer.untold = ""

    def soon() -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody listens any more
            loop.call_soon_threadsafe(warn)

    writer = HistoryWriter(partial(_history, own), lambda: words(node.home.key), soon)
    node.listen(writer.heard)
    return writer


def _history(own: Folders) -> History:
    from p2pcards.store.history import History

    return History(own)


def _statistics(own: Folders) -> HistoryStatistics:
    from p2pcards.store.statistics import HistoryStatistics

    return HistoryStatistics(own)


def _open_later(node: Node) -> None:
    """Practice has no network under it: the node looks around only when somebody gets up from it."""
    from p2pcards.table.notices import Closed, Notice

    opening: list[asyncio.Task[None]] = []

    def up(notice: Notice | None) -> None:
        if isinstance(notice, Closed) and not opening:
            opening.append(asyncio.create_task(node.open()))
            opening[0].add_done_callback(_loud)

    node.listen(up)


def _loud(task: asyncio.Task[None]) -> None:
    """What it failed with is told, though nobody waits for it."""
    if not task.cancelled() and (error := task.exception()) is not None:
        from p2pcards.ui.faults import loud

        loud(error, "looking around")


# ---- faces


def habits_of(config: Config, own: Folders) -> Habits:
    """What config.toml says, and where it says nothing what was set last."""
    from p2pcards.ui.habits import Habits

    said: dict[str, Any] = {name: getattr(config, name) for name in Habits._fields}
    if own.choices.exists():  # only who has one pays for the reading
        from p2pcards.store.choices import ChoiceFile

        chosen = ChoiceFile(own).all(config.themes)
        said |= {name: value for name, value in chosen.items() if not said[name]}
    return Habits(**said)


def _keep(own: Folders, name: str, value: str) -> None:
    from p2pcards.store.choices import ChoiceFile

    ChoiceFile(own).keep(name, value)


async def _on_screen(
    settings: Settings,
    make_node: Callable[[], Awaitable[Node]],
    start: Command | None,
    log_file: Path,
    habits: Habits,
    keep: Keep,
) -> int:
    gc.disable()  # until all is loaded: it stays loaded
    from p2pcards.ui.app import run_app
    from p2pcards.ui.idle import collect
    from p2pcards.ui.terminal import look_of, on_console

    look = look_of(os.environ, sys.platform, ascii=settings.ascii, color=settings.color)
    try:
        with on_console():
            return await run_app(
                make_node,
                start,
                look=look,
                manual=rules_text,
                log_file=log_file,
                habits=habits,
                keep=keep,
                rest=collect,
            )
    finally:
        gc.enable()  # where it never came to the node


async def _in_lines(
    settings: Settings, node: Node, start: Command | None, terminal: bool, habits: Habits, keep: Keep
) -> int:
    from p2pcards.store.logs import log_file
    from p2pcards.ui.faults import Faults
    from p2pcards.ui.headless import run_headless, run_json, run_kept
    from p2pcards.ui.plain import run_plain
    from p2pcards.ui.signals import in_background, signals
    from p2pcards.ui.streams import standard_input
    from p2pcards.ui.voice import Cards

    stdin, stdout = standard_input(), sys.stdout
    if settings.headless and settings.keep and start is not None:
        style = Cards.WORDS if settings.plain else Cards.SIGNS
        work = run_kept(node, stdin, stdout, json=settings.json, rules=rules_text, first=start, cards=style)
        in_background()
    elif settings.headless or (settings.demo and (settings.json or not terminal)):
        style = Cards.WORDS if settings.plain else Cards.SIGNS
        work = run_headless(node, stdout, json=settings.json, rules=rules_text, first=start, cards=style)
    elif settings.json:
        work = run_json(node, stdin, stdout, rules=rules_text, first=start, stay=start is None)
    else:
        stays = start is None
        work = run_plain(
            node, stdin, stdout, rules=rules_text, terminal=terminal, first=start, stay=stays, habits=habits, keep=keep
        )
    task = asyncio.create_task(work)
    told: list[int] = []

    def end(code: int) -> None:
        told.append(code)
        task.cancel()

    loop = asyncio.get_running_loop()
    with Faults(_say, log_file()).watched(loop), signals(loop, end):
        try:
            return await task
        except asyncio.CancelledError:
            if not told:  # Ctrl-C
                raise
            return told[0]


def list_tables(settings: Settings, *, watch: bool) -> int:
    """Prints the tables that are found within `wait` seconds, and again at each change with `watch`."""
    _for_lines(settings)
    return asyncio.run(_list(settings, watch))


async def _list(settings: Settings, watch: bool) -> int:
    import secrets

    import msgspec

    from p2pcards.net.keeping import Keeping
    from p2pcards.net.node import Node
    from p2pcards.net.opening import Setup
    from p2pcards.ui import events, queries
    from p2pcards.ui.context import Here
    from p2pcards.ui.streams import Out
    from p2pcards.wire.identity import Identity

    own = folders()
    door = _at_the_door("list", settings, own)[1]
    membership, config = door.membership, door.config
    if settings.lab and not membership.lab:
        raise UserError("--lab shows the tables of your lab: name its key with --lab-key FILE, or in config.toml.", 2)
    start_log(own, "commands")
    changed = asyncio.Event()
    out = Out(sys.stdout, changed.set)
    # who only looks needs no name, a key for this once, and nobody whom they know
    setup = Setup("", interface=settings.interface, lab=membership.lab)
    node = Node(Identity(secrets.token_bytes(32)), setup, Keeping(Path(), Lock.take))
    membership.tell(_say)
    if watch and not settings.json and _has_screen(settings):
        return await _board(settings, node, habits_of(config, own))
    here = Here(node)
    node.listen(lambda notice: changed.set())

    def lines() -> list[str]:
        if settings.json:
            rows = [row for row in node.home.rows if row.lab or not settings.lab]
            return [msgspec.json.encode([events.listed(row) for row in rows]).decode()]
        return queries.tables(node.home, here.context(), settings.lab)

    told: list[str] = []
    try:
        await node.open()
        try:
            async with asyncio.timeout(settings.wait):
                while not (watch and node.home.rows):
                    await changed.wait()
                    changed.clear()
        except TimeoutError:
            pass  # there may be nothing to show, or more to come
        while not out.gone:
            changed.clear()
            if (now := lines()) != told:
                told = now
                for line in told:
                    out.line(line)
            if not watch:
                break
            await changed.wait()
    finally:
        await node.close()
    return 0


async def _board(settings: Settings, node: Node, habits: Habits) -> int:
    """The list on the whole screen, until somebody has seen enough."""
    from p2pcards.games.registry import GAMES
    from p2pcards.ui.board import draw
    from p2pcards.ui.board_app import Board
    from p2pcards.ui.terminal import look_of, on_console

    look = look_of(os.environ, sys.platform, ascii=settings.ascii, color=settings.color)
    titles = {name: game.title for name, game in GAMES.items()}
    board = Board(lambda size: draw(node.home, titles, size, look, lab_only=settings.lab), look, habits)
    node.listen(lambda notice: board.refresh())
    try:
        await node.open()
        with on_console():
            return await board.run()
    finally:
        await node.close()


# ---- small questions


def _for_lines(settings: Settings) -> None:
    """Standard output for what is told in lines: JSON is UTF-8, and `--ascii` is ASCII for people."""
    from p2pcards.ui.letters import mend

    mend(sys.stdout, "utf-8" if settings.json else "ascii" if settings.ascii else None)


def _has_screen(settings: Settings) -> bool:
    """Whether the whole terminal can be painted, and is wanted to be."""
    terminal = _is_terminal(sys.stdin) and _is_terminal(sys.stdout)
    return terminal and not settings.plain and os.environ.get("TERM") not in ("dumb", "unknown")


def _is_terminal(stream: Any) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def _nick(wanted: str) -> str:
    from p2pcards.wire.text import nick

    fitted = nick(wanted or login())
    if wanted and fitted != wanted:
        raise UserError(
            f"{wanted!r} can't be a nick: it has 1 to 16 of A-Z a-z 0-9 _ -, does not begin with bot, and is no word "
            "of the table like host, all or you.",
            2,
        )
    return fitted


def _say(line: str) -> None:
    print(line, file=sys.stderr)  # noqa: T201 - before and after the screen
