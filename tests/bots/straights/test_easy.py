"""The mistakes of `easy`, and that it sees the obvious."""

from __future__ import annotations

from collections import Counter

from p2pcards.bots.registry import bot
from tests.games.straights.builder import Round
from tests.testing.dice import dice


def often(played: Round, name: str) -> Counter[str]:
    """What easy does there, of 300 times."""
    game, view = played.game, played.view(name)
    return Counter(game.format(bot("straights", "easy").choose(game, view, dice(seed))) for seed in range(300))


def test_it_mostly_gets_rid_of_its_highest_card_whatever_that_opens() -> None:
    done = often(Round("7S", "8S 7D 6S 5S 4S AC").play("A play 7S"), "B")
    assert done["play 8S"] > 200
    assert done.keys() == {"play 6S", "play 7D", "play 8S"}


def test_it_mostly_puts_its_cheapest_card_aside() -> None:
    done = often(Round("7S", "KC 9D 2H").play("A play 7S"), "B")
    assert done["discard 2H"] > 200
    assert done.keys() == {"discard KC", "discard 9D", "discard 2H"}


def test_it_passes_when_there_is_nothing_else() -> None:
    assert often(Round("7S 2D", mode="sevens_pass").play("A play 7S"), "B").keys() == {"pass"}
