"""Small endings of Tiến lên, solved exactly: ways out that nobody can stop, whatever the others hold.

Who plays what nobody can beat leads again. So a hand is out for certain that is played in such combinations, all but
the last of them, which need not hold. Whether one can be beaten is asked of all unseen cards together, of as many as
the fullest of the others' hands has: each of the hands holds less, so what is sure here is sure.

    ending = Ending(unseen, 5)
    for move in KERNEL.moves(position):
        if ending.is_out(hand, move): ...
"""

from __future__ import annotations

from p2pcards.bots.tienlen.kernel import ALL, DOUBLES, FORM, KERNEL, Position
from p2pcards.bots.tienlen.policy import TWOS

MOST = 7
"""Cards of a hand whose ways are looked through; of more there are too many."""

_RANKS = 13
_TRIPLE = 2  # its form


class Ending:
    """What the others may have in the rest of a round."""

    def __init__(self, unseen: int, most: int) -> None:
        """unseen: the cards that they may hold. most: how many the fullest of their hands has."""
        self._most = most
        self._others = [_leading(_highest(unseen, size)) for size in range(1, 5)]
        self._mine = _leading(0)
        self._beaten: dict[int, bool] = {}
        self._ways: dict[int, bool] = {}

    def is_out(self, hand: int, move: int) -> bool:
        """Whether the hand is out for certain that begins with this move, a move of the kernel's; a pass is none."""
        left = hand ^ move & ALL
        return bool(move) and (not left or (not self._is_beaten(move) and self._has_way(left)))

    def _has_way(self, hand: int) -> bool:
        """Whether the hand is out for certain when it leads."""
        if (known := self._ways.get(hand)) is None:
            self._mine.hands[0] = hand
            known = self._ways[hand] = any(self.is_out(hand, move) for move in reversed(KERNEL.moves(self._mine)))
        return known

    def _is_beaten(self, move: int) -> bool:
        """Whether the others may have something that beats the move."""
        if (known := self._beaten.get(move)) is None:
            form = move >> FORM
            if move & TWOS and form <= _TRIPLE:
                known = self._is_bombed(form) or any(self._is_answered(move, size) for size in (1, 2))
            else:
                known = self._is_answered(move, form + 1 if form < 4 else 1 if form < DOUBLES else 2)
            self._beaten[move] = known
        return known

    def _is_bombed(self, form: int) -> bool:
        """Whether the others may have four of a kind, and that beats so many 2s less 1."""
        return form < _TRIPLE and self._most > 3 and bool(self._others[3].hands[0])

    def _is_answered(self, move: int, size: int) -> bool:
        others = self._others[size - 1]
        others.pile = move
        return any(answer and (answer & ALL).bit_count() <= self._most for answer in KERNEL.moves(others))


def _highest(cards: int, size: int) -> int:
    """Of each rank that has so many cards the highest so many: if any cards answer a move, these do."""
    found = 0
    for low in range(0, 4 * _RANKS, 4):
        held = cards >> low & 0b1111
        if held.bit_count() >= size:
            while held.bit_count() > size:
                held &= held - 1
            found |= held << low
    return found


def _leading(hand: int) -> Position:
    """A hand whose turn it is, with nothing to beat."""
    position = Position()
    position.hands, position.places = [hand], []
    position.turn = position.pile = position.owner = 0
    position.open = position.holders = 1
    return position
