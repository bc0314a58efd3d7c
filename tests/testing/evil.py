"""What scripts of misbehaving guests need: a table, bare lines that say anything, and a look at what is left of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from p2pcards.table.door import RUN_SECONDS, Gate
from p2pcards.table.effects import LinkDown
from p2pcards.table.notices import Alarm, Audited, Closed
from p2pcards.table.ticket import Ticket
from p2pcards.wire.chat import sign_chat
from p2pcards.wire.envelope import ActKind, Envelope, encode_envelope
from p2pcards.wire.messages import TO_ALL, Ack, Act, Chat, Close, Get, Message, Method, Reason, Refused, Resume, Welcome
from tests.table.test_access import hello
from tests.testing.cluster import Cluster, Line, identity, play_round

SUITE = "6 evil guest"
LAB, CODE = b"k" * 32, "mango-tiger"
HONEST = ("ana", "ben", "cy")


def table(door: str = "open", **gate: Any) -> Cluster:
    """ana, who hosts, ben and cy, and a seat that is free."""
    settings = {"seat_order": "join_order", "grace_seconds": "3"}
    cluster = Cluster(game="onecard", seats=4, settings=settings, door=door, gate=Gate(**gate))
    cluster.join("ana", host=True)
    for name in HONEST[1:]:
        cluster.join(name, ticket=Ticket(door, cluster.host.code, LAB))
        while cluster.host.knocks:
            cluster.order("admit", "")
        cluster.pass_time(RUN_SECONDS)
    assert [held.nick for held in cluster.host.public.seats] == [*HONEST, ""]
    return cluster


@contextmanager
def evening(door: str = "open", *, playing: bool = False, out: tuple[str, ...] = (), **gate: Any) -> Iterator[Cluster]:
    """A table before its first round, or in it; out: who of the honest is shown out meanwhile."""
    cluster = table(door, **gate)
    if playing:
        cluster.join("eve", ticket=Ticket(door, cluster.host.code, LAB))
        cluster.order("start")
    yield cluster
    for link, end in list(cluster.links.items()):
        if isinstance(end, Line):
            cluster.to_host(link, Close(Reason.BYE, ""))
    cluster.pass_time(4.0)
    if cluster.host.public.round is None:
        cluster.order("start")
    play_round(cluster)
    wires = cluster.host.public.journal.wires
    for name in set(HONEST) - set(out):
        peer = cluster.peers[name]
        assert [*peer.told(Alarm), *peer.told(Closed)] == []
        assert peer.guest.journal.wires == wires
        assert [audit.ok for audit in peer.told(Audited)] == [True]
    assert cluster.host.public.seats[0].nick == "ana"


def last(line: Line, reason: Reason) -> Close:
    """The host's last word, which has this reason."""
    assert line.closed is not None
    assert Reason(line.closed.reason) is reason
    return line.closed


def codes(answers: list[Message]) -> list[str]:
    return [answer.code for answer in answers if isinstance(answer, Refused)]


def unmoved(cluster: Cluster, line: Line, *messages: Message) -> list[Message]:
    """Says these; the journal stays as it is."""
    before = len(cluster.host.public.journal)
    answers = line.send(*messages)
    assert len(cluster.host.public.journal) == before
    return answers


def hang_up(line: Line) -> None:
    """The connection breaks, without a word."""
    line.cluster.links.pop(line.link)
    line.cluster.tell_host(LinkDown(line.link))
    line.cluster.settle()


def seated(cluster: Cluster, name: str = "eve") -> Line:
    """A program that may do anything, in the free seat."""
    line = cluster.line(name)
    line.send(hello(name), Get(0))
    assert cluster.host.public.seat_of(identity(name).key) == 3
    return line


def follows(cluster: Cluster, line: Line) -> None:
    """Says that it holds the whole journal."""
    journal = cluster.host.public.journal
    line.send(Ack(journal.table, 1, journal.last, journal.head, 0, 0, False))


def instead_of(cluster: Cluster, name: str) -> Line:
    """The same in place of a player's own program."""
    journal = cluster.host.public.journal
    line = cluster.line(name)
    line.send(hello(name, method=Method.MEMBER, came=Resume(journal.table, journal.last, journal.head)), Get(0))
    assert line.heard(Welcome)
    return line


def says(
    cluster: Cluster,
    seat: int,
    payload: str | bytes,
    kind: ActKind = ActKind.ACT,
    *,
    by: str = "eve",
    n: int | None = None,
    seen: int | None = None,
    table: bytes | None = None,
) -> Act:
    """An act for a seat, well signed by the key of that name."""
    books, journal = cluster.host.public, cluster.host.public.journal
    key, index = identity(by).key, journal.last if seen is None else seen
    envelope = Envelope(
        table or journal.table,
        books.epoch,
        seat,
        books.said.get(key, 0) + 1 if n is None else n,
        index,
        journal.heads[index],
        kind,
        payload.encode() if isinstance(payload, str) else payload,
    )
    data = encode_envelope(envelope)
    return Act(data, identity(by).sign(data), b"")


def chat(cluster: Cluster, name: str, n: int = 1, scope: int = TO_ALL, text: str = "hi") -> Chat:
    return sign_chat(identity(name), cluster.host.table, n, scope, text)
