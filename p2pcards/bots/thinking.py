"""Bots that think: they have a best action at once, and a better one the longer they are let.

A `Thinker` is asked for its best action so far again and again, so whoever asks decides how long that goes on: the
arena until a budget is spent, a table in short slices between which its loop does everything else.

    Deliberate(bot, Budget(clock=thread_time)).choose(game, view, rng)         # as any other bot
    for thought in bot.think(game, view, rng): thought.action                  # in one's own time
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from p2pcards.bots.budget import Budget, spent
from p2pcards.games.base import Game, Rng, Seat

S = TypeVar("S")
V = TypeVar("V")
A = TypeVar("A")
B = TypeVar("B")


class Thought(NamedTuple, Generic[A]):
    """The best action so far, and the next best, where both were tried in so many worlds.

    sure: the action wins the round in every world that the view allows.
    """

    action: A
    second: A | None = None
    worlds: int = 0
    sure: bool = False

    def of(self, act: Callable[[A], B]) -> Thought[B]:
        """The same about what `act` makes of the actions."""
        second = None if self.second is None else act(self.second)
        return Thought(act(self.action), second, self.worlds, self.sure)


class Thinker(Protocol[V, A]):
    """Plays a seat from what that seat may know; equal views and numbers give equal thoughts."""

    def think(self, game: Game[Any, V, A], view: V, rng: Rng) -> Iterator[Thought[A]]:
        """The best action so far, after each step of at most 2 ms; ends where there is nothing left to think about.

        Gives one action at least; raises ValueError where the viewer has nothing to do.
        """


class Deliberate:
    """A thinker as a bot: it takes all of its budget for each action."""

    def __init__(self, thinker: Thinker[Any, Any], budget: Budget) -> None:
        self.thinker, self.budget = thinker, budget

    def choose(self, game: Game[Any, V, A], view: V, rng: Rng) -> A:
        """The best action that it found; raises ValueError where the viewer has nothing to do."""
        *_, best = spent(self.thinker.think(game, view, rng), self.budget)
        return best.action  # type: ignore[no-any-return]  # a thinker of this game gives its actions


class Seer(Protocol[S, A]):
    """Plays a seat with all hands open: for the arena, where it shows what can be had at most."""

    def see(self, game: Game[S, Any, A], state: S, seat: Seat, rng: Rng) -> Iterator[Thought[A]]:
        """The best action of that seat so far, as `Thinker.think` gives it."""


class AllSeeing:
    """A seer that takes all of its budget for each action."""

    def __init__(self, seer: Seer[Any, Any], budget: Budget) -> None:
        self.seer, self.budget = seer, budget

    def choose_from(self, game: Game[S, Any, A], state: S, seat: Seat, rng: Rng) -> A:
        """The best action that it found for that seat, whose turn it is."""
        *_, best = spent(self.seer.see(game, state, seat, rng), self.budget)
        return best.action  # type: ignore[no-any-return]  # the same
