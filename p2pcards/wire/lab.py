"""What the key of a lab proves (protocol 5.2): that whoever connects, and whoever answers, may read the same file.

Each role has a label of its own, so that a proof sent back proves nothing; th3 is in both, so that a proof is of one
connection. The tag of an advert only sorts the list: what it names must still prove its key.
"""

from __future__ import annotations

import hmac

from p2pcards.wire.encode import enc, expand, mac, u16

LAB_BYTES = 32
"""Length of a lab's key. No other is taken: it makes no proof (ValueError), and none holds under it."""

TAG_BYTES = 16
"""Length of an advert's tag."""


def proof_i(lab: bytes, session: bytes) -> bytes:
    """What the end that dialled says, 32 bytes. session: th3 of the handshake."""
    return _proof(lab, "lab i", session)


def proof_r(lab: bytes, session: bytes) -> bytes:
    """What the end that was dialled says, 32 bytes."""
    return _proof(lab, "lab r", session)


def proves_i(lab: bytes, session: bytes, said: bytes) -> bool:
    """Whether `said` is `proof_i`; False where we have no key."""
    return len(lab) == LAB_BYTES and hmac.compare_digest(said, proof_i(lab, session))


def proves_r(lab: bytes, session: bytes, said: bytes) -> bool:
    """Whether `said` is `proof_r`; False where we have no key."""
    return len(lab) == LAB_BYTES and hmac.compare_digest(said, proof_r(lab, session))


def advert_tag(lab: bytes, instance: str, table: bytes, key: bytes, port: int, door: str, game: str) -> bytes:
    """The tag of a table's advert, 16 bytes. instance: its name on the network; key: the host's."""
    body = enc("adv", instance.encode(), table, key, u16(port), door.encode(), game.encode())
    return mac(expand(_key(lab), "lab adv"), body)[:TAG_BYTES]


def tagged(lab: bytes, instance: str, table: bytes, key: bytes, port: int, door: str, game: str, tag: bytes) -> bool:
    """Whether `tag` is `advert_tag` of the rest; False where we have no key."""
    if len(lab) != LAB_BYTES:
        return False
    return hmac.compare_digest(tag, advert_tag(lab, instance, table, key, port, door, game))


def _proof(lab: bytes, label: str, session: bytes) -> bytes:
    return mac(expand(_key(lab), "lab auth"), enc(label, session))


def _key(lab: bytes) -> bytes:
    if len(lab) != LAB_BYTES:
        raise ValueError(f"lab key of {len(lab)} bytes")
    return lab
