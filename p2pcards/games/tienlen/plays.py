"""The plays that a hand holds, found without trying any that can't be made.

A hand is taken apart into its ranks, four bits each. What a single rank gives stands in tables; a sequence takes one
part from each of several ranks, so sequences are the products of what consecutive ranks hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import cast

from p2pcards.cards import DECK, Cards
from p2pcards.games.tienlen.actions import Play
from p2pcards.games.tienlen.combos import (
    DOUBLES,
    PAIR,
    QUAD,
    SINGLE,
    TRIPLE,
    Combo,
    bombs_on,
    one_suit,
)
from p2pcards.games.tienlen.options import TienLenOptions

_ONES = 0x1111111111111
_RUNS = tuple(_ONES >> 4 * (13 - size) for size in range(14))
_TWO = 1 << 48
_BYTES = 7  # of a hand: two ranks each
_play = cast(Callable[[int], Play], Play)  # a union of cards is cards: what `Cards` would say again costs time

_Sets = tuple[tuple[tuple[Cards, ...], ...], ...]
"""By rank, and by which cards of it are held: some sets of these."""
_Plays = tuple[tuple[tuple[Play, ...], ...], ...]
"""By pair of ranks, and by which cards of these are held: some plays of one rank."""


def _sets(size: int) -> _Sets:
    """Every set of so many of the held cards."""
    chosen = [
        [
            sum(1 << suit for suit in suits)
            for suits in combinations([suit for suit in range(4) if held >> suit & 1], size)
        ]
        for held in range(16)
    ]
    return tuple(tuple(tuple(Cards(part << 4 * rank) for part in parts) for parts in chosen) for rank in range(13))


_SETS = tuple(map(_sets, range(1, 5)))
_SINGLES, _PAIRS, _TRIPLES, _QUADS = _SETS
_OF_SETS = {cards: Play(cards) for sets in _SETS for held in sets for cards in held[0b1111]}


def _plays(*kinds: _Sets) -> _Plays:
    """The plays of these kinds, rank by rank."""
    ranks = [
        [[_OF_SETS[cards] for sets in kinds for cards in sets[rank][held]] for held in range(16)] for rank in range(13)
    ]
    ranks.append([[]] * 16)
    return tuple(
        tuple((*low[held & 0b1111], *high[held >> 4]) for held in range(256))
        for low, high in zip(ranks[::2], ranks[1::2], strict=True)
    )


_OF_ONE_RANK = _plays(*_SETS)
_OF_KIND = dict(zip((SINGLE, PAIR, TRIPLE, QUAD), map(_plays, _SETS), strict=True))
_ABOVE = {
    kind: tuple(
        tuple(tuple(_OF_SETS[cards] for cards in parts if cards >> top) for parts in sets[top >> 2])
        for top in range(DECK)
    )
    for kind, sets in zip(_OF_KIND, _SETS, strict=True)
}
"""By kind, by a card that is not held, and by what is held of its rank: the plays of that rank that are higher."""


def leads(options: TienLenOptions, hand: Cards) -> list[Play]:
    """Every combination in the hand: by rank those of one rank, then straights, then double sequences."""
    plays: list[Play] = []
    for same, held in zip(_OF_ONE_RANK, hand.to_bytes(_BYTES, "little"), strict=True):
        plays += same[held]
    _add_sequences(plays, _SINGLES, hand, _ranks(options, hand), 3)
    if hand.bit_count() > 5:
        _add_sequences(plays, _PAIRS, hand, _paired(options, hand), 3)
    return plays


def beating(options: TienLenOptions, hand: Cards, pile: Combo) -> list[Play]:
    """Every combination in the hand that beats the pile: the higher ones of its kind and size, then bombs."""
    plays: list[Play] = []
    top = pile.top
    if hand >> top:
        if not pile.is_sequence:
            kind = pile.kind
            plays += _ABOVE[kind][top][hand >> (top & ~3) & 0b1111]
            if higher := hand >> (top | 3) + 1:
                held = (higher << (top | 3) + 1).to_bytes(_BYTES, "little")
                same = _OF_KIND[kind]
                for byte in range(top >> 3, _BYTES):
                    plays += same[byte][held[byte]]
        elif pile.kind is DOUBLES:
            _add_as_long(plays, _PAIRS, hand, _paired(options, hand), pile)
        else:
            _add_as_long(plays, _SINGLES, hand, _ranks(options, hand), pile)
            if options.suited_straight_lock and one_suit(pile.cards):
                plays = [play for play in plays if one_suit(play.cards)]
    if pile.only_twos or pile.is_bomb:
        quads, pairs = bombs_on(options, pile)
        if quads:
            for full, suits in zip(_OF_KIND[QUAD], hand.to_bytes(_BYTES, "little"), strict=True):
                plays += full[suits]
        if pairs:
            _add_sequences(plays, _PAIRS, hand, _paired(options, hand), pairs)
    return plays


def four_pairs(options: TienLenOptions, hand: Cards) -> list[Play]:
    """Every double sequence of exactly four pairs in the hand."""
    plays: list[Play] = []
    _add_sequences(plays, _PAIRS, hand, _paired(options, hand), 4)
    return [play for play in plays if play.cards.bit_count() == 8]


def _ranks(options: TienLenOptions, hand: Cards) -> int:
    """The ranks of the hand that can be in a straight, each as its lowest bit."""
    ranks = (hand | hand >> 1 | hand >> 2 | hand >> 3) & _ONES
    return ranks if options.twos_in_sequences else ranks & ~_TWO


def _paired(options: TienLenOptions, hand: Cards) -> int:
    """The ranks of the hand that can be in a double sequence, each as its lowest bit."""
    second, third, fourth = hand >> 1, hand >> 2, hand >> 3
    ranks = ((hand & second) | (third & fourth) | ((hand | second) & (third | fourth))) & _ONES
    return ranks if options.twos_in_sequences else ranks & ~_TWO


def _add_sequences(plays: list[Play], sets: _Sets, hand: Cards, ranks: int, least: int) -> None:
    """Every sequence of at least so many of these ranks, one set of each."""
    starts = ranks
    for step in range(1, least):
        starts &= ranks >> 4 * step
    while starts:
        start = starts & -starts
        starts ^= start
        low = start.bit_length() >> 2
        found: Sequence[int] = sets[low][hand >> 4 * low & 0b1111]
        for rank in range(low + 1, 13):
            if not ranks >> 4 * rank & 1:
                break
            parts = sets[rank][hand >> 4 * rank & 0b1111]
            found = [cards | part for cards in found for part in parts]
            if rank - low >= least - 1:
                plays += map(_play, found)


def _add_as_long(plays: list[Play], sets: _Sets, hand: Cards, ranks: int, pile: Combo) -> None:
    """Every sequence as long as the pile whose highest card is higher."""
    size, run = pile.size, _RUNS[pile.size]
    for high in range(pile.top >> 2, 13):
        low = high - size + 1
        if ranks >> 4 * low & run != run:
            continue
        found: Sequence[int] = [part for part in sets[high][hand >> 4 * high & 0b1111] if part >> pile.top]
        for rank in range(low, high):
            parts = sets[rank][hand >> 4 * rank & 0b1111]
            found = [cards | part for cards in found for part in parts]
        plays += map(_play, found)
