"""A seat played by a program of somebody's own (docs/bots.md): started, asked, watched over, and ended.

program = BotProgram(command_of("./mybot --fast"), told)
action = await program.choose(game, view, match)      # always a legal one
await program.close()

Whatever the program does wrong costs it the safe default for that action and is told in a sentence: the first time, and
then at each tenfold. One that ended, is stuck or writes without end is started again a few times, and then no more.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import shlex
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import file_digest, sha256
from math import inf
from pathlib import Path
from typing import Any

from msgspec import Struct

from p2pcards.bots.line import Fault, Line, Reply
from p2pcards.cards import quoted
from p2pcards.errors import UserError
from p2pcards.games.base import Game
from p2pcards.games.match import Match
from p2pcards.net.botprocess import BotProcess

_log = logging.getLogger(__name__)

STARTS = 3
"""How often a program is started at one table, as long as it does not answer ENOUGH requests between two starts."""

ENOUGH = 100
"""Answers to one start that make up for the starts before."""

MOST_SILENT = 5
"""Requests in a row that it may leave unanswered before it counts as stuck and is started again."""


class Patience(Struct, frozen=True):
    """Seconds that a program has for one action, and how much longer its first answer after a start may take."""

    seconds: float = 5.0
    start: float = 10.0


AT_TABLE = Patience()
IN_ARENA = Patience(seconds=1.0)


def is_command(text: str) -> bool:
    """Whether what was named as a bot, and is no level, is a command line: it has a path or arguments, or is a file."""
    return any(each in text for each in (os.sep, os.altsep, " ") if each) or _is_file(text)


def like(text: str) -> str:
    """A program in the current folder with nearly that name, as a command line; "" where there is none."""
    from difflib import get_close_matches

    try:
        here = [entry.name for entry in os.scandir() if entry.is_file() and os.access(entry, os.X_OK)]
    except OSError:
        return ""
    found = [name for name in here if Path(name).stem == text] or get_close_matches(text, here, 1)
    return shlex.quote(f"./{found[0]}") if found and found[0].isprintable() else ""


def command_of(text: str) -> tuple[str, ...]:
    """The words of a command line, split as a shell would; UserError where the program isn't there."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UserError(f"{quoted(text)!r} is no command line: {error}.", 2) from error
    if not words:
        raise UserError("A bot's command line names a program.", 2)
    program = os.path.expanduser(words[0])  # noqa: PTH111 - may be no path
    if _is_file(program):
        program = str(Path(program).absolute())  # in the current folder too, where a shell wants ./
    found = shutil.which(program)
    if found is None:
        folder = os.path.isdir(program)  # noqa: PTH112 - as below
        why = "is a folder" if folder else "can't be executed (chmod +x)" if _is_file(program) else "is not there"
        raise UserError(f"The bot {quoted(words[0])} {why}.", 2)
    return (found, *words[1:])


def text_of(words: Sequence[str]) -> str:
    """What tells the text of that program from another: of the program, and of the script where it runs one."""
    digest = sha256()
    for file in (words[0], *[word for word in words[1:] if _is_file(word)][:1]):
        with suppress(OSError), open(file, "rb") as opened:  # noqa: PTH123 - as below
            digest.update(file_digest(opened, sha256).digest())
    return digest.hexdigest()


def _is_file(text: str) -> bool:
    return os.path.isfile(text)  # noqa: PTH113 - may be longer than any path, or have no place in one


