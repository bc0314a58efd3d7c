"""What a round is worth (docs/rules/tienlen.md, R22 to R34, R47)."""

from __future__ import annotations

from typing import Any

import pytest

from p2pcards.cards import Cards
from p2pcards.games.base import Seat
from p2pcards.games.tienlen import TienLen, TienLenOptions
from p2pcards.games.tienlen.scoring import worth
from tests.games.tienlen.builder import Round, cards

TWOS = "2S 2C 2D 2H 4D"


def four(**options: Any) -> Round:
    """B is out first, then D, then A; C keeps two cards."""
    return Round("4S 9S", "3S", "2H 5S 6D", "KS", leads="B", **options).play(
        "B 3S", "C pass", "C 5S", "D KS", "A pass", "A 4S", "C 6D", "A 9S"
    )


@pytest.mark.parametrize(
    ("scoring", "points"),
    [
        ("first_out", "0 1 0 0"),
        ("all_but_loser", "1 1 0 1"),
        ("placement", "1 3 0 2"),
        ("penalty", "2 0 3 1"),
        ("cards_left", "0 0 -1 0"),
    ],
)
def test_r22_r26_r27_r28_r29_points_by_place(scoring: str, points: str) -> None:
    assert four(scoring=scoring).places == "BDAC"
    assert four(scoring=scoring).end == f"out B {points} C"


@pytest.mark.parametrize(
    ("scoring", "points"),
    [
        ("first_out", "0 0 1 0"),
        ("all_but_loser", "1 0 1 1"),
        ("placement", "2 0 3 1"),
        ("penalty", "1 3 0 2"),
        ("cards_left", "0 0 -1 0"),
    ],
)
def test_r47_places_from_the_other_end(scoring: str, points: str) -> None:
    assert four(scoring=scoring, objective="hold").end == f"out C {points} C"


@pytest.mark.parametrize(
    ("scoring", "points"),
    [
        ("first_out", "0 1 0"),
        ("all_but_loser", "0 1 0"),
        ("placement", "0 2 0"),
        ("penalty", "2 0 2"),
        ("cards_left", "-2 0 -1"),
        ("chips", "-2 4 -2"),
    ],
)
@pytest.mark.parametrize("objective", ["shed", "hold"])
def test_r23_r26_r27_r28_r29_r34_a_win_at_once(scoring: str, points: str, objective: str) -> None:
    played = Round("3S 4S", TWOS, "5S", scoring=scoring, objective=objective)
    assert played.end == f"instant B {points} A"


def test_r28_penalty_points_end_the_match_at_six_and_the_fewest_win() -> None:
    game = TienLen(TienLenOptions(scoring="penalty"))
    assert not game.endless()
    assert not game.ended(3, (1, 1, 1), (5, 4, 0))
    assert game.ended(3, (1, 1, 1), (6, 3, 0))
    assert game.leaders((6, 3, 3)) == (1, 2)
    longer = TienLen(TienLenOptions(scoring="penalty", target_score=9))
    assert not longer.ended(3, (1, 1, 1), (8, 3, 0))
    assert longer.ended(3, (1, 1, 1), (9, 3, 0))


def test_r29_cards_left_count_down_to_the_target() -> None:
    game = TienLen(TienLenOptions(scoring="cards_left", target_score=50))
    assert not game.ended(9, (5, 4), (-49, -12))
    assert game.ended(9, (5, 4), (-50, -12))
    assert game.leaders((-50, -12)) == (1,)


def chips(*hands: str, **options: Any) -> Round:
    """A round for chips."""
    return Round(*hands, scoring="chips", **options)


def test_r30_the_last_places_pay_the_first() -> None:
    assert four(scoring="chips").end == "out B 1 2 -4 1 C"


def test_r30_two_and_three_players() -> None:
    two = chips("3S 9S", "4S 8S").play("A 3S", "B 4S", "A 9S")
    assert two.end == "out A 2 -2 B"
    three = chips("3S 9S", "4S 8S", "5S 7S").play("A 3S", "B 4S", "C 5S", "A 9S", "B pass", "B 8S")
    assert (three.places, three.end) == ("ABC", "out A 2 0 -2 C")


def test_r31_each_overtaken_two_is_paid() -> None:
    bomb = "4S 4C 5S 5C 6S 6C 7S 7C"
    played = chips("2S 2D 3H 9D", f"{bomb} 3C", "9S KD").play("A 2S 2D", f"B {bomb}", "C pass", "A pass", "B 3C")
    played.play("C 9S", "A 9D", "C KD")
    assert (played.places, played.end) == ("BCA", "out B -5 5 0 A")


def test_r31_overtaken_bombs_and_twos_on_twos_are_free() -> None:
    played = chips("2S 8S 3D", "2D 4D", "5S 5C 5D 5H 3C", "6S 6C 6D 6H 9D")
    played.play("A 2S", "B 2D", "C 5S 5C 5D 5H", "D 6S 6C 6D 6H", "A pass", "B pass", "C pass")
    played.play("D 9D", "A pass", "A 3D", "B 4D", "C pass", "C 3C")
    assert played.places == "DBCA"
    assert played.end == "out D -2 -1 1 2 A"  # for the places, and B pays C 2 for the 2D


def test_r32_twos_left_are_paid_to_the_player_before() -> None:
    played = chips("3S 9S", "4S 8S", "5S 2C 2H").play("A 3S", "B 4S", "C 5S", "A 9S", "B pass", "B 8S")
    assert played.places == "ABC"
    assert played.end == "out A 2 3 -5 C"


def test_r33_who_never_played_pays_more() -> None:
    played = chips("3S 9S", "4S 8S", "5S 6S").play("A 3S", "B 4S", "C pass", "A 9S", "B pass", "B 8S")
    assert played.end == "out A 4 0 -4 C"
    assert chips("3S", "4S 5S").play("A 3S").end == "out A 4 -4 B"


def test_r33_nobody_pays_for_a_round_without_a_play() -> None:
    assert chips("3S 4S", TWOS, instant_win="goes_out_first").end == "out B -2 2 A"


def test_r31_a_two_is_worth_one_or_two_chips() -> None:
    assert [worth(cards(two)) for two in ("2S", "2C", "2D", "2H", "AH")] == [1, 1, 2, 2, 0]
    assert worth(cards("2S 2H 3S")) == 3
    assert worth(Cards(0)) == 0


def test_r24_r28_stopped_matches_keep_their_scoring() -> None:
    game = TienLen(TienLenOptions(scoring="penalty")).stopped(2)
    assert game.ended(2, (1, 1), (1, 1))
    assert game.leaders((1, 2)) == (Seat(0),)
