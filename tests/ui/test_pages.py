"""Pages of text."""

from __future__ import annotations

from p2pcards.commands.help import HelpLine
from p2pcards.ui import pages
from p2pcards.ui.frame import compose, page_rows
from p2pcards.ui.local import Happened, Local
from p2pcards.ui.theme import Look, Size
from tests.testing.screens import text_of, texts

SIZE = Size(80, 24)
LONG = [f"line {number}" for number in range(100)]


def test_headings_stand_out_and_signs_of_markdown_go() -> None:
    lines = pages.lay_out(["## The cards", "**R1.** Three play *one* deck, 2 * 3.", "* a list", "  indented"], 80)
    assert texts(lines) == [" The cards", " R1. Three play one deck, 2 * 3.", " * a list", "   indented"]
    assert lines[0][0][0] == "class:title"


def test_long_paragraphs_are_wrapped_under_each_other() -> None:
    lines = texts(pages.lay_out(["* " + "word " * 10], 30))
    assert lines == [" * word word word word word", "   word word word word word"]


def test_what_to_type_has_a_column_of_its_own() -> None:
    told = pages.help_text([HelpLine("draw", "take a card"), HelpLine("call", "call a draw", ("fight", "knock"))])
    assert texts(pages.lay_out(told, 80)) == [" draw   take a card", " call   call a draw (also fight, knock)"]


def test_the_log_keeps_rounds_apart_and_marks_what_is_new() -> None:
    happened = [
        Happened("ben sat down."),
        Happened("Round 1: you start.", begins=True),
        Happened("ben drew.", fresh=True),
    ]
    told = pages.log_text([*happened, Happened("the line is lost.", wrong=True)])
    lines = pages.lay_out(told, 80)
    assert texts(lines) == ["   ben sat down.", "", " Round 1: you start.", " • ben drew.", " ! the line is lost."]
    assert lines[2][0][0] == "class:title"
    (said,) = pages.lay_out(pages.log_text([Happened("ben: **no** *way*", chat=True)]), 80)
    assert text_of(said) == " » ben: **no** *way*"
    told = pages.log_text([Happened("ben drew. " * 4, fresh=True), Happened("ben: hello " * 3, chat=True)])
    assert texts(pages.lay_out(told, 30)) == [
        " • ben drew. ben drew. ben",
        "   drew. ben drew.",
        " » ben: hello ben: hello",
        " › ben: hello",
    ]


def test_how_a_page_is_turned_and_closed_stays_where_there_is_little_room() -> None:
    for cols, beside in (
        (80, "lines 1-13 of 100 · PageUp, PageDown · Esc closes"),
        (40, "PageUp, PageDown · Esc closes"),
    ):
        size = Size(cols, 24)
        first, *_ = texts(compose(pages.draw("rules", LONG, size, Local()), size, Look(), Local()))
        assert first.startswith(" rules  ")
        assert first.rstrip().endswith(f"  {beside}")


def test_turning_pages_stops_at_both_ends() -> None:
    first = pages.draw("rules", LONG, SIZE, Local())
    assert text_of(first.drawings[0][0][0]) == " line 0"
    assert "1-" in text_of(first.status)
    ahead = pages.scrolled(LONG, 0, 1, SIZE)
    assert ahead == len(first.drawings[0][0])
    assert pages.scrolled(LONG, 0, -1, SIZE) == 0
    end = pages.scrolled(LONG, 0, 99, SIZE)
    assert text_of(pages.draw("rules", LONG, SIZE, Local(scroll=end)).drawings[0][0][-1]) == " line 99"
    assert pages.scrolled(LONG, len(LONG), -1, SIZE) < end


def test_lines_of_a_paragraph_are_wrapped_as_one() -> None:
    text = ["## Draw", "", "**R1.** Take", "a card.", "", "* one", "  more", "* two", "", "1. First", "   of all"]
    table = ["", "| card | does |", "| ---- | ---: |", "| 2 | two |"]
    joined = pages.paragraphs([*text, *table])
    assert joined[:3] == ["## Draw", "", "**R1.** Take a card."]
    assert joined[4:6] == ["* one more", "* two"]
    assert joined[7:] == ["1. First of all", "", "| card | does |", "| 2 | two |"]
    assert texts(pages.lay_out(["1. First of all"], 13)) == [" 1. First", "    of all"]


def test_on_a_wide_screen_a_page_goes_on_in_a_second_column() -> None:
    wide = Size(200, 60)
    rows = page_rows(wide)
    screen = pages.draw("rules", LONG, wide, Local())
    ((body, _),) = screen.drawings
    assert [part.split() for part in text_of(body[0]).split(" │ ")] == [["line", "0"], ["line", f"{rows}"]]
    assert len(body) == rows
    short = pages.draw("rules", LONG[:5], wide, Local())
    assert [text_of(line) for line in short.drawings[0][0]] == [f" line {place}" for place in range(5)]
    end = pages.scrolled(LONG, len(LONG), 1, wide)
    assert end + 2 * rows == len(LONG) or end == 0


def test_a_key_longer_than_its_column_stands_above_what_is_said_of_it() -> None:
    lines = [text_of(line) for line in pages.lay_out(["a\tone", f"{'b' * 40}\ttwo"], 60)]
    assert lines == [" a" + " " * 22 + "one", " " + "b" * 40, " " * 24 + "two"]


def test_a_short_page_has_no_numbers() -> None:
    assert text_of(pages.draw("help", ["one"], SIZE, Local()).status) == "Esc closes"


def test_the_help_names_each_key_once() -> None:
    keys = [line.partition("\t")[0] for line in pages.keys_text()]
    assert len(set(keys)) == len(keys)
