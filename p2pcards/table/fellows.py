"""What two members say to each other on a link of their own, while neither is host to the other (protocol 4.7, 7).

It is how a peer hears of a new host, finds the old one again, and holds its journal against the others'. Messages that
only host and guest exchange may still be on their way when a link changes its meaning: they are passed over.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import msgpack

from p2pcards.errors import ProtocolError
from p2pcards.table.certificates import BEGINS, ELECTS
from p2pcards.table.courier import batch
from p2pcards.table.effects import LinkId, Woke
from p2pcards.table.election import Election
from p2pcards.table.follower import Elsewhere
from p2pcards.table.guest import PROOF
from p2pcards.table.mesh import Far, Mesh, Stage
from p2pcards.table.notices import Alarm
from p2pcards.table.pair import Pair
from p2pcards.table.reign import Reign
from p2pcards.wire import messages
from p2pcards.wire.entries import EntryKind, Fork, decode_pub, decode_wire
from p2pcards.wire.envelope import ActKind, decode_envelope
from p2pcards.wire.messages import Close, Message, Reason
from p2pcards.wire.vote import Vote


class Fellows:
    """info: what is told to who looks for the host here; hostless: we know of none now; stuck: the table waits.

    lab: our lab's key, empty where we have none.
    """

    def __init__(
        self,
        pair: Pair,
        mesh: Mesh,
        election: Election,
        reign: Reign,
        info: Callable[[], messages.Info],
        hostless: Callable[[], bool],
        stuck: Callable[[], bool],
        lab: bytes,
    ) -> None:
        self._pair, self._mesh, self._election, self._reign = pair, mesh, election, reign
        self._info, self._hostless, self._stuck, self._lab = info, hostless, stuck, lab
        self._lied = set[int]()  # terms whose host is known to have told two histories

    def take(self, link: LinkId, far: Far, message: Message) -> None:
        """On a member link, or one that may become one."""
        match message:
            case messages.Hello() if far.stage is Stage.NEW:
                if self._pair.guest.entered:
                    self._mesh.hello(link, message, self._info(), self._hostless(), self._lab)
                else:
                    self._mesh.close(link, Close(Reason.NOT_THE_HOST, "this program is at no table yet"))
            case messages.Welcome() if far.stage is Stage.ASKED and message.table != self._pair.guest.public.table:
                self._welcomed_elsewhere(link, far, message)
            case messages.Welcome() if far.stage is Stage.ASKED:
                self._mesh.welcomed(link, message)
                if link not in self._mesh.links:
                    pass  # of two links between the same two the other one stays
                elif self._pair.host is not None:
                    self._reign.give(link, far)
                elif message.host == far.key and message.term >= self._election.term:
                    self._claimed(link, far, message.last)
            case messages.Info() if far.stage is Stage.ASKED:
                self._mesh.addresses.setdefault(message.host, message.addresses)
                self._mesh.named[far.key] = message.host
            case _ if far.stage is not Stage.MEMBER:
                raise ProtocolError(f"{type(message).__name__} before HELLO")
            case messages.Keepalive():
                if (ours := self._mesh.lie(message)) is not None and message.term not in self._lied:
                    self._lied.add(message.term)
                    self._pair.secrets.append((PROOF, len(ours).to_bytes(4, "big") + ours + msgpack.encode(message)))
                    self._pair.notices.append(Alarm("the host tells two histories"))
                self._catch_up(link, message)
            case messages.Entries():
                self._entries_of(link, far, message)
            case messages.Heartbeat():
                self._heartbeat_of(link, far, message)
            case messages.Get(index):
                self._serve(link, index)
            case messages.Act():
                self.take_leave(far, message)
            case messages.Welcome() | messages.View() | messages.Ack() | messages.Share() | messages.Audit():
                pass  # said to whom we were a moment ago
            case messages.Chat() | messages.Held() | messages.Ready() | messages.Clock() | messages.Standing():
                pass
            case messages.Refused() | messages.Want() | messages.Peers() | messages.Info() | messages.Secret():
                pass
            case messages.PrevoteAsk() | messages.Prevote() | messages.VoteAsk() | Vote() | messages.Stale():
                pass  # of somebody who is no voter by our books any more, or not yet
            case messages.ForkAsk() | messages.ForkSay() | messages.ShareAsk():
                pass
            case _:
                raise ProtocolError(f"{type(message).__name__} from a member")

    def _claimed(self, link: LinkId, far: Far, last: int) -> None:
        """A member says that it is host: where our journal does not say so yet, it has to show by what."""
        guest = self._pair.guest
        if far.key == guest.public.host:
            self._reign.follow(link, far.key, last)
        else:
            self._pair.send(link, messages.Get(guest.ask_from))

    def _welcomed_elsewhere(self, link: LinkId, far: Far, message: messages.Welcome) -> None:
        """A member of ours is at another table by now: one that began as ours, maybe (FORK).

        Ours is left for it where it can't go on, and where it is of two: then it goes on for us alone.
        """
        books = self._pair.guest.public
        alone = self._pair.host is not None and len(books.voters) < ELECTS
        behind = message.table in books.tables  # ours was that: there is no way back
        if message.host != far.key or behind or not (alone or self._stuck()):
            self._mesh.elsewhere.add(far.key)
            self._mesh.close(link, Close(Reason.BYE, ""))
        else:
            self._mesh.welcomed(link, message)
            self._reign.forsake(link, far.key, message.last)

    def _catch_up(self, link: LinkId, message: messages.Keepalive) -> None:
        """Without a host we learn from any member what the table has come to, and so who is host by now."""
        guest, journal = self._pair.guest, self._pair.guest.journal
        if self._hostless() and (message.term, message.index) > (journal.term_at(journal.last), journal.last):
            self._pair.send(link, messages.Get(guest.ask_from))

    def _entries_of(self, link: LinkId, far: Far, message: messages.Entries) -> None:
        """A member sends entries: it is host by now, or we asked it for what we lack."""
        if self._is_behind(message.wires):
            return
        self._check_forks(message.wires)
        shown = messages.Entries(0, self._not_served(message.wires))  # what is committed is for the host alone to say
        try:
            whole = self._pair.guest.take_entries(shown, self._pair.now, gaps=True)
        finally:  # what came before a lie is taken, and is written before anything follows it
            self._reign.align()  # before the guest finds its line to be one to nobody's host
            self._pair.take_guest(self._pair.guest.handle(Woke(), self._pair.now))
        if not whole:
            self._pair.send(link, messages.Get(self._pair.guest.ask_from))
        elif BEGINS & {decode_wire(wire)[0].kind for wire in message.wires}:
            self._reign.said_to_host(link, far)

    def _not_served(self, wires: tuple[bytes, ...]) -> tuple[bytes, ...]:
        """Without what our host will send: had we that from elsewhere first, its views would be out of place."""
        guest = self._pair.guest
        if self._pair.host is not None or not guest.welcomed or self._election.raised:
            return wires
        entries = [decode_wire(wire)[0] for wire in wires]
        if any(entry.kind in BEGINS and entry.term > guest.public.term for entry in entries):
            return wires
        held = len(guest.journal)
        return tuple(wire for wire, entry in zip(wires, entries, strict=True) if entry.index < held)

    def _is_behind(self, wires: tuple[bytes, ...]) -> bool:
        """Whether they are the end of a line that ours has left behind: their holder is yet to learn of that."""
        journal = self._pair.guest.journal
        if self._pair.host is not None or not wires or not len(journal):
            return False
        try:
            first, newest = decode_wire(wires[0])[0], decode_wire(wires[-1])[0]
        except ProtocolError:
            return False  # what is good of it is taken all the same, up to there
        follows = first.index > len(journal) or first.index == 0 or first.prev == journal.heads[first.index - 1]
        return not follows and newest.term < journal.term_at(journal.last)

    def _check_forks(self, wires: tuple[bytes, ...]) -> None:
        """Others may go on without us as often as they like; we follow them only where we have no host ourselves."""
        guest = self._pair.guest
        if self._pair.host is None and not guest.welcomed:
            return
        held = set(guest.journal.wires)
        for wire in wires:
            entry, _ = decode_wire(wire)
            pub = decode_pub(entry.kind, entry.pub) if entry.kind is EntryKind.FORK and wire not in held else None
            if isinstance(pub, Fork) and self._pair.key not in dict(pub.said):
                raise Elsewhere("a table that went on without us")

    def _heartbeat_of(self, link: LinkId, far: Far, message: messages.Heartbeat) -> None:
        """A member says that it is host."""
        if message.term < self._election.term:
            if self._election.stale is not None:
                self._pair.send(link, self._election.stale)
        elif message.term > self._pair.guest.public.term:
            self._pair.send(link, messages.Get(self._pair.guest.ask_from))
        else:
            self._reign.said_to_host(link, far)

    def _serve(self, link: LinkId, index: int) -> None:
        """A member lacks entries that we hold."""
        journal = self._pair.guest.journal
        while index < len(journal):
            wires = batch(journal.wires, index)
            self._pair.send(link, messages.Entries(max(0, self._pair.guest.committed), wires))
            index += len(wires)

    def take_leave(self, far: Far, said: messages.Act) -> None:
        """The good-bye of who is no host by now; any other act was for a host that is one no more: it is said again."""
        if decode_envelope(said.envelope).kind is ActKind.LEAVE:
            self._reign.left(far.key, said)
