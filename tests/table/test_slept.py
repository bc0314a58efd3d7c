"""A machine that stood still does not know what the others made of it (protocol 7.1)."""

from __future__ import annotations

import pytest

from p2pcards.table.effects import Slept, Woke
from p2pcards.table.notices import Refused
from tests.testing.cluster import WALL, identity
from tests.testing.peers import Lan


def test_a_host_that_slept_acts_on_nothing_that_was_answered_before() -> None:
    """Others may have elected somebody meanwhile, even where its own clock stood still."""
    lan = Lan("ana", "ben", "cy")
    lan.start()
    ana = lan["ana"]
    host = ana.the.host
    assert host is not None
    assert host.active(lan.now)
    ana.feed(Slept(WALL))
    assert not host.active(lan.now)
    lan.settle()
    ana.feed(Woke())
    lan.settle()
    assert host.active(lan.now)


def test_a_guest_that_slept_elects_nobody_before_it_has_listened_anew() -> None:
    lan = Lan("ana", "ben", "cy")
    lan.start()
    lan.silence("ana")
    lan.pass_time(4.5)
    for name in ("ben", "cy"):
        lan[name].feed(Slept(WALL))
    lan.pass_time(4.5)
    assert lan.host is lan["ana"]
    lan.until(lambda: lan["ben"].the.host is not None, seconds=3.0)


@pytest.mark.parametrize("jump", [-3600.0, 3600.0])
def test_a_host_whose_clock_was_set_shows_somebody_out_for_as_long_as_it_says(jump: float) -> None:
    """Until when is told in unix seconds, by the clock as it is by then."""
    lan = Lan("ana", "ben", "cy")
    ana = lan["ana"]
    ana.feed(Slept(WALL + jump))
    lan.pass_time(1.0)
    ana.order("kick", "ben", "", str(int(WALL + jump + lan.now) + 600))
    lan.pass_time(1.0)
    assert lan.come("ben").told(Refused)[-1].code == "banned"
    lan.pass_time(600.0)
    assert lan.come("ben").told(Refused) == []


def test_a_clock_that_was_set_at_a_guest_is_right_when_it_comes_to_host() -> None:
    lan = Lan("ana", "ben", "cy")
    lan.start()
    for name in ("ben", "cy"):
        lan[name].feed(Slept(WALL + 3600))
    lan.kill("ana")
    lan.until(lambda: any(lan[name].the.host is not None for name in ("ben", "cy")), seconds=20.0)
    journal = lan.host.the.guest.journal
    assert abs(journal.entries[journal.last].ms / 1000 - (WALL + 3600 + lan.now)) < 20


def test_who_may_come_again_may_by_the_clock_of_any_host() -> None:
    lan = Lan("ana", "ben", "cy")
    ana = lan["ana"]
    ana.order("kick", "ben", "", "0")
    lan.pass_time(1.0)
    ana.order("pardon", identity("ben").key.hex())
    ana.feed(Slept(WALL - 300))
    lan.pass_time(1.0)
    assert lan.come("ben").told(Refused) == []
