"""What `hard` does where it is plain what is best, and what it does not see."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.bots.budget import Budget
from p2pcards.bots.registry import bot
from p2pcards.bots.thinking import AllSeeing, Deliberate
from p2pcards.bots.tongits import CHEAT, HARD
from p2pcards.games.base import Seat
from p2pcards.games.options import read_options
from p2pcards.games.tongits import TongIts, TongItsOptions
from p2pcards.games.tongits.actions import Call, Challenge
from p2pcards.games.tongits.state import Phase, State, View
from tests.bots.rounds import states, views
from tests.games.anygame import options
from tests.games.played import NAMES
from tests.games.tongits.builder import Round
from tests.testing.dice import dice

SEEDS = st.integers(0, 2**32)
THINKING = Deliberate(HARD, Budget(steps=40))
SEEING = AllSeeing(CHEAT, Budget(steps=40))
FILLER = "AC AD 2H 3S 6C 9H"  # nothing to expose


def chosen(played: Round, name: str) -> str:
    """What hard does there."""
    game = played.game
    return game.format(THINKING.choose(game, game.view(played.state, Seat(NAMES.index(name))), dice(0)))


def met(seed: int) -> Iterator[View]:
    """What was seen in a round between players of all sorts."""
    return views(TongIts(), [bot("tongits", level) for level in ("medium", "easy", "medium")], seed)


@given(SEEDS)
@settings(max_examples=6)
def test_each_thought_is_a_legal_action(seed: int) -> None:
    game = TongIts()
    for view in islice(met(seed), seed % 4, None, 4):
        legal = set(game.legal_actions(view))
        assert {thought.action for thought in islice(HARD.think(game, view, dice(seed)), 80)} <= legal


@given(options(TongIts), SEEDS)
@settings(max_examples=15)
def test_it_plays_any_round_to_its_end_under_any_options(texts: dict[str, str], seed: int) -> None:
    game = TongIts(read_options(TongIts, texts))
    quick = Deliberate(HARD, Budget(steps=12))
    *_, last = states(game, [quick, bot("tongits", "random"), bot("tongits", "medium")], seed)
    assert game.outcome(last)


@given(options(TongIts), SEEDS)
@settings(max_examples=15)
def test_who_sees_all_hands_chooses_legally_under_any_options(texts: dict[str, str], seed: int) -> None:
    game = TongIts(read_options(TongIts, texts))
    quick = AllSeeing(CHEAT, Budget(steps=8))
    for state in islice(states(game, [bot("tongits", "medium")] * 3, seed), seed % 5, None, 5):
        for seat in game.to_act(game.view(state, None))[:1]:
            assert quick.choose_from(game, state, seat, dice(seed)) in set(game.legal_actions(game.view(state, seat)))


def test_for_chips_it_chooses_the_same_whatever_the_stake() -> None:
    chosen: list[list[object]] = []
    for stake in (1, 1000):
        game = TongIts(TongItsOptions(scoring="chips", stake=stake))
        met = [*views(game, [bot("tongits", "medium")] * 3, 3)]
        quick = Deliberate(HARD, Budget(steps=400))
        chosen.append([quick.choose(game, view, dice(place)) for place, view in enumerate(met[2:14])])
    assert chosen[0] == chosen[1]


def test_it_calls_when_nobody_can_contest() -> None:
    played = Round("2C 2D 2H KS KD QH 9C", FILLER, "5S 8D", stock="TD 2S 4S TH")
    played.play("A draw", "A expose 2C 2D 2H", "A discard TD", "B draw", "B discard 2S", "C draw", "C discard 4S")
    assert chosen(played, "A") == "call"


def test_what_wins_for_certain_wins() -> None:
    game, bots = TongIts(), [bot("tongits", level) for level in ("medium", "easy", "medium")]
    ways = 0
    for state in (state for seed in range(60) for state in states(game, bots, seed)):
        seats = game.to_act(game.view(state, None))
        if not seats or not _thinks_it_wins(game, game.view(state, seats[0])):
            continue
        ways += 1
        while game.to_act(game.view(state, None)) == seats:
            view = game.view(state, seats[0])
            assert _thinks_it_wins(game, view)
            state = game.step(state, seats[0], THINKING.choose(game, view, dice(0)))
        outcome = game.outcome(state)
        assert outcome is not None
        assert outcome.winners == seats
    assert ways > 5


def _thinks_it_wins(game: TongIts, view: View) -> bool:
    return list(islice(HARD.think(game, view, dice(0)), 3))[-1].sure


def test_it_contests_every_call() -> None:
    asked = [view for seed in range(30) for view in met(seed) if view.public.phase is Phase.RESPOND]
    assert len(asked) > 5
    assert {THINKING.choose(TongIts(), view, dice(0)) for view in asked} == {Challenge()}


def test_it_goes_out_where_it_can() -> None:
    played = Round("7C 7D 7H KC QC", FILLER, "5S 8D", stock="JC 2C 4S").play("A draw")
    for _ in range(2):
        played.play(f"A {chosen(played, 'A')}")
    assert played.winner == "tongits A"


def test_who_sees_all_hands_calls_with_the_lowest_one_and_not_with_another() -> None:
    called = 0
    for seed in range(60):
        for state in states(TongIts(), [bot("tongits", "medium")] * 3, seed):
            called += _call_is_right(state)
    assert called > 10


def _call_is_right(state: State) -> bool:
    """Whether it calls there; if it does, it wins."""
    game: Any = TongIts()
    seat = state.public.turn
    view = game.view(state, seat)
    if Call() not in list(game.legal_actions(view)):
        return False
    choice = SEEING.choose_from(game, state, seat, dice(0))
    if not isinstance(choice, Call):
        return False
    state = game.step(state, seat, choice)
    while asked := game.to_act(game.view(state, None)):
        state = game.step(state, asked[0], game.parse("challenge"))
    assert game.outcome(state).winners == (seat,)
    return True
