"""Somebody is shown out in the middle of things: a question, a turn, between rounds, with nobody left but the host."""

from __future__ import annotations

import pytest

from p2pcards.table.door import Gate
from p2pcards.table.notices import Alarm, Audited, BotPlays, Kicked, VoteCalled, VoteFailed
from p2pcards.table.round import OPENING_SECONDS
from p2pcards.table.tableview import Stage
from p2pcards.table.ticket import Ticket
from p2pcards.wire.entries import EntryKind, SeatKind
from tests.table.test_answers import result
from tests.table.test_door import LAB, is_in, right, table
from tests.testing.cluster import WALL, Cluster, identity, play_round, started
from tests.testing.table import question


def kick(cluster: Cluster, name: str) -> None:
    cluster.order("kick", name, "", "0")


def in_order(cluster: Cluster) -> None:
    for peer in cluster.peers.values():
        assert peer.told(Alarm) == []
        assert all(audit.ok for audit in peer.told(Audited))


def bots_of(cluster: Cluster) -> list[tuple[bool, str]]:
    return [(told.on, told.reason) for told in cluster.peers["ana"].told(BotPlays)]


# ---- inside a round


def test_who_was_asked_and_is_shown_out_has_given_in() -> None:
    cluster = question()
    kick(cluster, "ben")
    cluster.act("cy", "challenge")
    assert dict(result(cluster))[1] is False
    in_order(cluster)


def test_the_last_to_answer_is_shown_out_and_the_round_goes_on_without() -> None:
    cluster = question()
    cluster.act("cy", "fold")
    kick(cluster, "ben")
    assert dict(result(cluster)) == {1: False, 2: False}
    in_order(cluster)


def test_an_answer_that_is_given_and_not_open_runs_out_of_time_when_its_player_is_shown_out() -> None:
    cluster = question()
    cluster.act("ben", "fold")
    kick(cluster, "ben")
    cluster.act("cy", "fold")
    assert cluster.host.public.round is not None
    cluster.pass_time(OPENING_SECONDS)
    assert dict(result(cluster)) == {1: True, 2: False}
    in_order(cluster)


def test_who_asked_can_be_shown_out_while_the_others_answer() -> None:
    cluster = question(caller="ben", asked=(2, 0))
    kick(cluster, "ben")
    cluster.act("ana", "challenge")
    cluster.act("cy", "fold")
    assert len(result(cluster)) == 2
    in_order(cluster)


@pytest.mark.parametrize("game", ["tongits", "straights", "tienlen", "onecard"])
@pytest.mark.parametrize("turn", [0, 5])
def test_whose_turn_it_is_can_be_shown_out(game: str, turn: int) -> None:
    seats = {"straights": 4, "tienlen": 4}.get(game, 3)
    cluster = Cluster(game=game, seats=seats)
    for name in ("ana", "ben", "cy", "dot")[:seats]:
        cluster.join(name, host=name == "ana")
    cluster.order("start")
    for _ in range(turn):
        if cluster.movers:
            play_turn(cluster)
    for _ in range(50):
        if not cluster.movers or cluster.movers[0].name != "ana":
            break
        play_turn(cluster)
    if cluster.movers:
        kick(cluster, cluster.movers[0].name)
    play_round(cluster, among=[name for name, peer in cluster.peers.items() if not peer.guest.finished])
    assert cluster.peers["ana"].told(Audited)
    in_order(cluster)


def play_turn(cluster: Cluster) -> None:
    mover = cluster.movers[0]
    game = mover.guest.public.rules
    cluster.act(mover.name, game.format(next(iter(game.legal_actions(mover.guest.my_turn)))))


def test_a_bot_that_plays_for_somebody_shown_out_plays_on() -> None:
    cluster = started()
    cluster.cut("ben")
    cluster.pass_time(91)
    kick(cluster, "ben")
    assert bots_of(cluster) == [(True, "grace")]
    seat = cluster.host.public.seats[1]
    assert (seat.kind, seat.nick, seat.key) == (SeatKind.BOT, "ben", b"")
    play_round(cluster, among=["ana", "cy"])
    in_order(cluster)


def test_who_left_and_came_back_to_watch_loses_the_claim_to_the_seat_when_shown_out() -> None:
    cluster = started()
    cluster.leave("ben")
    assert is_in(cluster.join("ben"))
    assert cluster.host.public.seats[1].key == identity("ben").key
    kick(cluster, "ben")
    seat = cluster.host.public.seats[1]
    assert (seat.kind, seat.nick, seat.key) == (SeatKind.BOT, "ben", b"")
    play_round(cluster, among=["ana", "cy"])
    in_order(cluster)


