"""The table of Tiến lên: the trick with who played what, what beats it and who leads next, the players, and my hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pcards.cards import THREE_LOW, Card, Cards, each, in_order
from p2pcards.commands.notes_tienlen import if_all_pass
from p2pcards.games.base import Seat
from p2pcards.games.tienlen.combos import bombs_on, one_suit
from p2pcards.games.tienlen.scoring import PENALTY_TARGET
from p2pcards.ui import art, cards, people, players, words_tienlen
from p2pcards.ui.combinations import KINDS, bombs, combination, higher, nth
from p2pcards.ui.frame import Screen, body_width
from p2pcards.ui.hand import hands
from p2pcards.ui.players import Column
from p2pcards.ui.voice import DRAWN, Voice, listed, sentence
from p2pcards.ui.voice import Cards as Style
from p2pcards.ui.width import Line, cells, fill, flow, pad, width_of, wrap

if TYPE_CHECKING:
    from p2pcards.games.tienlen.combos import Combo
    from p2pcards.games.tienlen.state import Act, Public, View
    from p2pcards.table.tableview import RoundResult, TableView
    from p2pcards.ui.local import Local
    from p2pcards.ui.theme import Size

_RIGHT = 22
"""Columns that the trick needs at least to stand beside the players."""
_AMPLE = 40
"""Columns for it where there are rows to spare: with fewer it stands under them."""
_TRICK = 5
"""Rows that a trick in boxes takes beside the players, and so may the words of a new one."""
_NAMES = 19
"""Cells for a name, where there is room."""
_WIDEST = 18
"""Cells of the longest nick, with what tells it from another of the same look."""
_FEW = 3
"""So many cards left, or fewer, catch the eye."""


def draw(table: TableView, size: Size, local: Local) -> Screen:
    """An open round; `table.view` is there."""
    view: View = table.view
    width = body_width(size)
    hand = hands(table, size, local)
    boxes, text = hand.boxes, hand.text
    public, fresh = view.public, local.fresh
    beside = _beside(table, public, width, local)
    plain = local.mode not in ("boxes", "art")
    boxed = beside if plain else _beside(table, public, width, local, drawn="boxes")
    whole, last = _history(table, public, width, fresh), _last(table, public, width, fresh)
    close = _close(table, public, width, local)
    roomy = _beside(table, public, width, local, drawn="" if plain else local.mode, least=_AMPLE)
    drawings = [
        ([[], *roomy, [], *_acts(table, public, fresh)], boxes),
        ([[], *roomy, [], *whole], boxes),
        ([*boxed, *whole], boxes),
        ([*beside, *whole], boxes),
        ([*beside, *last], boxes),
        ([*beside, *whole], text),
        ([*beside, *last], text),
        ([*close, *last], boxes),
        ([*close, *last], text),
        (close, text),
        (_closest(table, public, width, local), text),
    ]
    drawn = hand.drawn([[], *roomy, [], *whole], [*boxed, *whole], [*beside, *whole], [*beside, *last])
    drawings = [*drawn, *drawings]
    heading = people.title(table, _round(table))
    return Screen(heading, people.status(table, heading, size.cols, local.now), drawings)


def laid(before: View, after: View) -> frozenset[Card]:
    """The cards that an act put on the table."""
    return frozenset(each(Cards(after.public.played & ~before.public.played)))


def _round(table: TableView) -> str:
    """Which round it is, and how long the match goes on where that is settled."""
    options = table.game.options
    target = options.target_score or (PENALTY_TARGET if options.scoring == "penalty" else 0)
    text = f"round {table.round} of {options.match_rounds}" if options.match_rounds else f"round {table.round}"
    if not target:
        return text
    least = DRAWN if options.scoring == "cards_left" else ""
    unit = "penalty points" if options.scoring == "penalty" else words_tienlen.unit(table.game)
    return f"{text}, to {least}{target} {unit}"


# ---- the players


def _columns(table: TableView, public: Public, local: Local) -> list[Column]:
    counts, states = list[tuple[str, str]](), list[tuple[str, str]]()
    for seat, count in enumerate(public.counts):
        counts.append(("class:fresh" if 0 < count <= _FEW else "class:dim" if not count else "", str(count or "–")))
        states.append(_state(public, seat))
    return [Column("cards", counts), Column("", states, 7, left=True), players.scores(table, local.gained)]


def _state(public: Public, seat: int) -> tuple[str, str]:
    """What a player can't do any more: `out 2nd`, `passed`."""
    if not public.counts[seat]:
        return "class:good", f"out {nth(public.places.index(Seat(seat)) + 1)}" if seat in public.places else "out"
    return "class:dim", "passed" if public.passed[seat] else ""


