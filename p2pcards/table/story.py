"""What a guest passes on to its screens, in the order in which it happened: news wait for the view that shows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from p2pcards.cards import NONE, format_cards
from p2pcards.table.notices import (
    Acted,
    Alarm,
    Audited,
    BotPlays,
    CardsChanged,
    Entered,
    HostIs,
    Notice,
    OptionsSet,
    Recorded,
    RoundStarted,
    Seated,
    TurnOf,
)
from p2pcards.table.public import Public
from p2pcards.wire.entries import SeatKind

_MOVES = (Acted, RoundStarted, BotPlays)
"""Behind these whose turn it is is told even where it is the same."""


class Story:
    """The news held back, and what was last told of the turn and of our hand."""

    def __init__(self, public: Public) -> None:
        self._public = public
        self._held: list[Notice] = []
        self._turn: tuple[int, ...] | None = None
        self._hand, self._text = NONE, ""  # the hand last told, and how
        self._before: tuple[Any, ...] = ()  # the view before an act that waits for the dealer
        self._remind = False  # acts may have been refused meanwhile: the turn is told again once they are not

    def add(self, news: Iterable[Notice]) -> None:
        """Holds these back until the next `told`."""
        self._held += news

    def enter(self, me: int | None) -> None:
        """We hold the journal: how things stand instead of how they came about, but troubles even from long ago."""
        books = self._public
        records = [notice for notice in self._held if isinstance(notice, Recorded)]
        troubles = [notice for notice in self._held if _is_trouble(notice)]
        self._held = [Entered(me), HostIs(books.nick_of(books.host), books.term)]
        self._held.append(OptionsSet(books.options, books.settings))
        for seat, held in enumerate(books.seats):
            if held.kind is not SeatKind.OPEN:
                self._held.append(Seated(seat, held.nick, held.key, held.level))
        self._held += [*records[-1:], *troubles]

    def remind(self) -> None:
        """The line was lost meanwhile, so whose turn it is will be told again."""
        self._remind = True

    def told(
        self, before: Any, view: Any, view_at: int, me: int | None, acting: tuple[int, ...], settled: bool
    ) -> list[Notice]:
        """What was held back, and what the view adds; the newest act gets the views around it.

        before: the view before it. view_at: the entry that `view` is of. acting: whose move the table waits for.
        settled: whether there is no newer entry.
        """
        current = self._public.round
        acts = [place for place, notice in enumerate(self._held) if _is_move(notice)]
        if acts and current and current.shuffling:  # the act in which the stock ran out is not over yet
            self._before = self._before or (before,)
            return []
        (before,), self._before = self._before or (before,), ()
        story, self._held = self._held, []
        for place, notice in enumerate(story):
            if isinstance(notice, Acted) and [place] == acts[-1:] and notice.index <= view_at:
                story[place] = replace(notice, before=before, after=view)
            elif isinstance(notice, RoundStarted) and current and not acts and view_at >= current.started_at:
                story[place] = replace(notice, starter=min(acting, default=current.starter))
        moved = any(isinstance(notice, _MOVES) for notice in story)
        self._remind |= any(isinstance(notice, HostIs) for notice in story)
        if settled and self._remind:
            self._remind, moved = False, True
        return [*story, *self._cards(view, me), *self._turn_of(me, acting, moved)]

    def _cards(self, view: Any, me: int | None) -> list[Notice]:
        books = self._public
        if view is None or books.round is None:
            self._hand, self._text = NONE, ""
            return []
        hand, was = books.rules.hand(view), self._text
        if hand != self._hand:
            self._hand, self._text = hand, format_cards(books.rules.ranking, hand)
        return [CardsChanged(self._text)] if self._text != was and me is not None else []

    def _turn_of(self, me: int | None, acting: tuple[int, ...], moved: bool) -> list[Notice]:
        fresh, self._turn = acting != self._turn, acting
        mine = me is not None and me in acting and self._public.plays_itself(me)
        return [TurnOf(acting, mine, fresh)] if acting and (fresh or moved) else []


def _is_move(notice: Notice) -> bool:
    """Whether it is an act that may change what lies on the table."""
    return isinstance(notice, Acted) and notice.kind not in ("blind", "open")


def _is_trouble(notice: Notice) -> bool:
    """Whether even a latecomer must be told."""
    return isinstance(notice, Alarm) or (isinstance(notice, Audited) and not notice.ok)
