"""The hand while cards are picked: what is raised and where the cursor is, told without colour, in every card mode."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards import ACE_LOW, DECK, Card
from p2pcards.commands.table_hand import CARD_MODES
from p2pcards.table.tableview import TableView
from p2pcards.ui.frame import Screen, compose
from p2pcards.ui.gamescreens import GAME_SCREENS, open_round
from p2pcards.ui.hand import hands
from p2pcards.ui.local import Local
from p2pcards.ui.theme import Look, Size
from tests.testing.screens import texts, widest
from tests.ui.test_hand import LARGE, NORMAL, SMALL, TABLE, held

HAND = held("2C 8H 9C")
SIZES = (SMALL, Size(40, 24), NORMAL, Size(100, 30), LARGE, Size(200, 60))


def picking(hand: tuple[Card, ...], cursor: int, *raised: int, mode: str = "boxes", flat: bool = False) -> Local:
    up = frozenset(hand[place] for place in raised)
    return Local(hand=hand, mode=mode, picking=True, cursor=hand[cursor], raised=up, flat=flat)


def test_raised_boxes_stand_a_row_higher_and_the_cursor_is_marked() -> None:
    assert texts(hands(TABLE, NORMAL, picking(HAND, 2, 1)).boxes) == [
        "     ╭──╮",
        " ╭──╮│8♥│╭▾▾╮",
        " │2♣│╰#2╯│9♣│",
        " ╰#1╯    ╰#3╯",
    ]


def test_without_room_for_that_row_raised_boxes_are_marked() -> None:
    assert texts(hands(TABLE, NORMAL, picking(HAND, 1, 1, flat=True)).boxes) == [
        " ╭──╮╭▾▾╮╭──╮",
        " │2♣││8♥││9♣│",
        " ╰#1╯╰▴▴╯╰#3╯",
    ]


def test_as_text_marks_stand_beside_the_cards() -> None:
    assert texts(hands(TABLE, NORMAL, picking(HAND, 1, 1, 2)).text) == [" 2♣ ▸8♥▴ 9♣▴", " #1  #2  #3"]


def test_drawn_cards_are_raised_as_well() -> None:
    (tall, low, *_) = hands(TABLE, NORMAL, picking(HAND, 0, 2, mode="art")).art
    assert texts(tall)[:2] == ["                   ╭9♣─────╮", " ╭2♣─▾▾──╮╭8♥─────╮│ ♣   ♣ │"]
    assert (len(tall), len(low)) == (8, 6)
    flat = hands(TABLE, NORMAL, picking(HAND, 0, 2, mode="art", flat=True)).art[0]
    assert texts(flat)[-1] == " ╰#1─────╯╰#2─────╯╰#3▴▴───╯"


def test_overlapping_cards_keep_their_place_when_raised() -> None:
    hand = held("2C 3C 4C 5C 6C 7C 8C 9C TC")
    size = Size(70, 40)
    still, raised = (hands(TABLE, size, picking(hand, 0, *up, mode="art")).art[0] for up in ((), (3, 8)))
    assert [line.rstrip() for line in texts(still)][-1].startswith(" ╰#1────╰#2────╰#3────╰#4────╰#5")
    assert texts(raised)[0] == " " * 22 + "╭5♣────" + " " * 28 + "╭TC─────╮".replace("TC", "T♣")
    assert widest(raised) <= size.cols


def test_the_face_under_the_cursor_is_reversed() -> None:
    for local in (picking(HAND, 1), picking(HAND, 1, mode="text")):
        hand = hands(TABLE, NORMAL, local)
        lines = hand.boxes if local.mode == "boxes" else hand.text
        found = [text for line in lines for style, text in line if "card.cursor" in style]
        assert found == ["8♥"]


def test_there_is_one_cursor_when_a_line_of_the_menu_is_chosen() -> None:
    for mode in ("boxes", "text"):
        hand = hands(TABLE, NORMAL, picking(HAND, 1, mode=mode)._replace(chosen=0))
        lines = hand.boxes if mode == "boxes" else hand.text
        assert not [style for line in lines for style, _ in line if "card.cursor" in style]
        assert "▾▾" in "".join(texts(lines)) or "▸8♥" in "".join(texts(lines))


def test_the_flat_hand_is_drawn_only_where_the_raised_one_has_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[bool] = []
    screens = GAME_SCREENS[TABLE.game.name]
    draw = screens.draw

    def counted(table: TableView, size: Size, local: Local) -> Screen:
        drawn.append(local.flat)
        return draw(table, size, local)

    monkeypatch.setattr(screens, "draw", counted)
    compose(open_round(TABLE, LARGE, picking(HAND, 0)), LARGE, Look(), picking(HAND, 0))
    assert drawn == [False]
    compose(open_round(TABLE, SMALL, picking(HAND, 0)), SMALL, Look(), picking(HAND, 0))
    assert drawn == [False, False, True]


def test_copies_are_picked_one_by_one() -> None:
    hand = held("8H 8H 9C")
    assert texts(hands(TABLE, NORMAL, picking(hand, 0, 1)).text)[0] == "▸8♥  8♥▴ 9♣"


@pytest.mark.parametrize("mode", CARD_MODES)
def test_nothing_moves_when_a_card_is_raised(mode: str) -> None:
    for size in SIZES:
        heights = set()
        for raised in ((), (0,), (1, 2), (0, 1, 2)):
            hand = hands(TABLE, size, picking(HAND, 1, *raised, mode=mode))
            heights.add((len(hand.boxes), len(hand.text), *map(len, hand.art)))
        assert len(heights) == 1


@given(
    st.lists(st.integers(0, 4 * DECK - 1), min_size=1, max_size=40, unique=True),
    st.sampled_from(SIZES),
    st.sampled_from(CARD_MODES),
    st.booleans(),
    st.data(),
)
def test_the_cursor_is_always_seen_and_no_line_is_too_wide(
    cards: list[int], size: Size, mode: str, flat: bool, data: st.DataObject
) -> None:
    hand = tuple(map(Card, cards))
    places = st.integers(0, len(hand) - 1)
    local = picking(hand, data.draw(places), *data.draw(st.sets(places)), mode=mode, flat=flat)
    drawn = hands(TABLE, size, local)
    for lines in (drawn.boxes, drawn.text, *drawn.art):
        assert widest(lines) <= size.cols
        assert sum(line.count("▸") + line.count("▾▾") for line in texts(lines)) == 1
    screen = compose(open_round(TABLE, size, local), size, Look(unicode=False, colours=False), local)
    assert all(sum(len(text) for _, text in line) <= size.cols for line in screen)
    assert all(text.isascii() for line in screen for _, text in line)


def test_of_many_cards_on_a_small_screen_those_around_the_cursor_are_seen() -> None:
    hand = tuple(Card(card) for card in range(40))
    for place in range(40):
        lines = texts(hands(TABLE, SMALL, picking(hand, place)).text)
        assert len(lines) == 2
        assert f"▸{ACE_LOW.format(hand[place])[0]}" in lines[0]
        assert re.search(r"\d of 5$", lines[0])
