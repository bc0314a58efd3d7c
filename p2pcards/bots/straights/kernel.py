"""Straights on plain ints, for the mode straights: rounds that are over soon.

What can be played stays so until its holder plays it, and a card on the table makes way for one other, or two. So who
holds what is all that must be known for each seat's moves to be kept up to date: nothing is ever searched for.

A position is a list. A card's number is the place in it where its holder stands, `CARD` more than in the rules; `PUT`
more is the move to put it aside. The card that opens a round counts as one of its own, since all sevens fit after it.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from p2pcards.cards import DECK, Card, Cards, deck, each, rank, suit
from p2pcards.games.base import Game, Seat
from p2pcards.games.straights.actions import DISCARDS, PLAYS, Action
from p2pcards.games.straights.options import StraightsOptions
from p2pcards.games.straights.state import SEATS, SEVEN, State, fitting

Position = list[Any]

HELD, ASIDE, TURN, MOVES = 4, 8, 12, 13
"""By seat its cards that fit, from 0, as plays; those that don't, as moves to put them aside; and what it put aside.

Then whose turn it is (-1: over), and its moves.
"""

CARD = 16
PUT = 64

_OPENS = CARD + DECK
"""The four cards that may open a round, by suit."""

_ASIDE = CARD + PUT  # moves from here on put a card aside


def _made_way(card: Card) -> tuple[int, ...]:
    """What fits when this card has been played."""
    down = (card - 4,) if card >= 4 and rank(card) <= SEVEN else ()
    up = (card + 4,) if card + 4 < DECK and rank(card) >= SEVEN else ()
    return *down, *up


_WAY = [
    *((),) * CARD,
    *(tuple(CARD + beyond for beyond in _made_way(card)) for card in deck()),
    *(tuple(CARD + beyond for beyond in each(fitting(1 << SEVEN * 4 + suit))) for suit in range(4)),
]
"""By card: what fits when it has been played."""

_NEXT = [way[0] if len(way) == 1 else -1 if way else 0 for way in _WAY]
"""The same where it is one card; 0 where there is none, -1 where there are more."""

_SEAT = (1, 2, 3, 0)
_ACTIONS = dict(enumerate((*PLAYS, *(PLAYS[SEVEN * 4 + suit] for suit in range(4))), CARD)) | dict(
    enumerate(DISCARDS, _ASIDE)
)


class Kernel:
    """The functions that the playouts of every game have, for Straights."""

    @staticmethod
    def fits(game: Game[Any, Any, Any]) -> bool:
        """Whether these are the rules of that game; which card opens a round, and how cards are put aside, may vary."""
        return isinstance(game.options, StraightsOptions) and game.options.mode == "straights"

    @staticmethod
    def load(state: State) -> Position:
        """A position of its own, to be played on."""
        public = state.public
        holder: list[int | None] = [None] * (DECK + 4)
        plays, held = [], []
        for seat, hand in enumerate(state.hands):
            for card in each(hand):
                holder[card] = seat
            plays.append([CARD + card for card in each(Cards(hand & public.fits))])
            held.append([_ASIDE + card for card in each(Cards(hand & ~public.fits))])
        if not public.table:
            (card,) = each(public.fits)
            opens = DECK + suit(card)
            holder[card], holder[opens] = None, public.turn
            plays[public.turn] = [CARD + opens]
        aside = [[_ASIDE + card for card in cards] for cards in state.discards]
        position = [*plays, *held, *aside, -1 if public.reason else public.turn, None, None, None, *holder]
        return _moved(position)

    @staticmethod
    def copy(position: Position) -> Position:
        """The same position, to be played on by itself."""
        return _moved([*map(list.copy, position[:TURN]), *position[TURN:]])

    turn: Callable[[Position], int] = staticmethod(itemgetter(TURN))
    """The seat to act; -1 when the round is over."""

    moves: Callable[[Position], Sequence[int]] = staticmethod(itemgetter(MOVES))
    """Every legal move, in the order of the rules; it changes with the next one played."""

    @staticmethod
    def play(position: Position, move: int) -> None:
        """Does a legal move."""
        position[MOVES].remove(move)
        if move < _ASIDE:
            card = _NEXT[move]
            if card > 0:
                if (holder := position[card]) is not None:
                    insort(position[holder], card)
                    position[holder + HELD].remove(card + PUT)
            elif card:
                for card in _WAY[move]:
                    if (holder := position[card]) is not None:
                        insort(position[holder], card)
                        position[holder + HELD].remove(card + PUT)
        else:
            position[position[TURN] + ASIDE].append(move)
            position[move - PUT] = None
        turn = _SEAT[position[TURN]]
        if moves := position[turn] or position[turn + HELD]:
            position[TURN], position[MOVES] = turn, moves
        else:
            _skip(position, turn)

    @staticmethod
    def action(position: Position, move: int) -> Action:
        """The move as an action of the rules."""
        return _ACTIONS[move]

    @staticmethod
    def points(position: Position) -> tuple[int, ...]:
        """What each seat has put aside, in points."""
        return tuple(sum((move - _ASIDE) // 4 + 1 for move in moves) for moves in position[ASIDE:TURN])

    @staticmethod
    def winners(position: Position) -> tuple[Seat, ...]:
        """Who has the fewest points."""
        points = Kernel.points(position)
        return tuple(Seat(seat) for seat in range(SEATS) if points[seat] == min(points))


def _moved(position: Position) -> Position:
    """The position, with the moves of whose turn it is."""
    turn = position[TURN]
    position[MOVES] = position[turn] or position[turn + HELD] if turn >= 0 else []
    return position


def _skip(position: Position, seat: int) -> None:
    """It is the turn of the first one from this seat on that holds cards; the round is over where none does."""
    for turn in (seat, *(place % SEATS for place in range(seat + 1, seat + SEATS))):
        if position[turn] or position[turn + HELD]:
            position[TURN] = turn
            break
    else:
        position[TURN] = -1
    _moved(position)


KERNEL = Kernel()
