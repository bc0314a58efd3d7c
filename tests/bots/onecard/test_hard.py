"""Level `hard`: it plays by its view alone, under any options, and what it tries out shows in what it does."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.bots.budget import Budget
from p2pcards.bots.dice import seeded
from p2pcards.bots.onecard import CHEAT, HARD, Medium
from p2pcards.bots.onecard.hard import Decision, worth
from p2pcards.bots.onecard.kernel import Kernel
from p2pcards.bots.onecard.worlds import Worlds
from p2pcards.bots.thinking import AllSeeing, Deliberate
from p2pcards.games.base import Seat
from p2pcards.games.onecard import OneCard, OneCardOptions
from p2pcards.games.onecard.state import State
from p2pcards.games.options import read_options
from tests.bots.rounds import states
from tests.games.anygame import options
from tests.games.onecard.builder import Round
from tests.testing.dice import dice

QUICK = Deliberate(HARD, Budget(steps=40))
SEEDS = st.integers(0, 2**32)


def to_decide(game: OneCard, seed: int, seats: int) -> list[State]:
    """States of a round of `medium` in which there is something to choose."""
    played = states(game, [Medium()] * seats, seed)
    return [state for state in played if len(list(game.legal_actions(game.view(state, state.public.turn)))) > 1]


@given(options(OneCard), SEEDS)
@settings(max_examples=15)
def test_it_plays_by_the_rules_under_any_options(texts: dict[str, str], seed: int) -> None:
    game = OneCard(read_options(OneCard, texts))
    *_, last = islice(states(game, [Deliberate(HARD, Budget(steps=9)), Medium()], seed), 300)
    assert game.outcome(last) or last.public.actions > 200


def test_who_sees_all_hands_plays_by_the_rules_too() -> None:
    game, bot = OneCard(), AllSeeing(CHEAT, Budget(steps=30))
    for state in to_decide(game, 3, 4):
        seat = state.public.turn
        assert bot.choose_from(game, state, seat, dice(1)) in list(game.legal_actions(game.view(state, seat)))


def test_it_has_nothing_to_do_where_others_are_to_act() -> None:
    game, state = OneCard(), Round("8C 4C", "8H 4C", top="8H").state
    with pytest.raises(ValueError, match="nothing to choose"):
        QUICK.choose(game, game.view(state, Seat(1)), dice(0))


def test_where_there_is_no_choice_it_does_not_think() -> None:
    game, state = OneCard(), Round("8C 4D", "8H 4C", top="8H").state
    assert len(list(HARD.think(game, game.view(state, Seat(0)), dice(0)))) == 1


def test_it_attacks_who_would_be_out() -> None:
    many = "4C 5C 6C 9C TC KC 4D 5D"
    played = Round("3H KH KC KD 4S 5S", "4H", many, many, top="8H")
    view = played.game.view(played.state, Seat(0))
    assert played.game.format(Deliberate(HARD, Budget(steps=600)).choose(played.game, view, dice(0))) == "play 3H"


def test_what_is_tried_out_in_one_world_meets_the_same_reshuffles() -> None:
    """Nothing fits, and the stock is one card: what comes of it hangs on the order of the new one."""
    state = Round("4C 5C 6C", "9D TD KD", top="8H", stock="KS", under="2S 3S 4S 5S 6S TS AS 2H 3H 4H 5H").state
    game = OneCard(OneCardOptions(rounds=2))
    kernel = Kernel(game.options)
    position = kernel.load(state, seeded(0))
    decision = Decision(game, kernel, position, Worlds(position, [], seeded(0)))
    world, action = decision.world(seeded(0)), decision.actions[0]

    def value(chance: int) -> float:
        trial = decision.value(world, action, chance)
        while True:
            try:
                next(trial)
            except StopIteration as end:
                return float(end.value)

    values = {chance: [value(chance) for _ in range(3)] for chance in range(20)}
    assert all(len(set(same)) == 1 for same in values.values())
    assert len({value for value, *_ in values.values()}) > 3


@pytest.mark.parametrize(
    ("changed", "points", "better"),
    [
        ({}, (0, -9, -9, -9), (-1, 0, -9, -9)),
        ({}, (-1, 0, -2, -3), (-3, 0, -2, -3)),
        ({"match_winner": "most_penalties"}, (-9, 0, -2, -3), (-1, 0, -2, -3)),
        ({"rounds": 5}, (-1, 0, -9, -9), (-8, 0, -1, -1)),
        ({"rounds": 5, "match_winner": "most_penalties"}, (-8, 0, -1, -1), (-1, 0, -9, -9)),
    ],
)
def test_what_a_round_is_worth(changed: dict[str, Any], points: tuple[int, ...], better: tuple[int, ...]) -> None:
    game = OneCard(OneCardOptions(**changed))
    assert worth(game, points, 0) > worth(game, better, 0)
