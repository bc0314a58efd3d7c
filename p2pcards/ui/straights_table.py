"""The table of Straights: the suits built from their sevens, the players, and what I put aside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from p2pcards.cards import DECK, Card, Cards, each, suit
from p2pcards.commands.notes_straights import known_aside
from p2pcards.ui import cards, people, players, words_straights
from p2pcards.ui.frame import Screen, body_width
from p2pcards.ui.hand import hands
from p2pcards.ui.voice import DRAWN, counted, listed, signed, signs
from p2pcards.ui.width import Fragment, Line, cells, clean, fill, flow, pad, width_of, wrap

if TYPE_CHECKING:
    from p2pcards.games.straights.state import Public, View
    from p2pcards.table.tableview import RoundResult, TableView
    from p2pcards.ui.local import Local
    from p2pcards.ui.theme import Size

SUITS = (3, 2, 1, 0)
"""Rows from above: spades, hearts, diamonds, clubs."""

_RANKS = DECK // 4
_GRID = 2 + 3 * _RANKS
"""Cells of the rows as text."""
_NAMES = 16
"""Cells for a name, where the players stand beside the rows."""
_LONG_NAMES = 24
"""And where they stand under them."""
_BOXED = 4 + cards.BOX * _RANKS
"""Cells of the rows as boxes."""
_CLOSE = 4 + _RANKS
"""Cells of the rows with one for a card."""
_FITS = 5
"""Playable cards that are named beside the hand."""


def draw(table: TableView, size: Size, local: Local) -> Screen:
    """An open round; `table.view` is there."""
    view: View = table.view
    width = body_width(size)
    hand = hands(table, size, local, facts=_facts(table, view, local))
    boxes, text = hand.boxes, hand.text
    aside = _aside(table, view, local, width)
    wide = [*_wide(table, view, local, width), *aside]
    close, closest = _close(table, view, local, width), _closest(table, view, local, width)
    legend: Line = [("class:head", f" {_legend(table)}")]
    drawings = [
        (wide, boxes),
        ([*close, *aside], boxes),
        (wide, text),
        ([*close, *aside], text),
        (close, boxes),
        (close, text),
        ([*closest, legend], text),
        (closest, text),
    ]
    large = [wide, [*close, *aside]]
    if width >= _BOXED and local.mode in ("boxes", "art"):
        large.insert(0, [*_drawn(table, view, local), [], *_listed(table, view, local, _LONG_NAMES), [], *aside])
        drawings.insert(0, (large[0], boxes))
    drawings = [*hand.drawn(*large), *drawings]
    for heading in (people.title(table, text) for text in _headings(table)):
        status = people.status(table, heading, size.cols, local.now)
        if width_of(heading) + width_of(status) + people.BETWEEN <= size.cols:
            break
    return Screen(heading, status, drawings)


def laid(before: View, after: View) -> frozenset[Card]:
    """The cards that an act put on the table, or aside where everybody sees it."""
    aside = {card for cards in after.public.discards for card in cards}
    aside -= {card for cards in before.public.discards for card in cards}
    return frozenset({*each(Cards(after.public.table & ~before.public.table)), *aside})


def _headings(table: TableView) -> Sequence[str]:
    """Which round of what match it is, the longest first."""
    options = table.game.options
    if max(table.scores) >= options.threshold:
        return (f"round {table.round}, playoff",)
    number = f"round {table.round}{f' of {options.match_rounds}' if options.match_rounds else ''}"
    if options.match_rounds:
        return (f"{number}, or to {options.threshold}", number)
    return (f"{number} of a match to {options.threshold}", f"{number}, to {options.threshold}", number)


# ---- the rows, from the fullest drawing to the closest


def _drawn(table: TableView, view: View, local: Local) -> list[Line]:
    """Every card on the table as a box, under its rank."""
    head: Line = [("", "    ")]
    for card in _cards_of(0):
        head += [("", " "), _head(table, card), ("", "  ")]
    lines: list[Line] = [head]
    for row in SUITS:
        three: list[Line] = [[("", "    ")], [("", "  "), _name(row), ("", " ")], [("", "    ")]]
        for card in _cards_of(row):
            if view.public.table >> card & 1:
                drawn = cards.boxes(table.game.ranking, [card], fresh=local.fresh)
            else:
                drawn = [[("", "    ")], _empty(table, view, card, local, 4), [("", "    ")]]
            three = [[*line, *part] for line, part in zip(three, drawn, strict=True)]
        lines += three
    return lines


def _wide(table: TableView, view: View, local: Local, width: int) -> list[Line]:
    """The rows as text, the players beside them, or under them where there is no room."""
    head: Line = [("", "  "), *(part for card in _cards_of(0) for part in [("", " "), _head(table, card), ("", " ")])]
    rows = [head, *(_row(table, view, row, local) for row in SUITS)]
    if width < _GRID:  # at the very edge of the screen
        rows = [[("", " "), *head[1:]], *(row[1:] for row in rows[1:])]
    listed = _listed(table, view, local)
    across = width - players.width(_columns(table, view, local), _NAMES) - 1
    if across < _GRID:
        return [*rows, *listed]
    rule: Line = [("class:rule", "│")]
    return [[*fill(one, min(across, _GRID + 4)), *rule, *other] for one, other in zip(rows, listed, strict=True)]


def _row(table: TableView, view: View, row: int, local: Local) -> Line:
    """One suit: what lies there, `•` behind what is new, and in brackets what I could add."""
    line: Line = [("", " "), _name(row)]
    for card in _cards_of(row):
        if view.public.table >> card & 1:
            new = card in local.fresh
            line += [("", " "), (_style(card, new), _rank(table, card)), ("class:fresh", "•" if new else " ")]
        else:
            line += _empty(table, view, card, local, 3)
    return line


def _empty(table: TableView, view: View, card: Card, local: Local, width: int) -> Line:
    """The place of a card that isn't there yet, in brackets where I hold it and it fits."""
    if local.hidden or not _playable(view) >> card & 1:
        return [("class:dim", pad(f" {_lacking(view, card, local)}", width))]
    text = _rank(table, card) if width == 3 else cards.card(table.game.ranking, card)[1]
    edge = "class:turn" if table.me in table.to_act else "class:dim"
    return [(edge, "["), (_style(card), text), (edge, "]")]


