"""Two ends prove their keys (protocol 4.2); everything else is refused."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from p2pcards.errors import ProtocolError
from p2pcards.wire.encode import digest, enc, expand, mac
from p2pcards.wire.handshake import (
    M1_BYTES,
    M2_BYTES,
    M3_BYTES,
    Initiator,
    OtherKey,
    OwnKey,
    Responder,
    Session,
)
from p2pcards.wire.identity import Identity, short
from p2pcards.wire.records import Sealer, record_length
from tests.testing.tally import Tally
from tests.vectors import load

KNOWN = {name: bytes.fromhex(value) for name, value in load("handshake")["vectors"][0].items()}
I_SEED, R_SEED, I_ONCE, R_ONCE = (KNOWN[name] for name in ("seed_i", "seed_r", "once_i", "once_r"))
ALICE, BOB, EVE = Identity(I_SEED), Identity(R_SEED), Identity(b"\5" * 32)
P = 2**255 - 19
LOW_ORDER = [
    *(n.to_bytes(32, "little") for n in (0, 1, P - 1, P, P + 1)),
    bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
]
SMALL_KEY = (1).to_bytes(32, "little")


def initiator(expected: bytes | None = None) -> Initiator:
    return Initiator(ALICE, I_ONCE, expected)


def responder(m1: bytes) -> Responder:
    """An honest responder that has answered."""
    end = Responder(BOB, R_ONCE)
    end.answer(m1)
    return end


def shake() -> tuple[bytes, bytes, bytes, Session, Session]:
    one, other = initiator(), Responder(BOB, R_ONCE)
    m2 = other.answer(one.m1)
    m3, ours = one.finish(m2)
    return one.m1, m2, m3, ours, other.finish(m3)


M1, M2, M3, *_ = shake()


def flips(message: bytes) -> Iterator[bytes]:
    """The message with each of its bits flipped in turn."""
    for bit in range(len(message) * 8):
        flipped = bytearray(message)
        flipped[bit // 8] ^= 1 << bit % 8
        yield bytes(flipped)


# ---- honest ends


def test_the_answers_of_the_specification() -> None:
    """Appendix A of the protocol, which has hashes where tests/vectors has the whole."""
    assert M1.hex() == "5032504301015dfedd3b6bd47f6fa28ee15d969d5bb0ea53774d488bdaf9df1c6e0124b3ef22"
    assert hashlib.sha256(M2).hexdigest() == "e47532593a30ac7b2561391141f81d27054bbe3135373ef47e09353c057f0a92"
    assert hashlib.sha256(M3).hexdigest() == "edb6c95134d956e07cc092c56c6c21a08d9a7c3d2b58b38e121a3e195e80096a"
    assert (len(M1), len(M2), len(M3)) == (M1_BYTES, M2_BYTES, M3_BYTES) == (38, 196, 164)
    *_, ours, theirs = shake()
    assert ours.th3.hex() == theirs.th3.hex() == "e19417be1989058736092c8f794837b62e8412abeb801850deacf8a50f1778e4"
    first = ours.sealer.seal(0, b"")
    assert len(first) == 100
    assert hashlib.sha256(first).hexdigest() == "d07eceb46fb9712a1f8c78c92eea9b71a657454f74d3f3efd150645abeaf2892"


def test_each_end_learns_the_other_and_both_can_talk() -> None:
    *_, ours, theirs = shake()
    assert (ours.peer, theirs.peer) == (BOB.key, ALICE.key)
    for sender, receiver in ((ours, theirs), (theirs, ours)):
        for n in range(3):
            record = sender.sealer.seal(n, bytes([n]) * 100)
            assert receiver.opener.open(record_length(record[:4]), record[4:]) == (n, bytes([n]) * 100)


def test_the_dialled_key_answers() -> None:
    _, session = initiator(expected=BOB.key).finish(M2)
    assert session.peer == BOB.key


def test_another_key_than_the_dialled_one_is_refused() -> None:
    with pytest.raises(OtherKey):
        initiator(expected=EVE.key).finish(M2)


def test_every_handshake_has_keys_of_its_own() -> None:
    *_, ours, _ = shake()
    again = Responder(BOB, b"\6" * 32)
    one = initiator()
    _, other = one.finish(again.answer(one.m1))
    assert ours.th3 != other.th3
    assert ours.sealer.seal(1, b"x") != other.sealer.seal(1, b"x")


# ---- damaged messages: 3,184 flips and every truncation


FLIPS = "3 single-bit flips of the handshake"


def test_every_flipped_bit_of_m1_is_refused(tally: Tally) -> None:
    """By the responder, or by the initiator, whose transcript the answer doesn't fit."""
    for flipped in flips(M1):
        with pytest.raises(ProtocolError):
            initiator().finish(Responder(BOB, R_ONCE).answer(flipped))
    tally(FLIPS, len(M1) * 8)


def test_every_flipped_bit_of_m2_is_refused(tally: Tally) -> None:
    for flipped in flips(M2):
        with pytest.raises(ProtocolError):
            initiator().finish(flipped)
    tally(FLIPS, len(M2) * 8)


