"""Cards as they look on a real table: pips where they belong, an ace, and our own jack, queen and king.

Rank and suit stand in the edge, so that the whole face is free, and cards that overlap can still be told apart: `step`
says how many cells of each but the last are seen. Every sign of a figure has a letter of its own in ASCII mode.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from p2pcards.cards import Card, Ranking
from p2pcards.ui.cards import NEW, card, number
from p2pcards.ui.width import Line

WIDTH = 9
"""Cells of a whole card."""

STEP = 7
"""Cells of one that the next one covers, all its pips among them."""

EDGE = 3
"""Cells of one of which only rank and suit are seen."""

_FACE = WIDTH - 2
_BLANK, _ONE, _TWO, _THREE, _FOUR = "       ", "   x   ", " x   x ", " x x x ", " xx xx "

_TALL: Mapping[str, tuple[str, ...]] = {
    "A": ("   .   ", "  / \\  ", " < x > ", "  \\ /  ", "   '   "),
    "2": (_ONE, _BLANK, _BLANK, _BLANK, _ONE),
    "3": (_ONE, _BLANK, _ONE, _BLANK, _ONE),
    "4": (_TWO, _BLANK, _BLANK, _BLANK, _TWO),
    "5": (_TWO, _BLANK, _ONE, _BLANK, _TWO),
    "6": (_TWO, _BLANK, _TWO, _BLANK, _TWO),
    "7": (_TWO, _ONE, _TWO, _BLANK, _TWO),
    "8": (_TWO, _ONE, _TWO, _ONE, _TWO),
    "9": (_TWO, _TWO, _ONE, _TWO, _TWO),
    "T": (_TWO, _THREE, _BLANK, _THREE, _TWO),
    "J": ("    /  ", " (══/) ", " │o o│ ", "  \\─/  ", " /vxv\\ "),
    "Q": ("  .▴.  ", " /═x═\\ ", "(│o o│)", "( \\▾/ )", " \\ x / "),
    "K": (" ▴ ▴ ▴ ", " \\═x═/ ", " (o o) ", " \\\\▾// ", "/\\ x /\\"),
}
_LOW: Mapping[str, tuple[str, ...]] = {
    "A": ("  / \\  ", " < x > ", "  \\ /  "),
    "2": (_ONE, _BLANK, _ONE),
    "3": (_ONE, _ONE, _ONE),
    "4": (_TWO, _BLANK, _TWO),
    "5": (_TWO, _ONE, _TWO),
    "6": (_TWO, _TWO, _TWO),
    "7": (_TWO, _THREE, _TWO),
    "8": (_THREE, _TWO, _THREE),
    "9": (_THREE, _THREE, _THREE),
    "T": (_THREE, _FOUR, _THREE),
    "J": (" (══/) ", " │o o│ ", "  \\─/  "),
    "Q": (" /═x═\\ ", "(│o o│)", "( \\▾/ )"),
    "K": (" ▴═x═▴ ", " (o o) ", " \\\\▾// "),
}
"""With three rows for pips: those that would stand between two rows stand in one of them."""

_WORD_AT = {"2": 2, "3": 3, "7": 3}
"""The row of a word on a tall card, where no pip stands; on figures it is the last."""
_LOW_WITH_WORD: Mapping[str, tuple[str, ...]] = {"3": (_THREE, _BLANK, _BLANK), "7": (_THREE, _FOUR, _BLANK)}


def face(rank: str, word: str = "", low: bool = False) -> tuple[str, ...]:
    """The face of a card, `x` for its suit: five rows, or three. word: at most 7 cells, what the card does."""
    if not word:
        return (_LOW if low else _TALL)[rank]
    rows = list(_LOW_WITH_WORD.get(rank, _LOW[rank]) if low else _TALL[rank])
    rows[(1 if rank == "2" else 2) if low else _WORD_AT.get(rank, 4)] = f"{word:^{_FACE}}"
    return tuple(rows)


def height(low: bool) -> int:
    """Rows of a card."""
    return 5 if low else 7


def across(count: int, step: int) -> int:
    """Cells of so many cards."""
    return (count - 1) * step + WIDTH if count else 0


def fan(
    ranking: Ranking,
    which: Sequence[Card],
    step: int = WIDTH,
    *,
    low: bool = False,
    first: int = 0,
    words: Mapping[str, str] | None = None,
    fresh: Container[Card] = (),
    marks: bool = True,
) -> list[Line]:
    """The cards beside each other, each on the one to its left. first: the number of the first one, which stands in its
    lower edge as it is typed, and so on; 0 for none; words: what cards of a rank do. Those of `fresh` stand out, if
    `marks` with a mark where it has room."""
    lines: list[Line] = [[] for _ in range(height(low))]
    for place, one in enumerate(which):
        whole = place == len(which) - 1 or step >= WIDTH
        seen = WIDTH if whole else step
        style, text = card(ranking, one)
        rank, sign = text[0], text[1]
        edge, foot = "class:card.edge", number(first + place) if first else "──"
        new, rest = one in fresh, ("─" * 5 + "╮")[: seen - 3]
        lines[0] += [(edge, "╭"), card(ranking, one, new=new)]
        lines[0] += [("class:fresh", NEW), (edge, rest[1:])] if new and marks and rest else [(edge, rest)]
        for line, row in zip(lines[1:-1], face(rank, (words or {}).get(rank, ""), low), strict=True):
            line += [(edge, "│"), (style, row.replace("x", sign)[: seen - 1]), (edge, "│" if whole else "")]
        lines[-1].append((edge, f"╰{foot}─────╯"[: seen - 1] + "╯" if whole else f"╰{foot}─────"[:seen]))
    return lines


def backs(count: int, step: int = WIDTH, *, low: bool = False) -> list[Line]:
    """So many cards face down."""
    rows = ["╭───────╮", *["│░░░░░░░│"] * (height(low) - 2), "╰───────╯"]
    return [[("class:card.edge", row[:step] * (count - 1) + row)] for row in rows] if count else []
