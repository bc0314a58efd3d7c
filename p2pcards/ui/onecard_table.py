"""The table of One Card: players, the top card and what fits it, who is attacked, the order of turns; and my hand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from p2pcards.cards import Card, in_order
from p2pcards.commands.notes_onecard import order
from p2pcards.games.onecard import pack
from p2pcards.games.onecard.state import SHUFFLE
from p2pcards.ui import art, cards, people, players, words_onecard
from p2pcards.ui.frame import LEAST, Screen, body_width, page_rows
from p2pcards.ui.hand import hands
from p2pcards.ui.players import Column
from p2pcards.ui.voice import counted
from p2pcards.ui.width import Fragment, Line, cells, clean, fill, flow, pad, width_of

if TYPE_CHECKING:
    from p2pcards.cards import Cards
    from p2pcards.games.onecard.state import Public, View
    from p2pcards.table.tableview import RoundResult, TableView
    from p2pcards.ui.local import Local
    from p2pcards.ui.theme import Size

_BESIDE = 66
"""Columns from which on the pile stands beside the list of players."""
_PILE = 27
"""Columns that it takes there."""
_NAMES = 17
"""Cells for names."""
_NOTES = 8
"""Cells for what is to be said of a seat just now."""

_EFFECTS = {"2": "draw 2", "3": "draw 3", "7": "cancel", "J": "skip", "Q": "turn"}
"""What a played card of that rank does, on the large drawing of it."""


def draw(table: TableView, size: Size, local: Local) -> Screen:
    """An open round; `table.view` is there."""
    view: View = table.view
    public, width = view.public, body_width(size)
    hand = hands(table, size, local, words=_effects(table, public))
    boxes, text = hand.boxes, hand.text
    bare = text if table.me is None or local.hidden else text[::2]  # without the numbers
    room = width - max(map(width_of, _players(table, public, width, local))) - 3
    beside = width >= _BESIDE and room >= _PILE
    full = _drawn(table, public, width, local) if beside else _listed(table, public, width, local)
    drawings = [(full, boxes), (full, text), (full, bare)]
    plain = local.mode not in ("boxes", "art")
    if not beside and not plain:
        drawings.insert(0, (_stacked(table, public, width, local), boxes))
    elif public.discards[:-1] and not plain:
        drawings.insert(0, ([[], *full, [], *_pile_of_boxes(table, public, width, local)], boxes))
    if local.mode == "art":
        large = _drawn(table, public, width, local, tall=True) if beside else _stacked(table, public, width, local)
        drawings = [*hand.drawn([[], *large, []], large, full), (large, boxes), *drawings]
    close, closest = _close(table, public, width, local), _closest(table, public, width, local)
    drawings += [(close, boxes), (close, text), (close, bare)]
    for lines in (closest, closest[:1]):  # the frame would rather leave away lines than its rules
        if size.rows >= LEAST.rows and len(drawings[-1][0]) + len(bare) > page_rows(size):
            drawings.append((lines, bare))
    number = f"round {table.round} of {table.game.options.rounds}"
    heading = people.title(table, number)
    return Screen(heading, people.status(table, heading, size.cols, local.now), drawings)


def laid(before: View, after: View) -> frozenset[Card]:
    """The card that an act put on the pile; a shuffle that was part of it took others away."""
    pile = after.public.discards
    return frozenset() if before.public.discards[-len(pile) :] == pile else frozenset(pile[-1:])


# ---- the players


def _players(table: TableView, public: Public, width: int, local: Local) -> list[Line]:
    last: Fragment = ("class:warn", "!")
    head = "drawn" if _shows_order(public) else ""
    columns = [
        players.cards(public.counts),
        Column("", [last if count == 1 else ("", "") for count in public.counts], 1, left=True),
        players.scores(table, local.gained),
        Column(head, [_note(table, public, seat) for seat in range(len(table.seats))], _NOTES, left=True),
    ]
    return players.listed(table, columns, local.now, players.room(columns, _NAMES, width))


def _note(table: TableView, public: Public, seat: int) -> Fragment:
    """What matters most about the seat now: out, attacked, drawing, skipped, its order cards, or that it is next."""
    turns = order(public)
    if seat in public.bankrupt:
        return "class:dim", "bankrupt"
    if public.drawing is not None:
        return "", "draws…" if seat == public.drawing.seat else ""
    if public.pending and seat == public.turn:
        return "class:warn", f"faces {public.pending}"
    if seat == public.skipped and seat != public.turn:
        return "", "skipped"
    if _shows_order(public):
        drawn = [card for holder, card in public.order if holder == seat]
        return "class:dim", " ".join(text for _, text in cards.cards(table.game.ranking, drawn) if text.strip())
    return "class:dim", "next" if seat == turns[1 % len(turns)] else ""


def _shows_order(public: Public) -> bool:
    """Whether the order cards are still worth a column: in the first turn of everybody."""
    return bool(public.order) and public.actions < len(public.counts)


# ---- the pile


def _effects(table: TableView, public: Public) -> Mapping[str, str]:
    """What cards do here, by rank: between two players a jack, and a queen by an option, lets the same one go on."""
    if len(public.counts) - len(public.bankrupt) > 2:
        return _EFFECTS
    again = ("J", "Q") if table.game.options.two_player_queen == "skip" else ("J",)
    return {**_EFFECTS, **dict.fromkeys(again, "again")}


def _facts(table: TableView, public: Public, width: int) -> list[Line]:
    """What is pending, what fits and what is left to draw, under each other."""
    lines: list[Line] = []
    if public.pending:
        hit = "you" if public.turn == table.me else clean(table.seats[public.turn].nick)
        lines += _fact("attack", [[("class:warn", f"{public.pending} for {hit}")]], width)
    matching = words_onecard.matching(table.game.options, public)
    items: list[Line] = [[("", part) for part in re.split("( )", text)] for text in matching]
    lines += _fact("answer" if public.pending else "fits", items, width)
    stock: list[Line] = [[("", f"{public.stock}{',' if public.phase is SHUFFLE else ''}")]]
    stock += [[("class:turn", "shuffling")]] if public.phase is SHUFFLE else []
    return lines + _fact("stock", stock, width)


def _fact(head: str, items: list[Line], width: int) -> list[Line]:
    """Behind its head in as many lines as it needs."""
    lines = flow(items, width - 7)
    return [[("class:head", pad("" if place else head, 7)), *line] for place, line in enumerate(lines)]


def _pile(table: TableView, public: Public, width: int, local: Local, tall: bool = False) -> list[Line]:
    """The top card large, facts beside it; where text is wanted, it is one of them. tall: as a drawn card."""
    top, ranking = public.top, table.game.ranking
    if local.mode not in ("boxes", "art"):
        return [_top(table, public, local), *_facts(table, public, width), _under(table, public, width, local)]
    played = public.actions or table.game.options.starter_effect
    words = _effects(table, public)
    if local.mode == "art":
        rank = ranking.format(top)[0]
        told = words if played else {rank: "starter"}
        face = art.fan(ranking, [top], low=not tall, words=told, fresh=local.fresh, marks=False)
    else:
        label = words.get(ranking.format(top)[0], "") if played else "starter"
        face = cards.large(ranking, top, label, new=top in local.fresh)
    face[len(face) // 2].append(("class:fresh", "•" if top in local.fresh else " "))
    room = width - cards.LARGE - 2
    facts = [*_facts(table, public, room), _under(table, public, room, local)]
    above = max(0, (len(face) - len(facts)) // 2)
    facts = [*([] for _ in range(above)), *facts]
    rows = max(len(face), len(facts))
    face += [[] for _ in range(rows - len(face))]
    facts += [[] for _ in range(rows - len(facts))]
    return [[*fill(one, cards.LARGE + 2), *other] for one, other in zip(face, facts, strict=True)]


def _under(table: TableView, public: Public, width: int, local: Local) -> Line:
    """The last discards under the top one, as many as one line takes, the newest last."""
    line: Line = []
    for card, mark in zip(reversed(public.discards[:-1]), _fresh(public, local)[1:], strict=True):
        longer = [cards.card(table.game.ranking, card, mark), *([("", " "), *line] if line else [])]
        if width_of(longer) > width - 7:
            break
        line = longer
    return [("class:head", pad("under", 7)), *(line or [("class:dim", "nothing")])]


def _fresh(public: Public, local: Local) -> list[str]:
    """A mark for each discard, from the top one down: others put it there since my last turn."""
    new = 0
    while new < len(public.discards) and public.discards[-1 - new] in local.fresh:
        new += 1
    return ["•"] * new + [""] * (len(public.discards) - new)


def _order(table: TableView, public: Public, width: int, rows: int) -> list[Line]:
    """Whose turn it is and who follows, each one once; which way round the list of players where they don't fit."""
    items: list[Line] = []
    for place, seat in enumerate(order(public)):
        style = "class:turn" if seat in table.to_act else "class:me" if seat == table.me else ""
        name = "you" if seat == table.me else people.nick_in(table, seat, 12)
        items.append([("class:dim", "→ " if place else ""), (style, name)])
    lines = flow(items, width - 7)
    if len(lines) > rows:
        lines = [[("", "down the list" if public.direction > 0 else "up the list")]]
    return [[("class:head", pad("" if place else "order", 7)), *line] for place, line in enumerate(lines)]


