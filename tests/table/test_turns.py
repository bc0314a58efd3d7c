"""Turns that are cut short: by the clock, by the host's word, by most of those who wait (protocol 7.2)."""

from __future__ import annotations

import pytest

from p2pcards.games.base import DEALER
from p2pcards.table.notices import Audited, BotPlays, Refused, SkipWanted
from p2pcards.table.turns import LATE_TURNS
from p2pcards.wire.entries import EntryKind
from tests.table.test_turnclock import acts, shown, timed
from tests.testing.cluster import Cluster, play_round, started
from tests.testing.table import fold_of, laying, legal_texts, starting, tame_move, to_act


def whole_turn(cluster: Cluster, name: str) -> None:
    cluster.act(name, "draw")
    cluster.act(name, laying(cluster.peers[name].guest.my_turn, ()))


# ---- the clock runs out


def test_an_act_that_comes_just_before_the_host_looks_at_the_clock_ends_its_own_turn_alone() -> None:
    """The clock that has run out is ana's; ben's turn has only begun."""
    cluster = timed()
    cluster.act("ana", "draw")
    cluster.pass_time(29.5)
    cluster.now += 1  # the host has not looked yet
    cluster.act("ana", laying(cluster.peers["ana"].guest.my_turn, ()))
    assert acts(cluster) == []
    assert to_act(cluster) == (1,)
    assert shown(cluster.peers["cy"]) == cluster.now + 30


@pytest.mark.parametrize("game", ["tongits", "straights"])
def test_what_a_lost_line_swallowed_is_not_said_in_a_later_turn(game: str) -> None:
    """The clock played for ben meanwhile, and it is his turn again when his line is back."""
    cluster = started(1, game=game, seats=3 if game == "tongits" else 4, settings={"turn_seconds": "5"})
    while cluster.movers != [cluster.peers["ben"]]:
        cluster.act(cluster.movers[0].name, legal_texts(cluster.movers[0])[0])
    ben = cluster.peers["ben"]
    ben.mute = True
    cluster.act("ben", legal_texts(ben)[0])
    cluster.cut("ben")
    cluster.pass_time(5.1)
    while to_act(cluster) != (ben.seat,):
        cluster.act(cluster.movers[0].name, legal_texts(cluster.movers[0])[0])
    before = len(fold_of(cluster).actions)
    cluster.back("ben")
    assert len(fold_of(cluster).actions) == before
    assert ben.guest.my_turn is not None


def test_a_shuffle_within_a_turn_does_not_wind_the_clock() -> None:
    """ana's draw finds the stock empty, and she may play what she drew."""
    options = {"decks": "1", "cards": "9", "must_play": "false", "draw_then_play": "true"}
    cluster = started(1, game="onecard", options=options, settings={"turn_seconds": "30"})
    fold, mover, up = fold_of(cluster), cluster.movers[0], None
    while not (fold.actions and fold.actions[-1][0] == DEALER and fold.game.mid_turn(fold.view(None))):
        assert cluster.host.public.round, "the stock never ran out in the middle of a turn"
        cluster.pass_time(1)
        mover = cluster.movers[0]
        up, legal = shown(mover), legal_texts(mover)
        cluster.act(mover.name, "draw" if "draw" in legal else legal[-1])
    assert cluster.movers == [mover]
    assert shown(mover) == up


def test_the_time_of_a_turn_rests_while_a_shuffle_waits_for_who_is_silent() -> None:
    """Nobody can act meanwhile; what was left of the turn's time is left then."""
    options = {"decks": "1", "cards": "9", "must_play": "false", "draw_then_play": "true"}
    cluster = started(1, game="onecard", options=options, settings={"turn_seconds": "30"})
    mover, until, began = cluster.movers[0], 0.0, 0.0
    while not (cluster.host.public.round and cluster.host.public.round.shuffling):
        cluster.pass_time(3)
        mover, began = cluster.movers[0], cluster.now
        up, legal = shown(mover), legal_texts(mover)
        assert up is not None
        until = up
        silent = next(peer for name, peer in cluster.peers.items() if name != "ana" and peer is not mover)
        silent.mute = True
        cluster.act(mover.name, "draw" if "draw" in legal else legal[-1])
        silent.mute = False
    assert to_act(cluster) == ()
    assert (mover.guest.my_turn, shown(mover)) == (None, None)
    while not cluster.movers:
        cluster.pass_time(0.5)
    assert cluster.movers == [mover]
    assert cluster.now > began
    assert shown(mover) == until + cluster.now - began


