"""Cards and places of the own hand as arguments of a command."""

from __future__ import annotations

from enum import Enum

import pytest

from p2pcards.cards import ACE_LOW, DECK, Card
from p2pcards.commands.command import Command, Problem, Trouble
from p2pcards.commands.hand import Place
from p2pcards.commands.parse import parse
from p2pcards.commands.suggest import suggest
from p2pcards.games.base import Refusal
from tests.testing.tongits_spot import context, spot

HERE = context(spot("7H 9C TD"))


@pytest.mark.parametrize(
    ("line", "args"),
    [
        ("move 7H 3", ("#1", "#3")),
        ("move h7 #3", ("#1", "#3")),
        ("move 10d 01", ("#3", "#1")),
        ("MOVE #2 2", ("#2", "#2")),
    ],
)
def test_cards_and_places_become_places(line: str, args: tuple[str, ...]) -> None:
    assert parse(line, HERE) == Command("move", args)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("move 8H 1", Problem(Refusal.NOT_HELD, ("8H",))),
        ("move 7H 4", Problem(Trouble.NO_SUCH_PLACE, ("#4", "3"))),
        ("move #1234567890123 1", Problem(Trouble.NO_SUCH_PLACE, ("#1234567890123", "3"))),
        ("move #x 1", Problem(Trouble.BAD_NUMBER, ("#x",))),
        ("move 7H 9C", Problem(Trouble.BAD_NUMBER, ("9C",))),
        ("move 7 1", Problem(Trouble.BARE_NUMBER, ("7",))),
        ("move seven 1", Problem(Trouble.NO_SUCH_CARD, ("seven",))),
        ("move 7H 1 2", Problem(Trouble.TOO_MANY, ("move CARD PLACE",))),
    ],
)
def test_what_is_no_card_or_no_place_of_the_hand_is_refused(line: str, problem: Problem) -> None:
    assert parse(line, HERE) == problem


def test_of_copies_a_card_means_the_first_and_a_number_each() -> None:
    eight, nine = ACE_LOW.parse("8H"), ACE_LOW.parse("9C")
    here = context(spot("8H"), hand=(nine, eight, Card(eight + DECK)))
    assert parse("move 8H 1", here) == Command("move", ("#2", "#1"))
    assert parse("move #3 1", here) == Command("move", ("#3", "#1"))
    assert [one.text for one in suggest("move ", here)] == ["9C ", "8H "]


def offered(text: str) -> list[tuple[str, Enum, tuple[str, ...]]]:
    return [(one.text, one.note.code, one.note.detail) for one in suggest(text, HERE)]


def test_cards_are_offered_then_places_the_ends_first() -> None:
    assert offered("move ") == [
        ("7H ", Place.OF, ("1", "7H")),
        ("9C ", Place.OF, ("2", "9C")),
        ("TD ", Place.OF, ("3", "TD")),
    ]
    assert offered("move #3") == [("#3 ", Place.CARD, ("TD",))]
    assert offered("move 7H ") == [
        ("#1", Place.FIRST, ("7H",)),
        ("#3", Place.LAST, ("TD",)),
        ("#2", Place.CARD, ("9C",)),
    ]
    assert offered("move 7H #2") == [("#2", Place.CARD, ("9C",))]


@pytest.mark.parametrize("begun", ["move ", "move h", "move 1", "move #", "move 7H ", "move 7H #"])
def test_whatever_is_offered_is_understood(begun: str) -> None:
    for one in suggest(begun, HERE):
        line = begun[: one.start] + one.text
        assert not isinstance(parse(f"{line} 1" if line.endswith(" ") else line, HERE), Problem)
