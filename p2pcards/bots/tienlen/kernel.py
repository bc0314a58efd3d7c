"""Tiến lên on plain ints, for searches: the default options, two to four seats.

A move is a set of cards with its form above them: which kind of combination, and how many ranks long. So an equal form
shows by one comparison. 0 is a pass. A set of seats has a bit for each. The moves come in the order of `legal_actions`,
so that what is chosen by its place in the list is the same on both sides.

What a hand gives is remembered, as a search meets the same hands again and again; a new one takes several times as
long.

    position = KERNEL.load(state)
    while (seat := KERNEL.turn(position)) >= 0:
        KERNEL.play(position, KERNEL.moves(position)[0])
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from p2pcards.cards import DECK, Cards
from p2pcards.games.base import Game
from p2pcards.games.tienlen.actions import PASS, Action, Play
from p2pcards.games.tienlen.options import TienLenOptions
from p2pcards.games.tienlen.plays import in_rows
from p2pcards.games.tienlen.state import ENDED, State

FORM = DECK
"""Where in a move its form begins: of a set its size less 1, of a straight of n ranks 1 + n, of n pairs 12 + n."""
STRAIGHT, DOUBLES = 1, 12
ALL = (1 << DECK) - 1

_ONES = 0x1111111111111
_TWOS = 48  # the first of them
NEXT = tuple(
    next((other for step in (1, 2, 3, 4) if seats >> (other := (seat + step) % 4) & 1), -1)
    for seat in range(4)
    for seats in range(16)
)
"""By seat times 16, and by set of seats: the first of these after it."""
_FREE = frozenset(("first_lead", "next_lead", "instant_win", "instant_win_extra", "target_score", "match_rounds"))
"""Options that change nothing of a round after its first lead, nor what it is worth."""


def _each(size: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """By rank, and by which cards of it are held: every set of so many of these."""
    chosen = [
        [sum(parts) for parts in combinations([1 << suit for suit in range(4) if held >> suit & 1], size)]
        for held in range(16)
    ]
    form = size - 1 << FORM
    return tuple(tuple(tuple(part << 4 * rank | form for part in parts) for parts in chosen) for rank in range(13))


def _by_bytes(*each: Sequence[Sequence[tuple[int, ...]]]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The same for two ranks at a time: by rank, then by size."""
    ranks = [[sum(sets, ()) for sets in zip(*of_rank, strict=True)] for of_rank in zip(*each, strict=True)]
    ranks.append([()] * 16)
    return tuple(
        tuple(low + high for high in highs for low in lows) for lows, highs in zip(ranks[::2], ranks[1::2], strict=True)
    )


_SETS = tuple(map(_each, range(1, 5)))
"""By size less 1, by rank, and by which cards of it are held."""
_SINGLES = _by_bytes(_SETS[0])
_OF_ONE_RANK = _by_bytes(*_SETS)


class Position:
    """A round under way, to be changed."""

    __slots__ = ("hands", "holders", "open", "owner", "pile", "places", "turn")

    hands: list[int]
    turn: int  # -1 when the round is over
    pile: int  # the move to be beaten; 0 for a lead
    owner: int  # who made it, as a set: none for a lead, and none where they went out with it
    open: int  # who may still answer it, the seat to act among them; for a lead all holders
    holders: int  # who has cards
    places: list[int]  # who is out, the first one first


