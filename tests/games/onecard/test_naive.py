"""The engine against the plain one of tests/testing: the same legal texts, states and ends in random rounds."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.cards import ACE_LOW, format_cards
from p2pcards.games.base import DEALER, Seat
from p2pcards.games.onecard import OneCard
from p2pcards.games.onecard.state import State
from tests.games.onecard.test_invariants import games, seeds
from tests.games.walk import mixed, seatings, shuffled
from tests.testing import naive_onecard as naive
from tests.testing.dice import dice


def _dealt(game: OneCard, rng: random.Random, options: dict[str, Any]) -> tuple[State, naive.NaiveRound]:
    possible = seatings(game)
    seats = possible[rng.randrange(len(possible))]
    order, starter = mixed(game, rng), rng.randrange(seats)
    first = bool(rng.randrange(2))
    state = game.deal(order, seats, Seat(starter), first)
    pack = [naive.PACK[card % 52] for card in order]
    hands: list[list[str]] = [[] for _ in range(seats)]
    for place in range(game.options.cards * seats):
        hands[(starter + place) % seats].append(pack.pop(0))
    shown: list[tuple[int, str]] = []
    if game.options.order_cards == "every_round" or (first and game.options.order_cards == "first_round"):
        shown, starter = naive.order_cards(pack, seats)
    assert [(seat, ACE_LOW.format(card)) for seat, card in state.public.order] == shown
    return state, naive.NaiveRound(hands, pack[1:], [card for _, card in shown] + pack[:1], starter, options)


def _same(state: State, plain: naive.NaiveRound) -> None:
    public = state.public
    assert [format_cards(ACE_LOW, hand) for hand in state.hands] == [" ".join(naive.sort(hand)) for hand in plain.hands]
    assert list(map(ACE_LOW.format, state.stock)) == plain.stock
    assert list(map(ACE_LOW.format, public.discards)) == plain.discards
    assert (public.reason, list(public.bankrupt)) == (plain.reason, plain.out)
    if not plain.reason:
        assert (public.turn, public.direction, public.pending, public.idle, public.actions) == (
            plain.turn,
            plain.way,
            plain.pending,
            plain.idle,
            plain.actions,
        )
        assert (state.drawn is None) is (plain.kept is None)


@given(games, seeds, st.booleans())
@settings(max_examples=150, deadline=None)
def test_both_engines_agree(game: OneCard, seed: int, eager: bool) -> None:
    """Eager players seldom draw where they can play, so that rounds get to their end."""
    rng = dice(seed)
    options = {name: getattr(game.options, name) for name in game.options.__struct_fields__}
    state, plain = _dealt(game, rng, options)
    while True:
        _same(state, plain)
        acting = game.to_act(game.view(state, None))
        if not acting:
            break
        actions = list(game.legal_actions(game.view(state, acting[0])))
        assert sorted(map(game.format, actions)) == plain.legal()
        action = actions[rng.randrange(len(actions))] if not eager or rng.randrange(8) == 0 else actions[0]
        state = game.step(state, acting[0], action)
        orders: list[list[str]] = []
        while game.to_act(game.view(state, None)) == (DEALER,):
            shuffle = shuffled(game, state, rng)
            state = game.step(state, DEALER, shuffle)
            orders.append(list(map(ACE_LOW.format, shuffle.order)))

        def given_order(cards: list[str], orders: list[list[str]] = orders) -> list[str]:
            assert naive.sort(orders[0]) == cards
            return orders.pop(0)

        plain.act(game.format(action), given_order)
        assert orders == []
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.winners == (() if plain.winner is None else (plain.winner,))
    assert list(outcome.points) == plain.points()
    assert outcome.starter == plain.next_starter()
