"""The way back to a lost host: how long it is tried, by a clock that the tests turn."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import cast

import pytest

from p2pcards.net import returning
from p2pcards.net.dial import Unreachable, Why
from p2pcards.net.link import Link
from p2pcards.net.returning import BACK_OFF, REFUSED_SECONDS, Return
from tests.net.pair import ANA, BEN

HOST = ("127.0.0.1", 1)
LINK = cast(Link, object())


class World:
    """What each try meets, and the clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        self.tries: list[float] = []
        self.meets: Iterator[Why | None] = iter(())
        monkeypatch.setattr(returning, "now", lambda: self.now)
        monkeypatch.setattr(returning, "dial", self._dial)
        monkeypatch.setattr(asyncio, "sleep", self._sleep)
        self.way = Return((HOST,), ANA.key)

    async def back(self, patience: float = 90.0) -> Link | None:
        return await self.way.dial(BEN, patience, lambda: True)

    async def _dial(self, *_: object) -> Link:
        self.tries.append(self.now)
        why = next(self.meets, Why.TIMED_OUT)
        if why is not None:
            raise Unreachable(HOST, why)
        return LINK

    async def _sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return World(monkeypatch)


async def test_a_host_that_answers_again_is_found_after_pauses_that_grow(world: World) -> None:
    world.meets = iter([Why.TIMED_OUT] * 9 + [None])
    assert await world.back() is LINK
    pauses = [after - before for before, after in zip(world.tries, world.tries[1:], strict=False)]
    assert pauses[0] <= BACK_OFF[0] * 1.2
    assert max(pauses) <= BACK_OFF[1] * 1.2
    assert pauses[-1] > 10 * pauses[0]


async def test_a_host_that_is_silent_is_given_up_when_patience_ends(world: World) -> None:
    assert await world.back(30.0) is None
    longest = 1.2 * BACK_OFF[1]  # with the most jitter
    assert 30.0 - longest <= world.tries[-1] - world.tries[0] < 30.0


async def test_a_machine_where_nothing_listens_any_more_is_given_up_soon(world: World) -> None:
    world.meets = iter([Why.REFUSED] * 100)
    assert await world.back() is None
    assert REFUSED_SECONDS <= world.tries[-1] - world.tries[0] < 2 * REFUSED_SECONDS


async def test_a_machine_that_only_sometimes_refuses_is_tried_on(world: World) -> None:
    world.meets = iter([Why.REFUSED, Why.TIMED_OUT] * 6 + [None])
    assert await world.back() is LINK


async def test_patience_counts_from_the_first_loss_until_the_host_lets_us_in(world: World) -> None:
    world.meets = iter([None, None, None])
    assert await world.back(10.0) is LINK
    world.now += 11.0
    assert await world.back(10.0) is None
    world.way.done()
    assert await world.back(10.0) is LINK


async def test_what_is_wanted_no_more_is_not_dialled(world: World) -> None:
    assert await world.way.dial(BEN, 90.0, lambda: False) is None
    assert world.tries == []
