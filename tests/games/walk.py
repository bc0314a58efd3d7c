"""Random rounds of any game: what the contract and the playthroughs walk over."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from p2pcards.cards import Card, deck
from p2pcards.errors import InvalidOption
from p2pcards.games.base import DEALER, Dealt, Game, Seat, Shuffle

AnyGame = Game[Any, Any, Any]


class Moment(Struct, frozen=True):
    """A state, and what is done in it, be it by the DEALER: no seat at the end of the round."""

    state: Any
    seat: Seat | None
    action: Any


class Walk(Struct, frozen=True):
    """A round from its deal to its end."""

    order: tuple[Card, ...]
    seats: int
    starter: Seat
    moments: tuple[Moment, ...]
    first: bool = True

    @property
    def end(self) -> Any:
        """The last state."""
        return self.moments[-1].state

    def dealt(self, game: AnyGame) -> Dealt:
        """The hands and the stock."""
        return game.dealt(self.order, self.seats, self.starter, self.first)

    def opener(self, game: AnyGame) -> Seat:
        """Who acted first."""
        return game.opener(self.dealt(game), self.starter, self.first)


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


def seatings(game: AnyGame) -> list[int]:
    """How many may sit under the options of the game."""
    return [seats for seats in game.seats if _fits(game, seats)]


def _fits(game: AnyGame, seats: int) -> bool:
    try:
        game.check_seats(seats)
    except InvalidOption:
        return False
    return True


def shuffled(game: AnyGame, state: Any, rng: random.Random) -> Shuffle:
    """The shuffle that the state waits for."""
    order = list(game.to_shuffle(game.view(state, None)))
    rng.shuffle(order)
    return Shuffle(tuple(order))


def walk(game: AnyGame, rng: random.Random, limit: int = 6000, seats: int | None = None, first: bool = True) -> Walk:
    """Plays one round at random, with any number of seats; fails when it doesn't end within `limit` steps."""
    if seats is None:
        possible = seatings(game)
        seats = possible[rng.randrange(len(possible))]
    order, starter = mixed(game, rng), Seat(rng.randrange(seats))
    moments = tuple(_moments(game, game.deal(order, seats, starter, first), rng))
    assert len(moments) <= limit
    return Walk(order, seats, starter, moments, first)


def _moments(game: AnyGame, state: Any, rng: random.Random) -> Iterator[Moment]:
    while acting := game.to_act(game.view(state, None)):
        if acting == (DEALER,):
            action = shuffled(game, state, rng)
            yield Moment(state, DEALER, action)
            state = game.step(state, DEALER, action)
            continue
        seat = acting[rng.randrange(len(acting))]
        actions = list(game.legal_actions(game.view(state, seat)))
        action = actions[rng.randrange(len(actions))]
        if action is actions[-1] and rng.randrange(2):  # what ends a round early often stands last
            action = actions[0]
        yield Moment(state, seat, action)
        state = game.step(state, seat, action)
    yield Moment(state, None, None)
