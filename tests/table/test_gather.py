"""The host gathers the parts of a shuffle: how long it waits, for whom, what becomes of the silent (protocol 6.3)."""

from __future__ import annotations

import pytest

from p2pcards.table.deal import commitment, deal_from, faces, leaves
from p2pcards.table.effects import Voted
from p2pcards.table.gather import PART_SECONDS, RESHUFFLE_SECONDS
from p2pcards.table.notices import BotPlays, Closed, LeftOut, Refused
from p2pcards.table.shuffling import LEFT_OUT_TEXT
from p2pcards.wire.entries import EntryKind, SeatKind
from p2pcards.wire.envelope import ActKind
from p2pcards.wire.messages import Message
from tests.testing.cluster import Cluster, play_round, started, three
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
    waiting_for_cy,
)
from tests.testing.table import tame_bot

# ---- who is silent is left out, and named


@pytest.mark.parametrize(("kind", "entry"), [(ActKind.COMMIT, 1), (ActKind.REVEAL, 2)])
def test_who_is_silent_is_left_out_after_five_seconds_and_named(kind: ActKind, entry: int) -> None:
    cluster = three(settings=IN_ORDER)
    losing(cluster, kind, "cy")
    cluster.order("start")
    assert kinds(cluster) == DEALT[:entry]
    cluster.pass_time(4.9)
    assert kinds(cluster) == DEALT[:entry]
    cluster.pass_time(0.1)
    assert kinds(cluster) == DEALT
    deal = newest(cluster)
    assert (deal.left_out, set(deal.parts)) == ({2}, {1})
    order = deal_from(cluster.host.table, 1, cluster.secrets["root-1"], faces(1), 3, deal.parts).order
    assert deal.leaves == leaves(cluster.host.table, 1, cluster.secrets["root-1"], order)
    for name in ("ana", "ben"):
        assert cluster.peers[name].told(LeftOut) == [LeftOut(1, ((2, "cy"),))]
    cluster.loses = None
    play_round(cluster)
    honest(cluster)


def test_a_table_of_silent_players_is_dealt_to_all_the_same() -> None:
    cluster = three(settings=IN_ORDER)
    losing(cluster, ActKind.COMMIT, "ben", "cy")
    cluster.order("start")
    cluster.pass_time(PART_SECONDS)
    assert kinds(cluster) == DEALT
    assert (newest(cluster).parts, newest(cluster).left_out) == ({}, {1, 2})
    assert cluster.peers["ana"].told(LeftOut) == [LeftOut(1, ((1, "ben"), (2, "cy")))]
    play_round(cluster)
    honest(cluster)


def test_one_is_silent_in_each_step() -> None:
    cluster = three(settings=IN_ORDER)
    cluster.loses = lambda name, message: part_of(message) is {"ben": ActKind.COMMIT, "cy": ActKind.REVEAL}.get(name)
    cluster.order("start")
    cluster.pass_time(PART_SECONDS)
    assert kinds(cluster) == DEALT[:2]
    cluster.pass_time(PART_SECONDS)
    assert kinds(cluster) == DEALT
    assert newest(cluster).left_out == {1, 2}
    assert newest(cluster).parts == {}
    assert cluster.peers["ana"].told(LeftOut) == [LeftOut(1, ((1, "ben"),)), LeftOut(1, ((2, "cy"),))]


def dry(seed: int = 1) -> Cluster:
    """One Card, about to run out of stock: whoever draws next is to draw in vain. cy's parts get lost from now on."""
    cluster = started(seed, game="onecard", options=ONE_DECK)
    losing(cluster, ActKind.COMMIT, "cy")
    while not (books := cluster.host.public).round or not books.round.shuffling:
        cluster.act(cluster.movers[0].name, drawing(cluster, cluster.movers[0]))
    return cluster


