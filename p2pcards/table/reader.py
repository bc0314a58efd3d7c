"""What a guest reads: the journal entry by entry, and the views that the host shows it (protocol 6.7).

Every entry must fit the chain, carry the host's signature and be possible by the books. What can't be checked while the
cards are hidden is noted, and checked when the round is disclosed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from p2pcards.errors import ProtocolError
from p2pcards.games.base import DEALER
from p2pcards.table.audit import Shown, shown_digest
from p2pcards.table.ballots import VoteWatch
from p2pcards.table.chronicle import Before, news, opened_choice
from p2pcards.table.journal import Journal
from p2pcards.table.matchbook import MatchBook
from p2pcards.table.notices import Alarm, Audited, Notice
from p2pcards.table.openings import Openings
from p2pcards.table.openround import OpenRound
from p2pcards.table.public import Public
from p2pcards.table.story import Story
from p2pcards.table.tableview import RoundResult, Stage
from p2pcards.wire import messages
from p2pcards.wire.entries import (
    DealOpen,
    Disclose,
    Entry,
    EntryKind,
    Genesis,
    Kick,
    MatchEnd,
    MatchStart,
    OpenPub,
    Pub,
    decode_pub,
    decode_wire,
    table_id,
)
from p2pcards.wire.envelope import ActKind, Envelope


class Reader:
    """The journal, the books and the newest view of one guest. key: its own."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.journal = Journal()
        self.public = Public(self.journal)
        self.book = MatchBook(self.journal, self.public)
        self.vote = VoteWatch()
        self.view: Any = None
        self.view_at = -1  # the entry that it is of
        self.last: RoundResult | None = None  # of this match
        self.audited: Audited | None = None  # the last disclosed round
        self.entered = False  # we hold what there was when we came
        self.fresh: list[bytes] = []  # wires that the shell has not been given yet
        self._shown: dict[int, Shown] = {}  # this round's views, by index
        self._openings = Openings()  # this round's
        self._story = Story(self.public)

    # ---- how things stand

    @property
    def me(self) -> int | None:
        """Our seat."""
        return self.public.seat_of(self.key)

    @property
    def settled(self) -> bool:
        """Whether the view we hold is that of the newest entry, so that we may act on it."""
        return self.view is not None and self.view_at == self.journal.last

    @property
    def awaits_view(self) -> bool:
        """Whether the host owes us a view."""
        return self.public.round is not None and self.public.round.starter is not None and not self.settled

    @property
    def stage(self) -> Stage:
        """Where the table stands."""
        books = self.public
        if books.round:
            return Stage.PLAYING
        if not books.match_over:
            return Stage.BETWEEN
        return Stage.OVER if books.match else Stage.LOBBY

    @property
    def to_act(self) -> tuple[int, ...]:
        """Whose move the table waits for; who has answered a question no longer counts."""
        current = self.public.round
        if current is None or self.view is None or current.ended:
            return ()
        acting = self.public.rules.to_act(self.view)
        answered = current.blinds.keys() | current.openings.keys() | {DEALER}
        return tuple(seat for seat in acting if seat not in answered)

    # ---- entries

    def take(self, wire: bytes, host: bytes, table: bytes, now: float) -> tuple[Entry, Pub | Envelope] | None:
        """An entry of that table by its host's key; None where it is known. Raises ProtocolError where it can't be."""
        entry, _ = decode_wire(wire)
        if entry.index < len(self.journal):
            if self.journal.wires[entry.index] != wire:
                raise ProtocolError(f"the host tells two histories from entry {entry.index} on")
            return None
        if entry.kind is EntryKind.GENESIS:
            genesis = decode_pub(entry.kind, entry.pub)
            if not isinstance(genesis, Genesis) or genesis.host != host:
                raise ProtocolError("not this table's host")
            if table_id(entry.pub) != table:
                raise ProtocolError("not the table that it says it is")
        before, current = Before.of(self.public), self.public.round
        self.journal.accept(wire, host)
        body = self.public.fold(entry)
        self.fresh.append(wire)
        told = list(news(before, entry, body, self.public))
        if self.entered:
            told += self._voting(entry, body, now)
        if isinstance(body, Disclose) and current and current.ended:
            told += self._disclosed(current, entry.index, body.secret)
        elif isinstance(body, DealOpen) and not current:
            self.view, self._shown, self._openings = None, {}, Openings()
        elif isinstance(body, OpenPub):
            self._openings.laid_open(body)
        elif isinstance(body, MatchStart):
            self.book.start()
            self.last = None  # its points are no part of the scores any more
        elif isinstance(body, MatchEnd):
            wrong = self.book.ended(body)
            told += [Alarm(wrong)] if wrong else self.book.recorded()
        self._story.add(told)
        return entry, body

    def enter(self) -> None:
        """We hold what there was when we came: what is told from here on is news."""
        self.entered = True
        self._story.enter(self.me)

    def _voting(self, entry: Entry, body: Pub | Envelope, now: float) -> Iterator[Notice]:
        """What the entry means to the open vote."""
        if isinstance(body, Envelope) and body.kind is ActKind.VOTE:
            yield from self.vote.take(body, entry.index, self.public, now)
        elif isinstance(body, Kick):
            self.vote.kicked(body.key)
        yield from self.vote.look(self.public, now)

    def _disclosed(self, current: OpenRound, index: int, secret: bytes) -> list[Notice]:
        self.audited = audit = self.book.disclosed(current, index, secret, self._shown)
        ended = current.ended
        if ended is not None:
            view = self.view if self.view_at >= 0 else None
            settled = self.book.match.last
            starter = settled.starter if settled and audit.ok else None
            self.last = RoundResult(
                ended.round,
                ended.reason,
                ended.winners,
                ended.points,
                view,
                audit.ok,
                audit.why,
                starter,
                bad=audit.bad,
                whose=audit.whose,
            )
        entries = self.journal.entries
        opened = [opened_choice(entries[index], text, self.public) for index, text in self.book.sealed]
        return [*opened, audit, *self.book.recorded()]

    # ---- views

    def take_view(self, message: messages.View) -> list[Notice]:
        """The view of the newest entry, and what is told by it; raises ProtocolError where it is out of place."""
        current = self.public.round
        if current is None or current.starter is None or message.index != self.journal.last:
            raise ProtocolError("a view out of place")
        game = self.public.rules
        try:
            view = game.decode_view(message.view)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise ProtocolError(f"a view that is none: {error}") from error
        shown = Shown(self.me, shown_digest(self.journal.table, message.index, message.view))
        if view.seat != self.me or len(view.public.counts) != current.seats:
            raise ProtocolError("a view of another seat, or of another table")
        if self._shown.setdefault(message.index, shown) != shown:
            raise ProtocolError("another view than before")
        self._openings.take(self.journal.table, game, current, view, message.openings)
        before, self.view, self.view_at = self.view, view, message.index
        return self.told(before)

    def told(self, before: Any = None) -> list[Notice]:
        """What is to be told by now; before: the view before this one."""
        return self._story.told(before, self.view, self.view_at, self.me, self.to_act)