def test_every_flipped_bit_of_m3_is_refused(tally: Tally) -> None:
    for flipped in flips(M3):
        with pytest.raises(ProtocolError):
            responder(M1).finish(flipped)
    tally(FLIPS, len(M3) * 8)


def test_a_responder_says_nothing_to_another_protocol() -> None:
    for flipped in flips(M1[:6]):
        with pytest.raises(ProtocolError):
            Responder(BOB, R_ONCE).answer(flipped + M1[6:])


def test_no_other_length_is_taken(tally: Tally) -> None:
    for length in range(M2_BYTES):
        if length < M1_BYTES:
            with pytest.raises(ProtocolError):
                Responder(BOB, R_ONCE).answer(M1[:length])
        if length < M3_BYTES:
            with pytest.raises(ProtocolError):
                responder(M1).finish(M3[:length])
        with pytest.raises(ProtocolError):
            initiator().finish(M2[:length])
    for end, message in ((Responder(BOB, R_ONCE).answer, M1), (initiator().finish, M2), (responder(M1).finish, M3)):
        with pytest.raises(ProtocolError):
            end(message + b"\0")
    tally("3 truncations", M1_BYTES + M2_BYTES + M3_BYTES)


# ---- messages in another place than their own


def test_own_ephemeral_is_refused() -> None:
    with pytest.raises(OwnKey):
        initiator().finish(M1[6:] + M2[32:])
    with pytest.raises(OwnKey):
        Responder(BOB, I_ONCE).answer(M1)


def test_own_key_is_refused_at_either_end() -> None:
    one, other = initiator(), Responder(ALICE, R_ONCE)
    m2 = other.answer(one.m1)
    with pytest.raises(OwnKey):
        one.finish(m2)
    m3 = prove_as_initiator(ALICE, m2, responder_key=ALICE.key)
    with pytest.raises(OwnKey):
        other.finish(m3)


def test_a_proof_sent_back_is_refused() -> None:
    with pytest.raises(ProtocolError):
        responder(M1).finish(M2[32:])
    with pytest.raises(ProtocolError):
        initiator().finish(M2[:32] + M3)


def test_no_message_is_good_in_another_place(tally: Tally) -> None:
    """What was said in five handshakes, and every answer put together of two of them, is said to either end of one."""
    five = [
        talk(ALICE, I_ONCE, BOB, R_ONCE),
        talk(ALICE, b"\6" * 32, BOB, R_ONCE),
        talk(ALICE, I_ONCE, BOB, b"\6" * 32),
        talk(BOB, I_ONCE, ALICE, R_ONCE),
        talk(EVE, b"\6" * 32, BOB, R_ONCE),
    ]
    assert five[0] == (M1, M2, M3)
    points = {point for m1, m2, _ in five for point in (m1[6:], m2[:32])}
    proofs = {proof for _, m2, m3 in five for proof in (m2[32:], m3)}
    m1s = {m1 for m1, _, _ in five}
    answers = {point + proof for point, proof in itertools.product(points, proofs)} - {M2}
    to_m1 = answers - {five[2][1]}  # that is an honest answer to the same M1
    for m2 in to_m1:
        with pytest.raises(ProtocolError):
            initiator().finish(m2)
    for m3 in (proofs | m1s | answers) - {M3}:
        with pytest.raises(ProtocolError):
            responder(M1).finish(m3)
    for m1 in answers | proofs | {M2}:
        with pytest.raises(ProtocolError):
            Responder(BOB, R_ONCE).answer(m1)
    tally("3 handshake messages in a wrong place", len(to_m1) + 2 * len(answers) + 2 * len(proofs) + len(m1s))


def talk(one: Identity, once: bytes, other: Identity, other_once: bytes) -> tuple[bytes, bytes, bytes]:
    """What two honest ends say."""
    dialler, dialled = Initiator(one, once), Responder(other, other_once)
    m2 = dialled.answer(dialler.m1)
    m3, _ = dialler.finish(m2)
    dialled.finish(m3)
    return dialler.m1, m2, m3


def test_a_message_of_another_handshake_is_refused() -> None:
    other = Initiator(ALICE, b"\6" * 32)
    with pytest.raises(ProtocolError):
        other.finish(M2)
    with pytest.raises(ProtocolError):
        responder(other.m1).finish(M3)


def test_m3_before_m1_is_refused() -> None:
    with pytest.raises(ProtocolError):
        Responder(BOB, R_ONCE).finish(M3)


def test_an_end_serves_one_handshake() -> None:
    one, other = initiator(), responder(M1)
    one.finish(M2)
    other.finish(M3)
    with pytest.raises(ProtocolError):
        one.finish(M2)
    with pytest.raises(ProtocolError):
        other.finish(M3)
    with pytest.raises(ProtocolError):
        other.answer(M1)


