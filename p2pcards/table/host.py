"""The host of a table: the only one that runs the game, and the only one that writes the journal.

Everything that happens arrives as an input; everything that is to be done leaves as Effects. The way of an act: it is
checked against the key of its link, the count of its signer, the head it saw, the turn and the rules; then it becomes
an entry, then everybody is sent the entry and the own view of what came of it. A refused act changes nothing and uses
up nothing. The host's own seat and its bots walk the same way.

Four clocks run here, all in `wake_at`: the heartbeat, the grace of those who dropped, the present turn's, and the
waiting for answers and for the next round. None of them is in the journal but as an entry that says what came of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from p2pcards import PROTOCOL, __version__
from p2pcards.errors import ProtocolError, UserError
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
from p2pcards.table.majority import seats_at
from p2pcards.table.members import Members
from p2pcards.table.notices import SeatsFull
from p2pcards.table.orders import Orders
from p2pcards.table.outbox import Outbox
from p2pcards.table.pen import Pen
from p2pcards.table.play import Play
from p2pcards.table.presence import BEAT, Connection, Presence
from p2pcards.table.public import Public
from p2pcards.table.reception import Reception
from p2pcards.table.round import Refused
from p2pcards.table.tableview import Knock
from p2pcards.table.talk import Switchboard
from p2pcards.table.turns import Turns
from p2pcards.table.verdicts import Relay
from p2pcards.table.wishes import Wishes
from p2pcards.wire import messages
from p2pcards.wire.entries import (
    EntryFlag,
    EntryKind,
    Genesis,
)
from p2pcards.wire.envelope import ActKind, Envelope, decode_envelope
from p2pcards.wire.identity import Identity, verify
from p2pcards.wire.messages import Close, Hello, Message, Reason
from p2pcards.wire.text import clean_title

CLOSING_SECONDS = 2.0
"""How long a finished table waits for the others to hold its last entry (protocol 7.2)."""


_OPEN_GATE = Gate()


class Host:
    """A table's authority. `handle` takes one input and gives what is to be done."""

    def __init__(
        self,
        identity: Identity,
        random: Callable[[int], bytes],
        wall: float,
        *,
        title: str,
        game: str,
        seats: int,
        options: Mapping[str, str] | None = None,
        table_settings: Mapping[str, str] | None = None,
        closes_after_match: bool = False,
        door: str = "open",
        gate: Gate = _OPEN_GATE,
    ) -> None:
        """wall: unix seconds minus the machines' `now`. Raises InvalidOption, or UserError for a door it can't keep."""
        GAMES[game](read_options(GAMES[game], options or {})).check_seats(seats)
        self._identity, self._random = identity, random
        self._title, self._seats, self._closes = clean_title(title), seats, closes_after_match
        self._out = Outbox()
        self._pen = Pen(identity, wall)
        self._orders = Orders(self._pen, game, options or {}, table_settings or {}, door)
        self._presence = Presence()
        self._play = Play(self._pen, random, self._presence.listens)
        self._turns = Turns(self._pen, self._play, self._presence)
        self._talk, self._ballots, self._verdicts = Switchboard(), Ballots(), Relay(self.public)
        courier = Courier(self._pen, self._play, self._presence, self._verdicts, self._out)
        self._publish = courier.publish
        self._members = Members(self._pen, self._play, self._presence, self._turns, self._publish, self._shut)
        self._reception = Reception(
            gate, random, self._pen, self._presence, self._members, self._orders, self._talk, self._out, self._shut
        )
        self._door = self._reception.door
        self._door.check(door)
        self._bulletin = Bulletin(self.public, self._presence, self._out)
        self._wishes = Wishes(
            self._pen, self._play, self._members, self._turns, self._bulletin, self._out, self._publish
        )
        self._game = GAMES[game]
        self._beat_at, self._beats = 0.0, 0
        self._close_by: float | None = None
        self._was_full = False
        self.addresses: tuple[bytes, ...] = ()  # packed, for INFO; kept up to date by `net`
        self.closed = False

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

    def info(self) -> messages.Info:
        """What a probe is told."""
        books = self.public
        return messages.Info(
            __version__,
            PROTOCOL,
            books.rules.rules,
            self.table,
            (),
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
        self._pen.now = self._beat_at = now
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
        if self.closed:
            return Effects()
        for there in self._presence.look(now):
            self._members.hold(there, now)
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
                self._bot_chose(seat, text, head)
            case Ordered(words):
                self._ordered(words)
            case Woke():
                pass
            case _:
                raise TypeError(f"a host is told nothing by {type(happened).__name__}")
        if not self.closed:
            self._clocks()
            self._count()
            self._play.go_on_dealing()
            self._go_on()
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
                there.acked = max(there.acked, message.index)
            case messages.Act():
                try:
                    self._act(link, there, message)
                except Refused as refusal:
                    n = decode_envelope(message.envelope).n
                    self._out.refuse(link, n, refusal.code, *refusal.detail)
            case messages.Want(text):
                self._publish()  # whoever wishes may just have come back: what is told of it comes behind the journal
                self._wishes.take(link, there.key, text)
            case messages.Chat():
                self._chat(link, there, message)
            case messages.Audit():
                self._verdict(link, there, message)
            case messages.Keepalive():
                pass
            case _:
                raise ProtocolError(f"{type(message).__name__} from a guest")

    # ---- acts

    def _act(self, link: LinkId, there: Connection, message: messages.Act) -> None:
        said, books = decode_envelope(message.envelope), self.public
        seat, counted = books.seat_of(there.key), books.said.get(there.key, 0)
        misplaced = message.opening and said.kind is not ActKind.SEALED
        signed = said.table == self.table and verify(there.key, message.actsig, message.envelope)
        if misplaced or not signed:
            raise Refused("not_yours")
        if said.n == counted and self._stands(there.key, message.envelope):
            self._out.send(
                link, messages.Entries(self._pen.journal.last, (self._pen.journal.wires[books.said_at[there.key]],))
            )
            return
        if seat is None or said.seat != seat:
            raise Refused("not_seated")
        if said.n != counted + 1:
            raise Refused("stale")
        if said.kind is ActKind.LEAVE:
            self._members.leaves(there, seat, said, message.envelope, message.actsig, self._now)
        elif said.kind is ActKind.VOTE:
            self._vote(said, message)
        elif said.kind in (ActKind.COMMIT, ActKind.REVEAL):
            self._play.dealer.take(said, message.envelope, message.actsig)
        elif self._play.round is None or said.epoch != books.epoch:
            raise Refused("no_round")
        elif seat in books.bots_on:
            raise Refused("bot_plays")
        else:
            self._play.round.take(message.envelope, message.actsig, message.opening, seat, self._now)
            self._turns.in_time(there.key)

    def _stands(self, key: bytes, envelope: bytes) -> bool:
        """Whether the newest act of that key is this one: it was sent twice."""
        entry = self._pen.journal.entries[self.public.said_at[key]] if key in self.public.said_at else None
        return entry is not None and envelope in entry.pub  # a part, or a good-bye, stands within its entry

    def _vote(self, said: Envelope, message: messages.Act) -> None:
        books = self.public
        if not self._pen.journal.saw(said.seen_index, said.seen_head) or said.epoch != books.epoch:
            raise Refused("stale")
        self._ballots.check(said, books, self._now)
        index = self._pen.write_act(message.envelope, EntryFlag.ACTSIG, message.actsig)
        self._ballots.cast(said, index, books, self._now)

    def _count(self) -> None:
        """The open vote may be decided: most of the table wants somebody out."""
        vote = self._ballots.look(self.public, self._now)
        if vote is not None and vote.outcome is Outcome.CARRIED:
            self._reception.show_out_by_vote(vote.about, vote.ballots)

    def _chat(self, link: LinkId, there: Connection, said: messages.Chat) -> None:
        self._publish()  # whoever is spoken to or of is in the roster that everybody has
        try:
            if said.scope not in (messages.TO_SPECTATORS, messages.TO_ALL) and there.acked < seats_at(self.public):
                raise Refused("stale")  # another player has that seat by now, maybe
            hearers = set(self._talk.relay(there.key, said, self.public, self._now))
        except Refused as refusal:
            self._out.refuse(link, 0, refusal.code, *refusal.detail)
            return
        for other, one in self._presence.welcomed():
            if one.key in hearers and one.sent is not None:
                self._out.send(other, said)

    def _verdict(self, link: LinkId, there: Connection, said: messages.Audit) -> None:
        try:
            self._verdicts.take(there.key, said)
        except Refused as refusal:
            self._out.refuse(link, 0, refusal.code, *refusal.detail)

    def _bot_chose(self, seat: int, text: str, head: bytes) -> None:
        current = self._play.round
        if current and head == self._pen.journal.head and seat in current.to_act and not self.public.plays_itself(seat):
            current.bot_chose(seat, text, self._now)

    # ---- orders

    def _ordered(self, words: tuple[str, ...]) -> None:
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
            case ("close", text):
                self._close_all(text, own="")
            case _:
                raise UserError(f"The host can't do that: {' '.join(words)}.")

    # ---- what follows by itself

    def _go_on(self) -> None:
        """The end of a round, the next one, a bot's turn, the end of the table."""
        play, books, now = self._play, self.public, self._now
        play.end_round(now, self._publish)
        if books.match_over:
            self._members.match_over(now)
            if not self._closes:
                play.seat(self._members.waiting())
        if self._closes and books.match and books.match_over and self._close_by is None:
            self._close_by = now + CLOSING_SECONDS
        present = self._presence.people(books.seats)
        willing = present <= play.ready if present else self._members.nobody_waits()
        if play.between and (willing or (play.next_by is not None and now >= play.next_by)):
            play.deal(self._members.waiting())
        elif present and willing and not self._closes and play.may_start_again:
            play.start(self._members.waiting())
        self._turns.wind(int(self.public.setting("turn_seconds")), now)
        self._publish()
        self._bulletin.held(now)
        self._bulletin.ready(play, now)
        self._bulletin.clock(self._turns, now)
        turn = play.bot_turn()
        if turn:
            self._out.tell(turn)
        full = not books.match and not play.open_seats and self._presence.settled(books.seats)
        if full and not self._was_full:
            self._out.tell(SeatsFull())
        self._was_full = full
        if self._close_by is not None and (now >= self._close_by or self._presence.all_hold(self._pen.journal.last)):
            self._close_all("match over")

    # ---- clocks

    def _clocks(self) -> None:
        if self._now >= self._beat_at:
            self._beat_at = max(self._beat_at + BEAT, self._now)
            self._heartbeat()
        for key in self._presence.lapsed(self._now):
            self._members.grace_over(key, self._now)
        if self._play.round:
            self._play.round.wake(self._now)
        self._turns.look(self._now)
        self._door.look(self._now)

    def _heartbeat(self) -> None:
        journal = self._pen.journal
        self._beats += 1
        beat = messages.Heartbeat(
            journal.table, self.public.term, journal.last, journal.head, journal.last, self._beats, journal.hostsig
        )
        for link, _ in self._presence.welcomed():
            self._out.send(link, beat)

    def _wake_at(self) -> float:
        times = [self._beat_at, *self._presence.times()]
        times += [
            time
            for time in (
                self._play.next_by,
                self._play.dealer.wake_at,
                self._close_by,
                self._turns.clock.by,
                self._door.wake_at,
                self._ballots.wake_at,
            )
            if time is not None
        ]
        if self._play.round and self._play.round.wake_at is not None:
            times.append(self._play.round.wake_at)
        return min(times)

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

    @property
    def _now(self) -> float:
        return self._pen.now

    def _effects(self) -> Effects:
        secrets, entries = tuple(self._play.secrets), tuple(self._pen.wet)
        self._play.secrets, self._pen.wet = [], []
        return Effects(secrets, entries, *self._out.empty(), None if self.closed else self._wake_at())
