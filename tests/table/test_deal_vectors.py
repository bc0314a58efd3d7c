"""The known answers of the fair deal (protocol 10, suites 1 and 2): ours are these, and those of a second program."""

from __future__ import annotations

import hashlib
import itertools
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.cards import DECK, Stream
from p2pcards.table import escrow
from p2pcards.table.deal import (
    card_salt,
    commitment,
    deal_from,
    drawn_seats,
    leaf,
    leaves,
    part_commitment,
)
from p2pcards.table.sealed import open_choice, seal_choice
from p2pcards.wire.encode import expand, u64
from p2pcards.wire.entries import (
    ENVELOPES,
    PUBS,
    Entry,
    EntryFlag,
    EntryKind,
    SeatKind,
    SeatPub,
    decode_pub,
    decode_wire,
    encode_entry,
    encode_pub,
    head,
    head_signed,
    table_id,
)
from p2pcards.wire.envelope import (
    ActKind,
    Envelope,
    choice_commitment,
    decode_envelope,
    encode_envelope,
    pack_opening,
    unpack_opening,
)
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.identity import Identity, verify
from tests.testing import second
from tests.testing.tally import Tally
from tests.vectors import Answers, Vector, check, every, hexed, load, unhex, vectors
from tests.wire.strategies import ENVELOPES as SAID
from tests.wire.strategies import KEYS, TABLES, U32S, U64S, pubs

HOW_MANY = {"seeds": 6, "shuffles": 12, "leaves": 5, "shares": 12, "entries": 8, "choices": 4}


# ---- ours


