"""Rounds of One Card on plain ints, for playing many of them out: the rules once more, as fast as Python allows.

A position changes in place. Its hands are ints as in the rules. What a seat may play is one AND of its hand and of the
position's `mask`; no list is made to play on at random. Which options it goes by stands in the position. Not here are
those in which a drawn card may be played, who has too many cards is out, or a queen skips.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from p2pcards.bots.dice import CHANCE, Dice, Later, seeded
from p2pcards.cards import DECK, Cards, deck, each
from p2pcards.games.base import Game
from p2pcards.games.onecard.actions import CALLS, PLAYS, Action
from p2pcards.games.onecard.actions import DRAW as DRAWING
from p2pcards.games.onecard.options import OneCardOptions
from p2pcards.games.onecard.pack import ANSWERING, FACES, FITTING, JACK, QUEEN, SEVEN, THREE, TWO
from p2pcards.games.onecard.state import DRAWN, SHUFFLE, State

DRAW, TAKE = DECK, DECK + 1
"""The moves to draw a card, and all cards of an attack; a card is the move to play it."""

CALL = 64
"""More than a card: the move to play it and say that one card is left."""

NOBODY = -1
"""Whose turn it is when the round is over."""

_BY_NUMBER = -1  # no card

_SMALL = 200
_ROUND = [
    (tuple((seat + 1) % seats for seat in range(seats)), tuple((seat - 1) % seats for seat in range(seats)))
    for seats in range(9)
]
_BITS: tuple[int, ...] = tuple(1 << card for card in deck())
_HIGHEST = (0, *_BITS)
"""By bit length: the highest bit."""
_EFFECTS = tuple(card >> 2 if card >> 2 in (TWO, THREE, SEVEN, JACK, QUEEN) else 0 for card in deck())
CARDS: tuple[tuple[int, int, int, int], ...] = tuple(
    zip(_BITS, (bit << DECK for bit in _BITS), FITTING, _EFFECTS, strict=True)
)
"""By card: its bit, that of the second copy in a hand, what fits on it, and its rank if that has an effect, else 0."""

_ACTIONS: tuple[Action, ...] = (*PLAYS, DRAWING, *[DRAWING] * (CALL - TAKE), *CALLS)


class Position:
    """A round as it stands."""

    __slots__ = (
        "after",
        "answering",
        "before",
        "discards",
        "hands",
        "idle",
        "later",
        "left",
        "mask",
        "options",
        "pending",
        "rng",
        "still",
        "stock",
        "turn",
        "winner",
    )

    turn: int  # whose turn it is, or NOBODY
    mask: int  # what of a hand may be played
    hands: list[int]
    stock: list[int]  # the bit of each face, the next card last
    discards: list[int]  # faces, the top one last
    pending: int
    after: Sequence[int]  # by seat, who is next in the direction of play
    before: Sequence[int]  # and in the other
    idle: int  # turns in a row in which nothing was played and nothing drawn
    still: int  # actions until the round is blocked, after the last of them
    left: int  # actions until it is looked how many more there may be: numbers so small that Python keeps them
    later: int  # and how many these are, until the round is blocked
    winner: int  # when the round is over: who is out, or NOBODY
    answering: Sequence[int]  # by top card, the mask under attack
    options: OneCardOptions
    rng: Dice | Later  # orders the new stock


class Kernel:
    """The rules under some options that fit."""

    def __init__(self, options: OneCardOptions) -> None:
        self._options = options
        usual = options.must_play and options.call_one_card == "off"
        self.step: Callable[[Position, int], None] = _step if usual else _step_unusual
        """Does one of `moves`: the number has CHANCE random bits, and each move is as likely."""
        self.play: Callable[[Position, int], None] = _play if usual else _play_unusual
        """Does what the seat to act may do."""

    @staticmethod
    def fits(game: Game[Any, Any, Any]) -> bool:
        """Whether there is a kernel for the game's options."""
        options = game.options
        return isinstance(options, OneCardOptions) and not (
            options.draw_then_play
            or options.draw_until_playable
            or options.bankrupt_at
            or options.two_player_queen == "skip"
        )

    def load(self, state: State, rng: Dice | None = None) -> Position:
        """The position of a state in which a seat is to act, or which is over; `rng` orders what is shuffled in it."""
        public = state.public
        if public.phase in (DRAWN, SHUFFLE):
            raise ValueError("a draw is not done")
        position = Position()
        position.turn = NOBODY if public.reason else public.turn
        position.answering = ANSWERING[self._options.free_defence][self._options.redirect_by_rank]
        position.mask = (position.answering if public.pending else FITTING)[public.top]
        position.hands = list(state.hands)
        position.stock, position.discards = [_BITS[card] for card in reversed(state.stock)], list(public.discards)
        position.pending, position.idle = public.pending, public.idle
        position.after, position.before = _ROUND[len(state.hands)][:: public.direction]
        position.still = self._options.turn_limit - public.actions
        set_left(position, position.still)
        position.winner = public.winners[0] if public.winners else NOBODY
        position.options = self._options
        position.rng = seeded(0) if rng is None else rng
        return position

    @staticmethod
    def copy(position: Position) -> Position:
        """One like it that goes its own way. Both have one `rng`: who shuffles later gets later numbers of it."""
        other = Position()
        other.turn, other.pending = position.turn, position.pending
        other.mask = position.mask
        other.hands, other.stock, other.discards = position.hands[:], position.stock[:], position.discards[:]
        other.after, other.before = position.after, position.before
        other.idle, other.still = position.idle, position.still
        other.left, other.later = position.left, position.later
        other.winner, other.answering = position.winner, position.answering
        other.options, other.rng = position.options, position.rng
        return other

    @staticmethod
    def moves(position: Position) -> list[int]:
        """Everything that the seat to act may do, in the order of the rules."""
        if position.turn == NOBODY:
            return []
        hand, options, found = position.hands[position.turn], position.options, list[int]()
        calls = options.call_one_card == "self" and hand.bit_count() == 2
        for card in each(Cards(hand & position.mask)):
            found += (CALL + card, card) if calls else (card,)
        if position.pending:
            found.append(TAKE)
        elif not found or not options.must_play:
            found.append(DRAW)
        return found

    @staticmethod
    def action(position: Position, move: int) -> Action:
        """The move as the rules name it."""
        return _ACTIONS[move]

    @staticmethod
    def winners(position: Position) -> tuple[int, ...]:
        """Who is out, when the round is over."""
        return () if position.winner < 0 else (position.winner,)

    @staticmethod
    def points(position: Position) -> tuple[int, ...]:
        """What each seat scores, when the round is over."""
        scoring, winner = position.options.scoring, position.winner
        if scoring == "points":
            worth = [sum(min((card >> 2) + 1, 10) for card in cards(hand)) for hand in position.hands]
        else:
            worth = [hand.bit_count() for hand in position.hands]
        if scoring == "winner_takes" and winner >= 0:
            return tuple(sum(worth) if seat == winner else 0 for seat in range(len(worth)))
        return tuple(0 if seat == winner else -left for seat, left in enumerate(worth))


