"""Parts of a deal that are not what they should be: the host refuses them, and nothing changes (protocol 6.3, 6.4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.table.deal import PART_BYTES, part_commitment
from p2pcards.table.gather import PART_SECONDS
from p2pcards.table.notices import LeftOut
from p2pcards.wire.envelope import ActKind, Envelope, encode_envelope
from p2pcards.wire.messages import Act, Entries, Get, Method, Refused, Resume, Want
from tests.table.test_access import hello
from tests.testing.cluster import Cluster, Line, identity, play_round
from tests.testing.dealing import DEALT, IN_ORDER, complaints, kinds, losing, newest
from tests.testing.evil import hang_up

PART = bytes(range(PART_BYTES))


def table_of_eve(loses: ActKind | None = None, **table: Any) -> tuple[Cluster, Line]:
    """ana, who hosts, ben, and eve in seat 2 with a program that may do anything.

    ben says his parts by himself; loses: which of them gets lost.
    """
    cluster = Cluster(settings=IN_ORDER, **table)
    cluster.join("ana", host=True)
    cluster.join("ben")
    eve = cluster.line("eve")
    eve.contributes = False
    eve.send(hello("eve"), Get(0))
    assert cluster.host.public.seat_of(eve.identity.key) == 2
    if loses:
        losing(cluster, loses, "ben")
    cluster.order("start")
    assert kinds(cluster) == DEALT[:1]
    return cluster, eve


def back(cluster: Cluster) -> None:
    """What ben says gets through again, and what got lost he says anew."""
    cluster.loses = None
    cluster.cut("ben")
    cluster.back("ben")


def said(cluster: Cluster, kind: ActKind, payload: bytes | None = None, **changes: Any) -> Envelope:
    """What an honest program in eve's seat would say, but for the changes."""
    books, journal = cluster.host.public, cluster.host.public.journal
    right = part_commitment(journal.table, books.epoch, 2, PART) if kind is ActKind.COMMIT else PART
    n = books.said.get(identity("eve").key, 0) + 1
    envelope = Envelope(
        journal.table, books.epoch, 2, n, journal.last, journal.head, kind, right if payload is None else payload
    )
    return replace(envelope, **changes)


def signed(envelope: Envelope, by: str = "eve", opening: bytes = b"") -> Act:
    data = encode_envelope(envelope)
    return Act(data, identity(by).sign(data), opening)


Says = Callable[[Cluster], Act]

COMMIT, REVEAL = ActKind.COMMIT, ActKind.REVEAL
WRONG: dict[str, tuple[ActKind, Says, str]] = {
    # while commitments are due
    "a part before all have committed": (COMMIT, lambda c: signed(said(c, REVEAL)), "no_part"),
    "a commitment of another deal": (COMMIT, lambda c: signed(said(c, COMMIT, epoch=2)), "no_part"),
    "a commitment of no deal": (COMMIT, lambda c: signed(said(c, COMMIT, epoch=0)), "no_part"),
    "a commitment at another table": (COMMIT, lambda c: signed(said(c, COMMIT, table=bytes(16))), "not_yours"),
    "a commitment for another seat": (COMMIT, lambda c: signed(said(c, COMMIT, seat=1)), "not_seated"),
    "a commitment for the host's seat": (COMMIT, lambda c: signed(said(c, COMMIT, seat=0)), "not_seated"),
    "a commitment signed by another": (COMMIT, lambda c: signed(said(c, COMMIT), by="ben"), "not_yours"),
    "a commitment with something beside it": (
        COMMIT,
        lambda c: signed(said(c, COMMIT), opening=bytes(40)),
        "not_yours",
    ),
    "a commitment with a count left out": (COMMIT, lambda c: signed(said(c, COMMIT, n=2)), "stale"),
    "a commitment that does not count": (COMMIT, lambda c: signed(said(c, COMMIT, n=0)), "stale"),
    "a commitment over another history": (COMMIT, lambda c: signed(said(c, COMMIT, seen_head=bytes(32))), "no_part"),
    "a commitment over what is not yet": (
        COMMIT,
        lambda c: signed(said(c, COMMIT, seen_index=len(c.host.public.journal))),
        "no_part",
    ),
    "a commitment made before it was asked for": (COMMIT, lambda c: signed(seen_before(c, said(c, COMMIT))), "no_part"),
    # while parts are due
    "a part that is another": (REVEAL, lambda c: signed(said(c, REVEAL, bytes(PART_BYTES))), "no_part"),
    "a part one bit off": (REVEAL, lambda c: signed(said(c, REVEAL, PART[:-1] + b"\0")), "no_part"),
    "a commitment when parts are due": (REVEAL, lambda c: signed(said(c, COMMIT)), "no_part"),
    "a part for another seat": (REVEAL, lambda c: signed(said(c, REVEAL, seat=1)), "not_seated"),
    "a part signed by another": (REVEAL, lambda c: signed(said(c, REVEAL), by="ben"), "not_yours"),
    "a part signed before all had committed": (REVEAL, lambda c: signed(seen_before(c, said(c, REVEAL))), "no_part"),
    "a part of another deal": (REVEAL, lambda c: signed(said(c, REVEAL, epoch=0)), "no_part"),
}


