"""What has happened since my last turn: that is what I have not seen yet."""

from __future__ import annotations

from p2pcards.table.notices import (
    Acted,
    BotPlays,
    Closed,
    DeckShown,
    Entered,
    MatchOver,
    Notice,
    Returned,
    RoundOver,
    RoundStarted,
    Shuffled,
    TurnOf,
)
from p2pcards.table.tableview import TableView

_MARKED = (Acted, BotPlays, DeckShown, MatchOver, Returned, RoundOver, Shuffled)
"""Notices about the game itself; the rest of what happens has marks of its own, or none."""


class News:
    """Hears every notice, and knows which sentences are news.

    seen: what was told before the last notice is news no more. count: how many sentences were told since then;
    of_turn: it was the end of a turn of mine, not the beginning of a round or somebody's act while I watch.
    """

    def __init__(self) -> None:
        self.seen, self.of_turn = False, False
        self.count = 0
        self._my_turn = False

    def heard(self, notice: Notice, table: TableView | None) -> None:
        """Something happened; what is told of it comes next."""
        ended = isinstance(notice, TurnOf) and self._my_turn and not notice.mine
        watched = isinstance(notice, Acted) and table is not None and table.me is None
        self.seen = ended or watched or isinstance(notice, RoundStarted | Entered | Closed)
        if self.seen:
            self.count, self.of_turn = 0, ended
        if isinstance(notice, TurnOf):
            self._my_turn = notice.mine
        elif isinstance(notice, RoundStarted | Entered | Closed):
            self._my_turn = False

    def told(self, sentences: int) -> None:
        """So many sentences were told of it."""
        self.count += sentences

    @staticmethod
    def marks(notice: Notice, table: TableView | None) -> bool:
        """Whether it is marked as new until my next turn is over: what others did, and what became of it."""
        if isinstance(notice, Acted) and table is not None and notice.seat == table.me:
            return False
        return isinstance(notice, _MARKED)
