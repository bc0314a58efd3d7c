"""The messages between two peers after the handshake (protocol 4.7): kinds, bodies, and the one decoder.

A body is one msgpack array, its fields in the order given here. Kinds are never reused; a kind that isn't in `BODIES`
is broken. No field may be typed Any: an untyped decode of deep nesting would run the stack out.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from p2pcards.errors import ProtocolError
from p2pcards.wire.fields import U8, U16, U32, U64, Digest, Key, Signature, TableId, Text
from p2pcards.wire.struct import Body
from p2pcards.wire.vote import Vote

Address = Annotated[bytes, Meta(min_length=6, max_length=18)]  # IP || u16 port: 6 bytes or 18
Proof = Annotated[bytes, Meta(max_length=64)]


CHAT_CHARS = 300
"""The longest thing said at once, in characters."""

REASON_CHARS = 200
"""The longest reason in an AUDIT, in characters."""

TO_SPECTATORS, TO_ALL = 0xFE, 0xFF
"""Scopes of CHAT that are no seat."""


class Kind(IntEnum):
    """First byte of a record's plain text."""

    HELLO = 0x01
    PAKE = 0x02
    CONFIRM = 0x03
    WELCOME = 0x04
    INFO = 0x05
    ENTRIES = 0x10
    VIEW = 0x11
    GET = 0x12
    HEARTBEAT = 0x13
    ACK = 0x14
    ACT = 0x15
    REFUSED = 0x16
    WANT = 0x17
    PEERS = 0x18
    CHAT = 0x19
    AUDIT = 0x1A
    HELD = 0x1B
    READY = 0x1C
    CLOCK = 0x1D
    STANDING = 0x1E
    SHARE = 0x20
    SHARE_ASK = 0x21
    SECRET = 0x22
    KEEPALIVE = 0x30
    PREVOTE_ASK = 0x31
    PREVOTE = 0x32
    VOTE_ASK = 0x33
    VOTE = 0x34
    STALE = 0x35
    FORK_ASK = 0x36
    FORK_SAY = 0x37
    CLOSE = 0xFF


class Method(IntEnum):
    """How a newcomer asks for entry (protocol 5)."""

    PROBE = 0
    KNOCK = 1
    LAB = 2
    CODE = 3
    MEMBER = 4


class Flag(IntFlag):
    """What a newcomer says of itself."""

    PROGRAM = 1
    SPECTATOR = 2
    VOTE_FILE = 4


class Reason(IntEnum):
    """Why a connection was closed (protocol 4.5)."""

    BYE = 1
    FULL = 2
    VERSION = 3
    WRONG_CODE = 4
    NOT_A_MEMBER = 5
    DECLINED = 6
    KICKED = 7
    BANNED = 8
    TOO_FAST = 9
    SUPERSEDED = 10
    ALREADY_HERE = 11
    NOT_THE_HOST = 12
    MEMBERS_ONLY = 13
    BROKEN = 14


class Resume(NamedTuple):
    """What a returner holds of the journal."""

    table: bytes
    last: int  # index of its newest entry
    head: bytes  # of that entry


class Hello(Body, frozen=True):
    app: Text
    protocol: U16
    games: Annotated[tuple[tuple[Text, U16], ...], Meta(max_length=32)]  # name, rules integer
    nick: Text
    flags: U8
    method: U8
    proof: Proof
    port: U16
    addresses: Annotated[tuple[Address, ...], Meta(max_length=8)]
    resume: Annotated[tuple[bytes | int, ...], Meta(max_length=3)]  # a Resume, or nothing

    def __post_init__(self) -> None:
        _check_addresses(self.addresses)
        _resume(self.resume)

    @property
    def returning(self) -> Resume | None:
        """What the newcomer holds if it comes back to a table."""
        return _resume(self.resume)


def _resume(parts: tuple[bytes | int, ...]) -> Resume | None:
    match parts:
        case ():
            return None
        case (bytes(table), int(last), bytes(head)) if len(table) == 16 and last >= 0 and len(head) == 32:
            return Resume(table, last, head)
    raise ValueError("malformed resume")


def _check_addresses(addresses: tuple[bytes, ...]) -> None:
    if not all(len(address) in (6, 18) for address in addresses):
        raise ValueError("address of neither IPv4 nor IPv6")


class Pake(Body, frozen=True):
    """The responder's half of a run with the join code."""

    point: Annotated[bytes, Meta(min_length=33, max_length=33)]


class Confirm(Body, frozen=True):
    """That the initiator knows the join code."""

    mac: Digest