def seen_before(cluster: Cluster, envelope: Envelope) -> Envelope:
    """The same, signed when the entry that asks for it was not written yet."""
    index = newest(cluster).asked_at - 1
    return replace(envelope, seen_index=index, seen_head=cluster.host.public.journal.heads[index])


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_part_is_refused_and_changes_nothing(name: str) -> None:
    due, wrong, code = WRONG[name]
    cluster, eve = table_of_eve()
    if due is REVEAL:
        assert not any(isinstance(answer, Refused) for answer in eve.send(signed(said(cluster, COMMIT))))
        assert kinds(cluster) == DEALT[:2]
    before, counted = len(cluster.host.public.journal), dict(cluster.host.public.said)
    (answer,) = [one for one in eve.send(wrong(cluster)) if isinstance(one, Refused)]
    assert answer.code == code
    assert (len(cluster.host.public.journal), cluster.host.public.said) == (before, counted)
    eve.contributes = True  # the right one is taken still
    if due is COMMIT:
        eve.send(signed(said(cluster, COMMIT)))
    eve.send(signed(said(cluster, REVEAL)))
    assert kinds(cluster) == DEALT
    assert newest(cluster).parts[2] == PART
    assert newest(cluster).left_out == set()


def test_the_last_of_two_commitments_counts_and_the_part_must_be_its() -> None:
    """Until one stands in the journal, nobody has seen it."""
    cluster, eve = table_of_eve(loses=COMMIT)
    eve.send(signed(said(cluster, COMMIT)))
    eve.send(signed(said(cluster, COMMIT, part_commitment(cluster.host.table, 1, 2, bytes(PART_BYTES)))))
    assert kinds(cluster) == DEALT[:1]
    back(cluster)
    assert kinds(cluster) == DEALT[:2]
    (answer,) = [one for one in eve.send(signed(said(cluster, REVEAL))) if isinstance(one, Refused)]
    assert answer.code == "no_part"
    eve.send(signed(said(cluster, REVEAL, bytes(PART_BYTES))))
    assert newest(cluster).parts[2] == bytes(PART_BYTES)


def test_a_part_that_does_not_fit_is_none() -> None:
    """Whoever sees that the others' parts don't suit can keep his own back, and no more than that."""
    cluster, eve = table_of_eve()
    eve.send(signed(said(cluster, COMMIT)))
    for _ in range(3):
        eve.send(signed(said(cluster, REVEAL, bytes(PART_BYTES))))
    cluster.pass_time(PART_SECONDS)
    assert kinds(cluster) == DEALT
    assert (newest(cluster).left_out, set(newest(cluster).parts)) == ({2}, {1})
    assert cluster.peers["ana"].told(LeftOut) == [LeftOut(1, ((2, "eve"),))]
    assert complaints(cluster, "ben") == []


