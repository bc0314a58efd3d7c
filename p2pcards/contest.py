"""An arena, and who plays its deals: this process, or several at once, which deal by deal makes no difference.

    contest = Contest("tongits", (("scoring", "chips"),), ("hard", "medium", "./mybot"), seed=7)
    for deal in contest.play(range(100, 1000), 2, print): ...     # in the order of the numbers

A process for each job gets the contest itself and makes its bots from that; a number goes to it, a deal comes back, and
then the next number. Closing the iterator ends the processes, and they end by themselves when this one is gone. They
don't hear Ctrl-C, which a terminal sends to all of them.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Thread
from time import thread_time
from traceback import format_exc
from typing import cast

from msgspec import Struct

from p2pcards.bots import arena
from p2pcards.bots.arena import AnyBot, AnyGame, Played
from p2pcards.bots.budget import SECONDS, Budget
from p2pcards.bots.registry import CHEAT, arena_bot, levels, no_level
from p2pcards.bots.thinking import AllSeeing, Deliberate
from p2pcards.errors import UserError
from p2pcards.games.options import read_options
from p2pcards.games.registry import GAMES

LEAVING_SECONDS = 5
"""That a process has to end its bots' programs."""


class Contest(Struct, frozen=True):
    """What is played: everything that a deal hangs on but its number.

    options: house rules as they were typed. seats: who plays each, a level or the command line of a program. think:
    seconds of processor time for a decision, for the bots that think.
    """

    game: str
    options: tuple[tuple[str, str], ...]
    seats: tuple[str, ...]
    seed: int = 0
    think: float = SECONDS

    def rules(self) -> AnyGame:
        """The game; raises InvalidOption where there is none like that for so many."""
        rules = GAMES[self.game](read_options(GAMES[self.game], dict(self.options)))
        rules.check_seats(len(self.seats))
        return rules

    def bots(self, told: Callable[[str], None]) -> list[AnyBot]:
        """Who plays, seat by seat; raises UserError for a name that no bot has. Programs start when they are asked.

        told: takes a sentence on what a program did wrong.
        """
        return [_bot(self, seat, told) for seat in self.seats]

    @contextmanager
    def seated(self, told: Callable[[str], None]) -> Iterator[list[AnyBot]]:
        """The bots, whose programs end afterwards."""
        with ExitStack() as stack:
            bots = self.bots(told)
            for bot in bots:
                if close := getattr(bot, "close", None):
                    _start_log()
                    stack.callback(close)
            yield bots

    def thinks(self) -> bool:
        """Whether any of the bots takes the time that it is given, so that how much that is matters."""
        return any(isinstance(bot, Deliberate | AllSeeing) for bot in self.bots(lambda said: None))

    def programs(self) -> dict[str, str]:
        """By the command line of each program that plays, what tells its text from another."""
        from p2pcards.net.botprogram import command_of, text_of

        known = (*levels(self.game), CHEAT)
        return {seat: text_of(command_of(seat)) for seat in self.seats if seat not in known}

    def play(self, numbers: Sequence[int], jobs: int, told: Callable[[str], None]) -> Generator[Played, None, None]:
        """The deals of these numbers, in this order; UserError where a process for them ends before its time."""
        if jobs > 1 and len(numbers) > 1:
            return _in_processes(self, numbers, min(jobs, len(numbers)), told)
        return _here(self, numbers, told)


def cores() -> int:
    """How many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _bot(contest: Contest, seat: str, told: Callable[[str], None]) -> AnyBot:
    known = (*levels(contest.game), CHEAT)
    if seat not in known:
        from p2pcards.net.botprogram import is_command, like

        if not seat.isprintable():
            raise UserError("A bot has a name that can't be shown.", 2)
        if is_command(seat):
            from p2pcards.net.arenabot import ProgramBot

            return ProgramBot(seat, told)
        raise UserError(no_level(seat, known, like(seat)), 2)
    return arena_bot(contest.game, seat, Budget(contest.think, thread_time))


def _start_log() -> None:
    """What programs complain of is kept, whichever process they play for."""
    from p2pcards.store.folders import folders
    from p2pcards.store.logs import log_file, start_own_log

    logging.getLogger("p2pcards").setLevel(logging.INFO)
    if log_file() is None:
        with suppress(UserError):  # without a log they play all the same
            start_own_log(folders(), "arena")


def _here(contest: Contest, numbers: Sequence[int], told: Callable[[str], None]) -> Generator[Played, None, None]:
    rules = contest.rules()
    with contest.seated(told) as bots:
        for number in numbers:
            yield arena.play_deal(rules, bots, contest.seed, number)


def _in_processes(
    contest: Contest, numbers: Sequence[int], jobs: int, told: Callable[[str], None]
) -> Generator[Played, None, None]:
    processes: list[BaseProcess] = []
    waiting, asked = iter(numbers), deque[int]()
    at_work: dict[Connection, int] = {}
    found: dict[int, Played] = {}

    def ask(line: Connection) -> None:
        number = next(waiting, None)
        if number is not None:
            _tell(line, number)
            at_work[line] = number
            asked.append(number)

    lines: list[Connection] = []
    try:
        for _ in range(jobs):
            line, process = _started(contest)
            lines.append(line)
            processes.append(process)
        for line in lines:
            ask(line)
        while at_work:
            for line in cast("list[Connection]", wait(list(at_work))):
                said = _heard(line)
                if isinstance(said, str):
                    told(said)
                else:
                    found[at_work.pop(line)] = said
                    ask(line)
            while asked and asked[0] in found:
                yield found.pop(asked.popleft())
    finally:
        for process in processes:
            process.terminate()
        for line in lines:
            line.close()
        for process in processes:
            process.join(LEAVING_SECONDS)
            process.kill()
            process.join()
            process.close()


def _started(contest: Contest) -> tuple[Connection, BaseProcess]:
    """A process that plays, and the line to it."""
    context = get_context("spawn")
    ours, its = context.Pipe()
    process = context.Process(target=_work, args=(contest, its), daemon=True)
    with its, _deaf():
        process.start()
    return ours, process


@contextmanager
def _deaf() -> Iterator[None]:
    """Ctrl-C comes through afterwards; a process that is started meanwhile begins by not hearing it."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_ENDED = "A process that played deals has ended before its time; was it killed?"


def _tell(line: Connection, number: int) -> None:
    """Has it play the deal of that number."""
    try:
        line.send(number)
    except OSError as error:
        raise UserError(_ENDED) from error


def _heard(line: Connection) -> Played | str:
    """The deal that came back for a number, or a sentence on a bot; raises what was raised over there."""
    try:
        said: Played | str | Exception = line.recv()
    except (EOFError, OSError) as error:
        raise UserError(_ENDED) from error
    if isinstance(said, Exception):
        raise said
    return said


def _work(contest: Contest, line: Connection) -> None:
    """Plays the deals that are asked for, until nobody is there to ask or there is one that can't be played."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    Thread(target=_outlived, daemon=True).start()

    def told(sentence: str) -> None:
        with suppress(OSError):  # nobody wants to know any more
            line.send(sentence)

    try:
        rules = contest.rules()
        with contest.seated(told) as bots:
            while True:
                line.send(arena.play_deal(rules, bots, contest.seed, line.recv()))
    except EOFError:
        return
    except Exception as error:  # told to who asked
        error.add_note(format_exc())
        with suppress(OSError):
            line.send(error)


def _leave(*unused: object) -> None:
    """Ends this process, but its bots' programs before."""
    raise SystemExit


def _outlived() -> None:
    """Ends this process too when the one that started it has ended, whatever it is at."""
    if parent := parent_process():
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
