"""State and view of a round of Straights."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from p2pcards.cards import DECK, NONE, Card, Cards, deck
from p2pcards.games.base import Seat

SEATS = 4
SEVEN = 6  # its rank

SUITS = tuple(Cards(sum(1 << rank * 4 + suit for rank in range(DECK // 4))) for suit in range(4))
"""The cards of each suit, in the order clubs, diamonds, hearts, spades."""

BITS = tuple(1 << card for card in deck())
"""By card."""

_ALL = (1 << DECK) - 1
_SEVENS = 0b1111 << SEVEN * 4


class Reason(StrEnum):
    """How a round ended."""

    PLAYED = "played"
    BLOCKED = "blocked"  # sevens_pass with cards in nobody's hand: all passed in a row


class Public(Struct, frozen=True, gc=False):
    """What everybody at the table knows."""

    turn: Seat  # whose turn it is; at the end who acted last
    starter: Seat
    table: Cards  # every card that was played
    fits: Cards  # the cards that can be played now, whoever holds them: at first the start card alone
    counts: tuple[int, ...]  # cards in each hand
    lacked: tuple[tuple[Cards, ...], ...]  # by seat, for each discard or pass: what fitted, of which it held nothing
    passed: int  # passes in a row
    discards: tuple[tuple[Card, ...], ...]  # by seat, first one first; with open_discards, and of all when it is over
    left: tuple[Cards, ...] = ()  # over: the hands, of which any are left with sevens_pass alone
    points: tuple[int, ...] = ()  # over: what each seat's total grows by
    reason: Reason | None = None
    winners: tuple[Seat, ...] = ()

    @property
    def aside(self) -> tuple[int, ...]:
        """How many cards each seat put aside; with sevens_pass how often it passed."""
        return tuple(map(len, self.lacked))

    @property
    def piles(self) -> tuple[tuple[Card, Card] | None, ...]:
        """The lowest and the highest card on the table by suit, clubs first; None for a suit that isn't open."""
        rows = (self.table & suit for suit in SUITS)
        return tuple((Card((row & -row).bit_length() - 1), Card(row.bit_length() - 1)) if row else None for row in rows)


class State(Struct, frozen=True, gc=False):
    """The whole truth."""

    public: Public
    hands: tuple[Cards, ...]
    discards: tuple[tuple[Card, ...], ...]  # by seat, first one first


class View(Struct, frozen=True, gc=False):
    """What one seat may know; a spectator has seat None, no hand and nothing put aside."""

    seat: Seat | None
    public: Public
    hand: Cards = NONE
    discards: tuple[Card, ...] = ()  # the viewer's own, first one first


def fitting(table: int) -> Cards:
    """The cards that can be played on a table that isn't empty: its neighbours in each suit, and every seven."""
    return Cards((table << 4 | table >> 4 | _SEVENS) & _ALL & ~table)
