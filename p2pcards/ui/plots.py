"""How a person's rating and score in a game changed, drawn in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from p2pcards.ui.width import ascii_only, clean, cut, wrap
from p2pcards.ui.words_stats import title

ROWS = 14
"""Of one drawing, with its title and its dates."""

FEWEST = 2
"""Points that make a line."""

MANY, MEAN = 40, 10
"""Of more scores than that so many in a row are drawn as one, for they jump."""

_LEAST = 30
"""Columns in which anything can be seen."""

_LABEL = 12
"""Columns for a date under the drawing, with some room."""


class Course(NamedTuple):
    """One person in one game. ratings: date, mean and spread after each match that rates; scores: date and points."""

    nick: str
    game: str
    ratings: Sequence[tuple[str, float, float]]
    scores: Sequence[tuple[str, int]]


def drawn(course: Course, width: int, *, ascii: bool, color: bool) -> list[str]:
    """Both drawings; a sentence for what has too few points."""
    of = f"{clean(course.nick)} in {title(course.game)}"
    dates, means, spreads = zip(*course.ratings, strict=True) if course.ratings else ((), (), ())
    edges = [[mean + sign * spread for mean, spread in zip(means, spreads, strict=True)] for sign in (1, -1)]
    lines = _one(f"rating of {of}, ± its spread", dates, [means, *edges], width, ascii, color)
    if lines is None:
        lines = wrap(f"The rating of {of} can't be drawn yet: it takes {FEWEST} matches with other people.", width)
    days, points = zip(*course.scores, strict=True) if course.scores else ((), ())
    mean = MEAN if len(points) > MANY else 1
    over = f", the mean of {mean} matches in a row" if mean > 1 else ""
    scores = _one(f"score of {of}{over}", days[mean - 1 :], [_means(points, mean)], width, ascii, color)
    if scores is None:
        scores = wrap(f"The score of {of} can't be drawn yet: it takes {FEWEST} matches.", width)
    return [*lines, "", *scores, ""]


def _means(points: Sequence[int], count: int) -> list[float]:
    """Of each `count` in a row."""
    return [sum(points[end - count : end]) / count for end in range(count, len(points) + 1)]


def _one(
    head: str, dates: Sequence[str], lines: Sequence[Sequence[float]], width: int, ascii: bool, color: bool
) -> list[str] | None:
    """One drawing of lines over the matches in their order, with dates below; the first line catches the eye."""
    if len(dates) < FEWEST:
        return None
    if width < _LEAST:
        return [cut(f"{head}: this takes {_LEAST} columns.", width)]
    import plotext  # type: ignore[import-untyped]  # it has none; and it is long to load, so only a drawing waits

    plotext.terminal.limit(False, False)  # the width is known here
    figure: Any = plotext.figure
    figure.clear()
    figure.theme("colorless")
    for place, line in reversed([*enumerate(lines)]):
        figure.draw(_signal(plotext, line, first=place == 0, ascii=ascii, color=color))
    figure.title(cut(head, width - 2))
    figure.plot_size(width, ROWS)
    places = _spread(len(dates), (width - _LABEL) // _LABEL)
    figure.ruler("x").ticks([place + 1 for place in places], [dates[place][:10] for place in places])
    text: str = figure.build().string(colorless=not color)
    return [(ascii_only(line) if ascii else line).rstrip() for line in text.splitlines()]


def _signal(plotext: Any, line: Sequence[float], *, first: bool, ascii: bool, color: bool) -> Any:
    sign = ("*" if first else ".") if ascii else "braille"
    marker = plotext.marker(sign, "cyan" if first else "gray") if color else sign
    signal = plotext.figure.signal(list(map(float, line)), marker=marker)
    signal.lines()
    return signal


def _spread(count: int, most: int) -> list[int]:
    """Up to `most` places of so many, the first and the last among them."""
    most = max(2, min(most, count))
    return sorted({round(step * (count - 1) / (most - 1)) for step in range(most)})
