"""Records as tables write them, and the same with something changed in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from msgspec.structs import replace

from p2pcards.games.record import read, write
from p2pcards.store.history_match import parts_of
from p2pcards.table.notices import Recorded
from p2pcards.table.verify import Unverified, verify_record
from p2pcards.wire.entries import (
    Entry,
    EntryKind,
    decode_wire,
    encode_entry,
    head,
    head_signed,
    table_id,
)
from p2pcards.wire.identity import Identity
from tests.testing.cluster import Cluster, identity, play_round, started

SUITE = "16 verify"

Wires = list[bytes]


def record_of(cluster: Cluster, name: str = "ben") -> str:
    """What one of its players has on the disk now."""
    return cluster.peers[name].told(Recorded)[-1].text


def play(cluster: Cluster, rounds: int) -> None:
    """So many rounds, or until the match is over."""
    for _ in range(rounds):
        if not cluster.host.public.match_over:
            play_round(cluster, limit=5000)
        for name, peer in cluster.peers.items():
            if peer.link is not None and not cluster.host.public.match_over:
                cluster.want(name, "next")


def record_parts(text: str) -> tuple[str, ...]:
    """Its head and its rounds, as a table tells them."""
    return parts_of(read(text))


@cache
def one_game(game: str, rounds: int = 2) -> str:
    """The record of some rounds of ana, ben and cy, with bots where more seats are."""
    seats = 3 if game == "tongits" else 4
    options = {"onecard": {"decks": "1", "cards": "9", "rounds": "2"}}.get(game, {})
    cluster = started(2, game=game, seats=seats, options=options)
    play(cluster, rounds)
    return record_of(cluster)


@cache
def small() -> str:
    """A record of one short round between ana and ben."""
    cluster = Cluster(31, game="onecard", seats=2, options={"rounds": "1", "decks": "1", "cards": "3"})
    cluster.join("ana", host=True)
    cluster.join("ben")
    cluster.order("start")
    play(cluster, 1)
    return record_of(cluster)


def refuted(text: str | bytes) -> Unverified:
    """Why it is not verified."""
    found = verify_record(text.encode() if isinstance(text, str) else text)
    assert isinstance(found, Unverified)
    return found


def proofs(text: str) -> list[Wires]:
    """The entries of each round's proof."""
    return [list(played.proof) for played in read(text).rounds]


def with_proofs(text: str, proofs: list[Wires]) -> str:
    """The same record with these proofs, written canonically."""
    record = read(text)
    rounds = tuple(replace(played, proof=tuple(wires)) for played, wires in zip(record.rounds, proofs, strict=True))
    return write(replace(record, rounds=rounds))


def edited(text: str, edit: Callable[[list[Wires]], object]) -> str:
    """The same record with something done to its proofs."""
    found = proofs(text)
    edit(found)
    return with_proofs(text, found)


def signed_anew(wires: Wires, change: Callable[[Entry], Entry], host: Identity | None = None) -> Wires:
    """A journal as its host would write it if the entries were others: chained and signed again."""
    found: Wires = []
    table, before = b"", bytes(32)
    for wire in wires:
        entry = replace(change(decode_wire(wire)[0]), index=len(found), prev=before)
        body = encode_entry(entry)
        table = table or table_id(entry.pub)
        before = head(table, body)
        signature = (host or identity("host")).sign(head_signed(table, entry.term, entry.index, before))
        found.append(body + signature)
    return found


def index_of(text: str, kind: EntryKind, which: int = 0) -> int:
    """Of the first or another entry of that kind."""
    wires = [wire for part in proofs(text) for wire in part]
    return [at for at, wire in enumerate(wires) if decode_wire(wire)[0].kind is kind][which]
