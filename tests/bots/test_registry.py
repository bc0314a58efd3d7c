"""Bots by their names, and how long those think that think."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from p2pcards.bots import registry, tongits
from p2pcards.bots.budget import Budget
from p2pcards.bots.registry import arena_bot, bot
from p2pcards.bots.thinking import AllSeeing, Deliberate
from p2pcards.errors import UserError
from p2pcards.games.base import Game, Rng, Seat

SHORT = Budget(0.003)


class Ponders:
    """Thinks, with the others' cards in view or without."""

    def think(self, game: Game[Any, Any, Any], view: Any, rng: Rng) -> Iterator[Any]:
        yield next(iter(game.legal_actions(view)))

    def see(self, game: Game[Any, Any, Any], state: Any, seat: Seat, rng: Rng) -> Iterator[Any]:
        yield from self.think(game, game.view(state, seat), rng)


@pytest.fixture(autouse=True)
def thinkers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._BOTS["tongits"], "hard", Deliberate(Ponders(), Budget()))
    monkeypatch.setattr(tongits, "CHEAT", Ponders(), raising=False)


def test_who_thinks_has_the_time_that_the_arena_gives() -> None:
    found = arena_bot("tongits", "hard", SHORT)
    usual = bot("tongits", "hard")
    assert isinstance(found, Deliberate)
    assert isinstance(usual, Deliberate)
    assert (found.thinker, found.budget, usual.budget) == (usual.thinker, SHORT, Budget())


def test_who_sees_everything_plays_in_the_arena_alone() -> None:
    found = arena_bot("tongits", "cheat", SHORT)
    assert isinstance(found, AllSeeing)
    assert found.budget == SHORT
    with pytest.raises(UserError, match="No bot level is called 'cheat'; there are: random, easy, medium"):
        bot("tongits", "cheat")
    assert "cheat" not in registry.levels("tongits")


def test_who_does_not_think_is_the_same_everywhere() -> None:
    assert arena_bot("tongits", "medium", SHORT) is bot("tongits", "medium")


def test_an_unknown_name_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UserError, match="called 'hal'; there are: random, easy, medium, hard, cheat") as raised:
        arena_bot("tongits", "hal", SHORT)
    assert raised.value.exit_code == 2
