"""Whom this program's owner knows, by key: what is kept between two runs. Where it is kept is the caller's."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from p2pcards.wire.identity import chip, words

KEY_SIGN = "~"
"""Before the beginning of a key in hex."""


class Known(StrEnum):
    """What a key with a name is to us when it comes (protocol 3)."""

    NEW = "new"  # never met
    MET = "known"
    VERIFIED = "verified"  # its words were compared, or its login is proved
    OWN = "own"  # another program of ours
    OTHER = "other"  # the name of somebody we know, under another key


class Person(Struct, frozen=True):
    """Somebody we met. Times: unix seconds. verified: the owner has compared the words. login: proved by the lab."""

    key: bytes
    nick: str  # the last one
    first: float
    last: float
    petname: str = ""  # what the owner calls them
    verified: bool = False
    login: str = ""
    ignored: bool = False  # what they say is not shown


class Ban(Struct, frozen=True):
    """Somebody who may not come to tables that we host. until: unix seconds, 0 for good. key or login may be empty."""

    key: bytes
    nick: str
    login: str = ""
    reason: str = ""
    since: int = 0
    until: int = 0

    def stands(self, wall: float) -> bool:
        """Whether it has not run out."""
        return self.until == 0 or wall < self.until


def goes_by(typed: str, key: bytes, names: Iterable[str]) -> bool:
    """Whether somebody may be meant: by one of the names, two or all words of the key, or `~` and its beginning."""
    lower = typed.lower()
    if lower.startswith(KEY_SIGN):
        return len(lower) > len(KEY_SIGN) and key.hex().startswith(lower[len(KEY_SIGN) :])
    of_key = (chip(key), words(key)) if key else ()
    return lower != "" and lower in (name.lower() for name in (*names, *of_key))


class People(Protocol):
    """What is kept; every method that changes something raises UserError where it can't be written."""

    def person(self, key: bytes) -> Person | None:
        """Whom we know by that key."""

    def named(self, name: str) -> tuple[Person, ...]:
        """Whom we know by that nick or petname, upper and lower case being one; the last seen first."""

    def everybody(self) -> tuple[Person, ...]:
        """Whom we know at all, the last seen first; the same tuple as long as nothing has changed."""

    def what(self, key: bytes, nick: str) -> Known:
        """What a key with that nick is to us."""

    def meet(self, key: bytes, nick: str, wall: float, login: str = "") -> None:
        """We are at one table."""

    def call(self, key: bytes, petname: str) -> None:
        """Gives or (empty) takes a petname."""

    def vouch(self, key: bytes, verified: bool) -> None:
        """The owner has compared the words, or takes that back."""

    def ignore(self, key: bytes, ignored: bool) -> None:
        """Whether what they say is not shown."""

    def login(self, key: bytes) -> str:
        """The login that the lab's directory of keys proves for the key; empty where there is none."""

    def bans(self) -> tuple[Ban, ...]:
        """All of them, those that ran out too; the newest first."""

    def banned(self, key: bytes, login: str, wall: float) -> Ban | None:
        """The one that stands against the key or the login."""

    def ban(self, ban: Ban) -> None:
        """Adds it, in place of one of the same key."""

    def unban(self, bans: Iterable[Ban]) -> None:
        """Lifts them."""


class NoPeople:
    """For programs that keep nothing: everybody is new, nobody is banned."""

    def person(self, key: bytes) -> Person | None:
        """Nobody."""
        return None

    def named(self, name: str) -> tuple[Person, ...]:
        """Nobody."""
        return ()

    def everybody(self) -> tuple[Person, ...]:
        """Nobody."""
        return ()

    def what(self, key: bytes, nick: str) -> Known:
        """New."""
        return Known.NEW

    def meet(self, key: bytes, nick: str, wall: float, login: str = "") -> None:
        """Forgets it at once."""

    def call(self, key: bytes, petname: str) -> None:
        """Forgets it at once."""

    def vouch(self, key: bytes, verified: bool) -> None:
        """Forgets it at once."""

    def ignore(self, key: bytes, ignored: bool) -> None:
        """Forgets it at once."""

    def login(self, key: bytes) -> str:
        """None."""
        return ""

    def bans(self) -> tuple[Ban, ...]:
        """None."""
        return ()

    def banned(self, key: bytes, login: str, wall: float) -> Ban | None:
        """None."""
        return None

    def ban(self, ban: Ban) -> None:
        """Forgets it at once."""

    def unban(self, bans: Iterable[Ban]) -> None:
        """There are none."""
