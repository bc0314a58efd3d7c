"""The home screen: the tables on this network, who I am, and, while there is nothing to see, what to type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from p2pcards.ui.dates import span
from p2pcards.ui.frame import Screen
from p2pcards.ui.local import Local
from p2pcards.ui.voice import house_rules
from p2pcards.ui.width import Line, cells, clean, cut, pad, width_of, wrap

if TYPE_CHECKING:
    from p2pcards.table.listing import HomeView, Row
    from p2pcards.ui.theme import Size

PATIENCE = 10.0
"""Seconds with nothing found, after which the screen says what may be wrong."""

_ROOMY = 120
"""Columns from which on the hosts' keys are shown."""

_MOST_KEPT = 3
"""Tables to go back to that are named; more are counted."""

_PROGRAM = 17
"""Columns for the program's name before who I am, and between them."""

_SPARED = ("host's key", "seen at", "door", "seats", "host")
"""Columns that are left out where there is no room, the first first."""

_STATES = {"lobby": "in the lobby", "playing": "playing", "waiting": "changing host"}
_TEACH = (
    ("practise tongits", "plays bots, on this machine alone"),
    ("host tongits", "opens a table; it shows up on the others' screens"),
    ("join HOST[:PORT]", "reaches a table that the network doesn't show"),
)
_BLOCKED = (
    "No table is found. The others may have none open, or this network may keep machines from seeing "
    "each other (guest Wi-Fi often does). `p2pcards doctor` in another window finds out what is in the way. A table's "
    "own screen shows a join line: type it here, or try a cable, or a phone's hotspot."
)


def draw(home: HomeView | None, titles: Mapping[str, str], size: Size, local: Local | None = None) -> Screen:
    """home None: the program is still starting. titles: of the games, by name."""
    local = local or Local()
    title: Line = [
        ("class:title", "p2pcards "),
        ("class:suit.s", "♠"),
        ("class:suit.h", "♥"),
        ("class:suit.d", "♦"),
        ("class:suit.c", "♣"),
    ]
    if home is None:
        return Screen(title, [], [(_starting(), [])], news=False)
    rows = home.rows
    found = f"{len(rows)} found" if rows else "looking…"
    lines: list[Line] = []
    if local.way:
        lines += [[], *([("class:said", "   " + line)] for line in wrap(local.way, size.cols - 4)), []]
    below: list[Line] = []
    if home.trouble:
        below = [[], *([("class:warn", " " + line)] for line in wrap(home.trouble, size.cols - 2))]
    kept = _kept(home, titles, size.cols)
    if not rows:
        lines = [*kept, _heading("Tables on this network", found, size.cols), *lines, *_empty(home, size.cols)]
        return Screen(title, _whoami(home, size), [([*lines, *below], [])], news=False)
    head, *listed = _table(rows, titles, size.cols)
    drawings: list[tuple[list[Line], list[Line]]] = []
    for detailed in (True, False):
        shown = {}
        for row, line in zip(rows, listed, strict=True):
            shown[row] = [line, *(_details(row, size.cols) if detailed else [])]
        first, *groups = _groups(home, shown, local.lab_only)
        body = [*kept, _heading(first[0], found, size.cols), *lines, head, *first[1]]
        for name, more in groups:
            body += [[("class:title", f" {name}")], *more]
        drawings.append(([*body, *below], []))
    return Screen(title, _whoami(home, size), drawings, news=False)


def _kept(home: HomeView, titles: Mapping[str, str], width: int) -> list[Line]:
    """The tables to go back to, the newest first."""
    lines: list[Line] = []
    for one in home.kept[:_MOST_KEPT]:
        title = clean(one.title)
        command = "resume" if len(home.kept) == 1 else f"resume {title}"
        game = titles.get(one.game, clean(one.game))
        yours = f"is held {one.held} s more" if one.held is not None else "is still yours"
        room = width - cells(command) - 4
        whole = f" Your seat at {title} {yours}"
        texts = (f"{whole} ({game}, {span(one.age)} ago)", f"{whole} ({game})", whole)
        text = next((text for text in texts if cells(text) <= room), whole)
        lines.append([("class:turn", " ▸"), ("", pad(cut(text, room), room)), ("class:key", f" {command}")])
    if len(home.kept) > _MOST_KEPT:
        lines.append([("class:dim", f"   {len(home.kept) - _MOST_KEPT} more: `resume` and Tab")])
    return [*lines, []] if lines else []


def _heading(name: str, found: str, width: int) -> Line:
    return [("class:title", pad(f" {name}", width - cells(found) - 1)), ("class:dim", found)]


