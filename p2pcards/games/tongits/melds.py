"""Melds: what is one, which ones a hand has, and the split of a hand that leaves the fewest points.

All of it is arithmetic on sets of cards. A rank is four neighbouring bits, so a card of the same suit and the next
rank lies four bits higher: `hand & hand >> 4 & hand >> 8` has a bit for the lowest card of every run of three, for all
suits at once. Sets and runs hinder each other only where a card is in both; elsewhere every set and every run of the
hand is melded whole. So the best split needs a choice only for ranks whose set shares cards with a run: leave that set
out, take it whole, or take it without one of the shared cards. When the sets are chosen, the runs follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from p2pcards.cards import NONE, Cards, each

_LOWEST = 0x1111111111111  # the first card of every rank
_WIDTH = 64  # choices kept side by side before those that can't win are dropped

# Cards whose points have the binary digit 1, 2, 4, 8.
_ONES, _TWOS, _FOURS, _EIGHTS = (
    sum(0b1111 << 4 * rank for rank in range(13) if min(rank + 1, 10) & digit) for digit in (1, 2, 4, 8)
)


def _every_meld() -> Iterator[int]:
    for rank in range(13):
        for suits in (0b0111, 0b1011, 0b1101, 0b1110, 0b1111):
            yield suits << 4 * rank
    for suit in range(4):
        for low in range(11):
            for high in range(low + 2, 13):
                yield sum(1 << 4 * rank + suit for rank in range(low, high + 1))


MELDS: tuple[Cards, ...] = tuple(map(Cards, _every_meld()))
"""Every meld there is."""

_FITS: dict[Cards, Cards] = dict.fromkeys(MELDS, NONE)
for _meld in MELDS:
    for _card in each(_meld):
        if (_smaller := Cards(_meld ^ 1 << _card)) in _FITS:
            _FITS[_smaller] = Cards(_FITS[_smaller] | 1 << _card)
_IN_RANK: dict[int, tuple[Cards, ...]] = {  # cards of one rank: the sets that can be made of them
    suits << 4 * rank: tuple(meld for meld in MELDS[5 * rank : 5 * rank + 5] if meld & suits << 4 * rank == meld)
    for rank in range(13)
    for suits in range(1, 16)
}
_RANKS = tuple(0b1111 << 4 * rank for rank in range(13))
_NEAR = tuple((1 << card << 4 | 1 << card << 8 | 1 << card >> 4 | 1 << card >> 8) for card in range(52))
"""By card, those two ranks up and down in its suit: a run with it has at least two of them."""


class Split(Struct, frozen=True, gc=False):
    """A hand laid out so that it counts least; `laid` goes on melds of the table, where a showdown allows it."""

    melds: tuple[Cards, ...]
    laid: Cards
    leftovers: Cards
    points: int


def points(cards: Cards) -> int:
    """What the cards count: ace 1, 2 to 10 their number, jack, queen and king 10."""
    return (
        (cards & _ONES).bit_count()
        + 2 * (cards & _TWOS).bit_count()
        + 4 * (cards & _FOURS).bit_count()
        + 8 * (cards & _EIGHTS).bit_count()
    )


def is_meld(cards: Cards) -> bool:
    """Whether the cards are a set or a run."""
    return cards in _FITS


def fits(meld: Cards) -> Cards:
    """The cards that can be laid off on this meld."""
    return _FITS[meld]


def melds_in(hand: Cards) -> list[Cards]:
    """Every meld that can be made of the hand: sets from low to high, then runs by their lowest card and length."""
    melds: list[Any] = []  # to call Cards costs as much as to find one
    both, one = hand & hand >> 1, hand | hand >> 1
    triples = (both & one >> 2 | both >> 2 & one) & _LOWEST
    while triples:
        low = triples & -triples
        triples ^= low
        melds += _IN_RANK[hand & low * 0b1111]
    heads = hand & hand >> 4 & hand >> 8
    while heads:
        low = heads & -heads
        heads ^= low
        run, top = low | low << 4 | low << 8, low << 12
        melds.append(run)
        while hand & top:
            run |= top
            top <<= 4
            melds.append(run)
    return melds


def melds_with(hand: Cards, card: int) -> list[Cards]:
    """Every meld of this card and cards of the hand, without the card itself; the card isn't in the hand."""
    melds: list[Any] = []  # as above
    top = 1 << card
    same = hand & _RANKS[card >> 2]
    if same & same - 1:
        melds += [meld ^ top for meld in _IN_RANK[same | top] if meld & top]
    near = hand & _NEAR[card]
    if not near & near - 1:
        return melds
    lower, below = [0], top >> 4
    while hand & below:
        lower.append(lower[-1] | below)
        below >>= 4
    higher, above = [0], top << 4
    while hand & above:
        higher.append(higher[-1] | above)
        above <<= 4
    for down, under in enumerate(lower):
        for over in higher[max(0, 2 - down) :]:
            melds.append(under | over)
    return melds


