"""Records that were changed, cut short or brought elsewhere on their way (protocol 10, suite 3): every one is refused.

The handshake's own three messages are in test_handshake.
"""

from __future__ import annotations

import itertools

import pytest

from p2pcards.errors import ProtocolError
from p2pcards.wire.handshake import Initiator, Responder, Session
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import BODIES, decode
from p2pcards.wire.records import HEADER_BYTES, Opener, Sealer, record_length
from tests.fuzz.honest import bodies
from tests.testing.tally import Tally
from tests.vectors import load

KNOWN = {name: bytes.fromhex(value) for name, value in load("handshake")["vectors"][0].items()}
KEYS = KNOWN["app_i_enc"], KNOWN["app_i_mac"]
ALICE, BOB = Identity(KNOWN["seed_i"]), Identity(KNOWN["seed_r"])

MESSAGES = bodies()
"""One of every kind, kind and body; of some kinds more than one."""
RECORDS = {name: Sealer(*KEYS).seal(plain[0], plain[1:]) for name, plain in MESSAGES.items()}

every_message = pytest.mark.parametrize("name", MESSAGES)


def read(opener: Opener, stream: bytes) -> tuple[int, bytes]:
    """The first record on a stream that ends, as whoever receives it reads it."""
    length = record_length(stream[:HEADER_BYTES])
    return opener.open(length, stream[HEADER_BYTES : HEADER_BYTES + length])


def is_refused(opener: Opener, stream: bytes) -> bool:
    try:
        read(opener, stream)
    except ProtocolError:
        return True
    return False


def test_there_is_a_record_of_every_kind() -> None:
    assert {plain[0] for plain in MESSAGES.values()} == set(BODIES)
    assert all(read(Opener(*KEYS), RECORDS[name]) == (plain[0], plain[1:]) for name, plain in MESSAGES.items())


@every_message
def test_every_flipped_bit_is_refused(name: str, tally: Tally) -> None:
    record = RECORDS[name]
    for bit in range(len(record) * 8):
        flipped = bytearray(record)
        flipped[bit // 8] ^= 1 << bit % 8
        assert is_refused(Opener(*KEYS), bytes(flipped)), bit
    tally("3 single-bit flips of records", len(record) * 8)


@every_message
def test_every_record_cut_short_is_refused(name: str, tally: Tally) -> None:
    record = RECORDS[name]
    for length in range(len(record)):
        assert is_refused(Opener(*KEYS), record[:length]), length
    tally("3 truncations", len(record))


@every_message
def test_every_body_cut_short_before_it_was_sealed_is_refused(name: str, tally: Tally) -> None:
    kind, body = MESSAGES[name][0], MESSAGES[name][1:]
    decode(kind, body)
    for length in range(len(body)):
        with pytest.raises(ProtocolError):
            decode(kind, body[:length])
    tally("3 truncations", len(body))


# ---- in another place than its own


def sessions(one: Identity, other: Identity, once: bytes = KNOWN["once_i"]) -> tuple[Session, Session]:
    """Both ends of a connection, always with the same one-time keys unless `once` is another."""
    initiator, responder = Initiator(one, once), Responder(other, KNOWN["once_r"])
    m3, ours = initiator.finish(responder.answer(initiator.m1))
    return ours, responder.finish(m3)


PLACES = 4


@pytest.mark.parametrize("way", [0, 1], ids=["from the dialler", "from the dialled"])
@every_message
def test_a_record_is_good_in_its_own_place_alone(name: str, way: int, tally: Tally) -> None:
    """Sent back to where it came from, to another connection of the same two, to one dialled the other way round, to a
    stranger's; each as first, second, third and fourth record there."""
    kind, body = MESSAGES[name][0], MESSAGES[name][1:]
    connections = {
        "own": sessions(ALICE, BOB),
        "later": sessions(ALICE, BOB, b"\6" * 32),
        "other way": sessions(BOB, ALICE),
        "stranger's": sessions(Identity(b"\5" * 32), BOB),
    }
    sealer = connections["own"][way].sealer
    records = [sealer.seal(kind, body) for _ in range(PLACES)]
    cases = 0
    for sent, (connection, ends) in itertools.product(range(PLACES), connections.items()):
        for end, place in itertools.product((0, 1), range(PLACES)):
            opener = ends[end].opener
            opener._seq = place
            right = connection == "own" and end != way and place == sent
            assert is_refused(opener, records[sent]) is not right, (sent, connection, end, place)
            cases += not right
    tally("3 records in a wrong place", cases)


def test_no_key_of_a_session_is_used_twice() -> None:
    """The record of one direction under the cipher of the other, or its tag under the other's."""
    way_i, way_r = ((KNOWN[f"app_{role}_enc"], KNOWN[f"app_{role}_mac"]) for role in "ir")
    keys = {*way_i, *way_r}
    assert len(keys) == 4
    record = Sealer(*way_i).seal(1, b"body")
    for pair in itertools.product(keys, keys):
        try:
            opened = read(Opener(*pair), record) == (1, b"body")
        except ProtocolError:
            opened = False
        assert opened is (pair == way_i)
