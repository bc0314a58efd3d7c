"""What a host has to say is collected in the order of saying, and taken away once."""

from __future__ import annotations

from p2pcards.table.effects import LinkId
from p2pcards.table.notices import SeatsFull
from p2pcards.table.outbox import DETAIL_CHARS, Outbox
from p2pcards.wire.messages import Close, Get, Reason, Refused, decode, encode

ANA, BEN = LinkId(1), LinkId(2)


def test_everything_is_taken_away_once_and_in_order() -> None:
    out, bye = Outbox(), Close(Reason.BYE, "")
    out.send(BEN, Get(3))
    out.tell(SeatsFull())
    out.send(ANA, bye)
    assert out.empty() == (((BEN, Get(3)), (ANA, bye)), (SeatsFull(),))
    assert out.empty() == ((), ())


def test_a_refusal_names_its_code_and_fits_whatever_the_detail() -> None:
    out = Outbox()
    out.refuse(ANA, 7, "no_action", "play", "7S")
    out.refuse(ANA, 0, "no_action", "x" * 1000)
    (_, short), (_, long) = out.empty()[0]
    assert short == Refused(7, "no_action", "play 7S")
    assert isinstance(long, Refused)
    assert len(long.text) == DETAIL_CHARS
    assert decode(*encode(long)) == long
