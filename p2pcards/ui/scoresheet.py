"""Between two rounds, and when the match is over: hands face up, points, and whether everything was in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from p2pcards.table.tableview import RoundResult, SeatView, TableView
from p2pcards.ui import people
from p2pcards.ui.context import own_nick
from p2pcards.ui.frame import Screen, body_width, page_rows
from p2pcards.ui.gamescreens import BESIDE, GAME_SCREENS
from p2pcards.ui.gamewords import GAME_WORDS
from p2pcards.ui.verdicts import found
from p2pcards.ui.voice import DRAWN, Cards, Voice, listed, sentence, signed
from p2pcards.ui.width import Line, cells, clean, fill, pad, width_of, wrap
from p2pcards.ui.words_deal import VERIFIED, trouble

if TYPE_CHECKING:
    from p2pcards.ui.local import Local
    from p2pcards.ui.theme import Size

_WITH_ABOUT = 34
"""Cells for a name with what is to be said of the seat."""


def draw(table: TableView, last: RoundResult, size: Size, local: Local) -> Screen:
    """The last round of a match that goes on or is over; with little room the scores and what fits."""
    width, table = body_width(size), _as_played(table, last)
    over = bool(table.winners)
    ending, scores = _ending(table, last, width), _scores(table, last, width, local.now)
    sheet = GAME_SCREENS[table.game.name].sheet(table, last, local.hidden, width)
    audit = [] if local.replayed else _audit(table, last, width)
    outlook = [*audit, *_outlook(table, last, width), *people.waiting(table, local.now, width)]
    full = [*ending, [], *scores, [], *([*sheet, []] if sheet else []), *outlook]
    drawings = [full, [line for line in full if line]]
    if len(drawings[-1]) > (room := page_rows(size) + 1):
        beside = [[*ending, *_beside(table, last, width), *outlook]] if last.view and table.game.name in BESIDE else []
        less = ([*ending, *scores, *filter(None, sheet)], [*ending, *scores, *outlook], [*ending, *scores])
        drawings = [next((lines for lines in (*beside, *less) if len(lines) <= room), scores)]
    heading = people.title(table, "match over" if over else f"round {last.number} is over")
    status = people.idle(table, heading, size.cols, local.now, [])
    return Screen(heading, status, [(lines, []) for lines in drawings])


def _as_played(table: TableView, last: RoundResult) -> TableView:
    """The table with those who played the round in its seats, if they have got up meanwhile."""
    nicks, now = last.nicks, tuple(seat.nick for seat in table.seats)
    if nicks in ((), now):
        return table
    seats = tuple(table.seats[now.index(nick)] if nick in now else SeatView(nick, b"") for nick in nicks)
    stay = {seat for seat, nick in enumerate(nicks) if now[seat : seat + 1] == (nick,)}
    me = table.me if table.me in stay else None
    return replace(table, seats=seats, me=me, ready=tuple(seat for seat in table.ready if seat in stay))


def _ending(table: TableView, last: RoundResult, width: int) -> list[Line]:
    """How the round ended, one sentence."""
    nicks = tuple(seat.nick for seat in table.seats)
    winners = tuple(nicks[seat] for seat in last.winners)
    first, *_ = GAME_WORDS[table.game.name].ending(
        Voice(Cards.SIGNS, own_nick(table)), last.view, last.reason, winners, nicks
    )
    return [[("class:title", "   " + line)] for line in wrap(sentence(first), width - 4)]


def _scores(table: TableView, last: RoundResult, width: int, now: float) -> list[Line]:
    names = _names(table)
    abouts = [people.about(seat, now) for seat in table.seats]
    most = min(_WITH_ABOUT, width - 5 - max(len(_sum(table, last, seat)) for seat in range(len(names))))
    if any(cells(name) + 1 + width_of(about) > most for name, about in zip(names, abouts, strict=True)):
        abouts = [people.brief(seat, now) for seat in table.seats]
    wide = max(6, *(min(most, cells(name) + 1 + width_of(about)) for name, about in zip(names, abouts, strict=True)))
    names = [people.name_in(table, seat, max(6, wide - 1 - width_of(about))) for seat, about in enumerate(abouts)]
    lines: list[Line] = [[("class:head", f"   {pad('player', wide)}   {GAME_WORDS[table.game.name].unit(table.game)}")]]
    for seat, name in enumerate(names):
        won = seat in last.winners
        won_what = " won the match" if seat in table.winners else " won the round" if won else ""
        line = fill(
            [
                ("class:turn", " ▸ " if won else "   "),
                ("class:turn" if won else "class:me" if seat == table.me else "", name),
                ("", " "),
                *abouts[seat],
            ],
            wide + 3,
        )
        ready: Line = [("class:good", "  ✓ "), ("", "ready")] if seat in table.ready else []
        lines.append([*line, ("", "  " + _sum(table, last, seat)), *ready, ("class:turn", "  " + won_what)])
    return lines


def _beside(table: TableView, last: RoundResult, width: int) -> list[Line]:
    """The scores, and in the same lines what was left; who is ready has a mark alone."""
    names = _names(table)
    wide = max(6, *map(cells, names))
    unit = GAME_WORDS[table.game.name].unit(table.game)
    lines: list[Line] = [[("class:head", f"   {pad('player', wide)}   {pad(unit, len(_sum(table, last, 0)) + 4)}left")]]
    for seat, name in enumerate(names):
        won = seat in last.winners
        style = "class:turn" if won else "class:me" if seat == table.me else ""
        line: Line = [("class:turn", " ▸ " if won else "   "), (style, pad(name, wide))]
        line += [("", "  " + _sum(table, last, seat)), ("class:good", " ✓  " if seat in table.ready else "    ")]
        match: Line = [("class:turn", "  won the match")] if seat in table.winners else []
        left = BESIDE[table.game.name](table, last, seat, width - width_of(line) - width_of(match) - 1)
        lines.append([*line, *left, *match])
    return lines


def _who(table: TableView, seat: int) -> str:
    """Who sits there, in a sentence."""
    return "you" if seat == table.me else clean(table.seats[seat].nick)


def _names(table: TableView) -> list[str]:
    return [people.name(table, seat) for seat in range(len(table.seats))]


def _sum(table: TableView, last: RoundResult, seat: int) -> str:
    """How the score came about: `0 − 3 = −3`."""
    points = last.points[seat]
    before, after = signed(table.scores[seat] - points, DRAWN), signed(table.scores[seat], DRAWN)
    return f"{before:>4} {DRAWN if points < 0 else '+'} {abs(points):<3} = {after:>4}"


def _audit(table: TableView, last: RoundResult, width: int) -> list[Line]:
    """What the programs found, ours first; whoever found something stands in a line of their own."""
    if last.verified is None:
        lines: list[Line] = [[("class:dim", "   checking deal and moves…")]]
    elif last.verified:
        others = list(map(clean, found(table, last.number)[0]))
        by = f" by {listed(['you', *others], 'and')}" if others else ""
        first, *more = wrap(VERIFIED + by, width - 6)
        lines = [[("class:good", "   ✓ "), ("", first)], *([("", "     " + line)] for line in more)]
    else:
        lines = _alarm(f"NOT in order: {trouble(Voice(Cards.SIGNS), last.bad, last.whose, last.trouble)}", width)
    for nick, bad, why in last.doubts:
        lines += _alarm(
            f"{clean(nick)}'s program says NOT in order: {trouble(Voice(Cards.SIGNS), bad, '', why)}", width
        )
    return lines


def _alarm(text: str, width: int) -> list[Line]:
    first, *more = wrap(clean(text), width - 6)
    return [[("class:warn", f"   ✗ {first}")], *([("class:warn", "     " + line)] for line in more)]


def _outlook(table: TableView, last: RoundResult, width: int) -> list[Line]:
    """Who starts the next round where this one settles it, and what becomes of the pot."""
    text = ""
    if table.winners:
        text = sentence(f"{listed([_who(table, seat) for seat in table.winners], 'and')} won the match")
        if table.pot:
            text += f" The pot of {table.pot} lapses."
    elif table.pot:
        text = f"{table.pot} in the pot of the next round."
    if last.starter is not None and not table.winners:
        starts = f"{_who(table, last.starter)} {'start' if last.starter == table.me else 'starts'} the next round"
        text = f"{sentence(starts)} {text}"
    return [[("", "   " + line)] for line in wrap(text, width - 4)] if text else []
