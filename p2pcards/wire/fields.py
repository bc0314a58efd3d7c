"""The types of single fields that messages and entries share (protocol 4.7): every size is checked by the decoder."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

U8 = Annotated[int, Meta(ge=0, le=2**8 - 1)]
U16 = Annotated[int, Meta(ge=0, le=2**16 - 1)]
U32 = Annotated[int, Meta(ge=0, le=2**32 - 1)]
U64 = Annotated[int, Meta(ge=0)]  # msgpack has nothing larger than 2^64 - 1
I32 = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]  # points and scores
Key = Annotated[bytes, Meta(min_length=32, max_length=32)]  # Ed25519 public key
Digest = Annotated[bytes, Meta(min_length=32, max_length=32)]
Signature = Annotated[bytes, Meta(min_length=64, max_length=64)]
TableId = Annotated[bytes, Meta(min_length=16, max_length=16)]
Text = Annotated[str, Meta(max_length=300)]

NO_SEAT = 0xFF
"""Where a seat is asked for and there is none."""
