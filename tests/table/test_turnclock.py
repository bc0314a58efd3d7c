"""The turn clock, and the deck laid open (rules 1; design, "The table")."""

from __future__ import annotations

import pytest

from p2pcards.cards import face
from p2pcards.table.notices import Acted, Alarm, Audited, DeckShown, Recorded, Refused, TimeShort
from p2pcards.table.turnclock import TurnClock
from p2pcards.wire.entries import EntryFlag, EntryKind
from p2pcards.wire.messages import Clock
from tests.testing.cluster import Cluster, Peer, play_round, started
from tests.testing.table import fold_of, laying, question, starting, to_act


def timed(seconds: int = 30) -> Cluster:
    """A first round with a turn clock, ana to act."""
    return starting("ana", settings={"turn_seconds": str(seconds)})


def shown(peer: Peer) -> float | None:
    view = peer.guest.table_view()
    assert view is not None
    return view.clock_at


def acts(cluster: Cluster, flag: EntryFlag = EntryFlag.TIME) -> list[tuple[int, EntryKind]]:
    return [(entry.seat, entry.kind) for entry in cluster.host.public.journal.entries if entry.flags is flag]


# ---- the clock by itself


def test_another_turn_winds_the_clock_and_the_same_turn_does_not() -> None:
    clock = TurnClock()
    clock.wind((1, 5), 30, 100.0)
    clock.wind((1, 5), 30, 110.0)
    assert clock.by == 130.0
    assert not clock.is_up(129.9)
    assert clock.is_up(130.0)
    clock.want(b"ana")
    clock.wind((1, 7), 30, 120.0)
    assert (clock.by, clock.skips) == (150.0, ())
    clock.wind(None, 30, 121.0)
    assert clock.by is None
    clock.wind((1, 9), 0, 122.0)
    assert clock.by is None


# ---- at the table


def test_without_a_clock_nothing_is_said_of_time() -> None:
    cluster = starting("ana")
    cluster.pass_time(1500)
    assert all(shown(peer) is None and peer.told(TimeShort) == [] for peer in cluster.peers.values())
    assert not any(isinstance(message, Clock) for peer in cluster.peers.values() for message in peer.received)
    assert to_act(cluster) == (0,)


def test_everybody_sees_how_long_the_turn_may_take() -> None:
    cluster = timed()
    assert {shown(peer) for peer in cluster.peers.values()} == {cluster.now + 30}


def test_two_warnings_at_half_of_the_time_and_ten_seconds_before_the_end() -> None:
    cluster = timed()
    cluster.pass_time(14.9)
    assert cluster.peers["ben"].told(TimeShort) == []
    cluster.pass_time(0.2)
    assert cluster.peers["ben"].told(TimeShort) == [TimeShort((0,), ("ana",), 15)]
    cluster.pass_time(5)
    for peer in cluster.peers.values():
        assert peer.told(TimeShort) == [TimeShort((0,), ("ana",), 15), TimeShort((0,), ("ana",), 10)]


def test_a_short_clock_warns_once_where_ten_seconds_are_more_than_there_are() -> None:
    cluster = timed(seconds=8)
    cluster.pass_time(7.9)
    assert [notice.seconds for notice in cluster.peers["ana"].told(TimeShort)] == [4]


def test_when_the_time_is_up_the_turn_is_played_by_the_safe_default() -> None:
    cluster = timed()
    cluster.pass_time(30.1)
    assert acts(cluster) == [(0, EntryKind.ACT)] * 2
    draw, discard = (text for seat, text in fold_of(cluster).actions if seat == 0)
    assert draw == "draw"
    assert discard.startswith("discard ")
    assert to_act(cluster) == (1,)
    told = [notice for notice in cluster.peers["cy"].told(Acted) if notice.by == "time"]
    assert [notice.nick for notice in told] == ["ana", "ana"]
    assert {shown(peer) for peer in cluster.peers.values()} == {cluster.now - 0.1 + 30}


def test_what_is_done_within_a_turn_does_not_wind_the_clock() -> None:
    cluster = timed()
    up = shown(cluster.peers["ben"])
    cluster.pass_time(20)
    cluster.act("ana", "draw")
    assert shown(cluster.peers["ben"]) == up
    cluster.pass_time(10.1)
    assert to_act(cluster) == (1,)
    assert len(acts(cluster)) == 1


