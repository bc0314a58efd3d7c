"""Evenings at which people knock, talk, vote, are shown out, come back and play, in any order."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from p2pcards.errors import UserError
from p2pcards.table.door import Gate
from p2pcards.table.notices import Alarm, Audited, Closed, Kicked, Spoken, VoteCalled, VoteFailed
from p2pcards.table.ticket import Ticket
from p2pcards.wire.entries import EntryKind, Kick, SeatKind, decode_pub
from tests.testing.cluster import WALL, Cluster, Peer, at_random, identity, play_round

GUESTS = ("ben", "cy", "dot", "eve", "fay")
ANYBODY = st.sampled_from(("ana", *GUESTS))
GUEST = st.sampled_from(GUESTS)

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("join"), st.sampled_from(("eve", "fay", *GUESTS)), st.booleans()),
        st.tuples(st.sampled_from(["leave", "cut", "back", "pardon", "act"]), GUEST),
        st.tuples(st.just("speak"), ANYBODY, st.sampled_from(["", "ana", "ben", "zoe"])),
        st.tuples(st.just("vote"), ANYBODY, ANYBODY, st.booleans()),
        st.tuples(st.just("votes"), GUEST, st.sampled_from(["yyyy", "yyyy", "yynn", "ynyy", "y"])),
        st.tuples(st.just("kick"), GUEST, st.sampled_from([0, 20, 600])),
        st.tuples(st.just("wait"), st.sampled_from([0.5, 5.0, 31.0])),
        st.tuples(st.just("door"), st.sampled_from(["open", "ask", "code"])),
        st.sampled_from([("admit",), ("deny",), ("start",)]),
        st.just(("round",)),
    ),
    max_size=30,
)


def here(cluster: Cluster) -> list[Peer]:
    """Programs that are at the table and have heard all of it."""
    return [
        peer
        for peer in cluster.peers.values()
        if peer.link is not None and not peer.guest.finished and peer.guest.table_view() is not None
    ]


def step(cluster: Cluster, done: tuple[object, ...]) -> None:
    peers = {peer.name: peer for peer in here(cluster)}
    match done:
        case ("join", str(name), bool(watch)):
            if name not in peers and (name not in cluster.peers or cluster.peers[name].link is None):
                door = cluster.host.public.door
                cluster.join(name, watch=watch, ticket=Ticket(door, cluster.host.code))
        case ("leave", str(name)) if name in peers:
            cluster.leave(name)
        case ("cut", str(name)) if name in peers:
            cluster.cut(name)
        case ("back", str(name)) if name in cluster.peers and name not in peers:
            if not cluster.peers[name].guest.finished:
                cluster.back(name)
        case ("act", str(name)) if name in {peer.name for peer in cluster.movers}:
            cluster.act(name, at_random(cluster, cluster.peers[name]))
        case ("speak", str(name), str(to)) if name in peers:
            cluster.speak(name, "well played", to)
        case ("vote", str(name), str(about), bool(yes)) if name in peers:
            if about in cluster.peers and cluster.peers[about].guest.me is not None:
                cluster.vote(name, about, yes)
        case ("votes", str(about), str(votes)):
            for name, vote in zip(sorted(set(peers) - {about}), votes, strict=False):
                step(cluster, ("vote", name, about, vote == "y"))
        case ("kick", str(name), int(seconds)):
            order(cluster, "kick", name, "", str(int(WALL + cluster.now) + seconds if seconds else 0))
        case ("pardon", str(name)):
            cluster.order("pardon", identity(name).key.hex())
        case ("wait", float(seconds)):
            cluster.pass_time(seconds)
        case ("door", str(policy)):
            order(cluster, "door", policy)
        case ("admit",) if cluster.host.knocks:
            cluster.order("admit", cluster.host.knocks[0].nick)
        case ("deny",) if cluster.host.knocks:
            cluster.order("deny", cluster.host.knocks[-1].nick, "not now")
        case ("start",):
            order(cluster, "start")
        case ("round",):
            play_round(cluster, among=[peer.name for peer in here(cluster)])


def order(cluster: Cluster, *words: str) -> None:
    with suppress(UserError):
        cluster.order(*words)


def unharmed(cluster: Cluster) -> None:
    """What holds after every step."""
    books, wall = cluster.host.public, WALL + cluster.now
    for peer in [*cluster.peers.values(), *cluster.past]:
        assert peer.told(Alarm) == []
        assert all(audit.ok for audit in peer.told(Audited))
    for peer in here(cluster):
        assert peer.guest.journal.wires == books.journal.wires
        assert peer.guest._player.talk.dropped == 0
        view = peer.guest.table_view()
        assert view is None or view.vote is None or books.seats[view.vote.seat].kind is SeatKind.MEMBER
        assert view is None or {kick.key: kick for kick in view.kicks} == books.kicks
    for key, kick in books.kicks.items():
        if kick.until == 0 or wall < kick.until:
            assert books.nick_of(key) == ""
    assert books.nick_of(books.host) == "ana"


@settings(max_examples=60)
@example([("cut", "ben"), ("kick", "cy", 0)], 0, "open")
@given(STEPS, st.integers(0, 3), st.sampled_from(["open", "ask", "code"]))
def test_whoever_is_shown_out_stays_out_and_the_others_have_one_history(
    steps: list[tuple[object, ...]], seed: int, door: str
) -> None:
    cluster = Cluster(seed, game="onecard", seats=4, settings={"grace_seconds": "4"}, gate=Gate())
    cluster.join("ana", host=True)
    for name in ("ben", "cy", "dot"):
        cluster.join(name)
    cluster.order("door", door)
    for done in steps:
        step(cluster, done)
        unharmed(cluster)
    entries = cluster.host.public.journal.entries
    kicks = [decode_pub(entry.kind, entry.pub) for entry in entries if entry.kind is EntryKind.KICK]
    by_vote = sum(isinstance(kick, Kick) and kick.ballots != () for kick in kicks)
    ana = cluster.peers["ana"]
    assert [kicked.by for kicked in ana.told(Kicked)].count("vote") == by_vote
    assert len(ana.told(VoteCalled)) >= len(ana.told(VoteFailed)) + by_vote
    assert ana.told(Closed) == []
    assert all(said.nick for peer in cluster.peers.values() for said in peer.told(Spoken))


def test_nobody_is_shown_out_whose_voice_the_table_needs_while_another_is_cut_off() -> None:
    cluster = Cluster(0, game="onecard", seats=4, gate=Gate())
    cluster.join("ana", host=True)
    for name in ("ben", "cy", "dot"):
        cluster.join(name)
    cluster.cut("ben")
    before = cluster.host.public.journal.last
    with pytest.raises(UserError, match=r"^Without cy the table would stand still: too many others are missing\.$"):
        cluster.order("kick", "cy", "", "0")
    assert cluster.host.public.journal.last == before
    cluster.back("ben")
    cluster.pass_time(1.0)
    cluster.order("kick", "cy", "", "0")
    assert cluster.host.public.nick_of(identity("cy").key) == ""
    unharmed(cluster)
