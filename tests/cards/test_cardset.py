"""Sets of cards as ints."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards import (
    ACE_LOW,
    NONE,
    THREE_LOW,
    Card,
    Cards,
    by_bytes,
    by_few,
    cards_of,
    deck,
    each,
    format_cards,
    gathered,
    in_order,
    size,
)

TEXTS = tuple(map(ACE_LOW.format, deck()))
BY_BYTES = by_bytes(TEXTS)

faces = st.sets(st.integers(0, 155))


@given(faces)
def test_a_set_is_its_cards(numbers: set[int]) -> None:
    held = cards_of(map(Card, numbers))
    assert list(each(held)) == sorted(numbers)
    assert size(held) == len(numbers)
    assert cards_of(each(held)) == held


def test_nothing() -> None:
    assert list(each(NONE)) == []
    assert size(NONE) == 0
    assert format_cards(ACE_LOW, NONE) == ""


def test_the_same_card_twice_counts_once() -> None:
    assert cards_of([Card(3), Card(3)]) == Cards(8)


def test_text_is_low_to_high_in_the_games_own_order() -> None:
    assert format_cards(ACE_LOW, cards_of(ACE_LOW.parse_all("KD 2S AH 2C"))) == "AH 2C 2S KD"
    assert format_cards(THREE_LOW, cards_of(THREE_LOW.parse_all("2S 3H AH 3S KD"))) == "3S 3H KD AH 2S"


def test_copies_stand_beside_each_other() -> None:
    held = cards_of([Card(1), Card(52), Card(0), Card(53)])
    assert in_order(held) == [0, 52, 1, 53]
    assert format_cards(ACE_LOW, held) == "AC AC AD AD"


@given(st.sets(st.integers(0, 51)))
def test_what_cards_give_is_gathered_low_to_high(numbers: set[int]) -> None:
    held, texts = cards_of(map(Card, numbers)), [ACE_LOW.format(Card(card)) for card in sorted(numbers)]
    assert gathered(BY_BYTES, held) == texts


def test_what_one_or_two_cards_give_is_in_the_table_of_few() -> None:
    few = by_few(TEXTS)
    assert few == {
        cards_of(cards): tuple(map(ACE_LOW.format, cards)) for size in (1, 2) for cards in combinations(deck(), size)
    }
