"""Anything at all is said to a host and to a guest: neither ever raises, and the honest play on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.cards import DECK, Card, Cards, cards_of
from p2pcards.errors import ProtocolError, UserError
from p2pcards.games.base import Seat
from p2pcards.games.tongits.melds import MELDS
from p2pcards.games.tongits.state import Meld, Phase
from p2pcards.table.door import DOORS, Gate
from p2pcards.table.effects import (
    Agreed,
    Chose,
    Effects,
    LinkId,
    LinkUp,
    Ordered,
    Received,
    Spoke,
    Voted,
    Wanted,
    Woke,
)
from p2pcards.table.guest import Guest
from p2pcards.table.journal import Journal
from p2pcards.table.notices import Alarm, Closed
from p2pcards.table.public import Public
from p2pcards.table.ticket import Ticket
from p2pcards.wire.chat import sign_chat
from p2pcards.wire.code import Joining, answer
from p2pcards.wire.entries import ENVELOPES, PUBS, EntryFlag, EntryKind
from p2pcards.wire.envelope import ActKind, choice_commitment, encode_envelope
from p2pcards.wire.identity import Identity
from p2pcards.wire.lab import proof_i, proof_r
from p2pcards.wire.messages import (
    BODIES,
    TO_ALL,
    TO_SPECTATORS,
    Act,
    Clock,
    Entries,
    Heartbeat,
    Hello,
    Method,
    Pake,
    View,
    Want,
    Welcome,
)
from tests.table.test_access import hello
from tests.table.test_acts import envelope
from tests.table.test_guest import printable
from tests.testing.cluster import Cluster, Line, identity, play_round, session, started, three
from tests.testing.forge import NO_FLAG, Forge
from tests.testing.table import NAMES, legal_texts, question, starting, tame_bot
from tests.wire.strategies import ENVELOPES as ANY_ENVELOPES
from tests.wire.strategies import messages, pubs

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


# ---- a host


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


def _of(game: str, seats: int, **options: str) -> Cluster:
    """A table of another game, with a clock and a deck that may be seen."""
    settings = {"turn_seconds": "30", "allow_peek": "true"}
    return started(1, game=game, seats=seats, options=options, settings=settings, gate=GATE)


TABLES: dict[str, Callable[[], Cluster]] = {
    "lobby": lambda: three(1, game="onecard", seats=6, gate=GATE),
    "tongits": _tongits,
    "asked": _asked,
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


# ---- a guest


SEATS = st.integers(0, 2).map(Seat)
CARDS = st.integers(0, DECK - 1).map(Card)
HANDS = st.lists(CARDS, max_size=13).map(cards_of)
SOME = st.sampled_from(sorted(MELDS)).map(Cards)


@st.composite
def _views(draw: st.DrawFn, honest: Any) -> Any:
    """A view that its own codec takes, and that no game ever came to."""
    public = honest.public
    changes: dict[str, Any] = {
        "phase": draw(st.sampled_from(list(Phase))),
        "turn": draw(SEATS),
        "counts": draw(st.tuples(*[st.integers(0, DECK)] * 3)),
        "stock": draw(st.integers(0, DECK)),
        "discards": tuple(draw(st.lists(CARDS, max_size=5))),
        "melds": tuple(draw(st.lists(st.builds(Meld, SEATS, SOME), max_size=3))),
        "asked": tuple(draw(st.lists(SEATS, max_size=3))),
        "answers": tuple(draw(st.lists(st.tuples(SEATS, st.booleans()), max_size=3))),
        "winners": tuple(draw(st.lists(SEATS, max_size=3))),
        "shown": tuple(draw(st.lists(st.tuples(SEATS, HANDS, st.integers(0, 2**16 - 1)), max_size=3))),
    }
    return replace(honest, public=replace(public, **changes), hand=draw(HANDS))


@FEW
@given(st.data())
def test_a_guest_is_shown_anything(data: st.DataObject) -> None:
    """Whatever the view, the program that shows it and offers actions from it stands."""
    cluster = _at_bens_turn()
    ben = cluster.peers["ben"].guest
    game = ben.public.rules
    seen = ben.table_view()
    assert seen is not None
    honest = seen.view
    view = data.draw(_views(honest))
    try:
        encoded = game.encode_view(view)
        game.decode_view(encoded)
    except (msgspec.MsgspecError, ValueError):
        return
    guest = _copy(cluster)
    guest.handle(Received(LINK, View(guest.journal.last, encoded, ())), cluster.now)
    assert printable(_texts(guest))
    shown = guest.my_turn
    if shown is not None:
        for action in game.legal_actions(shown):
            game.check(shown, action)
    for text in ("draw", "discard AS", "call", "fold", "challenge", "layoff 2S m2", "take 2S 3S", "expose 2S 3S 4S"):
        guest.handle(Chose(text), cluster.now)
    guest.handle(Woke(), cluster.now + 1)


@st.composite
def _mixed(draw: st.DrawFn, encoded: list[bytes]) -> bytes:
    """The fields of one view, some of them from others, some of them wrong."""
    views = [msgspec.msgpack.decode(view) for view in encoded]
    fields = list(draw(st.sampled_from(views)))
    for at in draw(st.lists(st.integers(1, len(fields) - 1), max_size=6)):
        other = draw(st.sampled_from(views))[at]
        fields[at] = draw(st.one_of(st.just(other), _LIKE.get(type(other), st.none()), st.none()))
    return msgspec.msgpack.encode(fields)


_LIKE: dict[type, st.SearchStrategy[Any]] = {
    int: st.integers(0, 8),
    bool: st.booleans(),
    bytes: st.lists(st.integers(0, DECK - 1), max_size=13).map(sorted).map(bytes),
    list: st.just([]),
}
_SHOWN: dict[str, tuple[Cluster, list[bytes]]] = {}


def _shown(table: str) -> tuple[Cluster, list[bytes]]:
    """A table at which it is ben's turn, and every view that he was shown so far."""
    if table not in _SHOWN:
        cluster = TABLES[table]()
        for _ in range(12):
            mover = cluster.movers[0]
            cluster.act(mover.name, legal_texts(mover)[-1 if table == "onecard" else 0])
        while cluster.movers[0].name != "ben":
            cluster.act(cluster.movers[0].name, legal_texts(cluster.movers[0])[0])
        views = [message.view for message in cluster.peers["ben"].received if isinstance(message, View)]
        _SHOWN[table] = cluster, views
    return _SHOWN[table]


