"""The tables on this network for everybody to see: what `list --watch` paints, for a projector or a screen on the wall.

A pure function of the list. Where there is room each table has a line of its own for how to join it and an empty one
behind; else the tables move together, and what does not fit is counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from p2pcards.ui.frame import finish
from p2pcards.ui.home import PATIENCE, joinable, state
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.voice import counted
from p2pcards.ui.width import Line, cells, clean, cut, fit, pad, spread, wrap

if TYPE_CHECKING:
    from p2pcards.table.listing import HomeView, Row

_TEACH = (
    ("p2pcards host tongits", "opens a table, and it shows up here"),
    ("p2pcards join HOST[:PORT]", "reaches one that the network doesn't show"),
)
_BLOCKED = (
    "No table is found. Some networks keep machines from seeing each other; `p2pcards doctor` finds out. A table's "
    "own screen shows the line to join it by, which works all the same."
)
_SPARED = ("host", "game")
"""Columns that are left out where there is no room, the first first."""

_GAP = 2
"""Cells between two columns."""

_WIDEST = 120
"""Columns beyond which a row only gets harder to follow."""

_ACTIVE = frozenset('"$`\\!%')
"""What a shell doesn't leave alone between quotes; a title is a stranger's, and the line is there to be copied."""


def draw(home: HomeView, titles: Mapping[str, str], size: Size, look: Look, *, lab_only: bool = False) -> list[Line]:
    """All lines but the last row of the screen, none wider than it. titles: of the games, by name."""
    rows = [row for row in home.rows if row.lab or not lab_only]
    width, room = min(size.cols, _WIDEST), size.rows - 1
    what = "Tables of your lab" if lab_only else "Tables on this network"
    found = _found(rows) if rows else "looking…"
    lines: list[Line] = [spread([("class:title", f" {what}")], [("class:said", f"{found} ")], width)]
    lines.append([("class:rule", "─" * width)])
    below: list[Line] = [[("class:warn", f" {line}")] for line in wrap(home.trouble, width - 2)] if home.trouble else []
    body = _tables(rows, titles, width, room - len(lines) - len(below) - 1) if rows else _empty(home, width)
    body = body[: max(0, room - len(lines) - len(below) - 1)]
    gap = max(0, room - len(lines) - len(body) - len(below) - 1)
    return finish([*lines, *body, *([[]] * gap), *below, _foot(rows, width)][:room], size, look)


def _found(rows: Sequence[Row]) -> str:
    free = sum(row.seats - row.taken for row in rows if joinable(row))
    return f"{counted(len(rows), 'table')}, {counted(free, 'free seat') if free else 'no free seat'}"


def _foot(rows: Sequence[Row], width: int) -> Line:
    texts = (
        "p2pcards join TITLE takes a seat · p2pcards watch TITLE looks on · q or Ctrl-C ends this list",
        "p2pcards join TITLE takes a seat · q ends this list",
        "q ends this list",
    )
    usable = texts if rows else texts[-1:]
    return [("class:dim", f" {next((one for one in usable if cells(one) < width), usable[-1])}")]


def _empty(home: HomeView, width: int) -> list[Line]:
    lines: list[Line] = [[], [("class:title", "   No tables yet.")], []]
    wide = max(cells(word) for word, _ in _TEACH)
    for word, does in _TEACH:
        if wide + cells(does) + 6 <= width:
            lines.append([("", "   "), ("class:key", pad(word, wide)), ("", f"   {does}")])
        else:
            lines += [[("class:key", f"   {word}")], *([("", f"     {line}")] for line in wrap(does, width - 6))]
    if home.searching_for >= PATIENCE and not home.trouble:
        lines += [[], *([("", f"   {line}")] for line in wrap(_BLOCKED, width - 4))]
    return lines


def _tables(rows: Sequence[Row], titles: Mapping[str, str], width: int, room: int) -> list[Line]:
    """The tables in the most generous way that they all fit in; in the closest one with the rest counted."""
    head, listed = _columns(rows, titles, width)
    ways = [_way(row, rows, width) for row in rows]
    for apart, told in ((True, True), (False, True), (False, False)):
        lines: list[Line] = [head, *([[]] if apart else [])]
        for line, way in zip(listed, ways, strict=True):
            lines += [line, *([way] if told and way else []), *([[]] if apart else [])]
        if len(lines) <= room:
            return lines
    shown = max(0, room - 2)
    more = counted(len(rows) - shown, "more table")
    return [head, *listed[:shown], [("class:dim", f"   … {more} in a larger window")]]


def _columns(rows: Sequence[Row], titles: Mapping[str, str], width: int) -> tuple[Line, list[Line]]:
    """The heads, and a line for each table."""
    columns: list[tuple[str, list[str], int, int]] = [
        ("table", [clean(row.title) for row in rows], 12, 40),
        ("game", [titles.get(row.game, clean(row.game)) for row in rows], 9, 12),
        ("host", [clean(row.host) for row in rows], 8, 16),
        ("seats", [f"{row.taken} of {row.seats}" for row in rows], 7, 7),
        ("now", [_now(row) for row in rows], 13, 26),
    ]
    for spared in _SPARED:
        if sum(least + _GAP for _, _, least, _ in columns) - _GAP > width - 3:
            columns = [column for column in columns if column[0] != spared]
    wides = [least for _, _, least, _ in columns]
    spare = width - 3 - sum(wides) - _GAP * (len(wides) - 1)
    for place, (name, texts, least, most) in enumerate(columns):
        more = max(0, min(spare, most - least, max(map(cells, [name, *texts])) - least))
        wides[place] += more
        spare -= more
    head: Line = [("", " ")]
    for (name, *_), wide in zip(columns, wides, strict=True):
        head.append(("class:head", " " * _GAP + pad(name, wide)))
    lines: list[Line] = []
    for place, row in enumerate(rows):
        free = joinable(row)
        line: Line = [("class:turn", "▸" if free else " ")]
        for (name, texts, *_), wide in zip(columns, wides, strict=True):
            style = {"table": "class:title", "now": "class:good" if free else ""}.get(name, "")
            line.append((style, " " * _GAP + pad(cut(texts[place], wide), wide)))
        lines.append(fit(line, width))
    return fit(head, width), lines


def _now(row: Row) -> str:
    """What is going on, and what the door of a table with free seats asks for."""
    return f"{state(row)}, door {clean(row.door)}" if row.door != "open" and joinable(row) else state(row)


def _way(row: Row, rows: Sequence[Row], width: int) -> Line:
    """How to come to a table, by its title and by the address that goes round the list; nothing where nobody may."""
    if row.version or row.barred or not row.answers:
        return []
    verb = "join" if joinable(row) else "watch"
    title = clean(row.title)
    twins = sum(clean(other.title).lower() == title.lower() for other in rows) > 1
    quoted = f'"{title}"' if not title.replace("-", "").replace("_", "").isalnum() else title
    shown = not (twins or title.startswith("-") or _ACTIVE & set(title))
    ways = [f"p2pcards {verb} {quoted}"] if shown else []
    if row.addresses:
        host, port = row.addresses[0]
        ways.append(f"p2pcards {verb} [{host}]:{port}" if ":" in host else f"p2pcards {verb} {host}:{port}")
    for texts in (ways, ways[:1]):
        told = "  or  ".join(texts)
        if texts and cells(told) <= width - 6:
            return [("class:key" if verb == "join" else "class:dim", f"     {told}")]
    return []
