"""A program plays a seat at a real table, over loopback; whatever it does, the table goes on, and ends it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from p2pcards.bots.budget import Budget
from p2pcards.games.base import Seat
from p2pcards.games.match import Match
from p2pcards.net.botprogram import BotProgram, command_of
from p2pcards.net.moves import Moves
from p2pcards.table.notices import Acted, Entered, Failed, MatchOver, RoundOver, Seated
from p2pcards.wire.entries import PROGRAM
from tests.net.test_botprogram import ANSWER, GAME, VIEW
from tests.testing.dice import dice
from tests.testing.odd_bots import CAUTIOUS_PY, FIRST_SH, written
from tests.testing.program import Program, opened, programs


async def _match(folder: Path, command: str, **setup: Any) -> Program:
    """Plays a round: a bot hosts and our own bot sits there too; what the program's side was told."""
    async with (
        programs(folder / "a", "ana", level="easy", rounds=1, closes=True, bots=1) as (ana,),
        programs(folder / "b", "ben", program=command_of(command), **setup) as (ben,),
    ):
        ben.do("join", await opened(ana))
        await ben.hear(MatchOver)
        assert len(ana.told(RoundOver)) == 1
    return ben


@pytest.mark.parametrize("command", [FIRST_SH, CAUTIOUS_PY], ids=["first.sh", "cautious.py"])
async def test_the_examples_play_at_a_table(command: str, tmp_path: Path) -> None:
    ben = await _match(tmp_path, command, program_seconds=20.0)
    assert ben.told(Failed) == []
    assert any(act.nick == "ben" for act in ben.told(Acted))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("sys.exit(1)", "ended with exit code 1 before it answered"),
        ("print('thinking', flush=True)", "wrote what is no answer: thinking"),
        ("say(id=number, action='win')", "wants what is not legal now: win"),
    ],
)
async def test_the_round_goes_on_whatever_it_does_and_that_is_told(body: str, said: str, tmp_path: Path) -> None:
    ben = await _match(tmp_path, written(tmp_path, body))
    first = ben.told(Failed)[0]
    assert (first.text, first.exit_code) == (f"The bot odd.py {said}; the safe default was played.", 0)
    assert len(ben.told(Failed)) <= 3


async def test_a_silent_one_gets_the_default_after_its_time(tmp_path: Path) -> None:
    ben = await _match(tmp_path, written(tmp_path, f"number == 1 and {ANSWER}"), program_seconds=0.02)
    assert ben.told(Failed)[0].text.endswith("did not answer within 0.02 s; the safe default was played.")


