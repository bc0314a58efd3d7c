"""Who is taken up as somebody we know, when, and what is told of borrowed names."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from p2pcards.errors import UserError
from p2pcards.net import acquaintance
from p2pcards.net.acquaintance import Acquaintance
from p2pcards.table.notices import Entered, Failed, OtherKey, Seated
from p2pcards.table.people import Known, Person
from p2pcards.table.public import Public
from p2pcards.wire.identity import Identity
from tests.testing.kept_people import KeptPeople
from tests.testing.program import opened, programs

ANA, BEN, CY = (Identity(name.ljust(32, b".")).key for name in (b"ana", b"ben", b"cy"))
STRANGER = b"s" * 32


async def test_everybody_at_a_table_knows_the_others_and_no_bots(tmp_path: Path) -> None:
    hers, his, theirs = KeptPeople(), KeptPeople(), KeptPeople()
    his.logins[ANA] = "a.smith"
    async with (
        programs(tmp_path, "ana", people=hers, seats=4, bots=1) as (ana,),
        programs(tmp_path / "b", "ben", people=his) as (ben,),
        programs(tmp_path / "c", "cy", people=theirs, level="easy") as (cy,),
    ):
        ana.do("host", "tienlen", "lab")
        await ana.hear(Seated, 2)
        address = ana.node.home.join_line.split()[-1]
        ben.do("join", address)
        await ben.hear(Entered)
        cy.do("join", address)
        for program in (ana, ben, cy):
            await program.hear(Seated, 4)
        assert {key: one.nick for key, one in hers.kept.items()} == {BEN: "ben", CY: "cy"}
        assert {key: one.nick for key, one in his.kept.items()} == {ANA: "ana", CY: "cy"}
        assert {key: one.nick for key, one in theirs.kept.items()} == {ANA: "ana", BEN: "ben"}
        assert his.kept[ANA].login == "a.smith"
        assert not [notice for program in (ana, ben, cy) for notice in program.told(OtherKey)]


async def test_a_borrowed_name_is_told_of_and_not_taken_up(tmp_path: Path) -> None:
    people = KeptPeople(Person(STRANGER, "ana", 1.0, 1.0))
    async with programs(tmp_path, "ana") as (ana,), programs(tmp_path / "b", "ben", people=people) as (ben,):
        ben.do("join", await opened(ana))
        assert await ben.hear(OtherKey) == OtherKey("ana", ANA, STRANGER)
        assert ANA not in people.kept
        assert people.what(ANA, "ana") is Known.OTHER
        assert people.kept[STRANGER].last == 1.0
        ana.do("bot", "add", "easy")
        await ben.hear(Seated, 3)
        assert len(ben.told(OtherKey)) == 1


async def test_a_borrowed_name_that_the_host_admits_is_known_from_then_on(tmp_path: Path) -> None:
    people = KeptPeople(Person(STRANGER, "ben", 1.0, 1.0))
    async with programs(tmp_path, "ana", people=people) as (ana,), programs(tmp_path / "b", "ben") as (ben,):
        ben.do("join", await opened(ana))
        await ana.until(lambda: ana.node.table is not None and len(ana.node.table.knocks) == 1)
        assert BEN not in people.kept
        ana.do("admit", "")
        await ben.hear(Entered)
        await ana.until(lambda: BEN in people.kept)
        assert not ana.told(OtherKey)
        assert people.kept[STRANGER].nick == "ben"


async def test_people_that_cannot_be_kept_are_told_once_and_stop_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(people: KeptPeople, *known: object) -> None:
        raise UserError("known_peers can't be written: no space left on device.")

    monkeypatch.setattr(KeptPeople, "meet", full)
    async with (
        programs(tmp_path, "ana", people=KeptPeople()) as (ana,),
        programs(tmp_path / "b", "ben", "cy") as (ben, cy),
    ):
        address = await opened(ana)
        for program in (ben, cy):
            program.do("join", address)
            await program.hear(Entered)
        await ana.until(lambda: "cy" in [seat.nick for seat in ana.told(Seated)])
        (failed,) = ana.told(Failed)
        assert (failed.exit_code, "no space left" in failed.text) == (0, True)
        assert ana.node.table is not None
        assert [seat.nick for seat in ana.node.table.seats] == ["ana", "ben", "cy"]


async def test_nobody_is_met_where_there_is_no_network(tmp_path: Path) -> None:
    people = KeptPeople()
    async with programs(tmp_path, "ana", people=people, pace=3600.0, seed=3) as (ana,):
        ana.do("practise", "tongits")
        await ana.hear(Seated, 3)
        assert not people.kept


@pytest.mark.parametrize("mine", [False, True])
def test_a_host_that_makes_up_people_fills_nobodys_file(monkeypatch: pytest.MonkeyPatch, mine: bool) -> None:
    monkeypatch.setattr(acquaintance, "MOST_MET", 5)
    people = KeptPeople(Person(STRANGER, "ana", 1.0, 1.0))
    seen = Acquaintance(people, lambda: 2.0)
    crowd = [(bytes([number]) * 32, f"p{number}") for number in range(4)]
    renamed = [(key, f"{nick}-2") for key, nick in crowd]
    for spectators in (crowd, renamed, crowd):
        assert seen.look(cast(Public, SimpleNamespace(seats=(), spectators=spectators)), BEN, mine) == []
    assert len(people.kept) == 1 + 4
    assert sorted(one.nick for one in people.kept.values()) == (
        ["ana", "p0", "p1", "p2", "p3"] if mine else ["ana", "p0-2", "p1", "p2", "p3"]
    )
    borrowed = cast(Public, SimpleNamespace(seats=(), spectators=[(CY, "ana")]))
    assert seen.look(borrowed, BEN, mine) == ([] if mine else [OtherKey("ana", CY, STRANGER)]), "told all the same"
