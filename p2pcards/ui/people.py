"""Who sits where, as every table screen says it: names, bots, and whose seat is kept for how long."""

from __future__ import annotations

from p2pcards.table.tableview import SeatView, Stage, TableView
from p2pcards.ui.context import awaited
from p2pcards.ui.voice import listed
from p2pcards.ui.width import Line, cells, clean, cut, cut_apart, width_of, wrap
from p2pcards.ui.words_host import hangs_on

_TITLE = 24
"""Cells for a table's title before other words of the title line."""
_SHORT_NAME = 10
"""Cells for the host's name where it would take the place of the title."""
_YOU = " (you)"
_LEAST_NICK = 6
"""Cells of the own nick at least beside that."""
SHORT = 10
"""Seconds of a turn that are few."""

_ROOMY = 64
"""Columns of a screen whose first line has room for the host too."""
_ROOMIER = 78
"""Likewise for whether the table would outlive its host."""
BETWEEN = 4
"""Columns around the two parts of the first line, and between them."""


def name(table: TableView, seat: int) -> str:
    """The nick in that seat, with what tells it from another of the same look; an open seat's is empty."""
    nick = _nick(table, seat)
    return f"{nick}{_YOU}" if seat == table.me else nick


def name_in(table: TableView, seat: int, width: int) -> str:
    """The same in so many cells at most; of the own one the nick is cut, not that it is ours."""
    whole = name(table, seat)
    if cells(whole) <= width:
        return whole
    left = width - cells(_YOU)
    if seat != table.me or left < _LEAST_NICK:
        return nick_in(table, seat, width)
    return f"{nick_in(table, seat, left)}{_YOU}"


def nick_in(table: TableView, seat: int, width: int) -> str:
    """The nick in that seat, in so many cells at most, unlike those of the other seats."""
    nick = _nick(table, seat)
    if cells(nick) <= width:
        return nick
    others = (_nick(table, other) for other in range(len(table.seats)) if other != seat)
    return cut_apart(nick, others, width)


def _nick(table: TableView, seat: int) -> str:
    nick = clean(table.seats[seat].nick) if table.seats[seat].nick else ""
    twins = [place for place, other in enumerate(table.seats) if other.nick and clean(other.nick) == nick]
    return f"{nick}·{twins.index(seat) + 1}" if len(twins) > 1 else nick


def about(seat: SeatView, now: float) -> Line:
    """What is to be said of who sits there, beside the name: a bot, a program, a seat that is held."""
    if seat.held_until is not None:
        return [("class:warn", f"held {max(0, round(seat.held_until - now))} s")]
    if seat.bot_plays:
        return [("class:dim", "a bot plays on")]
    if seat.level:
        return [("class:dim", f"{seat.level} bot")]
    return [("class:dim", "program")] if seat.program else []


def brief(seat: SeatView, now: float) -> Line:
    """The same where there is little room."""
    if seat.held_until is not None:
        return [("class:warn", f"{max(0, round(seat.held_until - now))} s")]
    return [("class:dim", "bot")] if seat.bot_plays or seat.level else []


def counts_down(table: TableView | None) -> bool:
    """Whether something on the table's screens changes with every second, or changes and nobody tells."""
    if table is None:
        return False
    waited = table.next_at or table.clock_at or table.vote or table.knocks or table.dealing or table.asks_at
    outlives = table.safe is not None and table.safe.why != "alone"  # or would not, from one moment to the next
    return bool(waited) or outlives or any(seat.held_until is not None for seat in table.seats)


def waiting(table: TableView, now: float, width: int) -> list[Line]:
    """Between rounds, and once somebody wants another match: for whom it waits, and when it goes on by itself."""
    parts = []
    if table.stage is Stage.BETWEEN or (table.stage is Stage.OVER and table.ready):
        mine = ("you",) if table.me is not None and table.me not in table.ready else ()
        if names := [*mine, *map(clean, awaited(table))]:
            parts.append(f"waiting for {listed(names, 'and')}")
        if table.next_at is not None:
            parts.append(f"goes on by itself in {max(0, round(table.next_at - now))} s")
    text = " · ".join(parts)
    return [[("class:turn", "   " + line)] for line in wrap(text[:1].upper() + text[1:], width - 4)] if text else []


def host(table: TableView, cols: int = _ROOMIER, why: bool = False, short: bool = False) -> Line:
    """Who runs the table, and whether it would outlive that, or why not, as far as the host has said."""
    named = cut(clean(table.host), _SHORT_NAME) if short else clean(table.host)
    line: Line = [("class:dim", "host "), ("", "you" if table.mine else named)]
    if table.safe is None or table.safe.why == "alone" or cols < _ROOMIER:  # nobody else's evening hangs on it
        return line
    told = f"not safe: {hangs_on(table.safe)}" if why and hangs_on(table.safe) else "not safe"
    return [*line, ("class:dim", ", "), ("class:good", "safe ✓") if table.safe.ok else ("class:dim", told)]


def title(table: TableView, *more: str) -> Line:
    """Game and table, then what is added; a long title is cut for it."""
    named = cut(table.title, _TITLE) if more else clean(table.title)
    line: Line = [("class:title", table.game.title), ("class:dim", " · "), ("class:title", named)]
    for text in more:
        line += [("class:dim", " · "), ("", text)]
    return line


def turn(table: TableView, now: float) -> Line:
    """Whose turn it is and how long it may take, or why nothing moves, for the title line."""
    if table.changing:
        return [("class:warn", "changing host…")]
    if table.waiting_for:
        return [("class:warn", "standing still")]
    if not table.connected:
        return [("class:warn", "line to the host lost, trying again")]
    if table.dealing:
        return [("class:turn", "shuffling")]
    if table.me is not None and table.me in table.to_act:
        return [("class:turn", "▸ your turn"), *_clock(table, now)]
    names = ", ".join(clean(table.seats[seat].nick) for seat in table.to_act)
    return [("class:dim", "turn "), ("", names), *_clock(table, now)] if names else []


def idle(table: TableView, heading: Line, cols: int, now: float, more: Line) -> Line:
    """Beside the heading where no cards are on the table: who the host is, with what is added, as far as the heading
    leaves room, unless there is news."""
    if table.dealing or halts(table):
        return turn(table, now)
    short = host(table, _ROOMY)
    lines = ([*host(table), *more], [*short, *more], short)
    return next((line for line in lines if width_of(heading) + width_of(line) + BETWEEN <= cols), [])


def halts(table: TableView) -> bool:
    """Whether nothing can move now: there is no host, no line to it, or too few are here."""
    return bool(table.changing or table.waiting_for or not table.connected)


def status(table: TableView, heading: Line, cols: int, now: float) -> Line:
    """Beside the heading of an open round: whose turn it is, and who the host is where there is room."""
    if cols < _ROOMY or not table.connected or table.changing:
        return turn(table, now)
    acts: Line = [("class:dim", " · "), *turn(table, now)]
    for line in ([*host(table, cols, why=True), *acts], [*host(table, cols), *acts]):
        if width_of(heading) + width_of(line) + BETWEEN <= cols:
            return line
    return [*host(table, cols, short=True), *acts]


def _clock(table: TableView, now: float) -> Line:
    """What the turn clock shows, `0:24`; it stands out when little is left of my turn."""
    if table.clock_at is None:
        return []
    left = max(0, round(table.clock_at - now))
    hurry = left <= SHORT and table.me is not None and table.me in table.to_act
    return [("class:warn" if hurry else "class:dim", f" {left // 60}:{left % 60:02}")]
