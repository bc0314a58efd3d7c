"""Worlds for the search, on ints: positions that a view allows, or that hands allow of which all are open.

Who drew had nothing that fitted: while the same card lies on top, only what it drew may fit. But the view doesn't say
who played that card. So each world takes it that some number of seats have drawn since, those before the viewer, as
likely as such hands are to have nothing that fits. After an attack that is gone, or a jack that skips nobody any more,
one seat did at least.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import NamedTuple

from p2pcards.bots.dice import Dice
from p2pcards.bots.onecard.kernel import Kernel, Position
from p2pcards.cards import DECK
from p2pcards.games.onecard.pack import FACES, FITTING, JACK, THREE, TWO
from p2pcards.games.onecard.state import Public

_AHEAD = 16
"""Cards of the stock that are mixed anew for each world; the rest of it lies as it lay, as mixed as ever."""

_TRIES = 20
"""Cards that are looked at for a hand which could hold none of them, before one is taken all the same."""


class Drew(NamedTuple):
    """That a seat drew so many cards, because it had none of some."""

    seat: int
    number: int
    lacked: int


class Past(NamedTuple):
    """What may have happened since the top card was played."""

    likely: float
    draws: tuple[Drew, ...]


class Worlds:
    """Draws positions like one that is given, in which what nobody has seen may lie anywhere.

    The hands of the seats named and the stock are dealt anew, as one of these pasts allows; all else stays.
    """

    def __init__(self, position: Position, hidden: Collection[int], rng: Dice, pasts: Sequence[Past] = ()) -> None:
        self._position, self._rng = position, rng
        self._hidden = [(seat, position.hands[seat].bit_count()) for seat in hidden]
        self._cards = sorted([*position.stock, *(bit for seat in hidden for bit in _bits(position.hands[seat]))])
        rng.shuffle(self._cards)
        self._draws = [{drew.seat: drew for drew in past.draws} for past in pasts] or [{}]
        self._likely = list(accumulate(past.likely for past in pasts)) or [1.0]

    def draw(self) -> Position:
        """One of them."""
        cards, random = self._cards, self._rng.random
        draws = self._rng.choices(self._draws, cum_weights=self._likely)[0] if len(self._draws) > 1 else self._draws[0]
        position = Kernel.copy(self._position)
        left = len(cards)
        for seat, count in self._hidden:
            drew, hand = draws.get(seat), 0
            for place in range(count):
                other = int(random() * left)
                if drew and place >= drew.number:
                    tries = _TRIES
                    while cards[other] & drew.lacked and tries:
                        other = int(random() * left)
                        tries -= 1
                left -= 1
                bit = cards[other]
                cards[other], cards[left] = cards[left], bit
                while hand & bit:
                    bit <<= DECK
                hand |= bit
            position.hands[seat] = hand
        for place in range(left - 1, max(0, left - _AHEAD), -1):
            other = int(random() * (place + 1))
            cards[place], cards[other] = cards[other], cards[place]
        position.stock = cards[:left]
        return position


def pasts(public: Public, position: Position) -> list[Past]:
    """What may have happened since the top card was played, by the public part of a view; at least one."""
    counts, top = public.counts, public.top
    rank, answers = top >> 2, position.answering[top]
    if public.pending or public.skipped is not None or not position.options.must_play:
        return [Past(1.0, ())]
    most = min(len(counts) - 1, public.actions)
    begins = public.discards[:-1] == tuple(card for _, card in public.order) and len(counts) * 2 > public.actions
    attack = rank + 1 if rank in (TWO, THREE) and not begins else 0
    least = most if begins else 1 if attack or rank == JACK else 0
    found, likely, draws = [Past(1.0, ())], 1.0, list[Drew]()
    seat: int = public.turn
    for _ in range(most):
        seat = position.before[seat]
        if attack:
            first = Drew(seat, attack, answers)
            found.append(Past(likely * _lacks(first, counts[seat]), (*draws, first)))
        draws.append(Drew(seat, 1, FITTING[top]))
        likely *= _lacks(draws[-1], counts[seat])
        if not attack:
            found.append(Past(likely, tuple(draws)))
    return found[min(least, most) :]


def _lacks(drew: Drew, count: int) -> float:
    """How likely a hand of that count had none of these cards before it drew."""
    return float((1 - drew.lacked.bit_count() / DECK) ** max(0, count - drew.number))


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
