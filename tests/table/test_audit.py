"""The audit: an honest round passes for everybody, a lie is named with its entry and its host (protocol 6.8)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from p2pcards.cards import each
from p2pcards.games.match import Match
from p2pcards.games.replay import replay as replayed
from p2pcards.table import play
from p2pcards.table.audit import audit_round, shown_digest
from p2pcards.table.effects import Woke
from p2pcards.table.journal import Journal
from p2pcards.table.notices import Alarm, Audited, Closed, Entered, MatchOver, Recorded
from p2pcards.table.public import Public
from p2pcards.wire.entries import (
    BotPub,
    BotReason,
    Disclose,
    EntryFlag,
    EntryKind,
    MatchEnd,
    RoundEnd,
    decode_pub,
)
from p2pcards.wire.envelope import ActKind, Envelope, choice_commitment, encode_envelope, pack_opening
from tests.testing.cluster import Cluster, identity, play_round, started, three
from tests.testing.evil_host import caught, close_round, index_of
from tests.testing.table import NAMES, fold_of, question, starting, tame_bot, tame_move


def audits(cluster: Cluster) -> dict[str, list[Audited]]:
    """What everybody found."""
    return {name: peer.told(Audited) for name, peer in cluster.peers.items()}


# ---- honest rounds


@pytest.mark.parametrize("seed", range(1, 4))
def test_an_honest_match_is_in_order_for_everybody_and_one_record(seed: int) -> None:
    cluster = started(seed, options={"match_rounds": "2"})
    dot = cluster.join("dot", watch=True)
    play_round(cluster)
    late = cluster.join("eve", watch=True)
    for name in NAMES:
        cluster.want(name, "next")
    play_round(cluster)
    for name in (*NAMES, "dot"):
        assert cluster.peers[name].told(Audited) == [Audited(1, True), Audited(2, True)]
    assert late.told(Audited) == [Audited(2, True)]  # round 1 was in order before it came
    texts = {peer.told(Recorded)[-1].text for peer in cluster.peers.values()}
    assert len(texts) == 1
    found = replayed(texts.pop())
    assert (found.exit_code, found.error, len(found.rounds)) == (0, "", 2)
    assert all(peer.told(Alarm) == [] for peer in cluster.peers.values())
    for peer in (*cluster.peers.values(), dot):
        assert peer.journal == peer.guest.journal.wires == cluster.host_journal
    assert len(cluster.host_journal) == len(cluster.host.public.journal)


def test_a_latecomer_audits_the_rounds_before_it_and_has_the_whole_record() -> None:
    cluster = started(options={"match_rounds": "3"})
    play_round(cluster)
    for name in NAMES:
        cluster.want(name, "next")
    late = cluster.join("dot", watch=True)
    assert late.told(Entered) == [Entered(None)]
    assert late.told(Audited) == []  # nothing was wrong
    assert late.told(Recorded) == cluster.peers["ben"].told(Recorded)
    view = late.guest.table_view()
    assert view is not None
    assert view.last is not None
    assert view.last.verified is True
    assert view.scores == tuple(cluster.host._play.match.scores)


def test_the_record_names_who_played() -> None:
    cluster = Cluster(settings={"bot_level": "easy", "seat_order": "join_order"}, options={"match_rounds": "1"})
    cluster.join("ana", host=True)
    cluster.join("ben")
    cluster.order("start")
    play_round(cluster)
    found = replayed(cluster.peers["ben"].told(Recorded)[-1].text)
    record = found.record
    assert record is not None
    assert record.players == ("ana", "ben", "bot-1")
    assert dict(record.bots) == {"bot-1": "easy"}
    assert set(record.identities) == {"ana", "ben"}
    assert record.title == "lab"
    assert record.date == "2023-11-14T22:30:00Z"


def test_a_seat_keeps_its_name_in_the_record_whoever_plays_it() -> None:
    cluster = started(options={"match_rounds": "2"})
    cluster.leave("cy")
    cluster.join("dot")
    play_round(cluster)
    for name in ("ana", "ben"):
        cluster.want(name, "next")
    play_round(cluster)
    texts = {cluster.peers[name].told(Recorded)[-1].text for name in ("ana", "ben", "dot")}
    (text,) = texts
    found = replayed(text)
    assert found.exit_code == 0
    assert found.record is not None
    assert found.record.players == NAMES


def test_a_bot_that_kept_a_leavers_name_plays_the_next_match_as_a_bot() -> None:
    """The record of a match does not say that somebody played it who had left before it began."""
    cluster = started(options={"match_rounds": "1"})
    cluster.bots = tame_bot
    cluster.leave("cy")
    play_round(cluster)
    cluster.order("start")
    play_round(cluster)
    found = replayed(cluster.peers["ben"].told(Recorded)[-1].text)
    assert found.record is not None
    assert set(found.record.identities) == {"ana", "ben"}
    assert dict(found.record.bots) == {"cy": "medium"}


def test_folding_the_journal_anew_gives_the_same_books_and_the_same_round() -> None:
    """Replay is a pure function of the entries and R."""
    cluster = starting("ana", options={"match_rounds": "1"})
    cluster.cut("cy")
    cluster.pass_time(91)
    play_round(cluster)
    states = []
    for _ in range(2):
        journal = Journal()
        books = Public(journal)
        for wire in cluster.host_journal:
            books.fold(journal.accept(wire, identity("host").key))
        states.append({name: value for name, value in vars(books).items() if name not in ("journal", "game")})
        assert journal.heads == cluster.host.public.journal.heads
    assert states[0] == states[1]
    entries = cluster.host.public.journal.entries
    first, last = index_of(cluster, EntryKind.DEAL_OPEN), index_of(cluster, EntryKind.ROUND_END)
    disclosed = decode_pub(EntryKind.DISCLOSE, entries[last + 1].pub)
    assert isinstance(disclosed, Disclose)
    game = cluster.host.public.rules
    match = Match.start(game, 3)
    one, two = (
        audit_round(cluster.host.public.journal, game, first, last, disclosed.secret, match, {}) for _ in range(2)
    )
    assert one == two
    assert one.bad is None
    assert one.actions[0][1] == "draw"


def test_who_was_away_for_a_while_audits_what_it_saw() -> None:
    cluster = starting("ana", options={"match_rounds": "1"})
    for name in ("ana", "ana", "ben"):
        cluster.act(name, tame_move(cluster, cluster.peers[name]))
    cluster.cut("cy")
    cluster.act("ben", tame_move(cluster, cluster.peers["ben"]))
    cluster.join("cy")  # afresh, without the views of before
    play_round(cluster)
    assert [found[-1].ok for found in audits(cluster).values()] == [True] * 3


# ---- a host that deals or counts falsely

Patch = pytest.MonkeyPatch


@pytest.mark.parametrize(
    "lie",
    [
        lambda end: replace(end, points=tuple(points + 1 for points in end.points)),
        lambda end: replace(end, points=(9, 0, 0)),
        lambda end: replace(end, winners=tuple({0, 1, 2} - set(end.winners))),
        lambda end: replace(end, winners=()),
        lambda end: replace(end, reason="tongits" if end.reason != "tongits" else "call"),
    ],
)
def test_another_result(lie: Callable[[RoundEnd], RoundEnd], monkeypatch: Patch) -> None:
    monkeypatch.setattr(play, "RoundEnd", lambda *parts: lie(RoundEnd(*parts)))
    cluster = started()
    play_round(cluster)
    caught(cluster, index_of(cluster, EntryKind.ROUND_END), "another result")


def test_after_a_bad_round_no_later_one_is_verified(monkeypatch: Patch) -> None:
    cluster = started(options={"match_rounds": "2"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play, "RoundEnd", lambda *parts: replace(RoundEnd(*parts), points=(7, 7, 7)))
        play_round(cluster)
    bad = index_of(cluster, EntryKind.ROUND_END)
    for name in NAMES:
        cluster.want(name, "next")
    play_round(cluster)
    caught(cluster, bad, "round 1 before it was not in order", round=2)
    late = cluster.join("dot", watch=True)
    assert [(audit.round, audit.ok) for audit in late.told(Audited)] == [(1, False), (2, False)]
    assert len(late.told(Alarm)) == 1
    assert late.told(Recorded) == []


@pytest.mark.parametrize(
    "lie",
    [
        lambda end: replace(end, scores=(5, 0, 0)),
        lambda end: replace(end, winners=(0, 1, 2)),
        lambda end: replace(end, winners=()),
    ],
)
def test_another_result_of_the_match(lie: Callable[[MatchEnd], MatchEnd], monkeypatch: Patch) -> None:
    monkeypatch.setattr(play, "MatchEnd", lambda *parts: lie(MatchEnd(*parts)))
    cluster = started(options={"match_rounds": "1"})
    play_round(cluster)
    for peer in cluster.peers.values():
        assert [alarm.text for alarm in peer.told(Alarm)] == [
            "the result of the match is not what its rounds add up to"
        ]
        assert peer.told(Audited) == [Audited(1, True)]


def test_a_match_ended_before_its_end() -> None:
    cluster = started(options={"match_rounds": "2"})
    play_round(cluster)
    cluster.host._play.stop()
    cluster.tell_host(Woke())
    cluster.settle()
    assert cluster.host.public.match_over
    for peer in cluster.peers.values():
        assert [alarm.text for alarm in peer.told(Alarm)] == ["the match was ended before its end"]


def test_a_round_after_the_end_of_the_match() -> None:
    cluster = started(options={"match_rounds": "1"})
    match = cluster.host._play.match
    cluster.host._play.match = replace(match, game=cluster.host.public.rules.stopped(2))
    play_round(cluster)
    for name in NAMES:
        cluster.want(name, "next")
    second = index_of(cluster, EntryKind.DEAL_OPEN)
    play_round(cluster)
    for name in NAMES:
        found = cluster.peers[name].told(Audited)
        assert [(audit.ok, audit.bad) for audit in found] == [(True, None), (False, second)]
        assert len(cluster.peers[name].told(Alarm)) == 1


# ---- a host that plays falsely


def test_an_illegal_act_that_its_player_signed_is_the_hosts_fault_too() -> None:
    """An honest host never lets it in, and it may have shown the player a card that it did not hold."""
    cluster = starting("ben")
    ben = cluster.peers["ben"]
    theirs = fold_of(cluster).view(0).hand
    card = cluster.host.public.rules.ranking.format(next(each(theirs)))
    cluster.act("ben", "draw")
    signed = ben.guest._player.speech.act(1, f"discard {card}")
    bad = cluster.host._pen.write_act(signed.envelope, EntryFlag.ACTSIG, signed.actsig)
    close_round(cluster)
    caught(cluster, bad, "an act that the rules forbid")


def test_a_round_ended_too_early() -> None:
    cluster = starting("ben")
    cluster.act("ben", "draw")
    close_round(cluster)
    caught(cluster, index_of(cluster, EntryKind.ROUND_END), "the round was not over")


def test_an_act_out_of_turn_that_the_host_let_in() -> None:
    cluster = starting("ben")
    signed = cluster.peers["cy"].guest._player.speech.act(2, "draw")
    bad = cluster.host._pen.write_act(signed.envelope, EntryFlag.ACTSIG, signed.actsig)
    close_round(cluster)
    caught(cluster, bad, "an act that the rules forbid: not_your_turn")


def test_answers_to_no_question() -> None:
    """A host can't play a default for who was never asked: the seat to act least of all."""
    for seat in range(3):
        cluster = starting("ben")
        bad = cluster.host._pen.speak_for(seat, ActKind.OPENING, pack_opening(0, bytes(32), b"fold"), EntryFlag.TIME)
        close_round(cluster)
        caught(cluster, bad, "an answer to no question")


