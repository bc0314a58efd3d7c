"""A host that lies where the table is to outlive it: two histories, terms that are none, acts that vanish (suite 7)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from p2pcards.table.effects import Left
from p2pcards.table.notices import Alarm, Closed, HostIs, RolledBack, RoundVoid
from p2pcards.wire.entries import (
    EntryKind,
    Handover,
    Kick,
    Roster,
    RoundEnd,
    SeatKind,
    SeatPub,
    decode_pub,
    decode_wire,
    head_signed,
)
from p2pcards.wire.entries import head as head_of
from p2pcards.wire.envelope import LeaveReason
from p2pcards.wire.identity import verify
from p2pcards.wire.messages import Act, Close, Entries, Heartbeat, Keepalive, Method, Stale, Welcome
from tests.table.test_access import hello
from tests.testing.cluster import identity
from tests.testing.evil_host import SUITE
from tests.testing.forge import Forge
from tests.testing.one_peer import Program
from tests.testing.peers import Lan
from tests.testing.tally import Tally

ZED = identity("zed").key


@pytest.fixture(autouse=True)
def _counted(tally: Tally) -> None:
    tally(SUITE)


def lobby(*names: str) -> Lan:
    """A table before its first match; ana hosts."""
    return Lan(*(names or ("ana", "ben", "cy", "dot")), game="onecard")


def playing(*names: str) -> Lan:
    """The same in its first round."""
    lan = lobby(*names)
    lan.start()
    return lan


def forge(lan: Lan, name: str = "ana", length: int | None = None) -> Forge:
    """A pen that goes on with the table's journal as that name likes."""
    return Forge(identity(name), lan.books.journal.copy(length))


def harmless(pen: Forge, which: int) -> bytes:
    """An entry that may stand anywhere, one of many."""
    return pen.entry(EntryKind.KICK, Kick(ZED, "", which, ()))


def alarmed(program: Program, why: str) -> None:
    """It says so once, and in these words."""
    (alarm,) = program.told(Alarm)
    assert why in alarm.text


def broken_off(program: Program, why: str) -> None:
    """It saw that its host lies, and wants nothing more of it."""
    alarmed(program, why)
    assert [closed.reason for closed in program.told(Closed)] == ["broken"]


def both(proof: bytes) -> tuple[bytes, bytes]:
    """The two that a proof holds."""
    length = int.from_bytes(proof[:4], "big")
    return proof[4 : 4 + length], proof[4 + length :]


# ---- what vanishes


def test_whose_act_the_host_drops_sees_that_it_does_not_stand_in_the_journal() -> None:
    lan = playing()
    while lan.movers[0].name == "ana":
        lan.act(lan.movers[0])
    mover = lan.movers[0]
    lan.tamper = lambda sender, far, message: None if isinstance(message, Act) and sender == mover.name else message
    before = len(lan.books.journal)
    lan.act(mover)
    lan.pass_time(2.0)
    assert len(lan.books.journal) == before
    view = mover.the.guest.table_view()
    assert view is not None
    assert view.pending
    assert mover.the.guest.my_turn is None, "it is said, and waits"


# ---- two histories


def test_two_heads_for_one_place_come_out_between_two_members() -> None:
    """Each was told one of them, and neither could tell; their KEEPALIVEs show it, and both keep the proof."""
    lan = lobby()
    table, index = lan.books.table, len(lan.books.journal)
    ana = lan.turned("ana")
    one, other = harmless(forge(lan), 1), harmless(forge(lan), 2)
    ana.says("ben", Entries(0, (one,)))
    for name in ("cy", "dot"):
        ana.says(name, Entries(0, (other,)))
    assert [program.name for program in lan.honest if program.told(Alarm)] == []
    for _ in range(6):
        lan.pass_time(1.0)
        for name in ("ben", "cy", "dot"):
            if ana.has_link_to(name):
                ana.says(name, _beat(table, index - 1, forge(lan, length=index)))
    for name, ours, theirs in (("ben", one, other), ("cy", other, one), ("dot", other, one)):
        alarmed(lan[name], "the host tells two histories")
        mine, shown = both(lan[name].secrets["proof"])
        said = msgspec.msgpack.decode(shown, type=Keepalive)
        assert (mine, said.head) == (ours, head_of(table, theirs[:-64]))
        for digest, sig in ((head_of(table, mine[:-64]), mine[-64:]), (said.head, said.hostsig)):
            assert verify(identity("ana").key, sig, head_signed(table, 1, index, digest))


