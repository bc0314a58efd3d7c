"""Matches and rounds: how they start, follow each other and end (protocol 6.10; rules 11)."""

from __future__ import annotations

import pytest

from p2pcards.errors import UserError
from p2pcards.games.base import Seat
from p2pcards.games.options import changed_options
from p2pcards.games.replay import replay
from p2pcards.games.tienlen.rules import TienLen
from p2pcards.games.tongits.rules import TongIts
from p2pcards.table import journal
from p2pcards.table.course import CLOSING_SECONDS
from p2pcards.table.deal import Deal, commitment, deal_from, drawn_seats, faces
from p2pcards.table.notices import (
    Alarm,
    Audited,
    Closed,
    MatchOver,
    MatchStarted,
    Ready,
    Recorded,
    Refused,
    RoundOver,
    RoundStarted,
    Stopped,
)
from p2pcards.table.play import AGAIN_SECONDS, NEXT_SECONDS
from p2pcards.table.tableview import Stage, TableView
from p2pcards.wire.entries import Disclose, EntryKind, MatchEnd, SeatKind, decode_pub
from p2pcards.wire.messages import Ack, Close, Get
from tests.table.test_access import hello
from tests.testing.cluster import Cluster, Peer, identity, play_round, started, three
from tests.testing.table import NAMES, laying, tame_bot, tame_move


def view_of(peer: Peer) -> TableView:
    """The table on the peer's screen."""
    view = peer.guest.table_view()
    assert view is not None
    return view


def kinds(cluster: Cluster) -> list[EntryKind]:
    """Kinds of all entries but acts."""
    acts = (EntryKind.ACT, EntryKind.BLIND, EntryKind.OPENING)
    return [entry.kind for entry in cluster.host.public.journal.entries if entry.kind not in acts]


# ---- the start of a match


@pytest.mark.parametrize("seed", range(1, 5))
def test_seats_are_drawn_by_a_function_of_table_and_keys(seed: int) -> None:
    cluster = three(seed)
    before = cluster.host.public.seats
    cluster.order("start")
    drawn = drawn_seats(cluster.host.table, before)
    assert cluster.host.public.seats == tuple(before[seat] for seat in drawn)
    for peer in cluster.peers.values():
        assert peer.told(MatchStarted) == [MatchStarted(1, cluster.host.public.names)]
        assert view_of(peer).me == cluster.host.public.names.index(peer.name)


def test_seats_may_stay_as_people_came() -> None:
    cluster = started()
    assert cluster.host.public.names == NAMES


def test_open_seats_are_filled_with_bots_of_the_tables_level() -> None:
    cluster = Cluster(settings={"bot_level": "easy", "seat_order": "join_order"})
    cluster.join("ana", host=True)
    cluster.order("start")
    held = cluster.host.public.seats[1:]
    assert [(seat.kind, seat.nick, seat.level) for seat in held] == [
        (SeatKind.BOT, "bot-1", "easy"),
        (SeatKind.BOT, "bot-2", "easy"),
    ]
    play_round(cluster)
    assert cluster.peers["ana"].told(Audited) == [Audited(1, True)]


def test_a_table_of_bots_alone_plays_itself() -> None:
    cluster = Cluster(options={"match_rounds": "2"})
    watcher = cluster.join("dot", watch=True)
    cluster.order("start")
    assert cluster.host.public.match_over
    assert [audit.ok for audit in watcher.told(Audited)] == [True, True]
    assert len(watcher.told(MatchOver)) == 1


def test_the_first_round_is_dealt_at_once_from_a_secret_that_is_kept_first() -> None:
    cluster = three(settings={"seat_order": "join_order"})
    began = cluster.now
    cluster.order("start")
    books = cluster.host.public
    dealt = [EntryKind.DEAL_OPEN, EntryKind.DEAL_COMMIT, EntryKind.DEAL_REVEAL, EntryKind.DEAL_START]
    assert kinds(cluster)[-5:] == [EntryKind.MATCH_START, *dealt]
    assert cluster.now == began
    assert books.round is not None
    (name, secret), *rest = cluster.secrets.items()
    assert (name, rest) == ("root-1", [])
    assert books.round.root == commitment(books.journal.table, 1, secret)
    deal = deal_from(books.journal.table, 1, secret, faces(1), 3, books.round.epochs[1].parts)
    assert books.round.starter == deal.lot
    hands = TongIts().dealt(deal.order, 3, Seat(deal.lot)).hands
    for peer in cluster.peers.values():
        assert view_of(peer).view.hand == hands[peer.seat]
        assert peer.told(RoundStarted) == [RoundStarted(1, NAMES, deal.lot)]