def _step(position: Position, number: int, move: int = _BY_NUMBER) -> None:
    """Does a move that the number picks, or plays this card."""
    seat = position.turn
    hand = position.hands[seat]
    if move == _BY_NUMBER:
        fits = hand & position.mask
        if position.pending:
            count = fits.bit_count()
            back = count - (number * (count + 1) >> CHANCE)
            if not back:
                _take_all(position, seat)
                return
        elif fits:
            count = fits.bit_count()
            back = count - (number * count >> CHANCE)
        else:
            _draw(position, seat, hand)
            return
        while back > 1:
            back -= 1
            fits ^= _HIGHEST[fits.bit_length()]
        move = fits.bit_length() - 1
    bit, second, mask, effect = CARDS[move]
    turn = position.after[seat]
    position.left = left = position.left - 1
    if hand > FACES and hand & second:
        bit = _last(hand, second)
    position.hands[seat] = hand = hand ^ bit
    position.discards.append(move)
    if effect:
        if effect == JACK:
            turn = position.after[turn]
        elif effect == QUEEN:
            position.after, position.before = position.before, position.after
            turn = position.after[seat]
        else:
            position.pending = 0 if effect == SEVEN else position.pending + effect + 1
        if position.pending:
            mask = position.answering[move]
    position.turn, position.mask = turn, mask
    if not hand:
        _go_out(position, seat)
    elif not left:
        set_left(position, position.later)


