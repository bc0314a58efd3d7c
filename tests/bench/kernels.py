"""Random play through the playout kernels, and beside RLCard: time of a step.

A step of a kernel does what one of the rules does (`engine`): of all legal moves it picks one, each as likely as any,
and does it; that moves are counted and not listed where that is faster is what a kernel is for. Its tests show that it
does what the list says. Of RLCard it is the layer below its environments, the game itself, as it lists actions and
takes one.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from itertools import count
from time import process_time
from typing import Any

from p2pcards.bots.dice import CHANCE
from tests.bench.engine import REPEATS, Ours, Theirs, steps
from tests.bench.figure import Figure, Missing, interleaved
from tests.testing.dice import dice

RLCARD_ROUNDS = 4
WARMING = 20
"""Times of other deals before it counts: what holds for every deal is found by then, as it is soon in a search."""


_NUMBERS = count()
"""Of deals, so that no kernel meets one again, in whatever items it is measured."""


class Kernel:
    """A game's kernel."""

    def __init__(self, name: str, seats: int) -> None:
        self._kernel: Any = import_module(f"p2pcards.bots.{name}.kernel").KERNEL
        self._rules = Ours(name, seats)

    def step(self) -> Callable[[], float]:
        """Seconds a step, the deals off the clock."""
        kernel = self._kernel
        step = kernel.step

        def timed() -> float:
            dealt = [kernel.load(state) for state in self._rules.dealt(f"deals {next(_NUMBERS)}")]
            taken, pick, start = 0, dice("choices").getrandbits, process_time()
            for state in dealt:
                while state.turn >= 0:
                    step(state, pick(CHANCE))
                    taken += 1
            return (process_time() - start) / taken

        for _ in range(WARMING):
            timed()
        return timed


def beside(name: str, seats: int, anchor: str) -> Callable[[], Figure]:
    """Measures a step of the game's kernel over one of OpenSpiel's game."""

    def measure() -> Figure:
        kernel, theirs = interleaved(REPEATS, Kernel(name, seats).step(), steps(Theirs(anchor)))
        return Figure(kernel / theirs, {"us": kernel * 1e6, "us of the anchor": theirs * 1e6})

    return measure


def typed(name: str, seats: int) -> Callable[[], Figure]:
    """Measures a step through the typed rules over one of the kernel."""

    def measure() -> Figure:
        rules, kernel = interleaved(REPEATS, steps(Ours(name, seats)), Kernel(name, seats).step())
        return Figure(rules / kernel, {"us": rules * 1e6, "us of the kernel": kernel * 1e6})

    return measure


def over_rlcard(name: str, seats: int, module: str, game: str) -> Callable[[], Figure]:
    """Measures how many steps of our kernel go into one of RLCard's game, and how many through the typed rules."""

    def measure() -> Figure:
        ways = _rlcard(module, game, seats), Kernel(name, seats).step(), steps(Ours(name, seats))
        theirs, kernel, rules = interleaved(REPEATS, *ways)
        parts = {"through the rules": theirs / rules, "us of the kernel": kernel * 1e6, "us of RLCard": theirs * 1e6}
        return Figure(theirs / kernel, parts)

    return measure


def _rlcard(module: str, name: str, seats: int) -> Callable[[], float]:
    """Seconds a step of that game of RLCard, which deals and shuffles off the clock."""
    try:
        make = getattr(import_module(module), name)
        numpy = import_module("numpy")
    except ImportError:
        raise Missing("RLCard is not installed: pip install -e '.[bench]'") from None

    def timed() -> float:
        pick, seconds, taken = dice("choices").getrandbits, 0.0, 0
        for number in range(RLCARD_ROUNDS):
            game = make()
            game.num_players = seats if game.num_players == 2 else game.num_players
            game.np_random = numpy.random.RandomState(number)
            game.init_game()
            start = process_time()
            while not game.is_over():
                legal = list(_legal(game))
                game.step(legal[pick(CHANCE) * len(legal) >> CHANCE])
                taken += 1
            seconds += process_time() - start
        return seconds / taken

    return timed


def _legal(game: Any) -> Any:
    """What may be done, as the game tells it."""
    return game.get_legal_actions() if hasattr(game, "get_legal_actions") else game.state["actions"]