def test_an_answer_of_a_seat_that_was_not_asked() -> None:
    cluster = question(asked=(1,))
    bad = cluster.host._pen.speak_for(2, ActKind.OPENING, pack_opening(0, bytes(32), b"fold"), EntryFlag.TIME)
    close_round(cluster)
    caught(cluster, bad, "an answer to no question")


def test_an_answer_kept_back_from_before_the_question() -> None:
    """cy signed a BLIND while nobody had asked; that is no answer to the question that came later."""
    cluster = question()
    cy, journal = cluster.peers["cy"], cluster.host.public.journal
    n = cluster.host.public.said[identity("cy").key] + 1
    sealed = choice_commitment(journal.table, cluster.host.public.epoch, 2, n, bytes(32), b"fold")
    early = journal.last - 1
    said = Envelope(journal.table, 1, 2, n, early, journal.heads[early], ActKind.BLIND, sealed)
    data = encode_envelope(said)
    bad = cluster.host._pen.write_act(data, EntryFlag.ACTSIG, identity("cy").sign(data))
    cluster.host._pen.speak_for(1, ActKind.OPENING, pack_opening(0, bytes(32), b"fold"), EntryFlag.TIME)
    cluster.host._pen.speak_for(2, ActKind.OPENING, pack_opening(n, bytes(32), b"challenge"), EntryFlag.TIME)
    close_round(cluster)
    caught(cluster, bad, "an answer kept back")
    assert cy.told(Closed) == []