async def test_it_ends_with_the_table(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    before = f"import atexit; atexit.register(lambda: open({str(mark)!r}, 'w').close())"
    ben = await _match(tmp_path, written(tmp_path, ANSWER, before), program_seconds=20.0)
    assert ben.told(Failed) == []
    assert mark.exists()


async def test_it_ends_when_we_leave_though_our_own_program_goes_on(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    before = f"import atexit; atexit.register(lambda: open({str(mark)!r}, 'w').close())"
    bot = command_of(written(tmp_path, ANSWER, before))
    async with (
        programs(tmp_path / "a", "ana", level="easy", rounds=1, closes=True, bots=1) as (ana,),
        programs(tmp_path / "b", "ben", program=bot, program_seconds=20.0, pace=0.01) as (ben,),
    ):
        ben.do("join", await opened(ana))
        await ben.until(lambda: any(act.nick == "ben" for act in ben.told(Acted)))
        ben.do("leave")
        await ben.until(mark.exists)


async def test_the_others_know_that_a_program_sits_there(tmp_path: Path) -> None:
    async with (
        programs(tmp_path / "a", "ana") as (ana,),
        programs(tmp_path / "b", "ben", program=command_of(FIRST_SH)) as (ben,),
    ):
        ben.do("join", await opened(ana))
        seat = (await ben.hear(Entered)).seat
        assert seat is not None
        await ana.until(lambda: len(ana.told(Seated)) == 2)
        sitting = ana.node._sitting
        assert sitting is not None
        assert sitting.guest.public.seats[seat].flags & PROGRAM


async def test_it_is_told_how_the_match_stands(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    body = f"print(json.dumps(asked['match']), file=open({str(seen)!r}, 'a'))\n    {ANSWER}"
    async with (
        programs(tmp_path / "a", "ana", level="easy", rounds=2, closes=True, bots=1) as (ana,),
        programs(tmp_path / "b", "ben", program=command_of(written(tmp_path, body)), program_seconds=20.0) as (ben,),
    ):
        ben.do("join", await opened(ana))
        await ben.hear(MatchOver)
        first = ben.told(RoundOver)[0]
    told = [json.loads(line) for line in seen.read_text().splitlines()]
    scores = [points for _, points in first.points]
    before = {"round": 1, "scores": [0, 0, 0], "wins": [0, 0, 0], "pot": 0}
    after = {"round": 2, "scores": scores, "wins": [int(points > 0) for points in scores], "pot": 0}
    assert [each for number, each in enumerate(told) if each not in told[:number]] == [before, after]


# ---- one decision at a time


class Asked:
    """A bot's program that answers when it is told to."""

    def __init__(self) -> None:
        self.views: list[Any] = []
        self.seconds: list[float | None] = []
        self.answers: list[asyncio.Future[Any]] = []

    async def choose(self, game: Any, view: Any, match: Any, seconds: float | None) -> Any:
        self.views.append(view)
        self.seconds.append(seconds)
        self.answers.append(asyncio.get_running_loop().create_future())
        return await self.answers[-1]


async def _turns(count: int = 5) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_it_is_asked_once_about_one_view_and_its_decision_comes_later() -> None:
    program, moves, played = Asked(), Moves(dice(1), 0.0, Budget()), list[str]()
    for _ in range(3):
        moves.ask(program, GAME, VIEW, Match(), 2.5, played.append)  # type: ignore[arg-type]  # as a program is asked
        await _turns()
    assert (program.views, program.seconds, played) == ([VIEW], [2.5], [])
    legal = GAME.legal_actions(VIEW)[0]
    program.answers[0].set_result(legal)
    await _turns()
    assert played == [GAME.format(legal)]
    moves.close()


async def test_a_decision_about_another_view_is_waited_for_no_longer() -> None:
    program, moves, played = Asked(), Moves(dice(1), 0.0, Budget()), list[str]()
    other = GAME.view(GAME.resample(VIEW, dice(2)), Seat((VIEW.seat + 1) % 3))
    moves.ask(program, GAME, VIEW, Match(), None, played.append)  # type: ignore[arg-type]  # as above
    await _turns()
    moves.ask(program, GAME, other, Match(), None, played.append)  # type: ignore[arg-type]  # as above
    await _turns()
    assert program.views == [VIEW, other]
    assert [answer.cancelled() for answer in program.answers] == [True, False]
    moves.close()
    await _turns()
    assert program.answers[1].cancelled()
    assert played == []


async def test_a_table_with_a_clock_leaves_it_half_of_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: set[float | None] = set()
    asked = BotProgram.choose

    async def choose(self: BotProgram, game: Any, view: Any, match: Match, seconds: float | None = None) -> Any:
        given.add(seconds)
        return await asked(self, game, view, match, seconds)

    monkeypatch.setattr(BotProgram, "choose", choose)
    options = (("turn_seconds", "30"),)
    async with (
        programs(tmp_path / "a", "ana", level="easy", rounds=1, closes=True, bots=1, options=options) as (ana,),
        programs(tmp_path / "b", "ben", program=command_of(FIRST_SH)) as (ben,),
    ):
        ben.do("join", await opened(ana))
        await ben.hear(MatchOver)
    assert given == {15.0}