class Kernel:
    """The rules as a search needs them."""

    def fits(self, game: Game[Any, Any, Any]) -> bool:
        """Whether rounds under the options of the game go as they go here."""
        return _fits(game.options)

    def load(self, state: State) -> Position:
        """The position of a state whose lead is free."""
        public, position = state.public, Position()
        position.hands = list(map(int, state.hands))
        position.turn = -1 if public.phase is ENDED else public.turn
        position.pile = 0 if public.pile is None else move_of(public.pile.cards)
        position.holders = sum(1 << seat for seat, count in enumerate(public.counts) if count)
        position.owner = 0 if public.owner is None else (1 << public.owner) & position.holders
        passed = sum(1 << seat for seat, passed in enumerate(public.passed) if passed)
        position.open = position.holders & ~passed & ~position.owner
        position.places = list(map(int, public.places or public.winners))
        return position

    def copy(self, position: Position) -> Position:
        """The same again, to be changed by itself."""
        other = Position()
        other.hands, other.places = position.hands[:], position.places[:]
        other.turn, other.pile, other.owner = position.turn, position.pile, position.owner
        other.open, other.holders = position.open, position.holders
        return other

    def turn(self, position: Position) -> int:
        """Whose turn it is; -1 when the round is over."""
        return position.turn

    def moves(self, position: Position) -> list[int]:
        """Every move of the seat to act, in the order of `legal_actions`."""
        hand, pile = position.hands[position.turn], position.pile
        if not pile:
            return [*_leads(hand)]
        if pile >> FORM:
            return [*_beating(hand, pile), 0]
        higher = hand & -pile - pile
        if pile >> _TWOS:
            return [*_SINGLES[6][higher >> 48], *_bombs(hand, 3), 0]
        if not higher & higher - 1:
            return [higher, 0] if higher else [0]
        return [*_cards(higher), 0]

    def play(self, position: Position, move: int) -> None:
        """Do a move of the seat to act."""
        seat = position.turn
        bit = 1 << seat
        if move:
            left = position.hands[seat] ^ move & ALL
            position.hands[seat] = left
            if left:
                open_ = (position.open | position.owner) ^ bit
                position.owner, position.pile = bit, move
                if open_:
                    position.open = open_
                    position.turn = NEXT[seat << 4 | open_]
                    return
            else:
                position.places.append(seat)
                position.holders = holders = position.holders ^ bit
                seat = NEXT[seat << 4 | holders]
                if not holders & holders - 1:
                    position.places.append(seat)
                    position.turn = -1
                    return
                open_ = (position.open | position.owner) & holders
                if open_ >> seat & 1:
                    position.owner, position.pile = 0, move
                    position.open, position.turn = open_, seat
                    return
        elif owner := position.owner:
            position.open = open_ = position.open ^ bit
            if open_:
                position.turn = NEXT[seat << 4 | open_]
                return
            seat = owner.bit_length() - 1
        position.turn = seat
        position.pile = position.owner = 0
        position.open = position.holders

    def action(self, position: Position, move: int) -> Action:
        """The move as the rules know it."""
        return Play(Cards(move & ALL)) if move else PASS

    def winners(self, position: Position) -> tuple[int, ...]:
        """Who has won: the first one out."""
        return tuple(position.places[:1])


KERNEL = Kernel()


@lru_cache
def _fits(options: TienLenOptions) -> bool:
    mine = TienLenOptions()
    return all(getattr(options, name) == getattr(mine, name) for name in mine.__struct_fields__ if name not in _FREE)


@lru_cache(1 << 12)
def move_of(cards: int) -> int:
    """The move that a combination is."""
    low, high = (cards & -cards).bit_length() - 1 >> 2, cards.bit_length() - 1 >> 2
    count, ranks = cards.bit_count(), high - low + 1
    form = count - 1 if ranks == 1 else ranks + (STRAIGHT if count == ranks else DOUBLES)
    return cards | form << FORM


@lru_cache(1 << 14)
def _cards(cards: int) -> tuple[int, ...]:
    """Each of these cards, as a move."""
    a, b, c, d, e, f, g = cards.to_bytes(7, "little")
    of_a, of_b, of_c, of_d, of_e, of_f, of_g = _SINGLES
    return (*of_a[a], *of_b[b], *of_c[c], *of_d[d], *of_e[e], *of_f[f], *of_g[g])


@lru_cache(1 << 13)
def _leads(hand: int) -> tuple[int, ...]:
    """Every combination in the hand."""
    a, b, c, d, e, f, g = hand.to_bytes(7, "little")
    of_a, of_b, of_c, of_d, of_e, of_f, of_g = _OF_ONE_RANK
    moves = (*of_a[a], *of_b[b], *of_c[c], *of_d[d], *of_e[e], *of_f[f], *of_g[g])
    one = hand | hand >> 1
    if rows := _rows((one | one >> 2) & _ONES):
        moves += _sequences(hand & rows)
    return moves


