"""Doors that ask, and doors that are another one by the time we get there, over loopback."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.table import door as door_module
from p2pcards.table.notices import (
    Closed,
    CodeWanted,
    DoorSet,
    Entered,
    Knocked,
    Refused,
    WentAway,
)
from p2pcards.wire.identity import Identity
from tests.net.arrivals import CODE, LAB, OWN_CODE, listed, lists, met, refused
from tests.testing.program import known_people, opened, programs


@pytest.fixture(autouse=True)
def guesses_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pause between two guesses at a code has a test of its own."""
    monkeypatch.setattr(door_module, "RUN_SECONDS", 0.0)


async def test_who_knocks_comes_in_when_the_host_agrees(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"door": "ask"}, {})
        address = await opened(ana)
        ben.do("join", address)
        knocked = await ana.hear(Knocked)
        assert (knocked.nick, knocked.known, knocked.asked) == ("ben", "new", "ask")
        assert ana.node.table is not None
        assert [knock.nick for knock in ana.node.table.knocks] == ["ben"]
        sitting = ana.node._sitting
        assert sitting is not None
        assert [link.patient for link in sitting._links.values()] == [True]
        assert ben.node.table is None
        assert ben.node.home.joining == address
        with pytest.raises(UserError, match="at no table"):
            ben.do("say", "let me in")
        ana.do("admit", "ben")
        await ben.hear(Entered)
        assert ana.node.table.knocks == ()
        assert not ben.node.home.joining


async def test_who_is_not_wanted_is_told_why_and_need_not_ask_again(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"door": "ask"}, {})
        address = await opened(ana)
        ben.do("join", address)
        await ana.hear(Knocked)
        ana.do("deny", "ben", "we  are\nfull")
        assert (await refused(ben, "declined")).text == "we are full"
        ben.do("join", address)
        assert (await ben.hear(Refused, 2)).code == "too_fast"
        assert len(ana.told(Knocked)) == 1


async def test_who_leaves_while_the_host_is_asked_is_gone_at_once(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"door": "ask"}, {})
        ben.do("join", await opened(ana))
        await ana.hear(Knocked)
        ben.do("leave")
        assert (await ben.hear(Closed)).reason == "left"
        assert (await ana.hear(WentAway)).why == "gone"
        await opened(ben, "ben's own")


async def test_who_waits_is_told_when_the_table_closes(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"door": "ask"}, {})
        ben.do("join", await opened(ana))
        await ana.hear(Knocked)
        ana.do("leave")
        closed = await ben.hear(Closed)
        assert (closed.reason, closed.text) == ("bye", "ana closed the table")
        assert not ben.node.home.joining


async def test_a_program_that_ends_at_the_door_says_good_bye(tmp_path: Path) -> None:
    async with programs(tmp_path / "a", "ana", door="ask") as (ana,):
        async with programs(tmp_path / "b", "ben") as (ben,):
            ben.do("join", await opened(ana))
            await ana.hear(Knocked)
        assert (await ana.hear(WentAway)).why == "gone"


async def test_a_borrowed_name_is_asked_about_at_an_open_door(tmp_path: Path) -> None:
    people = known_people(tmp_path / "people")
    people.meet(b"k" * 32, "ben", 1.0)
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"people": people}, {})
        ben.do("join", await opened(ana))
        knocked = await ana.hear(Knocked)
        assert (knocked.asked, knocked.known) == ("name", "other")
        ana.do("deny", "ben", "who are you?")
        assert (await refused(ben, "declined")).text == "who are you?"


async def test_where_nobody_can_be_asked_a_borrowed_name_is_declined(tmp_path: Path) -> None:
    people = known_people(tmp_path / "people")
    people.meet(b"k" * 32, "ben", 1.0)
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"people": people, "asks": False}, {})
        ben.do("join", await opened(ana))
        assert "--nick" in (await refused(ben, "declined")).text


# ---- doors that change


@pytest.mark.parametrize(("was", "asks"), [("open", "code"), ("code", "open"), ("lab", "open"), ("lab", "code")])
async def test_a_door_that_has_changed_is_learnt_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, was: str, asks: str
) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"door": asks, **OWN_CODE}, {"lab": LAB})
        address = await opened(ana)
        lists(ben, monkeypatch, listed(ana, address, was))
        ben.do("join", "lab")
        if "code" in (was, asks):
            await ben.hear(CodeWanted)
            ben.do("code", CODE)
        await ben.hear(Entered)
        assert not ben.told(Refused)
        assert len(ben.told(CodeWanted)) <= 1


async def test_a_door_that_changes_while_a_code_is_typed_lets_us_in(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"door": "code", **OWN_CODE}, {})
        ben.do("join", await opened(ana))
        await ben.hear(CodeWanted)
        ana.do("door", "open")
        await ana.hear(DoorSet)
        ben.do("code", "tiger-mango")
        await ben.hear(Entered)


async def test_a_door_of_a_lab_that_is_not_ours_is_seen_when_it_was_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"door": "lab", "lab": LAB}, {})
        lists(ben, monkeypatch, listed(ana, await opened(ana), "open"))
        ben.do("join", "lab")
        assert "--lab-key" in (await refused(ben, "not_a_member")).text


async def test_a_refusal_at_the_same_door_is_told_as_it_was(tmp_path: Path) -> None:
    people = known_people(tmp_path / "people")
    people.meet(b"k" * 32, "ben", 1.0)
    async with AsyncExitStack() as stack:
        ana, ben = await met(
            tmp_path, stack, {"people": people, "door": "code", **OWN_CODE}, {"asks": False, "code": CODE}
        )
        ben.do("join", await opened(ana))
        await ana.hear(Knocked)
        ana.do("deny", "ben", "not you")
        assert (await refused(ben, "declined")).text == "not you"


async def test_a_second_program_of_one_user_gives_the_code_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    further = (Identity(b"further".ljust(32, b".")), "default-2")
    async with (
        programs(tmp_path / "a", "ana", door="code", **OWN_CODE) as (ana,),
        programs(tmp_path / "b", "ben", code=CODE) as (ben,),
        programs(tmp_path / "c", "ben", code=CODE, another=lambda: further) as (twin,),
    ):
        address = await opened(ana)
        ben.do("join", address)
        await ben.hear(Entered)
        twin.do("join", address)
        await twin.hear(Entered)
        assert twin.node.home.profile == "default-2"
        assert not twin.told(Refused)


async def test_an_advert_alone_makes_nobody_type_a_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {}, {})
        lists(ben, monkeypatch, listed(ana, await opened(ana), "code", answers=False))
        ben.do("join", "lab")
        await ben.hear(Entered)
        assert not ben.told(CodeWanted)


async def test_who_gave_the_code_and_waits_is_asked_for_it_no_more(tmp_path: Path) -> None:
    people = known_people(tmp_path / "people")
    people.meet(b"k" * 32, "ben", 1.0)
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"people": people, "door": "code", **OWN_CODE}, {})
        ben.do("join", await opened(ana))
        await ben.hear(CodeWanted)
        ben.do("code", CODE)
        await ana.hear(Knocked)
        assert ben.node.home.asking == ""
        assert ben.node.home.joining
        with pytest.raises(UserError, match="just now"):
            ben.do("code", CODE)
        ana.do("admit", "")
        await ben.hear(Entered)
