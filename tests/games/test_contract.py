"""What every registered game must keep to, whatever its options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.cards import Card, each, face
from p2pcards.errors import IllegalAction
from p2pcards.games.base import DEALER, Game, Place, Refusal, Seat, Secrecy, Shuffle, Where
from p2pcards.games.match import Match
from p2pcards.games.options import explained
from p2pcards.games.record import Record, played_round, read, write
from p2pcards.games.registry import GAMES
from p2pcards.games.replay import replay
from tests.games.anygame import games
from tests.games.walk import AnyGame, seatings, walk
from tests.testing.dice import dice

NAMES = ("ana", "ben", "cy", "dan", "eve", "fay", "gus", "hal", "ida")

seeds = st.integers(0, 2**32)


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
    played = walk(game, rng, first=bool(seed % 2))
    places = game.places(played.order, played.seats, played.starter, played.first)
    assert len(places) == len(played.order) == 52 * game.decks()
    dealt = played.dealt(game)
    assert all(place.seat in range(played.seats) for place in places if place.where is Where.HAND)
    for seat, hand in enumerate(dealt.hands):
        assert sorted(map(face, each(hand))) == sorted(_faces(played.order, places, Where.HAND, Seat(seat)))
    assert list(map(face, dealt.stock)) == _faces(played.order, places, Where.STOCK)
    assert list(map(face, dealt.shown)) == _faces(played.order, places, Where.FACE_UP)
    up = [place.seat for place in places if place.where is Where.FACE_UP]
    assert up[: len(dealt.order)] == [seat for seat, _ in dealt.order]
    assert [card for _, card in dealt.order] == list(dealt.shown[: len(dealt.order)])


@given(games(), seeds)
@settings(max_examples=40, deadline=None)
def test_the_layout_is_certain_of_hands_and_of_what_is_surely_turned_up(game: AnyGame, seed: int) -> None:
    played = walk(game, dice(seed), first=bool(seed % 2))
    layout = game.layout(played.seats, played.starter, played.first)
    places = game.places(played.order, played.seats, played.starter, played.first)
    for certain, place in zip(layout, places, strict=True):
        assert place == certain or (place.where, certain.where) == (Where.FACE_UP, Where.STOCK)
    for moment in played.moments:
        public = game.view(moment.state, None)
        assert game.stock(public) == len(getattr(moment.state, "stock", ()))


def _faces(order: Sequence[Card], layout: Sequence[Place], where: Where, seat: Seat | None = None) -> list[Card]:
    return [
        face(card)
        for card, place in zip(order, layout, strict=True)
        if place.where is where and seat in (None, place.seat)
    ]


@given(games(), seeds)
@settings(max_examples=40, deadline=None)
def test_whose_turn_it_is_and_what_may_be_done(game: AnyGame, seed: int) -> None:
    played = walk(game, dice(seed))
    for moment in played.moments:
        public = game.view(moment.state, None)
        acting = game.to_act(public)
        assert (game.outcome(moment.state) is None) is bool(acting)
        assert bool(game.to_shuffle(public)) is (acting == (DEALER,))
        assert list(game.legal_actions(public)) == []
        assert game.hand(public) == 0
        for view in _views(game, moment.state, played.seats):
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
    played = walk(game, dice(seed))
    moments = played.moments
    known = {action for moment in moments for action in _legal(game, moment.state)}
    for moment in moments[:: 1 + len(moments) // 10]:
        acting = game.to_act(game.view(moment.state, None))
        for view in _views(game, moment.state, played.seats):
            listed = set(game.legal_actions(view))
            for action in known | listed:
                refused = _refused(game, view, action)
                assert (refused is None) is (action in listed), game.format(action)
                if view.seat not in acting and acting != (DEALER,):
                    assert refused is (Refusal.NOT_YOUR_TURN if acting else Refusal.OVER)


@given(games(), seeds)
@settings(max_examples=25, deadline=None)
def test_a_step_refuses_what_check_refuses_and_does_the_rest(game: AnyGame, seed: int) -> None:
    played = walk(game, dice(seed))
    moments = played.moments
    known = {action for moment in moments for action in _legal(game, moment.state)}
    for moment in moments[:: 1 + len(moments) // 10]:
        for seat in map(Seat, range(played.seats)):
            view = game.view(moment.state, seat)
            for action in known | set(game.legal_actions(view)):
                if refused := _refused(game, view, action):
                    with pytest.raises(IllegalAction) as refusal:
                        game.step(moment.state, seat, action)
                    assert refusal.value.code is refused
                else:
                    assert game.step(moment.state, seat, action) == game.apply(moment.state, seat, action)


def _legal(game: AnyGame, state: Any) -> set[Any]:
    acting = game.to_act(game.view(state, None))
    return {action for seat in acting if seat != DEALER for action in game.legal_actions(game.view(state, seat))}


def _refused(game: AnyGame, view: Any, action: Any) -> object:
    try:
        game.check(view, action)
    except IllegalAction as refusal:
        return refusal.code
    return None


@given(games(), seeds)
@settings(max_examples=25, deadline=None)
def test_the_dealer_shuffles_what_is_to_be_shuffled_and_only_then(game: AnyGame, seed: int) -> None:
    moments = walk(game, dice(seed)).moments
    shuffles = [moment.action for moment in moments if moment.seat == DEALER]
    for moment in moments[:: 1 + len(moments) // 20]:
        view = game.view(moment.state, None)
        faces = game.to_shuffle(view)
        assert list(faces) == sorted(map(face, faces))
        for shuffle in [Shuffle(()), *shuffles, *(Shuffle(faces[:place]) for place in range(1, len(faces)))]:
            assert (_refused(game, view, shuffle) is None) is (bool(faces) and sorted(shuffle.order) == list(faces))
    for shuffle in shuffles:
        assert game.parse(game.format(shuffle)) == shuffle


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
    possible = seatings(game)
    seats = possible[rng.randrange(len(possible))]
    match, rounds = Match.start(game, seats), []
    while match.round < 2 and not match.over:
        played = walk(game, rng, seats=seats, first=match.first)
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
