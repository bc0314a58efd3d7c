"""What came before a lie, in the same message, is true all the same."""

from __future__ import annotations

from p2pcards.wire.messages import Entries
from tests.testing.peers import Lan


def test_entries_before_one_that_is_none_are_in_the_file_at_once() -> None:
    """The program may be host a moment later: then what it writes must not come behind a hole."""
    lan = Lan("ana", "ben", "cy")
    lan.start()
    lan.silence("ana", "cy")
    lan.act(lan.movers[0])
    wires = lan["ben"].journal
    cy = lan["cy"]
    held = len(cy.journal)
    lan.pass_time(6.0)
    assert len(wires) > held == len(cy.journal)
    ben = lan.turned("ben")
    ben.says("cy", Entries(0, (wires[held], b"nothing")))
    assert len(cy.journal) == held + 1
    assert cy.journal == cy.the.guest.journal.wires
