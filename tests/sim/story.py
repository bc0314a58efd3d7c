"""How the story of a run is told: messages in a few words."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from p2pcards.errors import ProtocolError
from p2pcards.wire.entries import decode_pub, decode_wire
from p2pcards.wire.envelope import decode_envelope
from p2pcards.wire.messages import Act, Entries, Message, Stale

SHOWN = 4
"""Bytes shown of a key, a head or a signature."""


def brief(message: Message) -> str:
    """A message in one line that can be read."""
    match message:
        case Entries(commit, wires):
            return f"Entries(commit={commit}, {', '.join(map(entry_line, wires))})"
        case Act(envelope):
            said = decode_envelope(envelope)
            return f"Act({said.kind.name} of seat {said.seat}, n={said.n}, {said.payload[:20]!r})"
        case Stale(what, data):
            return f"Stale({what}, {entry_line(data) if what == 2 else data[:SHOWN].hex()})"
        case _:
            return short(message)


def entry_line(wire: bytes) -> str:
    """An entry in a few words."""
    entry, _ = decode_wire(wire)
    what = f"{entry.index}:{entry.kind.name}/{entry.term}"
    try:
        return f"{what} {short(decode_pub(entry.kind, entry.pub))}" if entry.kind.name in _TOLD else what
    except ProtocolError:
        return what


_TOLD = {"TERM_START", "HANDOVER", "FORK", "KICK", "BOT", "ROUND_END"}


def short(thing: Any) -> str:
    """A value with its bytes cut short."""
    if isinstance(thing, bytes):
        return thing[:SHOWN].hex() or "-"
    if isinstance(thing, Struct):
        fields = (f"{name}={short(getattr(thing, name))}" for name in thing.__struct_fields__)
        return f"{type(thing).__name__}({', '.join(fields)})"
    if isinstance(thing, tuple):
        return f"({', '.join(map(short, thing))})"
    return f"{thing}"