def test_who_is_shown_out_while_away_and_watches_the_rest_finds_the_round_in_order() -> None:
    cluster = started()
    before = len(cluster.peers["ben"].told(Audited))
    cluster.cut("ben")
    cluster.order("kick", "ben", "", str(int(WALL + cluster.now) + 5))
    cluster.pass_time(6)
    cluster.back("ben")
    assert cluster.host.public.seat_of(identity("ben").key) is None
    play_round(cluster, among=["ana", "cy"])
    assert len(cluster.peers["ben"].told(Audited)) == before + 1
    in_order(cluster)


def test_the_host_alone_plays_on_against_bots() -> None:
    cluster = started()
    for name in ("ben", "cy"):
        kick(cluster, name)
    assert [told.nick for told in cluster.peers["ana"].told(Kicked)] == ["ben", "cy"]
    play_round(cluster, among=["ana"])
    in_order(cluster)


def test_a_program_is_shown_out_like_everybody() -> None:
    cluster = Cluster()
    cluster.join("ana", host=True)
    cluster.join("pip", program=True)
    cluster.order("start")
    kick(cluster, "pip")
    assert cluster.peers["pip"].guest.finished
    assert bots_of(cluster) == [(True, "kicked")]


# ---- between rounds, and after the match


def test_nobody_waits_for_who_was_shown_out_between_rounds() -> None:
    cluster = started(options={"match_rounds": "3"})
    play_round(cluster)
    for name in ("ana", "cy"):
        cluster.want(name, "next")
    assert cluster.host.public.round is None
    kick(cluster, "ben")
    assert cluster.host.public.round is not None
    assert bots_of(cluster) == [(True, "kicked")]
    in_order(cluster)


def test_after_the_match_the_seat_is_free() -> None:
    cluster = started(options={"match_rounds": "1"})
    play_round(cluster)
    view = cluster.peers["ana"].guest.table_view()
    assert view is not None
    assert view.stage is Stage.OVER
    kick(cluster, "ben")
    assert [held.kind for held in cluster.host.public.seats].count(SeatKind.OPEN) == 1
    assert is_in(cluster.join("dot"))
    assert cluster.host.public.seat_of(identity("dot").key) is not None


# ---- what stands open when a match starts


def test_who_knocked_in_the_lobby_and_is_admitted_in_a_round_sits_down_after_it() -> None:
    cluster = table("ask", options={"match_rounds": "2"})
    cluster.join("ben")
    cluster.order("start")
    cluster.order("admit", "ben")
    assert is_in(cluster.peers["ben"])
    assert cluster.host.public.seat_of(identity("ben").key) is None
    play_round(cluster, among=["ana"])
    cluster.want("ana", "next")
    assert cluster.host.public.seat_of(identity("ben").key) is not None


def test_a_vote_goes_on_when_the_match_starts_and_ends_when_its_time_is_up() -> None:
    cluster = Cluster(seats=4, game="tienlen")
    for name in ("ana", "ben", "cy", "dot"):
        cluster.join(name, host=name == "ana")
    cluster.vote("ben", "cy")
    cluster.order("start")
    for peer in cluster.peers.values():
        view = peer.guest.table_view()
        assert view is not None
        assert view.vote is not None
        assert view.vote.seat == cluster.peers["cy"].seat
    cluster.vote("ana", "cy")
    cluster.vote("dot", "cy")
    assert cluster.peers["cy"].guest.finished
    assert [len(peer.told(VoteCalled)) for peer in cluster.peers.values()] == [1] * 4
    assert cluster.peers["ana"].told(VoteFailed) == []


# ---- coming back when the seat is gone


def test_who_comes_back_to_a_lab_after_the_seat_has_gone_brings_its_proof() -> None:
    cluster = table("lab", gate=Gate(lab=LAB))
    ben = cluster.join("ben", ticket=Ticket("lab", lab=LAB))
    cluster.cut("ben")
    cluster.pass_time(91)
    assert cluster.host.public.seat_of(identity("ben").key) is None
    cluster.back("ben")
    cluster.back("ben")  # the net dials again after a line is lost
    assert is_in(ben)
    assert cluster.host.public.seat_of(identity("ben").key) is not None


def test_who_comes_back_with_a_code_that_is_another_by_now_is_told_so_once() -> None:
    cluster = table("code")
    ben = right(cluster)
    cluster.cut("ben")
    cluster.pass_time(91)
    cluster.order("door", "code")
    cluster.back("ben")
    cluster.pass_time(2)
    cluster.back("ben")
    assert ben.guest.finished
    assert [entry.kind for entry in cluster.host.public.journal.entries].count(EntryKind.KICK) == 0
