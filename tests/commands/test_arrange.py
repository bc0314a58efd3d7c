"""The order of a hand on the screen."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards import ACE_LOW, DECK, Cards, cards_of
from p2pcards.commands.arrange import ORDERS, arrange
from p2pcards.games.onecard import OneCard
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


@pytest.mark.parametrize("order", ORDERS)
def test_copies_of_a_card_stay_beside_each_other(order: str) -> None:
    """Text shows them as one, `8H×2`, and numbers go on behind them."""
    hand = Cards(cards("8H 9C 8S") | cards("8H") << DECK | cards("8H 9C") << 2 * DECK)
    shown = [ACE_LOW.format(card) for card in arrange(OneCard(), hand, order)]
    assert sorted(shown) == ["8H", "8H", "8H", "8S", "9C", "9C"]
    assert [text for text, _ in groupby(shown)] == list(dict.fromkeys(shown))
