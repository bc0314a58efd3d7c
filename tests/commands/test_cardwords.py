"""Cards as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards import ACE_LOW, Card
from p2pcards.commands.cardwords import forms, read
from p2pcards.commands.command import Problem, Trouble

HAND = ACE_LOW.parse_all("AS TD 7H")


@pytest.mark.parametrize(
    ("word", "card"),
    [("as", "AS"), ("1S", "AS"), ("10d", "TD"), ("d10", "TD"), ("♥7", "7H"), ("#1", "AS"), ("#03", "7H"), ("QQ", None)],
)
def test_read(word: str, card: str | None) -> None:
    assert read(ACE_LOW, HAND, word) == card


@pytest.mark.parametrize("word", ["#0", "#4", "#00001", "#123456789"])
def test_a_place_the_hand_has_not(word: str) -> None:
    assert read(ACE_LOW, HAND, word) == Problem(Trouble.NO_SUCH_PLACE, (word, "3"))


@pytest.mark.parametrize("word", ["#", "#x", "", "#²", "m1"])
def test_what_is_no_card_at_all(word: str) -> None:
    assert read(ACE_LOW, HAND, word) is None


@given(st.integers(0, 51))
def test_every_form_reads_as_its_card(number: int) -> None:
    text = ACE_LOW.format(Card(number))
    assert len(forms(text)) == (8 if text[0] in "AT" else 4)
    assert {read(ACE_LOW, (), form) for form in forms(text)} == {text}


def test_other_words_have_one_form() -> None:
    assert forms("m1") == ("M1",)
