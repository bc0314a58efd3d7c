"""Twins: two tables on which the same people do the same things, down to every random byte, with other decks.

The decks differ in cards that one of them may not know at the end of it, and in nothing else. What this one received
must be equal once commitments are masked, which is done without trust: a head is masked by the index that it has in its
own table's journal, a signature by who made it, a leaf by the place whose card it binds with its salt. Whatever is not
exactly what the protocol says stays as it came, and so do commitments to what is the same on both tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import msgspec
import pytest

from p2pcards.cards import Card, face
from p2pcards.errors import IllegalAction
from p2pcards.games.base import DEALER
from p2pcards.table import dealer
from p2pcards.table.deal import LEAF_BYTES, Deal, card_salt, deal_from, leaf
from p2pcards.table.fold import RoundFold
from p2pcards.table.leaves import Leaf
from p2pcards.table.sealed import open_choice
from p2pcards.wire.entries import (
    ENVELOPES,
    DealStart,
    Entry,
    EntryKind,
    Parts,
    Roster,
    decode_pub,
    decode_wire,
    head_signed,
)
from p2pcards.wire.envelope import choice_commitment, decode_envelope
from p2pcards.wire.messages import Entries, Heartbeat, Keepalive, Message, encode
from tests.testing.cluster import Cluster, identity
from tests.testing.table import fold_of

Orders = Mapping[int, tuple[Card, ...]]
"""The order of the cards of each epoch of the open round."""


class Mask:
    """Puts in place of each commitment what it stands for at one table.

    choices: so too for sealed choices of the open round, where they are not the same on both tables.
    """

    def __init__(self, cluster: Cluster, *, choices: bool = False) -> None:
        self._journal = journal = cluster.host.public.journal
        self._names = ["host", *cluster.peers]
        self._heads = {head: f"head {index}" for index, head in enumerate(journal.heads)}
        self._leaves = _bound(cluster)
        self._secret = cluster.host._play.dealer.secret if choices else b""
        self._known: dict[bytes, Any] = {}

    def message(self, message: Message) -> tuple[int, int, Any]:
        """Kind, length and content."""
        kind, body = encode(message)
        if isinstance(message, Entries):
            return kind, len(body), (message.commit, [self._wire(wire) for wire in message.wires])
        if not isinstance(message, Heartbeat | Keepalive):
            return kind, len(body), body
        content = {name: getattr(message, name) for name in message.__struct_fields__}
        content["head"] = self._head(message.head)
        index = message.last if isinstance(message, Heartbeat) else message.index
        content["hostsig"] = self._hostsig(message.hostsig, message.term, index, message.head)
        return kind, len(body), content

    def _wire(self, wire: bytes) -> Any:
        if wire not in self._known:
            entry, hostsig = decode_wire(wire)
            content = {name: getattr(entry, name) for name in entry.__struct_fields__}
            head = self._journal.heads[entry.index]
            content |= {"prev": self._head(entry.prev), "pub": self._pub(entry), "length": len(wire)}
            content["actsig"] = self._signed(entry.pub, entry.actsig)
            if entry.kind is EntryKind.SEALED and self._secret:
                self._mask_choice(entry, content)
            self._known[wire] = content | {"hostsig": self._hostsig(hostsig, entry.term, entry.index, head)}
        return self._known[wire]

    def _pub(self, entry: Entry) -> Any:
        if entry.kind in ENVELOPES:
            return self._envelope(entry.pub)
        pub = decode_pub(entry.kind, entry.pub)
        content = {name: getattr(pub, name) for name in pub.__struct_fields__}
        if isinstance(pub, DealStart):
            bound = [pub.leaves[at : at + LEAF_BYTES] for at in range(0, len(pub.leaves), LEAF_BYTES)]
            content["leaves"] = [self._leaves.get(one, one) for one in bound]
        elif isinstance(pub, Parts):
            content["said"] = [(self._envelope(data), self._signed(data, sig)) for data, sig in pub.said]
        elif isinstance(pub, Roster) and pub.leave:
            content |= {"leave": self._envelope(pub.leave), "sig": self._signed(pub.leave, pub.sig)}
        return content

    def _envelope(self, data: bytes) -> Any:
        said = decode_envelope(data)
        return msgspec.structs.asdict(said) | {"seen_head": self._head(said.seen_head), "length": len(data)}

    def _mask_choice(self, entry: Entry, content: dict[str, Any]) -> None:
        """What is sealed must open with R to what was committed to."""
        said = decode_envelope(entry.pub)
        salt, body = open_choice(self._secret, entry.term, entry.index, entry.sealed)
        committed = choice_commitment(self._journal.table, entry.epoch, entry.seat, said.n, salt, body)
        if committed == said.payload and any(salt):
            content["sealed"], content["pub"]["payload"] = len(entry.sealed), "a choice"

    def _head(self, head: bytes) -> bytes | str:
        return self._heads.get(head, head)

    def _signed(self, data: bytes, sig: bytes) -> bytes | str:
        return next((name for name in self._names if sig and identity(name).sign(data) == sig), sig)

    def _hostsig(self, sig: bytes, term: int, index: int, head: bytes) -> bytes | str:
        signed = head_signed(self._journal.table, term, index, head)
        return "host" if identity("host").sign(signed) == sig else sig


def _bound(cluster: Cluster) -> dict[bytes, Any]:
    """The leaves of the open round, each with its place."""
    current = cluster.host._play.round
    secret, table = cluster.host._play.dealer.secret, cluster.host.table
    return {
        leaf(table, epoch, place, card_salt(secret, epoch, place), face(card)): (epoch, place)
        for epoch, order in (current.fold.leaves._orders.items() if current else ())
        for place, card in enumerate(order)
    }


def received(cluster: Cluster, name: str, *, choices: bool = False) -> list[tuple[int, int, Any]]:
    """Everything that reached somebody, in whatever program, commitments masked."""
    mask = Mask(cluster, choices=choices)
    programs = [peer for peer in (*cluster.past, cluster.peers[name]) if peer.name == name]
    return [mask.message(message) for peer in programs for message in peer.received]


# ---- what may be elsewhere


def hidden(fold: RoundFold, seat: int | None) -> list[Leaf]:
    """The leaves whose card a seat (None: a spectator) may not know.

    Of what others played it knows the faces, but not which leaf each was.
    """
    known = {*fold.leaves.up, *(fold.leaves.of(seat) if seat is not None else ())}
    return [
        (epoch, place)
        for epoch, order in sorted(fold.leaves._orders.items())
        for place in range(len(order))
        if (epoch, place) not in known
    ]


def again(cluster: Cluster, orders: Orders) -> RoundFold | None:
    """The open round with these orders; None where what was done in it would not have been possible."""
    fold, books, first = fold_of(cluster), cluster.host.public, min(orders)
    current = books.round
    assert current is not None
    assert current.starter is not None
    deal, is_first = Deal(tuple(orders[first]), 0), cluster.host._play.match.first
    other = RoundFold(fold.game, deal, current.seats, current.starter, is_first, current.started_at, first)
    if other.opener != fold.opener or other.leaves.up != fold.leaves.up:
        return None
    later = iter(sorted(orders)[1:])
    try:
        for seat, text in fold.actions:
            if seat == DEALER:
                epoch = next(later)
                other.shuffle(orders[epoch], 0, epoch)
            else:
                other.act(seat, text, 0)
    except IllegalAction:
        return None
    return other if other.to_act == fold.to_act else None


def elsewhere(cluster: Cluster, seat: int | None, dice: Random) -> Orders:
    """Orders in which as many as can be of the cards that the seat may not know are somewhere else."""
    fold = fold_of(cluster)
    honest = dict(fold.leaves._orders)
    places = hidden(fold, seat)
    for count in (len(places), 16, 8, 4, *[2] * 20):
        for _ in range(20):
            orders = {epoch: list(order) for epoch, order in honest.items()}
            moved = dice.sample(places, min(count, len(places)))
            for epoch in orders:
                ours = [place for of, place in moved if of == epoch]
                for here, there in zip(ours, ours[1:] + ours[:1], strict=True):
                    orders[epoch][here] = honest[epoch][there]
            numbered = {epoch: _numbered(order) for epoch, order in orders.items()}
            other = again(cluster, numbered)
            if other is not None and other.state != fold.state:
                return numbered
    raise AssertionError("no twin")


def _numbered(order: list[Card]) -> tuple[Card, ...]:
    """The k-th copy of a face is copy k."""
    seen: dict[Card, int] = {}
    made = []
    for card in map(face, order):
        seen[card] = seen.get(card, -1) + 1
        made.append(Card(seen[card] * 52 + card))
    return tuple(made)


def twin(cluster: Cluster, orders: Orders, tell: Callable[[], Cluster]) -> Cluster:
    """The same told again with these orders."""

    def dealt(
        table: bytes, epoch: int, secret: bytes, cards: bytes, seats: int, parts: Mapping[int, bytes] | None = None
    ) -> Deal:
        honest = deal_from(table, epoch, secret, cards, seats, parts)
        return Deal(orders[epoch], honest.lot) if epoch in orders else honest

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dealer, "deal_from", dealt)
        two = tell()
    assert fold_of(two).state != fold_of(cluster).state
    assert two.host.table == cluster.host.table
    return two
