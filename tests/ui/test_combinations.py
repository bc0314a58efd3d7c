"""Combinations of Tiến lên in words."""

from __future__ import annotations

import pytest

from p2pcards.games.tienlen.combos import Kind
from p2pcards.games.tienlen.state import Hand
from p2pcards.ui import combinations
from p2pcards.ui.voice import Cards, Voice

SIGNS, WORDS = Voice(Cards.SIGNS), Voice(Cards.WORDS)


@pytest.mark.parametrize(
    ("kind", "size", "name", "higher", "behind"),
    [
        ("single", 1, "a single card", "a higher card", "single card"),
        ("pair", 2, "a pair", "a higher pair", "pair"),
        ("triple", 3, "three of a kind", "three of a higher rank", "three of a kind"),
        ("quad", 4, "four of a kind", "four of a higher rank", "four of a kind"),
        ("straight", 12, "a straight of 12", "a higher straight of 12", "straight"),
        ("doubles", 5, "five pairs in a row", "five higher pairs in a row", "row of pairs"),
    ],
)
def test_each_kind_has_its_names(kind: str, size: int, name: str, higher: str, behind: str) -> None:
    assert kind in list(Kind)
    assert combinations.combination(kind, size) == name
    assert combinations.higher(kind, size) == higher
    assert combinations.pile_of(kind, size) == behind
    assert SIGNS.say("{0:combo}", (f"{kind} {size}",)) == SIGNS.say("{all:combo}", (kind, str(size))) == name
    assert SIGNS.say("{0:higher}", (f"{kind} {size}",)) == higher


@pytest.mark.parametrize(
    ("details", "signs", "words"),
    [
        (("single", "1", "9H"), "9♥", "the 9 of hearts"),
        (("pair", "2", "KH"), "a pair of kings up to K♥", "a pair of kings up to the king of hearts"),
        (("triple", "3", "TH"), "three 10s", "three 10s"),
        (("quad", "4", "2H"), "four 2s", "four 2s"),
        (("straight", "4", "9H"), "a straight of 4 up to 9♥", "a straight of 4 up to the 9 of hearts"),
        (("doubles", "3", "5D"), "three pairs in a row up to 5♦", "three pairs in a row up to the 5 of diamonds"),
    ],
)
def test_with_the_highest_card(details: tuple[str, ...], signs: str, words: str) -> None:
    assert SIGNS.say("{all:topped}", details) == signs
    assert WORDS.say("{all:topped}", details) == words


def test_groups_bombs_and_places() -> None:
    assert SIGNS.say("{0:group}", ("pair A",)) == "a pair of aces"
    assert SIGNS.say("{0:group}", ("triple J",)) == "three jacks"
    assert SIGNS.say("{0:group}", ("quad 3",)) == "four 3s"
    assert SIGNS.say("{all:bombs}", ("3", "quad")) == "four of a kind or three or more pairs in a row"
    assert SIGNS.say("{all:bombs}", ("6", "")) == "six pairs in a row"
    assert [SIGNS.say("{0:nth}", (str(place),)) for place in range(1, 5)] == ["1st", "2nd", "3rd", "4th"]
    assert len({combinations.dealt(hand.value) for hand in Hand} - {hand.value for hand in Hand}) == len(Hand)


@pytest.mark.parametrize("way", ["combo", "higher", "topped", "group", "bombs", "nth", "dealt", "card"])
def test_missing_details_break_nothing(way: str) -> None:
    for details in ((), ("",), ("pair",), ("pair", "x"), ("straight 4",)):
        assert isinstance(SIGNS.say(f"{{all:{way}}}", details), str)
        assert isinstance(SIGNS.say(f"{{0:{way}}}", details), str)
