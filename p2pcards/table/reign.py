"""Who is host, as one program follows it: it takes over, steps down, hands over, and finds the host's link again.

The journal says who is host. Whatever brought that about (votes, a HANDOVER, a FORK), this room makes the links and
the machines agree with it, and nothing here decides who may be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from p2pcards.table.certificates import BEGINS, ELECTS
from p2pcards.table.deal import commitment
from p2pcards.table.door import Gate
from p2pcards.table.effects import Effects, LinkId, LinkUp, Woke
from p2pcards.table.election import DEAD, Certificate, Election
from p2pcards.table.host import Host
from p2pcards.table.mesh import UP, Far, Mesh, Stage
from p2pcards.table.pair import Pair
from p2pcards.wire import messages
from p2pcards.wire.entries import Fork, TermStart, decode_pub
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Close, Reason
from p2pcards.wire.vote import Vote

SECRET_SECONDS = 1.0
"""How long a successor waits for R behind the commit of its HANDOVER."""

_OPEN = Gate()


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


class Reign:
    """One program's part in the changes of the host. info: what is told to who looks for the host here.

    wall: unix seconds minus the machines' `now`, which a host's clock of days begins with.
    """

    def __init__(
        self,
        identity: Identity,
        random: Callable[[int], bytes],
        wall: float,
        pair: Pair,
        mesh: Mesh,
        election: Election,
        means: Means,
        info: Callable[[], messages.Info],
        kept: Kept | None,
    ) -> None:
        self._identity, self._random, self.wall, self._kept = identity, random, wall, kept
        self._pair, self._mesh, self._election, self._means, self._info = pair, mesh, election, means, info
        self.seen = self._before = pair.now  # when the host was last heard, and when the one before it was
        self._secret: tuple[int, bytes] = (0, b"")  # first epoch and R, from a host that hands over
        self._dealt: tuple[int, bytes] = (0, b"")  # the same of a round that we dealt, before we stopped
        self.take_at: float | None = None  # we are the successor: when we take over without R
        self._asked: tuple[LinkId, int, float] | None = None  # for our share: link, epoch, when it may go
        self._forsaken_for = b""  # key of whom we left our own table for
        self._leaves: dict[bytes, messages.Act] = {}  # of members who left while nobody was host

    # ---- the host's link

    def heard(self) -> None:
        """The host said something."""
        self.seen = self._pair.now
        self._election.host_heard(self._pair.now)

    def align(self) -> None:
        """The link to the host is the one to whom the journal says is host; all others are between members."""
        pair, guest, books = self._pair, self._pair.guest, self._pair.guest.public
        if self._forsaken_for and guest.host_link is None:
            self._again()
        if pair.host is not None or not guest.entered or guest.finished:
            return
        link = guest.host_link
        for other, former in list(self._mesh.links.items()):
            if former.stage is Stage.TABLE and other != link:
                self.as_member(other, former)
        far = None if link is None else self._mesh.links.get(link)
        raised = self._election.raised and self._identity.key in books.voters
        over = raised or (far is not None and far.key != books.host and guest.caught_up)
        if link is not None and (far is None or over):
            guest.let_go()
            if far is not None:
                self.as_member(link, far)

    def said_to_host(self, link: LinkId, far: Far) -> None:
        """The far end of a member link speaks as a host does: we follow it, where the journal says that it is.

        Where we have a line to it already, this was said on an older one, before it heard of the other.
        """
        guest = self._pair.guest
        if self._pair.host is None and far.key == guest.public.host and not self._election.raised:
            line = None if guest.host_link is None else self._mesh.links.get(guest.host_link)
            if line is not None and line.key == far.key:
                return
            if guest.host_link is not None:
                guest.let_go()
            self.follow(link, far.key)

    def follow(self, link: LinkId, key: bytes, last: int = -1, whole: bool = False) -> None:
        """The far end of a member link is host: the same link goes on as the host's.

        last: its newest entry, if it said. whole: its journal is read from the beginning.
        """
        self._mesh.links[link].stage = Stage.TABLE
        self._before = self.seen
        self._pair.guest.adopt(link, key, last, self._pair.now, whole)
        self.heard()
        self._pair.to_guest(Woke())

    def as_member(self, link: LinkId, far: Far) -> bool:
        """A link of the table's goes on between members, or ends; whether it goes on."""
        voters = self._pair.guest.public.voters
        stays = self._identity.key in voters and far.key in voters
        if stays:
            far.stage = Stage.MEMBER
            self._mesh.keepalive(link)
        else:
            self._pair.send(link, self._info())
            self._pair.send(link, Close(Reason.NOT_THE_HOST, "another program is this table's host"))
        return stays

    # ---- being host

    def stop(self) -> None:
        """Somebody else is certified, or asks for votes, for a later term: we are a member like others."""
        host = self._pair.host
        if host is None:
            return
        if host.public.round and host.secret:
            self._dealt = host.public.round.first_epoch, host.secret
        self._pair.drop_host()
        self._pair.guest.let_go()
        proof = self._election.stale if self._election.raised else None
        for link, far in list(self._mesh.links.items()):
            if far.stage is Stage.TABLE and host.has_let_in(link):
                if self.as_member(link, far) and proof is not None:
                    self._pair.send(link, proof)  # who hears nobody else waits for us in vain
            elif far.stage is Stage.TABLE and host.has_at_door(link):
                self._mesh.close(link, Close(Reason.MEMBERS_ONLY, "this table has no host just now"))
            elif far.stage is Stage.TABLE:
                far.stage = Stage.NEW  # its first word is yet to come

    def won(self, certificate: Certificate) -> None:
        """Enough of the voters want us for the term."""
        if self._pair.host is None:
            self._take_over(certificate.votes, 0, certificate.asked_at, self._root())

    def secret(self, message: messages.Secret) -> None:
        """R, from the host that hands over to us."""
        self._secret = (message.epoch, message.secret)

    def succeed(self) -> None:
        """We take over from a host that hands over to us, when that is committed, and R is here or overdue."""
        pair, guest = self._pair, self._pair.guest
        given, current = guest.public.handover, guest.public.round
        if pair.host is not None or given is None or given.successor != self._identity.key:
            self.take_at = None
            return
        if guest.committed < guest.journal.last or self._election.term >= given.term or not self._election.may_ack:
            return
        if self.take_at is None:
            self.take_at = pair.now + SECRET_SECONDS
        epoch, secret = self._secret
        known = current is not None and epoch == current.first_epoch
        if current is None or known or pair.now >= self.take_at:
            self.take_at = None
            self._take_over((), guest.journal.last, pair.now, secret if known else b"")

    def _take_over(self, votes: tuple[Vote, ...], handover: int, asked_at: float, secret: bytes) -> None:
        guest = self._pair.guest
        links = self._links()
        if guest.host_link is not None:
            guest.let_go()
        host, effects = Host.take_over(
            self._identity,
            self._random,
            self.wall,
            guest.journal,
            certificate=votes,
            handover=handover,
            asked_at=asked_at,
            match=guest.match,
            secret=secret,
            share=guest.share,
            links=links,
            committed=max(0, guest.committed),
            whereabouts=self._mesh.addresses,
            closes_after_match=self._means.closes,
            gate=self._means.gate,
            addresses=guest.addresses,
            now=self._pair.now,
        )
        self._begin(host, effects)

    @property
    def orphaned(self) -> bool:
        """Whether the table is ours alone, or with one other, and its host, who we were, must not go on as such.

        What was acknowledged before the machine was started anew may be lost, and nobody could tell. Or we have agreed
        to a FORK that came to nothing; or handed over, and nobody took it up.
        """
        restarted = self._kept is not None and not self._sure
        late = self._pair.guest.public.handover is not None and self._pair.now >= self.seen + DEAD
        return self._was_host and (restarted or late or not self._election.may_ack)

    @property
    def _sure(self) -> bool:
        """Whether nothing of what we kept can be lost: no start of the machine since, however often ours was. And
        whether R of a round that we dealt is there: in the term of its deal none is called off."""
        if self._kept is None or not (self._kept.same_boot and self._election.vote_file):
            return False
        books = self._pair.guest.public
        return books.round is None or books.round.term < books.term or bool(self._root())

    @property
    def _was_host(self) -> bool:
        """Whether the journal says that we are host, of a table that elects nobody else, and we are not."""
        books = self._pair.guest.public
        return self._pair.host is None and len(books.voters) < ELECTS and books.host == self._identity.key

    def forsake(self, link: LinkId, key: bytes, last: int) -> None:
        """Whom our table of two hung on has gone on without us, as another table: we follow there.

        What we did meanwhile as the old one is lost; as that it would be ours alone for ever.
        """
        self._forsaken_for = key if self._pair.host is not None else b""
        self.stop()
        if link in self._mesh.links:
            self.follow(link, key, last, whole=True)

    def _again(self) -> None:
        """Whom we wanted to follow had no other table to show, or is gone: where ours is still ours, it goes on."""
        self._mesh.elsewhere.add(self._forsaken_for)
        self._forsaken_for = b""
        if self._pair.host is None and self._pair.guest.public.host == self._identity.key:
            self._go_on(None)

    def resume(self) -> None:
        """The host of one or two comes back to the same term; of more, a follower."""
        handed = self._pair.guest.public.handover is not None  # to a successor, who may have begun
        if self._was_host and self._sure and not handed and self._election.may_ack:
            self._go_on(None)

    def fork(self, fork: Fork) -> None:
        """Everybody here goes on without those who are missing, and we are host."""
        self._go_on(fork)

    def _go_on(self, fork: Fork | None) -> None:
        pair, guest = self._pair, self._pair.guest
        secret, links = self._root(), self._links()
        at_door = [] if pair.host is None else [link for link, _ in links if not pair.host.has_let_in(link)]
        links = [(link, key) for link, key in links if link not in at_door]
        if pair.host is not None:
            pair.drop_host()
            guest.let_go()
        elif guest.host_link is not None:
            guest.let_go()
        host, effects = Host.resumed(
            self._identity,
            self._random,
            self.wall,
            guest.journal,
            fork=fork,
            match=guest.match,
            secret=secret,
            links=links,
            committed=max(0, guest.committed),
            whereabouts=self._mesh.addresses,
            closes_after_match=self._means.closes,
            gate=self._means.gate,
            addresses=guest.addresses,
            now=pair.now,
        )
        self._begin(host, effects)
        for link in at_door:  # its first word is yet to come
            pair.to_host(LinkUp(link, self._mesh.links[link].key, self._mesh.links[link].session))

    def _root(self) -> bytes:
        """R of the open round, where we dealt it; empty where we do not have it.

        Where a deal of ours was rolled back, the next one may have its epoch, and is another's.
        """
        current = self._pair.guest.public.round
        if self._pair.host is not None:
            return self._pair.host.secret
        if current is None:
            return b""
        epoch = current.first_epoch
        kept = self._kept.secrets.get(f"root-{epoch}", b"") if self._kept else b""
        dealt = self._dealt[1] if self._dealt[0] == epoch else kept
        return dealt if dealt and commitment(current.table, epoch, dealt) == current.root else b""

    def _links(self) -> list[tuple[LinkId, bytes]]:
        return [(link, far.key) for link, far in self._mesh.links.items() if far.stage in UP]

    def _begin(self, host: Host, effects: Effects) -> None:
        """From here on the same links are those of our table."""
        pair = self._pair
        pair.host, self.seen = host, pair.now
        for far in self._mesh.links.values():
            if far.stage is Stage.MEMBER:
                far.stage = Stage.TABLE
        pair.take_host(effects)
        if host.closed:  # the match was over, and all others had gone: nothing is left to come in to
            pair.guest.go("bye")
            pair.to_guest(Woke())
        else:
            pair.seat_own_guest()
        self.heard()
        leaves, self._leaves = self._leaves, {}
        for said in leaves.values():
            pair.take_host(host.left_meanwhile(said, pair.now))
            pair.run()

    def give(self, link: LinkId, far: Far) -> None:
        """A member that we dialled, to our host."""
        if self._pair.host is not None:
            far.stage = Stage.TABLE
            self._pair.take_host(self._pair.host.adopt(link, far.key, self._pair.now))
            self._pair.run()

    def left(self, key: bytes, said: messages.Act) -> None:
        """A member's good-bye, for the next host."""
        self._leaves[key] = said

    # ---- shares

    def share_asked(self, link: LinkId, key: bytes, epoch: int) -> None:
        """A new host wants our share: only one that is certified, and not before we may have voted for it (R2)."""
        books = self._pair.guest.public
        if key != books.host or self._pair.host is not None:
            return
        begun = next((entry for entry in reversed(books.journal.entries) if entry.kind in BEGINS), None)
        if begun is None:
            return
        pub = decode_pub(begun.kind, begun.pub)
        elected = isinstance(pub, TermStart) and pub.votes
        self._asked = (link, epoch, self._before + DEAD if elected else self._pair.now)

    @property
    def share_at(self) -> float | None:
        """When a share of ours may go."""
        return self._asked[2] if self._asked else None

    def give_share(self) -> None:
        """Sends the share that was asked for, if it may go; or R itself, where we dealt the round."""
        asked = self._asked
        if asked is None or self._pair.now < asked[2]:
            return
        self._asked = None
        link, epoch, _ = asked
        far, books = self._mesh.links.get(link), self._pair.guest.public
        if far is None or far.key != books.host or books.round is None or books.round.first_epoch != epoch:
            return
        if secret := self._root():
            self._pair.send(link, messages.Secret(epoch, secret))
        elif (share := self._pair.guest.share) is not None:
            self._pair.send(link, messages.Share(*share))
