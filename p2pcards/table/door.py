"""The door of a table: who may come in, and who is asked (protocol 5)."""

from __future__ import annotations

from msgspec import Struct

from p2pcards.table.people import NoPeople, People

DOORS = ("open", "ask", "code", "lab", "lab+uid")
"""Policies, the widest first."""

NEEDS_LAB = frozenset({"lab", "lab+uid"})


class Gate(Struct, frozen=True):
    """What a host knows of those who come.

    lab: the lab's 32-byte key, empty where there is none. roll: the lab's directory of keys is read, so `people.login`
    proves logins. asks: somebody is there to be asked. code: the first join code, empty for a fresh one.
    """

    people: People = NoPeople()
    lab: bytes = b""
    roll: bool = False
    asks: bool = True
    code: str = ""

    def __repr__(self) -> str:
        return "Gate()"
