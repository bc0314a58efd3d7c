"""Members and watchers who come, drop, return and go, as the host puts it into the journal (protocol 5.5, 5.6, 7.2)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from p2pcards.errors import ProtocolError
from p2pcards.table import lobby
from p2pcards.table.access import fit_nick, free_seat
from p2pcards.table.door import by_whom
from p2pcards.table.effects import LinkId
from p2pcards.table.lease import Lease
from p2pcards.table.pen import Pen
from p2pcards.table.play import Play
from p2pcards.table.presence import Connection, Presence
from p2pcards.table.round import Refused
from p2pcards.table.turns import Turns
from p2pcards.wire.entries import PROGRAM, BotPub, BotReason, EntryKind, Kick, SeatKind
from p2pcards.wire.envelope import Envelope, LeaveReason, unpack_leave
from p2pcards.wire.messages import Close, Reason

RESTLESS, RESTLESS_SECONDS = 16, 15.0
"""While so many who came have gone again within so long, no stranger is let in: each of them is told to everybody, and
stands in the journal."""


class Members:
    """What becomes of the seats of those who come and go. `close` ends a link with a reason."""

    def __init__(
        self,
        pen: Pen,
        play: Play,
        presence: Presence,
        turns: Turns,
        lease: Lease,
        final: Callable[[int], bool],
        publish: Callable[[], None],
        close: Callable[[LinkId, Close], None],
    ) -> None:
        """final: whether an entry is committed."""
        self._pen, self._play, self._presence, self._turns = pen, play, presence, turns
        self._lease, self._final = lease, final
        self._publish, self._close = publish, close
        self._back = set[bytes]()  # who is heard of again, and whose bot could not be sent away yet
        self._due: list[Kick] = []  # who is to be shown out
        self._going: tuple[int, Kick] | None = None  # and who is: what must be committed before he is gone
        self._went: deque[float] = deque(maxlen=RESTLESS)  # when those went who had only just come

    # ---- coming

    def let_in(self, there: Connection, nick: str, seat: int | None) -> None:
        """A newcomer has a seat, or watches; while nothing is written, it stands in no roster yet.

        Who is seated becomes a voter later (`Voters`): only what stands behind its WELCOME admits a program that may
        have been here before, and have forgotten what it voted.
        """
        books = self._pen.public
        there.nick = nick
        if self._pen.seats_rest:
            return
        name = fit_nick(books, there.key, nick)
        if seat is not None:
            self._pen.write(EntryKind.ROSTER, lobby.seated(books, there.key, name, seat, there.program))
        elif not books.nick_of(there.key):
            self._pen.write(EntryKind.ROSTER, lobby.watching(books, there.key, name))

    def is_back(self, key: bytes) -> None:
        """A member is heard of again, or wants to play himself: a bot that stood in gives the seat back."""
        self._presence.release(key)
        self._turns.in_time(key)
        self._back.discard(key)
        seat = self._pen.public.seat_of(key)
        if seat is not None and seat in self._pen.public.bots_on:
            if self._pen.rests:
                self._back.add(key)
            else:
                self._pen.write(EntryKind.BOT, BotPub(seat, False, BotReason.BACK))

    def catch_up(self) -> None:
        """Writes what had to wait while nothing was written: who came, who is back, who went."""
        books = self._pen.public
        for _, there in list(self._presence.welcomed()):
            if there.nick and not books.is_here(there.key) and not there.silent:
                seat = free_seat(books, there.key) if books.match_over and not there.watching else None
                self.let_in(there, there.nick, seat)
        for key in [key for key in self._back if self._presence.is_heard(key)]:
            self.is_back(key)
        self._back.clear()
        self._replace_leavers()

    def hold_anew(self) -> None:
        """The table stood still: who is missing has all of the time again in which the seat is kept."""
        for key, _ in self._presence.held():
            if self._pen.public.seat_of(key) is not None:
                self._presence.hold_anew(key, self._pen.now + self._grace(key))

    def _replace_leavers(self) -> None:
        """A bot plays each seat that its player left within the match."""
        books = self._pen.public
        for seat, held in enumerate(books.seats):
            left = held.kind is SeatKind.BOT and held.key and not books.match_over
            if left and seat not in books.bots_on:
                self._pen.write(EntryKind.BOT, BotPub(seat, True, BotReason.LEFT))

    def waiting(self) -> list[tuple[bytes, str, bool]]:
        """Who came to play and watches until a seat is free."""
        watchers = dict(self._pen.public.spectators)
        return [
            (there.key, watchers[there.key], there.program)
            for _, there in self._presence.welcomed()
            if not there.watching and not there.silent and there.key in watchers
        ]

    # ---- going

    def restless(self, now: float) -> bool:
        """Whether people come and go so fast that the table is to have its peace."""
        return len(self._went) == RESTLESS and now < self._went[0] + RESTLESS_SECONDS

    def lost(self, link: LinkId, now: float) -> None:
        """A line is down: a watcher is gone with it, a member is missing."""
        there = self._presence.connections.pop(link, None)
        if there is None or not there.welcomed or self._presence.is_here(there.key):
            return
        books = self._pen.public
        if books.seat_of(there.key) is None and now < there.came + RESTLESS_SECONDS:
            self._went.append(now)
        if there.key not in dict(books.spectators):
            self.hold(there.key, now)
        elif self._pen.seats_rest:
            self._presence.hold(there.key, now)
        else:
            self._pen.write(EntryKind.ROSTER, lobby.unwatched(books, there.key))

    def hold(self, key: bytes, now: float) -> None:
        """A member dropped: its seat is kept for the grace time, none at all for a program."""
        if self._pen.public.seat_of(key) is not None:
            self._presence.hold(key, now + self._grace(key))

    def _grace(self, key: bytes) -> float:
        books = self._pen.public
        seat = books.seat_of(key)
        program = seat is not None and books.seats[seat].flags & PROGRAM
        return 0.0 if program else float(books.setting("grace_seconds"))

    def forget(self, key: bytes) -> None:
        """A member has no seat any more."""
        self._presence.release(key)
        self._turns.in_time(key)
        self._play.ready.discard(key)

    def leaves(self, key: bytes, said: Envelope, envelope: bytes, sig: bytes, now: float) -> None:
        """A good-bye of who has a seat or a vote: it is written at once, even while nothing else is (protocol 7.2).

        Raises Refused where its signer has seen another history.
        """
        books = self._pen.public
        reason, _ = unpack_leave(said.payload)
        if self._pen.shut or not self._pen.journal.saw(said.seen_index, said.seen_head):
            raise Refused("stale")
        seat = books.seat_of(key)
        if seat is not None and self._play.round and not self._pen.rests:
            self._play.round.give_up(seat, now)
        level = books.setting("ragequit_level" if reason is LeaveReason.RAGEQUIT else "bot_level")
        self._pen.write(EntryKind.ROSTER, lobby.left(books, key, level, envelope, sig))
        if not self._pen.rests:
            self._replace_leavers()
        self.forget(key)
        self._publish()
        for link, _ in self._presence.of(key):
            self._close(link, Close(Reason.BYE, "you left"))

    def show_out(self, kick: Kick) -> None:
        """Somebody is to be shown out, as soon as that can be done."""
        self._due = [due for due in self._due if due.key != kick.key]
        self._due.append(kick)
        self.look()

    def look(self) -> None:
        """Shows out who is to go: at once, a voter when everything before is committed and it can be done without him.

        A voter goes in two steps: the word first, from which on his own does not count; then, when that is committed
        by the others, the roster without him (protocol 7.2). A host before us may have come no further than the first.
        """
        books = self._pen.public
        while not self._pen.rests:
            if books.going and not self._going:
                self._going = self._pen.journal.last, books.kicks[books.going]
            elif self._going:
                if books.going in books.voters and not self._final(self._going[0]):
                    return
                self._ends_going(self._going[1])
            elif self._due:
                kick = self._due[0]
                if kick.key in books.voters and not (self._lease.settled() and self.can_spare(kick.key)):
                    return
                del self._due[0]
                self._begins_to_go(kick)
            else:
                return

    @property
    def showing_out(self) -> bool:
        """Whether somebody is to go, or on the way out."""
        return bool(self._due or self._going)

    def can_spare(self, key: bytes) -> bool:
        """Whether the table would go on without the voice of that key: the lease lasts, and enough are heard of."""
        return self._lease.active(self._pen.now, without=key) and self._lease.can_commit(self._presence.is_heard, key)

    def _begins_to_go(self, kick: Kick) -> None:
        seat = self._pen.public.seat_of(kick.key)
        if kick.ballots and not self._still_carried(kick):
            return
        if seat is not None and self._play.round:
            self._play.round.give_up(seat, self._pen.now)
        self._going = self._pen.write(EntryKind.KICK, kick), kick
        self._publish()

    def _still_carried(self, kick: Kick) -> bool:
        """Whether those who voted for it are still here to answer for it."""
        try:
            self._pen.public.box.check(kick, self._pen.public)
        except ProtocolError:
            return False
        return True

    def _ends_going(self, kick: Kick) -> None:
        """The roster without him; a bot takes the seat. All were told why."""
        self._going, books = None, self._pen.public
        seat, last = books.seat_of(kick.key), by_whom(books, kick)
        if books.going:
            self._pen.write(EntryKind.ROSTER, lobby.kicked(books, kick.key, books.setting("bot_level")))
        if seat is not None and not books.match_over and seat not in books.bots_on:
            self._pen.write(EntryKind.BOT, BotPub(seat, True, BotReason.KICKED))
        self.forget(kick.key)
        self._publish()
        for link, _ in self._presence.of(kick.key):
            self._close(link, Close(Reason.KICKED, last, kick.until))

    def grace_over(self, key: bytes, now: float) -> None:
        """A bot plays on for who did not come back in time; outside a match the seat is free."""
        books = self._pen.public
        seat = books.seat_of(key)
        if seat is None:
            if key in dict(books.spectators) and not self._presence.is_here(key):
                self._pen.write(EntryKind.ROSTER, lobby.unwatched(books, key))
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

    def away(self, seat: int, now: float) -> None:
        """A bot plays for a player who is here and does not want to, until he does."""
        if self._play.round:
            self._play.round.give_up(seat, now)
        self._pen.write(EntryKind.BOT, BotPub(seat, True, BotReason.LOBBY))

    def nobody_waits(self) -> bool:
        """Whether no person is to see the score sheet: none has a seat, and bots alone have an end to play to."""
        members = [held for held in self._pen.public.seats if held.kind is SeatKind.MEMBER]
        if not all(held.flags & PROGRAM for held in members):
            return False
        return not self._play.match.endless or any(self._presence.is_here(held.key) for held in members)
