"""Who is first out how often, from fixed seeds; with four seats chance is first in a quarter of the rounds."""

from __future__ import annotations

import pytest

from p2pcards.bots.registry import bot
from p2pcards.games.tienlen import TienLen, TienLenOptions
from tests.bots.rounds import win_share


@pytest.mark.parametrize(
    ("one", "others", "low", "high"),
    [
        ("medium", "random", 0.75, 1.0),
        ("medium", "easy", 0.50, 0.9),
        ("easy", "random", 0.36, 0.7),
        ("easy", "medium", 0.02, 0.2),
        ("random", "easy", 0.0, 0.22),
        ("random", "medium", 0.0, 0.15),
    ],
)
def test_each_level_beats_those_below_it(one: str, others: str, low: float, high: float) -> None:
    assert low < win_share(TienLen(), bot("tienlen", one), bot("tienlen", others), 40, 4) < high


@pytest.mark.parametrize("seats", [2, 3])
def test_medium_beats_easy_with_fewer_seats_too(seats: int) -> None:
    assert win_share(TienLen(), bot("tienlen", "medium"), bot("tienlen", "easy"), 40, seats) > 0.3 + 1 / seats - 0.1


def test_medium_knows_the_house_rules_too() -> None:
    game = TienLen(
        TienLenOptions(
            twos_in_sequences=False,
            pass_lock=False,
            out_rule="all_may_beat",
            bomb_chain="southern",
            no_finish_on_two=True,
            suited_straight_lock=True,
        )
    )
    assert win_share(game, bot("tienlen", "medium"), bot("tienlen", "easy"), 40, 4) > 0.45
