"""Who beats whom, from fixed seeds; chance wins a third."""

from __future__ import annotations

import pytest

from p2pcards.bots.registry import bot
from p2pcards.games.tongits import TongIts, TongItsOptions
from tests.bots.rounds import win_share


@pytest.mark.parametrize(
    ("one", "others", "low", "high"),
    [
        ("medium", "random", 0.70, 1.0),
        ("medium", "easy", 0.50, 0.9),
        ("easy", "random", 0.36, 0.7),
        ("easy", "medium", 0.02, 0.25),
        ("random", "easy", 0.0, 0.30),
        ("random", "medium", 0.0, 0.15),
    ],
)
def test_each_level_beats_those_below_it(one: str, others: str, low: float, high: float) -> None:
    assert low < win_share(TongIts(), bot("tongits", one), bot("tongits", others), 60) < high


def test_medium_knows_chips_and_the_house_rules_too() -> None:
    game = TongIts(
        TongItsOptions(scoring="chips", dealer_13=True, discard_layoff=True, secret_set=True, showdown_layoff=True)
    )
    assert win_share(game, bot("tongits", "medium"), bot("tongits", "easy"), 60) > 0.45
