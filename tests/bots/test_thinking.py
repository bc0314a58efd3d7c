"""How long a bot may think, and who asks it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from p2pcards.bots import thinking
from p2pcards.bots.arena import play_deal
from p2pcards.bots.thinking import AllSeeing, Budget, Deliberate, slices, spent
from p2pcards.cards import deck
from p2pcards.games.base import Seat
from tests.bots.highest import NUMBERS, Highest, HighestOptions, Says, Table
from tests.testing.dice import dice


class Clock:
    """Processor time that passes by so much with each thought."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, step: float) -> None:
        self.time, self.step = 0.0, step
        monkeypatch.setattr(thinking, "thread_time", lambda: self.time)

    def thoughts(self, of: int | None = None) -> Iterator[int]:
        """0, 1, 2, …, each after a step; so many, or for ever."""
        for thought in count() if of is None else range(of):
            self.time += self.step
            yield thought


def test_a_budget_of_steps_is_spent_to_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, 1.0)
    assert list(spent(clock.thoughts(), Budget(steps=3))) == [0, 1, 2]
    assert list(spent(clock.thoughts(of=2), Budget(steps=3))) == [0, 1]


def test_a_budget_of_time_ends_with_the_thought_that_spends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, 0.008)
    assert list(spent(clock.thoughts(), Budget(seconds=0.020))) == [0, 1, 2]
    assert list(spent(clock.thoughts(), Budget(seconds=0.001))) == [0]


def test_slices_come_after_their_time_and_end_as_the_whole_does(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, 0.0005)
    assert list(slices(clock.thoughts(), Budget(seconds=0.005))) == [3, 7, 9]
    assert list(slices(clock.thoughts(), Budget(steps=6))) == [3, 5]
    assert list(slices(clock.thoughts(of=6), Budget(seconds=1.0))) == [3, 5]
    assert list(slices(clock.thoughts(of=1), Budget(seconds=1.0))) == [0]


def test_time_between_slices_is_not_the_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, seen = Clock(monkeypatch, 0.25), []
    for best in slices(clock.thoughts(), Budget(seconds=1.25)):
        seen.append(best)
        clock.time += 5.0
    assert seen == [0, 1, 2, 3, 4]


class Counts:
    """Thinks of one number after the other."""

    def think(self, game: Any, view: Table, rng: Any) -> Iterator[int]:
        yield from NUMBERS


class Peeks:
    """Sees what is coming, and names as many as the top card of the stock has ranks."""

    def see(self, game: Any, state: Table, seat: Seat, rng: Any) -> Iterator[int]:
        yield from range(1 + state.hands[1 - seat].bit_length() % len(NUMBERS))


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
