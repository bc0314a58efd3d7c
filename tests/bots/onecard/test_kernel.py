"""The kernel goes as the rules go: both walked side by side through random rounds."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.bots.onecard.kernel import CALL, DRAW, KERNEL, TAKE, Kernel, Position, cards
from p2pcards.cards import Card
from p2pcards.games.base import DEALER, Seat, Shuffle
from p2pcards.games.onecard import OneCard, OneCardOptions
from p2pcards.games.onecard.state import ENDED, SHUFFLE, State
from tests.bots.numbers import number_of
from tests.games.onecard.builder import Round
from tests.games.walk import mixed, seatings
from tests.testing.dice import dice

CHANGES: tuple[dict[str, Any], ...] = (
    {},
    {"must_play": False, "turn_limit": 300},
    {"free_defence": True, "scoring": "points"},
    {"redirect_by_rank": True, "scoring": "winner_takes"},
    {"call_one_card": "self", "call_penalty": 3},
    {"call_one_card": "self", "must_play": False, "decks": 1, "turn_limit": 300},
    {"final_attack_counts": True, "cards": 2},
    {"turn_limit": 40, "starter_effect": True},
    {"decks": 1, "turn_limit": 1000},
    {"decks": 4, "cards": 15, "turn_limit": 300},
)
GAMES = [OneCard(OneCardOptions(**changed)) for changed in CHANGES]


def dealt(game: OneCard, rng: Random, seats: int) -> State:
    """A round about to begin."""
    return game.deal(mixed(game, rng), seats, Seat(rng.randrange(seats)), bool(rng.randrange(2)))


def same(game: OneCard, kernel: Kernel, position: Position, state: State) -> list[int]:
    """The moves there; fails where they aren't those of the rules, or anything else is not the same."""
    public = state.public
    assert position.hands == list(state.hands)
    assert [bit.bit_length() - 1 for bit in reversed(position.stock)] == list(state.stock)
    assert tuple(position.discards) == public.discards
    if public.phase is ENDED:
        outcome = game.outcome(state)
        assert outcome
        assert position.turn == -1
        assert (kernel.winners(position), kernel.points(position)) == (outcome.winners, outcome.points)
        return []
    assert position.turn == public.turn
    assert position.pending == public.pending
    moves = kernel.moves(position)
    allowed = list(game.legal_actions(game.view(state, public.turn)))
    assert [kernel.action(position, move) for move in moves] == allowed
    return moves


def after(game: OneCard, kernel: Kernel, position: Position, state: State, move: int, rng: Random) -> State:
    """The state after the move, which the position has made too; where cards are shuffled, in its order."""
    seat, action, moves = state.public.turn, kernel.action(position, move), kernel.moves(position)
    if rng.randrange(2):
        kernel.play(position, move)
    else:
        kernel.step(position, number_of(moves.index(move), len(moves), rng))
    state = game.step(state, seat, action)
    if state.public.phase is not SHUFFLE:
        return state
    drawing = state.public.drawing
    assert drawing
    had = Counter(card % 52 for card in cards(state.hands[drawing.seat]))
    taken = list((Counter(cards(position.hands[drawing.seat])) - had).elements())
    order = [*taken, *(bit.bit_length() - 1 for bit in reversed(position.stock))]
    return game.step(state, DEALER, Shuffle(tuple(map(Card, order))))


def walk(game: OneCard, state: State, rng: Random, met: Counter[object]) -> None:
    """To the end of the round, each move at random."""
    kernel = Kernel(game.options)
    position = kernel.load(state, rng)
    while moves := same(game, kernel, position, state):
        move, before = moves[rng.randrange(len(moves))], state.public
        met["draw" if move in (DRAW, TAKE) else (move & CALL - 1) >> 2, before.pending > 0] += 1
        met["called"] += move > CALL
        state = after(game, kernel, position, state, move, rng)
        met["shuffled"] += state.public.stock > before.stock
        met["not called"] += move < DRAW and state.public.counts[before.turn] > before.counts[before.turn]
        met["drew nothing"] += move in (DRAW, TAKE) and state.public.counts == before.counts
    met[state.public.reason, state.public.actions == game.options.turn_limit] += 1


def test_both_go_the_same_way_through_hundreds_of_rounds() -> None:
    met: Counter[object] = Counter()
    for seed in range(400):
        rng = dice(seed)
        game = GAMES[seed % len(GAMES)]
        possible = seatings(game)
        walk(game, dealt(game, rng, possible[rng.randrange(len(possible))]), rng, met)
    for rank in range(13):
        assert met[rank, False] > 50
    for answer in ("draw", 1, 2, 6, 10, 11):
        assert met[answer, True] > 20
    assert min(met["draw", False], met["called"], met["not called"], met["shuffled"]) > 20
    assert min(met["out", False], met["blocked", True]) > 20


def test_a_round_blocked_because_nobody_can_do_anything_ends() -> None:
    for turns in range(1, 4):
        state = Round("4C 4C", "5C 5C", "6C 6C", "8H 8D", top="KS", stock="").state
        met: Counter[object] = Counter()
        walk(GAMES[0], state, dice(turns), met)
        assert met["drew nothing"] >= 3
        assert met["blocked", False] == 1


@given(st.integers(0, 2**32), st.integers(0, 60), st.sampled_from(GAMES))
@settings(max_examples=40)
def test_they_go_the_same_way_from_the_middle_of_a_round(seed: int, turns: int, game: OneCard) -> None:
    rng = dice(seed)
    state = dealt(game, rng, seatings(game)[-1])
    kernel = Kernel(game.options)
    position = kernel.load(state, rng)
    for _ in range(turns):
        if moves := same(game, kernel, position, state):
            state = after(game, kernel, position, state, moves[rng.randrange(len(moves))], rng)
    walk(game, state, rng, Counter())


def test_a_copy_goes_its_own_way() -> None:
    game, state = GAMES[0], dealt(GAMES[0], dice(1), 4)
    position = KERNEL.load(state)
    other = KERNEL.copy(position)
    for _ in range(30):
        KERNEL.play(other, KERNEL.moves(other)[0])
    assert other.hands != position.hands
    assert other.stock != position.stock
    same(game, KERNEL, position, state)


def test_a_draw_that_waits_for_the_dealer_is_no_position() -> None:
    waiting = Round("4C", "2H 8C", top="8S", under="9S 9H", stock="").play("A draw").state
    assert waiting.public.phase is SHUFFLE
    with pytest.raises(ValueError, match="a draw is not done"):
        KERNEL.load(waiting)


@pytest.mark.parametrize(
    ("changed", "fits"),
    [
        *((changed, True) for changed in CHANGES),
        ({"rounds": 3, "match_winner": "most_penalties", "order_cards": "never"}, True),
        ({"draw_then_play": True}, False),
        ({"draw_until_playable": True}, False),
        ({"bankrupt_at": 20}, False),
        ({"two_player_queen": "skip"}, False),
    ],
)
def test_it_fits_where_no_drawn_card_is_played_and_nobody_leaves(changed: dict[str, Any], fits: bool) -> None:
    assert Kernel.fits(OneCard(OneCardOptions(**changed))) is fits
