"""Garbage waits for a lull: nothing is collected in full while keys are answered."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator

import pytest

from p2pcards.ui.idle import DUE, QUIET, Lull, collect, settle


class Loop:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[tuple[float, Callable[[], None]]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, work: Callable[[], None]) -> object:
        return self.call_at(self.now + seconds, work)

    def call_at(self, when: float, work: Callable[[], None]) -> object:
        self.timers.append((when, work))
        return object()

    def go_on(self, seconds: float) -> None:
        self.now += seconds
        due = [one for one in self.timers if one[0] <= self.now]
        self.timers = [one for one in self.timers if one not in due]
        for _, work in due:
            work()


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Loop:
    loop = Loop()
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: loop)
    return loop


@pytest.fixture
def collector() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)
    gc.enable()


def test_it_waits_until_nothing_was_painted_for_a_while(loop: Loop) -> None:
    worked: list[float] = []
    lull = Lull(lambda: worked.append(loop.now))
    for _ in range(10):
        lull.painted()
        loop.go_on(QUIET * 0.75)
    assert not worked, "keys come one after the other"
    loop.go_on(QUIET)
    assert len(worked) == 1
    loop.go_on(10 * QUIET)
    assert len(worked) == 1, "once for a lull"
    assert not loop.timers, "and nothing wakes the program in it"
    lull.painted()
    loop.go_on(QUIET)
    assert len(worked) == 2


def test_one_timer_for_many_paints(loop: Loop) -> None:
    lull = Lull(lambda: None)
    for _ in range(100):
        lull.painted()
    assert len(loop.timers) == 1


def test_a_full_collection_only_if_it_is_worth_while(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(gc, "collect", lambda: done.append("all"))
    monkeypatch.setattr(gc, "get_count", lambda: (1, 1, DUE - 1))
    collect()
    assert not done
    monkeypatch.setattr(gc, "get_count", lambda: (1, 1, DUE))
    collect()
    assert done == ["all"]


def test_what_is_loaded_is_set_aside_and_the_rest_collected(collector: None) -> None:
    gc.disable()
    settle()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 10_000
    assert gc.get_threshold()[2] >= 100, "no full collection between two keys"
