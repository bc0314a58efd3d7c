"""Views as bytes, in every game: whatever comes in is a view that would be written so, or it is refused."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.games.base import Game, Seat
from p2pcards.games.registry import GAMES
from tests.games.walk import walk
from tests.testing.dice import dice

every_game = pytest.mark.parametrize("game", [kind() for kind in GAMES.values()], ids=list(GAMES))
AnyGame = Game[Any, Any, Any]


@cache
def sound(name: str) -> list[bytes]:
    """A player's views and a spectator's of some rounds played at random."""
    game, found = GAMES[name](), []
    for seed in range(6):
        for moment in walk(game, dice(seed), first=bool(seed % 2)).moments:
            found += [game.encode_view(game.view(moment.state, seat)) for seat in (Seat(seed % 2), None)]
    return found


def check(game: AnyGame, data: bytes) -> None:
    """Fails unless these bytes are refused or the one form of a view."""
    try:
        view = game.decode_view(data)
    except msgspec.MsgspecError:
        return
    assert game.encode_view(view) == data


@every_game
@given(data=st.binary(max_size=80))
def test_any_bytes_are_a_view_or_refused(game: AnyGame, data: bytes) -> None:
    check(game, data)


@every_game
@given(data=st.data())
@settings(max_examples=300)
def test_a_view_with_bytes_changed_is_another_view_or_refused(game: AnyGame, data: st.DataObject) -> None:
    view = bytearray(data.draw(st.sampled_from(sound(game.name))))
    for _ in range(data.draw(st.integers(1, 2))):
        view[data.draw(st.integers(0, len(view) - 1))] = data.draw(st.integers(0, 255))
    check(game, bytes(view))


@every_game
def test_trailing_bytes_and_longer_forms_are_refused(game: AnyGame) -> None:
    for view in sound(game.name)[::20]:
        longer = view.replace(b"\xc4", b"\xc5\x00", 1)  # bin 8 written as bin 16
        for odd in (view + b"\x00", view[:-1], longer):
            with pytest.raises(msgspec.MsgspecError):
                game.decode_view(odd)
