"""The mistakes of `easy`, and that it sees the obvious."""

from __future__ import annotations

from collections import Counter

from p2pcards.bots.registry import bot
from p2pcards.games.base import Seat
from tests.games.played import NAMES
from tests.games.tienlen.builder import Round
from tests.testing.dice import dice


def often(played: Round) -> Counter[str]:
    """What easy does there, whose turn it is, of 300 times."""
    game, view = played.game, played.game.view(played.state, Seat(NAMES.index(played.to_act)))
    choices = (bot("tienlen", "easy").choose(game, view, dice(seed)) for seed in range(300))
    return Counter(game.format(choice).removeprefix("play ") for choice in choices)


def test_it_beats_with_its_lowest_cards_and_overlooks_a_quarter() -> None:
    done = often(Round("3S 5H", "7S 7C 8D 9H 2S", "4D 6D").play("A 3S"))
    assert done.keys() == {"7S", "pass"}
    assert 40 < done["pass"] < 120


def test_it_plays_a_two_as_soon_as_nothing_else_will_do() -> None:
    assert often(Round("AH 5H", "7S 7C 8D 9H 2S", "4D 6D").play("A AH"))["2S"] > 150


def test_it_leads_its_lowest_card_or_anything() -> None:
    done = often(Round("3S 3C 4D 5H 9S", "7S 7C"))
    assert 100 < done["3S"] < 220
    assert done.keys() == {"3S", "3C", "3S 3C", "4D", "5H", "9S", "3S 4D 5H", "3C 4D 5H"}


def test_it_goes_out_when_it_can() -> None:
    assert often(Round("3S 5H", "7S", "4D 6D").play("A 3S")).keys() == {"7S"}
    assert often(Round("3S 4D 5H", "7S 8S")).keys() == {"3S 4D 5H"}
