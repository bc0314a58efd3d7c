"""The host's way with newcomers: what each is answered, who is let in, and who is shown out again (protocol 5)."""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.errors import ProtocolError, UserError
from p2pcards.table.access import Admitted, admit, kept_seat, versions
from p2pcards.table.door import Door, Gate, Newcomer
from p2pcards.table.effects import LinkId
from p2pcards.table.lease import Lease
from p2pcards.table.members import Members
from p2pcards.table.orders import Orders
from p2pcards.table.outbox import Outbox
from p2pcards.table.pen import Pen
from p2pcards.table.presence import SILENCE, Connection, Presence
from p2pcards.table.settings import NEEDS_LAB
from p2pcards.table.talk import Switchboard
from p2pcards.table.voters import Voters
from p2pcards.table.whereabouts import Whereabouts
from p2pcards.wire import messages
from p2pcards.wire.entries import REASON_CHARS, EntryKind, Kick, SeatKind
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.messages import Close, Flag, Hello, Method, Reason
from p2pcards.wire.text import clean
from p2pcards.wire.text import nick as fit

LONG_PAST = 1
"""Until when somebody is shown out who may come again, in unix seconds: past by the clock of any later host."""

KICK_SECONDS = 600
"""How long somebody whom the table showed out by a vote may not come again."""