def test_the_secret_is_disclosed_and_forgotten_when_the_round_is_over() -> None:
    cluster = started(options={"match_rounds": "2"})
    secret = cluster.secrets["root-1"]
    play_round(cluster)
    entry = cluster.host.public.journal.entries[-1]
    disclosed = decode_pub(entry.kind, entry.pub)
    assert disclosed == Disclose(1, secret)
    assert cluster.secrets == {}


def test_every_round_has_a_secret_of_its_own() -> None:
    cluster = Cluster(options={"match_rounds": "4"})
    cluster.order("start")
    entries = cluster.host.public.journal.entries
    disclosed = [decode_pub(entry.kind, entry.pub) for entry in entries if entry.kind is EntryKind.DISCLOSE]
    assert len({told.secret for told in disclosed if isinstance(told, Disclose)}) == 4
    assert cluster.host.public.epoch == 4


# ---- rounds of a match


def test_a_match_of_three_rounds_is_what_the_rules_add_up_to() -> None:
    """Scores, pot and winners at every screen equal those of games.match over the same outcomes."""
    options = {"match_rounds": "3", "scoring": "chips", "ante": "5", "hitter_pot": "true", "stake": "2"}
    for seed in (1, 2):
        cluster = started(seed, options=options)
        while not cluster.host.public.match_over:
            play_round(cluster, choose=lambda _, peer: laying(peer.guest.my_turn, (0, 1, 2)))
            for name in NAMES:
                if not cluster.host.public.match_over:
                    cluster.want(name, "next")
        (text,) = {peer.told(Recorded)[-1].text for peer in cluster.peers.values()}
        found = replay(text)
        assert found.exit_code == 0
        assert found.match.over
        assert found.match.round == 3
        for peer in cluster.peers.values():
            view = view_of(peer)
            assert view.scores == found.match.scores
            assert view.pot == found.match.pot
            assert view.winners == tuple(found.match.winners)
            assert view.stage is Stage.OVER
            (over,) = peer.told(MatchOver)
            assert over.scores == tuple(zip(NAMES, found.match.scores, strict=True))
            assert over.winners == tuple(NAMES[seat] for seat in found.match.winners)
            assert [notice.number for notice in peer.told(RoundOver)] == [1, 2, 3]
            assert [audit.ok for audit in peer.told(Audited)] == [True] * 3
            assert peer.told(Alarm) == []
        entry = cluster.host.public.journal.entries[-1]
        assert decode_pub(entry.kind, entry.pub) == MatchEnd(1, found.match.scores, tuple(found.match.winners))


def test_the_pot_is_on_every_screen_at_all_times() -> None:
    cluster = started(options={"scoring": "chips", "ante": "4", "match_rounds": "2"})
    assert {view_of(peer).pot for peer in cluster.peers.values()} == {12}


def test_the_winner_starts_the_next_round() -> None:
    cluster = started(options={"match_rounds": "9"})
    for _ in range(4):
        play_round(cluster)
        last = cluster.host.public.ends[-1]
        starter = last.winners[0] if last.winners else None
        said = [view.last.starter for view in map(view_of, cluster.peers.values()) if view.last]
        for name in NAMES:
            cluster.want(name, "next")
        assert cluster.host.public.round is not None
        assert starter in (None, cluster.host.public.round.starter)
        assert said == [cluster.host.public.round.starter] * 3  # the score sheets knew


def test_the_next_round_starts_when_all_who_are_there_want_it() -> None:
    cluster = started(options={"match_rounds": "2"})
    play_round(cluster)
    assert {view_of(peer).stage for peer in cluster.peers.values()} == {Stage.BETWEEN}
    cluster.cut("cy")  # who is not there is not waited for
    cluster.want("ana", "next")
    cluster.want("ana", "next")
    assert cluster.host.public.round is None
    cluster.want("ben", "ready")
    assert cluster.host.public.round_number == 2
    assert cluster.host.public.round is not None


def test_a_drop_of_the_last_one_waited_for_lets_the_round_start() -> None:
    cluster = started(options={"match_rounds": "2"})
    play_round(cluster)
    cluster.want("ana", "next")
    cluster.want("ben", "next")
    assert cluster.host.public.round is None
    cluster.cut("cy")
    assert cluster.host.public.round is not None


