"""One program's whole part in a table: its guest, its links to the other members, and the host while that is here.

Every table has one host, and any voter may be it. So a program is a guest first, of its own host where that is here;
the machine beside it is made when an election or a hand-over calls for it, and dropped when somebody else is certified
for a later term. Each link goes by who is at its far end: to the host, to a guest of ours, or to another member. When
the host changes, the same links go on under another name (protocol 4.7, 7).

    peer = Peer(identity, random, wall, guest, host)      # host: None unless the table is ours
    effects = peer.open(now)                              # our own table's first entries
    effects = peer.handle(LinkUp(link, key, th3, dialled), now)
    effects = peer.order(("start",), now)                 # UserError: nothing has changed
    peer.wanted                                           # whom to dial: key -> packed addresses
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

from msgspec import Struct, msgpack
from msgspec.structs import replace

from p2pcards import PROTOCOL, __version__
from p2pcards.errors import ProtocolError, UserError
from p2pcards.table.certificates import BEGINS
from p2pcards.table.courier import batch
from p2pcards.table.door import Gate
from p2pcards.table.effects import (
    OWN_LINK,
    Agreed,
    BotChose,
    Effects,
    GoOn,
    HungUp,
    Input,
    Left,
    LinkDown,
    LinkId,
    LinkUp,
    Ordered,
    Received,
    Unkept,
    Woke,
)
from p2pcards.table.election import Certificate, Election
from p2pcards.table.escrow import quorum
from p2pcards.table.forking import Forking
from p2pcards.table.guest import DEAD, Guest
from p2pcards.table.host import Host
from p2pcards.table.mesh import Far, Mesh, Stage
from p2pcards.table.notices import Alarm, HostChanging, Notice, TableWaits
from p2pcards.table.tableview import TableView
from p2pcards.table.votefile import VOTES, VoteFile
from p2pcards.wire import messages
from p2pcards.wire.entries import EntryKind, decode_pub, decode_wire
from p2pcards.wire.envelope import ActKind, LeaveReason, decode_envelope
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Close, Message, Reason
from p2pcards.wire.text import clean
from p2pcards.wire.vote import Vote

PEERS = "peers"
"""Name of the file that keeps where the members are reached."""

SLEPT = 2.5
"""Two inputs so far apart, with a machine that wakes every second, mean that this machine slept (protocol 7.1)."""

TICK = 1.0
"""We look at the clocks of the election so often at least."""

SECRET_SECONDS = 1.0
"""How long a successor waits for R behind the commit of its HANDOVER."""

GOING_SECONDS = 4.0
"""How long somebody who leaves waits for a hand-over."""

_OPEN = Gate()

_ELECTION = (messages.PrevoteAsk, messages.Prevote, messages.VoteAsk, Vote, messages.Stale)
_FORK = (messages.ForkAsk, messages.ForkSay)


class Means(Struct, frozen=True):
    """What this program would be a host with. closes: its table ends with the match. asks: somebody can be asked."""

    closes: bool = False
    gate: Gate = _OPEN
    asks: bool = True


class Kept(Struct, frozen=True):
    """What a table's folder holds. same_boot: the machine has not been started anew since."""

    wires: tuple[bytes, ...] = ()
    secrets: Mapping[str, bytes] = {}
    same_boot: bool = True

    def __repr__(self) -> str:
        return f"Kept({len(self.wires)} entries)"


