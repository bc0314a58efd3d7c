"""What the command line and the file of settings come to."""

from __future__ import annotations

import pytest

from p2pcards.program import DEMO_PACE, _pace
from p2pcards.store.settings import Settings


@pytest.mark.parametrize(
    ("settings", "wanted", "seconds"),
    [
        (Settings(), "", None),
        (Settings(), "natural", None),
        (Settings(), "instant", 0.0),
        (Settings(), "slow", 2.5),
        (Settings(demo=True), "", DEMO_PACE),
        (Settings(demo=True), "slow", 2.5),
        (Settings(demo=True, json=True), "slow", 0.0),
        (Settings(headless=True), "slow", 0.0),
    ],
)
def test_how_fast_bots_play_where_the_command_line_says_nothing(
    settings: Settings, wanted: str, seconds: float | None
) -> None:
    assert _pace(settings, True, wanted) == seconds
