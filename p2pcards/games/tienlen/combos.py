"""Combinations: what a set of cards is (docs/rules/tienlen.md, R5 to R8)."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from msgspec import Struct

from p2pcards.cards import Card, Cards

TWO = 12
"""The rank of the 2s, the highest."""
TWOS = Cards(0b1111 << 4 * TWO)


class Kind(StrEnum):
    """The kinds of combination."""

    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    QUAD = "quad"
    STRAIGHT = "straight"
    DOUBLES = "doubles"  # a double sequence


SINGLE, PAIR, TRIPLE, QUAD, STRAIGHT, DOUBLES = Kind
_SAME = (SINGLE, PAIR, TRIPLE, QUAD)


class Combo(Struct, frozen=True, gc=False):
    """A combination; `size` is its number of cards, of a double sequence the number of pairs."""

    kind: Kind
    size: int
    top: Card  # the highest card
    cards: Cards

    @property
    def only_twos(self) -> bool:
        """Whether it consists only of 2s."""
        return self.cards >= 1 << 4 * TWO and not self.cards & ~TWOS


@lru_cache(1 << 15)
def combo_of(cards: Cards) -> Combo | None:
    """The combination that these cards are, 2s in sequences allowed; None where they are none."""
    if not cards:
        return None
    count, top = cards.bit_count(), Card(cards.bit_length() - 1)
    high = top >> 2
    low = ((cards & -cards).bit_length() - 1) >> 2
    if low == high:
        return Combo(_SAME[count - 1], count, top, cards)
    ranks = high - low + 1
    if ranks < 3 or count not in (ranks, 2 * ranks):
        return None
    each = count // ranks
    part: int = cards >> 4 * low
    while part:
        if (part & 0b1111).bit_count() != each:
            return None
        part >>= 4
    return Combo(STRAIGHT if each == 1 else DOUBLES, ranks, top, cards)
