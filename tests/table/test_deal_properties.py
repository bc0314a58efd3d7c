"""The ten properties of the fair deal (protocol 10, suite 5): what holds whatever the cards, the parts and the acts.

As those of doors, each is tried with 200 examples, or with 5,000 of them (`--hypothesis-profile nightly`).
"""

from __future__ import annotations

import itertools
from collections import Counter
from copy import deepcopy
from functools import cache
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from p2pcards.cards import DECK, Card, face
from p2pcards.errors import ProtocolError
from p2pcards.games.match import Match
from p2pcards.games.registry import GAMES
from p2pcards.table.audit import Audit, Shown, audit_round, shown_digest
from p2pcards.table.deal import card_salt, commitment, deal_from, leaf, leaves, part_commitment
from p2pcards.table.escrow import PRIME, quorum, share_commitment, shares
from p2pcards.table.journal import Journal
from p2pcards.table.public import Public
from p2pcards.wire.entries import (
    DealCommit,
    DealOpen,
    DealReveal,
    DealStart,
    Disclose,
    EntryKind,
    OpenPub,
    Pub,
    decode_pub,
    decode_wire,
    encode_pub,
)
from p2pcards.wire.messages import Kind, View
from tests.fuzz.honest import HONEST
from tests.fuzz.targets import TARGETS
from tests.testing import second
from tests.testing.cluster import Cluster, at_random, started
from tests.testing.forge import Forge
from tests.testing.tally import Tally
from tests.wire.strategies import KEYS, TABLES, U32S, pubs

EXAMPLES = max(200, settings().max_examples)
PROPERTY = settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))

SEATS = st.integers(0, 7)
PARTS = st.dictionaries(SEATS, KEYS, max_size=5)
CARDS = st.lists(st.integers(0, DECK - 1), min_size=1, max_size=20).map(sorted).map(bytes)
BODIES: dict[EntryKind, type[Pub]] = {
    EntryKind.DEAL_OPEN: DealOpen,
    EntryKind.DEAL_COMMIT: DealCommit,
    EntryKind.DEAL_REVEAL: DealReveal,
    EntryKind.DEAL_START: DealStart,
    EntryKind.OPEN: OpenPub,
    EntryKind.DISCLOSE: Disclose,
}


@pytest.fixture(autouse=True)
def _counted(tally: Tally) -> None:
    tally(f"5 properties of the fair deal, {EXAMPLES:,} examples each")


# ---- what travels

_MESSAGES = [data for data in HONEST["message"]().values() if data[0] in (Kind.VIEW, Kind.SHARE, Kind.AUDIT)]
_ENTRIES = [data for data in HONEST["entry"]().values() if decode_wire(data)[0].kind in BODIES]


