"""Deals under way at a table without a network: whose word gets lost, what stands of it, who complains."""

from __future__ import annotations

from typing import Any

from p2pcards.table.notices import Alarm, Audited, Closed, Spoken
from p2pcards.table.openround import EpochDeal
from p2pcards.wire.entries import EntryKind
from p2pcards.wire.envelope import ActKind, decode_envelope
from p2pcards.wire.messages import Act, Message
from tests.testing.cluster import Cluster, Peer, three
from tests.testing.table import legal_texts

DEALT = [EntryKind.DEAL_OPEN, EntryKind.DEAL_COMMIT, EntryKind.DEAL_REVEAL, EntryKind.DEAL_START]
IN_ORDER = {"seat_order": "join_order"}


def kinds(cluster: Cluster) -> list[EntryKind]:
    """What the journal says of deals."""
    return [entry.kind for entry in cluster.host.public.journal.entries if entry.kind in (*DEALT, EntryKind.BOT)]


def newest(cluster: Cluster) -> EpochDeal:
    """The newest shuffle of the open round."""
    books = cluster.host.public
    assert books.round is not None
    return books.round.epochs[books.epoch]


def part_of(message: Message) -> ActKind | None:
    """Which part of a shuffle this is."""
    kind = decode_envelope(message.envelope).kind if isinstance(message, Act) else None
    return kind if kind in (ActKind.COMMIT, ActKind.REVEAL) else None


def losing(cluster: Cluster, kind: ActKind, *names: str) -> None:
    """What these say of that kind does not get through from here on."""
    cluster.loses = lambda name, message: name in names and part_of(message) is kind


def complaints(cluster: Cluster, name: str) -> list[str]:
    """What ana has read of somebody's in the chat."""
    return [said.text for said in cluster.peers["ana"].told(Spoken) if said.nick == name]


def honest(cluster: Cluster) -> None:
    """Nobody was alarmed or shown out, everybody holds the same journal, and every audit was in order."""
    for name, peer in cluster.peers.items():
        assert [*peer.told(Alarm), *peer.told(Closed)] == [], name
        assert peer.guest.journal.wires == cluster.host.public.journal.wires, name
        assert all(audit.ok for audit in peer.told(Audited)), name


def next_round(cluster: Cluster) -> None:
    """Everybody wants to go on."""
    for name in ("ana", "ben", "cy"):
        cluster.want(name, "next")


def waiting_for_cy(kind: ActKind = ActKind.COMMIT, **table: Any) -> Cluster:
    """cy's word of that kind got lost; the others have said theirs."""
    cluster = three(settings={**IN_ORDER, **table.pop("settings", {})}, **table)
    losing(cluster, kind, "cy")
    cluster.order("start")
    cluster.pass_time(1)
    cluster.loses = None
    return cluster


ONE_DECK = {"decks": "1", "cards": "9", "must_play": "false", "draw_then_play": "true"}
"""Options of One Card under which the stock runs out soon, where everybody draws."""


def drawing(_: Cluster, peer: Peer) -> str:
    """Draws, at One Card, where it may."""
    legal = legal_texts(peer)
    return "draw" if "draw" in legal else legal[-1]


def shedding(_: Cluster, peer: Peer) -> str:
    """Plays, at One Card, where it may."""
    legal = legal_texts(peer)
    return next((text for text in legal if text.startswith("play")), legal[-1])
