"""The plays that a hand holds, found without trying any that can't be made.

A hand is taken apart into its ranks, four bits each. What a single rank gives stands in tables; a sequence takes one
part from each of several ranks, so sequences are the products of what consecutive ranks hold. Few hands have ranks in
a row long enough, and such a row stays in the hand from turn to turn: so rows are looked for first, and what one gives
is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import cast

from p2pcards.cards import DECK, ByBytes, Cards, gathered
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
_UP_TO_ACES = _ONES >> 4
_HIGHER = tuple((1 << DECK) - (2 << card) for card in range(DECK))
"""By card: the higher ones."""
_play = cast(Callable[[int], Play], Play)  # a union of cards is cards: what `Cards` would say again costs time

_Sets = tuple[tuple[tuple[Cards, ...], ...], ...]
"""By rank, and by which cards of it are held: some sets of these."""


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


def _plays(*kinds: _Sets) -> ByBytes[Play]:
    """The plays of these kinds; a byte is two ranks."""
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
_OF_ONE_CARD = _OF_KIND[SINGLE]
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
    plays = gathered(_OF_ONE_RANK, hand)
    for row in in_rows(_ranks(options, hand)):
        plays += _straights(hand & row)
    if hand.bit_count() > 5:
        _add_doubles(plays, options, hand, 3)
    return plays


def beating(options: TienLenOptions, hand: Cards, pile: Combo) -> list[Play]:
    """Every combination in the hand that beats the pile: the higher ones of its kind and size, then bombs."""
    plays: list[Play] = []
    top, kind = pile.top, pile.kind
    if higher := hand & _HIGHER[top]:
        if kind is SINGLE:
            plays = gathered(_OF_ONE_CARD, higher)
        elif pile.is_sequence:
            doubles = kind is DOUBLES
            sets, ranks = (_PAIRS, _paired(options, hand)) if doubles else (_SINGLES, _ranks(options, hand))
            _add_as_long(plays, sets, hand, ranks, pile)
            if options.suited_straight_lock and not doubles and one_suit(pile.cards):
                plays = [play for play in plays if one_suit(play.cards)]
        else:
            plays += _ABOVE[kind][top][hand >> (top & ~3) & 0b1111]
            if higher := hand & _HIGHER[top | 3]:
                plays += gathered(_OF_KIND[kind], higher)
    if pile.only_twos or pile.is_bomb:
        quads, pairs = bombs_on(options, pile)
        count = hand.bit_count()
        if quads and count > 3:
            both = hand & hand >> 1
            if both & both >> 2 & _ONES:
                plays += gathered(_OF_KIND[QUAD], hand)
        if 0 < 2 * pairs <= count:
            _add_doubles(plays, options, hand, pairs)
    return plays


def four_pairs(options: TienLenOptions, hand: Cards) -> list[Play]:
    """Every double sequence of exactly four pairs in the hand."""
    plays: list[Play] = []
    _add_doubles(plays, options, hand, 4)
    return [play for play in plays if play.cards.bit_count() == 8]


def _ranks(options: TienLenOptions, hand: Cards) -> int:
    """The ranks of the hand that can be in a straight, each as its lowest bit."""
    one = hand | hand >> 1
    return (one | one >> 2) & (_ONES if options.twos_in_sequences else _UP_TO_ACES)


def _paired(options: TienLenOptions, hand: Cards) -> int:
    """The ranks of the hand that can be in a double sequence, each as its lowest bit."""
    second = hand >> 1
    both, one = hand & second, hand | second
    return (both | both >> 2 | one & one >> 2) & (_ONES if options.twos_in_sequences else _UP_TO_ACES)


@lru_cache(1 << 13)
def in_rows(ranks: int) -> tuple[int, ...]:
    """The cards of every three or more of these ranks in a row; there are no more sets of ranks than are kept."""
    rows = []
    while ranks:
        low = ranks & -ranks
        row = 0
        while ranks & low:
            ranks ^= low
            row |= low * 0b1111
            low <<= 4
        if row.bit_count() >= 12:
            rows.append(row)
    return tuple(rows)


@lru_cache(1 << 12)
def _straights(cards: int) -> tuple[Play, ...]:
    """Every straight of these cards, whose ranks lie in a row."""
    return _sequences(_SINGLES, cards, 3)


def _add_doubles(plays: list[Play], options: TienLenOptions, hand: Cards, least: int) -> None:
    """Every double sequence in the hand of at least so many pairs."""
    for row in in_rows(_paired(options, hand)):
        plays += _sequences(_PAIRS, hand & row, least)


def _sequences(sets: _Sets, cards: int, least: int) -> tuple[Play, ...]:
    """Every sequence of at least so many ranks of these cards, whose ranks lie in a row; one set of each rank."""
    lowest, end = (cards & -cards).bit_length() - 1 >> 2, cards.bit_length() + 3 >> 2
    held = [sets[rank][cards >> 4 * rank & 0b1111] for rank in range(lowest, end)]
    plays: list[Play] = []
    for low in range(len(held) - least + 1):
        found: Sequence[int] = held[low]
        for size, parts in enumerate(held[low + 1 :], 2):
            found = [cards | part for cards in found for part in parts]
            if size >= least:
                plays += map(_play, found)
    return tuple(plays)


def _add_as_long(plays: list[Play], sets: _Sets, hand: Cards, ranks: int, pile: Combo) -> None:
    """Every sequence as long as the pile whose highest card is higher."""
    size, top = pile.size, pile.top
    lowest = (top >> 2) - size + 1
    starts = ranks >> 4 * lowest
    for _ in range(1, size):
        starts &= starts >> 4
    while starts:
        start = starts & -starts
        starts ^= start
        low = lowest + (start.bit_length() >> 2)
        high = low + size - 1
        found: Sequence[int] = [part for part in sets[high][hand >> 4 * high & 0b1111] if part >> top]
        for rank in range(low, high):
            parts = sets[rank][hand >> 4 * rank & 0b1111]
            found = [cards | part for cards in found for part in parts]
        plays += map(_play, found)
