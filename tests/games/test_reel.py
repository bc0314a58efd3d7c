"""A record as a row of positions: every one of them is what the rules make of the moves before it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from p2pcards.games.base import DEALER, Secrecy
from p2pcards.games.reel import Reel, Spot
from p2pcards.games.registry import GAMES
from p2pcards.games.replay import replay
from tests.testing.replays import EMPTY, HEAD, OPEN, WRONG, reel, sample_reel
from tests.testing.samples import record_file


@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_the_one_before_and_a_move(game: str) -> None:
    made = sample_reel(game)
    assert len(made.spots) == sum(made.moves(number) + 1 for number in range(made.rounds))
    for before, spot in pairwise(made.spots):
        if spot.move:
            step = made.last(spot)
            assert step is not None
            action = made.game.parse(step.text)
            assert made.game.step(made.state(before), step.seat, action) == made.state(spot)
        else:
            assert made.outcome(before) is not None
            assert made.after(before) == made.before(spot)


@pytest.mark.parametrize("game", GAMES)
def test_the_match_comes_out_as_it_was_played(game: str) -> None:
    found = replay(open_sample(game))
    made = sample_reel(game)
    match = made.after(made.spots[-1])
    assert (match.scores, match.winners, match.pot) == (found.match.scores, found.match.winners, found.match.pot)
    assert made.wrong == ""


def open_sample(game: str) -> str:
    return record_file(game).read_text(encoding="utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_a_turn_begins_where_none_is_under_way(game: str) -> None:
    made = sample_reel(game)
    for number in range(made.rounds):
        turns, steps = made.turns(number), made.steps(number)
        assert turns[0] == 0
        assert turns[-1] == made.moves(number)
        for first, behind in pairwise(turns):
            assert len({step.seat for step in steps[first:behind]} - {DEALER}) <= 1


def test_answers_that_are_shown_together_are_nobodys_before() -> None:
    made = sample_reel("tongits")
    veiled = [spot for spot in made.spots if made.veiled(spot)]
    assert veiled
    for spot in veiled:
        step = made.last(spot)
        assert step is not None
        assert made.secrecy(step) is Secrecy.BLIND
        for seat in made.acting(spot):
            first = spot._replace(move=spot.move - 1)
            assert made.view(spot, seat) == made.view(first, seat)
            assert not made.view(spot, seat).public.answers
    whole = [spot for spot in made.spots if made.outcome(spot) and made.view(spot, None).public.answers]
    assert whole  # once the round is over everybody knows them


def test_an_unfinished_round_and_an_empty_one_are_there() -> None:
    made = reel(OPEN)
    assert made.spots == tuple(Spot(0, move) for move in range(4))
    assert made.outcome(made.spots[-1]) is None
    assert made.acting(made.spots[-1]) == (1,)
    assert reel(EMPTY).spots == (Spot(0, 0),)


def test_a_record_is_there_up_to_the_first_illegal_action() -> None:
    made = reel(WRONG)
    assert made.spots == (Spot(0, 0), Spot(0, 1), Spot(0, 2))
    assert made.wrong.startswith("round 1, line 3, ben: draw: ")
    assert made.state(made.spots[-1]) == reel(OPEN).state(Spot(0, 2))


def test_a_round_with_a_wrong_result_is_there_with_the_right_one() -> None:
    text = open_sample("tongits").replace("points = { bot-1 = 4, bot-2 = -2, bot-3 = -2 }", "points = { bot-1 = 5 }", 1)
    made = reel(text)
    assert "points" in made.wrong
    assert made.rounds == 1
    assert made.after(made.spots[-1]).points == (4, -2, -2)


def test_the_rounds_before_one_that_is_none_are_there() -> None:
    made = reel(f"{open_sample('tongits')}\n[[rounds]]\nstarter = 7\n")
    assert made.rounds == 3
    assert "starter must be a text" in made.wrong


@pytest.mark.parametrize("text", ["", "format = 1", HEAD, f"{HEAD}[[rounds]]\nstarter = 'ana'\n"])
def test_where_there_is_no_round_there_is_nothing(text: str) -> None:
    assert Reel.of(replay(text)) is None


def test_a_reel_asks_for_a_round_at_a_time() -> None:
    made = sample_reel("straights")
    there = [made.state(spot) for spot in made.spots]
    back = [made.state(spot) for spot in reversed(made.spots)]
    assert there == back[::-1]
