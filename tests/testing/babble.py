"""Messages of every kind with odd values: of this table or nearly so, well signed or not, and at the wrong time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec
from msgspec.structs import replace

from p2pcards import PROTOCOL
from p2pcards.wire.entries import (
    ENVELOPES,
    SEALED_BYTES,
    Entry,
    EntryFlag,
    EntryKind,
    Fork,
    Genesis,
    Handover,
    TermStart,
    encode_entry,
    encode_pub,
    head,
    head_signed,
)
from p2pcards.wire.envelope import ActKind, Envelope, encode_envelope
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import (
    Ack,
    Act,
    Audit,
    Chat,
    Clock,
    Close,
    Confirm,
    Entries,
    ForkAsk,
    ForkSay,
    Get,
    Heartbeat,
    Held,
    Hello,
    Info,
    Keepalive,
    Message,
    Pake,
    Peers,
    Prevote,
    PrevoteAsk,
    Ready,
    Reason,
    Refused,
    Secret,
    Share,
    ShareAsk,
    Stale,
    Standing,
    View,
    VoteAsk,
    Want,
    Welcome,
)
from p2pcards.wire.vote import Vote, sign_fork, sign_vote
from tests.testing.cluster import identity
from tests.testing.one_peer import Program

LAST = 2**64 - 1
TEXTS = ("", "x", "next", "\x1b[2J", "lobby", "playing", "open", "lab", "tongits", "\u202e" * 30)


class Babble:
    """What a script may say to somebody; who knows the books of the one it speaks to."""

    def __init__(self, script: Program, far: Program, rng: Random) -> None:
        self.script, self.rng = script, rng
        self.books = books = far.the.guest.public
        self.journal = journal = books.journal
        self.stranger = identity("stranger")
        last = journal.last
        self.tables = [books.table] * 4 + [bytes(16), rng.randbytes(16), *books.tables]
        self.terms = [books.term] * 3 + [books.term + 1] * 3 + [0, books.term + 4096, books.term + 4097, 2**32 - 1]
        self.keys = [*books.voters, script.identity.key, script.identity.key, self.stranger.key, bytes(32)]
        self.heads = [journal.head, journal.head, journal.heads[last - 1], bytes(32)]
        self.places = [last, last, last + 1, last + 1, last + 2, 0, 1, last - 1, LAST]
        self.epochs = [books.epoch, books.epoch, 0, books.epoch + 1, 2**32 - 1]
        self.seats = [0, 1, 2, 3, 200, NO_SEAT]

    def chance(self, share: float) -> bool:
        """Whether it is so this time."""
        return self.rng.random() < share

    def message(self) -> Message:
        """Anything; never what only ends the link."""
        kinds = [*self._said(), *self._members(), *[self._entries, self.vote, self._welcome, self._act] * 2]
        return self.rng.choice(kinds)()

    def signer(self) -> Identity:
        """Itself, mostly."""
        return self.stranger if self.chance(0.2) else self.script.identity

    def sig(self) -> bytes:
        """A signature, of something."""
        return self.rng.choice([self.journal.hostsig, bytes(64), self.script.identity.sign(b"x")])

    # ---- parts

    def vote(self) -> Vote:
        """A vote, a good one now and then."""
        choice, journal = self.rng.choice, self.journal
        if self.chance(0.5):
            own, at = self.script.identity, (journal.term_at(journal.last), journal.last, journal.head)
            return sign_vote(own, self.books.table, choice(self.terms), own.key, None, at)
        at = choice(self.terms), choice(self.places), choice(self.heads)
        vote = sign_vote(self.signer(), choice(self.tables), choice(self.terms), choice(self.keys), None, at)
        return replace(vote, voter=choice(self.keys)) if self.chance(0.3) else vote

    def wire(self) -> bytes:
        """An entry: one that stands, one that can't, or none at all."""
        if self.chance(0.4):
            return self.rng.choice(self.journal.wires)
        if self.chance(0.1):
            return self.rng.randbytes(self.rng.randint(0, 300))
        choice, journal = self.rng.choice, self.journal
        kind, index = choice(list(EntryKind)), min(choice(self.places), journal.last + 3)
        prev = journal.heads[index - 1] if 0 < index <= len(journal) else bytes(32)
        speaks = kind in ENVELOPES
        flags = EntryFlag.ACTSIG if speaks else EntryFlag(0)
        seat = choice([0, 1, 2]) if speaks else NO_SEAT
        sealed = bytes(SEALED_BYTES) if kind is EntryKind.SEALED else b""
        term, epoch = choice(self.terms), choice(self.epochs)
        entry = Entry(
            kind, flags, seat, term, epoch, index, prev, 0, self._pub(kind), sealed, bytes(64) if speaks else b""
        )
        body = encode_entry(entry)
        table = choice(self.tables)
        return body + self.signer().sign(head_signed(table, term, index, head(table, body)))

    def _pub(self, kind: EntryKind) -> bytes:
        choice, host = self.rng.choice, self.rng.choice(self.keys)
        if kind is EntryKind.TERM_START:
            votes = tuple(self.vote() for _ in range(self.rng.randint(0, 3)))
            return encode_pub(TermStart(host, votes, choice([0, *self.places])))
        if kind is EntryKind.FORK:
            return encode_pub(self._fork(host))
        if kind is EntryKind.HANDOVER:
            return encode_pub(Handover(host, choice(self.terms)))
        if kind is EntryKind.GENESIS:
            return encode_pub(Genesis(host, "x", "tongits", 1, bytes(32)))
        if kind in ENVELOPES:
            return self._envelope()
        same = [entry.pub for entry in self.journal.entries if entry.kind is kind]
        return choice(same) if same and self.chance(0.8) else self.rng.randbytes(self.rng.randint(0, 40))

    def _fork(self, host: bytes) -> Fork:
        fresh, own = self.rng.randbytes(16), self.script.identity
        said = {own.key: sign_fork(own, self.books.table, self.journal.head, fresh)}
        if self.chance(0.4):
            said[self.rng.choice(self.keys)] = bytes(64)
        choice = self.rng.choice
        table, index, digest = choice(self.tables), choice(self.places), choice(self.heads)
        return Fork(table, fresh, index, digest, host, tuple(sorted(said.items())))

    def _envelope(self) -> bytes:
        choice, kind = self.rng.choice, self.rng.choice(list(ActKind))
        payload = self.rng.randbytes(choice([0, 4, 32, 36, 40]))
        if kind is ActKind.LEAVE:
            payload = bytes((choice([0, 1, 2, 4, 9, 255]),)) + choice(self.terms).to_bytes(4, "big")
        elif kind in (ActKind.ACT, ActKind.VOTE):
            payload = choice([b"draw", b"kick 1", b"against 2", b"x"])
        due = self.books.said.get(self.script.identity.key, 0) + 1
        table, n, seen, digest = choice(self.tables), choice([0, due, due, 99]), choice(self.places), choice(self.heads)
        return encode_envelope(Envelope(table, choice(self.epochs), choice(self.seats), n, seen, digest, kind, payload))

    # ---- messages

    def _entries(self) -> Message:
        return Entries(self.rng.choice(self.places), tuple(self.wire() for _ in range(self.rng.randint(0, 4))))

    def _act(self) -> Message:
        said = self._envelope()
        return Act(said, self.signer().sign(said), self.rng.choice([b"", b"", bytes(40)]))

    def _welcome(self) -> Message:
        choice = self.rng.choice
        places = choice(self.places), choice(self.places)
        host = self.script.identity.key if self.chance(0.5) else choice(self.keys)
        return Welcome(choice(self.tables), choice(self.terms), host, choice(self.seats), choice(TEXTS), *places, b"")

    def _stale(self) -> Message:
        data = [msgspec.msgpack.encode(self.vote()), self.wire(), self.rng.randbytes(50), b""]
        return Stale(self.rng.choice([1, 2, 2, 9]), self.rng.choice(data))

    def _fork_ask(self) -> Message:
        choice = self.rng.choice
        keys = {choice(self.keys) for _ in range(4)} | {self.script.identity.key}
        return ForkAsk(
            choice(self.tables), choice(self.places), choice(self.heads), self.rng.randbytes(16), tuple(sorted(keys))
        )

    def _fork_say(self) -> Message:
        asked = self.script.heard(ForkAsk)
        ask = asked[-1] if asked else None
        table, fresh = (ask.table, ask.fresh) if ask else (self.books.table, bytes(16))
        if self.chance(0.4):
            return ForkSay(table, fresh, False, b"")
        return ForkSay(table, fresh, True, sign_fork(self.signer(), table, ask.head if ask else bytes(32), fresh))

    def _hello(self) -> Message:
        choice = self.rng.choice
        resume = choice([(), (self.books.table, self.journal.last, self.journal.head), (bytes(16), LAST, bytes(32))])
        games, nick = (("tongits", 1),), choice(["eve", "\x1b", ""])
        return Hello(
            "x",
            choice([PROTOCOL, PROTOCOL, 0, 99]),
            games,
            nick,
            choice(range(8)),
            choice(range(7)),
            b"",
            1,
            (),
            resume,
        )

    def _info(self) -> Message:
        choice = self.rng.choice
        table, state, host = choice(self.tables), choice(TEXTS), choice(self.keys)
        return Info("x", PROTOCOL, 1, table, (), choice(self.terms), "t", "n", "zz", (), (), state, "open", host, ())

    def _said(self) -> list[Callable[[], Message]]:
        """Between host and guest."""
        choice, rng = self.rng.choice, self.rng
        return [
            self._hello,
            lambda: Pake(rng.randbytes(33)),
            lambda: Confirm(bytes(32)),
            self._welcome,
            self._info,
            lambda: View(choice(self.places), rng.randbytes(10), ((1, 1, bytes(32), 3),)),
            lambda: Get(choice(self.places)),
            lambda: Heartbeat(
                choice(self.tables),
                choice(self.terms),
                choice(self.places),
                choice(self.heads),
                choice(self.places),
                choice([0, 1, self.books.term << 32 | 1, LAST]),
                self.sig(),
            ),
            lambda: Ack(
                choice(self.tables),
                choice(self.terms),
                choice(self.places),
                choice(self.heads),
                choice([0, 1, self.books.term << 32 | 1, LAST]),
                choice([0, 7, 2**32 - 1]),
                self.chance(0.5),
            ),
            lambda: Refused(choice([0, 1, 2**32 - 1]), choice(TEXTS), choice(TEXTS)),
            lambda: Want(choice(["next", "ready", "stop", "skip", "deck", "back", "x"])),
            lambda: Chat(choice(self.keys), choice([0, 1, 2**32 - 1]), choice([0, 9, 254, 255]), "hi", self.sig()),
            lambda: Audit(choice(self.keys), choice([0, 1, 2]), choice(self.places), choice(TEXTS), self.sig()),
            lambda: Held(((choice(self.seats), 5),)),
            lambda: Ready((choice(self.seats),), 5, choice(self.seats)),
            lambda: Clock(5, (choice(self.seats),), 2, choice(self.seats)),
            lambda: Standing(choice(TEXTS), (choice(self.keys),)),
            lambda: Share(choice(self.epochs), choice([0, 1, 2, 255]), choice([bytes(66), b"\xff" * 66])),
            lambda: Secret(choice(self.epochs), rng.randbytes(32)),
            lambda: Peers(((choice(self.keys), choice([(), (bytes(6),), (bytes(18),)])),)),
        ]

    def _members(self) -> list[Callable[[], Message]]:
        """Between members."""
        choice = self.rng.choice
        return [
            lambda: ShareAsk(choice(self.epochs)),
            lambda: Keepalive(
                choice(self.tables), choice(self.terms), choice(self.places), choice(self.heads), self.sig()
            ),
            lambda: PrevoteAsk(
                choice(self.tables),
                choice(self.terms),
                choice(self.terms),
                choice(self.places),
                choice(self.heads),
                self.sig(),
            ),
            lambda: Prevote(choice(self.tables), choice(self.terms), self.chance(0.7)),
            lambda: VoteAsk(self.vote(), self.sig()),
            self._stale,
            self._fork_ask,
            self._fork_say,
        ]

    def last_word(self) -> Message:
        """What ends a link."""
        return Close(self.rng.choice([*map(int, Reason), 0, 77]), self.rng.choice(TEXTS), self.rng.choice([0, LAST]))
