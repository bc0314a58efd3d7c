"""How long a bot may think, and who asks it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from p2pcards.bots.arena import play_deal
from p2pcards.bots.budget import SECONDS, SLICE, STEPS, Budget, slices, spent
from p2pcards.bots.thinking import AllSeeing, Deliberate, Thought
from p2pcards.cards import deck
from p2pcards.games.base import Seat
from tests.bots.highest import NUMBERS, Highest, HighestOptions, Says, Table
from tests.testing.dice import dice


class Clock:
    """Processor time that passes by so much with each thought."""

    def __init__(self, step: float) -> None:
        self.at, self.step = 0.0, step

    def __call__(self) -> float:
        return self.at

    def thoughts(self, of: int | None = None) -> Iterator[int]:
        """0, 1, 2, …, each after a step; so many, or for ever."""
        for thought in count() if of is None else range(of):
            self.at += self.step
            yield thought


def test_a_budget_of_steps_is_spent_to_the_last() -> None:
    assert list(spent(Clock(1.0).thoughts(), Budget(steps=3))) == [0, 1, 2]
    assert list(spent(Clock(1.0).thoughts(of=2), Budget(steps=3))) == [0, 1]
    assert len(list(spent(Clock(1.0).thoughts(), Budget()))) == STEPS


def test_a_budget_of_time_ends_with_the_thought_that_spends_it() -> None:
    clock = Clock(0.25)
    assert list(spent(clock.thoughts(), Budget(0.6, clock))) == [0, 1, 2]
    assert list(spent(clock.thoughts(), Budget(0.1, clock))) == [0]
    assert list(spent(clock.thoughts(of=2), Budget(9.0, clock))) == [0, 1]


def test_what_others_do_meanwhile_takes_nothing_from_a_budget() -> None:
    clock, seen = Clock(0.25), list[int]()
    for thought in spent(clock.thoughts(), Budget(0.6, clock)):
        seen.append(thought)
        clock.at += 5.0
    assert seen == [0, 1, 2]


def test_a_budget_in_steps_grows_with_the_seconds_and_is_never_none() -> None:
    assert Budget.in_steps(SECONDS).steps == STEPS
    assert Budget.in_steps(3 * SECONDS).steps == 3 * STEPS
    assert Budget.in_steps(0.0).steps == 1
    assert Budget(0.1, steps=7).times(10) == Budget(1.0, steps=70)


def test_slices_give_the_last_thought_of_each_and_of_the_whole() -> None:
    clock = Clock(SLICE / 3.9)
    assert list(slices(clock.thoughts(of=10), clock)) == [3, 7, 9]
    assert list(slices(clock.thoughts(of=8), clock)) == [3, 7]
    assert list(slices(clock.thoughts(of=1), clock)) == [0]


def test_what_others_do_between_slices_makes_none_shorter() -> None:
    clock, seen = Clock(SLICE / 3.9), []
    for best in slices(clock.thoughts(of=12), clock):
        seen.append(best)
        clock.at += 5.0
    assert seen == [3, 7, 11]


class Counts:
    """Thinks of one number after the other."""

    def think(self, game: Any, view: Table, rng: Any) -> Iterator[Thought[int]]:
        yield from map(Thought, NUMBERS)


class Peeks:
    """Sees what is coming, and names as many as the top card of the stock has ranks."""

    def see(self, game: Any, state: Table, seat: Seat, rng: Any) -> Iterator[Thought[int]]:
        yield from map(Thought, range(1 + state.hands[1 - seat].bit_length() % len(NUMBERS)))


def test_a_thinker_is_a_bot_that_takes_all_of_its_budget() -> None:
    game = Highest(HighestOptions(1))
    view = game.view(game.deal(tuple(deck(1)), 2, Seat(0)), Seat(0))
    assert Deliberate(Counts(), Budget(steps=4)).choose(game, view, dice(0)) == 3
    assert Deliberate(Counts(), Budget(steps=99)).choose(game, view, dice(0)) == NUMBERS[-1]


def test_who_sees_all_hands_sits_in_the_arena_as_the_others_do() -> None:
    game = Highest(HighestOptions(1))
    other = Says(lambda view: 0)
    played = [play_deal(game, [AllSeeing(Peeks(), Budget(steps=9)), other], 0, number) for number in range(12)]
    assert len({deal.points for deal in played}) > 1  # it hangs on the other's hand
    assert all(view.seat is not None for view in other.views)
