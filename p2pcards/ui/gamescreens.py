"""The screens of each game: one module a game, all of one form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from p2pcards.ui import onecard_table, straights_table, tienlen_table, tongits_table

if TYPE_CHECKING:
    from p2pcards.cards import Card
    from p2pcards.table.tableview import RoundResult, TableView
    from p2pcards.ui.frame import Screen
    from p2pcards.ui.local import Local
    from p2pcards.ui.theme import Size
    from p2pcards.ui.width import Line


class GameScreens(Protocol):
    """What a `<game>_table` module has."""

    def draw(self, table: TableView, size: Size, local: Local) -> Screen:
        """An open round; `table.view` is there."""

    def laid(self, before: Any, after: Any) -> frozenset[Card]:
        """The cards that an act put on the table, to be marked as new; views around the act."""

    def sheet(self, table: TableView, last: RoundResult, hidden: bool, width: int) -> list[Line]:
        """The game's own part of the score sheet: what each seat held or put aside, under the scores."""


GAME_SCREENS: Mapping[str, GameScreens] = {
    "onecard": onecard_table,
    "straights": straights_table,
    "tienlen": tienlen_table,
    "tongits": tongits_table,
}

BESIDE: Mapping[str, Callable[[TableView, RoundResult, int, int], Line]] = {"onecard": onecard_table.beside}
"""For games of many seats: what a seat was left with in one line of some width, beside its score."""
