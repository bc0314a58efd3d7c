"""How the own hand lies on the screen: sorted, or as the person has put it, which is kept until the round is over."""

from __future__ import annotations

from typing import Any

from p2pcards.cards import Card, Cards
from p2pcards.commands.arrange import ORDERS, OWN, arrange, merged, moved, sorts
from p2pcards.games.base import Game

Round = tuple[bytes, int]
"""A table, and the number of a round there."""


class Ordering:
    """order: one of `ORDERS`, or `OWN`; version: another one whenever the cards are to lie in another way."""

    def __init__(self, order: str = ORDERS[0]) -> None:
        self.order = order
        self.version = 0
        self._sorted = order if order in ORDERS else ORDERS[0]
        self._own: tuple[Card, ...] = ()
        self._round: Round | None = None

    def shown(self, game: Game[Any, Any, Any], hand: Cards, round_: Round) -> tuple[Card, ...]:
        """The hand from left to right. Own orders are those of a round: new cards come behind, and the next one
        begins sorted."""
        if round_ != self._round:
            self._round, self._own = round_, ()
        in_order = arrange(game, hand, self._sorted)
        if self._own:
            self._own = merged(self._own, in_order)
        if self.order != OWN:
            return in_order
        self._own = self._own or in_order
        return self._own

    def sort(self, order: str, game: Game[Any, Any, Any], hand: tuple[Card, ...]) -> None:
        """Sorts from now on. order: empty for the next one; hand: as it lies."""
        ways = (*sorts(game), *((OWN,) if self._own else ()))
        self.order = order or ways[(ways.index(self.order) + 1) % len(ways) if self.order in ways else 0]
        if self.order != OWN:
            self._sorted = self.order
        elif not self._own:
            self._own = hand
        self.version += 1

    def move(self, hand: tuple[Card, ...], place: int, to: int) -> None:
        """Puts the card of one place at another one, from 1; from now on the hand lies as the person puts it."""
        self._own = moved(hand, place, to)
        self.order = OWN
        self.version += 1
