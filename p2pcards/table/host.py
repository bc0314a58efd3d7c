"""The host of a table: the only one that runs the game, and the only one that writes the journal.

Everything that happens arrives as an input; everything that is to be done leaves as Effects. What people say is judged
(`Judge`); what is accepted becomes an entry, then everybody is sent the entry and the own view of what came of it. The
host's own seat and its bots walk the same way.

The clocks that run here are all in `wake_at`: the heartbeat, the grace of those who dropped, the present turn's, and
the waiting for answers and for the next round. None of them is in the journal but as an entry that says what came of
it; and none of them runs while too few voters answer: then the host is paused, and nothing goes on (protocol 7.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Self

from p2pcards import PROTOCOL, __version__
from p2pcards.errors import ProtocolError, UserError
from p2pcards.games.match import Match
from p2pcards.table import lobby
from p2pcards.table.acts import ACTS
from p2pcards.table.course import Course
from p2pcards.table.door import Gate
from p2pcards.table.effects import (
    OWN_LINK,
    Agreed,
    BotChose,
    Effects,
    Input,
    LinkDown,
    LinkId,
    LinkUp,
    Ordered,
    Received,
    Woke,
)
from p2pcards.table.house import OPEN_GATE, House
from p2pcards.table.journal import Journal
from p2pcards.table.notices import DoorFellBack
from p2pcards.table.presence import BEAT, Connection
from p2pcards.table.public import Public
from p2pcards.table.raised import raises
from p2pcards.table.tableview import Knock
from p2pcards.table.takeover import TakeOver
from p2pcards.wire import messages
from p2pcards.wire.entries import PROGRAM, EntryKind, Fork, Genesis, SeatKind, TermStart
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Close, Hello, Message, Reason
from p2pcards.wire.vote import Vote

WATCHING_SECONDS = 30.0
"""How long a new host keeps those in the roster who watched, and have to find it first."""

STANDS_STILL = "The table stands still until enough of its players are here."


_HOSTS_WORDS = (
    messages.Entries,
    messages.View,
    messages.Refused,
    messages.Peers,
    messages.Held,
    messages.Ready,
    messages.Clock,
    messages.Standing,
    messages.Secret,
)

_VOTERS_WORDS = (
    messages.PrevoteAsk,
    messages.Prevote,
    messages.VoteAsk,
    Vote,
    messages.Stale,
    messages.ShareAsk,
    messages.ForkAsk,
    messages.ForkSay,
)


class Host:
    """A table's authority. `handle` takes one input and gives what is to be done."""

    def __init__(
        self,
        identity: Identity,
        random: Callable[[int], bytes],
        wall: float,
        *,
        title: str = "",
        game: str = "",
        seats: int = 0,
        options: Mapping[str, str] | None = None,
        table_settings: Mapping[str, str] | None = None,
        closes_after_match: bool = False,
        keeps: bool = False,
        door: str = "open",
        gate: Gate = OPEN_GATE,
        journal: Journal | None = None,
        committed: int = 0,
        whereabouts: Mapping[bytes, tuple[bytes, ...]] | None = None,
    ) -> None:
        """wall: unix seconds minus the machines' `now`. keeps: its lobby after a match is as fresh as the first one.
        Raises InvalidOption, or UserError for a door it can't keep.

        journal: of a table that was another's, or ours before; then title, game, seats, options, settings and door are
        what it says. committed: up to where it stands for good. whereabouts: where the members are reached.
        """
        self._house = house = House(
            identity,
            random,
            wall,
            title=title,
            game=game,
            seats=seats,
            options=options,
            table_settings=table_settings,
            closes_after_match=closes_after_match,
            keeps=keeps,
            door=door,
            gate=gate,
            journal=journal,
            committed=committed,
            whereabouts=whereabouts,
        )
        self._course = Course(house)
        self._wake_at: float | None = None  # as of the newest input; None: to be worked out
        self._pen, self._presence, self._play, self._turns = house.pen, house.presence, house.play, house.turns
        self._members, self._lease, self._out = house.members, house.lease, house.out
        self.closed = False
        self.stopped = False  # somebody else is host, or asks for votes for a later term: nothing is written any more
        self.handed_over = b""  # key of the successor, who has all that it needs

    # ---- tables that were there before

    @classmethod
    def take_over(
        cls,
        identity: Identity,
        random: Callable[[int], bytes],
        wall: float,
        journal: Journal,
        *,
        match: Match,
        now: float,
        asked_at: float,
        certificate: tuple[Vote, ...] = (),
        handover: int = 0,
        secret: bytes = b"",
        share: tuple[int, int, bytes] | None = None,
        links: Iterable[tuple[LinkId, bytes]] = (),
        committed: int = 0,
        whereabouts: Mapping[bytes, tuple[bytes, ...]] | None = None,
        closes_after_match: bool = False,
        gate: Gate = OPEN_GATE,
        addresses: tuple[bytes, ...] = (),
    ) -> tuple[Self, Effects]:
        """Takes another's table over, by votes or by the HANDOVER in that entry, the journal's last (protocol 7.6).

        match: as it stood after the last round that we have checked. secret: R of the open round, if we were given it.
        share: ours of that. links: those to members, with their keys. asked_at: when the votes were asked for. The
        journal is copied.
        """
        host = cls(
            identity,
            random,
            wall,
            journal=journal,
            committed=committed,
            whereabouts=whereabouts,
            closes_after_match=closes_after_match,
            gate=gate,
        )
        host._pen.now, host.addresses = now, addresses
        given = host.public.handover
        term = certificate[0].term if certificate else given.term if given else host.public.term + 1
        start = host._pen.open_term(EntryKind.TERM_START, TermStart(identity.key, certificate, handover), term)
        host._lease.granted((vote.voter for vote in certificate), asked_at)
        return host, host._assume(start, match, secret, share, links)

    @classmethod
    def resumed(
        cls,
        identity: Identity,
        random: Callable[[int], bytes],
        wall: float,
        journal: Journal,
        *,
        match: Match,
        now: float,
        secret: bytes = b"",
        fork: Fork | None = None,
        links: Iterable[tuple[LinkId, bytes]] = (),
        committed: int = 0,
        whereabouts: Mapping[bytes, tuple[bytes, ...]] | None = None,
        closes_after_match: bool = False,
        gate: Gate = OPEN_GATE,
        addresses: tuple[bytes, ...] = (),
    ) -> tuple[Self, Effects]:
        """Goes on with a table of ours in the same term, or, by a FORK, without those who are missing (protocol 7.3).

        secret: R of the open round, if it is on our disk; without it the round is void, which takes a FORK. The rest
        as in `take_over`.
        """
        host = cls(
            identity,
            random,
            wall,
            journal=journal,
            committed=committed,
            whereabouts=whereabouts,
            closes_after_match=closes_after_match,
            gate=gate,
        )
        host._pen.now, host.addresses = now, addresses
        start = host.public.reigns[-1][0]
        if fork is not None:
            start = host._pen.open_term(EntryKind.FORK, fork, host.public.term + 1)
        return host, host._assume(start, match, secret, None, links)

    def _assume(
        self,
        start: int,
        match: Match,
        secret: bytes,
        share: tuple[int, int, bytes] | None,
        links: Iterable[tuple[LinkId, bytes]],
    ) -> Effects:
        """Our term, begun by entry `start`, is on: the links are those of our guests from here on."""
        self._house.pulse.at = now = self._now
        books = self.public
        if self._house.orders.keep(self._house.door):
            self._out.tell(DoorFellBack(self._house.orders.policy))
        for link, key in links:
            self._adopt(link, key)
        for held in books.seats:
            if (
                held.kind is SeatKind.MEMBER
                and held.key != self._house.identity.key
                and not self._presence.is_here(held.key)
            ):
                self._members.hold(held.key, now)
        for key, _ in books.spectators:
            if not self._presence.is_here(key):
                self._presence.hold(key, now + WATCHING_SECONDS)
        self._course.rests()
        self._house.takeover = TakeOver(
            self._pen, self._play, self._presence, self._lease, self._out, match=match, start=start
        )
        self._house.takeover.take_secret(secret)
        if share is not None:
            self._house.takeover.take(self._house.identity.key, messages.Share(*share))
        return self._follow()

    def adopt(self, link: LinkId, key: bytes, now: float) -> Effects:
        """A link between members is one of our table's from here on."""
        self._pen.now = now
        if self._is_over:
            return Effects()
        self._adopt(link, key)
        return self._follow()

    def _adopt(self, link: LinkId, key: bytes) -> None:
        """Its far end is told who is host, and asks for what it lacks."""
        books = self.public
        for other, _ in self._presence.of(key):
            self._close(other, Reason.SUPERSEDED, "you came in from elsewhere")
        seat = books.seat_of(key)
        program = seat is not None and bool(books.seats[seat].flags & PROGRAM)
        self._presence.connections[link] = Connection(key, self._now, welcomed=True, program=program, adopted=True)
        self._lease.afresh(key)
        self._members.is_back(key)
        begun = self._pen.journal.wires[books.reigns[-1][0]]
        self._out.send(link, messages.Entries(self._lease.commit, (begun,)))
        self._house.pulse.at = self._now

    def left_meanwhile(self, said: messages.Act, now: float) -> Effects:
        """A good-bye that a member said while nobody was host."""
        self._pen.now = now
        if self._is_over:
            return Effects()
        self._house.judge.left_meanwhile(said)
        return self._follow()

    def slept(self, now: float, wall: float) -> None:
        """This machine stood still, or its clock was set: who is host may have changed meanwhile (protocol 7.1)."""
        self._pen.now, self._pen.wall, self._wake_at = now, wall, None
        self._house.pulse.slept()

    # ---- what the shell reads

    @property
    def public(self) -> Public:
        """The books."""
        return self._pen.public

    @property
    def table(self) -> bytes:
        """T."""
        return self._pen.journal.table

    @property
    def state(self) -> str:
        """For adverts: lobby or playing."""
        return "lobby" if self.public.match_over else "playing"

    @property
    def addresses(self) -> tuple[bytes, ...]:
        """Where we are reached, packed; kept up to date by `net`."""
        return self._house.whereabouts.own

    @addresses.setter
    def addresses(self, addresses: tuple[bytes, ...]) -> None:
        self._house.whereabouts.own = addresses
        self._course.still = False

    @property
    def commit(self) -> int:
        """Index of the newest entry that our term has made final; -1 before there is one."""
        own = self._pen.journal.term_at(self._lease.commit) == self.public.term
        return self._lease.commit if own else -1

    def active(self, now: float) -> bool:
        """Whether enough voters follow us for the table to go on, and we have not handed it over (protocol 7.2)."""
        return not self._pen.shut and self._lease.active(now)

    def hears(self, key: bytes) -> bool:
        """Whether somebody with this key is here, and not silent."""
        return self._house.presence.is_heard(key)

    @property
    def secret(self) -> bytes:
        """R of the open round; empty while none is open, or we don't have it."""
        return self._play.dealer.secret

    def has_let_in(self, link: LinkId) -> bool:
        """Whether who is at the far end of a link is past the door."""
        there = self._presence.connections.get(link)
        return there is not None and there.welcomed

    def has_at_door(self, link: LinkId) -> bool:
        """Whether somebody at the far end of a link has said HELLO, and waits to be let in."""
        return self._house.door.is_busy(link)

    @property
    def recovering(self) -> bool:
        """Whether what the open round hides is yet to be had."""
        return self._house.recovering

    def info(self) -> messages.Info:
        """What a probe is told."""
        books = self.public
        return messages.Info(
            __version__,
            PROTOCOL,
            books.rules.rules,
            self.table,
            books.tables,
            books.term,
            self._house.title,
            books.nick_of(books.host),
            books.rules.name,
            (*books.options, *books.settings),
            tuple((held.nick, int(held.kind)) for held in books.seats),
            self.state,
            books.door,
            self._house.identity.key,
            self.addresses,
        )

    @property
    def code(self) -> str:
        """The join code, where the door asks for one."""
        return self._house.door.code if self._house.door.policy == "code" else ""

    @property
    def knocks(self) -> tuple[Knock, ...]:
        """Who waits at the door."""
        return self._house.door.knocks

    # ---- the one way in

    def open(self, now: float) -> Effects:
        """Writes the first entries of the table."""
        self._pen.now = self._house.pulse.at = now
        game = self._house.game
        self._pen.write(
            EntryKind.GENESIS,
            Genesis(self._house.identity.key, self._house.title, game.name, game.rules, self._house.random(32)),
        )
        self._house.orders.write()
        self._pen.write(EntryKind.ROSTER, lobby.empty_roster(self._house.size, self._house.identity.key))
        self._house.door.open(self.public.door)
        return self._effects()

    def handle(self, happened: Input, now: float) -> Effects:
        """What is to be done about one input. UserError (from Ordered alone) means that nothing has changed."""
        self._pen.now, self._wake_at = now, None
        if self._is_over:
            return Effects()
        self._house.pulse.wakes()
        for there in self._presence.look(now):
            self._members.hold(there.key, now)
            self._course.still = False
        moves = True
        match happened:
            case LinkUp(link, key, session):
                self._presence.connections[link] = Connection(key, now, session)
            case LinkDown(link):
                self._house.lost(link)
            case Agreed(link, point, secret):
                self._house.door.agreed(link, point, secret)
            case Received(link, message):
                moves = self._received(link, message)
            case BotChose(seat, text, head):
                self._house.judge.bot_chose(seat, text, head)
            case Ordered(words):
                self._ordered(words)
            case Woke():
                pass
            case _:
                raise TypeError(f"a host is told nothing by {type(happened).__name__}")
        return self._follow() if moves or self.wake_at <= now else self._effects()

    def _follow(self) -> Effects:
        """What comes of it, and what the time brings."""
        house, self._wake_at = self._house, None
        self.stopped = self.stopped or house.judge.outdone or house.handover.is_late
        if self.closed:
            return self._effects()
        if self.stopped:
            self._out.empty()  # who can't be sure of being host any more says nothing
            return Effects()
        self._course.follow()
        if house.handover.look():
            house.pulse.beat()
            house.handover.tell()
            self.handed_over = house.handover.successor
        elif self._course.over:
            self._close_all(self._course.over)
        return self._effects()

    # ---- messages

    def _received(self, link: LinkId, message: Message) -> bool:
        """Whether anything may follow from it."""
        there = self._presence.connections.get(link)
        if there is None:
            return True
        there.heard = self._now
        if isinstance(message, Close):
            self._house.lost(link)
            return True
        try:
            if there.welcomed and isinstance(message, messages.Ack):
                return self._acknowledged(link, there, message)
            if there.welcomed:
                self._from_guest(link, there, message)
            elif isinstance(message, Hello):
                self._house.reception.hello(link, there, message, self.info)
            elif isinstance(message, messages.Confirm):
                self._house.door.confirm(link, message, self._now)
            else:
                raise ProtocolError(f"{type(message).__name__} before HELLO")
        except ProtocolError:
            self._close(link, Reason.BROKEN, "that message makes no sense here")
        return True

    def _is_heard(self, there: Connection) -> bool:
        """Whoever says anything is silent no longer; whether it was."""
        was, there.silent = there.silent, False
        if was:
            self._members.is_back(there.key)
        return was

    def _from_guest(self, link: LinkId, there: Connection, message: Message) -> None:
        self._is_heard(there)
        match message:
            case messages.Get(index):
                there.sent = min(index, len(self._pen.journal))
                there.acked = there.sent - 1  # who asks from there on holds what comes before
                there.viewed, there.held, there.shared = -1, None, 0
            case messages.Act():
                self._house.judge.act(link, there.key, message)
            case messages.Want(text):
                self._house.publish()  # who wishes may just have come back: what is told of it comes behind the journal
                self._house.wishes.take(link, there.key, text)
            case messages.Chat():
                self._house.publish()
                self._house.judge.chat(link, there, message)
            case messages.Audit():
                self._house.judge.verdict(link, there, message)
            case messages.Share() if self._house.takeover:
                self._house.takeover.take(there.key, message)
            case messages.Secret(_, secret) if self._house.takeover:
                self._house.takeover.take_secret(secret)
            case messages.Keepalive(_, term, index, head):
                self._lease.shows(there.key, index, head)
                self._answer_stale(link, term)
            case Vote() | messages.VoteAsk() | messages.Stale() if there.key in self.public.voters:
                self.stopped = self.stopped or raises(message, self.public)
            case messages.Heartbeat(_, term) if self._may_have_been_host(there) and term < self.public.term:
                self._answer_stale(link, term)
            case _ if self._may_have_been_host(there) and isinstance(message, _HOSTS_WORDS + _VOTERS_WORDS):
                pass  # it was host, or had a vote, a moment ago, and did not know yet that this is over
            case _:
                raise ProtocolError(f"{type(message).__name__} from a guest")

    def _may_have_been_host(self, there: Connection) -> bool:
        """Whether who is there may still take itself for the host, or a voter: cut off, it knows of no FORK either."""
        return there.adopted or there.key in self.public.voters or self.public.seat_of(there.key) is not None

    def _acknowledged(self, link: LinkId, there: Connection, said: messages.Ack) -> bool:
        """Whether anything may follow from it: most acknowledgements move nothing that anybody waits for."""
        books, journal = self.public, self._pen.journal
        is_back, committed, hangs = self._is_heard(there), self._lease.commit, there.hangs
        if said.table == books.table:
            self._lease.take(there.key, said)
        if not journal.saw(said.index, said.head):
            self._answer_stale(link, said.term)
            return True
        there.acked, there.vote_file = max(there.acked, said.index), said.vote_file
        if there.sent is None and there.adopted:
            there.sent = said.index + 1
        if said.index >= books.seats_at:
            there.linked = frozenset(key for place, key in enumerate(books.voters) if said.linked >> place & 1)
        if there.shared and said.beat > there.shared_at:
            there.holds = there.shared
        self._lease.advance(self._presence.is_heard)
        is_behind = there.sent is not None and there.sent < len(journal)
        fresh = journal.entries[committed + 1 : self._lease.commit + 1]
        awaited = any(entry.kind not in ACTS for entry in fresh)  # nobody waits for the commit of an act
        return is_back or is_behind or awaited or hangs != there.hangs or self._course.hangs_on_each

    def _answer_stale(self, link: LinkId, term: int) -> None:
        """Whoever is in an earlier term is shown what ended it."""
        books = self.public
        if term < books.term and link != OWN_LINK:
            begun = self._pen.journal.wires[books.reigns[-1][0]]
            self._out.send(link, messages.Stale(messages.RAISED_BY_ENTRY, begun))

    # ---- orders

    def _ordered(self, words: tuple[str, ...]) -> None:
        match words:
            case ("handover", nick):
                self._house.handover.order(nick)
                return
            case ("close", text):
                self._close_all(text, own="")
                return
        if self._pen.seats_rest and words[0] not in ("admit", "deny", "unattended"):
            raise UserError(STANDS_STILL if self._pen.rests else "Somebody is being shown out: one moment.")
        if self._house.reception.order(words):
            return
        match words:
            case ("start",):
                self._course.start()
            case ("rules", *rules):
                self._house.orders.take(dict(zip(rules[::2], rules[1::2], strict=True)))
            case ("set", key, value):
                self._house.orders.set(key, value)
            case ("bot", *rest):
                self._house.orders.bot(tuple(rest))
            case _:
                raise UserError(f"The host can't do that: {' '.join(words)}.")

    @property
    def wake_at(self) -> float:
        """When to call `handle(Woke(), now)` at the latest."""
        if self._wake_at is None:
            self._wake_at = self._now + BEAT if self.stopped else self._course.wake_at
        return self._wake_at

    # ---- out

    def _close(self, link: LinkId, reason: Reason, text: str) -> None:
        self._house.shut(link, Close(reason, text))

    def _close_all(self, text: str, own: str | None = None) -> None:
        """Ends the table. own: what our own guest is told, "" where it was our own wish; else the same."""
        for link in self._presence.connections:
            self._out.send(link, Close(Reason.BYE, text if own is None or link != OWN_LINK else own))
        self._presence.connections.clear()
        self.closed = True

    @property
    def _is_over(self) -> bool:
        """Whether this host has done its part."""
        return self.closed or self.stopped or bool(self.handed_over)

    @property
    def _now(self) -> float:
        return self._pen.now

    def _effects(self) -> Effects:
        secrets, entries = tuple(self._play.secrets), tuple(self._pen.wet)
        self._play.secrets, self._pen.wet = [], []
        return Effects(secrets, entries, *self._out.empty(), None if self._is_over else self.wake_at)
