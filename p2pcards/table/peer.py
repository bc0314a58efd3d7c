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

from collections.abc import Callable

from msgspec import msgpack
from msgspec.structs import replace

from p2pcards import PROTOCOL, __version__
from p2pcards.errors import ProtocolError, UserError
from p2pcards.table.certificates import BEGINS
from p2pcards.table.effects import (
    Agreed,
    BotChose,
    Effects,
    GoOn,
    HungUp,
    Input,
    KeptUp,
    Left,
    LinkDown,
    LinkId,
    LinkUp,
    Ordered,
    Received,
    Slept,
    Unkept,
    Woke,
)
from p2pcards.table.election import DEAD, Election
from p2pcards.table.escrow import quorum
from p2pcards.table.fellows import Fellows
from p2pcards.table.follower import Elsewhere, TwoHeads
from p2pcards.table.forking import Forking
from p2pcards.table.guest import PROOF, Guest
from p2pcards.table.host import Host
from p2pcards.table.lull import TICK, Lull
from p2pcards.table.mesh import UP, Far, Mesh, Stage
from p2pcards.table.notices import Alarm, HostChanging, LinkBack, TableWaits
from p2pcards.table.pair import Pair
from p2pcards.table.parting import Parting
from p2pcards.table.reign import Kept, Means, Reign
from p2pcards.table.tableview import TableView
from p2pcards.table.votefile import VOTES, VoteFile
from p2pcards.table.waking import Waking
from p2pcards.wire import messages
from p2pcards.wire.entries import decode_wire
from p2pcards.wire.envelope import LeaveReason
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Close, Message, Reason
from p2pcards.wire.text import clean
from p2pcards.wire.vote import Vote

PEERS = "peers"
"""Name of the file that keeps where the members are reached."""

SLEPT = 2.5
"""Two inputs so far apart, with a machine that wakes every second, mean that this machine slept (protocol 7.1)."""

_MEANS = Means()

_ELECTION = (messages.PrevoteAsk, messages.Prevote, messages.VoteAsk, Vote, messages.Stale)
_FORK = (messages.ForkAsk, messages.ForkSay)
_NO_HOST = (*_ELECTION, *_FORK)
_NEWEST = (messages.Keepalive, messages.Ack)

_FOR_GOOD = frozenset({Reason.KICKED, Reason.BANNED, Reason.VERSION})
"""Answers to a member's HELLO after which it need not come again."""


