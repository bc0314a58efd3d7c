"""The lobby of a kept table after a match (design, "The table": `--keep`)."""

from __future__ import annotations

from p2pcards.table.notices import MatchOver, Refused, SeatsFull
from p2pcards.wire.entries import SeatKind
from tests.testing.cluster import Cluster, play_round

ONE = {"match_rounds": "1"}
IN_ORDER = {"seat_order": "join_order"}


def kept(*names: str, bots: int = 0, seats: int = 3, bot_fill: str = "true") -> Cluster:
    """A kept table whose host has no seat, before the start."""
    game = "tongits" if seats == 3 else "tienlen"
    settings = {**IN_ORDER, "idle_minutes": "0", "bot_fill": bot_fill}
    cluster = Cluster(game=game, options=ONE, settings=settings, keeps=True, seats=seats)
    cluster.join("host", host=True, watch=True)
    for name in names:
        cluster.join(name)
    for _ in range(bots):
        cluster.order("bot", "add", "easy")
    return cluster


def nicks(cluster: Cluster) -> list[str]:
    return [held.nick for held in cluster.host.public.seats]


def full(cluster: Cluster) -> int:
    return sum(isinstance(notice, SeatsFull) for notice in cluster.host_notices)


def play_match(cluster: Cluster) -> None:
    play_round(cluster)
    cluster.pass_time(3)
    assert cluster.host.public.match_over


def test_bots_that_filled_it_up_get_up_after_the_match_and_those_that_were_asked_for_stay() -> None:
    cluster = kept("ana", bots=1, seats=4)
    cluster.order("start")
    assert nicks(cluster) == ["ana", "bot-1", "bot-2", "bot-3"]
    play_match(cluster)
    assert nicks(cluster) == ["ana", "bot-1", "", ""]
    assert not cluster.host.closed


def test_without_keep_they_stay() -> None:
    cluster = Cluster(options=ONE, settings=IN_ORDER)
    cluster.join("host", host=True, watch=True)
    cluster.join("ana")
    cluster.order("start")
    play_match(cluster)
    assert nicks(cluster) == ["ana", "bot-1", "bot-2"]


def test_the_seat_of_a_leaver_is_free_after_the_match() -> None:
    cluster = kept("ana", "ben", "cy")
    cluster.order("start")
    cluster.leave("cy")
    play_match(cluster)
    assert nicks(cluster) == ["ana", "ben", ""]


def test_seats_that_were_taken_away_for_the_match_are_there_again() -> None:
    cluster = kept("ana", "ben", "cy", seats=4, bot_fill="false")
    cluster.order("start")
    assert nicks(cluster) == ["ana", "ben", "cy"]
    play_match(cluster)
    assert nicks(cluster) == ["ana", "ben", "cy", ""]


def test_who_played_is_asked_for_again_and_who_comes_is_ready() -> None:
    cluster = kept("ana", "ben", "cy")
    cluster.order("start")
    play_match(cluster)
    cluster.leave("cy")
    cluster.join("dan")
    cluster.pass_time(2)
    assert (full(cluster), cluster.host.public.match) == (1, 1)
    cluster.want("ana", "next")
    assert cluster.host.public.match == 1
    cluster.want("ben", "next")
    assert cluster.host.public.match == 2
    assert nicks(cluster) == ["ana", "ben", "dan"]


def test_programs_that_come_again_fill_it_again() -> None:
    cluster = kept()
    for name in ("ana", "ben", "cy"):
        cluster.join(name, program=True)
    assert full(cluster) == 1
    cluster.order("start")
    play_match(cluster)
    assert full(cluster) == 1
    for name in ("ana", "ben", "cy"):
        cluster.leave(name)
    for name in ("ana", "ben", "cy"):
        cluster.join(name, program=True)
    cluster.pass_time(1)
    assert full(cluster) == 2


def test_bots_alone_begin_once_and_not_for_ever() -> None:
    cluster = kept(bots=3)
    assert full(cluster) == 1
    cluster.order("start")
    cluster.pass_time(300)
    assert cluster.host.public.match_over
    assert (full(cluster), cluster.host.public.match) == (1, 1)
    assert nicks(cluster) == ["bot-1", "bot-2", "bot-3"]


def test_its_people_see_the_end_of_each_match_once() -> None:
    cluster = kept("ana", "ben")
    for match in (1, 2):
        cluster.order("start")
        play_match(cluster)
        assert len(cluster.peers["ben"].told(MatchOver)) == match


# ---- the word of a host without a seat


def test_a_host_without_a_seat_deals_the_next_round_and_ends_the_match() -> None:
    cluster = Cluster(settings=IN_ORDER)
    host = cluster.join("host", host=True, watch=True)
    cluster.join("ana")
    cluster.join("ben")
    cluster.order("start")
    cluster.want("host", "next")
    assert [notice.code for notice in host.told(Refused)] == ["not_now"]
    play_round(cluster)
    cluster.pass_time(2)
    assert cluster.host.public.round is None
    cluster.want("host", "next")
    assert cluster.host.public.round_number == 2
    play_round(cluster)
    cluster.pass_time(2)
    cluster.want("host", "stop")
    assert cluster.host.public.match_over
    cluster.want("host", "next")
    assert [notice.code for notice in host.told(Refused)] == ["not_now"] * 2


def test_nobody_else_without_a_seat_has_that_word() -> None:
    cluster = kept("ana", "ben")
    looker = cluster.join("dan", watch=True)
    cluster.order("start")
    play_match(cluster)
    for wish in ("next", "stop"):
        cluster.want("dan", wish)
    assert [notice.code for notice in looker.told(Refused)] == ["not_seated"] * 2
    assert [held.kind for held in cluster.host.public.seats] == [SeatKind.MEMBER, SeatKind.MEMBER, SeatKind.OPEN]
