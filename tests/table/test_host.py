"""The host against whoever is at the far end: every message in every state leads somewhere (protocol 10, suite 4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from p2pcards.table import courier
from p2pcards.table.courier import BATCH
from p2pcards.table.effects import Chose, LinkDown, LinkId, LinkUp, Received
from p2pcards.table.host import Host
from p2pcards.table.notices import Alarm
from p2pcards.wire.messages import (
    BODIES,
    Ack,
    Close,
    Entries,
    Flag,
    Get,
    Heartbeat,
    Keepalive,
    Pake,
    Reason,
    View,
    Welcome,
    encode,
)
from p2pcards.wire.records import BODY_BYTES
from tests.table.test_access import hello
from tests.table.test_guest_messages import all_messages
from tests.testing.cluster import WALL, Cluster, Line, identity, play_round, started, three
from tests.testing.table import question, starting, tame_bot, tame_move

OPTIONS = {"match_rounds": "2"}


def member_of(cluster: Cluster, name: str = "ben") -> Line:
    """The line of a player who came back with a program that may do anything."""
    journal = cluster.host.public.journal
    line = cluster.line(name)
    line.send(hello(name, flags=Flag.VOTE_FILE, resume=(journal.table, journal.last, journal.head)))
    assert line.heard(Welcome)
    return line


def synced(cluster: Cluster) -> Line:
    line = member_of(cluster)
    line.send(Get(0))
    assert line.heard(Entries)
    return line


def between() -> Cluster:
    cluster = started(options=OPTIONS)
    play_round(cluster)
    return cluster


def over() -> Cluster:
    cluster = started(options={"match_rounds": "1"})
    play_round(cluster)
    return cluster


def watching(cluster: Cluster) -> Line:
    line = cluster.line("dot")
    line.send(hello("dot", flags=2), Get(0))
    return line


STATES: dict[str, Callable[[], Line]] = {
    "a stranger": lambda: three().line("dot"),
    "welcomed": lambda: member_of(three()),
    "in the lobby": lambda: synced(three()),
    "in a round": lambda: synced(starting("ben", options=OPTIONS)),
    "asked": lambda: synced(question(options=OPTIONS)),
    "between rounds": lambda: synced(between()),
    "after the match": lambda: synced(over()),
    "watching": lambda: watching(starting("ben", options=OPTIONS)),
}

BROKEN = "broken"
NOTHING = "nothing"
ANSWERS: dict[str, dict[str, str]] = {
    state: {
        "Hello": BROKEN,
        "Welcome": BROKEN,
        "Info": BROKEN,
        "Entries": BROKEN,
        "View": BROKEN,
        "Heartbeat": BROKEN,
        "Refused": BROKEN,
        "Held": BROKEN,
        "Ready": BROKEN,
        "Clock": BROKEN,
        "Pake": BROKEN,
        "Confirm": BROKEN,
        "Share": BROKEN,
        "Chat": "Refused",
        "Audit": "Refused",
        "Get": "Entries",
        "Ack": NOTHING,
        "Keepalive": NOTHING,
        "Act": "Refused",
        "Want": "Refused",
        "Close": "gone",
        "Peers": BROKEN,
        "Standing": BROKEN,
        "ShareAsk": BROKEN,
        "Secret": BROKEN,
        "PrevoteAsk": BROKEN,
        "Prevote": BROKEN,
        "VoteAsk": BROKEN if state == "watching" else NOTHING,
        "Vote": BROKEN if state == "watching" else NOTHING,
        "Stale": BROKEN if state == "watching" else NOTHING,
        "ForkAsk": BROKEN,
        "ForkSay": BROKEN,
    }
    for state in STATES
}
_PASSED_OVER = ["Entries", "View", "Refused", "Held", "Ready", "Clock", "Peers", "Standing", "Secret"]
_PASSED_OVER += ["PrevoteAsk", "Prevote", "ShareAsk", "ForkAsk", "ForkSay"]
for _state in STATES:  # a voter may have been host a moment ago, and not know yet that this is over
    if _state != "watching":
        ANSWERS[_state] |= dict.fromkeys(_PASSED_OVER, NOTHING)
ANSWERS["a stranger"] = {**dict.fromkeys(ANSWERS["a stranger"], BROKEN), "Hello": "Close", "Close": "gone"}
ANSWERS["between rounds"]["Want"] = ANSWERS["after the match"]["Want"] = "Ready"


def test_the_matrix_is_whole() -> None:
    assert {type(message) for message in all_messages()} == set(BODIES.values())
    for answers in ANSWERS.values():
        assert set(answers) == {body.__name__ for body in BODIES.values()}


@pytest.mark.parametrize("state", STATES)
def test_every_message_in_every_state(state: str) -> None:
    for message in all_messages():
        line = STATES[state]()
        name, before = type(message).__name__, len(line.cluster.host.public.journal)
        others = {name: len(peer.notices) for name, peer in line.cluster.peers.items()}
        answered = line.send(message)
        wanted = ANSWERS[state][name]
        context = f"{name} {state}: {answered}"
        if wanted == BROKEN:
            assert [Reason(said.reason) for said in answered if isinstance(said, Close)] == [Reason.BROKEN], context
            assert line.link not in line.cluster.host._presence.connections
        elif wanted == "gone":
            assert answered == [], context
            assert line.link not in line.cluster.host._presence.connections
        elif wanted == NOTHING:
            assert answered == [], context
        else:
            assert type(answered[0]).__name__ == wanted, context
        if wanted not in (BROKEN, "gone", "Close") or state == "a stranger":
            assert len(line.cluster.host.public.journal) == before, context
            heard = {name: len(peer.notices) for name, peer in line.cluster.peers.items()}
            assert (heard == others) is (wanted != "Ready"), context
        assert all(peer.told(Alarm) == [] for peer in line.cluster.peers.values())


@pytest.mark.parametrize("state", ["in the lobby", "in a round", "asked", "between rounds", "after the match"])
def test_a_broken_line_is_a_drop_and_no_more(state: str) -> None:
    line = STATES[state]()
    cluster = line.cluster
    line.send(Pake(bytes(33)))
    assert cluster.host._presence.held()[0][0] == identity("ben").key
    cluster.join("ben")
    assert cluster.host._presence.held() == []
    assert cluster.peers["ben"].guest.me is not None


def test_messages_of_a_link_that_is_gone_are_nothing() -> None:
    cluster = started()
    before = len(cluster.host_journal)
    for link in (LinkId(77), LinkId(99)):
        effects = cluster.host.handle(Received(link, Get(0)), cluster.now)
        assert effects.outgoing == ()
        cluster.host.handle(LinkDown(link), cluster.now)
    assert len(cluster.host_journal) == before


def test_a_host_is_told_nothing_that_is_a_guests() -> None:
    cluster = started()
    with pytest.raises(TypeError, match="Chose"):
        cluster.host.handle(Chose("draw"), cluster.now)


# ---- the journal goes out whole, in pieces that fit


def test_a_long_journal_is_sent_in_pieces_that_fit_into_a_record() -> None:
    cluster = Cluster(options={"match_rounds": "8"})
    cluster.bots = tame_bot
    cluster.order("start")
    journal = cluster.host.public.journal
    assert sum(map(len, journal.wires)) > 3 * BATCH
    line = cluster.line("dot")
    line.send(hello("dot", flags=2), Get(0))
    batches = line.heard(Entries)
    assert len(batches) > 3
    assert [wire for batch in batches for wire in batch.wires] == journal.wires
    assert all(len(encode(batch)[1]) <= BODY_BYTES for batch in batches)
    assert all(batch.commit == journal.last for batch in batches)
    dot = cluster.join("eve", watch=True)
    assert dot.guest.journal.wires == journal.wires
    assert [type(notice).__name__ for notice in dot.notices][:2] == ["Entered", "HostIs"]


def test_a_journal_longer_than_what_may_wait_is_sent_as_it_is_acknowledged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courier, "UNDER_WAY", BATCH)
    cluster = Cluster(options={"match_rounds": "8"})
    cluster.bots = tame_bot
    cluster.order("start")
    journal = cluster.host.public.journal
    line = cluster.line("dot")
    line.send(hello("dot", flags=2), Get(0))
    wires = [wire for batch in line.heard(Entries) for wire in batch.wires]
    assert BATCH // 2 < sum(map(len, wires)) < 2 * BATCH
    line.send(Ack(journal.table, 1, len(wires) - 1, journal.heads[len(wires) - 1], 0, 0, False))
    assert len([wire for batch in line.heard(Entries) for wire in batch.wires]) > len(wires)
    eve = cluster.join("eve", watch=True)
    assert eve.guest.journal.wires == journal.wires
    assert eve.told(Alarm) == []


@pytest.mark.parametrize("start", [0, 3, 7])
def test_whoever_holds_a_part_is_sent_the_rest(start: int) -> None:
    cluster = starting("ana")
    cluster.act("ana", "draw")
    line = member_of(cluster)
    line.send(Get(start))
    wires = [wire for batch in line.heard(Entries) for wire in batch.wires]
    assert wires == cluster.host.public.journal.wires[start:]
    (view,) = line.heard(View)
    assert view.index == cluster.host.public.journal.last


def test_whoever_asks_for_what_is_to_come_is_sent_what_comes() -> None:
    cluster = starting("ana")
    line = member_of(cluster)
    line.send(Get(2**60))
    assert line.heard(Entries) == []
    cluster.act("ana", "draw")
    assert [wire for batch in line.heard(Entries) for wire in batch.wires] == cluster.host.public.journal.wires[-1:]


def test_views_follow_the_entries_that_they_belong_to() -> None:
    """The order of effects is law: append, then send; entries first, then the view of the newest."""
    cluster = starting("ana")
    play_round(cluster, choose=tame_move)
    for peer in cluster.peers.values():
        newest = -1
        for message in peer.received:
            if isinstance(message, Entries):
                newest += len(message.wires)
            elif isinstance(message, View):
                assert message.index == newest


def test_everybody_is_shown_the_end_of_the_round_before_the_secret() -> None:
    cluster = starting("ana")
    play_round(cluster, choose=tame_move)
    for peer in cluster.peers.values():
        last = peer.guest._reader.last
        assert last is not None
        assert last.view.public.phase == "over"


# ---- heartbeats


def test_a_heartbeat_each_second_tells_the_newest_head() -> None:
    cluster = starting("ana")
    line = synced(cluster)
    cluster.pass_time(10)
    beats = line.heard(Heartbeat)
    assert len(beats) in (10, 11)
    journal = cluster.host.public.journal
    assert {(beat.table, beat.last, beat.head, beat.hostsig) for beat in beats} == {
        (journal.table, journal.last, journal.head, journal.hostsig)
    }
    numbers = [beat.beat for beat in beats]
    assert numbers == sorted(set(numbers))


def test_a_stranger_hears_no_heartbeat() -> None:
    cluster = started()
    line = cluster.line("dot")
    cluster.pass_time(5)
    assert line.received == []


def test_the_first_effects_of_a_table_are_its_first_entries() -> None:
    host = Host(identity("host"), lambda count: bytes(count), WALL, title="lab", game="tongits", seats=3)
    effects = host.open(5.0)
    assert len(effects.entries) == 3
    assert list(effects.entries) == host.public.journal.wires
    assert effects.outgoing == ()
    assert effects.wake_at is not None
    assert [entry.ms for entry in host.public.journal.entries] == [int((WALL + 5) * 1000)] * 3
    done = host.handle(LinkUp(LinkId(1), identity("dot").key), 5.0)
    assert (done.entries, done.outgoing) == ((), ())


def test_an_acknowledgement_of_anything_harms_nothing() -> None:
    cluster = started(options={"match_rounds": "1"}, closes=True)
    line = member_of(cluster)
    line.send(Ack(bytes(16), 9, 2**63, bytes(32), 5, 0, True), Keepalive(bytes(16), 9, 1, bytes(32), bytes(64)))
    assert line.closed is None
    cluster.pass_time(3)
    assert not cluster.host.closed
