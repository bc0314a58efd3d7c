"""A view's bytes with some of the fields put otherwise."""

from __future__ import annotations

import msgspec


def rewritten(data: bytes, form: type[msgspec.Struct], **changed: object) -> bytes:
    """The same view with these fields; form: the struct that the codec writes."""
    fields = msgspec.msgpack.decode(data)
    names = list(form.__struct_fields__)
    for name, value in changed.items():
        fields[names.index(name)] = value
    return msgspec.msgpack.encode(fields)
