"""Cards as text and as boxes."""

from __future__ import annotations

from p2pcards.cards import ACE_LOW, DECK, Card, cards_of
from p2pcards.ui import art, cards
from p2pcards.ui.width import width_of
from tests.testing.screens import text_of, texts

HAND = ACE_LOW.parse_all("AS 2S 3S 9C 9D 9H TD")


def test_rank_then_suit_in_the_suit_s_own_style() -> None:
    assert cards.card(ACE_LOW, HAND[0]) == ("class:suit.s", "A♠")
    assert cards.card(ACE_LOW, HAND[6], "×2") == ("class:suit.d", "T♦×2")


def test_a_card_that_is_new_has_a_mark_and_a_style_of_its_own() -> None:
    assert cards.card(ACE_LOW, HAND[6], "•") == ("class:suit.d class:card.new", "T♦•")
    assert cards.card(ACE_LOW, HAND[6], new=True) == ("class:suit.d class:card.new", "T♦")
    assert texts(cards.boxes(ACE_LOW, HAND[:2], fresh=HAND[:1]))[:2] == ["╭─•╮╭──╮", "│A♠││2♠│"]
    assert "A♠•" in text_of(art.fan(ACE_LOW, HAND[:1], fresh=HAND[:1])[0])
    narrow = art.fan(ACE_LOW, HAND[:2], step=art.EDGE, fresh=HAND[:1])[0]
    assert ("class:suit.s class:card.new", "A♠") in narrow
    assert width_of(narrow) == art.across(2, art.EDGE)


def test_fresh_cards_are_marked() -> None:
    assert text_of(cards.cards(ACE_LOW, HAND[:3], fresh=[HAND[1]])) == "A♠ 2♠• 3♠"


def test_boxes_and_the_places_in_their_feet() -> None:
    assert texts(cards.boxes(ACE_LOW, HAND[:2])) == ["╭──╮╭──╮", "│A♠││2♠│", "╰──╯╰──╯"]
    assert texts(cards.boxes(ACE_LOW, HAND * 2, 1))[2].endswith("╰#9╯╰10╯╰11╯╰12╯╰13╯╰14╯")
    assert texts(cards.boxes(ACE_LOW, HAND[:3], 9))[2] == "╰#9╯╰10╯╰11╯"


def test_a_large_card_with_a_word_in_the_middle() -> None:
    lines = cards.large(ACE_LOW, HAND[4], "skip")
    assert texts(lines) == ["╭───────╮", "│9♦     │", "│ skip  │", "│     9♦│", "╰───────╯"]
    assert texts(cards.large(ACE_LOW, HAND[4]))[2] == "│       │"
    assert {cards.LARGE} == {sum(len(text) for _, text in line) for line in lines}
    assert [text for line in lines for style, text in line if style == "class:suit.d"] == ["9♦", " skip  ", "9♦"]


def test_neighbours_of_one_face_are_counted() -> None:
    eights = [Card(ACE_LOW.parse("8H") + copy * DECK) for copy in range(3)]
    assert [text for _, text in cards.counted(ACE_LOW, [HAND[0], *eights, HAND[1]])] == ["A♠", "8♥×3", "2♠"]


def test_backs_of_cards_have_the_size_of_their_faces() -> None:
    assert texts(cards.backs(2)) == ["╭──╮╭──╮", "│░░││░░│", "╰──╯╰──╯"]


def test_cards_of_one_meld_are_underlined_together() -> None:
    run, nines = cards_of(HAND[:3]), cards_of(HAND[3:6])
    assert text_of(cards.underline(HAND, [run, nines], [2] * 7, 1)) == "━━━━━━━━ ════════"
    assert text_of(cards.underline(HAND[2:5], [run, nines], [2, 4, 2], 1)) == "━━ ═══════"
    assert text_of(cards.underline(HAND[2:5], [run, nines], [2] * 3, 2)) == "━━  ══════"
