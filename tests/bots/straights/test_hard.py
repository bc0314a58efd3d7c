"""Level `hard`: it plays by its view alone, under any options, in worlds that fit what it has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.bots.budget import Budget
from p2pcards.bots.straights import CHEAT, HARD, Medium, hard
from p2pcards.bots.straights.hard import worth
from p2pcards.bots.straights.reading import points
from p2pcards.bots.straights.worlds import Worlds
from p2pcards.bots.thinking import AllSeeing, Deliberate
from p2pcards.cards import Card, deck, each
from p2pcards.games.base import Rng, Seat
from p2pcards.games.options import read_options
from p2pcards.games.straights import Straights
from p2pcards.games.straights.state import State
from tests.bots.rounds import states
from tests.games.anygame import options
from tests.games.straights.builder import Round
from tests.testing.dice import dice

QUICK = Deliberate(HARD, Budget(steps=40))
SEEDS = st.integers(0, 2**32)


def to_decide(game: Straights, seed: int) -> list[State]:
    """States of a round of `medium` in which there is something to choose."""
    played = states(game, [Medium()] * 4, seed)
    return [state for state in played if len(list(game.legal_actions(game.view(state, state.public.turn)))) > 1]


@given(options(Straights), SEEDS)
@settings(max_examples=8)
def test_it_plays_by_the_rules_under_any_options(texts: dict[str, str], seed: int) -> None:
    game = Straights(read_options(Straights, texts))
    *_, last = states(game, [Deliberate(HARD, Budget(steps=9)), Medium(), QUICK, Medium()], seed)
    assert game.outcome(last)


@given(options(Straights), SEEDS)
@settings(max_examples=8)
def test_who_sees_all_hands_plays_by_the_rules_too(texts: dict[str, str], seed: int) -> None:
    game, bot = Straights(read_options(Straights, texts)), AllSeeing(CHEAT, Budget(steps=1))
    for state in states(game, [Medium()] * 4, seed):
        if not game.outcome(state):
            seat = state.public.turn
            assert bot.choose_from(game, state, seat, dice(1)) in list(game.legal_actions(game.view(state, seat)))


def test_it_has_nothing_to_do_where_others_are_to_act() -> None:
    played = Round("7S 7H")
    for name in ("B", ""):
        with pytest.raises(ValueError, match="nothing to choose"):
            QUICK.choose(played.game, played.view(name), dice(0))


def test_where_there_is_no_choice_it_does_not_think() -> None:
    played = Round("7S 8S 9S")
    assert len(list(HARD.think(played.game, played.view("A"), dice(0)))) == 1


@given(options(Straights), SEEDS)
@settings(max_examples=8)
def test_its_worlds_are_such_that_it_would_see_the_same(texts: dict[str, str], seed: int) -> None:
    game = Straights(read_options(Straights, texts))
    for state in to_decide(game, seed)[seed % 5 :: 5]:
        public, rng = state.public, dice(seed)
        worlds = Worlds(game, game.view(state, public.turn), rng)
        for _ in range(5):
            worlds.draw()
            for card in range(52):
                assert (worlds.holder[card] >= 0) + (worlds.gone[card] >= 0) + (public.table >> card & 1) == 1
            for seat in range(4):
                hand = sum(1 << card for card in range(52) if worlds.holder[card] == seat)
                aside = [card for card in deck() if worlds.gone[card] == seat]
                assert hand.bit_count() == public.counts[seat]
                if public.lacked[seat]:
                    assert not hand & public.lacked[seat][-1]
                if seat == public.turn:
                    assert hand == state.hands[seat]
                    assert sorted(state.discards[seat]) == aside
                else:
                    assert len(aside) == len(state.discards[seat])
                    assert placed(aside, [set(deck()) - set(each(fits)) for fits in public.lacked[seat]][: len(aside)])


def placed(cards: list[Card], places: list[set[Card]]) -> bool:
    """Whether each card can be at a place of its own that allows it: a matching, by augmenting paths."""
    card_at: dict[int, Card] = {}

    def settle(card: Card, tried: set[int]) -> bool:
        for number, allowed in enumerate(places):
            if card in allowed and number not in tried:
                tried.add(number)
                if number not in card_at or settle(card_at[number], tried):
                    card_at[number] = card
                    return True
        return False

    return all(settle(card, set()) for card in cards)


def test_cards_put_aside_are_cheap_ones_in_its_worlds() -> None:
    """What the rules alone allow costs twice as much."""
    game, rng = Straights(), dice(0)
    drawn = allowed = 0
    for state in to_decide(game, 1)[::3]:
        view = game.view(state, state.public.turn)
        worlds = Worlds(game, view, rng)
        for _ in range(20):
            worlds.draw()
            drawn += sum(points(card) for card in deck() if worlds.gone[card] >= 0)
            allowed += sum(points(card) for cards in game.resample(view, rng).discards for card in cards)
    assert 0 < drawn < 0.7 * allowed


class Weighed:
    """A decision in which every world gives the same: 1 for the last action, 0 for the others."""

    def __init__(self, actions: list[Any]) -> None:
        self.actions, self.tried = actions, Counter[int]()
        self._worlds = 0

    def world(self, rng: Rng) -> int:
        self._worlds += 1
        return self._worlds

    def value(self, world: int, action: Any, chance: int) -> Generator[None, None, float]:
        self.tried[world] += 1
        yield
        return float(action == self.actions[-1])


def test_another_action_than_that_of_medium_must_be_worth_60_points_more_over_16_worlds_at_least(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = next(state for state in to_decide(Straights(), 3) if len(_legal(state)) > 3)
    view = Straights().view(state, state.public.turn)
    first = Medium().choose(Straights(), view, dice(0))
    weighed = Weighed([first, *(action for action in _legal(state) if action != first)])
    monkeypatch.setattr(hard, "Decision", lambda game, view, worlds: weighed)
    thoughts = islice(HARD.think(Straights(), view, dice(0)), 500)
    chosen = {thought.worlds: thought.action for thought in thoughts}
    assert {worlds for worlds, action in chosen.items() if action == first} == set(range(61))
    assert chosen[61] == weighed.actions[-1]
    among = len(weighed.actions)
    assert [weighed.tried[world] for world in (1, 16, 17)] == [among, among, (among + 1) // 2]


def _legal(state: State) -> list[Any]:
    game = Straights()
    return list(game.legal_actions(game.view(state, state.public.turn)))


def test_a_round_is_worth_more_the_farther_one_stays_behind_the_others() -> None:
    assert worth((0, 10, 10, 10), Seat(0)) > worth((5, 10, 10, 10), Seat(0)) > worth((5, 6, 6, 6), Seat(0))
