"""What the programs at a table found when they checked a finished round, put together."""

from __future__ import annotations

from p2pcards.table.notices import Audited, BadShare, LeftOut, Notice, Verdict
from p2pcards.table.tableview import TableView


def found(table: TableView, number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Whose programs found that round in order, and whose did not: the others' nicks, as far as they have said so."""
    if table.last is None or table.last.number != number:
        return (), ()
    said = table.last.verdicts
    return tuple(nick for nick, ok in said if ok), tuple(nick for nick, ok in said if not ok)


def awaited(table: TableView, number: int) -> tuple[str, ...]:
    """The others at the table whose programs are there and have not said what they found in that round."""
    said = {nick for nicks in found(table, number) for nick in nicks}
    here = (seat for place, seat in enumerate(table.seats) if seat.key and place != table.me)
    there = (seat.nick for seat in here if seat.held_until is None and not seat.bot_plays)
    return tuple(nick for nick in there if nick not in said)


def agreed(table: TableView | None, number: int) -> bool:
    """Whether all players' programs found that round in order; not where it is our word alone, or one that is there
    has not said so yet. Who only watches is not waited for."""
    if table is None or table.last is None or table.last.number != number or table.last.verified is not True:
        return False
    good, bad = found(table, number)
    return bool(good) and not bad and not awaited(table, number)


def alarms(notice: Notice) -> bool:
    """Whether the notice says that a deal was not as it should be, whoever is to blame."""
    match notice:
        case Audited(ok=ok):
            return not ok
        case Verdict(bad=bad):
            return bad is not None
    return isinstance(notice, LeftOut | BadShare)


class Agreement:
    """One line stands for all programs that find a round in order, once the last of them has said so."""

    def __init__(self) -> None:
        self._told: tuple[bytes, int] | None = None  # table and round

    def is_news(self, notice: Notice, table: TableView | None) -> bool:
        """Whether the notice is to be told. Whoever disagrees is; who agrees on a round before we came is not."""
        if not isinstance(notice, Audited | Verdict) or notice.bad is not None:
            return True
        if table is None:
            return isinstance(notice, Audited)
        this = (table.table, notice.round)
        told = this == self._told
        first = agreed(table, notice.round) and not told
        if first:
            self._told = this
        return first or (isinstance(notice, Audited) and not told)
