"""Cards, sets of cards, and the shuffle."""

from p2pcards.cards.card import ACE_LOW, DECK, THREE_LOW, Card, Ranking, deck, face, quoted, rank, suit
from p2pcards.cards.cardset import (
    NONE,
    ByBytes,
    Cards,
    by_bytes,
    by_few,
    cards_of,
    each,
    format_cards,
    gathered,
    in_order,
    size,
)
from p2pcards.cards.shuffle import Stream

__all__ = [
    "ACE_LOW",
    "DECK",
    "NONE",
    "THREE_LOW",
    "ByBytes",
    "Card",
    "Cards",
    "Ranking",
    "Stream",
    "by_bytes",
    "by_few",
    "cards_of",
    "deck",
    "each",
    "face",
    "format_cards",
    "gathered",
    "in_order",
    "quoted",
    "rank",
    "size",
    "suit",
]
