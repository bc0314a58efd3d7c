"""The links of a table's journal (protocol 6.2): entry bytes, heads, and the body of every kind.

    E    = ver u8 || kind u8 || flags u8 || seat u8 || term u32 || epoch u32 || index u64 || prev[32] || ms u64
           || publen u16 || pub || sealen u16 || sealed || (flags & 1: actsig[64])
    wire = E || hostsig[64]

Hashes and signatures cover these exact bytes: whoever keeps an entry keeps its wire, and nothing is written anew to
be verified. `pub` is the msgpack array of a struct below, or an envelope where a seat speaks.
"""

from __future__ import annotations

import struct
from enum import IntEnum, IntFlag
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from p2pcards.errors import ProtocolError
from p2pcards.wire.encode import digest, enc, u32, u64
from p2pcards.wire.fields import I32, NO_SEAT, U8, U16, U32, U64, Digest, Key, Signature, TableId, Text
from p2pcards.wire.struct import Body
from p2pcards.wire.vote import Vote

WIRE_BYTES = 8 * 1024
"""The longest entry, hostsig included (protocol 4.5)."""

SEALED_BYTES = 4 + 64 + 32
"""A sealed part: a record (protocol 4.4) of salt and choice, padded to 64 bytes."""

REASON_CHARS = 100
"""The longest reason for showing somebody out, in characters."""

_VERSION = 1
_FIXED = struct.Struct(">BBBBIIQ32sQH")


class EntryKind(IntEnum):
    """What an entry says. Numbers are never used again."""

    GENESIS = 1
    OPTIONS = 2
    ROSTER = 3
    KICK = 4
    MATCH_START = 5
    DEAL_OPEN = 6
    DEAL_COMMIT = 7
    DEAL_REVEAL = 8
    DEAL_START = 9
    ACT = 10
    SEALED = 11
    BLIND = 12
    OPENING = 13
    OPEN = 14
    BALLOT = 15
    BOT = 16
    ROUND_END = 17
    DISCLOSE = 18
    MATCH_END = 19
    TERM_START = 20
    HANDOVER = 21
    FORK = 22


ENVELOPES = frozenset({EntryKind.ACT, EntryKind.SEALED, EntryKind.BLIND, EntryKind.OPENING, EntryKind.BALLOT})
"""Kinds whose pub is an envelope: a seat speaks, by its own signature or by one of the host's flags."""


class EntryFlag(IntFlag):
    """Who vouches for an envelope: exactly one of these; other kinds carry none."""

    ACTSIG = 1  # the seat's key
    BOT = 2  # chosen by the host's bot
    TIME = 4  # the safe default after a time-out


class Entry(Struct, frozen=True):
    """One link. seat: that of the envelope, else NO_SEAT. ms: host's wall clock, for display only."""

    kind: EntryKind
    flags: EntryFlag
    seat: int
    term: int
    epoch: int
    index: int
    prev: bytes
    ms: int
    pub: bytes
    sealed: bytes = b""
    actsig: bytes = b""

    def __repr__(self) -> str:  # pub may hold R
        return f"Entry({self.kind.name}, seat={self.seat}, term={self.term}, index={self.index})"


def encode_entry(entry: Entry) -> bytes:
    """E; ValueError for an entry that `decode_wire` would refuse."""
    trouble = _trouble(entry)
    if trouble:
        raise ValueError(trouble)
    try:
        fixed = _FIXED.pack(
            _VERSION,
            entry.kind,
            entry.flags,
            entry.seat,
            entry.term,
            entry.epoch,
            entry.index,
            entry.prev,
            entry.ms,
            len(entry.pub),
        )
    except struct.error as error:
        raise ValueError(str(error)) from error
    body = b"".join((fixed, entry.pub, len(entry.sealed).to_bytes(2, "big"), entry.sealed, entry.actsig))
    if len(body) + 64 > WIRE_BYTES:
        raise ValueError(f"entry of {len(body) + 64} bytes")
    return body


def decode_wire(wire: bytes) -> tuple[Entry, bytes]:
    """The entry and its hostsig (64 bytes, not verified); ProtocolError for anything else. E is wire[:-64]."""
    if not _FIXED.size + 2 + 64 <= len(wire) <= WIRE_BYTES:
        raise ProtocolError(f"entry of {len(wire)} bytes")
    version, kind, flags, seat, term, epoch, index, prev, ms, length = _FIXED.unpack_from(wire)
    if version != _VERSION:
        raise ProtocolError(f"entry of version {version}")
    body, hostsig = wire[_FIXED.size : -64], wire[-64:]
    pub, rest = body[:length], body[length:]
    sealed_end = 2 + int.from_bytes(rest[:2], "big")
    sealed, actsig = rest[2:sealed_end], rest[sealed_end:]
    if len(rest) < sealed_end:
        raise ProtocolError("entry cut short")
    try:
        entry = Entry(EntryKind(kind), EntryFlag(flags), seat, term, epoch, index, prev, ms, pub, sealed, actsig)
    except ValueError as error:
        raise ProtocolError(f"entry: {error}") from error
    trouble = _trouble(entry)
    if trouble:
        raise ProtocolError(trouble)
    return entry, hostsig


