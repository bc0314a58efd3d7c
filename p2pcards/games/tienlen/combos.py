"""Combinations: what a set of cards is, and what beats what (docs/rules/tienlen.md, R4 to R11)."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from msgspec import Struct

from p2pcards.cards import Card, Cards
from p2pcards.games.tienlen.options import TienLenOptions

TWOS = Cards(0b1111 << 48)
"""The four 2s, the highest cards."""


class Kind(StrEnum):
    """The kinds of combination."""

    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    QUAD = "quad"
    STRAIGHT = "straight"
    DOUBLES = "doubles"  # a double sequence


SINGLE, PAIR, TRIPLE, QUAD, STRAIGHT, DOUBLES = Kind
"""The kinds by themselves, as the phases in `state`."""

_SAME = (SINGLE, PAIR, TRIPLE, QUAD)
_SUITS = tuple(Cards(0x1111111111111 << suit) for suit in range(4))


class Combo(Struct, frozen=True, gc=False):
    """A combination; `size` is its number of cards, of a double sequence the number of pairs."""

    kind: Kind
    size: int
    top: Card  # the highest card
    cards: Cards
    only_twos: bool  # nothing but 2s
    is_sequence: bool  # a straight or a double sequence
    is_bomb: bool  # four of a kind or a double sequence, which may beat 2s


@lru_cache(1 << 14)
def combo_of(cards: Cards) -> Combo | None:
    """The combination that these cards are, 2s in sequences allowed; None where they are none."""
    if not cards:
        return None
    count, top = cards.bit_count(), Card(cards.bit_length() - 1)
    low = (cards & -cards).bit_length() - 1 >> 2
    ranks = (top >> 2) - low + 1
    if ranks == 1:
        return Combo(_SAME[count - 1], count, top, cards, not cards & ~TWOS, False, count == 4)
    if ranks < 3 or count not in (ranks, 2 * ranks):
        return None
    each = count // ranks
    part: int = cards >> 4 * low
    while part:
        if (part & 0b1111).bit_count() != each:
            return None
        part >>= 4
    return Combo(STRAIGHT if each == 1 else DOUBLES, ranks, top, cards, False, True, each == 2)


def one_suit(cards: Cards) -> bool:
    """Whether all the cards are of one suit."""
    return not cards & ~_SUITS[cards.bit_length() - 1 & 3]


def bombs_on(options: TienLenOptions, pile: Combo) -> tuple[bool, int]:
    """What beats the pile out of its kind: whether a quad does, and double sequences from how many pairs on (0: none).

    2s alone are bombed by what the table of R10 says; bombs, with `southern`, by any stronger kind.
    """
    if pile.only_twos and pile.size < 4:
        return pile.size == 1 or (pile.size == 2 and options.bomb_quad_beats_pair_of_twos), pile.size + 2
    if pile.is_bomb and options.bomb_chain == "southern":
        return (pile.size == 3, pile.size + 1) if pile.kind is DOUBLES else (False, 4)
    return False, 0


def beats(options: TienLenOptions, combo: Combo, pile: Combo) -> bool:
    """Whether one may be played on the other."""
    if combo.kind is pile.kind and combo.size == pile.size:
        locked = options.suited_straight_lock and pile.kind is STRAIGHT and one_suit(pile.cards)
        return combo.top > pile.top and (not locked or one_suit(combo.cards))
    quads, pairs = bombs_on(options, pile)
    return quads if combo.kind is QUAD else combo.kind is DOUBLES and 0 < pairs <= combo.size
