"""Who plays, on every game's table: name, what is to be said of the seat, and columns of numbers."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, NamedTuple

from p2pcards.ui import people
from p2pcards.ui.gamewords import GAME_WORDS
from p2pcards.ui.voice import DRAWN, signed
from p2pcards.ui.width import Fragment, Line, cells, clean, fill, pad, width_of

if TYPE_CHECKING:
    from p2pcards.table.tableview import TableView

_NAME = 19
"""Cells for the name with what stands beside it."""
_SHEET_NAME = 12
"""Cells for a name on a score sheet, at least."""
_SHORT = 6
"""Cells of a name at least: rather than less, what is said of the seat is said in short."""


class Column(NamedTuple):
    """One number or word for each seat, under a head; right-aligned unless `left`."""

    head: str
    values: Sequence[Fragment]
    width: int = 5
    left: bool = False

    @property
    def cells(self) -> int:
        """How wide it stands."""
        return max(self.width, cells(self.head))


def cards(counts: Sequence[int]) -> Column:
    """How many cards each seat holds."""
    return Column("cards", [("", str(count)) for count in counts])


def scores(table: TableView, gained: Container[int] = ()) -> Column:
    """The score of the match, in what it counts. gained: the seats whose score is new."""
    unit = GAME_WORDS[table.game.name].unit(table.game)
    return Column(unit, [score(table, seat, gained) for seat in range(len(table.seats))])


def score(table: TableView, seat: int, gained: Container[int]) -> Fragment:
    """One of them, `•+3` where it is new."""
    text = signed(table.scores[seat], DRAWN)
    return ("class:fresh", f"•{text}") if seat in gained else ("", text)


def listed(table: TableView, columns: Sequence[Column], now: float, room: int = _NAME) -> list[Line]:
    """A head, and a line for each seat. room: cells for names, the column before the first."""
    head: Line = [
        ("class:head", f"   {pad('player', room)}{''.join(_cell(column, column.head) for column in columns)}")
    ]
    return [head, *(_player(table, seat, columns, now, room) for seat in range(len(table.seats)))]


def width(columns: Sequence[Column], room: int = _NAME) -> int:
    """Cells that the list takes."""
    return 3 + room + sum(1 + column.cells for column in columns)


def room(columns: Sequence[Column], most: int, across: int) -> int:
    """Cells for names where the whole list has so many."""
    return max(_SHORT, min(most, across - width(columns, 0)))


def close(table: TableView, counts: Sequence[int]) -> list[Line]:
    """Short names with their cards, to be run together where there is no room for a list."""
    items: list[Line] = []
    for seat, count in enumerate(counts):
        acts = seat in table.to_act
        style = "class:turn" if acts else ""
        items.append([(style, f"{'▸' if acts else ''}{people.name_in(table, seat, 12)}"), ("", f" {count}")])
    return items


def headed(table: TableView, told: Sequence[Line], across: int) -> list[Line]:
    """On a score sheet, the seat's name before what is told of it; a name of more than 12 cells stands whole where
    there is room."""
    widest = max(map(width_of, told))
    names = [clean(seat.nick) for seat in table.seats]
    room = max(_SHEET_NAME, min(max(map(cells, names)), across - widest - 4))
    return [
        [("class:head", f"   {pad(people.nick_in(table, seat, room), room)} "), *line] for seat, line in enumerate(told)
    ]


def _player(table: TableView, seat: int, columns: Sequence[Column], now: float, room: int) -> Line:
    acts = seat in table.to_act
    name, about = people.name(table, seat), people.about(table.seats[seat], now)
    if cells(name) > (left := room - 1 - width_of(about)) and left < _SHORT:
        about = people.brief(table.seats[seat], now)
    style = "class:turn" if acts else "class:me" if seat == table.me else ""
    name = people.name_in(table, seat, max(_SHORT, room - 1 - width_of(about)) if about else room)
    line: Line = [("class:turn", " ▸ " if acts else "   "), (style, name)]
    if about:
        line += [("", " "), *about]
    values = [(column.values[seat][0], _cell(column, column.values[seat][1])) for column in columns]
    return [*fill(line, 3 + room), *values]


def _cell(column: Column, text: str) -> str:
    return " " + pad(text, column.cells, right=not column.left)
