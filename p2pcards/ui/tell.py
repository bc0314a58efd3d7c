"""What somebody is told who looks elsewhere: which event, by which ways, and when not.

Not told: what one does oneself, what happened while the line was lost (but for the own turn), and more than one ring a
second, so that nobody makes a siren of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from p2pcards.commands.table_tell import OFF, ON
from p2pcards.table.listing import Row
from p2pcards.table.notices import (
    Acted,
    Closed,
    GoOnAsked,
    Kicked,
    Knocked,
    LinkBack,
    MatchStarted,
    Notice,
    Ready,
    RolledBack,
    RoundOver,
    Spoken,
)
from p2pcards.table.tableview import TableView
from p2pcards.ui import words_tell
from p2pcards.ui.ports import Node
from p2pcards.ui.ways import Ways

if TYPE_CHECKING:
    from p2pcards.ui.prompt import Prompt

USUAL: Mapping[str, tuple[str, ...]] = {
    "my_turn": ("bell", "title"),
    "joined": ("bell",),
    "kicked": ("bell",),
    "chat": ("bell",),
}
"""The ways where nobody said anything else; other events have none."""

BELL_SECONDS = 1.0
"""Between two rings of the bell, two sounds, two notices of one event."""

CATCHING_UP = 1.0
"""Seconds after the line is back in which others' doings are old news."""

FOUND = 5.0
"""Seconds of looking around after which a table that shows up has just been opened."""

SHOWN_OUT = frozenset({"kicked", "banned"})
"""Reasons of a Closed after which we were shown out."""

_ALWAYS = frozenset({"my_turn", "kicked"})
_ORDERS = frozenset({"start", "practise"})


class Happening(NamedTuple):
    """event: its name in EVENTS; what: the sentence in `words_tell`; who: nick or title that it is about."""

    event: str
    what: str
    who: str = ""


