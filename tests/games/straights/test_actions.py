"""Actions of Straights as text."""

from __future__ import annotations

import pytest

from p2pcards.cards import ACE_LOW, deck
from p2pcards.errors import InvalidAction, InvalidCard
from p2pcards.games.straights.actions import DISCARDS, PASS, PLAYS, Action, Play, format_action, parse_action


def test_every_action_goes_through_text_to_the_same_object() -> None:
    actions: list[Action] = [*PLAYS, *DISCARDS, PASS]
    for action in actions:
        assert parse_action(format_action(action)) is action


def test_canonical_text() -> None:
    assert [format_action(action) for action in (PLAYS[0], DISCARDS[51], PASS)] == ["play AC", "discard KS", "pass"]


@pytest.mark.parametrize("written", ["AC", "1C", "ac", "A♣", "1c", "C1", "♣a", "♣\ufe0fA"])
def test_example_16_cards_are_read_with_forgiveness(written: str) -> None:
    assert parse_action(f"play {written}") is PLAYS[0]
    assert parse_action(f"  discard   {written} ") is DISCARDS[0]
    ten = ACE_LOW.parse("TH")
    assert ten == ACE_LOW.parse("10h")
    assert ACE_LOW.format(ten) == "TH"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("play", "play needs one card"),
        ("play 7S 7H", "play needs one card"),
        ("discard", "discard needs one card"),
        ("pass 7S", "pass stands alone"),
        ("draw", "no action of Straights: draw"),
        ("Play 7S", "no action of Straights: Play"),
        ("", "no action of Straights: "),
    ],
)
def test_what_is_no_action_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(InvalidAction) as caught:
        parse_action(text)
    assert str(caught.value) == reason


def test_what_is_no_card_is_refused() -> None:
    with pytest.raises(InvalidCard, match="not a card: 0S"):
        parse_action("play 0S")


def test_one_object_for_each_card() -> None:
    assert [action.card for action in PLAYS] == [action.card for action in DISCARDS] == list(deck())
    assert PLAYS[3] == Play(PLAYS[3].card)
