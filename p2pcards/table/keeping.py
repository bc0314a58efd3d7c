"""The lobby of a kept table after a match: as open to newcomers as the first one was.

Where a table goes on for an evening, whoever comes is to find a seat. So when a match is over, the bots that filled it
up at the start and those that played on for leavers get up; bots that the host had asked for stay, and so does every
person. Who has just played is asked for `again`; who comes new is ready by coming.
"""

from __future__ import annotations

from p2pcards.table import lobby
from p2pcards.table.pen import Pen
from p2pcards.table.play import Play
from p2pcards.table.presence import Presence
from p2pcards.wire.entries import EntryKind, SeatKind


class Lobby:
    """One host's, over all matches of a table. keeps: whether the table is kept; without it nothing is done."""

    def __init__(self, pen: Pen, play: Play, presence: Presence, *, keeps: bool) -> None:
        self._pen, self._play, self._presence, self._keeps = pen, play, presence, keeps
        self._match = 0  # the one that this lobby comes after
        self._seats = 0  # in the lobby, and the bots that sat there
        self._bots: frozenset[str] = frozenset()
        self._stayed: frozenset[bytes] = frozenset()  # who has not got up since the last match

    def look(self) -> None:
        """Outside a match: frees seats when one is just over; newcomers are ready."""
        books = self._pen.public
        if not self._keeps:
            return
        if self._match != books.match:
            self._match, self._stayed = books.match, self._members
            freed = lobby.freed(books, max(self._seats, len(books.seats)), self._bots)
            if freed.seats != books.seats:
                self._pen.write(EntryKind.ROSTER, freed)
        self._seats = len(books.seats)
        self._bots = frozenset(held.nick for held in books.seats if held.kind is SeatKind.BOT)
        self._stayed &= self._members
        if books.match:
            self._play.ready |= self._members - self._stayed

    @property
    def may_begin(self) -> bool:
        """Whether a table that nobody watches over may begin its first match, or another one with somebody new."""
        books = self._pen.public
        if not books.match:
            return True
        people = self._presence.people(books.seats)
        return self._match == books.match and not self._members <= self._stayed and people <= self._play.ready

    @property
    def _members(self) -> frozenset[bytes]:
        return frozenset(held.key for held in self._pen.public.seats if held.kind is SeatKind.MEMBER)
