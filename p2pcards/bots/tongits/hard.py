"""Level `hard`: tries what it may do in hands that the others may hold, and plays each of these rounds to its end.

Under the default options the worlds and the rounds are those of the kernel, and it tries the few actions that look best
to its judgement, which counts for as much as many worlds. Under other options worlds and rounds are those of the typed
rules; there it starts from what `medium` would do, and does something else only where that turns out better.
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
from p2pcards.bots.tongits.judgement import Judgement
from p2pcards.bots.tongits.kernel import ACTING, BITS, DRAW, KERNEL, Position
from p2pcards.bots.tongits.medium import Medium
from p2pcards.bots.tongits.reading import has_exposed, rivals, way_out
from p2pcards.bots.tongits.rollout import playout
from p2pcards.bots.tongits.worlds import Worlds
from p2pcards.games.base import Game, Outcome, Rng, Seat
from p2pcards.games.tongits.actions import CALL, Action
from p2pcards.games.tongits.options import TongItsOptions
from p2pcards.games.tongits.state import Phase, State, View

World = tuple[list[int], list[int]]  # hands by seat, and the stock with the next card last

_AHEAD = 3.0
"""Wins, over all worlds, by which something must be ahead of what `medium` would do under other options."""

_CHIPS = 6
"""Stakes between winning and losing a round that is played for chips: 5.7 in rounds between `medium` bots."""

_PRIOR = 300.0
"""Worlds that the judgement counts for; 150 are as good. With it 38.1 % of rounds against two `medium` bots are won,
with worlds alone 35.6 %, by itself it wins 37.2 %."""

_TRIED = 5
"""How many actions are tried."""

_USUAL = 0.005
"""Wins by which something must look better than what `medium` would do."""

_MEDIUM = Medium()


class Hard:
    """Searches in worlds that its view allows."""

    def think(self, game: Game[Any, View, Action], view: View, rng: Rng) -> Iterator[Thought[Action]]:
        """The best action so far, the first of them what `medium` would do."""
        first = _MEDIUM.choose(game, view, rng)
        yield Thought(first)
        if not KERNEL.fits(game):
            yield from search(Playouts(game, view, _MEDIUM, _worth), seeded_by(rng), _ahead(game))
        elif not _settled(game, view):
            dice = seeded_by(rng)
            decision = _Decision(KERNEL.load(game.resample(view, dice)), first)
            priors = decision.judged(Judgement(view))
            yield Thought(decision.actions[0])
            decision.draw = Worlds(view, dice).draw
            yield from search(decision, dice, priors)


class Cheat:
    """Tries what it may do in the world that there is."""

    def see(self, game: Game[State, View, Action], state: State, seat: Seat, rng: Rng) -> Iterator[Thought[Action]]:
        """The best action so far, the first of them what `medium` would do."""
        view = game.view(state, seat)
        first = _MEDIUM.choose(game, view, rng)
        yield Thought(first)
        if not KERNEL.fits(game):
            yield from search(Playouts(game, view, _MEDIUM, _worth, lambda rng: state), rng)
        elif not _settled(game, view):
            now = KERNEL.load(state)
            decision = _Decision(now, first)
            decision.draw = lambda: (now.hands, now.stock)
            yield from islice(search(decision, rng), len(decision.actions) + 1)  # nothing is left to chance


def _ahead(game: Game[Any, View, Action]) -> float:
    """_AHEAD in what a round is played for."""
    options: TongItsOptions = game.options
    return _AHEAD * _CHIPS * options.stake if options.scoring == "chips" else _AHEAD


def _settled(game: Game[Any, View, Action], view: View) -> bool:
    """Whether there is nothing to think about, and `medium` does what is best.

    That is so with one action, when a call is to be answered, which is always contested, where there is a way to go
    out, and with a call that nobody can contest.
    """
    actions, public = legal_actions(game, view), view.public
    if len(actions) == 1 or public.phase is Phase.RESPOND or way_out(view, actions) is not None:
        return True
    return CALL in actions and not any(has_exposed(public, rival) for rival in rivals(view))


class _Decision:
    """What to do in one's turn, on the kernel."""

    draw: Callable[[], World]

    def __init__(self, now: Position, first: Action) -> None:
        """now: with any hands of the others."""
        self._now, self._seat = now, now.turn
        self._moves = {KERNEL.action(now, move): move for move in KERNEL.moves(now)}
        self.actions: Sequence[Action] = [first, *(action for action in self._moves if action != first)]
        self._after = {action: self._played(self._moves[action]) for action in self.actions}

    def judged(self, judgement: Judgement) -> list[float]:
        """What the actions count before they are tried, the best first; the others are left out."""
        first, after, moves = self.actions[0], self._after, self._moves
        worth = {action: judgement.worth(after[action], moves[action]) for action in self.actions}
        worth[first] += _USUAL
        self.actions = sorted(self.actions, key=worth.__getitem__, reverse=True)[:_TRIED]
        return [_PRIOR * worth[action] for action in self.actions]

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
        return self.draw()

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