def test_a_reshuffle_is_of_the_same_secret_and_new_parts() -> None:
    cluster = dry()
    current = cluster.host.public.round
    assert current is not None
    opened = current.epochs[1]
    cluster.loses = None
    cluster.cut("cy")
    cluster.back("cy")
    deal = newest(cluster)
    assert cluster.host.public.epoch == 2
    assert (deal.contributors, deal.left_out) == ((1, 2), set())
    assert set(deal.parts.values()).isdisjoint(opened.parts.values())
    assert current.root == commitment(cluster.host.table, 1, cluster.secrets["root-1"])
    order = deal_from(cluster.host.table, 2, cluster.secrets["root-1"], deal.cards, 3, deal.parts).order
    assert deal.leaves == leaves(cluster.host.table, 2, cluster.secrets["root-1"], order)
    play_round(cluster, choose=shedding)
    honest(cluster)


def test_a_reshuffle_waits_two_seconds() -> None:
    cluster = dry()
    assert all(peer.guest.my_turn is None for peer in cluster.peers.values())
    cluster.pass_time(1.9)
    assert not newest(cluster).leaves
    cluster.pass_time(0.1)
    assert newest(cluster).leaves
    assert newest(cluster).left_out == {2}
    assert cluster.peers["ben"].told(LeftOut) == [LeftOut(1, ((2, "cy"),))]
    cluster.loses = None
    play_round(cluster, choose=shedding)
    honest(cluster)


# ---- left out twice in a match


def twice() -> Cluster:
    """cy's part was left out in both rounds so far, of three."""
    cluster = three(settings=IN_ORDER, options={"match_rounds": "3"})
    cluster.bots = tame_bot
    losing(cluster, ActKind.COMMIT, "cy")
    cluster.order("start")
    cluster.pass_time(PART_SECONDS)
    play_round(cluster)
    next_round(cluster)
    cluster.pass_time(PART_SECONDS)
    cluster.loses = None
    return cluster


def test_who_is_left_out_twice_in_a_match_has_a_bot_until_he_is_back() -> None:
    cluster = twice()
    told = cluster.peers["ana"]
    assert told.told(LeftOut) == [LeftOut(1, ((2, "cy"),)), LeftOut(2, ((2, "cy"),), (2,))]
    assert told.told(BotPlays) == [BotPlays(2, "cy", True, "contributions")]
    assert cluster.host.public.bots_on == {2}
    assert cluster.peers["cy"].guest.my_turn is None
    cluster.want("cy", "back")
    assert told.told(BotPlays)[1:] == [BotPlays(2, "cy", False, "back")]
    assert cluster.host.public.bots_on == set()
    play_round(cluster)
    honest(cluster)


def test_he_gives_no_part_for_the_rest_of_the_match_and_again_in_the_next() -> None:
    cluster = twice()
    cluster.want("cy", "back")
    play_round(cluster)
    next_round(cluster)
    assert newest(cluster).contributors == (1,)
    assert complaints(cluster, "cy") == [LEFT_OUT_TEXT] * 2  # he was asked then, and not now
    play_round(cluster)
    assert cluster.host.public.match_over
    next_round(cluster)
    assert (cluster.host.public.match, newest(cluster).contributors) == (2, (1, 2))
    assert newest(cluster).parts.keys() == {1, 2}
    honest(cluster)


def test_once_in_a_match_and_once_in_the_next_is_no_twice() -> None:
    cluster = three(settings=IN_ORDER, options={"match_rounds": "1"})
    for match in (1, 2):
        losing(cluster, ActKind.REVEAL, "cy")
        if match == 1:
            cluster.order("start")
        else:
            next_round(cluster)
        cluster.pass_time(PART_SECONDS)
        assert newest(cluster).left_out == {2}
        assert cluster.host.public.bots_on == set()
        play_round(cluster)
    assert len(cluster.peers["ana"].told(LeftOut)) == 2