def _beat(table: bytes, index: int, pen: Forge) -> Heartbeat:
    journal = pen.journal
    return Heartbeat(table, 1, index, journal.heads[index], 0, 1, journal.wires[index][-64:])


def test_two_heads_for_one_place_come_out_when_a_member_passes_an_entry_on() -> None:
    lan = lobby()
    ana, cy = lan.turned("ana"), lan.turned("cy")
    one, other = harmless(forge(lan), 1), harmless(forge(lan), 2)
    ana.says("ben", Entries(0, (one,)))
    cy.says("ben", Entries(0, (other,)))
    alarmed(lan["ben"], "the host tells two histories")
    assert both(lan["ben"].secrets["proof"]) == (one, other)


def test_an_entry_signed_anew_after_a_crash_is_proof_against_its_host() -> None:
    lan = playing("ana", "ben", "cy")
    last = len(lan.books.journal)
    ana = lan.turned("ana")
    ana.says("ben", Entries(0, (harmless(forge(lan), 1),)))
    ana.says("ben", Entries(0, (harmless(forge(lan, length=last), 2),)))
    broken_off(lan["ben"], f"two histories from entry {last} on")
    one, other = both(lan["ben"].secrets["proof"])
    assert decode_wire(one)[0].index == decode_wire(other)[0].index == last


def test_a_heartbeat_that_denies_what_was_told_is_seen() -> None:
    lan = playing("ana", "ben", "cy")
    ana = lan.turned("ana")
    journal = lan.books.journal
    ana.says("ben", Heartbeat(journal.table, 1, journal.last, bytes(32), 0, 9, bytes(64)))
    broken_off(lan["ben"], "two histories")


def test_who_comes_and_is_told_another_history_finds_out_by_its_first_member_link() -> None:
    lan = Lan("ana", "ben", "cy", game="onecard", seats=4)
    ana = lan.turned("ana")
    pens = {name: forge(lan) for name in ("ben", "zed")}
    wires = {name: _with_zed(pen, which) for which, (name, pen) in enumerate(pens.items(), 1)}
    assert [program.told(Alarm) for program in lan.honest] == [[], []]
    for name in ("ben", "cy"):
        ana.says(name, Entries(0, wires["ben"]))
    zed = lan._program("zed")
    lan.connect(zed, ana)
    journal = pens["zed"].journal
    ana.says("zed", Welcome(journal.table, 1, identity("ana").key, 3, "open", journal.last, 0, b""))
    for first in range(0, len(journal), 4):
        ana.says("zed", Entries(0, tuple(journal.wires[first : first + 4])))
    assert zed.the.guest.entered
    lan.pass_time(1.0)
    assert zed.has_link_to("ben")
    lan.pass_time(5.5)
    for name in ("zed", "ben", "cy"):
        alarmed(lan[name], "the host tells two histories")
        assert "proof" in lan[name].secrets


def _with_zed(pen: Forge, which: int) -> tuple[bytes, ...]:
    """Something that differs, and zed in the free seat, with a vote."""
    rosters = [entry for entry in pen.journal.entries if entry.kind is EntryKind.ROSTER]
    last = decode_pub(EntryKind.ROSTER, rosters[-1].pub)
    assert isinstance(last, Roster)
    seats = tuple(SeatPub(SeatKind.MEMBER, ZED, "zed") if seat.kind is SeatKind.OPEN else seat for seat in last.seats)
    seated = replace(last, seats=seats, subject=ZED)
    voting = replace(seated, voters=(*last.voters, ZED))
    return (
        harmless(pen, which),
        pen.entry(EntryKind.ROSTER, seated),
        pen.entry(EntryKind.ROSTER, voting),
    )


# ---- terms


def test_a_take_over_that_cuts_what_was_committed_is_refused_and_its_host_named() -> None:
    """Three of five lie, which is enough for a certificate, and eli holds what all of them acknowledged."""
    lan = playing("ana", "ben", "cy", "dot", "eli")
    committed = len(lan.books.journal)
    journal = list(lan["eli"].journal)
    ben = lan.turned("ben")
    start = forge(lan, "ben", committed - 1).elected("ben", "ben", "cy", "dot")
    answers = ben.says("eli", Entries(0, (start,)))
    alarmed(lan["eli"], "ben: a history without entry")
    assert isinstance(answers[-1], Close)
    assert lan["eli"].journal == journal
    assert lan["eli"].told(RolledBack) == []
    assert not lan["eli"].the.finished


