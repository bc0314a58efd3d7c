"""The board of tables for a projector, as `list --watch` paints it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.table.listing import HomeView, Row
from p2pcards.ui.board import draw
from p2pcards.ui.board_app import Board
from p2pcards.ui.theme import Look, Size
from tests.testing.fake_node import row
from tests.testing.screens import texts, widest
from tests.testing.terminal import Terminal, running

TITLES = {"tongits": "Tong-its", "tienlen": "Tiến lên"}
USUAL = Size(80, 24)
LAB, FRIDAY = row("lab-1"), row("Friday night", 2, 4, game="tienlen", seats=4, state="playing", host="ana")


def view(*rows: Row, seconds: float = 0.0, trouble: str = "") -> HomeView:
    return HomeView("", "", "default", (("wlan0", "10.0.0.7"),), rows, trouble, seconds)


def board(*rows: Row, size: Size = USUAL, look: Look | None = None, lab_only: bool = False, **more: object) -> str:
    lines = draw(view(*rows, **more), TITLES, size, look or Look(), lab_only=lab_only)  # type: ignore[arg-type]  # seconds and trouble alone
    return "\n".join(texts(lines))


def test_a_table_has_its_title_game_host_seats_state_and_how_to_join() -> None:
    lines = [line.split("  ") for line in board(LAB, FRIDAY).splitlines()]
    told = [[word.strip() for word in line if word.strip()] for line in lines]
    assert ["▸", "lab-1", "Tong-its", "ben", "1 of 3", "2 seats free"] in told
    assert ["p2pcards join lab-1", "or", "p2pcards join 10.0.0.7:25252"] in told
    assert ["Friday night", "Tiến lên", "ana", "4 of 4", "playing"] in told
    assert ['p2pcards watch "Friday night"', "or", "p2pcards watch 10.0.0.7:25252"] in told
    assert "2 tables, 2 free seats" in board(LAB, FRIDAY)


def test_without_tables_it_says_how_to_open_one_and_later_what_may_be_wrong() -> None:
    assert "No tables yet." in board()
    assert "p2pcards host tongits" in board()
    assert "No table is found" not in board(seconds=9.0)
    assert "No table is found" in board(seconds=10.0)
    trouble = "This machine has no network interface that is up."
    assert trouble in board(seconds=10.0, trouble=trouble)
    assert trouble in board(LAB, trouble=trouble)


def test_two_tables_of_one_name_are_joined_by_their_addresses() -> None:
    twin = row("LAB-1", 2, addresses=(("fe80::1%eth0", 25253),))
    text = board(LAB, twin, row("lab-10", 3))
    assert "join lab-1 " not in text
    assert "p2pcards join [fe80::1%eth0]:25253" in text
    assert "p2pcards join lab-10" in text


@pytest.mark.parametrize("title", ["$(reboot)", "`reboot`", "a\\", "a!!", "%PATH%", 'a" reboot "', "--help", "-h"])
def test_no_line_to_be_copied_holds_what_a_shell_or_the_program_would_obey(title: str) -> None:
    told = [line for line in board(row(title)).splitlines() if "p2pcards join " in line and "TITLE" not in line]
    assert [line.strip() for line in told] == ["p2pcards join 10.0.0.7:25252"]


def test_what_nobody_can_join_says_why_and_not_how() -> None:
    text = board(row("old", version="2 / 3"), row("gone", 2, answers=False), row("shut", 3, barred=True))
    assert "p2pcards join " not in text.replace("p2pcards join TITLE", "")
    for why in ("version 2, not 3", "not answering", "members only"):
        assert why in text


def test_a_door_is_named_where_it_is_not_open() -> None:
    assert "2 seats free, door code" in board(row("lab", door="code"))


def test_a_labs_board_shows_its_tables_alone() -> None:
    text = board(LAB, row("ours", 2, lab=True), lab_only=True)
    assert "Tables of your lab" in text
    assert "ours" in text
    assert "lab-1" not in text


def test_with_little_room_the_tables_move_together_and_the_rest_is_counted() -> None:
    many = [row(f"table-{number}", number) for number in range(1, 13)]
    assert "p2pcards join table-12" in board(*many, size=Size(80, 50))
    close = board(*many, size=Size(80, 18))
    assert "table-12" in close
    assert "p2pcards join table-12" not in close
    least = board(*many, size=Size(40, 10))
    assert "… 8 more tables in a larger window" in least
    assert "table-4 " in least
    assert "2 seats free" in least.splitlines()[3]
    assert "…" not in least.splitlines()[3]
    assert "ben" not in least


def test_without_glyphs_it_is_ascii() -> None:
    assert board(LAB, FRIDAY, look=Look(unicode=False)).isascii()


@given(
    st.lists(st.tuples(st.text(max_size=40), st.text(max_size=20), st.sampled_from(["lobby", "playing", "x"]))),
    st.integers(1, 140),
    st.integers(1, 40),
)
def test_whatever_the_network_says_it_stays_within_the_screen(
    told: list[tuple[str, str, str]], cols: int, rows: int
) -> None:
    listed = [row(title, number % 250, host=host, state=state) for number, (title, host, state) in enumerate(told)]
    lines = draw(view(*listed), TITLES, Size(cols, rows), Look())
    assert len(lines) <= max(1, rows - 1)
    assert widest(lines) <= cols
    assert all(text.isprintable() for line in lines for _, text in line)


# ---- on the terminal


@pytest.mark.parametrize(("key", "code"), [("q", 0), ("\x04", 0), ("\x03", 130)])
async def test_it_is_painted_anew_with_the_news_and_leaves_the_terminal_as_it_was(key: str, code: int) -> None:
    rows: list[Row] = []
    boards: list[Board] = []

    async def run(screen: Terminal) -> int:
        boards.append(
            Board(lambda size: draw(view(*rows), TITLES, size, Look()), Look(), input=screen.keys, output=screen.output)
        )
        return await boards[0].run()

    async with running(run) as (screen, task):
        await screen.sees("No tables yet.")
        rows.append(LAB)
        boards[0].refresh()
        await screen.sees("p2pcards join lab-1")
        screen.resize(60, 20)
        screen.type("x")
        boards[0].refresh()
        await screen.until(lambda: "takes a seat" in screen.lines()[18])
        screen.type(key)
        assert await task == code
        written = "".join(screen.raw)
        assert written.count("\x1b[?1049h") == written.count("\x1b[?1049l") == 1
        assert written.rindex("\x1b[?25h") > written.rindex("\x1b[?25l")
