"""Who beats whom over matches to 80, from fixed seeds; chance wins a quarter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from p2pcards.bots.base import Bot
from p2pcards.bots.registry import bot
from p2pcards.games.match import Match
from p2pcards.games.straights import Straights, StraightsOptions
from tests.bots.rounds import states


def match_share(game: Straights, one: str, others: str, matches: int) -> float:
    """The share of matches that `one` wins against three others, as often from every seat; ties are split."""
    share = 0.0
    for number in range(matches):
        for place in range(4):
            bots = [bot("straights", others)] * 4
            bots[place] = bot("straights", one)
            winners = _winners(game, bots, number)
            share += (place in winners) / len(winners)
    return share / (4 * matches)


def _winners(game: Straights, bots: Sequence[Bot[Any, Any]], number: int) -> Sequence[int]:
    match = Match.start(game, 4)
    while not match.over:
        *_, last = states(game, bots, 1000 * number + match.round)
        outcome = game.outcome(last)
        assert outcome is not None
        match = match.settle(outcome)
    return match.winners


@pytest.mark.parametrize(
    ("one", "others", "low", "high"),
    [
        ("medium", "random", 0.55, 0.95),
        ("medium", "easy", 0.55, 0.95),
        ("easy", "random", 0.26, 0.6),
        ("easy", "medium", 0.0, 0.2),
        ("random", "easy", 0.0, 0.22),
        ("random", "medium", 0.0, 0.15),
        ("medium", "seed-hard", 0.55, 1.0),
    ],
)
def test_each_level_beats_those_below_it(one: str, others: str, low: float, high: float) -> None:
    assert low < match_share(Straights(), one, others, 25) < high


def test_medium_knows_sevens_pass_too() -> None:
    game = Straights(StraightsOptions(mode="sevens_pass"))
    assert match_share(game, "medium", "easy", 20) > 0.5
