"""Pages of text that cover the table while they are read: help, rules, the log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from p2pcards.ui.frame import Screen, page_rows
from p2pcards.ui.keynames import CLOSE, NAMES, named
from p2pcards.ui.local import Happened, Local
from p2pcards.ui.phases import HERE
from p2pcards.ui.theme import Size
from p2pcards.ui.width import Line, cells, fill, pad, wrap

if TYPE_CHECKING:
    from p2pcards.commands.help import HelpLine


_EMPHASIS = re.compile(r"(\*\*|(?<![\w*])\*(?=\S))(.+?)\1(?!\w)")
"""Markdown's bold and italics in the rules."""


KEYS = (
    ("Tab, Shift-Tab", "take the next suggestion, or the one before"),
    ("Right, Ctrl-E", "take the grey rest of a line typed before; only what you may do is offered"),
    ("Enter", "do what is typed; an empty line does nothing"),
    ("{close}", "close a page or a question, take a suggestion back"),
    ("Up, Down", "lines typed before; suggestions once one is taken"),
    ("Ctrl-R", "search the lines typed before"),
    ("{page_up}, {page_down}", "turn the page that is open"),
    ("{help}", "this help; in a round once more for the rules, where you are in them"),
    ("{hide}", "hide your cards, or show them"),
    ("{cards}", "show cards in the next way that has room"),
    ("{log}", "the log of what happened"),
    ("{picker}", "pick cards with the arrows, or type again"),
    ("Ctrl-C", "clear the line; on an empty line end the program"),
    ("{leave}", "leave the table; at home end the program"),
    ("{redraw}", "draw the screen again"),
    ("{suspend}", "suspend the program"),
)
"""What each key does; in braces those that can be others."""

_BEGINS = re.compile(r"#|\||[*-] |\d+\. ")
"""What lines of the rules begin with that begin something of their own."""

_UNDERLINED = re.compile(r"\|[\s:|-]+\|")
"""Markdown's line under the head of a table."""

_NUMBERED = re.compile(r"\d+\. ")

_MARKS = ("* ", "- ", "• ", "! ")
"""Before paragraphs whose other lines stand under their text."""

_LOUD = {"• ": "class:fresh", "! ": "class:warn", "» ": "class:chat"}
"""Before paragraphs that catch the eye, and how."""

_TWO_COLUMNS = 160
"""Columns of a screen from which on a page has two of its own."""
_BETWEEN = " │ "

_LEAST_KEYS = 18
"""Cells that the column of what is explained may have in any case."""

_TITLES = {
    "history": "what was played",
    "set": "rules of the table",
    "stats": "what it came to",
    "tell": "what you are told of",
    "legal": "what you may do",
}
"""Of pages that are not called as what opens them."""

SINCE = "Since your last turn"


def draw(title: str, text: Sequence[str], size: Size, local: Local) -> Screen:
    """The part of the text that `local.scroll` is at; paragraphs are wrapped, lines that start with spaces kept so.
    On a wide screen it goes on in a second column."""
    width, rows = _page(size)
    lines = lay_out(text, width)
    first = _clamp(local.scroll, len(lines), rows)
    last = min(len(lines), first + rows)
    status = [closing(local.keys)]
    if len(lines) > rows:
        status = [f"lines {first + 1}-{last} of {len(lines)}", *turning(local.keys)]
    return Screen(
        [("class:title", _TITLES.get(title, title))],
        aside(status),
        [(_beside(lines[first:last], width, page_rows(size)), [])],
        news=False,
    )


def help_text(known: Iterable[HelpLine]) -> list[str]:
    """What to type, and behind a tab what it does."""
    lines = []
    for line in known:
        also = f" (also {', '.join(line.aliases)})" if line.aliases else ""
        lines.append(f"{line.usage}\t{line.help}{also}")
    return lines


def keys_text(keys: Mapping[str, str] = NAMES, known: Iterable[tuple[str, str]] = KEYS) -> list[str]:
    """The keys, as help shows them. keys: their names by action; known: what each does, in braces the actions."""
    shown = ((named(key, keys), does) for key, does in known)
    return ["# Keys", *(f"{key}\t{does}" for key, does in shown if key)]


def closing(keys: Mapping[str, str]) -> str:
    """Which key closes a page."""
    return f"{keys[CLOSE] or '`table`'} closes"


