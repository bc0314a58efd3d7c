"""Honest values of every target: where a fuzzer begins, and what a decoder must go on to take."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from p2pcards import PROTOCOL
from p2pcards.games import record
from p2pcards.games.registry import GAMES
from p2pcards.wire.advert import Advert, encode_advert
from p2pcards.wire.chat import sign_chat
from p2pcards.wire.entries import (
    BotPub,
    BotReason,
    Disclose,
    EntryFlag,
    EntryKind,
    Fork,
    Handover,
    Kick,
    MatchEnd,
    OpenPub,
    Pub,
    RoundEnd,
    TermStart,
)
from p2pcards.wire.envelope import ActKind
from p2pcards.wire.messages import (
    RAISED_BY_VOTE,
    TO_ALL,
    Ack,
    Act,
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
    Method,
    Pake,
    Peers,
    Prevote,
    PrevoteAsk,
    Ready,
    Reason,
    Refused,
    Resume,
    Secret,
    Share,
    ShareAsk,
    Stale,
    Standing,
    View,
    VoteAsk,
    Want,
    Welcome,
    encode,
)
from p2pcards.wire.records import Opener, Sealer
from p2pcards.wire.verdict import sign_verdict
from p2pcards.wire.vote import Vote
from tests.fuzz.targets import KEYS, TABLE
from tests.testing.cluster import identity
from tests.testing.forge import NAMES, Forge, member
from tests.testing.samples import record_file

HEAD, SIGNATURE = b"\x05" * 32, b"\x06" * 64
IPV4, IPV6 = bytes([10, 0, 0, 7]) + b"\x62\xa4", bytes(15) + b"\x01" + b"\x62\xa4"


def bodies() -> dict[str, bytes]:
    """A message of every kind: kind and body."""
    ben, host = identity("ben"), identity("host").key
    vote = Vote(TABLE, 2, ben.key, ben.key, 1, 1, 9, HEAD, SIGNATURE)
    games = tuple((name, 1) for name in GAMES)
    messages: dict[str, Message] = {
        "hello": Hello("0.1.0", PROTOCOL, games, "ben", 0, Method.KNOCK, b"", 25252, (IPV4, IPV6), ()),
        "hello-back": Hello("0.1.0", PROTOCOL, games, "ben", 1, Method.CODE, b"S" * 33, 1, (), Resume(TABLE, 9, HEAD)),
        "pake": Pake(b"S" * 33),
        "confirm": Confirm(HEAD),
        "welcome": Welcome(TABLE, 1, host, 255, "lab", 4, 4, HEAD),
        "info": Info(
            *("0.1.0", PROTOCOL, 1, TABLE, (), 1, "Friday night", "ana", "tongits", (("scoring", "chips"),)),
            *((("ana", 1), ("bot-1", 2), ("", 0)), "lobby", "open", host, (IPV4,)),
        ),
        "entries": Entries(2, tuple(Forge().lobby())),
        "view": View(7, b"\x93\x01\x02\x03", ((1, 2, HEAD, 3),)),
        "get": Get(0),
        "heartbeat": Heartbeat(TABLE, 1, 9, HEAD, 9, 3, SIGNATURE),
        "ack": Ack(TABLE, 1, 9, HEAD, 3, 0, False),
        "act": Act(_act(), SIGNATURE, b""),
        "refused": Refused(3, "not_your_turn", "ben"),
        "want": Want("next"),
        "chat": sign_chat(ben, TABLE, 1, TO_ALL, "chào, ana: \u202egnp"),
        "audit": sign_verdict(ben, TABLE, HEAD, 1, None, ""),
        "audit-bad": sign_verdict(ben, TABLE, HEAD, 2, 40, "another result"),
        "share": Share(1, 2, b"\x00\xd7" + b"\x08" * 64),
        "held": Held(((2, 90),)),
        "ready": Ready((0, 2), 60, 255),
        "clock": Clock(30, (1,), 2, 255),
        "keepalive": Keepalive(TABLE, 1, 9, HEAD, SIGNATURE),
        "peers": Peers(((host, (IPV4, IPV6)), (ben.key, ()))),
        "share-ask": ShareAsk(1),
        "secret": Secret(1, HEAD),
        "standing": Standing("few", (host, ben.key)),
        "prevote-ask": PrevoteAsk(TABLE, 2, 1, 9, HEAD, SIGNATURE),
        "prevote": Prevote(TABLE, 2, True),
        "vote-ask": VoteAsk(vote, SIGNATURE),
        "vote": vote,
        "stale": Stale(RAISED_BY_VOTE, encode(vote)[1]),
        "fork-ask": ForkAsk(TABLE, 9, HEAD, bytes(16), (host, ben.key)),
        "fork-say": ForkSay(TABLE, bytes(16), True, SIGNATURE),
        "fork-say-no": ForkSay(TABLE, bytes(16), False, b""),
        "close": Close(Reason.BANNED, "away with you", 2_000_000_000),
    }
    encoded = {name: encode(message) for name, message in messages.items()}
    return {name: bytes([kind]) + body for name, (kind, body) in encoded.items()}


def _act() -> bytes:
    forge = Forge()
    forge.round()
    return forge.envelope(1, 1, ActKind.ACT, b"draw")


def plains() -> dict[str, bytes]:
    """The plain text of every message, as it is sealed; and records whole."""
    found = {}
    for name, body in bodies().items():
        sealed = Sealer(*KEYS).seal(body[0], body[1:])
        found[name] = Opener(*KEYS).open_plain(sealed[4:])
        if name in ("get", "hello"):
            found[f"sealed-{name}"] = sealed
    return found


def entries() -> dict[str, bytes]:
    """An entry of every kind."""
    forge = Forge()
    wires = dict(zip(("genesis", "options", "roster"), forge.lobby(), strict=True))
    wires |= {"match-start": forge.match(), "deal-open": forge.deal_open(contributors=(0, 1, 2))}
    wires |= {
        "deal-commit": forge.deal_commit({0: HEAD, 2: bytes(32)}, (1,)),
        "deal-reveal": forge.deal_reveal({2: bytes(32)}, (0,)),
    }
    wires["deal-start"] = forge.deal_start()
    said = forge.says(0, "draw"), forge.says(1, "discard AS", flags=EntryFlag.BOT)
    wires |= dict(zip(("act", "act-of-a-bot"), said, strict=True))
    wires["sealed"] = forge.says(0, HEAD, ActKind.SEALED)
    wires |= {"blind": forge.blind(1), "opening": forge.opens(1), "default": forge.defaults(2, "fold")}
    ballot = forge.envelope(1, 9, ActKind.VOTE, b"kick 2")
    wires["ballot"] = forge.entry(EntryKind.BALLOT, ballot, seat=1, flags=EntryFlag.ACTSIG, actsig=SIGNATURE)
    wires["leaves"] = forge.leaves(2, (*map(member, NAMES[:2]), replace(member("cy"), kind=2)))
    pubs: dict[EntryKind, Pub] = {
        EntryKind.KICK: Kick(identity("cy").key, "talks", 2_000_000_000, (3, 4)),
        EntryKind.OPEN: OpenPub(((1, 0, HEAD, 17), (1, 1, bytes(32), 4))),
        EntryKind.BOT: BotPub(1, True, BotReason.GRACE),
        EntryKind.ROUND_END: RoundEnd(1, "call", (0,), (3, -1, -2)),
        EntryKind.DISCLOSE: Disclose(1, HEAD),
        EntryKind.MATCH_END: MatchEnd(1, (3, -1, -2), (0,)),
        EntryKind.TERM_START: TermStart(
            identity("ana").key, (forge.vote("ana", "ana", 2), forge.vote("ben", "ana", 2)), 0
        ),
        EntryKind.HANDOVER: Handover(identity("ben").key, 3),
        EntryKind.FORK: Fork(TABLE, bytes(16), 9, HEAD, identity("ben").key, ((identity("ben").key, SIGNATURE),)),
    }
    return wires | {kind.name.lower().replace("_", "-"): forge.entry(kind, pub) for kind, pub in pubs.items()}


def adverts() -> dict[str, bytes]:
    """TXT records."""
    key = identity("host").key
    plain = Advert(PROTOCOL, TABLE, key, "open", "tongits", 1, 3, "Friday night", "ana", "lobby", 1)
    found = {
        "open": plain,
        "lab": replace(plain, door="lab+uid", title="phòng 4", state="playing", taken=3, tag=TABLE),
        "other-version": replace(plain, version=PROTOCOL + 1),
    }
    return {name: _txt(encode_advert(advert)) for name, advert in found.items()}


def _txt(fields: Mapping[str, str]) -> bytes:
    """The fields as they travel: a length before each."""
    lines = [f"{name}={value}".encode() for name, value in fields.items()]
    return b"".join(bytes([len(line)]) + line for line in lines)


def records() -> dict[str, bytes]:
    """The first round of a match of each game."""
    found = {}
    for game in GAMES:
        whole = record.read(record_file(game).read_bytes())
        found[game] = record.write(replace(whole, rounds=whole.rounds[:1])).encode()
    return found


HONEST: Mapping[str, Callable[[], dict[str, bytes]]] = {
    "record": plains,
    "message": bodies,
    "entry": entries,
    "advert": adverts,
    "import": records,
}
