"""The way to somebody else's table: its door learnt, its code asked for, its refusals told, over loopback."""

from __future__ import annotations

import secrets
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.errors import UserError
from p2pcards.net import joining, probe
from p2pcards.net.dial import dial
from p2pcards.table import door as door_module
from p2pcards.table.access import my_games
from p2pcards.table.listing import Row
from p2pcards.table.notices import (
    Closed,
    CodeIs,
    CodeWanted,
    DoorSet,
    Entered,
    Failed,
    Knocked,
    Opened,
    Refused,
    WentAway,
)
from p2pcards.table.people import NoPeople
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Method, Reason
from tests.net.pair import BEN, HELLO, Ear, listening, until
from tests.testing.program import Program, known_people, opened, programs

LAB = b"lab".ljust(32, b".")
CODE = "mango-tiger"
OWN_CODE: dict[str, Any] = {"code": CODE, "code_written": lambda code: None}


class Roll(NoPeople):
    """Proves the login of one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def login(self, key: bytes) -> str:
        return "ben" if key == self._key else ""


@pytest.fixture(autouse=True)
def guesses_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pause between two guesses at a code has a test of its own."""
    monkeypatch.setattr(door_module, "RUN_SECONDS", 0.0)


async def met(tmp_path: Path, stack: AsyncExitStack, host: dict[str, Any], guest: dict[str, Any]) -> list[Program]:
    """ana and ben, each set up in their own way."""
    ana = await stack.enter_async_context(programs(tmp_path / "a", "ana", **host))
    ben = await stack.enter_async_context(programs(tmp_path / "b", "ben", **guest))
    return [*ana, *ben]


def listed(ana: Program, address: str, door: str, **more: Any) -> Row:
    """The row of ana's table as somebody's list has it, who has heard of that door."""
    table = ana.node.table
    assert table is not None
    host, _, port = address.partition(":")
    return Row(
        table.table, table.host_key, table.title, "tongits", "ana", 3, 1, "lobby", door, ((host, int(port)),), **more
    )


def lists(program: Program, monkeypatch: pytest.MonkeyPatch, row: Row) -> None:
    """Whatever the program looks for, it finds that row."""

    async def find(wanted: str, wait: float) -> Row:
        return row

    monkeypatch.setattr(program.node._lookout, "find", find)


async def refused(program: Program, reason: str) -> Refused:
    """It was refused for that reason, and is at no table."""
    told = await program.hear(Refused)
    closed = await program.hear(Closed)
    assert (told.code, closed.reason) == (reason, reason)
    assert (told.text, told.until) == (closed.text, closed.until)
    assert program.node.table is None
    assert not program.node.home.joining
    return told


@pytest.mark.parametrize(
    ("host", "guest"),
    [
        ({}, {}),
        ({"door": "open"}, {"code": CODE, "lab": LAB}),
        ({"door": "code", **OWN_CODE}, {"code": CODE}),
        ({"door": "code", **OWN_CODE}, {"code": CODE, "asks": False, "level": "easy"}),
        ({"door": "lab", "lab": LAB}, {"lab": LAB}),
    ],
)
async def test_a_door_opens_for_who_has_what_it_asks_for(
    tmp_path: Path, host: dict[str, Any], guest: dict[str, Any]
) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, host, guest)
        ben.do("join", await opened(ana))
        await ben.hear(Entered)
        assert ben.node.table is not None
        assert ben.node.table.door == host.get("door", "open")
        assert ben.node.home.in_lab is bool(guest.get("lab"))
        assert not ben.told(Refused)
        assert not ben.told(CodeWanted)


@pytest.mark.parametrize(
    ("host", "guest", "reason", "says"),
    [
        ({"door": "code", **OWN_CODE}, {"asks": False}, "wrong_code", "--code-file"),
        ({"door": "code", **OWN_CODE}, {"asks": False, "code": "tiger-mango"}, "wrong_code", ""),
        ({"door": "lab", "lab": LAB}, {}, "not_a_member", "--lab-key"),
        ({"door": "lab", "lab": LAB}, {"lab": b"x" * 32}, "not_a_member", "members of its lab"),
        ({"door": "lab+uid", "lab": LAB, "roll": True}, {"lab": LAB}, "not_a_member", "directory"),
    ],
)
async def test_a_door_stays_shut_with_its_reason(
    tmp_path: Path, host: dict[str, Any], guest: dict[str, Any], reason: str, says: str
) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, host, guest)
        ben.do("join", await opened(ana))
        assert says in (await refused(ben, reason)).text
        assert ana.node.table is not None
        assert [seat.nick for seat in ana.node.table.seats] == ["ana", "", ""]
        with pytest.raises(UserError, match="at no table"):
            ben.do("start")


