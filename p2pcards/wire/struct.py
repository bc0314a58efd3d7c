"""The base of everything that is one msgpack array: message bodies and entry bodies (protocol 2.2, 4.7)."""

from __future__ import annotations

from msgspec import Struct


class Body(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Fields in order, no more and no fewer."""
