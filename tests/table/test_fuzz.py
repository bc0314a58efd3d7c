"""Anything at all is said to a host and ordered at its keyboard: it never raises, and the honest play on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.errors import UserError
from p2pcards.table.door import Gate
from p2pcards.table.effects import Agreed, LinkId, Ordered, Spoke, Voted
from p2pcards.table.journal import Journal
from p2pcards.table.notices import Alarm, Closed
from p2pcards.table.public import Public
from p2pcards.table.settings import DOORS
from p2pcards.wire.chat import sign_chat
from p2pcards.wire.code import Joining
from p2pcards.wire.envelope import ActKind, choice_commitment
from p2pcards.wire.identity import Identity
from p2pcards.wire.lab import proof_i, proof_r
from p2pcards.wire.messages import BODIES, TO_ALL, TO_SPECTATORS, Act, Hello, Method, Pake, Want, Welcome
from tests.table.test_access import hello
from tests.table.test_acts import envelope
from tests.testing.cluster import Cluster, Line, identity, play_round, session, started, three
from tests.testing.dealing import part_of, waiting_for_cy
from tests.testing.table import NAMES, legal_texts, question, starting, tame_bot
from tests.wire.strategies import messages

MESSAGES = st.one_of(*map(messages, BODIES.values()))
PAYLOADS = st.one_of(
    st.binary(max_size=70),
    st.binary(min_size=32, max_size=32),
    st.text(max_size=40).map(str.encode),
    st.sampled_from(
        [
            *(b"draw", b"discard AS", b"expose AS 2S 3S", b"layoff 8H m1", b"call", b"fold", b"challenge", b"take m1"),
            *(b"play 7S", b"play 3S 3C", b"pass", b"keep", b"discard KD", b"shuffle AS 2S"),
            *(b"kick 2", b"kick 0", b"kick 1", b"against 2", b"kick 02", b"kick 999", b"kick \xd9\xa1"),
        ]
    ),
)
FEW = settings(max_examples=40, suppress_health_check=list(HealthCheck))


LAB = bytes(range(32))
GATE = Gate(lab=LAB)
CODE = "mango-tiger"
"""What somebody types for the code, whatever it is."""


def _tongits() -> Cluster:
    cluster = starting("ana", gate=GATE)
    cluster.bots = tame_bot
    return cluster


def _asked() -> Cluster:
    cluster = question()
    cluster.bots = tame_bot
    return cluster


def _dealing() -> Cluster:
    """A table whose host waits for cy's part, and then for ben's."""
    cluster = waiting_for_cy(game="onecard", gate=GATE)
    cluster.loses = lambda name, message: name == "cy" and part_of(message) is ActKind.REVEAL
    return cluster


def _of(game: str, seats: int, **options: str) -> Cluster:
    """A table of another game, with a clock and a deck that may be seen."""
    settings = {"turn_seconds": "30", "allow_peek": "true"}
    return started(1, game=game, seats=seats, options=options, settings=settings, gate=GATE)


TABLES: dict[str, Callable[[], Cluster]] = {
    "lobby": lambda: three(1, game="onecard", seats=6, gate=GATE),
    "tongits": _tongits,
    "asked": _asked,
    "dealing": _dealing,
    "straights": lambda: _of("straights", 4),
    "onecard": lambda: _of("onecard", 3, decks="1", cards="9"),
    "tienlen": lambda: _of("tienlen", 3),
}


class Crowd:
    """A table with an open round at which ben, a watcher and a stranger may say anything."""

    def __init__(self, table: str) -> None:
        self.cluster = TABLES[table]()
        self.lines: dict[str, Line] = {}
        self.said = 0  # the newest n of what was said

    def line(self, name: str) -> Line:
        """The line of somebody; a fresh one where the last was closed."""
        line = self.lines.get(name)
        if line is None or line.closed is not None or line.link not in self.cluster.links:
            line = self.lines[name] = self.cluster.line(name)
            if name != "stranger":
                journal = self.cluster.host.public.journal
                came = (journal.table, journal.last, journal.head)
                line.send(hello(name, flags=2 * (name == "watcher"), resume=came))
        return line


class Said(NamedTuple):
    """Something said with a good signature. ahead: of the last n."""

    ahead: int
    scope: int
    text: str


class Comes(NamedTuple):
    """A HELLO by one of the doors' methods. proof: any bytes, or which one to make."""

    method: int
    nick: str
    proof: str | bytes


