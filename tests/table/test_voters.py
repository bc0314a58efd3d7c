"""Who votes at a table, from when on, and until when (protocol 7.2)."""

from __future__ import annotations

import pytest

from p2pcards.errors import UserError
from p2pcards.table.course import STARTING_SECONDS
from p2pcards.table.effects import OWN_LINK, Effects, Ordered
from p2pcards.table.notices import Failed, Notice, Seated, SeatsFull
from p2pcards.wire.entries import Cause, EntryKind, Roster, decode_pub
from p2pcards.wire.envelope import ActKind, Envelope, LeaveReason, encode_envelope, pack_leave
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.messages import Act, Close, Entries, Flag, Get, Reason
from tests.table.test_access import hello
from tests.testing.cluster import Cluster, Line, Peer, identity, play_round, started
from tests.testing.voters import ack, keys, table, voter


def rosters(cluster: Cluster, since: int = 0) -> list[Roster]:
    found = [entry for entry in cluster.host.public.journal.entries[since:] if entry.kind is EntryKind.ROSTER]
    pubs = [decode_pub(entry.kind, entry.pub) for entry in found]
    return [pub for pub in pubs if isinstance(pub, Roster)]


def good_bye(line: Line, term: int, seat: int | None = None) -> Act:
    books, key = line.cluster.host.public, line.identity.key
    n, place = books.said.get(key, 0) + 1, books.seat_of(key) if seat is None else seat
    journal = books.journal
    assert place is not None
    said = Envelope(
        journal.table,
        books.epoch,
        place,
        n,
        journal.last,
        journal.head,
        ActKind.LEAVE,
        pack_leave(LeaveReason.LEAVE, term),
    )
    data = encode_envelope(said)
    return Act(data, line.identity.sign(data), b"")


# ---- coming


def test_who_keeps_votes_in_a_file_is_a_voter_at_once_behind_its_welcome() -> None:
    """By a roster that it can't have voted over before."""
    cluster, _ = table()
    before = len(cluster.host.public.journal)
    voter(cluster, "ben", answers=False)
    assert cluster.host.public.voters == keys("ana", "ben")
    seats, votes = rosters(cluster, before)
    assert (seats.cause, seats.voters) == (Cause.JOINS, keys("ana"))
    assert (votes.subject, votes.voters) == (keys("ben")[0], keys("ana", "ben"))


def test_who_keeps_none_has_a_seat_and_no_vote_until_that_is_said() -> None:
    cluster, _ = table()
    ben = voter(cluster, "ben", 0, answers=False)
    assert cluster.host.public.seat_of(keys("ben")[0]) == 1
    assert cluster.host.public.voters == keys("ana")
    ack(ben)
    assert cluster.host.public.voters == keys("ana", "ben")


def test_the_second_is_added_when_the_first_is_committed() -> None:
    cluster, (ben,) = table("ben")
    cluster.order("set", "turn_seconds", "7")
    cy = voter(cluster, "cy", answers=False)
    assert cluster.host.public.seat_of(keys("cy")[0]) == 2
    assert cluster.host.public.voters == keys("ana", "ben")
    ack(ben)
    assert cluster.host.public.voters == keys("ana", "ben", "cy")
    assert not cy.closed


def test_nobody_is_made_a_voter_inside_a_round_and_the_next_waits_for_it() -> None:
    cluster = started(options={"match_rounds": "3"})
    cluster.leave("cy")
    cluster.join("dot")
    dot = identity("dot").key
    play_round(cluster)
    assert dot not in cluster.host.public.voters
    before = cluster.host.public.round_number
    for name in ("ana", "ben"):
        cluster.want(name, "next")
    assert cluster.host.public.round_number == before + 1
    assert cluster.host.public.seat_of(dot) == 2
    play_round(cluster)
    assert dot in cluster.host.public.voters
    for name in ("ana", "ben", "dot"):
        cluster.want(name, "next")
    assert cluster.host.public.open_round.holders == tuple(
        key for key in cluster.host.public.voters if key != cluster.host.public.host
    )


def test_a_voter_that_lost_its_file_is_admitted_anew_once() -> None:
    cluster, (ben, _) = table("ben", "cy")
    before = len(cluster.host.public.journal)
    came = cluster.line("ben")
    journal = cluster.host.public.journal
    came.send(hello("ben", resume=(journal.table, journal.last, journal.head)), Get(len(journal)))
    (pub,) = rosters(cluster, before)
    assert (pub.cause, pub.subject) == (Cause.READMITTED, keys("ben")[0])
    ack(came, file=False)
    ack(came, file=True)
    assert len(rosters(cluster, before)) == 1
    assert ben.closed


class Hasty(Cluster):
    """Its match is started as soon as `on` is told to the host or its own guest, before anything else arrives."""

    def __init__(self, on: type[Notice], count: int) -> None:
        self.on, self.count = on, count
        super().__init__()

    def _carry_host(self, effects: Effects) -> None:
        super()._carry_host(effects)
        self._start(effects)

    def _carry(self, peer: Peer, effects: Effects) -> None:
        super()._carry(peer, effects)
        if peer.link == OWN_LINK:
            self._start(effects)

    def _start(self, effects: Effects) -> None:
        told = sum(isinstance(notice, self.on) for notice in effects.notices)
        if self.count > 0 >= self.count - told:
            self.tell_host(Ordered(("start",)))
        self.count -= told


