"""What every table screen says of the people at it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.table.tableview import Safe, TableView
from p2pcards.ui import people
from tests.testing.fake_node import FakeNode


@pytest.fixture
def table() -> TableView:
    node = FakeNode()
    node.sit(others=2)
    node.start()
    assert node.table is not None
    return replace(node.table, to_act=(1,))


def text(table: TableView, now: float = 100.0) -> str:
    return "".join(text for _, text in people.turn(table, now))


def test_whose_turn_it_is(table: TableView) -> None:
    assert text(table) == "turn ben"
    assert text(replace(table, to_act=(table.me or 0,))) == "▸ your turn"
    assert text(replace(table, connected=False)) == "line to the host lost, trying again"


def test_while_cards_are_shuffled_it_is_nobodys_turn(table: TableView) -> None:
    assert text(replace(table, dealing=True)) == "shuffling"
    assert text(replace(table, dealing=True, connected=False)) == "line to the host lost, trying again"


@pytest.mark.parametrize(("at", "shown"), [(124.2, "0:24"), (190.0, "1:30"), (104.0, "0:04"), (90.0, "0:00")])
def test_how_long_the_turn_may_take(table: TableView, at: float, shown: str) -> None:
    assert text(replace(table, clock_at=at)) == f"turn ben {shown}"
    assert text(replace(table, clock_at=at, to_act=(table.me or 0,))) == f"▸ your turn {shown}"


def test_little_time_stands_out(table: TableView) -> None:
    mine = replace(table, to_act=(table.me or 0,))
    styles = [people.turn(replace(mine, clock_at=at), 100.0)[-1][0] for at in (111.0, 110.0)]
    assert styles == ["class:dim", "class:warn"]
    assert people.turn(replace(table, clock_at=110.0), 100.0)[-1][0] == "class:dim"  # somebody else's is no alarm


def test_a_running_clock_is_drawn_each_second(table: TableView) -> None:
    assert not people.counts_down(table)
    assert people.counts_down(replace(table, clock_at=124.0))


def test_a_shuffle_is_drawn_each_second_for_no_notice_tells_that_it_began(table: TableView) -> None:
    assert people.counts_down(replace(table, dealing=True))


def test_whether_the_table_outlives_its_host_is_drawn_anew_for_no_notice_tells_of_it(table: TableView) -> None:
    assert not people.counts_down(replace(table, safe=None))
    assert not people.counts_down(replace(table, safe=Safe(False, "alone")))
    for safe in (Safe(True), Safe(False, "votes", ("cy",))):
        assert people.counts_down(replace(table, safe=safe))


def test_the_host_is_named_where_there_is_room_and_a_line(table: TableView) -> None:
    def said(cols: int, connected: bool = True) -> str:
        return "".join(text for _, text in people.status(replace(table, connected=connected), [], cols, 100.0))

    assert (said(64), said(63)) == ("host you · turn ben", "turn ben")
    assert said(64, connected=False) == "line to the host lost, trying again"


def test_a_host_with_a_long_name_is_named_by_its_beginning_before_the_heading_is_cut(table: TableView) -> None:
    long = replace(table, host="name-of-sixteen1", mine=False, safe=None)

    def said(heading: str) -> str:
        return "".join(text for _, text in people.status(long, [("", heading)], 80, 100.0))

    assert said("x" * 40) == "host name-of-sixteen1 · turn ben"
    assert said("x" * 60) == "host name-of-s… · turn ben"


def test_a_long_title_is_cut_for_what_stands_behind_it(table: TableView) -> None:
    long = replace(table, title="A table with a title of forty characters")
    assert "".join(text for _, text in people.title(long, "round 3")) == "Tong-its · A table with a title of… · round 3"
    assert "".join(text for _, text in people.title(long)) == "Tong-its · A table with a title of forty characters"
    assert "".join(text for _, text in people.title(table, "round 3")) == "Tong-its · Friday night · round 3"


def named(table: TableView, *nicks: str) -> TableView:
    return replace(table, seats=tuple(replace(seat, nick=nick) for seat, nick in zip(table.seats, nicks, strict=True)))


def test_the_own_name_is_cut_before_the_word_that_it_is_ours(table: TableView) -> None:
    assert table.me == 0
    mine = named(table, "a-name-of-16-000", "ben", "cy")
    assert people.name_in(mine, 0, 22) == "a-name-of-16-000 (you)"
    assert people.name_in(mine, 0, 19) == "a-name-of-16… (you)"
    assert people.name_in(mine, 0, 12) == "a-nam… (you)"
    assert people.name_in(mine, 0, 11) == "a-name-of-…"
    assert people.name_in(mine, 1, 3) == "ben"


def test_names_that_begin_alike_stay_apart_where_they_are_cut(table: TableView) -> None:
    students = named(table, "student-lab-a-01", "student-lab-a-02", "student-lab-b-01")
    assert [people.nick_in(students, seat, 10) for seat in range(3)] == ["stude…a-01", "stude…a-02", "stude…b-01"]
    assert people.name_in(students, 1, 10) == "stude…a-02"
    assert people.name_in(students, 0, 16) == "stude…a-01 (you)"
