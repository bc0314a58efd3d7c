"""Which action is best on average over worlds that may be the true one: a flat search with halving.

Nobody knows the others' cards. So the search draws worlds that fit what its seat has seen, tries every action in each,
lets a quick policy play all seats on to the end, and counts what that is worth. Two thoughts make few worlds go far.

* All actions are tried in the same worlds with the same chance after them, so what luck deals out is the same for each
  and goes out of their difference (common random numbers).
* After 4, 8, 16, … worlds, or from more on, the worse half of the actions is dropped (sequential halving: Karnin, Koren
  and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", 2013), so the time left goes into telling apart the
  best.

The search may be stopped after each trial. Until every action has been tried in one world it gives the first.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from p2pcards.bots.thinking import Thought
from p2pcards.games.base import Rng

A = TypeVar("A")

FIRST = 4
"""Worlds before actions are dropped for the first time."""

LAST = 2
"""Actions that are kept to the end."""


class Problem(Protocol[A]):
    """One decision of one seat."""

    @property
    def actions(self) -> Sequence[A]:
        """What there is to choose from, the likeliest first; one at least."""

    def world(self, rng: Rng) -> Any:
        """A state that the seat's view allows."""

    def value(self, world: Any, action: A, chance: int) -> Generator[None, None, float]:
        """What the action turns out to be worth to the seat there; `chance` settles what comes after by luck.

        It yields at least once, between steps of at most 2 ms.
        """


def search(problem: Problem[A], rng: Rng, ahead: float = 0.0, first: int = FIRST) -> Iterator[Thought[A]]:
    """The best action so far after each trial; ends at once where there is no choice.

    `ahead` is what the first action starts with: so much more another must be worth, over all worlds, to replace it.
    Where few worlds are tried and the likeliest action is good, that keeps mere luck from replacing it.
    `first` is after how many worlds actions are dropped for the first time: more of them where a world is like the one
    before, and few are like no more than one.
    """
    actions = list(problem.actions)
    best, worlds, drops_at = Thought(actions[0]), 0, first
    if len(actions) == 1:
        yield best
        return
    sums = [ahead] + [0.0] * (len(actions) - 1)
    while True:
        world, chance = problem.world(rng), rng.randrange(1 << 32)
        for place, action in enumerate(actions):
            trial = problem.value(world, action, chance)
            try:
                while True:
                    next(trial)
                    yield best
            except StopIteration as end:
                sums[place] += end.value
        worlds += 1
        order = sorted(range(len(actions)), key=sums.__getitem__, reverse=True)  # stable: of equals the likelier one
        best = Thought(actions[order[0]], actions[order[1]], worlds)
        if worlds == drops_at and len(actions) > LAST:
            kept = sorted(order[: max(LAST, (len(actions) + 1) // 2)])
            actions, sums = [actions[place] for place in kept], [sums[place] for place in kept]
            drops_at *= 2