def test_a_bot_put_in_a_seat_whose_player_is_there_is_seen_by_everybody() -> None:
    """The host may do that, and it can't be hidden."""
    cluster = starting("ben")
    cluster.bots = tame_bot
    cluster.host._pen.write(EntryKind.BOT, BotPub(1, True, BotReason.GRACE))
    cluster.tell_host(Woke())
    cluster.settle()
    for peer in cluster.peers.values():
        view = peer.guest.table_view()
        assert view is not None
        assert view.seats[1].bot_plays
    play_round(cluster, among=("ana", "cy"), choose=tame_move)
    assert [found[-1].ok for found in audits(cluster).values()] == [True] * 3


# ---- fine points


@pytest.mark.parametrize("wall", [0.0, 2.0**53])
def test_a_clock_gone_mad_harms_nobody(wall: float) -> None:
    """A host's times are for display: whatever they are, rounds are audited and recorded."""
    cluster = three(options={"match_rounds": "1"})
    cluster.host._pen.wall = wall
    cluster.order("start")
    play_round(cluster)
    for peer in cluster.peers.values():
        assert peer.told(Audited) == [Audited(1, True)]
        assert len(peer.told(MatchOver)) == 1
        assert replayed(peer.told(Recorded)[-1].text).exit_code == 0


def test_a_digest_binds_table_index_and_view() -> None:
    assert (
        len({shown_digest(table, index, view) for table in (b"a", b"b") for index in (1, 2) for view in (b"x", b"y")})
        == 8
    )
