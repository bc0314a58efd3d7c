"""What the programs at a table found, put together."""

from __future__ import annotations

from msgspec.structs import replace

from p2pcards.table.tableview import TableView
from p2pcards.ui.verdicts import agreed, awaited, found
from tests.ui.test_scoresheet import sitting


def said(*verdicts: tuple[str, bool], verified: bool | None = True) -> TableView:
    """Round 3 is over: ana here, ben, a bot; what others said of it."""
    table = sitting()
    assert table.last is not None
    return replace(table, last=replace(table.last, verified=verified, verdicts=verdicts))


def test_who_found_it_in_order_and_who_did_not() -> None:
    table = said(("ben", True), ("cy", False), ("dan", True))
    assert found(table, 3) == (("ben", "dan"), ("cy",))
    assert found(table, 2) == ((), ())  # of another round nothing is kept
    assert found(replace(table, last=None), 3) == ((), ())


def test_programs_that_are_there_are_awaited_and_nobody_else() -> None:
    table = said()
    ana, ben, bot = table.seats
    assert awaited(table, 3) == ("ben",)
    assert awaited(said(("ben", True)), 3) == awaited(said(("ben", False)), 3) == ()
    assert awaited(replace(table, seats=(ana, replace(ben, held_until=9.0), bot)), 3) == ()
    assert awaited(replace(table, seats=(ana, replace(ben, bot_plays=True), bot)), 3) == ()
    assert awaited(replace(table, me=None), 3) == ("ana", "ben")


def test_all_agree_once_everybody_who_is_there_has_said_so() -> None:
    assert agreed(said(("ben", True)), 3) == 2
    assert agreed(said(("ben", True), ("cy", True)), 3) == 3  # cy has gone, or only watches
    for table in (
        None,
        said(),
        said(("cy", True)),
        said(("ben", True), ("cy", False)),
        said(("ben", True), verified=None),
        said(("ben", True), verified=False),
    ):
        assert agreed(table, 3) == 0
    assert agreed(said(("ben", True)), 2) == 0
    alone = said()
    assert agreed(replace(alone, seats=alone.seats[:1]), 3) == 0
