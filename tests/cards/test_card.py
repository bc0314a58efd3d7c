"""Single cards and their text (docs/records.md, "Cards in text")."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards import ACE_LOW, DECK, THREE_LOW, Card, Ranking, deck, face, quoted, rank, suit
from p2pcards.errors import InvalidCard

rankings = st.sampled_from([ACE_LOW, THREE_LOW])


@given(rankings, st.integers(0, DECK * 3 - 1))
def test_text_there_and_back(ranking: Ranking, number: int) -> None:
    card = Card(number)
    assert ranking.parse(ranking.format(card)) == face(card)
    assert ranking.format(card) == ranking.ranks[rank(card)] + ranking.suits[suit(card)]


def test_each_game_has_its_own_order() -> None:
    assert [ACE_LOW.parse(text) for text in ("AC", "AS", "2C", "KS")] == [0, 3, 4, 51]
    assert [THREE_LOW.parse(text) for text in ("3S", "3H", "AS", "2H")] == [0, 3, 44, 51]


@pytest.mark.parametrize("typed", ["TH", "th", "10h", "10H", "H10", "hT", "T♥", "10♥", "♥10", "T♥️", "♥️t", "Th", "tH"])
def test_read_with_forgiveness(typed: str) -> None:
    assert ACE_LOW.format(ACE_LOW.parse(typed)) == "TH"


@pytest.mark.parametrize("typed", ["AS", "1S", "s1", "as", "♠A", "♠️1"])
def test_one_is_an_ace(typed: str) -> None:
    assert ACE_LOW.format(ACE_LOW.parse(typed)) == "AS"


@pytest.mark.parametrize(
    "typed", ["", "A", "S", "0S", "11S", "1 S", "ASS", "AAS", "A S", "XS", "AX", "A♡", "２S", "10", "T", "A-S", "AS\n"]
)
def test_anything_else_is_no_card(typed: str) -> None:
    with pytest.raises(InvalidCard, match="not a card"):
        ACE_LOW.parse(typed)


@given(st.text())
def test_any_text_is_a_card_or_refused(typed: str) -> None:
    try:
        card = ACE_LOW.parse(typed)
    except InvalidCard:
        return
    assert card in range(DECK)


def test_several_cards_apart_by_spaces_or_commas() -> None:
    assert [ACE_LOW.format(card) for card in ACE_LOW.parse_all(" 7s, 7D,10♥\n as ")] == ["7S", "7D", "TH", "AS"]
    assert ACE_LOW.parse_all(" , ") == ()
    with pytest.raises(InvalidCard):
        ACE_LOW.parse_all("7S7D")


def test_a_deck() -> None:
    assert list(deck(2)) == list(range(104))
    assert face(Card(60)) == 8
    assert (rank(Card(60)), suit(Card(61))) == (2, 1)


@pytest.mark.parametrize(
    ("text", "shown"), [("7X", "7X"), ("\x1b[31m", "?[31m"), ("a‮b", "a?b"), ("x" * 41, "x" * 40 + "…")]
)
def test_what_somebody_wrote_is_safe_to_show(text: str, shown: str) -> None:
    assert quoted(text) == shown
