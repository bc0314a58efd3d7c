"""Tables that outlive their host, over loopback: killed, left, handed over, and resumed when nobody is left."""

from __future__ import annotations

from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.net.files import Keep
from p2pcards.table.notices import Closed, Entered, Failed, HostIs, MatchOver, Opened, Returned, RoundStarted
from tests.testing.program import Program, opened, programs

SLOW = 3600.0
"""No bot moves meanwhile."""


def kill(program: Program) -> None:
    """Nothing of it answers any more, and nothing of it is left but its folder."""
    listener = program.node._hosting._listener
    if listener is not None:
        listener.close()
    program.node._at.get_up(Keep.ALL)


async def seated(programs: list[Program]) -> str:
    """All of them at the table of the first; its address."""
    host, *guests = programs
    address = await opened(host)
    for guest in guests:
        guest.do("join", address)
        await guest.hear(Entered)
    for program in programs:
        await program.until(partial(safe, program, len(programs)))
    return address


async def dealt(programs: list[Program]) -> dict[str, object]:
    """A round is open; everybody's view of it."""
    programs[0].do("start")
    for program in programs:
        await program.until(partial(holds_cards, program))
    return {program.name: hand(program) for program in programs}


async def holds(program: Program, view: object) -> None:
    """Waits until the program sees that of its round."""
    await program.until(lambda: hand(program) == view)


def safe(program: Program, voters: int) -> bool:
    """Whether the table is known there as one of so many voters, and it has a link to each."""
    sitting = program.node._sitting
    if sitting is None:
        return False
    return len(sitting.guest.public.voters) == sitting.guest.linked.bit_count() == voters


def holds_cards(program: Program) -> bool:
    return hand(program) is not None


def hand(program: Program) -> object:
    """Its own view of the round."""
    view = program.node.table
    return None if view is None else view.view


