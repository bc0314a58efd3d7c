"""Sets of cards as ints: bit n is card n, whatever the number of decks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NewType

from p2pcards.cards.card import Card, Ranking, face

Cards = NewType("Cards", int)

NONE = Cards(0)


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
