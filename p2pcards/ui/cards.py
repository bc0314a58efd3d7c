"""Cards on the screen: as text, and as small boxes."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from p2pcards.cards import Card, Cards, Ranking
from p2pcards.ui.width import Fragment, Line

_GLYPHS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_UNDERLINES = "━═─"
"""Cards of one meld have the same line under them."""

BOX = 4
"""Cells that one boxed card takes."""


def card(ranking: Ranking, which: Card, mark: str = "") -> Fragment:
    """Rank, suit and a mark behind them: `7♥•`; ASCII mode makes letters of the glyphs."""
    text = ranking.format(which)
    return f"class:suit.{text[1].lower()}", text[0] + _GLYPHS[text[1]] + mark


def cards(ranking: Ranking, which: Iterable[Card], fresh: Container[Card] = (), apart: str = " ") -> Line:
    """The cards in the order given, those of `fresh` marked."""
    line: Line = []
    for one in which:
        if line:
            line.append(("", apart))
        line.append(card(ranking, one, "•" if one in fresh else ""))
    return line


def boxes(ranking: Ranking, which: Sequence[Card], numbered: bool = False) -> list[Line]:
    """Three lines with a box for each card; numbered: what to type for it, `#` and its
    place from 1, stands in the lower edge, without the `#` where there is no room."""
    middle: Line = []
    for one in which:
        middle += [("class:card.edge", "│"), card(ranking, one), ("class:card.edge", "│")]
    feet = ((str(place) if place > 9 else f"#{place}") if numbered else "──" for place in range(1, len(which) + 1))
    return [
        [("class:card.edge", "╭──╮" * len(which))],
        middle,
        [("class:card.edge", "".join(f"╰{foot}╯" for foot in feet))],
    ]


def backs(count: int) -> list[Line]:
    """Three lines with so many cards face down."""
    return [[("class:card.edge", part * count)] for part in ("╭──╮", "│░░│", "╰──╯")]


def underline(which: Sequence[Card], groups: Sequence[Cards], size: int, gap: int) -> Line:
    """A line under cards of `size` cells, `gap` apart: joined within a group, of another kind under the next group."""
    marks = [next((place for place, group in enumerate(groups) if group >> one & 1), None) for one in which]
    line: Line = []
    for place, mark in enumerate(marks):
        sign = " " if mark is None else _UNDERLINES[mark % len(_UNDERLINES)]
        joined = mark is not None and place + 1 < len(marks) and marks[place + 1] == mark
        line += [("class:good", sign * size), ("class:good", (sign if joined else " ") * gap)]
    return line
