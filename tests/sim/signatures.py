"""Signatures that cost nothing, for runs in which nobody forges any.

A signature is a hash of the public key and the data: whoever changes a byte breaks it, whoever wants to can make one.
Everything above `wire.identity` runs as it does with real keys.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from cryptography.exceptions import InvalidSignature

from p2pcards.wire import identity


def _mark(key: bytes, data: bytes) -> bytes:
    return hashlib.blake2b(data, key=key).digest()


class PublicKey:
    """In place of `Ed25519PublicKey`."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    @staticmethod
    def from_public_bytes(raw: bytes) -> PublicKey:
        """The key of these 32 bytes."""
        return PublicKey(raw)

    def public_bytes_raw(self) -> bytes:
        """The 32 bytes."""
        return self._raw

    def verify(self, signature: bytes, data: bytes) -> None:
        """Raises InvalidSignature unless `signature` is this key's."""
        if signature != _mark(self._raw, data):
            raise InvalidSignature


class PrivateKey:
    """In place of `Ed25519PrivateKey`."""

    def __init__(self, seed: bytes) -> None:
        self._key = hashlib.sha256(seed).digest()

    @staticmethod
    def from_private_bytes(seed: bytes) -> PrivateKey:
        """The key of this seed."""
        return PrivateKey(seed)

    def public_key(self) -> PublicKey:
        """Its other half."""
        return PublicKey(self._key)

    def sign(self, data: bytes) -> bytes:
        """64 bytes."""
        return _mark(self._key, data)


@contextmanager
def cheap() -> Iterator[None]:
    """Inside, keys are these."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(identity, "Ed25519PublicKey", PublicKey)
        patch.setattr(identity, "Ed25519PrivateKey", PrivateKey)
        yield