def _beside(
    table: TableView, public: Public, width: int, local: Local, *, drawn: str = "", least: int = _RIGHT
) -> list[Line]:
    """The players, and the trick beside them, or under them where it has no room there; least: columns for it; drawn:
    as `boxes`, or `art`."""
    columns = _columns(table, public, local)
    names = players.room(columns, _NAMES, width)
    seated, across = players.listed(table, columns, local.now, names), players.width(columns, names)
    room = width - across - 4
    wide = public.pile is not None and bool(drawn) and _boxes(public.pile) > room
    if room < least or wide:
        gap: list[Line] = [[]] if least > _RIGHT else []
        return [*seated, *gap, *([("", "   "), *line] for line in _trick(table, public, width - 4, local, drawn=drawn))]
    trick = _trick(table, public, room, local, drawn=drawn)
    rows = max(len(seated), len(trick))
    left, right = (part + [[] for _ in range(rows - len(part))] for part in (seated, trick))
    return [[*fill(one, across), ("class:rule", "  │ "), *other] for one, other in zip(left, right, strict=True)]


# ---- the trick


def _trick(table: TableView, public: Public, width: int, local: Local, *, drawn: str = "") -> list[Line]:
    """What must be beaten, whose it is, by what, and who leads if nobody does."""
    pile = public.pile
    if pile is None or public.owner is None:
        return _lead(table, public, width)
    return [
        *_told("to beat", combination(pile.kind, pile.size), width, "class:title"),
        *_lying(table, public, pile, width, local.fresh, drawn=drawn),
        *_told("beaten by", beaten_by(table, pile), width),
        *_told("", _then(table, public, width), width),
    ]


def _lead(table: TableView, public: Public, width: int) -> list[Line]:
    mine = public.turn == table.me
    lines = _told("new trick", f"{'you lead' if mine else f'{_nick(table, public.turn)} leads'}", width, "class:title")
    if public.must is not None:
        card = "".join(text for _, text in cards.cards(THREE_LOW, [public.must]))
        lines += _told("", f"any combination with {card} in it, the lowest card dealt", width)
    else:
        lines += _told("", f"any combination{', but no pass' if mine else ''}", width)
    kinds = [[("class:dim", text)] for text in wrap(KINDS, width)]
    return [*lines, *kinds] if mine and len(lines) + len(kinds) <= _TRICK else lines


def _lying(
    table: TableView, public: Public, pile: Combo, width: int, fresh: frozenset[Card], *, drawn: str
) -> list[Line]:
    """The cards to beat, and whose they are."""
    held = in_order(pile.cards)
    owner = Seat(0) if public.owner is None else public.owner
    whose: Line = [("", f"by {_nick(table, owner, 16)}{'' if public.counts[owner] else ', who is out'}")]
    if drawn and _boxes(pile) <= width:
        lines = cards.boxes(THREE_LOW, held, fresh=fresh, marks=False)
        if drawn == "art" and art.across(len(held), art.EDGE) + 2 <= width:
            steps = (art.WIDTH, art.STEP, art.EDGE)
            step = next(step for step in steps if art.across(len(held), step) + 2 <= width)
            lines = art.fan(THREE_LOW, held, step, low=True, fresh=fresh, marks=False)
        lines[1].append(("class:fresh", "• " if fresh.issuperset(held) else "  "))
        if width_of(lines[1]) + width_of(whose) <= width:
            lines[1] += whose
            return lines
        return [*lines, whose]
    apart = " " if 3 * len(held) + width_of(whose) <= width else ""
    items: list[Line] = [[cards.card(THREE_LOW, one, "•" if one in fresh else "")] for one in held]
    return flow([*items[:-1], [*items[-1], ("", " "), *whose]], width, gap=len(apart))


