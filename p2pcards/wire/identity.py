"""Who somebody is: an Ed25519 key (protocol 3)."""

from __future__ import annotations

from functools import cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from p2pcards.errors import ProtocolError
from p2pcards.wire.encode import digest

_P = 2**255 - 19
_SMALL_ORDER = frozenset(
    {y.to_bytes(32, "little") for y in (0, 1, _P - 1, _P, _P + 1)}
    | {
        bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
        bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
    }
)
"""Points whose multiples are a handful: under such a key anybody can sign anything, and the library lets it pass."""


class Identity:
    """A secret key: signs as `key`. Neither repr nor attributes give the seed away."""

    __slots__ = ("_secret", "key")

    def __init__(self, seed: bytes) -> None:
        """seed: 32 bytes."""
        self._secret = Ed25519PrivateKey.from_private_bytes(seed)
        self.key = self._secret.public_key().public_bytes_raw()

    def sign(self, data: bytes) -> bytes:
        """The 64-byte Ed25519 signature of the data."""
        return self._secret.sign(data)

    def __repr__(self) -> str:
        return f"Identity({short(self.key)})"


def check_key(key: bytes) -> None:
    """Raises ProtocolError unless the key is 32 bytes and none of the 14 encodings of a point of small order."""
    if len(key) != 32:
        raise ProtocolError("key is not 32 bytes")
    if key[:31] + bytes([key[31] & 0x7F]) in _SMALL_ORDER:
        raise ProtocolError("key of small order")


def verify(key: bytes, signature: bytes, data: bytes) -> bool:
    """Whether the owner of `key` signed the data; False for any key that `check_key` refuses."""
    try:
        check_key(key)
        Ed25519PublicKey.from_public_bytes(key).verify(signature, data)
    except (ProtocolError, InvalidSignature, ValueError):
        return False
    return True


def fingerprint(key: bytes) -> bytes:
    """32 bytes that stand for the key wherever people look at it."""
    return digest("fp", key)


def short(key: bytes) -> str:
    """8 hex digits: names of folders and host records."""
    return fingerprint(key)[:4].hex()


def words(key: bytes, count: int = 6) -> str:
    """The fingerprint's first 11 * count bits as words joined by "-"; count <= 23."""
    bits, names = int.from_bytes(fingerprint(key), "big"), word_list()
    return "-".join(names[bits >> 256 - 11 * place & 0x7FF] for place in range(1, count + 1))


def chip(key: bytes) -> str:
    """Two words, for list rows."""
    return words(key, 2)


@cache
def word_list() -> tuple[str, ...]:
    """The 2048 English words of BIP-39."""
    from mnemonic import Mnemonic  # costs a third of the start: only who shows words pays

    return tuple(Mnemonic("english").wordlist)