class Reception:
    """Everything that a host does at its door. `shut` ends a link with a last word."""

    def __init__(
        self,
        gate: Gate,
        random: Callable[[int], bytes],
        pen: Pen,
        presence: Presence,
        members: Members,
        orders: Orders,
        voters: Voters,
        lease: Lease,
        whereabouts: Whereabouts,
        talk: Switchboard,
        out: Outbox,
        shut: Callable[[LinkId, Close], None],
    ) -> None:
        self._pen, self._presence, self._members = pen, presence, members
        self._orders, self._talk, self._voters, self._lease = orders, talk, voters, lease
        self._whereabouts = whereabouts
        self._out, self._shut = out, shut
        self.door = Door(gate, random, pen.public, self._let_in, shut, out)

    # ---- coming

    def hello(self, link: LinkId, there: Connection, hello: Hello, info: Callable[[], messages.Info]) -> None:
        """Somebody's first word. info: what a probe is told."""
        door = self.door
        if door.is_busy(link):
            raise ProtocolError("a second HELLO")
        if hello.method == Method.PROBE:
            if door.tells(hello, there.session):
                self._out.send(link, info())
                self._shut(link, Close(Reason.BYE, ""))
            else:
                self._shut(link, Close(Reason.NOT_A_MEMBER, "this table is for members of its lab"))
            return
        who = Newcomer(link, there.key, there.session, hello, door.login(there.key), fit(hello.nick))
        answer = self._answer(who)
        if isinstance(answer, Close) and not (answer.reason == Reason.FULL and door.policy in NEEDS_LAB):
            self._shut(link, answer)  # who sits at a lab's table is not for everybody to know
        elif self._has_passed(there.key) and hello.method in (Method.KNOCK, Method.MEMBER):
            self._let_in(who, b"")
        else:
            door.knock(who, self._pen.now)

    def _has_passed(self, key: bytes) -> bool:
        """Whether the key stands in the roster, or is the host's: it has been at the door before."""
        books = self._pen.public
        return key == self._pen.identity.key or bool(books.nick_of(key)) or kept_seat(books, key) is not None

    def _answer(self, who: Newcomer) -> Admitted | Close:
        """Whether a newcomer may come in, whatever the door asks for; nothing has changed yet."""
        books, journal, came = self._pen.public, self._pen.journal, who.hello.returning
        trouble = versions(who.hello, books)
        if trouble:
            return Close(Reason.VERSION, trouble)
        denied = self.door.denied(who.key, who.login, self._pen.unix)
        if denied:
            return denied
        if came and came.table not in (journal.table, *books.tables):
            return Close(Reason.NOT_THE_HOST, "the table that you were at is no longer here")
        if journal.full and not self._has_passed(who.key):
            return Close(Reason.FULL, "this table has seen too many rounds: open another one")
        if self._members.restless(self._pen.now) and not self._has_passed(who.key):
            return Close(Reason.TOO_FAST, "too many come and go at once")
        answer = admit(who.hello, who.key, books)
        if isinstance(answer, Close):
            return answer
        for _, earlier in self._presence.of(who.key, but=who.link):
            if came is None and self._pen.now < earlier.heard + SILENCE:
                return Close(Reason.ALREADY_HERE, "somebody with your key is at this table already")
        return answer

    def _let_in(self, who: Newcomer, proof: bytes) -> bool:
        """The door is open for them; False where things have changed while they stood there."""
        link, books = who.link, self._pen.public
        there = self._presence.connections.get(link)
        if there is None:
            return False
        answer = self._answer(who)
        if isinstance(answer, Close):
            self._shut(link, answer)
            return False
        there.welcomed, there.came, there.heard = True, self._pen.now, self._pen.now
        flags = who.hello.flags
        there.program, there.watching = bool(flags & Flag.PROGRAM), bool(flags & Flag.SPECTATOR)
        there.vote_file = bool(flags & Flag.VOTE_FILE)
        self._whereabouts.take(there.key, who.hello)
        self._lease.afresh(there.key)
        for other, _ in self._presence.of(there.key, but=link):
            self._shut(other, Close(Reason.SUPERSEDED, "you came in from elsewhere"))
        if books.seat_of(there.key) is not None:
            self._members.is_back(there.key)
        else:
            self._members.let_in(there, who.nick, answer.seat)
        self._talk.came(there.key, self._pen.now, books)
        seat, last, commit = books.seat_of(there.key), self._pen.journal.last, self._lease.commit
        code = NO_SEAT if seat is None else seat
        welcome = messages.Welcome(
            self._pen.journal.table, books.term, self._pen.identity.key, code, books.door, last, commit, proof
        )
        self._out.send(link, welcome)
        return True

    # ---- the host's word

    def order(self, words: tuple[str, ...]) -> bool:
        """Carries an order out that is about who comes and goes; False for any other. Raises UserError."""
        match words:
            case ("door", policy):
                self.door.check(policy)
                self._orders.door(policy)
                self.door.open(policy)
            case ("admit", nick):
                self.door.admit(nick)
            case ("deny", nick, reason):
                self.door.deny(nick, clean(reason, REASON_CHARS), self._pen.now, self._pen.unix)
            case ("unattended",):
                self.door.unattended()
            case ("kick", nick, reason, until):
                self._kick(nick, clean(reason, REASON_CHARS), int(until))
            case ("pardon", key):
                self._pardon(bytes.fromhex(key))
            case _:
                return False
        return True

    def _kick(self, nick: str, reason: str, until: int) -> None:
        """Somebody at the table; UserError where that is nobody, or nobody who can be shown out."""
        books, lower = self._pen.public, nick.lower()
        people = {held.nick.lower(): held.key for held in books.seats if held.kind is SeatKind.MEMBER}
        people |= {name.lower(): key for key, name in books.spectators}
        key = people.get(lower)
        if key is None and any(held.nick.lower() == lower for held in books.seats if held.kind is SeatKind.BOT):
            raise UserError(f"{nick} is a bot: `bot remove {nick}` sends it away.")
        if key is None:
            raise UserError(f"Nobody called {nick} is at the table.")
        if key == self._pen.identity.key:
            raise UserError("You are the host: nobody can show you out.")
        if not self._members.can_spare(key):
            raise UserError(f"Without {books.nick_of(key)} the table would stand still: too many others are missing.")
        self._show_out(Kick(key, reason, until, ()))

    def show_out_by_vote(self, key: bytes, ballots: tuple[int, ...]) -> None:
        """Most of the table wants somebody out."""
        until = int(self._pen.unix) + KICK_SECONDS
        self._show_out(Kick(key, "", until, ballots))

    def _show_out(self, kick: Kick) -> None:
        """Out, and for as long as the entry says."""
        self.door.shown_out(kick.key)
        self._members.show_out(kick)

    def _pardon(self, key: bytes) -> None:
        """Who was shown out of this table may come again."""
        kick = self._pen.public.kicks.get(key)
        if kick is not None and kick.stands(self._pen.unix):
            self._pen.write(EntryKind.KICK, Kick(key, "", LONG_PAST, ()))
