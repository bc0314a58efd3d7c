"""Drawn cards: pips, figures, words on them, and what is left in ASCII."""

from __future__ import annotations

import pytest

from p2pcards.cards import ACE_LOW, Card, deck
from p2pcards.ui import art
from p2pcards.ui.cards import card
from p2pcards.ui.width import ascii_only
from tests.testing.screens import texts, widest

RANKS = "A23456789TJQK"
EFFECTS = {"2": "draw 2", "3": "draw 3", "7": "cancel", "J": "skip", "Q": "turn"}
PIPS = {rank: count for count, rank in enumerate("A23456789T", 1)}


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("rank", RANKS)
def test_a_face_has_its_pips_and_its_size(rank: str, low: bool) -> None:
    rows = art.face(rank, low=low)
    assert [len(row) for row in rows] == [7] * (3 if low else 5)
    pips = sum(row.count("x") for row in rows)
    assert pips == PIPS[rank] if rank in PIPS else pips in ((0, 1) if low else (1, 2))
    word = EFFECTS.get(rank)
    if word:
        told = art.face(rank, word, low)
        assert [len(row) for row in told] == [7] * len(rows)
        assert sum(word in row for row in told) == 1
        assert rank in "JQ" or sum(row.count("x") for row in told) == PIPS[rank]


@pytest.mark.parametrize("rank", "23456789T")
def test_pips_stand_as_on_a_card_turned_round(rank: str) -> None:
    rows = art.face(rank)
    turned = tuple(row[::-1] for row in reversed(rows))
    assert rows == turned or rank == "7"  # the seventh pip stands above the middle


def test_no_two_ranks_look_alike_without_their_edges() -> None:
    for low in (False, True):
        assert len({art.face(rank, low=low) for rank in RANKS}) == len(RANKS)


@pytest.mark.parametrize("step", [art.WIDTH, art.STEP, art.EDGE])
@pytest.mark.parametrize("low", [False, True])
def test_cards_are_as_large_as_they_say(step: int, low: bool) -> None:
    some = list(deck())[::5]
    lines = art.fan(ACE_LOW, some, step, low=low, first=8, words=EFFECTS)
    assert len(lines) == art.height(low) == len(art.backs(3, step, low=low))
    for line in lines:
        assert widest([line]) == art.across(len(some), step)
    for one in some:
        assert card(ACE_LOW, one) in lines[0]  # rank and suit, in the style of the suit
    assert widest(art.backs(3, step, low=low)) == art.across(3, step)
    assert art.fan(ACE_LOW, [], step) == [[]] * 7
    assert art.backs(0) == []


def test_numbers_stand_in_the_lower_edge() -> None:
    edge = texts(art.fan(ACE_LOW, list(deck())[:3], art.STEP, first=9))[-1]
    assert edge == "╰#9────╰10────╰11─────╯"


@pytest.mark.parametrize("one", list(deck())[::3])
def test_every_sign_has_a_letter_of_its_own_in_ascii(one: Card) -> None:
    lines = texts(art.fan(ACE_LOW, [one]))
    plain = [ascii_only(line) for line in lines]
    assert "?" not in "".join(plain)
    assert list(map(len, plain)) == list(map(len, lines))
