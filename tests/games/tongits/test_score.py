"""What is paid: R27 to R34 of docs/rules/tongits.md."""

from __future__ import annotations

from typing import Any

import pytest

from p2pcards.games.base import Carry, Outcome, Seat
from p2pcards.games.options import convert_options
from p2pcards.games.tongits import TongIts
from tests.games.tongits.builder import Round


def _call(a: str, b: str, c: str, b_meld: str, c_meld: str, *answers: str, **options: Any) -> Round:
    """A calls with `a` and the melds 2C 2D 2H; the others' melds are exposed first."""
    played = Round(
        f"{a} 2C 2D 2H QS", f"{b} {b_meld} QH", f"{c} {c_meld} QD", stock="JH JS JC JD KC", scoring="chips", **options
    )
    played.play("A draw", "A expose 2C 2D 2H", "A discard JH", "B draw")
    played.play(*([f"B expose {b_meld}"] if b_meld else []), "B discard JS", "C draw")
    return played.play(*([f"C expose {c_meld}"] if c_meld else []), "C discard JC", "A call", *answers)


def test_r27_a_win_is_a_point() -> None:
    played = Round("AS 2S", "QC", "QD", stock="3S KD").play("A draw", "A expose AS 2S 3S")
    assert (played.outcome.points, played.outcome.starter) == ((1, 0, 0), 0)


def test_r29_example_of_the_page() -> None:
    """Ana calls, Ben challenges with less and an ace in his melds, Cy folds."""
    played = _call("6H", "4H", "8C", "AS 2S 3S", "5C 5D 5H", "B challenge", "C fold")
    assert played.outcome.points == (-4, 6, -2)


def test_r29_the_end_of_the_stock() -> None:
    hands = ("6C 7C 8C 6D KS", "4D KD JH 3H 2H AH", "9C 9D 9H 8D KH")
    played = Round(*hands, stock="QS QD QH QC", starter="B", scoring="chips")
    played.play("B draw", "B expose AH 2H 3H", "B discard QS", "C draw", "C expose 9C 9D 9H", "C discard QD")
    played.play("A draw", "A expose 6C 7C 8C", "A discard KS", "B draw", "B discard QC")
    assert played.winner == "exhausted A"
    assert played.outcome.points == (2, -1, -1)


@pytest.mark.parametrize(
    ("answers", "points"),
    [
        (("B fold", "C fold"), (2, -1, -1)),
        (("B challenge", "C fold"), (4, -3, -1)),  # B counts more
        (("B challenge", "C challenge"), (-3, -3, 6)),  # C counts least
        (("B fold", "C challenge"), (-3, -1, 4)),
    ],
)
def test_r29_who_pays_what_for_a_call(answers: tuple[str, ...], points: tuple[int, ...]) -> None:
    played = _call("6H", "7H", "4C", "3C 3D 3H", "5C 5D 5H", *answers)
    assert played.outcome.points == points


def test_r29_burned_players_pay_one_more() -> None:
    assert _call("6H", "7H", "4C", "", "", stake=5).outcome.points == (20, -10, -10)
    assert _call("6H", "7H", "4C", "", "5C 5D 5H", "C challenge").outcome.points == (-3, -2, 5)


def test_r29_tongits() -> None:
    played = Round("AS 2S", "QC", "QD", stock="3S KD", scoring="chips").play("A draw", "A expose AS 2S 3S")
    assert played.outcome.points == (10, -5, -5)  # 3, burned, an ace


def test_r30_aces_count_for_the_owner_of_the_meld() -> None:
    hands = ("2C 3C 4C KD QC", "AC QD 9H 9D 9C", "KH KS")
    played = Round(*hands, stock="JH JS JC JD 5H", scoring="chips")
    played.play("A draw", "A expose 2C 3C 4C", "A discard QC", "B draw", "B layoff AC m1", "B discard QD")
    played.play("C draw", "C discard KH", "A draw", "A discard JD", "B draw", "B discard 5H")
    assert played.winner == "exhausted A"
    assert played.outcome.points == (6, -3, -3)  # 1, burned, the ace that B laid there


def test_r30_an_ace_laid_off_elsewhere_or_in_hand_counts_nothing() -> None:
    hands = ("2C 3C 4C KD QC", "AC AD 9H 9D 9C QD", "KH KS")
    played = Round(*hands, stock="JH JS JC JD 5H", scoring="chips")
    played.play("A draw", "A expose 2C 3C 4C", "A discard QC", "B draw", "B layoff AC m1", "B expose 9C 9D 9H")
    played.play("B discard QD", "C draw", "C discard KH", "A draw", "A discard JD", "B draw", "B discard 5H")
    assert played.winner == "exhausted B"
    assert played.outcome.points == (-1, 3, -2)


def test_r31_four_of_a_kind_in_the_winners_hand() -> None:
    """However it is split: the run 6C 7C 8C leaves 6D 6H 6S as a set."""
    played = _call("6C 6D 6H 6S 7C 8C", "7H", "4C", "3C 3D 3H", "5C 5D 5H", "B fold", "C fold")
    assert played.outcome.points == (8, -4, -4)
    lost = _call("9C 9D 9H 9S 6C", "4H", "4C", "3C 3D 3H", "5C 5D 5H", "B challenge", "C fold")
    assert lost.outcome.points == (-3, 4, -1)


def _settled(options: dict[str, object], *winners: int | None) -> list[tuple[tuple[int, ...], Carry]]:
    """Rounds won by these seats, 1 unit from each loser."""
    game, carry, rounds = TongIts(convert_options(TongIts, options)), Carry(), []
    for winner in winners:
        points = tuple(0 if winner is None else 2 if seat == winner else -1 for seat in range(3))
        over = Outcome("call", () if winner is None else (Seat(winner),), points, Seat(0))
        settled, carry = game.settle(carry, over)
        rounds.append((settled, carry))
    return rounds


def test_r32_the_winner_takes_the_pot() -> None:
    first, second = _settled({"scoring": "chips", "ante": 5}, None, 1)
    assert first == ((-5, -5, -5), Carry(15))
    assert second == ((-6, 2 - 5 + 30, -6), Carry())


def test_r32_ante_and_pot_are_nothing_without_chips() -> None:
    assert _settled({"ante": 5, "hitter_pot": True}, 1) == [((-1, 2, -1), Carry())]


def test_r33_the_hitter_takes_the_pot_with_the_second_win_in_a_row() -> None:
    rounds = _settled({"scoring": "chips", "ante": 1, "hitter_pot": True}, 0, 1, 1, 1, 1)
    assert [carry.pot for _, carry in rounds] == [3, 6, 0, 3, 0]
    assert rounds[2][0] == (-2, 1 + 9, -2)
    assert rounds[3] == ((-2, 1, -2), Carry(3, Seat(1)))  # a row of its own


def test_r33_no_row_outlives_a_round_without_a_winner() -> None:
    rounds = _settled({"scoring": "chips", "ante": 1, "hitter_pot": True}, 2, None, 2, 2)
    assert [carry for _, carry in rounds] == [Carry(3, Seat(2)), Carry(6), Carry(9, Seat(2)), Carry()]
    assert rounds[1][0] == (-1, -1, -1)


@pytest.mark.parametrize("hitter", [False, True])
def test_r32_r33_no_chip_appears_or_is_lost(hitter: bool) -> None:
    winners = (0, 0, None, 2, 2, 2, 1, 0, 1, 1)
    rounds = _settled({"scoring": "chips", "ante": 7, "hitter_pot": hitter}, *winners)
    assert sum(sum(points) for points, _ in rounds) == -rounds[-1][1].pot
