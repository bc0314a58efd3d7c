"""The kernel beside the rules: the same turns, the same moves in the same order, the same end."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.bots.tongits.kernel import KERNEL, Position
from p2pcards.cards import cards_of
from p2pcards.games.base import Seat
from p2pcards.games.options import read_options
from p2pcards.games.registry import GAMES
from p2pcards.games.tongits import TongIts
from p2pcards.games.tongits.actions import Action, Call, Discard
from p2pcards.games.tongits.options import TongItsOptions
from p2pcards.games.tongits.state import State
from tests.bots.numbers import number_of
from tests.games.anygame import options
from tests.games.walk import mixed
from tests.testing.dice import dice

SEEDS = st.integers(0, 2**32)
GAME = TongIts()


def walk(seed: int) -> Iterator[tuple[State, list[Action]]]:
    """The states of a round and what may be done there; two cards in three of a turn's choices are no call."""
    rng = dice(seed)
    state = GAME.deal(mixed(GAME, rng), 3, Seat(seed % 3))
    while acting := GAME.to_act(GAME.view(state, None)):
        actions = list(GAME.legal_actions(GAME.view(state, acting[0])))
        yield state, actions
        state = GAME.step(state, acting[0], chosen(actions, rng, seed))
    yield state, []


def chosen(actions: list[Action], rng: random.Random, seed: int) -> Action:
    """Any of them; in two rounds of three seldom a call, and in one of them seldom a discard where there is else."""
    for unwanted in ((Call,), (Call, Discard))[: seed % 3]:
        others = [action for action in actions if not isinstance(action, unwanted)]
        if others and rng.randrange(8):
            actions = others
    return actions[rng.randrange(len(actions))]


def agrees(position: Position, state: State, actions: list[Action]) -> None:
    """The same turn, moves and end, and every card at its place."""
    acting = GAME.to_act(GAME.view(state, None))
    assert position.turn == (acting[0] if acting else -1)
    assert [KERNEL.action(position, move) for move in KERNEL.moves(position)] == actions
    assert tuple(position.hands) == state.hands
    assert tuple(map(cards_of, position.cards)) == state.hands  # type: ignore[arg-type]  # plain ints
    assert tuple(reversed(position.stock)) == state.stock
    assert tuple(position.discards) == state.public.discards
    assert [(*meld,) for meld in zip(position.owners, position.melds, strict=True)] == [
        (meld.owner, meld.cards) for meld in state.public.melds
    ]
    outcome = GAME.outcome(state)
    assert KERNEL.winners(position) == (outcome.winners if outcome else ())
    assert KERNEL.points(position) == (outcome.points if outcome else (0, 0, 0))


def side_by_side(seed: int) -> Counter[str]:
    """Walks both through a round, and loads, copies and leaves a position on the way; which actions there were."""
    met: Counter[str] = Counter()
    position: Position | None = None
    rounds, rng = [*walk(seed)], dice(f"numbers {seed}")
    for place, ((state, actions), (after, _)) in enumerate(zip(rounds, [*rounds[1:], rounds[-1]], strict=True)):
        position = KERNEL.load(state) if position is None else position
        agrees(position, state, actions)
        if place % 5 == seed % 5:
            loaded = KERNEL.load(state)
            for move in KERNEL.moves(loaded):
                KERNEL.play(KERNEL.copy(loaded), move)
            agrees(loaded, state, actions)
        if not actions:
            met[after.public.reason or ""] += 1
            break
        step = next(action for action in actions if GAME.apply(state, Seat(position.turn), action) == after)
        met[type(step).__name__] += 1
        choice, other = actions.index(step), KERNEL.copy(position)
        KERNEL.play(other, KERNEL.moves(other)[choice])
        KERNEL.step(position, number_of(choice, len(actions), rng))
        for name in Position.__slots__:
            assert getattr(position, name) == getattr(other, name)
    return met


def test_the_kernel_walks_through_hundreds_of_rounds_as_the_rules_do() -> None:
    met: Counter[str] = Counter()
    for seed in range(300):
        met += side_by_side(seed)
    for kind in ("Draw", "Take", "Call", "Expose", "Layoff", "Discard", "Challenge", "Fold"):
        assert met[kind] > 20, kind
    assert all(met[reason] > 10 for reason in ("tongits", "call", "exhausted"))


@given(SEEDS)
@settings(max_examples=30)
def test_the_kernel_walks_through_any_round_as_the_rules_do(seed: int) -> None:
    side_by_side(seed)


def test_a_state_between_the_answers_to_a_call_is_loaded_with_the_first_answer() -> None:
    between = [state for seed in range(200) for state, _ in walk(seed) if state.public.answers and state.public.asked]
    assert between
    assert any(KERNEL.load(state).challengers for state in between)
    assert all(KERNEL.load(state).turn == state.public.asked[0] for state in between)


@given(options(TongIts))
def test_the_kernel_fits_where_no_option_changes_a_round(texts: dict[str, str]) -> None:
    game = TongIts(read_options(TongIts, texts))
    without = {"stake", "ante", "hitter_pot", "target_wins", "match_rounds", "no_winner_starter"}
    ours = TongItsOptions()
    same = replace(game.options, **{name: getattr(ours, name) for name in without})
    assert KERNEL.fits(game) == (same == ours)


def test_the_kernel_fits_no_other_game() -> None:
    assert not KERNEL.fits(GAMES["straights"]())
    assert KERNEL.fits(TongIts(TongItsOptions(target_wins=3)))
