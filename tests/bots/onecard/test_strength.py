"""Who beats whom, from fixed seeds; chance wins a quarter. By the default rules there is little to choose."""

from __future__ import annotations

import pytest

from p2pcards.bots.registry import bot
from p2pcards.games.onecard import OneCard, OneCardOptions
from tests.bots.rounds import win_share


def share(one: str, others: str, deals: int, game: OneCard) -> float:
    return win_share(game, bot("onecard", one), bot("onecard", others), deals)


@pytest.mark.parametrize(
    ("one", "others", "low", "high"),
    [
        ("medium", "random", 0.28, 0.36),
        ("medium", "easy", 0.28, 0.36),
        ("easy", "medium", 0.16, 0.245),
        ("random", "medium", 0.16, 0.245),
    ],
)
def test_each_level_beats_those_below_it(one: str, others: str, low: float, high: float) -> None:
    assert low < share(one, others, 250, OneCard()) < high


def test_where_one_may_choose_to_play_who_plays_wins() -> None:
    game = OneCard(OneCardOptions(must_play=False))
    assert share("easy", "random", 20, game) > 0.7
    assert share("medium", "random", 20, game) > 0.7


def test_medium_never_forgets_to_call() -> None:
    game = OneCard(OneCardOptions(call_one_card="self"))
    assert share("medium", "random", 60, game) > 0.33
