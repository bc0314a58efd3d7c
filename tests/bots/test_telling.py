"""Views as plain values: nothing is lost, nothing is added, and any language can read them."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from p2pcards.bots.telling import Telling, telling_of
from p2pcards.cards import ACE_LOW, Card, Cards
from p2pcards.games.base import DEALER, Game, Seat
from p2pcards.games.registry import GAMES
from p2pcards.games.tongits import TongIts
from tests.games.anygame import games
from tests.games.walk import walk
from tests.testing.dice import dice


def _views(game: Game[Any, Any, Any], seed: int) -> list[Any]:
    """What everybody sees of a random round, and a spectator at its end."""
    moments = walk(game, dice(seed)).moments
    seen = [game.view(each.state, each.seat) for each in moments if each.seat is not None and each.seat != DEALER]
    return [*seen, game.view(moments[-1].state, Seat(0)), game.view(moments[-1].state, None)]


@given(games(), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_what_is_told_through_json_is_the_whole_view(game: Game[Any, Any, Any], seed: int) -> None:
    telling = telling_of(game)
    for view in _views(game, seed):
        assert telling.read(json.loads(json.dumps(telling.tell(view)))) == view


@pytest.mark.parametrize("game", GAMES)
def test_what_is_told_has_the_shape_that_is_promised(game: str) -> None:
    rules = GAMES[game]()
    telling = telling_of(rules)
    for seed in range(5):
        for view in _views(rules, seed):
            told = json.loads(json.dumps(telling.tell(view)))
            assert json.loads(msgspec.json.encode(msgspec.convert(told, telling.shape))) == told


def test_cards_are_texts_and_own_things_stand_apart_from_public_ones() -> None:
    game = TongIts()
    state = walk(game, dice(1), seats=3).moments[0].state
    told = telling_of(game).tell(game.view(state, Seat(1)))
    assert list(told) == ["seat", "public", "hand"]
    assert (told["seat"], told["public"]["phase"], len(told["public"]["counts"])) == (1, "draw", 3)
    assert all(re.fullmatch("[A2-9TJQK][CDHS]", card) for card in told["hand"])
    assert len(told["hand"]) == told["public"]["counts"][1]


class _Odd(Struct, frozen=True):
    held: Cards
    pair: tuple[Seat, Card]
    perhaps: Card | None


def test_copies_of_a_card_are_told_as_often_as_they_are_held() -> None:
    telling = Telling(_Odd, ACE_LOW)
    odd = _Odd(Cards(1 << 0 | 1 << 52 | 1 << 5), (Seat(2), Card(4)), None)
    assert telling.tell(odd) == {"held": ["AC", "AC", "2D"], "pair": [2, "2C"], "perhaps": None}
    assert telling.read(telling.tell(odd)) == odd


class _Secret(Struct, frozen=True):
    stuff: bytes


def test_a_field_that_cannot_be_told_is_no_surprise_at_the_table() -> None:
    with pytest.raises(TypeError, match="bytes"):
        Telling(_Secret, ACE_LOW)
