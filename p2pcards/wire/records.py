"""Sealed records: what travels on a connection after the two keys are proved (protocol 4.4).

    record = len u32 || ct || tag[32]         len = len(ct) + 32
    ct     = AES-256-CTR(enc key, u64 seq || u64 0, plain)
    tag    = HMAC-SHA256(mac key, u64 seq || u32 len(ct) || ct)
    plain  = kind u8 || 0 u8 || len(body) u16 || body || zeros to a multiple of 64

seq counts the records of one direction and is never sent: a record that was dropped, repeated, moved or turned round
has the wrong one, and its tag fails. Nothing is decrypted before its tag is right. Lengths come in steps of 64, so
that they don't tell one card from another.
"""

from __future__ import annotations

import hmac
import struct

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC

from p2pcards.errors import ProtocolError

HEADER_BYTES = 4
PLAIN_BYTES = 16 * 1024
"""The longest plain text, padding included."""
BODY_BYTES = PLAIN_BYTES - 4
"""The longest body."""
EARLY_BYTES = 512
"""The longest plain text that a newcomer may send before it is let in."""

_BLOCK = 64
_TAG = 32
_LAST_SEQ = 2**32 - 1

_COUNTER = struct.Struct(">Q8x")  # first counter block: seq, then blocks from 0
_PLACE = struct.Struct(">QI")  # what the tag covers before the text: seq, length
_HEADER = struct.Struct(">I")
_START = struct.Struct(">BxH")  # of the plain text: kind, 0, length of the body


def record_length(header: bytes, most: int = PLAIN_BYTES) -> int:
    """How many bytes follow the 4 of the header; ProtocolError where they can't be a record of at most `most` bytes."""
    length = int.from_bytes(header, "big")
    if len(header) != HEADER_BYTES or not _BLOCK <= length - _TAG <= most or (length - _TAG) % _BLOCK:
        raise ProtocolError(f"record of {length} bytes")
    return length


class _Direction:
    """The keys of one direction of a connection and the number of its next record."""

    __slots__ = ("_cipher", "_keyed", "_seq")

    def __init__(self, enc_key: bytes, mac_key: bytes) -> None:
        self._cipher = Cipher(AES(enc_key), CTR(bytes(16))).encryptor()  # in CTR mode it decrypts as well
        self._keyed = HMAC(mac_key, SHA256())  # copied for each record: setting up the key costs more than the rest
        self._seq = 0

    def _crypt(self, text: bytes) -> bytes:
        self._cipher.reset_nonce(_COUNTER.pack(self._seq))
        return self._cipher.update(text)

    def _tag(self, ct: bytes) -> bytes:
        mac = self._keyed.copy()
        mac.update(_PLACE.pack(self._seq, len(ct)) + ct)
        return mac.finalize()

    def _check_worn(self) -> None:
        if self._seq > _LAST_SEQ:
            raise ProtocolError("no record may follow on these keys")


class Sealer(_Direction):
    """Makes the records of the direction in which we send."""

    __slots__ = ()

    def seal(self, kind: int, body: bytes) -> bytes:
        """The record of a message; body <= BODY_BYTES (else ValueError). ProtocolError after 2^32 records."""
        if len(body) > BODY_BYTES:
            raise ValueError(f"body of {len(body)} bytes")
        plain = _START.pack(kind, len(body)) + body
        return self.seal_plain(plain + bytes(-len(plain) % _BLOCK))

    def seal_plain(self, plain: bytes) -> bytes:
        """The record of a plain text without kind and padding: handshake only."""
        self._check_worn()
        ct = self._crypt(plain)
        record = _HEADER.pack(len(ct) + _TAG) + ct + self._tag(ct)
        self._seq += 1
        return record


class Opener(_Direction):
    """Opens the records of the direction in which we receive. After the first bad one it opens nothing more."""

    __slots__ = ()

    def open(self, length: int, rest: bytes) -> tuple[int, bytes]:
        """(kind, body) of a record. length: what `record_length` said; rest: that many bytes."""
        if len(rest) != length:
            raise ProtocolError(f"record of {len(rest)} bytes instead of {length}")
        plain = self.open_plain(rest)
        end = 4 + int.from_bytes(plain[2:4], "big")
        if plain[1] or len(plain) != end + -end % _BLOCK or any(plain[end:]):
            self._seq = _LAST_SEQ + 1
            raise ProtocolError("record with wrong padding")
        return plain[0], plain[4:end]

    def open_plain(self, rest: bytes) -> bytes:
        """The plain text of a record without its header."""
        self._check_worn()
        ct, tag = rest[:-_TAG], rest[-_TAG:]
        if not hmac.compare_digest(tag, self._tag(ct)):
            self._seq = _LAST_SEQ + 1
            raise ProtocolError("record with a wrong tag")
        plain = self._crypt(ct)
        self._seq += 1
        return plain
