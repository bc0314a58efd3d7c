"""A painted screen as an SVG picture: text on a grid of cells, lines of boxes drawn as lines, on a dark ground."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from tests.testing.painted import Cells, Style

WIDE, HIGH = 8.4, 18
"""A cell."""
EDGE = 12
"""Around the screen."""

INK, GROUND = "#d7dae0", "#16181d"
COLOURS = {
    "black": "#3b4048",
    "red": "#e06c75",
    "green": "#98c379",
    "brown": "#d19a66",
    "yellow": "#d19a66",
    "blue": "#5c9ded",
    "magenta": "#c678dd",
    "cyan": "#56b6c2",
    "white": "#d7dae0",
    "brightblack": "#7a828e",
    "brightred": "#ff7a85",
    "brightgreen": "#b5e890",
    "brightbrown": "#e5c07b",
    "brightyellow": "#e5c07b",
    "brightblue": "#6cb6ff",
    "brightmagenta": "#de8ff2",
    "brightcyan": "#7fdbe6",
    "brightwhite": "#ffffff",
}
DIM = 0.62

FONTS = "DejaVu Sans Mono,Liberation Mono,Menlo,Consolas,monospace"
STYLE = "white-space:pre;font-variant-emoji:text"

_ARMS = {  # where a line leaves its cell: left, right, up, down
    "─": "lr",
    "━": "lr",
    "│": "ud",
    "┃": "ud",
    "╭": "rd",
    "┌": "rd",
    "╮": "ld",
    "┐": "ld",
    "╰": "ru",
    "└": "ru",
    "╯": "lu",
    "┘": "lu",
    "├": "rud",
    "┤": "lud",
    "┬": "lrd",
    "┴": "lru",
    "┼": "lrud",
}
_ROUND, _HEAVY = "╭╮╰╯", "━┃"


def svg(screen: Cells, title: str) -> str:
    """The whole picture. title: what it shows, for who can't see it."""
    width, height = screen.columns * WIDE + 2 * EDGE, screen.lines * HIGH + 2 * EDGE
    rows = [piece for row in range(screen.lines) for piece in _row(screen, row)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
            f'height="{height:g}" role="img" aria-label="{escape(title)}">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{GROUND}"/>',
            f'<g font-family="{FONTS}" font-size="14" fill="{INK}" style="{STYLE}">',
            *rows,
            "</g>",
            "</svg>\n",
        ]
    )


def _row(screen: Cells, row: int) -> Iterator[str]:
    for at, length, text, style in screen.runs(row):
        ink, ground = _inks(style)
        if ground != GROUND:
            yield (
                f'<rect x="{_x(at):g}" y="{EDGE + row * HIGH:g}" width="{length * WIDE:g}" height="{HIGH}" '
                f'fill="{ground}"/>'
            )
        if length == len(text):
            yield from _words(text, at, row, style, ink)
            yield from _lines(text, at, row, style, ink)
        elif text.strip():  # wide characters
            yield _text(text, at, length, row, style, ink)


def _words(text: str, at: int, row: int, style: Style, ink: str) -> Iterator[str]:
    """The words between lines and longer gaps, each in its place whatever the font."""
    start = 0
    shown = "".join(" " if char in _ARMS else char for char in text)
    for piece in shown.split("  "):
        word = piece.strip()
        if word:
            yield _text(word, at + start + piece.index(word), len(word), row, style, ink)
        start += len(piece) + 2


def _text(word: str, at: int, length: int, row: int, style: Style, ink: str) -> str:
    more = f' fill="{ink}"' if ink != INK else ""
    more += ' font-weight="bold"' if style.bold else ""
    more += ' font-style="italic"' if style.italics else ""
    more += ' text-decoration="underline"' if style.underscore else ""
    more += f' opacity="{DIM}"' if style.faint else ""
    y = EDGE + row * HIGH + 13.5
    return f'<text x="{_x(at):g}" y="{y:g}" textLength="{length * WIDE:g}"{more}>{escape(word)}</text>'


def _lines(text: str, at: int, row: int, style: Style, ink: str) -> Iterator[str]:
    for heavy in (False, True):
        path = "".join(_path(text, at, row, heavy))
        if path:
            more = f' opacity="{DIM}"' if style.faint else ""
            yield f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{2.4 if heavy else 1.1:g}"{more}/>'


def _path(text: str, at: int, row: int, heavy: bool) -> Iterator[str]:
    top, middle = EDGE + row * HIGH, EDGE + row * HIGH + HIGH / 2
    place = 0
    while place < len(text):
        char, first = text[place], place
        place += 1
        if char not in _ARMS or (char in _HEAVY) is not heavy:
            continue
        x = _x(at + first)
        if _ARMS[char] == "lr":  # as one line as far as it goes
            while place < len(text) and text[place] == char:
                place += 1
            yield f"M{x:g} {middle:g}H{_x(at + place):g}"
            continue
        ends = {
            "l": (x, middle),
            "r": (_x(at + place), middle),
            "u": (x + WIDE / 2, top),
            "d": (x + WIDE / 2, top + HIGH),
        }
        arms = [ends[arm] for arm in _ARMS[char]]
        if char in _ROUND:
            (x1, y1), (x2, y2) = arms
            yield f"M{x1:g} {y1:g}Q{x + WIDE / 2:g} {middle:g} {x2:g} {y2:g}"
        else:
            yield from (f"M{x + WIDE / 2:g} {middle:g}L{end:g} {down:g}" for end, down in arms)


def _inks(style: Style) -> tuple[str, str]:
    """Of what stands there and of the ground."""
    ink, ground = _ink(style.fg, INK), _ink(style.bg, GROUND)
    return (ground, ink) if style.reverse else (ink, ground)


def _ink(name: str, usual: str) -> str:
    return usual if name == "default" else COLOURS.get(name) or f"#{name}"


def _x(column: int) -> float:
    return round(EDGE + column * WIDE, 1)
