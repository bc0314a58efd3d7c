"""Melds and the best split, against every way to do it."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards import Cards, cards_of, deck, each
from p2pcards.games.tongits import melds
from p2pcards.games.tongits.melds import MELDS, deadwood, fits, fours, is_meld, melds_in, melds_with, points, split
from tests.games.tongits.builder import cards
from tests.testing import naive_tongits as naive
from tests.testing.dice import dice

ALL = cards_of(deck())

hands = st.sets(st.integers(0, 51), max_size=16).map(lambda faces: Cards(sum(1 << face for face in faces)))


def _tangled(seed: int) -> Cards:
    chance = dice(seed)
    low, ranks = chance.randrange(7), chance.randrange(3, 7)
    there = range(4 * low, 4 * (low + ranks))
    return Cards(sum(1 << card for card in chance.sample(there, len(there) - chance.randrange(9))))


tangled = st.integers(0, 2**32).map(_tangled)
"""Hands whose sets and runs share many cards: a few neighbouring ranks, nearly whole."""


def plain(held: Cards) -> list[str]:
    """The cards as the naive engine has them."""
    return [naive.PACK[card] for card in each(held)]


def least(hand: int) -> int:
    """Deadwood by trying every meld that holds the lowest card, and none."""

    @lru_cache(None)
    def of(left: int) -> int:
        if not left:
            return 0
        low = left & -left
        best = of(left ^ low) + points(Cards(low))
        return min([best, *(of(left ^ meld) for meld in MELDS if meld & low and meld & left == meld)])

    return of(hand)


def test_r04_r05_every_meld() -> None:
    assert len(MELDS) == len(set(MELDS)) == 13 * 5 + 4 * 66
    found = {held for suit in range(4) for held in _subsets(suit)}
    assert found | {sum(1 << c for c in four) for r in range(13) for four in _of_rank(r)} == set(MELDS)
    assert not is_meld(Cards(0))
    assert not is_meld(ALL)


def _subsets(suit: int) -> list[int]:
    return [
        sum(1 << 4 * rank + suit for rank in range(low, low + length))
        for length in range(3, 14)
        for low in range(14 - length)
    ]


def _of_rank(rank: int) -> list[tuple[int, ...]]:
    four = range(4 * rank, 4 * rank + 4)
    return [*combinations(four, 3), *combinations(four, 4)]


def test_r03_points() -> None:
    assert [points(cards(rank + "S")) for rank in "A23456789TJQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert points(ALL) == 4 * 85


@given(hands)
def test_r07_deadwood_is_the_least_of_all_splits(hand: Cards) -> None:
    assert deadwood(hand) == least(hand)


@given(tangled)
def test_r07_deadwood_where_sets_and_runs_share_cards(hand: Cards) -> None:
    assert deadwood(hand) == least(hand)


@given(st.integers(0, 2**32))
def test_r07_deadwood_as_the_naive_engine_counts_it(seed: int) -> None:
    hand = cards_of(dice(seed).sample(list(deck()), 13))
    assert deadwood(hand) == naive.deadwood(plain(hand))


@given(hands | tangled)
def test_r07_r26_split_is_a_partition_that_counts_so(hand: Cards) -> None:
    best = split(hand)
    left: int = hand
    for meld in best.melds:
        assert is_meld(meld)
        assert meld & left == meld
        left ^= meld
    assert (left, best.laid, best.points) == (best.leftovers, 0, points(best.leftovers))
    assert best.points == deadwood(hand)


@given(hands | tangled)
def test_r07_a_card_more_adds_at_most_its_points(hand: Cards) -> None:
    for card in each(hand):
        assert deadwood(hand) <= deadwood(Cards(hand ^ 1 << card)) + points(Cards(1 << card))


def test_r07_deadwood_of_hands_as_large_as_records_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    assert deadwood(ALL) == 0
    without = [Cards(ALL & ~cards(text)) for text in ("5H 9C", "AC 4D 7H TS KC QD", "2C 5C 8C JC 3D 6D 9D QD")]
    expected = [deadwood(hand) for hand in without]
    assert expected == [least(hand) for hand in without]
    monkeypatch.setattr(melds, "_WIDTH", 1)
    assert [deadwood(hand) for hand in without] == expected


@given(tangled)
def test_r07_dropping_hopeless_choices_loses_nothing(hand: Cards) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(melds, "_WIDTH", 1)
        assert deadwood(hand) == least(hand)


@given(hands | tangled)
def test_melds_in_a_hand(hand: Cards) -> None:
    found = list(melds_in(hand))
    assert len(found) == len(set(found))
    assert set(found) == {meld for meld in MELDS if meld & hand == meld}


@given(hands | tangled, st.integers(0, 51))
def test_r12_melds_with_a_card(hand: Cards, card: int) -> None:
    others = Cards(hand & ~(1 << card))
    found = list(melds_with(others, card))
    assert len(found) == len(set(found))
    assert set(found) == {meld ^ 1 << card for meld in MELDS if meld >> card & 1 and meld & ~(others | 1 << card) == 0}


def test_r14_what_fits_a_meld() -> None:
    for meld in MELDS:
        larger = (card for card in deck() if not meld >> card & 1 and is_meld(Cards(meld | 1 << card)))
        assert fits(meld) == cards_of(larger)


def test_r31_fours() -> None:
    assert fours(cards("9C 9D 9H 9S KC KD KH")) == 1
    assert fours(ALL) == 13
    assert fours(Cards(0b1111 << 2)) == 0


@given(hands, st.lists(st.sampled_from(MELDS), max_size=4))
def test_r40_leftovers_on_the_table(hand: Cards, lying: list[Cards]) -> None:
    table: list[Cards] = []
    for meld in lying:
        if not any(meld & other for other in table):
            table.append(meld)
            hand = Cards(hand & ~meld)
    best = split(hand, tuple(table))
    assert best.points == _with_table(hand, table)
    assert points(Cards(hand & ~best.laid)) >= best.points == points(best.leftovers)
    assert best.leftovers | best.laid | sum(best.melds) == hand


def _with_table(hand: int, table: list[Cards]) -> int:
    best, seen, todo = least(hand), {hand}, [(hand, tuple(table))]
    while todo:
        left, lying = todo.pop()
        for place, meld in enumerate(lying):
            for card in each(Cards(fits(meld) & left)):
                rest = left ^ 1 << card
                if rest not in seen:
                    seen.add(rest)
                    best = min(best, least(rest))
                    todo.append((rest, (*lying[:place], Cards(meld | 1 << card), *lying[place + 1 :])))
    return best
