"""What rounds and matches of One Card score (docs/rules/onecard.md, R27 to R29, R41, R42)."""

from __future__ import annotations

from typing import Any

from p2pcards.games.match import Match
from p2pcards.games.onecard import OneCard, OneCardOptions
from tests.games.onecard.builder import Round


def won(**options: Any) -> Round:
    return Round("8H", "AC TC KC", "2D 9D", top="9H", **options).play("A play 8H")


def blocked(**options: Any) -> Round:
    played = Round("4C TC", "KC", top="8H", stock="", **options)
    return played.play("A draw", "B draw")


def bankrupt(**options: Any) -> Round:
    played = Round("KC 4C", "4S 5S", top="8H", stock="6S", bankrupt_at=3, starter="B", **options)
    return played.play("B draw")


def test_r27_a_round_costs_the_cards_left() -> None:
    assert won().outcome.points == (0, -3, -2)


def test_r27_the_winner_scores_nothing_also_where_others_went_bankrupt() -> None:
    assert (bankrupt().result, bankrupt().outcome.points) == ("out A, next A", (0, -3))


def test_r28_a_blocked_round_costs_everybody() -> None:
    assert blocked().outcome.points == (-2, -1)
    assert blocked(scoring="winner_takes").outcome.points == (-2, -1)
    assert blocked(scoring="points").outcome.points == (-14, -10)
    assert blocked().outcome.winners == ()


def test_r29_a_match_has_its_rounds_and_the_highest_total_wins() -> None:
    match = Match.start(OneCard(), 3).settle(won().outcome)
    assert (match.over, match.winners, match.endless) == (True, (0,), False)
    match = Match.start(OneCard(OneCardOptions(rounds=2)), 3).settle(won().outcome)
    assert not match.over
    match = match.settle(won().outcome)
    assert (match.over, match.winners, match.scores) == (True, (0,), (0, -6, -4))
    assert OneCard().leaders((-3, -2, -2)) == (1, 2)
    assert OneCard(OneCardOptions(rounds=9)).stopped(2).ended(2, (), ())


def test_r41_points_or_the_winner_takes() -> None:
    assert won(scoring="points").outcome.points == (0, -21, -11)
    assert won(scoring="winner_takes").outcome.points == (5, 0, 0)
    assert bankrupt(scoring="points").outcome.points == (0, -15)
    assert bankrupt(scoring="winner_takes").outcome.points == (3, 0)


def test_r42_most_penalties_win() -> None:
    game = OneCard(OneCardOptions(match_winner="most_penalties"))
    assert game.leaders((-3, -2, -3)) == (0, 2)
    assert Match.start(game, 3).settle(won().outcome).winners == (1,)
