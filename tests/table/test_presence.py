"""Who drops, who is held, who comes back, and that nobody's going stops the table (protocol 7.2, grace)."""

from __future__ import annotations

import pytest

from p2pcards.errors import UserError
from p2pcards.table import courier
from p2pcards.table.effects import BotChose, LinkDown, Woke
from p2pcards.table.notices import BotPlays, BotTurn, Closed, Dropped, LinkBack, LinkLost, Returned, Vacated
from p2pcards.table.presence import SILENCE
from p2pcards.wire.entries import EntryKind, SeatKind
from p2pcards.wire.messages import Close, Held, Keepalive, Reason
from tests.table.test_access import hello
from tests.testing.cluster import Cluster, Peer, identity, play_round, three
from tests.testing.table import NAMES, fold_of, laying, question, starting, tame_bot, tame_move, to_act


def held(peer: Peer, now: float) -> dict[int, int]:
    """What the peer's screen counts down: seconds by seat."""
    view = peer.guest.table_view()
    assert view is not None
    return {seat: round(who.held_until - now) for seat, who in enumerate(view.seats) if who.held_until is not None}


# ---- the grace time


def test_everybody_sees_the_countdown_and_the_return() -> None:
    cluster = starting("ana")
    dot = cluster.join("dot", watch=True)
    cluster.cut("cy")
    for peer in (cluster.peers["ana"], cluster.peers["ben"], dot):
        assert peer.told(Dropped) == [Dropped(2, "cy", 90)]
        assert held(peer, cluster.now) == {2: 90}
    assert cluster.peers["cy"].told(LinkLost) == [LinkLost()]
    cluster.pass_time(30)
    assert held(cluster.peers["ben"], cluster.now) == {2: 60}
    late = cluster.join("eve", watch=True)
    assert held(late, cluster.now) == {2: 60}
    cluster.back("cy")
    for peer in (cluster.peers["ana"], cluster.peers["ben"], dot, late):
        assert peer.told(Returned) == [Returned(2, "cy")]
        assert held(peer, cluster.now) == {}
        assert peer.told(BotPlays) == []
    cy = cluster.peers["cy"]
    assert cy.told(LinkBack) == [LinkBack()]
    assert (cy.told(Dropped), held(cy, cluster.now)) == ([], {})
    cluster.pass_time(200)
    assert cluster.host.public.bots_on == set()


def test_after_the_grace_time_a_bot_plays_until_the_key_returns() -> None:
    cluster = starting("ben", options={"ante": "3", "match_rounds": "2"})
    cluster.bots = tame_bot
    hand = fold_of(cluster).view(1).hand
    cluster.cut("ben")
    cluster.pass_time(89.9)
    assert cluster.host.public.bots_on == set()
    assert to_act(cluster) == (1,)  # only that seat's turn waits
    cluster.pass_time(0.2)
    assert cluster.host.public.bots_on == {1}
    for name in ("ana", "cy"):
        peer = cluster.peers[name]
        assert peer.told(BotPlays) == [BotPlays(1, "ben", True, "grace")]
        assert peer.told(Returned) == []
        assert held(peer, cluster.now) == {}
    assert to_act(cluster) == (2,)  # it played that turn
    played = fold_of(cluster).view(1).hand
    assert (hand & played).bit_count() == 11
    cluster.back("ben")
    assert cluster.host.public.bots_on == set()
    ben = cluster.peers["ben"]
    view = ben.guest.table_view()
    assert view is not None
    assert (view.me, view.view.hand, view.game.options.ante) == (1, played, 3)
    assert cluster.peers["ana"].told(BotPlays)[-1] == BotPlays(1, "ben", False, "back")
    for name in ("cy", "ana"):
        cluster.act(name, "draw")
        cluster.act(name, tame_move(cluster, cluster.peers[name]))
    said = cluster.host.public.said[identity("ben").key]
    cluster.act("ben", "draw")
    assert cluster.host.public.said[identity("ben").key] == said + 1
    play_round(cluster)
    assert all(peer.told(Closed) == [] for peer in cluster.peers.values())


