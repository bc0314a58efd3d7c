"""Level `hard`: tries its moves out in hands that the others may hold, and keeps the one that wins most often.

Under the usual rules a kernel and a quick policy play the rounds on, until somebody is out: that is who wins. A small
hand that is out for certain needs none of that: it goes its way. Under other rules, and with places to play for, rounds
go on through the rules to what they are worth, with `medium` at each seat.
`CHEAT` does the same with the true hands, to show what knowing them is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from typing import Any

from p2pcards.bots.base import legal_actions
from p2pcards.bots.dice import seeded_by
from p2pcards.bots.playout import Playouts
from p2pcards.bots.search import search
from p2pcards.bots.thinking import Thought
from p2pcards.bots.tienlen.endings import MOST, Ending
from p2pcards.bots.tienlen.kernel import ALL, KERNEL, Position, move_of
from p2pcards.bots.tienlen.medium import Medium
from p2pcards.bots.tienlen.policy import playout, ranked
from p2pcards.bots.tienlen.worlds import Worlds
from p2pcards.games.base import Game, Outcome, Rng, Seat
from p2pcards.games.tienlen.actions import Action, Play
from p2pcards.games.tienlen.state import State, View

_WIDTH = 6
"""Moves that are tried at most: those that the policy likes best."""
_AHEAD = 0.5  # wins that the likeliest move starts with: from decisions whose moves were tried in 160 worlds each
_CARD = 0.02  # wins that a card left is worth, in one's own hand or for the next best: from the same
_MEDIUM = Medium()


class _Decision:
    """What the seat to act may do, for the search."""

    def __init__(self, position: Position, actions: Sequence[int], hands: Callable[[Rng], list[int]]) -> None:
        self.actions, self._position, self._hands = actions, position, hands

    def world(self, rng: Rng) -> list[int]:
        """Every hand."""
        return self._hands(rng)

    def value(self, world: list[int], action: int, chance: int) -> Generator[None, None, float]:
        """About 1 if the seat is out first, else about 0."""
        position, seat = KERNEL.copy(self._position), self._position.turn
        position.hands = world[:]
        KERNEL.play(position, action)
        winner = position.places[0] if position.places else playout(position)
        yield
        hands = position.hands
        if winner == seat:
            return 1 + _CARD * min(hand.bit_count() for other, hand in enumerate(hands) if other != seat)
        return -_CARD * hands[seat].bit_count()


class Hard:
    """Plays by what comes of it."""

    def think(self, game: Game[Any, View, Action], view: View, rng: Rng) -> Iterator[Thought[Action]]:
        """The best action so far."""
        actions = legal_actions(game, view)
        if view.public.places and game.options.scoring == "first_out" and game.options.objective == "shed":
            yield Thought(_MEDIUM.choose(game, view, rng))  # the round is won already
        elif KERNEL.fits(game):
            worlds, dice = Worlds(view), seeded_by(rng)
            position = worlds.position()
            moves = _promising(actions, view, position)
            first = Thought(KERNEL.action(position, moves[0]))
            yield first
            for sure in _sure(actions, view):
                if sure is not None:
                    yield Thought(KERNEL.action(position, sure), sure=True)
                    return
                yield first
            decision = _Decision(position, moves, worlds.hands)
            for thought in search(decision, dice, _AHEAD):
                yield thought.of(partial(KERNEL.action, position))
        else:
            yield from search(Playouts(game, view, _MEDIUM, _worth(game)), seeded_by(rng))


class Cheat:
    """The same with open hands."""

    def see(self, game: Game[Any, View, Action], state: State, seat: Seat, rng: Rng) -> Iterator[Thought[Action]]:
        """The best action so far; ends when each has been tried, as nothing is left to chance."""
        view = game.view(state, seat)
        actions = legal_actions(game, view)
        if not KERNEL.fits(game):
            known = Playouts(game, view, _MEDIUM, _worth(game), lambda rng: state)
            yield from search(known, seeded_by(rng))
            return
        if state.public.places:
            yield Thought(_MEDIUM.choose(game, view, rng))
            return
        position, best, most = KERNEL.load(state), 0, -9.0
        decision = _Decision(position, _promising(actions, view, position), lambda _: position.hands)
        for move in decision.actions:
            trial = decision.value(position.hands, move, 0)
            try:
                while True:
                    next(trial)
            except StopIteration as end:
                if end.value > most:
                    best, most = move, end.value
            yield Thought(KERNEL.action(position, best))


HARD, CHEAT = Hard(), Cheat()


def _promising(actions: Sequence[Action], view: View, position: Position) -> list[int]:
    """The moves that are worth trying, the likeliest first."""
    moves = [_move(action) for action in actions]
    others = [0 if seat == view.seat else count for seat, count in enumerate(view.public.counts)]
    return ranked(moves, position, others, ALL & ~(view.hand | view.public.played))[:_WIDTH]


def _move(action: Action) -> int:
    return move_of(action.cards) if isinstance(action, Play) else 0


def _sure(actions: Sequence[Action], view: View) -> Iterator[int | None]:
    """The moves that the hand is out with for certain, and None for each other one."""
    if view.hand.bit_count() <= MOST:
        most = max(count for seat, count in enumerate(view.public.counts) if seat != view.seat)
        ending = Ending(ALL & ~(view.hand | view.public.played), most)
        for move in map(_move, reversed(actions)):
            yield move if ending.is_out(int(view.hand), move) else None


def _worth(game: Game[Any, View, Action]) -> Callable[[Outcome, Seat], float]:
    """How many points more a seat has than the others on average."""
    sign = -1 if game.low_wins() else 1
    return lambda outcome, seat: sign * (outcome.points[seat] - sum(outcome.points) / len(outcome.points))
