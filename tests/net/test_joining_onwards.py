"""Joining where somebody else than the host answers: a member, the host before, or nobody who knows more."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from p2pcards.net.address import pack_targets
from p2pcards.net.link import Link
from p2pcards.table.notices import Closed, Entered, HostIs, Refused
from p2pcards.wire.messages import Close, Hello, Info, Message, Method, Reason
from tests.net.arrivals import listed, lists, refused
from tests.net.pair import ANA, Door, listening
from tests.testing.program import Program, opened, programs


@asynccontextmanager
async def member(
    tell: Callable[[], Info], reason: Reason = Reason.NOT_THE_HOST
) -> AsyncIterator[tuple[Door, list[int]]]:
    """Somebody who is not the host and says what `tell` gives; the methods of those who came."""
    came: list[int] = []

    def take(link: Link) -> None:
        def hear(message: Message) -> None:
            if isinstance(message, Hello):
                came.append(message.method)
                link.send(tell())
                link.send(Close(Reason.BYE if message.method == Method.PROBE else reason, ""))

        link.start(hear, lambda why: None)

    async with listening() as door:
        door.listener._on_link = take
        yield door, came


def info_of(host: Program) -> Info:
    sitting = host.node._sitting
    assert sitting is not None
    return sitting.peer.info()


async def test_a_member_leads_on_to_the_host(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        await opened(ana)
        async with member(lambda: info_of(ana)) as (door, came):
            ben.do("join", f"127.0.0.1:{door.port}")
            assert (await ben.hear(HostIs)).nick == "ana"
            assert came == [Method.PROBE]


async def test_who_knocks_at_a_row_that_is_no_host_any_more_is_led_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        await opened(ana)
        async with member(lambda: info_of(ana)) as (door, came):
            row = listed(ana, f"127.0.0.1:{door.port}", "open")
            lists(ben, monkeypatch, replace(row, key=ANA.key))
            ben.do("join", "lab")
            assert (await ben.hear(HostIs)).nick == "ana"
            assert came == [Method.KNOCK]
            assert not ben.told(Refused)


async def test_two_who_send_us_to_each_other_are_given_up(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        await opened(ana)
        own = info_of(ana)

        def each_other() -> Info:
            return replace(own, host=ANA.key[::-1], addresses=pack_targets(("127.0.0.1",), door.port))

        async with member(each_other) as (door, came):
            ben.do("join", f"127.0.0.1:{door.port}")
            assert (await ben.hear(Closed)).reason == "no_such_table"  # behind that address is another key
            assert len(came) == 1


async def test_a_member_that_knows_no_address_is_a_refusal(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        await opened(ana)
        async with member(lambda: replace(info_of(ana), addresses=())) as (door, _):
            ben.do("join", f"127.0.0.1:{door.port}")
            assert "does not know where" in (await refused(ben, "not_the_host")).text


async def test_a_table_without_a_host_is_for_its_members(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        await opened(ana)
        hostless = replace(info_of(ana), host=bytes(32), addresses=(), state="waiting")
        async with member(lambda: hostless, Reason.MEMBERS_ONLY) as (door, came):
            ben.do("join", f"127.0.0.1:{door.port}")
            assert "finding another" in (await refused(ben, "members_only")).text
            assert came == [Method.PROBE]


async def test_a_real_guest_leads_on_to_its_host(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben", "cy") as (ana, ben, cy):
        ben.do("join", await opened(ana))
        await ben.hear(Entered)
        listener = ben.node._hosting._listener
        assert listener is not None
        await ben.until(lambda: bool(ben.node._sitting and ben.node._sitting.peer._mesh.addresses))
        cy.do("join", f"127.0.0.1:{listener.port}")
        await cy.hear(Entered)
        assert cy.node.table is not None
        assert cy.node.table.host == "ana"
