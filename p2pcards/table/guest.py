"""A guest of a table: follows the journal, shows what it is told, signs what its player does.

The guest trusts its host with nothing that it can check: every entry must fit the chain and carry the host's signature,
every act the signature of its player, over a head that this journal holds. What it can't check while the cards are
hidden, whether the views it was shown come from the deck that the host committed to, it notes and checks when the
round is disclosed (`audit`). The host's own seat has a guest too, in the same process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from p2pcards import PROTOCOL, __version__
from p2pcards.cards import Card
from p2pcards.errors import IllegalAction, InvalidAction, InvalidCard, ProtocolError
from p2pcards.games.base import DEALER, Secrecy
from p2pcards.table.access import my_games
from p2pcards.table.audit import shown_digest
from p2pcards.table.ballots import VoteWatch
from p2pcards.table.chronicle import news, opened_choice, people
from p2pcards.table.effects import (
    Chose,
    Effects,
    HostGone,
    Input,
    Left,
    LinkDown,
    LinkId,
    LinkUp,
    Received,
    Spoke,
    Voted,
    Wanted,
)
from p2pcards.table.journal import Journal
from p2pcards.table.matchbook import MatchBook
from p2pcards.table.notices import (
    Alarm,
    Closed,
    LinkBack,
    LinkLost,
    Notice,
    Refused,
    Waiting,
)
from p2pcards.table.public import OpenRound, Public
from p2pcards.table.round import Refused as RefusedByTable
from p2pcards.table.settings import ASK_SECONDS
from p2pcards.table.speech import Speech
from p2pcards.table.story import Story
from p2pcards.table.tableview import RoundResult, SeatView, Stage, TableView
from p2pcards.table.talk import Talk
from p2pcards.table.ticket import Approach, Ticket
from p2pcards.table.tidings import Tidings
from p2pcards.wire import messages
from p2pcards.wire.entries import (
    PROGRAM,
    BotPub,
    DealOpen,
    Disclose,
    Entry,
    EntryFlag,
    EntryKind,
    Genesis,
    Kick,
    MatchEnd,
    MatchStart,
    Pub,
    RoundEnd,
    SeatKind,
    decode_pub,
    decode_wire,
    table_id,
)
from p2pcards.wire.envelope import ActKind, Envelope, LeaveReason
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Close, Flag, Hello, Message, Method, Reason
from p2pcards.wire.text import clean

KNOCK_SECONDS = 1.0
"""Who is not let in by then is told that the host is asked."""

DOOR_SECONDS = ASK_SECONDS + 5.0
"""How long we stand at a door without a word."""

DEAD = 5.0
"""Seconds without a word after which the host counts as lost (protocol 7.1)."""

VIEW_SECONDS = 2.0
"""How long the view of the newest entry may be missing (protocol 6.7)."""

LEAVING_SECONDS = 2.0
"""How long a good-bye waits to be journaled."""


_KNOCK = Ticket()


class Guest:
    """One program's part in a table. `handle` takes one input and gives what is to be done."""

    def __init__(
        self,
        identity: Identity,
        random: Callable[[int], bytes],
        nick: str,
        *,
        program: bool = False,
        watch: bool = False,
        host: bool = False,
        port: int = 0,
        addresses: tuple[bytes, ...] = (),
        ticket: Ticket = _KNOCK,
        started: int = 0,
    ) -> None:
        """program: a bot plays our seat. watch: want no seat. host: the host is in this same process.

        ticket: what we have for the door. started: a number higher than that of any earlier program of this key,
        unix seconds for example: what we say is counted from there on.
        """
        self._identity, self._nick, self._random, self._ticket = identity, nick, random, ticket
        self._flags = (Flag.PROGRAM if program else Flag(0)) | (Flag.SPECTATOR if watch else Flag(0))
        self._is_host, self._port, self._addresses = host, port, addresses
        self.journal = Journal()
        self.public = Public(self.journal)
        self._link: LinkId | None = None
        self._host_key = b""  # of the link
        self._table = b""  # as the host said in its WELCOME
        self._approach: Approach | None = None  # while we are at the door
        self._wait_at: float | None = None  # when it shows that we have to wait there
        self._welcomed = False
        self._entered = False
        self._sync_to = 0  # the host's last entry when it welcomed us
        self._heard = 0.0
        self._beat = 0
        self._view: Any = None
        self._view_at = -1
        self._view_by: float | None = None  # when the view of the newest entry must be here
        self._shown: dict[int, bytes] = {}
        self._story = Story(self.public)
        self._speech = Speech(identity, random, self.journal, self.public)
        self._talk, self._vote = Talk(identity, started), VoteWatch()
        self._resend = False  # the line was lost, maybe under an act of ours
        self._tidings = Tidings(self.public)
        self._book = MatchBook(self.journal, self.public)
        self._last: RoundResult | None = None
        self._leaving: LeaveReason | None = None  # a good-bye not yet said
        self._leave_by: float | None = None
        self.finished = False
        self._entries: list[bytes] = []
        self._outgoing: list[tuple[LinkId, Message]] = []
        self._notices: list[Notice] = []

    # ---- what the shell and the screens read

    @property
    def me(self) -> int | None:
        """Our seat."""
        return self.public.seat_of(self._identity.key)

    @property
    def settled(self) -> bool:
        """Whether the view we hold is that of the newest entry, so that we may act on it."""
        return self._view is not None and self._view_at == self.journal.last

    @property
    def my_turn(self) -> Any:
        """The view to choose an action from, if it is our turn and nothing of ours is on its way; else None."""
        free = self._welcomed and self._leave_by is None and not self._speech.pending
        if free and self.settled and self.me in self._to_act() and self._speaks():
            return self._view
        return None

    def table_view(self) -> TableView | None:
        """The table as the screens show it; None before the first entries are here."""
        books = self.public
        if books.game is None or not self._entered:
            return None
        seats = tuple(
            SeatView(
                held.nick,
                held.key if held.kind is SeatKind.MEMBER else b"",
                held.level,
                bool(held.flags & PROGRAM),
                seat in books.bots_on and held.kind is SeatKind.MEMBER,
                self._tidings.held_until(held.key) if held.kind is SeatKind.MEMBER else None,
            )
            for seat, held in enumerate(books.seats)
        )
        return TableView(
            title=books.title,
            table=self.journal.table,
            game=books.game,
            settings=books.settings,
            door=books.door,
            host=books.nick_of(books.host),
            host_key=books.host,
            mine=self._is_host,
            me=self.me,
            nick=books.nick_of(self._identity.key) or self._nick,
            seats=seats,
            spectators=tuple(nick for _, nick in books.spectators),
            spectator_keys=tuple(key for key, _ in books.spectators),
            vote=self._vote.view(books),
            stage=self._stage(),
            round=books.round_number,
            scores=self._book.match.scores,
            pot=self._book.match.pot,
            view=self._view if books.round else None,
            to_act=self._to_act(),
            clock_at=self._tidings.clock_at,
            skips=self._tidings.skips,
            deck=tuple(map(Card, books.round.deck)) if books.round else (),
            pending=self._speech.pending,
            last=self._last,
            connected=self._link is not None and self._welcomed,
            endless=self._book.match.endless,
            winners=books.result.winners if books.result else (),
            ready=self._tidings.ready,
            next_at=self._tidings.next_at,
        )

    def _stage(self) -> Stage:
        books = self.public
        if books.round:
            return Stage.PLAYING
        if not books.match_over:
            return Stage.BETWEEN
        return Stage.OVER if books.match else Stage.LOBBY

    def _to_act(self) -> tuple[int, ...]:
        """Whose move the table waits for; who has answered a question no longer counts."""
        current = self.public.round
        if current is None or self._view is None or current.ended:
            return ()
        acting = self.public.rules.to_act(self._view)
        answered = current.blinds.keys() | current.openings.keys() | {DEALER}
        return tuple(seat for seat in acting if seat not in answered)

    def _speaks(self) -> bool:
        return self.me is not None and self.public.plays_itself(self.me)

    # ---- the one way in

    def handle(self, happened: Input, now: float) -> Effects:
        """What is to be done about one input."""
        if not self.finished:
            match happened:
                case LinkUp(link, key, session):
                    self._link_up(link, key, session, now)
                case LinkDown(link):
                    self._link_down(link)
                case Received(link, message) if link == self._link:
                    self._received(message, now)
                case Chose(text):
                    self._chose(text)
                case Wanted(text):
                    self._want(text)
                case Spoke(text, to):
                    self._say(text, to)
                case Voted(seat, yes):
                    self._cast(seat, yes)
                case Left(reason):
                    self._leave(LeaveReason(reason), now)
                case HostGone():
                    self._finish("lost", "")
                case _:
                    pass
            self._clocks(now)
        return self._effects()

    def _link_up(self, link: LinkId, key: bytes, session: bytes, now: float) -> None:
        if self.public.host and key != self.public.host:
            self._outgoing.append((link, Close(Reason.BYE, "")))
            return
        self._link, self._heard, self._welcomed, self._host_key = link, now, False, key
        self._resend = True
        known = self.public.seat_of(self._identity.key) is not None
        resume = (self.journal.table, self.journal.last, self.journal.head) if len(self.journal) else ()
        approach = Approach(self._ticket, self._identity.key, key, session, self._random, member=known)
        self._approach = approach
        self._wait_at = now + KNOCK_SECONDS if approach.method is not Method.MEMBER and not self._is_host else None
        self._to_host(
            Hello(
                __version__,
                PROTOCOL,
                my_games(),
                self._nick,
                int(self._flags),
                int(approach.method),
                approach.proof,
                self._port,
                self._addresses,
                resume,
            )
        )

    def _link_down(self, link: LinkId) -> None:
        if link != self._link:
            return
        self._link, self._welcomed, self._view_by = None, False, None
        self._tidings.line_lost()
        if self._leave_by is not None:
            self._finish("left", "")
        else:
            self._notices.append(LinkLost())

    def _received(self, message: Message, now: float) -> None:
        self._heard = now
        try:
            match message:
                case Close(reason, text, until):
                    self._closed(reason, text, until)
                case messages.Welcome() if not self._welcomed:
                    self._welcome(message)
                case messages.Pake() if self._approach is not None and not self._welcomed:
                    self._to_host(self._approach.pake(message))
                case _ if not self._welcomed:
                    raise ProtocolError(f"{type(message).__name__} before WELCOME")
                case messages.Entries(_, wires):
                    self._take_entries(wires, now)
                case messages.Chat():
                    self._hear(message)
                case messages.View():
                    self._take_view(message)
                case messages.Heartbeat():
                    self._heartbeat(message)
                case messages.Refused():
                    self._refused(message)
                case messages.Held(seats):
                    self._notices += self._tidings.take_held(dict(seats), now)
                case messages.Ready():
                    self._notices += self._tidings.take_ready(message, now)
                case messages.Clock():
                    self._notices += self._tidings.take_clock(message, now)
                case messages.Keepalive():
                    pass
                case _:
                    raise ProtocolError(f"{type(message).__name__} from a host")
        except ProtocolError as error:
            wrong = clean(str(error), 300)
            self._notices.append(Alarm(wrong))
            self._to_host(Close(Reason.BROKEN, "that message makes no sense here"))
            self._finish("broken", wrong)

    def _closed(self, reason: int, text: str, until: int) -> None:
        name = Reason(reason).name.lower() if reason in set(Reason) else "broken"
        if reason == Reason.BYE and (self._leave_by is not None or (self._is_host and not text)):
            self._finish("left", "")
        else:
            self._finish(name, clean(text, 300), until)

    def _finish(self, reason: str, text: str, until: int = 0) -> None:
        if not self._entered and reason not in ("bye", "left", "lost"):
            self._notices.append(Refused(reason, text, until))
        self._wait_at = None
        self._link, self._welcomed, self.finished = None, False, True
        self._leave_by = self._view_by = None
        self._tidings.line_lost()
        self._notices.append(Closed(reason, text, until))

    def _welcome(self, message: messages.Welcome) -> None:
        if message.host != self._host_key or (self.journal.table and message.table != self.journal.table):
            raise ProtocolError("not this table's host")
        if self._approach is not None:
            self._approach.check(message.proof)
        self._approach = self._wait_at = None
        self._welcomed, self._sync_to, self._table = True, message.last, message.table
        self._to_host(messages.Get(len(self.journal)))
        if self._entered:
            self._notices.append(LinkBack())

    # ---- entries and views

    def _take_entries(self, wires: tuple[bytes, ...], now: float) -> None:
        for wire in wires:
            entry, _ = decode_wire(wire)
            if entry.index < len(self.journal):
                if self.journal.wires[entry.index] != wire:
                    raise ProtocolError(f"the host tells two histories from entry {entry.index} on")
                continue
            self._take_entry(entry, wire, now)
        self._acknowledge()
        if not self._entered and self.journal.last >= self._sync_to:
            self._entered = True
            self._story.enter(self.me)
        self._view_by = now + VIEW_SECONDS if self._awaits_view() else None
        if self._entered and self._view_by is None:
            self._tell_story(None)

    def _take_entry(self, entry: Entry, wire: bytes, now: float) -> None:
        if entry.kind is EntryKind.GENESIS:
            genesis = decode_pub(entry.kind, entry.pub)
            if not isinstance(genesis, Genesis) or genesis.host != self._host_key:
                raise ProtocolError("not this table's host")
            if table_id(entry.pub) != self._table:
                raise ProtocolError("not the table that it says it is")
        before = people(self.public)
        self.journal.accept(wire, self._host_key)
        current = self.public.round
        body = self.public.fold(entry)
        self._entries.append(wire)
        told = list(news(before, entry, body, self.public))
        if self._entered:
            told += self._voting(entry, body, now)
        if isinstance(body, Disclose) and current and current.ended:
            told += self._disclosed(current, entry.index, body.secret)
        elif isinstance(body, DealOpen) and not current:
            self._view, self._shown = None, {}
            self._tidings.round_begins()
        elif isinstance(body, MatchStart):
            self._book.start()
        elif isinstance(body, MatchEnd):
            wrong = self._book.ended(body)
            told += [Alarm(wrong)] if wrong else self._book.recorded()
        elif isinstance(body, RoundEnd):
            self._speech.round_over()
        elif (isinstance(body, BotPub) and body.on and body.seat == self.me) or (
            isinstance(body, Envelope) and entry.flags is not EntryFlag.ACTSIG and entry.seat == self.me
        ):
            self._speech.turn_over()
        self._story.add(told)
        self._speech.heard()

    def _voting(self, entry: Entry, body: Pub | Envelope, now: float) -> Iterator[Notice]:
        """What the entry means to the open vote."""
        if isinstance(body, Envelope) and body.kind is ActKind.VOTE:
            yield from self._vote.take(body, entry.index, self.public, now)
        elif isinstance(body, Kick):
            self._vote.kicked(body.key)
        yield from self._vote.look(self.public, now)

    def _disclosed(self, current: OpenRound, index: int, secret: bytes) -> list[Notice]:
        audit = self._book.disclosed(current, index, secret, self.me, self._shown)
        ended = current.ended
        if ended is not None:
            view = self._view if self._view_at >= 0 else None
            settled = self._book.match.last
            starter = settled.starter if settled and audit.ok else None
            self._last = RoundResult(
                ended.round, ended.reason, ended.winners, ended.points, view, audit.ok, audit.why, starter
            )
        entries = self.journal.entries
        opened = [opened_choice(entries[index], text, self.public) for index, text in self._book.sealed]
        return [*opened, audit, *self._book.recorded()]

    def _awaits_view(self) -> bool:
        return self.public.round is not None and self.public.round.starter is not None and not self.settled

    def _take_view(self, message: messages.View) -> None:
        current = self.public.round
        if current is None or current.starter is None or message.index != self.journal.last or message.openings:
            raise ProtocolError("a view out of place")
        game = self.public.rules
        try:
            view = game.decode_view(message.view)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise ProtocolError(f"a view that is none: {error}") from error
        shown = shown_digest(self.journal.table, message.index, message.view)
        if view.seat != self.me or len(view.public.counts) != current.seats:
            raise ProtocolError("a view of another seat, or of another table")
        if self._shown.setdefault(message.index, shown) != shown:
            raise ProtocolError("another view than before")
        before = self._view
        self._view, self._view_at, self._view_by = view, message.index, None
        self._tell_story(before)
        self._speak()

    def _tell_story(self, before: Any) -> None:
        self._notices += self._story.told(before, self._view, self._view_at, self.me, self._to_act())

    # ---- what we say

    def _chose(self, text: str) -> None:
        view, seat = self.my_turn, self.me
        if seat in self.public.bots_on and self._welcomed:
            self._want("back")  # who plays again has the seat again, and sees where the game is by now
            return
        if view is None or seat is None:
            code = "no_link" if not self._welcomed else "pending" if self._speech.pending else "not_your_turn"
            self._notices.append(Refused(code, ""))
            return
        game = self.public.rules
        try:
            action = game.parse(text)
            game.check(view, action)
        except IllegalAction as refusal:
            self._notices.append(Refused(str(refusal.code.value), " ".join(refusal.detail)))
            return
        except (InvalidAction, InvalidCard) as error:
            self._notices.append(Refused("no_action", str(error)))
            return
        say = {
            Secrecy.BLIND: self._speech.answer,
            Secrecy.SEALED: self._speech.sealed,
            Secrecy.PUBLIC: self._speech.act,
        }
        self._to_host(say[game.secrecy(action)](seat, game.format(action)))

    def _want(self, text: str) -> None:
        if self._welcomed:
            self._to_host(messages.Want(text))
        else:
            self._notices.append(Refused("no_link", ""))

    def _say(self, text: str, to: str) -> None:
        """Says something to everybody, or to one player."""
        lower = to.lower()
        seats = [seat for seat, held in enumerate(self.public.seats) if held.nick.lower() == lower and held.key]
        try:
            if not self._welcomed:
                raise RefusedByTable("no_link")
            if to and not seats:
                raise RefusedByTable("nobody_there")
            self._to_host(self._talk.say(self.journal.table, seats[0] if to else messages.TO_ALL, text))
        except RefusedByTable as refusal:
            self._notices.append(Refused(refusal.code, " ".join(refusal.detail)))

    def _hear(self, said: messages.Chat) -> None:
        """What nobody at the table has said in truth is dropped."""
        spoken = self._talk.hear(said, self.public)
        if spoken is not None and self._entered:
            self._notices.append(spoken)

    def _cast(self, about: int, yes: bool) -> None:
        """Votes on showing somebody out."""
        if self.me is None or not self._welcomed or self._speech.pending:
            code = "not_seated" if self.me is None else "pending" if self._welcomed else "no_link"
            self._notices.append(Refused(code, ""))
        else:
            self._to_host(self._speech.vote(self.me, about, yes))

    def _speak(self) -> None:
        """Says by itself what is due: what a lost line swallowed, and our answer once all have given theirs."""
        seat, acting = self.me, self._to_act()
        again, self._resend = self._resend, False
        if seat is None or not self._speaks() or self._leave_by is not None:
            return
        said = self._speech.again(seat, acting) if again else None
        if said is None and not acting and not self._speech.pending:
            said = self._speech.opening(seat)
        if said is not None:
            self._to_host(said)

    def _refused(self, message: messages.Refused) -> None:
        self._speech.refused(message.n)
        self._notices.append(Refused(clean(message.code, 40), clean(message.text, 300)))

    def _leave(self, reason: LeaveReason, now: float) -> None:
        if self._link is None or not self._welcomed or self.me is None:
            if self._link is not None:
                self._to_host(Close(Reason.BYE, ""))
            self._finish("left", "")
        elif self._leave_by is None:
            self._leaving, self._leave_by = reason, now + LEAVING_SECONDS

    def _go(self, now: float) -> None:
        """Says good-bye behind what is on its way, and goes when it stands in the journal, or nobody listens."""
        if self._leaving and self.me is not None and not self._speech.pending:
            self._to_host(self._speech.leave(self.me, self._leaving))
            self._leaving = None
        if self._leave_by is not None and (self.me is None or now >= self._leave_by):
            self._to_host(Close(Reason.BYE, ""))
            self._finish("left", "")

    # ---- the rest

    def _heartbeat(self, message: messages.Heartbeat) -> None:
        if message.table != self.journal.table and len(self.journal):
            raise ProtocolError("a heartbeat of another table")
        if self.journal.saw(message.last, message.head) or message.last >= len(self.journal):
            self._beat = message.beat
            self._acknowledge()
        else:
            raise ProtocolError(f"the host tells two histories up to entry {message.last}")

    def _acknowledge(self) -> None:
        if len(self.journal):
            journal = self.journal
            self._to_host(
                messages.Ack(journal.table, self.public.term, journal.last, journal.head, self._beat, 0, False)
            )

    def _clocks(self, now: float) -> None:
        if not self.finished:
            self._go(now)
            self._notices += self._tidings.warn(self._to_act(), now)
            self._notices += self._vote.look(self.public, now)
        if self.finished or self._link is None:
            return
        if self._wait_at is not None and now >= self._wait_at:
            self._wait_at = None
            self._notices.append(Waiting(round(ASK_SECONDS)))
        if not self._is_host and now >= self._heard + self._patience:
            self._hang_up("no word from you")
        elif self._view_by is not None and now >= self._view_by:
            self._hang_up("no view from you")

    @property
    def _patience(self) -> float:
        """How long the host may be silent: at its door it is maybe asked about us."""
        return DEAD if self._approach is None or self._approach.method is Method.MEMBER else DOOR_SECONDS

    def _hang_up(self, why: str) -> None:
        """The line is no good; `net` makes another."""
        if self._link is not None:
            self._to_host(Close(Reason.BYE, why))
            self._link_down(self._link)

    def _to_host(self, message: Message) -> None:
        if self._link is not None:
            self._outgoing.append((self._link, message))

    def _effects(self) -> Effects:
        waits = (self._leave_by, self._view_by, self._tidings.warn_at, self._vote.wake_at, self._wait_at)
        times = [time for time in waits if time is not None and not self.finished]
        if self._link is not None and not self._is_host:
            times.append(self._heard + self._patience)
        done = Effects((), tuple(self._entries), tuple(self._outgoing), tuple(self._notices), min(times, default=None))
        self._entries, self._outgoing, self._notices = [], [], []
        return done
