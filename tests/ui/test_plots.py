"""Drawings of rating and score: as wide as the screen, in letters where it has no signs, or why there is none."""

from __future__ import annotations

import pytest

from p2pcards.ui.plots import MANY, ROWS, Course, drawn
from p2pcards.ui.width import cells


def course(matches: int, rated: int | None = None, nick: str = "ana") -> Course:
    """So many matches, one a day, of which so many rate."""
    dates = [f"2026-{1 + day // 28:02d}-{1 + day % 28:02d}T20:00:00Z" for day in range(matches)]
    count = matches if rated is None else rated
    ratings = [(date, 25 + 3 / (1 + day), 8 / (1 + day)) for day, date in enumerate(dates[:count])]
    return Course(nick, "tienlen", ratings, [(date, day % 5) for day, date in enumerate(dates)])


@pytest.mark.parametrize("width", [30, 60, 80, 132])
@pytest.mark.parametrize("nick", ["ana", "卡牌桌卡牌桌卡牌桌卡牌桌卡牌桌卡牌桌"])
def test_both_are_drawn_as_wide_as_the_screen(width: int, nick: str) -> None:
    lines = drawn(course(30, nick=nick), width, ascii=False, color=False)
    assert len(lines) == 2 * (ROWS + 1)
    assert [line for line in lines if cells(line) > width] == []
    assert max(map(cells, lines)) == width
    assert all(line.isprintable() for line in lines)


def test_dates_stand_below_and_the_title_says_what_it_is() -> None:
    lines = drawn(course(30), 80, ascii=False, color=False)
    assert lines[0].strip() == "rating of ana in Tiến lên, ± its spread"
    assert lines[ROWS + 1].strip() == "score of ana in Tiến lên"
    assert lines[ROWS - 1].split()[0] == "2026-01-01"
    assert lines[ROWS - 1].split()[-1] == "2026-02-02"


def test_of_many_scores_some_in_a_row_are_one() -> None:
    assert "the mean of" not in drawn(course(MANY), 80, ascii=False, color=False)[ROWS + 1]
    lines = drawn(course(MANY + 1), 80, ascii=False, color=False)[ROWS + 1 :]
    assert lines[0].strip() == "score of ana in Tiến lên, the mean of 10 matches in a row"
    marks = {float(line.split("┤")[0]) for line in lines if "┤" in line}
    assert marks <= {1.0, 1.5, 2.0, 2.5, 3.0}  # every mean is 2; single scores go from 0 to 4


def test_where_signs_cannot_be_shown_it_is_letters_alone() -> None:
    lines = drawn(course(30), 80, ascii=True, color=False)
    assert all(line.isascii() for line in lines)
    assert any("*" in line for line in lines)


def test_colours_only_where_they_are_wanted() -> None:
    assert any("\x1b[" in line for line in drawn(course(30), 80, ascii=False, color=True))
    assert not any("\x1b" in line for line in drawn(course(30), 80, ascii=False, color=False))


def test_too_little_to_draw_is_said() -> None:
    assert drawn(course(1), 90, ascii=False, color=False) == [
        "The rating of ana in Tiến lên can't be drawn yet: it takes 2 matches with other people.",
        "",
        "The score of ana in Tiến lên can't be drawn yet: it takes 2 matches.",
        "",
    ]
    lines = drawn(course(5, rated=0), 90, ascii=False, color=False)
    assert lines[0].startswith("The rating of ana in Tiến lên can't be drawn yet")
    assert len(lines) == ROWS + 3


def test_a_screen_that_is_too_narrow_is_told() -> None:
    assert drawn(course(5), 29, ascii=False, color=False)[0] == "rating of ana in Tiến lên, ±…"
