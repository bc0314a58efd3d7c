"""The deal of One Card: hands, order cards, the starter card (docs/rules/onecard.md, R4 to R10, R37)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from p2pcards.cards import DECK, Card, rank
from p2pcards.games.base import Dealt, Place, Seat, Where
from p2pcards.games.onecard.options import OneCardOptions
from p2pcards.games.onecard.pack import held


def ordered(options: OneCardOptions, first: bool) -> bool:
    """Whether order cards are turned up in this round."""
    return options.order_cards == "every_round" or (options.order_cards == "first_round" and first)


@lru_cache
def layout(seats: int, starter: Seat, cards: int, decks: int, with_order: bool) -> tuple[Place, ...]:
    """Hands from the starter on, then an order card for each seat, or else the starter card; the rest is the stock.

    The starter card comes from the stock where there are order cards: how many of these are turned up isn't certain.
    """
    hands = [Place(Where.HAND, Seat((starter + place) % seats)) for place in range(cards * seats)]
    shown = [Place(Where.FACE_UP, Seat(seat)) for seat in range(seats)] if with_order else [Place(Where.FACE_UP)]
    stock = [Place(Where.STOCK)] * (DECK * decks - len(hands) - len(shown))
    return tuple([*hands, *shown, *stock][: DECK * decks])


def dealt(order: Sequence[Card], seats: int, starter: Seat, cards: int, with_order: bool) -> Dealt:
    """What this order of the cards gives, as `layout` has it, with all order cards and the starter card turned up."""
    faces = [Card(card % DECK) for card in order]
    there = seats * cards
    hands = tuple(held(faces[(seat - starter) % seats : there : seats]) for seat in range(seats))
    stock = faces[there:]
    drawn: list[tuple[Seat, Card]] = []
    if with_order:
        tied = list(map(Seat, range(seats)))
        while len(tied) > 1 and (not drawn or len(stock) - len(tied) > seats):
            drawn += zip(tied, stock, strict=False)
            del stock[: len(tied)]
            tied = lowest(drawn)
    shown = [*(card for _, card in drawn), *stock[:1]]
    return Dealt(hands, tuple(stock[1:]), tuple(shown), tuple(drawn))


def placed(layout: Sequence[Place], dealt: Dealt) -> tuple[Place, ...]:
    """The layout with all order cards that were turned up in this deal, and the starter card after them."""
    hands = [place for place in layout if place.where is Where.HAND]
    shown = [*(Place(Where.FACE_UP, seat) for seat, _ in dealt.order), Place(Where.FACE_UP)]
    return (*hands, *shown, *[Place(Where.STOCK)] * len(dealt.stock))


def lowest(order: Sequence[tuple[Seat, Card]]) -> list[Seat]:
    """Who is left in the race for the first turn, by seat: the lowest of each drawing among those that drew."""
    tied, left = list[Seat](), list(order)
    while left:
        drawn, left = _drawing(left)
        low = min(map(_height, drawn.values()))
        tied = sorted(seat for seat, card in drawn.items() if _height(card) == low)
    return tied


def _drawing(order: Sequence[tuple[Seat, Card]]) -> tuple[dict[Seat, Card], list[tuple[Seat, Card]]]:
    """The first card of each seat, and the cards after them."""
    drawn: dict[Seat, Card] = {}
    for place, (seat, card) in enumerate(order):
        if seat in drawn:
            return drawn, list(order[place:])
        drawn[seat] = card
    return drawn, []


def _height(card: Card) -> int:
    """2 is the lowest, the ace the highest."""
    return (rank(card) - 1) % 13
