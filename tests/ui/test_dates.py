"""Moments in words."""

from __future__ import annotations

from datetime import datetime

import pytest

from p2pcards.ui.dates import day, span, until

NOON = datetime(2026, 11, 30, 12, 0).astimezone().timestamp()  # local, as people's clocks are


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "for 1 second"),
        (45, "for 45 seconds"),
        (599.6, "for 10 minutes"),
        (600, "for 10 minutes"),
        (3599, "for 1 hour"),
        (3700, "for 1 hour"),
        (6720, "until 13:52"),
        (7199, "for 2 hours"),
        (2 * 3600 + 300, "until 14:05"),
        (3 * 86400, "until 3 December 2026, 12:00"),
        (70 * 86400, "until 8 February 2027"),
    ],
)
def test_how_long_something_stands(seconds: float, text: str) -> None:
    assert until(round(NOON + seconds), NOON) == text


@pytest.mark.parametrize("moment", [0, 2**63, -(2**62), 10**15])
def test_what_has_no_end_or_no_date_is_for_good(moment: int) -> None:
    assert until(moment, NOON) == "for good"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "1 second"),
        (90, "90 seconds"),
        (60, "1 minute"),
        (119, "2 minutes"),
        (5400, "90 minutes"),
        (7200, "2 hours"),
        (9000, "150 minutes"),
        (7 * 86400, "7 days"),
    ],
)
def test_spans_as_people_count_them(seconds: float, text: str) -> None:
    assert span(seconds) == text


def test_when_something_was() -> None:
    assert day(NOON - 3600, NOON) == "today, 11:00"
    assert day(NOON - 86400, NOON) == "29 November 2026"
    assert day(1e18, NOON) == "long ago"