@PROPERTY
@given(st.sampled_from([*_MESSAGES, *_ENTRIES]), st.data())
def test_1_what_a_deal_says_is_taken_or_refused_whatever_it_is(honest: bytes, data: st.DataObject) -> None:
    """Changed in some places or cut short, as the target of a fuzzer that checks itself."""
    name, changed = "message" if honest in _MESSAGES else "entry", bytearray(honest)
    assert TARGETS[name].takes(honest)
    for at in data.draw(st.lists(st.integers(0, len(honest) - 1), max_size=3)):
        changed[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    TARGETS[name].takes(bytes(changed[: data.draw(st.integers(0, len(changed)))]))
    TARGETS[name].takes(bytes(changed))


@PROPERTY
@given(st.sampled_from(sorted(BODIES)).flatmap(lambda kind: st.tuples(st.just(kind), pubs(BODIES[kind]))))
def test_2_bodies_come_out_as_they_went_in(body: tuple[EntryKind, Pub]) -> None:
    kind, pub = body
    data = encode_pub(pub)
    assert decode_pub(kind, data) == pub
    with pytest.raises(ProtocolError):
        decode_pub(kind, data + b"\0")
    with pytest.raises(ProtocolError):
        decode_pub(kind, data[:-1])


_CHANGES = st.sampled_from(["bit", "dropped", "twice", "swapped", "another secret"])


@PROPERTY
@given(st.dictionaries(st.integers(0, 2), KEYS, min_size=1), KEYS, _CHANGES, st.data())
def test_3_a_deal_in_the_journal_is_a_chain_in_which_nothing_can_be_changed(
    parts: dict[int, bytes], secret: bytes, change: str, data: st.DataObject
) -> None:
    forge = Forge()
    wires = [*forge.lobby(), forge.match(), forge.deal_open(secret=secret, contributors=tuple(sorted(parts)))]
    wires += [forge.deal_commit(parts), forge.deal_reveal(parts), forge.deal_start(secret)]
    books = replayed(wires)
    assert books.journal.head == forge.journal.head
    assert books.round is not None
    deal = books.round.epochs[1]
    assert deal.parts == parts
    assert deal.leaves == leaves(books.journal.table, 1, secret, _order(books.journal.table, secret, parts))
    at = data.draw(st.integers(3, len(wires) - 2))
    match change:
        case "bit":
            damaged = bytearray(wires[at])
            bit = data.draw(st.integers(0, 8 * len(damaged) - 1))
            damaged[bit // 8] ^= 1 << bit % 8
            wires[at] = bytes(damaged)
        case "dropped":
            del wires[at]
        case "twice":
            wires.insert(at, wires[at])
        case "swapped":
            wires[at], wires[at + 1] = wires[at + 1], wires[at]
        case _:
            other = Forge()
            other.lobby()
            other.match()
            wires[4] = other.deal_open(secret=bytes(32))
            assume(secret != bytes(32))
    with pytest.raises(ProtocolError):
        replayed(wires)


def _order(table: bytes, secret: bytes, parts: dict[int, bytes]) -> tuple[Card, ...]:
    return deal_from(table, 1, secret, bytes(range(DECK)), 3, parts).order


def replayed(wires: list[bytes]) -> Public:
    """The books that follow from these entries."""
    books = Public(Journal())
    key = Forge().host.key
    for wire in wires:
        books.fold(books.journal.accept(wire, key))
    return books


# ---- cards


@PROPERTY
@given(TABLES, U32S, KEYS, CARDS, SEATS, PARTS)
def test_4_a_deal_is_a_permutation_with_the_copies_of_a_card_numbered(
    table: bytes, epoch: int, secret: bytes, cards: bytes, seats: int, parts: dict[int, bytes]
) -> None:
    deal = deal_from(table, epoch, secret, cards, seats + 1, parts)
    assert sorted(map(face, deal.order)) == list(cards)
    assert 0 <= deal.lot <= seats
    seen = Counter[int]()
    for card in deal.order:
        assert card // DECK == seen[face(card)]
        seen[face(card)] += 1


@PROPERTY
@given(TABLES, KEYS, PARTS, SEATS, KEYS, SEATS, st.randoms(use_true_random=False))
def test_5_every_part_counts_for_its_seat_and_whenever_it_came(
    table: bytes, secret: bytes, parts: dict[int, bytes], seat: int, part: bytes, other: int, dice: Any
) -> None:
    """No two deals are alike whose parts differ: in one of them, in whose it is, or in how many there are."""
    cards = bytes(range(DECK))
    honest = deal_from(table, 1, secret, cards, 3, parts)
    said = list(parts.items())
    dice.shuffle(said)
    assert deal_from(table, 1, secret, cards, 3, dict(said)) == honest
    moved = {other if whose == seat else whose: value for whose, value in parts.items()}
    for changed in ({**parts, seat: part}, {whose: parts[whose] for whose in parts if whose != seat}, moved):
        assert (deal_from(table, 1, secret, cards, 3, changed) == honest) is (changed == parts)


@PROPERTY
@given(*[st.tuples(TABLES, U32S, st.integers(0, 2**16 - 1), KEYS, st.integers(0, DECK - 1))] * 2, CARDS)
def test_6_a_leaf_is_one_cards_in_one_place_of_one_deal(
    here: tuple[bytes, int, int, bytes, int], there: tuple[bytes, int, int, bytes, int], cards: bytes
) -> None:
    for at in range(len(here)):
        mixed: Any = (*here[:at], there[at], *here[at + 1 :])
        assert (leaf(*mixed) == leaf(*here)) is (mixed == here)
    table, epoch, _, secret, _ = here
    order = deal_from(table, epoch, secret, cards, 3).order
    bound = leaves(table, epoch, secret, order)
    alone = [leaf(table, epoch, place, card_salt(secret, epoch, place), face(card)) for place, card in enumerate(order)]
    assert bound == b"".join(alone)
    assert len(set(alone)) == len(order)


# ---- the secret


@PROPERTY
@given(TABLES, U32S, KEYS, st.integers(3, 12), st.data())
def test_7_as_many_shares_as_are_needed_open_the_secret_and_fewer_fit_any(
    table: bytes, epoch: int, secret: bytes, voters: int, data: st.DataObject
) -> None:
    enough = quorum(voters)
    made = dict(enumerate(shares(table, epoch, secret, enough, voters - 1), 1))
    assert len(set(made.values())) == voters - 1
    held = data.draw(st.permutations(sorted(made)))
    assert second.at_zero((x, made[x]) for x in held[:enough]) == int.from_bytes(secret, "big")
    assert second.at_zero((x, made[x]) for x in held) == int.from_bytes(secret, "big")
    few = held[: enough - 1]
    assert second.at_zero((x, made[x]) for x in few) != int.from_bytes(secret, "big")
    guess = int.from_bytes(data.draw(KEYS), "big")  # any secret at all lies on a polynomial with these few
    points = [(0, guess.to_bytes(66, "big")), *((x, made[x]) for x in few)]
    fitting = [(x, _at(x, points).to_bytes(66, "big")) for x in held[:enough]]
    assert second.at_zero(fitting) == guess
    assert all(value == made[x] for x, value in fitting if x in few)


def _at(x: int, points: list[tuple[int, bytes]]) -> int:
    return second.at_zero(((known - x) % PRIME, share) for known, share in points)


_COMMITTED = st.tuples(TABLES, U32S, st.integers(0, 31), KEYS)


@PROPERTY
@given(_COMMITTED, _COMMITTED)
def test_8_a_commitment_is_to_one_value_of_one_seat_in_one_deal(
    here: tuple[bytes, int, int, bytes], there: tuple[bytes, int, int, bytes]
) -> None:
    table, epoch, _, value = here
    assert len({part_commitment(*here), share_commitment(*here), commitment(table, epoch, value)}) == 3
    for at in range(len(here)):
        mixed: Any = (*here[:at], there[at], *here[at + 1 :])
        assert (part_commitment(*mixed) == part_commitment(*here)) is (mixed == here)
        assert (share_commitment(*mixed) == share_commitment(*here)) is (mixed == here)
        other, later, _, changed = mixed
        same = (other, later, changed) == (table, epoch, value)
        assert (commitment(other, later, changed) == commitment(table, epoch, value)) is same


# ---- whole rounds


class Played(NamedTuple):
    """A round that is over: the table, where its entries begin and end, and R."""

    cluster: Cluster
    first: int
    last: int
    secret: bytes
    live: tuple[tuple[int, dict[str, Any]], ...]  # the host's books, by the length of the journal
    agreed: set[str]  # who was shown nothing but what the cards give

    def audit(self, secret: bytes = b"", shown: dict[int, Shown] | None = None) -> Audit:
        books = self.cluster.host.public
        match = Match.start(books.rules, len(books.seats))
        return audit_round(books.journal, books.rules, self.first, self.last, secret or self.secret, match, shown or {})


def kept(books: Public) -> dict[str, Any]:
    """What stands in the books, as it is now."""
    return {name: deepcopy(value) for name, value in vars(books).items() if name not in ("journal", "game", "box")}


def over(cluster: Cluster, live: list[tuple[int, dict[str, Any]]]) -> Played:
    entries = cluster.host.public.journal.entries
    at = {entry.kind: entry.index for entry in reversed(entries)}
    disclosed = decode_pub(EntryKind.DISCLOSE, entries[at[EntryKind.DISCLOSE]].pub)
    assert isinstance(disclosed, Disclose)
    return Played(cluster, at[EntryKind.DEAL_OPEN], at[EntryKind.ROUND_END], disclosed.secret, tuple(live), set())


@cache
def of_people(game: str, seed: int) -> Played:
    """Three people, a bot where there is a fourth seat, and somebody who watches."""
    seats = {"tongits": 3, "straights": 4}.get(game, 2 + seed)
    cluster, live = started(seed, game=game, seats=seats), list[tuple[int, dict[str, Any]]]()
    cluster.join("dot", watch=True)
    while cluster.host.public.round is not None:
        live.append((len(cluster.host.public.journal), kept(cluster.host.public)))
        cluster.act(cluster.movers[0].name, at_random(cluster, cluster.movers[0]))
    live.append((len(cluster.host.public.journal), kept(cluster.host.public)))
    return over(cluster, live)


def of_bots(table: tuple[str, int], seed: int) -> Played:
    """A table of the host's bots alone, who play anything."""
    game, seats = table
    cluster = Cluster(seed, game=game, seats=seats)

    def anything(turn: Any) -> str:
        legal = itertools.islice(GAMES[game]().legal_actions(turn.view), 12)
        return cluster.host.public.rules.format(cluster.rng.choice(list(legal)))

    cluster.bots = anything
    cluster.order("start")
    while cluster.host.public.round is not None:
        cluster.settle()
        cluster.pass_time(1)
    return over(cluster, [])


ROUNDS = st.builds(of_people, st.sampled_from(sorted(GAMES)), st.integers(1, 2))
_BOTS = st.sampled_from([("tongits", 3), ("tienlen", 4), ("straights", 4), ("onecard", 3), ("onecard", 6)])


@PROPERTY
@given(st.builds(of_bots, _BOTS, st.integers(0, 2**32)) | ROUNDS, KEYS)
def test_9_the_audit_accepts_every_honest_round_with_its_secret_and_with_no_other(played: Played, other: bytes) -> None:
    found = played.audit()
    assert (found.bad, found.why) == (None, "")
    ended = played.cluster.host.public.ends[0]
    assert found.outcome is not None
    assert (found.outcome.reason, tuple(found.outcome.winners)) == (ended.reason, ended.winners)
    if other != played.secret:
        assert played.audit(other).bad == played.first


@PROPERTY
@given(ROUNDS, st.data())
def test_10_the_journal_gives_the_live_books_and_every_view_that_was_shown(played: Played, data: st.DataObject) -> None:
    """What was shown otherwise, to whomever and once only, is found out."""
    journal = played.cluster.host.public.journal
    length, live = data.draw(st.sampled_from(played.live))
    assert kept(replayed(journal.wires[:length])) == live
    views = shown_to(played, data.draw(st.sampled_from(sorted(played.cluster.peers))))
    at = data.draw(st.sampled_from(sorted(views)))
    told = data.draw(st.binary(max_size=40))
    false = Shown(views[at].seat, shown_digest(journal.table, at, told))
    assert played.audit(shown={**views, at: false}).bad == at


def shown_to(played: Played, name: str) -> dict[int, Shown]:
    """Every view that somebody was shown, by the entry it is of; each is what the cards give."""
    peer, table = played.cluster.peers[name], played.cluster.host.table
    views = [message for message in peer.received if isinstance(message, View)]
    shown = {view.index: Shown(peer.guest.me, shown_digest(table, view.index, view.view)) for view in views}
    if name not in played.agreed:
        assert played.audit(shown=shown).bad is None
        played.agreed.add(name)
    return shown
