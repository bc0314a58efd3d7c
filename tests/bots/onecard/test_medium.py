"""Level `medium` in single positions: what it keeps, whom it attacks."""

from __future__ import annotations

from typing import Any

import pytest

from p2pcards.bots.onecard import Medium
from p2pcards.bots.onecard.reading import following, reach
from p2pcards.games.base import Seat
from tests.games.onecard.builder import Round, cards
from tests.testing.dice import dice


def chosen(played: Round, name: str = "A") -> str:
    game = played.game
    return game.format(Medium().choose(game, game.view(played.state, Seat("ABCD".index(name))), dice(0)))


MANY = "4C 5C 6C 9C TC KC"


@pytest.mark.parametrize(
    ("hand", "play"),
    [
        ("7H KH 4C 5C", "KH"),  # the seven is kept
        ("QH KH 4C 5C", "KH"),
        ("8C KH 4C 5C 6C", "8C"),  # on 8C the others fit
        ("KS 8S KH 4S", "8S"),
    ],
)
def test_what_it_keeps(hand: str, play: str) -> None:
    assert chosen(Round(hand, MANY, MANY, top="8H")) == f"play {play}"


def test_it_attacks_who_is_nearly_out() -> None:
    assert chosen(Round("3H KH 4C 5C", "4C", MANY, top="8H")) == "play 3H"
    assert chosen(Round("3H KH 4C 5C", MANY, "4C", top="8H")) == "play KH"


def test_it_skips_who_is_nearly_out_or_turns_away() -> None:
    assert chosen(Round("JH 9S 9H 4S", "4C", MANY, top="8H")) == "play JH"
    assert chosen(Round("QH JH 9S 9S 4S", MANY, MANY, "4C", top="8H")) != "play QH"


def test_it_sends_an_attack_to_the_shorter_hand() -> None:
    def answer(back: str, beyond: str) -> str:
        played = Round(f"3H {back}", "QH JH 6S 9S", MANY, beyond, top="8H").play("A play 3H")
        return chosen(played, "B")

    assert answer("4C", MANY) == "play QH"
    assert answer(MANY, "4C") == "play JH"


def test_it_answers_where_it_can_and_does_not_hit_itself() -> None:
    assert chosen(Round("2H 4C", "7H 5C 6C", top="8H").play("A play 2H"), "B") == "play 7H"
    assert chosen(Round("2H 4C", "QH JH 5C 6C", top="8H").play("A play 2H"), "B") == "play QH"
    assert chosen(Round("2H 4C", "KC 5C", top="8H").play("A play 2H"), "B") == "draw"


@pytest.mark.parametrize("options", [{}, {"must_play": False}, {"call_one_card": "self"}])
def test_it_goes_out_and_calls(options: dict[str, Any]) -> None:
    assert chosen(Round("8C", MANY, top="8H", **options)) == "play 8C"
    if options.get("call_one_card"):
        assert chosen(Round("8C 7H", MANY, top="8H", **options)).endswith(" one")


def test_it_plays_the_drawn_card_and_passes_where_it_cannot() -> None:
    assert chosen(Round("4C", "4C", top="8H", stock="8C", draw_then_play=True).play("A draw")) == "play 8C"
    assert chosen(Round("4C", "4C", top="8H", stock="9C", draw_then_play=True).play("A draw")) == "pass"


def test_reach_is_the_share_of_top_cards() -> None:
    assert reach(cards("")) == 0
    assert reach(cards("8H")) == 16 / 52
    assert reach(cards("8H 9H")) == 19 / 52
    assert reach(cards("8H 9C")) == 30 / 52


def test_seats_are_counted_in_the_direction_of_play_and_past_the_bankrupt() -> None:
    played = Round("2H 5S 9S 9C", "4C 5C 6C", "4D", "4D", top="8H", bankrupt_at=4).play("A play 2H", "B draw")
    assert [following(played.public, steps) for steps in (0, 1, 2, 3, -1)] == [2, 3, 0, 2, 0]
