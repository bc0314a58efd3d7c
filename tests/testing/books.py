"""A journal made by hand and the books that anybody keeps of it, one entry after the other."""

from __future__ import annotations

from typing import Any

import pytest

from p2pcards.errors import ProtocolError
from p2pcards.table import lobby
from p2pcards.table.certificates import host_of
from p2pcards.table.journal import Journal
from p2pcards.table.public import Public
from p2pcards.wire.entries import EntryKind, Kick, Roster, decode_wire
from p2pcards.wire.envelope import ActKind, LeaveReason, pack_leave
from p2pcards.wire.fields import NO_SEAT
from tests.testing.cluster import identity
from tests.testing.forge import Forge


def key(name: str) -> bytes:
    """Of somebody whose key belongs to a name."""
    return identity(name).key


class Table:
    """host deals without a seat; ana, ben and cy sit, dot watches: four voters, of whom three decide."""

    def __init__(self) -> None:
        self.forge = Forge()
        self.books = Public(Journal())
        self.take(*self.forge.lobby())

    def take(self, *wires: bytes) -> Table:
        for wire in wires:
            entry, _ = decode_wire(wire)
            journal = self.books.journal
            journal.accept(wire, host_of(entry, self.books))
            self.books.fold(entry)
        return self

    def refuses(self, wire: bytes) -> str:
        with pytest.raises(ProtocolError) as caught:
            self.take(wire)
        return str(caught.value)

    def roster(self, roster: Roster) -> bytes:
        return self.forge.entry(EntryKind.ROSTER, roster)

    def without(self, *names: str) -> None:
        """These said good-bye."""
        for name in names:
            self.take(self.good_bye(name))

    def kick(self, name: str) -> bytes:
        return self.forge.entry(EntryKind.KICK, Kick(key(name), "", 0, ()))

    def good_bye(self, name: str, n: int = 1, seat: int | None = None, **seen: Any) -> bytes:
        """The roster by which a voter is gone."""
        held = self.books.seat_of(key(name)) if seat is None else seat
        place = NO_SEAT if held is None else held
        said = self.forge.envelope(place, n, ActKind.LEAVE, pack_leave(LeaveReason.HANDED_OVER, 2), **seen)
        return self.roster(lobby.left(self.books, key(name), "easy", said, identity(name).sign(said)))
