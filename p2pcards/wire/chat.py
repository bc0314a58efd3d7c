"""What people say to each other, signed by who says it (protocol 5.4)."""

from __future__ import annotations

from p2pcards.wire.encode import enc, u8, u32
from p2pcards.wire.identity import Identity, verify
from p2pcards.wire.messages import Chat


def sign_chat(identity: Identity, table: bytes, n: int, scope: int, text: str) -> Chat:
    """The signed words; n: one more than those of the speaker's last."""
    return Chat(identity.key, n, scope, text, identity.sign(_signed(table, identity.key, n, scope, text)))


def verify_chat(table: bytes, said: Chat) -> bool:
    """Whether the words are those of the key that they name, at this table."""
    return verify(said.key, said.sig, _signed(table, said.key, said.n, said.scope, said.text))


def _signed(table: bytes, key: bytes, n: int, scope: int, text: str) -> bytes:
    return enc("chat", table, key, u32(n), u8(scope), text.encode())
