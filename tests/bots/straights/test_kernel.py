"""The kernel of Straights beside the rules: the same turns, moves and outcomes all the way."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from p2pcards.bots.dice import CHANCE
from p2pcards.bots.straights.kernel import KERNEL
from p2pcards.cards import Cards, deck
from p2pcards.games.base import Dealt, Seat
from p2pcards.games.onecard import OneCard
from p2pcards.games.options import convert_options
from p2pcards.games.straights import Straights
from p2pcards.games.straights.actions import Action
from p2pcards.games.straights.state import SEATS, State
from tests.bots.numbers import number_of
from tests.testing.dice import dice


def dealt(game: Straights, rng: Random) -> State:
    order = list(deck())
    rng.shuffle(order)
    return game.deal(order, SEATS, Seat(rng.randrange(SEATS)))


def walk(game: Straights, state: State, rng: Random) -> list[Action]:
    """What was done in the round, which both played on from there and agreed on at each step."""
    position, done = KERNEL.load(state), []
    while acting := game.to_act(game.view(state, None)):
        assert position.turn == acting[0]
        legal = list(game.legal_actions(game.view(state, acting[0])))
        moves = list(KERNEL.moves(position))
        assert [KERNEL.action(position, move) for move in moves] == legal
        choice = rng.randrange(len(legal))
        state = game.step(state, acting[0], legal[choice])
        KERNEL.step(position, number_of(choice, len(moves), rng))
        done.append(legal[choice])
    assert position.turn == -1
    assert not KERNEL.moves(position)
    outcome = game.outcome(state)
    assert outcome
    assert (KERNEL.points(position), KERNEL.winners(position)) == (outcome.points, outcome.winners)
    return done


def test_it_plays_random_rounds_as_the_rules_do() -> None:
    rng, kinds, lengths = dice("rounds"), Counter[str](), set[int]()
    for _ in range(300):
        done = walk(Straights(), dealt(Straights(), rng), rng)
        kinds.update(type(action).__name__ for action in done)
        lengths.add(len(done))
    assert min(kinds["Play"], kinds["Discard"]) > 2000
    assert lengths == {52}


@given(
    st.sampled_from(["7S", "7D", "7H", "7C"]),
    st.booleans(),
    st.integers(0, 52),
    st.integers(0, 2**32),
)
def test_it_goes_on_from_anywhere_whatever_card_opens(start: str, shown: bool, steps: int, seed: int) -> None:
    game, rng = Straights(convert_options(Straights, {"start_card": start, "open_discards": shown})), dice(seed)
    state = dealt(game, rng)
    for _ in range(steps):
        actions = list(game.legal_actions(game.view(state, state.public.turn)))
        state = game.step(state, state.public.turn, actions[rng.randrange(len(actions))])
    assert len(walk(game, state, rng)) == 52 - steps


@given(st.permutations(range(52)), st.lists(st.integers(1, 12), min_size=4, max_size=4), st.integers(0, 2**32))
def test_hands_may_be_of_any_size_and_some_are_empty_before_others(
    order: list[int], sizes: list[int], seed: int
) -> None:
    game, rng = Straights(), dice(seed)
    order.remove(game.start_card)
    cards, hands = iter(order), []
    for size in sizes:
        hands.append(sum(1 << next(cards) for _ in range(size)))
    opener = Seat(rng.randrange(SEATS))
    hands[opener] |= 1 << game.start_card
    state = game.position(Dealt(tuple(map(Cards, hands)), ()), opener)
    assert len(walk(game, state, rng)) == sum(sizes) + 1


def test_a_copy_goes_its_own_way() -> None:
    rng = dice("copy")
    state = dealt(Straights(), rng)
    position = KERNEL.load(state)
    KERNEL.step(position, 0)
    for _ in range(40):
        other, moves = KERNEL.copy(position), list(KERNEL.moves(position))
        assert KERNEL.moves(other) == moves
        while other.turn >= 0:
            KERNEL.step(other, (1 << CHANCE) - 1)
        assert KERNEL.moves(position) == moves
        KERNEL.step(position, 0)


def test_it_fits_the_mode_straights_alone() -> None:
    assert KERNEL.fits(Straights())
    assert KERNEL.fits(Straights(convert_options(Straights, {"start_card": "7H", "open_discards": True})))
    assert not KERNEL.fits(Straights(convert_options(Straights, {"mode": "sevens_pass"})))
    assert not KERNEL.fits(OneCard())
