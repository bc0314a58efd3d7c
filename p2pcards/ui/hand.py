"""My hand on every game's table, drawn, in boxes and as text; what stands there for those who hide it or only watch.

The numbers under the cards are what `#3` means to the prompt: places in the hand from left to right. Copies of a card
from several decks are boxes of their own; as text they are one, `8♥×2`, numbered by the first of them, and the next
card's number counts them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from p2pcards.cards import Card, Cards, face
from p2pcards.ui import art, cards
from p2pcards.ui.width import Line, clean, width_of, wrap

if TYPE_CHECKING:
    from p2pcards.table.tableview import TableView
    from p2pcards.ui.local import Local
    from p2pcards.ui.theme import Size

_TALL = 30
"""Rows from which on boxes may stand in two lines."""

_AT, _UP, _HERE = "▾▾", "▴▴", "▸"
"""What stands over the card that the cursor is at, what under a raised one; before it, and behind it, as text."""

_SHARE = 6
"""Of a screen's rows one in so many may be a line of cards as text while they are picked."""


class Hand(NamedTuple):
    """The hand in all its drawings. boxes: as text where they have no room, or are not wanted; art: the tall cards and
    the low ones, as far as they are wanted and not too many."""

    boxes: list[Line]
    text: list[Line]
    art: tuple[list[Line], ...] = ()

    def drawn(self, *bodies: list[Line]) -> list[tuple[list[Line], list[Line]]]:
        """Each drawing of a table with the hand as cards; the fullest table, the cards low if need be."""
        return [(body, hand) for body in bodies for hand in self.art]


class _Form(NamedTuple):
    """How cards are drawn beside each other. across: how many in a line; step: cells of one; front: the cards, numbered
    from some number on; backs: so many face down."""

    across: int
    step: int
    front: Callable[[Sequence[Card], int], list[Line]]
    backs: Callable[[int], list[Line]]


def hands(
    table: TableView,
    size: Size,
    local: Local,
    groups: Sequence[Cards] | None = None,
    facts: Sequence[Line] = (),
    words: Mapping[str, str] | None = None,
) -> Hand:
    """The hand in the drawings that the person wants, `local.mode`.

    groups: sets of cards to be underlined, as text in place of the numbers; facts: short ones that stand beside it,
    and as text only where there is room; words: what cards of a rank do, written on drawn ones.
    """
    if table.me is None:
        watching: list[Line] = [[("class:dim", f" {line}")] for line in wrap(_watching(table), size.cols - 2)]
        return Hand(watching, watching)
    count, width = len(local.hand), size.cols
    lines = 2 if size.rows >= _TALL else 1
    wanted = [form for form in _forms(table, count, width, local.mode, words) if count <= form.across * lines]
    if local.hidden:
        text = _hidden(count, width, local.keys["hide"])
        drawn = [[*_rows_of_backs(count, form), *text] for form in wanted]
    else:
        text = _as_text(table, local, groups, facts, size)
        drawn = [_as_cards(local, form, groups, facts, width) for form in wanted]
    small = [hand for hand, form in zip(drawn, wanted, strict=True) if form.step == cards.BOX]
    large = [hand for hand, form in zip(drawn, wanted, strict=True) if form.step > cards.BOX]
    return Hand(small[0] if small else text, text, tuple(large))


