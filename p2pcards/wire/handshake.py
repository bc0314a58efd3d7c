"""How two programs prove their keys to each other (protocol 4.2): SIGMA-I in three messages of fixed size.

    M1  I -> R   38 bytes    "P2PC" 1 1 || eI[32]
    M2  R -> I  196 bytes    eR[32] || record( pkR[32] || sigR[64] || macR[32] )
    M3  I -> R  164 bytes    record( pkI[32] || sigI[64] || macI[32] )

Theory of operation. Both sides mix two one-time keys (X25519) into a secret that no onlooker has and that is gone
when the connection ends. Each then signs the one-time keys, which shows who is speaking, and MACs its own key under
the fresh secret, which shows that the signer is the one holding it: without the MAC somebody in the middle could put
his own name on another's signature. Every label and key names a role, so that nothing a responder says can be played
back as something an initiator says. The whole transcript goes into every hash: th1, th2, th3 after each message. th3
names the session; the keys of the records come from it.

I dials and is `Initiator`, R is dialled and is `Responder`. Any failure is a ProtocolError, and the object is used up;
nothing is said to the peer then.
"""

from __future__ import annotations

import hmac

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from msgspec import Struct

from p2pcards.errors import ProtocolError
from p2pcards.wire.encode import digest, enc, expand, mac
from p2pcards.wire.identity import Identity, check_key, short, verify
from p2pcards.wire.records import Opener, Sealer

M1_BYTES, M2_BYTES, M3_BYTES = 38, 196, 164

_MAGIC = b"P2PC\x01\x01"
_INNER = 128  # pk || sig || mac
_RECORD_LENGTH = (_INNER + 32).to_bytes(4, "big")


class OwnKey(ProtocolError):
    """The far end is this very program, or another with the same key."""


class OtherKey(ProtocolError):
    """The far end proved a key, but not the one that was dialled."""


class Session(Struct, frozen=True):
    """An authenticated connection. peer: the far end's key; th3: names the session, 32 bytes."""

    peer: bytes
    th3: bytes
    sealer: Sealer
    opener: Opener

    def __repr__(self) -> str:
        return f"Session({short(self.peer)})"


class _Side:
    """What both ends do. `_me` and `_peer` are the roles, "i" and "r"."""

    _me, _peer = "", ""

    def __init__(self, identity: Identity, ephemeral: bytes) -> None:
        """ephemeral: 32 random bytes, used for this handshake alone."""
        self._identity = identity
        self._ephemeral: X25519PrivateKey | None = X25519PrivateKey.from_private_bytes(ephemeral)
        self._own_point = self._ephemeral.public_key().public_bytes_raw()

    def _agree(self, point: bytes, m1: bytes, e_r: bytes) -> bytes:
        """Mixes our one-time key with the peer's and forgets it; gives th1."""
        ephemeral, self._ephemeral = self._ephemeral, None
        if ephemeral is None:
            raise ProtocolError("handshake used twice")
        if point == self._own_point:
            raise OwnKey("our own one-time key came back")
        try:
            shared = ephemeral.exchange(X25519PublicKey.from_public_bytes(point))
        except ValueError as error:  # the result is zero: a point of small order
            raise ProtocolError("one-time key of small order") from error
        th1 = digest("th1", m1, e_r)
        self._prk = mac(th1, shared)
        return th1

    def _prove(self, th: bytes, *also: bytes) -> bytes:
        """Our proof: a record with our key, its signature under th (and `also`), and the MAC of both."""
        key = self._identity.key
        sig = self._identity.sign(enc(f"sig {self._me}", th, key, *also))
        tag = mac(expand(self._prk, f"sigma {self._me}"), enc(f"mac {self._me}", th, key, sig))
        return Sealer(*self._keys(self._prk, "hs", self._me)).seal_plain(key + sig + tag)

    def _check(self, record: bytes, th: bytes, *also: bytes) -> bytes:
        """The key that the peer's proof proves; also: what the peer signed behind its key."""
        if record[:4] != _RECORD_LENGTH:
            raise ProtocolError("proof of the wrong length")
        inner = Opener(*self._keys(self._prk, "hs", self._peer)).open_plain(record[4:])
        key, sig, tag = inner[:32], inner[32:96], inner[96:]
        check_key(key)
        expected = mac(expand(self._prk, f"sigma {self._peer}"), enc(f"mac {self._peer}", th, key, sig))
        if not hmac.compare_digest(tag, expected):
            raise ProtocolError("proof with a wrong MAC")
        if not verify(key, sig, enc(f"sig {self._peer}", th, key, *also)):
            raise ProtocolError("proof with a wrong signature")
        if key == self._identity.key:
            raise OwnKey("the peer has our own key")
        return key

    def _session(self, peer: bytes, th2: bytes, m3: bytes) -> Session:
        th3 = digest("th3", th2, m3)
        app = mac(th3, self._prk)
        del self._prk
        return Session(
            peer, th3, Sealer(*self._keys(app, "app", self._me)), Opener(*self._keys(app, "app", self._peer))
        )

    @staticmethod
    def _keys(secret: bytes, phase: str, role: str) -> tuple[bytes, bytes]:
        return expand(secret, f"{phase} {role} enc"), expand(secret, f"{phase} {role} mac")


class Initiator(_Side):
    """The end that dials: send `m1`, then `finish(M2)` gives M3 to send and the session."""

    _me, _peer = "i", "r"

    def __init__(self, identity: Identity, ephemeral: bytes, expected: bytes | None = None) -> None:
        """expected: the key that was dialled, None where any may answer."""
        super().__init__(identity, ephemeral)
        self._expected = expected
        self.m1 = _MAGIC + self._own_point

    def finish(self, m2: bytes) -> tuple[bytes, Session]:
        """M3 and the session; OwnKey, OtherKey or ProtocolError where M2 is not the answer of the peer dialled."""
        if len(m2) != M2_BYTES:
            raise ProtocolError("M2 of the wrong length")
        th1 = self._agree(m2[:32], self.m1, m2[:32])
        peer = self._check(m2[32:], th1)
        if self._expected is not None and peer != self._expected:
            raise OtherKey("another key than the one dialled")
        th2 = digest("th2", th1, m2)
        m3 = self._prove(th2, peer)
        return m3, self._session(peer, th2, m3)


class Responder(_Side):
    """The end that is dialled: `answer(M1)` gives M2 to send, then `finish(M3)` the session."""

    _me, _peer = "r", "i"
    _th2 = b""

    def answer(self, m1: bytes) -> bytes:
        """M2; ProtocolError for anything but a first message."""
        if len(m1) != M1_BYTES or not m1.startswith(_MAGIC):
            raise ProtocolError("no handshake of this version")
        th1 = self._agree(m1[6:], m1, self._own_point)
        m2 = self._own_point + self._prove(th1)
        self._th2 = digest("th2", th1, m2)
        return m2

    def finish(self, m3: bytes) -> Session:
        """The session; ProtocolError where M3 proves no key other than ours."""
        th2, self._th2 = self._th2, b""
        if not th2 or len(m3) != M3_BYTES:
            raise ProtocolError("M3 of the wrong length or out of turn")
        return self._session(self._check(m3, th2, self._identity.key), th2, m3)