@st.composite
def _says(draw: st.DrawFn) -> tuple[str, Any]:
    who = draw(st.sampled_from(["ben", "watcher", "stranger"]))
    signed = st.tuples(
        st.sampled_from(list(ActKind)), PAYLOADS, st.integers(0, 3), st.integers(0, 4), st.booleans(), st.integers(0, 3)
    )
    wishes = st.sampled_from(["skip", "deck", "back", "next", "stop"]).map(Want)
    does = st.sampled_from(["sealed", "silence", "half a minute", "turn"])
    return who, draw(st.one_of(MESSAGES, signed, wishes, does, CHATS, COMES, ORDERS, HONEST))


SEATED = st.integers(0, 3) | st.sampled_from([TO_SPECTATORS, TO_ALL])
CHATS = st.builds(Said, st.integers(0, 3), SEATED, st.text(max_size=20) | st.sampled_from(["hi", "\x1b[2J", "x" * 300]))
PROOFS = st.sampled_from(["", "right", "of the other side"]) | st.binary(max_size=64)
COMES = st.builds(Comes, st.sampled_from([*Method, 77]), st.sampled_from(["ana", "dan", "bot-1", "\u202e", ""]), PROOFS)
KICKED = st.sampled_from(["ben", "watcher", "stranger", "ana", "bot-1", "nobody", ""])
UNTIL = st.sampled_from(["0", "1", "1700000000", "99999999999"])
WORDS = st.sampled_from(["", "talks", "\u202e" * 200, "x" * 500])
KEYS = st.sampled_from([identity(name).key.hex() for name in ("ben", "host", "nobody")])
ORDERS = st.one_of(
    st.tuples(st.just("door"), st.sampled_from([*DOORS, "", "shut"])),
    st.tuples(st.just("admit"), KICKED),
    st.tuples(st.just("deny"), KICKED, WORDS),
    st.tuples(st.just("kick"), KICKED, WORDS, UNTIL),
    st.tuples(st.just("pardon"), KEYS),
).map(Ordered)
HONEST = st.one_of(
    st.builds(Spoke, st.sampled_from(["hi", "", "x" * 400]), st.sampled_from(["", "ben", "ana", "nobody"])),
    st.builds(Voted, st.just(1), st.booleans()),
    st.builds(Agreed, st.integers(1, 9).map(LinkId), st.binary(max_size=33), st.binary(max_size=32)),
)
"""What the shell and the players beside ben do; never to the harm of ana and cy."""


@settings(FEW, max_examples=20)
@given(st.sampled_from(sorted(TABLES)), st.lists(_says(), max_size=25))
def test_a_host_is_told_anything(table: str, story: list[tuple[str, Any]]) -> None:
    crowd = Crowd(table)
    cluster = crowd.cluster
    for who, said in story:
        if said == "silence":
            cluster.pass_time(2.5)
        elif said == "half a minute":
            cluster.pass_time(31)
        elif isinstance(said, Ordered | Agreed):
            with suppress(UserError):
                cluster.tell_host(said)
            cluster.settle()
        elif isinstance(said, Spoke | Voted):
            for name in ("ana", "cy"):
                cluster.tell(cluster.peers[name], said)
                cluster.settle()
        elif isinstance(said, Said):
            crowd.said += said.ahead
            line = crowd.line(who)
            line.send(sign_chat(identity(who), cluster.host.table, crowd.said, said.scope, said.text))
        elif isinstance(said, Comes):
            line = cluster.line(who)
            line.send(_comes(said, identity(who), line))
            crowd.lines[who] = line
        elif said == "turn":
            movers = [peer for peer in cluster.movers if peer.name != "ben"]
            if movers:
                cluster.act(movers[0].name, legal_texts(movers[0])[0])
        elif said == "sealed":
            crowd.line(who).send(_sealed(cluster))
        elif isinstance(said, tuple):
            kind, payload, ahead, back, own, seat = said
            data = _signed(cluster, kind, payload, ahead, back, seat)
            if data is not None:
                crowd.line(who).send(Act(data, identity(who if own else "mallory").sign(data), b""))
        else:
            crowd.line(who).send(said)
    _still_sound(cluster)


