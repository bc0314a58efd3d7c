"""A member that lies when nobody is host: its good-byes (T28), going on without the others, and who is host."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from p2pcards.table.effects import Left
from p2pcards.table.election import DEAD
from p2pcards.table.notices import Alarm, HostIs, RolledBack
from p2pcards.table.terms import AHEAD
from p2pcards.wire.entries import Cause, EntryKind, Fork, Roster, SeatKind, TermStart, decode_pub
from p2pcards.wire.envelope import ActKind, LeaveReason
from p2pcards.wire.messages import (
    Close,
    Entries,
    ForkAsk,
    ForkSay,
    Get,
    Heartbeat,
    Message,
    Reason,
    Refused,
    VoteAsk,
    Welcome,
)
from p2pcards.wire.vote import sign_fork
from tests.testing.cluster import identity
from tests.testing.evil import SUITE
from tests.testing.evil_peers import FIVE, forge, goes_on, playing, untouched
from tests.testing.forge import Forge
from tests.testing.peers import Lan
from tests.testing.tally import Tally


@pytest.fixture(autouse=True)
def _counted(tally: Tally) -> None:
    tally(SUITE)


# ---- T28: good-byes at a bad moment


def departures(lan: Lan) -> list[str]:
    """Who has left by the newest books, in order."""
    names = {identity(name).key: name for name in (*FIVE, "zed")}
    pubs = (decode_pub(entry.kind, entry.pub) for entry in lan.books.journal.entries if entry.kind is EntryKind.ROSTER)
    return [names[pub.subject] for pub in pubs if isinstance(pub, Roster) and pub.cause is Cause.LEAVES]


def test_a_good_bye_while_nobody_is_host_stands_in_the_next_hosts_journal() -> None:
    lan = playing()
    lan.kill("ana")
    lan.pass_time(1.0)
    lan["dot"].feed(Left(LeaveReason.LEAVE))
    lan.pass_time(8.0)
    assert (lan.host.name, departures(lan)) == ("ben", ["dot"])
    assert identity("dot").key not in lan.books.voters
    goes_on(lan)


def _leaves_at(lan: Lan, name: str, moment: Callable[[Message], bool]) -> None:
    """It goes as soon as such a message is on its way to it."""

    def look(sender: str, far: str, message: Message) -> Message:
        if far == name and moment(message):
            lan.tamper = None
            lan.later(lambda: lan[name].feed(Left(LeaveReason.LEAVE)))
        return message

    lan.tamper = look


def test_who_leaves_in_the_middle_of_an_election_stops_nothing() -> None:
    lan = playing()
    _leaves_at(lan, "dot", lambda message: isinstance(message, VoteAsk))
    lan.kill("ana")
    lan.pass_time(12.0)
    assert (lan.host.name, departures(lan)) == ("ben", ["dot"])
    goes_on(lan)


def test_who_leaves_between_a_handover_and_its_term_stops_nothing() -> None:
    def handed(message: Message) -> bool:
        return isinstance(message, Entries) and any(wire[1] == EntryKind.HANDOVER for wire in message.wires)

    lan = playing()
    _leaves_at(lan, "dot", handed)
    lan["ana"].order("handover", "ben")
    lan.pass_time(5.0)
    assert (lan.host.name, departures(lan)) == ("ben", ["dot"])
    goes_on(lan)


@pytest.mark.parametrize("how", ["no reason", "of another", "over nothing", "of this term's end"])
def test_a_good_bye_that_is_none_does_not_hurt_the_next_host(how: str) -> None:
    lan = playing()
    dot = lan.turned("dot")
    bad = {
        "no reason": dot.act(ActKind.LEAVE, b"\xff" + bytes(4)),
        "of another": replace(dot.leave(by="cy"), actsig=dot.leave(by="dot").actsig),
        "over nothing": dot.leave(n=0),
        "of this term's end": dot.leave(2**32 - 1),
    }[how]
    lan.kill("ana")
    for name in ("ben", "cy", "eli"):
        dot.says(name, bad)
    lan.pass_time(8.0)
    assert (lan.host.name, departures(lan)) == ("ben", [])
    untouched(lan, "ben", "cy", "eli")
    goes_on(lan)


def test_an_old_good_bye_said_again_by_another_does_not_take_the_seat() -> None:
    lan = Lan(*FIVE, game="onecard")
    lan["dot"].feed(Left(LeaveReason.LEAVE))
    lan.pass_time(1.0)
    (old,) = [said for said in lan["dot"].sent if type(said[1]).__name__ == "Act"]
    lan.come("dot")
    lan.start()
    cy = lan.turned("cy")
    cy.says("ana", old[1])
    lan.kill("ana")
    cy.says("ben", old[1])
    lan["cy"].alive = False
    lan.pass_time(8.0)
    assert lan.host.name == "ben"
    assert departures(lan) == ["dot"]
    assert lan.books.seats[3].kind is SeatKind.MEMBER


def test_a_good_bye_of_a_term_that_never_was_stops_no_host() -> None:
    """It is the word of one, so it counts where there are elections, as a vote does, and for what there can be."""
    lan = playing("ana", "cy")
    cy = lan.turned("cy")
    (answer,) = cy.says("ana", cy.leave(2))
    assert isinstance(answer, Refused)
    assert answer.code == "stale"
    lan.pass_time(2.0)
    assert lan.host.name == "ana"
    lan = playing()
    cy = lan.turned("cy")
    (answer,) = cy.says("ana", cy.leave(AHEAD + 2))
    assert isinstance(answer, Refused)
    assert lan.host.name == "ana"
    assert departures(lan) == []


def test_who_asks_for_the_journal_again_and_again_gets_it_and_nothing_else_comes_of_it() -> None:
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    journal = list(lan["ben"].journal)
    for far in ("ana", "ben"):
        answers = cy.says(far, *[Get(0)] * 50, Get(2**64 - 1), Get(len(journal)))
        wires = [wire for said in answers if isinstance(said, Entries) for wire in said.wires]
        assert wires[: len(journal)] == journal
    lan.pass_time(1.0)
    untouched(lan, "ana", "ben", "dot")
    assert lan["ben"].told(Alarm) == []


# ---- going on without the others


def test_nobody_who_is_no_member_asks_for_a_fork() -> None:
    lan = playing("ana", "ben", "cy", "dot")
    lan.kill("ana", "dot")
    zed = lan.bare("zed")
    lan.connect(zed, lan["ben"])
    journal = lan.books.journal
    keys = tuple(sorted((identity("zed").key, identity("ben").key)))
    zed.says("ben", ForkAsk(journal.table, journal.last, journal.head, bytes(16), keys))
    assert zed.heard(ForkSay) == []
    assert isinstance(zed.received[-1][1], Close)
    assert lan["ben"].the._election.file.forks == ()


def test_the_yes_of_another_is_no_yes_and_who_brings_it_is_named() -> None:
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    lan.kill("ana", "dot")
    lan.stays(cy, 25, "ben")
    ask = cy.heard(ForkAsk)[-1]
    sig = sign_fork(identity("dot"), ask.table, ask.head, ask.fresh)
    cy.says("ben", ForkSay(ask.table, ask.fresh, True, sig))
    assert lan["ben"].told(Alarm)[0].text.startswith("cy: ")
    forks = [decode_pub(entry.kind, entry.pub) for entry in lan.books.journal.entries if entry.kind is EntryKind.FORK]
    assert [isinstance(fork, Fork) and dict(fork.said).keys() for fork in forks] in ([], [{identity("ben").key}])


def test_who_has_a_host_is_not_led_away_by_somebody_who_goes_on_alone() -> None:
    lan = playing()
    cy = lan.turned("cy")
    table, journal = lan.books.table, list(lan["ben"].journal)
    told = len(lan["ben"].told(HostIs))
    cy.says("ben", Entries(0, (forge(lan, "cy").forked("cy", "cy"),)))
    lan.pass_time(2.0)
    assert lan["ben"].the.guest.public.table == table
    assert lan["ben"].journal[: len(journal)] == journal
    assert len(lan["ben"].told(HostIs)) == told
    goes_on(lan)


# ---- who says that it is host


def test_what_a_member_calls_committed_is_committed_for_nobody() -> None:
    """Else who was told so would refuse the next host, who holds less."""
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    ben = lan["ben"].the.guest
    lan.tamper = lambda sender, far, message: (
        replace(message, commit=0) if sender == "ana" and isinstance(message, Entries | Heartbeat) else message
    )
    lan.act(lan.movers[0])
    held, newest = ben.committed, ben.journal.last
    assert held < newest
    cy.says("ben", Entries(2**64 - 1, ()))
    assert ben.committed == held


@pytest.mark.parametrize("last", [0, 2**64 - 1])
def test_who_only_says_that_it_is_host_is_not_followed(last: int) -> None:
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    lan.silence("ana", "ben")
    lan.pass_time(4.5)
    lan.breaks("cy", "ben")  # so ben dials it anew
    lan.pass_time(0.6)
    books = lan.books
    welcome = Welcome(books.table, 5, identity("cy").key, 2, "open", last, last, b"")
    answers = cy.says("ben", welcome)
    assert any(isinstance(answer, Get) for answer in answers)
    assert lan["ben"].the.guest.host_link != cy.links[cy.link_to("ben")][1]
    junk = Heartbeat(books.table, 1, 0, bytes(32), 0, 1, bytes(64))
    cy.says("ben", junk)
    untouched(lan, "ben")


def test_a_host_of_two_whose_guest_lies_about_another_table_goes_on() -> None:
    lan = playing("ana", "cy")
    cy = lan.turned("cy")
    lan.breaks("cy", "ana")
    lan.pass_time(1.0)
    assert lan["ana"].the.host is not None
    cy.says("ana", Welcome(bytes(16), 2, identity("cy").key, 1, "open", 0, 0, b""))
    assert lan["ana"].the.host is None, "what is another table by a FORK of the other one is followed"
    cy.says("ana", Entries(0, (b"junk" * 100,)))
    lan.pass_time(1.0)
    assert lan["ana"].the.host is not None
    untouched(lan, "ana")


def test_a_host_of_two_whose_guest_lies_and_is_silent_goes_on() -> None:
    lan = playing("ana", "cy")
    cy = lan.turned("cy")
    lan.breaks("cy", "ana")
    lan.pass_time(1.0)
    cy.says("ana", Welcome(bytes(16), 2, identity("cy").key, 1, "open", 2**64 - 1, 0, b""))
    for beat in range(int(DEAD) + 2):
        if cy.has_link_to("ana"):
            cy.says("ana", Heartbeat(bytes(16), 9, 2**40, bytes(32), 0, beat, bytes(64)))
        lan.pass_time(1.0)
    assert lan["ana"].the.host is not None
    untouched(lan, "ana")


@pytest.mark.parametrize("reason", [Reason.KICKED, Reason.BANNED, Reason.VERSION])
def test_a_member_shows_nobody_out_of_another_hosts_table(reason: Reason) -> None:
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    lan.kill("ben")
    ben = lan.again("ben")
    lan.apart |= {frozenset(("ben", name)) for name in ("ana", "dot")}
    lan.until(lambda: cy.has_link_to("ben"))
    cy.says("ben", Close(reason, "go away", 0))
    assert not ben.the.finished
    lan.apart.clear()
    lan.pass_time(3.0)
    assert ben.the.guest.welcomed
    goes_on(lan)


def test_entries_of_nobodys_make_nobody_a_liar() -> None:
    """A GENESIS or a TERM_START names its own signer: that two of them differ is no proof against either's host."""
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    other = Forge(identity("cy"))
    cy.says("ben", Entries(0, (other.genesis(),)))
    (alarm,) = lan["ben"].told(Alarm)
    assert alarm.text.startswith("cy: ")
    assert "proof" not in lan["ben"].secrets
    untouched(lan, "ben")


def test_what_might_become_another_line_of_the_table_is_not_kept_unchecked() -> None:
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    pen = forge(lan, "cy", len(lan.books.journal) - 1)
    pen.term = 7
    lan["ben"].the.guest._reader.committed = 3
    wires = tuple(pen.entry(EntryKind.TERM_START, TermStart(identity("cy").key, (), 0)) for _ in range(3))
    cy.says("ben", Entries(0, wires))
    assert lan["ben"].the.guest._follower._branch == []
    assert lan["ben"].told(Alarm)[0].text.startswith("cy: ")
    assert lan["ben"].told(RolledBack) == []