@settings(FEW, max_examples=150)
@given(st.sampled_from(["straights", "onecard", "tienlen"]), st.data())
def test_a_guest_of_any_game_is_shown_anything(table: str, data: st.DataObject) -> None:
    """Whatever its decoder lets pass, actions can be offered from it and refused by it."""
    cluster, views = _shown(table)
    game = cluster.host.public.rules
    encoded = data.draw(_mixed(views))
    try:
        game.decode_view(encoded)
    except (msgspec.MsgspecError, ValueError):
        return
    guest = _copy(cluster)
    guest.handle(Received(LINK, View(guest.journal.last, encoded, ())), cluster.now)
    guest.handle(Received(LINK, Clock(1, (0, 200), 2, 0)), cluster.now)
    assert printable(_texts(guest))
    shown = guest.my_turn
    if shown is not None:
        for action in game.legal_actions(shown):
            game.check(shown, action)
    for text in ("draw", "pass", "discard KD", "play 7S", "play 3S 3C", "keep", "shuffle AS"):
        guest.handle(Chose(text), cluster.now)
    guest.handle(Woke(), cluster.now + 1)


LINK = LinkId(1)
_TABLES: list[Cluster] = []


def _at_bens_turn() -> Cluster:
    if not _TABLES:
        cluster = question(asked=(1, 2))
        _TABLES.append(cluster)
    return _TABLES[0]


def _copy(cluster: Cluster) -> Guest:
    """A guest of ben's key that holds the journal so far and waits for its view."""
    guest = Guest(identity("ben"), lambda count: bytes(count), "ben")
    journal = cluster.host.public.journal
    guest.handle(LinkUp(LINK, identity("host").key), cluster.now)
    welcome = Welcome(journal.table, 1, identity("host").key, 1, "open", journal.last, journal.last, b"")
    for said in (welcome, Entries(journal.last, tuple(journal.wires))):
        guest.handle(Received(LINK, said), cluster.now)
    assert not guest.finished
    return guest


def _texts(guest: Guest) -> object:
    """Everything of a table view but the game's own objects."""
    view = guest.table_view()
    if view is None:
        return None
    return [value for name in view.__struct_fields__ if isinstance(value := getattr(view, name), str | tuple)]