def wanted(said: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Event to ways: as said, and as usual where nothing is said."""
    return {**USUAL, **said}


def changed(event: str, word: str) -> tuple[str, ...]:
    """The ways that `tell EVENT WORD` means."""
    if word == OFF:
        return ()
    return USUAL.get(event, ("bell",)) if word == ON else tuple(word.split())


class Teller:
    """Hears everything before the prompt does, and tells what is wanted by the ways that there are."""

    def __init__(self, node: Node, prompt: Prompt, ways: Ways) -> None:
        self._node, self._prompt, self._ways = node, prompt, ways
        prompt.lacking = ways.lacking
        self._table = node.table
        self._mark = ""  # of something that has not been looked at yet
        self._told: dict[tuple[str, str], float] = {}
        self._caught_up = self._at_home = node.now()
        self._mine = False  # what was done last, we did
        self._known = {row.table for row in node.home.rows}

    def heard(self, notice: Notice | None) -> None:
        """Something happened; None: the list of tables changed."""
        before, self._table = self._table, self._node.table
        now = self._node.now()
        if isinstance(notice, LinkBack):
            self._caught_up = now + CATCHING_UP
        if (before and before.table) != (self._table and self._table.table):
            self._mark = ""
            self._at_home = now
        for one in (*self._happened(notice, before, self._table), *self._opened(now)):
            if now >= self._caught_up or one.event in _ALWAYS:
                self._tell(one, now)
        match notice:
            case Acted(seat=seat, by=by):
                self._mine = self._is_my_seat(seat) and not by
            case Ready(seat=seat):
                self._mine = self._is_my_seat(seat)

    def attended(self) -> None:
        """The person has typed something: there is nothing left to look at."""
        self._mark = ""

    @property
    def title(self) -> str:
        """Where I am and whether it is my turn, for the window's title."""
        table = self._node.table
        if table is None:
            return words_tell.title(self._mark, "")
        mine = table.me is not None and table.me in table.to_act and "title" in self._ways_of("my_turn")
        return words_tell.title(words_tell.says("my_turn") if mine else self._mark, table.game.title)

    # ---- what happened

    def _happened(
        self, notice: Notice | None, before: TableView | None, after: TableView | None
    ) -> Iterator[Happening]:
        if turn_came(before, after):
            yield Happening("my_turn", "my_turn")
        yield from (Happening("joined", "joined", nick) for nick in newcomers(before, after))
        match notice:
            case GoOnAsked():
                yield Happening("my_turn", "asked")
            case RolledBack(mine=mine) if mine:
                yield Happening("my_turn", "lost")
            case Knocked(nick=nick):
                yield Happening("joined", "knocked", nick)
            case MatchStarted() if not self._mine and self._prompt.did not in _ORDERS:
                yield Happening("started", "started")
            case RoundOver() if not self._mine:
                yield Happening("round_over", "round_over")
            case Kicked(nick) if self._is_me(nick):
                yield Happening("kicked", "kicked")
            case Closed(reason) if reason in SHOWN_OUT and not self._prompt.shown_out:
                yield Happening("kicked", "kicked")
            case Spoken(nick=nick) if self._speaks_to_me(notice):
                yield Happening("chat", "chat", nick)

    def _opened(self, now: float) -> Iterator[Happening]:
        """Tables that have just been opened, while we are at home."""
        home = self._node.home
        looks = self._node.table is None and now - self._at_home >= FOUND and home.searching_for >= FOUND
        for row in home.rows:
            if row.table in self._known or (looks and not row.answers):
                continue
            self._known.add(row.table)
            if looks and self._may_join(row):
                yield Happening("table_opened", "table_opened", row.title)

    def _may_join(self, row: Row) -> bool:
        listed = row.lab or not self._prompt.settings.lab_only
        return listed and row.state == "lobby" and not (row.version or row.barred)

    def _speaks_to_me(self, said: Spoken) -> bool:
        table = self._node.table
        if table is None or self._is_me(said.nick) or not self._prompt.hears(said):
            return False
        return self._is_me(said.to) or _names(table.nick, said.text)

    def _is_me(self, nick: str) -> bool:
        return self._node.table is not None and self._node.table.nick == nick

    def _is_my_seat(self, seat: int) -> bool:
        return self._node.table is not None and self._node.table.me == seat

    # ---- how it is told

    def _ways_of(self, event: str) -> tuple[str, ...]:
        return self._prompt.settings.tell.get(event, ())

    def _tell(self, one: Happening, now: float) -> None:
        for way in self._ways_of(one.event):
            if way == "title":
                self._mark = "" if one.what == "my_turn" else words_tell.says(one.what, one.who)
            elif (way != "bell" or self._prompt.settings.bell) and self._may(way, one.event, now):
                self._carry_out(way, one)

    def _may(self, way: str, event: str, now: float) -> bool:
        kind = (way, event if way == "notice" else "")
        if now - self._told.get(kind, -BELL_SECONDS) < BELL_SECONDS:
            return False
        self._told[kind] = now
        return True

    def _carry_out(self, way: str, one: Happening) -> None:
        match way:
            case "bell":
                self._ways.ring()
            case "sound":
                self._ways.sound()
            case "notice":
                table = self._node.table
                self._ways.notice(words_tell.notice(one.what, one.who, table.game.title if table else ""))


def turn_came(before: TableView | None, after: TableView | None) -> bool:
    """Whether it is my turn now, and was not."""
    if after is None or after.me is None or after.me not in after.to_act:
        return False
    return before is None or before.table != after.table or before.me not in before.to_act


def newcomers(before: TableView | None, after: TableView | None) -> list[str]:
    """Nicks of the people who sat down beside me at the table that I was at."""
    if before is None or after is None or before.table != after.table:
        return []
    sat = {seat.key for seat in before.seats}
    beside = (seat for place, seat in enumerate(after.seats) if place != after.me)
    return [seat.nick for seat in beside if seat.key and seat.key not in sat]


def _names(nick: str, text: str) -> bool:
    """Whether the text has the nick as a word of its own."""
    return bool(nick) and re.search(rf"(?<![\w-]){re.escape(nick)}(?![\w-])", text, re.IGNORECASE) is not None
