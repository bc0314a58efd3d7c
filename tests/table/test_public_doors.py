"""What the books refuse of votes and of who is shown out: a host can't make anything of it up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.errors import ProtocolError
from p2pcards.table.journal import Journal
from p2pcards.table.lobby import kicked, seated
from p2pcards.table.majority import ballot_text
from p2pcards.table.public import Public
from p2pcards.table.rosters import OPEN
from p2pcards.table.settings import DOORS
from p2pcards.wire.entries import (
    BotPub,
    BotReason,
    Cause,
    EntryFlag,
    EntryKind,
    Kick,
    Roster,
    SeatKind,
    SeatPub,
)
from p2pcards.wire.envelope import ActKind
from p2pcards.wire.messages import Flag
from tests.testing.cluster import identity
from tests.testing.forge import NAMES, Forge, bot, member, roster

ANA, BEN, CY = map(member, NAMES)


def key(name: str) -> bytes:
    return identity(name).key


class Table:
    """ana, ben and cy at a table, dot watches; what the host writes, and the books that anybody folds of it."""

    def __init__(self, playing: bool = False, host: str = "host") -> None:
        self.forge = Forge(identity(host))
        self.books = Public(Journal())
        self.take(*self.lobby(host))
        if playing:
            self.take(self.forge.match(), self.forge.deal_open(), self.forge.deal_start())

    def lobby(self, host: str) -> list[bytes]:
        forge = self.forge
        seats = roster(ANA, BEN, CY, watchers=("dot",))
        voters = tuple(dict.fromkeys((key(host), *seats.voters[1:])))
        entry = Roster(seats.seats, voters, seats.spectators, Cause.SEATS)
        return [forge.genesis(), forge.options(), forge.entry(EntryKind.ROSTER, entry)]

    def take(self, *wires: bytes) -> None:
        for wire in wires:
            self.books.fold(self.books.journal.accept(wire, self.forge.host.key))

    def refuses(self, wire: bytes) -> str:
        with pytest.raises(ProtocolError) as caught:
            self.take(wire)
        return str(caught.value)

    @property
    def books_now(self) -> Roster:
        """The roster as it is."""
        return Roster(self.books.seats, self.books.voters, self.books.spectators, Cause.SEATS)

    def voters_but(self, name: str) -> tuple[bytes, ...]:
        """The voters when somebody is gone."""
        return tuple(voter for voter in self.books.voters if voter != key(name))

    # ---- entries

    def vote(self, voter: int, about: int = 2, yes: bool = True, *, text: str = "", by: str = "", **more: Any) -> bytes:
        """A ballot, honest unless said otherwise."""
        forge, name = self.forge, NAMES[voter]
        n = more.pop("n", self.books.said.get(key(name), 0) + 1)
        at, kind = more.pop("at", voter), more.pop("kind", ActKind.VOTE)
        said = forge.envelope(voter, n, kind, (text or ballot_text(about, yes)).encode(), **more)
        sig = identity(by or name).sign(said)
        return forge.entry(EntryKind.BALLOT, said, seat=at, flags=EntryFlag.ACTSIG, actsig=sig)

    def kick(self, name: str, *ballots: int) -> bytes:
        return self.forge.entry(EntryKind.KICK, Kick(key(name), "", 0, ballots))

    def out(self, name: str, **changes: Any) -> bytes:
        """The roster without somebody who was shown out."""
        told = kicked(self.books, key(name), "easy")
        fields = {field: getattr(told, field) for field in told.__struct_fields__} | changes
        return self.forge.entry(EntryKind.ROSTER, Roster(**fields))


def test_a_vote_that_most_are_for_shows_somebody_out() -> None:
    for playing in (False, True):
        table = Table(playing)
        table.take(table.vote(0))
        table.take(table.vote(1))
        last = table.books.journal.last
        table.take(table.kick("cy", last - 1, last))
        table.take(table.out("cy"))
        assert table.books.seat_of(key("cy")) is None
        assert key("cy") not in table.books.voters
        assert table.books.kicks[key("cy")].ballots == (last - 1, last)
        seat = table.books.seats[2]
        assert seat == (SeatPub(SeatKind.BOT, b"", "cy", 0, "easy") if playing else OPEN)
        if playing:
            table.take(table.forge.entry(EntryKind.BOT, BotPub(2, True, BotReason.KICKED)))


def test_the_host_shows_somebody_out_by_itself() -> None:
    table = Table()
    table.take(table.kick("dot"))
    table.take(table.out("dot"))
    assert table.books.spectators == ()
    table.take(table.kick("nobody who was ever here"))


def test_a_vote_counts_as_its_players_own_words() -> None:
    table = Table()
    table.take(table.vote(0))
    assert table.books.said[key("ana")] == 1
    assert table.books.said_at[key("ana")] == table.books.journal.last
    table.take(table.vote(0, yes=False, n=2))


BALLOTS: dict[str, tuple[Callable[[Table], bytes], str]] = {
    "signed by another": (lambda table: table.vote(0, by="ben"), "did not sign"),
    "of another seat": (lambda table: table.vote(0, at=1), "another seat"),
    "of a seat that there is not": (lambda table: table.vote(0, at=7), "another seat"),
    "of another table": (lambda table: table.vote(0, table=bytes(16)), "another table"),
    "of another epoch": (lambda table: table.vote(0, epoch=3), "epoch"),
    "that saw another history": (lambda table: table.vote(0, head=bytes(32)), "another history"),
    "from before they sat so": (lambda table: table.vote(0, seen=1), "stale"),
    "said twice": (lambda table: table.vote(0, n=0), "out of its order"),
    "said before its time": (lambda table: table.vote(0, n=2), "out of its order"),
    "that is an act": (lambda table: table.vote(0, kind=ActKind.ACT), "no_vote"),
    "that says something else": (lambda table: table.vote(0, text="rematch"), "no_vote"),
    "about nobody": (lambda table: table.vote(0, about=5), "vote_seat"),
    "about oneself": (lambda table: table.vote(0, about=0), "vote_self"),
}


@pytest.mark.parametrize("name", BALLOTS)
@pytest.mark.parametrize("playing", [False, True])
def test_no_ballot_stands_in_a_journal(name: str, playing: bool) -> None:
    table = Table(playing)
    forged, why = BALLOTS[name]
    assert why in table.refuses(forged(table))


def test_no_ballot_is_about_the_host_or_of_a_program() -> None:
    table = Table(host="cy")
    assert "vote_host" in table.refuses(table.vote(0))
    table = Table()
    pip = SeatPub(SeatKind.MEMBER, key("ana"), "ana", int(Flag.PROGRAM))
    table.take(table.forge.roster(pip, BEN, CY))
    assert "vote_program" in table.refuses(table.vote(0))


def test_nobody_shows_the_host_out() -> None:
    table = Table(host="cy")
    assert "a host shown out" in table.refuses(table.kick("cy"))


def test_no_kick_stands_on_votes_that_there_were_not() -> None:
    for ballots in ((3,), (3, 3), (2, 3), (3, 9)):
        table = Table()
        table.take(table.vote(0))
        assert "shown out by" in table.refuses(table.kick("cy", *ballots))
    table = Table()
    table.take(table.vote(0))
    table.take(table.vote(1, yes=False))
    assert "shown out by" in table.refuses(table.kick("cy", 3, 4))
    table = Table()
    table.take(table.vote(0))
    table.take(table.vote(1))
    assert "shown out by" in table.refuses(table.kick("ben", 3, 4))


def test_a_vote_shows_somebody_out_once() -> None:
    table = Table()
    table.take(table.vote(0))
    table.take(table.vote(1))
    table.take(table.kick("cy", 3, 4))
    table.take(table.out("cy"))
    assert "shown out by" in table.refuses(table.kick("cy", 3, 4))


def test_nobody_loses_the_seat_without_a_word_or_keeps_it_after_it() -> None:
    for playing in (False, True):
        table = Table(playing)
        assert "without a word" in table.refuses(table.out("cy"))
        table = Table(playing)
        table.take(table.kick("ben"))
        assert "without a word" in table.refuses(table.out("cy"))
        table = Table(playing)
        table.take(table.kick("cy"))
        seats = table.books.seats
        assert "kept in the roster" in table.refuses(table.out("cy", seats=seats))
        table = Table(playing)
        table.take(table.kick("cy"))
        assert "kept in the roster" in table.refuses(table.out("cy", voters=table.books.voters))
        table = Table(playing)
        table.take(table.kick("dot"))
        spectators = table.books.spectators
        assert "kept in the roster" in table.refuses(table.out("dot", spectators=spectators))


def test_inside_a_match_only_the_seat_of_who_is_shown_out_changes_and_a_bot_takes_it() -> None:
    table = Table(playing=True)
    table.take(table.kick("cy"))
    assert "without a bot" in table.refuses(table.out("cy", seats=(ANA, BEN, member("dot")), spectators=()))
    table = Table(playing=True)
    table.take(table.kick("cy"))
    heir = SeatPub(SeatKind.BOT, b"", "cy", 0, "easy")
    swapped = (SeatPub(SeatKind.BOT, b"", "ana", 0, "easy"), BEN, heir)
    assert "taken away" in table.refuses(table.out("cy", seats=swapped))


def test_a_kick_shows_somebody_out_once() -> None:
    table = Table()
    table.take(table.kick("cy"))
    table.take(table.out("cy"))
    table.take(table.forge.roster(ANA, BEN, CY))
    assert "without a word" in table.refuses(table.out("cy"))


@pytest.mark.parametrize("door", DOORS)
def test_the_door_changes_in_the_lobby_and_between_rounds_but_not_in_one(door: str) -> None:
    table = Table()
    table.take(table.forge.options(door=door))
    assert table.books.door == door
    table = Table(playing=True)
    assert "inside a round" in table.refuses(table.forge.options(door=door))


WAITS: dict[str, Callable[[Table], bytes]] = {
    "a match": lambda table: table.forge.match(2),
    "another kick": lambda table: table.kick("ben"),
    "a newcomer's seat": lambda table: table.forge.entry(
        EntryKind.ROSTER, seated(table.books, key("eve"), "eve", 2, program=False)
    ),
    "a newcomer's vote": lambda table: table.forge.entry(
        EntryKind.ROSTER,
        replace(table.books_now, seats=(ANA, BEN, member("eve")), voters=(*table.books.voters[:-1], key("eve"))),
    ),
}


@pytest.mark.parametrize("then", WAITS)
@pytest.mark.parametrize("name", ["cy", "dot"])
def test_until_who_is_said_to_be_shown_out_is_gone_nobody_sits_down_and_nothing_begins(name: str, then: str) -> None:
    table = Table()
    table.take(table.kick(name))
    assert "who stays" in table.refuses(WAITS[then](table))


def test_a_deal_waits_for_who_is_said_to_be_shown_out() -> None:
    table = Table()
    table.take(table.forge.match(), table.kick("cy"))
    assert "who stays" in table.refuses(table.forge.deal_open())


def test_meanwhile_the_round_goes_on_and_others_leave() -> None:
    table = Table(playing=True)
    table.take(table.kick("cy"))
    assert table.books.going == key("cy")
    table.take(table.forge.entry(EntryKind.BOT, BotPub(0, True, BotReason.GRACE)))
    table.take(table.vote(0))
    table.take(table.forge.leaves(1, (ANA, bot("ben"), CY), voters=table.voters_but("ben")))
    table.take(table.out("cy"))
    assert table.books.going == b""


def test_who_is_being_shown_out_votes_no_more_and_may_leave_by_itself() -> None:
    table = Table()
    table.take(table.kick("cy"))
    assert not table.books.votes(key("cy"))
    assert table.books.votes(key("ben"))
    assert key("cy") in table.books.voters  # and counts among them until it is gone
    table.take(table.forge.leaves(2, (ANA, BEN, OPEN), voters=table.voters_but("cy")))
    assert table.books.going == b""
    table.take(table.kick("ben"))
