"""Kicks, bans, pardons and votes as they are typed, over loopback: who is meant, who is told, what is kept."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.table.notices import (
    Closed,
    Dropped,
    Entered,
    Failed,
    Kicked,
    Knocked,
    Notice,
    Pardoned,
    Refused,
    Seated,
    VoteCalled,
    VoteFailed,
)
from p2pcards.table.people import Ban
from p2pcards.table.people import Person as Met
from p2pcards.wire.entries import REASON_CHARS
from p2pcards.wire.identity import chip, words
from tests.testing.kept_people import KeptPeople
from tests.testing.program import Program, known_people, opened, programs

HOUR = 3600


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[tuple[Program, Program, Program]]:
    """ana's table in its lobby, with ben and cy; each knows those they met."""
    async with (
        programs(tmp_path / "1", "ana", people=KeptPeople()) as (ana,),
        programs(tmp_path / "2", "ben", people=KeptPeople()) as (ben,),
        programs(tmp_path / "3", "cy", people=KeptPeople()) as (cy,),
    ):
        address = await opened(ana)
        for program in (ben, cy):
            program.do("join", address)
            await program.hear(Entered)
        await ben.until(lambda: sum(seat.nick == "cy" for seat in ben.told(Seated)) == 1)
        await ana.until(lambda: all(can_spare(ana, program) for program in (ben, cy)))
        yield ana, ben, cy


def can_spare(host: Program, guest: Program) -> bool:
    """Whether the others of that table of three have said by now that they are there."""
    sitting = host.node._sitting
    if sitting is None or sitting.host is None or len(sitting.guest.public.voters) < 3:
        return False
    return sitting.host._members.can_spare(key_of(guest))


async def is_out(host: Program) -> None:
    """Whoever is being shown out is."""
    sitting = host.node._sitting
    assert sitting is not None
    assert sitting.host is not None
    pen = sitting.host._pen
    await host.until(lambda: not pen.seats_rest)


def address_of(host: Program) -> str:
    return host.node.home.join_line.split()[-1].replace("[::1]", "127.0.0.1")


def key_of(program: Program) -> bytes:
    return program.node._identity.key


def seats(program: Program) -> list[str]:
    view = program.node.table
    assert view is not None
    return [seat.nick for seat in view.seats]


async def test_everybody_is_told_of_a_kick_and_the_kicked_until_when(table: tuple[Program, ...]) -> None:
    ana, ben, cy = table
    before = int(time.time())
    ana.do("kick", "BEN", "too \x1b[31m loud\n" + "!" * 200)
    closed = await ben.hear(Closed)
    assert closed.reason == "kicked"
    assert before + 600 <= closed.until <= int(time.time()) + 600
    assert closed.text.count("!") < 100
    assert "\x1b" not in closed.text
    kicked = await cy.hear(Kicked)
    assert (kicked.nick, kicked.key, kicked.by, kicked.until) == ("ben", key_of(ben), "ana", closed.until)
    assert kicked.reason.startswith("too [31m loud !!!")
    assert ana.told(Kicked) == [kicked]
    assert ben.node.table is None
    await cy.until(lambda: seats(cy) == ["ana", "", "cy"])


async def test_the_kicked_may_come_again_only_when_pardoned(table: tuple[Program, ...]) -> None:
    ana, ben, _ = table
    ana.do("kick", "ben", "")
    until = (await ben.hear(Closed)).until
    ben.do("join", address_of(ana))
    refused = await ben.hear(Refused)
    assert (refused.code, refused.until) == ("banned", until)
    await ben.hear(Closed, 2)
    ana.do("unban", "Ben")
    assert (await ana.hear(Pardoned)).key == key_of(ben)
    ben.do("join", address_of(ana))
    await ben.hear(Entered, 2)
    with pytest.raises(UserError, match="banned"):
        ana.do("unban", "ben")


@pytest.mark.parametrize("verb", ["kick", "ban"])
@pytest.mark.parametrize(
    ("who", "says"), [("ana", "you yourself"), ("bot-1", "bot remove bot-1"), ("dan", "called dan"), ("", "called")]
)
async def test_who_cannot_be_shown_out_is_one_sentence(tmp_path: Path, verb: str, who: str, says: str) -> None:
    people = KeptPeople()
    async with programs(tmp_path, "ana", bots=1, people=people) as (ana,):
        await opened(ana)
        await ana.hear(Seated, 2)
        with pytest.raises(UserError, match=says):
            ana.do(verb, who, *([str(HOUR)] if verb == "ban" else []), "")
        assert seats(ana) == ["ana", "bot-1", ""]
        assert not people.bans()


