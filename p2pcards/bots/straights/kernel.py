"""Straights on plain ints, for the mode straights: rounds that are over soon.

What can be played stays so until its holder plays it, and a card on the table makes way for one other, or two. So who
holds what is all that must be known for each seat's moves to be kept up to date: nothing is ever searched for.

A card is `CARD` more than in the rules, and `PUT` more than that is the move to put it aside. The card that opens a
round counts as one of its own, since all sevens fit after it.
"""

from __future__ import annotations

from bisect import insort
from typing import Any

from p2pcards.bots.dice import CHANCE
from p2pcards.cards import DECK, Card, Cards, deck, each, rank, suit
from p2pcards.games.base import Game, Seat
from p2pcards.games.straights.actions import DISCARDS, PLAYS, Action
from p2pcards.games.straights.options import StraightsOptions
from p2pcards.games.straights.state import SEATS, SEVEN, State, fitting

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


class Position:
    """A round as it stands."""

    __slots__ = ("aside", "holder", "moves", "others", "plays", "turn")

    turn: int  # -1 when the round is over
    moves: list[int]  # of the seat to act, in the order of the rules: `plays` or else `others`
    plays: list[list[int]]  # by seat: its cards that fit
    others: list[list[int]]  # by seat: the moves to put its other cards aside
    aside: list[list[int]]  # by seat: the moves that put what lies there
    holder: list[int | None]  # by card


class Kernel:
    """The functions that the playouts of every game have, for Straights."""

    @staticmethod
    def fits(game: Game[Any, Any, Any]) -> bool:
        """Whether these are the rules of that game; which card opens a round, and how cards are put aside, may vary."""
        return isinstance(game.options, StraightsOptions) and game.options.mode == "straights"

    @staticmethod
    def load(state: State) -> Position:
        """A position of its own, to be played on."""
        public, position = state.public, Position()
        position.plays, position.others, position.holder = [], [], [None] * (_OPENS + 4)
        for seat, hand in enumerate(state.hands):
            for card in each(hand):
                position.holder[CARD + card] = seat
            position.plays.append([CARD + card for card in each(Cards(hand & public.fits))])
            position.others.append([_ASIDE + card for card in each(Cards(hand & ~public.fits))])
        if not public.table:
            (card,) = each(public.fits)
            opens = _OPENS + suit(card)
            position.holder[CARD + card], position.holder[opens] = None, public.turn
            position.plays[public.turn] = [opens]
        position.aside = [[_ASIDE + card for card in cards] for cards in state.discards]
        position.turn, position.moves = public.turn, []
        if public.reason:
            position.turn = -1
        else:
            position.moves = position.plays[position.turn] or position.others[position.turn]
        return position

    @staticmethod
    def copy(position: Position) -> Position:
        """The same position, to be played on by itself."""
        other, turn = Position(), position.turn
        other.plays, other.others, other.aside = (
            [*map(list.copy, lists)] for lists in (position.plays, position.others, position.aside)
        )
        other.turn, other.holder = turn, position.holder[:]
        other.moves = [] if turn < 0 else other.plays[turn] or other.others[turn]
        return other

    @staticmethod
    def moves(position: Position) -> list[int]:
        """Every legal move, in the order of the rules; it changes with the next step."""
        return position.moves

    @staticmethod
    def step(position: Position, number: int) -> None:
        """Does one of `moves`: the number has CHANCE random bits, and each move is as likely."""
        moves, turn = position.moves, position.turn
        move = moves.pop(number * len(moves) >> CHANCE)
        if move < _ASIDE:
            card = _NEXT[move]
            if card > 0:
                if (holder := position.holder[card]) is not None:
                    insort(position.plays[holder], card)
                    position.others[holder].remove(card + PUT)
            elif card:
                for card in _WAY[move]:
                    if (holder := position.holder[card]) is not None:
                        insort(position.plays[holder], card)
                        position.others[holder].remove(card + PUT)
        else:
            position.aside[turn].append(move)
            position.holder[move - PUT] = None
        position.turn = turn = _SEAT[turn]
        position.moves = position.plays[turn] or position.others[turn] or _skip(position, turn)

    @staticmethod
    def action(position: Position, move: int) -> Action:
        """The move as an action of the rules."""
        return _ACTIONS[move]

    @staticmethod
    def points(position: Position) -> tuple[int, ...]:
        """What each seat has put aside, in points."""
        return tuple(sum((move - _ASIDE) // 4 + 1 for move in moves) for moves in position.aside)

    @staticmethod
    def winners(position: Position) -> tuple[Seat, ...]:
        """Who has the fewest points."""
        points = Kernel.points(position)
        return tuple(Seat(seat) for seat in range(SEATS) if points[seat] == min(points))


def _skip(position: Position, seat: int) -> list[int]:
    """The moves of the first one after this seat that holds cards, whose turn it is; the round is over without."""
    for turn in (place % SEATS for place in range(seat + 1, seat + SEATS)):
        if moves := position.plays[turn] or position.others[turn]:
            position.turn = turn
            return moves
    position.turn = -1
    return []


KERNEL = Kernel()
