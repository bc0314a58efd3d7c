"""The list of players that every table has."""

from __future__ import annotations

from msgspec.structs import replace

from p2pcards.table.tableview import SeatView, TableView
from p2pcards.ui import players
from p2pcards.ui.players import Column
from tests.testing.fake_node import FakeNode
from tests.testing.screens import texts, widest


def sitting() -> TableView:
    node = FakeNode(1)
    node.sit(bots=1, others=1)
    node.start()
    assert node.table is not None
    return replace(node.table, scores=(1, -2, 0), to_act=(1,))


TABLE = sitting()
PASSED = Column("", [("", ""), ("class:dim", "passed"), ("", "")], 7, left=True)


def test_names_counts_and_scores_in_columns() -> None:
    columns = [players.cards((12, 1, 7)), players.scores(TABLE), PASSED]
    assert texts(players.listed(TABLE, columns, 0.0)) == [
        "   player              cards  wins",
        "   ana (you)              12     1",
        " ▸ ben                     1    −2 passed",
        "   bot-1 easy bot          7     0",
    ]
    assert players.width(columns) == widest(players.listed(TABLE, columns, 0.0))


def test_a_head_wider_than_its_numbers_makes_the_column_wider() -> None:
    column = Column("put aside", [("", "1")] * 3)
    lines = players.listed(TABLE, [column], 0.0)
    assert texts(lines)[1].endswith(" " * 9 + "1")
    assert players.width([column]) == widest(lines) == 3 + 19 + 10


def test_a_long_name_gives_way_to_what_is_said_of_the_seat() -> None:
    held = SeatView("name-of-sixteen-", b"1" * 32, held_until=63.2)
    table = replace(TABLE, seats=(held, *TABLE.seats[1:]))
    line = texts(players.listed(table, [players.cards((12, 1, 7))], 0.0, room=20))[1]
    assert line == "   name-of-s… held 63 s    12"


def test_what_is_said_of_a_seat_is_short_where_nothing_would_be_left_of_the_name() -> None:
    long = "name-of-sixteen-"
    for seat, line in (
        (SeatView(long, b"1" * 32, bot_plays=True), "   name-of-sixt… bot"),
        (SeatView(long, b"1" * 32, held_until=63.2), "   name-o… held 63 s"),
        (SeatView("dot", b"1" * 32, bot_plays=True), "   dot bot"),
    ):
        table = replace(TABLE, seats=(seat, *TABLE.seats[1:]), me=None)
        assert texts(players.listed(table, [], 0.0, room=17))[1].rstrip() == line
    lost = replace(TABLE, seats=(SeatView("root-2", b"1" * 32, bot_plays=True), *TABLE.seats[1:]), me=None)
    assert texts(players.listed(lost, [], 0.0))[1].rstrip() == "   root-2 bot"
    held = replace(TABLE.seats[1], nick=long, held_until=63.2)
    table = replace(TABLE, seats=(held, *TABLE.seats[1:]))
    assert "name-o… 63 s" in texts(players.listed(table, [], 0.0, room=12))[1]


def test_with_little_room_names_and_counts_run_together() -> None:
    items = texts(players.close(TABLE, (12, 1, 7)))
    assert items == ["ana (you) 12", "▸ben 1", "bot-1 7"]


def test_whose_turn_it_is_and_who_i_am_stand_out() -> None:
    for me, acts in ((0, 1), (2, 1), (1, 1)):
        table = replace(TABLE, me=me, to_act=(acts,))
        styles = [line[1][0] for line in players.listed(table, [], 0.0)[1:]]
        assert styles[acts] == "class:turn"
        assert [seat for seat, style in enumerate(styles) if style == "class:me"] == ([me] if me != acts else [])