def test_twice_within_a_round_of_two_shuffles_counts_too() -> None:
    cluster = three(settings=IN_ORDER, game="onecard", options=ONE_DECK)
    losing(cluster, ActKind.COMMIT, "cy")
    cluster.order("start")
    cluster.pass_time(PART_SECONDS)
    while cluster.host.public.epoch < 2:
        cluster.act(cluster.movers[0].name, drawing(cluster, cluster.movers[0]))
    cluster.pass_time(RESHUFFLE_SECONDS)
    assert cluster.host.public.bots_on == {2}
    assert cluster.peers["ben"].told(BotPlays) == [BotPlays(2, "cy", True, "contributions")]
    cluster.want("cy", "back")
    play_round(cluster, choose=shedding)
    honest(cluster)


# ---- what happens meanwhile


@pytest.mark.parametrize("kind", [ActKind.COMMIT, ActKind.REVEAL])
def test_who_drops_and_returns_in_time_gives_his_part_after_all(kind: ActKind) -> None:
    cluster = waiting_for_cy(kind)
    cluster.cut("cy")
    cluster.pass_time(PART_SECONDS - 2)
    assert kinds(cluster)[-1] is not EntryKind.DEAL_START
    cluster.back("cy")
    assert kinds(cluster) == DEALT
    assert newest(cluster).left_out == set()
    play_round(cluster)
    honest(cluster)


def test_who_stays_away_is_left_out_and_does_not_complain_when_he_is_back() -> None:
    cluster = waiting_for_cy()
    cluster.cut("cy")
    cluster.pass_time(PART_SECONDS)
    assert newest(cluster).left_out == {2}
    cluster.back("cy")
    assert complaints(cluster, "cy") == []
    assert [left.sent for left in cluster.peers["cy"].told(LeftOut)] == [False]
    play_round(cluster)
    honest(cluster)


def test_a_program_started_afresh_commits_to_a_part_of_its_own() -> None:
    cluster = three(settings=IN_ORDER)
    losing(cluster, ActKind.COMMIT, "ben")
    cluster.order("start")
    cluster.cut("cy")
    cy = cluster.join("cy")
    cluster.loses = None
    part = cy.dice
    cluster.cut("ben")
    cluster.back("ben")
    assert kinds(cluster) == DEALT
    assert newest(cluster).left_out == set()
    assert newest(cluster).parts[2] != part.peek(32)
    play_round(cluster)
    honest(cluster)


def test_a_program_started_afresh_does_not_show_what_another_committed_to() -> None:
    """Its own part is not the one in the journal, and that one died with the program before it."""
    cluster = waiting_for_cy(ActKind.REVEAL)
    cluster.cut("cy")
    cy = cluster.join("cy")
    assert kinds(cluster) == DEALT[:2]
    cluster.pass_time(PART_SECONDS)
    assert newest(cluster).left_out == {2}
    assert [left.sent for left in cy.told(LeftOut)] == [False]
    assert complaints(cluster, "cy") == []
    play_round(cluster)
    honest(cluster)


@pytest.mark.parametrize("kind", [ActKind.COMMIT, ActKind.REVEAL])
def test_nobody_waits_for_who_has_left(kind: ActKind) -> None:
    cluster = waiting_for_cy(kind)
    cluster.leave("cy")
    assert kinds(cluster)[: len(DEALT)] != DEALT  # the bot that sits there now stands between
    assert newest(cluster).leaves
    assert newest(cluster).left_out == {2}
    assert cluster.host.public.seats[2].kind is SeatKind.BOT
    del cluster.peers["cy"]
    play_round(cluster)
    honest(cluster)


@pytest.mark.parametrize("kind", [ActKind.COMMIT, ActKind.REVEAL])
def test_the_part_of_who_leaves_after_he_gave_it_is_left_out(kind: ActKind) -> None:
    cluster = waiting_for_cy(kind)
    cluster.leave("ben")
    cluster.pass_time(PART_SECONDS)
    assert newest(cluster).leaves
    assert 1 in newest(cluster).left_out
    del cluster.peers["ben"]
    play_round(cluster)
    honest(cluster)