def _lacking(view: View, card: Card, local: Local) -> str:
    """`×` in the place of a card of which I know that it has been put aside and won't come, else `·`."""
    known = known_aside(replace(view, discards=()) if local.hidden else view)
    return "×" if known >> card & 1 else "·"


def _close(table: TableView, view: View, local: Local, width: int) -> list[Line]:
    """A cell a card, and the players beside it."""
    rows: list[Line] = [[("", "   "), *(_head(table, card) for card in _cards_of(0))]]
    for row in SUITS:
        rows.append([("", " "), _name(row), ("", " ")])
        for card in _cards_of(row):
            there = view.public.table >> card & 1
            lying = _style(card, card in local.fresh), _rank(table, card)
            rows[-1].append(lying if there else ("class:dim", _lacking(view, card, local)))
        rows[-1].append(("class:fresh", "•" if local.fresh.intersection(_cards_of(row)) else ""))
    if width >= _CLOSE + players.width(_columns(table, view, local), _NAMES):
        return [[*fill(one, _CLOSE), *other] for one, other in zip(rows, _listed(table, view, local), strict=True)]
    numbers = _numbers(table, view.public)
    room = max(4, width - _CLOSE - 3 - max(map(cells, numbers)))
    lines: list[Line] = [[*fill(rows[0], _CLOSE + 2), ("class:head", _legend(table))]]
    for seat, line in enumerate(rows[1:]):
        style = "class:turn" if seat in table.to_act else ""
        shown = pad(people.name_in(table, seat, min(room, 16)), min(room, 16))
        name: Line = [("class:turn", " ▸" if style else "  "), (style, shown)]
        lines.append([*fill(line, _CLOSE), *name, ("", f" {numbers[seat]}")])
    return lines


def _closest(table: TableView, view: View, local: Local, width: int) -> list[Line]:
    """The ends of each row, run together, then everybody's numbers."""
    ends: list[Line] = []
    for row in SUITS:
        pile = view.public.piles[row]
        new = [card for card in _cards_of(row) if card in local.fresh]
        shown = [(_style(card, card in local.fresh), _rank(table, card)) for card in dict.fromkeys(pile or ())]
        between: Line = [("class:dim", "–")] if len(shown) != 1 else []
        ends.append([_name(row), *shown[:1], *between, *shown[1:], ("class:fresh", "•" if new else "")])
    seats: list[Line] = []
    for seat, numbers in enumerate(_numbers(table, view.public)):
        acts = seat in table.to_act
        name = f"{'▸' if acts else ''}{people.name_in(table, seat, 10)}"
        seats.append([("class:turn" if acts else "", name), ("", f" {numbers}")])
    return [[("", " "), *line] for items in (ends, seats) for line in flow(items, width - 1, gap=2)]


def _cards_of(row: int) -> list[Card]:
    """Ace to king of that suit."""
    return [Card(card) for card in range(row, DECK, 4)]


# ---- players, and what they put aside


def _columns(table: TableView, view: View, local: Local) -> list[players.Column]:
    public = view.public
    stuck = "pass" if _passes(table) else "aside"
    return [
        players.cards(public.counts),
        players.Column(stuck, [("", str(count)) for count in public.aside]),
        players.scores(table, local.gained),
    ]


def _listed(table: TableView, view: View, local: Local, names: int = _NAMES) -> list[Line]:
    return players.listed(table, _columns(table, view, local), local.now, names)


def _legend(table: TableView) -> str:
    return f"cards/{'passed' if _passes(table) else 'aside'}/points"


