"""The home screen: the tables on this network, who I am, and, while there is nothing to see, what to type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from p2pcards.ui.frame import Screen
from p2pcards.ui.voice import house_rules
from p2pcards.ui.width import Line, cells, pad, wrap

if TYPE_CHECKING:
    from p2pcards.table.listing import HomeView, Row
    from p2pcards.ui.theme import Size

PATIENCE = 10.0
"""Seconds with nothing found, after which the screen says what may be wrong."""

_STATES = {"lobby": "in the lobby", "playing": "playing", "waiting": "changing host"}
_TEACH = (
    ("practise tongits", "plays bots, on this machine alone"),
    ("host tongits", "opens a table; it shows up on the others' screens"),
    ("join HOST[:PORT]", "reaches a table that the network doesn't show"),
)
_BLOCKED = (
    "Nothing found so far. The others may not have opened a table yet, or this network may keep machines from seeing "
    "each other (guest Wi-Fi often does). A table's own screen shows a join line: type it here, or try a cable, a "
    "phone's hotspot or machines in the same room's network."
)


def draw(home: HomeView | None, titles: Mapping[str, str], size: Size) -> Screen:
    """home None: the program is still starting. titles: of the games, by name."""
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
    heading = " Tables on this network"
    lines: list[Line] = [[("class:title", pad(heading, size.cols - cells(found) - 1)), ("class:dim", found)]]
    if home.joining:
        lines += [[], [("class:said", f"   Looking for {home.joining} … `leave` gives up.")], []]
    below: list[Line] = []
    if home.trouble:
        below = [[], *([("class:warn", " " + line)] for line in wrap(home.trouble, size.cols - 2))]
    if not rows:
        return Screen(title, _whoami(home, size), [([*lines, *_empty(home, size.cols), *below], [])], news=False)
    head, *listed = _table(rows, titles, size.cols)
    full = [head, *(line for row, of in zip(rows, listed, strict=True) for line in (of, *_details(row, size.cols)))]
    drawings: list[tuple[list[Line], list[Line]]] = [([*lines, *body, *below], []) for body in (full, [head, *listed])]
    return Screen(title, _whoami(home, size), drawings, news=False)


def joinable(row: Row) -> bool:
    """Whether somebody can sit down there now."""
    return row.state == "lobby" and row.taken < row.seats and not (row.version or row.contested) and row.answers


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
    states = [_state(row) for row in rows]
    hosts = [f"{row.host} (here)" if row.here else row.host for row in rows]
    seats = [f"{row.taken} of {row.seats}" for row in rows]
    where = [_where(row) for row in rows]
    columns = [
        ("game", games, 10),
        ("table", [row.title for row in rows], 16),
        ("host", hosts, 12),
        ("seats", seats, 7),
        ("door", [row.door for row in rows], 6),
        ("state", states, 17),
        ("seen at", where, 24),
    ]
    while sum(least + 1 for *_, least in columns) > width - 6 and len(columns) > 3:
        del columns[-1 if len(columns) > 6 else -2]
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
    if row.version or not row.answers:
        return []
    rules = f"rules: {house_rules(row.options)}" if row.options else house_rules(())
    return [[("class:dim", f"      {line}")] for line in wrap(rules, width - 7)]


def _state(row: Row) -> str:
    if row.version:
        theirs, _, ours = row.version.partition(" / ")
        return f"version {theirs}, not {ours}"
    if not row.answers:
        return "not answering"
    if row.contested:
        return "claimed by two"
    if row.state == "lobby":
        free = row.seats - row.taken
        return f"{free} seat{'s' if free > 1 else ''} free" if free else "full"
    return _STATES.get(row.state, row.state)


def _where(row: Row) -> str:
    if not row.addresses:
        return row.interface
    host, port = row.addresses[0]
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return f"{row.interface} {address}".strip()