def our_seed(vector: Vector) -> Vector:
    """The seed can't be asked for: what the known one shuffles is held against the deal."""
    of, epoch = unhex(vector), vector["epoch"]
    table, secret = of("table"), of("secret")
    parts = {seat: bytes.fromhex(part) for seat, part in vector["parts"]}
    deal = deal_from(table, epoch, secret, of("cards"), 4, parts)
    stream = Stream(of("seed"))
    assert tuple(card % DECK for card in deal.order) == stream.shuffle(of("cards"))
    assert deal.lot == stream.below(4)
    commitments = [part_commitment(table, epoch, seat, part).hex() for seat, part in sorted(parts.items())]
    return {
        **hexed(root=commitment(table, epoch, secret), seed=of("seed")),
        "commitments": commitments,
        "deck": [card % DECK for card in deal.order],
        "copies": [card // DECK for card in deal.order],
        "leaves_sha256": hashlib.sha256(leaves(table, epoch, secret, deal.order)).hexdigest(),
    }


def our_shuffle(vector: Vector) -> Vector:
    of = unhex(vector)
    stream = Stream(of("seed"))
    return {"order": list(stream.shuffle(of("cards"))), "starter": stream.below(vector["seats"])}


def our_leaf(vector: Vector) -> Vector:
    of, epoch, place = unhex(vector), vector["epoch"], vector["place"]
    salt = card_salt(of("secret"), epoch, place)
    return hexed(salt=salt, leaf=leaf(of("table"), epoch, place, salt, vector["card"]))


def our_shares(vector: Vector) -> Vector:
    of, epoch = unhex(vector), vector["epoch"]
    table, secret = of("table"), of("secret")
    assert escrow.quorum(vector["holders"] + 1) == vector["threshold"]
    made = escrow.shares(table, epoch, secret, vector["threshold"], vector["holders"])
    bound = [escrow.share_commitment(table, epoch, x, share) for x, share in enumerate(made, 1)]
    return {"shares": [share.hex() for share in made], "commitments": [one.hex() for one in bound]}


def our_entry(vector: Vector) -> Vector:
    of, kind, flags = unhex(vector), EntryKind(vector["kind"]), EntryFlag(vector["flags"])
    table, term, index = of("table"), vector["term"], vector["index"]
    if kind in ENVELOPES:
        pub = encode_envelope(msgspec.convert(plain(vector["body"]), EnvelopeBody).envelope())
    else:
        pub = encode_pub(msgspec.convert(plain(vector["body"]), PUBS[kind]))
        assert encode_pub(decode_pub(kind, pub)) == pub
    actsig = Identity(of("seat_seed")).sign(pub) if flags & EntryFlag.ACTSIG else b""
    entry = Entry(
        *(kind, flags, vector["seat"], term, vector["epoch"], index),
        *(of("prev"), vector["ms"], pub, of("sealed"), actsig),
    )
    body, host = encode_entry(entry), Identity(of("host_seed"))
    named = head(table, body)
    hostsig = host.sign(head_signed(table, term, index, named))
    assert decode_wire(body + hostsig) == (entry, hostsig)
    assert verify(host.key, hostsig, head_signed(table, term, index, named))
    return hexed(pub=pub, head=named, wire=body + hostsig)


class EnvelopeBody(msgspec.Struct, frozen=True, array_like=True):
    """What an envelope says, as the vectors list it."""

    table: bytes
    epoch: int
    seat: int
    n: int
    seen_index: int
    seen_head: bytes
    kind: ActKind
    payload: bytes

    def envelope(self) -> Envelope:
        made = Envelope(*msgspec.structs.astuple(self))
        assert decode_envelope(encode_envelope(made)) == made
        return made


def our_choice(vector: Vector) -> Vector:
    of, how = unhex(vector), vector["how"]
    salt, body, n, made = of("salt"), vector["body"].encode(), vector["n"], Vector()
    if how == "bot":
        salt = expand(of("secret"), "bot salt", u64(vector["index"]))
        made |= hexed(salt=salt)
    if how != "default":
        made |= hexed(commitment=choice_commitment(of("table"), vector["epoch"], vector["seat"], n, salt, body))
    if how in ("sealed", "bot"):
        place = vector["term"], vector["index"]
        sealed = seal_choice(of("secret"), *place, salt, body)
        assert open_choice(of("secret"), *place, sealed) == (salt, body)
        return made | hexed(sealed=sealed)
    opening = pack_opening(n, salt, body)
    assert unpack_opening(opening) == (n, salt, body)
    return made | hexed(opening=opening)


# ---- the second program's


def its_seed(vector: Vector) -> Vector:
    of, epoch = unhex(vector), vector["epoch"]
    table, secret = of("table"), of("secret")
    parts = {seat: bytes.fromhex(part) for seat, part in vector["parts"]}
    seed = second.deck_seed(table, epoch, secret, parts)
    deck, _ = second.shuffled(seed, of("cards"), 4)
    salts = [second.card_salt(secret, epoch, place) for place in range(len(deck))]
    bound = [
        second.leaf(table, epoch, place, salt, card) for place, (salt, card) in enumerate(zip(salts, deck, strict=True))
    ]
    return {
        **hexed(root=second.root(table, epoch, secret), seed=seed),
        "commitments": [second.contribution(table, epoch, seat, parts[seat]).hex() for seat in sorted(parts)],
        "deck": deck,
        "copies": second.copies(deck),
        "leaves_sha256": second.sha256(b"".join(bound)).hex(),
    }


def its_shuffle(vector: Vector) -> Vector:
    of = unhex(vector)
    order, starter = second.shuffled(of("seed"), of("cards"), vector["seats"])
    return {"order": order, "starter": starter}


def its_leaf(vector: Vector) -> Vector:
    of, epoch, place = unhex(vector), vector["epoch"], vector["place"]
    salt = second.card_salt(of("secret"), epoch, place)
    return hexed(salt=salt, leaf=second.leaf(of("table"), epoch, place, salt, vector["card"]))


def its_shares(vector: Vector) -> Vector:
    """The first and the last shares that are enough open the secret."""
    of, epoch, threshold = unhex(vector), vector["epoch"], vector["threshold"]
    table, secret = of("table"), of("secret")
    made = second.shares(table, epoch, secret, threshold, vector["holders"])
    numbered = list(enumerate(made, 1))
    for some in (numbered[:threshold], numbered[-threshold:]):
        assert second.at_zero(some).to_bytes(32, "big") == secret
    assert second.at_zero(numbered[: threshold - 1]).to_bytes(66, "big")[-32:] != secret or not any(secret)
    bound = [second.share_commitment(table, epoch, x, share) for x, share in numbered]
    return {"shares": [share.hex() for share in made], "commitments": [one.hex() for one in bound]}


def its_entry(vector: Vector) -> Vector:
    of = unhex(vector)
    table, term, index = of("table"), vector["term"], vector["index"]
    body = plain(vector["body"])
    pub = second.envelope(*body) if vector["kind"] in ENVELOPE_KINDS else second.packed(body)
    place = term, vector["epoch"], index, of("prev"), vector["ms"]
    entry = second.entry(vector["kind"], vector["seat"], vector["flags"], *place, pub, of("sealed"))
    if vector["flags"] & 1:
        entry += second.signature(of("seat_seed"), pub)
    named = second.head(table, entry)
    return hexed(pub=pub, head=named, wire=entry + second.hostsig(of("host_seed"), table, term, index, named))


ENVELOPE_KINDS = (10, 11, 12, 13, 15)


def its_choice(vector: Vector) -> Vector:
    of, how = unhex(vector), vector["how"]
    salt, body, n, made = of("salt"), vector["body"].encode(), vector["n"], Vector()
    if how == "bot":
        salt = second.bot_salt(of("secret"), vector["index"])
        made |= hexed(salt=salt)
    if how != "default":
        made |= hexed(commitment=second.choice(of("table"), vector["epoch"], vector["seat"], n, salt, body))
    if how in ("sealed", "bot"):
        return made | hexed(sealed=second.sealed_choice(of("secret"), vector["term"], vector["index"], salt, body))
    return made | hexed(opening=second.opening(n, salt, body))


def plain(body: Any) -> Any:
    """A body of the vectors: bytes are written {"hex": …} there."""
    if isinstance(body, dict):
        return bytes.fromhex(body["hex"])
    return [plain(part) for part in body] if isinstance(body, list) else body


# ---- both held against the files

OURS: dict[str, Answers] = {
    "seeds": our_seed,
    "shuffles": our_shuffle,
    "leaves": our_leaf,
    "shares": our_shares,
    "entries": our_entry,
    "choices": our_choice,
}
ITS: dict[str, Answers] = {
    "seeds": its_seed,
    "shuffles": its_shuffle,
    "leaves": its_leaf,
    "shares": its_shares,
    "entries": its_entry,
    "choices": its_choice,
}
every_vector = every(HOW_MANY)


def test_there_are_47() -> None:
    assert {name: len(vectors(name)) for name in HOW_MANY} == HOW_MANY
    assert sum(HOW_MANY.values()) == 47


def test_those_of_the_appendix_are_among_them() -> None:
    known = load("deal")
    seed, leaf, shares = (vectors(name)[0] for name in ("seeds", "leaves", "shares"))
    for vector in (seed, leaf, shares):
        assert (vector["table"], vector["epoch"], vector["secret"]) == (known["table"], 1, known["root_secret"])
    assert [seed["root"], seed["seed"], seed["parts"]] == [known["root"], known["seed"], known["contributions"]]
    assert seed["commitments"][0] == known["commitment_1"]
    assert seed["deck"][:13] == known["deck_start"]
    assert hashlib.sha256(bytes(seed["deck"])).hexdigest() == known["deck_sha256"]
    assert (leaf["place"], leaf["card"], leaf["leaf"]) == (0, seed["deck"][0], known["leaf_0"])
    assert (shares["threshold"], shares["holders"]) == (3, 3)
    assert (shares["shares"][0], shares["commitments"][0]) == (known["share_1"], known["share_commitment_1"])
    assert vectors("shuffles")[0]["order"] == known["shuffle_of_zero_seed"]
    assert vectors("shuffles")[1]["order"] == seed["deck"]


@every_vector
def test_our_answers_are_the_known_ones(name: str, vector: Vector, tally: Tally) -> None:
    check(OURS[name], vector)
    tally("1 known answers")


@every_vector
def test_the_second_program_answers_alike(name: str, vector: Vector, tally: Tally) -> None:
    check(ITS[name], vector)
    assert set(OURS[name](vector)) == set(ITS[name](vector))
    tally("2 known answers of a second program")


# ---- both held against each other

FEW = settings(max_examples=25)
PARTS = st.dictionaries(st.integers(0, 7), KEYS, max_size=8)
CARDS = st.lists(st.integers(0, DECK - 1), min_size=1, max_size=110).map(sorted).map(bytes)


@FEW
@given(TABLES, U32S, KEYS, PARTS, CARDS)
def test_every_deal_is_the_same_in_both(
    table: bytes, epoch: int, secret: bytes, parts: dict[int, bytes], cards: bytes
) -> None:
    vector = hexed(table=table, secret=secret, cards=cards) | {"epoch": epoch}
    vector["parts"] = [[seat, part.hex()] for seat, part in parts.items()]
    theirs = its_seed(vector)
    assert our_seed(vector | {"seed": theirs["seed"]}) == theirs


@FEW
@given(KEYS, CARDS, st.integers(1, 8))
def test_every_shuffle_is_the_same_in_both(seed: bytes, cards: bytes, seats: int) -> None:
    vector = hexed(seed=seed, cards=cards) | {"seats": seats}
    assert our_shuffle(vector) == its_shuffle(vector)


@FEW
@given(TABLES, st.lists(KEYS, unique=True, max_size=8), st.integers(0, 4), st.randoms(use_true_random=False))
def test_every_draw_of_the_seats_is_the_same_in_both(table: bytes, keys: list[bytes], bots: int, dice: Any) -> None:
    roster = [SeatPub(SeatKind.MEMBER, key) for key in keys] + [SeatPub(SeatKind.BOT)] * bots
    dice.shuffle(roster)
    members = {held.key: seat for seat, held in enumerate(roster) if held.kind is SeatKind.MEMBER}
    idle = [seat for seat, held in enumerate(roster) if held.kind is SeatKind.BOT]
    assert list(drawn_seats(table, roster)) == second.drawn_seats(table, members, idle)


@FEW
@given(TABLES, U32S, KEYS, st.integers(2, 9), st.data())
def test_every_share_is_the_same_in_both_and_enough_of_them_open(
    table: bytes, epoch: int, secret: bytes, holders: int, data: st.DataObject
) -> None:
    threshold = (holders + 1) // 2 + 1
    vector = hexed(table=table, secret=secret) | {"epoch": epoch, "threshold": threshold, "holders": holders}
    made = our_shares(vector)
    assert made == its_shares(vector)
    numbered = list(enumerate(map(bytes.fromhex, made["shares"]), 1))
    for some in itertools.combinations(data.draw(st.permutations(numbered)), threshold):
        assert second.at_zero(some) == int.from_bytes(secret, "big")


BODIES = st.sampled_from(list(PUBS)).flatmap(lambda kind: st.tuples(st.just(kind), pubs(PUBS[kind])))


@FEW
@given(BODIES, TABLES, U32S, U32S, U64S, U64S, KEYS, KEYS)
def test_every_entry_of_the_host_is_the_same_in_both(
    body: Any, table: bytes, term: int, epoch: int, index: int, ms: int, prev: bytes, host: bytes
) -> None:
    kind, pub = body
    packed = second.packed(msgspec.to_builtins(pub, builtin_types=(bytes,)))
    assert packed == encode_pub(pub)
    assert second.table_id(packed) == table_id(packed)
    entry = Entry(kind, EntryFlag(0), NO_SEAT, term, epoch, index, prev, ms, packed)
    theirs = second.entry(kind, NO_SEAT, 0, term, epoch, index, prev, ms, packed, b"")
    assert theirs == encode_entry(entry)
    assert second.head(table, theirs) == head(table, theirs)
    named = head_signed(table, term, index, second.head(table, theirs))
    assert second.hostsig(host, table, term, index, second.head(table, theirs)) == Identity(host).sign(named)


@FEW
@given(SAID)
def test_every_envelope_is_the_same_in_both(said: Envelope) -> None:
    assert second.envelope(*msgspec.structs.astuple(said)) == encode_envelope(said)


@FEW
@given(TABLES, KEYS, KEYS, U32S, U32S, U64S, st.binary(min_size=1, max_size=32), st.integers(0, 7))
def test_every_hidden_choice_is_the_same_in_both(
    table: bytes, secret: bytes, salt: bytes, epoch: int, n: int, index: int, body: bytes, seat: int
) -> None:
    assert choice_commitment(table, epoch, seat, n, salt, body) == second.choice(table, epoch, seat, n, salt, body)
    sealed = second.sealed_choice(secret, epoch, index, salt, body)
    assert sealed == seal_choice(secret, epoch, index, salt, body)
    assert second.bot_salt(secret, index) == expand(secret, "bot salt", u64(index))
    assert second.opening(n, salt, body) == pack_opening(n, salt, body)
