"""The present turn as the host watches over it: its clock, the wish to skip it, and who lets turns run out.

A turn is cut short by its clock, by the host's word, or by most of the people who wait for it. What is played then is
the safe default of the rules, and only that is journaled.
"""

from __future__ import annotations

from p2pcards.table.pen import Pen
from p2pcards.table.play import Play
from p2pcards.table.presence import Presence
from p2pcards.table.round import Refused
from p2pcards.table.turnclock import TurnClock
from p2pcards.wire.entries import BotPub, BotReason, EntryKind

LATE_TURNS = 3
"""Turns in a row after which a bot plays for who lets them run out (protocol 7.2)."""


class Turns:
    """Ends turns that take too long."""

    def __init__(self, pen: Pen, play: Play, presence: Presence) -> None:
        self._pen, self._play, self._presence = pen, play, presence
        self._late: dict[bytes, int] = {}  # turns in a row that a player let run out
        self.clock = TurnClock()

    def wind(self, seconds: int, now: float) -> None:
        """Starts the clock anew if the turn is another one.

        While the stock is shuffled, or the table stands still, nobody's time runs.
        """
        if self._pen.rests or (self._play.round and self._play.dealer.dealing):
            self.clock.rest(now)
        else:
            self.clock.wind(self._play.turn, seconds, now)

    def wind_anew(self) -> None:
        """The table stood still: the present turn has all of its time again."""
        self.clock = TurnClock()

    def skip(self, key: bytes) -> None:
        """A player, or the host, will not wait any longer; raises Refused where there is nothing to wish for."""
        books, waited_for = self._pen.public, self._play.waits_for
        if not waited_for:
            raise Refused("nobody_waited_for")
        if books.seat_of(key) in waited_for:
            raise Refused("own_turn")
        if key != books.host and key not in self._waiting:
            raise Refused("programs_wait")
        self.clock.want(key)

    def look(self, now: float) -> None:
        """Plays the safe default where the turn's time is up, or enough want it skipped."""
        if self._play.turn != self.clock.turn:
            return  # who was waited for has acted by now
        late = self._play.waits_for if self.clock.is_up(now) else ()
        if late or self._skipped:
            self._play.time_out(now)
        for key in [self._pen.public.seats[seat].key for seat in late]:
            self._late[key] = self._late.get(key, 0) + 1
            seat = self._pen.public.seat_of(key)
            if self._late[key] >= LATE_TURNS and seat is not None:
                self._pen.write(EntryKind.BOT, BotPub(seat, True, BotReason.TIMEOUTS))

    def in_time(self, key: bytes) -> None:
        """A player acted, or is back, or gone."""
        self._late.pop(key, None)

    @property
    def needed(self) -> int:
        """How many must want the turn skipped: most of the people who wait for it."""
        return len(self._waiting) // 2 + 1

    @property
    def _waiting(self) -> set[bytes]:
        """The people who wait for the turn."""
        books = self._pen.public
        return self._presence.people(books.seats) - {books.seats[seat].key for seat in self._play.waits_for}

    @property
    def _skipped(self) -> bool:
        skips = set(self.clock.skips)
        return bool(skips) and (self._pen.public.host in skips or len(skips & self._waiting) >= self.needed)
