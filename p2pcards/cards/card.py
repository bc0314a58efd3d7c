"""Single cards and their text (records.md, "Cards in text").

A card is an int: copy * 52 + rank * 4 + suit, rank and suit counted in the game's own order. `Ranking` is that order;
what differs between games is only which rank and which suit is lowest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NewType

from p2pcards.errors import InvalidCard

Card = NewType("Card", int)

DECK = 52
_ALIASES = {"1": "A", "10": "T", "♣": "C", "♦": "D", "♥": "H", "♠": "S"}
_RANK, _SUIT = r"10|[1-9TJQKA]", r"[CDHS♣♦♥♠]"
_CARD = re.compile(rf"(?:({_RANK})({_SUIT})|({_SUIT})({_RANK}))")
_APART = re.compile(r"[\s,]+")


class Ranking:
    """A game's own order of the 13 ranks and 4 suits, lowest first."""

    def __init__(self, ranks: str, suits: str) -> None:
        self.ranks, self.suits = ranks, suits
        self._texts = tuple(rank + suit for rank in ranks for suit in suits)
        self._cards = {text: Card(face) for face, text in enumerate(self._texts)}

    def format(self, card: Card) -> str:
        """Canonical text, `7H`; copies from several decks have the same text."""
        return self._texts[card % DECK]

    def parse(self, text: str) -> Card:
        """Copy 0 of the card that `text` names; raises InvalidCard."""
        found = _CARD.fullmatch(text.replace("\ufe0f", "").upper())
        if not found:
            raise InvalidCard(f"not a card: {quoted(text)}")
        rank, suit = (found[1], found[2]) if found[1] else (found[4], found[3])
        return self._cards[_ALIASES.get(rank, rank) + _ALIASES.get(suit, suit)]

    def parse_all(self, text: str) -> tuple[Card, ...]:
        """Cards apart by spaces or commas, in the order written; raises InvalidCard."""
        return tuple(self.parse(word) for word in _APART.split(text) if word)


def quoted(text: str) -> str:
    """What somebody wrote, for a sentence of ours: printable and at most 40 characters."""
    return "".join(char if char.isprintable() else "?" for char in text[:40]) + "…" * (len(text) > 40)


ACE_LOW = Ranking("A23456789TJQK", "CDHS")
THREE_LOW = Ranking("3456789TJQKA2", "SCDH")


def rank(card: Card) -> int:
    """0..12 in the game's own order."""
    return card % DECK >> 2


def suit(card: Card) -> int:
    """0..3 in the game's own order."""
    return card & 3


def face(card: Card) -> Card:
    """The card's copy 0."""
    return Card(card % DECK)


def deck(decks: int = 1) -> Iterator[Card]:
    """Every card of that many decks, ascending."""
    return (Card(card) for card in range(DECK * decks))