def test_a_fresh_program_of_the_same_key_gets_seat_and_hand_back() -> None:
    cluster = starting("cy")
    hand = fold_of(cluster).view(2).hand
    cluster.cut("cy")
    cluster.pass_time(10)
    cy = cluster.join("cy")
    assert cy.guest.my_turn.hand == hand
    assert cluster.peers["ana"].told(Returned) == [Returned(2, "cy")]
    play_round(cluster)


def test_the_grace_time_is_a_setting() -> None:
    cluster = starting("ana", settings={"grace_seconds": "5"})
    cluster.cut("cy")
    assert cluster.peers["ana"].told(Dropped) == [Dropped(2, "cy", 5)]
    cluster.pass_time(5)
    assert cluster.host.public.bots_on == {2}


def test_a_program_has_no_grace_time() -> None:
    cluster = Cluster(settings={"seat_order": "join_order"})
    cluster.join("ana", host=True, program=True)
    cluster.join("ben", program=True)
    cluster.join("cy")
    cluster.order("start")
    cluster.cut("ben")
    assert cluster.host.public.bots_on == {1}
    assert cluster.peers["cy"].told(Dropped) == []
    assert cluster.peers["cy"].told(BotPlays) == [BotPlays(1, "ben", True, "grace")]
    cluster.back("ben")
    assert cluster.host.public.bots_on == set()


def test_a_second_drop_has_its_own_grace_time() -> None:
    cluster = starting("ana")
    cluster.cut("cy")
    cluster.pass_time(80)
    cluster.back("cy")
    cluster.cut("cy")
    cluster.pass_time(80)
    assert cluster.host.public.bots_on == set()
    assert [notice.seconds for notice in cluster.peers["ana"].told(Dropped)] == [90, 90]
    cluster.pass_time(11)
    assert cluster.host.public.bots_on == {2}


def test_several_are_held_at_once() -> None:
    cluster = starting("ana")
    cluster.cut("ben")
    cluster.pass_time(40)
    cluster.cut("cy")
    assert held(cluster.peers["ana"], cluster.now) == {1: 50, 2: 90}
    assert cluster.peers["ana"].told(Dropped) == [Dropped(1, "ben", 90), Dropped(2, "cy", 90)]
    cluster.back("ben")
    assert held(cluster.peers["ana"], cluster.now) == held(cluster.peers["ben"], cluster.now) == {2: 90}
    assert cluster.peers["ben"].told(Returned) == []
    cluster.pass_time(90)
    assert cluster.host.public.bots_on == {2}


def test_a_returner_learns_who_came_back_meanwhile() -> None:
    cluster = starting("ana")
    cluster.cut("ben")
    cluster.cut("cy")
    cluster.back("ben")
    assert held(cluster.peers["ben"], cluster.now) == {2: 90}
    cluster.cut("ben")
    cluster.back("cy")
    cluster.back("ben")
    assert held(cluster.peers["ben"], cluster.now) == {}
    assert cluster.peers["ben"].told(Returned) == [Returned(2, "cy")]


def test_a_goodbye_on_the_line_is_a_drop_unless_it_is_signed() -> None:
    """Closing a terminal is not leaving."""
    cluster = starting("ana")
    ben = cluster.peers["ben"]
    assert ben.link is not None
    cluster.to_host(ben.link, Close(Reason.BYE, ""))
    cluster.settle()
    assert cluster.peers["ana"].told(Dropped) == [Dropped(1, "ben", 90)]
    assert cluster.host.public.seats[1].kind is SeatKind.MEMBER


# ---- silence


def test_five_seconds_of_silence_are_a_drop() -> None:
    cluster = starting("ana")
    cluster.silence("cy")
    cluster.pass_time(SILENCE - 0.1)
    assert cluster.peers["ana"].told(Dropped) == []
    cluster.pass_time(0.2)
    assert cluster.peers["ana"].told(Dropped) == [Dropped(2, "cy", 90)]
    assert cluster.peers["cy"].told(LinkLost) == [LinkLost()]  # it noticed by itself
    cluster.pass_time(90)
    assert cluster.host.public.bots_on == {2}
    cluster.back("cy")
    assert cluster.host.public.bots_on == set()


