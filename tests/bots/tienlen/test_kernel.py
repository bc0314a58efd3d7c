"""The kernel goes as the rules go: both walked side by side through random rounds."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.bots.tienlen.kernel import KERNEL, Position
from p2pcards.cards import deck
from p2pcards.games.base import Seat
from p2pcards.games.tienlen import TienLen, TienLenOptions
from p2pcards.games.tienlen.actions import Play
from p2pcards.games.tienlen.combos import combo_of
from p2pcards.games.tienlen.state import ENDED, State
from tests.bots.numbers import number_of
from tests.games.tienlen.builder import Round
from tests.testing.dice import dice

GAME = TienLen()


def dealt(rng: Random, seats: int) -> State:
    """A round about to begin."""
    order = list(deck(1))
    rng.shuffle(order)
    return GAME.deal(order, seats, Seat(rng.randrange(seats)))


def same(position: Position, state: State) -> list[int]:
    """The moves there; fails where they aren't those of the rules, or anything else is not the same."""
    public = state.public
    view = GAME.view(state, None if public.phase is ENDED else public.turn)
    assert position.turn == (-1 if public.phase is ENDED else public.turn)
    assert position.hands == list(state.hands)
    if public.phase is ENDED:
        assert KERNEL.winners(position) == public.winners
        assert tuple(position.places) == (public.places or public.winners)
        return []
    moves = KERNEL.moves(position)
    assert [KERNEL.action(position, move) for move in moves] == list(GAME.legal_actions(view))
    return moves


def walk(state: State, rng: Random, met: Counter[object]) -> None:
    """To the end of the round, each move at random."""
    position, numbers = KERNEL.load(state), dice(rng.randrange(1 << 32))
    while moves := same(position, state):
        place = rng.randrange(len(moves))
        move = moves[place]
        action, lying = KERNEL.action(position, move), state.public.pile
        met[state.public.phase, "play" if move else "pass"] += 1
        if isinstance(action, Play) and (combo := combo_of(action.cards)):
            met[combo.kind, "follows" if lying else "leads"] += 1
            met["bomb"] += lying is not None and lying.kind is not combo.kind
        state = GAME.step(state, state.public.turn, action)
        other = KERNEL.copy(position)
        KERNEL.play(other, move)
        same(other, state)
        KERNEL.step(position, number_of(place, len(moves), numbers))


def test_both_go_the_same_way_through_hundreds_of_rounds() -> None:
    met: Counter[object] = Counter()
    for seed in range(600):
        rng = dice(seed)
        state = dealt(rng, 2 + seed % 3)
        if state.public.phase is not ENDED:
            walk(state, rng, met)
    for phase in ("lead", "follow", "after_out"):
        assert met[phase, "play"] > 20
    assert min(met["follow", "pass"], met["after_out", "pass"]) > 20
    for kind in ("single", "pair", "straight", "doubles"):
        assert min(met[kind, "leads"], met[kind, "follows"]) > 3
    assert min(met["triple", "leads"], met["quad", "leads"] + met["quad", "follows"], met["bomb"]) > 3


@given(st.integers(0, 2**32), st.integers(0, 60), st.integers(2, 4))
@settings(max_examples=60)
def test_they_go_the_same_way_from_the_middle_of_a_round(seed: int, turns: int, seats: int) -> None:
    rng = dice(seed)
    state = dealt(rng, seats)
    for _ in range(turns):
        if state.public.phase is not ENDED:
            actions = list(GAME.legal_actions(GAME.view(state, state.public.turn)))
            state = GAME.step(state, state.public.turn, actions[rng.randrange(len(actions))])
    walk(state, rng, Counter())


def test_twos_are_bombed_as_the_rules_say() -> None:
    quad, pairs = "7S 7C 7D 7H", "3S 3C 4S 4C 5S 5C 6S 6C 8S 8C"
    for twos in ("2S", "2S 2C", "2S 2C 2D"):
        state = Round(f"{twos} 9S", f"{quad} {pairs}", "TS", "JS").play(f"A {twos}").state
        assert len(same(KERNEL.load(state), state)) > 1


def test_a_copy_goes_its_own_way() -> None:
    position = KERNEL.load(dealt(dice(1), 4))
    other = KERNEL.copy(position)
    KERNEL.play(other, KERNEL.moves(other)[0])
    KERNEL.play(other, 0)
    assert position.hands != other.hands
    assert (position.turn, other.turn) == (1, 3)
    same(position, dealt(dice(1), 4))


@pytest.mark.parametrize(
    ("changed", "fits"),
    [
        ({"first_lead": "lowest_card", "next_lead": "winner", "match_rounds": 3}, True),
        ({"twos_in_sequences": False}, False),
        ({"out_rule": "all_may_beat"}, False),
        ({"objective": "hold"}, False),
        ({"scoring": "placement"}, False),
    ],
)
def test_it_fits_where_a_round_is_the_usual_one(changed: dict[str, object], fits: bool) -> None:
    assert KERNEL.fits(TienLen(TienLenOptions(**changed))) is fits  # type: ignore[arg-type]  # names with their values
