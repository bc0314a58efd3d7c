"""Hands that the others may hold: drawn so that they fit what their seats have done.

Any hand out of the unseen cards is possible, but not equally likely. Who has just thrown away a seven hardly holds a
lonely king; who has exposed nothing after a turn has no meld; who passed a discard could not use it. Each of that costs
a hand `energy`, and a hand is as likely as exp(-energy). Hands of such odds come from a walk that swaps two cards at a
time and takes back most swaps that make the hands less likely (Metropolis et al., "Equation of State Calculations by
Fast Computing Machines", 1953).

The weights were fitted to rounds between three `medium` bots: a hand really held against twelve drawn by chance.
"""

from __future__ import annotations

from math import exp

from p2pcards.bots.dice import Dice
from p2pcards.bots.tongits.kernel import BITS, takes
from p2pcards.bots.tongits.rollout import lonely, loose, points, worth
from p2pcards.cards import Cards, cards_of, each
from p2pcards.games.tongits.state import Phase, View

_EARLY, _LATE, _HALF = 0.05, 0.075, 9  # a loose point of who has exposed, before and after so many cards in the stock
_LONELY = 0.1  # a card without neighbours
_MELD, _FURTHER = 6.0, 1.05  # a meld in the hand of who has exposed none, or one already
_EXCESS = 0.45  # a point by which a loose card is worth throwing away more than the one that was
_BROKEN = 4.8  # the card thrown away was in a meld
_PASSED = 1.35  # the discard could have been taken

_FIRST, _BETWEEN = 60, 5
"""Swaps tried before the first world, and between two."""


class _Rival:
    """What the table tells of another hand."""

    __slots__ = ("acted", "exposed", "passed", "thrown", "weight")

    def __init__(self, exposed: bool, stock: int) -> None:
        self.exposed, self.acted = exposed, exposed
        self.weight = (_EARLY if stock > _HALF else _LATE) if exposed else 0.0
        self.thrown = self.passed = -1  # its last discard, and the one that it could have taken in that turn

    def energy(self, hand: int) -> float:
        """How unlikely the hand is."""
        left, thrown = loose(hand), BITS[self.thrown] if self.thrown >= 0 else 0
        alone = lonely(hand | thrown)
        energy = self.weight * points(left) + _LONELY * (left & alone).bit_count()
        if left != hand and self.acted:
            energy += _FURTHER if self.exposed else _MELD
        if thrown:
            before = loose(hand | thrown)
            if before & thrown:
                rest = before ^ thrown
                excess = worth(rest & alone, rest & ~alone) - worth(thrown & alone, thrown & ~alone)
                if excess > 0:
                    energy += _EXCESS * excess
            else:
                energy += _BROKEN
        if self.passed >= 0 and takes(hand, self.passed):
            energy += _PASSED
        return energy


class Worlds:
    """The hands and the stock as the viewer, whose turn it is to draw or to act, may think them to be."""

    def __init__(self, view: View, dice: Dice) -> None:
        public, me = view.public, int(view.seat or 0)
        self._dice, self._me, self._hand = dice, me, int(view.hand)
        self._seats = ((me + 1) % 3, (me + 2) % 3)
        seen = view.hand | cards_of(public.discards)
        for meld in public.melds:
            seen |= meld.cards
        self._cards = [int(card) for card in each(Cards(~seen & (1 << 52) - 1))]
        self._rivals = _rivals(view, self._seats)
        dice.shuffle(self._cards)
        one, two = (public.counts[seat] for seat in self._seats)
        self._ends, self._stock = (one, one + two), public.stock
        self._hands = [self._held(0, one), self._held(one, one + two)]
        self._energies = [rival.energy(hand) for rival, hand in zip(self._rivals, self._hands, strict=True)]
        self._walk(_FIRST)

    def draw(self) -> tuple[list[int], list[int]]:
        """Hands by seat, and the stock with the next card last."""
        self._walk(_BETWEEN)
        hands = [self._hand] * 3
        for seat, hand in zip(self._seats, self._hands, strict=True):
            hands[seat] = hand
        stock = self._cards[self._ends[1] :]
        self._dice.shuffle(stock)
        return hands, stock[: self._stock]

    def _held(self, start: int, end: int) -> int:
        held = 0
        for card in self._cards[start:end]:
            held |= BITS[card]
        return held

    def _walk(self, swaps: int) -> None:
        cards, chance, (one, end) = self._cards, self._dice.random, self._ends
        hands, energies, (first, second) = self._hands, self._energies, self._rivals
        everything = len(cards)
        for _ in range(swaps):
            here, there = int(chance() * end), int(chance() * everything)
            if there < here:
                here, there = there, here
            a, b = hands
            swapped = BITS[cards[here]] | BITS[cards[there]]
            if here < one:
                if there < one:
                    continue
                a ^= swapped
                if there < end:
                    b ^= swapped
            elif there < end:
                continue
            else:
                b ^= swapped
            e = first.energy(a) if a != hands[0] else energies[0]
            f = second.energy(b) if b != hands[1] else energies[1]
            worse = e + f - energies[0] - energies[1]
            if worse <= 0 or chance() < exp(-worse):
                hands[:], energies[:] = (a, b), (e, f)
                cards[here], cards[there] = cards[there], cards[here]


def _rivals(view: View, seats: tuple[int, int]) -> tuple[_Rival, _Rival]:
    """What each of the others threw away last and what it passed then, where the pile tells.

    The seat before the viewer has discarded the top card, unless the viewer has taken what that was. The seat before
    that one has discarded the next below, unless it was taken; who drew the last card took nothing.
    """
    public = view.public
    owners = {int(meld.owner) for meld in public.melds}
    following, before = (_Rival(seat in owners, public.stock) for seat in seats)
    took = public.phase is Phase.ACT and public.last_drawer != view.seat
    pile = [-1, -1, -1, *map(int, public.discards)]
    if not took:
        before.thrown = pile.pop()
    if public.last_drawer == seats[1] or (public.phase is Phase.ACT and not took):
        before.passed = following.thrown = pile.pop()
        following.passed = pile.pop()
    following.acted = following.exposed or following.thrown >= 0
    before.acted = before.exposed or before.thrown >= 0
    return following, before