def test_who_speaks_again_on_the_same_line_is_back() -> None:
    cluster = starting("ana")
    cy = cluster.peers["cy"]
    cy.mute = True
    cluster.pass_time(6)
    assert cluster.peers["ana"].told(Dropped) == [Dropped(2, "cy", 90)]
    cy.mute = False
    cluster.pass_time(1)
    assert cluster.peers["ana"].told(Returned) == [Returned(2, "cy")]
    cy.mute = True
    cluster.pass_time(96)
    assert cluster.host.public.bots_on == {2}
    cy.mute = False
    cluster.pass_time(1)
    assert cluster.host.public.bots_on == set()


def test_a_line_that_ends_after_its_silence_does_not_start_the_grace_time_anew() -> None:
    cluster = starting("ana")
    cluster.silence("cy")
    link = cluster.peers["cy"].link
    assert link is not None
    cluster.pass_time(50)
    cluster.tell_host(LinkDown(link))
    cluster.pass_time(46)
    assert cluster.host.public.bots_on == {2}
    assert len(cluster.peers["ana"].told(Dropped)) == 1


def test_a_clock_of_floats_wakes_nobody_in_vain() -> None:
    """What is due at `wake_at` is done at `wake_at`: 1022.1 + 5 - 1022.1 is less than 5."""
    cluster = starting("ana")
    cluster.pass_time(22.1)
    assert (cluster.now + SILENCE) - cluster.now < SILENCE
    cluster.want("ben", "back")  # heard now
    cluster.silence("ben")
    cluster.pass_time(7)
    assert [dropped.seat for dropped in cluster.peers["ana"].told(Dropped)] == [1]
    assert cluster.peers["ben"].told(LinkLost) == [LinkLost()]


def test_any_word_counts_as_a_sign_of_life() -> None:
    cluster = starting("ana")
    line_of_cy = cluster.peers["cy"]
    line_of_cy.mute = True
    journal = cluster.host.public.journal
    for _ in range(4):
        cluster.pass_time(4)
        assert line_of_cy.link is not None
        line_of_cy.mute = False
        alive = Keepalive(journal.table, 1, journal.last, journal.head, journal.hostsig)
        cluster.to_host(line_of_cy.link, alive)
        line_of_cy.mute = True
    assert cluster.peers["ana"].told(Dropped) == []


def test_a_sleep_of_the_hosts_machine_drops_nobody() -> None:
    cluster = starting("ana")
    cluster.pass_time(3)
    cluster.now += 3600
    cluster.tell_host(Woke())
    cluster.settle()
    assert cluster.peers["ana"].told(Dropped) == []
    cluster.pass_time(4)
    assert cluster.peers["ana"].told(Dropped) == []
    assert cluster.host.public.bots_on == set()


def test_a_silent_host_is_lost_after_five_seconds() -> None:
    cluster = starting("ana")
    cluster.host_wakes_at = None  # its program hangs
    cluster.pass_time(4.9)
    assert cluster.peers["ben"].told(LinkLost) == []
    cluster.pass_time(0.2)
    assert cluster.peers["ben"].told(LinkLost) == [LinkLost()]
    assert cluster.peers["ana"].told(LinkLost) == []  # in the same process


def test_an_order_that_fails_forgets_nobody_who_fell_silent() -> None:
    cluster = starting("ana")
    cluster.silence("cy")
    cluster.pass_time(4.9)
    cluster.now += 0.2
    with pytest.raises(UserError):
        cluster.order("start")
    cluster.pass_time(91)
    assert cluster.host.public.bots_on == {2}


# ---- in the lobby


def test_a_drop_in_the_lobby_frees_the_seat_after_the_grace_time() -> None:
    cluster = three()
    cluster.cut("ben")
    assert cluster.peers["ana"].told(Dropped) == [Dropped(1, "ben", 90)]
    cluster.pass_time(91)
    assert cluster.host.public.seats[1].kind is SeatKind.OPEN
    assert cluster.peers["ana"].told(Vacated) == [Vacated(1, "ben", "lost")]
    assert cluster.peers["ana"].told(Returned) == []
    assert held(cluster.peers["ana"], cluster.now) == {}
    cluster.back("ben")
    assert cluster.host.public.seats[1].nick == "ben"


