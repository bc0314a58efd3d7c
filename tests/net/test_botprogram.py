"""A program plays a seat: what it does right is played, what it does wrong costs it the safe default and is told."""

from __future__ import annotations

import asyncio
import logging
import os
import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from p2pcards.bots.line import MOST_BYTES, Fault
from p2pcards.bots.registry import bot
from p2pcards.errors import UserError
from p2pcards.games.match import Match
from p2pcards.games.tongits import TongIts
from p2pcards.net.botprogram import (
    ENOUGH,
    MOST_SILENT,
    STARTS,
    BotProgram,
    Patience,
    command_of,
    is_command,
    like,
    sentence,
    text_of,
)
from tests.bots.rounds import views
from tests.testing.odd_bots import written

GAME = TongIts()
LEGAL, VIEW = next(
    (legal, view)
    for view in views(GAME, [bot("tongits", "random")] * 3, 2)
    if (legal := list(GAME.legal_actions(view)))[-1] != GAME.default(view)
)
MATCH = Match.start(GAME, 3)
ANSWER = "say(id=number, action=legal[-1])"
QUICK = Patience(seconds=20.0, start=20.0)
"""Nothing in these tests takes that long: what is waited for comes at once."""

NO_TIME = 0.05
"""Seconds for a request that is not answered."""


class Seat:
    """A program and what was told of it."""

    def __init__(self, command: str, patience: Patience) -> None:
        self.told: list[str] = []
        self.program = BotProgram(command_of(command), self.told.append, patience)

    async def plays(self, seconds: float | None = None) -> str:
        """What it does: `last` and `default` for these legal actions, else the text."""
        chosen = await self.program.choose(GAME, VIEW, MATCH, seconds)
        assert chosen in LEGAL
        return "last" if chosen == LEGAL[-1] else "default" if chosen == GAME.default(VIEW) else GAME.format(chosen)


@asynccontextmanager
async def seat(command: str, patience: Patience = QUICK) -> AsyncIterator[Seat]:
    """A program that is ended afterwards."""
    sits = Seat(command, patience)
    try:
        yield sits
    finally:
        await sits.program.close()


async def test_what_it_answers_is_played(tmp_path: Path) -> None:
    async with seat(written(tmp_path, ANSWER)) as sits:
        assert [await sits.plays() for _ in range(5)] == ["last"] * 5
        assert (sits.told, sits.program.faults) == ([], {})


