"""How the screens look: named style classes, and one palette that can be read on dark and on light ground.

Only the 16 colours of the terminal's own palette are used, none of them for the ground and none that vanishes on a
common one (white, yellow, both blacks). Whatever a colour says is said by a sign, a word or bold type as well.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style


class Size(NamedTuple):
    """Columns and rows of the whole screen."""

    cols: int
    rows: int


class Look(NamedTuple):
    """What this terminal can show. unicode: suits and lines as glyphs, else letters; colours: the 16 ANSI colours.

    suits: as glyphs, where there are any; ace: how that rank is written on cards; depth: how many colours there are,
    None where the terminal's name says it.
    """

    unicode: bool = True
    colours: bool = True
    suits: bool = True
    ace: Literal["A", "1"] = "A"
    depth: ColorDepth | None = None


PALETTE = {
    "screen": "",
    "title": "bold",
    "title.note": "",
    "rule": "dim",
    "head": "dim",
    "rank": "dim",
    "dim": "dim",
    "key": "bold",
    "turn": "bold ansigreen",
    "me": "bold",
    "fresh": "bold",
    "chat": "ansibrightblue",
    "good": "ansigreen",
    "warn": "bold ansired",
    "coach": "italic",
    "said": "bold",
    "question": "bold ansimagenta",
    "mark": "bold ansigreen",
    "offer.word": "",
    "offer.note": "dim",
    "offer.rest": "dim",
    "offer.chosen": "reverse",
    "card.edge": "dim",
    "card.raised": "bold",
    "card.cursor": "reverse",
    "card.new": "underline",
    "suit.s": "bold",
    "suit.h": "bold ansired",
    "suit.d": "bold ansibrightblue",
    "suit.c": "bold ansigreen",
}
"""Style class to its look."""


def style() -> Style:
    """The palette for prompt_toolkit."""
    return Style(list(PALETTE.items()))
