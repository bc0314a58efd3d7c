"""Hints: who may ask a bot, when, and what comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.table.notices import Entered, Hinted, RoundStarted
from tests.testing.program import Program, opened, programs


def acts(program: Program) -> bool:
    """Whether it may act."""
    table = program.node.table
    return table is not None and table.me in table.to_act and not table.pending


async def my_turn(program: Program) -> None:
    """Waits until it may act."""
    await program.until(lambda: acts(program))


async def test_in_practice_a_bot_may_be_asked_at_every_turn(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", seed=3) as (ana,):
        for game in ("tongits", "tienlen", "straights", "onecard"):
            ana.do("practise", game)
            asked = len(ana.told(Hinted))
            await my_turn(ana)
            ana.do("hint")
            hint = await ana.hear(Hinted, asked + 1)
            table = ana.node.table
            assert table is not None
            assert hint.action in map(table.game.format, table.game.legal_actions(table.view))
            ana.do("leave")
            await ana.until(lambda: ana.node.table is None)


async def test_at_a_table_of_others_it_is_for_the_host_to_allow(tmp_path: Path) -> None:
    async with programs(tmp_path / "a", "ana") as (ana,), programs(tmp_path / "b", "ben") as (ben,):
        address = await opened(ana)
        ben.do("join", address)
        await ben.hear(Entered)
        ana.do("set", "hints", "true")
        ana.do("start")
        await ben.hear(RoundStarted)
        await ben.until(lambda: acts(ana) or acts(ben))
        asks, waits = (ana, ben) if acts(ana) else (ben, ana)
        asks.do("hint")
        await asks.hear(Hinted)
        with pytest.raises(UserError, match=r"not your turn"):
            waits.do("hint")
        assert waits.told(Hinted) == []


async def test_without_its_leave_nobody_may_ask_and_nothing_is_thought_about(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana") as (ana,):
        await opened(ana)
        ana.do("start")
        await my_turn(ana)
        with pytest.raises(UserError, match=r"set hints true"):
            ana.do("hint")
        assert ana.told(Hinted) == []