@lru_cache(1 << 13)
def _beating(hand: int, pile: int) -> tuple[int, ...]:
    """What beats this move, which isn't a single card, but for a pass."""
    form, top = pile >> FORM, (pile & ALL).bit_length() - 1
    if form > STRAIGHT + 13:
        return _as_long(1, hand, _paired(hand), form - DOUBLES, pile)
    if form > 3:
        one = hand | hand >> 1
        return _as_long(0, hand, (one | one >> 2) & _ONES, form - STRAIGHT, pile)
    moves: list[int] = []
    for rank in range(top >> 2, 13):
        sets = _SETS[form][rank][hand >> 4 * rank & 0b1111]
        moves += sets if rank > top >> 2 else [move for move in sets if (move & ALL) >> top]
    if top >= _TWOS and form < 3:
        moves += _bombs(hand, form + 3)
    return tuple(moves)


def _bombs(hand: int, pairs: int) -> list[int]:
    """What beats so many 2s less 2: sets of four unless it is three 2s, and that many pairs or more."""
    moves: list[int] = []
    both = hand & hand >> 1
    fours = both & both >> 2 & _ONES if pairs < 5 else 0
    while fours:
        moves.append((fours & -fours) * 0b1111 | 3 << FORM)
        fours &= fours - 1
    if hand.bit_count() >= 2 * pairs:
        for row in in_rows(_paired(hand)):
            moves += _in_row(1, hand & row, pairs)
    return moves


def _paired(hand: int) -> int:
    """The ranks of which the hand holds two, each as its lowest bit."""
    second = hand >> 1
    both, one = hand & second, hand | second
    return (both | both >> 2 | one & one >> 2) & _ONES


@lru_cache(1 << 13)
def _rows(ranks: int) -> int:
    """The cards of three or more of these ranks in a row; there are no more sets of ranks than are kept."""
    return sum(in_rows(ranks))


@lru_cache(1 << 13)
def _sequences(cards: int) -> tuple[int, ...]:
    """Every straight of these cards, then every double sequence."""
    one = cards | cards >> 1
    moves: list[int] = []
    for row in in_rows((one | one >> 2) & _ONES):
        moves += _in_row(0, cards & row, 3)
    for row in in_rows(_paired(cards)):
        moves += _in_row(1, cards & row, 3)
    return tuple(moves)


def _in_row(doubled: int, cards: int, least: int) -> list[int]:
    """Of these cards, whose ranks lie in a row: every sequence of at least so many ranks, one set of each."""
    lowest, end = (cards & -cards).bit_length() - 1 >> 2, cards.bit_length() + 3 >> 2
    held = [_sets(doubled, rank, cards) for rank in range(lowest, end)]
    moves: list[int] = []
    for low in range(len(held) - least + 1):
        found: Sequence[int] = held[low]
        for size, parts in enumerate(held[low + 1 :], 2):
            found = [cards | part for cards in found for part in parts]
            if size >= least:
                form = size + (DOUBLES if doubled else STRAIGHT) << FORM
                moves += [cards | form for cards in found]
    return moves


def _as_long(doubled: int, hand: int, ranks: int, size: int, pile: int) -> tuple[int, ...]:
    """Every sequence of so many of these ranks whose highest card is higher than those of the pile."""
    top, form = (pile & ALL).bit_length() - 1, pile >> FORM << FORM
    lowest, moves = (top >> 2) - size + 1, list[int]()
    starts = ranks >> 4 * lowest
    for _ in range(1, size):
        starts &= starts >> 4
    while starts:
        low = lowest + ((starts & -starts).bit_length() >> 2)
        starts &= starts - 1
        high = low + size - 1
        found: Sequence[int] = [part | form for part in _sets(doubled, high, hand) if part >> top]
        for rank in range(low, high):
            parts = _sets(doubled, rank, hand)
            found = [cards | part for cards in found for part in parts]
        moves += found
    return tuple(moves)


def _sets(doubled: int, rank: int, hand: int) -> Sequence[int]:
    """Every card of that rank, or every two, without their form."""
    sets = _SETS[doubled][rank][hand >> 4 * rank & 0b1111]
    return [move & ALL for move in sets] if doubled else sets
