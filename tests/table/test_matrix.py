"""Every kind of message in every state before somebody sits at the table (protocol 10, suite 4, the part of doors).

The rows are all kinds that the protocol has a number for, spoken or not, and one that it has not. The columns:

    M1       the end that was dialled waits for M1
    M3       it has sent M2 and waits for M3
    M2       the end that dials has sent M1 and waits for M2
    pake     a guest has knocked with a code, and waits for the host's half of the run
    welcome  it has said that it knows the code, and waits to be let in
    hello    the host has an authenticated link, and waits for a HELLO
    asked    somebody knocked, and the person at the host is asked
    run      somebody said a HELLO with a code, and has our half of the run
    watch    somebody was let in and has no seat

and the cells: what comes of it.

    -        abort: the handshake or the decoder ends it, and nobody is told a word
    broken   the far end is told so, and that is the last it hears; a guest alarms its player too
    end      the far end has gone, and that is all
    .        it is taken, and nobody is answered
    KIND     it is taken, and this is the answer
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace

from p2pcards.errors import ProtocolError
from p2pcards.table.door import Gate
from p2pcards.table.effects import LinkId, LinkUp, Received
from p2pcards.table.guest import Guest
from p2pcards.table.notices import Alarm, Closed
from p2pcards.table.ticket import Ticket
from p2pcards.wire.chat import sign_chat
from p2pcards.wire.code import Joining, answer, confirm_i, confirm_r
from p2pcards.wire.handshake import M1_BYTES, M2_BYTES, M3_BYTES, Initiator, Responder
from p2pcards.wire.messages import (
    TO_ALL,
    Close,
    Confirm,
    Hello,
    Kind,
    Message,
    Method,
    Pake,
    Reason,
    Welcome,
    decode,
    encode,
)
from p2pcards.wire.records import Sealer
from tests.table.test_access import hello
from tests.table.test_guest_messages import all_messages
from tests.testing.cluster import Cluster, Line, identity, session, three
from tests.testing.tally import Tally

SUITE = "4 state x message"

MATRIX = """
kind            M1 M3 M2 pake    welcome hello   asked  run     watch
01 HELLO        -  -  -  broken  broken  WELCOME broken broken  broken
02 PAKE         -  -  -  CONFIRM broken  broken  broken broken  broken
03 CONFIRM      -  -  -  broken  broken  broken  broken WELCOME broken
04 WELCOME      -  -  -  broken  GET     broken  broken broken  broken
05 INFO         -  -  -  .       .       broken  broken broken  broken
10 ENTRIES      -  -  -  broken  broken  broken  broken broken  broken
11 VIEW         -  -  -  broken  broken  broken  broken broken  broken
12 GET          -  -  -  broken  broken  broken  broken broken  ENTRIES
13 HEARTBEAT    -  -  -  broken  broken  broken  broken broken  broken
14 ACK          -  -  -  broken  broken  broken  broken broken  .
15 ACT          -  -  -  broken  broken  broken  broken broken  REFUSED
16 REFUSED      -  -  -  broken  broken  broken  broken broken  broken
17 WANT         -  -  -  broken  broken  broken  broken broken  REFUSED
18 PEERS        -  -  -  broken  broken  broken  broken broken  broken
19 CHAT         -  -  -  broken  broken  broken  broken broken  CHAT
1a AUDIT        -  -  -  broken  broken  broken  broken broken  REFUSED
1b HELD         -  -  -  broken  broken  broken  broken broken  broken
1c READY        -  -  -  broken  broken  broken  broken broken  broken
1d CLOCK        -  -  -  broken  broken  broken  broken broken  broken
1e STANDING     -  -  -  broken  broken  broken  broken broken  broken
20 SHARE        -  -  -  broken  broken  broken  broken broken  broken
21 SHARE_ASK    -  -  -  broken  broken  broken  broken broken  broken
22 SECRET       -  -  -  broken  broken  broken  broken broken  broken
30 KEEPALIVE    -  -  -  broken  broken  broken  broken broken  .
31 PREVOTE_ASK  -  -  -  broken  broken  broken  broken broken  broken
32 PREVOTE      -  -  -  broken  broken  broken  broken broken  broken
33 VOTE_ASK     -  -  -  broken  broken  broken  broken broken  broken
34 VOTE         -  -  -  broken  broken  broken  broken broken  broken
35 STALE        -  -  -  broken  broken  broken  broken broken  broken
36 FORK_ASK     -  -  -  broken  broken  broken  broken broken  broken
37 FORK_SAY     -  -  -  broken  broken  broken  broken broken  broken
ff CLOSE        -  -  -  end     end     end     end    end     end
2a unknown      -  -  -  -       -       -       -      -       -
"""

_LINES = [line.split() for line in MATRIX.strip().splitlines()]
STATES = tuple(_LINES[0][1:])
CELLS = {
    (int(number, 16), state): cell for number, _, *row in _LINES[1:] for state, cell in zip(STATES, row, strict=True)
}
KINDS = {int(line[0], 16): line[1] for line in _LINES[1:]}

CODE = "mango-tiger"
HOST, DOT = identity("host"), identity("dot")
_SAMPLES = {int(encode(message)[0]): message for message in all_messages()}


def body_of(kind: int) -> bytes:
    """A body of that kind; of a kind that nobody speaks yet, an empty array."""
    return encode(_SAMPLES[kind])[1] if kind in _SAMPLES else b"\x90"


def test_the_matrix_has_every_kind_that_is_spoken_and_every_state() -> None:
    assert {(int(kind), kind.name) for kind in Kind} <= set(KINDS.items())
    assert _SAMPLES.keys() == {int(kind) for kind in Kind}
    assert len(CELLS) == len(KINDS) * len(STATES) == 33 * 9
    spoken = {KINDS[kind] for kind, state in CELLS if state == "hello" and CELLS[kind, state] != "-"}
    assert spoken == {kind.name for kind in Kind}


# ---- handshake: what is no handshake message ends it, well sealed or not


def plain_of(kind: int) -> bytes:
    """The message as the inside of a record, as long as that of a proof."""
    body = body_of(kind)[:124]
    return (bytes([kind, 0]) + len(body).to_bytes(2, "big") + body).ljust(128, b"\0")


def to_m1(kind: int) -> None:
    right = Initiator(DOT, b"i" * 32).m1
    responder = Responder(HOST, b"r" * 32)
    record = Sealer(b"e" * 32, b"m" * 32).seal(kind, body_of(kind))
    with pytest.raises(ProtocolError):
        responder.answer(record[:M1_BYTES].ljust(M1_BYTES, b"\0"))
    assert len(responder.answer(right)) == M2_BYTES  # nothing was made of it


def to_m3(kind: int) -> None:
    """Sealed with the keys of this very handshake."""
    initiator, responder = Initiator(DOT, b"i" * 32), Responder(HOST, b"r" * 32)
    m2 = responder.answer(initiator.m1)
    initiator._agree(m2[:32], initiator.m1, m2[:32])
    record = Sealer(*initiator._keys(initiator._prk, "hs", "i")).seal_plain(plain_of(kind))
    assert len(record) == M3_BYTES
    with pytest.raises(ProtocolError):
        responder.finish(record)
    again = Initiator(DOT, b"i" * 32)
    with pytest.raises(ProtocolError):
        responder.finish(again.finish(m2)[0])  # it is used up: what would have been right is too late


def to_m2(kind: int) -> None:
    """The same from the end that was dialled."""
    initiator, responder = Initiator(DOT, b"i" * 32), Responder(HOST, b"r" * 32)
    right = responder.answer(initiator.m1)
    record = Sealer(*responder._keys(responder._prk, "hs", "r")).seal_plain(plain_of(kind))
    with pytest.raises(ProtocolError):
        initiator.finish(right[:32] + record)
    with pytest.raises(ProtocolError):
        initiator.finish(right)


# ---- a guest at the door


def to_guest(state: str, message: Message) -> str:
    link = LinkId(1)
    dice = Cluster().rng.randbytes
    guest = Guest(DOT, dice, "dot", ticket=Ticket("code", CODE))
    th3 = session(link)
    said = guest.handle(LinkUp(link, HOST.key, th3), 0.0).outgoing[0][1]
    point_i = said.proof  # type: ignore[union-attr] # a HELLO
    point_r, secret = answer(CODE, DOT.key, HOST.key, th3, point_i, dice)
    if isinstance(message, Pake):
        message = Pake(point_r)
    if state == "welcome":
        guest.handle(Received(link, Pake(point_r)), 0.0)
        if isinstance(message, Welcome):
            message = replace(message, proof=confirm_r(secret, th3, point_i, point_r))
    effects = guest.handle(Received(link, message), 0.0)
    alarms = [notice for notice in effects.notices if isinstance(notice, Alarm)]
    closes = [notice for notice in effects.notices if isinstance(notice, Closed)]
    sent = [message for _, message in effects.outgoing]
    assert effects.entries == ()
    if guest.finished and not alarms:
        assert sent == []
        assert len(closes) == 1
        return "end"
    if alarms:
        assert [type(message) for message in sent] == [Close]
        assert [notice.reason for notice in closes] == ["broken"]
        assert guest.finished
        return "broken"
    return outcome(sent)


def outcome(sent: list[Message]) -> str:
    """A cell for an answer."""
    if sent and isinstance(sent[0], Close):
        assert len(sent) == 1
        assert sent[0].reason == Reason.BROKEN
        return "broken"
    return encode(sent[0])[0].name if sent else "."


# ---- the host at its door


def at_the_door(state: str) -> tuple[Line, dict[type[Message], Message]]:
    """A line in that state, and what an honest program would say on it."""
    door = {"asked": "ask", "run": "code"}.get(state, "open")
    cluster = three(door="open", gate=Gate(code=CODE))
    cluster.order("door", door)
    line = cluster.line("dot")
    mine: dict[type[Message], Message] = {}
    if state == "asked":
        assert line.send(hello("dot", flags=2)) == []
        assert len(cluster.host.knocks) == 1
    elif state == "run":
        joining = Joining(cluster.host.code, DOT.key, HOST.key, session(line.link), cluster.rng.randbytes)
        (pake,) = line.send(hello("dot", flags=2, method=Method.CODE, proof=joining.point))
        assert isinstance(pake, Pake)
        proof = confirm_i(joining.finish(pake.point), session(line.link), joining.point, pake.point)
        mine[Confirm] = Confirm(proof)
    elif state == "watch":
        assert isinstance(line.send(hello("dot", flags=2))[0], Welcome)
    chat = sign_chat(DOT, cluster.host.table, 1, TO_ALL, "hi")
    return line, {type(chat): chat, **mine}


def to_host(state: str, message: Message) -> str:
    line, mine = at_the_door(state)
    cluster = line.cluster
    if state == "watch":
        line.cluster.to_host(line.link, decode(*encode(_SAMPLES[Kind.GET])))  # so that it is told what goes on
        cluster.settle()
    before = len(cluster.host.public.journal)
    sent = line.send(mine.get(type(message), message))
    journal = cluster.host.public.journal
    gone = line.link not in cluster.host._presence.connections
    cell = "end" if gone and not sent else outcome(sent)
    assert gone is (cell in ("end", "broken"))
    watched = state == "watch" and gone  # the roster says that it watches no longer
    assert len(journal) == before + (watched or cell == "WELCOME")
    assert all(peer.told(Alarm) == [] for peer in cluster.peers.values())
    assert all(peer.guest.journal.wires == journal.wires for peer in cluster.peers.values())
    assert cluster.host.knocks == () or not gone
    return cell


# ---- the whole of it

CLOSED: dict[str, Callable[[int], None]] = {"M1": to_m1, "M3": to_m3, "M2": to_m2}
OPEN: dict[str, Callable[[Message], str]] = {
    **{state: partial(to_guest, state) for state in ("pake", "welcome")},
    **{state: partial(to_host, state) for state in ("hello", "asked", "run", "watch")},
}


@pytest.mark.parametrize("state", STATES)
def test_every_kind_in_every_state_leads_where_the_matrix_says(state: str, tally: Tally) -> None:
    assert state in {*CLOSED, *OPEN}
    for kind, name in KINDS.items():
        wanted = CELLS[kind, state]
        if state in CLOSED:
            CLOSED[state](kind)
            assert wanted == "-", f"{name} in {state}"
        elif kind in _SAMPLES:
            message = decode(kind, body_of(kind))
            message = replace(message, flags=2) if isinstance(message, Hello) else message  # there is no seat left
            assert OPEN[state](message) == wanted, f"{name} in {state}"
        else:
            with pytest.raises(ProtocolError):
                decode(kind, body_of(kind))
            assert wanted == "-", f"{name} in {state}"
        tally(SUITE)
