"""Random rounds of Tong-its: the rules as everybody calls them, beside the plain second engine of the tests."""

from __future__ import annotations

import random
from time import process_time

from p2pcards.cards import deck
from p2pcards.games.base import Seat
from p2pcards.games.tongits import TongIts
from tests.bench.figure import Figure, interleaved
from tests.testing.dice import dice
from tests.testing.naive_tongits import random_round as naive_round

ROUNDS, NAIVE_ROUNDS, REPEATS = 200, 30, 9


def measure() -> Figure:
    """How many rounds are played in the time of one of the plain engine."""

    def ours() -> float:
        rng = dice("rounds")
        start = process_time()
        for _ in range(ROUNDS):
            random_round(rng)
        return (process_time() - start) / ROUNDS

    def naive() -> float:
        rng = dice("rounds")
        start = process_time()
        for _ in range(NAIVE_ROUNDS):
            naive_round(rng)
        return (process_time() - start) / NAIVE_ROUNDS

    a_round, anchor = interleaved(REPEATS, ours, naive)
    return Figure(anchor / a_round, {"rounds a second": 1 / a_round, "of the plain engine": 1 / anchor})


def random_round(rng: random.Random) -> int:
    """One round through the host's door, every legal action listed at each step; how many steps it took."""
    game, order, steps = TongIts(), list(deck()), 0
    rng.shuffle(order)
    state = game.deal(order, 3, Seat(rng.randrange(3)))
    while acting := game.to_act(game.view(state, None)):
        actions = game.legal_actions(game.view(state, acting[0]))
        state = game.step(state, acting[0], actions[rng.randrange(len(actions))])
        steps += 1
    return steps