def test_who_lets_three_turns_run_out_has_a_bot_until_he_plays_again() -> None:
    cluster = timed(seconds=5)
    cluster.bots = None
    for turn in range(1, 4):
        for name in ("ana", "ben", "cy"):
            if name == "ana":
                cluster.pass_time(5.1)
            else:
                cluster.act(name, "draw")
                cluster.act(name, laying(cluster.peers[name].guest.my_turn, ()))
        assert (0 in cluster.host.public.bots_on) is (turn == 3)
    notice = cluster.peers["ben"].told(BotPlays)
    assert notice == [BotPlays(0, "ana", True, "time-outs")]
    cluster.act("ana", "draw")
    assert cluster.peers["ben"].told(BotPlays)[1:] == [BotPlays(0, "ana", False, "back")]
    assert to_act(cluster) == (0,)
    cluster.act("ana", "draw")
    assert fold_of(cluster).actions[-1] == (0, "draw")


def test_the_seat_is_taken_back_in_the_turn_of_somebody_else_too() -> None:
    cluster = timed(seconds=5)
    for _ in range(3):
        while to_act(cluster) != (0,):
            cluster.pass_time(0.5)
        cluster.pass_time(5.1)
    assert cluster.host.public.bots_on == {0}
    assert to_act(cluster) != (0,)
    cluster.want("ana", "back")
    assert cluster.host.public.bots_on == set()
    assert cluster.peers["ben"].told(BotPlays)[-1] == BotPlays(0, "ana", False, "back")


def test_who_was_late_all_the_time_keeps_his_seat_when_the_match_is_over() -> None:
    cluster = starting("ana", options={"match_rounds": "1"}, settings={"turn_seconds": "5"})
    cluster.pass_time(5 * 80)
    assert cluster.host.public.match_over
    assert cluster.host.public.bots_on == set()
    assert [peer.guest.finished for peer in cluster.peers.values()] == [False] * 3
    assert [held.nick for held in cluster.host.public.seats] == ["ana", "ben", "cy"]


def test_a_turn_played_in_time_begins_the_count_anew() -> None:
    cluster = timed(seconds=5)
    for turn in range(1, 5):
        for name in ("ana", "ben", "cy"):
            if name == "ana" and turn != 2:
                cluster.pass_time(5.1)
            else:
                cluster.act(name, "draw")
                cluster.act(name, laying(cluster.peers[name].guest.my_turn, ()))
    assert cluster.host.public.bots_on == set()


def test_whoever_left_and_came_again_begins_a_new_count() -> None:
    cluster = timed(seconds=5)
    for name in ("ana", "ben", "cy") * (LATE_TURNS - 1):
        if name == "ben":
            cluster.pass_time(5.1)
        else:
            whole_turn(cluster, name)
    cluster.leave("ben")
    assert cluster.host._turns._late == {}


def test_a_table_of_programs_plays_on_where_one_of_them_hangs() -> None:
    cluster = Cluster(1, settings={"turn_seconds": "5", "seat_order": "join_order"})
    cluster.join("ana", host=True, watch=True)
    for name in ("ben", "cy", "dot"):
        cluster.join(name, program=True)
    cluster.order("start")
    for _ in range(200):
        if cluster.host.public.ends:
            break
        for peer in cluster.movers:
            if peer.name != "ben":
                cluster.act(peer.name, tame_move(cluster, peer))
        cluster.pass_time(2)
    assert cluster.host.public.ends
    assert BotPlays(0, "ben", True, "time-outs") in cluster.peers["cy"].told(BotPlays)
    assert cluster.peers["ana"].told(Audited)[0].ok


# ---- skipping


def test_the_hosts_word_skips_a_turn_at_once() -> None:
    cluster = starting("ben")
    cluster.want("ana", "skip")
    assert acts(cluster) == [(1, EntryKind.ACT)] * 2
    assert to_act(cluster) == (2,)
    assert cluster.peers["cy"].told(SkipWanted) == [SkipWanted(0, "ana", 1, 2)]


def test_others_need_a_majority_of_those_who_wait() -> None:
    cluster = starting("ana")
    cluster.want("ben", "skip")
    assert acts(cluster) == []
    view = cluster.peers["cy"].guest.table_view()
    assert view is not None
    assert view.skips == (1,)
    cluster.want("ben", "skip")  # said twice counts once
    assert acts(cluster) == []
    cluster.want("cy", "skip")
    assert acts(cluster) == [(0, EntryKind.ACT)] * 2
    told = cluster.peers["ana"].told(SkipWanted)
    assert told == [SkipWanted(1, "ben", 1, 2), SkipWanted(2, "cy", 2, 2)]