def _leaver(lan: Lan, pen: Forge) -> bytes:
    return pen.elected("ben", "ben", "cy", "dot")


def _outsider(lan: Lan, pen: Forge) -> bytes:
    return pen.elected("ben", "ben", "cy", "zed")


@pytest.mark.parametrize("start", [_leaver, _outsider])
def test_a_term_begun_by_the_vote_of_a_leaver_or_an_outsider_is_refused_and_its_host_named(
    start: Callable[[Lan, Forge], bytes],
) -> None:
    lan = playing("ana", "ben", "cy", "dot", "eli", "fay")
    lan["dot"].feed(Left(LeaveReason.LEAVE))
    lan.pass_time(1.0)
    assert len(lan.books.voters) == 5
    ben = lan.turned("ben")
    journal = list(lan["eli"].journal)
    ben.says("eli", Entries(0, (start(lan, forge(lan, "ben")),)))
    alarmed(lan["eli"], "ben: a vote of somebody who has none")
    assert lan["eli"].journal == journal
    lan.pass_time(2.0)
    assert lan.host.name == "ana"


def test_nothing_is_written_behind_a_handover() -> None:
    lan = playing("ana", "ben", "cy")
    ana, pen = lan.turned("ana"), forge(lan)
    ana.says("cy", Entries(0, (pen.hands_over("ben"), harmless(pen, 1))))
    broken_off(lan["cy"], "an entry of a host that has handed over")


def test_no_host_calls_a_round_of_its_own_term_void() -> None:
    lan = playing("ana", "ben", "cy")
    ana = lan.turned("ana")
    ana.says("cy", Entries(0, (forge(lan).void(),)))
    broken_off(lan["cy"], "a round called off by the host that dealt it")
    assert lan["cy"].told(RoundVoid) == []


def test_an_accomplice_may_call_a_round_void_and_everybody_sees_who_did() -> None:
    """What stays possible: hosts in league may end a round that goes against them. It stands in the journal so."""
    lan = playing("ana", "ben", "cy")
    ana, ben, pen = lan.turned("ana"), lan.turned("ben"), forge(lan)
    ana.says("cy", Entries(0, (pen.hands_over("ben"),)))
    ben.says("cy", Entries(0, (pen.took_over("ben"), pen.void())))
    ben.says("cy", Entries(2**64 - 1, ()))
    cy = lan["cy"]
    assert cy.told(Alarm) == []
    assert cy.told(HostIs)[-1].nick == "ben"
    said = [entry.kind for entry in cy.the.guest.journal.entries][-3:]
    assert said == [EntryKind.HANDOVER, EntryKind.TERM_START, EntryKind.ROUND_END]
    handed = decode_pub(EntryKind.HANDOVER, cy.the.guest.journal.entries[-3].pub)
    assert handed == Handover(identity("ben").key, 2)
    ended = decode_pub(EntryKind.ROUND_END, cy.the.guest.journal.entries[-1].pub)
    assert ended == RoundEnd(1, "void", (), ())
    assert cy.the.guest.public.host_at(cy.the.guest.journal.last) == identity("ben").key


def test_an_old_host_that_speaks_on_is_shown_that_its_term_is_over_and_its_other_history_is_proof() -> None:
    lan = playing("ana", "ben", "cy", "dot")
    ana = lan.turned("ana")
    before = lan.books.journal.copy()
    lan.pass_time(8.0)  # it says nothing, so ben is elected
    assert lan.host.name == "ben"
    journal = list(lan["cy"].journal)
    lan.connect(ana, lan["cy"])
    ana.says("cy", hello("ana", method=Method.MEMBER))
    (stale,) = ana.says("cy", _beat(before.table, before.last, Forge(identity("ana"), before)))
    assert isinstance(stale, Stale)
    ana.says("cy", Entries(0, (harmless(forge(lan, length=5), 1),)))
    alarmed(lan["cy"], "two histories from entry 5 on")
    assert len(both(lan["cy"].secrets["proof"])) == 2
    lan.pass_time(1.0)
    assert lan["cy"].journal[: len(journal)] == journal
    assert not lan["cy"].the.finished
    assert lan.host.name == "ben"
