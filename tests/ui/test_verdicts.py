"""What the programs at a table found, put together."""

from __future__ import annotations

from msgspec.structs import replace

from p2pcards.table.notices import Audited, BadShare, LeftOut, Ready, Verdict
from p2pcards.table.tableview import TableView
from p2pcards.ui.verdicts import Agreement, agreed, alarms, awaited, found
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
    assert agreed(said(("ben", True)), 3)
    assert agreed(said(("ben", True), ("cy", True)), 3)  # cy has gone, or only watches
    for table in (
        None,
        said(),
        said(("cy", True)),
        said(("ben", True), ("cy", False)),
        said(("ben", True), verified=None),
        said(("ben", True), verified=False),
    ):
        assert not agreed(table, 3)
    assert not agreed(said(("ben", True)), 2)
    alone = said()
    assert not agreed(replace(alone, seats=alone.seats[:1]), 3)


def verdict(nick: str, round: int = 3, bad: int | None = None) -> Verdict:
    return Verdict(round, nick, b"", bad, "" if bad is None else "another result")


def test_one_of_many_that_agree_is_news() -> None:
    agreement = Agreement()
    assert agreement.is_news(Audited(3, True), said())
    two = said()
    two = replace(two, seats=(*two.seats[:2], replace(two.seats[1], nick="cy")))
    assert two.last is not None
    one = replace(two, last=replace(two.last, verdicts=(("ben", True),)))
    both = replace(two, last=replace(two.last, verdicts=(("ben", True), ("cy", True))))
    assert not agreement.is_news(verdict("ben"), one)
    assert agreement.is_news(verdict("cy"), both)
    assert not agreement.is_news(verdict("dan"), both)  # who only watches comes late
    assert agreement.is_news(verdict("dan"), replace(both, table=b"\5" * 16))


def test_verdicts_that_come_at_once_with_ours_are_one_line() -> None:
    agreement, all_in = Agreement(), said(("ben", True), ("cy", True))
    told = (Audited(3, True), verdict("ben"), verdict("cy"))
    assert [agreement.is_news(notice, all_in) for notice in told] == [True, False, False]
    agreement = Agreement()
    assert [agreement.is_news(notice, all_in) for notice in reversed(told)] == [True, False, False]


def test_who_disagrees_is_news_and_who_agrees_on_a_round_before_we_came_is_none() -> None:
    agreement, table = Agreement(), said(("ben", False))
    assert agreement.is_news(verdict("ben", bad=7), table)
    assert agreement.is_news(verdict("ben", bad=7), said(("ben", True)))
    assert agreement.is_news(Audited(3, False, 7, "ben", "another result"), table)
    assert agreement.is_news(verdict("ben", bad=7), None)
    assert agreement.is_news(Audited(3, True), None)
    for none in (table, replace(table, last=None), None):
        assert not agreement.is_news(verdict("ben", round=2), none)
    assert agreement.is_news(Ready(1, "ben"), table)


def test_what_is_an_alarm() -> None:
    left_out = LeftOut(3, ((1, "ben"),)), LeftOut(3, ((1, "ben"),), (1,)), LeftOut(3, ((0, "ana"),), sent=True)
    loud = (Audited(3, False), verdict("ben", bad=7), BadShare(3), *left_out)
    calm = (Audited(3, True), verdict("ben"), Ready(1, "ben"))
    assert [alarms(notice) for notice in (*loud, *calm)] == [True] * 6 + [False] * 3
