"""What the host tells everybody beside the journal, each time that it is news: counterpart of `tidings`."""

from __future__ import annotations

from p2pcards.table.effects import LinkId
from p2pcards.table.outbox import Outbox
from p2pcards.table.play import Play
from p2pcards.table.presence import Connection, Presence
from p2pcards.table.public import Public
from p2pcards.table.standing import standing
from p2pcards.table.turns import Turns
from p2pcards.table.whereabouts import Whereabouts
from p2pcards.wire import messages
from p2pcards.wire.fields import NO_SEAT


class Bulletin:
    """Says to each connection what it has not been told yet. It comes behind the entries that tell what came of it."""

    def __init__(self, public: Public, presence: Presence, out: Outbox) -> None:
        self._public, self._presence, self._out = public, presence, out

    def held(self, now: float) -> None:
        """Who is missing, and how long each seat is kept."""
        seats = ((self._public.seat_of(key), until) for key, until in self._presence.held())
        told = tuple((seat, until) for seat, until in seats if seat is not None)
        held = tuple((seat, max(0, round(until - now))) for seat, until in told)
        for link, there in self._listeners():
            if there.held != told:
                there.held = told
                self._out.send(link, messages.Held(held))

    def ready(self, play: Play, now: float, stopped: int | None = None) -> None:
        """Between rounds: who wants to go on, and when it goes on by itself; and who ended the match."""
        books = self._public
        if books.round or not books.match:
            return
        seats = tuple(seat for seat, held in enumerate(books.seats) if held.key in play.ready)
        news = messages.Ready(seats, _left(play.next_by, now), NO_SEAT if stopped is None else stopped)
        for link, there in self._listeners():
            told = (seats, play.next_by)
            if stopped is not None or there.ready != told:
                there.ready = told
                self._out.send(link, news)

    def clock(self, turns: Turns, now: float, peeked: int | None = None) -> None:
        """How long the turn may take, who wants it skipped and how many must; and who has just laid the deck open."""
        by, books = turns.clock.by, self._public
        seats = tuple(seat for key in turns.clock.skips if (seat := books.seat_of(key)) is not None)
        told = by, seats, turns.needed if seats else 0
        hearers = [(link, one) for link, one in self._listeners() if peeked is not None or one.clock != told]
        if not hearers:
            return
        news = messages.Clock(_left(by, now), seats, turns.needed, NO_SEAT if peeked is None else peeked)
        for link, there in hearers:
            there.clock = told
            self._out.send(link, news)

    def peers(self, whereabouts: Whereabouts) -> None:
        """Where the members are reached; for members alone."""
        news = whereabouts.peers()
        members = {key for key, _ in news.peers}
        for link, there in self._listeners():
            if there.key in members and there.peers != news:
                there.peers = news
                self._out.send(link, news)

    def standing(self) -> None:
        """Whether the table would outlive its host."""
        news = standing(self._public, self._presence)
        for link, there in self._listeners():
            if there.standing != news:
                there.standing = news
                self._out.send(link, news)

    def _listeners(self) -> list[tuple[LinkId, Connection]]:
        """Those who were sent the whole journal: seats mean to them what they mean here."""
        whole, connections = len(self._public.journal), self._presence.connections
        return [(link, there) for link, there in connections.items() if there.sent == whole and there.welcomed]


def _left(at: float | None, now: float) -> int:
    """Whole seconds until then, 0 for never."""
    return 0 if at is None else max(1, round(at - now))
