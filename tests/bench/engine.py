"""Random play through the rules as everybody calls them, beside OpenSpiel called from Python: time of a step.

Both sides do the same at each step: ask whose turn it is, list every legal action, pick one by the same numbers, do it
through the checked door. Only what players do counts as a step. What chance decides is drawn before the clock starts,
by playing all of it once with the same numbers; where chance comes in after the deal (a card from OpenSpiel's stock, a
reshuffle of ours) its doing is timed, its drawing not. To draw a card for OpenSpiel in Python takes several times as
long as a step, and it deals card by card; so beside the figure stands as `whole` that of whole rounds, with shuffling,
dealing and drawing on the clock of both.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from time import process_time
from typing import Any, Protocol

from p2pcards.bots.dice import CHANCE
from p2pcards.cards import deck
from p2pcards.games.base import DEALER, Seat, Shuffle
from p2pcards.games.registry import GAMES
from tests.bench.figure import Figure, Missing, interleaved
from tests.testing.dice import dice

ROUNDS, REPEATS = 60, 25
CRAZY_EIGHTS, GIN_RUMMY = "crazy_eights(players=4)", "gin_rummy"
TERMINAL = -4  # pyspiel.PlayerId.TERMINAL, not looked up at each step

Draw = Callable[[Any], Any]


class Side(Protocol):
    """One engine, called in its own way."""

    def dealt(self) -> list[Any]:
        """States in which the first player is to act; the same ones each time."""

    def copy(self, states: list[Any]) -> list[Any]:
        """States to play on from, while these stay as they are."""

    def draw(self, state: Any) -> Any:
        """What chance does in a state that waits for it."""

    def play(self, states: list[Any], draw: Draw) -> int:
        """Plays each to its end at random, with `draw` for chance; how many steps players took."""


class Ours:
    """A game of the registry."""

    def __init__(self, name: str, seats: int) -> None:
        self._game, self._seats, self._chance = GAMES[name](), seats, dice("cards")

    def dealt(self, seed: str = "deals") -> list[Any]:
        """seed: other deals."""
        game, states = self._game, []
        self._chance.seed(seed)
        for number in range(ROUNDS):
            order = list(deck(game.decks()))
            self._chance.shuffle(order)
            states.append(game.deal(order, self._seats, Seat(number % self._seats)))
        return states

    def copy(self, states: list[Any]) -> list[Any]:
        return states

    def draw(self, state: Any) -> Shuffle:
        faces = list(self._game.to_shuffle(self._game.view(state, None)))
        self._chance.shuffle(faces)
        return Shuffle(tuple(faces))

    def play(self, states: list[Any], draw: Draw) -> int:
        game, steps, pick = self._game, 0, dice("choices").getrandbits
        for state in states:
            while acting := game.to_act(game.view(state, None)):
                seat = acting[0]
                if seat == DEALER:
                    state = game.step(state, DEALER, draw(state))
                    continue
                actions = game.legal_actions(game.view(state, seat))
                state = game.step(state, seat, actions[pick(CHANCE) * len(actions) >> CHANCE])
                steps += 1
        return steps


class Theirs:
    """A game of OpenSpiel."""

    def __init__(self, name: str) -> None:
        try:
            spiel = import_module("pyspiel")
        except ImportError:
            raise Missing("OpenSpiel is not installed: pip install -e '.[bench]'") from None
        self._game, self._chance = spiel.load_game(name), dice("cards")

    def dealt(self) -> list[Any]:
        states = []
        self._chance.seed("deals")
        for _ in range(ROUNDS):
            state = self._game.new_initial_state()
            while state.is_chance_node():
                state.apply_action(self.draw(state))
            states.append(state)
        return states

    def copy(self, states: list[Any]) -> list[Any]:
        return [state.clone() for state in states]

    def draw(self, state: Any) -> Any:
        outcomes, likely = zip(*state.chance_outcomes(), strict=True)
        return self._chance.choices(outcomes, likely)[0]

    def play(self, states: list[Any], draw: Draw) -> int:
        steps, pick = 0, dice("choices").getrandbits
        for state in states:
            while (player := state.current_player()) != TERMINAL:
                if player < 0:
                    state.apply_action(draw(state))
                    continue
                actions = state.legal_actions()
                state.apply_action(actions[pick(CHANCE) * len(actions) >> CHANCE])
                steps += 1
        return steps


def beside(name: str, seats: int, anchor: str) -> Callable[[], Figure]:
    """Measures a step of our game of that name over one of OpenSpiel's game."""

    def measure() -> Figure:
        theirs, ours = Theirs(anchor), Ours(name, seats)
        runs = steps(ours), steps(theirs), _whole(ours), _whole(theirs)
        ours_step, anchor_step, ours_whole, anchor_whole = interleaved(REPEATS, *runs)
        parts = {"us": ours_step * 1e6, "of the anchor": anchor_step * 1e6, "whole": ours_whole / anchor_whole}
        return Figure(ours_step / anchor_step, parts)

    return measure


def steps(side: Side) -> Callable[[], float]:
    """Seconds a step, with chance drawn beforehand."""
    dealt, drawn = side.dealt(), list[Any]()

    def draw(state: Any) -> Any:
        drawn.append(side.draw(state))
        return drawn[-1]

    side.play(side.copy(dealt), draw)

    def timed() -> float:
        states, again = side.copy(dealt), iter(drawn)
        start = process_time()
        steps = side.play(states, lambda state: next(again))
        return (process_time() - start) / steps

    return timed


def _whole(side: Side) -> Callable[[], float]:
    """Seconds a step, all that a round takes counted in."""

    def timed() -> float:
        start = process_time()
        steps = side.play(side.dealt(), side.draw)
        return (process_time() - start) / steps

    return timed
