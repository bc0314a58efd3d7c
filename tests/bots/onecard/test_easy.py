"""Level `easy` in single positions."""

from __future__ import annotations

from collections import Counter

from p2pcards.bots.onecard import Easy
from p2pcards.games.base import Seat
from tests.games.onecard.builder import Round
from tests.testing.dice import dice


def chosen(played: Round, name: str = "A") -> Counter[str]:
    """What it does in a hundred tries."""
    game, view = played.game, played.game.view(played.state, Seat("ABC".index(name)))
    return Counter(game.format(Easy().choose(game, view, dice(number))) for number in range(100))


def test_it_plays_what_comes_to_mind() -> None:
    tries = chosen(Round("8C KH 4H 3C", "4C", top="8H"))
    assert set(tries) == {"play 8C", "play KH", "play 4H"}
    assert min(tries.values()) > 20


def test_it_plays_where_it_may_draw() -> None:
    assert set(chosen(Round("8C 3C", "4C", top="8H", must_play=False))) == {"play 8C"}
    assert set(chosen(Round("4C", "4C", top="8H", stock="8C", draw_then_play=True).play("A draw"))) == {"play 8C"}


def test_of_three_attacks_it_takes_one() -> None:
    tries = chosen(Round("2H 4C", "7H 5C", top="8H").play("A play 2H"), "B")
    assert set(tries) == {"play 7H", "draw"}
    assert 20 < tries["draw"] < 46


def test_it_forgets_to_call_now_and_then() -> None:
    tries = chosen(Round("8C 4C", "4C", top="8H", call_one_card="self"))
    assert tries["play 8C one"] > tries["play 8C"] > 5


def test_it_draws_and_passes_where_nothing_else_is_left() -> None:
    assert set(chosen(Round("4C", "4C", top="8H"))) == {"draw"}
    assert set(chosen(Round("4C", "4C", top="8H", stock="9C", draw_then_play=True).play("A draw"))) == {"pass"}
