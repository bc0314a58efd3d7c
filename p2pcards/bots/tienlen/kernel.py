"""Tiến lên on plain ints, for searches: the default options, two to four seats.

A move is a set of cards with its form above them: which kind of combination, and how many ranks long. So an equal form
shows by one comparison. 0 is a pass. A set of seats has a bit for each. The moves come in the order of `legal_actions`,
so that what is chosen by its place in the list is the same on both sides.

Where chance chooses, sequences are counted and at most one of them is made. What is remembered for that tells of no
deal: which ranks stand in a row, and in how many ways a row can be run through.

    position = KERNEL.load(state)
    while position.turn >= 0:
        KERNEL.play(position, KERNEL.moves(position)[0])
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, TypeVar

from p2pcards.bots.dice import CHANCE
from p2pcards.cards import DECK, Cards
from p2pcards.games.base import Game
from p2pcards.games.tienlen.actions import PASS, Action, Play
from p2pcards.games.tienlen.options import TienLenOptions
from p2pcards.games.tienlen.state import ENDED, State

T = TypeVar("T")

FORM = DECK
"""Where in a move its form begins: of a set its size less 1, of a straight of n ranks 1 + n, of n pairs 12 + n."""
STRAIGHT, DOUBLES = 1, 12
ALL = (1 << DECK) - 1

_PAIR, _STRAIGHT, _DOUBLED = 1 << FORM, STRAIGHT + 3 << FORM, DOUBLES + 3 << FORM
"""Where pairs, straights and double sequences begin among the moves."""
_ONES = 0x1111111111111
_TWOS = 48  # the first of them
_SOME_TWO = 1 << _TWOS
_BITS = (0, *(1 << card for card in range(DECK)))
"""By bit length: the highest bit."""
_SEATS = (1, 2, 4, 8)
"""By seat: it alone as a set."""
NEXT = tuple(
    tuple(
        next((other for step in (1, 2, 3, 4) if seats >> (other := (seat + step) % 4) & 1), -1) for seats in range(16)
    )
    for seat in range(4)
)
"""By seat, and by set of seats: the first of these after it."""
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


_SETS = tuple(map(_each, range(1, 5)))
"""By size less 1, by rank, and by which cards of it are held."""


class Memo(dict[int, T]):
    """What a function gives, remembered until it is much; lighter than `lru_cache`, whose entries are objects."""

    def __init__(self, make: Callable[[int], T], most: int) -> None:
        self._make, self._most = make, most

    def __missing__(self, key: int) -> T:
        if len(self) >= self._most:
            self.clear()
        self[key] = made = self._make(key)
        return made


def _of_ranks(*ranks: int) -> list[tuple[int, ...]]:
    """By the cards held of ranks that follow each other: every set of one rank."""
    found: list[tuple[int, ...]] = [()]
    for rank in ranks:
        of_rank = [sum((sets[rank][held] for sets in _SETS), ()) for held in range(16)]
        found = [lower + higher for higher in of_rank for lower in found]
    return found


_BY_BYTES = tuple(_of_ranks(*range(rank, min(rank + 2, 13))) for rank in range(0, 13, 2))

_Ways = tuple[int, list[int], list[int]]
"""How many sequences there are; by lowest rank how many there are up to it; of each rank how many sets."""


def _ways(many: list[int]) -> _Ways:
    """The ways to run through three ranks in a row or more, of which there are so many sets each."""
    total, ends = 0, list[int]()
    for low in range(len(many) - 2):
        count = many[low] * many[low + 1]
        for sets in many[low + 2 :]:
            count *= sets
            total += count
        ends.append(total)
    return total, ends, many


_Run = tuple[int, tuple[_Ways, _Ways]]
"""How many sequences there are; the straights, the double sequences."""


def _run(counts: int) -> _Run:
    """What there is by how many cards are held of ranks in a row, four bits each."""
    held = [counts >> shift & 0b1111 for shift in range(0, counts.bit_length(), 4)]
    straights, doubles = _ways(held), _ways([_PAIRS[count] for count in held])
    return straights[0] + doubles[0], (straights, doubles)


def _in_rows(ranks: int) -> tuple[tuple[int, int], ...]:
    """Every three or more of these ranks in a row: all of their cards, and the lowest one."""
    found: tuple[tuple[int, int], ...] = ()
    while ranks & ranks >> 4 & ranks >> 8:
        first, cards = (ranks & -ranks).bit_length() - 1, ranks * 0b1111
        row = cards & ~(cards + (cards & -cards))
        if row.bit_count() > 8:
            found += ((row, first),)
        ranks &= ~row
    return found


_PRODUCT = tuple((cards & 0b1111).bit_count() * max((cards >> 4).bit_count(), 1) for cards in range(256))
"""By the cards of two ranks, or of one: in how many ways one of each can be chosen."""
_PAIRS = (0, 0, 1, 3, 6)
_ROWS, _RUNS = Memo(_in_rows, 1 << 13), Memo(_run, 1 << 13)
_CHOICES = tuple(tuple(tuple(move & ALL for move in held) for held in sets[0]) for sets in _SETS[:2])
"""Of a rank, by which cards of it are held: each of them, and every two."""


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

    def moves(self, position: Position) -> list[int]:
        """Every move of the seat to act, in the order of `legal_actions`."""
        hand, pile = position.hands[position.turn], position.pile
        if pile:
            return [*_beating(hand, pile), 0]
        total, runs = _rows(hand, _ROWS[_ranks(hand)])
        return [*_sets(hand), *(_sequence(hand, runs, place) for place in range(total))]

    @staticmethod
    def step(position: Position, number: int) -> None:
        """Does one of `moves`: the number has CHANCE random bits, and each move is as likely."""
        seat, pile, move = position.turn, position.pile, 0
        hand = position.hands[seat]
        if not pile:
            move = _led(hand, number)
        elif pile < _SOME_TWO or (pile < _PAIR and not has_bomb(hand)):
            if hand > pile:
                count = (hand >> pile.bit_length()).bit_count()
                back = count - (number * (count + 1) >> CHANCE)
                if back:
                    move = hand
                    while back > 1:
                        back -= 1
                        move ^= _BITS[move.bit_length()]
                    move = _BITS[move.bit_length()]
        elif pile < _STRAIGHT or pile >= _DOUBLED:
            found = _beating(hand, pile)
            place = number * (len(found) + 1) >> CHANCE
            if place < len(found):
                move = found[place]
        else:
            move = _longer(hand, pile, number)
        bit = _SEATS[seat]
        if move:
            left, others = hand ^ move & ALL, (position.open | position.owner) ^ bit
            if left and others:
                position.hands[seat] = left
                position.owner, position.pile, position.open = bit, move, others
                position.turn = NEXT[seat][others]
                return
        elif owner := position.owner:
            others = position.open ^ bit
            if others:
                position.open, position.turn = others, NEXT[seat][others]
            else:
                position.pile = position.owner = 0
                position.open, position.turn = position.holders, owner.bit_length() - 1
            return
        Kernel.play(position, move)

    @staticmethod
    def play(position: Position, move: int) -> None:
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
                    position.turn = NEXT[seat][open_]
                    return
            else:
                position.places.append(seat)
                position.holders = holders = position.holders ^ bit
                seat = NEXT[seat][holders]
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
                position.turn = NEXT[seat][open_]
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


def _sets(hand: int) -> list[int]:
    """Every set of one rank."""
    a, b, c, d, e, f, g = hand.to_bytes(7, "little")
    of_a, of_b, of_c, of_d, of_e, of_f, of_g = _BY_BYTES
    return [*of_a[a], *of_b[b], *of_c[c], *of_d[d], *of_e[e], *of_f[f], *of_g[g]]


def _ranks(hand: int) -> int:
    """The ranks of the hand, each as its lowest bit."""
    one = hand | hand >> 1
    return (one | one >> 2) & _ONES


def _rows(hand: int, rows: tuple[tuple[int, int], ...]) -> tuple[int, list[tuple[int, _Run]]]:
    """How many sequences these rows give; where each row begins, and what it gives."""
    many = hand - (hand >> 1 & 0x5555555555555)
    many = (many & 0x3333333333333) + (many >> 2 & 0x3333333333333)
    total, found = 0, []
    for row, first in rows:
        run = _RUNS[(many & row) >> first]
        total += run[0]
        found.append((first, run))
    return total, found


def _sequence(hand: int, runs: list[tuple[int, _Run]], place: int) -> int:
    """The sequence at that place, of straights and then double sequences."""
    for doubled in (0, 1):
        for first, run in runs:
            total, ends, many = run[1][doubled]
            if place < total:
                low = bisect(ends, place)
                if low:
                    place -= ends[low - 1]
                high, count = low + 2, many[low] * many[low + 1] * many[low + 2]
                while place >= count:
                    place -= count
                    high += 1
                    count *= many[high]
                cards = hand & (1 << first + 4 * high + 4) - (1 << first + 4 * low)
                if count > 1:
                    choices = _CHOICES[doubled]
                    for rank in range(high, low - 1, -1):
                        sets = many[rank]
                        if sets > 1:
                            shift = first + 4 * rank
                            of_rank = hand >> shift & 0b1111
                            cards ^= (of_rank ^ choices[of_rank][place % sets]) << shift
                            place //= sets
                return cards | (DOUBLES if doubled else STRAIGHT) + high - low + 1 << FORM
            place -= total
    raise IndexError(place)


def _led(hand: int, number: int) -> int:
    """One of all combinations of the hand."""
    sets, one = _sets(hand), hand | hand >> 1
    count = len(sets)
    rows = _ROWS[(one | one >> 2) & _ONES]
    if not rows:
        return sets[number * count >> CHANCE]
    total, runs = _rows(hand, rows)
    place = number * (count + total) >> CHANCE
    return sets[place] if place < count else _sequence(hand, runs, place - count)


def _beating(hand: int, pile: int) -> Sequence[int]:
    """What beats this move, but for a pass."""
    form, cards = pile >> FORM, pile & ALL
    if form > 3:
        return _as_long(hand, cards, form) if hand > cards else ()
    moves: list[int] = []
    if hand > cards:
        lowest = cards.bit_length() - 1 & ~3
        higher = hand >> lowest
        several, sets = _paired(higher) if form else _ranks(higher), _SETS[form]
        if several & 1:
            several ^= 1
            moves += [move for move in sets[lowest >> 2][higher & 0b1111] if move > pile]
        while several:
            first = (several & -several).bit_length() - 1
            several &= several - 1
            moves += sets[lowest + first >> 2][higher >> first & 0b1111]
    if cards >= _SOME_TWO and form < 3 and has_bomb(hand):
        moves += _bombs(hand, form + 3)
    return moves


def has_bomb(hand: int) -> bool:
    """Whether there is a quad or three pairs in sequence."""
    second = hand >> 1
    both, one = hand & second, hand | second
    pairs = (both | both >> 2 | one & one >> 2) & _ONES
    return bool(pairs & pairs >> 4 & pairs >> 8 or both & both >> 2 & _ONES)


def _bombs(hand: int, pairs: int) -> list[int]:
    """What beats so many 2s less 2: sets of four unless it is three 2s, and that many pairs or more."""
    moves: list[int] = []
    both = hand & hand >> 1
    fours = both & both >> 2 & _ONES if pairs < 5 else 0
    while fours:
        moves.append((fours & -fours) * 0b1111 | 3 << FORM)
        fours &= fours - 1
    if rows := _ROWS[_ranks(hand)]:
        total, runs = _rows(hand, rows)
        straights = sum(run[1][0][0] for _, run in runs)
        doubles = [_sequence(hand, runs, place) for place in range(straights, total)]
        moves += [move for move in doubles if move >> FORM >= DOUBLES + pairs]
    return moves


def _paired(hand: int) -> int:
    """The ranks of which the hand holds two, each as its lowest bit."""
    second = hand >> 1
    both, one = hand & second, hand | second
    return (both | both >> 2 | one & one >> 2) & _ONES


def _as_long(hand: int, cards: int, form: int) -> list[int]:
    """Every sequence of that form, as long as these cards, whose highest card is higher."""
    doubled = form >= DOUBLES + 3
    size = form - DOUBLES if doubled else form - STRAIGHT
    lowest = _lowest(cards, size)
    held, last = hand >> lowest, 4 * size - 4
    starts = _starts(_paired(held) if doubled else _ranks(held), size)
    moves: list[int] = []
    while starts:
        first = (starts & -starts).bit_length() - 1
        starts &= starts - 1
        found = [form << FORM]
        for shift in (last, *range(0, last, 4)):
            choices = _CHOICES[doubled][held >> first + shift & 0b1111]
            found = [move | choice << lowest + first + shift for move in found for choice in choices]
        moves += found if first else [move for move in found if move & ALL > cards]
    return moves


def _longer(hand: int, pile: int, number: int) -> int:
    """One of all straights that beat this one, or a pass."""
    cards, size = pile & ALL, (pile >> FORM) - STRAIGHT
    lowest = _lowest(cards, size)
    held = hand >> lowest
    if hand < cards or held.bit_count() < size:
        return 0
    starts = _starts(_ranks(held), size)
    if not starts:
        return 0
    last, total = 4 * size - 4, 1
    rows = []
    while starts:
        first = (starts & -starts).bit_length() - 1
        starts &= starts - 1
        row = held >> first & (1 << last + 4) - 1
        if not first:  # of the pile's highest rank only what is higher
            row &= (1 << last) - 1 | -1 << cards.bit_length() - lowest
        rest, count = row, 1 if row >> last else 0
        while rest:
            count *= _PRODUCT[rest & 0xFF]
            rest >>= 8
        rows.append((row, first + lowest, count))
        total += count
    place = number * total >> CHANCE
    for row, first, count in rows:
        if place < count:
            move = pile - cards
            for shift in (*range(last - 4, -1, -4), last):
                choices = _CHOICES[0][row >> shift & 0b1111]
                place, part = divmod(place, len(choices))
                move |= choices[part] << first + shift
            return move
        place -= count
    return 0


def _lowest(cards: int, size: int) -> int:
    """Where the first rank of a sequence begins."""
    return (cards.bit_length() + 3 & ~3) - 4 * size


def _starts(ranks: int, size: int) -> int:
    """With which of these ranks so many of them in a row begin."""
    ranks &= ranks >> 4 & ranks >> 8
    for _ in range(3, size):
        ranks &= ranks >> 4
    return ranks
