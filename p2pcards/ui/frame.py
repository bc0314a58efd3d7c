"""The one grammar of all screens.

From top to bottom: where I am and whose turn it is; the table; what just happened; my hand; the coach (or the answer to
what I typed, or a question); the menu in a strip of its own; the prompt; the keys. Everything under the table keeps its
height while a line is typed and while turns pass, so that the hand and the prompt stay where the eye left them. What
grows and shrinks with the terminal is the table and what happened; where there is little room, fuller drawings of table
and hand give way to closer ones. Who waits for an answer (at the door, in a vote) stands in the rule under the title,
so that nothing moves for them; without a rule they take the title's place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from p2pcards.ui.local import Happened, Local, Offer
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.width import Line, ascii_only, cells, cut, fill, fit, pad, spread, width_of, wrap

LEAST = Size(40, 10)
"""Below this the screen only says what size it wants."""

BELOW = 2
"""Rows under what `compose` makes: the prompt and the keys."""

_ACE = re.compile("A(?=[♠♥♦♣])")
_LETTERS = str.maketrans("♠♥♦♣", "SHDC")

_RULED = 10  # rows from which on a rule stands under the title
_SIDE_COLS, _SIDE_ROWS = 100, 30  # from here on what happened has a column of its own


class Screen(NamedTuple):
    """What one screen shows.

    drawings: table and hand, the same in several sizes, the fullest first. news: whether it shows what happened.
    """

    title: Line
    status: Line
    drawings: Sequence[tuple[list[Line], list[Line]]]
    news: bool = True


def body_width(size: Size) -> int:
    """Columns that the table may take."""
    return size.cols - _side(size) - 3 if _side(size) else size.cols


def page_rows(size: Size) -> int:
    """Rows for the body of a screen without hand and news."""
    rows = size.rows - BELOW
    return max(1, rows - (2 if rows >= _RULED else 1) - _voice_rows(rows) - _strip_rows(rows) - 1)


def compose(screen: Screen, size: Size, look: Look, local: Local) -> list[Line]:
    """All lines above the prompt: exactly `size.rows - BELOW`, none wider than the screen."""
    rows, cols = size.rows - BELOW, size.cols
    rule: Line = [("class:rule", "─" * cols)]
    under = _called(local.call, cols) if local.call else rule
    strip = menu(local.menu, local.chosen, cols, _strip_rows(rows))
    voice = _voice(local, cols, _voice_rows(rows))
    top = [spread([("", " "), *screen.title], [*screen.status, ("", " ")], cols)]
    if rows >= _RULED:
        top.append(under)
    elif local.call:
        top = [under]
    room = rows - len(top) - len(voice) - len(strip)
    told = screen.news and bool(local.happened)
    side = _side(size) if told else 0
    body, hand, news, rules = _share(screen, room, 2 if told and not side else 0)
    middle = room - len(hand) - (0 if side else news) - rules
    if side:
        table = _beside(_stretch(body, middle), _news(local.happened, side, middle), body_width(size))
    else:
        table = _stretch(body, middle)
    lines = [*top, *table]
    if not side and news:
        lines += [rule] if rules == 2 else []
        lines += _stretch(_news(local.happened, cols - 1, news), news)
    lines += [rule] if rules else []
    lines += [*hand, *voice, *strip]
    return finish(lines[:rows], size, look)


def finish(lines: Iterable[Line], size: Size, look: Look) -> list[Line]:
    """The lines cut to the screen, and in ASCII where nothing else can be shown."""
    fitted = [fit(line, size.cols) for line in lines]
    if look.ace == "1":
        fitted = [[(style, _with_ones(style, text)) for style, text in line] for line in fitted]
    if not look.suits:
        fitted = [[(style, text.translate(_LETTERS)) for style, text in line] for line in fitted]
    if look.unicode:
        return fitted
    return [[(style, ascii_only(text) if text else "") for style, text in line] for line in fitted]


def _with_ones(style: str, text: str) -> str:
    """Aces as 1: those of drawn cards, of the heads over them, and in a sentence."""
    if style.startswith(("class:suit.", "class:rank")) and text.startswith("A"):
        return "1" + text[1:]
    return _ACE.sub("1", text)


def too_small(size: Size) -> list[Line]:
    """The whole screen where nothing else fits."""
    text = f"p2pcards needs {LEAST.cols}x{LEAST.rows}, better 80x24; this is {size.cols}x{size.rows}"
    return [[("", line)] for line in wrap(text, max(1, size.cols))[: size.rows]]


def keys(names: Iterable[tuple[str, str]], size: Size, look: Look) -> Line:
    """The last line: keys and what they do, as many as fit."""
    line: Line = [("", " ")]
    for key, does in names:
        more: Line = [("class:dim", " · " if len(line) > 1 else ""), ("class:key", key), ("class:dim", f" {does}")]
        if width_of(line) + width_of(more) > size.cols:
            break
        line += more
    return finish([line], size, look)[0]


def menu(offers: Sequence[Offer], chosen: int | None, width: int, rows: int) -> list[Line]:
    """Exactly `rows` lines: the offers in columns where they fit, the chosen one always among those shown."""
    columns = 1
    if len(offers) > rows:
        wide = max(cells(offer.word) for offer in offers) + max(cells(offer.note) for offer in offers) + 6
        columns = max(1, min(4, (width - 1) // wide, -(-len(offers) // rows)))
    column = (width - 1) // columns
    first = 0 if chosen is None else chosen // (rows * columns) * rows * columns
    shown = offers[first : first + rows * columns]
    word_width = min(max((cells(offer.word) for offer in shown), default=0), column - 3)
    lines: list[Line] = [[] for _ in range(rows)]
    for place, offer in enumerate(shown):
        mine = first + place == chosen
        if place >= rows:
            lines[place % rows] = fill(lines[place % rows], place // rows * column)
        lines[place % rows] += [
            ("class:turn", " ▸ " if mine else "   "),
            ("class:offer.chosen" if mine else "class:offer.word", pad(offer.word, word_width)),
            ("class:offer.note", cut("  " + offer.note, column - word_width - 3) if offer.note else ""),
        ]
    left = len(offers) - first - len(shown)
    covered = columns > 1 and chosen == first + rows * columns - 1  # the count would stand on it
    if (left or first) and not covered:
        more = f" ▾ {left} more " if left else f" ▴ {first} before "
        lines[-1] = [*fill(lines[-1], width - cells(more)), ("class:dim", more)]
    return lines


def _strip_rows(rows: int) -> int:
    return next(height for least, height in ((48, 8), (26, 5), (20, 4), (16, 3), (11, 2), (0, 1)) if rows >= least)


def _voice_rows(rows: int) -> int:
    return 2 if rows >= 16 else 1


def _voice(local: Local, cols: int, rows: int) -> list[Line]:
    """What is asked or answered, else the coach, in exactly `rows` lines."""
    style, text = (
        ("class:question", local.question)
        if local.question
        else ("class:warn" if local.wrong else "class:said", local.said)
        if local.said
        else ("class:coach", local.coach)
    )
    lines = _short(text, cols - 2, rows) if text else []
    return _stretch([[(style, " " + line)] for line in lines], rows)


def _short(text: str, width: int, rows: int) -> list[str]:
    """The text wrapped to at most `rows` lines, the last one cut where it goes on."""
    lines = wrap(text, width)
    return lines if len(lines) <= rows else [*lines[: rows - 1], cut(" ".join(lines[rows - 1 :]), width)]


def _news(happened: Sequence[Happened], width: int, rows: int) -> list[Line]:
    """The newest of what happened in at most `rows` lines, oldest first; what stays keeps a line."""
    marked = [one for one in happened if one.stays] if rows > 1 else []
    due = min(len(marked), max(0, rows - 1))  # of those, each has one line at least
    staying = {id(one) for one in marked[len(marked) - due :]}
    lines: list[Line] = []
    for one in reversed(happened):
        due -= id(one) in staying
        room = rows - len(lines) - due
        if room <= 0 and not due:
            break
        if room <= 0:
            continue
        urgent = one.wrong or one.stays
        style = "class:warn" if urgent else "class:chat" if one.chat else "class:fresh" if one.fresh else ""
        first, *more = _short(one.text, width - 3, room)
        mark = " » " if one.chat else " ! " if urgent else " • " if one.fresh else "   "
        on = " › " if one.chat else "   "  # no line of what people say looks like the program's own
        paragraph: list[Line] = [[(style, mark + first)], *([(style, on + line)] for line in more)]
        lines = paragraph + lines
    return lines


def _side(size: Size) -> int:
    """Columns for what happened, beside the table; 0 where it stands under it."""
    return min(48, size.cols // 3) if size.cols >= _SIDE_COLS and size.rows >= _SIDE_ROWS else 0


def _share(screen: Screen, room: int, least_news: int) -> tuple[list[Line], list[Line], int, int]:
    """The body and hand that fit into `room` lines, the rows for what happened, and how many rules between them."""
    least = min(1, least_news)
    roomy = ((least_news, 2), (least, 2)) if least_news else ((0, 1),)
    for shares in (roomy, ((least, 1), (least, 0))):
        for body, hand in screen.drawings:
            for news, rules in shares:
                spare = room - len(body) - len(hand) - rules - news
                if spare >= 0:
                    return body, hand, news + (min(spare // 2, 6) if news else 0), rules
    body, hand = screen.drawings[-1]
    return body, hand[: max(0, room - 1)], 0, 0


def _beside(left: list[Line], right: list[Line], width: int) -> list[Line]:
    right = _stretch(right, len(left))
    return [[*fill(line, width), ("class:rule", " │"), *other] for line, other in zip(left, right, strict=True)]


def _called(calls: Sequence[Line], cols: int) -> Line:
    """The rule under the title with what somebody waits for written on it, as long a text as fits."""
    call = next((line for line in calls if width_of(line) <= cols - 6), calls[-1])
    line: Line = [("class:rule", "── "), *fit(call, cols - 6), ("", " ")]
    return [*line, ("class:rule", "─" * (cols - width_of(line)))]


def _stretch(lines: list[Line], rows: int) -> list[Line]:
    """Exactly `rows` lines; what is cut off is said to be."""
    rows = max(0, rows)
    if len(lines) > rows > 0:
        return [*lines[: rows - 1], [("class:dim", f" … {len(lines) - rows + 1} more lines in a larger window")]]
    return [*lines[:rows], *([] for _ in range(rows - len(lines)))]