class Welcome(Body, frozen=True):
    table: TableId
    term: U32
    host: Key
    seat: U8  # NO_SEAT: none yet
    door: Text
    last: U64
    commit: U64
    proof: Proof


class Info(Body, frozen=True):
    app: Text
    protocol: U16
    rules: U16
    table: TableId
    earlier: tuple[TableId, ...]
    term: U32
    title: Text
    nick: Text
    game: Text
    options: tuple[tuple[Text, Text], ...]
    seats: tuple[tuple[Text, U8], ...]  # nick, seat kind
    state: Text  # lobby, playing or waiting
    door: Text
    host: Key
    addresses: tuple[Address, ...]

    def __post_init__(self) -> None:
        _check_addresses(self.addresses)


class Entries(Body, frozen=True):
    commit: U64
    wires: tuple[bytes, ...]


class View(Body, frozen=True):
    index: U64
    view: bytes
    openings: tuple[tuple[U32, U16, Digest, U8], ...]  # epoch, place in its order, salt, face


class Get(Body, frozen=True):
    index: U64


class Heartbeat(Body, frozen=True):
    table: TableId
    term: U32
    last: U64
    head: Digest
    commit: U64
    beat: U64
    hostsig: Signature


class Ack(Body, frozen=True):
    table: TableId
    term: U32
    index: U64
    head: Digest
    beat: U64  # of the newest heartbeat
    linked: U32
    vote_file: bool


class Act(Body, frozen=True):
    envelope: Annotated[bytes, Meta(max_length=512)]
    actsig: Signature
    opening: Annotated[bytes, Meta(max_length=64)]  # salt and body of a sealed choice


class Refused(Body, frozen=True):
    n: U32  # of the act; 0 for a WANT
    code: Text
    text: Text


class Want(Body, frozen=True):
    text: Text


class Peers(Body, frozen=True):
    """Where the members of the table are reached, the host too; each with its addresses, maybe none."""

    peers: Annotated[tuple[tuple[Key, Annotated[tuple[Address, ...], Meta(max_length=8)]], ...], Meta(max_length=40)]

    def __post_init__(self) -> None:
        for _, addresses in self.peers:
            _check_addresses(addresses)


class Chat(Body, frozen=True):
    """What `key` said. n counts up per key; scope: a seat, TO_SPECTATORS or TO_ALL; sig: see `wire.chat`."""

    key: Key
    n: U32
    scope: U8
    text: Annotated[str, Meta(max_length=CHAT_CHARS)]
    sig: Signature


NOTHING_BAD = 2**64 - 1
"""In an AUDIT: every entry of the round is in order."""


class Audit(Body, frozen=True):
    """What `key` found when it checked a disclosed round. bad: index of the first bad entry, or NOTHING_BAD."""

    key: Key
    round: U32
    bad: U64
    reason: Annotated[str, Meta(max_length=REASON_CHARS)]
    sig: Signature


class Share(Body, frozen=True):
    """A holder's share of the secret of the round whose first epoch is `epoch`: the value at x (protocol 6.5)."""

    epoch: U32
    x: U8
    value: Annotated[bytes, Meta(min_length=66, max_length=66)]

    def __repr__(self) -> str:
        return f"Share(epoch={self.epoch}, x={self.x})"


class ShareAsk(Body, frozen=True):
    """A new host asks for the shares of the open round, whose first epoch is `epoch`."""

    epoch: U32


class Secret(Body, frozen=True):
    """R of the open round, for the successor that the HANDOVER names."""

    epoch: U32
    secret: Digest

    def __repr__(self) -> str:
        return f"Secret(epoch={self.epoch})"


class Held(Body, frozen=True):
    """Seats whose player dropped and how many seconds each is kept; none when nobody is missing."""

    seats: tuple[tuple[U8, U16], ...]


class Ready(Body, frozen=True):
    """Between rounds: who wants to go on, the seconds until it goes on by itself (0: it doesn't), who stopped."""

    seats: tuple[U8, ...]
    seconds: U16
    stopped: U8  # NO_SEAT: nobody


class Clock(Body, frozen=True):
    """The present turn: seconds until its time is up (0: no clock), who wants it skipped, how many must want it, and
    who has just had the deck laid open."""

    seconds: U16
    skips: tuple[U8, ...]
    needed: U8
    peeked: U8  # NO_SEAT: nobody


class Standing(Body, frozen=True):
    """Whether the table would outlive its host: why as in `table.tableview.Safe`, and the keys it hangs on."""

    why: Text
    keys: Annotated[tuple[Key, ...], Meta(max_length=40)]


