"""The views that a host owes its guest: one of each newest entry, soon after it."""

from __future__ import annotations

from p2pcards.table.line import Line
from p2pcards.table.reader import Reader
from p2pcards.wire.messages import Get, View

VIEW_SECONDS = 2.0
"""How long the view of the newest entry may be missing (protocol 6.7)."""


class Views:
    """What came of them. by: when the view of the newest entry must be here, None where it is here or none is due.

    resent: the newest entries from the host were known to us, since we had asked twice: so will their view be.
    """

    def __init__(self, reader: Reader, line: Line) -> None:
        self._reader, self._line = reader, line
        self.by: float | None = None
        self.resent = False
        self._term = 0  # of the host that showed us the last one
        self._asked_of = 0.0  # the line on which we asked for a whole one

    def expect(self, now: float) -> None:
        """Entries of the host's are here."""
        due = self._reader.awaits_view and self._shows
        self.by = (now + VIEW_SECONDS if self.by is None else self.by) if due else None

    @property
    def _shows(self) -> bool:
        """Whether the host can be expected to: one that took over in the middle of a round may wait for its secret."""
        books = self._reader.public
        current = books.round
        return current is None or books.term in (current.term, self._term)

    def take(self, message: View) -> None:
        """Tells what a view adds; raises ProtocolError where it is out of place."""
        line = self._line
        if line.adopted and not line.shown and not self._is_whole(message):
            return
        line.shown = True
        line.notices += self._reader.take_view(message, self.resent)
        self.by, self.resent, self._term = None, False, self._reader.public.term

    def _is_whole(self, message: View) -> bool:
        """Whether it can be taken by itself, without those before it.

        On a link that has just become the host's, what we asked it for as a member is on its way still: views of older
        entries than others have given us since, and then such as only add to these. From an answer on that opens all
        our cards everything is in order; what we asked for when the link became the host's may not have led to one.
        """
        if message.index != self._reader.journal.last:
            return False
        if self._reader.opens_all(message):
            return True
        if self._asked_of != self._line.up_at:
            self._asked_of = self._line.up_at
            self._line.send(Get(self._reader.committed + 1))
        return False
