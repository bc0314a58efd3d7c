"""Who stands at a door when the host behind it stops."""

from __future__ import annotations

from p2pcards.wire.messages import Close, Reason
from tests.table.test_access import hello
from tests.testing.peers import Lan


def test_who_waits_at_the_door_of_a_host_that_stops_is_told_to_come_again() -> None:
    lan = Lan("ana", "ben", "cy", game="onecard", seats=4)
    lan["ana"].order("door", "ask")
    zed = lan.bare("zed")
    lan.connect(zed, lan["ana"])
    assert zed.says("ana", hello("zed")) == []
    lan.silence("ana", "ben", "cy")
    lan.until(lambda: lan["ben"].the.host is not None)
    lan.heal()
    lan.until(lambda: lan["ana"].the.host is None)
    lan.settle()
    assert [last.reason for last in zed.heard(Close, "ana")] == [Reason.MEMBERS_ONLY]
