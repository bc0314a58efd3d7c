"""Rounds between bots, the same again for the same seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from p2pcards.bots.base import Bot
from p2pcards.cards import deck
from p2pcards.games.base import DEALER, Game, Seat
from tests.games.walk import shuffled
from tests.testing.dice import dice


def states(game: Game[Any, Any, Any], bots: Sequence[Bot[Any, Any]], seed: int) -> Iterator[Any]:
    """Every state of one round, the last of them over; each action goes through the host's door."""
    rng = dice(seed)
    order = list(deck(game.decks()))
    rng.shuffle(order)
    state = game.deal(order, len(bots), Seat(seed % len(bots)))
    yield state
    while seats := game.to_act(game.view(state, None)):
        if seats == (DEALER,):
            state = game.step(state, DEALER, shuffled(game, state, rng))
        else:
            action = bots[seats[0]].choose(game, game.view(state, seats[0]), rng)
            state = game.step(state, seats[0], action)
        yield state


def views(game: Game[Any, Any, Any], bots: Sequence[Bot[Any, Any]], seed: int) -> Iterator[Any]:
    """What each one saw who had to act in that round."""
    for state in states(game, bots, seed):
        for seat in game.to_act(game.view(state, None))[:1]:
            if seat != DEALER:
                yield game.view(state, seat)


def win_share(
    game: Game[Any, Any, Any], one: Bot[Any, Any], others: Bot[Any, Any], deals: int, seats: int | None = None
) -> float:
    """The share of rounds that `one` wins against the others, each deal played from every seat."""
    seats = game.usual_seats if seats is None else seats
    won = 0.0
    for deal in range(deals):
        for place in range(seats):
            bots = [others] * seats
            bots[place] = one
            *_, last = states(game, bots, deal)
            outcome = game.outcome(last)
            if outcome and outcome.winners:
                won += (place in outcome.winners) / len(outcome.winners)
    return won / (deals * seats)
