"""The text of actions (docs/records.md, "Actions in text")."""

from __future__ import annotations

import pytest

from p2pcards.cards import Card
from p2pcards.errors import InvalidAction, InvalidCard
from p2pcards.games.tongits import actions
from p2pcards.games.tongits.actions import format_action, parse_action
from tests.games.tongits.builder import cards


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("draw", "draw"),
        (" call ", "call"),
        ("challenge", "challenge"),
        ("fold", "fold"),
        ("take 7s,7d", "take 7D 7S"),
        ("take m2", "take m2"),
        ("expose 3S as 2♠", "expose AS 2S 3S"),
        ("expose 10c h10 TD", "expose TC TD TH"),
        ("expose 1S 2S", "expose AS 2S"),
        ("layoff H8 m10", "layoff 8H m10"),
        ("discard K♦️", "discard KD"),
    ],
)
def test_cards_are_read_with_forgiveness_and_written_in_order(typed: str, text: str) -> None:
    assert format_action(parse_action(typed)) == text


@pytest.mark.parametrize(
    "typed",
    ["", " ", "pass", "Draw", "draw KD", "fold now", "take", "expose", "take m2 7D", "layoff 8H", "layoff m2 8H",
     "layoff 8H m0", "layoff 8H m18", "layoff 8H M2", "layoff 8H m01", "layoff 8H m999999999999999999999",
     "discard", "discard KD KH", "expose 7D 7D 7H", "take 7D d7", "take m2 m3", "discard m1", "layoff 8H 9H m1",
     "discard 11D", "expose 7X", "discard ٣D", "expose " + "7D " * 5000, "\x1b[31m", "take m2x"],
)  # fmt: skip
def test_anything_else_is_no_action(typed: str) -> None:
    with pytest.raises((InvalidAction, InvalidCard)) as refused:
        parse_action(typed)
    assert str(refused.value).isprintable()
    assert 0 < len(str(refused.value)) < 120


def test_the_same_action_is_the_same_object() -> None:
    assert parse_action("discard KD") is actions.DISCARDS[Card(49)]
    assert parse_action("expose AS 2S 3S") is actions.EXPOSES[cards("AS 2S 3S")]
    assert parse_action("take 2S 3S") is actions.TAKES[cards("2S 3S")]
    assert parse_action("layoff 2S m3") is actions.LAYOFFS[2][cards("2S").bit_length() - 1]