async def test_who_looks_on_and_who_dropped_can_be_shown_out(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", bots=2) as (ana,), programs(tmp_path / "b", "ben", "cy") as (ben, cy):
        address = await opened(ana)
        ben.do("join", address)
        await ben.hear(Entered)
        await ben.node.hang_up()
        await ana.hear(Dropped)
        ana.do("ban", "ben", "0", "")
        assert (await ana.hear(Kicked)).nick == "ben"
        ben.do("join", address)
        assert (await ben.hear(Closed, 2)).reason == "banned"
        ana.do("start")
        cy.do("join", address)
        assert (await cy.hear(Entered)).seat is None
        ana.do("kick", "cy", "")
        assert (await cy.hear(Closed)).reason == "kicked"
        assert ana.node.table is not None
        assert ana.node.table.spectators == ()


async def test_a_guest_kicks_nobody(table: tuple[Program, ...]) -> None:
    _, ben, cy = table
    with pytest.raises(UserError, match="vote kick"):
        ben.do("kick", "cy", "")
    assert seats(cy) == ["ana", "ben", "cy"]


async def test_a_ban_shows_out_and_holds_at_the_next_table(tmp_path: Path) -> None:
    async with programs(tmp_path / "b", "ben") as (ben,):
        before = int(time.time())
        async with programs(tmp_path / "a", "ana", people=known_people(tmp_path / "kept")) as (ana,):
            ben.do("join", await opened(ana))
            await ben.hear(Entered)
            ana.do("ban", "ben", str(2 * HOUR), "cheats")
            closed = await ben.hear(Closed)
            assert closed.reason in ("kicked", "banned")
            assert before + 2 * HOUR <= closed.until <= int(time.time()) + 2 * HOUR
        people = known_people(tmp_path / "kept")
        (ban,) = people.bans()
        assert (ban.key, ban.nick, ban.reason, ban.until) == (key_of(ben), "ben", "cheats", closed.until)
        async with programs(tmp_path / "a", "ana", people=people) as (ana,):
            ben.do("join", await opened(ana))
            refused = await ben.hear(Refused)
            assert (refused.code, refused.until, "cheats" in refused.text) == ("banned", closed.until, True)
            ana.do("unban", "ben")
            assert not people.bans()
            await ben.hear(Closed, 2)
            ben.do("join", address_of(ana))
            await ben.hear(Entered, 2)


@pytest.mark.parametrize("seconds", ["0", str(10**18)])
async def test_a_ban_for_good_has_no_end(table: tuple[Program, ...], seconds: str) -> None:
    ana, ben, _ = table
    ana.do("ban", "ben", seconds, "too \x07 loud" + "!" * 200)
    assert (await ben.hear(Closed)).until == 0
    (ban,) = ana.node.people.bans()
    assert ban.until == 0
    assert (ban.reason[:10], len(ban.reason)) == ("too loud!!", REASON_CHARS)
    await is_out(ana)
    ana.do("unban", "ben")
    assert not ana.node.people.bans()
    ben.do("join", address_of(ana))
    await ben.hear(Entered, 2)


async def test_a_ban_goes_with_the_login_that_is_proved(table: tuple[Program, ...]) -> None:
    ana, ben, _ = table
    people = ana.node.people
    assert isinstance(people, KeptPeople)
    people.logins[key_of(ben)] = "b.smith"
    ana.do("ban", "ben", "0", "")
    assert [ban.login for ban in people.bans()] == ["b.smith"]
    await is_out(ana)
    ana.do("unban", "b.smith")
    assert not people.bans()
    assert (await ana.hear(Pardoned)).key == key_of(ben)


async def test_a_ban_under_another_name_is_lifted_with_the_kick(table: tuple[Program, ...]) -> None:
    ana, ben, _ = table
    people = ana.node.people
    assert isinstance(people, KeptPeople)
    ana.do("kick", "ben", "")
    await ben.hear(Closed)
    people.kept.clear()
    people.ban(Ban(key_of(ben), "benny"))
    await is_out(ana)
    ana.do("unban", "ben")
    assert not people.bans()
    assert (await ana.hear(Pardoned)).key == key_of(ben)


async def test_a_ban_that_cannot_be_kept_holds_for_this_table(
    table: tuple[Program, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben, _ = table

    def full(people: KeptPeople, ban: Ban) -> None:
        raise UserError("bans can't be written: no space left on device.")

    monkeypatch.setattr(KeptPeople, "ban", full)
    ana.do("ban", "ben", "0", "")
    await ben.hear(Closed)
    failed = await ana.hear(Failed)
    assert (failed.exit_code, "this table alone" in failed.text) == (0, True)


async def test_who_knocks_can_be_banned_and_is_not_kicked(tmp_path: Path) -> None:
    people = KeptPeople()
    async with (
        programs(tmp_path / "a", "ana", people=people, door="ask") as (ana,),
        programs(tmp_path / "b", "ben") as (ben,),
    ):
        ben.do("join", await opened(ana))
        await ana.hear(Knocked)
        with pytest.raises(UserError, match="deny ben"):
            ana.do("kick", "ben", "")
        ana.do("ban", "ben", "0", "not again")
        refused = await ben.hear(Refused)
        assert (refused.code, refused.text) == ("banned", "shown out by ana (not again)")
        assert [ban.key for ban in people.bans()] == [key_of(ben)]
        await ben.hear(Closed)
        ben.do("join", address_of(ana))
        assert (await ben.hear(Refused, 2)).code == "banned"


async def test_who_is_banned_from_afar_may_know_the_code_so_it_is_another(tmp_path: Path) -> None:
    people = KeptPeople(Met(b"\x09" * 32, "zed", 1.0, 1.0))
    async with programs(tmp_path, "ana", people=people, door="code") as (ana,):
        await opened(ana)
        table = ana.node.table
        assert table is not None
        ana.do("ban", "zed", "0", "")
        after = ana.node.table
        assert after is not None
        assert after.code != table.code


async def test_somebody_is_banned_from_home_and_as_a_guest(table: tuple[Program, ...], tmp_path: Path) -> None:
    ana, ben, cy = table
    ben.do("ban", "cy", "0", "")
    assert [ban.key for ban in ben.node.people.bans()] == [key_of(cy)]
    assert seats(ana) == ["ana", "ben", "cy"]
    ben.do("leave")
    await ben.hear(Closed)
    ben.do("ban", "ana", str(HOUR), "slow")
    assert {ban.nick for ban in ben.node.people.bans()} == {"ana", "cy"}
    ben.do("unban", "cy")
    assert {ban.nick for ban in ben.node.people.bans()} == {"ana"}
    ben.do("unban", "ana")
    people = ben.node.people
    assert isinstance(people, KeptPeople)
    people.logins[key_of(ana)] = "alice"
    for name in ("Alice", words(key_of(ana)), chip(key_of(ana)), f"~{key_of(ana).hex()[:12]}"):
        ben.do("ban", name, "0", "")
        assert [ban.nick for ban in people.bans()] == ["ana"]
        ben.do("unban", name)
    with pytest.raises(UserError, match="know nobody called dan"):
        ben.do("ban", "dan", "0", "")
    with pytest.raises(UserError, match="Nobody called dan is banned"):
        ben.do("unban", "dan")


async def test_names_that_two_have_are_told_apart_by_words_and_keys(tmp_path: Path) -> None:
    one, two = bytes([0xAB]) * 32, bytes([0xCD]) * 32
    people = KeptPeople(Met(one, "zoe", 1, 1), Met(two, "Zoe", 2, 2, petname="tall"))
    async with programs(tmp_path, "ana", people=people) as (ana,):
        with pytest.raises(UserError, match="Several could be meant") as told:
            ana.do("ban", "zoe", "0", "")
        assert chip(one) in str(told.value)
        assert chip(two) in str(told.value)
        assert not people.bans()
        ana.do("ban", chip(one).upper(), "0", "")
        ana.do("ban", "TALL", "0", "")
        assert [ban.key for ban in people.bans()] == [two, one]
        with pytest.raises(UserError, match="Several could be meant"):
            ana.do("unban", "zoe")
        assert len(people.bans()) == 2
        ana.do("unban", "~ab")
        assert [ban.key for ban in people.bans()] == [two]
        ana.do("ban", "~abab", "0", "")
        ana.do("unban", chip(two))
        assert [ban.key for ban in people.bans()] == [one]
        with pytest.raises(UserError):
            ana.do("unban", "~")
        with pytest.raises(UserError):
            ana.do("unban", "")


async def test_nobody_bans_himself(tmp_path: Path) -> None:
    other = b"o" * 32
    people = KeptPeople(Met(other, "me-too", 1, 1), own=[other])
    async with programs(tmp_path, "ana", people=people) as (ana,):
        with pytest.raises(UserError, match="you yourself"):
            ana.do("ban", "me-too", "0", "")


async def test_a_majority_shows_somebody_out(table: tuple[Program, ...]) -> None:
    ana, ben, cy = table
    with pytest.raises(UserError, match="vote kick NICK"):
        ben.do("vote", "yes")
    ben.do("vote", "kick", "CY")
    called = await ana.hear(VoteCalled)
    assert (called.nick, called.by, called.needed) == ("cy", "ben", 2)
    await cy.hear(VoteCalled)
    ana.do("vote", "yes")
    closed = await cy.hear(Closed)
    assert closed.reason == "kicked"
    assert closed.until > time.time()
    assert (await ben.hear(Kicked)).by == "vote"


async def test_a_vote_that_is_lost_shows_nobody_out(table: tuple[Program, ...]) -> None:
    ana, ben, cy = table
    ben.do("vote", "kick", "cy")
    await ana.hear(VoteCalled)
    ana.do("vote", "no")
    await cy.hear(VoteFailed)
    assert seats(ana) == ["ana", "ben", "cy"]


@pytest.mark.parametrize(("who", "says"), [("ben", "you yourself"), ("dan", "called dan"), ("bot-1", "bot")])
async def test_a_vote_about_nobody_is_refused_at_once(table: tuple[Program, ...], who: str, says: str) -> None:
    _, ben, _ = table
    with pytest.raises(UserError, match=says):
        ben.do("vote", "kick", who)


async def test_nobody_votes_about_the_host(table: tuple[Program, ...]) -> None:
    ana, ben, _ = table
    ben.do("vote", "kick", "ana")
    await ben.hear(Refused)
    assert not ana.told(VoteCalled)
    told: list[Notice] = list(ben.told(Closed))
    assert not told
