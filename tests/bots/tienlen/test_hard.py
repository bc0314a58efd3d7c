"""Level `hard` of Tiến lên: legal under any options, blind to what it may not know, and stronger than `medium`."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.bots.arena import play_deal
from p2pcards.bots.budget import Budget
from p2pcards.bots.registry import bot
from p2pcards.bots.thinking import AllSeeing, Deliberate
from p2pcards.bots.tienlen import CHEAT, HARD
from p2pcards.games.base import Seat
from p2pcards.games.options import read_options
from p2pcards.games.tienlen import TienLen
from tests.bots.rounds import states, win_share
from tests.games.anygame import options
from tests.games.played import NAMES
from tests.games.tienlen.builder import Round
from tests.testing.dice import dice

SEEDS = st.integers(0, 2**32)
OTHERS = ("4C 5D 8H JC QD", "4D 6D 8C JS KC", "4H 6C 8D JH KD")


def chosen(played: Round, steps: int = 200) -> str:
    """What it does there, whose turn it is."""
    game, seat = played.game, Seat(NAMES.index(played.to_act))
    action = Deliberate(HARD, Budget(steps=steps)).choose(game, game.view(played.state, seat), dice(0))
    return game.format(action).removeprefix("play ")


@given(options(TienLen), st.integers(2, 4), SEEDS)
@settings(max_examples=25)
def test_it_plays_rounds_to_their_end_under_any_options(texts: dict[str, str], seats: int, seed: int) -> None:
    game = TienLen(read_options(TienLen, texts))
    bots = [Deliberate(HARD, Budget(steps=3))] * seats
    assert game.outcome(list(states(game, bots, seed))[-1])


def test_it_goes_out_when_it_can() -> None:
    assert chosen(Round("KS KC", *OTHERS)) == "KS KC"
    assert chosen(Round("3S 3C 4S", "QS QC", "4D 5D 6S", "KH KD").play("A 3S 3C")) == "QS QC"


def test_it_leads_what_nobody_can_follow_before_its_last_card() -> None:
    assert chosen(Round("3S 9S 9H", "8H", "TD JD", "TC QC")) == "9S 9H"


def test_a_way_out_that_nobody_can_stop_needs_no_worlds() -> None:
    played = Round("4S 7S 7C AD AH", "TD", "2C", "2S")
    *_, last = HARD.think(played.game, played.game.view(played.state, Seat(0)), dice(0))
    assert (played.game.format(last.action), last.worlds, last.sure) == ("play AD AH", 0, True)


def test_a_sure_way_out_begins_with_the_card_that_the_first_lead_must_have() -> None:
    assert chosen(Round("3S 2H", "4S 5D", "6S 7S", first_lead="lowest_card")) == "3S"


@pytest.mark.parametrize("seats", [2, 3])
def test_it_beats_medium(seats: int) -> None:
    thinking = Deliberate(HARD, Budget(steps=40))
    assert win_share(TienLen(), thinking, bot("tienlen", "medium"), 12, seats) > 1 / seats + 0.03


def test_it_thinks_with_the_chance_of_the_arena() -> None:
    bots = [Deliberate(HARD, Budget(steps=2)), *[bot("tienlen", "medium")] * 3]
    assert sum(play_deal(TienLen(), bots, 0, 0).shares) == 1


def test_who_sees_the_hands_chooses_what_is_legal() -> None:
    game, seer = TienLen(), AllSeeing(CHEAT, Budget(steps=20))
    for state in states(game, [bot("tienlen", "medium")] * 4, 3):
        for seat in game.to_act(game.view(state, None)):
            game.step(state, seat, seer.choose_from(game, state, seat, dice(0)))
