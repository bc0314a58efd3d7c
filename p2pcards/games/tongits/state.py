"""State and view of a round of Tong-its."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from p2pcards.cards import Card, Cards
from p2pcards.games.base import Seat


class Phase(StrEnum):
    """Where the turn stands (docs/rules/tongits.md)."""

    DRAW = "draw"
    ACT = "act"
    RESPOND = "respond"
    OVER = "over"


DRAWING, ACTING, RESPONDING, ENDED = Phase
"""The phases by themselves: to reach them over the class costs more than the rules that ask for them."""


class Reason(StrEnum):
    """How a round ended."""

    TONGITS = "tongits"
    CALL = "call"
    EXHAUSTED = "exhausted"


class Block(StrEnum):
    """Why a seat may not call in its next turn."""

    OWN = "own"  # it laid off on a meld of its own
    LAID = "laid"  # somebody laid off on one of its melds
    TAKEN = "taken"  # its discard was taken


class Meld(Struct, frozen=True, gc=False):
    """An exposed meld. Its place in the list is its name: the first is m1."""

    owner: Seat
    cards: Cards


class Public(Struct, frozen=True, gc=False):
    """What everybody at the table knows."""

    phase: Phase
    turn: Seat  # whose turn it is; in RESPOND the caller
    starter: Seat
    counts: tuple[int, ...]  # cards in each hand
    stock: int  # cards left in the stock
    discards: tuple[Card, ...]  # top last
    melds: tuple[Meld, ...]
    call_blocked: tuple[Block | None, ...]  # why the seat may not call in its next turn; None where it may
    self_laid: tuple[bool, ...]  # this seat laid off on a meld of its own in this turn
    last_drawer: Seat | None
    asked: tuple[Seat, ...]  # RESPOND: who has yet to answer, in turn order
    answers: tuple[tuple[Seat, bool], ...]  # who answered the call, True for a challenge
    reason: Reason | None  # OVER
    winners: tuple[Seat, ...]
    shown: tuple[tuple[Seat, Cards, int], ...]  # showdown: contender, hand, deadwood points


class State(Struct, frozen=True, gc=False):
    """The whole truth."""

    public: Public
    hands: tuple[Cards, ...]
    stock: tuple[Card, ...]  # the next card drawn stands first


class View(Struct, frozen=True, gc=False):
    """What one seat may know; a spectator has seat None and no hand."""

    seat: Seat | None
    public: Public
    hand: Cards
