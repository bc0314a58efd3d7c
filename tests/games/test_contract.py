"""What every registered game must keep to, whatever its options."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.errors import IllegalAction
from p2pcards.games.base import Game, Refusal, Seat, Secrecy, Where
from p2pcards.games.match import Match
from p2pcards.games.options import explained, read_options
from p2pcards.games.record import Record, played_round, read, write
from p2pcards.games.registry import GAMES
from p2pcards.games.replay import replay
from tests.games.walk import AnyGame, walk
from tests.testing.dice import dice

NAMES = ("ana", "ben", "cy", "dan", "eve", "fay", "gus", "hal", "ida")

seeds = st.integers(0, 2**32)


def games() -> st.SearchStrategy[AnyGame]:
    """Every game under options of all kinds."""
    return st.sampled_from(sorted(GAMES)).flatmap(_with_options)


def _with_options(name: str) -> st.SearchStrategy[AnyGame]:
    kind = GAMES[name]
    values = {option.name: st.sampled_from(option.choices or (option.default, "3")) for option in explained(kind)}
    return st.fixed_dictionaries({}, optional=values).map(lambda texts: kind(read_options(kind, texts)))


def _views(game: AnyGame, state: Any, seats: int) -> list[Any]:
    return [game.view(state, seat) for seat in (*map(Seat, range(seats)), None)]


@pytest.mark.parametrize("name", GAMES)
def test_a_game_says_who_it_is(name: str) -> None:
    game = GAMES[name]
    assert game.name == name
    assert game.title
    assert game.rules >= 1
    assert set(game.questions) <= set(game.verbs)
    assert all(game.verbs.values())
    for option in explained(game):
        assert option.effect, option.name
        assert option.allowed, option.name


@given(games(), seeds)
@settings(max_examples=40, deadline=None)
def test_every_card_is_dealt_once(game: AnyGame, seed: int) -> None:
    rng = dice(seed)
    played = walk(game, rng)
    layout = game.layout(played.seats, played.starter)
    assert len(layout) == len(played.order) == 52 * game.decks()
    dealt = played.dealt(game)
    counts = Counter(place.seat for place in layout if place.where is Where.HAND)
    assert [hand.bit_count() for hand in dealt.hands] == [counts[Seat(seat)] for seat in range(played.seats)]
    assert all(place.seat in range(played.seats) for place in layout if place.where is Where.HAND)
    assert dealt.stock == tuple(
        card for card, place in zip(played.order, layout, strict=True) if place.where is Where.STOCK
    )


@given(games(), seeds)
@settings(max_examples=40, deadline=None)
def test_whose_turn_it_is_and_what_may_be_done(game: AnyGame, seed: int) -> None:
    for moment in walk(game, dice(seed)).moments:
        public = game.view(moment.state, None)
        acting = game.to_act(public)
        assert (game.outcome(moment.state) is None) is bool(acting)
        assert list(game.legal_actions(public)) == []
        assert game.hand(public) == 0
        for view in _views(game, moment.state, game.seats[0]):
            assert game.to_act(view) == acting
            actions = list(game.legal_actions(view))
            assert actions == list(game.legal_actions(view))
            texts = [game.format(action) for action in actions]
            assert len(set(texts)) == len(texts)
            for action, text in zip(actions, texts, strict=True):
                game.check(view, action)
                assert game.parse(text) == action
                assert text.split()[0] in game.verbs
                assert (text.split()[0] in game.questions) is (game.secrecy(action) is Secrecy.BLIND)
            if view.seat in acting:
                assert actions
                assert game.default(view) in actions


@given(games(), seeds)
@settings(max_examples=25, deadline=None)
def test_check_lets_pass_what_is_listed_and_nothing_else(game: AnyGame, seed: int) -> None:
    moments = walk(game, dice(seed)).moments
    known = {action for moment in moments for action in _legal(game, moment.state)}
    for moment in moments[:: 1 + len(moments) // 10]:
        acting = game.to_act(game.view(moment.state, None))
        for view in _views(game, moment.state, game.seats[0]):
            listed = set(game.legal_actions(view))
            for action in known | listed:
                refused = _refused(game, view, action)
                assert (refused is None) is (action in listed), game.format(action)
                if view.seat not in acting:
                    assert refused is (Refusal.NOT_YOUR_TURN if acting else Refusal.OVER)


def _legal(game: AnyGame, state: Any) -> set[Any]:
    acting = game.to_act(game.view(state, None))
    return {action for seat in acting for action in game.legal_actions(game.view(state, seat))}


def _refused(game: AnyGame, view: Any, action: Any) -> object:
    try:
        game.check(view, action)
    except IllegalAction as refusal:
        return refusal.code
    return None


@given(games(), seeds)
@settings(max_examples=25, deadline=None)
def test_states_are_values(game: AnyGame, seed: int) -> None:
    for moment in walk(game, dice(seed)).moments[:-1]:
        before, copied = hash(moment.state), msgspec.structs.replace(moment.state)
        assert moment.seat is not None
        after = game.step(moment.state, moment.seat, moment.action)
        assert (hash(moment.state), moment.state) == (before, copied)
        assert after == game.step(moment.state, moment.seat, moment.action)
        assert after != moment.state


@given(games(), seeds)
@settings(max_examples=25, deadline=None)
def test_a_view_tells_nothing_of_what_it_hides(game: AnyGame, seed: int) -> None:
    """Other hands and another stock that the seat can't tell apart give the same view, so the same legal actions."""
    rng = dice(seed)
    played = walk(game, rng)
    for moment in played.moments[:: 1 + len(played.moments) // 12]:
        for view in _views(game, moment.state, played.seats):
            world = game.resample(view, rng)
            again = game.view(world, view.seat)
            assert again == view
            assert game.encode_view(again) == game.encode_view(view)
            assert list(game.legal_actions(again)) == list(game.legal_actions(view))
            if view.seat is not None and moment.seat == view.seat:
                game.step(world, view.seat, moment.action)


@given(games(), seeds)
@settings(max_examples=25, deadline=None)
def test_views_go_through_the_codec(game: AnyGame, seed: int) -> None:
    played = walk(game, dice(seed))
    for moment in played.moments:
        for view in _views(game, moment.state, played.seats):
            data = game.encode_view(view)
            assert game.decode_view(data) == view
            assert game.encode_view(game.decode_view(data)) == data


@given(games(), seeds)
@settings(max_examples=25, deadline=None)
def test_hidden_cards_change_no_length(game: AnyGame, seed: int) -> None:
    rng = dice(seed)
    played = walk(game, rng)
    for moment in played.moments[:: 1 + len(played.moments) // 12]:
        for view in _views(game, moment.state, played.seats):
            world = game.resample(view, rng)
            for mine, other in zip(
                _views(game, moment.state, played.seats), _views(game, world, played.seats), strict=True
            ):
                assert len(game.encode_view(mine)) == len(game.encode_view(other))


@given(games(), seeds)
@settings(max_examples=25, deadline=None)
def test_a_match_is_replayed_from_its_record(game: AnyGame, seed: int) -> None:
    rng = dice(seed)
    seats = game.seats[0]
    match, rounds = Match.start(game, seats), []
    while match.round < 2 and not match.over:
        played = walk(game, rng)
        outcome = game.outcome(played.end)
        assert outcome is not None
        assert len(outcome.points) == seats
        assert all(winner in range(seats) for winner in outcome.winners)
        match = match.settle(outcome)
        acts = [(moment.seat, game.format(moment.action)) for moment in played.moments if moment.seat is not None]
        rounds.append(
            played_round(NAMES[:seats], played.dealt(game), played.opener(game), acts, outcome.winners, match.points)
        )
    record = Record(game.name, game.options, NAMES[:seats], tuple(rounds))
    text = write(record)
    found = replay(text)
    assert (found.exit_code, found.error) == (0, "")
    assert found.rounds[-1].state == played.end
    assert (found.match.scores, found.match.pot, found.match.over) == (match.scores, match.pot, match.over)
    assert read(text) == found.record == record
    assert found.record is not None
    assert write(found.record) == text


def test_a_game_that_leaves_something_out_cannot_be_made() -> None:
    class Half(Game[Any, Any, Any]):
        """Nothing is implemented."""

    with pytest.raises(TypeError):
        Half()  # type: ignore[abstract]  # that is the point
