"""The hand as every game's table shows it."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.cards import ACE_LOW, DECK, Card, Cards, cards_of, face, in_order
from p2pcards.commands import cardwords
from p2pcards.commands.table_hand import CARD_MODES
from p2pcards.table.tableview import TableView
from p2pcards.ui.hand import Hand, hands
from p2pcards.ui.local import Local
from p2pcards.ui.theme import Size
from p2pcards.ui.width import Line
from tests.testing.fake_node import FakeNode
from tests.testing.screens import texts, widest

NORMAL, LARGE, SMALL = Size(80, 24), Size(120, 40), Size(40, 10)
SIGNS = dict(zip("CDHS", "♣♦♥♠", strict=True))


def sitting() -> TableView:
    node = FakeNode(1)
    node.sit(bots=1, others=1)
    node.start()
    assert node.table is not None
    return node.table


TABLE = sitting()


def held(text: str) -> tuple[Card, ...]:
    """Copies as from several decks."""
    cards: list[Card] = []
    for card in ACE_LOW.parse_all(text):
        copies = sum(face(other) == card for other in cards)
        cards.append(Card(card + DECK * copies))
    return tuple(cards)


def drawn(hand: tuple[Card, ...], size: Size, **more: Any) -> tuple[list[str], list[str]]:
    hand_ = hands(TABLE, size, Local(hand=hand), **more)
    return texts(hand_.boxes), texts(hand_.text)


def test_boxes_are_numbered_as_the_prompt_counts() -> None:
    boxes, text = drawn(held("8H 8H 9C"), NORMAL)
    assert boxes == [" ╭──╮╭──╮╭──╮", " │8♥││8♥││9♣│", " ╰#1╯╰#2╯╰#3╯"]
    assert text == [" 8♥×2 9♣", " #1   #3"]


def test_as_text_copies_are_one_and_count_all() -> None:
    _, text = drawn(held("2C 8H 8H 8H 8H 9C TC JC QC KC"), NORMAL)
    assert text == [" 2♣ 8♥×4 9♣ T♣ J♣ Q♣ K♣", " #1 #2   #6 #7 #8 #9 10"]


def test_copies_apart_in_the_hand_stay_apart() -> None:
    _, text = drawn(held("8H 9C 8H"), NORMAL)
    assert text == [" 8♥ 9♣ 8♥", " #1 #2 #3"]


def test_where_boxes_have_no_room_the_hand_is_text() -> None:
    twenty = tuple(Card(card) for card in range(20))
    boxes, text = drawn(twenty, NORMAL)
    assert boxes == text
    assert drawn(twenty[:19], NORMAL)[0][0] == " " + "╭──╮" * 19


def test_on_a_tall_screen_boxes_take_two_lines() -> None:
    boxes, _ = drawn(tuple(Card(card) for card in range(40)), LARGE)
    assert [line.count("╭") for line in boxes] == [29, 0, 0, 11, 0, 0]
    assert boxes[5].startswith(" ╰30╯╰31╯")
    boxes, text = drawn(tuple(Card(card) for card in range(59)), LARGE)
    assert boxes == text


def test_groups_are_underlined_in_place_of_the_numbers_of_the_text() -> None:
    hand = held("8H 8H 9C")
    boxes, text = drawn(hand, NORMAL, groups=[cards_of(hand[:2])])
    assert boxes[2:] == [" ╰#1╯╰#2╯╰#3╯", "  ━━━━━━"]
    assert text == [" 8♥×2 9♣", " ━━━━"]


def test_facts_stand_beside_the_faces_or_under_them() -> None:
    facts: list[Line] = [[("", "deadwood "), ("", "17")], [("", "penalty 3")]]
    boxes, text = drawn(held("8H 9C"), NORMAL, facts=facts)
    assert boxes[1] == " │8♥││9♣│   deadwood 17   penalty 3"
    assert text[0] == " 8♥ 9♣   deadwood 17   penalty 3"
    full = tuple(Card(card) for card in range(19))
    boxes, text = drawn(full, NORMAL, facts=facts)
    assert boxes[3] == "   deadwood 17   penalty 3"
    boxes, _ = drawn(full, NORMAL, facts=facts, groups=[cards_of(full[:3])])
    assert boxes[3] == "  ━━━━━━━━━━   deadwood 17   penalty 3"
    boxes, _ = drawn(full, NORMAL, facts=facts, groups=[cards_of(full)])
    assert boxes[4] == "   deadwood 17   penalty 3"


def test_facts_without_room_beside_the_text_are_left_out() -> None:
    _, text = drawn(tuple(Card(card) for card in range(13)), SMALL, facts=[[("", "deadwood 17")]])
    assert len(text) == 2
    assert "deadwood" not in text[0]


def test_hidden_cards_show_their_backs_and_nothing_else() -> None:
    boxes, text, _ = hands(TABLE, NORMAL, Local(hand=held("8H 8H"), hidden=True), [NOTHING], [[("", "deadwood 17")]])
    assert texts(boxes) == [
        " ╭──╮╭──╮",
        " │░░││░░│",
        " ╰──╯╰──╯",
        " Your 2 cards are hidden; F2 or `hide` shows them.",
    ]
    assert texts(text) == texts(boxes)[3:]
    _, text, _ = hands(TABLE, NORMAL, Local(hand=held("8H"), hidden=True))
    assert texts(text) == [" Your 1 card is hidden; F2 or `hide` shows it."]
    boxes, _, _ = hands(TABLE, LARGE, Local(hand=tuple(map(Card, range(40))), hidden=True))
    assert [line.count("╭") for line in texts(boxes)] == [29, 0, 0, 11, 0, 0, 0]


NOTHING = Cards(0)


def test_who_watches_is_told_so_in_place_of_a_hand() -> None:
    boxes, text, _ = hands(replace(TABLE, me=None), NORMAL, Local())
    assert boxes == text
    assert texts(text) == [" You are watching as ana; hands are shown when the round is over."]


HANDS = st.sets(st.integers(0, 4 * DECK - 1), max_size=40).map(lambda held: tuple(in_order(cards_of(map(Card, held)))))


@given(HANDS, st.builds(Size, st.integers(1, 200), st.integers(1, 60)), st.booleans(), st.sampled_from(CARD_MODES))
def test_no_hand_is_wider_than_the_screen(hand: tuple[Card, ...], size: Size, hidden: bool, mode: str) -> None:
    told = hands(TABLE, size, Local(hand=hand, hidden=hidden, mode=mode), None, [[("", "fact 3")]])
    for drawing in drawings(told):
        if size.cols >= 20:
            assert widest(drawing) <= size.cols


def drawings(hand: Hand) -> list[list[Line]]:
    return [*hand.art, hand.boxes, hand.text]


def test_text_means_text_always() -> None:
    for mode in ("text", "ascii"):
        hand = hands(TABLE, LARGE, Local(hand=held("8H 9C"), mode=mode))
        assert texts(hand.boxes) == texts(hand.text) == [" 8♥ 9♣", " #1 #2"]
        assert hand.art == ()


def test_drawn_cards_tall_and_low_and_then_boxes() -> None:
    facts: list[Line] = [[("", "deadwood 17")]]
    tall, low, boxes, _ = drawings(hands(TABLE, NORMAL, Local(hand=held("8H 9C"), mode="art"), None, facts))
    assert texts(tall) == [
        " ╭8♥─────╮╭9♣─────╮",
        " │ ♥   ♥ ││ ♣   ♣ │   deadwood 17",
        " │   ♥   ││ ♣   ♣ │",
        " │ ♥   ♥ ││   ♣   │",
        " │   ♥   ││ ♣   ♣ │",
        " │ ♥   ♥ ││ ♣   ♣ │",
        " ╰#1─────╯╰#2─────╯",
    ]
    assert len(low) == 5
    assert texts(boxes)[0] == " ╭──╮╭──╮"


def test_drawn_cards_overlap_where_they_have_no_room_side_by_side() -> None:
    hand = tuple(map(Card, range(11)))
    tall, low = hands(TABLE, NORMAL, Local(hand=hand, mode="art"), [cards_of(hand[:4])]).art
    assert texts(tall)[0].startswith(" ╭A♣────╭A♦────╭")
    assert texts(tall)[-1] == "  " + "━" * 26
    assert max(widest(tall), widest(low)) == 80
    assert hands(TABLE, NORMAL, Local(hand=tuple(map(Card, range(12))), mode="art")).art == ()
    lines = texts(hands(TABLE, LARGE, Local(hand=tuple(map(Card, range(20))), mode="art")).art[0])
    assert [line.count("╭") for line in (lines[0], lines[7])] == [16, 4]


def test_hidden_cards_are_as_tall_as_those_that_are_seen() -> None:
    hand = held("8H 9C")
    for seen, hidden in zip(
        hands(TABLE, NORMAL, Local(hand=hand, mode="art")).art,
        hands(TABLE, NORMAL, Local(hand=hand, mode="art", hidden=True)).art,
        strict=True,
    ):
        assert texts(hidden)[-1] == " Your 2 cards are hidden; F2 or `hide` shows them."
        assert len(hidden) - 1 == len(seen)
        assert not re.search("[♣♦♥♠]", " ".join(texts(hidden)))


def sign(card: Card) -> str:
    text = ACE_LOW.format(card)
    return text[0] + SIGNS[text[1]]


def under_drawn(drawing: list[str]) -> list[tuple[int, str]]:
    """The number in the lower edge of each drawn card, and what stands in the upper one."""
    found = list[tuple[int, str]]()
    for place, line in enumerate(drawing):
        if line.startswith(" ╭"):
            foot = next(lower for lower in drawing[place:] if lower.startswith(" ╰"))
            cards = [(at.start(), at[1]) for at in re.finditer("╭(..)", line)]
            found += [(int(foot[at + 1 : at + 3].removeprefix("#")), card) for at, card in cards]
    return found


@pytest.mark.parametrize("mode", CARD_MODES)
@pytest.mark.parametrize("size", [NORMAL, LARGE, SMALL])
@given(hand=HANDS)
def test_every_number_on_the_screen_names_the_card_above_it(size: Size, mode: str, hand: tuple[Card, ...]) -> None:
    for drawing in map(texts, drawings(hands(TABLE, size, Local(hand=hand, mode=mode)))):
        if any("────" in line for line in drawing):
            assert [card for _, card in under_drawn(drawing)] == list(map(sign, hand))
            assert [number for number, _ in under_drawn(drawing)] == list(range(1, len(hand) + 1))
            continue
        told = 0
        for faces, feet in pairwise(drawing):
            numbers = list(re.finditer(r"#?(\d+)", feet)) if re.search(r"[♣♦♥♠]", faces) else []
            for found in numbers:
                at = found.start()
                name = faces[at] + "CDHS"["♣♦♥♠".index(faces[at + 1])]
                assert cardwords.read(ACE_LOW, hand, f"#{found[1]}") == name
                told += int(faces[at + 3]) if faces[at + 2 : at + 3] == "×" else 1
        assert told == len(hand)
