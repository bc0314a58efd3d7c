"""Worlds for the search, on ints: positions that a view allows, or that hands allow of which all are open."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from p2pcards.bots.onecard.kernel import Kernel, Position
from p2pcards.cards import DECK
from p2pcards.games.onecard.pack import FACES

_AHEAD = 16
"""Cards of the stock that are mixed anew for each world; the rest of it lies as it lay, as mixed as ever."""


class Worlds:
    """Draws positions like one that is given, in which what nobody has seen may lie anywhere.

    The hands of the seats named and the stock are dealt anew; all else stays.
    """

    def __init__(self, position: Position, hidden: Collection[int], rng: Random) -> None:
        self._position, self._random = position, rng.random
        self._hidden = [(seat, position.hands[seat].bit_count()) for seat in hidden]
        self._dealt = sum(count for _, count in self._hidden)
        self._cards = sorted([*position.stock, *(bit for seat in hidden for bit in _bits(position.hands[seat]))])
        rng.shuffle(self._cards)

    def draw(self) -> Position:
        """One of them."""
        cards, random = self._cards, self._random
        end = len(cards) - 1
        for place in range(end, max(0, end - self._dealt - _AHEAD), -1):
            other = int(random() * (place + 1))
            cards[place], cards[other] = cards[other], cards[place]
        position = Kernel.copy(self._position)
        left = len(cards)
        for seat, count in self._hidden:
            hand = 0
            for bit in cards[left - count : left]:
                while hand & bit:
                    bit <<= DECK
                hand |= bit
            position.hands[seat] = hand
            left -= count
        position.stock = cards[:left]
        return position


def _bits(hand: int) -> list[int]:
    """The bit of each face in a hand, copies as often as they are there."""
    found = []
    while hand:
        faces = hand & FACES
        while faces:
            found.append(faces & -faces)
            faces &= faces - 1
        hand >>= DECK
    return found
