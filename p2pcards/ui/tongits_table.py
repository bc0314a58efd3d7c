"""The table of Tong-its: players, melds, stock and discards, and my hand with what is deadwood in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from p2pcards.cards import NONE, Card, Cards, cards_of, each, in_order
from p2pcards.games.base import Seat
from p2pcards.games.tongits import melds, showdown
from p2pcards.ui import art, cards, people, players
from p2pcards.ui.frame import Screen, body_width
from p2pcards.ui.hand import Hand, hands
from p2pcards.ui.width import Line, cells, fill, flow, pad, width_of

if TYPE_CHECKING:
    from p2pcards.games.tongits.state import Meld, Public, View
    from p2pcards.table.tableview import RoundResult, TableView
    from p2pcards.ui.local import Local
    from p2pcards.ui.theme import Size

_LEFT = 36
"""Columns of the players' list, where melds stand beside it."""
_BESIDE = 66
"""From so many columns on they do."""


def draw(table: TableView, size: Size, local: Local) -> Screen:
    """An open round; `table.view` is there."""
    view: View = table.view
    width = body_width(size)
    public = view.public
    pile = _discards(table, public, width, local.fresh)
    listed = [*_body(table, public, width, local, _listed_melds), *pile]
    packed = [*_body(table, public, width, local, _packed_melds), *pile]
    close = _close_body(table, public, width, local)
    hand = _hands(table, view, size, local)
    boxes, text = hand.boxes, hand.text
    drawings = [(listed, boxes), (packed, boxes), (listed, text), (packed, text), (close, text)]
    large = [listed, packed]
    fits = all(meld.cards.bit_count() * cards.BOX <= _meld_room(width) for meld in public.melds)
    if fits and local.mode in ("boxes", "art"):
        drawn = [*_body(table, public, width, local, _drawn_melds), [], *_drawn_discards(table, public, width, local)]
        large.insert(0, [[], *drawn])
        drawings.insert(0, (large[0], boxes))
    if local.mode == "art":
        drawn = [*_body(table, public, width, local, _fanned_melds), [], *_drawn_discards(table, public, width, local)]
        large.insert(0, [[], *drawn])
    drawings = [*hand.drawn(*large), *drawings]
    heading = people.title(table, f"round {table.round}")
    return Screen(heading, people.status(table, heading, size.cols, local.now), drawings)


def laid(before: View, after: View) -> frozenset[Card]:
    """The cards that an act put on the table, be it from a hand or from the discards to a meld."""
    melded = _melded(after) & ~_melded(before)
    discarded = cards_of(after.public.discards) & ~cards_of(before.public.discards)
    return frozenset(each(Cards(melded | discarded)))


def _melded(view: View) -> Cards:
    melded = NONE
    for meld in view.public.melds:
        melded = Cards(melded | meld.cards)
    return melded


# ---- the table


def _meld_room(width: int) -> int:
    """Columns for melds: beside the players' list where both have room, else under it."""
    return width - _LEFT - 3 if width >= _BESIDE else width - 3


def _body(
    table: TableView,
    public: Public,
    width: int,
    local: Local,
    draw_melds: Callable[[TableView, Public, int, frozenset[Card]], list[Line]],
) -> list[Line]:
    seated = players.listed(table, [players.cards(public.counts), players.scores(table, local.gained)], local.now)
    lying = draw_melds(table, public, _meld_room(width), local.fresh)
    stock: Line = [("class:head", "   stock "), ("", f"{public.stock}")]
    if table.pot or getattr(table.game.options, "ante", 0):
        stock += [("class:head", "   pot "), ("", f"{table.pot}")]
    left = [*seated, stock]
    if width >= _BESIDE:
        right = [[("class:head", "on the table")], *(lying or [[("class:dim", "nothing yet")]])]
        rows = max(len(left), len(right))
        left, right = (part + [[] for _ in range(rows - len(part))] for part in (left, right))
        lines = [[*fill(one, _LEFT), ("class:rule", "│ "), *other] for one, other in zip(left, right, strict=True)]
    else:
        lines = [*left, *([("", "   "), *line] for line in lying)]
    return lines


