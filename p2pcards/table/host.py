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
from p2pcards.games.options import read_options
from p2pcards.games.registry import GAMES
from p2pcards.table import lobby
from p2pcards.table.ballots import Ballots, Outcome
from p2pcards.table.bulletin import Bulletin
from p2pcards.table.courier import Courier
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
from p2pcards.table.handover import HandOver
from p2pcards.table.journal import Journal
from p2pcards.table.judge import Judge
from p2pcards.table.lease import Lease
from p2pcards.table.members import Members
from p2pcards.table.notices import DoorFellBack, SeatsFull
from p2pcards.table.orders import Orders
from p2pcards.table.outbox import Outbox
from p2pcards.table.pen import Pen
from p2pcards.table.play import Play
from p2pcards.table.presence import BEAT, Connection, Presence
from p2pcards.table.public import Public
from p2pcards.table.pulse import Pulse
from p2pcards.table.raised import raises
from p2pcards.table.reception import Reception
from p2pcards.table.tableview import Knock
from p2pcards.table.takeover import TakeOver
from p2pcards.table.talk import Switchboard
from p2pcards.table.turns import Turns
from p2pcards.table.verdicts import Relay
from p2pcards.table.voters import Voters
from p2pcards.table.whereabouts import Whereabouts
from p2pcards.table.wishes import Wishes
from p2pcards.wire import messages
from p2pcards.wire.entries import PROGRAM, EntryKind, Fork, Genesis, SeatKind, TermStart
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Close, Hello, Message, Reason
from p2pcards.wire.text import clean_title
from p2pcards.wire.vote import Vote

CLOSING_SECONDS = 2.0
"""How long a finished table waits for the others to hold its last entry (protocol 7.2)."""

WATCHING_SECONDS = 30.0
"""How long a new host keeps those in the roster who watched, and have to find it first."""

STANDS_STILL = "The table stands still until enough of its players are here."

