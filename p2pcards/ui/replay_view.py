"""A position of a record as a screen: tables and score sheets of live play, and all hands where they lie open.

Pure: the same position, eyes and size give the same lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from p2pcards.cards import Card, Cards
from p2pcards.games.base import DEALER, Seat
from p2pcards.table.tableview import RoundResult, SeatView, Stage, TableView
from p2pcards.ui import cards, frame, scoresheet
from p2pcards.ui.frame import Screen
from p2pcards.ui.gamescreens import GAME_SCREENS, Drawing, open_round
from p2pcards.ui.local import Happened, Local
from p2pcards.ui.ordering import Ordering
from p2pcards.ui.replay_words import happened, place, seen_by
from p2pcards.ui.voice import Cards as Written
from p2pcards.ui.width import Line, cells, clean, cut, fit, flow, pad, width_of

if TYPE_CHECKING:
    from p2pcards.games.reel import Reel, Spot
    from p2pcards.ui.theme import Size

NEWS = 60
"""Moves that the column of what happened goes back."""

_NAME = 12
"""Cells for a name before its hand."""

_BETWEEN = 4
"""Columns around the two parts of the first line, and between them."""

_ASIDE: Mapping[str, Callable[[Any], tuple[Card, ...]]] = {"straights": lambda view: view.discards}
"""For games in which a seat alone knows more cards than its hand: which, from its view."""


class Shown(NamedTuple):
    """How positions are shown. order: how hands are sorted; mode, cards: how cards are written."""

    order: str = ""
    mode: str = "boxes"
    cards: Written = Written.SIGNS


def table(reel: Reel, spot: Spot, eyes: Seat | None) -> TableView:
    """The table as these eyes saw it; None: as everybody did. A finished round has its result in `last`."""
    outcome, acting = reel.outcome(spot), reel.acting(spot)
    match = reel.before(spot) if outcome is None else reel.after(spot)
    record = reel.record
    view = reel.view(spot, eyes)
    last = None
    if outcome is not None:
        starter = None if match.over else outcome.starter
        last = RoundResult(spot.round + 1, outcome.reason, outcome.winners, match.points, view, starter=starter)
    return TableView(
        title=record.title,
        table=b"",
        game=reel.game,
        settings=(),
        door="open",
        host="",
        host_key=b"",
        mine=False,
        me=eyes,
        nick="" if eyes is None else reel.players[eyes],
        seats=tuple(SeatView(nick, b"", record.bots.get(nick, "")) for nick in reel.players),
        spectators=(),
        stage=Stage.PLAYING,
        round=spot.round + 1,
        scores=match.scores,
        pot=match.pot,
        view=None if last else view,
        to_act=() if acting == (DEALER,) else acting,
        last=last,
        endless=match.endless,
        winners=match.winners if last else (),
        dealing=acting == (DEALER,),
    )


def local(reel: Reel, spot: Spot, eyes: Seat | None, shown: Shown) -> Local:
    """What else a screen is drawn from: the hand, what happened in the round so far, and what has just come to lie."""
    lines = [Happened(text) for text in happened(reel, spot, eyes, shown.cards, NEWS)]
    lines[-1:] = [one._replace(fresh=True) for one in lines[-1:]]
    return Local(
        happened=tuple(lines),
        fresh=_laid(reel, spot, eyes),
        hand=() if eyes is None else hand(reel, spot, eyes, shown.order),
        mode=shown.mode,
        replayed=True,
    )


def screen(reel: Reel, spot: Spot, eyes: Seat | None, size: Size, beside: Local, order: str = "") -> Screen:
    """The screen of that position."""
    seen = table(reel, spot, eyes)
    drawn = scoresheet.draw(seen, seen.last, size, beside) if seen.last else open_round(seen, size, beside)
    if eyes is None:
        hands = _hands(reel, spot, size.cols, order)
        under = _sheet_with_hands if seen.last else _with_hands
        drawn = drawn._replace(drawings=under(drawn.drawings, hands, size))
    title, status = _heading(reel, spot, eyes, size.cols)
    return drawn._replace(title=title, status=status)


def body(reel: Reel, spot: Spot, eyes: Seat | None, size: Size, shown: Shown) -> list[Line]:
    """What lies on the table, or the score sheet, at its fullest: without hands, and without what happened."""
    seen, beside = table(reel, spot, eyes), local(reel, spot, eyes, shown)
    drawn = scoresheet.draw(seen, seen.last, size, beside) if seen.last else open_round(seen, size, beside)
    return drawn.drawings[0][0]


def _heading(reel: Reel, spot: Spot, eyes: Seat | None, cols: int) -> tuple[Line, Line]:
    """What is played, and behind it whose turn it is, whose eyes these are and where we are: as much as there is room
    for, and where we are in any case."""
    game: Line = [("class:title", reel.game.title)]
    named: Line = [*game, ("class:dim", " · "), ("class:title", cut(clean(reel.record.title), max(8, cols // 4)))]
    acting = [reel.players[seat] for seat in reel.acting(spot) if seat != DEALER]
    turn: Line = [("class:dim", "turn "), ("", ", ".join(acting)), ("class:dim", " · ")] if acting else []
    seen: Line = [("class:turn", seen_by(reel, eyes)), ("class:dim", " · ")]
    where: Line = [("", place(reel, spot))]
    titles = (named, game, []) if reel.record.title else (game, [])
    statuses = ([*turn, *seen, *where], [*seen, *where], where)
    both = ((title, status) for title in titles for status in statuses)
    fitting = (pair for pair in both if width_of(pair[0]) + width_of(pair[1]) + _BETWEEN <= cols)
    return next(fitting, ([], where))


def _laid(reel: Reel, spot: Spot, eyes: Seat | None) -> frozenset[Card]:
    """The cards that the last move put on the table."""
    step = reel.last(spot)
    if step is None or step.seat == DEALER:
        return frozenset()
    before = reel.view(spot._replace(move=spot.move - 1), eyes)
    return GAME_SCREENS[reel.game.name].laid(before, reel.view(spot, eyes))


def hand(reel: Reel, spot: Spot, seat: Seat, order: str) -> tuple[Card, ...]:
    """That seat's cards from left to right."""
    held: Cards = reel.game.hand(reel.game.view(reel.state(spot), seat))
    return (Ordering(order) if order else Ordering()).shown(reel.game, held, (b"", spot.round))


