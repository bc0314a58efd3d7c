"""What a guest asks its host for that is no act (protocol 4.7, WANT): to go on, to stop, to skip, to see the deck."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from p2pcards.table.access import free_seat
from p2pcards.table.bulletin import Bulletin
from p2pcards.table.effects import LinkId
from p2pcards.table.idle import Idle
from p2pcards.table.members import Members
from p2pcards.table.outbox import Outbox
from p2pcards.table.pen import Pen
from p2pcards.table.play import AT_ONCE, Play
from p2pcards.table.presence import Presence
from p2pcards.table.round import Refused
from p2pcards.table.turns import Turns
from p2pcards.wire.text import clean

AWAY_SECONDS = 5.0
"""Between two wishes of one player to be away: what comes of each is told to everybody, and stands in the journal."""


class Wishes:
    """Grants them or says why not. Everybody is told of a wish before what comes of it."""

    def __init__(
        self,
        pen: Pen,
        play: Play,
        members: Members,
        presence: Presence,
        turns: Turns,
        bulletin: Bulletin,
        idle: Idle,
        out: Outbox,
        publish: Callable[[], None],
    ) -> None:
        self._pen, self._play, self._members, self._presence = pen, play, members, presence
        self._turns, self._bulletin = turns, bulletin
        self._idle, self._out, self._publish = idle, out, publish
        self._away_at: dict[bytes, float] = {}  # when each of them went last, of those who went a moment ago

    def take(self, link: LinkId, key: bytes, text: str) -> None:
        """One wish of who has that key."""
        play, books = self._play, self._pen.public
        seat = books.seat_of(key)
        self._idle.stir(self._pen.now)
        if text in ("seat", "watch"):
            self._sit(link, key, text == "seat")
        elif seat is None and (key != books.host or text not in ("skip", "next", "stop")):
            self._out.refuse(link, 0, "not_seated")
        elif text == "back":
            self._members.is_back(key)
        elif self._pen.rests:
            self._out.refuse(link, 0, "paused")
        elif text == "away":
            self._away(link, seat)
        elif text == "skip":
            self._skip(link, key)
        elif text == "deck":
            self._lay_open(link, seat)
        elif text not in ("next", "ready", "stop"):
            self._out.refuse(link, 0, "no_such_wish", clean(text, 40))
        elif books.round or not books.match or (text == "stop" and not play.between):
            self._out.refuse(link, 0, "not_now", text)
        elif text != "stop" and seat is None:
            self._deal(link)
        elif text != "stop":
            play.ready.add(key)
        elif play.match.endless:
            self._bulletin.ready(play, self._pen.now, stopped=seat)
            play.stop()
        else:
            self._out.refuse(link, 0, "has_an_end")

    def _deal(self, link: LinkId) -> None:
        """The next round at once: a host without a seat waits for nobody."""
        if self._play.between:
            self._play.next_by = AT_ONCE
        else:
            self._out.refuse(link, 0, "not_now", "next")

    def _sit(self, link: LinkId, key: bytes, sits: bool) -> None:
        """A spectator would play from the next free seat on, or only watch again."""
        books, there = self._pen.public, self._presence.connections.get(link)
        if books.seat_of(key) is not None:
            self._out.refuse(link, 0, "seated")
        elif there is not None:
            there.watching = not sits
            if sits and free_seat(books, key) is None:
                self._out.refuse(link, 0, "no_seat")

    def _away(self, link: LinkId, seat: int | None) -> None:
        """A bot plays the seat until its player wants it back."""
        books = self._pen.public
        if books.match_over or seat is None:
            self._out.refuse(link, 0, "not_now", "away")
        elif seat in books.bots_on:
            self._out.refuse(link, 0, "away")
        elif wait := self._wait_away(books.seats[seat].key):
            self._out.refuse(link, 0, "away_soon", str(ceil(wait)))
        else:
            self._away_at[books.seats[seat].key] = self._pen.now
            self._members.away(seat, self._pen.now)

    def _wait_away(self, key: bytes) -> float:
        """Seconds until a player may be away once more; 0 where that is now."""
        now = self._pen.now
        self._away_at = {key: at for key, at in self._away_at.items() if now < at + AWAY_SECONDS}
        return self._away_at[key] + AWAY_SECONDS - now if key in self._away_at else 0.0

    def _skip(self, link: LinkId, key: bytes) -> None:
        try:
            self._turns.skip(key)
        except Refused as refusal:
            self._out.refuse(link, 0, refusal.code)
        else:
            self._bulletin.clock(self._turns, self._pen.now)

    def _lay_open(self, link: LinkId, seat: int | None) -> None:
        if self._pen.public.setting("allow_peek") != "true":
            self._out.refuse(link, 0, "no_peek")
        elif self._play.lay_open():
            self._publish()
            self._bulletin.clock(self._turns, self._pen.now, peeked=seat)
        else:
            self._out.refuse(link, 0, "not_now", "deck")
