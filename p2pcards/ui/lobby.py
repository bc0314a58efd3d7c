"""The lobby: seats, rules, how others get here, and who is who."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pcards.games.options import written_options
from p2pcards.table.tableview import Stage
from p2pcards.ui import people
from p2pcards.ui.frame import Screen, body_width
from p2pcards.ui.voice import house_rules
from p2pcards.ui.width import Line, cells, clean, pad, width_of, wrap
from p2pcards.ui.words_host import safety
from p2pcards.ui.words_people import KNOWN_CODE, lets_in
from p2pcards.ui.words_trust import TRUST
from p2pcards.wire.identity import chip

if TYPE_CHECKING:
    from p2pcards.table.tableview import Knock, TableView
    from p2pcards.ui.faces import Face
    from p2pcards.ui.local import Local
    from p2pcards.ui.theme import Size


def draw(table: TableView, join_line: str, size: Size, local: Local) -> Screen:
    """join_line: what others type to get here; shown where this program is the host."""
    width = body_width(size)
    seats = _seats(table, local)
    facts = [*_facts(table, join_line if table.mine else "", width, local), *people.waiting(table, local.now, width)]
    trust = [] if local.alone else _fact("the deal", TRUST, width)
    heading = people.title(table, _place(table))
    door: Line = [] if local.alone else [("class:dim", f" · door {table.door}")]
    status = people.idle(table, heading, size.cols, local.now, door)
    drawings = [[*seats, [], *facts, *trust], [*seats, *facts, *trust], [*seats, *facts]]
    return Screen(heading, status, [(lines, []) for lines in drawings])


def _place(table: TableView) -> str:
    """Where the table stands. An open round without a view of it: the first is being dealt, or nobody can show it."""
    if table.stage is Stage.LOBBY:
        return "lobby"
    return f"round {table.round}" if table.dealing or not people.halts(table) else f"back to round {table.round}"


def _seats(table: TableView, local: Local) -> list[Line]:
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
            told = people.about(seat, local.now)
            if seat.key and seat.key == table.host_key:
                told = _and(told, [("class:dim", "host")])
            if place != table.me and (face := local.faces.get(seat.key)) is not None:
                told = _and(told, _known(face))
            line += told
        lines.append(line)
    return lines


def _and(one: Line, other: Line) -> Line:
    """Both, with a comma where there are two."""
    return [*one, ("class:dim", ", "), *other] if width_of(one) and width_of(other) else [*one, *other]


def _known(face: Face) -> Line:
    """What is known of somebody, beside the key; loud where the name is another's."""
    if face.other:
        return [("class:warn", f"NOT the {face.like} you know")]
    verified = ["verified"] if face.known == "verified" else []
    return [("class:dim", ", ".join([*verified, *face.names]))]


def _facts(table: TableView, join_line: str, width: int, local: Local) -> list[Line]:
    keys = dict(zip(table.spectators, table.spectator_keys, strict=False))
    watching = [_watcher(nick, keys.get(nick), table, local) for nick in table.spectators]
    rules = [written_options(table.game.options), *([table.settings] if table.settings else [])]
    named = [
        ("door", "" if local.alone else _door(table)),
        ("join line", join_line),
        ("rules", " · ".join(map(house_rules, rules))),
        ("host", "" if local.alone else safety(table)),
        ("watching", ", ".join(watching)),
        *(("at door" if not place else "", _caller(knock, local)) for place, knock in enumerate(table.knocks)),
    ]
    return [line for name, text in named if text for line in _fact(name, text, width)]


def _door(table: TableView) -> str:
    if table.mine and table.code:
        return KNOWN_CODE.format(table.code)
    does = lets_in(table.door, table.mine)
    return clean(table.door) + (f": {does}" if does else "")


def _fact(name: str, text: str, width: int) -> list[Line]:
    first, *more = wrap(text, width - 14)
    return [[("class:head", f"   {name:<9}  "), ("", first)], *([("", " " * 14 + line)] for line in more)]


def _watcher(nick: str, key: bytes | None, table: TableView, local: Local) -> str:
    face = local.faces.get(key or b"")
    if nick == table.nick:
        return f"{clean(nick)} (you)"
    if face is None:
        return clean(nick)
    other = [f"NOT the {face.like} you know"] if face.other else []
    return f"{clean(nick)} ({', '.join([face.chip, *other, *face.names])})"


def _caller(knock: Knock, local: Local) -> str:
    """Somebody at the door, and how long yet."""
    face = local.faces.get(knock.key)
    about = chip(knock.key) if face is None else face.about
    return f"{clean(knock.nick)} ({about}), {max(0, round(knock.until - local.now))} s"
