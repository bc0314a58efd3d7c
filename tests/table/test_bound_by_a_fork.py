"""Who agreed to go on as another table, and the old one goes on after all: others came back in between (7.3, FORK)."""

from __future__ import annotations

from p2pcards.table.notices import Dropped
from p2pcards.wire.messages import ForkAsk, ForkSay
from tests.testing.peers import Lan


def test_who_may_acknowledge_nothing_any_more_is_here_all_the_same() -> None:
    """Its voice is gone, not its seat."""
    lan = Lan("ana", "ben", "cy", "dot", "eve", game="onecard")
    lan.start()
    lan.kill("cy", "dot", "eve")
    lan.tamper = lambda _, __, message: None if isinstance(message, ForkSay) else message
    ben = lan["ben"]
    lan.until(lambda: not ben.the.guest.may_ack())
    lan.tamper = lambda _, __, message: None if isinstance(message, ForkSay | ForkAsk) else message
    lan.again("cy")
    lan.again("dot")
    host = lan["ana"].the.host
    assert host is not None
    lan.until(lambda: host.active(lan.now))
    before = len(lan["cy"].told(Dropped))
    lan.pass_time(15.0)
    gone = [dropped.nick for dropped in lan["cy"].told(Dropped)[before:]]
    assert "ben" not in gone
    assert lan.books.seat_of(ben.identity.key) not in lan.books.bots_on
