"""What people say to the table by their host: acts, votes, good-byes, chat and verdicts, each taken or refused.

The way of an act: it is checked against the key of its link, the count of its signer, the head it saw, the turn and
the rules; then it becomes an entry. A refused act changes nothing and uses up nothing. While the host is paused it
takes none, but for good-byes, and for parts of a shuffle, which wait until they are written (protocol 7.2).
"""

from __future__ import annotations

from p2pcards.errors import ProtocolError
from p2pcards.table.ballots import Ballots
from p2pcards.table.certificates import ELECTS
from p2pcards.table.effects import LinkId
from p2pcards.table.idle import Idle
from p2pcards.table.lease import Lease
from p2pcards.table.members import Members
from p2pcards.table.outbox import Outbox
from p2pcards.table.pen import Pen
from p2pcards.table.play import Play
from p2pcards.table.presence import Connection, Presence
from p2pcards.table.round import Refused
from p2pcards.table.talk import Switchboard
from p2pcards.table.terms import AHEAD
from p2pcards.table.turns import Turns
from p2pcards.table.verdicts import Relay
from p2pcards.wire import messages
from p2pcards.wire.entries import EntryFlag
from p2pcards.wire.envelope import ActKind, Envelope, decode_envelope, unpack_leave
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.identity import verify


class Judge:
    """Takes what is said, or tells the link why not."""

    def __init__(
        self,
        pen: Pen,
        play: Play,
        presence: Presence,
        members: Members,
        turns: Turns,
        lease: Lease,
        ballots: Ballots,
        talk: Switchboard,
        verdicts: Relay,
        idle: Idle,
        out: Outbox,
    ) -> None:
        self._pen, self._play, self._presence, self._members = pen, play, presence, members
        self._turns, self._lease, self._ballots = turns, lease, ballots
        self._talk, self._verdicts, self._idle, self._out = talk, verdicts, idle, out
        self.outdone = False  # somebody who left has seen a later term than ours

    def act(self, link: LinkId, key: bytes, message: messages.Act) -> None:
        """An act over the link of that key."""
        try:
            self._act(link, key, message)
        except Refused as refusal:
            n = decode_envelope(message.envelope).n
            self._out.refuse(link, n, refusal.code, *refusal.detail)

    def _act(self, link: LinkId, key: bytes, message: messages.Act) -> None:
        said, books = decode_envelope(message.envelope), self._pen.public
        seat, counted = books.seat_of(key), books.said.get(key, 0)
        misplaced = message.opening and said.kind is not ActKind.SEALED
        signed = said.table == books.table and verify(key, message.actsig, message.envelope)
        if misplaced or not signed:
            raise Refused("not_yours")
        if said.n == counted and self._stands(key, message.envelope):
            again = self._pen.journal.wires[books.said_at[key]]
            self._out.send(link, messages.Entries(self._lease.commit, (again,)))
            return
        leaves = said.kind is ActKind.LEAVE and seat is None and key in books.voters
        if said.seat != (NO_SEAT if seat is None else seat) or (seat is None and not leaves):
            raise Refused("not_seated")
        if said.n != counted + 1:
            raise Refused("stale")
        if said.kind is ActKind.LEAVE:
            self._leave(key, said, message)
        elif said.kind in (ActKind.COMMIT, ActKind.REVEAL):
            self._play.dealer.take(said, message.envelope, message.actsig)
        elif self._pen.rests or key == books.going:
            raise Refused("paused")
        elif said.kind is ActKind.VOTE:
            self._vote(said, message)
        elif self._play.round is None or said.epoch != books.epoch:
            raise Refused("no_round")
        elif seat in books.bots_on:
            raise Refused("bot_plays")
        else:
            self._play.round.take(message.envelope, message.actsig, message.opening, said.seat, self._pen.now)
            self._turns.in_time(key)

    def _leave(self, key: bytes, said: Envelope, message: messages.Act) -> None:
        """A good-bye names the newest term that its signer knows: a host of an earlier one is none any more.

        Only of a voter, where there are elections, and for a term that there can be: else it would be a way for anybody
        to stop a table.
        """
        books, term = self._pen.public, unpack_leave(said.payload)[1]
        if term <= books.term:
            self._members.leaves(key, said, message.envelope, message.actsig, self._pen.now)
        elif books.votes(key) and len(books.voters) >= ELECTS and term <= books.term + AHEAD:
            self.outdone = True
        else:
            raise Refused("stale")

    def left_meanwhile(self, message: messages.Act) -> None:
        """A good-bye that was said while nobody was host; one that can't be written any more is dropped."""
        books = self._pen.public
        said = decode_envelope(message.envelope)
        seats = [held.key for held in books.seats]
        keys = seats[said.seat : said.seat + 1] if said.seat != NO_SEAT else list(books.voters)
        for key in keys:
            signed = said.kind is ActKind.LEAVE and books.is_here(key) and said.table == books.table
            if signed and said.n > books.said.get(key, 0) and verify(key, message.actsig, message.envelope):
                try:
                    self._act(LinkId(-1), key, message)
                except (Refused, ProtocolError):
                    return

    def _stands(self, key: bytes, envelope: bytes) -> bool:
        """Whether the newest act of that key is this one: it was sent twice."""
        books = self._pen.public
        entry = self._pen.journal.entries[books.said_at[key]] if key in books.said_at else None
        return entry is not None and envelope in entry.pub  # a part, or a good-bye, stands within its entry

    def _vote(self, said: Envelope, message: messages.Act) -> None:
        books, now = self._pen.public, self._pen.now
        if not self._pen.journal.saw(said.seen_index, said.seen_head) or said.epoch != books.epoch:
            raise Refused("stale")
        self._ballots.check(said, books, now)
        index = self._pen.write_act(message.envelope, EntryFlag.ACTSIG, message.actsig)
        self._ballots.cast(said, index, books, now)

    def chat(self, link: LinkId, there: Connection, said: messages.Chat) -> None:
        """Words for others. Whoever is spoken to or of is in the roster that everybody has by now."""
        books = self._pen.public
        try:
            if said.scope not in (messages.TO_SPECTATORS, messages.TO_ALL) and there.acked < books.seats_at:
                raise Refused("stale")  # another player has that seat by now, maybe
            hearers = set(self._talk.relay(there.key, said, books, self._pen.now))
        except Refused as refusal:
            self._out.refuse(link, 0, refusal.code, *refusal.detail)
            return
        self._idle.stir(self._pen.now)
        for other, one in self._presence.welcomed():
            if one.key in hearers and one.sent is not None:
                self._out.send(other, said)

    def verdict(self, link: LinkId, there: Connection, said: messages.Audit) -> None:
        """What somebody found of a round that was laid open."""
        try:
            self._verdicts.take(there.key, said)
        except Refused as refusal:
            self._out.refuse(link, 0, refusal.code, *refusal.detail)

    def bot_chose(self, seat: int, text: str, head: bytes) -> None:
        """A bot's choice; dropped where the table has gone on without it."""
        current = self._play.round
        if self._pen.rests or current is None or current.outcome or head != self._pen.journal.head:
            return
        if seat in current.to_act and not self._pen.public.plays_itself(seat):
            current.bot_chose(seat, text, self._pen.now)
