"""Cards on the screen: as text, and as small boxes."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from itertools import groupby

from p2pcards.cards import Card, Cards, Ranking, face
from p2pcards.ui.width import Fragment, Line

_GLYPHS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_UNDERLINES = "━═─"
"""Cards of one meld have the same line under them."""

BOX = 4
"""Cells that one boxed card takes."""

LARGE = 9
"""Cells that a large one takes."""


NEW = "•"
"""Behind what others put there since my last turn."""


def card(ranking: Ranking, which: Card, mark: str = "", *, new: bool = False) -> Fragment:
    """Rank, suit and a mark behind them: `7♥•`; ASCII mode makes letters of the glyphs. new: it stands out, as one
    that is marked as new does."""
    text = ranking.format(which)
    style = f"class:suit.{text[1].lower()}"
    return f"{style} class:card.new" if new or mark == NEW else style, text[0] + _GLYPHS[text[1]] + mark


def cards(
    ranking: Ranking, which: Iterable[Card], fresh: Container[Card] = (), apart: str = " ", *, marks: bool = True
) -> Line:
    """The cards in the order given; those of `fresh` stand out, and are marked if `marks`."""
    line: Line = []
    for one in which:
        if line:
            line.append(("", apart))
        new = one in fresh
        line.append(card(ranking, one, NEW if new and marks else "", new=new))
    return line


def counted(ranking: Ranking, which: Iterable[Card]) -> Line:
    """The cards in the order given, neighbours of one face as one: `8♥×2`."""
    line: Line = []
    for one, same in groupby(which, key=face):
        copies = len(tuple(same))
        line.append(card(ranking, one, f"×{copies}" if copies > 1 else ""))
    return line


def boxes(
    ranking: Ranking, which: Sequence[Card], first: int = 0, fresh: Container[Card] = (), *, marks: bool = True
) -> list[Line]:
    """Three lines with a box for each card; `first`: the number of the first one, which stands in its lower edge as
    it is typed, and so on; 0 for none. Those of `fresh` stand out, with a mark in their upper edge if `marks`."""
    upper: Line = []
    middle: Line = []
    for one in which:
        new = one in fresh
        marked = [("class:card.edge", "╭─"), ("class:fresh", NEW), ("class:card.edge", "╮")]
        upper += marked if new and marks else [("class:card.edge", "╭──╮")]
        middle += [("class:card.edge", "│"), card(ranking, one, new=new), ("class:card.edge", "│")]
    feet = (number(first + place) if first else "──" for place in range(len(which)))
    return [
        upper,
        middle,
        [("class:card.edge", "".join(f"╰{foot}╯" for foot in feet))],
    ]


def large(ranking: Ranking, which: Card, label: str = "", *, new: bool = False) -> list[Line]:
    """Five lines with one card, a word of at most 7 cells in the middle."""
    style, text = card(ranking, which, new=new)
    bare, _ = card(ranking, which)
    side = ("class:card.edge", "│")
    return [
        [("class:card.edge", "╭───────╮")],
        [side, (style, text), ("", " " * 5), side],
        [side, (bare, f"{label:^7}"), side],
        [side, ("", " " * 5), (style, text), side],
        [("class:card.edge", "╰───────╯")],
    ]


def number(place: int) -> str:
    """What to type for the card at that place of the hand, in two cells: `#3`, without the `#` where it has no room."""
    return f"#{place}" if place < 10 else str(place)


def backs(count: int) -> list[Line]:
    """Three lines with so many cards face down."""
    return [[("class:card.edge", part * count)] for part in ("╭──╮", "│░░│", "╰──╯")]


def underline(which: Sequence[Card], groups: Sequence[Cards], sizes: Sequence[int], gap: int) -> Line:
    """A line under cards of so many cells each, `gap` apart: joined within a group, of another kind under the next."""
    marks = [next((place for place, group in enumerate(groups) if group >> one & 1), None) for one in which]
    line: Line = []
    for place, (mark, size) in enumerate(zip(marks, sizes, strict=True)):
        sign = " " if mark is None else _UNDERLINES[mark % len(_UNDERLINES)]
        joined = mark is not None and place + 1 < len(marks) and marks[place + 1] == mark
        line += [("class:good", sign * size), ("class:good", (sign if joined else " ") * gap)]
    return line