class BotProgram:
    """One program for one seat; it may sit down at another table afterwards."""

    def __init__(self, words: tuple[str, ...], told: Callable[[str], None], patience: Patience = AT_TABLE) -> None:
        """words: from `command_of`. told: takes a sentence on what went wrong."""
        self._words, self._told, self._patience = words, told, patience
        self._name = quoted(" ".join((Path(words[0]).name, *words[1:])))
        self._process: BotProcess | None = None
        self._line = Line()
        self._answers = 0  # since it was started
        self._silent = 0  # requests in a row without an answer
        self._starts = 0
        self._endings: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()
        self.faults: Counter[Fault] = Counter()
        self._told_of: Counter[Fault] = Counter()  # at this table

    async def choose(self, game: Game[Any, Any, Any], view: Any, match: Match, seconds: float | None = None) -> Any:
        """What the program would do, else the safe default. seconds: the most there are, also for a first answer.

        ValueError if the viewer can't act. One request after another: who cancels this gives up the older one.
        """
        async with self._turn:
            reply = await self._ask(game, view, match, inf if seconds is None else seconds)
        if reply.fault is None:
            return reply.action
        self._count(reply.fault, reply.detail)
        return game.default(view)

    def stand_up(self) -> None:
        """The table is over: the program ends, without anybody waiting for it."""
        self._end()
        self._starts = 0
        self._told_of.clear()

    async def close(self) -> None:
        """Ends the program, and waits until it has ended."""
        self.stand_up()
        await asyncio.gather(*self._endings, return_exceptions=True)

    # ---- one request

    async def _ask(self, game: Game[Any, Any, Any], view: Any, match: Match, most: float) -> Reply:
        if self._process is None:
            failed = await self._start()
            if failed is not None:
                return failed
        process = self._process
        if process is None:
            raise ValueError("it was started")
        usual = self._patience.seconds
        process.write(self._line.ask(game, view, min(usual, most), match))
        patience = min(usual if self._answers else usual + self._patience.start, most)
        try:
            async with asyncio.timeout(patience):
                reply = None
                while reply is None:
                    reply = self._line.hear(await process.line())
                    self._answers += 1
        except TimeoutError:
            self._silent += 1
            if self._silent >= MOST_SILENT or not self._answers:
                self._end()
            return Reply(fault=Fault.LATE, detail=f"{patience:g}")
        except EOFError:
            fate = await process.fate()
            self._end()
            return Reply(fault=Fault.ENDED, detail=fate)
        except ValueError as error:
            self._end()
            return Reply(fault=Fault.GARBAGE, detail=str(error))
        self._silent = 0
        if self._answers >= ENOUGH:
            self._starts = 1  # this one
        return reply

    async def _start(self) -> Reply | None:
        """None where it runs."""
        if self._starts >= STARTS:
            return Reply(fault=Fault.GIVEN_UP)
        self._starts += 1
        try:
            self._process = await BotProcess.start(self._words, self._name)
        except (OSError, ValueError) as error:
            return Reply(fault=Fault.UNSTARTED, detail=_why_not(error))
        self._line, self._answers, self._silent = Line(), 0, 0
        return None

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            ending = process.end()
            self._endings.add(ending)
            ending.add_done_callback(self._endings.discard)

    # ---- what went wrong

    def _count(self, fault: Fault, detail: str) -> None:
        self.faults[fault] += 1
        self._told_of[fault] += 1
        count = self._told_of[fault]
        _log.info("%s: %s %d, %s", self._name, fault, count, detail)
        if count == 1 or (fault is not Fault.GIVEN_UP and str(count).strip("0") == "1"):
            self._told(sentence(self._name, fault, detail, count))


def _why_not(error: OSError | ValueError) -> str:
    """Why a program that is there could not be started."""
    if not isinstance(error, OSError):
        return str(error)
    if error.errno == errno.ENOEXEC:
        return "it is no program; a script begins with #!"
    if error.errno == errno.ENOENT:
        return "what its first line names is not there"
    return error.strerror or str(error)


def sentence(name: str, fault: Fault, detail: str, count: int = 1) -> str:
    """What a bot did wrong, for people. count: how often that was."""
    match fault:
        case Fault.GIVEN_UP:
            return f"The bot {name} is not started again: from now on its seat gets the safe default."
        case Fault.UNSTARTED:
            did = f"could not be started ({detail})"
        case Fault.ENDED:
            did = f"{detail} before it answered"
        case Fault.GARBAGE:
            did = f"wrote what is no answer: {detail or 'an empty line'}"
        case Fault.ILLEGAL:
            did = f"wants what is not legal now: {detail or 'nothing'}"
        case Fault.LATE:
            did = f"did not answer within {detail} s"
    times = f" ({count} times now)" if count > 1 else ""
    return f"The bot {name} {did}{times}; the safe default was played."
