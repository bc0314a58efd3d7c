"""What each action does to the state (docs/rules/onecard.md, R11 to R26, R31 to R40), be it legal or not.

A draw takes its cards one by one. Where it finds the stock empty though discards lie under the top card, the state
waits for the dealer with the rest of the draw in `Public.drawing`, and the shuffle goes on with it.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from p2pcards.cards import deck, rank
from p2pcards.games.base import Seat, Shuffle
from p2pcards.games.onecard.actions import Action, Draw, Play
from p2pcards.games.onecard.options import OneCardOptions
from p2pcards.games.onecard.pack import BITS, FACES, FITTING, JACK, QUEEN, SEVEN, THREE, TWO, with_card, without
from p2pcards.games.onecard.state import (
    DRAWN,
    ENDED,
    FOR_ATTACK,
    FOR_CALL,
    FOR_FINAL,
    FOR_TURN,
    SEATS,
    SHUFFLE,
    TURN,
    Drawing,
    Public,
    Reason,
    State,
    Why,
)

_EFFECTS = tuple(rank(card) if rank(card) in (TWO, THREE, SEVEN, JACK, QUEEN) else 0 for card in deck())
"""By card: its rank if that has an effect, else 0."""

_AROUND = tuple(
    {direction: tuple([SEATS[(seat + direction) % seats] for seat in range(seats)]) for direction in (1, -1)}
    for seats in range(len(SEATS) + 1)
)
"""By how many seats there are, the direction of play, and the seat: who sits next."""


def started(options: OneCardOptions, public: Public) -> Public:
    """The round before its first action: with starter_effect the starter card does to the starter what it can."""
    rank = public.top >> 2
    if not options.starter_effect:
        return public
    if rank in (TWO, THREE):
        return replace(public, pending=rank + 1)
    if rank == JACK or (rank == QUEEN and _queen_skips(options, public)):
        return replace(public, turn=_following(public, public.turn, public.direction), skipped=public.turn)
    return replace(public, direction=-public.direction) if rank == QUEEN else public


def after(options: OneCardOptions, state: State, seat: Seat, action: Action) -> State:
    """The state after a legal action of this seat, or of the dealer."""
    if type(action) is Play:
        return played(options, state, seat, action)
    if type(action) is Draw:
        return drew(options, state, seat)
    return _shuffle(options, state, action) if type(action) is Shuffle else _pass(options, state, seat)


def played(options: OneCardOptions, state: State, seat: Seat, action: Play) -> State:
    """The state after a play."""
    public, card = state.public, action.card
    direction, pending, skipped = public.direction, public.pending, None
    turn = _following(public, seat, direction) if public.bankrupt else _AROUND[len(public.counts)][direction][seat]
    if rank := _EFFECTS[card]:
        if rank == JACK or (rank == QUEEN and _queen_skips(options, public)):
            skipped, turn = turn, _following(public, turn, direction)
        elif rank == QUEEN:
            direction = -direction
            turn = _following(public, seat, direction)
        else:
            pending = 0 if rank == SEVEN else pending + rank + 1
    hands, counts, actions = [*state.hands], [*public.counts], public.actions + 1
    hand: Any = hands[seat]
    hands[seat] = without(hand, card) if hand > FACES else hand ^ BITS[card]
    counts[seat] = left = counts[seat] - 1
    public = Public(  # by place: half as dear as `replace`, here and in `drew`
        TURN,
        turn,
        public.starter,
        direction,
        pending,
        tuple(counts),
        public.stock,
        public.discards + (card,),  # noqa: RUF005 - one copy, not two
        0,
        actions,
        skipped,
        None,
        public.bankrupt,
        public.order,
    )
    state = State(public, tuple(hands), state.stock)
    if left > 1 and actions < options.turn_limit:
        return state
    if not left:
        if options.final_attack_counts and pending and turn != seat:
            return _take(options, state, turn, FOR_FINAL, 0, pending, actions)
        return _out(state, seat)
    if left == 1 and not action.one and options.call_one_card == "self":
        return _take(options, state, seat, FOR_CALL, 0, options.call_penalty, actions)
    return _limited(options, state)


def drew(options: OneCardOptions, state: State, seat: Seat) -> State:
    """The state after a draw."""
    public, stock = state.public, state.stock
    actions, number = public.actions + 1, public.pending or 1
    if (
        number > len(stock)
        or actions >= options.turn_limit
        or options.bankrupt_at
        or options.draw_then_play
        or options.draw_until_playable
    ):
        return _take(options, state, seat, FOR_ATTACK if public.pending else FOR_TURN, 0, number, actions)
    # nothing can come of it: the usual draw, by the shortest way
    hands, counts = [*state.hands], [*public.counts]
    hand = with_card(hands[seat], stock[0])
    for card in stock[1:number] if number > 1 else ():
        hand = with_card(hand, card)
    hands[seat] = hand
    counts[seat] += number
    public = Public(
        TURN,
        _AROUND[len(counts)][public.direction][seat],
        public.starter,
        public.direction,
        0,
        tuple(counts),
        public.stock - number,
        public.discards,
        0,
        actions,
        None,
        None,
        public.bankrupt,
        public.order,
    )
    return State(public, tuple(hands), stock[number:])


def _pass(options: OneCardOptions, state: State, seat: Seat) -> State:
    public = state.public
    public = replace(
        public,
        phase=TURN,
        turn=_following(public, seat, public.direction),
        actions=public.actions + 1,
        skipped=None,
    )
    return _limited(options, State(public, state.hands, state.stock))


def _shuffle(options: OneCardOptions, state: State, action: Shuffle) -> State:
    public = state.public
    drawing = public.drawing
    if drawing is None:
        raise ValueError("no draw waits for the dealer")
    public = replace(public, phase=TURN, discards=public.discards[-1:], drawing=None)
    state = State(public, state.hands, action.order)
    return _take(options, state, drawing.seat, drawing.why, drawing.taken, drawing.left, public.actions)


def _take(options: OneCardOptions, state: State, seat: Seat, why: Why, taken: int, left: int, actions: int) -> State:
    """Goes on with a draw of which so many cards are taken and so many left; `actions` is their number with it."""
    public, stock, hand, place = state.public, state.stock, state.hands[seat], 0
    ends_it = FITTING[public.discards[-1]] if options.draw_until_playable and why is FOR_TURN else -1
    while left and place < len(stock):
        card = stock[place]
        place += 1
        hand = with_card(hand, card)
        if ends_it >> card & 1:
            left -= 1
        if 0 < options.bankrupt_at <= hand.bit_count():
            left = 0
    last, stock, taken = stock[place - 1] if place else None, stock[place:], taken + place
    hands, counts = list(state.hands), list(public.counts)
    hands[seat], counts[seat] = hand, hand.bit_count()
    in_turn = why is FOR_TURN or why is FOR_ATTACK
    phase, turn, idle, bankrupt, drawing = TURN, public.turn, public.idle, public.bankrupt, None
    if left and len(public.discards) > 1:
        phase, drawing = SHUFFLE, Drawing(seat, why, taken, left)
    else:
        if taken and 0 < options.bankrupt_at <= counts[seat]:
            bankrupt = (*bankrupt, seat)
        if in_turn:
            idle = 0 if taken else idle + 1
            if why is FOR_TURN and taken and bankrupt is public.bankrupt and _may_play_drawn(options):
                phase = DRAWN
            else:
                turn = _following(public, seat, public.direction)
    public = replace(
        public,
        phase=phase,
        turn=turn,
        pending=public.pending if why is FOR_CALL else 0,
        counts=tuple(counts),
        stock=len(stock),
        idle=idle,
        actions=actions,
        skipped=None if in_turn else public.skipped,
        drawing=drawing,
        bankrupt=bankrupt,
    )
    state = State(public, tuple(hands), stock, last if phase is DRAWN else None)
    if phase is SHUFFLE:
        return state
    if why is FOR_FINAL:
        return _out(state, SEATS[counts.index(0)])
    if _playing(public) == 1:
        return _out(state, _following(public, seat, public.direction))
    return _limited(options, state)


def _limited(options: OneCardOptions, state: State) -> State:
    """The state itself, unless the round is blocked."""
    public = state.public
    if public.actions < options.turn_limit and public.idle < _playing(public):
        return state
    turn = _following(public, public.turn, public.direction) if public.phase is DRAWN else public.turn
    public = replace(public, phase=ENDED, turn=turn, pending=0, reason=Reason.BLOCKED, left=state.hands)
    return State(public, state.hands, state.stock)


def _out(state: State, winner: Seat) -> State:
    public = replace(state.public, phase=ENDED, pending=0, reason=Reason.OUT, winners=(winner,), left=state.hands)
    return State(public, state.hands, state.stock)


def _queen_skips(options: OneCardOptions, public: Public) -> bool:
    return options.two_player_queen == "skip" and not public.pending and _playing(public) == 2


def _may_play_drawn(options: OneCardOptions) -> bool:
    return options.draw_then_play or options.draw_until_playable


def _playing(public: Public) -> int:
    """How many seats are in the round."""
    return len(public.counts) - len(public.bankrupt)


def _following(public: Public, seat: Seat, direction: int) -> Seat:
    """The next seat in the round."""
    following = _AROUND[len(public.counts)][direction]
    seat = following[seat]
    while seat in public.bankrupt:
        seat = following[seat]
    return seat