def _close_body(table: TableView, public: Public, width: int, local: Local) -> list[Line]:
    """Everything run together, of the discards only the top one."""
    items = players.close(table, public.counts)
    items.append([("class:head", "stock "), ("", str(public.stock))])
    if table.pot:
        items.append([("class:head", "pot "), ("", str(table.pot))])
    if public.discards:
        items.append([("class:head", "discards "), *_top(table, public, local.fresh)])
    lines = [*flow(items, width - 2, gap=2), *_packed_melds(table, public, width - 2, local.fresh)]
    return [[("", " "), *line] for line in lines]


def _discards(table: TableView, public: Public, width: int, fresh: frozenset[Card]) -> list[Line]:
    """The whole pile, oldest first; the top one, which may be taken, in brackets."""
    ranking = table.game.ranking
    head: Line = [("class:head", "   discards ")]
    if not public.discards:
        return [[*head, ("class:dim", "none yet")]]
    older = public.discards[:-1]
    items: list[Line] = [[cards.card(ranking, card, "•" if card in fresh else "")] for card in older]
    lines = flow([*items, _top(table, public, fresh)], width - 13)
    return [[*(head if not place else [("", " " * 12)]), *line] for place, line in enumerate(lines)]


def _top(table: TableView, public: Public, fresh: frozenset[Card]) -> Line:
    top = public.discards[-1]
    card = cards.card(table.game.ranking, top, "•" if top in fresh else "")
    return [("class:fresh", "["), card, ("class:fresh", "]")]


def _drawn_discards(table: TableView, public: Public, width: int, local: Local) -> list[Line]:
    """The whole pile, oldest first, the top card as a box behind the last line of the others."""
    ranking = table.game.ranking
    if not public.discards:
        return [[], [("class:head", "   discards "), ("class:dim", "none yet")]]
    *older, top = public.discards
    items: list[Line] = [[cards.card(ranking, card, "•" if card in local.fresh else "")] for card in older]
    texts = flow(items, width - 14 - (art.WIDTH if local.mode == "art" else cards.BOX)) or [[]]
    head: Line = [("class:head", "   discards ")]
    texts = [[*(head if not place else [("", " " * 12)]), *line] for place, line in enumerate(texts)]
    middle = max(1, len(texts) - 1)  # the row of the last text and of the box's face
    rows: list[Line] = [[] for _ in range(middle + 1 - len(texts))] + texts + [[]]
    across = max(map(width_of, texts)) + (1 if older else 0)
    draw_card = partial(art.fan, low=True) if local.mode == "art" else cards.boxes
    box = draw_card(ranking, [top], fresh=local.fresh, marks=False)
    box[1].append(("class:fresh", "•" if top in local.fresh else ""))
    rows += [[] for _ in range(middle - 1 + len(box) - len(rows))]
    for place, part in enumerate(box, middle - 1):
        rows[place] = [*fill(rows[place], across), *part]
    return rows


# ---- melds, from the fullest drawing to the closest


def _owner(table: TableView, meld: Meld, width: int = 8) -> str:
    return people.nick_in(table, meld.owner, width)


def _drawn_melds(table: TableView, public: Public, width: int, fresh: frozenset[Card]) -> list[Line]:
    """As boxes, the name above them."""
    return _groups(table, public, width, fresh, partial(cards.boxes, table.game.ranking, fresh=fresh))


def _fanned_melds(table: TableView, public: Public, width: int, fresh: frozenset[Card]) -> list[Line]:
    """As drawn cards that overlap, the name above them."""
    return _groups(
        table, public, width, fresh, partial(art.fan, table.game.ranking, step=art.EDGE, low=True, fresh=fresh)
    )


def _groups(
    table: TableView,
    public: Public,
    width: int,
    fresh: frozenset[Card],
    draw_cards: Callable[[Sequence[Card]], list[Line]],
) -> list[Line]:
    groups: list[list[Line]] = []
    for place, meld in enumerate(public.melds, 1):
        drawn = draw_cards(in_order(meld.cards))
        new = "•" if fresh.intersection(each(meld.cards)) else ""
        head: Line = [("class:key", f"m{place}"), ("", f" {_owner(table, meld)}"), ("class:fresh", new)]
        across = max(width_of(head), width_of(drawn[0]))
        groups.append([fill(line, across) for line in [head, *drawn]])
    lines: list[Line] = []
    used = width
    for group in groups:
        across = width_of(group[0])
        if lines and used + 2 + across <= width:
            for line, more in zip(lines[-len(group) :], group, strict=True):
                line += [("", "  "), *more]
            used += 2 + across
        else:
            lines += group
            used = across
    return lines