_OPEN_GATE = Gate()

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
        door: str = "open",
        gate: Gate = _OPEN_GATE,
        journal: Journal | None = None,
        committed: int = 0,
        whereabouts: Mapping[bytes, tuple[bytes, ...]] | None = None,
    ) -> None:
        """wall: unix seconds minus the machines' `now`. Raises InvalidOption, or UserError for a door it can't keep.

        journal: of a table that was another's, or ours before; then title, game, seats, options, settings and door are
        what it says. committed: up to where it stands for good. whereabouts: where the members are reached.
        """
        self._identity, self._random = identity, random
        self._seats, self._closes = seats, closes_after_match
        self._out = Outbox()
        self._pen = Pen(identity, wall, journal)
        books = self._pen.public
        if journal is None:
            self._title, self._game = clean_title(title), GAMES[game]
            self._game(read_options(self._game, options or {})).check_seats(seats)
        else:
            self._title, self._game, door = books.title, GAMES[books.rules.name], books.door
            options, table_settings = dict(books.options), dict(books.settings)
        self._lease = Lease(books, identity.key, committed)
        self._presence = Presence()
        self._pulse = Pulse(self._pen, self._presence, self._lease, self._out)
        self._play = Play(self._pen, random, self._presence.listens, self._is_final)
        self._turns = Turns(self._pen, self._play, self._presence)
        self._ballots, verdicts, talk = Ballots(), Relay(books), Switchboard()
        courier = Courier(self._pen, self._play, self._presence, self._lease, verdicts, self._out)
        self._publish = courier.publish
        self._members = Members(
            self._pen,
            self._play,
            self._presence,
            self._turns,
            self._lease,
            self._is_final,
            self._publish,
            self._shut,
        )
        self._judge = Judge(
            self._pen,
            self._play,
            self._presence,
            self._members,
            self._turns,
            self._lease,
            self._ballots,
            talk,
            verdicts,
            self._out,
        )
        self._voters = Voters(self._pen, self._presence, self._lease)
        self._whereabouts = Whereabouts(books, whereabouts)
        self._handover = HandOver(self._pen, self._play, self._presence, self._lease, self._out)
        self._takeover: TakeOver | None = None
        self._orders = Orders(self._pen, self._game.name, options or {}, table_settings or {}, door)
        self._reception = Reception(
            gate,
            random,
            self._pen,
            self._presence,
            self._members,
            self._orders,
            self._voters,
            self._lease,
            self._whereabouts,
            talk,
            self._out,
            self._shut,
        )
        self._door = self._reception.door
        if journal is None:
            self._door.check(door)
        self._bulletin = Bulletin(books, self._presence, self._out)
        self._wishes = Wishes(
            self._pen, self._play, self._members, self._turns, self._bulletin, self._out, self._publish
        )
        self._pen.halts = self._is_halted
        self._rested = False
        self._close_by: float | None = None
        self._was_full = False
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
        gate: Gate = _OPEN_GATE,
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
        gate: Gate = _OPEN_GATE,
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
        self._pulse.at = now = self._now
        books = self.public
        if self._orders.keep(self._door):
            self._out.tell(DoorFellBack(self._orders.policy))
        for link, key in links:
            self._adopt(link, key)
        for held in books.seats:
            if held.kind is SeatKind.MEMBER and held.key != self._identity.key and not self._presence.is_here(held.key):
                self._members.hold(held.key, now)
        for key, _ in books.spectators:
            if not self._presence.is_here(key):
                self._presence.hold(key, now + WATCHING_SECONDS)
        self._rested = True
        self._takeover = TakeOver(
            self._pen, self._play, self._presence, self._lease, self._out, match=match, start=start
        )
        self._takeover.take_secret(secret)
        if share is not None:
            self._takeover.take(self._identity.key, messages.Share(*share))
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
        self._pulse.at = self._now

    def left_meanwhile(self, said: messages.Act, now: float) -> Effects:
        """A good-bye that a member said while nobody was host."""
        self._pen.now = now
        if self._is_over:
            return Effects()
        self._judge.left_meanwhile(said)
        return self._follow()

    def slept(self, now: float) -> None:
        """This machine stood still, or its clock was set: who is host may have changed meanwhile (protocol 7.1)."""
        self._pen.now = now
        self._pulse.slept()

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
        return self._whereabouts.own

    @addresses.setter
    def addresses(self, addresses: tuple[bytes, ...]) -> None:
        self._whereabouts.own = addresses

    @property
    def commit(self) -> int:
        """Index of the newest entry that our term has made final; -1 before there is one."""
        own = self._pen.journal.term_at(self._lease.commit) == self.public.term
        return self._lease.commit if own else -1

    def active(self, now: float) -> bool:
        """Whether enough voters follow us for the table to go on (protocol 7.2)."""
        return self._lease.active(now)

    @property
    def secret(self) -> bytes:
        """R of the open round; empty while none is open, or we don't have it."""
        return self._play.dealer.secret

    def has_let_in(self, link: LinkId) -> bool:
        """Whether who is at the far end of a link is past the door."""
        there = self._presence.connections.get(link)
        return there is not None and there.welcomed

    @property
    def recovering(self) -> bool:
        """Whether what the open round hides is yet to be had."""
        return self._takeover is not None and not self._takeover.done

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
            self._title,
            books.nick_of(books.host),
            books.rules.name,
            (*books.options, *books.settings),
            tuple((held.nick, int(held.kind)) for held in books.seats),
            self.state,
            books.door,
            self._identity.key,
            self.addresses,
        )

    @property
    def code(self) -> str:
        """The join code, where the door asks for one."""
        return self._door.code if self._door.policy == "code" else ""

    @property
    def knocks(self) -> tuple[Knock, ...]:
        """Who waits at the door."""
        return self._door.knocks

    # ---- the one way in

    def open(self, now: float) -> Effects:
        """Writes the first entries of the table."""
        self._pen.now = self._pulse.at = now
        game = self._game
        self._pen.write(
            EntryKind.GENESIS, Genesis(self._identity.key, self._title, game.name, game.rules, self._random(32))
        )
        self._orders.write()
        self._pen.write(EntryKind.ROSTER, lobby.empty_roster(self._seats, self._identity.key))
        self._door.open(self.public.door)
        return self._effects()

    def handle(self, happened: Input, now: float) -> Effects:
        """What is to be done about one input. UserError (from Ordered alone) means that nothing has changed."""
        self._pen.now = now
        if self._is_over:
            return Effects()
        self._pulse.wakes()
        for there in self._presence.look(now):
            self._members.hold(there.key, now)
        match happened:
            case LinkUp(link, key, session):
                self._presence.connections[link] = Connection(key, now, session)
            case LinkDown(link):
                self._lost(link)
            case Agreed(link, point, secret):
                self._door.agreed(link, point, secret)
            case Received(link, message):
                self._received(link, message)
            case BotChose(seat, text, head):
                self._judge.bot_chose(seat, text, head)
            case Ordered(words):
                self._ordered(words)
            case Woke():
                pass
            case _:
                raise TypeError(f"a host is told nothing by {type(happened).__name__}")
        return self._follow()

    def _follow(self) -> Effects:
        """What comes of it, and what the time brings."""
        self.stopped = self.stopped or self._judge.outdone
        if self.closed:
            return self._effects()
        if self.stopped or self._handover.is_late:
            self._out.empty()  # who can't be sure of being host any more says nothing
            return Effects(wake_at=None if self.stopped else self._now + BEAT)
        self._door.look(self._now)
        self._lease.advance(self._presence.is_heard)
        if self._takeover:
            self._takeover.look()
        if not self._pen.rests:
            if self._rested:
                self._wake_up()
            self._go_on()
        self._rested = self._pen.rests
        self._tell()
        self._pulse.look()
        self._finish()
        return self._effects()

    # ---- messages

    def _received(self, link: LinkId, message: Message) -> None:
        there = self._presence.connections.get(link)
        if there is None:
            return
        there.heard = self._now
        if isinstance(message, Close):
            self._lost(link)
            return
        try:
            if there.welcomed:
                self._from_guest(link, there, message)
            elif isinstance(message, Hello):
                self._reception.hello(link, there, message, self.info)
            elif isinstance(message, messages.Confirm):
                self._door.confirm(link, message, self._now)
            else:
                raise ProtocolError(f"{type(message).__name__} before HELLO")
        except ProtocolError:
            self._close(link, Reason.BROKEN, "that message makes no sense here")

    def _from_guest(self, link: LinkId, there: Connection, message: Message) -> None:
        if there.silent:
            there.silent = False
            self._members.is_back(there.key)
        match message:
            case messages.Get(index):
                there.sent = min(index, len(self._pen.journal))
                there.acked = there.sent - 1  # who asks from there on holds what comes before
                there.viewed, there.held, there.shared = -1, None, 0
            case messages.Ack():
                self._acknowledged(link, there, message)
            case messages.Act():
                self._judge.act(link, there.key, message)
            case messages.Want(text):
                self._publish()  # whoever wishes may just have come back: what is told of it comes behind the journal
                self._wishes.take(link, there.key, text)
            case messages.Chat():
                self._publish()
                self._judge.chat(link, there, message)
            case messages.Audit():
                self._judge.verdict(link, there, message)
            case messages.Share() if self._takeover:
                self._takeover.take(there.key, message)
            case messages.Secret(_, secret) if self._takeover:
                self._takeover.take_secret(secret)
            case messages.Keepalive(_, term):
                self._answer_stale(link, term)
            case Vote() | messages.VoteAsk() | messages.Stale() if there.key in self.public.voters:
                self.stopped = self.stopped or raises(message, self.public)
            case messages.Heartbeat(_, term) if there.adopted and term < self.public.term:
                self._answer_stale(link, term)
            case _ if there.adopted and isinstance(message, _HOSTS_WORDS):
                pass  # it was host a moment ago, and did not know yet that it is none any more
            case _:
                raise ProtocolError(f"{type(message).__name__} from a guest")

    def _acknowledged(self, link: LinkId, there: Connection, said: messages.Ack) -> None:
        books, journal = self.public, self._pen.journal
        if said.table == books.table:
            self._lease.take(there.key, said)
        if not journal.saw(said.index, said.head):
            self._answer_stale(link, said.term)
            return
        there.acked, there.vote_file = max(there.acked, said.index), said.vote_file
        if there.sent is None and there.adopted:
            there.sent = said.index + 1
        if said.index >= books.seats_at:
            there.linked = frozenset(key for place, key in enumerate(books.voters) if said.linked >> place & 1)
        if there.shared and said.beat > there.shared_at:
            there.holds = there.shared

    def _answer_stale(self, link: LinkId, term: int) -> None:
        """Whoever is in an earlier term is shown what ended it."""
        books = self.public
        if term < books.term:
            begun = self._pen.journal.wires[books.reigns[-1][0]]
            self._out.send(link, messages.Stale(messages.RAISED_BY_ENTRY, begun))

    # ---- orders

    def _ordered(self, words: tuple[str, ...]) -> None:
        match words:
            case ("handover", nick):
                self._handover.order(nick)
                return
            case ("close", text):
                self._close_all(text, own="")
                return
        if self._pen.seats_rest and words[0] not in ("admit", "deny"):
            raise UserError(STANDS_STILL if self._pen.rests else "Somebody is being shown out: one moment.")
        if self._reception.order(words):
            return
        match words:
            case ("start",):
                self._play.start(self._members.waiting())
            case ("rules", *rules):
                self._orders.take(dict(zip(rules[::2], rules[1::2], strict=True)))
            case ("set", key, value):
                self._orders.set(key, value)
            case ("bot", *rest):
                self._orders.bot(tuple(rest))
            case _:
                raise UserError(f"The host can't do that: {' '.join(words)}.")

    # ---- what follows by itself

    def _wake_up(self) -> None:
        """The table goes on after it stood still: whatever there is time for has all of it again."""
        self._members.hold_anew()
        self._play.wait_anew(self._now)
        self._turns.wind_anew()
        for _, there in self._presence.welcomed():
            there.viewed = -1  # who was refused anything meanwhile sees that it goes on

    def _go_on(self) -> None:
        """The clocks, the end of a round, the next one."""
        play, books, now = self._play, self.public, self._now
        self._members.look()
        self._members.catch_up()
        self._clocks()
        vote = self._ballots.look(books, now)
        if vote is not None and vote.outcome is Outcome.CARRIED:
            self._reception.show_out_by_vote(vote.about, vote.ballots)
        play.go_on_dealing()
        play.end_round(now, self._publish)
        if self._closes and books.match and books.match_over and self._close_by is None:
            self._close_by = now + CLOSING_SECONDS
        if self._pen.seats_rest:
            return
        self._orders.settle()
        if books.match_over:
            self._members.match_over(now)
            if not self._closes:
                play.seat(self._members.waiting())
        if not self._voters.look():
            self._deal_on()

    def _deal_on(self) -> None:
        """The next round, or the next match, where it is time for it."""
        play, books, now = self._play, self.public, self._now
        present = self._presence.people(books.seats)
        willing = present <= play.ready if present else self._members.nobody_waits()
        if play.between and (willing or (play.next_by is not None and now >= play.next_by)):
            play.deal(self._members.waiting())
        elif present and willing and not self._closes and play.may_start_again:
            play.start(self._members.waiting())

    def _tell(self) -> None:
        """Everybody is told what is news."""
        play, books, now = self._play, self.public, self._now
        self._turns.wind(int(books.setting("turn_seconds")), now)
        self._publish()
        self._bulletin.held(now)
        self._bulletin.ready(play, now)
        self._bulletin.clock(self._turns, now)
        self._bulletin.peers(self._whereabouts)
        self._bulletin.standing()
        turn = None if self._pen.rests else play.bot_turn()
        if turn:
            self._out.tell(turn)
        full = not books.match and not play.open_seats and self._presence.settled(books.seats)
        if full and not self._was_full:
            self._out.tell(SeatsFull())
        self._was_full = full

    def _finish(self) -> None:
        """The end of our part: the successor has all, or the table ends."""
        if self._handover.look():
            self._pulse.beat()
            self._handover.tell()
            self.handed_over = self._handover.successor
        elif self._close_by is not None and (
            self._now >= self._close_by or self._presence.all_hold(self._pen.journal.last)
        ):
            self._close_all("match over")

    # ---- clocks

    def _clocks(self) -> None:
        for key in self._presence.lapsed(self._now):
            self._members.grace_over(key, self._now)
        if self._play.round:
            self._play.round.wake(self._now)
        self._turns.look(self._now)

    @property
    def wake_at(self) -> float:
        """When to call `handle(Woke(), now)` at the latest."""
        times = [self._pulse.at, *self._presence.silences()]
        waits = [self._close_by, self._door.wake_at, self._handover.wake_at]
        if self._takeover:
            waits.append(self._takeover.wake_at)
        if not self._pen.rests:
            times += [until for _, until in self._presence.held()]
            waits += [
                self._play.next_by,
                self._play.dealer.wake_at,
                self._turns.clock.by,
                self._ballots.wake_at,
                self._play.round.wake_at if self._play.round else None,
            ]
        return min(times + [time for time in waits if time is not None])

    # ---- out

    def _close(self, link: LinkId, reason: Reason, text: str) -> None:
        self._shut(link, Close(reason, text))

    def _shut(self, link: LinkId, last: Close) -> None:
        """Ends a link with these last words."""
        self._out.send(link, last)
        self._lost(link)

    def _lost(self, link: LinkId) -> None:
        self._door.gone(link)
        self._members.lost(link, self._now)

    def _close_all(self, text: str, own: str | None = None) -> None:
        """Ends the table. own: what our own guest is told, "" where it was our own wish; else the same."""
        for link in self._presence.connections:
            self._out.send(link, Close(Reason.BYE, text if own is None or link != OWN_LINK else own))
        self._presence.connections.clear()
        self.closed = True

    def _is_final(self, index: int) -> bool:
        """Whether an entry is committed."""
        self._lease.advance(self._presence.is_heard)
        return self._lease.commit >= index

    def _is_halted(self) -> bool:
        return self.recovering or not self._lease.active(self._now)

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
