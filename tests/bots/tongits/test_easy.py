"""The mistakes of `easy`, and that it sees the obvious."""

from __future__ import annotations

from collections import Counter

from p2pcards.bots.registry import bot
from p2pcards.games.base import Seat
from tests.games.played import NAMES
from tests.games.tongits.builder import Round
from tests.testing.dice import dice


def often(played: Round, name: str) -> Counter[str]:
    """What easy does there, of 300 times."""
    game, view = played.game, played.game.view(played.state, Seat(NAMES.index(name)))
    return Counter(game.format(bot("tongits", "easy").choose(game, view, dice(seed))) for seed in range(300))


def test_it_often_keeps_a_meld_in_its_hand() -> None:
    done = often(Round("7C 7D 7H KC QS 2D 4H", "5S", "8D 6S", stock="9C").play("A draw"), "A")
    assert 100 < done["expose 7C 7D 7H"] < 200


def test_it_throws_away_its_highest_loose_card_or_any() -> None:
    done = often(Round("7C 7D KC 5H 2D", "5S", "8D 6S", stock="9C").play("A draw"), "A")
    assert done["discard KC"] > 200
    assert done.keys() == {f"discard {card}" for card in ("7C", "7D", "KC", "5H", "2D", "9C")}


def test_it_never_throws_away_a_card_of_a_meld() -> None:
    done = often(Round("7C 7D 7H KC 5H 2D", "5S", "8D 6S", stock="9C").play("A draw"), "A")
    assert not done.keys() & {"discard 7C", "discard 7D", "discard 7H"}


def test_it_overlooks_layoffs() -> None:
    played = Round("9S 4C KD 2H", "9C 9D 9H 3S 5D JC", "TS 8D", stock="QD 6S 7D QC", starter="B")
    played.play("B draw", "B expose 9C 9D 9H", "B discard QD", "C draw", "C discard 6S", "A draw")
    assert 100 < often(played, "A")["layoff 9S m1"] < 200


def test_it_seldom_calls_and_only_with_few_points() -> None:
    low = Round("2C 2D 2H 3H 5D AH", "4C 4D 9H", "5S 8D", stock="TD 2S 4S TH")
    high = Round("2C 2D 2H KS KD AH", "4C 4D 9H", "5S 8D", stock="TD 2S 4S TH")
    for played in (low, high):
        played.play("A draw", "A expose 2C 2D 2H", "A discard TD", "B draw", "B discard 2S", "C draw", "C discard 4S")
    assert 100 < often(low, "A")["call"] < 200
    assert not often(high, "A")["call"]


def test_it_folds_with_many_points() -> None:
    played = Round("2C 2D 2H 3H 5D AH", "4C 4D 4H KS KD QH 9C", "6C 6D 6H 3S", stock="TD 2S 4S TH")
    played.play("A draw", "A expose 2C 2D 2H", "A discard TD", "B draw", "B expose 4C 4D 4H", "B discard 2S")
    played.play("C draw", "C expose 6C 6D 6H", "C discard 4S", "A call")
    assert often(played, "B").keys() == {"fold"}
    assert often(played, "C").keys() == {"challenge"}


def test_it_goes_out_when_it_can() -> None:
    assert often(Round("7C 7D 7H", "5S", "8D 6S", stock="9C").play("A draw"), "A").keys() == {"expose 7C 7D 7H"}


def test_it_lays_off_its_last_cards() -> None:
    played = Round("8C", "9C 9D 9H 3S", "5C 6C 7C TS", stock="QD KH 9S QC", starter="B")
    played.play("B draw", "B expose 9C 9D 9H", "B discard QD", "C draw", "C expose 5C 6C 7C", "C discard KH", "A draw")
    assert often(played, "A").keys() == {"layoff 9S m1"}
    assert often(played.play("A layoff 9S m1"), "A").keys() == {"layoff 8C m2"}