def deadwood(hand: Cards) -> int:
    """The fewest points that can be left over when the hand is split into melds and leftovers."""
    left: int = hand
    heads = left & left >> 4 & left >> 8
    both, one = left & left >> 1, left | left >> 1
    triples = (both & one >> 2 | both >> 2 & one) & _LOWEST
    if heads:
        runs = heads | heads << 4 | heads << 8
        if triples:
            sets = left & triples * 0b1111
            shared = runs & sets
            rank = (shared | shared >> 1 | shared >> 2 | shared >> 3) & _LOWEST
            if not shared:
                left &= ~(runs | sets)
            elif rank & rank - 1:
                left = _leftovers(hand, _best_sets(hand))
            else:
                return _one_contested(left & ~sets, left & rank * 0b1111, runs, shared)
        else:
            left ^= runs
    elif triples:
        left &= ~(triples * 0b1111)
    return (
        (left & _ONES).bit_count()
        + 2 * (left & _TWOS).bit_count()
        + 4 * (left & _FOURS).bit_count()
        + 8 * (left & _EIGHTS).bit_count()
    )


def _one_contested(rest: int, same: int, runs: int, shared: int) -> int:
    """Deadwood where the set `same` alone shares cards with runs: without it, with it whole, or all but one of four.

    rest: the hand without its sets; runs: of the whole hand.
    """
    fewest = min(points(Cards((rest | same) & ~runs)), points(Cards(rest & ~_runs(rest))))
    if same.bit_count() == 4:
        while shared:
            card = shared & -shared
            shared ^= card
            kept = rest | card
            fewest = min(fewest, points(Cards(kept & ~_runs(kept))))
    return fewest


def split(hand: Cards, table: tuple[Cards, ...] = ()) -> Split:
    """The best split of a hand; leftovers may also go on the melds of the `table`, one after another."""
    runs = free = 0
    for meld in table:
        if meld in _IN_RANK:
            free |= _FITS[meld]
        else:
            runs |= meld
    sets = _best_sets(hand, runs, free)
    rest = hand ^ sets
    laid, reach = 0, rest & (runs << 4 | runs >> 4)
    while reach & ~laid:
        laid |= reach
        reach = rest & (laid << 4 | laid >> 4)
    melded = _runs(rest & ~laid)
    left = rest & ~laid & ~melded
    laid |= left & free
    left &= ~free
    melds = [Cards(sets & low * 0b1111) for low in _bits(_triples(sets))]
    for low in _bits(melded & ~(melded << 4)):
        run, above = low, low << 4
        while melded & above:
            run |= above
            above <<= 4
        melds.append(Cards(run))
    return Split(tuple(melds), Cards(laid), Cards(left), points(Cards(left)))


def fours(hand: Cards) -> int:
    """Of how many ranks the hand has all four cards."""
    pairs = hand & hand >> 1
    return (pairs & pairs >> 2 & _LOWEST).bit_count()


def _bits(cards: int) -> Iterator[int]:
    while cards:
        low = cards & -cards
        yield low
        cards ^= low


def _triples(cards: int) -> int:
    """The first bit of every rank of which there are three or four."""
    both, one = cards & cards >> 1, cards | cards >> 1
    return (both & one >> 2 | both >> 2 & one) & _LOWEST


def _runs(cards: int) -> int:
    """All cards that are in a run of three or more."""
    heads = cards & cards >> 4 & cards >> 8
    return heads | heads << 4 | heads << 8


def _leftovers(hand: int, sets: int, table_runs: int = 0, free: int = 0) -> int:
    rest = hand ^ sets
    return rest & ~_runs(rest | table_runs) & ~free


def _best_sets(hand: int, table_runs: int = 0, free: int = 0) -> int:
    """The cards that are best melded as sets; `free` ones count nothing, cards next to `table_runs` neither."""
    covered = _runs(hand | table_runs)
    whole = 0
    choices: list[tuple[int, ...]] = []
    for low in _bits(_triples(hand)):
        same = hand & low * 0b1111
        shared = same & covered
        if not shared:
            whole |= same
        elif same == low * 0b1111:
            choices.append((0, same, *(same ^ card for card in _bits(shared))))
        else:
            choices.append((0, same))
    found = [whole]
    for taken in choices:
        found = [sets | more for sets in found for more in taken]
        if len(found) > _WIDTH:
            found = _promising(found, hand, table_runs, free, taken[1])
    return min(found, key=lambda sets: points(Cards(_leftovers(hand, sets, table_runs, free))))


def _promising(found: list[int], hand: int, table_runs: int, free: int, rank: int) -> list[int]:
    """The cheapest choice for each end that runs have at this rank: nothing else below can matter any more.

    `rank` is the set of that rank, the highest decided so far.
    """
    below = (1 << (rank.bit_length() + 3 & ~3)) - 1
    best: dict[int, tuple[int, int]] = {}
    for sets in found:
        low = (hand ^ sets | table_runs) & below
        end = low & (below ^ below >> 4)
        end |= low & end >> 4
        end |= low & end >> 4
        paid = points(Cards(_leftovers(hand & below, sets & below, table_runs & below, free)))
        if end not in best or paid < best[end][0]:
            best[end] = (paid, sets)
    return [sets for _, sets in best.values()]
