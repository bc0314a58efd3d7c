"""A machine that stood still does not know what the others made of it (protocol 7.1)."""

from __future__ import annotations

from p2pcards.table.effects import Slept, Woke
from tests.testing.peers import Lan


def test_a_host_that_slept_acts_on_nothing_that_was_answered_before() -> None:
    """Others may have elected somebody meanwhile, even where its own clock stood still."""
    lan = Lan("ana", "ben", "cy")
    lan.start()
    ana = lan["ana"]
    host = ana.the.host
    assert host is not None
    assert host.active(lan.now)
    ana.feed(Slept())
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
        lan[name].feed(Slept())
    lan.pass_time(4.5)
    assert lan.host is lan["ana"]
    lan.until(lambda: lan["ben"].the.host is not None, seconds=3.0)