def _comes(said: Comes, who: Identity, line: Line) -> Hello:
    """What somebody says first who comes by a method, with a proof of that connection or with any bytes."""
    th3, host = session(line.link), identity("host").key
    proof = said.proof if isinstance(said.proof, bytes) else b""
    if said.proof == "right":
        proof = proof_i(LAB, th3)
        if said.method == Method.CODE:
            proof = Joining(CODE, who.key, host, th3, bytes).point
    elif said.proof == "of the other side":
        proof = proof_r(LAB, th3)
    return replace(hello(said.nick, proof=proof), method=int(said.method))


def _signed(cluster: Cluster, kind: ActKind, payload: bytes, ahead: int, back: int, seat: int) -> bytes | None:
    books = cluster.host.public
    counted = books.said.get(identity("ben").key, 0)
    seen = max(0, books.journal.last - back)
    return envelope(cluster, seat, payload, kind, n=counted + ahead, seen=seen)


def _sealed(cluster: Cluster) -> Act:
    """A choice of ben's that is sealed as it should be, whatever game it is and whoever's turn."""
    books = cluster.host.public
    seat, n = 1, books.said.get(identity("ben").key, 0) + 1
    bound = choice_commitment(books.journal.table, books.epoch, seat, n, bytes(32), b"discard KD")
    data = envelope(cluster, seat, bound, ActKind.SEALED, n=n)
    return Act(data or b"", identity("ben").sign(data or b""), bytes(32) + b"discard KD")


def _still_sound(cluster: Cluster) -> None:
    """The journal can be read by everybody, the honest have nothing to complain about, and the table plays on."""
    for name in ("ana", "cy"):
        assert cluster.peers[name].told(Alarm) == []
        assert cluster.peers[name].told(Closed) == []
    cluster.pass_time(100)
    for _ in range(3):
        if cluster.host.public.round is None:
            cluster.pass_time(61)
            break
        play_round(cluster, limit=2000, among=("ana", "cy"), choose=lambda _, peer: legal_texts(peer)[0])
        cluster.pass_time(12)
    journal = Journal()
    books = Public(journal)
    for wire in cluster.host_journal:
        books.fold(journal.accept(wire, identity("host").key))
    assert books.said == cluster.host.public.said
    assert cluster.host_journal == cluster.host.public.journal.wires
    for name in ("ana", "cy"):
        assert cluster.peers[name].guest.journal.wires == cluster.host_journal
        assert cluster.peers[name].told(Alarm) == []


def test_the_crowd_is_at_the_table() -> None:
    """The fuzz above says things to a table at which they can matter."""
    crowd = Crowd("tongits")
    assert crowd.line("ben").heard(Welcome)
    assert crowd.line("watcher").heard(Welcome)
    assert crowd.line("stranger").received == []
    assert [held.nick for held in crowd.cluster.host.public.seats] == list(NAMES)
    assert crowd.line("stranger").send(hello("x"))


def test_who_comes_gets_as_far_as_the_proof_goes() -> None:
    """The same for the doors: what is right there opens them, what is wrong doesn't."""
    crowd = Crowd("lobby")
    for door, method, heard in (("code", Method.CODE, Pake), ("lab", Method.LAB, Welcome), ("ask", Method.KNOCK, None)):
        crowd.cluster.order("door", door)
        for proof in ("right", "of the other side"):
            line = crowd.cluster.line("dan")
            line.send(_comes(Comes(method, "dan", proof), identity("dan"), line))
            assert [type(message) for message in line.received if type(message) in (Pake, Welcome)] == (
                [heard] if heard and proof == "right" else []
            )
            crowd.cluster.pass_time(61)