def _trouble(entry: Entry) -> str:
    """Why the parts of the entry don't go together; empty when they do."""
    vouchers = (EntryFlag.ACTSIG, EntryFlag.BOT, EntryFlag.TIME) if entry.kind in ENVELOPES else (EntryFlag(0),)
    if entry.kind is EntryKind.BALLOT:
        vouchers = (EntryFlag.ACTSIG,)
    if entry.flags not in vouchers:
        return f"{entry.kind.name} with flags {int(entry.flags)}"
    if len(entry.actsig) != (64 if entry.flags & EntryFlag.ACTSIG else 0):
        return f"{entry.kind.name} with an actsig of {len(entry.actsig)} bytes"
    if (entry.seat != NO_SEAT) != (entry.kind in ENVELOPES):
        return f"{entry.kind.name} of seat {entry.seat}"
    if len(entry.prev) != 32:
        return "prev is not 32 bytes"
    if len(entry.sealed) != (SEALED_BYTES if entry.kind is EntryKind.SEALED else 0):
        return f"{entry.kind.name} with a sealed part of {len(entry.sealed)} bytes"
    return ""


def table_id(genesis_pub: bytes) -> bytes:
    """T: 16 bytes."""
    return digest("table", genesis_pub)[:16]


def head(table: bytes, body: bytes) -> bytes:
    """The 32 bytes that stand for an entry E and everything before it."""
    return digest("entry", table, body)


def head_signed(table: bytes, term: int, index: int, head: bytes) -> bytes:
    """What hostsig signs."""
    return enc("head", table, u32(term), u64(index), head)


# ---- bodies


class SeatKind(IntEnum):
    """Whose a seat is."""

    OPEN = 0
    MEMBER = 1
    BOT = 2


class Cause(IntEnum):
    """Why the roster changed."""

    JOINS = 1
    LEAVES = 2
    KICKED = 3
    SEATS = 4  # seats or names
    READMITTED = 5


class BotReason(IntEnum):
    """Why a bot takes or leaves a seat."""

    LEFT = 1
    GRACE = 2
    TIMEOUTS = 3
    KICKED = 4
    LOBBY = 5  # by the player's own wish: `away`
    CONTRIBUTIONS = 6
    BACK = 7


class Genesis(Body, frozen=True):
    host: Key
    title: Text
    game: Text
    rules: U16
    random: Digest


class OptionsPub(Body, frozen=True):
    door: Text
    options: tuple[tuple[Text, Text], ...]  # of the game
    settings: tuple[tuple[Text, Text], ...]  # of the table


PROGRAM = 1
"""Flag of a seat that a program plays."""


class SeatPub(Body, frozen=True):
    """key: empty for an open seat; for a bot the key that may claim the seat back, or empty."""

    kind: SeatKind
    key: Annotated[bytes, Meta(max_length=32)] = b""
    nick: Text = ""
    flags: U8 = 0  # 1 program
    level: Text = ""  # of a bot

    def __post_init__(self) -> None:
        lengths = {SeatKind.OPEN: (0,), SeatKind.MEMBER: (32,), SeatKind.BOT: (0, 32)}
        if len(self.key) not in lengths[self.kind]:
            raise ValueError(f"{self.kind.name} seat with a key of {len(self.key)} bytes")


class Roster(Body, frozen=True):
    """The whole roster after the change. subject: whom the change is about, or empty; leave and sig: on LEAVES only."""

    seats: tuple[SeatPub, ...]
    voters: tuple[Key, ...]
    spectators: tuple[tuple[Key, Text], ...]
    cause: Cause
    subject: Annotated[bytes, Meta(max_length=32)] = b""
    leave: Annotated[bytes, Meta(max_length=512)] = b""  # the leaver's envelope
    sig: Annotated[bytes, Meta(max_length=64)] = b""

    def __post_init__(self) -> None:
        if len(self.subject) not in (0, 32):
            raise ValueError(f"subject of {len(self.subject)} bytes")
        leaves = self.cause is Cause.LEAVES
        if len(self.sig) != (64 if leaves else 0) or bool(self.leave) is not leaves:
            raise ValueError(f"roster of cause {self.cause.name} with a wrong leave or signature")


class Kick(Body, frozen=True):
    """Somebody is shown out, or, until being in the past, may come again; the newest of a key stands.

    until: unix seconds, 0 for good. ballots: indexes of the votes that decided it; none where the host did.
    """

    key: Key
    reason: Annotated[str, Meta(max_length=REASON_CHARS)]
    until: U64
    ballots: tuple[U64, ...]

    def stands(self, wall: float) -> bool:
        """Whether it has not run out."""
        return self.until == 0 or wall < self.until


