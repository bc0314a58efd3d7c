"""The lobby: seats, rules, how others get here, and who is who."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pcards.games.options import written_options
from p2pcards.ui import people
from p2pcards.ui.frame import Screen, body_width
from p2pcards.ui.voice import house_rules
from p2pcards.ui.width import Line, cells, clean, pad, wrap
from p2pcards.wire.identity import chip

if TYPE_CHECKING:
    from p2pcards.table.tableview import TableView
    from p2pcards.ui.local import Local
    from p2pcards.ui.theme import Size


def draw(table: TableView, join_line: str, size: Size, local: Local) -> Screen:
    """join_line: what others type to get here; shown where this program is the host."""
    width = body_width(size)
    seats = _seats(table, local.now)
    facts = [*_facts(table, join_line if table.mine else "", width), *people.waiting(table, local.now, width)]
    status: Line = [*people.host(table), ("class:dim", f" · door {table.door}")]
    if not table.connected:
        status = people.turn(table, local.now)
    return Screen(people.title(table, "lobby"), status, [([*seats, [], *facts], []), ([*seats, *facts], [])])


def _seats(table: TableView, now: float) -> list[Line]:
    names = [people.name(table, seat) for seat in range(len(table.seats))]
    wide = max(12, *(min(24, cells(name)) for name in names))
    chips = ["" if not seat.key else chip(seat.key) for seat in table.seats]
    chip_width = max([4, *map(cells, chips)])
    lines: list[Line] = [[("class:head", f"   seat  {pad('player', wide)}  {pad('key', chip_width)}")]]
    for place, seat in enumerate(table.seats):
        line: Line = [("", f"   {place + 1:>4}  ")]
        if not seat.nick:
            line += [("class:dim", pad("free", wide))]
        else:
            line += [("class:me" if place == table.me else "", pad(names[place], wide))]
            line += [("class:dim", f"  {pad(chips[place], chip_width)}  ")]
            line += people.about(seat, now)
            if seat.key and seat.key == table.host_key:
                line += [("class:dim", "host")]
        lines.append(line)
    return lines


def _facts(table: TableView, join_line: str, width: int) -> list[Line]:
    named = [
        ("rules", house_rules(written_options(table.game.options))),
        ("table", house_rules(table.settings) if table.settings else ""),
        ("watching", ", ".join(clean(nick) + (" (you)" if nick == table.nick else "") for nick in table.spectators)),
        ("join line", join_line),
    ]
    lines: list[Line] = []
    for name, text in named:
        if text:
            first, *more = wrap(text, width - 14)
            lines.append([("class:head", f"   {name:<9}  "), ("", first)])
            lines += [[("", " " * 14 + line)] for line in more]
    return lines
