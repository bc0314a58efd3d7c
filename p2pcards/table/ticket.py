"""How we ask to be let in (protocol 5): the method, what proves it, and what the host has to prove to us."""

from __future__ import annotations

from msgspec import Struct


class Ticket(Struct, frozen=True):
    """door: the table's, as it was told. code: the join code, canonical. lab: the lab's 32-byte key."""

    door: str = "open"
    code: str = ""
    lab: bytes = b""

    def __repr__(self) -> str:
        return f"Ticket({self.door})"
