"""My hand on every game's table, as boxes and as text; what stands there for those who hide it or only watch.

The numbers under the cards are what `#3` means to the prompt: places in the hand from left to right. Copies of a card
from several decks are boxes of their own; as text they are one, `8♥×2`, numbered by the first of them, and the next
card's number counts them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from p2pcards.cards import Card, Cards, face
from p2pcards.ui import cards
from p2pcards.ui.width import Line, clean, width_of, wrap

if TYPE_CHECKING:
    from p2pcards.table.tableview import TableView
    from p2pcards.ui.local import Local
    from p2pcards.ui.theme import Size

_TALL = 30
"""Rows from which on boxes may stand in two lines."""

Hand = tuple[list[Line], list[Line]]
"""As boxes, where there is room for them, and as text."""


def hands(
    table: TableView, size: Size, local: Local, groups: Sequence[Cards] | None = None, facts: Sequence[Line] = ()
) -> Hand:
    """The hand in both drawings, the second one where boxes have no room.

    groups: sets of cards to be underlined, as text in place of the numbers; facts: short ones that stand beside it,
    and as text only where there is room.
    """
    if table.me is None:
        watching: list[Line] = [[("class:dim", f" {line}")] for line in wrap(_watching(table), size.cols - 2)]
        return watching, watching
    across = max(1, (size.cols - 1) // cards.BOX)
    boxed = len(local.hand) <= across * (2 if size.rows >= _TALL else 1)
    if local.hidden:
        return _hidden(len(local.hand), across, size.cols, boxed)
    text = _as_text(table, local.hand, groups, facts, size.cols)
    return _as_boxes(table, local.hand, groups, facts, size.cols) if boxed else text, text


class _Piece(NamedTuple):
    """Cards of one look beside each other as text; place: the first one's, from 1."""

    cards: tuple[Card, ...]
    place: int

    @property
    def mark(self) -> str:
        return f"×{len(self.cards)}" if len(self.cards) > 1 else ""

    @property
    def size(self) -> int:
        return 2 + len(self.mark)


def _watching(table: TableView) -> str:
    sits = "; `sit` asks for a seat" if table.onlooker else ""
    return f"You are watching as {clean(table.nick)}; hands are shown when the round is over{sits}."


def _hidden(count: int, across: int, width: int, boxed: bool) -> Hand:
    what = (
        "1 card is hidden; F2 or `hide` shows it."
        if count == 1
        else (f"{count} cards are hidden; F2 or `hide` shows them.")
    )
    told: list[Line] = [[("class:dim", f" {line}")] for line in wrap(f"Your {what}", width - 2)]
    if not boxed:
        return told, told
    backs: list[Line] = []
    for first in range(0, count, across):
        backs += [[("", " "), *line] for line in cards.backs(min(across, count - first))]
    return [*backs, *told], told


def _as_boxes(
    table: TableView, hand: Sequence[Card], groups: Sequence[Cards] | None, facts: Sequence[Line], width: int
) -> list[Line]:
    across = max(1, (width - 1) // cards.BOX)
    lines: list[Line] = []
    beside = 0  # the row of the last faces
    for first in range(0, len(hand), across):
        part = hand[first : first + across]
        beside = len(lines) + 1
        lines += [[("", " "), *line] for line in cards.boxes(table.game.ranking, part, first + 1)]
        if groups is not None:
            lines.append([("", "  "), *cards.underline(part, groups, [2] * len(part), 2)])
    told = _joined(facts)
    if not told:
        return lines
    room = [beside, *([len(lines) - 1] if groups is not None else [])] if lines else []
    for row in room:
        if width_of(bare := _bare(lines[row])) + width_of(told) <= width:
            lines[row] = [*(lines[row] if row == beside else bare), *told]
            return lines
    return [*lines, told]


def _as_text(
    table: TableView, hand: Sequence[Card], groups: Sequence[Cards] | None, facts: Sequence[Line], width: int
) -> list[Line]:
    lines: list[Line] = []
    row: list[_Piece] = []
    for piece in _pieces(hand):
        if row and sum(one.size + 1 for one in [*row, piece]) > width:
            lines += _text_row(table, row, groups)
            row = []
        row.append(piece)
    lines += _text_row(table, row, groups) if row else []
    told = _joined(facts)
    if lines and width_of(lines[-2]) + width_of(told) <= width:
        lines[-2] += told
    return lines


def _pieces(hand: Sequence[Card]) -> list[_Piece]:
    pieces: list[_Piece] = []
    place = 1
    for _, same in groupby(hand, key=face):
        pieces.append(_Piece(tuple(same), place))
        place += len(pieces[-1].cards)
    return pieces


def _text_row(table: TableView, row: Sequence[_Piece], groups: Sequence[Cards] | None) -> list[Line]:
    """The cards, and what stands under them."""
    shown: Line = []
    numbers: Line = []
    for piece in row:
        shown += [("", " "), cards.card(table.game.ranking, piece.cards[0], piece.mark)]
        numbers += [("", " "), ("class:card.edge", cards.number(piece.place).ljust(piece.size))]
    if groups is None:
        return [shown, numbers]
    firsts, sizes = [piece.cards[0] for piece in row], [piece.size for piece in row]
    return [shown, [("", " "), *cards.underline(firsts, groups, sizes, 1)]]


def _joined(facts: Sequence[Line]) -> Line:
    return [fragment for fact in facts for fragment in (("", "   "), *fact)]


def _bare(line: Line) -> Line:
    """Without spaces at the end."""
    kept = list(line)
    while kept and not kept[-1][1].strip():
        kept.pop()
    return kept