TYPED = st.sampled_from(
    [Woke(), Chose("draw"), Wanted("next"), Spoke("hi", "ana"), Spoke("x" * 400, ""), Voted(0, True), Voted(9, False)]
)
HALF = answer(
    CODE, identity("ben").key, identity("host").key, bytes(32), Joining(CODE, b"", b"", b"", bytes).point, bytes
)
SAID_TO_BEN = st.one_of(
    MESSAGES,
    TYPED,
    st.just(Pake(HALF[0])),
    st.builds(
        lambda name, n, scope, text: sign_chat(identity(name), _at_bens_turn().host.table, n, scope, text),
        *(st.sampled_from(["ana", "cy", "nobody"]), st.integers(0, 3), SEATED, st.text(max_size=20)),
    ),
)
TICKETS = st.sampled_from(
    [Ticket(), Ticket("ask"), Ticket("code", CODE), Ticket("lab", lab=LAB), Ticket("lab+uid", lab=LAB)]
)


@FEW
@given(st.lists(SAID_TO_BEN, max_size=12), st.booleans(), TICKETS)
def test_a_guest_is_told_anything(story: list[Any], inside: bool, ticket: Ticket) -> None:
    cluster = _at_bens_turn()
    guest = _copy(cluster) if inside else Guest(identity("ben"), lambda count: bytes(count), "ben", ticket=ticket)
    if not inside:
        guest.handle(LinkUp(LINK, identity("host").key, bytes(32)), cluster.now)
    for said in story:
        happened = Received(LINK, said) if type(said) in BODIES.values() else said
        effects = guest.handle(happened, cluster.now)
        assert printable(effects.notices)
        assert printable(_texts(guest))
    if guest.finished:
        assert guest.handle(Woke(), cluster.now + 99) == Effects()


@st.composite
def _entries(draw: st.DrawFn) -> tuple[EntryKind, Any, int, EntryFlag]:
    kind = draw(st.sampled_from(list(EntryKind)))
    if kind in ENVELOPES:
        flags = draw(st.sampled_from([EntryFlag.ACTSIG, EntryFlag.BOT, EntryFlag.TIME]))
        return kind, draw(ANY_ENVELOPES), draw(st.integers(0, 3)), flags
    return kind, draw(pubs(PUBS[kind])), 255, NO_FLAG


@FEW
@given(st.integers(0, 9), st.lists(_entries(), max_size=4), st.integers(0, 2**64 - 1))
def test_a_guest_is_sent_any_entry_well_signed(at: int, added: list[Any], ms: int) -> None:
    """A host may sign whatever it likes: it is taken where it can stand, and an alarm where it can't."""
    forge = Forge()
    wires = forge.round()[: at + 1] if at < 6 else _at_bens_turn().host.public.journal.wires
    forge = Forge()
    for wire in wires:
        forge.epoch = forge.journal.accept(wire, identity("host").key).epoch
    for kind, pub, seat, flags in added:
        body = encode_envelope(replace(pub, table=forge.journal.table)) if kind in ENVELOPES else pub
        try:
            forge.entry(kind, body, seat=seat, flags=flags, actsig=bytes(64 * (flags is EntryFlag.ACTSIG)), ms=ms)
        except ValueError:
            continue
    journal = forge.journal
    guest = Guest(identity("ben"), lambda count: bytes(count), "ben")
    guest.handle(LinkUp(LINK, identity("host").key), 1.0)
    guest.handle(Received(LINK, Welcome(journal.table, 1, identity("host").key, 1, "open", 0, 0, b"")), 1.0)
    for wire in journal.wires:
        effects = guest.handle(Received(LINK, Entries(journal.last, (wire,))), 1.0)
        assert printable(effects.notices)
        assert printable(_texts(guest))
    beat = Heartbeat(journal.table, 1, journal.last, journal.head, journal.last, 1, journal.hostsig)
    guest.handle(Received(LINK, beat), 2.0)


@FEW
@given(st.lists(st.tuples(st.sampled_from(list(EntryKind)), st.binary(max_size=60), st.integers(0, 255)), max_size=3))
def test_books_are_total(added: list[tuple[EntryKind, bytes, int]]) -> None:
    """Any bytes for a body: folded, or a ProtocolError."""
    forge = Forge()
    wires = forge.round()
    books = Public(Journal())
    for wire in wires:
        books.fold(books.journal.accept(wire, identity("host").key))
    for kind, body, seat in added:
        flags = EntryFlag.BOT if kind in ENVELOPES else NO_FLAG
        try:
            wire = forge.entry(kind, body, seat=seat if kind in ENVELOPES else 255, flags=flags)
            books.fold(books.journal.accept(wire, identity("host").key))
        except (ProtocolError, ValueError) as error:
            assert isinstance(error, ProtocolError) or kind in ENVELOPES  # noqa: PT017 - the forge itself refuses seat 255
            return


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
