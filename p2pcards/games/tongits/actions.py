"""The actions of Tong-its, one frozen struct each; `rules.TongIts.format` gives their text."""

from __future__ import annotations

from msgspec import Struct

from p2pcards.cards import Card, Cards


class Draw(Struct, frozen=True, gc=False):
    """Take the top card of the stock."""


class Take(Struct, frozen=True, gc=False):
    """Take the top discard and expose it at once with these cards of the hand."""

    cards: Cards


class TakeLayoff(Struct, frozen=True, gc=False):
    """Lay the top discard on an exposed meld (option discard_layoff); meld 0 is m1."""

    meld: int


class Call(Struct, frozen=True, gc=False):
    """Call a draw."""


class Expose(Struct, frozen=True, gc=False):
    """Lay a meld face up."""

    cards: Cards


class Layoff(Struct, frozen=True, gc=False):
    """Add a card of the hand to an exposed meld; meld 0 is m1."""

    card: Card
    meld: int


class Discard(Struct, frozen=True, gc=False):
    """Put a card on the discard pile, which ends the turn."""

    card: Card


class Challenge(Struct, frozen=True, gc=False):
    """Contest a called draw."""


class Fold(Struct, frozen=True, gc=False):
    """Give in to a called draw."""


Action = Draw | Take | TakeLayoff | Call | Expose | Layoff | Discard | Challenge | Fold
