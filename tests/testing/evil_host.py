"""What scripts of a misbehaving host need: entries falsified on their way, and a look at who says so (protocol 10)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from msgspec.structs import replace

from p2pcards.games.match import Match
from p2pcards.games.replay import replay as replayed
from p2pcards.table.audit import Audit, audit_round
from p2pcards.table.effects import Woke
from p2pcards.table.journal import Journal
from p2pcards.table.notices import Alarm, Audited, Closed, Recorded
from p2pcards.wire.entries import (
    Disclose,
    Entry,
    EntryKind,
    RoundEnd,
    decode_pub,
    decode_wire,
    encode_entry,
    encode_pub,
    head,
    head_signed,
)
from p2pcards.wire.messages import Entries, Message
from tests.testing.cluster import Cluster, identity
from tests.testing.table import NAMES

SUITE = "7 evil host"


def caught(cluster: Cluster, bad: int, why: str, names: tuple[str, ...] = NAMES, round: int = 1) -> None:
    """These found this entry bad and the host to blame, and no one shows the round as verified or records it."""
    for name in names:
        peer = cluster.peers[name]
        found = [audit for audit in peer.told(Audited) if audit.round == round]
        assert [(audit.ok, audit.bad, audit.whose) for audit in found] == [(False, bad, "ana")], name
        assert why in found[0].why
        view = peer.guest.table_view()
        assert view is not None
        assert view.last is not None
        assert (view.last.verified, view.last.trouble, view.last.starter) == (False, found[0].why, None)
        recorded = peer.told(Recorded)
        assert all(len(replayed(notice.text).rounds) < round for notice in recorded)


def index_of(cluster: Cluster, kind: EntryKind, which: int = -1) -> int:
    """Of the newest (or another) entry of that kind."""
    return [entry.index for entry in cluster.host.public.journal.entries if entry.kind is kind][which]


def alarmed(cluster: Cluster, why: str, names: Collection[str] = NAMES) -> None:
    """These saw at once that their host lies, and broke with it; nobody else did."""
    for name, peer in cluster.peers.items():
        alarms = [alarm.text for alarm in peer.told(Alarm)]
        if name not in names:
            assert alarms == [], name
            continue
        assert len(alarms) == 1, (name, alarms)
        assert why in alarms[0]
        assert [closed.reason for closed in peer.told(Closed)] == ["broken"]


def falsify(
    cluster: Cluster, kind: EntryKind, change: Callable[[Entry], Entry], names: Collection[str] = NAMES, which: int = 0
) -> None:
    """The host tells these players another entry of that kind than stands in its journal, well chained and signed."""

    def tamper(name: str, message: Message) -> Message:
        if name not in names or not isinstance(message, Entries):
            return message
        found = [entry.index for entry in cluster.host.public.journal.entries if entry.kind is kind]
        at = found[which] if len(found) > which else None
        return Entries(message.commit, tuple(_told(cluster, wire, change, at) for wire in message.wires))

    cluster.tamper = tamper


def _told(cluster: Cluster, wire: bytes, change: Callable[[Entry], Entry], at: int | None) -> bytes:
    entry = decode_wire(wire)[0]
    if entry.index != at:
        return wire
    body, table = encode_entry(change(entry)), cluster.host.table
    return body + identity("host").sign(head_signed(table, entry.term, entry.index, head(table, body)))


def close_round(cluster: Cluster) -> None:
    """The host ends the round as it likes, with the right secret."""
    pen, books = cluster.host._pen, cluster.host.public
    pen.write(EntryKind.ROUND_END, RoundEnd(books.round_number, "exhausted", (0,), (1, 0, 0)))
    pen.write(EntryKind.DISCLOSE, Disclose(books.round_number, cluster.host._play.dealer.close()))
    cluster.host._play.round = None
    cluster.tell_host(Woke())
    cluster.settle()


Edit = Callable[[list[Entry]], list[Entry]]


def audit_edited(cluster: Cluster, edit: Edit = list, secret: bytes | None = None) -> Audit:
    """What the audit makes of the first round if its journal had been another; nothing else looks at it."""
    entries = cluster.host.public.journal.entries
    end = next(entry.index for entry in entries if entry.kind is EntryKind.DISCLOSE)
    disclosed = decode_pub(EntryKind.DISCLOSE, entries[end].pub)
    assert isinstance(disclosed, Disclose)
    journal = Journal()
    for entry in edit(entries[:end]):
        journal.append(replace(entry, index=len(journal), prev=journal.head), identity("host").sign)
    first = next(entry.index for entry in journal.entries if entry.kind is EntryKind.DEAL_OPEN)
    game, seats = cluster.host.public.rules, len(cluster.host.public.seats)
    secret = disclosed.secret if secret is None else secret
    return audit_round(journal, game, first, journal.last, secret, Match.start(game, seats), {})


def changed(index: int, **parts: Any) -> Edit:
    """The same journal, but for what is said in one entry."""

    def edit(entries: list[Entry]) -> list[Entry]:
        pub = replace(decode_pub(entries[index].kind, entries[index].pub), **parts)
        return [*entries[:index], replace(entries[index], pub=encode_pub(pub)), *entries[index + 1 :]]

    return edit


def without(index: int) -> Edit:
    """The same journal without an entry."""
    return lambda entries: [*entries[:index], *entries[index + 1 :]]


def with_(index: int, *more: Entry) -> Edit:
    """The same journal with more entries from that index on."""
    return lambda entries: [*entries[:index], *more, *entries[index:]]
