"""What each action does to the state, and how a round ends. Nothing here asks whether it is legal.

Sets of cards are worked on as Any and fields are given by place, since a step is mostly this.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from p2pcards.cards import Card, Cards, deck, each, rank
from p2pcards.games.base import Seat
from p2pcards.games.straights.actions import Action, Discard, Play
from p2pcards.games.straights.options import StraightsOptions
from p2pcards.games.straights.state import SEATS, SEVEN, Public, Reason, State, fitting

_BITS = tuple(1 << card for card in deck())
_NEXT = tuple(Seat((seat + 1) % SEATS) for seat in range(SEATS))
_OPENED = tuple(fitting(bit) for bit in _BITS)
"""By card: what can be played when it is the first one on the table."""
_CHANGED = tuple(
    bit | (bit >> 4 if rank(card) <= SEVEN else 0) | (bit << 4 if SEVEN <= rank(card) < 12 else 0)
    for card, bit in zip(deck(), _BITS, strict=True)
)
"""By card: what can be played no more, or from now on, when it is a later one; itself, and the next one outwards."""

NOTHING: tuple[tuple[Card, ...], ...] = ((),) * SEATS


def after(options: StraightsOptions, state: State, seat: Seat, action: Action) -> State:
    """The state after a legal action of this seat."""
    if type(action) is Play:
        return _play(options, state, seat, action.card)
    if type(action) is Discard:
        return _discard(options, state, seat, action.card)
    return _pass(options, state, seat)


def _play(options: StraightsOptions, state: State, seat: Seat, card: Card) -> State:
    public = state.public
    hands: list[Any] = [*state.hands]
    hands[seat] ^= _BITS[card]
    counts = [*public.counts]
    counts[seat] = left = counts[seat] - 1
    table: Any = public.table | _BITS[card]
    fits: Any = public.fits ^ _CHANGED[card] if public.table else _OPENED[card]
    following = _NEXT[seat]
    state = State(
        Public(
            following if counts[following] else _next(counts, seat),
            public.starter,
            table,
            fits,
            tuple(counts),
            public.lacked,
            0,  # passed
            public.discards,
            (),  # left
            (),  # points
            None,
            (),  # winners
        ),
        tuple(hands),
        state.discards,
    )
    if left or (options.mode != "sevens_pass" and any(counts)):
        return state
    return _over(options, state, seat, Reason.PLAYED)


def _discard(options: StraightsOptions, state: State, seat: Seat, card: Card) -> State:
    public = state.public
    hands: list[Any] = [*state.hands]
    hands[seat] ^= _BITS[card]
    counts = [*public.counts]
    counts[seat] -= 1
    discards = [*state.discards]
    discards[seat] += (card,)
    aside = tuple(discards)
    state = State(
        Public(
            _NEXT[seat] if counts[_NEXT[seat]] else _next(counts, seat),
            public.starter,
            public.table,
            public.fits,
            tuple(counts),
            _stuck(public, seat),
            0,  # passed
            aside if options.open_discards else NOTHING,
            (),  # left
            (),  # points
            None,
            (),  # winners
        ),
        tuple(hands),
        aside,
    )
    return state if counts[seat] or any(counts) else _over(options, state, seat, Reason.PLAYED)


def _pass(options: StraightsOptions, state: State, seat: Seat) -> State:
    public = replace(
        state.public,
        turn=_next(state.public.counts, seat),
        lacked=_stuck(state.public, seat),
        passed=state.public.passed + 1,
    )
    state = State(public, state.hands, state.discards)
    return _over(options, state, seat, Reason.BLOCKED) if public.passed == SEATS else state


def _next(counts: tuple[int, ...] | list[int], seat: Seat) -> Seat:
    """The next seat that holds cards; the same one where none does."""
    for step in range(1, SEATS):
        if counts[(seat + step) % SEATS]:
            return Seat((seat + step) % SEATS)
    return seat


def _stuck(public: Public, seat: Seat) -> tuple[tuple[Cards, ...], ...]:
    """What each seat has shown that it lacks, now that this one had no card that fits."""
    lacked = list(public.lacked)
    lacked[seat] += (public.fits,)
    return tuple(lacked)


def _over(options: StraightsOptions, state: State, seat: Seat, reason: Reason) -> State:
    """The round is scored: the points of what was put aside, or with sevens_pass of what is left."""
    if options.mode == "sevens_pass":
        points = tuple(sum(rank(card) + 1 for card in each(hand)) for hand in state.hands)
    else:
        points = tuple(sum(rank(card) + 1 for card in cards) for cards in state.discards)
    fewest = min(points)
    public = replace(
        state.public,
        turn=seat,
        discards=state.discards,
        left=state.hands,
        points=points,
        reason=reason,
        winners=tuple(Seat(seat) for seat in range(SEATS) if points[seat] == fewest),
    )
    return State(public, state.hands, state.discards)
