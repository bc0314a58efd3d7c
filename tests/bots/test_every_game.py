"""What holds for every bot of every game."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.bots.base import Bot
from p2pcards.bots.budget import Budget
from p2pcards.bots.registry import CHEAT, LEVELS, arena_bot, bot, levels
from p2pcards.bots.thinking import AllSeeing, Deliberate
from p2pcards.errors import UserError
from p2pcards.games.base import Game, Seat
from p2pcards.games.registry import GAMES
from p2pcards.table import settings as table
from tests.bots.rounds import states, views
from tests.games.anygame import games
from tests.games.walk import seatings
from tests.testing.dice import dice

SEEDS = st.integers(0, 2**32)
LONG = 400
"""Turns of a round that are looked at, at most; there are some in One Card that hardly end."""


EVERY_BOT = [(name, level) for name in GAMES for level in levels(name)]


def briefly(name: str, level: str) -> Bot[Any, Any]:
    """The bot; one that thinks does so in a few steps, the same ones wherever this runs."""
    found = bot(name, level)
    return Deliberate(found.thinker, Budget(steps=3)) if isinstance(found, Deliberate) else found


def test_each_game_has_each_level() -> None:
    for game in GAMES:
        assert levels(game)[: len(LEVELS)] == LEVELS


def test_an_unknown_level_is_refused_with_those_there_are() -> None:
    with pytest.raises(UserError, match=r"'grandmaster'; there are: random, easy, medium, hard\.") as caught:
        bot("tongits", "grandmaster")
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("name", GAMES)
def test_a_table_offers_the_levels_there_are(name: str) -> None:
    assert table.levels(name) == levels(name)
    assert table.choices(name, "bot_level") == table.choices(name, "ragequit_level") == levels(name)


@given(games(), st.data(), SEEDS)
@settings(max_examples=150)
def test_bots_of_any_levels_play_a_round_to_its_end_under_any_options(
    game: Game[Any, Any, Any], data: st.DataObject, seed: int
) -> None:
    seats = game.seats.start
    chosen = data.draw(st.lists(st.sampled_from(levels(game.name)), min_size=seats, max_size=seats))
    *_, last = states(game, [briefly(game.name, level) for level in chosen], seed)
    assert game.outcome(last)


@given(games(), st.data(), SEEDS)
@settings(max_examples=40)
def test_a_choice_follows_from_view_and_chance_alone(game: Game[Any, Any, Any], data: st.DataObject, seed: int) -> None:
    chosen = briefly(game.name, data.draw(st.sampled_from(levels(game.name))))
    seen = views(game, [bot(game.name, "random")] * game.seats.start, seed)
    for number, view in enumerate(islice(seen, seed % 4, LONG, 4)):
        same = game.view(game.resample(view, dice(seed + number)), view.seat)
        assert same is not view
        assert chosen.choose(game, same, dice(number)) == chosen.choose(game, view, dice(number))


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data(), seed=SEEDS)
@settings(max_examples=10)
def test_what_its_view_hides_changes_nothing_of_what_hard_thinks(name: str, data: st.DataObject, seed: int) -> None:
    game = data.draw(games(name))
    found = bot(name, "hard")
    assert isinstance(found, Deliberate)
    seen = views(game, [bot(name, "medium")] * data.draw(st.sampled_from(seatings(game))), seed)
    for number, view in enumerate(islice(seen, seed % 5, LONG, 5)):
        other = game.view(game.resample(view, dice(seed + number)), view.seat)
        assert other == view
        thoughts = [[*islice(found.thinker.think(game, one, dice(number)), 40)] for one in (view, other)]
        assert thoughts[0] == thoughts[1]


@given(games(), SEEDS)
@settings(max_examples=25)
def test_cheat_plays_by_the_rules_and_draws_no_hand_that_it_can_see(game: Game[Any, Any, Any], seed: int) -> None:
    cheat, medium = arena_bot(game.name, CHEAT, Budget(steps=20)), bot(game.name, "medium")
    assert isinstance(cheat, AllSeeing)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(game), "resample", lambda *_: pytest.fail("a hand that lies open is not guessed at"))
        for state in islice(states(game, [medium] * seatings(game)[-1], seed), seed % 3, 60, 3):
            for seat in game.to_act(game.view(state, None))[:1]:
                if seat >= 0:
                    action = cheat.choose_from(game, state, seat, dice(seed))
                    game.check(game.view(state, seat), action)


@pytest.mark.parametrize(("name", "level"), EVERY_BOT)
def test_who_has_nothing_to_do_gets_no_action(name: str, level: str) -> None:
    game = GAMES[name]()
    state = next(states(game, [bot(name, level)] * game.seats.start, 0))
    acting = game.to_act(game.view(state, None))
    for seat in (None, *(seat for seat in map(Seat, range(game.seats.start)) if seat not in acting)):
        with pytest.raises(ValueError, match="nothing to choose"):
            bot(name, level).choose(game, game.view(state, seat), dice(0))


def test_chance_gives_every_legal_action_its_share() -> None:
    game = GAMES["tongits"]()
    view = list(views(game, [bot("tongits", "random")] * 3, 3))[1]
    legal = list(game.legal_actions(view))
    rng = dice(5)
    drawn = [bot("tongits", "random").choose(game, view, rng) for _ in range(200 * len(legal))]
    assert len(legal) > 10
    assert all(150 < drawn.count(action) < 250 for action in legal)
