"""While a game goes on its course a peer does not ask who is host; had it asked, nothing would have come of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.table.acts import ACTS
from p2pcards.table.effects import (
    OWN_LINK,
    Agreed,
    BotChose,
    Chose,
    Effects,
    GoOn,
    HungUp,
    Input,
    Left,
    LinkDown,
    LinkId,
    LinkUp,
    Ordered,
    Received,
    Slept,
    Spoke,
    Unkept,
    Wanted,
    Woke,
)
from p2pcards.table.lull import TICK
from p2pcards.table.mesh import KEEPALIVE_SECONDS, Stage
from p2pcards.table.peer import Peer
from p2pcards.wire import messages
from p2pcards.wire.entries import EntryKind, Handover
from p2pcards.wire.envelope import LeaveReason
from tests.fuzz.honest import bodies
from tests.sim.run import run
from tests.testing.peers import Lan


class Asked:
    """Peers that drive once more wherever an input was followed by no drive."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.passed, self.driven, self.late = Counter[str](), 0, list[str]()
        self._handle, self._drive = Peer.handle, Peer._drive
        patch.setattr(Peer, "handle", lambda peer, happened, now: self.handle(peer, happened, now))
        patch.setattr(Peer, "_drive", lambda peer: self.drive(peer))

    def drive(self, peer: Peer) -> None:
        self.driven += 1
        self._drive(peer)

    def handle(self, peer: Peer, happened: Input, now: float) -> Effects:
        driven, before = self.driven, _stands(peer)
        effects = self._handle(peer, happened, now)
        if self.driven == driven and not peer.finished:
            self.passed[type(happened.message if isinstance(happened, Received) else happened).__name__] += 1
            at, stood = peer._due, _stands(peer)
            self._drive(peer)
            peer._pair.run()
            more = peer._pair.done(None)
            if before != stood or stood != _stands(peer) or more != Effects() or peer._due < at:
                self.late.append(f"{happened}: {stood} and then {_stands(peer)}, due at {at}, not {peer._due}: {more}")
        return effects


def _stands(peer: Peer) -> tuple[object, ...]:
    """What a drive decides."""
    guest, election, forking = peer.guest, peer._election, peer._forking
    said = guest.term, guest.linked
    told = peer._changing, peer._waiting, peer._told_waiting, forking.asking, forking.longest
    links = [(link, far.key, far.stage) for link, far in peer._mesh.links.items()]
    return peer.host, guest.host_link, links, said, told, election.term, election.file, election.won, forking.done


