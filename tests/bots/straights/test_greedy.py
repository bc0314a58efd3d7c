"""Rounds played on by tables come out as those that `medium` plays through the rules."""

from __future__ import annotations

import pytest

from p2pcards.bots.straights import Medium
from p2pcards.bots.straights.greedy import passed_out, played_out, tables_of, world
from p2pcards.bots.straights.worlds import lying
from p2pcards.cards import Cards
from p2pcards.games.base import Dealt, Outcome, Seat
from p2pcards.games.options import convert_options
from p2pcards.games.straights import Straights
from p2pcards.games.straights.actions import Action, Discard, Pass
from p2pcards.games.straights.state import State
from tests.bots.rounds import states
from tests.testing.dice import dice


def ended(game: Straights, state: State, action: Action) -> Outcome:
    """How the round ends after this action when all play on as medium does."""
    state = game.step(state, state.public.turn, action)
    while not (outcome := game.outcome(state)):
        view = game.view(state, state.public.turn)
        state = game.step(state, state.public.turn, Medium().choose(game, view, dice(0)))
    return outcome


def tried(game: Straights, state: State, action: Action) -> list[int]:
    """The points that the tables tell."""
    public = state.public
    start = world(public.turn, tables_of(public.table), public.fits, *lying(state))
    assert not isinstance(action, Pass)
    if game.options.mode == "sevens_pass":
        return passed_out(start, action.card)
    return played_out(start, action.card, isinstance(action, Discard))


@pytest.mark.parametrize("mode", ["straights", "sevens_pass"])
def test_they_come_out_alike_whatever_is_done_first(mode: str) -> None:
    game, put, count = Straights(convert_options(Straights, {"mode": mode})), 0, 0
    for seed in range(4):
        for number, state in enumerate(states(game, [Medium()] * 4, seed)):
            if number % 4 != 1 or game.outcome(state):
                continue
            for action in game.legal_actions(game.view(state, state.public.turn)):
                if not isinstance(action, Pass):
                    assert tried(game, state, action) == list(ended(game, state, action).points)
                    put += isinstance(action, Discard)
                    count += 1
    assert count > 60
    assert (put > 10) is (mode == "straights")


def test_who_has_no_cards_left_is_passed_over() -> None:
    game, rng = Straights(), dice("hands of any size")
    order = [card for card in range(52) if card != game.start_card]
    for _ in range(20):
        rng.shuffle(order)
        sizes, cards = [rng.randrange(1, 12) for _ in range(4)], iter(order)
        hands = [sum(1 << next(cards) for _ in range(size)) for size in sizes]
        hands[0] |= 1 << game.start_card
        state = game.position(Dealt(tuple(map(Cards, hands)), ()), Seat(0))
        state = game.step(state, Seat(0), next(iter(game.legal_actions(game.view(state, Seat(0))))))
        action = Medium().choose(game, game.view(state, state.public.turn), rng)
        assert tried(game, state, action) == list(ended(game, state, action).points)


def test_a_world_is_left_as_it_was() -> None:
    game = Straights()
    state = list(states(game, [Medium()] * 4, 1))[20]
    start = world(state.public.turn, tables_of(state.public.table), state.public.fits, *lying(state))
    actions = list(game.legal_actions(game.view(state, state.public.turn)))
    outcomes = [
        played_out(start, action.card, isinstance(action, Discard))
        for action in actions * 2
        if not isinstance(action, Pass)
    ]
    assert outcomes == outcomes[: len(actions)] * 2