def test_a_drop_in_the_lobby_keeps_the_seat_until_then() -> None:
    cluster = three()
    cluster.cut("ben")
    cluster.pass_time(80)
    line = cluster.line("dot")
    line.send(hello("dot"))
    assert line.closed is not None
    assert "ben" in line.closed.text
    cluster.back("ben")
    assert cluster.peers["ben"].guest.me == 1


def test_who_was_silent_too_long_in_the_lobby_is_told_so() -> None:
    cluster = three()
    cluster.peers["ben"].mute = True
    cluster.pass_time(96)
    assert cluster.host.public.seats[1].kind is SeatKind.OPEN
    assert cluster.peers["ben"].told(Closed) == [Closed("bye", "you were silent for too long")]


def test_who_is_held_when_the_match_starts_is_held_on_under_its_new_seat() -> None:
    """Random seats: the countdown follows the person, and nobody is said to be back or gone."""
    for seed in range(1, 6):
        cluster = three(seed)
        cluster.bots = tame_bot
        cluster.cut("cy")
        cluster.pass_time(30)
        cluster.order("start")
        seat = next(seat for seat, who in enumerate(cluster.host.public.seats) if who.nick == "cy")
        for name in ("ana", "ben"):
            peer = cluster.peers[name]
            assert held(peer, cluster.now) == {seat: 60}
            assert peer.told(Dropped) == [Dropped(2, "cy", 90)]
            assert peer.told(Returned) == []
        cluster.pass_time(61)
        assert cluster.host.public.bots_on == {seat}


# ---- between matches


def test_a_seat_whose_grace_time_ran_out_is_free_after_the_match() -> None:
    """Else the next match would wait for ever for somebody who is not there."""
    cluster = starting("ana", options={"match_rounds": "1"})
    cluster.cut("cy")
    cluster.pass_time(91)
    play_round(cluster)
    assert cluster.host.public.match_over
    assert cluster.host.public.seats[2].kind is SeatKind.OPEN
    assert cluster.peers["ana"].told(Vacated) == [Vacated(2, "cy", "lost")]
    cluster.order("start")
    cluster.wish = None
    play_round(cluster)
    assert cluster.host.public.match == 2


def test_who_dropped_at_the_end_of_a_match_and_is_not_back_in_the_next_is_replaced() -> None:
    cluster = starting("ana", options={"match_rounds": "1"})
    cluster.cut("cy")
    play_round(cluster, among=("ana", "ben"), choose=_quickly)
    while not cluster.host.public.match_over:
        cluster.pass_time(91)
        play_round(cluster)
    assert cluster.host.public.match_over


def _quickly(cluster: Cluster, peer: Peer) -> str:
    return laying(peer.guest.my_turn, (0, 1, 2))


def test_a_member_held_over_the_end_of_a_match_plays_the_next_one_if_it_is_back() -> None:
    cluster = starting("ana", options={"match_rounds": "1"})
    while fold_of(cluster).state.public.stock > 0:
        mover = cluster.movers[0]
        cluster.act(mover.name, tame_move(cluster, mover))
    mover = cluster.movers[0]
    other = next(name for name in ("ben", "cy") if name != mover.name)
    cluster.cut(other)
    cluster.act(mover.name, tame_move(cluster, mover))
    assert cluster.host.public.match_over
    assert cluster.host.public.seats[NAMES.index(other)].kind is SeatKind.MEMBER
    cluster.pass_time(30)
    cluster.back(other)
    cluster.wish = None
    for name in NAMES:
        cluster.want(name, "ready")
    assert cluster.host.public.match == 2
    play_round(cluster)


