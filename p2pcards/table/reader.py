"""What a guest reads: the journal entry by entry, and the views that the host shows it (protocol 6.7).

Every entry must fit the chain, carry the host's signature and be possible by the books. What can't be checked while the
cards are hidden is noted, and checked when the round is disclosed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

import msgspec

from p2pcards.cards import each
from p2pcards.errors import ProtocolError
from p2pcards.games.base import DEALER
from p2pcards.table.audit import Shown, shown_digest
from p2pcards.table.ballots import VoteWatch
from p2pcards.table.certificates import host_of
from p2pcards.table.chronicle import Before, news, opened_choice
from p2pcards.table.journal import Journal
from p2pcards.table.matchbook import MatchBook
from p2pcards.table.notices import Alarm, Audited, Notice, RolledBack
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
    EntryFlag,
    EntryKind,
    Kick,
    MatchEnd,
    MatchStart,
    OpenPub,
    Pub,
)
from p2pcards.wire.envelope import ActKind, Envelope, decode_envelope, unpack_opening

FINAL = frozenset({EntryKind.ROUND_END, EntryKind.DISCLOSE, EntryKind.MATCH_END})
"""Kinds that are told, and recorded, when they can't be lost any more (protocol 7.2)."""


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
        self.committed = -1  # the newest entry that no change of hosts can take away, as far as we know
        self.fresh: list[bytes] = []  # wires that the shell has not been given yet
        self._shown: dict[int, Shown] = {}  # this round's views, by index
        self._openings = Openings()  # this round's
        self._story = Story(self.public)
        self._told: deque[tuple[int, list[Notice]]] = (
            deque()
        )  # waits for the commit of that entry; -1: for those before

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
        acting, blinds, openings = self.public.rules.to_act(self.view), current.blinds, current.openings
        return tuple([seat for seat in acting if seat not in blinds and seat not in openings and seat != DEALER])

    # ---- entries

    def take(self, entry: Entry, wire: bytes, now: float) -> Pub | Envelope:
        """The entry that follows, and its wire; raises ProtocolError where it can't. Whoever sent it: it is signed."""
        before = Before.of(self.public)
        self.journal.take(entry, wire, host_of(entry, self.public))
        try:
            body, told = self._fold(entry)
        except ProtocolError:
            self._cut(len(self.journal) - 1)
            raise
        self.fresh.append(wire)
        told[:0] = news(before, entry, body, self.public)
        if self.entered:
            told += self._voting(entry, body, now)
        self._tell(entry, told)
        return body

    def _fold(self, entry: Entry) -> tuple[Pub | Envelope, list[Notice]]:
        """The entry, taken into the books, and what it comes to beside the news."""
        current = self.public.round
        body = self.public.fold(entry)
        if isinstance(body, Disclose) and current and current.ended:
            return body, self._disclosed(current, entry.index, body.secret)
        if isinstance(body, DealOpen) and not current:
            self.view, self._shown, self._openings = None, {}, Openings()
        elif isinstance(body, OpenPub):
            self._openings.laid_open(body)
        elif isinstance(body, MatchStart):
            self.book.start()
            self.last = None  # its points are no part of the scores any more
        elif isinstance(body, MatchEnd):
            wrong = self.book.ended(body)
            return body, [Alarm(wrong)] if wrong else list(self.book.recorded())
        return body, []

    # ---- what may be lost, and what is

    def _tell(self, entry: Entry, told: list[Notice]) -> None:
        """Passes on what an entry tells: what is final, when it is committed, and what comes behind it then too."""
        gated = entry.kind in FINAL and entry.index > self.committed
        if self._told or gated:
            self._told.append((entry.index if gated else -1, told))
        else:
            self._story.add(told)

    def commit(self, index: int) -> bool:
        """The host says that entries up to this one are committed; whether that frees anything to be told."""
        self.committed = max(self.committed, min(index, self.journal.last))
        freed = False
        while self._told and self._told[0][0] <= self.committed:
            self._story.add(self._told.popleft()[1])
            freed = True
        return freed

    def rewind(self, length: int) -> RolledBack:
        """Forgets every entry from `length` on: the table went on without them."""
        lost = self.journal.entries[length:]
        self.committed = min(self.committed, length - 1)
        said = [entry for entry in lost if entry.flags is EntryFlag.ACTSIG and entry.seat == self.me]
        mine = tuple(text for entry in said if (text := _said(entry)))
        self._cut(length)
        del self.fresh[max(0, len(self.fresh) - len(lost)) :]
        self._told = deque((index, told) for index, told in self._told if index < length)
        return RolledBack(length, len(lost), mine)

    def _cut(self, length: int) -> None:
        """The journal, the books and what hangs on them as they were when the journal was so long."""
        entries = self.journal.entries[:length]
        shown = {index: view for index, view in self._shown.items() if index < length}
        view, openings, last = (self.view if self.view_at < length else None), self._openings, self.last
        self.journal.truncate(length)
        self.public.restart()
        self.book.restart()
        self.last = self.audited = None
        for entry in entries:
            self._fold(entry)
        if self.public.round:
            openings.rewind(length, self._openings)
            self.view, self._shown, self._openings = view, shown, openings
        if self.last and last and self.last.number == last.number:
            self.last = last  # with the view that it was shown
        if self.view is None:
            self.view_at = -1

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
                nicks=tuple(held.nick for held in self.public.seats),
            )
        entries = self.journal.entries
        opened = [opened_choice(entries[index], text, self.public) for index, text in self.book.sealed]
        return [*opened, audit, *self.book.recorded()]

    # ---- views

    def take_view(self, message: messages.View, resent: bool = False) -> list[Notice]:
        """The view of the newest entry, and what is told by it; raises ProtocolError where it is out of place.

        resent: we asked twice for what it belongs to. Any other view that comes again says that the table goes on.
        """
        current = self.public.round
        if current is None or current.starter is None or message.index != self.journal.last:
            raise ProtocolError(f"a view of entry {message.index} out of place, behind entry {self.journal.last}")
        game = self.public.rules
        view = self._decoded(message)
        shown = Shown(self.me, shown_digest(self.journal.table, message.index, message.view))
        if view.seat != self.me or len(view.public.counts) != current.seats:
            raise ProtocolError("a view of another seat, or of another table")
        if message.index in self._shown and not resent:
            self.remind()
        if self._shown.setdefault(message.index, shown) != shown:
            raise ProtocolError("another view than before")
        self._openings.take(game, current, view, message.openings, message.index)
        before, self.view, self.view_at = self.view, view, message.index
        return self.told(before)

    def _decoded(self, message: messages.View) -> Any:
        try:
            return self.public.rules.decode_view(message.view)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise ProtocolError(f"a view that is none: {error}") from error

    def opens_all(self, message: messages.View) -> bool:
        """Whether a view opens as many cards as it shows in our hand; raises ProtocolError where it is none."""
        view = self._decoded(message)
        return view.seat is None or len(message.openings) == len(tuple(each(self.public.rules.hand(view))))

    def remind(self) -> None:
        """Whose turn it is will be told again, for it may have been missed."""
        self._story.remind()

    def told(self, before: Any = None) -> list[Notice]:
        """What is to be told by now; before: the view before this one."""
        return self._story.told(before, self.view, self.view_at, self.me, self.to_act, self.settled)


def _said(entry: Entry) -> str:
    """What a player said in an entry, as far as it can be told; empty where it is no act or hidden."""
    if entry.kind is EntryKind.ACT:
        return decode_envelope(entry.pub).payload.decode()
    if entry.kind is EntryKind.OPENING:
        return unpack_opening(decode_envelope(entry.pub).payload)[2].decode("utf-8", "replace")
    return ""