def test_a_refused_handshake_can_not_be_tried_again() -> None:
    one, other = initiator(), responder(M1)
    with pytest.raises(ProtocolError):
        one.finish(M2[:-1] + b"\0")
    with pytest.raises(ProtocolError):
        one.finish(M2)
    with pytest.raises(ProtocolError):
        other.finish(bytes(M3_BYTES))
    with pytest.raises(ProtocolError):
        other.finish(M3)


@pytest.mark.parametrize("point", LOW_ORDER, ids=bytes.hex)
def test_one_time_keys_of_low_order_are_refused(point: bytes) -> None:
    with pytest.raises(ProtocolError):
        Responder(BOB, R_ONCE).answer(M1[:6] + point)
    with pytest.raises(ProtocolError):
        initiator().finish(point + M2[32:])


# ---- a peer that knows the keys of the connection and lies inside its proof


def secret(m1: bytes, e_r: bytes, own: bytes, point: bytes) -> tuple[bytes, bytes]:
    """(th1, prk) as either end computes them."""
    th1 = digest("th1", m1, e_r)
    shared = X25519PrivateKey.from_private_bytes(own).exchange(X25519PublicKey.from_public_bytes(point))
    return th1, mac(th1, shared)


def seal(prk: bytes, role: str, plain: bytes) -> bytes:
    return Sealer(expand(prk, f"hs {role} enc"), expand(prk, f"hs {role} mac")).seal_plain(plain)


def sigma(prk: bytes, role: str, th: bytes, key: bytes, sig: bytes) -> bytes:
    return mac(expand(prk, f"sigma {role}"), enc(f"mac {role}", th, key, sig))


def prove_as_initiator(who: Identity, m2: bytes, responder_key: bytes) -> bytes:
    """M3 as `who` makes it."""
    th1, prk = secret(M1, m2[:32], I_ONCE, m2[:32])
    th2 = digest("th2", th1, m2)
    sig = who.sign(enc("sig i", th2, who.key, responder_key))
    return seal(prk, "i", who.key + sig + sigma(prk, "i", th2, who.key, sig))


def lie(
    key: bytes = BOB.key,
    signer: Identity = BOB,
    label: str = "sig r",
    signed_key: bytes = BOB.key,
    sig: bytes = b"",
    mac_key: bytes = BOB.key,
    role: str = "r",
    extra: bytes = b"",
) -> bytes:
    """M2 with one thing about it other than honest."""
    e_r = M2[:32]
    th1, prk = secret(M1, e_r, R_ONCE, M1[6:])
    sig = sig or signer.sign(enc(label, th1, signed_key))
    return e_r + seal(prk, role, key + sig + sigma(prk, role, th1, mac_key, sig) + extra)


def test_the_lies_are_built_as_honest_ends_do() -> None:
    assert lie() == M2
    assert prove_as_initiator(ALICE, M2, BOB.key) == M3


@pytest.mark.parametrize(
    "m2",
    [
        lie(key=EVE.key),  # another's signature under our name, MAC of the signer
        lie(key=EVE.key, mac_key=EVE.key),  # the same with a right MAC: identity misbinding
        lie(signer=EVE),
        lie(label="sig i"),
        lie(signed_key=EVE.key),
        lie(mac_key=EVE.key),
        lie(role="i"),
        lie(sig=bytes(64)),
        lie(extra=bytes(64)),
        lie(key=SMALL_KEY, mac_key=SMALL_KEY, sig=SMALL_KEY + bytes(32)),
    ],
)
def test_a_lie_in_m2_is_refused(m2: bytes) -> None:
    with pytest.raises(ProtocolError):
        initiator().finish(m2)


def test_a_proof_for_another_responder_is_refused() -> None:
    with pytest.raises(ProtocolError):
        responder(M1).finish(prove_as_initiator(ALICE, M2, responder_key=EVE.key))


def test_a_small_order_key_in_m3_is_refused() -> None:
    th1, prk = secret(M1, M2[:32], I_ONCE, M2[:32])
    sig = SMALL_KEY + bytes(32)
    tag = sigma(prk, "i", digest("th2", th1, M2), SMALL_KEY, sig)
    with pytest.raises(ProtocolError, match="small order"):
        responder(M1).finish(seal(prk, "i", SMALL_KEY + sig + tag))


def test_a_proof_of_another_length_is_refused_before_it_is_opened() -> None:
    with pytest.raises(ProtocolError, match="length"):
        initiator().finish(M2[:32] + (159).to_bytes(4, "big") + M2[36:])


# ---- what comes after


def test_handshake_records_open_nothing_on_the_session() -> None:
    _, _, m3, _, theirs = shake()
    with pytest.raises(ProtocolError):
        theirs.opener.open(160, m3[4:])


def test_nothing_shows_a_secret() -> None:
    *_, ours, _ = shake()
    assert repr(ours) == f"Session({short(BOB.key)})"
    for shown in (ours, ours.sealer, ours.opener, initiator(), responder(M1)):
        for secret_bytes in (I_SEED, R_SEED, I_ONCE, R_ONCE, KNOWN["app_i_enc"]):
            assert repr(secret_bytes) not in repr(shown)
            assert secret_bytes.hex() not in repr(shown)