def test_a_wish_to_skip_ends_with_the_turn() -> None:
    cluster = starting("ana")
    cluster.want("ben", "skip")
    cluster.act("ana", "draw")
    cluster.act("ana", laying(cluster.peers["ana"].guest.my_turn, ()))
    cluster.act("ben", "draw")
    cluster.act("ben", laying(cluster.peers["ben"].guest.my_turn, ()))
    cluster.act("cy", "draw")
    cluster.act("cy", laying(cluster.peers["cy"].guest.my_turn, ()))
    cluster.want("cy", "skip")
    assert acts(cluster) == []


@pytest.mark.parametrize(
    ("name", "code"), [("ana", "own_turn"), ("dot", "not_seated")], ids=["whose turn it is", "a spectator"]
)
def test_who_may_not_skip(name: str, code: str) -> None:
    cluster = starting("ana")
    cluster.join("dot", watch=True)
    cluster.want(name, "skip")
    assert [notice.code for notice in cluster.peers[name].told(Refused)] == [code]
    assert acts(cluster) == []


def test_between_rounds_there_is_nobody_to_skip() -> None:
    cluster = starting("ana")
    play_round(cluster)
    cluster.want("ben", "skip")
    assert [notice.code for notice in cluster.peers["ben"].told(Refused)][-1] == "nobody_waited_for"


def test_a_host_without_a_seat_may_skip_a_turn() -> None:
    cluster = Cluster(1, settings={"seat_order": "join_order"})
    cluster.join("ana", host=True, watch=True)
    for name in ("ben", "cy", "dot"):
        cluster.join(name)
    cluster.order("start")
    (late,) = to_act(cluster)
    cluster.want("ana", "skip")
    assert {seat for seat, _ in acts(cluster)} == {late}
    cluster.want("ana", "deck")
    assert [notice.code for notice in cluster.peers["ana"].told(Refused)] == ["not_seated"]


def test_a_program_waits_and_its_wish_counts_for_nobodys() -> None:
    cluster = Cluster(1, game="tienlen", seats=4, settings={"seat_order": "join_order"})
    cluster.join("ana", host=True)
    cluster.join("ben")
    cluster.join("cy", program=True)
    cluster.join("dot")
    cluster.order("start")
    while to_act(cluster) != (0,):
        cluster.act(cluster.movers[0].name, legal_texts(cluster.movers[0])[0])
    cluster.want("ben", "skip")
    cluster.want("cy", "skip")
    assert [notice.code for notice in cluster.peers["cy"].told(Refused)] == ["programs_wait"]
    assert acts(cluster) == []
    cluster.want("dot", "skip")
    assert acts(cluster) != []


def test_a_wish_is_enough_once_those_who_did_not_share_it_are_gone() -> None:
    cluster = Cluster(1, game="tienlen", seats=4, settings={"seat_order": "join_order"})
    for name in ("ana", "ben", "cy", "dot"):
        cluster.join(name, host=name == "ana")
    cluster.order("start")
    while to_act(cluster) != (0,):
        cluster.act(cluster.movers[0].name, legal_texts(cluster.movers[0])[0])
    cluster.want("ben", "skip")
    cluster.leave("cy")
    assert acts(cluster) == []  # one of two
    cluster.leave("dot")
    assert acts(cluster) != []


def test_the_wish_of_who_has_left_counts_no_longer() -> None:
    cluster = Cluster(1, game="onecard", seats=5, settings={"seat_order": "join_order"})
    for name in ("ana", "ben", "cy", "dot", "eve"):
        cluster.join(name, host=name == "ana")
    cluster.order("start")
    while to_act(cluster) != (0,):
        cluster.act(cluster.movers[0].name, legal_texts(cluster.movers[0])[0])
    cluster.want("ben", "skip")
    cluster.leave("ben")
    cluster.want("cy", "skip")
    assert acts(cluster) == []
    view = cluster.peers["eve"].guest.table_view()
    assert view is not None
    assert view.skips == (2,)
    cluster.want("dot", "skip")
    assert acts(cluster) != []


def test_a_skip_of_who_dropped_does_not_wait_for_the_grace_time() -> None:
    cluster = starting("ben")
    cluster.cut("ben")
    cluster.want("ana", "skip")
    assert to_act(cluster) == (2,)
    cluster.back("ben")
    assert cluster.host.public.bots_on == set()