@pytest.mark.parametrize("on", [(SeatsFull, 1), (Seated, 3)], ids=["by itself", "by a program"])
def test_who_came_last_has_a_vote_and_a_share_of_the_first_round(on: tuple[type[Notice], int]) -> None:
    cluster = Hasty(*on)
    for name in ("ana", "ben", "cy"):
        cluster.join(name, host=name == "ana", program=True)
    assert cluster.host.public.voters == (identity("host").key, *keys("ben", "cy"))
    assert cluster.host.public.open_round.holders == keys("ben", "cy")


def test_a_start_waits_a_moment_for_who_has_not_asked_for_the_journal_and_no_longer() -> None:
    cluster, _ = table("ben")
    cy = cluster.line("cy")
    cy.send(hello("cy", flags=Flag.VOTE_FILE))
    cluster.order("start")
    cluster.pass_time(STARTING_SECONDS / 2)
    assert cluster.host.public.match_over
    cluster.pass_time(STARTING_SECONDS / 2)
    assert not cluster.host.public.match_over
    assert cluster.host.public.voters == keys("ana", "ben")
    assert not cy.closed


def test_that_a_start_that_waited_came_to_nothing_is_told() -> None:
    cluster, (ben,) = table("ben")
    cluster.order("set", "bot_fill", "false")
    ack(ben)
    cluster.line("cy").send(hello("cy", flags=Flag.VOTE_FILE))
    cluster.order("start")
    ben.send(good_bye(ben, 1))
    cluster.pass_time(STARTING_SECONDS)
    assert cluster.host.public.match_over
    (failed,) = [notice for notice in cluster.host_notices if isinstance(notice, Failed)]
    assert "bot_fill is off" in failed.text


def test_a_start_waits_without_a_wake_while_somebody_is_shown_out() -> None:
    cluster, (ben, cy) = table("ben", "cy", game="tienlen", seats=4)
    cluster.line("dot").send(hello("dot", flags=Flag.VOTE_FILE))
    for line in (ben, cy):
        ack(line)
    cluster.order("start")
    cluster.order("kick", "ben", "", "0")
    cluster.pass_time(2 * STARTING_SECONDS)  # nobody wants to be woken again and again
    assert cluster.host.public.match_over
    ack(cy)
    assert not cluster.host.public.match_over
    assert keys("ben")[0] not in cluster.host.public.voters


# ---- going


def test_who_says_good_bye_has_no_vote_from_then_on_inside_a_round_too() -> None:
    cluster = started()
    cluster.leave("cy")
    assert cluster.host.public.round is not None
    assert identity("cy").key not in cluster.host.public.voters


def test_a_good_bye_of_a_later_term_makes_the_host_stop() -> None:
    cluster, (ben, _) = table("ben", "cy")
    before = list(cluster.host.public.journal.wires)
    answered = ben.send(good_bye(ben, 2))
    assert cluster.host.stopped
    assert answered == []
    assert cluster.host.public.journal.wires == before
    cluster.order("set", "turn_seconds", "7")
    assert cluster.host.public.journal.wires == before


def test_a_voter_without_a_seat_says_good_bye_too() -> None:
    cluster = Cluster()
    cluster.join("ana", host=True, watch=True)
    ben = voter(cluster, "ben")
    assert cluster.host.public.seat_of(keys("ana")[0]) is None
    before = len(cluster.host.public.journal)
    ben.send(good_bye(ben, 1, NO_SEAT))  # he has one
    assert len(cluster.host.public.journal) == before
    ben.send(good_bye(ben, 1))
    assert rosters(cluster)[-1].cause is Cause.LEAVES


def test_who_is_shown_out_has_no_voice_from_the_word_on_and_goes_when_the_others_hold_it() -> None:
    cluster, (ben, cy) = table("ben", "cy")
    before = len(cluster.host.public.journal)
    cluster.order("kick", "ben", "", "0")
    assert [entry.kind for entry in cluster.host.public.journal.entries[before:]] == [EntryKind.KICK]
    assert ben.closed is None
    ack(ben)
    assert len(cluster.host.public.journal) == before + 1
    with pytest.raises(UserError, match="one moment"):
        cluster.order("bot", "add", "")
    dot = voter(cluster, "dot", Flag.SPECTATOR, answers=False)
    assert len(cluster.host.public.journal) == before + 1
    ack(cy)
    assert keys("ben")[0] not in cluster.host.public.voters
    assert isinstance(ben.closed, Close)
    assert ben.closed.reason == Reason.KICKED
    assert [nick for _, nick in cluster.host.public.spectators] == ["dot"]
    assert dot.heard(Entries)


def test_of_two_the_other_is_shown_out_at_once() -> None:
    cluster, (ben,) = table("ben")
    cluster.order("kick", "ben", "", "0")
    assert cluster.host.public.voters == keys("ana")
    assert ben.closed


def test_nobody_is_shown_out_without_whom_the_table_would_stand_still() -> None:
    cluster, (ben, cy) = table("ben", "cy")
    cluster.pass_time(5)
    ack(ben)
    before = len(cluster.host.public.journal)
    with pytest.raises(UserError, match="too many others are missing"):
        cluster.order("kick", "ben", "", "0")
    assert len(cluster.host.public.journal) == before
    ack(cy)
    cluster.order("kick", "ben", "", "0")
    assert len(cluster.host.public.journal) > before


def test_a_spectator_and_a_member_without_a_vote_are_shown_out_at_once() -> None:
    cluster, _ = table("ben", "cy")
    for name, flags in (("eve", Flag.SPECTATOR),):
        line = voter(cluster, name, flags, answers=False)
        cluster.order("kick", name, "", "0")
        assert line.closed
        assert not cluster.host.public.is_here(identity(name).key)
