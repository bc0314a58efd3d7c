"""Combinations and what beats what, against slower ways to find it."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.cards import DECK, THREE_LOW, Card, Cards, cards_of, format_cards
from p2pcards.games.tienlen import TienLenOptions
from p2pcards.games.tienlen.combos import Kind, beats, bombs_on, combo_of, one_suit
from p2pcards.games.tienlen.plays import beating, four_pairs, leads
from tests.games.tienlen.builder import cards, combo
from tests.testing import naive_tienlen as naive

PLAIN = TienLenOptions()
HANDS = st.one_of(
    st.sets(st.integers(0, DECK - 1), min_size=1, max_size=13),
    st.sets(st.integers(0, 27), min_size=1, max_size=13),  # full of company
    st.sets(st.integers(28, DECK - 1), min_size=1, max_size=13),
).map(lambda chosen: cards_of(map(Card, chosen)))
OPTIONS = st.builds(
    TienLenOptions,
    twos_in_sequences=st.booleans(),
    bomb_chain=st.sampled_from(["same_type", "southern"]),
    bomb_quad_beats_pair_of_twos=st.booleans(),
    suited_straight_lock=st.booleans(),
)


@pytest.mark.parametrize(
    ("text", "kind", "size", "top"),
    [
        ("3S", "single", 1, "3S"),
        ("3S 3H", "pair", 2, "3H"),
        ("9S 9C 9D", "triple", 3, "9D"),
        ("2S 2C 2D 2H", "quad", 4, "2H"),
        ("4H 5S 6S", "straight", 3, "6S"),
        ("3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2S", "straight", 13, "2S"),
        ("3S 3C 4S 4C 5S 5C", "doubles", 3, "5C"),
        ("KS KC AS AC 2S 2C", "doubles", 3, "2C"),
    ],
)
def test_what_a_combination_is(text: str, kind: str, size: int, top: str) -> None:
    found = combo(text)
    assert (found.kind, found.size, THREE_LOW.format(found.top)) == (Kind(kind), size, top)


@pytest.mark.parametrize(
    "text", ["3S 4S", "3S 3C 4S 4C", "3S 3C 4S", "3S 4S 6S", "AS 2S 3S", "3S 3C 3D 4S 4C 4D 5S 5C 5D", "3S 3C 4S 5S"]
)
def test_what_is_none(text: str) -> None:
    assert combo_of(cards(text)) is None


def test_no_cards_are_no_combination() -> None:
    assert combo_of(Cards(0)) is None


@given(HANDS, st.booleans())
@settings(deadline=None, max_examples=40)
def test_a_hand_is_searched_completely(hand: Cards, twos: bool) -> None:
    found = [play.cards for play in leads(TienLenOptions(twos_in_sequences=twos), hand)]
    assert len(set(found)) == len(found)
    held = format_cards(THREE_LOW, hand).split()
    wanted = [
        list(chosen)
        for size in range(1, min(len(held), 6) + 1)
        for chosen in combinations(held, size)
        if naive.shape(list(chosen), twos)
    ]
    assert {cards for cards in found if cards.bit_count() <= 6} == {cards(" ".join(chosen)) for chosen in wanted}


def test_a_hand_that_is_one_double_sequence() -> None:
    found = [format_cards(THREE_LOW, play.cards) for play in leads(PLAIN, cards("3S 3C 4S 4C 5S 5C"))]
    assert found[-1] == "3S 3C 4S 4C 5S 5C"
    assert len(found) == 6 + 3 + 8 + 1


@given(HANDS, HANDS, OPTIONS)
@settings(deadline=None)
def test_what_beats_the_pile_is_what_the_list_has(hand: Cards, other: Cards, options: TienLenOptions) -> None:
    for pile in [combo_of(play.cards) for play in leads(options, other)][::7]:
        assert pile is not None
        mine = Cards(hand & ~pile.cards)
        everything = [combo_of(play.cards) for play in leads(options, mine)] if mine else []
        wanted = {found.cards for found in everything if found and beats(options, found, pile)}
        listed = [play.cards for play in beating(options, mine, pile)]
        assert set(listed) == wanted
        assert len(listed) == len(wanted)


@given(HANDS, OPTIONS)
@settings(deadline=None)
def test_beating_is_a_strict_order_within_a_kind_and_size(hand: Cards, options: TienLenOptions) -> None:
    options = TienLenOptions(twos_in_sequences=options.twos_in_sequences, bomb_chain=options.bomb_chain)
    found = [combo_of(play.cards) for play in leads(options, hand)][::5]
    for one in found:
        assert one is not None
        assert not beats(options, one, one)
        for other in found:
            assert other is not None
            if (one.kind, one.size) == (other.kind, other.size) and one.top != other.top:
                assert beats(options, one, other) is not beats(options, other, one)
                assert beats(options, one, other) is (one.top > other.top)


@given(HANDS, OPTIONS)
def test_four_pairs_are_those_of_the_list(hand: Cards, options: TienLenOptions) -> None:
    every = [combo_of(play.cards) for play in leads(options, hand)]
    wanted = [found.cards for found in every if found and found.kind is Kind.DOUBLES and found.size == 4]
    assert sorted(play.cards for play in four_pairs(options, hand)) == sorted(wanted)


@pytest.mark.parametrize(
    ("pile", "plain", "southern"),
    [
        ("2S", (True, 3), (True, 3)),
        ("2S 2C", (True, 4), (True, 4)),
        ("2S 2C 2D", (False, 5), (False, 5)),
        ("2S 2C 2D 2H", (False, 0), (False, 4)),
        ("AS", (False, 0), (False, 0)),
        ("KS AS 2S", (False, 0), (False, 0)),
        ("3S 3C 4S 4C 5S 5C", (False, 0), (True, 4)),
        ("3S 3C 4S 4C 5S 5C 6S 6C", (False, 0), (False, 5)),
        ("9S 9C 9D 9H", (False, 0), (False, 4)),
    ],
)
def test_what_bombs_go_where(pile: str, plain: tuple[bool, int], southern: tuple[bool, int]) -> None:
    assert bombs_on(PLAIN, combo(pile)) == plain
    assert bombs_on(TienLenOptions(bomb_chain="southern"), combo(pile)) == southern


def test_the_most_plays_that_a_hand_can_hold() -> None:
    """Ranks held 3, 3, 4 and 3 times give more than any other thirteen cards."""
    assert len(leads(PLAIN, cards("3S 3C 3D 4S 4C 4D 5S 5C 5D 5H 6S 6C 6D"))) == 486


def test_one_suit() -> None:
    assert one_suit(cards("3S 4S 5S"))
    assert not one_suit(cards("3S 4S 5C"))
    assert one_suit(cards("2H"))
