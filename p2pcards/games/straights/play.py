"""What each action does to the state, and how a round ends. Nothing here asks whether it is legal.

Sets of cards are worked on as Any and fields are given by place, since a step is mostly this.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from p2pcards.cards import Card, deck, each, rank
from p2pcards.games.base import Seat
from p2pcards.games.straights.actions import Action, Discard, Play
from p2pcards.games.straights.options import StraightsOptions
from p2pcards.games.straights.state import BITS, SEATS, SEVEN, Public, Reason, State, fitting

_NEXT = tuple(Seat((seat + 1) % SEATS) for seat in range(SEATS))
_POINTS = tuple(rank(card) + 1 for card in deck())
_OPENED = tuple(fitting(bit) for bit in BITS)
"""By card: what can be played when it is the first one on the table."""
_CHANGED = tuple(
    bit | (bit >> 4 if rank(card) <= SEVEN else 0) | (bit << 4 if SEVEN <= rank(card) < 12 else 0)
    for card, bit in zip(deck(), BITS, strict=True)
)
"""By card: what can be played no more, or from now on, when it is a later one; itself, and the next one outwards."""

NOTHING: tuple[tuple[Card, ...], ...] = ((),) * SEATS


def after(options: StraightsOptions, state: State, seat: Seat, action: Action) -> State:
    """The state after a legal action of this seat."""
    if type(action) is Play:
        return played(options, state, seat, action.card)
    return put_aside(options, state, seat, action.card) if type(action) is Discard else _pass(options, state, seat)


def played(options: StraightsOptions, state: State, seat: Seat, card: Card) -> State:
    """The state after a card is played."""
    public = state.public
    bit: Any = BITS[card]
    table: Any = public.table
    fits: Any = public.fits
    a, b, c, d = state.hands
    hands: tuple[Any, ...]  # every seat written out: half as dear as to copy lists
    of_a, of_b, of_c, of_d = public.counts
    if seat == 0:
        hands, counts, held = (a ^ bit, b, c, d), (of_a - 1, of_b, of_c, of_d), of_a
    elif seat == 1:
        hands, counts, held = (a, b ^ bit, c, d), (of_a, of_b - 1, of_c, of_d), of_b
    elif seat == 2:
        hands, counts, held = (a, b, c ^ bit, d), (of_a, of_b, of_c - 1, of_d), of_c
    else:
        hands, counts, held = (a, b, c, d ^ bit), (of_a, of_b, of_c, of_d - 1), of_d
    following = _NEXT[seat]
    public = Public(
        following if counts[following] else _next(counts, seat),
        public.starter,
        table | bit,
        fits ^ _CHANGED[card] if table else _OPENED[card],
        counts,
        public.lacked,
        0,  # passed
        public.discards,
    )
    state = State(public, hands, state.discards)
    if held > 1 or (options.mode != "sevens_pass" and any(counts)):
        return state
    return _over(options, state, seat, Reason.PLAYED)


def put_aside(options: StraightsOptions, state: State, seat: Seat, card: Card) -> State:
    """The state after a card is put aside."""
    public = state.public
    bit: Any = BITS[card]
    a, b, c, d = state.hands
    hands: tuple[Any, ...]
    of_a, of_b, of_c, of_d = public.counts
    fits, lacked, aside = (public.fits,), public.lacked, state.discards
    lacked_a, lacked_b, lacked_c, lacked_d = lacked
    aside_a, aside_b, aside_c, aside_d = aside
    if seat == 0:
        hands, counts, held = (a ^ bit, b, c, d), (of_a - 1, of_b, of_c, of_d), of_a
        lacked, aside = (lacked_a + fits, lacked_b, lacked_c, lacked_d), ((*aside_a, card), aside_b, aside_c, aside_d)
    elif seat == 1:
        hands, counts, held = (a, b ^ bit, c, d), (of_a, of_b - 1, of_c, of_d), of_b
        lacked, aside = (lacked_a, lacked_b + fits, lacked_c, lacked_d), (aside_a, (*aside_b, card), aside_c, aside_d)
    elif seat == 2:
        hands, counts, held = (a, b, c ^ bit, d), (of_a, of_b, of_c - 1, of_d), of_c
        lacked, aside = (lacked_a, lacked_b, lacked_c + fits, lacked_d), (aside_a, aside_b, (*aside_c, card), aside_d)
    else:
        hands, counts, held = (a, b, c, d ^ bit), (of_a, of_b, of_c, of_d - 1), of_d
        lacked, aside = (lacked_a, lacked_b, lacked_c, lacked_d + fits), (aside_a, aside_b, aside_c, (*aside_d, card))
    following = _NEXT[seat]
    public = Public(
        following if counts[following] else _next(counts, seat),
        public.starter,
        public.table,
        public.fits,
        counts,
        lacked,
        0,  # passed
        aside if options.open_discards else NOTHING,
    )
    state = State(public, hands, aside)
    return state if held > 1 or any(counts) else _over(options, state, seat, Reason.PLAYED)


def _pass(options: StraightsOptions, state: State, seat: Seat) -> State:
    lacked = [*state.public.lacked]
    lacked[seat] += (state.public.fits,)
    public = replace(
        state.public,
        turn=_next(state.public.counts, seat),
        lacked=tuple(lacked),
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


def _over(options: StraightsOptions, state: State, seat: Seat, reason: Reason) -> State:
    """The round is scored: the points of what was put aside, or with sevens_pass of what is left."""
    if options.mode == "sevens_pass":
        points = tuple([sum([_POINTS[card] for card in each(hand)]) for hand in state.hands])
    else:
        points = tuple([sum([_POINTS[card] for card in cards]) for cards in state.discards])
    fewest = min(points)
    public = replace(
        state.public,
        turn=seat,
        discards=state.discards,
        left=state.hands,
        points=points,
        reason=reason,
        winners=tuple([Seat(seat) for seat in range(SEATS) if points[seat] == fewest]),
    )
    return State(public, state.hands, state.discards)
