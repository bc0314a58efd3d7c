"""The plays that a hand holds, found without trying any that can't be made.

A hand is taken apart into its ranks, four bits each. What a single rank gives stands in tables; a sequence takes one
part from each of several ranks, so sequences are the products of what consecutive ranks hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import cast

from p2pcards.cards import Cards, each
from p2pcards.games.tienlen.actions import Play
from p2pcards.games.tienlen.combos import (
    DOUBLES,
    PAIR,
    QUAD,
    SINGLE,
    STRAIGHT,
    TRIPLE,
    Combo,
    Kind,
    bombs_on,
    one_suit,
)
from p2pcards.games.tienlen.options import TienLenOptions

_SHIFTS = tuple(range(0, 52, 4))
_QUARTERS = tuple(0x1FFF << 13 * part for part in range(4))
_ONES = 0x1111111111111
_RUNS = tuple(_ONES >> 4 * (13 - size) for size in range(14))
_TWO = 1 << 48
_play = cast(Callable[[int], Play], Play)  # a union of cards is cards: what `Cards` would say again costs time


_Sets = tuple[tuple[tuple[Cards, ...], ...], ...]
"""By rank, and by which cards of it are held: some sets of these."""


def _sets(size: int) -> _Sets:
    """By rank, and by which cards of it are held: every set of so many of them."""
    chosen = [
        [
            sum(1 << suit for suit in suits)
            for suits in combinations([suit for suit in range(4) if held >> suit & 1], size)
        ]
        for held in range(16)
    ]
    return tuple(tuple(tuple(Cards(part << shift) for part in parts) for parts in chosen) for shift in _SHIFTS)


def _plays(sets: _Sets) -> tuple[tuple[tuple[Play, ...], ...], ...]:
    same = {cards: Play(cards) for held in sets for cards in held[0b1111]}
    return tuple(tuple(tuple(same[cards] for cards in parts) for parts in held) for held in sets)


_SINGLE_SETS, _PAIR_SETS = _sets(1), _sets(2)
_SINGLES = _plays(_SINGLE_SETS)
_BY_KIND: dict[Kind, tuple[tuple[tuple[Play, ...], ...], ...]] = {
    PAIR: _plays(_PAIR_SETS),
    TRIPLE: _plays(_sets(3)),
    QUAD: _plays(_sets(4)),
}
_OF_ONE_RANK = tuple(
    tuple(
        (*_SINGLES[rank][held], *_BY_KIND[PAIR][rank][held], *_BY_KIND[TRIPLE][rank][held], *_BY_KIND[QUAD][rank][held])
        for held in range(16)
    )
    for rank in range(13)
)


def leads(options: TienLenOptions, hand: Cards) -> list[Play]:
    """Every combination in the hand: by rank those of one rank, then straights, then double sequences."""
    held = [hand >> shift & 0b1111 for shift in _SHIFTS]
    plays: list[Play] = []
    for same, suits in zip(_OF_ONE_RANK, held, strict=True):
        if suits:
            plays += same[suits]
    return plays + _sequences(options, _SINGLE_SETS, hand, 3) + _sequences(options, _PAIR_SETS, hand, 3)


def beating(options: TienLenOptions, hand: Cards, pile: Combo) -> list[Play]:
    """Every combination in the hand that beats the pile: the higher ones of its kind and size, then bombs."""
    kind, above = pile.kind, pile.top + 1
    plays: list[Play] = []
    if kind is SINGLE:
        higher = hand >> above << above
        for quarter in _QUARTERS:
            if part := higher & quarter:
                plays += _singles(part)
    elif kind is STRAIGHT:
        plays = _higher(options, _SINGLE_SETS, hand, pile)
        if options.suited_straight_lock and one_suit(pile.cards):
            plays = [play for play in plays if one_suit(play.cards)]
    elif kind is DOUBLES:
        plays = _higher(options, _PAIR_SETS, hand, pile)
    elif hand >> above:
        same = _BY_KIND[kind]
        plays += [play for play in same[pile.top >> 2][hand >> _SHIFTS[pile.top >> 2] & 0b1111] if play.cards >> above]
        for rank in range((pile.top >> 2) + 1, 13):
            plays += same[rank][hand >> 4 * rank & 0b1111]
    quads, pairs = bombs_on(options, pile)
    if quads:
        plays += _quads(hand)
    if pairs:
        plays += _sequences(options, _PAIR_SETS, hand, pairs)
    return plays


def four_pairs(options: TienLenOptions, hand: Cards) -> list[Play]:
    """Every double sequence of exactly four pairs in the hand."""
    return [play for play in _sequences(options, _PAIR_SETS, hand, 4) if play.cards.bit_count() == 8]


@lru_cache(None)
def _singles(part: int) -> tuple[Play, ...]:
    """The single cards of a quarter of the pack, of which a hand has few different ones."""
    return tuple(_SINGLES[card >> 2][1 << (card & 3)][0] for card in each(Cards(part)))


def _quads(hand: Cards) -> list[Play]:
    full = hand & hand >> 1 & hand >> 2 & hand >> 3 & _ONES
    return [play for rank in range(13) if full >> 4 * rank & 1 for play in _BY_KIND[QUAD][rank][0b1111]] if full else []


def _ranks(options: TienLenOptions, sets: object, hand: Cards) -> int:
    """The ranks that can be part of a sequence, as the lowest bit of each: held once, or for pairs twice."""
    second, third, fourth = hand >> 1, hand >> 2, hand >> 3
    if sets is _SINGLE_SETS:
        ranks = (hand | second | third | fourth) & _ONES
    else:
        ranks = ((hand & second) | (third & fourth) | ((hand | second) & (third | fourth))) & _ONES
    return ranks if options.twos_in_sequences else ranks & ~_TWO


def _sequences(options: TienLenOptions, sets: _Sets, hand: Cards, least: int) -> list[Play]:
    """Every sequence of at least so many ranks, of one such set of each rank."""
    ranks = _ranks(options, sets, hand)
    plays: list[Play] = []
    if not ranks & ranks >> 4 & ranks >> 8:
        return plays
    run = _RUNS[least]
    for low in range(14 - least):
        if ranks >> 4 * low & run != run:
            continue
        found: Sequence[int] = sets[low][hand >> 4 * low & 0b1111]
        for rank in range(low + 1, 13):
            if not ranks >> 4 * rank & 1:
                break
            parts = sets[rank][hand >> 4 * rank & 0b1111]
            found = [cards | part for cards in found for part in parts]
            if rank - low >= least - 1:
                plays += map(_play, found)
    return plays


def _higher(options: TienLenOptions, sets: _Sets, hand: Cards, pile: Combo) -> list[Play]:
    """Every sequence of the same length whose highest card is higher."""
    ranks, run, plays = _ranks(options, sets, hand), _RUNS[pile.size], list[Play]()
    for high in range(pile.top >> 2, 13):
        low = high - pile.size + 1
        if ranks >> 4 * low & run != run:
            continue
        found: Sequence[int] = [part for part in sets[high][hand >> 4 * high & 0b1111] if part >> pile.top + 1]
        for rank in range(low, high):
            parts = sets[rank][hand >> 4 * rank & 0b1111]
            found = [cards | part for cards in found for part in parts]
        plays += map(_play, found)
    return plays
