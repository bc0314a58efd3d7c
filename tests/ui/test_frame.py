"""The grammar of all screens: places that stay where they are, and lines that fit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.ui.frame import BELOW, LEAST, Screen, body_width, compose, finish, keys, menu, page_rows, too_small
from p2pcards.ui.local import Happened, Local, Offer
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.width import Line
from tests.testing.screens import text_of, texts, widest

SIZES = st.builds(Size, st.integers(LEAST.cols, 200), st.integers(LEAST.rows, 60))
WORDS = st.text(max_size=60)
LOOKS = st.builds(Look, st.booleans(), st.booleans(), st.booleans(), st.sampled_from("A1"))
LOCALS = st.builds(
    Local,
    happened=st.lists(st.builds(Happened, WORDS, st.booleans(), st.booleans()), max_size=9).map(tuple),
    coach=st.text(max_size=300),
    said=WORDS,
    question=WORDS,
    menu=st.lists(st.builds(Offer, WORDS, WORDS), max_size=20).map(tuple),
)
BODY: list[Line] = [[("", f"body {number}")] for number in range(6)]
BOXES: list[Line] = [[("", "boxes")]] * 4
CARDS: list[Line] = [[("", "cards")]] * 2
SCREEN = Screen([("", "title")], [("", "status")], [(BODY, BOXES), (BODY[:2], BOXES), (BODY, CARDS), (BODY[:2], CARDS)])
NORMAL = Size(80, 24)
NEWS = Local(happened=(Happened("ben drew"), Happened("ben discarded", fresh=True)), coach="Your turn.")


@given(SIZES, LOOKS, LOCALS)
def test_every_screen_is_exactly_as_large_as_its_place(size: Size, look: Look, local: Local) -> None:
    lines = compose(SCREEN, size, look, local)
    assert len(lines) == size.rows - BELOW
    assert widest(lines) <= size.cols
    assert look.unicode or all(text_of(line).isascii() for line in lines)


def test_the_parts_stand_in_their_order() -> None:
    lines = texts(compose(SCREEN, NORMAL, Look(), NEWS))
    parts = ["title", "body 0", "body 5", "ben discarded", "boxes", "Your turn."]
    places = [next(place for place, line in enumerate(lines) if part in line) for part in parts]
    assert places == sorted(places)


def test_neither_menu_nor_answer_nor_news_moves_the_hand() -> None:
    quiet = texts(compose(SCREEN, NORMAL, Look(), NEWS))
    busy = NEWS._replace(
        happened=NEWS.happened * 20,
        said="A long answer to what was typed. " * 9,
        menu=tuple(Offer(f"discard {number}", "10 points") for number in range(13)),
    )
    assert quiet.index("boxes") == texts(compose(SCREEN, NORMAL, Look(), busy)).index("boxes")


def test_what_is_new_is_marked_by_a_sign() -> None:
    lines = texts(compose(SCREEN, NORMAL, Look(), NEWS))
    assert "   ben drew" in lines
    assert " • ben discarded" in lines
    assert " * ben discarded" in texts(compose(SCREEN, NORMAL, Look(unicode=False), NEWS))


def test_what_happened_fills_its_rows() -> None:
    happened = (Happened("first " + "word " * 30), Happened("ben discarded"))
    lines = texts(compose(SCREEN, NORMAL, Look(), Local(happened=happened)))
    last = lines.index("   ben discarded")
    assert lines[last - 1].startswith("   first word")
    assert lines[last - 1].endswith("…") or lines[last - 2].startswith("   first word")


def test_little_room_takes_closer_drawings_before_it_cuts() -> None:
    small = texts(compose(SCREEN, Size(80, 19), Look(), NEWS))
    assert "boxes" in small
    assert "body 5" not in small
    smaller = texts(compose(SCREEN._replace(drawings=[(BODY, BOXES), (BODY, CARDS)]), Size(80, 19), Look(), NEWS))
    assert "cards" in smaller
    assert "body 5" in smaller
    smallest = texts(compose(SCREEN, LEAST, Look(), NEWS))
    assert "body 1" in smallest
    assert "body 5" not in smallest


def test_what_is_cut_off_is_said_to_be() -> None:
    lines = texts(compose(SCREEN._replace(drawings=[(BODY * 9, CARDS)]), LEAST, Look(), NEWS))
    assert any("more lines in a larger window" in line for line in lines)


def test_with_room_what_happened_stands_beside_the_table() -> None:
    size = Size(120, 40)
    lines = texts(compose(SCREEN, size, Look(), NEWS))
    assert body_width(size) < size.cols
    assert any("body 0" in line and "ben drew" in line for line in lines)
    assert body_width(NORMAL) == NORMAL.cols


@pytest.mark.parametrize(
    ("local", "heard"),
    [
        (NEWS, "Your turn."),
        (NEWS._replace(said="There is no command foo."), "There is no command foo."),
        (NEWS._replace(said="said", question="Call the draw?"), "Call the draw?"),
    ],
)
def test_a_question_goes_before_an_answer_before_the_coach(local: Local, heard: str) -> None:
    assert f" {heard}" in texts(compose(SCREEN, NORMAL, Look(), local))


def test_a_page_has_the_rows_that_it_is_told_to_have() -> None:
    for rows in range(LEAST.rows, 61):
        size = Size(80, rows)
        page: list[Line] = [[("", "line")]] * page_rows(size)
        lines = texts(compose(Screen([], [], [(page, [])], news=False), size, Look(), NEWS))
        assert lines.count("line") == page_rows(size)


# ---- the menu


@given(st.lists(st.builds(Offer, WORDS, WORDS), max_size=30), st.integers(20, 200), st.integers(1, 5), st.data())
def test_the_menu_keeps_to_its_strip_and_shows_what_is_chosen(
    offers: list[Offer], width: int, rows: int, data: st.DataObject
) -> None:
    chosen = data.draw(st.none() | st.integers(0, len(offers) - 1)) if offers else None
    lines = menu(offers, chosen, width, rows)
    assert len(lines) == rows
    assert widest(lines) <= width
    assert sum(line.count("▸") for line in texts(lines)) >= (chosen is not None)


def test_the_count_of_what_has_no_room_does_not_cover_what_is_chosen() -> None:
    offers = [Offer("a", "1"), Offer("b", "2"), Offer("c", "3")]
    assert "▸ b" in texts(menu(offers, 1, 20, 1))[0]


def test_many_short_offers_stand_in_columns() -> None:
    offers = [Offer(f"{number}C", "10 points") for number in range(10)]
    lines = texts(menu(offers, None, 80, 4))
    assert lines[0].split() == ["0C", "10", "points", "4C", "10", "points", "8C", "10", "points"]


def test_offers_that_have_no_room_are_counted() -> None:
    offers = [Offer(f"command {number}", "x" * 50) for number in range(10)]
    assert texts(menu(offers, None, 80, 4))[-1].endswith("▾ 6 more")
    assert texts(menu(offers, 9, 80, 4))[-1].endswith("▴ 8 before")


# ---- outside the frame


@given(st.integers(1, 60), st.integers(1, 20))
def test_the_smallest_windows_say_what_they_want(cols: int, rows: int) -> None:
    lines = too_small(Size(cols, rows))
    assert len(lines) <= rows
    assert widest(lines) <= cols
    if cols >= 20 and rows >= 4:
        assert "40x10" in " ".join(texts(lines))


def test_keys_that_do_not_fit_are_left_out_whole() -> None:
    line = keys([("Tab", "complete"), ("Enter", "go"), ("F1", "help")], Size(24, 24), Look())
    assert text_of(line) == " Tab complete · Enter go"


def test_cards_as_the_person_likes_them() -> None:
    lines: list[Line] = [[("class:suit.s", "A♠•"), ("", " A♥ and A friend, "), ("class:suit.c", "2♣")]]
    size = Size(40, 12)
    assert texts(finish(lines, size, Look(ace="1"))) == ["1♠• 1♥ and A friend, 2♣"]
    assert texts(finish([[("class:rank", "A"), ("class:rank", "  2")]], size, Look(ace="1"))) == ["1  2"]
    assert texts(finish(lines, size, Look(suits=False))) == ["AS• AH and A friend, 2C"]
    assert texts(finish(lines, size, Look(suits=False, ace="1"))) == ["1S• 1H and A friend, 2C"]
