"""The three historic bots, and how they are found."""

from __future__ import annotations

import pytest

from p2pcards.bots.registry import LEVELS, bot, levels
from p2pcards.errors import UserError
from tests.games.straights.builder import Round
from tests.testing.dice import dice

SEEDS = ("seed-easy", "seed-medium", "seed-hard")


def chosen(played: Round, name: str, level: str) -> str:
    """What that bot does there."""
    return played.game.format(bot("straights", level).choose(played.game, played.view(name), dice(0)))


@pytest.mark.parametrize(
    ("level", "plays", "discards"),
    [
        ("seed-easy", "play 6S", "discard KC"),
        ("seed-medium", "play 6S", "discard 2D"),
        ("seed-hard", "play 8S", "discard 2D"),
    ],
)
def test_each_plays_and_puts_aside_by_rank_alone(level: str, plays: str, discards: str) -> None:
    played = Round("7S", "8S 7D 6S AC", "KC KH 2H 2D TD").play("A play 7S")
    assert chosen(played, "B", level) == plays
    assert chosen(played.play("B play 7D"), "C", level) == discards


def test_of_equal_ranks_the_first_in_the_hand_is_taken() -> None:
    played = Round("7S", "7H 7D 7C 3S", "2S 2H KS KC").play("A play 7S")
    assert [chosen(played, "B", level) for level in SEEDS] == ["play 7C"] * 3
    played.play("B play 7C")
    assert [chosen(played, "C", level) for level in SEEDS] == ["discard KC", "discard 2H", "discard 2H"]


def test_they_pass_when_there_is_nothing_else() -> None:
    played = Round("7S 2D", mode="sevens_pass").play("A play 7S")
    assert [chosen(played, "B", level) for level in SEEDS] == ["pass"] * 3


def test_a_game_may_have_levels_of_its_own() -> None:
    assert levels("straights") == (*LEVELS, *SEEDS)
    assert levels("tongits") == LEVELS
    with pytest.raises(UserError, match=f"there are: {', '.join((*LEVELS, *SEEDS))}\\."):
        bot("straights", "grandmaster")
    with pytest.raises(UserError, match=r"'seed-hard'; did you mean hard\?"):
        bot("tongits", "seed-hard")