def put_aside(reel: Reel, spot: Spot, seat: Seat) -> tuple[Card, ...]:
    """The cards beside its hand that no other seat knows."""
    known = _ASIDE.get(reel.game.name)
    return known(reel.game.view(reel.state(spot), seat)) if known and reel.outcome(spot) is None else ()


# ---- all hands


def _hands(reel: Reel, spot: Spot, cols: int, order: str) -> tuple[list[Line], list[Line]]:
    """Every hand as text: with all its cards, and in one line each."""
    acting, ranking = reel.acting(spot), reel.game.ranking
    wide = min(_NAME, max(map(cells, reel.players)))
    full: list[Line] = []
    short: list[Line] = []
    for seat, nick in enumerate(map(str, reel.players)):
        turn = seat in acting
        head: Line = [
            ("class:turn", " ▸ " if turn else "   "),
            ("class:turn" if turn else "class:head", pad(nick, wide)),
            ("", " "),
        ]
        held = hand(reel, spot, Seat(seat), order)
        items: list[Line] = [[cards.card(ranking, card)] for card in held] or [[("class:dim", "no cards")]]
        if aside := put_aside(reel, spot, Seat(seat)):
            items.append([("class:head", " aside "), *cards.cards(ranking, aside)])
        lines = flow(items, cols - width_of(head) - 1)
        indent: Line = [("", " " * width_of(head))]
        full += [[*(indent if number else head), *line] for number, line in enumerate(lines)]
        more: Line = [("class:dim", " …")] if len(lines) > 1 else []
        short.append([*head, *fit(lines[0], cols - width_of(head) - 3), *more])
    return full, short


def _with_hands(drawings: Sequence[Drawing], hands: tuple[list[Line], list[Line]], size: Size) -> Sequence[Drawing]:
    """Each drawing of the table with all hands under it, the fullest first; at last the hands alone."""
    full, short = hands
    bodies = [body for body, _ in drawings]
    closest = bodies[-1]
    return [*((body, full) for body in bodies), (closest, short), (closest[:1], short), ([], short)]


def _sheet_with_hands(
    drawings: Sequence[Drawing], hands: tuple[list[Line], list[Line]], size: Size
) -> Sequence[Drawing]:
    """The score sheet with what was left in the hands, where there is room for both."""
    full, _ = hands
    room = frame.page_rows(size)
    both = [(body, full) for body, _ in drawings if len(body) + len(full) <= room]
    return both or drawings
