"""Members and watchers who come, drop, return and go, as the host puts it into the journal (protocol 5.5, 5.6, 7.2)."""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.table import lobby
from p2pcards.table.access import fit_nick
from p2pcards.table.effects import LinkId
from p2pcards.table.pen import Pen
from p2pcards.table.play import Play
from p2pcards.table.presence import Connection, Presence
from p2pcards.table.round import Refused
from p2pcards.table.turns import Turns
from p2pcards.wire.entries import PROGRAM, BotPub, BotReason, EntryKind, Kick, SeatKind
from p2pcards.wire.envelope import Envelope, LeaveReason, unpack_leave
from p2pcards.wire.messages import Close, Reason


class Members:
    """What becomes of the seats of those who come and go. `close` ends a link with a reason."""

    def __init__(
        self,
        pen: Pen,
        play: Play,
        presence: Presence,
        turns: Turns,
        publish: Callable[[], None],
        close: Callable[[LinkId, Close], None],
    ) -> None:
        self._pen, self._play, self._presence, self._turns = pen, play, presence, turns
        self._publish, self._close = publish, close

    # ---- coming

    def let_in(self, there: Connection, nick: str, seat: int | None) -> None:
        """A newcomer has a seat, or watches."""
        books = self._pen.public
        name = fit_nick(books, there.key, nick)
        if seat is not None:
            self._pen.write(EntryKind.ROSTER, lobby.seated(books, there.key, name, seat, there.program))
        elif there.key not in dict(books.spectators):
            self._pen.write(EntryKind.ROSTER, lobby.watching(books, there.key, name))

    def is_back(self, key: bytes) -> None:
        """A member is heard of again, or wants to play himself: a bot that stood in gives the seat back."""
        self._presence.release(key)
        self._turns.in_time(key)
        seat = self._pen.public.seat_of(key)
        if seat is not None and seat in self._pen.public.bots_on:
            self._pen.write(EntryKind.BOT, BotPub(seat, False, BotReason.BACK))

    def waiting(self) -> list[tuple[bytes, str, bool]]:
        """Who came to play and watches until a seat is free."""
        watchers = dict(self._pen.public.spectators)
        return [
            (there.key, watchers[there.key], there.program)
            for _, there in self._presence.welcomed()
            if not there.watching and not there.silent and there.key in watchers
        ]

    # ---- going

    def lost(self, link: LinkId, now: float) -> None:
        """A line is down: a watcher is gone with it, a member is missing."""
        there = self._presence.connections.pop(link, None)
        if there is None or not there.welcomed or self._presence.is_here(there.key):
            return
        books = self._pen.public
        if there.key in dict(books.spectators):
            self._pen.write(EntryKind.ROSTER, lobby.unwatched(books, there.key))
        else:
            self.hold(there, now)

    def hold(self, there: Connection, now: float) -> None:
        """A member dropped: its seat is kept for the grace time, none at all for a program."""
        if self._pen.public.seat_of(there.key) is not None:
            grace = 0.0 if there.program else float(self._pen.public.setting("grace_seconds"))
            self._presence.hold(there.key, now + grace)

    def forget(self, key: bytes) -> None:
        """A member has no seat any more."""
        self._presence.release(key)
        self._turns.in_time(key)
        self._play.ready.discard(key)

    def leaves(self, there: Connection, seat: int, said: Envelope, envelope: bytes, sig: bytes, now: float) -> None:
        """A member's good-bye; raises Refused where it has seen another history."""
        books, key = self._pen.public, there.key
        reason, _ = unpack_leave(said.payload)
        if not self._pen.journal.saw(said.seen_index, said.seen_head):
            raise Refused("stale")
        if self._play.round:
            self._play.round.give_up(seat, now)
        level = books.setting("ragequit_level" if reason is LeaveReason.RAGEQUIT else "bot_level")
        self._pen.write(EntryKind.ROSTER, lobby.left(books, key, level, envelope, sig))
        if not books.match_over and seat not in books.bots_on:
            self._pen.write(EntryKind.BOT, BotPub(seat, True, BotReason.LEFT))
        self.forget(key)
        self._publish()
        for link, _ in self._presence.of(key):
            self._close(link, Close(Reason.BYE, "you left"))

    def show_out(self, kick: Kick, last: str, now: float) -> None:
        """Somebody is shown out: all are told why, a bot takes the seat. last: what is said to them in the end."""
        books, key = self._pen.public, kick.key
        seat = books.seat_of(key)
        if seat is not None and self._play.round:
            self._play.round.give_up(seat, now)
        self._pen.write(EntryKind.KICK, kick)
        if seat is not None or key in dict(books.spectators):
            self._pen.write(EntryKind.ROSTER, lobby.kicked(books, key, books.setting("bot_level")))
        if seat is not None and not books.match_over and seat not in books.bots_on:
            self._pen.write(EntryKind.BOT, BotPub(seat, True, BotReason.KICKED))
        self.forget(key)
        self._publish()
        for link, _ in self._presence.of(key):
            self._close(link, Close(Reason.KICKED, last, kick.until))

    def grace_over(self, key: bytes, now: float) -> None:
        """A bot plays on for who did not come back in time; outside a match the seat is free."""
        books = self._pen.public
        seat = books.seat_of(key)
        if seat is None:
            return
        if books.match_over:
            self._pen.write(EntryKind.ROSTER, lobby.lapsed(books, key))
            self.forget(key)
            for link, _ in self._presence.of(key):
                self._close(link, Close(Reason.BYE, "you were silent for too long"))
            return
        if seat in books.bots_on:
            return
        if self._play.round:
            self._play.round.give_up(seat, now)
        self._pen.write(EntryKind.BOT, BotPub(seat, True, BotReason.GRACE))

    def match_over(self, now: float) -> None:
        """Who is here has the seat back that a bot played, who is away for longer than the grace time loses it."""
        books = self._pen.public
        for seat in sorted(books.bots_on):
            key = books.seats[seat].key
            if books.seats[seat].kind is SeatKind.MEMBER:
                if any(not there.silent for _, there in self._presence.of(key)):
                    self.is_back(key)  # only the clock had a bot play for him
                else:
                    self.grace_over(key, now)

    def nobody_waits(self) -> bool:
        """Whether no person is to see the score sheet: none has a seat, and bots alone have an end to play to."""
        members = [held for held in self._pen.public.seats if held.kind is SeatKind.MEMBER]
        if not all(held.flags & PROGRAM for held in members):
            return False
        return not self._play.match.endless or any(self._presence.is_here(held.key) for held in members)
