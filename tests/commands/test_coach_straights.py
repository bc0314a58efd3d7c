"""The coach of Straights: what fits, and when a card may be put aside."""

from __future__ import annotations

import pytest

from p2pcards.commands.coach import coach
from p2pcards.commands.coach_straights import Tip
from p2pcards.commands.context import Context
from tests.testing.straights_spot import context, spot

PASSING, OPEN = {"mode": "sevens_pass"}, {"open_discards": "true"}


def advice(where: Context) -> list[tuple[object, ...]]:
    return [(remark.code, *remark.detail) for remark in coach(where)]


@pytest.mark.parametrize(
    ("where", "told"),
    [
        (context(spot("7S 7H 8S", "")), (Tip.START, "7S")),
        (context(spot("6S 8D 7C 9S")), (Tip.PLAY, "6S", "7C")),
        (context(spot("6S 8D 9D")), (Tip.PLAY_ONLY, "6S")),
        (context(spot("6S 8S"), PASSING), (Tip.PLAY_ON, "6S", "8S")),
        (context(spot("KD 2C 2D")), (Tip.ASIDE, "2C", "2")),
        (context(spot("KD 2C 2D"), OPEN), (Tip.ASIDE_OPEN, "2C", "2")),
        (context(spot("KD")), (Tip.ASIDE_LAST, "KD", "13")),
        (context(spot("KD 2C"), PASSING), (Tip.STUCK,)),
    ],
)
def test_each_turn(where: Context, told: tuple[object, ...]) -> None:
    assert advice(where) == [told]
