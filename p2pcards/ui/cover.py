"""What keeps the own cards from neighbours' eyes: always, never, or but for the own turn."""

from __future__ import annotations

from msgspec import Struct

from p2pcards.table.notices import Notice, RoundStarted, TurnOf
from p2pcards.table.tableview import Stage, TableView
from p2pcards.ui import words_tell


class Cover(Struct):
    """hidden: until they are shown again; on_turn: shown on our turn alone; peeks: but shown until it has come and
    gone."""

    hidden: bool = False
    on_turn: bool = False
    peeks: bool = False

    def hides(self, table: TableView | None) -> bool:
        """Whether the cards are hidden at that table, as it stands. What a finished round has shown is hidden by
        `hidden` alone."""
        if not self.on_turn or self.peeks or table is None or table.stage is not Stage.PLAYING:
            return self.hidden
        return self.hidden or table.me not in table.to_act

    def heard(self, notice: Notice) -> None:
        """A look between two turns ends with the next, and with other cards."""
        if isinstance(notice, RoundStarted) or (isinstance(notice, TurnOf) and notice.mine):
            self.peeks = False

    def change(self, word: str, table: TableView | None) -> str:
        """`hide`, or `hide on|off|turn`: what of it holds now. Without a word it changes what is to be seen."""
        was = self.hides(table)
        self.hidden = word == "on" or (not word and not was)
        self.on_turn = word == "turn" or (self.on_turn and word != "off")
        self.peeks = False
        if not word and was and self.hides(table):
            self.peeks = True
            return words_tell.PEEK
        shown = words_tell.ON_TURN if self.on_turn else words_tell.SHOWN
        return words_tell.HIDDEN if self.hidden else shown
