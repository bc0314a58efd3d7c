"""The one encoder for everything that is hashed, MACed, signed or fed to a key derivation (protocol 2.1).

    enc(label, p1..pk) = u8 len(L) || L || u8 k || (u32 len(pi) || pi)*          L = "p2pcards/1 " || label

A label and a count stand before the parts and a length before each, so no two inputs give the same bytes and nothing
made for one purpose passes for another.
"""

from __future__ import annotations

import hashlib
import hmac
from functools import cache

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from p2pcards.errors import ProtocolError

_PREFIX = b"p2pcards/1 "


def u8(number: int) -> bytes:
    """1 byte."""
    return number.to_bytes(1, "big")


def u16(number: int) -> bytes:
    """2 bytes, big-endian."""
    return number.to_bytes(2, "big")


def u32(number: int) -> bytes:
    """4 bytes, big-endian."""
    return number.to_bytes(4, "big")


def u64(number: int) -> bytes:
    """8 bytes, big-endian."""
    return number.to_bytes(8, "big")


def enc(label: str, *parts: bytes) -> bytes:
    """The label and the parts as unambiguous bytes."""
    pieces = [_labelled(label), u8(len(parts))]
    for part in parts:
        pieces += u32(len(part)), part
    return b"".join(pieces)


@cache
def _labelled(label: str) -> bytes:
    """u8 len(L) || L; there are as many labels as the protocol has purposes."""
    name = _PREFIX + label.encode("ascii")
    return u8(len(name)) + name


def dec(label: str, data: bytes) -> tuple[bytes, ...]:
    """The parts of enc(label, parts); ProtocolError for anything that enc would not have written."""
    start = _labelled(label)
    if not data.startswith(start) or len(data) == len(start):
        raise ProtocolError(f"not the encoding of {label!r}")
    at, parts = len(start) + 1, []
    for _ in range(data[len(start)]):
        end = at + 4 + int.from_bytes(data[at : at + 4], "big")
        parts.append(data[at + 4 : end])
        at = end
    if at != len(data):
        raise ProtocolError(f"encoding of {label!r} is longer or shorter than its parts")
    return tuple(parts)


def digest(label: str, *parts: bytes) -> bytes:
    """H: SHA-256 of enc(label, parts), 32 bytes."""
    return hashlib.sha256(enc(label, *parts)).digest()


def mac(key: bytes, data: bytes) -> bytes:
    """MAC: HMAC-SHA256, 32 bytes."""
    return hmac.digest(key, data, "sha256")


def expand(prk: bytes, label: str, *parts: bytes, length: int = 32) -> bytes:
    """X: HKDF-Expand-SHA256 of the 32-byte `prk` with enc(label, parts) as info."""
    return HKDFExpand(SHA256(), length, enc(label, *parts)).derive(prk)
