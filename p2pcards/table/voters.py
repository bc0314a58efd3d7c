"""Who becomes a voter, and when (protocol 7.2): members that keep their votes in a file, one at a time.

Between two rosters that differ by one voter any two majorities have a voter in common, so an election never passes a
commit by. That holds for the next change only when the one before is committed; so each waits for that.
"""

from __future__ import annotations

from p2pcards.table import lobby
from p2pcards.table.lease import Lease
from p2pcards.table.pen import Pen
from p2pcards.table.presence import Connection, Presence
from p2pcards.wire.entries import EntryKind


class Voters:
    """Adds them to the roster."""

    def __init__(self, pen: Pen, presence: Presence, lease: Lease) -> None:
        self._pen, self._presence, self._lease = pen, presence, lease

    @property
    def may_add(self) -> bool:
        """Whether a voter can be added now: in the lobby or between rounds, everything before being committed."""
        return not self._pen.seats_rest and self._pen.public.round is None and self._lease.settled()

    @property
    def awaited(self) -> bool:
        """Whether somebody seated may be a voter in a moment, and has no share of a round that is dealt before."""
        return any(self._may_be(there) for _, there in self._presence.welcomed())

    def look(self) -> bool:
        """Adds the next one, or lets one vote again that came without its file; whether any is still to come."""
        there = next((one for _, one in self._presence.welcomed() if self._is_due(one)), None)
        if there is None:
            return False
        if self.may_add:
            there.readmitted = not there.vote_file
            self._pen.write(EntryKind.ROSTER, lobby.enrolled(self._pen.public, there.key))
        return True

    def _is_due(self, there: Connection) -> bool:
        """Whether it follows the journal, too: only behind it is it told of its vote."""
        return there.sent is not None and self._may_be(there)

    def _may_be(self, there: Connection) -> bool:
        books, key = self._pen.public, there.key
        if there.silent or key == books.host or books.seat_of(key) is None:
            return False
        if key in books.voters:
            return there.vote_file is False and not there.readmitted
        return there.vote_file is True