@pytest.mark.parametrize(("seed", "peers"), [(1, 2), (2, 4), (5, 3), (2, 8)])
def test_where_nobody_asked_who_is_host_nothing_would_have_come_of_it(
    seed: int, peers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Asked(monkeypatch)
    run(seed, peers)
    assert asked.late == []
    assert all(asked.passed[word] for word in ("Ack", "Entries", "View", "Heartbeat")), asked.passed
    assert asked.passed.total() > 100


# ---- each of the conditions


@pytest.fixture(params=["ana", "ben"])
def peer(request: pytest.FixtureRequest) -> Peer:
    """The host of a round of three, and a guest of it."""
    return _peer(request.param)


def _peer(name: str) -> Peer:
    """In a lull that has just begun, with no clock due for a while."""
    lan = Lan("ana", "ben", "cy")
    lan.start()
    peer = lan[name].the
    for far in peer._mesh.links.values():
        far.heard = far.said = lan.now
    _begin(peer)
    assert peer._lull.lasts(Woke())
    return peer


def _begin(peer: Peer) -> None:
    peer._lull.begins(peer._lull.stands)


Spoil = Callable[[Peer, pytest.MonkeyPatch], None]


def _kinds(*kinds: EntryKind) -> Spoil:
    """More entries stand in the journal."""

    def spoil(peer: Peer, patch: pytest.MonkeyPatch) -> None:
        journal = peer.guest.journal
        fresh = [replace(journal.entries[-1], kind=kind) for kind in kinds]
        patch.setattr(journal, "entries", journal.entries + fresh)
        patch.setattr(journal, "heads", journal.heads + [bytes(32)] * len(fresh))
        patch.setattr(journal, "head", bytes(32))
        patch.setattr(journal, "last", journal.last + len(fresh))

    return spoil


def _host(peer: Peer) -> Any:
    assert peer.host is not None
    return peer.host


BEFORE: dict[str, tuple[str, Spoil]] = {
    "nobody let us in": ("ben", lambda peer, patch: patch.setattr(peer.guest._line, "welcomed", False)),
    "who did is not host": ("ben", lambda peer, patch: patch.setattr(peer.guest._line, "host", bytes(32))),
    "our own guest is gone": ("ana", lambda peer, patch: patch.setattr(peer.guest._line, "link", None)),
    "we are host and paused": ("ana", lambda peer, patch: patch.setattr(_host(peer), "active", lambda now: False)),
    "no host was heard": ("ben", lambda peer, patch: patch.setattr(peer._election, "_host_at", None)),
    "it hands over": ("ben", lambda peer, patch: patch.setattr(peer.guest.public, "handover", Handover(bytes(32), 2))),
    "it asks to go on as another table": ("ben", lambda peer, patch: patch.setattr(peer._forking, "_asked", object())),
}


@pytest.mark.parametrize("what", BEFORE)
def test_no_lull_begins_while(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, spoil = BEFORE[what]
    peer = _peer(name)
    with monkeypatch.context() as patch:
        spoil(peer, patch)
        _begin(peer)
    peer._lull._stood = peer._lull.stands
    assert not peer._lull.lasts(Woke())
    _begin(peer)
    assert peer._lull.lasts(Woke())


def test_no_lull_begins_behind_a_drive_that_moved_something(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    stood = peer._lull.stands
    with monkeypatch.context() as patch:
        _kinds(EntryKind.ROSTER)(peer, patch)
        peer._lull.begins(stood)
        assert not peer._lull.lasts(Woke())
        _begin(peer)
        assert peer._lull.lasts(Woke())


AFTER: dict[str, tuple[str, Spoil]] = {
    "we are host no longer": ("ana", lambda peer, patch: patch.setattr(peer._pair, "host", None)),
    "the host's link is lost": ("ben", lambda peer, patch: patch.setattr(peer.guest._line, "link", None)),
    "a link is gone": ("ben", lambda peer, patch: patch.delitem(peer._mesh.links, _member_link(peer))),
    "a later term was heard of": (
        "ana",
        lambda peer, patch: patch.setattr(peer._election._terms, "_bound", (peer.guest.public.term + 1, None)),
    ),
    "the journal was cut": ("ben", lambda peer, patch: patch.setattr(peer.guest.journal, "heads", [])),
    "the table changed": ("ben", _kinds(EntryKind.ACT, EntryKind.ROSTER, EntryKind.ACT)),
    "our host is to stop": ("ana", lambda peer, patch: patch.setattr(_host(peer), "stopped", True)),
    "our host is paused": ("ana", lambda peer, patch: patch.setattr(_host(peer), "active", lambda now: False)),
}


def _member_link(peer: Peer) -> LinkId:
    return next(link for link, far in peer._mesh.links.items() if far.stage is Stage.MEMBER)


@pytest.mark.parametrize("what", AFTER)
def test_a_lull_is_over_when(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, spoil = AFTER[what]
    peer = _peer(name)
    spoil(peer, monkeypatch)
    assert not peer._lull.lasts(Woke())


def test_a_round_may_be_played_in_it(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    _kinds(*ACTS)(peer, monkeypatch)
    assert peer._lull.lasts(Woke())


def _said_long_ago(peer: Peer, patch: pytest.MonkeyPatch, at: float) -> None:
    patch.setattr(peer._mesh.links[_member_link(peer)], "said", at - KEEPALIVE_SECONDS)


CLOCKS: dict[str, Callable[[Peer, pytest.MonkeyPatch, float], None]] = {
    "an election's": lambda peer, patch, at: patch.setattr(peer._election, "wake_at", at),
    "a member link's": _said_long_ago,
    "a fork's": lambda peer, patch, at: patch.setattr(peer._forking, "wake_at", at),
    "a leaver's": lambda peer, patch, at: patch.setattr(peer._parting, "by", at),
    "a successor's": lambda peer, patch, at: patch.setattr(peer._reign, "take_at", at),
    "a share's": lambda peer, patch, at: patch.setattr(peer._reign, "_asked", (LinkId(0), 1, at)),
}


@pytest.mark.parametrize("which", CLOCKS)
def test_it_is_over_when_a_clock_is_due(which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = _peer("ben")
    now = peer._pair.now
    CLOCKS[which](peer, monkeypatch, now + 0.25)
    _begin(peer)
    peer._pair.now = now + 0.2
    assert peer._lull.lasts(Woke())
    peer._pair.now = now + 0.25
    assert peer._lull.next == peer._due == peer._pair.now
    assert not peer._lull.lasts(Woke())


def test_it_lasts_for_a_tick_at_most(peer: Peer) -> None:
    now = peer._pair.now
    peer._pair.now = now + TICK - 0.01
    assert peer._lull.lasts(Woke())
    peer._pair.now = now + TICK
    assert not peer._lull.lasts(Woke())


def test_what_it_passes_over_still_counts_as_hearing_our_own_host() -> None:
    peer = _peer("ana")
    peer._pair.now += 0.5
    assert peer._lull.lasts(Woke())
    assert peer._election.heard == peer._reign.seen == peer._pair.now


GAME = {
    messages.Ack,
    messages.Act,
    messages.Audit,
    messages.Chat,
    messages.Clock,
    messages.Entries,
    messages.Heartbeat,
    messages.Held,
    messages.Ready,
    messages.Refused,
    messages.Standing,
    messages.View,
    messages.Want,
}
"""What a host and its guests say to each other while a round goes on."""


@pytest.mark.parametrize("body", bodies().values(), ids=bodies())
def test_it_lasts_through_what_is_said_in_a_round_and_through_nothing_else(body: bytes) -> None:
    said = messages.decode(body[0], body[1:])
    assert _peer("ben")._lull.lasts(Received(OWN_LINK, said)) is (type(said) in GAME)


@pytest.mark.parametrize(
    "happened",
    [
        LinkUp(OWN_LINK, bytes(32)),
        LinkDown(OWN_LINK),
        Agreed(OWN_LINK, b"", b""),
        Ordered(("start",)),
        Left(LeaveReason.LEAVE),
        HungUp(),
        GoOn(True),
        Unkept(),
        Slept(0.0),
    ],
    ids=lambda happened: type(happened).__name__,
)
def test_what_happens_to_a_program_beside_a_round_ends_it(happened: Input) -> None:
    assert not _peer("ana")._lull.lasts(happened)


@pytest.mark.parametrize("happened", [Woke(), Chose("draw"), BotChose(0, "draw", bytes(32)), Wanted(""), Spoke("")])
def test_a_person_and_a_bot_may_play_in_it(happened: Input, peer: Peer) -> None:
    assert peer._lull.lasts(happened)
