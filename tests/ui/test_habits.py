"""What a person always wants: it is the file's, and set when the screen begins."""

from __future__ import annotations

import pytest

from p2pcards.store.choices import CHOICES
from p2pcards.store.config import Config
from p2pcards.ui.cover import Cover
from p2pcards.ui.habits import USUAL, Habits
from p2pcards.ui.prompt import Prompt
from p2pcards.ui.voice import Cards
from tests.testing.fake_node import FakeNode

ELSEWHERE = ("nick", "door", "lab_key", "lab_keys", "pace")
"""Settings that are for who we are, for the door, and for the bots of our tables."""


def begun(habits: Habits, cards: Cards = Cards.SIGNS) -> Prompt:
    return Prompt(FakeNode(), cards, str, habits=habits)


def test_habits_are_what_the_file_says_of_the_screen() -> None:
    assert set(Config._fields) == {*ELSEWHERE, *Habits._fields}
    for name in Habits._fields:
        assert getattr(Config(), name) == getattr(USUAL, name), name


def test_who_says_nothing_has_what_is_usual() -> None:
    settings = begun(USUAL).settings
    assert (settings.cards, settings.ace, settings.coach, settings.cover) == (Cards.SIGNS, "A", True, Cover())
    assert begun(USUAL).here.order == "rank"


@pytest.mark.parametrize(
    ("habits", "what", "value"),
    [
        (Habits(aces="1"), "ace", "1"),
        (Habits(coach="off"), "coach", False),
        (Habits(hand="hidden"), "cover", Cover(hidden=True)),
        (Habits(hand="my_turn"), "cover", Cover(on_turn=True)),
        (Habits(cards="ascii"), "cards", Cards.LETTERS),
    ],
)
def test_each_habit_is_set_when_the_screen_begins(habits: Habits, what: str, value: object) -> None:
    assert getattr(begun(habits).settings, what) == value


def test_the_hand_begins_in_the_order_that_is_wanted() -> None:
    assert begun(Habits(sort="suit")).here.order == "suit"


def test_who_is_read_to_hears_words_whatever_cards_look_like() -> None:
    assert begun(Habits(cards="ascii"), Cards.WORDS).settings.cards is Cards.WORDS


def test_what_is_set_is_kept_under_its_name_in_the_file_and_questions_change_nothing() -> None:
    kept: list[tuple[str, str]] = []
    prompt = Prompt(FakeNode(3), Cards.SIGNS, str, keep=lambda name, value: kept.append((name, value)))
    prompt.enter("practise tongits")
    lines = {
        "theme light": ("theme", "light"),
        "cardmode art": ("cards", "art"),
        "aces 1": ("aces", "1"),
        "sort suit": ("sort", "suit"),
        "coach off": ("coach", "off"),
        "forced play": ("forced", "play"),
        "picker on": ("input", "picker"),
    }
    for line in lines:
        prompt.enter(line)
    assert kept == [*lines.values()]
    assert {name for name, _ in kept} == set(CHOICES)
    for line in (*lines, "theme", "coach", "hand", "bell off", "draw"):
        prompt.enter(line)
    assert kept == [*lines.values()]
