"""What a stranger's bytes are given to, and what must hold whatever they are (protocol 10).

A target takes any bytes. It says whether they were taken for something; it raises only where the program has a bug.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from p2pcards import PROTOCOL
from p2pcards.errors import ProtocolError
from p2pcards.games import record
from p2pcards.games.replay import replay, told
from p2pcards.wire.advert import decode_advert, encode_advert
from p2pcards.wire.chat import verify_chat
from p2pcards.wire.entries import ENVELOPES, Fork, Parts, TermStart, decode_pub, decode_wire, encode_entry, encode_pub
from p2pcards.wire.envelope import ActKind, decode_envelope, encode_envelope, unpack_leave, unpack_opening
from p2pcards.wire.messages import Audit, Chat, ForkSay, Hello, VoteAsk, decode, encode
from p2pcards.wire.records import BODY_BYTES, Opener, Sealer, record_length
from p2pcards.wire.verdict import verify_verdict
from p2pcards.wire.vote import Vote, verify_fork, verify_vote

KEYS = (b"\x11" * 32, b"\x22" * 32)
TABLE = b"\x07" * 16


class Target(NamedTuple):
    """One decoder. words: what a fuzzer can put together, which it would be long in finding by itself."""

    takes: Callable[[bytes], bool]
    words: tuple[str, ...] = ()


def open_record(data: bytes) -> bool:
    """As they came from the line; then as the plain text of a peer that holds the right keys."""
    _opened(data)
    sealed = Sealer(*KEYS).seal_plain(data)
    opened = _opened(sealed)
    if opened is not None:
        assert Sealer(*KEYS).seal(*opened) == sealed
    return opened is not None


def _opened(data: bytes) -> tuple[int, bytes] | None:
    try:
        return Opener(*KEYS).open(record_length(data[:4]), data[4:])
    except ProtocolError:
        return None


def decode_body(data: bytes) -> bool:
    """A kind and a body."""
    try:
        message = decode(data[0] if data else 0, data[1:])
    except ProtocolError:
        return False
    kind, body = encode(message)
    assert decode(kind, body) == message
    assert len(body) <= max(BODY_BYTES, len(data))
    match message:
        case Hello():
            assert message.returning is None or len(message.returning.head) == 32
        case Chat():
            verify_chat(TABLE, message)
        case Audit():
            verify_verdict(TABLE, b"\x05" * 32, message)
        case Vote() | VoteAsk():
            verify_vote(message.vote if isinstance(message, VoteAsk) else message)
        case ForkSay():
            verify_fork(b"\x05" * 32, message.sig, TABLE, b"\x05" * 32, message.fresh)
    return True


def decode_entry(data: bytes) -> bool:
    """An entry as it is sent, and what it holds."""
    try:
        entry, hostsig = decode_wire(data)
        assert encode_entry(entry) + hostsig == data
        if entry.kind not in ENVELOPES:
            pub = decode_pub(entry.kind, entry.pub)
            assert decode_pub(entry.kind, encode_pub(pub)) == pub
            match pub:
                case Parts():
                    for signed, _ in pub.said:
                        decode_envelope(signed)
                case TermStart():
                    for vote in pub.votes:
                        verify_vote(vote)
                case Fork():
                    for key, sig in pub.said:
                        verify_fork(key, sig, pub.earlier, pub.head, pub.fresh)
            return True
        said = decode_envelope(entry.pub)
        assert encode_envelope(said) == entry.pub
        if said.kind is ActKind.OPENING:
            unpack_opening(said.payload)
        if said.kind is ActKind.LEAVE:
            unpack_leave(said.payload)
    except ProtocolError:
        return False
    return True


def decode_txt(data: bytes) -> bool:
    """The TXT record of an advert, read as the library for mDNS reads it."""
    from zeroconf import ServiceInfo

    info = ServiceInfo("_p2pcards._tcp.local.", "t._p2pcards._tcp.local.", properties=data)
    try:
        advert = decode_advert(info.properties, PROTOCOL)
    except ProtocolError:
        return False
    assert (advert.title + advert.host + advert.game + advert.door).isprintable()
    if advert.version == PROTOCOL:
        fields = {name.encode(): value.encode() for name, value in encode_advert(advert).items()}
        assert decode_advert(fields, PROTOCOL) == advert
    return True


def import_record(data: bytes) -> bool:
    """A record that somebody sent: replayed, told, and written anew."""
    found = replay(data)
    for line in (*told(found), found.error):
        assert line.isprintable()
    if found.exit_code:
        assert found.error
        return False
    assert found.record is not None
    assert record.read(record.write(found.record)) == found.record
    return True


TARGETS = {
    "record": Target(open_record),
    "message": Target(decode_body),
    "entry": Target(decode_entry, ("p2pcards/1 act",)),
    "advert": Target(
        decode_txt,
        ("v=1", "t=", "k=", "a=open", "a=code", "g=tongits", "p=1/3", "n=", "h=", "s=lobby", "s=playing", "e=1", "m="),
    ),
    "import": Target(
        import_record,
        (
            *("format = 1", 'game = "tongits"', 'game = "onecard"', "players = [", "[options]", "[[rounds]]"),
            *("starter = ", "hands = { ", "order = { ", "discards = ", "upcard = ", "stock = ", "actions = ["),
            *(
                "winners = [",
                "points = { ",
                "play 7S",
                "draw",
                "pass",
                "call",
                "expose ",
                "layoff ",
                "discard ",
                "take ",
            ),
        ),
    ),
}
