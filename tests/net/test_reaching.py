"""Whom a program dials for its table, where, and when it gives up."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import SimpleNamespace
from typing import cast

import pytest

from p2pcards.net.address import Target, pack_targets
from p2pcards.net.calls import Calls
from p2pcards.net.link import Link
from p2pcards.net.lookout import Lookout
from p2pcards.net.reaching import JOIN_SECONDS, LOST_SECONDS, MOST_LED, Reaching
from p2pcards.net.sitting import Sitting
from p2pcards.table.effects import HostGone, LinkId
from tests.net.pair import ANA, BEN
from tests.net.standing import Clock

ME, STRANGER = b"m" * 32, b"s" * 32
TABLE, BEFORE = b"t" * 16, b"e" * 16
HERE, THERE, ELSEWHERE = ("10.0.0.1", 1), ("10.0.0.2", 2), ("10.0.0.3", 3)


class World:
    """One program at a table: who has a seat there, and what it hears."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        public = SimpleNamespace(tables=(BEFORE,), voters=(ME, ANA.key, BEN.key))
        self.guest = SimpleNamespace(public=public, host_link=None, finished=False, entered=True, welcomed=False)
        self.told: dict[bytes, tuple[bytes, ...]] = {}
        self.linked: set[bytes] = set()
        self.adverts: dict[bytes, tuple[tuple[bytes, tuple[Target, ...]], ...]] = {}
        self.dialled: Mapping[bytes, tuple[Target, ...]] = {}
        self.looks = False
        self.fed: list[object] = []
        self.clock = Clock()
        monkeypatch.setattr(asyncio.get_running_loop(), "time", self.clock.loop_time)
        self.reaching = Reaching(cast(Sitting, self), ME, cast(Lookout, self), cast(Calls, self))

    # as a sitting and its peer

    @property
    def peer(self) -> World:
        return self

    @property
    def table(self) -> bytes:
        return TABLE

    @property
    def wanted(self) -> dict[bytes, tuple[bytes, ...]]:
        return self.told

    def has_link(self, key: bytes) -> bool:
        return key in self.linked

    def feed(self, happened: object) -> None:
        self.fed.append(happened)

    # as the list, and as what dials

    def watch(self, watching: bool) -> None:
        self.looks = watching

    def ways(self, table: bytes) -> tuple[tuple[bytes, tuple[Target, ...]], ...]:
        return self.adverts.get(table, ())

    def want(self, wanted: Mapping[bytes, tuple[Target, ...]]) -> None:
        self.dialled = wanted

    def close(self) -> None:
        self.dialled = {}

    def found_host(self) -> None:
        self.guest.host_link, self.guest.welcomed = LinkId(1), True
        self.reaching.look()


@pytest.fixture
async def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return World(monkeypatch)


async def test_somebody_is_tried_where_we_reached_them_then_where_the_table_says_then_by_advert(world: World) -> None:
    world.told = {ANA.key: pack_targets((THERE[0],), THERE[1])}
    world.adverts = {TABLE: ((ANA.key, (ELSEWHERE, HERE)),)}
    world.reaching.came(cast(Link, SimpleNamespace(key=ANA.key, address=HERE)))
    world.reaching.look()
    assert world.dialled == {ANA.key: (HERE, THERE, ELSEWHERE)}


async def test_without_a_host_everybody_who_is_heard_of_will_do(world: World) -> None:
    world.adverts = {TABLE: ((STRANGER, (HERE,)), (ME, (THERE,))), BEFORE: ((BEN.key, (ELSEWHERE,)),)}
    world.linked = {BEN.key}
    world.reaching.look()
    assert world.dialled == {STRANGER: (HERE,)}
    assert world.looks
    world.found_host()
    assert world.dialled == {}
    assert not world.looks


async def test_who_is_said_to_be_host_by_now_is_dialled_until_there_is_one(world: World) -> None:
    world.reaching.elsewhere(STRANGER, (HERE,))
    world.reaching.elsewhere(bytes(32), ())
    world.reaching.elsewhere(ME, (THERE,))
    world.reaching.look()
    assert world.dialled == {STRANGER: (HERE,)}
    world.found_host()
    world.guest.host_link, world.guest.welcomed = None, False
    world.reaching.look()
    assert world.dialled == {}


async def test_whoever_names_one_host_after_the_other_is_followed_no_further_than_so_far(world: World) -> None:
    for number in range(3 * MOST_LED):
        world.reaching.elsewhere(number.to_bytes(32, "little").replace(b"\0", b"x"), (HERE,))
    world.reaching.look()
    assert len(world.dialled) == MOST_LED
    world.found_host()
    for number in range(MOST_LED):
        world.reaching.elsewhere(number.to_bytes(32, "big").replace(b"\0", b"y"), (THERE,))
    world.guest.host_link, world.guest.welcomed = None, False
    world.reaching.look()
    assert set(world.dialled.values()) == {(THERE,)}


async def test_a_member_that_has_no_link_is_dialled_though_there_is_a_host(world: World) -> None:
    world.told = {BEN.key: pack_targets((HERE[0],), HERE[1])}
    world.found_host()
    assert world.dialled == {BEN.key: (HERE,)}


async def test_at_the_door_only_the_host_is_dialled(world: World) -> None:
    world.guest.entered = False
    world.adverts = {TABLE: ((STRANGER, (HERE,)),)}
    world.reaching.door(ANA.key, (THERE,))
    world.reaching.look()
    assert world.dialled == {ANA.key: (THERE,)}
    assert not world.looks


@pytest.mark.parametrize("entered", [True, False])
async def test_who_has_no_vote_gives_up_in_the_end(world: World, entered: bool) -> None:
    world.guest.public.voters, world.guest.entered = (ANA.key,), entered
    patience = LOST_SECONDS if entered else JOIN_SECONDS
    for _ in range(3):
        world.reaching.look()
        await world.clock.advance(patience / 3 - 0.1)
    assert world.fed == []
    await world.clock.advance(1.0)
    assert world.fed == [HostGone()]


async def test_a_host_that_comes_and_goes_at_the_door_does_not_keep_us_waiting(world: World) -> None:
    world.guest.entered = False
    world.reaching.look()
    for link in (LinkId(1), None) * 3:
        await world.clock.advance(JOIN_SECONDS / 6)
        world.guest.host_link = link
        world.reaching.look()
    await world.clock.advance(0.1)
    assert world.fed == [HostGone()]


async def test_a_host_that_is_found_in_time_is_not_given_up(world: World) -> None:
    world.guest.public.voters = (ANA.key,)
    world.reaching.look()
    await world.clock.advance(LOST_SECONDS - 1)
    world.found_host()
    await world.clock.advance(10.0)
    assert world.fed == []


async def test_who_has_a_vote_waits_for_ever(world: World) -> None:
    for _ in range(100):
        world.reaching.look()
        await world.clock.advance(LOST_SECONDS)
    assert world.fed == []


async def test_who_gets_up_looks_for_nobody(world: World) -> None:
    world.guest.public.voters = ()
    world.reaching.look()
    world.reaching.close()
    await world.clock.advance(2 * LOST_SECONDS)
    assert (world.fed, world.dialled) == ([], {})
