"""The policy on positions is that of `medium`, and rounds go on by it as they do in the rules."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.bots.onecard import Medium
from p2pcards.bots.onecard.greedy import greedy, play_on
from p2pcards.bots.onecard.kernel import NOBODY, Kernel, Position
from p2pcards.cards import deck
from p2pcards.games.base import Seat
from p2pcards.games.onecard import OneCard, OneCardOptions
from p2pcards.games.onecard.state import ENDED, SHUFFLE, State
from tests.bots.rounds import states
from tests.games.onecard.builder import Round
from tests.testing.dice import dice

CHANGES: tuple[dict[str, Any], ...] = (
    {},
    {"free_defence": True, "redirect_by_rank": True},
    {"call_one_card": "self", "cards": 3},
    {"must_play": False, "scoring": "winner_takes"},
    {"turn_limit": 30},
)


@pytest.mark.parametrize("seats", [2, 3, 4, 7])
def test_it_chooses_what_medium_chooses(seats: int) -> None:
    met = 0
    for seed in range(15):
        game = OneCard(OneCardOptions(**CHANGES[seed % len(CHANGES)]))
        kernel, medium = Kernel(game.options), Medium()
        for state in states(game, [medium] * seats, seed):
            if state.public.phase not in (SHUFFLE, ENDED):
                view = game.view(state, state.public.turn)
                position = kernel.load(state)
                card = greedy(position)
                said = medium.choose(game, view, dice(0))
                assert kernel.action(position, card) == said or kernel.action(position, card + 64) == said
                met += len(kernel.moves(position)) > 1
    assert met > 150


def same(one: Position, other: Position) -> bool:
    """Whether they go on alike."""
    left = [position.left + position.later for position in (one, other)]
    return (Kernel.moves(one), one.pending, left[0]) == (Kernel.moves(other), other.pending, left[1])


@given(st.integers(0, 2**32), st.sampled_from(CHANGES), st.integers(2, 8))
@settings(max_examples=50)
def test_a_round_goes_on_as_move_by_move(seed: int, changed: dict[str, Any], seats: int) -> None:
    game = OneCard(OneCardOptions(**changed))
    kernel = Kernel(game.options)
    order = list(deck(game.decks()))
    dice(seed).shuffle(order)
    state = game.deal(order, seats, Seat(seed % seats))
    slow, quick = kernel.load(state, dice(seed)), kernel.load(state, dice(seed))
    while slow.turn != NOBODY:
        play_on(quick, 7)
        for _ in range(7):
            if slow.turn != NOBODY:
                move = greedy(slow)
                calls = move + 64 in kernel.moves(slow)
                kernel.play(slow, move + 64 if calls else move)
        for name in ("turn", "hands", "stock", "discards", "winner"):
            assert getattr(slow, name) == getattr(quick, name)
        assert slow.turn == NOBODY or same(slow, quick)


def test_it_stops_at_a_seat_where_that_is_wanted() -> None:
    state = Round("4C 5C", "6C 6D", "8H 8D 9D", "4S KS", top="TC").state
    position = Kernel(OneCardOptions()).load(state)
    for left in (1, 0):
        play_on(position, 100, until=0)
        assert position.turn == (0 if left else NOBODY)
    assert position.winner == 0


def test_a_round_in_which_nobody_can_do_anything_ends() -> None:
    state: State = Round("4C 4C", "5C 5C", "6C 6C", "8H 8D", top="KS", stock="").state
    position = Kernel(OneCardOptions()).load(state)
    play_on(position, 3)
    assert position.turn == 3
    play_on(position, 3)
    assert (position.turn, position.winner) == (NOBODY, NOBODY)
