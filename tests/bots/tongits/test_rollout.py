"""Rounds played on by the quick policy: hands counted as the rules do, ends as the rules have them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.bots.registry import bot
from p2pcards.bots.tongits.kernel import KERNEL
from p2pcards.bots.tongits.rollout import lonely, loose, playout, points
from p2pcards.games.base import Seat
from p2pcards.games.tongits import TongIts
from p2pcards.games.tongits.actions import Challenge
from p2pcards.games.tongits.melds import deadwood
from p2pcards.games.tongits.state import Phase, State
from tests.bots.rounds import states
from tests.games.tongits.builder import cards
from tests.testing.dice import dice

SEEDS = st.integers(0, 2**32)


def worths(state: State) -> list[float]:
    """What the rest of the round is worth to each seat."""
    position = KERNEL.load(state)
    return [playout(position, position.hands, position.stock, seat) for seat in range(3)]


@given(st.sets(st.integers(0, 51), max_size=13))
def test_what_is_loose_never_counts_less_than_the_best_split(held: set[int]) -> None:
    hand = sum(1 << card for card in held)
    left = loose(hand)
    assert left & ~hand == 0
    assert points(left) >= deadwood(hand)  # type: ignore[arg-type]  # a set of cards


def test_what_is_loose_is_nearly_always_the_best_split() -> None:
    rng = dice(4)
    hands = [sum(1 << card for card in rng.sample(range(52), 12)) for _ in range(2000)]
    assert sum(points(loose(hand)) == deadwood(hand) for hand in hands) > 1990  # type: ignore[arg-type]  # the same


def test_a_card_with_a_neighbour_is_not_lonely() -> None:
    assert lonely(cards("AC 3C 7D 7S 9H QH KC")) == cards("9H QH KC")


@given(SEEDS)
@settings(max_examples=20)
def test_a_round_is_worth_one_win_at_most_and_changes_nothing_that_it_was_given(seed: int) -> None:
    for state in states(TongIts(), [bot("tongits", level) for level in ("random", "medium", "easy")], seed):
        position = KERNEL.load(state)
        hands, stock, melds = position.hands[:], position.stock[:], position.melds[:]
        found = worths(state)
        assert all(0 <= worth <= 1 for worth in found)
        assert sum(found) <= 1.5
        again = KERNEL.load(state)
        playout(position, position.hands, position.stock, 0)
        assert (position.hands, position.stock, position.melds) == (hands, stock, melds)
        assert KERNEL.moves(position) == KERNEL.moves(again)


def test_a_round_that_is_over_is_worth_a_win_to_its_winner() -> None:
    for seed in range(20):
        *_, last = states(TongIts(), [bot("tongits", "easy")] * 3, seed)
        outcome = TongIts().outcome(last)
        assert outcome
        assert worths(last) == [float(seat in outcome.winners) for seat in range(3)]


def test_a_call_is_contested_by_everybody() -> None:
    game, called = TongIts(), 0
    for seed in range(30):
        for state in states(game, [bot("tongits", "medium")] * 3, seed):
            if state.public.phase is Phase.RESPOND and not state.public.answers:
                called += 1
                after = state
                while asked := game.to_act(game.view(after, None)):
                    after = game.step(after, Seat(asked[0]), Challenge())
                outcome = game.outcome(after)
                assert outcome
                assert worths(state) == [float(seat in outcome.winners) for seat in range(3)]
    assert called > 10
