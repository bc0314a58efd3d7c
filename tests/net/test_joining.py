"""The way to somebody else's table: its door learnt, its code asked for, its refusals told, over loopback."""

from __future__ import annotations

import secrets
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards import PROTOCOL
from p2pcards.errors import UserError
from p2pcards.net import joining, probe
from p2pcards.net.dial import dial
from p2pcards.net.link import Link
from p2pcards.table import door as door_module
from p2pcards.table.access import my_games
from p2pcards.table.listing import Row
from p2pcards.table.notices import (
    Closed,
    CodeIs,
    CodeWanted,
    Entered,
    Failed,
    Opened,
    Refused,
)
from p2pcards.table.people import NoPeople
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Hello, Info, Message, Method, Reason
from tests.net.arrivals import CODE, LAB, OWN_CODE, listed, lists, met, refused
from tests.net.pair import ANA, BEN, HELLO, Ear, listening, until
from tests.testing.program import Program, opened, programs


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
        ({"door": "lab", "lab": LAB}, {"lab": b"x" * 32}, "not_a_member", "another key"),
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
        assert failed == Failed("code.txt can't be written: no space left on device.", 0)
        assert (await ana.hear(CodeIs)).code == CODE
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
        ben.do("leave")
        assert (await ben.hear(Closed)).reason == "left"
        assert (ben.node.home.asking, ben.node.home.joining) == ("", "")
        with pytest.raises(UserError):
            ben.do("code", CODE)
        ben.do("join", address)
        await ben.hear(CodeWanted, 2)
        ben.do("code", CODE)
        await ben.hear(Entered)


async def test_a_door_stays_shut_where_nobody_can_give_the_code(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"door": "code", **OWN_CODE}, {})
        address = await opened(ana)
        with pytest.raises(UserError):
            ben.do("code")
        ben.do("join", address)
        await ben.hear(CodeWanted)
        ben.do("code")
        with pytest.raises(UserError):
            ben.do("code")
        assert (await ben.hear(Closed)).reason == "wrong_code"
        assert [one.code for one in ben.told(Refused)] == ["wrong_code"]
        assert (ben.node.home.asking, ben.node.home.joining) == ("", "")
        ben.do("join", address)
        await ben.hear(CodeWanted, 2)
        ben.do("code", "tiger mango")
        await ben.hear(CodeWanted, 3)
        ben.do("code")
        assert (await ben.hear(Closed, 2)).reason == "wrong_code"
        assert [one.code for one in ben.told(Refused)] == ["wrong_code"] * 2


async def test_a_program_that_ends_while_a_code_is_wanted_just_ends(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await met(tmp_path, stack, {"door": "code", **OWN_CODE}, {})
        ben.do("join", await opened(ana))
        await ben.hear(CodeWanted)
    assert not ben.told(Failed)


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


async def test_a_second_program_of_the_host_joins_with_another_key(tmp_path: Path) -> None:
    further = (Identity(b"further".ljust(32, b".")), "default-2")
    async with (
        programs(tmp_path / "a", "ana") as (ana,),
        programs(tmp_path / "b", "ana", another=lambda: further) as (twin,),
        programs(tmp_path / "c", "ana") as (alone,),
    ):
        address = await opened(ana)
        twin.do("join", address)
        assert (await twin.hear(Entered)).seat == 1
        assert twin.node.home.profile == "default-2"
        alone.do("join", address)
        closed = await alone.hear(Closed)
        assert (closed.reason, "--profile" in closed.text) == ("no_such_table", True)


async def test_a_host_whose_door_is_never_what_it_says_is_given_up(tmp_path: Path) -> None:
    said: list[int] = []

    def came(link: Link) -> None:
        def take(message: Message) -> None:
            if not isinstance(message, Hello):
                return
            said.append(message.method)
            if message.method == Method.PROBE:
                door = "code" if said.count(Method.PROBE) % 2 else "open"
                link.send(
                    Info(
                        "0",
                        PROTOCOL,
                        1,
                        b"t" * 16,
                        (),
                        1,
                        "lab",
                        "ana",
                        "tongits",
                        (),
                        (),
                        "lobby",
                        door,
                        ANA.key,
                        (),
                    )
                )
                link.close(Reason.BYE, "")
            else:
                link.close(Reason.DECLINED if message.method == Method.CODE else Reason.WRONG_CODE, "no")

        link.start(take, lambda why: None)

    async with listening() as door, programs(tmp_path, "ben", code=CODE) as (ben,):
        door.listener._on_link = came
        ben.do("join", f"127.0.0.1:{door.port}")
        await refused(ben, "wrong_code")
        assert said == [Method.PROBE, Method.CODE, Method.PROBE, Method.KNOCK]
