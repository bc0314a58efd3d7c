"""Cards, sets of cards, and the shuffle."""

from p2pcards.cards.card import ACE_LOW, DECK, THREE_LOW, Card, Ranking, deck, face, quoted, rank, suit
from p2pcards.cards.cardset import NONE, Cards, cards_of, each, format_cards, in_order, size
from p2pcards.cards.shuffle import Stream

__all__ = [
    "ACE_LOW",
    "DECK",
    "NONE",
    "THREE_LOW",
    "Card",
    "Cards",
    "Ranking",
    "Stream",
    "cards_of",
    "deck",
    "each",
    "face",
    "format_cards",
    "in_order",
    "quoted",
    "rank",
    "size",
    "suit",
]
