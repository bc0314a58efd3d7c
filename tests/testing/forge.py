"""A pen that writes anything: entries as no honest host would write them, well signed and well chained."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from p2pcards.table.deal import part_commitment
from p2pcards.table.journal import Journal
from p2pcards.wire.encode import u64
from p2pcards.wire.entries import (
    SEALED_BYTES,
    Cause,
    DealCommit,
    DealReveal,
    Entry,
    EntryFlag,
    EntryKind,
    Fork,
    Genesis,
    Handover,
    MatchStart,
    OptionsPub,
    Pub,
    Roster,
    RoundEnd,
    SeatKind,
    SeatPub,
    TermStart,
    decode_pub,
    encode_pub,
)
from p2pcards.wire.envelope import (
    ActKind,
    Envelope,
    LeaveReason,
    choice_commitment,
    encode_envelope,
    pack_leave,
    pack_opening,
)
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.identity import Identity
from p2pcards.wire.vote import Vote, sign_fork, sign_vote
from tests.testing import deals
from tests.testing.cluster import identity

NAMES = ("ana", "ben", "cy")
NO_FLAG = EntryFlag(0)
_ENTRY_KINDS = {
    ActKind.SEALED: EntryKind.SEALED,
    ActKind.BLIND: EntryKind.BLIND,
    ActKind.OPENING: EntryKind.OPENING,
}


def member(name: str, nick: str = "") -> SeatPub:
    """The seat of somebody whose key belongs to a name."""
    return SeatPub(SeatKind.MEMBER, identity(name).key, nick or name)


def bot(nick: str = "bot-1", level: str = "easy") -> SeatPub:
    """The seat of a bot."""
    return SeatPub(SeatKind.BOT, b"", nick, 0, level)


def roster(*seats: SeatPub, cause: Cause = Cause.SEATS, watchers: tuple[str, ...] = ()) -> Roster:
    """A roster whose members are its voters, with the host."""
    voters = dict.fromkeys((identity("host").key, *(seat.key for seat in seats if seat.kind is SeatKind.MEMBER)))
    return Roster(seats, tuple(voters), tuple((identity(name).key, name) for name in watchers), cause)


class Forge:
    """A journal in the making. Every method gives the wire of the entry that it appended."""

    def __init__(self, host: Identity | None = None, journal: Journal | None = None) -> None:
        self.host = host or identity("host")
        self.journal = Journal()
        self.epoch, self.term = 0, 1
        self.voters: tuple[bytes, ...] = ()
        self.parts: dict[int, bytes] = {}  # of the newest deal, by seat
        self.journal = journal.copy() if journal else self.journal
        for entry in self.journal.entries:
            self.epoch, self.term = entry.epoch, entry.term
            if entry.kind is EntryKind.ROSTER and isinstance(pub := decode_pub(entry.kind, entry.pub), Roster):
                self.voters = pub.voters
        self.n: dict[str, int] = {}

    def entry(
        self,
        kind: EntryKind,
        pub: Pub | bytes,
        *,
        seat: int = NO_SEAT,
        flags: EntryFlag = NO_FLAG,
        actsig: bytes = b"",
        term: int | None = None,
        epoch: int | None = None,
        ms: int = 0,
        sealed: bytes = b"",
    ) -> bytes:
        """Any entry at all."""
        self.epoch += kind is EntryKind.DEAL_OPEN
        if isinstance(pub, Roster):
            self.voters = pub.voters
        elif isinstance(pub, Fork):
            named = {key for key, _ in pub.said}
            self.voters = tuple(dict.fromkeys((*(key for key in self.voters if key in named), *sorted(named))))
        body = pub if isinstance(pub, bytes) else encode_pub(pub)
        journal = self.journal
        at = self.epoch if epoch is None else epoch
        self.term = self.term if term is None else term
        entry = Entry(kind, flags, seat, self.term, at, len(journal), journal.head, ms, body, sealed, actsig)
        return journal.append(entry, self.host.sign)

    # ---- the usual course

    def genesis(self, *, title: str = "lab", game: str = "tongits", rules: int = 1) -> bytes:
        """The first entry."""
        return self.entry(EntryKind.GENESIS, Genesis(self.host.key, title, game, rules, bytes(32)))

    def options(
        self, *settings: tuple[str, str], options: tuple[tuple[str, str], ...] = (), door: str = "open"
    ) -> bytes:
        """Options and settings; seats in the order of the roster where nothing else is said."""
        return self.entry(EntryKind.OPTIONS, OptionsPub(door, options, settings or (("seat_order", "join_order"),)))

    def roster(self, *seats: SeatPub, cause: Cause = Cause.SEATS, watchers: tuple[str, ...] = ()) -> bytes:
        """A roster."""
        return self.entry(EntryKind.ROSTER, roster(*seats, cause=cause, watchers=watchers))

    def lobby(self) -> list[bytes]:
        """A table of ana, ben and cy."""
        return [self.genesis(), self.options(), self.roster(*map(member, NAMES), watchers=("dot",))]

    def match(self, match: int = 1) -> bytes:
        """The start of a match, nobody moving."""
        return self.entry(EntryKind.MATCH_START, MatchStart(match, (0, 1, 2)))

    def deal_open(self, round: int = 1, secret: bytes = bytes(32), contributors: tuple[int, ...] = ()) -> bytes:
        """A deal from the secret, to which these seats add parts."""
        table, epoch, self.parts = self.journal.table, self.epoch + 1, {}
        opened = deals.opened(table, epoch, secret, self.voters, self.host.key, round=round, contributors=contributors)
        return self.entry(EntryKind.DEAL_OPEN, opened)

    def part(self, seat: int, kind: ActKind, payload: bytes, *, by: str = "") -> tuple[bytes, bytes]:
        """A commitment or part, as its seat signs it over the newest head."""
        n = self.n[NAMES[seat]] = self.n.get(NAMES[seat], 0) + 1
        said = self.envelope(seat, n, kind, payload)
        return said, identity(by or NAMES[seat]).sign(said)

    def deal_commit(self, parts: dict[int, bytes], left_out: tuple[int, ...] = ()) -> bytes:
        """The commitments to these parts, by seat."""
        table, epoch = self.journal.table, self.epoch
        bound = {seat: part_commitment(table, epoch, seat, part) for seat, part in sorted(parts.items())}
        said = tuple(self.part(seat, ActKind.COMMIT, commitment) for seat, commitment in bound.items())
        return self.entry(EntryKind.DEAL_COMMIT, DealCommit(said, left_out))

    def deal_reveal(self, parts: dict[int, bytes], left_out: tuple[int, ...] = ()) -> bytes:
        """These parts, by seat."""
        self.parts = parts
        said = tuple(self.part(seat, ActKind.REVEAL, part) for seat, part in sorted(parts.items()))
        return self.entry(EntryKind.DEAL_REVEAL, DealReveal(said, left_out))

    def deal_start(self, secret: bytes = bytes(32), off: int = 0) -> bytes:
        """Who starts, or somebody else, and the leaves of the deal."""
        start = deals.started(self.journal.table, self.epoch, secret, parts=self.parts)
        return self.entry(EntryKind.DEAL_START, replace(start, starter=(start.starter + off) % 3))

    def lays_open(self, count: int, secret: bytes = bytes(32)) -> bytes:
        """The first cards of the deal, face up."""
        shown = deals.laid_open(self.journal.table, self.epoch, secret, range(count), parts=self.parts)
        return self.entry(EntryKind.OPEN, shown)

    def round(self) -> list[bytes]:
        """A table with an open round, from its first entry on."""
        return [*self.lobby(), self.match(), self.deal_open(), self.deal_start()]

    # ---- changes of the host

    def vote(self, name: str, candidate: str, term: int, **changes: Any) -> Vote:
        """A vote over the newest head."""
        journal = self.journal
        at = changes.pop("at", journal.last)
        last = journal.term_at(at), at, journal.heads[at]
        vote = sign_vote(identity(name), journal.table, term, identity(candidate).key, None, last)
        return replace(vote, **changes)

    def elected(self, name: str, *votes: str | Vote, term: int | None = None, handover: int = 0) -> bytes:
        """A term begins by votes: of these names, or these very votes."""
        term = self.term + 1 if term is None else term
        given = tuple(self.vote(vote, name, term) if isinstance(vote, str) else vote for vote in votes)
        self.host = identity(name)
        return self.entry(EntryKind.TERM_START, TermStart(self.host.key, given, handover), term=term)

    def hands_over(self, name: str, term: int | None = None) -> bytes:
        """The last entry of a term."""
        return self.entry(EntryKind.HANDOVER, Handover(identity(name).key, self.term + 1 if term is None else term))

    def took_over(self, name: str, term: int | None = None, handover: int | None = None) -> bytes:
        """A term begins by the HANDOVER before it."""
        at = self.journal.last if handover is None else handover
        self.host = identity(name)
        start = TermStart(self.host.key, (), at)
        return self.entry(EntryKind.TERM_START, start, term=self.term + 1 if term is None else term)

    def forked(
        self, host: str, *names: str, fresh: bytes = bytes(15) + b"f", term: int | None = None, **changes: Any
    ) -> bytes:
        """These go on without the others."""
        journal = self.journal
        said = {identity(name).key: sign_fork(identity(name), journal.table, journal.head, fresh) for name in names}
        self.host = identity(host)
        pub = Fork(journal.table, fresh, journal.last, journal.head, self.host.key, tuple(sorted(said.items())))
        return self.entry(EntryKind.FORK, replace(pub, **changes), term=self.term + 1 if term is None else term)

    def void(self, round: int = 1, **changes: Any) -> bytes:
        """The open round comes to nothing."""
        return self.entry(EntryKind.ROUND_END, replace(RoundEnd(round, "void", (), ()), **changes))

    # ---- what seats say

    def envelope(
        self,
        seat: int,
        n: int,
        kind: ActKind,
        payload: bytes,
        *,
        seen: int | None = None,
        head: bytes | None = None,
        table: bytes | None = None,
        epoch: int | None = None,
    ) -> bytes:
        """What is to be signed."""
        journal = self.journal
        index = journal.last if seen is None else seen
        seen_head = journal.heads[index] if head is None else head
        at = self.epoch if epoch is None else epoch
        return encode_envelope(Envelope(table or journal.table, at, seat, n, index, seen_head, kind, payload))

    def says(
        self,
        seat: int,
        payload: str | bytes,
        kind: ActKind = ActKind.ACT,
        *,
        n: int | None = None,
        by: str = "",
        flags: EntryFlag = EntryFlag.ACTSIG,
        seen: int | None = None,
        head: bytes | None = None,
        table: bytes | None = None,
        epoch: int | None = None,
        stands_for: int | None = None,
    ) -> bytes:
        """An act, a BLIND or an OPENING, signed by the seat's player, by somebody else, or by nobody."""
        name = NAMES[seat]
        signed = flags is EntryFlag.ACTSIG
        if n is None:
            n = self.n[name] = self.n.get(name, 0) + 1 if signed else 0
        body = payload.encode() if isinstance(payload, str) else payload
        said = self.envelope(seat, n, kind, body, seen=seen, head=head, table=table, epoch=epoch)
        actsig = identity(by or name).sign(said) if signed else b""
        at = seat if stands_for is None else stands_for
        sealed = bytes(SEALED_BYTES) if kind is ActKind.SEALED else b""
        return self.entry(
            _ENTRY_KINDS.get(kind, EntryKind.ACT), said, seat=at, flags=flags, actsig=actsig, sealed=sealed
        )

    def blind(self, seat: int, word: str = "fold", **changes: int) -> bytes:
        """A committed answer with a salt of zeros."""
        n = changes.get("n", self.n.get(NAMES[seat], 0) + 1)
        self.n[NAMES[seat]] = n
        choice = choice_commitment(self.journal.table, self.epoch, seat, n, u64(0) * 4, word.encode())
        return self.says(seat, choice, ActKind.BLIND, n=n)

    def opens(self, seat: int, word: str = "fold", *, n: int | None = None, seen: int | None = None) -> bytes:
        """The opening of that answer."""
        blind = self.n[NAMES[seat]] if n is None else n
        return self.says(seat, pack_opening(blind, u64(0) * 4, word.encode()), ActKind.OPENING, seen=seen)

    def defaults(self, seat: int, word: str, n: int = 0, salt: bytes = bytes(32)) -> bytes:
        """What stands for an answer that did not come."""
        return self.says(seat, pack_opening(n, salt, word.encode()), ActKind.OPENING, flags=EntryFlag.TIME)

    def leaves(
        self,
        seat: int,
        seats: tuple[SeatPub, ...],
        *,
        by: str = "",
        n: int = 1,
        said_of: int | None = None,
        voters: tuple[bytes, ...] | None = None,
    ) -> bytes:
        """A roster by which the player of a seat is gone."""
        name = NAMES[seat]
        said = self.envelope(said_of or seat, n, ActKind.LEAVE, pack_leave(LeaveReason.LEAVE, 1))
        after = roster(*seats).voters if voters is None else voters
        return self.entry(
            EntryKind.ROSTER,
            Roster(seats, after, (), Cause.LEAVES, identity(name).key, said, identity(by or name).sign(said)),
        )
