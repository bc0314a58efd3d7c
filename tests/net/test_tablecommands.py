"""What is typed at a table about doors and to each other, over loopback."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.table.notices import Closed, CodeIs, DoorSet, Entered, Refused, Spoken
from p2pcards.wire.messages import CHAT_CHARS
from tests.testing.program import Program, opened, programs


def voters(program: Program) -> tuple[bytes, ...]:
    sitting = program.node._sitting
    return () if sitting is None else sitting.guest.public.voters


def words(program: Program) -> list[tuple[str, str, str]]:
    return [(said.nick, said.to, said.text) for said in program.told(Spoken)]


async def test_words_go_both_ways_and_private_ones_to_one(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben", "cy") as (ana, ben, cy):
        address = await opened(ana)
        for program in (ben, cy):
            program.do("join", address)
            await program.hear(Entered)
        await ben.until(lambda: len(voters(ben)) == 3)  # who has which seat is settled
        ben.do("say", "hi \x1b[2Jall")
        ben.do("msg", "ANA", "only you")
        await ana.hear(Spoken, 2)
        await cy.hear(Spoken)
        ana.do("say", "hello")
        await ben.hear(Spoken, 3)
        await cy.hear(Spoken, 2)
        assert (
            words(ana)
            == words(ben)
            == [
                ("ben", "", "hi [2Jall"),
                ("ben", "ana", "only you"),
                ("ana", "", "hello"),
            ]
        )
        assert words(cy) == [("ben", "", "hi [2Jall"), ("ana", "", "hello")]


async def test_words_that_are_none_or_too_many_are_refused(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana") as (ana,):
        await opened(ana)
        ana.do("say", "\u202e\x00 ")
        ana.do("say", "x" * (CHAT_CHARS + 1))
        ana.do("say", "x" * CHAT_CHARS)
        await ana.hear(Spoken)
        assert [one.code for one in ana.told(Refused)] == ["nothing_said", "too_long"]
        assert words(ana) == [("ana", "", "x" * CHAT_CHARS)]


async def test_private_words_for_nobody_are_refused_at_once(tmp_path: Path) -> None:
    nobody = {
        "ana": "you yourself",
        "bot-1": "bot-1 is a bot",
        "ben": "only looks on",
        "dan": "called dan",
        "": "No player",
    }
    async with programs(tmp_path, "ana", bots=2) as (ana,), programs(tmp_path / "b", "ben", "cy") as (ben, cy):
        address = await opened(ana)
        ana.do("start")
        for program in (cy, ben):
            program.do("join", address)
            await program.hear(Entered)
        await ana.until(lambda: ana.node.table is not None and "ben" in ana.node.table.spectators)
        for who, says in nobody.items():
            with pytest.raises(UserError, match=says):
                ana.do("msg", who, "psst")
        assert not ana.told(Spoken)


async def test_the_door_is_another_one_when_the_host_says_so(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        ben.do("join", await opened(ana))
        await ben.hear(Entered)
        with pytest.raises(UserError, match="Only the host"):
            ben.do("door", "code")
        ana.do("door", "code")
        assert (await ben.hear(DoorSet)).door == "code"
        first = (await ana.hear(CodeIs)).code
        assert ana.node.table is not None
        assert (ana.node.table.door, ana.node.table.code) == ("code", first)
        ana.do("door", "code")
        second = (await ana.hear(CodeIs, 2)).code
        assert second != first
        for door, says in (("lab", "--lab-key"), ("lab+uid", "--lab-key"), ("nonsense", "one of")):
            with pytest.raises(UserError, match=says):
                ana.do("door", door)
        assert ana.node.table.code == second
        with pytest.raises(UserError, match="Nobody waits"):
            ana.do("admit", "")
        with pytest.raises(UserError, match="Nobody called dan"):
            ana.do("deny", "dan", "")


async def test_practice_has_no_door(tmp_path: Path) -> None:
    commands = (("door", "ask"), ("admit", "ben"), ("deny", "ben", ""), ("kick", "bot-1", ""))
    async with programs(tmp_path, "ana", pace=3600.0, door="ask") as (ana,):
        ana.do("practise", "tongits")
        await ana.hear(Entered)
        assert ana.node.table is not None
        assert ana.node.table.door == "open"
        for command in commands:
            with pytest.raises(UserError, match="this machine alone"):
                ana.do(*command)


async def test_a_guest_cannot_do_what_is_the_host_s(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        ben.do("join", await opened(ana))
        await ben.hear(Entered)
        for command in (("admit", "x"), ("deny", "x", ""), ("kick", "ana", "")):
            with pytest.raises(UserError, match="Only the host"):
                ben.do(*command)
        ben.do("leave")
        await ben.hear(Closed)
        with pytest.raises(UserError, match="at no table"):
            ben.do("say", "anybody?")
