"""What a player of Tiến lên reads from its hand and the table.

A hand is taken for the turns that it still needs. Each of the combinations into which it is split costs one turn, less
the chance to be rid of it on somebody else's lead, less the chance that it wins the lead for the next one; so high
cards cost less than nothing. Of all splits the cheapest counts.
"""

from __future__ import annotations

from functools import lru_cache

from p2pcards.cards import DECK, Card, Cards
from p2pcards.games.base import Seat
from p2pcards.games.tienlen.combos import Combo, Kind
from p2pcards.games.tienlen.state import Public, View

_ALL = (1 << DECK) - 1
_RANKS = range(13)
_HIGHEST = 12
_PAIRS = 0x5555555555555
_FOURS = 0x3333333333333
_ONES = 0x1111111111111

TWOS_ALONE = 0b1111 << 4 * _HIGHEST
"""The counts of twos among those of a hand."""

_FOLLOWED = {1: 1.0, 2: 0.6, 3: 0.2, 4: 0.1}
"""The chance that the highest set of so many cards of one rank goes on somebody else's lead; lower ones have less."""
_BOMB = 1.3
"""What a bomb is worth, in turns: the lead for certain, and the twos that it stops."""
_HELD_UP = {2: 0.35, 3: 0.15}
"""The chance that one rank of which enough cards are unseen holds a pair, or a triple, that is played."""


def counts(cards: Cards) -> int:
    """How many cards of each rank, four bits a rank."""
    pairs = (cards & _PAIRS) + (cards >> 1 & _PAIRS)
    return (pairs & _FOURS) + (pairs >> 2 & _FOURS)


def _of_one_rank(size: int, rank: int) -> float:
    height = rank / _HIGHEST
    wins = {1: 0.9 * height**6, 2: 0.85 * height**2, 3: 0.4 + 0.5 * height, 4: _BOMB}[size]
    return 1 - _FOLLOWED[size] * height - wins


_SETS = tuple(tuple(_of_one_rank(size, rank) if size else 0.0 for rank in _RANKS) for size in range(5))
"""The turns that a set costs, by its size and rank."""


def _straight(length: int, high: int) -> float:
    return 1 - 0.15 - min(0.3 + 0.12 * (length - 3) + 0.3 * high / _HIGHEST, 0.95)


_DOUBLES = 0.9 - _BOMB  # to be rid of them on twos alone is a rare chance


@lru_cache(1 << 16)
def turns(held: int) -> float:
    """The turns that a hand of these counts still needs; lower is better."""
    if not held:
        return 0.0
    rank = (held & -held).bit_length() - 1 >> 2
    low = 4 * rank
    count = held >> low & 0b1111
    best = _SETS[count][rank] + turns(held - (count << low))
    if count > 1:
        best = min(best, _SETS[1][rank] + turns(held - (1 << low)))
    if count > 2:
        best = min(best, _SETS[2][rank] + turns(held - (2 << low)))
    run = 0
    for high in range(rank, 13):
        if not held >> 4 * high & 0b1111:
            break
        run |= 1 << 4 * high
        if high - rank > 1:
            best = min(best, _straight(high - rank + 1, high) + turns(held - run))
    run = 0
    for high in range(rank, 13):
        if held >> 4 * high & 0b1111 < 2:
            break
        run |= 2 << 4 * high
        if high - rank > 1:
            best = min(best, _DOUBLES + turns(held - run))
    return best


def rivals(public: Public, seat: Seat | None, combo: Combo) -> list[Seat]:
    """The seats that may still beat this combination: those in the trick with enough cards for it."""
    return [
        Seat(other)
        for other, count in enumerate(public.counts)
        if other != seat and not public.passed[other] and count >= combo.size
    ]


def chance_above(view: View, card: Card) -> float:
    """The chance that a card that the viewer has not seen is higher."""
    unseen = _ALL & ~(view.hand | view.public.played)
    return (unseen >> card + 1).bit_count() / max(unseen.bit_count(), 1)


def chance_to_win(view: View, combo: Combo) -> float:
    """About the chance that nobody beats the combination when the viewer plays it."""
    public = view.public
    others = rivals(public, view.seat, combo)
    if not others:
        return 1.0
    unseen = _ALL & ~(view.hand | public.played)
    share = min(sum(public.counts[other] for other in others) / max(unseen.bit_count(), 1), 1.0)
    if combo.kind is Kind.SINGLE:
        return float((1 - 0.75 * share) ** (unseen >> combo.top + 1).bit_count())
    if combo.kind is Kind.STRAIGHT:
        held = unseen | unseen >> 1 | unseen >> 2 | unseen >> 3
        run = _ONES >> 4 * (13 - combo.size)
        above = range((combo.top >> 2) - combo.size + 2, 14 - combo.size)
        windows = sum(held >> 4 * low & run == run for low in above)
        return float((1 - 0.6 * share / (combo.size - 1)) ** windows)
    if combo.size in _HELD_UP:
        held = counts(Cards(unseen))
        ranks = sum(held >> 4 * rank & 0b1111 >= combo.size for rank in range((combo.top >> 2) + 1, 13))
        return float((1 - _HELD_UP[combo.size] * share) ** ranks)
    return 0.95
