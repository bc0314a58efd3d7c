"""Moves that leave no choice: what counts as one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.commands.command import Command
from p2pcards.commands.context import Where
from p2pcards.commands.forced import forced
from p2pcards.commands.parse import parse
from p2pcards.commands.table import ASKING_VERBS
from p2pcards.games.tongits.state import Phase
from tests.commands.test_reach import mine
from tests.games.anygame import games
from tests.games.walk import AnyGame
from tests.testing.tongits_spot import context, spot

DRAW = context(spot("7H 7D 7C QS", phase=Phase.DRAW))


def test_the_only_action_is_forced_with_all_its_arguments() -> None:
    assert forced(DRAW) == "draw"
    assert forced(context(spot("7H"))) == "discard 7H"


def test_one_of_two_is_not() -> None:
    assert forced(context(spot("7H QS"))) == ""
    assert forced(context(spot("7H 7D 7C QS", phase=Phase.DRAW, discards="7S"))) == ""


@pytest.mark.parametrize(
    "otherwise",
    [
        {"to_act": (1,)},
        {"me": None},
        {"pending": "draw"},
        {"bot_plays": True},
        {"changing": True},
        {"waiting_for": ("cy",)},
        {"may_go_on": ("cy",)},
        {"where": Where.BETWEEN},
        {"legal": None},
    ],
)
def test_nothing_is_forced_where_it_is_not_ours_to_act(otherwise: dict[str, object]) -> None:
    assert forced(replace(DRAW, **otherwise)) == ""


@pytest.mark.parametrize("verb", sorted(ASKING_VERBS))
def test_what_asks_before_it_is_done_is_never_forced(verb: str) -> None:
    legal = DRAW.legal
    assert legal is not None
    legal.lines = (verb,)
    try:
        assert forced(DRAW) == ""
    finally:
        legal.lines = ("draw",)


@settings(max_examples=40)
@given(games(), st.integers(0, 2**32))
def test_in_every_game_it_is_the_one_action_that_the_rules_leave(game: AnyGame, seed: int) -> None:
    for where, legal in mine(game, seed, most=12):
        actions = [game.format(one) for one in game.legal_actions(legal.view)]
        line = forced(where)
        assert line == (actions[0] if len(actions) == 1 and actions[0].split()[0] not in ASKING_VERBS else "")
        if line:
            assert parse(line, where) == Command(line.split()[0], action=line)
