"""Hands of several decks, and which cards fit on which (docs/rules/onecard.md, R11 to R17, R33, R34, R41).

In a hand the second of two equal cards is 52 above the first, so the low 52 bits are the faces it holds.
"""

from __future__ import annotations

from collections.abc import Iterable

from p2pcards.cards import DECK, Card, Cards, deck, each, rank, suit

TWO, THREE, SEVEN, JACK, QUEEN = 1, 2, 6, 10, 11
"""The ranks with an effect."""

BITS = tuple(1 << card for card in deck())
"""By face."""

FACES = (1 << DECK) - 1


def with_card(hand: Cards, card: Card) -> Cards:
    """The hand with one more card of this face."""
    bit = BITS[card]
    while hand & bit:
        bit <<= DECK
    return hand | bit  # type: ignore[return-value]  # calling Cards would cost as much as all of this


def without(hand: Cards, card: Card) -> Cards:
    """The hand with one card of this face less; it holds one."""
    bit = 1 << card
    if hand > FACES:
        while hand & bit << DECK:
            bit <<= DECK
    return hand ^ bit  # type: ignore[return-value]  # as above


def held(cards: Iterable[Card]) -> Cards:
    """The hand of these cards, of which only the faces matter."""
    hand = 0
    for card in cards:
        bit = 1 << card % DECK
        while hand & bit:
            bit <<= DECK
        hand |= bit
    return Cards(hand)


def points(hand: Cards) -> int:
    """What the hand counts: an ace 1, 2 to 10 their number, jack, queen and king 10."""
    return sum(min(rank(card) + 1, 10) for card in each(hand))


def _of_rank(wanted: int) -> int:
    return 0b1111 << 4 * wanted


def _of_suit(wanted: int) -> int:
    return sum(1 << card for card in deck() if suit(card) == wanted)


_SUITS = tuple(map(_of_suit, range(4)))
_DEFENCES = _of_rank(TWO) | _of_rank(THREE) | _of_rank(SEVEN)
_REDIRECTIONS = _of_rank(QUEEN) | _of_rank(JACK)

ANSWERS = Cards(_DEFENCES | _REDIRECTIONS)
"""What may be played under attack, if it fits."""

FITTING = tuple(Cards(_SUITS[suit(card)] | _of_rank(rank(card))) for card in deck())
"""By the top card, what may be played on it when no attack is pending."""


def _answers(top: Card, free_defence: bool, by_rank: bool) -> Cards:
    defences = _DEFENCES if free_defence else _DEFENCES & FITTING[top]
    redirections = _REDIRECTIONS & (FITTING[top] if by_rank else _SUITS[suit(top)])
    return Cards(defences | redirections)


ANSWERING = tuple(
    tuple(tuple(_answers(top, free, by_rank) for top in deck()) for by_rank in (False, True)) for free in (False, True)
)
"""The same under attack, by the options free_defence and redirect_by_rank."""
