"""Bots that decide while the loop does everything else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

from p2pcards.bots.budget import Budget
from p2pcards.bots.registry import bot
from p2pcards.bots.thinking import Deliberate, Thought
from p2pcards.cards import deck
from p2pcards.games.base import Seat
from p2pcards.games.straights.rules import Straights
from p2pcards.games.tongits.rules import TongIts
from p2pcards.games.tongits.state import Phase
from p2pcards.net.moves import Moves
from tests.bots.rounds import views
from tests.testing.dice import dice


class Slow:
    """Thinks about what it may do for so many steps, each as long as a slice; counts the decisions under way."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.done = 0

    def think(self, game: Any, view: Any, rng: Any) -> Iterator[Any]:
        for _ in range(self.steps):
            self.done += 1
            yield from map(Thought, list(game.legal_actions(view))[:1])


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    ticks = iter(range(10**6))
    monkeypatch.setattr("p2pcards.net.moves.thread_time", lambda: float(next(ticks)))
    thinker = Slow(20)
    levels = {"slow": Deliberate(thinker, Budget(steps=20))}
    monkeypatch.setattr("p2pcards.net.moves.bot", lambda game, level: levels.get(level) or bot(game, level))
    return thinker


def seen() -> tuple[Any, Any]:
    """A game, and what the seat sees that is to act."""
    game = TongIts()
    return game, game.view(game.deal(tuple(deck(1)), 3, Seat(0)), Seat(0))


async def until(holds: Callable[[], bool]) -> int:
    """Waits for it; after how many turns of the loop it was so."""
    for turns in count():
        if holds():
            return turns
        await asyncio.sleep(0)
    raise AssertionError


def test_between_two_slices_of_a_thought_the_loop_goes_on(slow: Slow) -> None:
    async def play() -> tuple[int, list[str]]:
        bots, said = Moves(dice(0), 0.0, Budget(steps=20)), list[str]()
        bots.later("slow", *seen(), said.append)
        return await until(lambda: bool(said)), said

    turns, said = asyncio.run(play())
    assert said == ["draw"]
    assert slow.done == 20
    assert turns >= 20


def test_three_bots_think_side_by_side(slow: Slow) -> None:
    async def play() -> list[str]:
        bots, said = Moves(dice(0), 0.0, Budget(steps=20)), list[str]()
        for _ in range(3):
            bots.later("slow", *seen(), said.append)
        await until(lambda: slow.done >= 30)
        assert said == []  # none waited for another
        await until(lambda: len(said) == 3)
        return said

    assert asyncio.run(play()) == ["draw"] * 3


def test_a_bot_that_does_not_think_answers_in_one_go() -> None:
    async def play() -> list[str]:
        bots, said = Moves(dice(0), 0.0, Budget(steps=20)), list[str]()
        game = Straights()
        state = game.deal(tuple(deck(1)), 4, Seat(0))
        seat = game.to_act(game.view(state, None))[0]
        bots.later("medium", game, game.view(state, seat), said.append)
        assert said == []
        await until(lambda: bool(said))
        return said

    assert asyncio.run(play()) == ["play 7S"]


def test_nothing_is_decided_after_the_end(slow: Slow) -> None:
    async def play() -> list[str]:
        bots, said = Moves(dice(0), 0.0, Budget(steps=20)), list[str]()
        bots.later("slow", *seen(), said.append)
        bots.later("medium", *seen(), said.append)
        await until(lambda: slow.done > 0)
        bots.later("medium", *seen(), said.append)
        done, told = slow.done, len(said)
        bots.close()
        for _ in range(50):
            await asyncio.sleep(0)
        assert slow.done == done
        return said[told:]

    assert asyncio.run(play()) == []


class Fails:
    """Thinks of one action, and breaks down."""

    def think(self, game: Any, view: Any, rng: Any) -> Iterator[Any]:
        yield from map(Thought, list(game.legal_actions(view))[-1:])
        raise ZeroDivisionError


def test_a_bot_that_breaks_down_plays_the_safe_default(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> list[str]:
        broken = Deliberate(Fails(), Budget())
        monkeypatch.setattr("p2pcards.net.moves.bot", lambda game, level: broken)
        bots, said = Moves(dice(0), 0.0, Budget()), list[str]()
        bots.later("hard", *seen(), said.append)
        await until(lambda: bool(said))
        return said

    game, view = seen()
    assert asyncio.run(play()) == [game.format(game.default(view))]


def test_advice_is_sought_once_at_a_time(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> list[Thought[str]]:
        monkeypatch.setattr("p2pcards.net.moves.ADVISER", "slow")
        bots, told = Moves(dice(0), 0.0, Budget(steps=20)), list[Thought[str]]()
        game, view = seen()
        bots.advise(game, view, told.append)
        await until(lambda: slow.done == 5)
        bots.advise(game, view, told.append)  # goes on with the one that is under way
        await until(lambda: slow.done == 10)
        bots.advise(game, game.view(game.deal(tuple(deck(1))[::-1], 3, Seat(0)), Seat(0)), told.append)
        await until(lambda: bool(told))
        for _ in range(50):
            await asyncio.sleep(0)
        return told

    assert len(asyncio.run(play())) == 1
    assert slow.done == 10 + 20


def test_for_people_it_thinks_ten_times_as_long(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> list[Thought[str]]:
        monkeypatch.setattr("p2pcards.net.moves.ADVISER", "slow")
        slow.steps = 1000
        bots, told = Moves(dice(0), 0.0, Budget(steps=20)), list[Thought[str]]()
        bots.advise(*seen(), told.append)
        await until(lambda: bool(told))
        return told

    assert len(asyncio.run(play())) == 1
    assert slow.done == 200


def test_what_people_ask_changes_nothing_of_what_bots_do() -> None:
    async def play(asks: bool) -> list[str]:
        bots, said, told = Moves(dice(3), 0.0, Budget(steps=20)), list[str](), list[Thought[str]]()
        if asks:
            bots.advise(game, view, told.append)
            await until(lambda: bool(told))
        for turn in range(1, 9):
            bots.later("random", game, view, said.append)
            await until(lambda turn=turn: len(said) == turn)  # type: ignore[misc]  # mypy knows no default of a lambda
        return said

    game = TongIts()
    view = next(each for each in views(game, [bot("tongits", "easy")] * 3, 2) if each.public.phase is Phase.ACT)
    once = asyncio.run(play(asks=False))
    assert len(set(once)) > 1
    assert asyncio.run(play(asks=True)) == once
