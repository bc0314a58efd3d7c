"""The lobby."""

from __future__ import annotations

from msgspec.structs import replace

from p2pcards.table.tableview import Safe, SeatView, Stage, TableView
from p2pcards.ui import lobby
from p2pcards.ui.frame import compose
from p2pcards.ui.local import Local
from p2pcards.ui.theme import Look, Size
from p2pcards.wire.identity import chip
from tests.testing.fake_node import KEY, FakeNode
from tests.testing.screens import text_of, texts

SIZE = Size(80, 24)
JOIN = "p2pcards join 10.0.0.7:25252"


def seen(table: TableView | None, join_line: str = JOIN, local: Local | None = None) -> str:
    assert table is not None
    local = local or Local()
    return "\n".join(texts(compose(lobby.draw(table, join_line, SIZE, local), SIZE, Look(), local)))


def table(**more: object) -> TableView:
    node = FakeNode()
    node.sit(others=1)
    assert node.table is not None
    return replace(node.table, **more)


def test_seats_with_people_keys_and_bots() -> None:
    node = FakeNode()
    node.sit(bots=1)
    text = seen(node.table)
    assert f"1  ana (you)     {chip(KEY)}" in text
    assert "2  bot-1" in text
    assert "easy bot" in text
    assert "3  free" in text


def test_whose_table_it_is() -> None:
    assert "host you · door open" in seen(table())
    assert "host ben" in seen(table(mine=False, host="ben"))


def test_rules_and_settings_that_differ() -> None:
    assert "usual rules" in seen(table())
    node = FakeNode(options={"scoring": "chips", "dealer_13": "true"})
    node.sit()
    node.change(settings=(("seat_order", "join_order"),))
    text = seen(node.table)
    assert "dealer_13 true, scoring chips" in text
    assert "seat_order join_order" in text


def test_the_host_is_shown_how_others_get_here() -> None:
    assert JOIN in seen(table())
    assert JOIN not in seen(table(mine=False))


def test_what_one_trusts_the_host_with_stands_there_once_and_not_in_practice() -> None:
    text = " ".join(seen(table()).split())
    assert text.count("can't choose them; after each round every program checks deal and moves") == 1
    assert "can't choose them" not in seen(table(), local=Local(alone=True))


def test_with_little_room_it_gives_way() -> None:
    for rows in range(10, 30):
        for cols in (40, 60, 80, 120):
            size = Size(cols, rows)
            lines = texts(compose(lobby.draw(table(), JOIN, size, Local()), size, Look(), Local()))
            assert len(lines) == rows - 2
            assert all(len(line) <= cols for line in lines)
            assert any("usual rules" in line for line in lines) or rows < 16
    assert "can't choose" not in "\n".join(
        texts(compose(lobby.draw(table(), JOIN, Size(80, 16), Local()), Size(80, 16), Look(), Local()))
    )


def test_the_title_tells_while_cards_are_shuffled() -> None:
    first, *_ = seen(table(stage=Stage.PLAYING, round=1, dealing=True)).splitlines()
    assert "· round 1 " in first
    assert first.rstrip().endswith(" shuffling")


def test_a_round_that_nobody_can_show_yet() -> None:
    coming = table(stage=Stage.PLAYING, round=3, connected=False)
    first, *_ = seen(coming).splitlines()
    assert "· back to round 3 " in first
    assert first.rstrip().endswith("line to the host lost, trying again")


def test_who_watches() -> None:
    assert "eve, dan" in seen(table(spectators=("eve", "dan")))
    assert "eve, dan (you)" in seen(table(spectators=("eve", "dan"), me=None, nick="dan"))


def test_a_held_seat_counts_down() -> None:
    held = table(seats=(SeatView("ana", KEY), SeatView("ben", b"\2" * 32, held_until=63.0)))
    assert "held 63 s" in seen(held)
    assert "held 3 s" in seen(held, local=Local(now=60.0))


def test_equal_names_are_told_apart() -> None:
    twins = table(seats=(SeatView("ana", KEY), SeatView("ben", b"\2" * 32), SeatView("ben", b"\3" * 32)))
    text = seen(twins)
    assert "ben·1" in text
    assert "ben·2" in text


def test_how_others_get_here_is_not_the_first_thing_to_be_cut() -> None:
    narrow = Size(60, 14)
    screen = lobby.draw(table(door="open", spectators=("fay", "gil")), JOIN, narrow, Local())
    text = "\n".join(texts(compose(screen, narrow, Look(), Local())))
    assert "more lines in a larger window" in text
    assert JOIN in text


def test_the_title_has_its_place_before_who_the_host_is() -> None:
    for cols, said in ((80, "host ben, safe ✓ · door open"), (60, "host ben · door open"), (48, "host ben")):
        size = Size(cols, 24)
        screen = lobby.draw(table(host="ben", safe=Safe(True), mine=False, door="open"), "", size, Local())
        assert text_of(compose(screen, size, Look(), Local())[0]).split("  ")[0] == " Tong-its · Friday night · lobby"
        assert text_of(screen.status) == said