def test_a_spectator_is_not_waited_for() -> None:
    cluster = started(options={"match_rounds": "2"})
    dot = cluster.join("dot", watch=True)
    play_round(cluster)
    cluster.want("dot", "next")
    assert dot.told(Refused) == [Refused("not_seated", "")]
    for name in NAMES:
        cluster.want(name, "next")
    assert cluster.host.public.round is not None


def test_the_next_round_starts_by_itself_after_twenty_seconds() -> None:
    cluster = started(options={"match_rounds": "2"})
    play_round(cluster)
    cluster.pass_time(NEXT_SECONDS - 0.1)
    assert cluster.host.public.round is None
    cluster.pass_time(0.2)
    assert cluster.host.public.round is not None


def test_an_endless_match_waits_a_minute_for_a_stop() -> None:
    cluster = started()
    assert view_of(cluster.peers["ben"]).endless
    play_round(cluster)
    cluster.pass_time(AGAIN_SECONDS - 0.1)
    assert cluster.host.public.round is None
    cluster.pass_time(0.2)
    assert cluster.host.public.round is not None


def test_programs_delay_nothing() -> None:
    cluster = Cluster(options={"match_rounds": "2"})
    cluster.join("ana", host=True, program=True)
    cluster.join("ben", program=True)
    cluster.order("start")
    play_round(cluster)
    assert cluster.host.public.round_number == 2
    assert cluster.host.public.round is not None


def test_wants_out_of_place_are_refused() -> None:
    cluster = three(options={"match_rounds": "2"})
    ben = cluster.peers["ben"]
    for text, code in [
        ("next", "not_now"),
        ("stop", "not_now"),
        ("dance", "no_such_wish"),
        ("\x1b[2J", "no_such_wish"),
    ]:
        cluster.want("ben", text)
        assert ben.told(Refused)[-1].code == code
        assert ben.told(Refused)[-1].text.isprintable()
    cluster.order("start")
    for text in ("next", "ready", "stop"):
        cluster.want("ben", text)
        assert ben.told(Refused)[-1].code == "not_now"
    play_round(cluster)
    cluster.want("ben", "stop")
    assert ben.told(Refused)[-1].code == "has_an_end"
    assert not cluster.host.public.match_over
    cluster.want("ben", "back")  # is here already: no harm
    assert len(ben.told(Refused)) == 8


# ---- the end of a match


@pytest.mark.parametrize("rounds", [1, 3])
def test_one_stop_ends_an_endless_match_and_its_record_says_so(rounds: int) -> None:
    cluster = started()
    for number in range(rounds):
        play_round(cluster)
        if number < rounds - 1:
            for name in NAMES:
                cluster.want(name, "next")
    cluster.want("ben", "stop")
    assert cluster.host.public.match_over
    (text,) = {peer.told(Recorded)[-1].text for peer in cluster.peers.values()}
    found = replay(text)
    assert found.exit_code == 0
    assert found.record is not None
    assert changed_options(found.record.options) == {"match_rounds": rounds}
    assert found.report["over"] is True
    for peer in cluster.peers.values():
        (over,) = peer.told(MatchOver)
        assert list(over.winners) == found.report["winners"]
        assert peer.told(Alarm) == []


def test_a_second_match_at_the_same_table() -> None:
    cluster = started(options={"match_rounds": "1"})
    play_round(cluster)
    assert {view_of(peer).stage for peer in cluster.peers.values()} == {Stage.OVER}
    for name in NAMES:
        assert cluster.host.public.match == 1
        cluster.want(name, "ready")
    assert cluster.host.public.match == 2
    assert {view_of(peer).scores for peer in cluster.peers.values()} == {(0, 0, 0)}
    assert {view_of(peer).round for peer in cluster.peers.values()} == {1}
    play_round(cluster)
    for peer in cluster.peers.values():
        assert [notice.match for notice in peer.told(MatchStarted)] == [1, 2]
        assert [audit.ok for audit in peer.told(Audited)] == [True, True]
        assert peer.told(Alarm) == []
        found = replay(peer.told(Recorded)[-1].text)
        assert (found.exit_code, len(found.rounds)) == (0, 1)


def test_a_second_match_with_other_options_and_people() -> None:
    cluster = started(options={"match_rounds": "1"})
    play_round(cluster)
    cluster.order("set", "scoring", "chips")
    cluster.leave("cy")
    cluster.join("dot")
    assert view_of(cluster.peers["dot"]).me == 2
    cluster.order("start")
    assert cluster.host.public.names == ("ana", "ben", "dot")
    play_round(cluster)
    found = replay(cluster.peers["dot"].told(Recorded)[-1].text)
    assert found.exit_code == 0
    assert found.record is not None
    assert found.record.players == ("ana", "ben", "dot")
    assert changed_options(found.record.options) == {"scoring": "chips", "match_rounds": 1}


