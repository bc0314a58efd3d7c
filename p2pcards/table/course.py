"""What follows by itself at a table, after each input and with time: deals, ends of rounds, bots, and what is told.

While too few voters answer the host is paused, and nothing of it follows; it goes on when they are back (protocol 7.2).
"""

from __future__ import annotations

import math

from p2pcards.errors import UserError
from p2pcards.table.ballots import Outcome
from p2pcards.table.house import House
from p2pcards.table.idle import IDLE
from p2pcards.table.notices import Failed, SeatsFull

CLOSING_SECONDS = 2.0
"""How long a finished table waits for the others to hold its last entry (protocol 7.2)."""

STARTING_SECONDS = 1.0
"""How long a match waits at most for those who came last to be voters, so that its first round has shares for them."""


class Course:
    """The course of one table.

    over: why it is finished, when everybody has been told; else empty. still: `follow` would do nothing if it came a
    second time.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._rested = False  # nothing went on before
        self._close_by: float | None = None
        self._start_by: float | None = None  # a match that was ordered
        self._was_full = False
        self.over, self.still = "", False
        self._due: float | None = None  # when the first clock beside pulse and silence is; None: to be worked out

    def rests(self) -> None:
        """The table has not gone on yet: when it does, all times begin anew."""
        self._rested = True

    def start(self) -> None:
        """Starts a match, when whoever has just come can vote in it; UserError where it can't start."""
        house = self._house
        house.play.check_start(house.members.waiting())
        self._start_by = house.pen.now + STARTING_SECONDS
        self._start_on()

    def _start_on(self) -> bool:
        """Whether a match was ordered; it starts if it is time for it."""
        house, by = self._house, self._start_by
        if by is None or (house.voters.awaited and house.pen.now < by):
            return by is not None
        self._start_by = None
        if house.pen.public.match_over:
            try:
                house.play.start(house.members.waiting())
            except UserError as error:  # somebody got up meanwhile
                house.out.tell(Failed(str(error), 0))
        return True

    def follow(self) -> None:
        """Everything that is due now."""
        house, self._due = self._house, None
        house.door.look(house.pen.now)
        house.lease.advance(house.presence.is_heard)
        before = house.pen.journal.last, house.lease.commit, self._rested
        if house.takeover:
            house.takeover.look()
        house.idle.look(house.pen.now)
        if not house.pen.rests:
            if self._rested:
                self._wake_up()
            self._go_on()
        house.lease.advance(house.presence.is_heard)
        self._rested = house.pen.rests
        self.still = before == (house.pen.journal.last, house.lease.commit, self._rested)
        self._tell()
        house.pulse.look()
        ends = self._close_by is not None and (
            house.pen.now >= self._close_by or house.presence.all_hold(house.pen.journal.last)
        )
        if not house.handover.successor:
            self.over = "match over" if ends else self._given_up

    @property
    def _given_up(self) -> str:
        """That nobody has done anything for too long; empty while that is not so."""
        house = self._house
        closes_at = house.idle.closes_at
        if closes_at is None or house.pen.now < closes_at or house.pen.rests:
            return ""
        return f"{IDLE} for {house.pen.public.setting('idle_minutes')} minutes"

    @property
    def hangs_on_each(self) -> bool:
        """Whether any acknowledgement may be what is waited for, even one that commits nothing and is no news."""
        house = self._house
        return (
            not self.still
            or self._close_by is not None
            or self._rested is not house.pen.rests
            or house.members.showing_out
            or house.recovering
            or bool(house.handover.successor)
        )

    def _wake_up(self) -> None:
        """The table goes on after it stood still: whatever there is time for has all of it again."""
        house = self._house
        house.members.hold_anew()
        house.idle.stir(house.pen.now)
        house.play.wait_anew(house.pen.now)
        house.turns.wind_anew()
        for _, there in house.presence.welcomed():
            there.viewed = -1  # who was refused anything meanwhile sees that it goes on

    def _go_on(self) -> None:
        """The clocks, the end of a round, the next one."""
        house = self._house
        play, books, now = house.play, house.pen.public, house.pen.now
        house.members.look()
        house.members.catch_up()
        self._clocks()
        vote = house.ballots.look(books, now)
        if vote is not None and vote.outcome is Outcome.CARRIED:
            house.reception.show_out_by_vote(vote.about, vote.ballots)
        play.go_on_dealing()
        play.end_round(now, house.publish)
        if house.closes and books.match and books.match_over and self._close_by is None:
            self._close_by = now + CLOSING_SECONDS
        if house.pen.seats_rest:
            return
        house.orders.settle()
        if books.match_over:
            house.members.match_over(now)
            house.lobby.look()
            if not house.closes:
                play.seat(house.members.waiting())
        awaited = house.voters.look()
        if not self._start_on() and not awaited:
            self._deal_on()

    def _deal_on(self) -> None:
        """The next round, or the next match, where it is time for it."""
        house = self._house
        play, books, now = house.play, house.pen.public, house.pen.now
        away = {books.seats[seat].key for seat in books.bots_on}
        present = house.presence.people(books.seats) - away
        willing = present <= play.ready if present else house.members.nobody_waits()
        if play.between and (willing or (play.next_by is not None and now >= play.next_by)):
            play.deal(house.members.waiting())
        elif present and willing and not house.closes and play.may_start_again:
            play.start(house.members.waiting())

    def _tell(self) -> None:
        """Everybody is told what is news."""
        house = self._house
        play, books, now = house.play, house.pen.public, house.pen.now
        house.turns.wind(int(books.setting("turn_seconds")), now)
        house.publish()
        house.bulletin.held(now)
        house.bulletin.ready(play, now)
        house.bulletin.clock(house.turns, now)
        house.bulletin.peers(house.whereabouts)
        house.bulletin.standing()
        turn = None if self._rested else play.bot_turn()
        if turn:
            house.out.tell(turn)
        begins = books.match_over and house.lobby.may_begin
        full = begins and not play.open_seats and house.presence.settled(books.seats) and not house.voters.awaited
        if full and not self._was_full:
            house.out.tell(SeatsFull())
        self._was_full = full

    def _clocks(self) -> None:
        house = self._house
        if not house.pen.seats_rest:
            for key in house.presence.lapsed(house.pen.now):
                house.members.grace_over(key, house.pen.now)
        if house.play.round:
            house.play.round.wake(house.pen.now)
        house.turns.look(house.pen.now)

    @property
    def wake_at(self) -> float:
        """When to call `handle(Woke(), now)` at the latest."""
        if self._due is None:
            self._due = min((time for time in self._waits() if time is not None), default=math.inf)
        due, silent_at = min(self._due, self._house.pulse.at), self._house.presence.silent_at
        return due if silent_at is None else min(due, silent_at)

    def _waits(self) -> list[float | None]:
        """The clocks that are set anew by `follow` alone, or by what it follows."""
        house = self._house
        play, pen = house.play, house.pen
        waits = [self._close_by, house.door.wake_at, house.handover.wake_at]
        if house.takeover:
            waits.append(house.takeover.wake_at)
        if not pen.rests:
            waits += [play.dealer.wake_at, house.turns.clock.by, house.ballots.wake_at, house.idle.closes_at]
            if play.round:
                waits.append(play.round.wake_at)
            if not pen.public.going:
                waits.append(house.presence.lapses_at)
                waits.append(self._start_by)
                if play.next_by and play.next_by > pen.now:
                    waits.append(play.next_by)  # later only a voter is waited for, who has to answer
        return waits
