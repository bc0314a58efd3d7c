"""What the arena tells on the screen."""

from __future__ import annotations

from p2pcards.bots.standing import Standing
from p2pcards.ui.standings import told

FOUND = (Standing(0.8601, 0.8234, 0.9, 12.346), Standing(0.05, 0.0, 0.101, -3.0))


def test_each_seat_has_a_row_in_columns_and_the_numbers_are_explained() -> None:
    assert told("Tong-its", False, ("medium", "easy"), FOUND, 50, 100) == [
        "Tong-its, 100 rounds: 50 deals, each played from all 2 seats",
        "seat  bot       wins     95 % interval  points",
        "1     medium  86.0 %  82.3 % to 90.0 %   12.35",
        "2     easy     5.0 %   0.0 % to 10.1 %   -3.00",
        "wins: the share won, ties split; 50.0 % is chance. 95 % interval: where the true share lies, 19 times in 20. "
        "points: on average, for each round.",
    ]


def test_more_or_less_than_was_asked_for_is_said_and_matches_are_called_so() -> None:
    first, *_, last = told("Straights", True, ("medium", "easy"), FOUND, 1, 1)
    assert first == "Straights, 2 matches (1 asked for): 1 deal, each played from all 2 seats"
    assert last.endswith("for each match.")
