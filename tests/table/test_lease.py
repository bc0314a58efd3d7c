"""How long a host may act without an answer (protocol 7.2): it counts from when the heartbeat was sent."""

from __future__ import annotations

import pytest

from p2pcards.table.lease import LEASE
from p2pcards.table.pulse import ASLEEP
from p2pcards.wire.messages import Ack
from tests.testing.voters import ack, beats, keys, table


def test_a_host_of_three_is_active_while_one_of_the_others_answers() -> None:
    cluster, (ben, _) = table("ben", "cy")
    assert cluster.host.public.voters == keys("ana", "ben", "cy")
    for _ in range(10):
        cluster.pass_time(1)
        ack(ben)
        assert cluster.host.active(cluster.now)
    cluster.pass_time(LEASE - 0.5)
    assert cluster.host.active(cluster.now)
    cluster.pass_time(1)
    assert not cluster.host.active(cluster.now)
    ack(ben)
    assert cluster.host.active(cluster.now)


def test_those_who_voted_for_it_keep_a_host_active_from_the_moment_that_this_is_known() -> None:
    cluster, _ = table("ben", "cy")
    cluster.pass_time(LEASE + 1)
    lease = cluster.host._lease
    assert not lease.active(cluster.now)
    lease.granted(keys("ben"), cluster.now - 1.0)
    assert lease.active(cluster.now + LEASE - 1.5)
    assert not lease.active(cluster.now + LEASE - 0.5)


def test_an_answer_counts_from_when_the_heartbeat_was_sent() -> None:
    """A voter that waited for long may have voted for somebody else since."""
    cluster, (ben, _) = table("ben", "cy")
    early = beats(ben)[-1]
    cluster.pass_time(LEASE + 1)
    ack(ben, beat=early)
    assert not cluster.host.active(cluster.now)
    late = beats(ben)[-1]
    cluster.pass_time(LEASE - 0.5)
    ack(ben, beat=late)
    assert cluster.host.active(cluster.now)
    cluster.pass_time(1)
    assert not cluster.host.active(cluster.now)


def test_numbers_that_no_heartbeat_had_renew_nothing() -> None:
    cluster, (ben, _) = table("ben", "cy")
    cluster.pass_time(LEASE + 1)
    for beat in (0, 1, beats(ben)[-1] + 1, 2 << 32 | 1, 2**64 - 1):
        ack(ben, beat=beat)
        assert not cluster.host.active(cluster.now)


def test_who_answers_out_of_another_term_renews_nothing() -> None:
    """It may have helped to elect somebody else, or not know yet that it is to wait for this host."""
    cluster, (ben, _) = table("ben", "cy")
    cluster.pass_time(LEASE + 1)
    journal = cluster.host.public.journal
    for term in (2, 7):
        ben.send(Ack(journal.table, term, journal.last, journal.head, beats(ben)[-1], 0, True))
        assert not cluster.host.active(cluster.now)
    ack(ben)
    assert cluster.host.active(cluster.now)


def test_four_need_two_answers_and_five_two() -> None:
    cluster, (ben, cy, _) = table("ben", "cy", "dot", game="tienlen", seats=4)
    cluster.pass_time(LEASE + 1)
    ack(ben)
    assert not cluster.host.active(cluster.now)
    ack(cy)
    assert cluster.host.active(cluster.now)
    cluster, (ben, cy, _, _) = table("ben", "cy", "dot", "eve", game="onecard", seats=5)
    cluster.pass_time(LEASE + 1)
    ack(ben)
    assert not cluster.host.active(cluster.now)
    ack(cy)
    assert cluster.host.active(cluster.now)


@pytest.mark.parametrize("names", [(), ("ben",)])
def test_one_and_two_have_no_lease(names: tuple[str, ...]) -> None:
    cluster, _ = table(*names)
    cluster.pass_time(100)
    assert cluster.host.active(cluster.now)


def test_a_host_that_slept_waits_for_fresh_answers() -> None:
    """Within the lease, too: its clock may have stood still."""
    cluster, (ben, _) = table("ben", "cy")
    before = beats(ben)[-1]
    cluster.now += ASLEEP + 0.1
    ack(ben, beat=before)
    assert not cluster.host.active(cluster.now)
    assert beats(ben)[-1] > before
    ack(ben)
    assert cluster.host.active(cluster.now)


def test_who_is_on_the_way_out_keeps_nobody_active() -> None:
    cluster, (ben, cy) = table("ben", "cy")
    assert cluster.host._lease.active(cluster.now, without=keys("ben")[0])
    cluster.pass_time(3.5)
    ack(ben)
    cluster.pass_time(1)
    assert not cluster.host._lease.active(cluster.now, without=keys("ben")[0])
    ack(cy)
    assert cluster.host._lease.active(cluster.now, without=keys("ben")[0])


def test_whose_word_counts_nothing_is_not_counted_on_for_what_is_written_next() -> None:
    """Though the lease lasts that it gave before: with it alone somebody is begun to be shown out, and never is."""
    cluster, (_, cy) = table("ben", "cy")
    host, out = cluster.host, keys("ben")[0]
    assert host._members.can_spare(out)
    ack(cy, file=False)
    assert host._lease.active(cluster.now, without=out)
    assert not host._members.can_spare(out)
    ack(cy)
    assert host._members.can_spare(out)
