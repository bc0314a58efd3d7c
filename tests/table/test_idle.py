"""A table at which nobody does anything closes after a while, and says so before (design, "The table")."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from p2pcards.table.idle import WARNING_SECONDS
from p2pcards.table.notices import Closed, TimeShort
from tests.testing.cluster import Cluster, Peer, play_round, three
from tests.testing.table import starting

MINUTES = 60.0
WARNING = TimeShort((), (), 120)
FIVE = {"idle_minutes": "5"}
"""As long as it takes at most of the tables here."""


def warnings(cluster: Cluster) -> list[list[TimeShort]]:
    return [peer.told(TimeShort) for peer in cluster.peers.values()]


def ends(peer: Peer) -> list[tuple[str, str]]:
    return [(notice.reason, notice.text) for notice in peer.told(Closed)]


def test_a_lobby_in_which_nothing_happens_closes_after_half_an_hour_and_warns_two_minutes_before() -> None:
    cluster = three()
    cluster.pass_time(28 * MINUTES - 1)
    assert warnings(cluster) == [[], [], []]
    cluster.pass_time(2)
    assert warnings(cluster) == [[WARNING]] * 3
    cluster.pass_time(WARNING_SECONDS - 2)
    assert not cluster.host.closed
    cluster.pass_time(2)
    assert cluster.host.closed
    assert warnings(cluster) == [[WARNING]] * 3
    assert {name: ends(peer) for name, peer in cluster.peers.items()} == {
        key: [("bye", "nobody did anything for 30 minutes")] for key in ("ana", "ben", "cy")
    }


def join(cluster: Cluster) -> None:
    cluster.join("dan", watch=True)


def leave(cluster: Cluster) -> None:
    cluster.leave("cy")


def talk(cluster: Cluster) -> None:
    cluster.speak("ben", "still here")


def set_rule(cluster: Cluster) -> None:
    cluster.order("set", "turn_seconds", "30")


def give_seat(cluster: Cluster) -> None:
    cluster.order("bot", "add", "")


@pytest.mark.parametrize("does", [join, leave, talk, set_rule, give_seat])
def test_whoever_does_something_keeps_the_lobby_open_and_is_warned_again_later(
    does: Callable[[Cluster], None],
) -> None:
    cluster = three(game="tienlen", seats=4, settings=FIVE)
    cluster.pass_time(4 * MINUTES)
    does(cluster)
    cluster.pass_time(2 * MINUTES)
    assert not cluster.host.closed
    here = [peer for peer in cluster.peers.values() if peer.link is not None and peer.name != "dan"]
    assert {len(peer.told(TimeShort)) for peer in here} == {1}
    cluster.pass_time(1 * MINUTES)
    assert {len(peer.told(TimeShort)) for peer in here} == {2}
    cluster.pass_time(2 * MINUTES)
    assert cluster.host.closed


def test_a_match_in_which_no_person_plays_closes_too() -> None:
    cluster = starting("ana", settings=FIVE)
    cluster.pass_time(3 * MINUTES)
    assert warnings(cluster) == [[WARNING]] * 3
    cluster.pass_time(2 * MINUTES)
    assert cluster.host.closed


def test_a_move_counts_and_so_does_the_wish_to_go_on() -> None:
    cluster = starting("ana", settings=FIVE)
    cluster.pass_time(2.5 * MINUTES)
    play_round(cluster)
    cluster.pass_time(15)
    cluster.want("ben", "next")
    cluster.pass_time(4.9 * MINUTES)
    assert not cluster.host.closed
    assert warnings(cluster) == [[WARNING]] * 3


def test_bots_that_play_on_for_everybody_do_not_count() -> None:
    cluster = three(options={"match_rounds": "9999"}, settings=FIVE)
    cluster.order("start")
    for name in cluster.peers:
        cluster.want(name, "away")
    played = len(cluster.host.public.journal)
    cluster.pass_time(5 * MINUTES)
    assert len(cluster.host.public.journal) > played + 100
    assert cluster.host.closed


def test_a_table_that_is_to_stay_open_does() -> None:
    cluster = three(settings={"idle_minutes": "0"})
    cluster.pass_time(40 * MINUTES)
    assert not cluster.host.closed
    assert warnings(cluster) == [[], [], []]


def test_the_time_is_the_tables_own_and_can_be_set_in_the_lobby() -> None:
    cluster = three()
    cluster.order("set", "idle_minutes", "5")
    cluster.pass_time(3 * MINUTES + 1)
    assert warnings(cluster) == [[WARNING]] * 3
    cluster.pass_time(2 * MINUTES)
    assert ends(cluster.peers["ben"]) == [("bye", "nobody did anything for 5 minutes")]


def test_who_comes_to_a_table_that_is_about_to_close_sees_it_stay() -> None:
    cluster = three(settings=FIVE)
    cluster.pass_time(4 * MINUTES)
    join(cluster)
    cluster.pass_time(2 * MINUTES)
    assert not cluster.host.closed
    assert cluster.peers["dan"].told(TimeShort) == []


def test_a_machine_that_slept_through_the_time_did_not_idle() -> None:
    cluster = Cluster(settings=FIVE)  # with others it would stand still at first
    cluster.join("ana", host=True)
    cluster.pass_time(2 * MINUTES)
    cluster.now += 60 * MINUTES
    cluster.pass_time(1 * MINUTES)
    assert not cluster.host.closed
