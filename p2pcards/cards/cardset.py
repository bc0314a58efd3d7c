"""Sets of cards as ints: bit n is card n, whatever the number of decks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NewType, TypeVar

from p2pcards.cards.card import Card, Ranking, face

T = TypeVar("T")

Cards = NewType("Cards", int)

NONE = Cards(0)

ByBytes = tuple[tuple[tuple[T, ...], ...], ...]
"""For each byte of a set of cards from one deck, and each value of it: what these cards give."""

_BYTES = 7


def cards_of(cards: Iterable[Card]) -> Cards:
    """The set of these cards; the same card twice counts once."""
    held = 0
    for card in cards:
        held |= 1 << card
    return Cards(held)


def each(cards: Cards) -> Iterator[Card]:
    """The cards, low to high."""
    left: int = cards
    while left:
        low = left & -left
        yield Card(low.bit_length() - 1)
        left ^= low


def size(cards: Cards) -> int:
    """How many cards."""
    return cards.bit_count()


def in_order(cards: Cards) -> list[Card]:
    """The cards by face, copies of one card beside each other: the canonical order of every text."""
    return sorted(each(cards), key=lambda card: (face(card), card))


def format_cards(ranking: Ranking, cards: Cards) -> str:
    """Canonical text of a set, `AS 2S 3S`."""
    return " ".join(map(ranking.format, in_order(cards)))


def by_bytes(of: Sequence[T]) -> ByBytes[T]:
    """The table for `gathered` in which each card gives its own one of these."""
    table = []
    for first in range(0, 8 * _BYTES, 8):
        found: list[tuple[T, ...]] = [()]
        for given in of[first : first + 8]:
            found += [(*lower, given) for lower in found]
        table.append(tuple(found))
    return tuple(table)


def by_few(of: Sequence[T]) -> dict[int, tuple[T, ...]]:
    """What every set of one or two cards gives, low to high, where each card gives its own one of these."""
    found: dict[int, tuple[T, ...]] = {}
    for card, given in enumerate(of):
        found[1 << card] = (given,)
        for lower in range(card):
            found[1 << card | 1 << lower] = (of[lower], given)
    return found


def gathered(table: ByBytes[T], cards: int) -> list[T]:
    """What these cards give, low to high: a byte at a time, and written out, since a loop takes twice as long."""
    a, b, c, d, e, f, g = cards.to_bytes(_BYTES, "little")
    of_a, of_b, of_c, of_d, of_e, of_f, of_g = table
    return [*of_a[a], *of_b[b], *of_c[c], *of_d[d], *of_e[e], *of_f[f], *of_g[g]]