def _step_unusual(position: Position, number: int) -> None:
    moves = Kernel.moves(position)
    _play_unusual(position, moves[number * len(moves) >> CHANCE])


def _play(position: Position, move: int) -> None:
    seat = position.turn
    if move < DRAW:
        _step(position, 0, move)
    elif move == DRAW:
        _draw(position, seat, position.hands[seat])
    else:
        _take_all(position, seat)


def _play_unusual(position: Position, move: int) -> None:
    """The same where one may draw though a card fits, or draws for not saying that one card is left."""
    hands, seat = position.hands, position.turn
    _play(position, move & CALL - 1)
    options = position.options
    if move < DRAW and hands[seat].bit_count() == 1 and options.call_one_card == "self":
        take(position, seat, options.call_penalty)


def _draw(position: Position, seat: int, hand: int) -> None:
    """Draws a card for want of one that fits."""
    position.left = left = position.left - 1
    if position.stock:
        bit = position.stock.pop()
        while hand & bit:
            bit <<= DECK
        position.hands[seat] = hand | bit
        position.turn = position.after[seat]
    else:
        position.turn = _take_in_turn(position, seat, 1)
    if not left:
        set_left(position, position.later)


def _take_all(position: Position, seat: int) -> None:
    """Takes all cards of the attack."""
    position.left -= 1
    position.turn = _take_in_turn(position, seat, position.pending)
    position.pending, position.mask = 0, FITTING[position.discards[-1]]
    if not position.left:
        set_left(position, position.later)


def set_left(position: Position, left: int) -> None:
    """Says how many actions are left; the round is blocked where that is none."""
    position.left = min(left, _SMALL)
    position.later = left - position.left
    if not left:
        position.turn = NOBODY


def cards(hand: int) -> list[int]:
    """The faces in a hand, copies as often as they are there."""
    found = []
    while hand:
        found += [card for card in range(DECK) if hand >> card & 1]
        hand >>= DECK
    return found


def take(position: Position, seat: int, number: int) -> int:
    """The seat draws so many cards, as far as there are any; how many it drew."""
    stock, hand, left = position.stock, position.hands[seat], number
    while left and (stock or len(position.discards) > 1):
        if not stock:
            stock = position.stock = [_BITS[card] for card in position.discards[:-1]]
            chance = position.rng.random
            stock.sort(key=lambda bit: chance())
            del position.discards[:-1]
        bit = stock.pop()
        while hand & bit:
            bit <<= DECK
        hand |= bit
        left -= 1
    position.hands[seat] = hand
    return number - left


def _take_in_turn(position: Position, seat: int, number: int) -> int:
    """Draws what there is; who is next, or NOBODY after too many turns that came to nothing."""
    if not take(position, seat, number):
        left = position.left + position.later
        position.idle = position.idle + 1 if position.still == left + 1 else 1
        position.still = left
        if position.idle == len(position.hands):
            return NOBODY
    return position.after[seat]


def _last(hand: int, second: int) -> int:
    """The last copy of a card of which a hand has two at least."""
    while hand & second << DECK:
        second <<= DECK
    return second


def _go_out(position: Position, seat: int) -> None:
    if position.pending and position.turn != seat and position.options.final_attack_counts:
        take(position, position.turn, position.pending)
    position.turn, position.winner = NOBODY, seat


KERNEL = Kernel(OneCardOptions())
"""By the default options."""