async def test_the_host_is_killed_and_every_hand_stays(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben", "cy") as three:
        ana, ben, cy = three
        await seated(three)
        before = await dealt(three)
        kill(ana)
        for program in (ben, cy):
            assert (await program.hear(HostIs, 2)).term == 2
            await holds(program, before[program.name])
        assert sum(bool(program.node.table and program.node.table.mine) for program in (ben, cy)) == 1


async def test_a_host_that_leaves_hands_over_and_nobody_loses_a_seat(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben", "cy") as three:
        ana, ben, cy = three
        await seated(three)
        await dealt(three)
        ana.do("leave")
        assert (await ana.hear(Closed)).reason == "left"
        for program in (ben, cy):
            assert (await program.hear(HostIs, 2)).why == "handed over"
        assert not [*(tmp_path / "ana").iterdir()]


async def test_a_host_hands_over_because_it_wants_to(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben", "cy") as three:
        ana, ben, cy = three
        await seated(three)
        with pytest.raises(UserError, match="Only the host"):
            ben.do("handover", "cy")
        ana.do("handover", "cy")
        for program in three:
            assert (await program.hear(HostIs, 2)).nick == "cy"
        assert cy.node.home.join_line
        assert not ana.node.home.join_line
        assert ana.node.table is not None
        assert ana.node.table.me == 0


async def test_of_two_the_one_who_stays_has_the_table(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben") as two:
        ana, ben = two
        await seated(two)
        ana.do("leave")
        assert (await ana.hear(Closed)).reason == "left"
        assert (await ben.hear(HostIs, 2)).nick == "ben"


async def test_one_alone_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", pace=SLOW) as (ana,):
        await opened(ana, "alone")
        before = (await dealt([ana]))["ana"]
        kill(ana)
        assert [(one.title, one.game) for one in ana.node.home.kept] == [("alone", "tongits")]
        ana.do("resume")
        assert (await ana.hear(Opened, 2)).title == "alone"
        await holds(ana, before)
        assert ana.node.table is not None
        assert ana.node.table.mine
        assert not ana.node.home.kept


async def test_everybody_is_killed_and_the_table_comes_back_with_every_hand(tmp_path: Path) -> None:
    names = ("ana", "ben", "cy")
    async with programs(tmp_path, *names) as three:
        await seated(three)
        before = await dealt(three)
        for program in three:
            kill(program)
    async with programs(tmp_path, *names) as three:
        for program in three:
            program.do("resume")
        for program in three:
            await holds(program, before[program.name])
        assert sum(bool(program.node.table and program.node.table.mine) for program in three) == 1


async def test_a_guest_that_was_killed_comes_back_to_its_seat_by_itself_or_by_joining(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ana, ben = await stack.enter_async_context(programs(tmp_path, "ana", "ben"))
        address = await seated([ana, ben])
        kill(ben)
        again = Program("ben", tmp_path / "ben")
        await again.node.open()
        stack.push_async_callback(again.node.close)
        again.do("resume")
        await ana.hear(Returned)
        await again.until(lambda: again.node.table is not None and again.node.table.connected)
        kill(again)
        again.do("join", address)
        await ana.hear(Returned, 2)
        assert again.node.table is not None
        assert again.node.table.me == 1


async def test_nothing_to_resume_is_one_sentence_and_exit_3(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana") as (ana,):
        for words in ((), ("lab",)):
            with pytest.raises(UserError, match="kept on this machine") as refused:
                ana.do("resume", *words)
            assert refused.value.exit_code == 3


async def test_a_table_that_was_left_is_not_to_resume(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana") as (ana,):
        await opened(ana)
        ana.do("leave")
        await ana.hear(Closed)
        with pytest.raises(UserError, match="kept on this machine"):
            ana.do("resume")


async def test_a_folder_that_makes_no_sense_is_one_sentence(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", pace=SLOW) as (ana,):
        await opened(ana, "alone")
        kill(ana)
        spoil(tmp_path / "ana")
        ana.do("resume")
        assert "makes no sense" in (await ana.hear(Failed)).text
        await opened(ana)


async def test_a_guest_whose_folder_makes_no_sense_joins_as_somebody_new(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        address = await seated([ana, ben])
        kill(ben)
        spoil(tmp_path / "ben")
        ben.do("join", address)
        await ana.hear(Returned)
        await ben.hear(Entered, 2)
        assert ben.node.table is not None
        assert ben.node.table.me == 1


def spoil(tables: Path) -> None:
    """A bit of the first entry of the only table is another."""
    (folder,) = tables.iterdir()
    data = bytearray((folder / "journal").read_bytes())
    data[60] ^= 1
    (folder / "journal").write_bytes(data)


async def test_a_match_alone_is_kept_when_the_terminal_goes_and_an_empty_lobby_is_not(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", pace=SLOW) as (ana,):
        await opened(ana, "lobby")
        await ana.node.hang_up()
        assert not ana.node.home.kept
    async with programs(tmp_path, "ana", pace=SLOW) as (ana,):
        await opened(ana, "match")
        ana.do("start")
        await ana.hear(RoundStarted)
        await ana.node.hang_up()
        assert [one.title for one in ana.node.home.kept] == ["match"]


async def test_who_goes_without_a_word_hears_of_a_kept_seat_only_where_resume_leads_back_to_it(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben", "cy", "dan", pace=SLOW) as (ana, ben, cy, dan):
        address = await opened(ana)
        ben.do("join", address)
        dan.do("watch", address)
        cy.do("practise", "tongits")
        for program in (ben, cy, dan):
            await program.hear(Entered)
            await program.node.hang_up()
        assert [program.told(Closed)[-1].reason for program in (ben, cy, dan)] == ["hung_up", "left", "left"]
        await ana.until(lambda: ana.node.table is not None and not ana.node.table.spectators)
    async with programs(tmp_path, "eve", pace=SLOW) as (eve,):
        await opened(eve, "lobby")
        await eve.node.hang_up()
        eve.do("host", "tongits", "match")
        await eve.hear(Opened, 2)
        eve.do("start")
        await eve.hear(RoundStarted)
        await eve.node.hang_up()
        assert [closed.reason for closed in eve.told(Closed)] == ["left", "hung_up"]


async def test_a_host_whose_terminal_is_gone_hands_over_and_keeps_its_seat(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben", "cy") as three:
        ana, ben, cy = three
        await seated(three)
        await ana.node.hang_up()
        for program in (ben, cy):
            assert (await program.hear(HostIs, 2)).why == "handed over"
            assert program.node.table is not None
            assert program.node.table.seats[0].nick == "ana"
        assert [one.title for one in ana.node.home.kept] == ["lab"]


async def test_programs_play_on_when_their_host_is_killed_and_hold_the_same_record(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben", "cy", level="easy", rounds=2, closes=True, pace=0.02) as three:
        ana, ben, cy = three
        address = await opened(ana)
        for guest in (ben, cy):
            guest.do("join", address)
        await cy.until(lambda: cy.node.table is not None and safe(cy, 3))
        await ana.hear(RoundStarted)
        await ana.until(lambda: hand(ana) is not None)
        kill(ana)
        for program in (ben, cy):
            await program.hear(MatchOver)
            assert (await program.hear(Closed)).reason == "bye"