def _boxes(pile: Combo) -> int:
    """Cells of the cards as boxes, and of a mark behind them."""
    return pile.cards.bit_count() * cards.BOX + 2


def beaten_by(table: TableView, pile: Combo) -> str:
    """What beats it, bombs included."""
    options = table.game.options
    text = higher(pile.kind, pile.size)
    if options.suited_straight_lock and pile.kind == "straight" and one_suit(pile.cards):
        text += " of one suit"
    quads, pairs = bombs_on(options, pile)
    return f"{text}, {bombs(pairs, quads)}" if pairs else text


def _then(table: TableView, public: Public, width: int) -> str:
    """Who leads if nobody beats it, and where there is room who is still asked: `if you and eve pass, dan leads`."""
    asked, leader = if_all_pass(table.game, public)
    names = [_nick(table, seat, 10) for seat in dict.fromkeys(asked)]
    leads = "you lead" if leader == table.me else f"{_nick(table, leader, 10)} leads"
    if len(names) == 1:
        return f"if {names[0]} {'pass' if names == ['you'] else 'passes'}, {leads}"
    text = f"if {listed(names, 'and')} pass, {leads}"
    return text if len(names) < len(table.seats) - 1 and cells(text) <= width else f"if all pass, {leads}"


def _told(label: str, text: str, width: int, style: str = "") -> list[Line]:
    """The text behind its label, wrapped."""
    first, *more = wrap(f"{label}  {text}" if label else text, width)
    head: Line = [("class:head", label), (style, first.removeprefix(label))]
    return [head, *([(style, f"  {line}")] for line in (wrap(" ".join(more), width - 2) if more else []))]


def _nick(table: TableView, seat: int, width: int = _WIDEST) -> str:
    return "you" if seat == table.me else people.nick_in(table, seat, width)


# ---- who played what


def _act(table: TableView, act: Act, fresh: frozenset[Card]) -> Line:
    """One play or pass of the trick."""
    name = _nick(table, act.seat, 10)
    if not act.cards:
        return [("class:dim", f"{name} passed")]
    new = bool(fresh.intersection(each(act.cards)))
    played = cards.cards(THREE_LOW, in_order(act.cards), fresh, marks=False)
    return [("", f"{name} "), *played, ("class:fresh", "•" if new else "")]


def _history(table: TableView, public: Public, width: int, fresh: frozenset[Card]) -> list[Line]:
    """The whole trick, oldest first, run together."""
    if not public.trick:
        return [[("class:head", "   trick "), ("class:dim", "nothing yet")], *_instant(table, public)]
    items = [_act(table, act, fresh) for act in public.trick]
    items = [[("class:dim", "→ "), *item] if place else item for place, item in enumerate(items)]
    lines = flow(items, width - 10)
    head: list[Line] = [[("class:head", "   trick ")], *([("", " " * 9)] for _ in lines[1:])]
    return [*([*one, *line] for one, line in zip(head, lines, strict=True)), *_instant(table, public)]


def _last(table: TableView, public: Public, width: int, fresh: frozenset[Card]) -> list[Line]:
    """As much of the trick's end as fits into a line."""
    kept: Line = []
    for place in range(len(public.trick) - 1, -1, -1):
        item = [*_act(table, public.trick[place], fresh), *([("class:dim", " → "), *kept] if kept else [])]
        if width_of(item) > width - (14 if place else 10):
            kept = [("class:dim", "… → "), *kept] if kept else item
            break
        kept = item
    return [[("class:head", "   trick "), *(kept or [("class:dim", "nothing yet")])]]


def _acts(table: TableView, public: Public, fresh: frozenset[Card]) -> list[Line]:
    """The whole trick, one play under the other, names and cards in columns."""
    if not public.trick:
        return _history(table, public, 40, fresh)
    wide = max(cells(_nick(table, act.seat, 16)) for act in public.trick)
    lines: list[Line] = [[("class:head", "   this trick")]]
    for act in public.trick:
        name = pad(_nick(table, act.seat, 16), wide)
        _, *shown = _act(table, act, fresh) if act.cards else [("", ""), ("class:dim", "passed")]
        lines.append([("class:dim" if not act.cards else "", f"   {name}  "), *shown])
    return [*lines, *_instant(table, public)]


