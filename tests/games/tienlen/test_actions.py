"""Actions and their text."""

from __future__ import annotations

import pytest

from p2pcards.errors import InvalidAction, InvalidCard
from p2pcards.games.tienlen.actions import PASS, Play, format_action, parse_action
from tests.games.tienlen.builder import cards


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("pass", "pass"),
        (" pass ", "pass"),
        ("play 3S", "play 3S"),
        ("play 2h,AS 3c", "play 3C AS 2H"),
        ("play ♥7 10s 1D", "play 7H TS AD"),
        ("play 3H 3S 3D 3C", "play 3S 3C 3D 3H"),
    ],
)
def test_texts_are_read_with_forgiveness_and_written_in_one_way(text: str, canonical: str) -> None:
    action = parse_action(text)
    assert format_action(action) == canonical
    assert parse_action(canonical) == action


def test_the_values() -> None:
    assert parse_action("pass") is PASS
    assert parse_action("play 3S 4C") == Play(cards("3S 4C"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no action of Tiến lên"),
        ("play", "play needs cards"),
        ("play ,", "play needs cards"),
        ("pass 3S", "pass stands alone"),
        ("draw", "no action of Tiến lên: draw"),
        ("Play 3S", "no action of Tiến lên: Play"),
        ("play 3S 4C 3s", "3S twice"),
    ],
)
def test_what_is_no_action(text: str, why: str) -> None:
    with pytest.raises(InvalidAction, match=why):
        parse_action(text)


def test_what_is_no_card() -> None:
    with pytest.raises(InvalidCard, match="not a card: 3X"):
        parse_action("play 3X")
