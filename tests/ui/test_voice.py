"""Cards, counts and people inside sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards import ACE_LOW, Cards, format_cards
from p2pcards.ui.voice import Cards as Style
from p2pcards.ui.voice import Voice, counted, in_words, listed, sentence, signs

SIGNS, WORDS = Voice(Style.SIGNS, "ana"), Voice(Style.WORDS, "ana")


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("QS", "queen of spades"),
        ("TD", "10 of diamonds"),
        ("AS 2S 3S", "ace, 2, 3 of spades"),
        ("9C 9D 9H", "9 of clubs, diamonds, hearts"),
        ("JD QD QH", "jack of diamonds; queen of diamonds, hearts"),
        ("4C 9C 9D", "4 of clubs; 9 of clubs, diamonds"),
        ("4C 9C JC 2H", "4, 9, jack of clubs; 2 of hearts"),
        ("AS 2S 3S 4C 9D 9H 9C", "ace, 2, 3 of spades; 4 of clubs; 9 of diamonds, hearts, clubs"),
        ("6H m2", "6 of hearts; m2"),
        ("", ""),
    ],
)
def test_cards_in_words(cards: str, words: str) -> None:
    assert in_words(cards.split()) == words


@given(st.integers(0, 2**52 - 1))
def test_every_card_is_read_out_once(hand: int) -> None:
    words = in_words(format_cards(ACE_LOW, Cards(hand)).split())
    said = 0
    for group in filter(None, words.split("; ")):
        ranks, suits = group.split(" of ")
        said += len(ranks.split(", ")) * len(suits.split(", "))
    assert said == hand.bit_count()


def test_an_action_is_written_as_it_can_be_typed_however_cards_are() -> None:
    voices = (SIGNS, WORDS, Voice(Style.LETTERS), Voice(Style.WORDS, ace="1"))
    assert [voice.action("layoff AS m2") for voice in voices] == [
        "layoff A♠ m2", "layoff AS m2", "layoff AS m2", "layoff 1S m2",
    ]  # fmt: skip


def test_signs() -> None:
    assert [signs(word) for word in ("QS", "7H", "m2", "10", "QX")] == ["Q♠", "7♥", "m2", "10", "QX"]


@pytest.mark.parametrize(
    ("template", "details", "text"),
    [
        ("take {rest:or cards} with {0:the}", ("QS", "QD QH", "TS JS"), "take Q♦ Q♥ or T♠ J♠ with the Q♠"),
        ("{0:The} fits", ("7H",), "The 7♥ fits"),
        ("{0:Suit} and {1:suit}", ("7H", "AC"), "Hearts and clubs"),
        ("{0:suit}", (), ""),
        ("{0:count card} of {0}", ("1",), "1 card of 1"),
        ("{0:count card}", ("12",), "12 cards"),
        ("{0:whose} turn", ("ben",), "ben's turn"),
        ("{0:whose} turn", ("ana",), "your turn"),
        ("{all:who}", ("ben", "ana", "cy"), "ben, you and cy"),
        ("{all:or on}", ("6H m2", "9D m1"), "6♥ on m2 or 9♦ on m1"),
        ("{all:or}", ("a", "b", "c"), "a, b or c"),
        ("{all:cards} {1}", ("7H", "8H"), "7♥ 8♥ 8H"),
        ("nothing {0}{1:cards}", (), "nothing "),
    ],
)
def test_templates(template: str, details: tuple[str, ...], text: str) -> None:
    assert SIGNS.say(template, details) == text


def test_a_card_in_words_has_its_article() -> None:
    assert (SIGNS.card("QS"), WORDS.card("QS")) == ("Q♠", "the queen of spades")


def test_a_template_with_an_unknown_way_is_a_fault() -> None:
    with pytest.raises(ValueError, match="shouted"):
        SIGNS.say("{0:shouted}", ("x",))


def test_small_words() -> None:
    assert (counted(1, "seat"), counted(0, "seat")) == ("1 seat", "0 seats")
    assert (listed([], "or"), listed(["a"], "or"), listed(["a", "b"], "and")) == ("", "a", "a and b")


def test_sentences_begin_with_a_capital_only_where_the_word_is_ours() -> None:
    assert sentence("you drew a card") == "You drew a card."
    assert sentence("you, ben and cy won") == "You, ben and cy won."
    assert sentence("your bot folded") == "Your bot folded."
    assert sentence("ben folded") == "ben folded."
    assert sentence("youssef folded") == "youssef folded."
    assert sentence("really?") == "really?"
    assert sentence("") == ""
