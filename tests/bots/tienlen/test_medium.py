"""The rules of thumb of `medium`, each in the smallest round that shows it."""

from __future__ import annotations

import pytest

from p2pcards.bots.registry import bot
from p2pcards.games.base import Seat
from tests.games.played import NAMES
from tests.games.tienlen.builder import Round
from tests.testing.dice import dice

OTHERS = ("4C 5D 8H JC QD", "4D 6D 8C JS KC", "4H 6C 8D JH KD")


def chosen(played: Round) -> str:
    """What medium does there, whose turn it is."""
    game, seat = played.game, Seat(NAMES.index(played.to_act))
    action = bot("tienlen", "medium").choose(game, game.view(played.state, seat), dice(0))
    return game.format(action).removeprefix("play ")


def test_it_leads_its_low_cards_and_keeps_the_high_ones() -> None:
    assert chosen(Round("3S 5H KS 2H", *OTHERS)) in ("3S", "5H")


def test_it_leads_a_combination_rather_than_a_part_of_it() -> None:
    assert chosen(Round("3S 3C 2H", *OTHERS)) == "3S 3C"
    assert chosen(Round("5S 6H 7C 8S 2H", *OTHERS)) == "5S 6H 7C 8S"


def test_it_follows_with_its_lowest_loose_card() -> None:
    played = Round("3S 5H 6H", "7S 9H TC TD 2S", *OTHERS[1:]).play("A 3S")
    assert chosen(played) == "7S"


def test_it_keeps_straights_and_pairs_together() -> None:
    played = Round("3S 5H 6H", "7S 8C 9H TD 4H 2S KS AS 2C", "4D 6D 8S 9S TS", "4S 6C JH JS").play("A 3S")
    assert chosen(played) in ("4H", "KS")


def test_it_keeps_a_two_for_later() -> None:
    played = Round("9S 5H 6H 7D 8D", "2S 3D 3H 4D 5S 6S 6C", OTHERS[2], "TS TC TD TH KS KH").play("A 9S")
    assert chosen(played) == "pass"


def test_it_spends_a_two_when_it_can_go_out_then() -> None:
    played = Round("9S 5H 6H 7D 8D", "2H 3D", OTHERS[2], "TS TC TD TH KS KH").play("A 9S")
    assert chosen(played) == "2H"


def test_it_bombs_a_two() -> None:
    played = Round("2S 5H 9D", "7S 7C 7D 7H 3D", "4D 6D 8S", "4H 6C").play("A 2S")
    assert chosen(played) == "7S 7C 7D 7H"


def test_it_keeps_a_bomb_out_of_a_lead() -> None:
    assert chosen(Round("7S 7C 7D 7H 3D 4S", *OTHERS)) in ("3D", "4S")


def test_it_goes_out_when_it_can() -> None:
    assert chosen(Round("KS KC", *OTHERS)) == "KS KC"
    assert chosen(Round("3S 3C 4S", "QS QC", "4D 5D 6S", "KH KD").play("A 3S 3C")) == "QS QC"


def test_it_leads_no_single_card_to_a_player_with_one_left() -> None:
    """With one card left each plays the higher one, or a pair."""
    assert chosen(Round("5S 9S KH", "8H", "4D 6D 8C", "4H 6C 8D")) == "KH"
    assert chosen(Round("5S 9S 9H", "8H", "4D 6D 8C", "4H 6C 8D")) == "9S 9H"


def test_it_stops_a_player_who_would_lead_the_last_card() -> None:
    hands = ("9S 9C {}", "3D 4H 8D TH 2S 2C", OTHERS[1], OTHERS[2])
    assert chosen(Round(hands[0].format("3C 3H 4C 5C"), *hands[1:]).play("A 9S 9C")) == "pass"
    assert chosen(Round(hands[0].format("3C"), *hands[1:]).play("A 9S 9C")) == "2S 2C"


def test_it_does_not_strand_itself_on_twos() -> None:
    hands = ("3S 2S", "4C 5D 8H", "4D 6D 8C", "4H 6C 8D")
    assert chosen(Round(*hands)) == "3S"
    assert chosen(Round(*hands, no_finish_on_two=True)) == "2S"


def test_it_holds_on_to_its_cards_where_the_last_one_wins() -> None:
    played = Round("3S 5H", "7S 9H", "4D 6D", objective="hold")
    assert chosen(played) == "3S"
    assert chosen(played.play("A 3S")) == "pass"


@pytest.mark.parametrize("hand", ["3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2S", "3S 3C 3D 4S 4C 4D 5S 5C 5D 5H 6S 6C 6D"])
def test_the_fullest_hands(hand: str) -> None:
    assert chosen(Round(hand, "7C 8C 9C TC JC QC", instant_win="off"))
