"""Going on without those who are missing, when there is no majority: everybody who is here must agree (7.2, 7.3 FORK).

Theory of operation. Nobody can tell a dead host from one on the far side of a cut, so without a majority a table waits.
When it has waited for the grace time, everybody here is asked. One of them, the host if it is here (paused), else the
first in rank, takes the longest journal of those connected, draws a new T and asks the others' programs. Who says yes
writes first that it refuses the old T for ever; so whatever the missing do as the old table, no vote and no
acknowledgement of ours is in it, and the two tables never need merging. When all named have said yes, the asker, who
signs last, is host of the new table; with one answer missing it asks anew after ROUND_SECONDS, under another T.

    forking = Forking(identity, books, election, random)
    forking.look(stuck, now, linked, headless=False)    # after every input and when `wake_at` has come
    forking.take(key, message, now)                     # FORK_ASK, FORK_SAY of a member; ProtocolError
    forking.go_on(yes, now)                             # what the person says; nothing said is waiting
    # then: write election.kept; send `sent`; show `notices`; GET from `longest` if there is one; begin what is `done`

stuck: nobody can be host: too few are linked, or (two voters and fewer) the host's machine was started anew and must
not resume. linked: of every member that we have a link to, term and index of the newest entry it said to hold.
Where nobody is missing nobody is asked. Whoever hears a host has nothing to do with any of this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from p2pcards.errors import ProtocolError
from p2pcards.table.election import DEAD, Election
from p2pcards.table.notices import GoOnAsked, GoOnDenied, Notice
from p2pcards.table.public import Public
from p2pcards.table.rank import ranked
from p2pcards.wire.entries import Fork
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import ForkAsk, ForkSay, Message
from p2pcards.wire.vote import sign_fork, verify_fork

ROUND_SECONDS = 30.0
"""So long a FORK may take to be complete; then it is asked again with those still here."""

HOLD_SECONDS = ROUND_SECONDS + DEAD
"""Who said yes to one asker says so to no other before that one has given up, by any clock."""

TABLE_BYTES = 16
"""Length of a T."""


class _Round(Struct):
    """What we ask. said: the yes of each."""

    ask: ForkAsk
    until: float
    told: set[bytes] = set()
    said: dict[bytes, bytes] = {}


class _Asked(Struct, frozen=True):
    """What we are asked."""

    by: bytes
    ask: ForkAsk
    until: float


class Forking:
    """One member. It is pure: books, election and vote file are its program's, and time comes with every call."""

    def __init__(self, identity: Identity, public: Public, election: Election, random: Callable[[int], bytes]) -> None:
        self._identity, self._key, self.public = identity, identity.key, public
        self._election, self._random = election, random
        self.sent: list[tuple[bytes, Message]] = []
        self.notices: list[Notice] = []
        self.done: Fork | None = None
        self.longest: bytes | None = None  # who holds more than we do: we can't ask before we hold it too
        self.wake_at: float | None = None
        self.asks_at: float | None = None  # when our person is asked, where that comes for sure
        self._linked: dict[bytes, tuple[int, int]] = {}
        self._headless = False
        self._table = public.table
        self._forget()

    def _forget(self) -> None:
        self._question: frozenset[bytes] = frozenset()  # without whom we might go on
        self._consent: frozenset[bytes] | None = None  # without whom our person would
        self._round: _Round | None = None
        self._asked: _Asked | None = None
        self._promise = (b"", 0.0)  # to whom we said yes, and until when to nobody else
        self._denied: set[bytes] = set()

    @property
    def asking(self) -> tuple[str, ...]:
        """Without whom our person may say to go on: nicks; () while there is nothing to be said."""
        return () if self._agreed(self._question) else self._nicks(self._question)

    @property
    def asked(self) -> bool:
        """Whether somebody waits for our answer."""
        return self._asked is not None

    def look(self, stuck: bool, now: float, linked: Mapping[bytes, tuple[int, int]], *, headless: bool) -> None:
        """Time has gone on, or something changed. headless: nobody is there to be asked, and the answer is yes."""
        self._follow()
        books = self.public
        self._linked = {key: newest for key, newest in linked.items() if books.votes(key) and key != self._key}
        self._headless, self.longest, self.wake_at, self.asks_at = headless, None, None, None
        if self.done is not None:
            return  # the new table is about to begin
        asked = self._asked
        if asked is not None and (now >= asked.until or asked.by not in self._linked):
            asked = self._asked = None
        if not books.votes(self._key) or not self._election.may_fork:
            self._question, self._consent, self._round, self._asked = frozenset(), None, None, None
        elif self._election.hears_host(now):  # which is paused, if it asks
            self._round = None
            if asked is None:
                self._question, self._consent = frozenset(), None
        elif now >= (due := self._due(stuck, now)):
            self._wait_no_more(now)
        else:
            self.wake_at = due
            self.asks_at = due if stuck else None
        self._answer(now)

    def go_on(self, yes: bool, now: float) -> None:
        """What the person says; nothing where nothing is asked."""
        self._follow()
        if not self._question:
            return
        self._consent = self._question if yes else None
        if not yes:
            self._round = None
            self.notices.append(GoOnDenied(self.public.nick_of(self._key)))
            if self._asked is not None:
                self._say(self._asked, False)
                self._asked = None
        self._answer(now)

    def take(self, key: bytes, message: Message, now: float) -> None:
        """What another member says; ProtocolError for what none says."""
        self._follow()
        if not self.public.votes(key) or key == self._key:
            return
        match message:
            case ForkAsk():
                self._take_ask(key, message, now)
            case ForkSay():
                self._take_say(key, message, now)

    # ---- when

    @property
    def _missing(self) -> frozenset[bytes]:
        here = {*self._linked, self._key}
        return frozenset(key for key in self.public.voters if self.public.votes(key) and key not in here)

    def _due(self, stuck: bool, now: float) -> float:
        """When to ask. Where enough are here for an election it is given time, and then it has come to nothing."""
        missing, heard = self._missing, self._election.heard
        if stuck and not missing:
            return now
        patience = max(DEAD, float(self.public.setting("grace_seconds")))
        return heard + (patience if stuck else max(patience, ROUND_SECONDS))

    def _wait_no_more(self, now: float) -> None:
        """The grace time is over: our person is asked, and if asking is ours to do, the others are."""
        if self._asked is None:
            self._ask_person(self._missing, b"")
        if self._first() != self._key:
            self._round = None
            return
        journal = self.public.journal
        ours = journal.term_at(journal.last), journal.last
        key, newest = max(self._linked.items(), key=lambda item: item[1], default=(b"", ours))
        if newest > ours:
            self.longest, self._round = key, None
            return
        if not self._agreed(self._missing):
            self._round = None
            return
        members = tuple(sorted((*self._linked, self._key)))
        current = self._round
        changed = current is None or (current.ask.members, current.ask.head) != (members, journal.head)
        if current is None or changed or now >= current.until:
            fresh = self._random(TABLE_BYTES)
            ask = ForkAsk(self.public.table, journal.last, journal.head, fresh, members)
            current = self._round = _Round(ask, now + ROUND_SECONDS)
        for other in sorted(self._linked.keys() - current.told):
            self.sent.append((other, current.ask))
        current.told = set(self._linked)
        self.wake_at = current.until
        self._complete(now)

    def _first(self, but: bytes = b"") -> bytes:
        """Who asks: the host if it is here, else the first in rank; it will be host of the new table."""
        here = {*self._linked, self._key, but}
        order = (self.public.host, *ranked(self.public))
        return next(key for key in order if key in here and self.public.votes(key))

    def _complete(self, now: float) -> None:
        """All have said yes: we do so too, the last, and the new table begins."""
        current = self._round
        if current is None or now >= current.until or current.ask.head != self.public.journal.head:
            return
        ask = current.ask
        if current.said.keys() | {self._key} != set(ask.members):
            return
        current.said[self._key] = self._sign(ask)
        said = tuple(sorted(current.said.items()))
        self.done = Fork(ask.table, ask.fresh, ask.index, ask.head, self._key, said)
        self._round = None

    # ---- the person

    def _ask_person(self, missing: frozenset[bytes], by: bytes) -> None:
        """Asks, unless the same was asked before; without anybody missing there is nothing to ask."""
        if missing == self._question:
            return
        self._question, self._denied = missing, set()
        if self._agreed(missing):
            return
        self._consent = None
        books = self.public
        here = {*self._linked, self._key}
        void = books.round is not None and books.host not in here
        self.notices.append(GoOnAsked(self._nicks(missing), books.nick_of(by), void))

    def _agreed(self, missing: frozenset[bytes]) -> bool:
        """Whether nobody needs to be asked any more about going on without these."""
        return self._headless or not missing or (self._consent is not None and missing <= self._consent)

    def _nicks(self, keys: frozenset[bytes]) -> tuple[str, ...]:
        return tuple(self.public.nick_of(key) for key in self.public.voters if key in keys)

    # ---- being asked

    def _take_ask(self, key: bytes, ask: ForkAsk, now: float) -> None:
        members = ask.members
        if list(members) != sorted(set(members)) or not {key, self._key} <= set(members):
            raise ProtocolError("members of a FORK that we have no part in")
        if ask.table != self.public.table:
            stale = self._election.stale
            if ask.table in self.public.tables and stale is not None:
                self.sent.append((key, stale))
            return
        asked = _Asked(key, ask, now + HOLD_SECONDS)
        if self._refuses(asked, now):
            self._say(asked, False)
            return
        self._asked = asked
        self._ask_person(self._left_out(ask), key)
        self._answer(now)

    def _left_out(self, ask: ForkAsk) -> frozenset[bytes]:
        return frozenset(key for key in self.public.voters if self.public.votes(key) and key not in ask.members)

    def _refuses(self, asked: _Asked, now: float) -> bool:
        """Whether it is not theirs to ask: we hear a host, we hold more, or somebody comes before them."""
        books, ask = self.public, asked.ask
        if not self._election.may_fork or (self._election.hears_host(now) and books.host != asked.by):
            return True
        if not all(map(books.votes, ask.members)) or (books.host in ask.members and books.host != asked.by):
            return True
        if self._first(asked.by) == self._key:
            return True
        journal = books.journal
        if journal.saw(ask.index, ask.head):
            return ask.index < journal.last
        return self._linked.get(asked.by, (0, -1)) <= (journal.term_at(journal.last), journal.last)

    def _answer(self, now: float) -> None:
        """Says yes to what we are asked, once our person has, and nobody else has our word."""
        asked = self._asked
        if asked is None or not self._agreed(self._left_out(asked.ask)):
            return
        by, until = self._promise
        if self._refuses(asked, now):
            self._asked = None
        elif by in (b"", asked.by) or now >= until:
            self._asked, self._round = None, None
            self._promise = asked.by, now + HOLD_SECONDS
            self._say(asked, True)

    def _say(self, asked: _Asked, yes: bool) -> None:
        ask = asked.ask
        self.sent.append((asked.by, ForkSay(ask.table, ask.fresh, yes, self._sign(ask) if yes else b"")))

    def _sign(self, ask: ForkAsk) -> bytes:
        self._election.sign_fork(ask.fresh)
        return sign_fork(self._identity, ask.table, ask.head, ask.fresh)

    def _take_say(self, key: bytes, said: ForkSay, now: float) -> None:
        current = self._round
        if current is None or (said.table, said.fresh) != (current.ask.table, current.ask.fresh):
            return
        if key not in current.ask.members:
            raise ProtocolError("an answer of somebody who was not asked")
        if not said.yes:
            if key not in self._denied:
                self._denied.add(key)
                self.notices.append(GoOnDenied(self.public.nick_of(key)))
            return
        if not verify_fork(key, said.sig, said.table, current.ask.head, said.fresh):
            raise ProtocolError("a yes that its member did not sign")
        current.said[key] = said.sig
        self._complete(now)

    def _follow(self) -> None:
        """The table became another one: all of this is over."""
        if self.public.table != self._table:
            self._table = self.public.table
            self._forget()