class Peer:
    """`handle` takes one input and gives what is to be done."""

    def __init__(
        self,
        identity: Identity,
        random: Callable[[int], bytes],
        wall: float,
        guest: Guest,
        host: Host | None = None,
        means: Means = _MEANS,
        *,
        kept: Kept | None = None,
        now: float = 0.0,
    ) -> None:
        """wall: unix seconds minus the machines' `now`. kept: of a table that we come back to."""
        self._identity, self._means, self.guest = identity, means, guest
        self._pair = Pair(identity.key, guest, host, now, lambda link: self._mesh.down(link))
        self._mesh = Mesh(identity.key, guest, self._pair.send)
        votes, same_boot = b"", True
        if kept is not None:
            votes, same_boot = kept.secrets.get(VOTES, b""), kept.same_boot
            guest.recall(kept.wires, kept.secrets)
            self._mesh.recall(kept.secrets.get(PEERS, b""))
        self._election = Election(identity, guest.public, VoteFile.decode(votes), now, same_boot=same_boot)
        guest.keeps_votes, guest.may_ack = lambda: self._election.vote_file, lambda: self._election.may_ack
        self._forking = Forking(identity, guest.public, self._election, random)
        self._reign = Reign(identity, random, wall, self._pair, self._mesh, self._election, means, self.info, kept)
        self._fellows = Fellows(
            self._pair,
            self._mesh,
            self._election,
            self._reign,
            self.info,
            lambda: self._hostless,
            lambda: bool(self._waiting),
            means.gate.lab,
        )
        self._looked = now
        self._parting = Parting(identity.key, self._pair, self._mesh, self._election, self._drain)
        self._waiting: tuple[str, ...] = ()
        self._told_waiting: tuple[str, ...] = ()
        self._changing = False
        self._waking = Waking()
        self._lull = Lull(self._pair, self._mesh, self._election, self._forking, self._reign, self._parting)

    # ---- what the shell and the screens read

    @property
    def host(self) -> Host | None:
        """The host, while the table is ours."""
        return self._pair.host

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
            asks_at=self._forking.asks_at if self._waiting else None,
        )

    @property
    def wanted(self) -> dict[bytes, tuple[bytes, ...]]:
        """Whom `net` should dial now: the host that we lost, and the voters that we have no link to."""
        guest, books = self.guest, self.guest.public
        if not guest.entered or guest.finished:
            return {}
        keys = {*books.voters, books.host}  # a member leads us to the host, wherever it is by now
        keys.difference_update([self._identity.key, *[far.key for far in self._mesh.links.values()]])
        if not keys or self._parting.alone or not (self._is_voter or guest.host_link is None):
            return {}
        if self.host is not None or guest.welcomed:
            keys -= self._mesh.elsewhere
        return {key: self._mesh.addresses.get(key, ()) for key in sorted(keys)}

    @property
    def _is_voter(self) -> bool:
        return self._identity.key in self.guest.public.voters

    @property
    def _hostless(self) -> bool:
        """Whether we have had no word from a host for too long."""
        return self.host is None and not self.guest.welcomed and self._pair.now >= self._reign.seen + DEAD

    # ---- the one way in

    def open(self, now: float) -> Effects:
        """Begins a table of our own."""
        if self.host is None:
            raise ValueError("not our table")
        self._pair.now = self._looked = self._reign.seen = now
        self._election.welcomed(-1)
        self._pair.take_host(self.host.open(now))
        self._pair.seat_own_guest()
        return self._done()

    def resume(self, now: float) -> Effects:
        """Begins again with a table that we come back to, from what we kept of it."""
        self._pair.now = self._looked = now
        self._reign.resume()
        if self.host is not None:
            self._waking.slept(now)
        return self._done()

    def order(self, words: tuple[str, ...], now: float) -> Effects:
        """What the person at the host's keyboard orders; UserError when it can't be done, and nothing has changed."""
        if self.host is None:
            raise UserError("Only the host can do that.")
        self._look(now)
        self._pair.take_host(self.host.handle(Ordered(words), now))
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
                self._pair.to_host(happened)
            case Left(reason):
                self._parting.leave(LeaveReason(reason))
            case HungUp():
                self._parting.hang_up()
            case GoOn(yes):
                self._forking.go_on(yes, now)
            case Unkept(journal):
                self._election.unkept(journal)
                if not journal:
                    self._pair.to_guest(happened)
            case KeptUp():
                self._election.kept_up()
            case Slept(wall):
                self._slept(wall)
            case Woke():
                self._pair.to_host(happened)
                self._pair.to_guest(happened)
            case _:
                self._pair.to_guest(happened)
        return self._done(happened)

    def _look(self, now: float) -> None:
        """Time has passed; maybe we slept through it."""
        slept = now - self._looked > SLEPT
        self._pair.now = self._looked = now
        if slept:
            self._slept(self._reign.wall)

    def _slept(self, wall: float) -> None:
        """Who is host may have changed meanwhile."""
        self._reign.wall = wall
        self._election.slept(self._pair.now)
        self._reign.seen = self._pair.now
        if self.host is not None:
            self.host.slept(self._pair.now, wall)
            self._waking.slept(self._pair.now)

    # ---- links

    def _link_up(self, link: LinkId, key: bytes, session: bytes, dialled: bool) -> None:
        far = self._mesh.up(link, key, session, dialled, self._pair.now)
        guest = self.guest
        if self.host is not None:
            if dialled:
                self._mesh.ask(link)
            else:
                far.stage = Stage.TABLE
                self._pair.to_host(LinkUp(link, key, session))
        elif not dialled:
            pass  # the first word is theirs
        elif guest.host_link is None and not (guest.entered and self._is_voter):
            far.stage = Stage.TABLE
            self._pair.to_guest(LinkUp(link, key, session))
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
            self._pair.to_host(LinkDown(link))
        elif link == self.guest.host_link:
            self._pair.to_guest(LinkDown(link))

    # ---- messages

    def _received(self, link: LinkId, message: Message) -> None:
        far = self._mesh.links.get(link)
        if far is None:
            return
        far.heard = self._pair.now
        if isinstance(message, _NEWEST):
            far.newest = max(far.newest, (message.term, message.index))
        voter = far.stage in UP and far.key in self.guest.public.voters
        try:
            if voter and isinstance(message, _ELECTION):
                if self._is_voter:  # who has no vote waits for the next host, and need not know more
                    self._election.take(far.key, message, self._pair.now)
                    self._follow_stale(link, message)
            elif voter and isinstance(message, _FORK):
                self._forking.take(far.key, message, self._pair.now)
            elif voter and isinstance(message, messages.ShareAsk):
                self._reign.share_asked(link, far.key, message.epoch)
            elif voter and isinstance(message, messages.Secret) and self._pair.host is None:
                if far.key == self.guest.public.host:
                    self._reign.secret(message)
            elif isinstance(message, messages.Peers) and far.key == self.guest.public.host:
                self._take_peers(message)
            elif voter and self._pair.host is not None and (begun := _begun(message, self._election.term + 1)):
                # it hosts, and took us for a member like others
                shown = messages.Stale(messages.RAISED_BY_ENTRY, begun)
                self._election.take(far.key, shown, self._pair.now)
            elif far.stage is Stage.TABLE:
                self._at_table(link, far, message)
            elif isinstance(message, Close):
                self._mesh.down(link)
                self._turned_away(far, message)
            else:
                self._fellows.take(link, far, message)
        except ProtocolError as error:
            self._wrong(link, far, error)

    def _wrong(self, link: LinkId, far: Far, error: ProtocolError) -> None:
        """What nobody honest says: the link ends, and the player is told of it where it is a member's."""
        if isinstance(error, Elsewhere):
            self._mesh.elsewhere.add(far.key)
            self._mesh.close(link, Close(Reason.BYE, ""))
            if far.stage is Stage.TABLE:
                self._lost(link)
            return
        if isinstance(error, TwoHeads):
            self._pair.secrets.append((PROOF, error.proof))
        if far.stage is Stage.MEMBER:
            said = str(error) if isinstance(error, TwoHeads) else f"{self.guest.public.nick_of(far.key)}: {error}"
            self._pair.notices.append(Alarm(clean(said, 300)))
        self._mesh.close(link, Close(Reason.BROKEN, "that message makes no sense here"))
        if far.stage is Stage.TABLE:
            self._lost(link)

    def _turned_away(self, far: Far, last: Close) -> None:
        """Whom we came back to may not let us in any more: that is for the host to say, or for the only one here."""
        guest, mesh = self.guest, self._mesh
        named = far.key == guest.public.host or any(
            host == far.key for member, host in mesh.named.items() if member != far.key
        )
        asked = far.stage is Stage.ASKED and self.host is None and guest.host_link is None
        if asked and last.reason in _FOR_GOOD and (named or (self._hostless and not mesh.linked())):
            guest.turned_away(last)
            self._pair.to_guest(Woke())

    def _at_table(self, link: LinkId, far: Far, message: Message) -> None:
        """Between host and guest, whichever of the two we are."""
        if isinstance(message, Close):
            self._mesh.down(link)
        if self._pair.host is not None:
            self._pair.to_host(Received(link, message))
            return
        if link != self.guest.host_link:
            return
        if isinstance(message, Close) and message.reason == Reason.SUPERSEDED and self._mesh.has(far.key):
            self.guest.let_go()  # we came in ourselves, by the other link: both ends had dialled
            if (other := self._mesh.to(far.key)) is not None:
                self._reign.said_to_host(other, self._mesh.links[other])
            return
        if isinstance(message, messages.Keepalive):
            return  # so speaks a member that was host, while we don't know it: a host says heartbeats
        if isinstance(message, messages.Act):
            self._fellows.take_leave(far, message)  # so it goes once it has handed over, maybe before we know of that
            return
        if isinstance(message, _NO_HOST):
            return  # the word of who was host, and has no vote by now
        entered = self.guest.entered and not self.guest.welcomed
        if isinstance(message, messages.Welcome) and entered and not self._may_be_host(far, message):
            self.guest.let_go()
            self._mesh.close(link, Close(Reason.BYE, ""))
            return
        over = isinstance(message, messages.Heartbeat) and message.term < self._election.term
        raised = self._election.raised and self._is_voter and not _begins_term(message, self._election.term)
        if (over or raised) and self.guest.entered:
            if isinstance(message, (messages.Heartbeat, messages.Entries)) and self._election.stale is not None:
                self._pair.send(link, self._election.stale)
            if isinstance(message, Close):
                self._pair.to_guest(LinkDown(link))
            return
        if isinstance(message, messages.Info):
            self._mesh.addresses[message.host] = message.addresses
            self._mesh.leads(far.key, message.host, self._pair.now)
        self._pair.to_guest(Received(link, message))
        if isinstance(message, messages.Welcome):
            self._election.welcomed(message.last)
        if self.guest.welcomed and far.key == self.guest.public.host:
            self._reign.heard()

    def _may_be_host(self, far: Far, said: messages.Welcome) -> bool:
        """Whether who lets us in can be: a member may have taken our word for that of another, and one that was host
        not know yet that a later term has begun."""
        books = self.guest.public
        return said.host == far.key and (said.term >= books.term or said.table != books.table)

    def _follow_stale(self, link: LinkId, message: Message) -> None:
        """Somebody shows us the entry that a later term begins with: what lies between, we ask for, unless we have."""
        shown = isinstance(message, messages.Stale) and message.what == messages.RAISED_BY_ENTRY
        if shown and link != self.guest.host_link:
            self._pair.send(link, messages.Get(self.guest.ask_from))

    def _take_peers(self, message: messages.Peers) -> None:
        told = {key: addresses for key, addresses in message.peers if addresses}
        self._mesh.addresses |= told
        self._pair.secrets.append((PEERS, msgpack.encode(sorted(self._mesh.addresses.items()))))

    # ---- who is host

    def _drive(self) -> None:
        """Lets the clocks of election and hand-over run, and does what comes of them."""
        stood = self._lull.stands
        self._reign.align()
        now, guest, host = self._pair.now, self.guest, self._pair.host
        if host is not None:
            if host.active(now):
                self._reign.heard()
            if host.stopped or self._election.raised:
                self._reign.stop()
            elif host.handed_over:
                self._reign.stop()
                if self._parting.hangs_up:
                    self._parting.drop()
        for link in self._mesh.tick(now):
            self._mesh.close(link, Close(Reason.BYE, "no word from you"))
        linked = self._mesh.linked()
        guest.term, guest.linked = self._election.term, self._bits(linked)
        if guest.entered and not guest.finished and self._parting.leaving is None:
            self._election.tick(now, linked)
            self._reign.succeed()
            won, self._election.won = self._election.won, None
            if won is not None:
                self._drain()
                self._reign.won(won)
            self._watch()
        self._drain()
        self._reign.give_share()
        self._parting.go()
        self._lull.begins(stood)

    def _drain(self) -> None:
        """What election and fork have to say; their files are written before."""
        if self._election.kept is not None:
            self._pair.secrets.append((VOTES, self._election.kept))
            self._election.kept = None
        for proof in self._election.proofs:
            self._pair.secrets.append((PROOF, msgpack.encode(proof)))
        self._election.proofs.clear()
        for machine in (self._election, self._forking):
            for key, message in machine.sent:
                link = self._mesh.to(key)
                if link is not None:
                    self._pair.send(link, message)
            machine.sent.clear()
            self._pair.notices += machine.notices
            machine.notices.clear()

    # ---- what is told

    def _watch(self) -> None:
        """Says when the table stands still, for whom it waits, and when it goes on."""
        now, books = self._pair.now, self.guest.public
        gone = self._hostless
        here = self._here
        known = self._is_voter or (gone and here)
        lacking = self._missing(here) if known else ()
        changing = bool(gone and known) and len(books.voters) > 2 and not lacking
        if changing and not self._changing:
            self._pair.notices.append(HostChanging(books.nick_of(books.host)))
        self._changing = changing
        halted = self.host is not None and not self.host.active(now)
        missing = lacking if gone or halted else ()
        self._waiting = missing
        if self._told_waiting != missing and (missing or not (gone or halted)):  # it goes on once somebody hosts
            self._told_waiting = missing
            self._say_waits(missing)
        stuck = bool(missing) or self._reign.orphaned
        heard = {key: newest for key, newest in self._mesh.newest().items() if self._is_heard(key)}
        self._forking.look(stuck, now, heard, headless=not self._means.asks)
        if self._forking.longest is not None and (link := self._mesh.to(self._forking.longest)) is not None:
            self._pair.send(link, messages.Get(self.guest.ask_from))
        done, self._forking.done = self._forking.done, None
        if done is not None:
            self._drain()
            self._waiting = self._told_waiting = ()  # that it goes on is told with those whom it goes on without
            self._reign.fork(done)

    def _say_waits(self, missing: tuple[str, ...]) -> None:
        """The table stands still, or goes on: then that comes before what bots do at once."""
        told = self._pair.notices
        line = next((place for place, one in enumerate(told) if not isinstance(one, LinkBack)), len(told))
        told.insert(len(told) if missing else line, TableWaits(missing))

    def _is_heard(self, key: bytes) -> bool:
        """Whether a link to that member is more than a line that nobody has cut: a host keeps those that are silent."""
        return self.host is None or self.host.hears(key)

    @property
    def _here(self) -> set[bytes]:
        """Who is here, of the voters; while we have no vote, and no host, those who answer us."""
        if not self._is_voter and self.host is None:
            return self._mesh.hostless(self._pair.now)
        return {key for key in self._mesh.linked() if self._is_heard(key)} | {self._identity.key}

    def _missing(self, here: set[bytes]) -> tuple[str, ...]:
        """Nicks of the voters that a majority hangs on; none where one is here."""
        books = self.guest.public
        if len(books.voters) == 2:
            enough = here >= set(books.voters)
        else:
            enough = len(here & set(books.voters)) >= quorum(len(books.voters))
        return () if enough else tuple(books.nick_of(key) for key in books.voters if key not in here)

    def _bits(self, linked: set[bytes]) -> int:
        """These and ourselves, as a bit set over the voter list."""
        bits = 0
        for place, key in enumerate(self.guest.public.voters[:32]):
            if key in linked or key == self._identity.key:
                bits |= 1 << place
        return bits

    def _done(self, happened: Input | None = None) -> Effects:
        """Everything that this input led to, in one piece. happened: None where the table begins, or is ordered to."""
        pair = self._pair
        pair.run()
        if not self.finished and (happened is None or not self._lull.lasts(happened)):
            self._drive()
            pair.run()
        if pair.told is not None:
            self._take_peers(pair.told)
        pair.notices = self._waking.sift(pair.notices, pair.now, hosts=self.host is not None)
        return pair.done(None if self.finished else self._due)

    @property
    def _due(self) -> float:
        """When the first of all clocks is due."""
        now, at = self._pair.now, self._pair.wake_at
        due = min(self._lull.next, now + TICK)
        return max(due if at is None else min(due, at), now)


def _begins_term(message: Message, term: int) -> bool:
    """Whether the message brings an entry that begins a term as late as this one."""
    return bool(_begun(message, term)) or (isinstance(message, messages.Welcome) and message.term >= term)


def _begun(message: Message, term: int) -> bytes:
    """The first entry in it that begins a term as late as this one; empty where there is none."""
    wires = message.wires if isinstance(message, messages.Entries) else ()
    entries = ((wire, decode_wire(wire)[0]) for wire in wires)
    return next((wire for wire, entry in entries if entry.kind in BEGINS and entry.term >= term), b"")
