"""Text measured in cells of the screen, so that no line is ever wider than it and no column moves.

Terminals disagree about the width of joined emoji, flags and variation selectors; one wrong guess shifts the rest of
the line. `clean` therefore turns any text into one that all of them draw alike: joins are taken apart, flags become
their letters, what has no width and is no accent goes. Everything that is measured here is cleaned first.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

Fragment = tuple[str, str]
"""A style (prompt_toolkit's notation) and a text without line ends."""

Line = list[Fragment]

_LETTERS = {0x1F1E6 + place: chr(ord("A") + place) for place in range(26)}  # regional indicators: two make a flag
_TONES = range(0x1F3FB, 0x1F400)  # skin tones: a cell of their own in some terminals, none in others
_ACCENTS = 2  # on one letter; more of them grow over the neighbouring lines
_UNSURE = {"Co", "Cs", "Cn"}  # private, half a pair, not known to this Python: drawn as nobody knows what


_NARROW = re.compile(r"[ -~¡-¬®-\u02ff\u1e00-\u1eff‐-‧─-╿]*")
"""Text each of whose letters takes one cell: all that European languages and Vietnamese need, and lines."""


@lru_cache(maxsize=8192)
def get_cwidth(text: str) -> int:
    """How many cells the text takes, as prompt_toolkit has it; that is loaded only where it isn't plain to see."""
    if _NARROW.fullmatch(text):
        return len(text)
    from prompt_toolkit.utils import get_cwidth as measured

    return measured(text)


@lru_cache(maxsize=4096)
def clean(text: str) -> str:
    """The text as every terminal draws it alike, on one line; a text of nothing visible becomes `?`."""
    if text.isascii() and text.isprintable():
        return text
    kept: list[str] = []
    accents = 0
    for char in unicodedata.normalize("NFC", text).translate(_LETTERS):
        category = unicodedata.category(char)
        if char.isspace():
            kept.append(" ")
        elif category in _UNSURE:
            kept.append("?")
        elif ord(char) in _TONES:
            continue
        elif get_cwidth(char) > 0 and category not in ("Cc", "Cf"):
            kept.append(char)
            accents = 0
        elif category in ("Mn", "Me") and not 0xFE00 <= ord(char) <= 0xFE0F and kept and accents < _ACCENTS:
            kept.append(char)
            accents += 1
    return "".join(kept) or "?"


_PLAIN = str.maketrans(
    {
        **dict.fromkeys("─━═", "-"),
        **dict.fromkeys("│┃", "|"),
        **dict.fromkeys("╭╮╰╯┬┴├┤┼┌┐└┘", "+"),
        **dict.fromkeys("·…", "."),
        "▸": ">",
        **dict.fromkeys("»›", ">"),
        "•": "*",
        "▾": "v",
        "▴": "^",
        "−": "-",
        "×": "x",
        "±": "~",
        "░": "/",
        "→": ">",
        "✓": "+",
        "✗": "!",
        "♣": "C",
        "♦": "D",
        "♥": "H",
        "♠": "S",
        **dict.fromkeys("‘’", "'"),
        **dict.fromkeys("“”", '"'),
        **dict.fromkeys("–—", "-"),
    }
)


@lru_cache(maxsize=4096)
def ascii_only(text: str) -> str:
    """The cleaned text in ASCII, of the same width: our own signs have theirs, other letters lose their accents."""
    text = clean(text)
    if text.isascii():
        return text
    kept: list[str] = []
    for char in text.translate(_PLAIN):
        plain = char if char.isascii() else unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode()
        width = get_cwidth(char)
        kept.append(plain[:width].ljust(width, "?") if plain or width else "")
    return "".join(kept)


def cells(text: str) -> int:
    """How many cells the cleaned text takes."""
    return get_cwidth(clean(text))


def width_of(line: Iterable[Fragment]) -> int:
    """How many cells the line takes."""
    return sum(cells(text) for _, text in line)


def cut(text: str, width: int) -> str:
    """The cleaned text in at most `width` cells, with `…` where something is missing."""
    text = clean(text)
    if get_cwidth(text) <= width:
        return text
    return _head(text, width - 1) + "…" if width > 0 else ""


def cut_apart(text: str, others: Iterable[str], width: int) -> str:
    """Like `cut`, but unlike what `cut` makes of the others: where they begin alike, the end tells them apart."""
    text, short = clean(text), cut(text, width)
    if short == text:
        return text
    alike = {text, *(other for other in map(clean, others) if cut(other, width) == short)}
    for tail in range(1, width - 1 if len(alike) > 1 else 0):
        end = text[-tail:]
        if get_cwidth(end) < width - 1 and len({one[-tail:] for one in alike}) == len(alike):
            return f"{_head(text, width - 1 - get_cwidth(end))}…{end}"
    return short


def pad(text: str, width: int, right: bool = False) -> str:
    """The cleaned text in exactly `width` cells, cut or filled up; right: numbers, filled up in front."""
    text = cut(text, width)
    space = " " * (width - get_cwidth(text))
    return space + text if right else text + space


def fit(line: Sequence[Fragment], width: int) -> Line:
    """The line in at most `width` cells, cut between two characters."""
    fitted: Line = []
    left = width
    for style, text in line:
        text = clean(text) if text else ""
        size = get_cwidth(text)
        if size > left:
            fitted.append((style, cut(text, left)))
            break
        fitted.append((style, text))
        left -= size
    return fitted


def fill(line: Sequence[Fragment], width: int) -> Line:
    """The line in exactly `width` cells."""
    fitted = fit(line, width)
    return [*fitted, ("", " " * (width - width_of(fitted)))]


def spread(left: Sequence[Fragment], right: Sequence[Fragment], width: int) -> Line:
    """One line with something at both ends; where they don't fit the left one is cut, down to half of the line.

    Then the right one loses what stands before its ` · `, and at last is left out.
    """
    while (free := width - width_of(right) - 2) < min(width // 2, width_of(left)):
        dots = [place for place, (_, text) in enumerate(right) if text == " · "]
        if not dots:
            return fit(left, width)
        right = right[dots[0] + 1 :]
    start = fit(left, free)
    return [*start, ("", " " * (width - width_of(start) - width_of(right))), *right]


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` cells, broken between words; one too long breaks behind a `/` or `-`."""
    lines = [""]
    for word in clean(text).split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if get_cwidth(longer) <= width:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        while get_cwidth(word) > width and (head := _head(word, width)):
            head = head[: max(map(head.rfind, "/-")) + 1] or head
            lines[-1:] = [head, ""]
            word = word[len(head) :]
        lines[-1] = word if get_cwidth(word) <= width else ""
    return lines


def flow(items: Iterable[Sequence[Fragment]], width: int, gap: int = 1, indent: int = 0) -> list[Line]:
    """Items beside each other in as many lines as they need.

    One wider than a line goes on in the next, behind `indent` cells, broken between two of its fragments.
    """
    lines: list[Line] = []
    used = width
    for item in items:
        size = width_of(item)
        if lines and used + gap + size <= width:
            lines[-1] += [("", " " * gap), *item]
            used += gap + size
        elif size <= width:
            lines.append(fit(item, width))
            used = size
        else:
            lines += _pieces(item, width, indent)
            used = width_of(lines[-1])
    return lines


def _pieces(item: Sequence[Fragment], width: int, indent: int) -> list[Line]:
    pieces: list[Line] = [[]]
    used = 0
    for fragment in item:
        size = width_of([fragment])
        if used and used + size > width:
            if not fragment[1].strip():
                continue
            pieces.append([("", " " * indent)])
            used = indent
        pieces[-1] += fit([fragment], max(0, width - used))
        used += size
    return pieces


def _head(text: str, width: int) -> str:
    """The longest start of a cleaned text that takes at most `width` cells, accents kept with their letters."""
    used = 0
    for place, char in enumerate(text):
        used += get_cwidth(char)
        if used > width:
            return text[:place]
    return text