@pytest.mark.parametrize("kind", [COMMIT, REVEAL])
def test_a_part_said_twice_counts_once(kind: ActKind) -> None:
    cluster, eve = table_of_eve(loses=kind)
    if kind is REVEAL:
        eve.send(signed(said(cluster, COMMIT)))
    before = cluster.host.public.said.get(eve.identity.key, 0)
    last = signed(said(cluster, kind))
    eve.send(last, last)
    back(cluster)
    assert cluster.host.public.said[eve.identity.key] == before + 1
    assert [type(answer) for answer in eve.send(last)] == [Entries]  # it stands by now: its entry is the answer
    if kind is COMMIT:
        eve.send(signed(said(cluster, REVEAL)))
    assert kinds(cluster) == DEALT
    assert newest(cluster).left_out == set()


@pytest.mark.parametrize("kind", [COMMIT, REVEAL])
def test_what_comes_after_the_cards_are_shuffled_is_refused(kind: ActKind) -> None:
    cluster, eve = table_of_eve()
    late = signed(said(cluster, COMMIT))
    cluster.pass_time(2 * PART_SECONDS)
    assert kinds(cluster) == DEALT
    if kind is REVEAL:
        late = signed(said(cluster, REVEAL))
    before = len(cluster.host.public.journal)
    (answer,) = [one for one in eve.send(late) if isinstance(one, Refused)]
    assert answer.code == "no_part"
    assert len(cluster.host.public.journal) == before


def test_a_part_of_the_round_before_is_refused_in_the_next() -> None:
    cluster, eve = table_of_eve(options={"match_rounds": "2"})
    old = [signed(said(cluster, COMMIT))]
    eve.send(*old)
    old.append(signed(said(cluster, REVEAL)))
    eve.send(old[1])
    assert kinds(cluster) == DEALT
    hang_up(eve)
    cluster.pass_time(float(cluster.host.public.setting("grace_seconds")))
    play_round(cluster)
    eve = cluster.line("eve")
    eve.contributes = False
    journal = cluster.host.public.journal
    eve.send(hello("eve", method=Method.MEMBER, came=Resume(journal.table, journal.last, journal.head)), Get(0))
    for name in ("ana", "ben"):
        cluster.want(name, "next")
    eve.send(Want("next"))
    assert (cluster.host.public.round_number, newest(cluster).contributors) == (2, (1, 2))
    before = len(cluster.host.public.journal)
    assert [answer.code for answer in eve.send(old[0]) if isinstance(answer, Refused)] == ["stale"]
    assert [type(answer) for answer in eve.send(old[1])] == [Entries]  # the newest that it said: it is shown its entry
    assert len(cluster.host.public.journal) == before
    cluster.pass_time(PART_SECONDS)
    assert newest(cluster).left_out == {2}


def test_a_spectator_and_the_host_have_no_part() -> None:
    cluster, _ = table_of_eve()
    dot = cluster.line("dot")
    dot.send(hello("dot", flags=2), Get(0))
    (answer,) = [one for one in dot.send(signed(said(cluster, COMMIT, n=1), by="dot")) if isinstance(one, Refused)]
    assert answer.code == "not_seated"
    envelope = said(cluster, COMMIT, seat=0, n=1)
    assert cluster.peers["ana"].link is not None
    cluster.to_host(cluster.peers["ana"].link, signed(envelope, by="host"))
    cluster.settle()
    assert [one.code for one in cluster.peers["ana"].received if isinstance(one, Refused)] == ["no_part"]
    cluster.pass_time(PART_SECONDS)
    assert newest(cluster).parts.keys() == {1}
