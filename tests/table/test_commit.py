"""Which entries nobody can lose any more, and what waits for that (protocol 7.2, 6.10)."""

from __future__ import annotations

from p2pcards.wire.entries import EntryKind
from p2pcards.wire.messages import Ack, Entries, Heartbeat, Message
from tests.testing.cluster import Cluster, play_round, started
from tests.testing.table import tame_move
from tests.testing.voters import ack, table


def kinds(cluster: Cluster) -> list[EntryKind]:
    return [entry.kind for entry in cluster.host.public.journal.entries]


def test_an_entry_of_three_is_committed_when_one_more_holds_it() -> None:
    cluster, (ben, cy) = table("ben", "cy")
    assert cluster.host.commit == cluster.host.public.journal.last
    cluster.order("set", "turn_seconds", "7")
    last = cluster.host.public.journal.last
    assert cluster.host.commit == last - 1
    ack(cy, index=last - 1)
    assert cluster.host.commit == last - 1
    ack(ben)
    assert cluster.host.commit == last


def test_four_need_two_more() -> None:
    cluster, (ben, cy, _) = table("ben", "cy", "dot", game="tienlen", seats=4)
    cluster.order("set", "turn_seconds", "7")
    ack(ben)
    assert cluster.host.commit < cluster.host.public.journal.last
    ack(cy)
    assert cluster.host.commit == cluster.host.public.journal.last


def test_of_two_the_other_must_hold_it_or_not_be_here() -> None:
    cluster, (ben,) = table("ben")
    cluster.order("set", "turn_seconds", "7")
    assert cluster.host.commit == cluster.host.public.journal.last - 1
    cluster.pass_time(6)  # ben has fallen silent
    assert cluster.host.commit == cluster.host.public.journal.last
    cluster.order("set", "turn_seconds", "8")
    assert cluster.host.commit == cluster.host.public.journal.last
    ack(ben)
    cluster.order("set", "turn_seconds", "9")
    assert cluster.host.commit == cluster.host.public.journal.last - 1


def test_who_is_no_voter_is_not_waited_for() -> None:
    cluster, (ben,) = table("ben")
    cluster.line("cy")
    ack(ben)
    assert cluster.host.commit == cluster.host.public.journal.last


def test_what_is_said_of_the_journal_says_up_to_where_it_stands() -> None:
    cluster, (ben, cy) = table("ben", "cy")
    cluster.order("set", "turn_seconds", "7")
    last = cluster.host.public.journal.last
    assert ben.heard(Entries)[-1].commit == last - 1
    ack(ben)
    cluster.pass_time(1)
    assert cy.heard(Heartbeat)[-1].commit == last


def no_acks(_: str, message: Message) -> bool:
    return isinstance(message, Ack)


def test_the_secret_is_laid_open_when_the_end_of_the_round_is_committed_and_not_before() -> None:
    cluster = started(options={"match_rounds": "1"})
    cluster.loses = no_acks
    play_round(cluster, choose=tame_move, among=("ana", "ben", "cy"))
    assert kinds(cluster)[-1] is EntryKind.ROUND_END
    assert cluster.host.public.round is not None
    assert cluster.host.secret
    cluster.loses = None
    cluster.pass_time(1)
    assert kinds(cluster)[-2:] == [EntryKind.DISCLOSE, EntryKind.MATCH_END]
    assert cluster.host.public.match_over


def test_others_are_told_at_once_that_a_round_is_final() -> None:
    """They write their records then, and nobody waits for the next heartbeat."""
    cluster = started(options={"match_rounds": "1"})
    play_round(cluster, choose=tame_move)
    last = cluster.host.public.journal.last
    assert cluster.host.commit == last
    for name in ("ben", "cy"):
        beats = [message for message in cluster.peers[name].received if isinstance(message, Heartbeat)]
        assert beats[-1].commit == last
