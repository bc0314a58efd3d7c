"""The home screen."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.table.listing import HomeView, Row
from p2pcards.ui import home, queries
from p2pcards.ui.frame import LEAST, compose
from p2pcards.ui.local import Local
from p2pcards.ui.theme import Look, Size
from tests.testing.fake_node import row
from tests.testing.screens import texts, widest

TITLES = {"tongits": "Tong-its"}
NORMAL = Size(80, 24)
ANY = st.text(max_size=30)


def view(*rows: Row, seconds: float = 0.0, trouble: str = "") -> HomeView:
    return HomeView("ana", "mango-tiger", "default", (("wlan0", "10.0.0.7"),), rows, trouble, seconds)


def drawn(shown: HomeView | None, size: Size = NORMAL, *, lab_only: bool = False) -> str:
    way = "" if shown is None else queries.on_the_way(shown, None, 0.0)
    local = Local(way=way, lab_only=lab_only)
    return "\n".join(texts(compose(home.draw(shown, TITLES, size, local), size, Look(), local)))


def test_before_the_program_is_there_it_looks_already() -> None:
    assert "looking…" in drawn(None)


def test_who_i_am_and_where() -> None:
    assert "ana · mango-tiger · wlan0 10.0.0.7" in drawn(view())


def test_who_i_am_stays_where_there_is_no_room_for_where() -> None:
    long = replace(view(), nick="student-lab-a-02", words="century-pitch", profile="default-2")
    for cols, shown in (
        (80, "student-lab-a-02 · century-pitch · profile default-2"),
        (60, "student-lab-a-02 · century-pitch"),
        (40, "student-lab-a-02"),
    ):
        assert drawn(long, Size(cols, 24)).splitlines()[0].rstrip().endswith(f"  {shown}")


def test_a_profile_of_another_name_is_named() -> None:
    assert "profile" not in drawn(view())
    assert "ana · mango-tiger · profile default-2 · wlan0 10.0.0.7" in drawn(replace(view(), profile="default-2"))


def test_what_is_being_joined_and_how_to_give_up() -> None:
    assert "Looking for" not in drawn(view())
    assert "Looking for nohost.invalid … `leave` gives up." in drawn(replace(view(), joining="nohost.invalid"))
    assert "Looking for lab" in drawn(replace(view(row("lab")), joining="lab"))


def test_an_empty_list_teaches() -> None:
    text = drawn(view())
    for word in ("No tables yet", "practise tongits", "host tongits", "join HOST"):
        assert word in text


def test_after_ten_seconds_it_says_what_may_be_wrong() -> None:
    assert "Wi-Fi" not in drawn(view(seconds=9.0))
    assert "Wi-Fi" in drawn(view(seconds=11.0))
    known = drawn(view(seconds=11.0, trouble="This machine has no network interface that is up."))
    assert "This machine has no network interface that is up." in known
    assert "Wi-Fi" not in known


def test_every_table_is_a_row_with_its_number() -> None:
    lines = drawn(view(row("Friday night"), row("lab 4", 2, 3, state="playing", host="cy", door="code"))).splitlines()
    assert " ▸ 1  Tong-its   Friday night     ben         1 of 3  open    2 seats free" in lines
    assert "   2  Tong-its   lab 4            cy          3 of 3  code    playing" in lines


def test_what_is_played_there_stands_under_the_row() -> None:
    lines = drawn(view(row("lab", options=(("scoring", "chips"), ("stake", "2"))), row("club", 2))).splitlines()
    places = [number for number, line in enumerate(lines) if "lab" in line or "club" in line]
    assert [lines[place + 1].strip() for place in places] == ["rules: scoring chips, stake 2", "usual rules"]


def test_where_there_are_many_tables_each_has_one_line() -> None:
    many = [row(f"lab {number}", number, options=(("scoring", "chips"),)) for number in range(12)]
    lines = drawn(view(*many)).splitlines()
    assert sum("lab " in line for line in lines) == 12
    assert not any("scoring" in line for line in lines)


def test_why_a_table_can_not_be_joined() -> None:
    lines = drawn(
        view(
            row("full", 1, 3),
            row("old", 2, version="2 / 1"),
            row("gone", 3, answers=False),
            row("here", 4, here=True),
            row("waits", 5, state="waiting"),
            row("twice", 6, contested=True),
        )
    ).splitlines()
    assert not any(line.startswith(" ▸ ") for line in lines if "here" not in line.split())
    for told in ("full", "version 2, not 1", "not answering", "ben (here)", "changing host", "claimed by two"):
        assert any(told in line for line in lines), told


def test_a_table_for_members_only_can_not_be_joined_by_others() -> None:
    free = row("lab", lab=True, door="lab")
    assert home.joinable(free)
    assert not home.joinable(replace(free, barred=True))


def test_more_room_tells_where_a_table_was_seen() -> None:
    wide = Size(120, 30)
    assert "wlan0 10.0.0.7:25252" in drawn(view(row("lab", interface="wlan0")), wide)
    assert "25252" not in drawn(view(row("lab")))


ROWS = st.builds(
    row,
    ANY,
    number=st.integers(1, 200),
    taken=st.integers(0, 9),
    host=ANY,
    door=ANY,
    game=st.sampled_from(["tongits", "another"]),
    state=st.sampled_from(["lobby", "playing", "waiting", "none of these"]),
    version=st.sampled_from(["", "2 / 1"]),
    interface=ANY,
)


@given(st.lists(ROWS, max_size=30), st.builds(Size, st.integers(LEAST.cols, 200), st.integers(LEAST.rows, 50)), ANY)
def test_no_line_is_wider_than_the_screen(rows: list[Row], size: Size, nick: str) -> None:
    shown = HomeView(nick, "two-words", "default", ((nick, "fe80::1"),) * 3, tuple(rows), "", 20.0)
    assert widest(compose(home.draw(shown, TITLES, size), size, Look(), Local())) <= size.cols
