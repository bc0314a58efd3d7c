"""What stands out among the lines of what happened."""

from __future__ import annotations

import pytest

from p2pcards.table import notices
from p2pcards.table.notices import Notice
from p2pcards.table.people import Known
from p2pcards.ui.alarms import stands_out

KEY = b"k" * 32


@pytest.mark.parametrize(
    "notice",
    [
        notices.HostChanging("ben"),
        notices.TableWaits(("ben",)),
        notices.GoOnAsked(("ben",)),
        notices.RolledBack(3, 1),
        notices.RoundVoid(1),
        notices.FalseShare("eve"),
        notices.DoubleVote("eve", 2),
        notices.Alarm("two histories"),
        notices.LinkLost(),
        notices.Audited(1, False, 7, "ben", "another card"),
        notices.Knocked(1, "eve", KEY, Known.OTHER, "", "name"),
    ],
)
def test_what_is_wrong_is_loud(notice: Notice) -> None:
    assert stands_out(notice)


@pytest.mark.parametrize(
    "notice",
    [
        notices.HostIs("cy", 2, "elected"),
        notices.TableWaits(()),
        notices.GoOnDenied("cy"),
        notices.WentOn(("ben",)),
        notices.SharesAwaited(("ben",), 30),
        notices.Audited(1, True),
        notices.Knocked(1, "eve", KEY, Known.NEW, "", "ask"),
    ],
)
def test_what_is_well_is_not(notice: Notice) -> None:
    assert not stands_out(notice)
