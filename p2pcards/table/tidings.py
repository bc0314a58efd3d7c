"""What a guest is told beside the journal: who is missing, who wants to go on, how long the turn may take.

None of it is proved and no rule depends on it: it is for the screens. Times are counted down by the guest's own clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from p2pcards.table.notices import DeckShown, Dropped, Notice, Ready, Returned, SkipWanted, Stopped, TimeShort
from p2pcards.table.public import Public
from p2pcards.table.tableview import Safe
from p2pcards.wire import messages
from p2pcards.wire.entries import SeatKind
from p2pcards.wire.messages import Standing
from p2pcards.wire.text import clean

LAST_SECONDS = 10.0
"""The second warning of the turn clock comes so long before the time is up."""


class Tidings:
    """The newest of it; every method that takes something in gives what is news."""

    def __init__(self, public: Public) -> None:
        self._public = public
        self._held: dict[bytes, float] = {}  # keys of those who dropped, and until when their seats are kept
        self.ready: tuple[int, ...] = ()  # seats that want to go on
        self.next_at: float | None = None  # when it goes on by itself
        self.clock_at: float | None = None  # when the turn's time is up
        self.skips: tuple[int, ...] = ()  # seats that want the turn skipped
        self._standing: Standing | None = None
        self._warnings: list[float] = []  # seconds before clock_at at which a warning is due

    def round_begins(self) -> None:
        """Nobody is waited for any more."""
        self.ready, self.next_at = (), None

    def held_until(self, key: bytes) -> float | None:
        """Until when the seat of that key is kept; None where its player is not missing."""
        return self._held.get(key)

    def line_lost(self) -> None:
        """What a turn's clock shows, and who is linked to whom, only the host knows."""
        self.clock_at, self.skips, self._warnings = None, (), []
        self._standing = None

    @property
    def safe(self) -> Safe | None:
        """Whether the table would outlive its host; None before the host has said."""
        said = self._standing
        if said is None:
            return None
        nicks = tuple(nick for key in said.keys if (nick := self._public.nick_of(key)))
        return Safe(not said.why, clean(said.why, 20), nicks)

    def take_standing(self, message: Standing) -> None:
        """Whether the table would outlive its host."""
        self._standing = message

    def take_held(self, seconds: Mapping[int, int], now: float) -> Iterator[Notice]:
        """Who is missing, and how many seconds each seat is kept."""
        books, missing = self._public, set[bytes]()
        for seat, left in seconds.items():
            if seat < len(books.seats) and books.seats[seat].kind is SeatKind.MEMBER:
                key = books.seats[seat].key
                missing.add(key)
                if key not in self._held:
                    yield Dropped(seat, books.seats[seat].nick, left)
                self._held[key] = now + left  # anew after the table stood still
        for key in self._held.keys() - missing:
            del self._held[key]
            back = books.seat_of(key)
            if back is not None and back not in books.bots_on and key != books.host:
                yield Returned(back, books.seats[back].nick)

    def take_ready(self, message: messages.Ready, now: float) -> Iterator[Notice]:
        """Who wants to go on, and who ended the match."""
        seats = self._public.seats
        self.next_at = now + message.seconds if message.seconds else None
        known = tuple(seat for seat in message.seats if seat < len(seats))
        yield from (Ready(seat, seats[seat].nick) for seat in known if seat not in self.ready)
        self.ready = known
        if message.stopped < len(seats):
            yield Stopped(message.stopped, seats[message.stopped].nick)

    def take_clock(self, message: messages.Clock, now: float) -> Iterator[Notice]:
        """The turn's time, who will not wait for it, and who had the deck laid open.

        Warnings are due at half of the time and ten seconds before it is up.
        """
        seats = self._public.seats
        self.clock_at = now + message.seconds if message.seconds else None
        whole = int(self._public.setting("turn_seconds"))
        left = {whole / 2, LAST_SECONDS} if self.clock_at is not None else set()
        self._warnings = sorted((second for second in left if second < message.seconds), reverse=True)
        known = tuple(seat for seat in message.skips if seat < len(seats))
        for wants, seat in enumerate(known, 1):
            if seat not in self.skips:
                yield SkipWanted(seat, seats[seat].nick, wants, message.needed)
        self.skips = known
        if message.peeked < len(seats):
            yield DeckShown(message.peeked, seats[message.peeked].nick)

    def warn(self, acting: tuple[int, ...], now: float) -> Iterator[Notice]:
        """The warnings of the turn clock that are due."""
        while self.warns(now):
            seconds = round(self._warnings.pop(0))
            if acting:
                yield TimeShort(acting, tuple(self._public.seats[seat].nick for seat in acting), seconds)

    def warns(self, now: float) -> bool:
        """Whether a warning is due."""
        at = self.warn_at
        return at is not None and now >= at

    @property
    def warn_at(self) -> float | None:
        """When the next warning is due."""
        return self.clock_at - self._warnings[0] if self.clock_at is not None and self._warnings else None
