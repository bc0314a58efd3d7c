"""Level `hard`: tries each action out in many worlds that its view allows, all seats playing on as `medium` plays.

Where winning the round is all that counts it stops when its turn comes again, and says how likely it wins from there.
Otherwise, and by rules that the kernel doesn't know, rounds are played to their end.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial
from typing import Any

from p2pcards.bots.base import legal_actions
from p2pcards.bots.dice import Dice, Later, seeded_by
from p2pcards.bots.onecard.chances import chance_to_win
from p2pcards.bots.onecard.greedy import greedy, play_on
from p2pcards.bots.onecard.kernel import CALL, NOBODY, Kernel, Position
from p2pcards.bots.onecard.medium import Medium
from p2pcards.bots.onecard.worlds import Worlds, pasts
from p2pcards.bots.playout import Playouts
from p2pcards.bots.search import search
from p2pcards.bots.thinking import Thought
from p2pcards.games.base import Game, Rng, Seat
from p2pcards.games.onecard.actions import Action
from p2pcards.games.onecard.state import State, View

_SLICE = 100
"""Actions in a step."""

_MARGIN = 0.002
"""What a point of the score is worth beside the win of a match of one round."""


class Hard:
    """Plays the action that turned out best on average."""

    def think(self, game: Game[Any, View, Action], view: View, rng: Rng) -> Iterator[Thought[Action]]:
        """The best action so far, after each step."""
        actions = legal_actions(game, view)
        if len(actions) == 1:
            return iter([Thought(actions[0])])
        dice = seeded_by(rng)
        state = game.resample(view, dice)
        return _thoughts(game, state, view, [seat for seat in range(len(state.hands)) if seat != view.seat], dice)


class Cheat:
    """Plays as `Hard` does, with all hands open; what comes from the stock it doesn't know."""

    def see(self, game: Game[Any, View, Action], state: State, seat: Seat, rng: Rng) -> Iterator[Thought[Action]]:
        """The best action so far, after each step."""
        dice = seeded_by(rng)
        return _thoughts(game, state, game.view(state, seat), [], dice)


def _thoughts(
    game: Game[Any, View, Action], state: State, view: View, hidden: list[int], dice: Dice
) -> Iterator[Thought[Action]]:
    """What the search thinks; the state is the true one but for the hidden hands and the stock."""
    if not Kernel.fits(game):
        world = None if hidden else lambda rng: state
        outcomes = Playouts(game, view, Medium(), lambda outcome, seat: worth(game, outcome.points, seat), world)
        return search(outcomes, dice)
    kernel = Kernel(game.options)
    position = kernel.load(state, dice)
    worlds = Worlds(position, hidden, dice, pasts(state.public, position))
    thoughts = search(Decision(game, kernel, position, worlds), dice)
    return (thought.of(partial(kernel.action, position)) for thought in thoughts)


class Decision:
    """What the seat to act may do in a position, of which some hands and the stock are not known."""

    def __init__(self, game: Game[Any, View, Action], kernel: Kernel, position: Position, worlds: Worlds) -> None:
        self._game, self._kernel, self._worlds, self._seat = game, kernel, worlds, position.turn
        self._until = position.turn if wins_alone_count(game) else NOBODY
        best = greedy(position)
        self.actions = sorted(kernel.moves(position), key=lambda move: move & CALL - 1 != best)

    def world(self, rng: Rng) -> Position:
        """A position that may be the true one."""
        return self._worlds.draw()

    def value(self, world: Position, action: int, chance: int) -> Generator[None, None, float]:
        """What the move turns out to be worth there."""
        position = self._kernel.copy(world)
        position.rng = Later(chance)
        self._kernel.play(position, action)
        yield
        while position.turn not in (NOBODY, self._until):
            play_on(position, _SLICE, self._until)
            if position.turn not in (NOBODY, self._until):
                yield
        if position.turn == NOBODY:
            return worth(self._game, self._kernel.points(position), self._seat)
        return chance_to_win(position, self._seat)


def wins_alone_count(game: Game[Any, Any, Any]) -> bool:
    """Whether a match is one round, won by who is out."""
    options = game.options
    return bool(options.rounds == 1 and options.match_winner == "highest_score")


def worth(game: Game[Any, Any, Any], points: tuple[int, ...], seat: int) -> float:
    """What a round is worth that was scored like this: the match, or how far ahead one comes in it."""
    ahead = points[seat] - sum(points) / len(points)
    margin = -ahead if game.low_wins() else ahead
    if game.options.rounds > 1:
        return margin
    leaders = game.leaders(points)
    return (seat in leaders) / len(leaders) + _MARGIN * margin


HARD, CHEAT = Hard(), Cheat()
