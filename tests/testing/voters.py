"""Voters at a host of the cluster that acknowledge when a test says so, and not otherwise."""

from __future__ import annotations

from p2pcards.wire.messages import Ack, Flag, Get, Heartbeat
from tests.table.test_access import hello
from tests.testing.cluster import Cluster, Line, identity


def voter(cluster: Cluster, name: str, flags: int = Flag.VOTE_FILE, *, answers: bool = True) -> Line:
    """A member with a seat that keeps its votes in a file; it has answered once, if it answers at all."""
    line = cluster.line(name)
    line.send(hello(name, flags=flags), Get(0))
    if answers:
        ack(line)
    return line


def ack(line: Line, *, index: int | None = None, beat: int | None = None, linked: int = 0, file: bool = True) -> None:
    """It holds the journal up to that entry (None: all of it) and has heard that heartbeat (None: the newest)."""
    journal = line.cluster.host.public.journal
    at = journal.last if index is None else index
    newest = beats(line)[-1] if beats(line) else 0
    said = Ack(
        journal.table, journal.term_at(at), at, journal.heads[at], newest if beat is None else beat, linked, file
    )
    line.send(said)


def beats(line: Line) -> list[int]:
    """The numbers of the heartbeats that it heard."""
    return [message.beat for message in line.heard(Heartbeat)]


def table(*names: str, **options: object) -> tuple[Cluster, list[Line]]:
    """ana hosts; the others have seats and votes, and have acknowledged everything."""
    settings = {"seat_order": "join_order", "grace_seconds": "30"}
    cluster = Cluster(settings=settings, **options)  # type: ignore[arg-type]  # passed on as given
    cluster.join("ana", host=True)
    lines = [voter(cluster, name) for name in names]
    for line in lines:
        ack(line)
    return cluster, lines


def keys(*names: str) -> tuple[bytes, ...]:
    """Of these; ana's is the host's."""
    return tuple(identity("host" if name == "ana" else name).key for name in names)