# ---- the table, from the fullest drawing to the closest


def _drawn(table: TableView, public: Public, width: int, local: Local, tall: bool = False) -> list[Line]:
    """The players, and beside them the large top card."""
    left = _players(table, public, width, local)
    across = max(map(width_of, left))
    room = width - across - 3
    right = [
        *_pile(table, public, room, local, tall),
        *_order(table, public, room, 2),
    ]
    rows = max(len(left), len(right))
    left, right = (part + [[] for _ in range(rows - len(part))] for part in (left, right))
    return [[*fill(one, across), ("class:rule", " │ "), *other] for one, other in zip(left, right, strict=True)]


def _pile_of_boxes(table: TableView, public: Public, width: int, local: Local) -> list[Line]:
    """The last discards under the top one as boxes, the newest last."""
    new = _fresh(public, local).count("•")
    across = max(1, (width - 12) // cards.BOX)
    shown = public.discards[-1 - across : -1]
    edge, face, foot = cards.boxes(table.game.ranking, shown)
    if new > 1:
        older = shown[: max(0, len(shown) + 1 - new)]  # the top card is one of the new ones
        marked = cards.boxes(table.game.ranking, shown[len(older) :], fresh=local.fresh)
        below = cards.boxes(table.game.ranking, older)
        edge, face, _ = ([*one, *other] for one, other in zip(below, marked, strict=True))
    head = [pad("   played", 11), *[" " * 11] * 2]
    return [
        [("class:head", one), *line] for one, line in zip((head[1], head[0], head[2]), (edge, face, foot), strict=True)
    ]


def _stacked(table: TableView, public: Public, width: int, local: Local) -> list[Line]:
    """The players, and under them the large top card."""
    room = width - 3
    pile = [*_pile(table, public, room, local), *_order(table, public, room, 2)]
    return [*_players(table, public, width, local), [], *([("", "   "), *line] for line in pile)]


def _listed(table: TableView, public: Public, width: int, local: Local) -> list[Line]:
    """The players, and under them the pile as text."""
    facts = [_top(table, public, local), *_facts(table, public, width - 4), *_order(table, public, width - 4, 2)]
    return [*_players(table, public, width, local), *([("", "   "), *line] for line in facts)]


def _top(table: TableView, public: Public, local: Local) -> Line:
    card = cards.card(table.game.ranking, public.top, "•" if public.top in local.fresh else "")
    return [("class:head", pad("top", 7)), ("class:fresh", "["), card, ("class:fresh", "]")]


def _close(table: TableView, public: Public, width: int, local: Local) -> list[Line]:
    """Everything run together: first what is to be matched, then the players in the order of their turns."""
    items = players.close(table, public.counts)
    for item, count in zip(items, public.counts, strict=True):
        item.append(("class:warn", "!" if count == 1 else ""))
    turns = flow([items[seat] for seat in order(public)], width - 2, gap=2)
    return [*_short_pile(table, public, width, local), *([("", " "), *line] for line in turns)]


def _closest(table: TableView, public: Public, width: int, local: Local) -> list[Line]:
    """Likewise without names: how many cards each one holds whose turn it is, and who follow."""
    items: list[Line] = [[("class:head", "cards")]]
    for place, seat in enumerate(order(public)):
        count = public.counts[seat]
        style = "class:turn" if seat in table.to_act else "class:me" if seat == table.me else ""
        mark: Fragment = ("class:warn", "!" if count == 1 else "")
        items.append([("class:dim", "→ " if place else ""), (style, str(count)), mark])
    turns = flow(items, width - 2)
    return [*_short_pile(table, public, width, local), *([("", " "), *line] for line in turns)]


def _short_pile(table: TableView, public: Public, width: int, local: Local) -> list[Line]:
    items: list[Line] = [_top(table, public, local)[1:]]
    if public.pending:
        hit = "you" if public.turn == table.me else people.nick_in(table, public.turn, 12)
        items.append([("class:warn", f"{public.pending} for {hit}")])
    else:
        items.append([("", " ".join(words_onecard.matching(table.game.options, public)))])
    items.append([("class:head", "stock "), ("", "shuffling" if public.phase is SHUFFLE else str(public.stock))])
    return [[("", " "), *line] for line in flow(items, width - 2, gap=2)]


# ---- the score sheet


def sheet(table: TableView, last: RoundResult, hidden: bool, width: int) -> list[Line]:
    """The cards left in each hand, and what they count."""
    if last.view is None:
        return []
    public: Public = last.view.public
    return [line for seat, held in enumerate(public.left) for line in _left(table, public, seat, held, width)]


def beside(table: TableView, last: RoundResult, seat: int, width: int) -> Line:
    """The same of one seat in one line, where a sheet of many seats has no room for more: the cards that fit."""
    public: Public = last.view.public
    held = public.left[seat]
    if not held:
        return [("class:dim", "no card left")]
    sum_: Line = [("", "  "), ("class:me", _worth(table, public, seat, held))]
    room = width - width_of(sum_)
    line: Line = []
    texts: list[Line] = [[text] for text in cards.counted(table.game.ranking, in_order(held))]
    for place, text in enumerate(texts):
        more = 0 if place == len(texts) - 1 else 2  # for the dots behind it
        if width_of(line) + 1 + width_of(text) + more > room:
            line += [("class:dim", " …")] if line else []
            break
        line += [*([("", " ")] if line else []), *text]
    return [*line, *sum_]


def _left(table: TableView, public: Public, seat: int, held: Cards, width: int) -> list[Line]:
    names = [clean(held_by.nick) for held_by in table.seats]
    room = max(12, min(max(map(cells, names)), width - 60))
    head: Line = [("class:head", f"   {pad(people.nick_in(table, seat, room), room)} ")]
    if not held:
        return [[*head, ("class:dim", "no card left")]]
    worth: Line = [("class:dim", "  "), ("class:me", _worth(table, public, seat, held))]
    items: list[Line] = [[text] for text in cards.counted(table.game.ranking, in_order(held))]
    lines = flow([*items, worth], width - room - 5)
    return [[*(fill([], room + 4) if place else head), *line] for place, line in enumerate(lines)]


def _worth(table: TableView, public: Public, seat: int, held: Cards) -> str:
    """What the cards left count, and whether that seat was out before."""
    points = table.game.options.scoring == "points"
    worth = counted(pack.points(held), "point") if points else counted(held.bit_count(), "card")
    return f"{worth}, bankrupt" if seat in public.bankrupt else worth