async def test_a_proved_login_opens_a_door_of_the_lab(tmp_path: Path) -> None:
    roll = Roll(Identity(b"ben".ljust(32, b".")).key)
    async with AsyncExitStack() as stack:
        host = {"door": "lab+uid", "lab": LAB, "roll": True, "people": roll}
        ana, ben = await met(tmp_path, stack, host, {"lab": LAB})
        ben.do("join", await opened(ana))
        await ben.hear(Entered)


@pytest.mark.parametrize("door", ["lab", "lab+uid"])
async def test_a_host_that_cannot_let_us_in_is_not_bothered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, door: str
) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"lab": LAB, "door": "lab"}, {})
        address = await opened(ana)
        lists(ben, monkeypatch, listed(ana, address, door, barred=door == "lab+uid", answers=door == "lab"))

        def came(link: object) -> None:
            raise AssertionError("somebody came")

        assert ana.node._hosting._listener is not None
        monkeypatch.setattr(ana.node._hosting._listener, "_on_link", came)
        ben.do("join", "lab")
        assert "--lab-key" in (await refused(ben, "not_a_member")).text


async def test_the_code_is_asked_for_until_it_is_right(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"door": "code", **OWN_CODE}, {})
        address = await opened(ana, "Friday")
        assert ana.told(Opened)[0].code == CODE
        assert ana.node.table is not None
        assert ana.node.table.code == CODE
        with pytest.raises(UserError):
            ben.do("code", CODE)
        ben.do("join", address)
        assert (await ben.hear(CodeWanted)).title == "Friday"
        assert (ben.node.home.asking, ben.node.home.joining) == ("Friday", address)
        with pytest.raises(UserError, match="two words"):
            ben.do("code", "mango")
        assert ben.node.home.asking == "Friday"
        ben.do("code", "Tiger Mango")
        await ben.hear(CodeWanted, 2)
        assert [one.code for one in ben.told(Refused)] == ["wrong_code"]
        assert not ben.told(Closed)
        ben.do("code", "MANGO tiger")
        await ben.hear(Entered)
        assert (ben.node.home.asking, ben.node.home.joining) == ("", "")
        assert ben.node.table is not None
        assert ben.node.table.code == ""


async def test_a_wrong_code_of_a_file_is_said_and_a_person_asked(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"door": "code", **OWN_CODE}, {"code": "tiger-mango"})
        ben.do("join", await opened(ana))
        await ben.hear(CodeWanted)
        assert [one.code for one in ben.told(Refused)] == ["wrong_code"]
        ben.do("code", CODE)
        await ben.hear(Entered)


async def test_two_who_try_the_code_at_once_both_come_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_module, "RUN_SECONDS", 0.2)
    monkeypatch.setattr(joining, "RUN_SECONDS", 0.2)
    async with (
        programs(tmp_path / "a", "ana", door="code", **OWN_CODE) as (ana,),
        programs(tmp_path / "b", "ben", "cy", code=CODE) as (ben, cy),
    ):
        address = await opened(ana)
        ben.do("join", address)
        cy.do("join", address)
        await ben.hear(Entered)
        await cy.hear(Entered)
        assert not ben.told(Refused)
        assert not cy.told(Refused)


async def test_five_wrong_guesses_make_another_code_and_each_is_written_down(tmp_path: Path) -> None:
    written: list[str] = []
    async with AsyncExitStack() as stack:
        host = {"door": "code", "code": CODE, "code_written": written.append}
        ana, ben = await met(tmp_path, stack, host, {})
        address = await opened(ana)
        assert written == [CODE]
        ben.do("join", address)
        for guess in range(5):
            await ben.hear(CodeWanted, guess + 1)
            ben.do("code", "tiger-mango")
        fresh = await ana.hear(CodeIs, 2)
        assert fresh.why == "guessed"
        assert written == [CODE, fresh.code]
        await ben.hear(CodeWanted, 6)
        ben.do("code", CODE)
        await ben.hear(CodeWanted, 7)
        ben.do("code", fresh.code)
        await ben.hear(Entered)


async def test_a_code_that_cannot_be_written_is_told_and_stops_no_table(tmp_path: Path) -> None:
    def full(code: str) -> None:
        raise UserError("code.txt can't be written: no space left on device.")

    async with programs(tmp_path, "ana", door="code", code=CODE, code_written=full) as (ana,):
        await opened(ana)
        failed = await ana.hear(Failed)
        assert (failed.exit_code, "no space" in failed.text, CODE in failed.text) == (0, True, True)
        assert ana.node.table is not None


