"""A table handed over by its host, and taken over from it, by its word or by votes (protocol 7.6)."""

from __future__ import annotations

import pytest

from p2pcards.errors import UserError
from p2pcards.games.match import Match
from p2pcards.table.effects import Effects, LinkId, LinkUp, Received, Woke
from p2pcards.table.guest import DEAD
from p2pcards.table.host import Host
from p2pcards.wire.entries import EntryKind, decode_wire
from p2pcards.wire.messages import Ack, Entries, Get, Heartbeat, Message, Secret, Share, ShareAsk, View
from p2pcards.wire.vote import sign_vote
from tests.testing.cluster import WALL, Cluster, identity, session
from tests.testing.dice import Dice
from tests.testing.table import starting
from tests.testing.voters import ack, keys, table

# ---- handing over


def test_the_successor_is_told_the_commit_and_the_secret_and_nothing_is_written_behind() -> None:
    cluster = starting("ana")
    secret, epoch = cluster.host.secret, cluster.host.public.open_round.first_epoch
    cluster.order("handover", "cy")
    entries = cluster.host.public.journal.entries
    assert entries[-1].kind is EntryKind.HANDOVER
    assert cluster.host.handed_over == identity("cy").key
    said = cluster.peers["cy"].received
    assert isinstance(said[-1], Secret)
    assert said[-1] == Secret(epoch, secret)
    beats = [message for message in said if isinstance(message, Heartbeat)]
    assert beats[-1].commit == entries[-1].index
    assert not any(isinstance(message, Secret) for message in cluster.peers["ben"].received)
    cluster.act("ana", "draw")
    cluster.leave("ben")
    cluster.pass_time(30)
    assert cluster.host.public.journal.entries == entries


def test_it_waits_for_those_who_make_it_final() -> None:
    cluster, (ben, cy) = table("ben", "cy")
    cluster.order("handover", "ben")
    assert not cluster.host.handed_over
    with pytest.raises(UserError, match="stands still"):
        cluster.order("set", "turn_seconds", "7")
    ack(cy)
    assert cluster.host.handed_over == keys("ben")[0]
    assert not ben.heard(Secret)  # no round is open


def test_of_two_it_is_the_successor_who_must_hold_it() -> None:
    cluster, (ben,) = table("ben")
    cluster.order("handover", "")
    assert not cluster.host.handed_over
    ack(ben)
    assert cluster.host.handed_over == keys("ben")[0]


def test_a_host_whose_word_nobody_holds_in_time_falls_silent() -> None:
    """The others elect by then; it may be that they never heard of it."""
    cluster, (ben, cy) = table("ben", "cy")
    cluster.order("handover", "ben")
    cluster.pass_time(DEAD + 0.5)
    before = len(ben.received) + len(cy.received)
    cluster.pass_time(30)
    ack(ben)
    ack(cy)
    assert len(ben.received) + len(cy.received) == before
    assert not cluster.host.handed_over


def test_the_first_in_rank_is_named_where_nobody_is() -> None:
    cluster, (ben, cy) = table("ben", "cy")
    cluster.order("handover", "")
    ack(ben)
    ack(cy)
    assert cluster.host.handed_over == keys("ben")[0]


def test_only_who_is_here_and_votes_can_be_named() -> None:
    cluster, (ben, cy) = table("ben", "cy")
    before = len(cluster.host.public.journal)
    for nick in ("dot", "ana", "bot-1"):
        with pytest.raises(UserError, match="ben, cy"):
            cluster.order("handover", nick)
    ack(cy, file=False)
    with pytest.raises(UserError, match="who can: ben"):
        cluster.order("handover", "cy")
    ack(ben, file=False)
    with pytest.raises(UserError, match="Nobody is here"):
        cluster.order("handover", "")
    alone, _ = table()
    with pytest.raises(UserError, match="Nobody is here"):
        alone.order("handover", "")
    assert all(entry.kind is EntryKind.ROSTER for entry in cluster.host.public.journal.entries[before:])


