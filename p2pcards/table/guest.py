"""A guest of a table: follows the journal, shows what it is told, signs what its player does.

The guest trusts its host with nothing that it can check: every entry must fit the chain and carry the host's signature,
every act the signature of its player, over a head that this journal holds. What it can't check while the cards are
hidden, whether the views it was shown come from the deck that the host committed to, it notes and checks when the
round is disclosed (`audit`). The host's own seat has a guest too, in the same process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from p2pcards.errors import ProtocolError
from p2pcards.games.match import Match
from p2pcards.table.doorstep import DOOR_SECONDS, Doorstep
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
    Unkept,
    Voted,
    Wanted,
)
from p2pcards.table.follower import Elsewhere, Follower, TwoHeads
from p2pcards.table.idle import WARNING_SECONDS, Idle
from p2pcards.table.line import Line
from p2pcards.table.notices import (
    Alarm,
    Closed,
    Entered,
    HostElsewhere,
    HostIs,
    OptionsSet,
    Refused,
    RolledBack,
    Seated,
    TimeShort,
    Waiting,
)
from p2pcards.table.picture import picture
from p2pcards.table.player import Player
from p2pcards.table.reader import Reader
from p2pcards.table.settings import ASK_SECONDS
from p2pcards.table.shuffling import Shuffling, share_file
from p2pcards.table.tableview import TableView
from p2pcards.table.ticket import Ticket
from p2pcards.table.tidings import Tidings
from p2pcards.table.verdicts import Hearing
from p2pcards.table.views import Views
from p2pcards.wire import messages
from p2pcards.wire.entries import (
    BotPub,
    DealOpen,
    Disclose,
    Entry,
    EntryFlag,
    Parts,
    Pub,
    RoundEnd,
)
from p2pcards.wire.envelope import Envelope, LeaveReason
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Close, Hello, Message, Method, Reason
from p2pcards.wire.text import clean

DEAD = 5.0
"""Seconds without a word after which the host counts as lost (protocol 7.1)."""

PROOF = "proof"
"""Name of the file that keeps two entries which one host signed for one place, the first behind its length (u32)."""

_SEEK_ON = frozenset({Reason.NOT_THE_HOST, Reason.MEMBERS_ONLY})
"""Refusals after which a member looks for the table elsewhere."""


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
        votes: bool = True,
        port: int = 0,
        addresses: tuple[bytes, ...] = (),
        ticket: Ticket = _KNOCK,
        started: int = 0,
    ) -> None:
        """program: a bot plays our seat. watch: want no seat. host: the host is in this same process. votes: we keep a
        vote file, so that we may be a voter.

        ticket: what we have for the door. started: a number higher than that of any earlier program of this key,
        unix seconds for example: what we say is counted from there on.
        """
        self._identity, self._nick, self._watches = identity, nick, watch
        self.keeps_votes: Callable[[], bool] = lambda: votes  # what our HELLO and ACK say; the `Peer` knows
        self.may_ack: Callable[[], bool] = lambda: True  # we have not left, nor agreed to go on as another table
        self._own = host
        self.port, self.addresses = port, addresses  # where we are reached; kept up to date by `net`
        self._reader = Reader(identity.key)
        self._follower = Follower(self._reader)
        self.journal, self.public = self._reader.journal, self._reader.public
        self._line = Line()
        self._behind = b""  # the T that the host's began as, while we read on
        self._table = b""  # as the host said in its WELCOME
        self._door = Doorstep(identity, random, ticket, nick, program=program, watch=watch)
        self._beat = 0
        self._views = Views(self._reader, self._line)
        self._player = Player(identity, random, self._reader, self._line, started)
        self._verdicts = Hearing(identity, self.public)
        self._tidings, self._idle = Tidings(self.public), Idle(self.public, wakes=False)
        self.finished = False
        self._secrets: list[tuple[str, bytes]] = []
        self._shuffling = Shuffling(self._reader, self._line, self._player, random, self._secrets)
        self._rewind: int | None = None
        self.linked = 0  # bit set over the voter list: whom we have a link to; kept up to date by `Peer`
        self.term = 0  # newest that we know of; nothing of an earlier one is acknowledged

    # ---- what the shell and the screens read

    @property
    def me(self) -> int | None:
        """Our seat."""
        return self._reader.me

    @property
    def settled(self) -> bool:
        """Whether the view we hold is that of the newest entry, so that we may act on it."""
        return self._reader.settled

    @property
    def my_turn(self) -> Any:
        """The view to choose an action from, if it is our turn and nothing of ours is on its way; else None."""
        return self._player.my_turn

    def table_view(self) -> TableView | None:
        """The table as the screens show it; None before the first entries are here."""
        view = picture(self._reader, self._tidings, self._verdicts)
        if view is None:
            return None
        return replace(
            view,
            mine=self._own or self._line.own,
            onlooker=self._watches,
            nick=view.nick or self._nick,
            pending=self._player.speech.pending,
            connected=self._line.link is not None and self._line.welcomed,
        )

    @property
    def committed(self) -> int:
        """Index of the newest entry that no change of hosts can take away, as far as we know."""
        return self._reader.committed

    @property
    def host_link(self) -> LinkId | None:
        """The link to the host, while there is one."""
        return self._line.link

    @property
    def welcomed(self) -> bool:
        """Whether the host has let us in over the present link."""
        return self._line.link is not None and self._line.welcomed

    @property
    def proven(self) -> bool:
        """Whether who let us in is the host by our journal."""
        return self.welcomed and self._line.host == self.public.host

    @property
    def _unproven(self) -> bool:
        """Whether who let us in is not the host by our journal: it may say what it likes, and end nothing."""
        return self._line.host != self.public.host and self.welcomed and self._reader.entered

    @property
    def caught_up(self) -> bool:
        """Whether the host has let us in, and we hold what it held by then."""
        return self.welcomed and self._line.synced(self.journal.last) and self.journal.table != self._behind

    @property
    def entered(self) -> bool:
        """Whether we have been at the table, and hold what there was when we came."""
        return self._reader.entered

    @property
    def ask_from(self) -> int:
        """The first entry that may be another one elsewhere."""
        return self._follower.ask_from

    @property
    def wake_at(self) -> float | None:
        """When a clock of ours is due; behind each input, for the effects don't tell."""
        if self.finished:
            return None
        line, clocks = self._line, (self._player.leave_by, self._views.by, self._tidings.warn_at, self._door.wait_at)
        idle = self._idle.warns_at if self.welcomed else None
        times = [time for time in (*clocks, self._reader.vote.wake_at, idle) if time is not None]
        if line.link is not None and not line.own:
            times.append(line.up_at + DEAD if self._unproven else line.heard + self._patience)
        return min(times, default=None)

    @property
    def share(self) -> tuple[int, int, bytes] | None:
        """(first epoch, x, value) of our share of the open round's secret, where we hold one."""
        return self._shuffling.share

    @property
    def match(self) -> Match:
        """The match so far, from what was disclosed."""
        return self._reader.book.match

    def hello(self, method: Method, proof: bytes = b"") -> Hello:
        """Our first word on a link that we dialled."""
        return self._door.hello(method, proof, self.journal, self.keeps_votes(), self.port, self.addresses)

    def recall(self, wires: Iterable[bytes], secrets: Mapping[str, bytes]) -> None:
        """We come back to a table from its folder: how it stands is told, but no news, and nothing is written again.

        Raises ProtocolError where the folder holds no journal of a table.
        """
        for wire in wires:
            for entry, body in self._follower.take((wire,), 0.0).entries:
                self._follow(entry, body)
        self._shuffling.recall(secrets)
        self._reader.enter()
        stands = [
            notice for notice in self._reader.told() if isinstance(notice, Entered | HostIs | OptionsSet | Seated)
        ]
        self._reader.fresh = []
        self._line.empty()
        self._line.notices += stands
        self._secrets.clear()

    def go(self, reason: str) -> None:
        """We go without a word. reason: "hung_up", "left", or "bye" where the table is at its end."""
        self._finish(reason, "")

    def leave_said(self, reason: LeaveReason) -> messages.Act:
        """Our good-bye, for the members, while nobody is host."""
        return self._player.speech.leave(self.me, reason, self.term)

    # ---- the one way in

    def handle(self, happened: Input, now: float) -> Effects:
        """What is to be done about one input."""
        if not self.finished:
            match happened:
                case LinkUp(link, key, session):
                    self._link_up(link, key, session, now)
                case LinkDown(link):
                    self._link_down(link)
                case Received(link, message) if link == self._line.link:
                    self._received(message, now)
                case Chose(text):
                    self._player.chose(text)
                case Wanted(text):
                    self._player.want(text)
                case Spoke(text, to):
                    self._player.say(text, to)
                case Voted(seat, yes):
                    self._player.cast(seat, yes)
                case Left(reason):
                    self._leave(LeaveReason(reason), now)
                case HostGone():
                    self._finish("lost", "")
                case Unkept():
                    self._shuffling.refused()
                case _:
                    pass
            self._clocks(now)
        return self._effects()

    def _link_up(self, link: LinkId, key: bytes, session: bytes, now: float) -> None:
        if self._line.link is not None and key != self.public.host:
            self._line.outgoing.append((link, Close(Reason.BYE, "")))
            return
        self._line.up(link, key, now)
        self._line.welcomed = False
        self._player.resend = True
        member = self.public.seat_of(self._identity.key) is not None
        approach = self._door.come(key, session, member=member, own=self._line.own, now=now)
        self._line.send(self.hello(approach.method, approach.proof))

    def adopt(self, link: LinkId, key: bytes, last: int, now: float, whole: bool = False) -> None:
        """The far end of a member link is host by now, so the same link goes on as the host's (protocol 4.7).

        last: its newest entry, as far as it said. whole: its journal may differ from ours anywhere.
        """
        if self._line.link is not None and self._line.link != link:
            self._line_over()
        self._line.up(link, key, now)
        self._line.adopted = True
        self._line.welcomed, self._line.sync_to = True, max(last, self.journal.last)
        self._table = self.journal.table
        self._behind = self.journal.table if whole else b""
        self._door.away()
        self._player.new_line()
        self._beat = 0
        self._line.send(messages.Get(0 if whole else self._follower.ask_from))
        if self._reader.entered:
            self._line_back()

    def let_go(self) -> None:
        """The far end of our line is host no longer; nobody is to notice, for another one is on its way."""
        self._line_over()

    def _line_back(self) -> None:
        """We are with the host again; what we said on the last round may have been lost with the line."""
        if self._line.back():
            self._reader.remind()
        if self._verdicts.ours:
            self._line.send(self._verdicts.ours)

    def _line_over(self) -> None:
        """Nothing of what is on its way to the host will be answered any more."""
        self._line.link, self._line.welcomed, self._views.by, self._door.wait_at = None, False, None, None
        self._tidings.line_lost()
        self._player.speech.line_lost()

    def _link_down(self, link: LinkId | None) -> None:
        if link is None or link != self._line.link:
            return
        self._line_over()
        if self._player.leave_by is not None:
            self._finish("left", "")
        else:
            self._line.lost()

    def _received(self, message: Message, now: float) -> None:
        self._line.hears(now)
        try:
            match message:
                case Close(reason, text, until):
                    self._closed(reason, text, until)
                case messages.Welcome() if not self._line.welcomed:
                    self._welcome(message)
                case messages.Info():
                    if message.host != self._line.host:
                        self._line.notices.append(HostElsewhere(message.host, message.addresses))
                case messages.Pake() if not self._line.welcomed and (proof := self._door.pake(message)) is not None:
                    self._line.send(proof)
                case _ if not self._line.welcomed:
                    raise ProtocolError(f"{type(message).__name__} before WELCOME")
                case messages.Entries():
                    if not self.take_entries(message, now, gaps=self._line.adopted):
                        self._line.send(messages.Get(self._follower.ask_from))
                case messages.Chat():
                    self._player.hear(message)
                case messages.Audit():
                    self._hear_verdict(message)
                case messages.Share() if self._line.adopted and not self._shuffling.expects(message):
                    pass  # said before the line was ours: what it belongs to is asked for
                case messages.Share():
                    self._shuffling.take_share(message)
                case messages.View():
                    self._views.take(message)
                    self._player.speak()
                case messages.Heartbeat():
                    self._heartbeat(message)
                case messages.Refused():
                    self._player.refused(message)
                case messages.Held(seats):
                    self._line.notices += self._tidings.take_held(dict(seats), now)
                case messages.Ready():
                    self._line.notices += self._tidings.take_ready(message, now)
                case messages.Clock():
                    self._line.notices += self._tidings.take_clock(message, now)
                case messages.Standing():
                    self._tidings.take_standing(message)
                case messages.Keepalive() | messages.Peers():
                    pass
                case messages.Get() | messages.Ack() if self._line.adopted:
                    pass  # said as a member, a moment ago
                case _:
                    raise ProtocolError(f"{type(message).__name__} from a host")
        except Elsewhere:
            raise  # nobody lied: where to go now is for the peer to say
        except ProtocolError as error:
            if isinstance(error, TwoHeads):
                self._secrets.append((PROOF, error.proof))
            wrong = clean(str(error), 300)
            self._line.notices.append(Alarm(wrong))
            self._line.send(Close(Reason.BROKEN, "that message makes no sense here"))
            if self._unproven:
                self._link_down(self._line.link)
            else:
                self._finish("broken", wrong)

    def _closed(self, reason: int, text: str, until: int) -> None:
        name = Reason(reason).name.lower() if reason in set(Reason) else "broken"
        if reason == Reason.BYE and (self._player.leave_by is not None or (self._line.own and not text)):
            self._finish("left", "")
        elif self._line.link is not None and self._door.has_more_to_show(reason):
            self._door.seat_gone = True
            self._link_down(self._line.link)
        elif self._line.link is not None and self._reader.entered and (reason in _SEEK_ON or self._unproven):
            self._link_down(self._line.link)
        else:
            self._finish(name, clean(text, 300), until)

    def turned_away(self, last: Close) -> None:
        """The host that we came back to over a member link does not let us in."""
        if not self.finished:
            self._closed(last.reason, last.text, last.until)

    def _finish(self, reason: str, text: str, until: int = 0) -> None:
        if not self._reader.entered and reason not in ("bye", "left", "lost"):
            self._line.notices.append(Refused(reason, text, until))
        self._door.wait_at = None
        self._line.link, self._line.welcomed, self.finished = None, False, True
        self._player.leave_by = self._views.by = None
        self._tidings.line_lost()
        self._line.notices.append(Closed(reason, text, until))

    def _welcome(self, message: messages.Welcome) -> None:
        forked = len(self.journal) == 0 or message.term > self.public.term
        if message.host != self._line.host:
            raise ProtocolError("not this table's host")
        if message.table != self.journal.table and not forked:
            raise Elsewhere("another table, or what others made of this one before it came to where we are")
        self._door.inside(message.proof)
        self._line.welcomed, self._line.sync_to, self._table = True, message.last, message.table
        another = message.table != self.journal.table  # begun from somewhere in ours
        self._behind = self.journal.table if another else b""
        self._line.send(messages.Get(0 if another else self._follower.ask_from))
        if self._reader.entered:
            self._line_back()

    # ---- entries and views

    def take_entries(self, message: messages.Entries, now: float, *, gaps: bool) -> bool:
        """Takes entries in that the host sent, or a member; whether all of it went in, with nothing missing between.

        gaps: some may be missing, as the link was another's, or for something else, when they were sent. Raises
        ProtocolError where they can't be taken in.
        """
        epoch = self.public.round.first_epoch if self.public.round else 0
        taken = self._follower.take(message.wires, now, gaps)
        self._views.resent = bool(message.wires) and not taken.entries
        if taken.rolled is not None:
            self._rolled_back(taken.rolled)
        for entry, body in taken.entries:
            self._follow(entry, body)
        if epoch and (self.public.round is None or self.public.round.first_epoch != epoch):
            self._secrets.append((share_file(epoch), b""))
        if self._line.welcomed and self.public.host == self._line.host:
            self._up_to_date(message, now)
        elif self._line.welcomed and not self._reader.entered and self._line.synced(self.journal.last):
            raise ProtocolError("not this table's host")
        return not taken.gap

    def _up_to_date(self, message: messages.Entries, now: float) -> None:
        """What follows from entries that the host of the table sent."""
        self._reader.commit(message.commit)
        self._acknowledge()
        self._shuffling.contribute()
        if not self._reader.entered and self._line.synced(self.journal.last):
            if self.journal.table != self._table:
                raise ProtocolError("not the table that it says it is")
            self._reader.enter()
            self._line.entered()
        self._views.expect(now)
        if self._reader.entered and self._views.by is None:
            self._line.notices += self._reader.told()

    def _rolled_back(self, rolled: RolledBack) -> None:
        """The table went on from an earlier entry than our newest."""
        self._rewind = rolled.index if self._rewind is None else min(self._rewind, rolled.index)
        self._player.speech.line_lost()
        self._player.speech.heard()
        if self._reader.entered:
            self._line.notices.append(rolled)

    def _follow(self, entry: Entry, body: Pub | Envelope) -> None:
        """What an entry means to what we say and are told beside the journal."""
        if isinstance(body, DealOpen):
            if not (self.public.round and self.public.round.shuffling):
                self._tidings.round_begins()
            self._shuffling.check_asked(entry)
        elif isinstance(body, Parts):
            self._player.speech.parts_over()
            self._shuffling.check_left_out(entry, body.left_out)
        elif isinstance(body, RoundEnd):
            self._player.speech.round_over()
        elif isinstance(body, Disclose) and self._reader.entered and self._reader.audited:
            self._line.send(self._verdicts.sign(self._reader.audited))
        elif (isinstance(body, BotPub) and body.on and body.seat == self.me) or (
            isinstance(body, Envelope) and entry.flags is not EntryFlag.ACTSIG and entry.seat == self.me
        ):
            self._player.speech.turn_over()
        self._player.speech.heard()

    def _leave(self, reason: LeaveReason, now: float) -> None:
        """Goes with a good-bye where somebody is to hear it, and has to know."""
        if self._line.welcomed and self.public.nick_of(self._identity.key):
            self._player.leave(reason, now)
        else:
            self._line.send(Close(Reason.BYE, ""))
            self._finish("left", "")

    def _hear_verdict(self, said: messages.Audit) -> None:
        verdict = self._verdicts.hear(said)
        if verdict is not None and self._reader.entered:
            self._line.tell(verdict)

    # ---- the rest

    def _heartbeat(self, message: messages.Heartbeat) -> None:
        """The host is there; it has at most what we were sent, and signs one history."""
        journal = self.journal
        if len(journal) and message.term == self.public.term and message.table != journal.table:
            if self.caught_up:
                raise ProtocolError("a heartbeat of another table")
            return  # we have yet to read how ours became that one
        known = message.last < len(journal)
        if known and not journal.saw(message.last, message.head):
            if message.term == journal.entries[message.last].term:
                raise ProtocolError(f"the host tells two histories up to entry {message.last}")
            self._line.send(messages.Get(self._follower.ask_from))  # it went on from an earlier entry
            return
        self._beat = message.beat
        if message.term == self.public.term and self._reader.commit(message.commit) and self._reader.entered:
            self._line.notices += self._reader.told()
        self._acknowledge()

    def _acknowledge(self) -> None:
        """Says what we hold; where it must not count any more, only that we are here."""
        journal, seen = self.journal, self._beat
        if not len(journal) or self.term > self.public.term:
            return
        if not self.may_ack():
            last = journal.last
            at = journal.table_at(last), journal.term_at(last), last
            self._line.send(messages.Keepalive(*at, journal.head, journal.hostsig))
        else:
            ack = messages.Ack(
                journal.table, self.public.term, journal.last, journal.head, seen, self.linked, self.keeps_votes()
            )
            self._line.send(ack)

    def _clocks(self, now: float) -> None:
        if not self.finished:
            if self._player.is_gone(now, self.term):
                self._line.send(Close(Reason.BYE, ""))
                self._finish("left", "")
                return
            self._idle.look(now, self._line.notices)
            if self.welcomed and self._idle.warns(now):
                self._line.notices.append(TimeShort((), (), round(WARNING_SECONDS)))
            if self._tidings.warns(now):
                self._line.notices += self._tidings.warn(self._reader.to_act, now)
            self._line.notices += self._reader.vote.look(self.public, now)
        if self.finished or self._line.link is None:
            return
        if self._door.wait_at is not None and now >= self._door.wait_at:
            self._door.wait_at = None
            self._line.notices.append(Waiting(round(ASK_SECONDS)))
        if not self._line.own and now >= self._line.heard + self._patience:
            self._hang_up("no word from you")
        elif self._unproven and now >= self._line.up_at + DEAD:
            self._hang_up("you are not our host")
        elif self._views.by is not None and now >= self._views.by:
            self._hang_up("no view from you")

    @property
    def _patience(self) -> float:
        """How long the host may be silent: at its door it is maybe asked about us."""
        return DOOR_SECONDS if self._door.knocks else DEAD

    def _hang_up(self, why: str) -> None:
        """The line is no good; `net` makes another."""
        if self._line.link is not None:
            self._line.send(Close(Reason.BYE, why))
            self._link_down(self._line.link)

    def _effects(self) -> Effects:
        fresh, secrets, self._reader.fresh = tuple(self._reader.fresh), tuple(self._secrets), []
        self._secrets.clear()
        rewind, self._rewind = self._rewind, None
        return Effects(secrets, fresh, *self._line.empty(), rewind=rewind)