async def test_the_code_of_one_table_is_not_that_of_the_next(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", door="code", **OWN_CODE) as (ana,):
        await opened(ana)
        ana.do("leave")
        await ana.hear(Closed)
        await opened(ana, "second")
        assert ana.told(Opened)[1].code not in ("", CODE)


async def test_who_hosts_after_joining_has_a_code_of_his_own(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"door": "code", **OWN_CODE}, {"door": "code", "code": CODE})
        ben.do("join", await opened(ana))
        await ben.hear(Entered)
        ben.do("leave")
        await ben.hear(Closed)
        await opened(ben, "his")
        assert ben.told(Opened)[0].code not in ("", CODE)


async def test_the_code_of_our_own_table_opens_no_other(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"door": "code", **OWN_CODE}, {**OWN_CODE})
        ben.do("join", await opened(ana))
        await ben.hear(CodeWanted)
        assert not ben.told(Refused)


async def test_a_guess_may_be_given_up(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"door": "code", **OWN_CODE}, {})
        address = await opened(ana)
        ben.do("join", address)
        await ben.hear(CodeWanted)
        with pytest.raises(UserError, match="on the way"):
            ben.do("host", "tongits")
        ben.do("leave")
        assert (await ben.hear(Closed)).reason == "left"
        assert (ben.node.home.asking, ben.node.home.joining) == ("", "")
        with pytest.raises(UserError):
            ben.do("code", CODE)
        ben.do("join", address)
        await ben.hear(CodeWanted, 2)
        ben.do("code", CODE)
        await ben.hear(Entered)


async def test_a_program_that_ends_while_a_code_is_wanted_just_ends(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"door": "code", **OWN_CODE}, {})
        ben.do("join", await opened(ana))
        await ben.hear(CodeWanted)
    assert not ben.told(Failed)


# ---- a door that asks


async def test_who_knocks_comes_in_when_the_host_agrees(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"door": "ask"}, {})
        address = await opened(ana)
        ben.do("join", address)
        knocked = await ana.hear(Knocked)
        assert (knocked.nick, knocked.known, knocked.asked) == ("ben", "new", "ask")
        assert ana.node.table is not None
        assert [knock.nick for knock in ana.node.table.knocks] == ["ben"]
        assert ben.node.table is None
        assert ben.node.home.joining == address
        with pytest.raises(UserError, match="on the way"):
            ben.do("join", address)
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


# ---- hosts that say little


async def test_a_host_that_tells_a_probe_nothing_is_tried_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe, "ANSWER_SECONDS", 0.1)
    came: list[Ear] = []
    async with listening() as door, programs(tmp_path, "ben") as (ben,):
        door.listener._on_link = lambda link: came.append(Ear(link))
        ben.do("join", f"127.0.0.1:{door.port}")
        await ben.until(lambda: len(came) == 2)
        ben.do("leave")
        assert (await ben.hear(Closed)).reason == "left"


@pytest.mark.parametrize(("code", "told"), [(2, Failed), (3, Closed)])
async def test_several_tables_that_could_be_meant_are_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, told: type[Failed | Closed]
) -> None:
    async def find(wanted: str, wait: float) -> Row | None:
        raise UserError("Several tables could be meant: a, b.", code)

    async with programs(tmp_path, "ben") as (ben,):
        monkeypatch.setattr(ben.node._lookout, "find", find)
        ben.do("join", "lab")
        assert (await ben.hear(told)).text == "Several tables could be meant: a, b."
        assert not ben.node.home.joining


async def test_half_a_run_that_is_none_is_a_wrong_guess_and_hurts_nobody(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", door="code", **OWN_CODE) as (ana,):
        host, _, port = (await opened(ana)).partition(":")
        for guess in range(5):
            ear = Ear(await dial([(host, int(port))], BEN))
            ear.link.send(replace(HELLO, games=my_games(), method=int(Method.CODE), proof=b"A" + bytes([guess]) * 32))
            await until(ear.said_good_bye)
            assert [close.reason for close in ear.closes] == [Reason.WRONG_CODE]
        assert (await ana.hear(CodeIs, 2)).why == "guessed"
        assert ana.node.table is not None


async def test_a_lab_s_table_is_marked_for_members_and_barred_for_others(tmp_path: Path) -> None:
    title = f"Friday {secrets.token_hex(4)}"  # other tests have tables on the same loopback
    async with (
        programs(tmp_path / "a", "ana", "ben", lab=LAB) as (ana, ben),
        programs(tmp_path / "b", "cy") as (cy,),
    ):

        def row(program: Program) -> Row | None:
            return next((row for row in program.node.home.rows if row.title == title and row.answers), None)

        ana.do("host", "tongits", title)
        await ana.hear(Opened)
        ana.do("door", "lab")
        await ben.until(lambda: (found := row(ben)) is not None and found.lab)
        await cy.until(lambda: (found := row(cy)) is not None and found.barred)
        cy.do("join", title)
        assert "--lab-key" in (await refused(cy, "not_a_member")).text
        ben.do("join", title)
        await ben.hear(Entered)