def test_a_host_that_comes_back_behind_its_word_is_host_no_more() -> None:
    cluster, (ben,) = table("ben")
    cluster.order("handover", "ben")
    ack(ben)
    journal = cluster.host.public.journal
    again, effects = Host.resumed(
        identity("host"), Dice("again").take, WALL, journal, match=Match(), now=cluster.now, committed=journal.last
    )
    assert not again.active(cluster.now)
    assert effects.entries == again.handle(Woke(), cluster.now + 1).entries == ()


# ---- taking over


class Heir:
    """ben's program as the next host, with cy and the old host at bare links."""

    def __init__(self, cluster: Cluster, **given: object) -> None:
        self.cluster, self.now = cluster, cluster.now
        self.links = {"cy": LinkId(71), "host": LinkId(72)}
        self.said: dict[str, list[Message]] = {"cy": [], "host": []}
        self.wires: list[bytes] = []
        guest = cluster.peers["ben"].guest
        self.host, effects = Host.take_over(
            identity("ben"),
            Dice("heir").take,
            WALL,
            guest.journal,
            match=guest.match,
            share=guest.share,
            links=[(link, identity(name).key) for name, link in self.links.items()],
            committed=guest.committed,
            now=self.now,
            **given,  # type: ignore[arg-type]  # passed on as given
        )
        self._carry(effects)

    def _carry(self, effects: Effects) -> None:
        self.wires += effects.entries
        for link, message in effects.outgoing:
            for name, at in self.links.items():
                if at == link:
                    self.said[name].append(message)

    def hears(self, name: str, message: Message) -> None:
        self._carry(self.host.handle(Received(self.links[name], message), self.now))

    def acked(self, name: str) -> None:
        journal = self.host.public.journal
        beats = [said.beat for said in self.said[name] if isinstance(said, Heartbeat)]
        self.hears(name, Ack(journal.table, self.host.public.term, journal.last, journal.head, beats[-1], 0, True))

    def wakes(self, seconds: float) -> None:
        for _ in range(int(seconds)):
            self.now += 1
            self._carry(self.host.handle(Woke(), self.now))

    def heard(self, name: str, kind: type[Message]) -> list[Message]:
        return [message for message in self.said[name] if isinstance(message, kind)]


def elected(cluster: Cluster) -> Heir:
    journal = cluster.peers["ben"].guest.journal
    last = (journal.term_at(journal.last), journal.last, journal.head)
    votes = tuple(
        sign_vote(identity(name), journal.table, 2, identity("ben").key, seat, last)
        for name, seat in (("ben", 1), ("cy", 2))
    )
    return Heir(cluster, certificate=votes, asked_at=cluster.now)


def share_of(cluster: Cluster, name: str) -> Share:
    share = cluster.peers[name].guest.share
    assert share is not None
    return Share(*share)


def test_a_new_host_begins_its_term_before_anything_else_and_everybody_is_told() -> None:
    cluster = starting("ana")
    heir = elected(cluster)
    first = decode_wire(heir.wires[0])[0]
    assert (first.kind, first.term, len(heir.wires)) == (EntryKind.TERM_START, 2, 1)
    for said in heir.said.values():
        assert isinstance(said[0], Entries)
        assert said[0].wires == (heir.wires[0],)
        assert any(isinstance(message, Heartbeat) for message in said)
    assert heir.host.public.host == identity("ben").key
    assert len(cluster.host.public.journal) == len(heir.host.public.journal) - 1


def test_the_shares_are_asked_for_when_the_certificate_is_held_and_open_the_round() -> None:
    cluster = starting("ana")
    secret, hand = cluster.host.secret, cluster.peers["cy"].guest._reader.view
    heir = elected(cluster)
    assert heir.host.recovering
    assert heir.heard("cy", ShareAsk) == []
    heir.acked("cy")
    assert heir.heard("cy", ShareAsk) == [ShareAsk(1)]
    heir.hears("cy", Get(len(heir.host.public.journal)))
    heir.hears("cy", share_of(cluster, "cy"))
    assert not heir.host.recovering
    assert heir.host.secret == secret
    (view,) = heir.heard("cy", View)
    assert isinstance(view, View)
    assert heir.host.public.rules.decode_view(view.view) == hand
    assert len(heir.wires) == 1