def _instant(table: TableView, public: Public) -> list[Line]:
    """Whose dealt hand took the first place."""
    if public.instant is None:
        return []
    text = words_tienlen.instant(Voice(Style.SIGNS, table.nick), public.instant, _nicks(table))
    return [[("class:turn", f"   {sentence(text)}")]]


# ---- little room


def _close(table: TableView, public: Public, width: int, local: Local) -> list[Line]:
    """Everything run together: the trick first, then the players with cards and score."""
    lines = [*_closest(table, public, width, local)]
    if public.pile is None:
        return lines
    told = f"beaten by {beaten_by(table, public.pile)}; {_then(table, public, width)}"
    return [lines[0], *([("", f" {line}")] for line in wrap(told, width - 2)), *lines[1:]]


def _closest(table: TableView, public: Public, width: int, local: Local) -> list[Line]:
    pile = public.pile
    if pile is None or public.owner is None:
        trick: Line = [
            ("class:title", f" {'you lead' if public.turn == table.me else _nick(table, public.turn) + ' leads'}")
        ]
        if public.must is not None:
            trick += [("", " with "), cards.card(THREE_LOW, public.must)]
    else:
        held = in_order(pile.cards)
        for apart, marks in ((" ", True), ("", True), ("", False)):
            trick = [("class:head", " to beat "), *cards.cards(THREE_LOW, held, local.fresh, apart, marks=marks)]
            room = width - width_of(trick) - 1
            if room >= min(cells(_nick(table, public.owner)), 10):
                break
        trick += [("class:dim", f" {_nick(table, public.owner, max(1, min(10, room)))}")]
    items: list[Line] = []
    for seat, count in enumerate(public.counts):
        acts = seat in table.to_act
        _, state = _state(public, seat)
        name = f"{'▸' if acts else ''}{_nick(table, seat, 7)}"
        told = f" {state or f'{count}'}" if not count else f" {count}{' passed' if state else ''}"
        style, score = players.score(table, seat, local.gained)
        items.append([("class:turn" if acts else "", name), ("", told), (style or "class:dim", f" ({score})")])
    return [trick, *([("", " "), *line] for line in flow(items, width - 1, gap=2))]


# ---- the score sheet


def sheet(table: TableView, last: RoundResult, hidden: bool, width: int) -> list[Line]:
    """The places and what was left in each hand; what else decided or cost something has a line of its own."""
    if last.view is None:
        return []
    public: Public = last.view.public
    voice, nicks = Voice(Style.SIGNS, table.nick), _nicks(table)
    lines = [_placed(table, public, seat, width) for seat in _order(table, public)]
    if words_tienlen.won_with_three(public):
        text = words_tienlen.three(voice, voice.who(nicks[public.places[0]]))
        lines += [[("class:turn", f"   {line}")] for line in wrap(sentence(text), width - 4)]
    if table.game.options.scoring == "chips":
        for text in words_tienlen.paid(voice, public, nicks):
            lines += [[("", f"   {line}")] for line in wrap(sentence(text), width - 4)]
    return lines


def _order(table: TableView, public: Public) -> list[int]:
    """The seats by place; where the round ended before anybody played, the winner and then the others."""
    first = list(public.places or public.winners)
    return [*first, *(seat for seat in range(len(table.seats)) if seat not in first)]


def _placed(table: TableView, public: Public, seat: int, width: int) -> Line:
    """One seat: place, name, and the cards left."""
    name = pad(people.nick_in(table, seat, 16), 16)
    place = nth(public.places.index(Seat(seat)) + 1) if seat in public.places else ""
    line: Line = [("class:head", f"   {pad(place, 4)} {name} ")]
    held = public.shown[seat] if public.shown else Cards(0)
    if public.instant is not None and public.instant.seat == seat:
        held = public.instant.cards
    if not held:
        return [*line, ("class:dim", "no card left")]
    return [
        *line,
        *cards.cards(THREE_LOW, in_order(held), apart=" " if width_of(line) + 3 * held.bit_count() < width else ""),
    ]


def _nicks(table: TableView) -> tuple[str, ...]:
    return tuple(seat.nick for seat in table.seats)
