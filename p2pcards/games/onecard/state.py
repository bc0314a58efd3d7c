"""State and view of a round of One Card.

Copies are a number and no more: a hand with two 8H has the bits 8H and 52 + 8H, whichever decks they came from, and
piles hold faces. So nothing tells two equal cards apart, and nobody learns from a card where its twin was dealt.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from p2pcards.cards import NONE, Card, Cards
from p2pcards.games.base import Seat

SEATS = tuple(map(Seat, range(8)))
"""Every seat there can be."""


class Phase(StrEnum):
    """Where the turn stands (docs/rules/onecard.md)."""

    TURN = "turn"  # play or draw
    DRAWN = "drawn"  # play the drawn card or pass: draw_then_play, draw_until_playable
    SHUFFLE = "shuffle"  # a draw found the stock empty and waits for the dealer
    OVER = "over"


TURN, DRAWN, SHUFFLE, ENDED = Phase
"""The phases by themselves: to reach them over the class costs more than the rules that ask for them."""


class Reason(StrEnum):
    """How a round ended."""

    OUT = "out"  # a hand is empty, or all others are bankrupt
    BLOCKED = "blocked"


class Why(StrEnum):
    """What cards are drawn for."""

    TURN = "turn"  # instead of playing
    ATTACK = "attack"  # the pending attack
    CALL = "call"  # one card left and not said (call_one_card)
    FINAL = "final"  # the attack of somebody's last card (final_attack_counts)


FOR_TURN, FOR_ATTACK, FOR_CALL, FOR_FINAL = Why


class Drawing(Struct, frozen=True, gc=False):
    """A draw that the empty stock has interrupted; it goes on after the shuffle."""

    seat: Seat
    why: Why
    taken: int  # cards drawn before the stock was empty
    left: int  # cards still to be drawn; 1 under draw_until_playable


class Public(Struct, frozen=True, gc=False):
    """What everybody at the table knows."""

    phase: Phase
    turn: Seat  # whose turn it is; in SHUFFLE who acts, or is hit, when the draw is done
    starter: Seat  # with whom the round began
    direction: int  # 1: to the next higher seat, -1: to the next lower
    pending: int  # cards that the seat to act must draw or answer; 0: no attack
    counts: tuple[int, ...]  # cards in each hand
    stock: int  # cards left in the stock
    discards: tuple[Card, ...]  # faces, the top card last
    idle: int  # turns in a row in which nothing was played and nothing drawn
    actions: int  # actions so far, shuffles apart (turn_limit)
    skipped: Seat | None  # whom the last action skipped
    drawing: Drawing | None  # SHUFFLE
    bankrupt: tuple[Seat, ...]  # who is out of the round (bankrupt_at), in the order in which they went
    order: tuple[tuple[Seat, Card], ...]  # order cards that were turned up for the first turn, in that order
    reason: Reason | None = None  # OVER
    winners: tuple[Seat, ...] = ()
    left: tuple[Cards, ...] = ()  # OVER: the cards left in each hand

    @property
    def top(self) -> Card:
        """The card to match."""
        return self.discards[-1]


class State(Struct, frozen=True, gc=False):
    """The whole truth."""

    public: Public
    hands: tuple[Cards, ...]
    stock: tuple[Card, ...]  # faces, the next card drawn first
    drawn: Card | None = None  # DRAWN: the card that may be played


class View(Struct, frozen=True, gc=False):
    """What one seat may know; a spectator has seat None and no hand."""

    seat: Seat | None
    public: Public
    hand: Cards = NONE
    drawn: Card | None = None  # DRAWN: the viewer's own drawn card
