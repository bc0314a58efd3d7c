"""The screens of each game: one module a game, all of one form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any, Protocol

from p2pcards.commands.table_hand import CARD_MODES
from p2pcards.ui import onecard_table, straights_table, tienlen_table, tongits_table
from p2pcards.ui.frame import Screen, compose
from p2pcards.ui.theme import Look
from p2pcards.ui.words_hand import after

if TYPE_CHECKING:
    from p2pcards.cards import Card
    from p2pcards.table.tableview import RoundResult, TableView
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


Drawing = tuple[list["Line"], list["Line"]]
"""Table and hand."""

GAME_SCREENS: Mapping[str, GameScreens] = {
    "onecard": onecard_table,
    "straights": straights_table,
    "tienlen": tienlen_table,
    "tongits": tongits_table,
}

BESIDE: Mapping[str, Callable[[TableView, RoundResult, int, int], Line]] = {"onecard": onecard_table.beside}
"""For games of many seats: what a seat was left with in one line of some width, beside its score."""


class _Pairs(Sequence[Drawing]):
    """Each drawing followed by its flat one. The flat ones are made once the first has been looked at in vain."""

    def __init__(self, raised: Sequence[Drawing], flat: Callable[[], Screen]) -> None:
        self._raised, self._flat = raised, flat

    @cached_property
    def _all(self) -> Sequence[Drawing]:
        pairs = chain.from_iterable(zip_longest(self._raised, self._flat().drawings))
        return [drawing for drawing in pairs if drawing is not None]

    def __iter__(self) -> Iterator[Drawing]:
        yield self._raised[0]
        yield from self._all[1:]

    def __getitem__(self, place: Any) -> Any:
        return self._all[place]

    def __len__(self) -> int:
        return len(self._all)


def open_round(table: TableView, size: Size, local: Local) -> Screen:
    """The screen of an open round. While cards are picked each drawing is followed by one without a row for those that
    are raised, so that a drawn hand gives way to a marked one before it gives way to text."""
    draw = GAME_SCREENS[table.game.name].draw
    screen = draw(table, size, local)
    if not local.picking:
        return screen
    return screen._replace(drawings=_Pairs(screen.drawings, partial(draw, table, size, local._replace(flat=True))))


def next_mode(table: TableView | None, size: Size, local: Local) -> str:
    """The next way to show cards that makes a difference here: drawn cards and boxes may have no room."""
    mode = after(local.mode, CARD_MODES)
    if table is None or table.view is None or not local.hand:
        return mode
    for _ in CARD_MODES:
        less = {"art": "boxes", "boxes": "text"}.get(mode)
        if less is None or _shown(table, size, local, mode) != _shown(table, size, local, less):
            break
        mode = after(mode, CARD_MODES)
    return mode


def _shown(table: TableView, size: Size, local: Local, mode: str) -> list[Line]:
    local = local._replace(mode=mode)
    return compose(open_round(table, size, local), size, Look(), local)
