"""Everybody's part of a deal, and share of its secret, given by programs by themselves (protocol 6.3, 6.5)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from p2pcards.games.base import Seat
from p2pcards.games.tongits import TongIts
from p2pcards.table.contribution import Contribution
from p2pcards.table.deal import deal_from, faces, leaves
from p2pcards.table.effects import LinkId
from p2pcards.table.escrow import shares
from p2pcards.table.gather import PART_SECONDS
from p2pcards.table.journal import Journal
from p2pcards.table.notices import Alarm, BadShare, Closed, LeftOut, Refused
from p2pcards.table.public import Public
from p2pcards.table.shuffling import LEFT_OUT_TEXT
from p2pcards.wire.entries import EntryKind
from p2pcards.wire.envelope import ActKind
from p2pcards.wire.messages import Act, Keepalive, Message, Share
from tests.testing.cluster import Cluster, identity, play_round, started, three
from tests.testing.dealing import (
    DEALT,
    IN_ORDER,
    ONE_DECK,
    complaints,
    drawing,
    honest,
    kinds,
    losing,
    newest,
    next_round,
    part_of,
    shedding,
)
from tests.testing.dice import Dice
from tests.testing.forge import Forge
from tests.testing.table import fold_of

# ---- everybody gives a part


def test_everybody_but_the_host_gives_a_part_and_the_deck_is_of_all_of_them() -> None:
    cluster = three(settings=IN_ORDER)
    drawn = {seat: cluster.peers[name].dice.peek(32) for seat, name in ((1, "ben"), (2, "cy"))}
    began = cluster.now
    cluster.order("start")
    assert kinds(cluster) == DEALT
    assert cluster.now == began
    deal = newest(cluster)
    assert (deal.contributors, deal.parts, deal.left_out) == ((1, 2), drawn, set())
    secret, table = cluster.secrets["root-1"], cluster.host.table
    order = deal_from(table, 1, secret, faces(1), 3, drawn).order
    assert deal.leaves == leaves(table, 1, secret, order)
    hands = TongIts().dealt(order, 3, Seat(_starter(cluster))).hands
    for peer in cluster.peers.values():
        view = peer.guest.table_view()
        assert view is not None
        assert view.view.hand == hands[peer.seat]
    honest(cluster)


def _starter(cluster: Cluster) -> int:
    books = cluster.host.public
    assert books.round is not None
    assert books.round.starter is not None
    return books.round.starter


@pytest.mark.parametrize("seat", [1, 2])
def test_each_part_changes_the_whole_deck(seat: int) -> None:
    cluster = started()
    parts, secret, table = newest(cluster).parts, cluster.secrets["root-1"], cluster.host.table
    order = deal_from(table, 1, secret, faces(1), 3, parts).order
    flipped = bytes([parts[seat][0] ^ 1]) + parts[seat][1:]
    other = deal_from(table, 1, secret, faces(1), 3, {**parts, seat: flipped}).order
    assert sum(one == two for one, two in zip(order, other, strict=True)) < 12


def test_a_round_has_new_parts() -> None:
    cluster = started(options={"match_rounds": "2"})
    first = newest(cluster).parts
    play_round(cluster)
    next_round(cluster)
    second = newest(cluster).parts
    assert second.keys() == first.keys() == {1, 2}
    assert set(first.values()).isdisjoint(second.values())


def test_a_host_alone_with_bots_deals_at_once() -> None:
    cluster = Cluster(settings=IN_ORDER)
    cluster.join("ana", host=True)
    cluster.order("start")
    assert kinds(cluster) == [EntryKind.DEAL_OPEN, EntryKind.DEAL_START]
    assert newest(cluster).contributors == ()
    assert newest(cluster).leaves


def test_a_host_that_only_watches_gives_no_part_and_its_bots_none() -> None:
    cluster = Cluster()
    cluster.join("ana", host=True, watch=True)
    cluster.join("ben")
    cluster.order("start")
    seat = cluster.peers["ben"].seat
    assert newest(cluster).contributors == (seat,)
    assert kinds(cluster) == DEALT


def test_a_spectator_gives_no_part_and_is_told_that_it_is_being_dealt() -> None:
    cluster = three(settings=IN_ORDER)
    dot = cluster.join("dot", watch=True)
    losing(cluster, ActKind.COMMIT, "cy")
    cluster.order("start")
    view = dot.guest.table_view()
    assert view is not None
    assert (view.dealing, view.view) == (True, None)
    late = cluster.join("eve", watch=True)
    cluster.pass_time(PART_SECONDS)
    for watcher in (dot, late):
        assert watcher.secrets == {}
        assert [message for message in watcher.received if isinstance(message, Act)] == []
        view = watcher.guest.table_view()
        assert view is not None
        assert (view.dealing, view.view is None) == (False, False)
    assert newest(cluster).contributors == (1, 2)
    honest(cluster)


def test_who_is_not_here_when_the_deal_is_opened_is_not_asked() -> None:
    cluster = started(options={"match_rounds": "2"})
    play_round(cluster)
    cluster.cut("cy")
    for name in ("ana", "ben"):
        cluster.want(name, "next")
    assert newest(cluster).contributors == (1,)
    assert newest(cluster).left_out == set()
    cluster.back("cy")
    assert complaints(cluster, "cy") == []
    honest(cluster)


def test_while_cards_are_shuffled_nobody_can_act() -> None:
    cluster = three(settings=IN_ORDER)
    losing(cluster, ActKind.REVEAL, "cy")
    cluster.order("start")
    for peer in cluster.peers.values():
        view = peer.guest.table_view()
        assert view is not None
        assert (view.dealing, view.view, view.to_act) == (True, None, ())
        assert peer.guest.my_turn is None
    cluster.act("ben", "draw")
    assert cluster.peers["ben"].told(Refused) == [Refused("not_your_turn", "")]
    cluster.pass_time(PART_SECONDS)
    assert fold_of(cluster).to_act
    honest(cluster)


# ---- who was left out though he said his part says so


@pytest.mark.parametrize("kind", [ActKind.COMMIT, ActKind.REVEAL])
def test_who_is_left_out_though_he_sent_his_part_says_so_once(kind: ActKind) -> None:
    cluster = three(settings=IN_ORDER)
    losing(cluster, kind, "cy")
    cluster.order("start")
    cluster.pass_time(3 * PART_SECONDS)
    assert complaints(cluster, "cy") == [LEFT_OUT_TEXT]
    assert LeftOut(1, ((2, "cy"),), (), True) in cluster.peers["cy"].told(LeftOut)
    for name in ("ana", "ben"):
        assert not any(left.sent for left in cluster.peers[name].told(LeftOut))
        assert complaints(cluster, name) == []


def test_who_is_here_and_not_asked_at_all_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = three(settings=IN_ORDER)
    monkeypatch.setattr(cluster.host._play.dealer, "_listens", lambda key: key != identity("cy").key)
    cluster.order("start")
    assert newest(cluster).contributors == (1,)
    assert complaints(cluster, "cy") == [LEFT_OUT_TEXT]
    assert cluster.peers["cy"].told(LeftOut) == [LeftOut(1, ((2, "cy"),), (), True)]


def test_a_part_that_comes_too_late_is_refused_and_its_player_told_no_more_than_that_it_was_left_out() -> None:
    cluster = three(settings=IN_ORDER)
    late: list[tuple[str, Message]] = []

    def delayed(name: str, message: Message) -> bool:
        if name == "cy" and part_of(message) and len(late) < 1:
            late.append((name, message))
            return True
        return False

    cluster.loses = delayed
    cluster.order("start")
    cluster.pass_time(PART_SECONDS)
    length = len(cluster.host.public.journal)
    cy = cluster.peers["cy"]
    assert cy.link is not None
    cluster.to_host(cy.link, late[0][1])
    cluster.settle()
    assert len(cluster.host.public.journal) == length
    assert cy.told(Refused) == []
    play_round(cluster)
    honest(cluster)


# ---- a part is shown only beside one's own commitment


def test_no_part_is_shown_where_the_own_commitment_does_not_stand() -> None:
    """A host that left it out must not come to know it."""
    cluster = three(settings=IN_ORDER)
    losing(cluster, ActKind.COMMIT, "cy")
    shown: list[str] = []
    losing_commit = cluster.loses
    assert losing_commit is not None

    def overheard(name: str, message: Message) -> bool:
        if part_of(message) is ActKind.REVEAL:
            shown.append(name)
        return losing_commit(name, message)

    cluster.loses = overheard
    cluster.order("start")
    cluster.pass_time(2 * PART_SECONDS)
    assert newest(cluster).left_out == {2}
    assert shown == ["ben"]


def test_no_part_is_shown_where_another_commitment_stands_in_its_place() -> None:
    """What a program of the same key said before stands; the one that runs now has another part."""
    cluster = three(settings=IN_ORDER)
    losing(cluster, ActKind.COMMIT, "ben")
    cluster.order("start")
    first = cluster.peers["cy"].told(LeftOut)
    cluster.cut("cy")
    losing(cluster, ActKind.COMMIT, "ben", "cy")  # the new program's commitment gets lost, the old one's came
    cy = cluster.join("cy")
    cluster.loses = None
    cluster.pass_time(PART_SECONDS)
    assert newest(cluster).commits.keys() == {2}
    cluster.pass_time(PART_SECONDS)
    assert newest(cluster).left_out == {1, 2}
    assert newest(cluster).parts == {}
    assert [*first, *cy.told(Alarm)] == []
    assert complaints(cluster, "cy") == []


# ---- shares


def test_every_holder_is_given_its_share_and_keeps_it_until_the_secret_is_disclosed() -> None:
    cluster = started(options={"match_rounds": "2"})
    books = cluster.host.public
    assert books.round is not None
    secret = cluster.secrets["root-1"]
    assert books.round.holders == tuple(identity(name).key for name in ("ben", "cy"))
    values = shares(cluster.host.table, 1, secret, books.round.threshold, 2)
    assert [cluster.peers[name].secrets for name in ("ben", "cy")] == [{"share-1": value} for value in values]
    assert cluster.peers["ana"].secrets == {}
    play_round(cluster)
    assert all(peer.secrets == {} for peer in cluster.peers.values())
    next_round(cluster)
    assert [set(cluster.peers[name].secrets) for name in ("ben", "cy")] == [{"share-2"}] * 2
    honest(cluster)


def test_the_share_is_kept_before_anything_is_answered() -> None:
    cluster = three(settings=IN_ORDER)
    cluster.loses = lambda name, message: part_of(message) is not None and "share-1" not in cluster.peers[name].secrets
    cluster.order("start")
    assert kinds(cluster) == DEALT
    assert newest(cluster).left_out == set()


@pytest.mark.parametrize("seats", [2, 3])
def test_two_people_hold_no_shares(seats: int) -> None:
    cluster = Cluster(settings=IN_ORDER, game="onecard", seats=seats)
    cluster.join("ana", host=True)
    ben = cluster.join("ben")
    cluster.order("start")
    books = cluster.host.public
    assert books.round is not None
    assert (books.round.holders, books.round.threshold, books.round.shares) == ((), 0, ())
    assert [message for message in ben.received if isinstance(message, Share)] == []
    assert (ben.secrets, set(newest(cluster).parts)) == ({}, {1})
    play_round(cluster, choose=shedding)
    honest(cluster)


def test_a_host_without_a_seat_is_a_voter_and_the_players_hold() -> None:
    cluster = Cluster(settings=IN_ORDER)
    cluster.join("ana", host=True, watch=True)
    for name in ("ben", "cy"):
        cluster.join(name)
    cluster.order("start")
    assert [len(cluster.peers[name].secrets) for name in ("ana", "ben", "cy")] == [0, 1, 1]
    honest(cluster)


Wrong = Callable[[Share], Share]
WRONG: dict[str, Wrong] = {
    "another value": lambda share: replace(share, value=bytes(66)),
    "one bit off": lambda share: replace(share, value=share.value[:-1] + bytes([share.value[-1] ^ 1])),
    "another place": lambda share: replace(share, x=share.x % 2 + 1),
    "no place": lambda share: replace(share, x=0),
    "another epoch": lambda share: replace(share, epoch=share.epoch + 1),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_whoever_is_given_a_wrong_share_says_why_and_adds_nothing(wrong: str) -> None:
    cluster = three(settings=IN_ORDER)
    cluster.tamper = lambda name, message: (
        WRONG[wrong](message) if name == "cy" and isinstance(message, Share) else message
    )
    cluster.order("start")
    cy = cluster.peers["cy"]
    assert cy.told(BadShare) == [BadShare(1)]
    assert cy.secrets == {}
    assert kinds(cluster) == DEALT[:1]
    cluster.pass_time(PART_SECONDS)
    assert (newest(cluster).left_out, set(newest(cluster).parts)) == ({2}, {1})
    assert complaints(cluster, "cy") == []  # it sent no part
    cluster.tamper = None
    play_round(cluster)
    assert cy.told(Closed) == []


def test_a_right_share_after_a_wrong_one_will_do() -> None:
    cluster = three(settings=IN_ORDER)
    cluster.tamper = lambda name, message: (
        WRONG["another value"](message) if name == "cy" and isinstance(message, Share) else message
    )
    cluster.order("start")
    cluster.tamper = None
    cluster.cut("cy")
    cluster.back("cy")
    assert newest(cluster).left_out == set()
    assert kinds(cluster) == DEALT
    honest(cluster)


def test_a_share_for_somebody_who_holds_none_is_told_and_changes_nothing() -> None:
    cluster = three(settings=IN_ORDER)
    dot = cluster.join("dot", watch=True)
    cluster.order("start")
    assert dot.link is not None
    cluster.to_guest(dot.link, Share(1, 1, bytes(66)))
    assert dot.secrets == {}
    assert dot.told(BadShare) == [BadShare(1)]


def test_a_holder_that_returns_is_given_its_share_again() -> None:
    cluster = started()
    kept = dict(cluster.peers["cy"].secrets)
    cluster.cut("cy")
    cluster.back("cy")
    assert len([message for message in cluster.peers["cy"].received if isinstance(message, Share)]) == 2
    cluster.cut("cy")
    cy = cluster.join("cy")
    assert [message for message in cy.received if isinstance(message, Share)]
    assert cy.secrets == kept
    play_round(cluster)
    assert cy.secrets == {}
    cluster.cut("cy")
    cluster.back("cy")
    assert cy.secrets == {}
    honest(cluster)


def test_a_holder_that_was_away_when_the_deal_was_opened_gets_its_share_when_it_is_back() -> None:
    cluster = started(options={"match_rounds": "2"})
    play_round(cluster)
    cluster.cut("cy")
    for name in ("ana", "ben"):
        cluster.want(name, "next")
    assert cluster.peers["cy"].secrets == {}
    cluster.back("cy")
    assert set(cluster.peers["cy"].secrets) == {"share-2"}
    honest(cluster)


def test_who_comes_in_the_middle_of_a_round_holds_nothing_of_it() -> None:
    cluster = started()
    dot = cluster.join("dot")
    assert dot.secrets == {}
    assert [message for message in dot.received if isinstance(message, Share)] == []


def test_a_reshuffle_has_the_shares_of_its_round() -> None:
    cluster = three(settings=IN_ORDER, game="onecard", options=ONE_DECK)
    cluster.order("start")
    kept = {name: dict(peer.secrets) for name, peer in cluster.peers.items()}
    while cluster.host.public.epoch < 2:
        cluster.act(cluster.movers[0].name, drawing(cluster, cluster.movers[0]))
    assert {name: peer.secrets for name, peer in cluster.peers.items()} == kept
    assert all(len([one for one in peer.received if isinstance(one, Share)]) <= 1 for peer in cluster.peers.values())
    play_round(cluster, choose=shedding)
    assert all(peer.secrets == {} for peer in cluster.peers.values())
    honest(cluster)


def test_whoever_is_given_no_share_at_all_says_so_when_it_is_left_out() -> None:
    cluster = three(settings=IN_ORDER)
    nothing = Keepalive(bytes(16), 1, 0, bytes(32), bytes(64))
    cluster.tamper = lambda name, message: nothing if name == "cy" and isinstance(message, Share) else message
    cluster.order("start")
    cy = cluster.peers["cy"]
    assert cy.told(BadShare) == []
    cluster.pass_time(PART_SECONDS)
    assert newest(cluster).left_out == {2}
    assert cy.told(BadShare) == [BadShare(1, missing=True)]
    assert cluster.peers["ben"].told(BadShare) == []
    assert complaints(cluster, "cy") == []  # it sent no part


# ---- a share of one's own


def machine(cluster: Cluster, name: str) -> Contribution:
    """What a program of that key makes of the journal as it is, started afresh."""
    drawn = Dice(f"afresh {name}")
    books = cluster.host.public
    return Contribution(identity(name).key, drawn.take, books.journal, books)


def share_for(cluster: Cluster, name: str) -> Share:
    """What the host gives this holder."""
    given = cluster.host._play.dealer.share_of(identity(name).key)
    assert given is not None
    return Share(*given)


def test_a_holder_has_its_share_while_the_round_is_open() -> None:
    cluster = started(options={"match_rounds": "2"})
    cy = machine(cluster, "cy")
    assert cy.share is None
    share = share_for(cluster, "cy")
    assert cy.take_share(share)
    assert cy.share == (1, 2, share.value)
    play_round(cluster)
    assert cy.share is None
    next_round(cluster)
    assert cy.share is None


def test_a_share_that_lay_on_the_disk_is_ones_own_again_after_a_restart() -> None:
    cluster = started(options={"match_rounds": "2"})
    cy, value = machine(cluster, "cy"), cluster.peers["cy"].secrets["share-1"]
    for epoch, wrong in ((1, bytes(66)), (2, value), (1, b""), (1, value + value)):
        assert not cy.kept_share(epoch, wrong)
        assert cy.share is None
    assert cy.awaits_share  # a wrong one on the disk is not the host's doing
    assert cy.kept_share(1, value)
    assert cy.share == (1, 2, value)
    assert not machine(cluster, "ana").kept_share(1, value)
    play_round(cluster)
    assert not machine(cluster, "cy").kept_share(1, value)


def test_who_cant_keep_its_share_holds_none_and_adds_nothing_until_it_can() -> None:
    cluster = three(settings=IN_ORDER)
    losing(cluster, ActKind.COMMIT, "cy")
    cluster.order("start")
    cy, share = machine(cluster, "cy"), share_for(cluster, "cy")
    assert not cy.share_refused()  # it has none
    assert cy.take_share(share)
    assert cy.due(2) is not None
    assert cy.share_refused()
    assert (cy.due(2), cy.share, cy.awaits_share) == (None, None, False)
    assert not cy.share_refused()
    assert cy.take_share(share)
    assert cy.due(2) is not None
    assert not cy.share_refused()  # it was told already
    assert (cy.due(2), cy.share) == (None, None)


def test_a_part_serves_one_deal_alone_also_where_the_next_one_has_its_number() -> None:
    """What was shown in a deal that was rolled back, the next dealer would know before it commits to its secret."""
    forge, journal = Forge(), Journal()
    books = Public(journal)
    cy, said = Contribution(identity("cy").key, Dice("cy").take, journal, books), []
    lobby = [*forge.lobby(), forge.match()]
    for secret in (bytes(32), bytes(32), b"1" * 32):
        journal.truncate(0)
        books.restart()
        line = Forge(journal=forge.journal)
        for wire in (*lobby, line.deal_open(secret=secret, contributors=(1, 2))):
            books.fold(journal.accept(wire, forge.host.key))
        current = books.open_round
        given = shares(current.table, 1, secret, current.threshold, len(current.holders))
        x = current.holders.index(identity("cy").key) + 1
        assert cy.take_share(Share(1, x, given[x - 1]))
        said.append(cy.due(2))
        assert cy.due(2) == said[-1]
    assert said[0] == said[1] != said[2]  # the second deal is the first one, come again


# ---- who was not here does not say that it was


@pytest.mark.parametrize("seconds", [PART_SECONDS + 1, 2 * PART_SECONDS + 1])
def test_a_program_that_slept_through_a_shuffle_does_not_say_that_it_gave_its_part_in_time(seconds: float) -> None:
    """What was said meanwhile lies in its socket: it answers to each, too late, before it reads on."""
    cluster = three(settings=IN_ORDER)
    cy, deliver, held = cluster.peers["cy"], cluster.to_guest, list[Message]()

    def hold(link: LinkId, message: Message) -> None:
        if link == cy.link:
            held.append(message)
        else:
            deliver(link, message)

    cluster.to_guest = hold  # type: ignore[method-assign]  # for this test
    cy.wake_at = None
    cluster.order("start")
    cluster.pass_time(seconds)
    assert 2 in newest(cluster).left_out
    cluster.to_guest = deliver  # type: ignore[method-assign]  # for this test
    assert cy.link is not None
    for message in held:
        cluster.to_guest(cy.link, message)
    cluster.settle()
    assert complaints(cluster, "cy") == []
    assert not any(left.sent for left in cy.told(LeftOut))
    honest(cluster)
