"""The order of a hand on the screen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards import ACE_LOW, Cards, cards_of
from p2pcards.commands.arrange import ORDERS, arrange
from p2pcards.games.tongits import TongIts
from tests.testing.tongits_spot import cards

GAME = TongIts()


@pytest.mark.parametrize(
    ("order", "shown"),
    [
        ("rank", "AS 2D 3S 4S 9C 9D 9H KC"),
        ("suit", "9C KC 2D 9D 9H AS 3S 4S"),
        ("melds", "9C 9D 9H AS 2D 3S 4S KC"),
    ],
)
def test_orders(order: str, shown: str) -> None:
    hand = arrange(GAME, cards("KC 9C 9D 9H AS 2D 3S 4S"), order)
    assert " ".join(map(ACE_LOW.format, hand)) == shown


@given(st.integers(0, 2**52 - 1), st.sampled_from(ORDERS))
def test_no_card_is_lost(hand: int, order: str) -> None:
    shown = arrange(GAME, Cards(hand), order)
    assert cards_of(shown) == hand
    assert len(shown) == hand.bit_count()
