"""What the arena tells on the screen."""

from __future__ import annotations

import pytest

from p2pcards.bots.standing import Standing
from p2pcards.bots.stopping import Clear, Narrow, Until
from p2pcards.ui.standings import told

FOUND = (Standing(0.8601, 0.8234, 0.9, 12.346), Standing(0.05, 0.0, 0.101, -3.0))


def test_each_seat_has_a_row_in_columns_and_the_numbers_are_explained() -> None:
    assert told("Tong-its", False, ("medium", "easy"), FOUND, 50, 100) == [
        "Tong-its, 100 rounds: 50 deals, each played from all 2 seats",
        "seat  bot       wins     95 % interval  points  chance",
        "1     medium  86.0 %  82.3 % to 90.0 %   12.35  above",
        "2     easy     5.0 %   0.0 % to 10.1 %   -3.00  below",
        "wins: the share won, ties split; 50.0 % is chance. 95 % interval: where the true share lies, 19 times in 20. "
        "points: on average, for each round. chance: on which side of it the interval lies.",
    ]


def test_more_or_less_than_was_asked_for_is_said_and_matches_are_called_so() -> None:
    first, *_, last = told("Straights", True, ("medium", "easy"), FOUND, 1, 1)
    assert first == "Straights, 2 matches (1 asked for): 1 deal, each played from all 2 seats"
    assert "on average, for each match." in last


def test_who_got_the_safe_default_is_named() -> None:
    fine, wrong = FOUND[0], Standing(0.05, 0.0, 0.101, -3.0, 12)
    lines = told("Tong-its", False, ("medium", "./mine"), (fine, wrong), 50, 100)
    assert lines[-2] == "./mine got the safe default 12 times, for what it did wrong."


def test_an_interval_around_chance_shows_nothing() -> None:
    *_, first, second, _ = told("Tong-its", False, ("easy", "easy"), (Standing(0.5, 0.45, 0.55, 0.5),) * 2, 50, 100)
    assert first.endswith("0.50  not clear")
    assert second.endswith("0.50  not clear")


@pytest.mark.parametrize(
    ("until", "reached", "says"),
    [
        (Narrow(0.025), True, "It ended with every interval at most 2.5 points to either side."),
        (Narrow(0.02), False, "Not every interval is within 2 points to either side yet."),
        (Clear(), True, "It ended with the first bot clear of chance."),
        (Clear(), False, "The first bot isn't clear of chance yet."),
    ],
)
def test_what_it_was_played_for_is_said_and_how_the_interval_is_meant(until: Until, reached: bool, says: str) -> None:
    first, *_, end, last = told("Tong-its", False, ("medium", "easy"), FOUND, 50, 9000, until, reached)
    assert first == "Tong-its, 100 rounds: 50 deals, each played from all 2 seats"
    assert end == says
    assert ("however often one looks" in last) is isinstance(until, Clear)
