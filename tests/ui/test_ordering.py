"""The order of the own hand: for the run, for the round, and by hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards import ACE_LOW, DECK, Card, Cards, cards_of, face
from p2pcards.games.onecard import OneCard
from p2pcards.games.tongits import TongIts
from p2pcards.ui.ordering import Ordering
from tests.testing.tongits_spot import cards

GAME = TongIts()
TABLE = b"\x07" * 16
FIRST, SECOND = (TABLE, 1), (TABLE, 2)


def shown(ordering: Ordering, hand: str, round_: tuple[bytes, int] = FIRST) -> str:
    return " ".join(map(ACE_LOW.format, ordering.shown(GAME, cards(hand), round_)))


def test_what_is_chosen_is_kept_for_the_run() -> None:
    ordering = Ordering("suit")
    assert shown(ordering, "AS KC 2C") == "2C KC AS"
    assert shown(ordering, "AS KC 2C", SECOND) == "2C KC AS"


def test_without_a_word_the_next_order_is_taken() -> None:
    ordering = Ordering()
    hand = ordering.shown(GAME, cards("AS KC 2C"), FIRST)
    orders = []
    for _ in range(3):
        ordering.sort("", GAME, hand)
        orders.append(ordering.order)
    assert orders == ["suit", "melds", "rank"]
    for _ in range(2):
        ordering.sort("", OneCard(), hand)
    assert ordering.order == "rank"  # melds make no difference there
    ordering.move(hand, 1, 3)
    orders = []
    for _ in range(4):
        ordering.sort("", GAME, hand)
        orders.append(ordering.order)
    assert orders == ["rank", "suit", "melds", "own"]


def test_new_cards_come_behind_the_own_order() -> None:
    ordering = Ordering()
    hand = ordering.shown(GAME, cards("AS 2C KC"), FIRST)
    ordering.move(hand, 3, 1)
    assert shown(ordering, "AS 2C KC") == "KC AS 2C"
    assert shown(ordering, "AS 2C KC 5D 3D") == "KC AS 2C 3D 5D"
    assert shown(ordering, "2C KC 3D 5D 4D") == "KC 2C 3D 5D 4D"
    assert shown(ordering, "2C KC 3D 5D 4D AS") == "KC 2C 3D 5D 4D AS"  # come back, and so behind


def test_the_own_order_waits_while_the_hand_is_sorted() -> None:
    ordering = Ordering()
    hand = ordering.shown(GAME, cards("AS 2C KC"), FIRST)
    ordering.move(hand, 3, 1)
    ordering.sort("rank", GAME, hand)
    assert shown(ordering, "AS 2C KC 3D") == "AS 2C 3D KC"
    ordering.sort("own", GAME, ())
    assert shown(ordering, "AS 2C KC 3D") == "KC AS 2C 3D"


def test_the_own_order_ends_with_the_round() -> None:
    ordering = Ordering("suit")
    hand = ordering.shown(GAME, cards("AS 2C KC"), FIRST)
    ordering.move(hand, 3, 1)
    assert shown(ordering, "AS 2C KC") == "AS 2C KC"
    assert shown(ordering, "AS 2C KC", SECOND) == "2C KC AS"
    assert shown(ordering, "AS KC", SECOND) == "KC AS"
    assert shown(ordering, "AS KC 2C", SECOND) == "KC AS 2C"  # own again, from the order that it began with


def test_an_own_order_begins_as_the_hand_lies() -> None:
    ordering = Ordering("suit")
    hand = ordering.shown(GAME, cards("AS 2C KC"), FIRST)
    ordering.sort("own", GAME, hand)
    assert shown(ordering, "AS 2C KC 3C") == "2C KC AS 3C"


def test_copies_of_a_card_are_alike() -> None:
    ordering, eight = Ordering(), ACE_LOW.parse("8H")
    both = Cards(cards("8H 9C") | cards("8H") << DECK)
    hand = ordering.shown(OneCard(), both, FIRST)
    ordering.move(hand, 3, 1)
    one = ordering.shown(OneCard(), cards("8H 9C"), FIRST)
    assert one == (ACE_LOW.parse("9C"), eight)


HANDS = st.sets(st.integers(0, 2 * DECK - 1).map(Card), min_size=1, max_size=20)


@given(st.lists(HANDS, min_size=1, max_size=4), st.data())
def test_whatever_is_moved_no_card_is_lost(hands: list[set[Card]], data: st.DataObject) -> None:
    ordering = Ordering()
    for hand in hands:
        lying = ordering.shown(OneCard(), cards_of(hand), FIRST)
        places = st.integers(1, len(lying))
        place, to = data.draw(places), data.draw(places)
        ordering.move(lying, place, to)
        after = ordering.shown(OneCard(), cards_of(hand), FIRST)
        assert cards_of(after) == cards_of(hand)
        assert face(after[to - 1]) == face(lying[place - 1])
