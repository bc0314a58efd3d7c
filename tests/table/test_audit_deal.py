"""The audit of the deal (protocol 6.8): honest shuffles pass, and whatever of them was otherwise is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.cards import face
from p2pcards.table.audit import Audit
from p2pcards.table.deal import LEAF_BYTES, card_salt, deal_from, faces
from p2pcards.table.notices import Audited
from p2pcards.table.round import Refused
from p2pcards.wire.entries import (
    DealReveal,
    Disclose,
    Entry,
    EntryKind,
    OpenPub,
    decode_pub,
    encode_pub,
)
from p2pcards.wire.envelope import ActKind, Envelope, decode_envelope, encode_envelope
from tests.testing.cluster import Cluster, play_round, started, three
from tests.testing.evil_host import audit_edited, changed, with_, without
from tests.testing.table import tame_move


@lru_cache
def tongits() -> Cluster:
    """A table whose first round was played to its end."""
    cluster = started()
    play_round(cluster, choose=tame_move)
    return cluster


@lru_cache
def onecard() -> Cluster:
    """The same, with cards turned up at the deal and shuffles within the round."""
    cluster = started(game="onecard", seats=4, options={"decks": "1", "cards": "9"})
    play_round(cluster, limit=2000)
    return cluster


def at(cluster: Cluster, kind: EntryKind, which: int = 0) -> int:
    return [entry.index for entry in cluster.host.public.journal.entries if entry.kind is kind][which]


def pub_of(cluster: Cluster, kind: EntryKind, which: int = 0) -> Any:
    return decode_pub(kind, cluster.host.public.journal.entries[at(cluster, kind, which)].pub)


def secret_of(cluster: Cluster) -> bytes:
    disclosed = pub_of(cluster, EntryKind.DISCLOSE)
    assert isinstance(disclosed, Disclose)
    return disclosed.secret


def bad(audit: Audit, index: int, why: str) -> None:
    assert audit.bad == index, audit.why
    assert why in audit.why


# ---- honest deals


@pytest.mark.parametrize("table", [tongits, onecard])
def test_an_honest_round_is_in_order(table: Callable[[], Cluster]) -> None:
    audit = audit_edited(table())
    assert (audit.bad, audit.why) == (None, "")
    assert audit.outcome is not None


@pytest.mark.parametrize(("game", "seats"), [("tongits", 3), ("tienlen", 4), ("straights", 4), ("onecard", 5)])
@pytest.mark.parametrize("seed", [2, 3])
def test_rounds_of_all_games_with_bots_drops_and_time_outs_are_in_order(game: str, seats: int, seed: int) -> None:
    cluster = started(seed, game=game, seats=seats, settings={"grace_seconds": "2", "turn_seconds": "9"})
    for name in ("cy", "ben"):
        play_round(cluster, limit=3000, among=(name,))
        cluster.cut(name)
        cluster.pass_time(10)
    cluster.back("ben", "cy")
    cluster.pass_time(2)  # a host alone of three stands still until it hears from one of them
    play_round(cluster, limit=3000)
    audit = audit_edited(cluster)
    assert (audit.bad, audit.why) == (None, "")
    assert all(peer.told(Audited) == [Audited(1, True)] for peer in cluster.peers.values())


def test_a_round_shuffled_anew_is_repeated_with_every_shuffle() -> None:
    cluster = onecard()
    audit = audit_edited(cluster)
    opened = [entry for entry in cluster.host.public.journal.entries if entry.kind is EntryKind.DEAL_OPEN]
    assert [entry.epoch for entry in opened[:2]] == [1, 2]
    assert (
        sum(text.startswith("shuffle") for _, text in audit.actions)
        == len(
            [entry for entry in opened if decode_pub(entry.kind, entry.pub).round == 1]  # type: ignore[union-attr]  # a DEAL_OPEN
        )
        - 1
    )


@pytest.mark.parametrize("kind", [ActKind.COMMIT, ActKind.REVEAL])
def test_a_part_left_out_adds_nothing(kind: ActKind, monkeypatch: pytest.MonkeyPatch) -> None:
    """However well it was committed to."""
    cluster = three()
    take = cluster.host._play.dealer.take

    def drops(said: Envelope, envelope: bytes, sig: bytes) -> None:
        if said.kind is kind and said.seat != cluster.peers["ben"].guest.me:
            raise Refused("stale")
        take(said, envelope, sig)

    monkeypatch.setattr(cluster.host._play.dealer, "take", drops)
    cluster.order("start")
    cluster.pass_time(12)
    play_round(cluster)
    reveal = pub_of(cluster, EntryKind.DEAL_REVEAL)
    assert len(reveal.said) == 1
    audit = audit_edited(cluster)
    assert (audit.bad, audit.why) == (None, "")


def test_a_deal_without_contributors_is_from_the_secret_alone() -> None:
    cluster = Cluster()
    cluster.join("ana", host=True)
    cluster.order("start")
    play_round(cluster)
    assert pub_of(cluster, EntryKind.DEAL_OPEN).contributors == ()
    assert audit_edited(cluster).bad is None


def test_parts_of_one_shuffle_count_for_no_other() -> None:
    """When the stock runs out those who added to the first deal have gone, and nobody adds to the second."""
    options = {"decks": "1", "cards": "9"}
    cluster = started(game="onecard", seats=4, options=options, settings={"grace_seconds": "0"})
    assert pub_of(cluster, EntryKind.DEAL_OPEN).contributors == (1, 2)
    cluster.leave("ben")
    cluster.leave("cy")
    play_round(cluster, limit=2000)
    assert pub_of(cluster, EntryKind.DEAL_OPEN, 1).contributors == ()
    assert audit_edited(cluster).bad is None


# ---- the secret and its shares


def test_another_secret() -> None:
    cluster = tongits()
    bad(audit_edited(cluster, secret=bytes(32)), at(cluster, EntryKind.DEAL_OPEN), "not the one committed to")


@pytest.mark.parametrize("x", [1, 2])
def test_the_commitment_to_a_share_that_does_not_open_the_secret(x: int) -> None:
    cluster = tongits()
    shares = list(pub_of(cluster, EntryKind.DEAL_OPEN).shares)
    shares[x - 1] = bytes(32)
    first = at(cluster, EntryKind.DEAL_OPEN)
    bad(audit_edited(cluster, changed(first, shares=tuple(shares))), first, f"share {x} of the secret")


# ---- parts, leaves, starter


def test_a_part_that_counts_though_it_was_not_revealed() -> None:
    cluster = tongits()
    reveal = pub_of(cluster, EntryKind.DEAL_REVEAL)
    edit = changed(at(cluster, EntryKind.DEAL_REVEAL), said=reveal.said[:1], left_out=(2,))
    bad(audit_edited(cluster, edit), at(cluster, EntryKind.DEAL_START), "cards are not those shuffled")


def test_a_part_that_was_revealed_and_does_not_count() -> None:
    cluster = tongits()
    reveal = pub_of(cluster, EntryKind.DEAL_REVEAL)
    data, sig = reveal.said[0]
    more = encode_envelope(replace(decode_envelope(data), seat=0))
    edit = changed(at(cluster, EntryKind.DEAL_REVEAL), said=((more, sig), *reveal.said))
    bad(audit_edited(cluster, edit), at(cluster, EntryKind.DEAL_START), "cards are not those shuffled")


@settings(max_examples=20)
@given(place=st.integers(0, 51), byte=st.integers(0, 31), bit=st.integers(0, 7))
def test_any_bit_of_any_leaf(place: int, byte: int, bit: int) -> None:
    cluster = tongits()
    leaves = bytearray(pub_of(cluster, EntryKind.DEAL_START).leaves)
    leaves[place * LEAF_BYTES + byte] ^= 1 << bit
    start = at(cluster, EntryKind.DEAL_START)
    bad(
        audit_edited(cluster, changed(start, leaves=bytes(leaves))),
        start,
        f"1 of 52 cards are not those shuffled, the first at place {place + 1}",
    )


def test_leaves_of_a_new_stock() -> None:
    cluster = onecard()
    start = at(cluster, EntryKind.DEAL_START, 1)
    leaves = pub_of(cluster, EntryKind.DEAL_START, 1).leaves
    edit = changed(start, leaves=leaves[LEAF_BYTES:] + leaves[:LEAF_BYTES])
    bad(audit_edited(cluster, edit), start, "cards are not those shuffled")


@pytest.mark.parametrize("off", [1, 2])
def test_another_starter(off: int) -> None:
    cluster = tongits()
    start = at(cluster, EntryKind.DEAL_START)
    other = (pub_of(cluster, EntryKind.DEAL_START).starter + off) % 3
    bad(audit_edited(cluster, changed(start, starter=other)), start, "another seat had to start")


# ---- cards laid open


@pytest.mark.parametrize(
    "lie",
    [
        lambda cards: cards[:-1],
        lambda cards: cards[1:],
        lambda cards: cards[::-1],
        lambda cards: (*cards, cards[0]),
        lambda cards: ((*cards[0][:3], (cards[0][3] + 1) % 52), *cards[1:]),
        lambda cards: ((*cards[0][:2], bytes(32), cards[0][3]), *cards[1:]),
        lambda cards: ((cards[0][0], 0, *cards[0][2:]), *cards[1:]),
    ],
    ids=["the last missing", "the first missing", "in another order", "one twice", "face", "salt", "place"],
)
def test_other_cards_laid_open_than_were_dealt_face_up(lie: Callable[[Any], Any]) -> None:
    cluster = onecard()
    opened = at(cluster, EntryKind.OPEN)
    assert opened == at(cluster, EntryKind.DEAL_START) + 1
    cards = pub_of(cluster, EntryKind.OPEN).cards
    assert len(cards) > 1
    bad(audit_edited(cluster, changed(opened, cards=lie(cards))), opened, "other cards were laid open")


def test_cards_dealt_face_up_that_are_not_laid_open() -> None:
    cluster = onecard()
    opened = at(cluster, EntryKind.OPEN)
    bad(audit_edited(cluster, without(opened)), opened, "not laid open")


def whole(cluster: Cluster, change: Callable[[list[int]], Sequence[int]] = list) -> Entry:
    """An OPEN of the whole deck, or of another."""
    start, secret, table = at(cluster, EntryKind.DEAL_START), secret_of(cluster), cluster.host.table
    parts = {said.seat: said.payload for said in (decode_envelope(data) for data, _ in reveal_of(cluster).said)}
    order = deal_from(table, 1, secret, faces(1), 3, parts).order
    shown = change([face(card) for card in order])
    cards = tuple((1, place, card_salt(secret, 1, place), card) for place, card in enumerate(shown))
    entry = cluster.host.public.journal.entries[start]
    return replace(entry, kind=EntryKind.OPEN, pub=encode_pub(OpenPub(cards)))


def reveal_of(cluster: Cluster) -> DealReveal:
    reveal = pub_of(cluster, EntryKind.DEAL_REVEAL)
    assert isinstance(reveal, DealReveal)
    return reveal


def test_the_whole_deck_laid_open() -> None:
    """A table may allow that; whether it does, the books know."""
    cluster = tongits()
    assert audit_edited(cluster, with_(at(cluster, EntryKind.ROUND_END), whole(cluster))).bad is None


@pytest.mark.parametrize(
    "lie", [lambda order: [order[40], *order[1:40], order[0], *order[41:]], lambda order: order[:-1]]
)
def test_another_deck_laid_open(lie: Callable[[list[int]], Sequence[int]]) -> None:
    cluster = tongits()
    start = at(cluster, EntryKind.DEAL_START)
    bad(audit_edited(cluster, with_(start + 1, whole(cluster, lie))), start + 1, "other cards were laid open")


def test_a_card_turned_up_in_a_game_that_deals_none_so() -> None:
    """The books let an OPEN of a few cards pass right after the deal: which ones, the audit says."""
    cluster = tongits()
    start = at(cluster, EntryKind.DEAL_START)
    bad(audit_edited(cluster, with_(start + 1, whole(cluster, lambda order: order[:1]))), start + 1, "laid open")


# ---- shuffles within a round


def test_a_shuffle_of_other_cards() -> None:
    cluster = onecard()
    again = at(cluster, EntryKind.DEAL_OPEN, 1)
    cards = pub_of(cluster, EntryKind.DEAL_OPEN, 1).cards
    bad(audit_edited(cluster, changed(again, cards=cards[1:])), again, "other cards")


def test_a_shuffle_that_is_not_due() -> None:
    cluster = onecard()
    first = at(cluster, EntryKind.ACT)
    again = cluster.host.public.journal.entries[at(cluster, EntryKind.DEAL_OPEN, 1)]
    bad(audit_edited(cluster, with_(first, again)), first, "not due")


def test_an_act_where_a_shuffle_is_due() -> None:
    cluster = onecard()
    again = at(cluster, EntryKind.DEAL_OPEN, 1)
    act = next(entry for entry in cluster.host.public.journal.entries[again:] if entry.kind is EntryKind.ACT)
    bad(audit_edited(cluster, with_(again, act)), again, "where a shuffle was due")