def _numbers(table: TableView, public: Public) -> list[str]:
    """Of each seat what `_legend` says."""
    each_seat = zip(public.counts, public.aside, table.scores, strict=True)
    return [f"{count}/{aside}/{signed(score, DRAWN)}" for count, aside, score in each_seat]


def _passes(table: TableView) -> bool:
    return bool(table.game.options.mode == "sevens_pass")


def _aside(table: TableView, view: View, local: Local, width: int) -> list[Line]:
    """The cards put aside: my own, or everybody's where they lie open."""
    if _passes(table):
        return []
    ranking = table.game.ranking
    if table.game.options.open_discards:
        items: list[Line] = []
        for seat, discards in enumerate(view.public.discards):
            name = people.nick_in(table, seat, 8)
            held = cards.cards(ranking, discards, local.fresh) if discards else [("class:dim", "–")]
            items.append([("class:head", f"{name} "), *held])
        lines = flow(items, width - 13, gap=3, indent=2)
        return [[("class:head", "   aside   " if not place else " " * 11), *line] for place, line in enumerate(lines)]
    if view.seat is None:
        return []
    head: Line = [("class:head", "   you put aside  ")]
    if not view.discards:
        return [[*head, ("class:dim", "nothing yet")]]
    if local.hidden:
        return [[*head, ("class:dim", f"{counted(len(view.discards), 'card')}, hidden")]]
    sum_: Line = [("class:head", "= "), ("class:me", str(words_straights.points(view.discards)))]
    lines = flow([*([cards.card(ranking, card)] for card in view.discards), sum_], width - width_of(head))
    return [[*(head if not place else [("", " " * width_of(head))]), *line] for place, line in enumerate(lines)]


# ---- my hand


def _playable(view: View) -> Cards:
    return Cards(view.hand & view.public.fits)


def _facts(table: TableView, view: View, local: Local) -> list[Line]:
    """Which cards of mine fit, in the order of the hand."""
    fitting = [card for card in local.hand if _playable(view) >> card & 1]
    if not local.hand:
        return []
    if not fitting:
        return [[("class:head", "nothing fits")]]
    named = fitting if len(fitting) <= _FITS else fitting[: _FITS - 1]
    more: Line = [("", " …")] if named != fitting else []
    return [[("class:head", "can play "), *cards.cards(table.game.ranking, named), *more]]


# ---- the score sheet


def sheet(table: TableView, last: RoundResult, hidden: bool, width: int) -> list[Line]:
    """What each seat put aside, in order, or was left with; then who is ahead, and what comes next."""
    view: View | None = last.view
    lines = [line for seat in range(len(table.seats)) for line in _account(table, view, seat, hidden, width)]
    return [*lines, [], *([("", "   " + line)] for line in wrap(_standing(table), width - 4))]


def _account(table: TableView, view: View | None, seat: int, hidden: bool, width: int) -> list[Line]:
    head: Line = [("class:head", f"   {pad(people.nick_in(table, seat, 12), 12)} ")]
    if view is None:
        return []
    public = view.public
    if not public.reason:
        return [[*head, ("class:dim", f"{counted(public.aside[seat], 'card')} put aside, not shown")]]
    counting = words_straights.counting(public, seat)
    if not counting:
        return [[*head, ("class:dim", "no card left" if any(public.left) else "nothing put aside")]]
    sum_: Line = [("class:dim", " = "), ("class:me", counted(public.points[seat], "point"))]
    lines = flow([*([cards.card(table.game.ranking, card)] for card in counting), sum_], width - width_of(head) - 1)
    return [[*(head if not place else [("", " " * width_of(head))]), *line] for place, line in enumerate(lines)]


def _standing(table: TableView) -> str:
    """Who is ahead with the fewest points; and while the match goes on, until when, and who starts."""
    options, leaders = table.game.options, table.game.leaders(table.scores)
    names = listed([clean(table.seats[seat].nick) for seat in leaders], "and")
    fewest = min(table.scores)
    if table.winners:
        return f"The lowest total wins: {fewest}."
    starts = f"The holder of {signs(options.start_card)} starts."
    if max(table.scores) >= options.threshold:
        return f"{names} share the lowest total, so all play on until one is ahead. {starts}"
    ends = f"the match ends at {options.threshold}"
    if options.match_rounds:
        ends += f", or after round {options.match_rounds}"
    return f"{names} {'lead' if len(leaders) > 1 else 'leads'} with {fewest}; {ends}. {starts}"


def _name(row: int) -> Fragment:
    return _style(Card(row)), signs("A" + "CDHS"[row])[1]


def _rank(table: TableView, card: Card) -> str:
    return table.game.ranking.format(card)[0]


def _head(table: TableView, card: Card) -> Fragment:
    return "class:rank", _rank(table, card)


def _style(card: Card, new: bool = False) -> str:
    return f"class:suit.{'cdhs'[suit(card)]}{' class:card.new' if new else ''}"