def _listed_melds(table: TableView, public: Public, width: int, fresh: frozenset[Card]) -> list[Line]:
    """One after the other, names under each other; two in a line where they would not fit otherwise."""
    owner_width = max((cells(_owner(table, meld)) for meld in public.melds), default=0)
    items: list[Line] = []
    for place, meld in enumerate(public.melds, 1):
        label = f"m{place}".ljust(2 if len(public.melds) < 10 else 3)
        held = cards.cards(table.game.ranking, in_order(meld.cards), fresh)
        items.append([("class:key", label), ("", f" {pad(_owner(table, meld), owner_width)} "), *held])
    if len(items) <= 4:
        return [line for item in items for line in flow([item], width, indent=owner_width + 4)]
    return _columns(items, width)


def _packed_melds(table: TableView, public: Public, width: int, fresh: frozenset[Card]) -> list[Line]:
    """As close as they can be read."""
    items: list[Line] = []
    for place, meld in enumerate(public.melds, 1):
        held = cards.cards(table.game.ranking, in_order(meld.cards), fresh, apart="")
        items.append([("class:key", f"m{place}"), ("", f" {_owner(table, meld, 5)} "), *held])
    return _columns(items, width)


def _columns(items: Sequence[Line], width: int) -> list[Line]:
    """The items under each other in as many columns as save lines; a wide one takes the room of several."""
    gap, fewest = 2, list[Line]()
    for columns in range(1, 5):
        column = (width - gap * (columns - 1)) // columns
        lines = flow([_spanned(item, column, gap, width) for item in items], width, gap, indent=4)
        if not fewest or len(lines) < len(fewest):
            fewest = lines
        if len(fewest) < 2:
            break
    return fewest


def _spanned(item: Line, column: int, gap: int, width: int) -> Line:
    """The item filled up to the end of the last column that it needs."""
    columns = -(-(width_of(item) + gap) // (column + gap))
    across = columns * (column + gap) - gap
    return fill(item, across) if across <= width else item


# ---- my hand


def _hands(table: TableView, view: View, size: Size, local: Local) -> Hand:
    """Its melds underlined, the deadwood beside it."""
    best = melds.split(view.hand)
    deadwood: Line = [("class:head", "deadwood "), ("class:me", f"{best.points}")]
    return hands(table, size, local, best.melds, [deadwood])


def _sheet_hand(table: TableView, best: melds.Split) -> Line:
    """A hand face up: its melds, then what went on melds of the table, then what is left over."""
    parts = [cards.cards(table.game.ranking, in_order(meld)) for meld in best.melds]
    if best.laid:
        parts.append([*cards.cards(table.game.ranking, in_order(best.laid)), ("class:dim", " laid off")])
    parts += [cards.cards(table.game.ranking, in_order(best.leftovers))] if best.leftovers else []
    line: Line = []
    for part in parts:
        line += [("class:dim", " | ") if line else ("", ""), *part]
    return line


# ---- the score sheet


def sheet(table: TableView, last: RoundResult, hidden: bool, width: int) -> list[Line]:
    """What each seat held at the end, with the melds in it."""
    if last.view is None:
        return []
    return players.headed(table, [_hand(table, last, seat, hidden) for seat in range(len(table.seats))], width)


def _hand(table: TableView, last: RoundResult, seat: int, hidden: bool) -> Line:
    """What the seat held at the end, as far as it was shown."""
    public: Public = last.view.public
    shown = {contender: (held, points) for contender, held, points in public.shown}
    if Seat(seat) in shown:
        held, points = shown[Seat(seat)]
        return [*_face_up(table, held, showdown.laid_out(public, held, points)), *_deadwood(points)]
    if seat == last.view.seat and not hidden:
        best = melds.split(last.view.hand)
        return [*_face_up(table, last.view.hand, best), *_deadwood(best.points)]
    left = public.counts[seat]
    text = "no card left" if not left else f"{left} card{'s' if left > 1 else ''}, not shown"
    return [("class:dim", text)]


def _deadwood(points: int) -> Line:
    return [("class:dim", "   deadwood "), ("class:me", str(points))]


def _face_up(table: TableView, held: Cards, best: melds.Split) -> Line:
    return _sheet_hand(table, best) if held else [("class:dim", "no card left")]