def turning(keys: Mapping[str, str]) -> list[str]:
    """Likewise, behind those that turn it."""
    return [*filter(None, (named("{page_up}, {page_down}", keys), closing(keys)))]


def aside(parts: Iterable[str]) -> Line:
    """What stands beside a page's title; where there is no room for all of it the first parts go."""
    line: Line = []
    for part in parts:
        line += [*([("class:dim", " · ")] if line else []), ("class:dim", part)]
    return line


def log_text(happened: Sequence[Happened], since: int = 0) -> list[str]:
    """What happened, oldest first: rounds apart, what is new marked, a line above the last `since`."""
    lines: list[str] = []
    for place, one in enumerate(happened):
        if since and place == max(0, len(happened) - since):
            lines += [*([""] if lines else []), f"# {SINCE}"]
        if one.begins:
            lines += ["", f"# {one.text}"]
        else:
            lines.append(f"{'»' if one.chat else '!' if one.wrong else '•' if one.fresh else ' '} {one.text}")
    return lines


def paragraphs(text: Iterable[str]) -> list[str]:
    """The text with what was broken into lines in one piece again, to be wrapped anew."""
    whole: list[str] = []
    for line in text:
        bare = line.strip()
        if _UNDERLINED.fullmatch(bare):
            continue
        if bare and whole and whole[-1] and not whole[-1].startswith(("#", "|")) and not _BEGINS.match(bare):
            whole[-1] += f" {bare}"
        else:
            whole.append(line)
    return whole


def lay_out(text: Sequence[str], width: int) -> list[Line]:
    """The text in lines of the screen's width: headings stand out, what stands before a tab has a column of its own."""
    lines: list[Line] = []
    keys = [cells(paragraph.partition("\t")[0]) for paragraph in text if "\t" in paragraph]
    column = min(max(keys, default=0), max(_LEAST_KEYS, width // 3))
    for paragraph in text:
        key, tab, rest = paragraph.partition("\t")
        if tab:
            first, *more = wrap(rest, max(1, width - column - 5))
            if cells(key) > column:
                lines.append([("class:key", f" {key}")])
                key = ""
            lines.append([("class:key", f" {pad(key, column)}"), ("", f"   {first}")])
            lines += [[("", " " * (column + 4) + line)] for line in more]
            continue
        said = paragraph.startswith("» ")  # what people say is shown as they wrote it
        bare = paragraph if said else _EMPHASIS.sub(r"\2", paragraph).lstrip(" ")
        indent = " " * (1 + len(paragraph) - len(paragraph.lstrip(" ")))
        heading = bare.startswith("#")
        above = "class:turn" if bare.endswith(HERE) else "class:title"
        style = above if heading else _LOUD.get(paragraph[:2], "")
        body = bare.lstrip("#").lstrip() if heading else bare
        hang = indent + ("  " if bare.startswith(_MARKS) else "")
        hang += " " * len(numbered[0]) if (numbered := _NUMBERED.match(bare)) else ""
        hang = " › " if said else hang
        first, *more = wrap(body, max(1, width - len(hang) - 1))
        lines += [[(style, indent + first)], *([(style, hang + line)] for line in more)]
    return lines


def first_line(text: Sequence[str], place: int, size: Size) -> int:
    """The line of the page on which that line of the text begins."""
    return len(lay_out(text[:place], _page(size)[0]))


def scrolled(text: Sequence[str], scroll: int, pages: int, size: Size) -> int:
    """The first line that is shown after so many pages more."""
    width, rows = _page(size)
    lines = len(lay_out(text, width))
    return _clamp(_clamp(scroll, lines, rows) + pages * rows, lines, rows)


def _page(size: Size) -> tuple[int, int]:
    """How wide the lines of a page are, and how many of them the screen shows."""
    rows = page_rows(size)
    return (size.cols, rows) if size.cols < _TWO_COLUMNS else ((size.cols - len(_BETWEEN)) // 2, 2 * rows)


def _beside(lines: list[Line], width: int, rows: int) -> list[Line]:
    """What is longer than the screen is high goes on in the second column."""
    left, right = lines[:rows], lines[rows:]
    if not right:
        return left
    pairs = zip(left, [*right, *([] for _ in range(rows - len(right)))], strict=True)
    return [[*fill(one, width), ("class:rule", _BETWEEN), *other] for one, other in pairs]


def _clamp(scroll: int, lines: int, rows: int) -> int:
    """The nearest first line that leaves no empty room under the last one."""
    return max(0, min(scroll, lines - rows))