def test_a_table_for_one_match_closes_when_all_hold_its_end() -> None:
    cluster = started(options={"match_rounds": "1"}, closes=True)
    dot = cluster.join("dot", watch=True)
    play_round(cluster)
    assert cluster.host.closed
    for peer in (*cluster.peers.values(), dot):
        assert peer.told(Closed) == [Closed("bye", "match over")]
        assert len(peer.told(MatchOver)) == 1
        assert len(peer.told(Recorded)) == 2
        assert peer.guest.journal.wires == cluster.host.public.journal.wires
        assert peer.wake_at is None
    assert cluster.host_wakes_at is None


def test_it_closes_after_two_seconds_though_somebody_never_answers() -> None:
    cluster = started(options={"match_rounds": "1"}, closes=True)
    cluster.bots = tame_bot
    line = cluster.line("dot")
    line.send(hello("dot", flags=2))
    assert line.closed is None
    play_round(cluster)
    assert not cluster.host.closed
    cluster.pass_time(CLOSING_SECONDS)
    assert cluster.host.closed
    assert line.closed == Close(1, "match over")


def test_it_closes_as_soon_as_the_last_who_watches_holds_its_end() -> None:
    cluster = started(options={"match_rounds": "1"}, closes=True)
    cluster.bots = tame_bot
    line = cluster.line("dot")
    line.send(hello("dot", flags=2), Get(0))
    play_round(cluster)
    assert not cluster.host.closed
    books = cluster.host.public
    line.send(Ack(books.table, books.term, len(books.journal) - 1, books.journal.head, 0, 0, False))
    assert cluster.host.closed
    assert line.closed == Close(1, "match over")


def test_nothing_reaches_a_closed_host() -> None:
    cluster = started()
    cluster.order("close", "ana closed the table")
    ana, *others = (tuple(peer.told(Closed)) for peer in cluster.peers.values())
    assert ana == (Closed("left", ""),)
    assert set(others) == {(Closed("bye", "ana closed the table"),)}
    before = len(cluster.host_journal)
    line = cluster.line("dot")
    assert line.send(hello("dot")) == []
    assert len(cluster.host_journal) == before


def test_a_close_in_the_middle_of_a_round_is_clear_to_everybody() -> None:
    cluster = started()
    cluster.act(cluster.movers[0].name, tame_move(cluster, cluster.movers[0]))
    cluster.order("close", "\x1b[2Jgone")
    assert cluster.peers["ben"].told(Closed) == [Closed("bye", "[2Jgone")]
    assert identity("ben").key in cluster.host.public.voters


# ---- tables that nobody looks after


def test_an_endless_match_of_bots_goes_on_at_the_pace_of_a_score_sheet() -> None:
    """Else it would fill the disk as fast as the machine can."""
    cluster = Cluster()
    cluster.join("dot", watch=True)
    cluster.order("start")
    assert (cluster.host.public.round, cluster.host.public.round_number) == (None, 1)
    cluster.pass_time(AGAIN_SECONDS * 3 + 1)
    assert cluster.host.public.round_number == 4


def test_a_match_that_its_people_dropped_out_of_waits_for_them_at_the_score_sheet() -> None:
    cluster = Cluster(settings={"grace_seconds": "0", "seat_order": "join_order"}, options={"match_rounds": "9"})
    cluster.join("ana", host=True)
    cluster.join("ben")
    cluster.order("start")
    cluster.bots = tame_bot
    cluster.cut("ben")
    cluster.leave("ana")
    assert (cluster.host.public.round, cluster.host.public.round_number) == (None, 1)
    cluster.pass_time(NEXT_SECONDS * 2 + 1)
    assert cluster.host.public.round_number == 3
    cluster.back("ben")
    cluster.want("ben", "next")
    assert cluster.host.public.round_number == 4


def test_programs_go_on_at_once_also_when_no_person_is_left() -> None:
    cluster = Cluster(settings={"seat_order": "join_order"})
    cluster.join("ana", host=True, program=True)
    cluster.join("ben")
    cluster.order("start")
    cluster.leave("ben")
    for number in range(1, 4):
        play_round(cluster, among=["ana"])
        assert cluster.host.public.round_number == number + 1