@pytest.mark.parametrize(
    ("body", "fault", "told"),
    [
        ("print('thinking...', flush=True)", Fault.GARBAGE, "wrote what is no answer: thinking..."),
        ("print(flush=True)", Fault.GARBAGE, "wrote what is no answer: an empty line"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe{}\\n'); sys.stdout.flush()", Fault.GARBAGE, "wrote what is no answer: "),
        ("say(id=number, action='win')", Fault.ILLEGAL, "wants what is not legal now: win"),
        ("say(id=number, action='')", Fault.ILLEGAL, "wants what is not legal now: nothing"),
        ("sys.exit(3)", Fault.ENDED, "ended with exit code 3 before it answered"),
        ("raise ValueError", Fault.ENDED, "ended with exit code 1 before it answered"),
        ("os.kill(os.getpid(), signal.SIGKILL)", Fault.ENDED, "was ended by signal 9 before it answered"),
        ("os.close(1); sys.stdin.read()", Fault.ENDED, "closed its output before it answered"),
        ("print('x' * 10_000_000, flush=True)", Fault.GARBAGE, f"a line of more than {MOST_BYTES} bytes"),
    ],
)  # fmt: skip
async def test_what_it_does_wrong_costs_it_the_safe_default_and_is_told(
    body: str, fault: Fault, told: str, tmp_path: Path
) -> None:
    async with seat(written(tmp_path, body)) as sits:
        assert await sits.plays() == "default"
        assert sits.program.faults == {fault: 1}
        assert len(sits.told) == 1
        assert told in sits.told[0]
        assert sits.told[0].endswith("; the safe default was played.")


async def test_silence_costs_it_the_safe_default_and_is_told_with_the_time_it_had(tmp_path: Path) -> None:
    async with seat(written(tmp_path, f"number == 1 and {ANSWER}")) as sits:
        assert await sits.plays() == "last"
        assert [await sits.plays(NO_TIME) for _ in range(2)] == ["default", "default"]
        assert sits.told == ["The bot odd.py did not answer within 0.05 s; the safe default was played."]
        assert sits.program.faults == {Fault.LATE: 2}


async def test_a_late_answer_is_not_taken_for_that_to_the_next_request(tmp_path: Path) -> None:
    late = "number == 2 and sys.stdin.readline() and (say(id=2, action='x'), say(id=3, action=legal[-1]))"
    async with seat(written(tmp_path, f"{late} or number != 2 and {ANSWER}")) as sits:
        assert [await sits.plays(), await sits.plays(NO_TIME)] == ["last", "default"]
        assert [await sits.plays() for _ in range(2)] == ["last", "last"]
        assert sits.program.faults == {Fault.LATE: 1}


async def test_who_starts_slowly_has_time_for_that(tmp_path: Path) -> None:
    slow = written(tmp_path, ANSWER, before="time.sleep(0.3)")
    async with seat(slow, Patience(seconds=NO_TIME, start=20.0)) as sits:
        assert await sits.plays() == "last"


async def test_who_does_not_even_start_before_the_turn_ends_is_started_again(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    before = f"again = os.path.exists({str(mark)!r}); open({str(mark)!r}, 'a').close(); again or time.sleep(600)"
    async with seat(written(tmp_path, ANSWER, before)) as sits:
        assert await sits.plays(NO_TIME) == "default"
        assert await sits.plays() == "last"
        assert sits.told == ["The bot odd.py did not answer within 0.05 s; the safe default was played."]


async def test_a_bot_that_ended_is_started_again_a_few_times_and_then_no_more(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    before = f"open({str(starts)!r}, 'a').write('x')"
    async with seat(written(tmp_path, "sys.exit(1)", before)) as sits:
        assert [await sits.plays() for _ in range(STARTS + 12)] == ["default"] * (STARTS + 12)
        assert starts.read_text() == "x" * STARTS
        assert sits.program.faults == {Fault.ENDED: STARTS, Fault.GIVEN_UP: 12}
        assert sits.told == [
            "The bot odd.py ended with exit code 1 before it answered; the safe default was played.",
            "The bot odd.py is not started again: from now on its seat gets the safe default.",
        ]


async def test_a_bot_that_ends_now_and_then_is_started_again_each_time(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    before = f"open({str(starts)!r}, 'a').write('x')"
    async with seat(written(tmp_path, f"number > {ENOUGH} and sys.exit(1)\n    {ANSWER}", before)) as sits:
        for _ in range(STARTS + 2):
            assert [await sits.plays() for _ in range(ENOUGH + 1)] == ["last"] * ENOUGH + ["default"]
        assert starts.read_text() == "x" * (STARTS + 2)
        assert sits.program.faults == {Fault.ENDED: STARTS + 2}


async def test_at_another_table_it_is_told_again(tmp_path: Path) -> None:
    async with seat(written(tmp_path, "say(id=number, action='win')")) as sits:
        for _ in range(2):
            await sits.plays()
            await sits.plays()
            sits.program.stand_up()
        assert len(sits.told) == 2


async def test_a_bot_that_ended_plays_on_after_it_was_started_again(tmp_path: Path) -> None:
    async with seat(written(tmp_path, f"number == 3 and sys.exit(1)\n    {ANSWER}")) as sits:
        assert [await sits.plays() for _ in range(5)] == ["last", "last", "default", "last", "last"]


async def test_a_bot_that_is_stuck_is_started_again(tmp_path: Path) -> None:
    mark = tmp_path / "stuck"
    before = f"again = os.path.exists({str(mark)!r}); open({str(mark)!r}, 'a')"
    async with seat(written(tmp_path, f"(again or number == 1) and {ANSWER}", before)) as sits:
        assert await sits.plays() == "last"
        assert [await sits.plays(NO_TIME) for _ in range(MOST_SILENT)] == ["default"] * MOST_SILENT
        assert [await sits.plays() for _ in range(2)] == ["last", "last"]


async def test_a_bot_that_is_late_now_and_then_is_not_stuck(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    before = f"open({str(starts)!r}, 'a').write('x')"
    async with seat(written(tmp_path, f"number % 2 and {ANSWER}", before)) as sits:
        for _ in range(MOST_SILENT + 1):
            assert [await sits.plays(), await sits.plays(NO_TIME)] == ["last", "default"]
        assert starts.read_text() == "x"


async def test_faults_are_told_the_first_time_and_at_each_tenfold(tmp_path: Path) -> None:
    async with seat(written(tmp_path, "say(id=number, action='win')")) as sits:
        for _ in range(120):
            await sits.plays()
        assert sits.program.faults == {Fault.ILLEGAL: 120}
        assert ["10 times" in line for line in sits.told] == [False, True, False]
        assert "(100 times now)" in sits.told[2]


async def test_what_it_complains_of_is_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "p2pcards")
    before = "sys.stderr.write('what now\\n\\x1b[2J' + 'y' * 9999 + '\\nlast words'); sys.stderr.flush()"
    async with seat(written(tmp_path, ANSWER, before)) as sits:
        await sits.plays()
    said = [record.getMessage().split(" says: ")[1] for record in caplog.records if "says" in record.getMessage()]
    assert said[0] == "what now"
    assert said[1].startswith("?[2Jyyy")
    assert said[2] == "last words"
    assert max(map(len, said)) == 300


async def test_it_may_complain_as_much_as_it_likes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "p2pcards")
    async with seat(written(tmp_path, f"sys.stderr.write('no\\n' * 200_000)\n    {ANSWER}")) as sits:
        assert [await sits.plays() for _ in range(3)] == ["last"] * 3
    assert sum("says: no" in record.getMessage() for record in caplog.records) == 1000


# ---- its end


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.mark.parametrize(
    "stays",
    [
        "",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
        "os.fork() == 0 and (os.close(1), os.close(0), time.sleep(600))",
    ],
)
async def test_it_ends_with_the_table_whatever_it_does_against_that(stays: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    loop = "pid = os.fork(); open(PIDS, 'a').write(f'{os.getpid()}\\n'); pid == 0 and time.sleep(600)"
    before = f"PIDS = {str(pids)!r}; {stays or 'None'}; {loop}"
    async with seat(written(tmp_path, ANSWER + "; time.sleep(600)", before)) as sits:
        assert await sits.plays() == "last"
    numbers = [int(line) for line in pids.read_text().split()]
    assert len(numbers) >= 2
    while any(_runs(number) for number in numbers):  # noqa: ASYNC110 - they were killed, and have ended in a moment
        await asyncio.sleep(0.01)


def _children() -> str:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems tell of children otherwise")
async def test_nothing_is_left_that_watched_over_it(tmp_path: Path) -> None:
    before = _children()
    async with seat(written(tmp_path, ANSWER)) as sits:
        await sits.plays()
        assert _children() != before
    assert _children() == before


async def test_it_ends_by_itself_when_nothing_more_comes(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    before = f"import atexit; atexit.register(lambda: open({str(mark)!r}, 'w').close())"
    async with seat(written(tmp_path, ANSWER, before)) as sits:
        await sits.plays()
    assert mark.exists()


async def test_after_it_stood_up_it_is_started_afresh(tmp_path: Path) -> None:
    async with seat(written(tmp_path, f"number > 1 and sys.exit(1)\n    {ANSWER}")) as sits:
        for _ in range(STARTS + 2):
            assert await sits.plays() == "last"
            sits.program.stand_up()
        assert sits.told == []


async def test_whoever_gives_a_request_up_may_make_another(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    body = f"open({str(mark)!r}, 'w').close() if number == 2 else {ANSWER}"
    async with seat(written(tmp_path, body)) as sits:
        assert await sits.plays() == "last"
        given_up = asyncio.create_task(sits.plays())
        while not mark.exists():  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.01)
        given_up.cancel()
        assert await sits.plays() == "last"
        assert given_up.cancelled()
        assert sits.told == []


# ---- what is named


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("./medium", True), ("bots/mine", True), ("python3 mine.py", True), ("mine.py", True),
        ("hardest", False), ("", False), ("folder", False),
    ],
)  # fmt: skip
def test_a_path_arguments_or_a_file_make_it_a_program(
    text: str, is_one: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").touch()
    (tmp_path / "folder").mkdir()
    assert is_command(text) is is_one


def test_a_program_that_was_changed_is_told_from_what_it_was(tmp_path: Path) -> None:
    script, data, shell = tmp_path / "mine.sh", tmp_path / "data", command_of("sh")[0]
    script.write_text("first")
    data.write_text("x")
    alone, run = text_of([str(script)]), text_of([shell, "-u", str(script), str(data)])
    assert len({alone, run, text_of([shell]), text_of([str(tmp_path / "none")])}) == 4
    data.write_text("what it learned")
    assert (text_of([str(script)]), text_of([shell, "-u", str(script), str(data)])) == (alone, run)
    script.write_text("second")
    assert text_of([str(script)]) != alone
    assert text_of([shell, "-u", str(script), str(data)]) != run


@pytest.mark.parametrize(
    ("text", "near"),
    [("mybott", "./mybot"), ("deep", "./deep.py"), ("my best bot", "'./my best bot.sh'"), ("plane", ""), ("zzz", "")],
)
def test_what_is_nearly_named_so_here_can_be_meant(
    text: str, near: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("mybot", "deep.py", "my best bot.sh"):
        (tmp_path / name).touch(0o755)
    (tmp_path / "plain").touch(0o644)
    assert like(text) == near


def test_the_words_are_split_as_a_shell_would(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = tmp_path / "my bot"
    mine.write_text("#!/bin/sh\n")
    mine.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for text in ("'./my bot' --level 'very high' \\$x;", "'my bot' --level \"very high\" '$x;'"):
        assert command_of(text) == (str(mine), "--level", "very high", "$x;")
    assert command_of("~/'my bot'") == (str(mine),)
    assert command_of(f"{shlex.quote(Path('/bin/sh').name)} -c x")[0].endswith("/sh")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("./nothing", "The bot ./nothing is not there."),
        ("nothing-like-it --fast", "The bot nothing-like-it is not there."),
        ("./plain.txt", "The bot ./plain.txt can't be executed (chmod +x)."),
        ("plain.txt", "The bot plain.txt can't be executed (chmod +x)."),
        ("./folder", "The bot ./folder is a folder."),
        ("./it's", """"./it's" is no command line: No closing quotation."""),
        (" ", "A bot's command line names a program."),
        ("./" + "x" * 5000, f"The bot ./{'x' * 38}… is not there."),
        ("./\x1b[2J", "The bot ./?[2J is not there."),
        ("./nul\0", "The bot ./nul? is not there."),
    ],
)
def test_a_program_that_is_not_there_is_one_sentence(
    text: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.txt").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError) as caught:
        command_of(text)
    assert (str(caught.value), caught.value.exit_code) == (told, 2)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("no program\n", "it is no program; a script begins with #!"),
        ("#!/no/such/shell\n", "what its first line names is not there"),
        ("#!/bin/sh\r\n", "what its first line names is not there"),
    ],
)
async def test_a_program_that_the_system_cannot_start_is_told(text: str, why: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text(text, newline="")
    broken.chmod(0o755)
    async with seat(str(broken)) as sits:
        assert [await sits.plays() for _ in range(STARTS + 1)] == ["default"] * (STARTS + 1)
        assert sits.told == [
            f"The bot broken could not be started ({why}); the safe default was played.",
            "The bot broken is not started again: from now on its seat gets the safe default.",
        ]


def test_every_fault_has_its_sentence() -> None:
    said: dict[str, Any] = {fault: sentence("b", fault, "x") for fault in Fault}
    assert len(set(said.values())) == len(Fault)
