"""What a guest asks for that is no act: to be away, to sit, to watch."""

from __future__ import annotations

from p2pcards.table.notices import BotPlays, Refused, Seated
from p2pcards.table.wishes import AWAY_SECONDS
from p2pcards.wire.entries import EntryKind
from tests.testing.cluster import Cluster, play_round


def _table() -> Cluster:
    cluster = Cluster(game="onecard", seats=3)
    for name in ("ana", "ben", "cid"):
        cluster.join(name, host=name == "ana")
    cluster.pass_time(1.5)
    return cluster


def test_a_bot_plays_for_who_is_away_until_he_is_back() -> None:
    cluster = _table()
    cluster.order("start")
    seat = cluster.peers["ben"].seat
    cluster.want("ben", "away")
    assert seat in cluster.host.public.bots_on
    assert BotPlays(seat, "ben", True, "away") in cluster.peers["cid"].notices
    cluster.want("ben", "away")
    assert cluster.peers["ben"].told(Refused)[-1].code == "away"
    cluster.want("ben", "back")
    assert seat not in cluster.host.public.bots_on


def test_who_goes_and_comes_back_all_the_time_must_wait_a_little() -> None:
    cluster = _table()
    cluster.order("start")
    ben = cluster.peers["ben"]
    for _ in range(2):
        written = len(cluster.host.public.journal)
        for _ in range(20):
            cluster.want("ben", "away")
            cluster.want("ben", "back")
        kinds = [entry.kind for entry in cluster.host.public.journal.entries[written:]]
        assert kinds.count(EntryKind.BOT) == 2
        assert (ben.told(Refused)[-1].code, ben.told(Refused)[-1].text) == ("away_soon", "5")
        cluster.pass_time(AWAY_SECONDS)
    cluster.want("cid", "away")
    assert cluster.peers["cid"].seat in cluster.host.public.bots_on


def test_outside_a_match_nobody_can_be_away() -> None:
    cluster = _table()
    cluster.want("ben", "away")
    assert cluster.peers["ben"].told(Refused)[-1].code == "not_now"


def test_nobody_waits_with_the_next_round_for_who_is_away() -> None:
    cluster = Cluster(game="tongits", seats=3)
    for name in ("ana", "ben", "cid"):
        cluster.join(name, host=name == "ana")
    cluster.pass_time(1.5)
    cluster.order("start")
    cluster.want("ben", "away")
    play_round(cluster)
    before = cluster.host.public.round_number
    for name in ("ana", "cid"):
        cluster.want(name, "next")
    cluster.pass_time(1.5)
    assert cluster.host.public.round_number == before + 1


def test_a_spectator_asks_for_a_seat_and_has_it_between_rounds() -> None:
    cluster = Cluster(game="onecard", seats=3)
    for name in ("ana", "ben"):
        cluster.join(name, host=name == "ana")
    eva = cluster.join("eva", watch=True)
    cluster.pass_time(1.5)
    assert eva.guest.me is None
    cluster.want("eva", "seat")
    cluster.pass_time(1.5)
    assert eva.guest.me is not None
    assert any(seated.nick == "eva" for seated in cluster.peers["ben"].told(Seated))
    cluster.want("eva", "seat")
    assert eva.told(Refused)[-1].code == "seated"


def test_who_would_sit_where_no_seat_is_free_is_told_so_and_sits_later() -> None:
    cluster = _table()
    eva = cluster.join("eva", watch=True)
    cluster.want("eva", "seat")
    assert eva.told(Refused)[-1].code == "no_seat"
    cluster.leave("ben")
    cluster.pass_time(1.5)
    assert eva.guest.me is not None


def test_who_would_rather_watch_again_is_not_seated() -> None:
    cluster = _table()
    eva = cluster.join("eva", watch=True)
    cluster.want("eva", "seat")
    cluster.want("eva", "watch")
    cluster.leave("ben")
    cluster.pass_time(1.5)
    assert eva.guest.me is None