class MatchStart(Body, frozen=True):
    match: U32
    seats: tuple[U8, ...]  # seat i is from here on the roster's seat seats[i]


class DealOpen(Body, frozen=True):
    round: U32
    epoch: U32  # first epoch of the round
    seats: tuple[U8, ...]  # dealt to
    contributors: tuple[U8, ...]
    holders: tuple[Key, ...]
    threshold: U8
    cards: bytes  # to shuffle, ascending
    root: Digest  # commitment to R
    shares: tuple[Digest, ...]


class Parts(Body, frozen=True):
    """What the contributors sent of their parts of a deal, by seat: envelopes and signatures; and who sent none."""

    said: tuple[tuple[Annotated[bytes, Meta(max_length=512)], Signature], ...]
    left_out: tuple[U8, ...]


class DealCommit(Parts, frozen=True):
    """Commitments to the parts."""


class DealReveal(Parts, frozen=True):
    """The parts themselves."""


class DealStart(Body, frozen=True):
    starter: U8  # NO_SEAT in a reshuffle
    leaves: bytes  # 32 bytes a card, in the order of the deck


class OpenPub(Body, frozen=True):
    """Cards laid open: epoch, place in its order, salt of the leaf, face."""

    cards: tuple[tuple[U32, U16, Digest, U8], ...]


class BotPub(Body, frozen=True):
    seat: U8
    on: bool
    reason: BotReason


class RoundEnd(Body, frozen=True):
    round: U32
    reason: Text  # of the game, or "void"
    winners: tuple[U8, ...]
    points: tuple[I32, ...]


class Disclose(Body, frozen=True):
    round: U32
    secret: Digest  # R

    def __repr__(self) -> str:
        return f"Disclose(round={self.round})"


class MatchEnd(Body, frozen=True):
    match: U32
    scores: tuple[I32, ...]
    winners: tuple[U8, ...]


class TermStart(Body, frozen=True):
    """A new host, by the votes of its certificate, or by the HANDOVER that stands in this entry (0 with votes)."""

    host: Key
    votes: Annotated[tuple[Vote, ...], Meta(max_length=32)]
    handover: U64


class Handover(Body, frozen=True):
    """The host hands the table over: the last entry of its term. term: that of the successor's TERM_START."""

    successor: Key
    term: U32


class Fork(Body, frozen=True):
    """The members named go on as the table `fresh`, without the others, behind entry `index` of the table `earlier`.

    said: the members by key, and the yes of each (`wire.vote`).
    """

    earlier: TableId
    fresh: TableId
    index: U64
    head: Digest
    host: Key
    said: Annotated[tuple[tuple[Key, Signature], ...], Meta(max_length=32)]


Pub = (
    Genesis
    | OptionsPub
    | Roster
    | Kick
    | MatchStart
    | DealOpen
    | DealCommit
    | DealReveal
    | DealStart
    | OpenPub
    | BotPub
    | RoundEnd
    | Disclose
    | MatchEnd
    | TermStart
    | Handover
    | Fork
)

PUBS: dict[EntryKind, type[Pub]] = {
    EntryKind.GENESIS: Genesis,
    EntryKind.OPTIONS: OptionsPub,
    EntryKind.ROSTER: Roster,
    EntryKind.KICK: Kick,
    EntryKind.MATCH_START: MatchStart,
    EntryKind.DEAL_OPEN: DealOpen,
    EntryKind.DEAL_COMMIT: DealCommit,
    EntryKind.DEAL_REVEAL: DealReveal,
    EntryKind.DEAL_START: DealStart,
    EntryKind.OPEN: OpenPub,
    EntryKind.BOT: BotPub,
    EntryKind.ROUND_END: RoundEnd,
    EntryKind.DISCLOSE: Disclose,
    EntryKind.MATCH_END: MatchEnd,
    EntryKind.TERM_START: TermStart,
    EntryKind.HANDOVER: Handover,
    EntryKind.FORK: Fork,
}

_DECODERS = {kind: msgspec.msgpack.Decoder(pub) for kind, pub in PUBS.items()}


def encode_pub(pub: Pub) -> bytes:
    """The msgpack array of a body."""
    return msgspec.msgpack.encode(pub)


def decode_pub(kind: EntryKind, pub: bytes) -> Pub:
    """The body of an entry of that kind; ProtocolError where it is malformed or an envelope is due."""
    decoder = _DECODERS.get(kind)
    if decoder is None:
        raise ProtocolError(f"{kind.name} carries an envelope")
    try:
        return decoder.decode(pub)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise ProtocolError(f"{kind.name}: {error}") from error
