"""A host whom too few answer: nothing goes on at its table, and all of it does when they are back (protocol 7.2)."""

from __future__ import annotations

import pytest

from p2pcards.errors import UserError
from p2pcards.table.lease import LEASE
from p2pcards.table.notices import Refused
from p2pcards.wire.entries import Cause, EntryKind, Roster, decode_pub
from p2pcards.wire.messages import View
from tests.testing.cluster import Cluster
from tests.testing.table import laying, starting, tame_bot, to_act

GRACE = 30


def alone(first: str = "ana", **settings: str) -> Cluster:
    """A round in which that player is to act; the other two are out of reach, and it has been so for a while."""
    cluster = starting(first, settings={"grace_seconds": str(GRACE), **settings})
    cluster.silence("ben", "cy")
    cluster.pass_time(LEASE + 2)
    assert not cluster.host.active(cluster.now)
    return cluster


def back(cluster: Cluster, *names: str) -> None:
    for name in names:
        cluster.cut(name)
        cluster.back(name)
    cluster.pass_time(1.5)


def test_it_takes_no_act_and_plays_for_nobody() -> None:
    cluster = alone(turn_seconds="5")
    before = list(cluster.host.public.journal.wires)
    cluster.act("ana", "draw")
    assert [refused.code for refused in cluster.peers["ana"].told(Refused)] == ["paused"]
    cluster.pass_time(10 * GRACE)
    cluster.want("ana", "skip")
    assert cluster.host.public.journal.wires == before
    for words in (
        ("set", "turn_seconds", "7"),
        ("start",),
        ("door", "ask"),
        ("kick", "ben", "", "0"),
        ("handover", ""),
    ):
        with pytest.raises(UserError, match="stands still"):
            cluster.order(*words)
    assert cluster.host.public.journal.wires == before


def test_it_goes_on_by_itself_when_one_is_back_and_everybody_has_his_time_again() -> None:
    cluster = alone(turn_seconds="40")
    cluster.pass_time(10 * GRACE)
    shown = sum(isinstance(message, View) for message in cluster.peers["ana"].received)
    back(cluster, "ben")
    assert cluster.host.active(cluster.now)
    assert sum(isinstance(message, View) for message in cluster.peers["ana"].received) == shown + 1  # it is her turn
    cluster.act("ana", "draw")
    assert cluster.host.public.journal.entries[-1].kind is EntryKind.ACT
    view = cluster.peers["ben"].guest.table_view()
    assert view is not None
    assert view.clock_at is not None
    assert 36 < view.clock_at - cluster.now <= 40
    held = view.seats[2].held_until
    assert held is not None
    assert GRACE - 4 < held - cluster.now <= GRACE
    cluster.pass_time(GRACE + 1)
    assert cluster.host.public.bots_on == {2}


def test_a_bot_is_asked_again_when_it_goes_on() -> None:
    cluster = starting("ana", settings={"grace_seconds": "0"})
    cluster.bots = None
    cluster.cut("ben")
    cluster.act("ana", "draw")
    cluster.act("ana", laying(cluster.peers["ana"].guest.my_turn, ()))
    assert to_act(cluster) == (1,)
    cluster.cut("cy")
    cluster.pass_time(LEASE + 2)
    cluster.bots = tame_bot
    cluster.pass_time(20)
    assert to_act(cluster) == (1,)
    back(cluster, "cy")
    assert to_act(cluster) != (1,)


def test_a_good_bye_is_written_all_the_same_and_may_be_what_it_takes() -> None:
    """Its signer has no vote any more, so those who stay are enough."""
    cluster = starting("ana", settings={"grace_seconds": str(GRACE)})
    cluster.silence("ben")
    cluster.peers["cy"].deaf = True
    cluster.pass_time(LEASE + 0.5)
    assert not cluster.host.active(cluster.now)
    before = len(cluster.host.public.journal)
    cluster.peers["cy"].deaf = False
    cluster.loses = None
    cluster.leave("cy")
    fresh = cluster.host.public.journal.entries[before:]
    pub = decode_pub(fresh[0].kind, fresh[0].pub)
    assert isinstance(pub, Roster)
    assert pub.cause is Cause.LEAVES
    assert len(cluster.host.public.voters) == 2
    assert cluster.host.active(cluster.now)
    assert cluster.host.public.bots_on == {2}


def test_who_comes_meanwhile_is_let_in_and_stands_in_the_roster_when_it_goes_on() -> None:
    cluster = alone()
    before = len(cluster.host.public.journal)
    cluster.join("dot", watch=True)
    assert cluster.peers["dot"].journal == cluster.host.public.journal.wires
    assert len(cluster.host.public.journal) == before
    back(cluster, "ben")
    assert [nick for _, nick in cluster.host.public.spectators] == ["dot"]
    cluster.pass_time(1)
    assert not cluster.peers["dot"].guest.finished


def test_who_watched_and_goes_meanwhile_is_out_of_the_roster_when_it_goes_on() -> None:
    cluster = starting("ana")
    cluster.join("dot", watch=True)
    cluster.silence("ben", "cy")
    cluster.pass_time(LEASE + 2)
    cluster.cut("dot")
    assert cluster.host.public.spectators != ()
    back(cluster, "cy")
    cluster.pass_time(1)
    assert cluster.host.public.spectators == ()


def test_a_bot_gives_the_seat_back_when_it_goes_on() -> None:
    cluster = starting("ana", settings={"grace_seconds": "2"})
    cluster.cut("ben")
    cluster.pass_time(3)
    assert cluster.host.public.bots_on == {1}
    cluster.peers["cy"].mute = True
    cluster.pass_time(LEASE + 1)
    cluster.loses = lambda name, message: type(message).__name__ == "Ack"
    cluster.back("ben")
    assert cluster.host.public.bots_on == {1}
    cluster.loses = None
    cluster.pass_time(1.5)
    assert cluster.host.public.bots_on == set()
