"""Two doctors' word to each other by multicast: one question of mDNS that nobody else has an answer to.

    VERB.TOKEN.ECHO.PORT._p2pcards-doctor._tcp.local.  PTR ?

TOKEN is 16 hex digits that the sender drew for this run and interface, ECHO the token that it answers (zeros: none),
PORT where its TCP door is (0: nowhere). VERB is `ask` (who hears it answers once) or `tell` (nobody answers it). For
every other program on the network it is a question about a service that isn't there; no advert of ours looks like it.
"""

from __future__ import annotations

import re
import secrets
import struct

from msgspec import Struct

NOBODY = "0" * 16
LONGEST = 200
"""Bytes of such a question."""

_HEADER = struct.Struct(">HHHHHH")
_TAIL = b"\x10_p2pcards-doctor\x04_tcp\x05local\0" + b"\0\x0c\0\1"
_LABELS = tuple(map(re.compile, (rb"ask|tell", rb"[0-9a-f]{16}", rb"[0-9a-f]{16}", rb"[0-9]{1,5}")))


class Call(Struct, frozen=True):
    """One such word."""

    verb: str
    token: str
    echo: str = NOBODY
    port: int = 0


def token() -> str:
    """A token of this run."""
    return secrets.token_hex(8)


def write(call: Call) -> bytes:
    """The question as it travels; its id is another each time."""
    labels = (call.verb, call.token, call.echo, str(call.port))
    name = b"".join(bytes([len(label)]) + label.encode() for label in labels)
    return _HEADER.pack(int.from_bytes(secrets.token_bytes(2), "big"), 0, 1, 0, 0, 0) + name + _TAIL


def read(packet: bytes) -> Call | None:
    """The call in a packet of mDNS; None for everything else that comes there."""
    if not len(_TAIL) < len(packet) <= LONGEST or not packet.endswith(_TAIL):
        return None
    if packet[2 : _HEADER.size] != _HEADER.pack(0, 0, 1, 0, 0, 0)[2:]:
        return None
    rest, labels = packet[_HEADER.size : -len(_TAIL)], []
    for allowed in _LABELS:
        size = rest[0] if rest else 0
        label, rest = rest[1 : 1 + size], rest[1 + size :]
        if not allowed.fullmatch(label):
            return None
        labels.append(label.decode())
    verb, sender, echo, port = labels
    return None if rest or int(port) > 65535 else Call(verb, sender, echo, int(port))


def is_answer(packet: bytes) -> bool:
    """Whether a packet is somebody's answer, to whatever question."""
    return len(packet) > _HEADER.size and bool(packet[2] & 0x80)