def test_who_fell_silent_while_it_waited_for_a_seat_gets_none() -> None:
    """Nobody would ever give up on it: it was never heard as a player."""
    cluster = starting("ana", options={"match_rounds": "3"})
    cluster.wish = None
    cluster.leave("cy")
    cluster.join("dot")
    cluster.silence("dot")
    cluster.pass_time(6)
    play_round(cluster)
    for name in ("ana", "ben"):
        cluster.want(name, "next")
    assert cluster.host.public.seats[2].kind is SeatKind.BOT
    play_round(cluster)
    cluster.back("dot")
    for name in ("ana", "ben"):
        cluster.want(name, "next")
    assert cluster.host.public.seats[2].nick == "dot"
    play_round(cluster)
    assert cluster.host.public.match_over


# ---- nothing freezes the table

PHASES = ["draw", "act", "asked", "answered", "opening", "between", "over"]


def at_phase(phase: str) -> Cluster:
    """A table with a round (or a match) at this phase; ben is the one whom it concerns."""
    options = {"match_rounds": "1" if phase == "over" else "3"}
    settings = {"grace_seconds": "4"}
    if phase in ("asked", "answered", "opening"):
        cluster = question(options=options, settings=settings)
        if phase != "asked":
            cluster.peers["ben"].mute = phase == "opening"
            cluster.act("ben", "fold")
        return cluster
    cluster = starting("ben", options=options, settings=settings)
    cluster.wish = None
    if phase == "act":
        cluster.act("ben", "draw")
    if phase in ("between", "over"):
        play_round(cluster)
    return cluster


def goes_on(cluster: Cluster, names: tuple[str, ...]) -> None:
    """Those who are left (and bots) finish the round and go some way in another, waiting as long as it takes."""
    books, before = cluster.host.public, cluster.host.public.epoch
    for _ in range(300):
        movers = [peer for peer in cluster.movers if peer.name in names and not peer.guest.finished]
        if not cluster.host.active(cluster.now):
            for name in [name for name in names if cluster.peers[name].mute]:
                cluster.cut(name)
                cluster.back(name)
            cluster.pass_time(1)
        elif books.round is None and books.match_over:
            cluster.pass_time(10)
            cluster.order("start")
        elif books.round is not None and books.epoch > before and len(fold_of(cluster).actions) > 7:
            return
        elif movers:
            cluster.act(movers[0].name, tame_move(cluster, movers[0]))
        else:
            cluster.pass_time(5)
        if books.epoch > before + 1:
            return  # bots alone, and quick
    raise AssertionError(f"the table stands still: {to_act(cluster)} to act")


WAYS = [
    *((who, how) for who in ("ben", "cy") for how in ("cut", "silence", "leave")),
    ("ana", "leave"),  # the host's own line can't break
    ("ana", "ragequit"),
]


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(("who", "how"), WAYS)
def test_whoever_goes_whenever_the_table_goes_on(who: str, phase: str, how: str) -> None:
    cluster = at_phase(phase)
    cluster.bots = tame_bot
    if how == "leave":
        cluster.leave(who)
    elif how == "ragequit":
        cluster.leave(who, 2)
    else:
        getattr(cluster, how)(who)
    goes_on(cluster, tuple(name for name in NAMES if name != who))
    for peer in cluster.peers.values():
        assert [closed for closed in peer.told(Closed) if closed.reason not in ("bye", "left")] == []


@pytest.mark.parametrize("phase", PHASES)
def test_when_everybody_is_gone_the_table_waits_for_a_majority_and_bots_play_on_behind_it(phase: str) -> None:
    cluster = at_phase(phase)
    cluster.bots = tame_bot
    cluster.cut("ben", "cy")
    cluster.leave("ana")
    cluster.pass_time(5)
    before = len(cluster.host.public.journal)
    cluster.pass_time(100)
    assert len(cluster.host.public.journal) == before
    cluster.back("ben")
    goes_on(cluster, ("ben",))
    assert cluster.peers["ben"].told(Closed) == []


