"""State and view of a round of Tiến lên."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from p2pcards.cards import Card, Cards
from p2pcards.games.base import Seat
from p2pcards.games.tienlen.combos import Combo


class Phase(StrEnum):
    """Where the trick stands (docs/rules/tienlen.md)."""

    LEAD = "lead"
    FOLLOW = "follow"
    AFTER_OUT = "after_out"  # the player before went out: beat those last cards, or pass and lead
    OVER = "over"


LEADING, FOLLOWING, AFTER_OUT, ENDED = Phase
"""The phases by themselves: to reach them over the class costs more than the rules that ask for them."""


class Reason(StrEnum):
    """How a round ended."""

    OUT = "out"
    INSTANT = "instant"


class Hand(StrEnum):
    """The dealt hands that win at once, the strongest first."""

    FOUR_TWOS = "four_twos"
    DRAGON = "dragon"
    FIVE_PAIR_SEQUENCE = "five_pair_sequence"
    SIX_PAIRS = "six_pairs"


class Act(Struct, frozen=True, gc=False):
    """What a seat did in the trick: the cards that it played, none where it passed."""

    seat: Seat
    cards: Cards


class Instant(Struct, frozen=True, gc=False):
    """A hand that wins at once, face up."""

    seat: Seat
    kind: Hand
    cards: Cards


class Chop(Struct, frozen=True, gc=False):
    """2s overtaken by a bomb."""

    bomber: Seat
    owner: Seat
    twos: Cards


class Public(Struct, frozen=True, gc=False):
    """What everybody at the table knows."""

    phase: Phase
    turn: Seat  # whose turn it is; in OVER who acted last
    starter: Seat  # who was to lead the first trick
    leader: Seat  # who led the trick, or is to lead it
    counts: tuple[int, ...]  # cards in each hand that are still to be played
    must: Card | None  # the card that the first lead must contain
    pile: Combo | None  # what is to be beaten; None in LEAD
    owner: Seat | None  # who played it
    trick: tuple[Act, ...]  # all plays and passes of the trick, in order; in OVER those of the last one
    passed: tuple[bool, ...]  # out of the trick; without pass_lock: passed on what lies there
    played: Cards  # every card played in the round
    active: tuple[bool, ...]  # has played a card in the round
    places: tuple[Seat, ...]  # who is out, the first one first; in OVER the last holder stands last
    three: bool  # the first one out did it with the single 3S
    chops: tuple[Chop, ...]
    instant: Instant | None
    reason: Reason | None  # OVER
    winners: tuple[Seat, ...]
    shown: tuple[Cards, ...]  # OVER: the cards left, by seat


class State(Struct, frozen=True, gc=False):
    """The whole truth."""

    public: Public
    hands: tuple[Cards, ...]


class View(Struct, frozen=True, gc=False):
    """What one seat may know; a spectator has seat None and no hand."""

    seat: Seat | None
    public: Public
    hand: Cards