def test_who_does_not_answer_a_call_in_time_folds() -> None:
    cluster = question(settings={"turn_seconds": "30"})
    cluster.pass_time(30.1)
    assert acts(cluster) == [(1, EntryKind.OPENING), (2, EntryKind.OPENING)]
    assert cluster.host.public.ends[0].winners == (0,)


def test_an_answer_given_stands_when_the_time_of_the_other_is_up() -> None:
    cluster = question(settings={"turn_seconds": "30"})
    cluster.pass_time(20)
    cluster.act("ben", "challenge")
    cluster.pass_time(10.1)
    assert acts(cluster) == [(2, EntryKind.OPENING)]
    assert ("ben", "challenge") in cluster.acted
    assert [notice.text for notice in cluster.peers["cy"].told(Acted) if notice.kind == "opening"] == [
        "fold",
        "challenge",
    ]


def test_a_round_that_nobody_plays_is_played_by_the_clock_and_verified() -> None:
    cluster = timed(seconds=5)
    cluster.pass_time(5 * 60)
    assert cluster.host.public.ends
    for peer in cluster.peers.values():
        assert all(audit.ok for audit in peer.told(Audited))
        assert peer.told(Alarm) == []
        assert peer.told(Recorded)


@pytest.mark.parametrize(("game", "seats"), [("tienlen", 4), ("straights", 4), ("onecard", 4)])
def test_the_clock_plays_every_game(game: str, seats: int) -> None:
    settings = {"turn_seconds": "5", "bot_level": "random"}
    cluster = started(2, game=game, seats=seats, settings=settings)
    for _ in range(400):
        if cluster.host.public.ends:
            break
        cluster.pass_time(5.1)
    for peer in cluster.peers.values():
        assert peer.told(Audited)[0].ok


def test_a_bot_is_not_hurried() -> None:
    cluster = timed(seconds=10)
    cluster.bots = None
    cluster.leave("ben")
    cluster.act("ana", "draw")
    cluster.act("ana", laying(cluster.peers["ana"].guest.my_turn, ()))
    assert to_act(cluster) == (1,)
    cluster.pass_time(60)
    assert to_act(cluster) == (1,)
    assert acts(cluster) == []


def test_whoever_comes_back_to_the_table_is_shown_the_time_that_is_left() -> None:
    cluster = timed()
    up = shown(cluster.peers["ben"])
    cluster.cut("ben")
    assert shown(cluster.peers["ben"]) is None
    cluster.pass_time(18)
    cluster.back("ben")
    assert shown(cluster.peers["ben"]) == up
    cluster.pass_time(2.5)
    assert [notice.seconds for notice in cluster.peers["ben"].told(TimeShort)] == [10]


# ---- the deck


def test_the_deck_is_laid_open_for_everybody_where_the_table_allows_it() -> None:
    cluster = starting("ana", settings={"allow_peek": "true"})
    cluster.join("dot", watch=True)
    cluster.want("ben", "deck")
    order = tuple(map(face, fold_of(cluster).order))
    for peer in cluster.peers.values():
        view = peer.guest.table_view()
        assert view is not None
        assert view.deck == order
        assert peer.told(DeckShown) == [DeckShown(1, "ben")]
    cluster.want("cy", "deck")
    assert [notice.code for notice in cluster.peers["cy"].told(Refused)] == ["not_now"]
    play_round(cluster)
    assert all(peer.told(Audited)[0].ok for peer in cluster.peers.values())


def test_elsewhere_nobody_may_look_at_it() -> None:
    cluster = starting("ana")
    length = len(cluster.host.public.journal)
    cluster.want("ana", "deck")
    assert [notice.code for notice in cluster.peers["ana"].told(Refused)] == ["no_peek"]
    assert len(cluster.host.public.journal) == length


def test_who_comes_later_sees_the_open_deck_too() -> None:
    cluster = starting("ana", settings={"allow_peek": "true"})
    cluster.want("ana", "deck")
    late = cluster.join("dot", watch=True)
    view = late.guest.table_view()
    assert view is not None
    assert len(view.deck) == 52