def test_a_bot_is_asked_once_for_each_head_and_again_when_its_answer_was_overtaken() -> None:
    cluster = starting("cy", settings={"grace_seconds": "0"})
    cluster.bots = None
    cluster.cut("cy")
    turns = [notice for notice in cluster.host_notices if isinstance(notice, BotTurn)]
    assert [turn.seat for turn in turns] == [2]
    cluster.pass_time(10)
    cluster.join("dot", watch=True)  # the head moves on
    turns = [notice for notice in cluster.host_notices if isinstance(notice, BotTurn)]
    assert [turn.seat for turn in turns] == [2, 2]
    before = len(cluster.host.public.journal)
    cluster.tell_host(BotChose(2, "draw", turns[0].head))
    assert len(cluster.host.public.journal) == before
    cluster.tell_host(BotChose(1, "draw", turns[1].head))  # not to act
    assert len(cluster.host.public.journal) == before
    cluster.tell_host(BotChose(2, "  draw", turns[1].head))  # bots may write as people do
    assert len(cluster.host.public.journal) == before + 1
    assert cluster.host.public.journal.entries[-1].kind is EntryKind.ACT


@pytest.mark.parametrize("nonsense", ["", "cheat", "call", "discard 1X", "\x1b[2J", "discard KD KD"])
def test_a_bot_that_chooses_nonsense_plays_the_safe_default(nonsense: str) -> None:
    cluster = starting("cy", settings={"grace_seconds": "0"})
    cluster.bots = lambda turn: nonsense
    cluster.cut("cy")
    assert fold_of(cluster).actions[0] == (2, "draw")
    assert to_act(cluster) == (0,)


def test_a_bots_choice_for_who_plays_himself_is_dropped() -> None:
    cluster = starting("cy")
    before = len(cluster.host.public.journal)
    cluster.tell_host(BotChose(2, "draw", cluster.host.public.journal.head))
    assert len(cluster.host.public.journal) == before


def test_nobody_is_told_of_the_missing_again_and_again() -> None:
    cluster = starting("ana")
    cluster.cut("cy")
    cluster.pass_time(60)
    heard = [message for message in cluster.peers["ben"].received if isinstance(message, Held)]
    assert len(heard) == 2  # none at first, then cy


def test_who_is_missing_stays_missing_when_the_seats_close_up() -> None:
    """The host takes the open seats away: whoever dropped sits elsewhere now, and is told of no second time."""
    cluster = Cluster(1, game="tienlen", seats=4, settings={"bot_fill": "false", "seat_order": "join_order"})
    for name in ("ana", "ben", "cy"):
        cluster.join(name, host=name == "ana")
    cluster.leave("ben")
    cluster.cut("cy")
    ana = cluster.peers["ana"]
    assert held(ana, cluster.now) == {2: 90}
    cluster.order("set", "seats", "2")
    assert held(ana, cluster.now) == {1: 90}
    cluster.pass_time(30)
    cluster.order("start")
    assert held(ana, cluster.now) == {1: 60}
    cluster.back("cy")
    assert held(ana, cluster.now) == {}
    assert ana.told(Dropped) == [Dropped(2, "cy", 90)]
    assert ana.told(Returned) == [Returned(1, "cy")]


def test_a_long_absence_is_made_up_for_at_once_and_the_missing_are_told_of_behind_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the returner lacks goes out piece by piece; HELD waits until its seats are those of the journal."""
    monkeypatch.setattr(courier, "UNDER_WAY", 400)
    monkeypatch.setattr(courier, "BATCH", 300)
    cluster = Cluster(1, game="tienlen", seats=4, settings={"bot_fill": "false", "seat_order": "join_order"})
    for name in ("ana", "ben", "cy", "dot"):
        cluster.join(name, host=name == "ana")
    cluster.leave("ben")
    cluster.cut("dot")
    for turn in ("7", "8", "9"):
        cluster.order("set", "turn_seconds", turn)
    cluster.order("set", "seats", "3")
    cluster.cut("cy")
    cluster.back("dot")
    dot = cluster.peers["dot"]
    assert dot.journal == cluster.host_journal
    assert dot.told(Dropped) == [Dropped(1, "cy", 90)]
    assert held(dot, cluster.now) == {1: 90}
