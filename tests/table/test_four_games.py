"""Whole matches of every game at a table: people and bots, hidden choices, shuffles within a round, audits, records."""

from __future__ import annotations

import pytest

from p2pcards.games.base import DEALER
from p2pcards.games.registry import GAMES
from p2pcards.games.replay import replay
from p2pcards.table.notices import Acted, Alarm, Audited, MatchOver, Recorded, RoundStarted, Shuffled, TurnOf
from p2pcards.wire.entries import EntryKind
from tests.testing.cluster import Cluster, at_random, play_round, started
from tests.testing.table import fold_of

TABLES: list[tuple[str, int, dict[str, str]]] = [
    ("tongits", 3, {}),
    ("tienlen", 3, {}),
    ("tienlen", 4, {"first_lead": "lowest_card", "scoring": "placement"}),
    ("straights", 4, {}),
    ("straights", 4, {"open_discards": "true", "start_card": "7H"}),
    ("straights", 4, {"mode": "sevens_pass"}),
    ("onecard", 3, {"decks": "1", "cards": "7"}),
    ("onecard", 5, {"order_cards": "every_round"}),
    ("onecard", 8, {"decks": "4", "cards": "15", "order_cards": "never"}),
]
EACH = pytest.mark.parametrize(("game", "seats", "options"), TABLES, ids=lambda value: str(value))


def table(game: str, seats: int, options: dict[str, str], seed: int = 1) -> Cluster:
    """A first round of ana, ben and cy, and bots in the other seats."""
    return started(seed, game=game, seats=seats, options=options)


def play_rounds(cluster: Cluster, rounds: int) -> None:
    """So many rounds, or until the match is over."""
    for _ in range(rounds):
        if cluster.host.public.match_over:
            return
        play_round(cluster, limit=5000)
        for name in cluster.peers:
            if not cluster.host.public.match_over:
                cluster.want(name, "next")


@EACH
def test_everybody_verifies_every_round_and_keeps_the_same_record(
    game: str, seats: int, options: dict[str, str]
) -> None:
    cluster = table(game, seats, options)
    play_rounds(cluster, 3)
    texts = set()
    for peer in cluster.peers.values():
        assert peer.told(Alarm) == []
        audits = peer.told(Audited)
        assert audits
        assert all(audit.ok for audit in audits), audits
        texts.add(peer.told(Recorded)[-1].text)
    (text,) = texts
    found = replay(text)
    assert found.exit_code == 0, found.error
    assert [played.outcome is not None for played in found.rounds] == [True] * len(audits)
    ended = cluster.host.public.ends
    assert [played.points for played in found.rounds] == [end.points for end in ended]


@EACH
def test_the_first_round_says_who_acts_first(game: str, seats: int, options: dict[str, str]) -> None:
    cluster = Cluster(3, game=game, seats=seats, options=options, settings={"seat_order": "join_order"})
    for place in range(seats):
        cluster.join(f"p{place}", host=not place)
    cluster.order("start")
    opener = fold_of(cluster).opener
    for peer in cluster.peers.values():
        assert [started.starter for started in peer.told(RoundStarted)] == [opener]
        assert peer.told(TurnOf)[0].seats == (opener,)


def test_a_hidden_discard_is_told_to_nobody_until_the_round_is_over() -> None:
    cluster = table("straights", 4, {})
    play_round(cluster)
    journal = cluster.host.public.journal
    sealed = [entry for entry in journal.entries if entry.kind is EntryKind.SEALED]
    assert len(sealed) > 2
    for peer in cluster.peers.values():
        hidden = [notice for notice in peer.told(Acted) if notice.kind == "sealed"]
        opened = [notice for notice in peer.told(Acted) if notice.kind == "open"]
        assert {notice.text for notice in hidden} == {"discard"}
        assert [(notice.index, notice.seat) for notice in opened] == [(entry.index, entry.seat) for entry in sealed]
        assert all(notice.text.startswith("discard ") for notice in opened)
    lengths = {len(wire) for wire, entry in zip(journal.wires, journal.entries, strict=True) if entry in sealed}
    assert len(lengths) <= 2  # those of people carry a signature


def test_a_view_tells_of_a_hidden_discard_what_its_own_seat_knows_alone() -> None:
    cluster = table("straights", 4, {})
    while not any(entry.kind is EntryKind.SEALED for entry in cluster.host.public.journal.entries):
        cluster.act(cluster.movers[0].name, at_random(cluster, cluster.movers[0]))
    entry = next(entry for entry in cluster.host.public.journal.entries if entry.kind is EntryKind.SEALED)
    fold = fold_of(cluster)
    views = {seat: fold.game.encode_view(fold.view(seat)) for seat in (None, *range(4))}
    assert len({len(view) for seat, view in views.items() if seat not in (None, entry.seat)}) <= 2


@pytest.mark.parametrize("seed", range(2))
def test_the_discards_are_shuffled_when_the_stock_runs_out(seed: int) -> None:
    cluster = table("onecard", 4, {"decks": "1", "cards": "9"}, seed)
    while not any(seat == DEALER for seat, _ in fold_of(cluster).actions):
        assert cluster.movers
        cluster.act(cluster.movers[0].name, at_random(cluster, cluster.movers[0]))
    journal = cluster.host.public.journal
    opened = [entry for entry in journal.entries if entry.kind is EntryKind.DEAL_OPEN]
    assert [entry.epoch for entry in opened] == [1, 2]
    assert cluster.host.public.epoch == 2
    for peer in cluster.peers.values():
        assert len(peer.told(Shuffled)) == 1
        assert len(peer.told(RoundStarted)) == 1
        (drew,) = (act for act in peer.told(Acted) if act.index == opened[1].index - 1)
        assert drew.after.public.counts[drew.seat] > drew.before.public.counts[drew.seat]
        assert len(drew.after.public.discards) == 1
    play_round(cluster, limit=5000)
    for peer in cluster.peers.values():
        assert all(audit.ok for audit in peer.told(Audited))
    assert '"dealer: shuffle ' in cluster.peers["ana"].told(Recorded)[-1].text


def test_a_match_of_straights_ends_at_its_threshold_and_the_lowest_total_wins() -> None:
    cluster = table("straights", 4, {"threshold": "60"})
    play_rounds(cluster, 20)
    result = cluster.host.public.result
    assert result is not None
    assert max(result.scores) >= 60
    assert {result.scores[seat] for seat in result.winners} == {min(result.scores)}
    over = [peer.told(MatchOver) for peer in cluster.peers.values()]
    assert over[0] == over[1] == over[2] != []


def test_a_match_of_one_card_ends_after_its_rounds_and_the_highest_score_wins() -> None:
    cluster = table("onecard", 4, {"rounds": "2"})
    play_rounds(cluster, 5)
    result = cluster.host.public.result
    assert result is not None
    assert len(cluster.host.public.ends) == 2
    assert {result.scores[seat] for seat in result.winners} == {max(result.scores)}


def test_every_game_is_played_here() -> None:
    assert {game for game, _, _ in TABLES} == set(GAMES)
    assert any(rules.sealed_as for rules in GAMES.values())
    assert any(rules.reshuffles for rules in GAMES.values())
