"""Level `hard`: tries each action out in many worlds that its view allows, all seats playing on as `medium` plays."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from p2pcards.bots.base import legal_actions
from p2pcards.bots.dice import Dice, seeded, seeded_by
from p2pcards.bots.search import search
from p2pcards.bots.straights.greedy import World, passed_out, played_out, tables_of, world
from p2pcards.bots.straights.medium import Medium
from p2pcards.bots.straights.worlds import Worlds, lying
from p2pcards.bots.thinking import Thought
from p2pcards.games.base import Game, Rng, Seat
from p2pcards.games.straights.actions import Action, Discard, Pass
from p2pcards.games.straights.state import SEATS, State, View

OTHERS = 0.75
"""What a point of the others' mean is worth beside one of one's own (from matches to 80)."""

_AHEAD = 60.0
"""So many points more, over all worlds, another action must be worth than medium's."""

_FIRST = 16
"""Worlds before actions are dropped for the first time: fewer are mostly luck, and each is much like the one before."""


class Hard:
    """Plays the action that turned out best on average."""

    def think(self, game: Game[Any, View, Action], view: View, rng: Rng) -> Iterator[Thought[Action]]:
        """The best action so far, after each step."""
        actions = legal_actions(game, view)
        if len(actions) == 1:
            return iter([Thought(actions[0])])
        return _thoughts(game, view, seeded_by(rng))


class Cheat:
    """Plays as `Hard` does, with all hands open: one world is all there is to try."""

    def see(self, game: Game[Any, View, Action], state: State, seat: Seat, rng: Rng) -> Iterator[Thought[Action]]:
        """The best action."""
        view = game.view(state, seat)
        actions = legal_actions(game, view)
        if len(actions) == 1:
            return iter([Thought(actions[0])])
        decision = Decision(game, view, Truth(state))
        truth = decision.world(rng)
        return iter([Thought(max(decision.actions, key=lambda action: decision.worth(truth, action)))])


def _thoughts(game: Game[Any, View, Action], view: View, dice: Dice) -> Iterator[Thought[Action]]:
    """What medium would do, also while the worlds are set up, which takes a step; then what the search thinks."""
    first = Thought(Medium().choose(game, view, dice))
    yield first
    worlds = Worlds(game, view, dice)
    yield first
    yield from search(Decision(game, view, worlds), dice, _AHEAD, _FIRST)


class Truth:
    """Where all cards lie, as `Worlds` has it."""

    def __init__(self, state: State) -> None:
        self.holder, self.gone = lying(state)

    def draw(self) -> None:
        """The next world: the same one."""


class Decision:
    """What the viewer may do, in worlds from there."""

    def __init__(self, game: Game[Any, View, Action], view: View, worlds: Worlds | Truth) -> None:
        self._public, self._seat, self._worlds = view.public, view.public.turn, worlds
        self._tables = tables_of(view.public.table)
        self._passes = game.options.mode == "sevens_pass"
        first = Medium().choose(game, view, seeded(0))
        self.actions = [first, *(action for action in legal_actions(game, view) if action != first)]

    def world(self, rng: Rng) -> World:
        """A world that may be the true one."""
        public, worlds = self._public, self._worlds
        worlds.draw()
        return world(public.turn, self._tables, public.fits, worlds.holder, worlds.gone)

    def value(self, world: World, action: Action, chance: int) -> Generator[None, None, float]:
        """What the action turns out to be worth there."""
        yield
        return self.worth(world, action)

    def worth(self, world: World, action: Action) -> float:
        """The same, in one step."""
        if isinstance(action, Pass):
            raise ValueError("who may pass has no choice")
        if self._passes:
            return worth(passed_out(world, action.card), self._seat)
        return worth(played_out(world, action.card, isinstance(action, Discard)), self._seat)


def worth(points: Sequence[int], seat: Seat) -> float:
    """What a round is worth that ends with these points: few of one's own, and many of the others'."""
    others = (sum(points) - points[seat]) / (SEATS - 1)
    return OTHERS * others - points[seat]


HARD, CHEAT = Hard(), Cheat()