def _forms(table: TableView, count: int, width: int, mode: str, words: Mapping[str, str] | None) -> list[_Form]:
    """The ways to draw that are wanted, the largest first."""
    if mode not in ("boxes", "art"):
        return []
    ranking = table.game.ranking
    small = _Form(max(1, (width - 1) // cards.BOX), cards.BOX, partial(cards.boxes, ranking), cards.backs)
    if mode == "boxes" or width <= art.WIDTH:
        return [small]
    step = art.WIDTH if art.across(count, art.WIDTH) < width else art.STEP
    across = (width - 1 - art.WIDTH) // step + 1
    large = [
        _Form(
            across,
            step,
            lambda which, first, low=low: art.fan(ranking, which, step, low=low, first=first, words=words),  # type: ignore[misc]  # a default binds it
            partial(art.backs, step=step, low=low),
        )
        for low in (False, True)
    ]
    return [*large, small]


class _Piece(NamedTuple):
    """Cards of one look beside each other as text; place: the first one's, from 1; room: cells behind for a mark."""

    cards: tuple[Card, ...]
    place: int
    room: int = 0

    @property
    def mark(self) -> str:
        return f"×{len(self.cards)}" if len(self.cards) > 1 else ""

    @property
    def size(self) -> int:
        return 2 + len(self.mark) + self.room


def _watching(table: TableView) -> str:
    if table.kept_seat is not None:
        return f"You are watching as {clean(table.nick)}: your seat waits for you when this round is over."
    sits = "; `sit` asks for a seat" if table.onlooker else ""
    return f"You are watching as {clean(table.nick)}; hands are shown when the round is over{sits}."


def _hidden(count: int, width: int, key: str) -> list[Line]:
    by = f"{key} or `hide`" if key else "`hide`"
    what = f"1 card is hidden; {by} shows it." if count == 1 else f"{count} cards are hidden; {by} shows them."
    return [[("class:dim", f" {line}")] for line in wrap(f"Your {what}", width - 2)]


def _rows_of_backs(count: int, form: _Form) -> list[Line]:
    parts = [min(form.across, count - first) for first in range(0, count, form.across)]
    return [[("", " "), *line] for part in parts for line in form.backs(part)]


def _as_cards(
    local: Local, form: _Form, groups: Sequence[Cards] | None, facts: Sequence[Line], width: int
) -> list[Line]:
    hand = local.hand
    lines: list[Line] = []
    beside = 0  # the row of the last faces
    for first in range(0, len(hand), form.across):
        part = hand[first : first + form.across]
        beside = len(lines) + (2 if local.picking and not local.flat else 1)
        front = _picked(part, first + 1, form, local) if local.picking else form.front(part, first + 1)
        lines += [[("", " "), *line] for line in front]
        if groups is not None:
            lines.append([("", "  "), *cards.underline(part, groups, [form.step - 2] * len(part), 2)])
    told = _joined(facts)
    if not told:
        return lines
    room = [beside, *([len(lines) - 1] if groups is not None else [])] if lines else []
    for row in room:
        if width_of(bare := _bare(lines[row])) + width_of(told) <= width:
            lines[row] = [*(lines[row] if row == beside else bare), *told]
            return lines
    return [*lines, told]


def _picked(part: Sequence[Card], first: int, form: _Form, local: Local) -> list[Line]:
    """The cards beside each other, raised ones a row higher where all have room for it."""
    blocks: list[list[Line]] = []
    for place, card in enumerate(part):
        block = form.front([card], first + place)
        if place < len(part) - 1:
            block = [_cut(line, form.step) for line in block]
        if card in local.raised:
            block = [[(style.replace("card.edge", "card.raised"), text) for style, text in line] for line in block]
            block[-1] = _marked(block[-1], _UP) if local.flat else block[-1]
        if card == local.cursor:
            block = [[_reversed(one, local) for one in line] for line in block]
            block[0] = _marked(block[0], _AT)
        if not local.flat:
            blank: Line = [("", " " * width_of(block[0]))]
            block = [*block, blank] if card in local.raised else [blank, *block]
        blocks.append(block)
    return [[fragment for block in blocks for fragment in block[row]] for row in range(len(blocks[0]))]


def _cut(line: Line, width: int) -> Line:
    """The left part of a card; each of its signs takes one cell."""
    kept: Line = []
    for style, text in line:
        kept.append((style, text[:width]))
        width -= len(kept[-1][1])
    return kept


def _marked(edge: Line, mark: str) -> Line:
    """An edge of a card with the mark on it, where nothing stands, or on the number."""
    *before, (style, text) = edge
    at = max(1, text.find("──"))
    return [*before, (style, text[:at]), ("class:turn", mark), (style, text[at + 2 :])]


def _reversed(fragment: tuple[str, str], local: Local) -> tuple[str, str]:
    """Rank and suit as the cursor shows them, unless it has gone on into the menu; anything else as it is."""
    if local.chosen is not None:
        return fragment
    style, text = fragment
    return (f"{style} class:card.cursor", text) if style.startswith("class:suit.") and len(text) == 2 else fragment


def _as_text(
    table: TableView, local: Local, groups: Sequence[Cards] | None, facts: Sequence[Line], size: Size
) -> list[Line]:
    pieces = _pieces(local.hand, apart=local.picking)
    rows = _rows(pieces, size.cols)
    seen, told = range(len(rows)), _joined(facts)
    if local.picking and len(rows) > (most := max(1, size.rows // _SHARE)):
        rows = _rows(pieces, size.cols - 8)
        here = next((at for at, row in enumerate(rows) if any(local.cursor in one.cards for one in row)), 0)
        first = max(0, min(here - most // 2, len(rows) - most))
        seen, told = range(first, min(len(rows), first + most)), [("class:dim", f" {here + 1} of {len(rows)}")]
    lines = [line for at in seen for line in _text_row(table, rows[at], groups, local)]
    if lines and width_of(lines[-2]) + width_of(told) <= size.cols:
        lines[-2] += told
    return lines


def _rows(pieces: Sequence[_Piece], width: int) -> list[list[_Piece]]:
    """The pieces in lines of at most that width."""
    rows: list[list[_Piece]] = []
    room = 0
    for piece in pieces:
        if not rows or room < piece.size + 1:
            rows.append([])
            room = width
        rows[-1].append(piece)
        room -= piece.size + 1
    return rows


def _pieces(hand: Sequence[Card], *, apart: bool = False) -> list[_Piece]:
    """apart: copies too, each with room for a mark behind it."""
    if apart:
        return [_Piece((card,), place, 1) for place, card in enumerate(hand, 1)]
    pieces: list[_Piece] = []
    place = 1
    for _, same in groupby(hand, key=face):
        pieces.append(_Piece(tuple(same), place))
        place += len(pieces[-1].cards)
    return pieces


def _text_row(table: TableView, row: Sequence[_Piece], groups: Sequence[Cards] | None, local: Local) -> list[Line]:
    """The cards, and what stands under them."""
    shown: Line = []
    numbers: Line = []
    for piece in row:
        here, up = local.picking and piece.cards[0] == local.cursor, piece.cards[0] in local.raised
        fragment = cards.card(table.game.ranking, piece.cards[0], piece.mark)
        shown += [
            ("class:turn" if here else "", _HERE if here else " "),
            _reversed(fragment, local) if here else fragment,
        ]
        shown += [("class:turn" if up else "", _UP[:1] if up else " ")] * piece.room
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
