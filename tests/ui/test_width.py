"""Text in cells: every terminal draws it alike, and nothing is wider than its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth

from p2pcards.ui import width
from p2pcards.ui.width import ascii_only, cells, clean, cut, cut_apart, fill, fit, flow, pad, spread, width_of, wrap

ANY = st.text(max_size=40)
WIDTHS = st.integers(min_value=0, max_value=30)
LINES = st.lists(st.tuples(st.just(""), ANY), max_size=6)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ana", "ana"),
        ("a\u0301na", "ána"),
        ("🇵🇭", "PH"),
        ("👩‍👩‍👧", "👩👩👧"),
        ("👍🏽", "👍"),
        ("♥️", "♥"),
        ("two\nlines\tand", "two lines and"),
        ("\x1b[31mred", "[31mred"),
        ("\u202egnp", "gnp"),
        ("e" + "\u0301" * 9, "é" + "\u0301" * 2),
        ("\ud800x", "?x"),
        ("\u200d", "?"),
    ],
)
def test_what_terminals_draw_differently_is_taken_apart(text: str, shown: str) -> None:
    assert clean(text) == shown


@given(ANY)
def test_cleaned_text_is_measured_as_the_screen_measures_it(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert cells(text) == sum(get_cwidth(char) for char in clean(text))
    assert all(char.isprintable() or get_cwidth(char) == 0 for char in clean(text))


def test_what_is_plain_to_see_is_measured_as_the_screen_measures_it() -> None:
    assert [char for char in map(chr, range(0x20, 0x3000)) if width.get_cwidth(char) != get_cwidth(char)] == []


@given(ANY)
def test_ascii_has_the_same_width(text: str) -> None:
    assert ascii_only(text).isascii()
    assert len(ascii_only(text)) == cells(text)


@given(ANY, WIDTHS)
def test_cut_and_padded_text_fits(text: str, width: int) -> None:
    assert cells(cut(text, width)) <= width
    assert width == 0 or cells(pad(text, width)) == width
    assert width == 0 or cells(pad(text, width, right=True)) == width


def test_a_cut_is_seen_and_never_goes_through_a_wide_character() -> None:
    assert cut("卡牌桌", 6) == "卡牌桌"
    assert cut("卡牌桌", 5) == "卡牌…"
    assert cut("卡牌桌", 4) == "卡…"
    assert pad("9", 3, right=True) == "  9"


@given(ANY, st.lists(ANY, max_size=4), WIDTHS)
def test_a_text_cut_apart_from_others_fits(text: str, others: list[str], width: int) -> None:
    assert cells(cut_apart(text, others, width)) <= width


def test_texts_that_begin_alike_are_told_apart_by_their_ends() -> None:
    logins = ("s2024001", "s2024002", "s2024012")
    assert [cut_apart(one, logins, 6) for one in logins] == ["s20…01", "s20…02", "s20…12"]
    assert [cut_apart(one, logins, 8) for one in logins] == list(logins)
    assert cut_apart("konstantin", logins, 6) == "konst…"
    assert cut_apart("a-much-longer-1", ("a-much-longer-1",), 6) == "a-muc…"  # itself is no other one
    assert cut_apart("卡牌桌一", ("卡牌桌二",), 7) == "卡牌…一"
    assert cut_apart("卡牌桌一", ("卡牌桌二",), 3) == "卡…"
    assert cut_apart("abcd-end", ("abce-end",), 4) == "abc…"  # no end that would fit differs


@given(LINES, WIDTHS)
def test_lines_fit(line: list[tuple[str, str]], width: int) -> None:
    assert width_of(fit(line, width)) <= width
    assert width_of(fill(line, width)) == width
    assert width_of(spread(line, [("", "end")], width)) <= width


@given(ANY, st.integers(min_value=1, max_value=30))
def test_wrapped_text_fits_and_loses_no_word(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert all(cells(line) <= width for line in lines)
    if width >= 2:
        assert "".join(lines).replace(" ", "") == clean(text).replace(" ", "")


def test_words_stay_whole_where_they_can() -> None:
    assert wrap("draw, or take two queens", 12) == ["draw, or", "take two", "queens"]


@given(st.lists(LINES, max_size=12), st.integers(min_value=1, max_value=30), st.integers(min_value=0, max_value=4))
def test_flowing_items_fit(items: list[list[tuple[str, str]]], width: int, indent: int) -> None:
    assert all(width_of(line) <= max(width, indent) for line in flow(items, width, indent=indent))


def test_an_item_wider_than_the_line_goes_on_in_the_next() -> None:
    item = [("", "m1 ben"), ("", " "), ("", "A♠"), ("", " "), ("", "2♠"), ("", " "), ("", "3♠")]
    lines = flow([[("", "stock")], item, [("", "9")]], 10, indent=3)
    assert ["".join(text for _, text in line).rstrip() for line in lines] == ["stock", "m1 ben A♠", "   2♠ 3♠ 9"]


def test_a_path_is_broken_behind_a_slash() -> None:
    assert wrap("saved to /home/ana/.local/share/p2pcards/rounds", 24) == [
        "saved to",
        "/home/ana/.local/share/",
        "p2pcards/rounds",
    ]
    assert wrap("x" * 30, 24) == ["x" * 24, "x" * 6]


def test_the_end_of_a_line_gives_way_to_its_start_only_when_there_is_no_room() -> None:
    left, right = [("", "Tong-its · Friday night")], [("", "your turn")]
    assert "".join(text for _, text in spread(left, right, 40)) == "Tong-its · Friday night" + " " * 8 + "your turn"
    assert "".join(text for _, text in spread(left, right, 30)) == "Tong-its · Friday …  your turn"
    assert "".join(text for _, text in spread(left, right, 14)) == "Tong-its · Fr…"


def test_what_stands_last_on_the_right_is_kept_longest() -> None:
    left, right = (
        [("", "One Card · round 1")],
        [("", "host "), ("", "ana"), ("", " · "), ("", "turn "), ("", "ben 0:05")],
    )
    said = {width: "".join(text for _, text in spread(left, right, width)) for width in (44, 43, 30, 26)}
    assert said == {
        44: "One Card · round 1  host ana · turn ben 0:05",
        43: "One Card · round 1            turn ben 0:05",
        30: "One Card · rou…  turn ben 0:05",
        26: "One Card · round 1",
    }
