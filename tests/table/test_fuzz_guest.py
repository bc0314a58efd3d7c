"""Anything at all is said and shown to a guest: it never raises, and what it tells can be shown."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.cards import DECK, Card, Cards, cards_of, each, face
from p2pcards.errors import ProtocolError
from p2pcards.games.base import Seat
from p2pcards.games.tongits.melds import MELDS
from p2pcards.games.tongits.state import Meld, Phase
from p2pcards.table.effects import Chose, Effects, LinkId, LinkUp, Received, Spoke, Voted, Wanted, Woke
from p2pcards.table.guest import Guest
from p2pcards.table.journal import Journal
from p2pcards.table.leaves import Opening
from p2pcards.table.public import Public
from p2pcards.table.ticket import Ticket
from p2pcards.wire.chat import sign_chat
from p2pcards.wire.code import Joining, answer
from p2pcards.wire.entries import ENVELOPES, PUBS, EntryFlag, EntryKind, Kick
from p2pcards.wire.envelope import encode_envelope
from p2pcards.wire.messages import BODIES, Clock, Entries, Heartbeat, Pake, View, Welcome
from tests.table.test_fuzz import CODE, FEW, LAB, MESSAGES, SEATED, TABLES
from tests.table.test_guest import printable
from tests.testing.cluster import Cluster, identity
from tests.testing.forge import NO_FLAG, Forge
from tests.testing.table import legal_texts, question
from tests.wire.strategies import ENVELOPES as ANY_ENVELOPES
from tests.wire.strategies import pubs

SEATS = st.integers(0, 2).map(Seat)
CARDS = st.integers(0, DECK - 1).map(Card)
HANDS = st.lists(CARDS, max_size=13).map(cards_of)
SOME = st.sampled_from(sorted(MELDS)).map(Cards)


@st.composite
def _views(draw: st.DrawFn, honest: Any) -> Any:
    """A view that its own codec takes, and that no game ever came to."""
    public = honest.public
    held = list(each(honest.hand))
    hand = draw(st.lists(st.sampled_from(held), max_size=len(held), unique=True).map(cards_of) | HANDS)
    counts = draw(st.tuples(*[st.integers(0, DECK)] * 3))
    if draw(st.integers(0, 3)):  # as many as in the hand
        counts = tuple(hand.bit_count() if seat == honest.seat else count for seat, count in enumerate(counts))
    changes: dict[str, Any] = {
        "phase": draw(st.sampled_from(list(Phase))),
        "turn": draw(SEATS),
        "counts": counts,
        "stock": draw(st.just(public.stock) | st.integers(0, DECK)),
        "discards": tuple(draw(st.lists(CARDS, max_size=5))),
        "melds": tuple(draw(st.lists(st.builds(Meld, SEATS, SOME), max_size=3))),
        "asked": tuple(draw(st.lists(SEATS, max_size=3))),
        "answers": tuple(draw(st.lists(st.tuples(SEATS, st.booleans()), max_size=3))),
        "winners": tuple(draw(st.lists(SEATS, max_size=3))),
        "shown": tuple(draw(st.lists(st.tuples(SEATS, HANDS, st.integers(0, 2**16 - 1)), max_size=3))),
    }
    return replace(honest, public=replace(public, **changes), hand=hand)


def _opened(cluster: Cluster, view: Any) -> tuple[Opening, ...]:
    """What opens the cards in ben's hand, as far as they were ever shown to him."""
    shown = [message for message in cluster.peers["ben"].received if isinstance(message, View)]
    known = {opening[:2]: opening for message in shown for opening in message.openings}
    hand = Counter(map(face, each(cluster.host.public.rules.hand(view))))
    found: list[Opening] = []
    for opening in known.values():
        if hand[Card(opening[3])]:
            hand[Card(opening[3])] -= 1
            found.append(opening)
    return tuple(found)


@pytest.mark.parametrize("table", ["asked", "straights", "onecard", "tienlen"])
def test_what_he_was_shown_is_taken(table: str) -> None:
    """Else nothing that the tests below show would be looked at."""
    cluster = _at_bens_turn() if table == "asked" else _shown(table)[0]
    ben, guest = cluster.peers["ben"], _copy(cluster)
    view = ben.guest.my_turn
    shown = View(guest.journal.last, cluster.host.public.rules.encode_view(view), _opened(cluster, view))
    guest.handle(Received(LINK, shown), cluster.now)
    assert (guest.finished, guest.my_turn) == (False, view)


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
        view = game.decode_view(encoded)
    except (msgspec.MsgspecError, ValueError):
        return
    guest = _copy(cluster)
    guest.handle(Received(LINK, View(guest.journal.last, encoded, _opened(cluster, view))), cluster.now)
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
        view = game.decode_view(encoded)
    except (msgspec.MsgspecError, ValueError):
        return
    guest = _copy(cluster)
    guest.handle(Received(LINK, View(guest.journal.last, encoded, _opened(cluster, view))), cluster.now)
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
@example(1, [(EntryKind.KICK, Kick(bytes(32), "\x1f", 0, ()), 255, NO_FLAG)], 0)
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