@pytest.mark.parametrize("rounds", ["0", "50"])
def test_a_journal_that_is_full_ends_the_match_after_the_round(rounds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "JOURNAL_BYTES", 40_000)
    cluster = started(options={"match_rounds": rounds})
    for _ in range(20):
        if cluster.host.public.match_over:
            break
        play_round(cluster, choose=tame_move)
        for name in NAMES:
            cluster.want(name, "next")
    assert 40_000 <= sum(map(len, cluster.host.public.journal.wires)) < 70_000
    for name in NAMES:
        cluster.want(name, "ready")
        peer = cluster.peers[name]
        assert (len(peer.told(MatchOver)), peer.told(Alarm)) == (1, [])
        assert replayed_over(peer)
    with pytest.raises(UserError, match="too many rounds"):
        cluster.order("start")


def replayed_over(peer: Peer) -> bool:
    """Whether the peer's record is that of a match that is over."""
    found = replay(peer.told(Recorded)[-1].text)
    return found.exit_code == 0 and found.match.over


def test_no_seat_for_the_host_and_a_table_plays_on() -> None:
    cluster = Cluster(settings={"seat_order": "join_order"}, options={"match_rounds": "1"})
    ana = cluster.join("ana", host=True, watch=True)
    for name in ("ben", "cy", "dot"):
        cluster.join(name)
    cluster.order("start")
    assert ana.guest.me is None
    play_round(cluster)
    assert ana.told(Audited) == [Audited(1, True)]
    assert view_of(cluster.peers["ben"]).host == "ana"


# ---- between rounds everybody sees who is ready


def test_who_is_ready_is_told_to_everybody_with_the_time_that_is_left() -> None:
    cluster = three(options={"match_rounds": "2"})
    cluster.order("start")
    play_round(cluster)
    table = cluster.peers["cy"].guest.table_view()
    assert table is not None
    assert (table.ready, table.next_at) == ((), cluster.now + 20)
    cluster.want("ben", "next")
    for peer in cluster.peers.values():
        assert [notice.nick for notice in peer.told(Ready)] == ["ben"]
        view = peer.guest.table_view()
        assert view is not None
        assert [view.seats[seat].nick for seat in view.ready] == ["ben"]
    cluster.want("ana", "next")
    cluster.want("cy", "next")
    table = cluster.peers["cy"].guest.table_view()
    assert table is not None
    assert (table.round, table.ready, table.next_at) == (2, (), None)


def test_who_stopped_the_match_is_told_before_it_is_over() -> None:
    cluster = three()
    cluster.order("start")
    play_round(cluster)
    cluster.want("cy", "stop")
    for peer in cluster.peers.values():
        told = [type(notice).__name__ for notice in peer.notices]
        assert told.index("Stopped") < told.index("MatchOver")
        assert [notice.nick for notice in peer.told(Stopped)] == ["cy"]


def test_who_left_a_match_gets_the_same_seat_and_name_back_between_rounds() -> None:
    cluster = three(options={"match_rounds": "2"})
    cluster.bots = tame_bot
    cluster.order("start")
    cluster.leave("ben")
    back = cluster.join("ben")
    assert back.guest.me is None
    play_round(cluster)
    for name in ("ana", "cy", "ben"):
        cluster.want(name, "next")
    seat = back.guest.me
    assert seat is not None
    assert cluster.host.public.names[seat] == "ben"
    assert cluster.host.public.seats[seat].nick == "ben"
    assert cluster.host.public.bots_on == set()
    assert back.told(Alarm) == []


def test_a_left_seat_goes_to_somebody_else_when_no_other_is_free() -> None:
    cluster = three(options={"match_rounds": "2"})
    cluster.bots = tame_bot
    cluster.order("start")
    cluster.leave("ben")
    dot = cluster.join("dot")
    play_round(cluster)
    for name in ("ana", "cy"):
        cluster.want(name, "next")
    assert dot.guest.me is not None
    assert cluster.host.public.names[dot.guest.me] == "ben"


def test_a_hand_that_wins_as_it_is_dealt_ends_its_round_at_once() -> None:
    game = TienLen()

    def wins(deal: Deal) -> bool:
        return game.outcome(game.deal(deal.order, 3, Seat(deal.lot))) is not None

    cluster = started(1, game="tienlen", wish=wins)
    for number in (1, 2):
        assert cluster.host.public.round is None
        assert [over.reason for over in cluster.peers["cy"].told(RoundOver)] == ["instant"] * number
        assert None not in [began.starter for began in cluster.peers["cy"].told(RoundStarted)]
        assert [audit.ok for audit in cluster.peers["cy"].told(Audited)] == [True] * number
        for name in NAMES:
            cluster.want(name, "next")