@pytest.mark.parametrize("kind", [ActKind.COMMIT, ActKind.REVEAL])
def test_nobody_waits_for_who_was_shown_out(kind: ActKind) -> None:
    cluster = waiting_for_cy(kind)
    cluster.order("kick", "cy", "", "0")
    assert newest(cluster).leaves
    assert newest(cluster).left_out == {2}
    del cluster.peers["cy"]
    play_round(cluster)
    honest(cluster)


@pytest.mark.parametrize("kind", [ActKind.COMMIT, ActKind.REVEAL])
def test_who_votes_meanwhile_gives_his_part_all_the_same(kind: ActKind) -> None:
    """The vote uses up the count that his part was signed with."""
    cluster = waiting_for_cy(kind)
    cluster.vote("ben", "cy")
    assert EntryKind.BALLOT in [entry.kind for entry in cluster.host.public.journal.entries]
    cluster.cut("cy")
    cluster.back("cy")
    assert newest(cluster).leaves
    assert newest(cluster).left_out == set()
    play_round(cluster)
    honest(cluster)


def test_the_host_waits_for_a_part_that_a_vote_made_void() -> None:
    """It must not count it as come, and then leave it out, before its player's program could sign it anew."""
    cluster = waiting_for_cy()
    ben, cy = cluster.peers["ben"], cluster.peers["cy"]
    cluster.tell(ben, Voted(cy.seat, True))
    ben.deaf = True  # ben's program does not know yet that the vote stands
    cluster.settle()
    cluster.cut("cy")
    cluster.back("cy")  # the last part that was missing
    assert kinds(cluster) == DEALT[:1]
    cluster.cut("ben")
    cluster.back("ben")
    assert kinds(cluster) == DEALT
    assert newest(cluster).left_out == set()
    honest(cluster)


def test_whoever_talks_comes_or_watches_meanwhile_changes_nothing() -> None:
    cluster = waiting_for_cy()
    cluster.speak("ben", "well?")
    assert complaints(cluster, "ben") == ["well?"]
    cluster.join("dot", watch=True)
    cluster.want("ben", "next")
    cluster.cut("cy")
    cluster.back("cy")
    assert kinds(cluster) == DEALT
    assert newest(cluster).left_out == set()
    play_round(cluster)
    honest(cluster)


def test_next_is_for_the_score_sheet_that_one_sees_and_not_said_ahead_in_a_shuffle() -> None:
    cluster = waiting_for_cy(options={"match_rounds": "3"})
    cluster.pass_time(PART_SECONDS)
    play_round(cluster)
    losing(cluster, ActKind.COMMIT, "cy")
    next_round(cluster)
    next_round(cluster)  # once more, in the shuffle
    cluster.loses = None
    for name in ("ana", "ben", "cy"):
        assert [refused.code for refused in cluster.peers[name].told(Refused)] == ["not_now"]
    cluster.pass_time(PART_SECONDS)
    play_round(cluster)
    assert cluster.host._play.between
    assert cluster.host.public.round_number == 2


def test_a_good_bye_said_just_when_the_own_commitment_is_written_down_is_said_again() -> None:
    cluster = three(settings=IN_ORDER)
    losing(cluster, ActKind.COMMIT, "ben")
    cluster.order("start")
    cluster.pass_time(PART_SECONDS - 1)
    cy, deliver, held = cluster.peers["cy"], cluster.to_guest, list[Message]()
    cluster.to_guest = lambda link, message: held.append(message) if link == cy.link else deliver(link, message)  # type: ignore[method-assign]  # for this test
    cluster.pass_time(1)
    assert kinds(cluster) == DEALT[:2]
    cluster.leave("cy")
    cluster.to_guest = deliver  # type: ignore[method-assign]  # for this test
    assert cy.link is not None
    for message in held:
        cluster.to_guest(cy.link, message)
    cluster.settle()
    assert [held.kind for held in cluster.host.public.seats] == [SeatKind.MEMBER, SeatKind.MEMBER, SeatKind.BOT]
    assert cy.told(Refused) == []
    assert [closed.reason for closed in cy.told(Closed)] == ["left"]
