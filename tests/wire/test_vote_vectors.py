"""The known answers of section 7 (protocol 10, suites 1 and 2): ours are these, and those of a second program."""

from __future__ import annotations

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.wire.entries import (
    Entry,
    EntryFlag,
    EntryKind,
    Fork,
    TermStart,
    decode_pub,
    decode_wire,
    encode_entry,
    encode_pub,
    head,
    head_signed,
)
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.identity import Identity, verify
from p2pcards.wire.messages import Kind, decode, encode
from p2pcards.wire.vote import sign_fork, sign_vote, verify_fork, verify_vote
from tests.testing import second_votes as second
from tests.testing.second import packed
from tests.testing.tally import Tally
from tests.vectors import Answers, Vector, check, every, hexed, unhex, vectors
from tests.wire.strategies import KEYS, TABLES, U32S, U64S

HOW_MANY = {"votes": 4, "forks": 2}
every_vector = every(HOW_MANY)


# ---- ours


def our_vote(vector: Vector) -> Vector:
    of = unhex(vector)
    seat = None if vector["seat"] == NO_SEAT else vector["seat"]
    last = vector["last_term"], vector["last"], of("head")
    vote = sign_vote(Identity(of("seed")), of("table"), vector["term"], of("candidate"), seat, last)
    assert verify_vote(vote)
    kind, body = encode(vote)
    assert decode(kind, body) == vote
    assert kind is Kind.VOTE
    start = encode_pub(TermStart(vote.candidate, (vote,), 0))  # in a certificate it is the same array
    assert body in start
    assert decode_pub(EntryKind.TERM_START, start) == TermStart(vote.candidate, (vote,), 0)
    return hexed(voter=vote.voter, sig=vote.sig, body=body)


def our_fork(vector: Vector) -> Vector:
    of, seeds = unhex(vector), [bytes.fromhex(seed) for seed in vector["seeds"]]
    table, fresh, prev, host = of("table"), of("fresh"), of("prev"), Identity(of("host_seed"))
    index = vector["index"]
    said = tuple(sorted((one.key, sign_fork(one, table, prev, fresh)) for one in map(Identity, seeds)))
    assert all(verify_fork(key, sig, table, prev, fresh) for key, sig in said)
    pub = encode_pub(Fork(table, fresh, index, prev, host.key, said))
    place = vector["term"], vector["epoch"], index + 1, prev, vector["ms"]
    entry = Entry(EntryKind.FORK, EntryFlag(0), NO_SEAT, *place, pub)
    body = encode_entry(entry)
    named = head(fresh, body)
    hostsig = host.sign(head_signed(fresh, entry.term, entry.index, named))
    assert decode_wire(body + hostsig) == (entry, hostsig)
    return hexed(pub=pub, head=named, wire=body + hostsig)


# ---- the second program's


def its_vote(vector: Vector) -> Vector:
    of = unhex(vector)
    place = vector["term"], of("candidate"), vector["seat"], vector["last_term"], vector["last"], of("head")
    fields = second.vote(of("seed"), of("table"), *place)
    sig = fields[-1]
    assert isinstance(sig, bytes)
    return hexed(voter=second.key(of("seed")), sig=sig, body=packed(fields))


def its_fork(vector: Vector) -> Vector:
    of, seeds = unhex(vector), [bytes.fromhex(seed) for seed in vector["seeds"]]
    place = vector["term"], vector["epoch"], vector["ms"]
    before = vector["index"], of("prev")
    pub, named, wire = second.fork(seeds, of("host_seed"), of("table"), of("fresh"), before, place)
    return hexed(pub=pub, head=named, wire=wire)


OURS: dict[str, Answers] = {"votes": our_vote, "forks": our_fork}
ITS: dict[str, Answers] = {"votes": its_vote, "forks": its_fork}


# ---- held against the files, and against each other


def test_there_are_6() -> None:
    assert {name: len(vectors(name)) for name in HOW_MANY} == HOW_MANY


@every_vector
def test_our_answers_are_the_known_ones(name: str, vector: Vector, tally: Tally) -> None:
    check(OURS[name], vector)
    tally("1 known answers")


@every_vector
def test_the_second_program_answers_alike(name: str, vector: Vector, tally: Tally) -> None:
    check(ITS[name], vector)
    assert set(OURS[name](vector)) == set(ITS[name](vector))
    tally("2 known answers of a second program")


FEW = settings(max_examples=25)


@FEW
@given(KEYS, TABLES, U32S, KEYS, st.integers(0, 255), U32S, U64S, KEYS)
def test_every_vote_is_the_same_in_both(
    seed: bytes, table: bytes, term: int, candidate: bytes, seat: int, last_term: int, last: int, digest: bytes
) -> None:
    vector = hexed(seed=seed, table=table, candidate=candidate, head=digest)
    vector |= {"term": term, "seat": seat, "last_term": last_term, "last": last}
    assert our_vote(vector) == its_vote(vector)


@FEW
@given(
    st.lists(KEYS, min_size=1, max_size=8, unique=True), TABLES, TABLES, U32S, U32S, st.integers(0, 2**63), U64S, KEYS
)
def test_every_fork_is_the_same_in_both(
    seeds: list[bytes], table: bytes, fresh: bytes, term: int, epoch: int, index: int, ms: int, prev: bytes
) -> None:
    vector = hexed(table=table, fresh=fresh, prev=prev, host_seed=seeds[0])
    vector |= {"seeds": [seed.hex() for seed in seeds], "term": term, "epoch": epoch, "index": index, "ms": ms}
    assert our_fork(vector) == its_fork(vector)


# ---- what they bind


def test_a_vote_is_for_one_candidate_in_one_term_of_one_table_over_one_head() -> None:
    vector = vectors("votes")[1]
    of = unhex(vector)
    last = vector["last_term"], vector["last"], of("head")
    vote = sign_vote(Identity(of("seed")), of("table"), vector["term"], of("candidate"), vector["seat"], last)
    changed = {
        "table": b"x" * 16,
        "term": vote.term + 1,
        "candidate": vote.voter,
        "voter": vote.candidate,
        "seat": NO_SEAT,
        "last_term": vote.last_term + 1,
        "last": vote.last + 1,
        "head": bytes(32),
        "sig": bytes(64),
    }
    assert set(changed) == set(vote.__struct_fields__)
    for field, value in changed.items():
        assert not verify_vote(msgspec.structs.replace(vote, **{field: value})), field


def test_a_yes_is_to_one_table_from_one_head() -> None:
    identity = Identity(bytes(32))
    table, digest, fresh = bytes(16), bytes(32), b"f" * 16
    sig = sign_fork(identity, table, digest, fresh)
    assert verify_fork(identity.key, sig, table, digest, fresh)
    assert not verify_fork(identity.key, sig, fresh, digest, table)
    assert not verify_fork(identity.key, sig, table, b"x" * 32, fresh)
    assert not verify_fork(identity.key, sig, table, digest, b"x" * 16)
    assert not verify_fork(Identity(b"x" * 32).key, sig, table, digest, fresh)


def test_a_vote_is_no_yes_and_neither_is_an_act() -> None:
    """Labels keep signatures of one key apart."""
    identity = Identity(bytes(32))
    vote = sign_vote(identity, bytes(16), 2, identity.key, None, (1, 0, bytes(32)))
    assert not verify_fork(identity.key, vote.sig, bytes(16), bytes(32), bytes(16))
    assert not verify(identity.key, vote.sig, head_signed(bytes(16), 2, 0, bytes(32)))
