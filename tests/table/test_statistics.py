"""Whether deals are as random as they should be (protocol 10, suite 13), by Pearson's chi-squared test.

The seeds are fixed, so each test comes out the same every time: a fair shuffle would fail one of them by chance once
in 10,000 choices of the seeds. That the tests can fail is shown with shuffles that are known to be unfair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import NormalDist
from typing import TypeVar

import pytest

from p2pcards.cards import DECK, Stream, shuffle
from p2pcards.table import deal
from p2pcards.wire.encode import digest, u32
from tests.testing.tally import Tally

LEVEL = 1 / 10_000
TABLE = bytes(range(16))

T = TypeVar("T")


def deals(cards: int, count: int) -> list[tuple[int, ...]]:
    """The orders of deals of the table's own making: another secret and other parts each time."""
    made = list[tuple[int, ...]]()
    for number in range(count):
        secret, part = digest("secret", u32(number)), digest("part", u32(number))
        made.append(deal.deal_from(TABLE, 1, secret, bytes(range(cards)), 4, {1: part}).order)
    return made


def surprise(square: float, freedom: int) -> float:
    """How likely a chi-squared value of so many degrees of freedom is to lie this far out, on either side.

    The cube root of it is nearly normal (Wilson and Hilferty), which is exact enough from some 100 degrees on.
    """
    spread = 2 / (9 * freedom)
    z = ((square / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5
    return 2 * NormalDist().cdf(-abs(z))


def chi_squared(counts: Iterable[int], cells: int, total: int) -> float:
    """Of counts that should be equal; a cell never met may be missing."""
    expected, found = total / cells, list(counts)
    return sum((count - expected) ** 2 for count in found) / expected + (cells - len(found)) * expected


def permutations_of_5(orders: Sequence[tuple[int, ...]]) -> float:
    return surprise(chi_squared(Counter(orders).values(), 120, len(orders)), 119)


def cards_at_places(orders: Sequence[tuple[int, ...]]) -> float:
    """Rows and columns of the 52 x 52 counts have given sums: 51 x 51 of them are free, and the rest follows."""
    counts = Counter((place, card) for order in orders for place, card in enumerate(order))
    square = chi_squared(counts.values(), DECK * DECK, len(orders) * DECK)
    return surprise(square * (DECK - 1) / DECK, (DECK - 1) ** 2)


def first_two_cards(orders: Sequence[tuple[int, ...]]) -> float:
    pairs = DECK * (DECK - 1)
    return surprise(chi_squared(Counter(order[:2] for order in orders).values(), pairs, len(orders)), pairs - 1)


@pytest.fixture(scope="module")
def whole_decks() -> list[tuple[int, ...]]:
    """Enough that each pair of first cards should come twice."""
    return deals(DECK, 5_500)


def test_each_order_of_five_cards_is_equally_likely(tally: Tally) -> None:
    tally("13 statistics")
    assert permutations_of_5(deals(5, 6_000)) > LEVEL


def test_each_card_is_equally_likely_in_each_place(whole_decks: list[tuple[int, ...]], tally: Tally) -> None:
    tally("13 statistics")
    assert cards_at_places(whole_decks) > LEVEL


def test_each_pair_of_first_cards_is_equally_likely(whole_decks: list[tuple[int, ...]], tally: Tally) -> None:
    tally("13 statistics")
    assert first_two_cards(whole_decks) > LEVEL


# ---- that unfairness would be seen


def narrow(monkeypatch: pytest.MonkeyPatch, bits: int, *, biased: bool = False) -> None:
    """Streams of words so short that a wrong treatment of the last ones shows: with 32 bits no statistics could."""

    class Narrow(Stream):
        def __init__(self, seed: bytes) -> None:
            self._wide = Stream(seed)

        def _next(self) -> int:
            return self._wide._next() >> 32 - bits

        if biased:

            def below(self, bound: int) -> int:
                return self._next() % bound

    monkeypatch.setattr(shuffle, "_WORDS", 1 << bits)
    monkeypatch.setattr(deal, "Stream", Narrow)


def test_words_are_turned_down_so_that_short_ones_too_are_fair(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        narrow(patch, 4)
        assert permutations_of_5(deals(5, 3000)) > LEVEL
    with monkeypatch.context() as patch:
        narrow(patch, 6)
        assert cards_at_places(deals(DECK, 800)) > LEVEL


def test_a_remainder_of_whatever_word_comes_is_seen_to_be_unfair(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        narrow(patch, 4, biased=True)
        assert permutations_of_5(deals(5, 3000)) < LEVEL
    with monkeypatch.context() as patch:
        narrow(patch, 6, biased=True)
        assert cards_at_places(deals(DECK, 800)) < LEVEL


class AnyIndex(Stream):
    """Swaps every card with any other."""

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        order = list(items)
        for at in range(len(order)):
            other = self.below(len(order))
            order[at], order[other] = order[other], order[at]
        return tuple(order)


class Cycles(Stream):
    """Never leaves a card where it was."""

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            place = self.below(last)
            order[last], order[place] = order[place], order[last]
        return tuple(order)


class Cut(Stream):
    """Cuts the deck once: every card is as likely as any other in every place, and tells where all others are."""

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        at = self.below(len(items))
        return (*items[at:], *items[:at])


@pytest.mark.parametrize(
    ("unfair", "seen", "cards", "count"),
    [
        (AnyIndex, permutations_of_5, 5, 3000),
        (AnyIndex, cards_at_places, DECK, 800),
        (Cycles, permutations_of_5, 5, 500),
        (Cycles, cards_at_places, DECK, 800),
        (Cut, first_two_cards, DECK, 2000),
    ],
)
def test_an_unfair_shuffle_is_seen_to_be_one(
    unfair: type[Stream],
    seen: Callable[[Sequence[tuple[int, ...]]], float],
    cards: int,
    count: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deal, "Stream", unfair)
    assert seen(deals(cards, count)) < LEVEL


def test_surprise_is_the_distribution_it_says() -> None:
    """Values of printed tables: 5 % lie above 124.342 of 100 degrees of freedom, 99 % above 70.065."""
    assert surprise(124.342, 100) == pytest.approx(0.1, rel=0.01)
    assert surprise(70.065, 100) == pytest.approx(0.02, rel=0.01)
    assert surprise(100, 100) > 0.9