def test_without_the_secret_a_round_is_void_after_the_grace_time_and_dealt_anew() -> None:
    cluster = starting("ana", settings={"grace_seconds": "20"})
    heir = elected(cluster)
    number = heir.host.public.round_number
    for _ in range(25):
        heir.wakes(1)
        heir.acked("cy")
    kinds = [decode_wire(wire)[0].kind for wire in heir.wires]
    assert EntryKind.ROUND_END in kinds
    assert EntryKind.DISCLOSE not in kinds
    assert heir.host.public.round_number == number
    assert heir.host.public.round is not None
    assert heir.host.public.open_round.term == 2


def test_by_a_hand_over_the_round_goes_on_with_its_secret() -> None:
    cluster = starting("ana")
    secret = cluster.host.secret
    cluster.order("handover", "ben")
    heir = Heir(cluster, handover=cluster.host.public.journal.last, secret=secret, asked_at=cluster.now)
    assert not heir.host.active(heir.now)
    heir.hears("host", Get(len(heir.host.public.journal)))
    heir.acked("host")
    assert heir.host.active(heir.now)
    assert not heir.host.recovering
    assert heir.host.secret == secret
    assert heir.heard("host", View)
    assert heir.host.public.term == 2


def test_the_votes_hold_for_the_lease_from_when_they_were_asked_for() -> None:
    heir = elected(starting("ana"))
    assert heir.host.active(heir.now + 3.9)
    assert not heir.host.active(heir.now + 4.1)


def test_what_earlier_hosts_wrote_is_committed_with_an_entry_of_the_new_term() -> None:
    """Enough hold the old entry: by itself that is worth nothing, it may be cut off under another host."""
    cluster = starting("ana")
    cluster.loses = lambda _, message: isinstance(message, Ack)
    cluster.act("ana", "draw")
    before = cluster.peers["ben"].guest.committed
    heir = elected(cluster)
    journal = heir.host.public.journal
    beat = heir.heard("cy", Heartbeat)[-1]
    assert isinstance(beat, Heartbeat)
    old = journal.last - 1
    assert before < old
    heir.hears("cy", Ack(journal.table, 1, old, journal.heads[old], beat.beat, 0, True))
    heir.wakes(1)
    told = heir.heard("cy", Heartbeat)[-1]
    assert isinstance(told, Heartbeat)
    assert told.commit == before
    assert heir.host.commit == -1
    heir.acked("cy")
    assert heir.host.commit == journal.last


def test_who_is_missing_under_the_new_host_has_all_of_the_grace_time() -> None:
    cluster = starting("ana", settings={"grace_seconds": "20"})
    heir = elected(cluster)
    heir.hears("host", Get(0))
    heir.hears("cy", Get(len(heir.host.public.journal)))
    heir.hears("cy", share_of(cluster, "cy"))
    for _ in range(12):
        heir.wakes(1)
        heir.acked("cy")
    assert heir.host.public.bots_on == set()
    for _ in range(20):
        heir.wakes(1)
        heir.acked("cy")
    assert heir.host.public.bots_on >= {0}


def test_a_signed_word_of_a_later_term_makes_a_host_stop() -> None:
    cluster, (ben, _) = table("ben", "cy")
    journal = cluster.host.public.journal
    last = (1, journal.last, journal.head)
    old = sign_vote(identity("ben"), journal.table, 1, identity("ben").key, 1, last)
    ben.send(old)
    forged = sign_vote(identity("dot"), journal.table, 2, identity("ben").key, 1, last)
    ben.send(forged)
    assert not cluster.host.stopped
    ben.send(sign_vote(identity("ben"), journal.table, 2, identity("ben").key, 1, last))
    assert cluster.host.stopped
    before = len(journal)
    cluster.pass_time(10)
    assert len(journal) == before
    assert cluster.host.handle(LinkUp(LinkId(99), keys("cy")[0], session(LinkId(99))), cluster.now) == Effects()