class Peer:
    """`handle` takes one input and gives what is to be done."""

    def __init__(
        self,
        identity: Identity,
        random: Callable[[int], bytes],
        wall: float,
        guest: Guest,
        host: Host | None = None,
        means: Means | None = None,
        *,
        kept: Kept | None = None,
        now: float = 0.0,
    ) -> None:
        """wall: unix seconds minus the machines' `now`. kept: of a table that we come back to."""
        self._identity, self._random, self._wall = identity, random, wall
        self.guest, self.host, self._means = guest, host, means or Means()
        self._mesh = Mesh(identity.key, guest, self._send)
        self._queue: deque[tuple[bool, Input]] = deque()  # between our host and our guest; True: for the host
        self._now = self._looked = now
        self._secret: tuple[int, bytes] = (0, b"")  # first epoch and R, from a host that hands over
        self._take_at: float | None = None  # we are the successor: when we take over without R
        self._shares_due: tuple[LinkId, int, float] | None = None  # link, epoch, when it may go
        self._host_seen = self._before_seen = now  # when the host was last heard, and when the one before it was
        self._leaving: LeaveReason | None = None
        self._hangs_up = False
        self._go_by: float | None = None
        self._leaves: dict[bytes, messages.Act] = {}  # of members who left while nobody was host
        self._waiting: tuple[str, ...] = ()
        self._changing = False
        self._reset()
        votes, same_boot = b"", True
        if kept is not None:
            votes, same_boot = kept.secrets.get(VOTES, b""), kept.same_boot
            self._recall(kept)
        self._election = Election(identity, guest.public, VoteFile.decode(votes), now, same_boot=same_boot)
        self._forking = Forking(identity, guest.public, self._election, random)

    def _reset(self) -> None:
        self._secrets: list[tuple[str, bytes]] = []
        self._entries: list[bytes] = []
        self._outgoing: list[tuple[LinkId, Message]] = []
        self._notices: list[Notice] = []
        self._rewind: int | None = None
        self._wakes: list[float] = []

    def _recall(self, kept: Kept) -> None:
        """We come back to a table from its folder."""
        self.guest.recall(kept.wires, kept.secrets)
        if kept.secrets.get(PEERS):
            self._mesh.addresses = _read_peers(kept.secrets[PEERS])

    # ---- what the shell and the screens read

    @property
    def table(self) -> bytes:
        """T; empty before we know it."""
        return self.guest.journal.table if self.host is None else self.host.table

    @property
    def state(self) -> str:
        """For adverts: lobby, playing, or waiting for a host; "" where somebody else advertises the table."""
        if self.host is not None:
            return self.host.state
        hostless = self.guest.entered and self._hostless and self._is_voter
        return "waiting" if hostless and not self.guest.finished else ""

    @property
    def finished(self) -> bool:
        """Whether we have no part in the table any more."""
        return self.guest.finished and (self.host is None or self.host.closed)

    def info(self) -> messages.Info:
        """What a probe is told, or who looks for the host here."""
        if self.host is not None:
            return replace(self.host.info(), earlier=self.host.public.tables)
        books = self.guest.public
        state = "waiting" if self._hostless else "lobby" if books.match_over else "playing"
        return messages.Info(
            __version__,
            PROTOCOL,
            books.rules.rules,
            books.journal.table,
            books.tables,
            books.term,
            books.title,
            books.nick_of(books.host),
            books.rules.name,
            (*books.options, *books.settings),
            tuple((held.nick, int(held.kind)) for held in books.seats),
            state,
            books.door,
            bytes(32) if self._hostless else books.host,
            () if self._hostless else self._mesh.addresses.get(books.host, ()),
        )

    def table_view(self) -> TableView | None:
        """The table as the screens show it; None before the first entries are here."""
        view = self.guest.table_view()
        if view is None:
            return None
        if self.host is not None:
            view = replace(view, code=self.host.code, knocks=self.host.knocks)
        asked = self._forking.asking
        return replace(
            view,
            mine=self.host is not None,
            changing=self._changing,
            waiting_for=self._waiting,
            may_go_on=asked if asked else (),
        )

    @property
    def wanted(self) -> dict[bytes, tuple[bytes, ...]]:
        """Whom `net` should dial now: the host that we lost, and the voters that we have no link to."""
        guest, books = self.guest, self.guest.public
        if not guest.entered or guest.finished or self._alone:
            return {}
        busy = {far.key for far in self._mesh.links.values()} | {self._identity.key}
        keys = set[bytes]()
        if self._is_voter or guest.host_link is None:  # a member leads us to the host, wherever it is by now
            keys = {*books.voters, books.host} - busy
        return {key: self._mesh.addresses.get(key, ()) for key in sorted(keys)}

    @property
    def _is_voter(self) -> bool:
        return self._identity.key in self.guest.public.voters

    @property
    def _alone(self) -> bool:
        """Whether nobody else has a say."""
        return set(self.guest.public.voters) <= {self._identity.key}

    @property
    def _hostless(self) -> bool:
        """Whether we have had no word from a host for too long."""
        return self.host is None and not self.guest.welcomed and self._now >= self._host_seen + DEAD

    # ---- the one way in

    def open(self, now: float) -> Effects:
        """Begins a table of our own."""
        if self.host is None:
            raise ValueError("not our table")
        self._now = self._looked = self._host_seen = now
        self._election.welcomed(-1)
        self._take_host(self.host.open(now))
        self._seat_own_guest()
        return self._done()

    def order(self, words: tuple[str, ...], now: float) -> Effects:
        """What the person at the host's keyboard orders; UserError when it can't be done, and nothing has changed."""
        if self.host is None:
            raise UserError("Only the host can do that.")
        self._look(now)
        self._take_host(self.host.handle(Ordered(words), now))
        return self._done()

    def handle(self, happened: Input, now: float) -> Effects:
        """What is to be done about one input."""
        self._look(now)
        match happened:
            case LinkUp(link, key, session, dialled):
                self._link_up(link, key, session, dialled)
            case LinkDown(link):
                self._link_down(link)
            case Received(link, message):
                self._received(link, message)
            case BotChose() | Agreed() | Ordered():
                self._to_host(happened)
            case Left(reason):
                self._leave(LeaveReason(reason))
            case HungUp():
                self._hang_up()
            case GoOn(yes):
                self._forking.go_on(yes, now)
            case Unkept():
                self._election.unkept()
                self._to_guest(happened)
            case Woke():
                self._to_host(happened)
                self._to_guest(happened)
            case _:
                self._to_guest(happened)
        return self._done()

    def _look(self, now: float) -> None:
        """Time has passed; maybe we slept through it."""
        if now - self._looked > SLEPT:
            self._election.slept(now)
            self._host_seen = now
        self._now = self._looked = now

    # ---- between our host and our guest

    def _to_host(self, happened: Input) -> None:
        if self.host is not None:
            self._queue.append((True, happened))
            self._run()

    def _to_guest(self, happened: Input) -> None:
        self._queue.append((False, happened))
        self._run()

    def _run(self) -> None:
        while self._queue:
            for_host, happened = self._queue.popleft()
            if not for_host:
                self._take_guest(self.guest.handle(happened, self._now))
            elif self.host is not None:
                self._take_host(self.host.handle(happened, self._now))

    def _take_host(self, effects: Effects) -> None:
        """What the host wants done. Its entries are those of the journal file."""
        self._secrets += effects.secrets
        self._entries += effects.entries
        self._notices += effects.notices
        for link, message in effects.outgoing:
            if link == OWN_LINK:
                self._queue.append((False, Received(OWN_LINK, message)))
            else:
                self._send(link, message)

    def _take_guest(self, effects: Effects) -> None:
        """What the guest wants done; of a host in this same process it has nothing that is not in the file already."""
        self._secrets += effects.secrets
        self._notices += effects.notices
        if self.host is None:
            if effects.rewind is not None:
                kept = [wire for wire in self._entries if decode_wire(wire)[0].index < effects.rewind]
                self._entries = kept
                self._rewind = effects.rewind if self._rewind is None else min(self._rewind, effects.rewind)
            self._entries += effects.entries
        for link, message in effects.outgoing:
            if link == OWN_LINK:
                self._queue.append((True, Received(OWN_LINK, message)))
            else:
                self._send(link, message)
        if effects.wake_at is not None:
            self._wakes.append(effects.wake_at)

    def _seat_own_guest(self) -> None:
        self._queue.append((True, LinkUp(OWN_LINK, self._identity.key)))
        self._queue.append((False, LinkUp(OWN_LINK, self._identity.key)))
        self._run()

    def _send(self, link: LinkId, message: Message) -> None:
        self._outgoing.append((link, message))
        if isinstance(message, Close):
            self._mesh.down(link)

    # ---- links

    def _link_up(self, link: LinkId, key: bytes, session: bytes, dialled: bool) -> None:
        far = self._mesh.up(link, key, session, dialled, self._now)
        guest = self.guest
        if self.host is not None:
            if dialled:
                self._mesh.ask(link)
            else:
                far.stage = Stage.TABLE
                self._to_host(LinkUp(link, key, session))
        elif not dialled:
            pass  # the first word is theirs
        elif guest.host_link is None and (not guest.entered or key == guest.public.host or not self._is_voter):
            far.stage = Stage.TABLE
            self._to_guest(LinkUp(link, key, session))
        elif self._is_voter:
            self._mesh.ask(link)
        else:
            self._mesh.close(link, Close(Reason.BYE, ""))

    def _link_down(self, link: LinkId) -> None:
        far = self._mesh.down(link)
        if far is not None and far.stage is Stage.TABLE:
            self._lost(link)

    def _lost(self, link: LinkId) -> None:
        """A link of the table's is gone."""
        if self.host is not None:
            self._to_host(LinkDown(link))
        elif link == self.guest.host_link:
            self._to_guest(LinkDown(link))

    # ---- messages

    def _received(self, link: LinkId, message: Message) -> None:
        far = self._mesh.links.get(link)
        if far is None:
            return
        far.heard = self._now
        voter = far.key in self.guest.public.voters and far.stage in (Stage.MEMBER, Stage.TABLE)
        try:
            if voter and isinstance(message, _ELECTION):
                self._election.take(far.key, message, self._now)
                self._follow_stale(link, message)
            elif voter and isinstance(message, _FORK):
                self._forking.take(far.key, message, self._now)
            elif voter and isinstance(message, messages.ShareAsk):
                self._share_asked(link, far, message)
            elif voter and isinstance(message, messages.Secret):
                self._secret = (message.epoch, message.secret)
            elif isinstance(message, messages.Peers) and far.key == self.guest.public.host:
                self._take_peers(message)
            elif far.stage is Stage.TABLE:
                self._at_table(link, far, message)
            elif isinstance(message, Close):
                self._mesh.down(link)
            else:
                self._between_members(link, far, message)
        except ProtocolError as error:
            self._wrong(link, far, error)

    def _wrong(self, link: LinkId, far: Far, error: ProtocolError) -> None:
        """What nobody honest says: the link ends, and the player is told of it where it is a member's."""
        if far.stage is Stage.MEMBER:
            self._notices.append(Alarm(clean(str(error), 300)))
        self._mesh.close(link, Close(Reason.BROKEN, "that message makes no sense here"))
        if far.stage is Stage.TABLE:
            self._lost(link)

    def _at_table(self, link: LinkId, far: Far, message: Message) -> None:
        """Between host and guest, whichever of the two we are."""
        if isinstance(message, Close):
            self._mesh.down(link)
        if self.host is not None:
            self._to_host(Received(link, message))
            return
        if link != self.guest.host_link:
            return
        books = self.guest.public
        if self._election.raised and self.guest.entered and not _begins_term(message, self._election.term):
            if isinstance(message, messages.Heartbeat | messages.Entries) and self._election.stale is not None:
                self._send(link, self._election.stale)
            if isinstance(message, Close):
                self._to_guest(LinkDown(link))
            return
        self._to_guest(Received(link, message))
        if isinstance(message, messages.Welcome):
            self._election.welcomed(message.last)
        if self.guest.welcomed and far.key == books.host:
            self._host_seen = self._now
            self._election.host_heard(self._now)

    def _between_members(self, link: LinkId, far: Far, message: Message) -> None:
        """On a member link, or one that may become one."""
        match message:
            case messages.Hello() if far.stage is Stage.NEW:
                if self.guest.entered:
                    self._mesh.hello(link, message, self.info(), self._hostless)
                else:
                    self._mesh.close(link, Close(Reason.NOT_THE_HOST, "this program is at no table yet"))
            case messages.Welcome() if far.stage is Stage.ASKED:
                self._mesh.welcomed(link, message)
                if self.host is not None:
                    self._give_to_host(link, far)
                elif message.host == far.key:
                    self._found_host(link, far, message.term)
            case messages.Info() if far.stage is Stage.ASKED:
                self._mesh.addresses.setdefault(message.host, message.addresses)
            case _ if far.stage is not Stage.MEMBER:
                raise ProtocolError(f"{type(message).__name__} before HELLO")
            case messages.Keepalive():
                if (ours := self._mesh.heard(link, message)) is not None:
                    self._secrets.append(("proof", len(ours).to_bytes(4, "big") + ours + msgpack.encode(message)))
                    self._notices.append(Alarm("the host tells two histories"))
            case messages.Entries():
                self._entries_of(link, far, message)
            case messages.Heartbeat():
                self._heartbeat_of(link, far, message)
            case messages.Get(index):
                self._serve(link, index)
            case messages.Act():
                self._take_leave(far, message)
            case messages.Welcome() | messages.View() | messages.Ack() | messages.Share() | messages.Audit():
                pass  # said to whom we were a moment ago
            case messages.Chat() | messages.Held() | messages.Ready() | messages.Clock() | messages.Standing():
                pass
            case messages.Refused() | messages.Want():
                pass
            case _:
                raise ProtocolError(f"{type(message).__name__} from a member")

    def _found_host(self, link: LinkId, far: Far, term: int) -> None:
        """A member that we dialled is the host by now."""
        if term >= self._election.term:
            far.stage = Stage.TABLE
            self.guest.adopt(link, far.key, self._now)
            self._take_guest(self.guest.handle(Woke(), self._now))

    def _entries_of(self, link: LinkId, far: Far, message: messages.Entries) -> None:
        """A member sends entries: it is host by now, or we asked it for what we lack."""
        whole = self.guest.take_entries(message, self._now)
        self._take_guest(self.guest.handle(Woke(), self._now))
        if not whole:
            self._send(link, messages.Get(self.guest.ask_from))

    def _heartbeat_of(self, link: LinkId, far: Far, message: messages.Heartbeat) -> None:
        """A member says that it is host."""
        if message.term < self._election.term:
            if self._election.stale is not None:
                self._send(link, self._election.stale)
        elif message.term > self.guest.public.term:
            self._send(link, messages.Get(self.guest.ask_from))

    def _serve(self, link: LinkId, index: int) -> None:
        """A member lacks entries that we hold."""
        journal = self.guest.journal
        while index < len(journal):
            wires = batch(journal.wires, index)
            self._send(link, messages.Entries(max(0, self.guest.committed), wires))
            index += len(wires)

    def _follow_stale(self, link: LinkId, message: Message) -> None:
        """Somebody shows us the entry that a later term begins with: what lies between, we ask for."""
        if isinstance(message, messages.Stale) and message.what == messages.RAISED_BY_ENTRY:
            self._send(link, messages.Get(self.guest.ask_from))

    def _take_peers(self, message: messages.Peers) -> None:
        told = {key: addresses for key, addresses in message.peers if addresses}
        self._mesh.addresses |= told
        self._secrets.append((PEERS, msgpack.encode(sorted(self._mesh.addresses.items()))))

    # ---- leaving

    def _leave(self, reason: LeaveReason) -> None:
        """A host hands over before it goes, where there is somebody to take over."""
        if self.host is None:
            self._election.leave()
            self._say_leave(reason)
            self._to_guest(Left(reason))
            return
        self._leaving, self._go_by = reason, self._now + GOING_SECONDS
        self._hand_over()

    def _say_leave(self, reason: LeaveReason) -> None:
        """Without a host the good-bye goes to all members: the next host journals it (protocol 7.2)."""
        if self.guest.welcomed or not self._is_voter:
            return
        said = self.guest.leave_said(reason)
        for link in self._mesh.members().values():
            self._send(link, said)

    def _take_leave(self, far: Far, said: messages.Act) -> None:
        if decode_envelope(said.envelope).kind is ActKind.LEAVE:
            self._leaves[far.key] = said
        # any other act was for a host that is one no more: its player says it again

    def _hand_over(self) -> None:
        host = self.host
        if host is None:
            return
        try:
            self._take_host(host.handle(Ordered(("handover", "")), self._now))
            self._run()
        except UserError:
            self._close_table()

    def _close_table(self) -> None:
        """Nobody is there to take over: the table ends with us."""
        if self.host is not None:
            self._go_by = None
            who = self.guest.public.nick_of(self._identity.key) or "the host"
            self._to_host(Ordered(("close", f"{who} closed the table")))

    def _hang_up(self) -> None:
        """Our person is gone without a word."""
        if self.host is not None and not self._alone:
            self._hangs_up, self._go_by = True, self._now + GOING_SECONDS
            self._hand_over()
        else:
            self._drop_everything()

    def _drop_everything(self) -> None:
        """We go without a good-bye: the seat is kept for us for a while."""
        self._go_by = None
        for link in list(self._mesh.links):
            self._mesh.down(link)
        self.guest.hung_up()
        self._take_guest(self.guest.handle(Woke(), self._now))

    # ---- who is host

    def _drive(self) -> None:
        """Lets the clocks of election and hand-over run, and does what comes of them."""
        self._align()
        now, guest = self._now, self.guest
        if self.host is not None:
            if self.host.active(now):
                self._host_seen = now
                self._election.host_heard(now)
            if self.host.stopped or self._election.raised:
                self._stop_hosting()
            elif self.host.handed_over:
                self._handed_over()
        guest.term, guest.linked = self._election.term, self._linked_bits()
        guest.vote_file, guest.may_ack = self._election.vote_file, self._election.may_ack
        for link in self._mesh.tick(now):
            self._mesh.close(link, Close(Reason.BYE, "no word from you"))
        if guest.entered and not guest.finished and self._leaving is None:
            self._election.tick(now, self._mesh.linked())
            self._succeed()
            if self._election.won is not None:
                self._won(self._election.won)
            self._watch()
        self._drain()
        self._give_share()
        self._go()

    def _drain(self) -> None:
        """What election and fork have to say; their files are written before."""
        for machine in (self._election, self._forking):
            if machine.kept is not None:
                self._secrets.append((VOTES, machine.kept))
                machine.kept = None
            for key, message in machine.sent:
                link = self._mesh.to(key)
                if link is not None:
                    self._send(link, message)
            machine.sent.clear()
            self._notices += machine.notices
            machine.notices.clear()

    def _align(self) -> None:
        """The link to the host is the one to whom the journal says is host; all others are between members."""
        guest, books = self.guest, self.guest.public
        if self.host is not None or not guest.entered or guest.finished:
            return
        link = guest.host_link
        far = None if link is None else self._mesh.links.get(link)
        if far is not None and far.key == books.host:
            return
        if link == OWN_LINK or (link is not None and far is None):
            self._to_guest(LinkDown(link))
        elif link is not None and far is not None and guest.welcomed:
            self._to_guest(LinkDown(link))
            self._as_member(link, far)
        there = self._mesh.members().get(books.host)
        if there is not None and self._election.term <= books.term:
            self._mesh.links[there].stage = Stage.TABLE
            guest.adopt(there, books.host, self._now)
            self._before_seen, self._host_seen = self._host_seen, self._now
            self._election.host_heard(self._now)
            self._take_guest(guest.handle(Woke(), self._now))

    def _as_member(self, link: LinkId, far: Far) -> None:
        """A link of the table's goes on between members, or ends."""
        if self._is_voter and far.key in self.guest.public.voters:
            far.stage = Stage.MEMBER
            self._mesh.keepalive(link)
        else:
            self._send(link, self.info())
            self._send(link, Close(Reason.NOT_THE_HOST, "another program is this table's host"))

    def _stop_hosting(self) -> None:
        """Somebody else is certified, or asks for votes, for a later term: we are a member like others."""
        if self.host is None:
            return
        self.host = None
        self._queue.clear()
        self._to_guest(LinkDown(OWN_LINK))
        for link, far in list(self._mesh.links.items()):
            if far.stage is Stage.TABLE:
                self._as_member(link, far)

    def _handed_over(self) -> None:
        """The successor has what it needs: we follow it as soon as it says so."""
        self._stop_hosting()
        if self._hangs_up:
            self._drop_everything()

    def _succeed(self) -> None:
        """We take over from a host that hands over to us."""
        guest, given = self.guest, self.guest.public.handover
        if self.host is not None or given is None or given.successor != self._identity.key:
            self._take_at = None
            return
        if guest.committed < guest.journal.last or given.term < self._election.term:
            return
        if self._take_at is None:
            self._take_at = self._now + SECRET_SECONDS
        current = guest.public.round
        epoch, secret = self._secret
        if current is None or epoch == current.first_epoch or self._now >= self._take_at:
            self._take_at = None
            self._take_over(
                (), guest.journal.last, self._now, secret if current and epoch == current.first_epoch else b""
            )

    def _won(self, certificate: Certificate) -> None:
        """Enough of the voters want us for the term."""
        self._election.won = None
        if self.host is None:
            self._take_over(certificate.votes, 0, certificate.asked_at, b"")

    def _take_over(self, votes: tuple[Vote, ...], handover: int, asked_at: float, secret: bytes) -> None:
        guest = self.guest
        links = [(link, far.key) for link, far in self._mesh.links.items() if far.stage in (Stage.MEMBER, Stage.TABLE)]
        if guest.host_link is not None:
            self._to_guest(LinkDown(guest.host_link))
        host, effects = Host.take_over(
            self._identity,
            self._random,
            self._wall,
            guest.journal,
            certificate=votes,
            handover=handover,
            asked_at=asked_at,
            match=guest.match,
            secret=secret,
            share=guest.share,
            links=links,
            closes_after_match=self._means.closes,
            gate=self._means.gate,
            addresses=guest.addresses,
            now=self._now,
        )
        self._begin_hosting(host, effects)

    def _begin_hosting(self, host: Host, effects: Effects) -> None:
        """From here on the same links are those of our table."""
        self.host = host
        self._host_seen, self._changing = self._now, False
        for far in self._mesh.links.values():
            if far.stage is Stage.MEMBER:
                far.stage = Stage.TABLE
        self._take_host(effects)
        self._seat_own_guest()
        leaves, self._leaves = self._leaves, {}
        for said in leaves.values():
            self._take_host(host.left_meanwhile(said, self._now))
            self._run()

    def _give_to_host(self, link: LinkId, far: Far) -> None:
        """A member that we dialled while we are host."""
        if self.host is not None:
            far.stage = Stage.TABLE
            self._take_host(self.host.adopt(link, far.key, self._now))
            self._run()

    # ---- shares

    def _share_asked(self, link: LinkId, far: Far, message: messages.ShareAsk) -> None:
        """A new host wants our share: only one that is certified, and not before we may have voted for it (R2)."""
        books = self.guest.public
        if far.key != books.host or self.host is not None:
            return
        begun = next((entry for entry in reversed(books.journal.entries) if entry.kind in BEGINS), None)
        if begun is None or begun.term != books.term:
            return
        waits = self._before_seen + DEAD if _by_votes(begun.pub, begun.kind) else self._now
        self._shares_due = (link, message.epoch, waits)

    def _give_share(self) -> None:
        due, share = self._shares_due, self.guest.share
        if due is None or self._now < due[2]:
            return
        self._shares_due = None
        link, epoch, _ = due
        far = self._mesh.links.get(link)
        if share is not None and share[0] == epoch and far is not None and far.key == self.guest.public.host:
            self._send(link, messages.Share(*share))

    # ---- what is told

    def _watch(self) -> None:
        """Says when the table stands still, for whom it waits, and when it goes on."""
        now, books = self._now, self.guest.public
        gone = self._hostless and self.guest.public.host != self._identity.key
        changing = gone and len(books.voters) > 2 and not self._missing
        if changing and not self._changing:
            self._notices.append(HostChanging(books.nick_of(books.host)))
        self._changing = changing
        halted = self.host is not None and not self.host.active(now)
        missing = self._missing if gone or halted else ()
        if missing != self._waiting:
            self._waiting = missing
            self._notices.append(TableWaits(missing))
        self._forking.look(missing, now, self._mesh.linked(), headless=not self._means.asks)
        if self._forking.done is not None:
            self._fork()

    @property
    def _missing(self) -> tuple[str, ...]:
        """Nicks of the voters that a majority hangs on; none where one is here."""
        books = self.guest.public
        here = self._mesh.linked() | {self._identity.key}
        if len(books.voters) == 2:
            enough = here >= set(books.voters)
        else:
            enough = len(here & set(books.voters)) >= quorum(len(books.voters))
        return () if enough else tuple(books.nick_of(key) for key in books.voters if key not in here)

    def _linked_bits(self) -> int:
        linked = self._mesh.linked() | {self._identity.key}
        return sum(1 << place for place, key in enumerate(self.guest.public.voters[:32]) if key in linked)

    def _go(self) -> None:
        """Goes, when the table is in other hands or it takes too long."""
        if self._go_by is None:
            return
        if self.host is None and self._leaving is not None and self.guest.welcomed:
            self._go_by, reason = None, LeaveReason.HANDED_OVER
            self._election.leave()
            self._drain()
            self._to_guest(Left(reason))
        elif self._now >= self._go_by:
            self._go_by = None
            if self.host is not None and not self._hangs_up:
                self._close_table()
            else:
                self._drop_everything()

    def _done(self) -> Effects:
        """Everything that this input led to, in one piece."""
        self._run()
        if not self.finished:
            self._drive()
            self._run()
        times = [*self._wakes, self._now + TICK]
        if self.host is not None and not self.host.closed:
            times.append(self.host.wake_at)
        times += [time for time in (self._go_by, self._take_at) if time is not None]
        guest = self.guest.wake_at
        if guest is not None:
            times.append(guest)
        wake_at = None if self.finished else max(min(times), self._now)
        done = Effects(
            tuple(self._secrets),
            tuple(self._entries),
            tuple(self._outgoing),
            tuple(self._notices),
            wake_at,
            self._rewind,
        )
        self._reset()
        return done


def _begins_term(message: Message, term: int) -> bool:
    """Whether the message brings an entry that begins a term as late as this one."""
    if not isinstance(message, messages.Entries):
        return isinstance(message, messages.Welcome) and message.term >= term
    entries = (decode_wire(wire)[0] for wire in message.wires)
    return any(entry.kind in BEGINS and entry.term >= term for entry in entries)


def _by_votes(pub: bytes, kind: EntryKind) -> bool:
    body = decode_pub(kind, pub)
    return bool(getattr(body, "votes", ()))


def _read_peers(data: bytes) -> dict[bytes, tuple[bytes, ...]]:
    return dict(msgpack.decode(data, type=list[tuple[bytes, tuple[bytes, ...]]]))
