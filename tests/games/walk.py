"""Random rounds of any game: what the contract and the playthroughs walk over."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from p2pcards.cards import Card, deck
from p2pcards.games.base import Dealt, Game, Seat

AnyGame = Game[Any, Any, Any]


class Moment(Struct, frozen=True):
    """A state, and what is done in it: no seat at the end of the round."""

    state: Any
    seat: Seat | None
    action: Any


class Walk(Struct, frozen=True):
    """A round from its deal to its end."""

    order: tuple[Card, ...]
    seats: int
    starter: Seat
    moments: tuple[Moment, ...]

    @property
    def end(self) -> Any:
        """The last state."""
        return self.moments[-1].state

    def dealt(self, game: AnyGame) -> Dealt:
        """The hands and the stock."""
        return game.dealt(self.order, self.seats, self.starter)

    def opener(self, game: AnyGame) -> Seat:
        """Who acted first."""
        return game.opener(self.dealt(game), self.starter, True)


def mixed(game: AnyGame, rng: random.Random) -> tuple[Card, ...]:
    """An order of the cards; now and then one that is hardly mixed, so that hands are full of company."""
    order = list(deck(game.decks()))
    if rng.randrange(3):
        rng.shuffle(order)
    else:
        for _ in range(len(order) // 2):
            first, second = rng.randrange(len(order)), rng.randrange(len(order))
            order[first], order[second] = order[second], order[first]
    return tuple(order)


def walk(game: AnyGame, rng: random.Random, limit: int = 1000) -> Walk:
    """Plays one round at random; fails when it doesn't end within `limit` steps."""
    seats = game.seats[rng.randrange(len(game.seats))]
    order, starter = mixed(game, rng), Seat(rng.randrange(seats))
    moments = tuple(_moments(game, game.deal(order, seats, starter), rng))
    assert len(moments) <= limit
    return Walk(order, seats, starter, moments)


def _moments(game: AnyGame, state: Any, rng: random.Random) -> Iterator[Moment]:
    while acting := game.to_act(game.view(state, None)):
        seat = acting[rng.randrange(len(acting))]
        actions = list(game.legal_actions(game.view(state, seat)))
        action = actions[rng.randrange(len(actions))]
        if action is actions[-1] and rng.randrange(2):  # what ends a round early often stands last
            action = actions[0]
        yield Moment(state, seat, action)
        state = game.step(state, seat, action)
    yield Moment(state, None, None)
