"""Practice, demonstrations and bots: tables that play without anybody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.table.notices import (
    Closed,
    DeckShown,
    Entered,
    Failed,
    MatchOver,
    Opened,
    Recorded,
    RoundOver,
    RoundStarted,
    Seated,
)
from p2pcards.table.tableview import Stage
from tests.testing.program import opened, programs


async def test_practice_is_the_same_again_with_a_seed(tmp_path: Path) -> None:
    records = []
    for name in ("ana", "ben"):
        async with programs(tmp_path / name, name, nick="ana", seed=7, level="medium", rounds=1) as (ana,):
            ana.do("practise", "tongits")
            await ana.hear(MatchOver)
            text = ana.told(Recorded)[-1].text.partition("[rounds.proof]")[0]  # entries tell when they were written
            records.append([line for line in text.splitlines() if not line.startswith(("date", "table"))])
    assert records[0] == records[1]


async def test_more_bots_than_seats_are_refused_at_once(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", bots=3) as (ana,):
        with pytest.raises(UserError, match="3 sit at this table"):
            ana.do("host", "tongits")


async def test_bots_asked_for_are_those_of_the_first_table(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", bots=2) as (ana,):
        await opened(ana)
        await ana.hear(Seated, 3)
        ana.do("leave")
        await ana.hear(Closed)
        ana.do("host", "tongits")
        await ana.hear(Opened, 2)
        assert ana.node.table is not None
        assert [seat.nick for seat in ana.node.table.seats] == ["ana", "", ""]


async def test_a_demo_plays_by_itself_to_its_end_and_everybody_can_look_on(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", demo=True, closes=True, seed=1, seats=2) as (ana,):
        ana.do("practise", "tienlen")
        assert (await ana.hear(Closed)).reason == "bye"
        assert ana.told(Entered)[0].seat is None
        assert len(ana.told(MatchOver)) == len(ana.told(RoundOver)) == 1
        assert {seat.nick for seat in ana.told(Seated)} == {"bot-1", "bot-2"}


async def test_a_demo_on_a_screen_stays_and_plays_again_when_it_is_told_to(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", demo=True, seed=1) as (ana,):
        ana.do("practise", "tongits")
        await ana.hear(MatchOver)
        assert ana.node.table is not None
        assert ana.node.table.stage is Stage.OVER
        ana.do("start")
        await ana.hear(MatchOver, 2)


async def test_the_deck_is_laid_open_in_practice(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", seed=1, pace=3600.0) as (ana,):
        assert not ana.node.alone
        ana.do("practise", "tongits")
        await ana.hear(RoundStarted)
        assert ana.node.alone
        ana.do("deck")
        assert (await ana.hear(DeckShown)).nick == "ana"
        assert ana.node.table is not None
        assert len(ana.node.table.deck) == 52


async def test_the_seat_is_taken_back_only_from_a_bot(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", seed=1, pace=3600.0) as (ana,):
        ana.do("practise", "tongits")
        await ana.hear(RoundStarted)
        with pytest.raises(UserError, match="no bot stands in for you"):
            ana.do("back")


async def test_a_bot_that_does_not_know_the_game_takes_no_part(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana") as (ana,), programs(tmp_path / "far", "ben", level="seed-easy") as (ben,):
        ben.do("join", await opened(ana))
        failed = await ben.hear(Failed)
        assert (failed.text, failed.exit_code) == ("No bot of Tong-its is called seed-easy.", 2)
        await ben.hear(Closed)
        assert ben.node.table is None
