"""Where the members of a table are reached (protocol 4.7, PEERS): each says it in its HELLO, the host tells the others.

So every voter can keep a link to every other one, and whoever loses the host knows where else to ask.
"""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.table.public import Public
from p2pcards.wire.entries import SeatKind
from p2pcards.wire.messages import Hello, Peers

MOST = 8
"""Addresses of one member (protocol 4.7)."""


class Whereabouts:
    """Addresses by key, as far as the host knows them. own: the host's, kept up to date by `net`."""

    def __init__(self, public: Public, known: Mapping[bytes, tuple[bytes, ...]] | None = None) -> None:
        self._public = public
        self._known = dict(known or {})
        self.own: tuple[bytes, ...] = ()
        self._told: tuple[object, Peers] | None = None  # what was last worked out, with what else it follows from

    def take(self, key: bytes, hello: Hello) -> None:
        """What somebody says of himself."""
        self._known[key] = hello.addresses
        self._told = None

    def peers(self) -> Peers:
        """What the members are told, the host among them; who says nothing of himself can only be waited for."""
        books = self._public
        of = books.seats, books.voters, books.spectators, books.host, self.own
        if self._told is None or self._told[0] != of:
            self._told = of, self._peers()
        return self._told[1]

    def _peers(self) -> Peers:
        books = self._public
        members = {held.key for held in books.seats if held.kind is SeatKind.MEMBER} | set(books.voters)
        known = {**self._known, books.host: self.own}
        self._known = {key: self._known[key] for key in self._known if books.is_here(key)}
        return Peers(tuple((key, known.get(key, ())[:MOST]) for key in sorted(members)))