class Keepalive(Body, frozen=True):
    table: TableId
    term: U32
    index: U64
    head: Digest
    hostsig: Signature


class PrevoteAsk(Body, frozen=True):
    """Would you vote for me in this term? Nothing has changed yet. last_term, last, head, hostsig: our newest entry."""

    table: TableId
    term: U32
    last_term: U32
    last: U64
    head: Digest
    hostsig: Signature


class Prevote(Body, frozen=True):
    """The answer."""

    table: TableId
    term: U32
    yes: bool


class VoteAsk(Body, frozen=True):
    """The candidate's vote for itself, and the hostsig of the head in it."""

    vote: Vote
    hostsig: Signature


RAISED_BY_VOTE, RAISED_BY_ENTRY = 1, 2
"""What a STALE shows: a VOTE, or the wire of a TERM_START or FORK."""


class Stale(Body, frozen=True):
    """Your term is over; what raised it: RAISED_BY_VOTE or RAISED_BY_ENTRY, and its bytes."""

    what: U8
    data: Annotated[bytes, Meta(max_length=8 * 1024)]


class ForkAsk(Body, frozen=True):
    """Let these members go on without the others, as the table `fresh`, from this entry on."""

    table: TableId
    index: U64
    head: Digest
    fresh: TableId
    members: Annotated[tuple[Key, ...], Meta(max_length=40)]


class ForkSay(Body, frozen=True):
    """The answer. sig: none on no."""

    table: TableId
    fresh: TableId
    yes: bool
    sig: Annotated[bytes, Meta(max_length=64)]

    def __post_init__(self) -> None:
        if len(self.sig) != (64 if self.yes else 0):
            raise ValueError("an answer with a wrong signature")


class Close(Body, frozen=True):
    reason: U8
    text: Text
    until: U64 = 0  # unix seconds; 0 none


Message = (
    Hello
    | Pake
    | Confirm
    | Welcome
    | Info
    | Entries
    | View
    | Get
    | Heartbeat
    | Ack
    | Act
    | Refused
    | Want
    | Peers
    | Chat
    | Audit
    | Share
    | ShareAsk
    | Secret
    | Held
    | Ready
    | Clock
    | Standing
    | Keepalive
    | PrevoteAsk
    | Prevote
    | VoteAsk
    | Vote
    | Stale
    | ForkAsk
    | ForkSay
    | Close
)

BODIES: dict[Kind, type[Message]] = {
    Kind.HELLO: Hello,
    Kind.PAKE: Pake,
    Kind.CONFIRM: Confirm,
    Kind.WELCOME: Welcome,
    Kind.INFO: Info,
    Kind.ENTRIES: Entries,
    Kind.VIEW: View,
    Kind.GET: Get,
    Kind.HEARTBEAT: Heartbeat,
    Kind.ACK: Ack,
    Kind.ACT: Act,
    Kind.REFUSED: Refused,
    Kind.WANT: Want,
    Kind.PEERS: Peers,
    Kind.CHAT: Chat,
    Kind.AUDIT: Audit,
    Kind.SHARE: Share,
    Kind.SHARE_ASK: ShareAsk,
    Kind.SECRET: Secret,
    Kind.HELD: Held,
    Kind.READY: Ready,
    Kind.CLOCK: Clock,
    Kind.STANDING: Standing,
    Kind.KEEPALIVE: Keepalive,
    Kind.PREVOTE_ASK: PrevoteAsk,
    Kind.PREVOTE: Prevote,
    Kind.VOTE_ASK: VoteAsk,
    Kind.VOTE: Vote,
    Kind.STALE: Stale,
    Kind.FORK_ASK: ForkAsk,
    Kind.FORK_SAY: ForkSay,
    Kind.CLOSE: Close,
}

_KINDS = {body: kind for kind, body in BODIES.items()}
_DECODERS: dict[int, msgspec.msgpack.Decoder[Message]] = {
    kind: msgspec.msgpack.Decoder(body) for kind, body in BODIES.items()
}


def encode(message: Message) -> tuple[Kind, bytes]:
    """Kind and body, ready to be sealed."""
    return _KINDS[type(message)], msgspec.msgpack.encode(message)


def decode(kind: int, body: bytes) -> Message:
    """The message of a record; ProtocolError for an unknown kind and for every body that isn't exactly one of it."""
    decoder = _DECODERS.get(kind)
    if decoder is None:
        raise ProtocolError(f"message of kind {kind:#04x}: unknown")
    try:
        return decoder.decode(body)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise ProtocolError(f"message of kind {kind:#04x}: {error}") from error
