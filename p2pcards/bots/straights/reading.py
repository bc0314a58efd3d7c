"""What a player of Straights reads from its hand and the table."""

from __future__ import annotations

from collections.abc import Iterator

from p2pcards.cards import DECK, Card, Cards, cards_of, rank
from p2pcards.games.straights.state import SEVEN, View

_ALL = (1 << DECK) - 1


def points(card: Card) -> int:
    """What the card costs."""
    return rank(card) + 1


def dead(view: View) -> Cards:
    """The cards that the viewer knows were put aside: nothing beyond them can be played any more."""
    return cards_of(card for cards in (view.discards, *view.public.discards) for card in cards)


def hidden(view: View) -> Cards:
    """The cards that may be in other hands."""
    return Cards(_ALL & ~(view.public.table | view.hand | dead(view)))


def outward(card: Card) -> tuple[range, ...]:
    """The cards beyond this one in its suit, the next one first; on both sides of a seven."""
    up, down = range(card + 4, DECK, 4), range(card - 4, -1, -4)
    if rank(card) == SEVEN:
        return down, up
    return (up,) if rank(card) > SEVEN else (down,)


def inward(card: Card, table: Cards) -> Iterator[Card]:
    """The cards that must be played before this one, its neighbour first."""
    step = -4 if rank(card) > SEVEN else 4
    place = card
    while rank(place) != SEVEN:
        place = Card(place + step)
        if table >> place & 1:
            return
        yield place
