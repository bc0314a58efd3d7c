"""Dialling whom the table wants: how often, by a clock that the tests turn, and for how long."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from typing import cast

import pytest

from p2pcards.net import calls as calls_module
from p2pcards.net.address import Target
from p2pcards.net.background import Background
from p2pcards.net.calls import BACK_OFF, CALM_SECONDS, Calls
from p2pcards.net.dial import Unreachable, Why
from p2pcards.net.link import Link
from tests.net.pair import ANA, BEN
from tests.net.standing import Clock

HERE, THERE = ("127.0.0.1", 1), ("127.0.0.1", 2)
LINK = cast(Link, object())


class World:
    """What each try meets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = Clock()
        self.tries: list[tuple[float, tuple[Target, ...]]] = []
        self.meets: Iterator[bool] = iter(())
        self.came: list[Link] = []
        self.faults: list[Exception] = []
        monkeypatch.setattr(calls_module, "now", self.clock.now)
        monkeypatch.setattr(calls_module, "dial", self._dial)
        monkeypatch.setattr(asyncio.get_running_loop(), "time", self.clock.loop_time)
        self.background = Background(self.faults.append)
        self.calls = Calls(BEN, self.background.start, self.came.append)

    async def _dial(self, targets: tuple[Target, ...], *_: object) -> Link:
        self.tries.append((self.clock.at, targets))
        if not next(self.meets, False):
            raise Unreachable(targets[0], Why.TIMED_OUT)
        return LINK

    async def passes(self, seconds: float, step: float = 0.05) -> None:
        for _ in range(round(seconds / step)):
            await self.clock.advance(step)

    @property
    def pauses(self) -> list[float]:
        times = [at for at, _ in self.tries]
        return [after - before for before, after in itertools.pairwise(times)]


@pytest.fixture
async def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return World(monkeypatch)


async def test_somebody_who_does_not_answer_is_dialled_after_pauses_that_grow(world: World) -> None:
    world.calls.want({ANA.key: (HERE,)})
    await world.passes(60.0)
    assert world.pauses[0] <= 1.2 * BACK_OFF[0] + 0.1
    assert 0.8 * BACK_OFF[1] <= max(world.pauses) <= 1.2 * BACK_OFF[1] + 0.1
    assert len(world.tries) > 12
    assert not world.faults


async def test_who_is_wanted_no_more_is_dialled_no_more(world: World) -> None:
    world.calls.want({ANA.key: (HERE,)})
    await world.passes(1.0)
    tried = len(world.tries)
    world.calls.want({})
    await world.passes(10.0)
    assert len(world.tries) == tried > 0
    world.calls.want({ANA.key: (HERE,)})
    world.calls.close()
    await world.passes(10.0)
    assert len(world.tries) == tried


async def test_who_answers_and_hangs_up_is_not_dialled_faster_for_it(world: World) -> None:
    world.meets = iter([True] * 100)
    for _ in range(200):
        world.calls.want({ANA.key: (HERE,)})
        await world.clock.advance(0.1)
        if world.came:  # the table has the link, and loses it at once
            world.came.clear()
            world.calls.want({})
    assert max(world.pauses) >= 0.8 * BACK_OFF[1]
    assert len(world.tries) < 20


async def test_after_a_long_time_with_a_link_somebody_is_dialled_at_once(world: World) -> None:
    world.calls.want({ANA.key: (HERE,)})
    await world.passes(20.0)
    world.calls.want({})
    await world.passes(CALM_SECONDS + 1)
    before = len(world.tries)
    world.calls.want({ANA.key: (HERE,)})
    await world.clock.advance(0.01)
    assert len(world.tries) == before + 1


async def test_another_address_is_tried_at_once(world: World) -> None:
    world.calls.want({ANA.key: (HERE,)})
    await world.passes(30.0)
    world.calls.want({ANA.key: (HERE, THERE)})
    await world.clock.advance(0.01)
    assert world.tries[-1][1] == (HERE, THERE)


async def test_somebody_without_an_address_waits_for_one(world: World) -> None:
    world.calls.want({ANA.key: ()})
    await world.passes(10.0)
    assert world.tries == []
    world.calls.want({ANA.key: (HERE,)})
    await world.passes(0.2)
    assert world.tries


async def test_each_is_dialled_on_its_own(world: World) -> None:
    world.calls.want({ANA.key: (HERE,)})
    await world.passes(20.0)
    before = len(world.tries)
    world.calls.want({ANA.key: (HERE,), BEN.key: (THERE,)})
    await world.passes(1.0)
    assert [targets for _, targets in world.tries[before:]].count((THERE,)) >= 2
