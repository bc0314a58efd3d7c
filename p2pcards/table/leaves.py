"""Which card of the shuffled order is whose (protocol 6.3).

A card is known by its leaf: the epoch of its shuffle and its place in that order. The layout of the game says who is
dealt which leaf, and draws take the stock in order; so everybody can say whose a leaf is, while only its owner is shown
the card. Which leaf somebody plays is nobody's business: a play names a face, and of several leaves with that face in a
hand the lowest counts as played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from p2pcards.cards import Card, Cards, each, face
from p2pcards.games.base import Place, Where
from p2pcards.table.deal import card_salt

if TYPE_CHECKING:
    from p2pcards.table.fold import RoundFold

Leaf = tuple[int, int]
"""Epoch, and place in its order."""

Opening = tuple[int, int, bytes, int]
"""A leaf with its salt and the card's face."""


class Leaves:
    """The leaves of one round: those in the hands, those turned up, and those in the stock.

    places: where each position of the first order goes; hands: by seat, before the first act.
    """

    def __init__(self, epoch: int, order: Sequence[Card], places: Sequence[Place], hands: Sequence[Cards]) -> None:
        self._orders: dict[int, Sequence[Card]] = {epoch: order}
        self._got: list[list[Leaf]] = [[] for _ in hands]
        self._held: list[set[Leaf]] = [set() for _ in hands]
        self._hands = list(hands)
        up, stock = list[Leaf](), list[Leaf]()
        for number, place in enumerate(places):
            leaf = (epoch, number)
            if place.where is Where.HAND and place.seat is not None:
                self._got[place.seat].append(leaf)
                self._held[place.seat].add(leaf)
            elif place.where is Where.FACE_UP:
                up.append(leaf)
            elif place.where is Where.STOCK:
                stock.append(leaf)
        self.up: tuple[Leaf, ...] = tuple(up)
        """Turned up at the deal, in order."""
        self._stock, self._drawn = stock, 0
        for seat in range(len(hands)):
            self._play(seat)

    def of(self, seat: int) -> list[Leaf]:
        """What the seat was dealt and drew in this round, in order."""
        return self._got[seat]

    def held(self, seat: int, start: int = 0) -> tuple[Leaf, ...]:
        """Those that are still in the seat's hand, in order; start: leaving out so many of the first it got."""
        return tuple(leaf for leaf in self._got[seat][start:] if leaf in self._held[seat])

    def card_at(self, epoch: int, place: int) -> Card:
        """The face of the card at that place of the epoch's order."""
        return face(self._orders[epoch][place])

    def shuffled(self, epoch: int, order: Sequence[Card]) -> None:
        """The dealer has put a new stock in place of the empty one."""
        self._orders[epoch] = order
        self._stock, self._drawn = [(epoch, place) for place in range(len(order))], 0

    def follow(self, actor: int, hands: Sequence[Cards], stock: int) -> None:
        """An act was done, or the dealer's shuffle: the hands by seat, and how many cards are left in the stock.

        What left the stock was drawn by the seat whose hand has grown: it need not be the one that acted. Where none
        has, the one that acted drew for a card that it played.
        """
        end = len(self._stock) - stock
        drawn, self._drawn = self._stock[self._drawn : end], end
        changed = [seat for seat, hand in enumerate(hands) if hand != self._hands[seat]]
        grown = [seat for seat in changed if hands[seat].bit_count() > self._hands[seat].bit_count()]
        self._hands = list(hands)
        if drawn:
            drawer = grown[0] if grown else actor
            self._got[drawer] += drawn
            self._held[drawer].update(drawn)
            changed.append(drawer)
        for seat in changed:
            self._play(seat)

    def _play(self, seat: int) -> None:
        """Takes out of the held leaves what is no longer in the hand."""
        held, hand = self._held[seat], self._hands[seat]
        if len(held) == hand.bit_count():
            return
        kept = Counter(map(face, each(hand)))
        for leaf in sorted(held, reverse=True):
            card = self.card_at(*leaf)
            if kept[card]:
                kept[card] -= 1
            else:
                held.remove(leaf)


def turned_up(layout: Sequence[Place], epoch: int, leaves: Sequence[Leaf]) -> bool:
    """Whether just these may be turned up with the deal: all that the layout says, and what follows them."""
    up = [place for place, goes in enumerate(layout) if goes.where is Where.FACE_UP]
    return len(leaves) >= len(up) > 0 and list(leaves) == [(epoch, up[0] + place) for place in range(len(leaves))]


def opened(fold: RoundFold, secret: bytes, leaves: Iterable[Leaf]) -> tuple[Opening, ...]:
    """What shows these cards of the round to whoever holds their leaves."""
    return tuple((epoch, place, card_salt(secret, epoch, place), fold.card_at(epoch, place)) for epoch, place in leaves)
