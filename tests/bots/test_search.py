"""The search, and decisions tried out through the typed rules, with problems whose answer is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from itertools import islice
from typing import Any

import pytest

from p2pcards.bots.playout import Playouts
from p2pcards.bots.registry import bot
from p2pcards.bots.search import FIRST, LAST, search
from p2pcards.bots.thinking import Thought
from p2pcards.cards import deck
from p2pcards.games.base import Outcome, Rng, Seat
from p2pcards.games.registry import GAMES
from tests.bots.highest import Highest, HighestOptions, Says
from tests.bots.rounds import states
from tests.testing.dice import dice


class Urns:
    """Each action draws from an urn of its own around a mean; a world adds its own luck to all of them alike."""

    def __init__(self, means: Sequence[float], luck: float, noise: float = 0.0) -> None:
        self.actions = list(range(len(means)))
        self._means, self._luck, self._noise = means, luck, noise
        self.tried: Counter[int] = Counter()
        self.worlds: list[tuple[int, float]] = []

    def world(self, rng: Rng) -> float:
        return rng.randrange(1000) / 1000 * self._luck

    def value(self, world: float, action: int, chance: int) -> Generator[None, None, float]:
        self.tried[action] += 1
        self.worlds.append((action, world))
        yield
        return self._means[action] + world + dice(f"{chance}/{action}").gauss(0, self._noise)


def found(problem: Any, trials: int, seed: int = 0) -> Any:
    *_, thought = islice(search(problem, dice(seed)), trials)
    return thought.action


def test_the_best_action_is_found_though_luck_is_a_hundred_times_larger() -> None:
    assert found(Urns([0.1, 0.2, 0.3, 0.29, 0.0], luck=30.0), 25) == 2


def test_noise_of_single_trials_is_averaged_out() -> None:
    right = sum(found(Urns([0.0, 0.1, 0.5, 0.2], luck=5.0, noise=0.5), 400, seed) == 2 for seed in range(40))
    assert right >= 38


def test_until_each_action_was_tried_the_first_is_the_best() -> None:
    problem = Urns([0.0, 1.0, 0.5], luck=0.0)
    assert list(islice(search(problem, dice(0)), 3)) == [Thought(0)] * 3
    assert found(problem, 4) == 1


def test_it_knows_what_is_next_best_and_how_often_both_were_tried() -> None:
    problem = Urns([0.1, 0.9, 0.2, 0.8], luck=1.0)
    *_, thought = islice(search(problem, dice(0)), 4 * FIRST + 2 * FIRST + 1)
    assert thought == Thought(1, 3, 2 * FIRST)
    assert Thought(1, 3, 8).of(str) == Thought("1", "3", 8)
    assert Thought(1).of(str) == Thought("1")


def test_one_action_needs_no_search() -> None:
    problem = Urns([0.0], luck=1.0)
    assert list(search(problem, dice(0))) == [Thought(0)]
    assert not problem.tried


def test_the_worse_half_is_dropped_and_the_best_two_are_kept_to_the_end() -> None:
    problem = Urns([place / 8 for place in range(8)], luck=1.0)
    assert found(problem, 8 * FIRST + 4 * FIRST + 2 * 40) == 7
    assert [problem.tried[action] for action in range(4)] == [FIRST] * 4
    assert [problem.tried[action] for action in (4, 5)] == [2 * FIRST] * 2
    assert min(problem.tried[action] for action in (6, 7)) > 2 * FIRST
    assert len({action for action, _ in problem.worlds[-10:]}) == LAST


def test_how_many_worlds_come_before_actions_are_dropped_may_be_said() -> None:
    problem = Urns([0.1, 0.9, 0.2, 0.8], luck=1.0)
    list(islice(search(problem, dice(0), first=7), 4 * 7 + 2 * 5))
    assert [problem.tried[action] for action in problem.actions] == [7, 12, 7, 12]


def test_every_action_is_tried_in_the_same_worlds() -> None:
    problem = Urns([0.5, 0.6, 0.7], luck=1.0)
    found(problem, 3 * FIRST)
    seen = {action: [world for one, world in problem.worlds if one == action] for action in problem.actions}
    assert seen[0] == seen[1] == seen[2]
    assert len(set(seen[0])) == FIRST


def test_equal_actions_leave_the_likelier_one() -> None:
    assert found(Urns([0.5] * 6, luck=1.0), 300) == 0


def worth(outcome: Outcome, seat: Seat) -> float:
    return float(seat in outcome.winners)


def test_a_decision_is_tried_out_through_the_rules_with_reshuffles() -> None:
    game = Highest(HighestOptions(1))
    state = game.deal(tuple(deck(1)), 3, Seat(1))
    problem = Playouts(game, game.view(state, Seat(1)), Says(lambda view: 4), worth)
    assert problem.actions[0] == 4  # what the policy would do comes first
    assert found(problem, 200) in (4, 5)
    answers = [found(problem, 200, seed) for seed in range(5)]
    assert 3 not in answers


def test_worlds_may_come_from_elsewhere() -> None:
    game = Highest(HighestOptions(1))
    state = game.deal(tuple(deck(1)), 2, Seat(0))
    problem = Playouts(game, game.view(state, Seat(0)), Says(lambda view: 0), worth, lambda rng: state)
    assert problem.world(dice(0)) is state


def test_a_playout_by_the_typed_rules_takes_few_steps() -> None:
    game = GAMES["straights"]()
    state = list(islice(states(game, [bot("straights", "medium")] * 4, 0), 2))[-1]
    seat = state.public.turn
    problem = Playouts(game, game.view(state, seat), bot("straights", "medium"), worth)
    steps = list(problem.value(problem.world(dice(0)), problem.actions[0], 0))
    assert len(steps) == 1 + 50 // 8


@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_tried_out_to_its_end(name: str) -> None:
    game = GAMES[name]()
    easy = bot(name, "easy")
    for state in islice(states(game, [easy] * game.usual_seats, 3), 0, 40, 7):
        for seat in game.to_act(game.view(state, None))[:1]:
            if seat >= 0:
                problem = Playouts(game, game.view(state, seat), easy, worth)
                assert found(problem, 300) in list(game.legal_actions(game.view(state, seat)))
