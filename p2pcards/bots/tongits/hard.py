"""Level `hard`: tries what it may do in hands that the others may hold, and plays each of these rounds to its end.

Under the default options the worlds and the rounds are those of the kernel; under others those of the typed rules. It
starts from what `medium` would do, and does something else only where that wins more often.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import islice
from typing import Any

from p2pcards.bots.base import legal_actions
from p2pcards.bots.dice import seeded_by
from p2pcards.bots.playout import Playouts
from p2pcards.bots.search import search
from p2pcards.bots.thinking import Thought
from p2pcards.bots.tongits.kernel import ACTING, BITS, DRAW, DRAWING, KERNEL, Position
from p2pcards.bots.tongits.medium import Medium
from p2pcards.bots.tongits.reading import has_exposed, rivals, way_out
from p2pcards.bots.tongits.rollout import lonely, loose, playout, worth
from p2pcards.bots.tongits.worlds import Worlds
from p2pcards.games.base import Game, Outcome, Rng, Seat
from p2pcards.games.tongits.actions import CALL, Action, Layoff
from p2pcards.games.tongits.options import TongItsOptions
from p2pcards.games.tongits.state import Phase, State, View

World = tuple[list[int], list[int]]  # hands by seat, and the stock with the next card last

_AHEAD = 3.0
"""Wins, over all worlds, by which something must be ahead of what `medium` would do; of 1, 2 and 3 none is better in
decisions out of rounds between `medium` bots, and this one departs from it least often."""

_CHIPS = 6
"""Stakes between winning and losing a round that is played for chips: 5.7 in rounds between `medium` bots."""

_DISCARDS = 4
"""How many cards are tried as discards."""

_MEDIUM = Medium()


class Hard:
    """Searches in worlds that its view allows."""

    def think(self, game: Game[Any, View, Action], view: View, rng: Rng) -> Iterator[Thought[Action]]:
        """The best action so far, the first of them what `medium` would do."""
        first = Thought(_MEDIUM.choose(game, view, rng))
        yield first
        if not KERNEL.fits(game):
            yield from search(Playouts(game, view, _MEDIUM, _worth), seeded_by(rng), _ahead(game))
        elif _is_won(game, view):
            yield first._replace(sure=True)
        elif not _settled(game, view):
            dice = seeded_by(rng)
            now, worlds = KERNEL.load(game.resample(view, dice)), Worlds(view, dice)
            yield from search(_Decision(now, first.action, worlds.draw), dice, _AHEAD)


class Cheat:
    """Tries what it may do in the world that there is."""

    def see(self, game: Game[State, View, Action], state: State, seat: Seat, rng: Rng) -> Iterator[Thought[Action]]:
        """The best action so far, the first of them what `medium` would do."""
        view = game.view(state, seat)
        first = _MEDIUM.choose(game, view, rng)
        yield Thought(first)
        if not KERNEL.fits(game):
            yield from search(Playouts(game, view, _MEDIUM, _worth, lambda rng: state), rng)
        elif not _settled(game, view) and not _is_won(game, view):
            now = KERNEL.load(state)
            decision = _Decision(now, first, lambda: (now.hands, now.stock), every=True)
            yield from islice(search(decision, rng), len(decision.actions) + 1)  # nothing is left to chance


def _ahead(game: Game[Any, View, Action]) -> float:
    """_AHEAD in what a round is played for."""
    options: TongItsOptions = game.options
    return _AHEAD * _CHIPS * options.stake if options.scoring == "chips" else _AHEAD


def _settled(game: Game[Any, View, Action], view: View) -> bool:
    """Whether there is nothing to think about, and `medium` does what is best.

    That is so with one action, and when a call is to be answered, which is always contested.
    """
    return len(legal_actions(game, view)) == 1 or view.public.phase is Phase.RESPOND


def _is_won(game: Game[Any, View, Action], view: View) -> bool:
    """Whether there is a way to go out, or a call that nobody can contest: `medium` wins by these too."""
    actions = legal_actions(game, view)
    if way_out(view, actions) is not None:
        return True
    return CALL in actions and not any(has_exposed(view.public, rival) for rival in rivals(view))


class _Decision:
    """What to do in one's turn, on the kernel."""

    def __init__(self, now: Position, first: Action, world: Callable[[], World], every: bool = False) -> None:
        """now: with any hands of the others. every: all actions are tried."""
        self._now, self._seat, self._world = now, now.turn, world
        self._moves = {KERNEL.action(now, move): move for move in KERNEL.moves(now)}
        others = self._moves if every else self._promising(first)
        self.actions: Sequence[Action] = [first, *(action for action in others if action != first)]
        self._after = {action: self._played(self._moves[action]) for action in self.actions}

    def _promising(self, first: Action) -> list[Action]:
        """What may be better than the first: in a turn's beginning all, later the few cards best thrown away.

        To expose something else, or to throw a card away that could be laid off, has looked better and lost more.
        """
        if self._now.phase == DRAWING:
            return list(self._moves)
        if isinstance(first, Layoff):
            return []
        hand = self._now.hands[self._seat]
        left = loose(hand) or hand
        alone = lonely(hand)
        discards = [move for move in self._moves.values() if move < DRAW and left >> move & 1]
        discards.sort(key=lambda move: -worth(BITS[move] & alone, BITS[move] & ~alone))
        return [KERNEL.action(self._now, move) for move in discards[:_DISCARDS]]

    def _played(self, move: int) -> Position:
        """The position after the move, but with the stock as it was."""
        after = KERNEL.copy(self._now)
        if move == DRAW:
            after.phase = ACTING
        else:
            KERNEL.play(after, move)
        return after

    def world(self, rng: Rng) -> World:
        """Hands and a stock; chance has all been drawn in them."""
        return self._world()

    def value(self, world: World, action: Action, chance: int) -> Generator[None, None, float]:
        """What comes out for the seat when all play on."""
        yield
        after, seat, move = self._after[action], self._seat, self._moves[action]
        hands, stock = world
        hands = hands[:]
        hands[seat] = after.hands[seat]
        if move == DRAW:
            hands[seat] |= BITS[stock[-1]]
            stock = stock[:-1]
        return playout(after, hands, stock, seat)


def _worth(outcome: Outcome, seat: Seat) -> float:
    """Points where chips are paid, else the win."""
    return float(outcome.points[seat])


HARD, CHEAT = Hard(), Cheat()
