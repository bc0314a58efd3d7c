"""Keys, signatures and the names that people see (protocol 3)."""

from __future__ import annotations

import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.errors import ProtocolError
from p2pcards.wire.identity import Identity, check_key, chip, fingerprint, short, verify, word_list, words

ALICE = Identity(b"\1" * 32)
P = 2**255 - 19
ORDER_8 = (
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
)
SMALL = [
    bytes([*y[:31], y[31] | sign])
    for y in (*(n.to_bytes(32, "little") for n in (0, 1, P - 1, P, P + 1)), *map(bytes.fromhex, ORDER_8))
    for sign in (0, 0x80)
]


@given(st.binary(max_size=100))
def test_a_signature_is_good_for_its_key_and_data_only(data: bytes) -> None:
    signature = ALICE.sign(data)
    assert verify(ALICE.key, signature, data)
    assert not verify(ALICE.key, signature, data + b"\0")
    assert not verify(Identity(b"\2" * 32).key, signature, data)


@given(st.binary(max_size=40), st.binary(max_size=70), st.binary(max_size=5))
def test_verify_never_raises(key: bytes, signature: bytes, data: bytes) -> None:
    assert not verify(key, signature, data)


def test_there_are_14_small_encodings() -> None:
    assert len(set(SMALL)) == 14


@pytest.mark.parametrize("key", SMALL, ids=bytes.hex)
def test_small_order_keys_are_refused(key: bytes) -> None:
    with pytest.raises(ProtocolError):
        check_key(key)


@pytest.mark.parametrize("key", SMALL, ids=bytes.hex)
def test_no_forgery_passes_under_a_small_order_key(key: bytes) -> None:
    """R = the point itself or the identity, S = 0: what anybody can write down without a secret."""
    points = (key, (1).to_bytes(32, "little"))
    forged = [(point + bytes(32), bytes([n])) for point in points for n in range(64)]
    assert any(library_accepts(key, signature, data) for signature, data in forged), "the attack is real"
    assert not any(verify(key, signature, data) for signature, data in forged)


def library_accepts(key: bytes, signature: bytes, data: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, data)
    except Exception:
        return False
    return True


@pytest.mark.parametrize("length", [0, 31, 33])
def test_keys_of_another_length_are_refused(length: int) -> None:
    with pytest.raises(ProtocolError):
        check_key(b"\7" * length)


def test_an_honest_key_passes() -> None:
    check_key(ALICE.key)


def test_fingerprint_is_the_same_however_it_is_shown() -> None:
    seen = fingerprint(ALICE.key)
    assert seen == hashlib.sha256(b"\x0dp2pcards/1 fp\x01\0\0\0\x20" + ALICE.key).digest()
    assert short(ALICE.key) == seen.hex()[:8] == "67e8b61d"
    places = [word_list().index(word) for word in words(ALICE.key).split("-")]
    bits = "".join(f"{place:011b}" for place in places)
    assert bits == f"{int.from_bytes(seen, 'big'):0256b}"[:66]
    assert words(ALICE.key) == "gun-east-mansion-fashion-grape-session"
    assert chip(ALICE.key) == "gun-east"
    assert len(words(ALICE.key, 23).split("-")) == 23


def test_the_words_are_those_of_bip_39() -> None:
    assert len(set(word_list())) == 2048
    assert (word_list()[0], word_list()[-1]) == ("abandon", "zoo")
    published = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"  # of english.txt beside the standard
    assert hashlib.sha256("".join(f"{word}\n" for word in word_list()).encode()).hexdigest() == published


def test_an_identity_never_shows_its_seed() -> None:
    seed = b"\x5a" * 32
    identity = Identity(seed)
    assert repr(identity) == f"Identity({short(identity.key)})"
    assert not hasattr(identity, "__dict__")
    assert seed not in [getattr(identity, name) for name in Identity.__slots__]