def _groups(home: HomeView, shown: Mapping[Row, list[Line]], lab_only: bool) -> list[tuple[str, list[Line]]]:
    """The lines of the tables under their headings: those of the own lab apart, others hidden where that is wished."""
    if not (home.in_lab or any(row.lab for row in shown)):
        return [("Tables on this network", [line for lines in shown.values() for line in lines])]
    lab = [line for row, lines in shown.items() if row.lab for line in lines]
    others = [lines for row, lines in shown.items() if not row.lab]
    hidden = f"{len(others)} hidden, `list all` shows them" if lab_only and others else ""
    rest = [[("class:dim", f"   {hidden}")]] if hidden else [line for lines in others for line in lines]
    none: list[Line] = [[("class:dim", "   none so far")]]
    return [("Tables of your lab", lab or none), *([("Other tables on this network", rest)] if rest else [])]


def joinable(row: Row) -> bool:
    """Whether somebody can sit down there now."""
    shut = row.version or row.contested or row.barred
    return row.state == "lobby" and row.taken < row.seats and not shut and row.answers


def _whoami(home: HomeView, size: Size) -> Line:
    where = ", ".join(f"{name} {address}" for name, address in home.interfaces[: 1 if size.cols < 100 else 3])
    more = len(home.interfaces) - 1 if size.cols < 100 else len(home.interfaces) - 3
    line: Line = [("class:me", home.nick), ("class:dim", f" · {home.words}")]
    if home.profile != "default":
        line.append(("class:dim", f" · profile {home.profile}"))
    if where:
        line.append(("class:dim", f" · {where}" + (f" +{more}" if more > 0 else "")))
    elif not home.trouble:
        line.append(("class:dim", " · no network"))
    while len(line) > 1 and width_of(line) > size.cols - _PROGRAM:
        line.pop()
    return line


def _starting() -> list[Line]:
    return [[("class:title", " Tables on this network")], [], [("class:dim", "   looking…")]]


def _empty(home: HomeView, width: int) -> list[Line]:
    lines: list[Line] = [[], [("", "   No tables yet.")], []]
    word_width = max(cells(word) for word, _ in _TEACH)
    for word, does in _TEACH:
        lines.append([("", "   "), ("class:key", pad(word, word_width)), ("class:dim", f"   {does}")])
    if home.searching_for >= PATIENCE and not home.trouble:
        lines += [[], *([("", "   " + line)] for line in wrap(_BLOCKED, min(width, 100) - 4))]
    return lines


def _table(rows: tuple[Row, ...], titles: Mapping[str, str], width: int) -> list[Line]:
    games = [titles.get(row.game, row.game) for row in rows]
    states = [state(row) for row in rows]
    hosts = [f"{row.host} (here)" if row.here else row.host for row in rows]
    seats = [f"{row.taken} of {row.seats}" for row in rows]
    where = [_where(row) for row in rows]
    columns = [
        ("game", games, 10),
        ("table", [row.title for row in rows], 16),
        ("host", hosts, 11),
        ("host's key", _chips(rows) if width >= _ROOMY else [""] * len(rows), 17),
        ("seats", seats, 7),
        ("door", [row.door for row in rows], 7),
        ("state", states, 17),
        ("seen at", where, 24),
    ]
    for spared in _SPARED:
        if sum(least + 1 for *_, least in columns) > width - 6:
            columns = [column for column in columns if column[0] != spared]
    spare = max(0, width - 6 - sum(least + 1 for *_, least in columns))
    grown: list[tuple[str, list[str], int]] = []
    for name, texts, least in columns:
        more = min(spare, max(0, max(map(cells, [name, *texts])) - least))
        spare -= more
        grown.append((name, texts, least + more))
    lines: list[Line] = [[("class:head", "   #  " + " ".join(pad(name, wide) for name, _, wide in grown))]]
    for place, row in enumerate(rows):
        free = joinable(row)
        style = "" if free else "class:dim"
        cells_of_row = " ".join(pad(texts[place], wide) for _, texts, wide in grown)
        lines.append(
            [("class:turn", " ▸ " if free else "   "), ("class:key", f"{place + 1:<3}"), (style, cells_of_row)]
        )
    return lines


def _details(row: Row, width: int) -> list[Line]:
    """What is played there, under the row of a table that can be joined or watched."""
    if row.version or row.barred or not row.answers:
        return []
    rules = f"rules: {house_rules(row.options)}" if row.options else house_rules(())
    return [[("class:dim", f"      {line}")] for line in wrap(rules, width - 7)]


def state(row: Row) -> str:
    """What is going on there, in a few words."""
    if row.version:
        theirs, _, ours = row.version.partition(" / ")
        return f"version {theirs}, not {ours}"
    if not row.answers:
        return "not answering"
    if row.contested:
        return "claimed by two"
    if row.barred:
        return "members only"
    if row.state == "lobby":
        free = row.seats - row.taken
        return f"{free} seat{'s' if free > 1 else ''} free" if free else "full"
    return _STATES.get(row.state, row.state)


def _chips(rows: tuple[Row, ...]) -> list[str]:
    from p2pcards.wire.identity import chip  # loads cryptography, which the first paint does not wait for

    return [chip(row.key) if row.key else "" for row in rows]


def _where(row: Row) -> str:
    if not row.addresses:
        return row.interface
    host, port = row.addresses[0]
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return f"{row.interface} {address}".strip()
