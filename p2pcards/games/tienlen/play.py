"""What each action does to the state (docs/rules/tienlen.md, R14 to R22). Nothing here asks whether it is legal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from p2pcards.cards import NONE, Cards
from p2pcards.games.base import Seat
from p2pcards.games.tienlen.actions import Action, Play
from p2pcards.games.tienlen.combos import TWOS, Combo, combo_of
from p2pcards.games.tienlen.options import OFF, TienLenOptions
from p2pcards.games.tienlen.state import (
    AFTER_OUT,
    ENDED,
    FOLLOWING,
    LEADING,
    Act,
    Chop,
    Public,
    Reason,
    State,
)

T = TypeVar("T")

_FOUR_PAIRS = 8  # cards
_THREE_OF_SPADES = 1
_PASSING = tuple((Act(Seat(seat), NONE),) for seat in range(4))
_AFTER = tuple(
    tuple(tuple(Seat((seat + step) % seats) for step in range(1, seats)) for seat in range(seats)) for seats in range(5)
)
"""By number of seats and by seat: the others, the next one first."""


def after(options: TienLenOptions, state: State, seat: Seat, action: Action) -> State:
    """The state after a legal action of this seat."""
    if type(action) is Play:
        return _play(options, state, seat, action.cards)
    return State(_pass(options, state.public, seat), state.hands)


def _pass(options: TienLenOptions, public: Public, seat: Seat) -> Public:
    if public.phase is AFTER_OUT:
        return lead(public, seat)
    passed, trick = _put(public.passed, seat, True), public.trick + _PASSING[seat]
    owner = seat if public.owner is None else public.owner
    asked = _asked(options, public.counts, passed, public.pile, trick, owner, seat)
    if asked is not None:
        return replace(public, turn=asked, trick=trick, passed=passed)
    return lead(public, owner if public.counts[owner] else next_holder(public.counts, owner))


def _play(options: TienLenOptions, state: State, seat: Seat, cards: Cards) -> State:
    public = state.public
    lying, pile = public.pile, combo_of(cards)
    trick = public.trick + (Act(seat, cards),)  # noqa: RUF005 - one copy, not two
    hands: list[Any] = [*state.hands]  # a union of cards is cards: what `Cards` would say again costs time
    counts = [*public.counts]
    hands[seat] ^= cards
    counts[seat] = left = hands[seat].bit_count()
    passed = public.passed if options.pass_lock else (False,) * len(counts)
    places, chops, three = public.places, public.chops, public.three
    if lying is not None and lying.only_twos and cards & ~TWOS and public.owner is not None:
        chops = (*chops, Chop(seat, public.owner, lying.cards))
    if not left:
        three = three or (not places and cards == _THREE_OF_SPADES)
        places = (*places, seat)
    over = len(places) == len(counts) - 1
    if over:
        phase, asked = ENDED, None
    elif left or options.out_rule == "all_may_beat":
        phase, asked = FOLLOWING, _asked(options, counts, passed, pile, trick, seat, seat)
    else:
        phase, asked = AFTER_OUT, _asked(options, counts, passed, pile, trick, seat, seat)
        if asked != next_holder(counts, seat):  # who alone may beat them
            asked = None
    public = Public(
        phase,
        seat if asked is None else asked,
        public.starter,
        public.leader,
        tuple(counts),
        None,
        pile,
        seat,
        trick,
        passed,
        public.played | cards,  # type: ignore[arg-type]  # as above
        public.active if public.active[seat] else _put(public.active, seat, True),
        places,
        three,
        chops,
        public.instant,
        None,
        (),
        (),
    )
    if over:
        public = finish(options, public, tuple(hands))
    elif asked is None:
        public = lead(public, seat if left else next_holder(counts, seat))
    return State(public, tuple(hands))


def _asked(
    options: TienLenOptions,
    counts: Sequence[int],
    passed: tuple[bool, ...],
    pile: Combo | None,
    trick: tuple[Act, ...],
    owner: Seat,
    seat: Seat,
) -> Seat | None:
    """The next seat after this one that may answer what the owner played; None where the trick is over."""
    for other in _AFTER[len(counts)][seat]:
        if other != owner and counts[other]:
            if not passed[other]:
                return other
            if options.bomb_after_pass != OFF and counts[other] >= _FOUR_PAIRS and _bombable(pile, trick, other):
                return other
    return None


def _bombable(pile: Combo | None, trick: tuple[Act, ...], seat: Seat) -> bool:
    """Whether 2s lie there on which four pairs may go, and the seat has not passed on these."""
    return pile is not None and pile.only_twos and pile.size <= 2 and not _has_answered(trick, seat)


def _has_answered(trick: tuple[Act, ...], seat: Seat) -> bool:
    """Whether the seat has passed on what lies there now."""
    for act in reversed(trick):
        if act.cards:
            break
        if act.seat == seat:
            return True
    return False


def next_holder(counts: Sequence[int], seat: Seat) -> Seat:
    """The next seat after this one that still has cards, as another has until the round is over."""
    return next(other for other in (*_AFTER[len(counts)][seat], seat) if counts[other])


def lead(public: Public, seat: Seat) -> Public:
    """A new trick, led by this seat."""
    return replace(
        public,
        phase=LEADING,
        turn=seat,
        leader=seat,
        pile=None,
        owner=None,
        trick=(),
        passed=(False,) * len(public.passed),
    )


def finish(options: TienLenOptions, public: Public, hands: tuple[Cards, ...]) -> Public:
    """The round is over: one seat is left with cards, and takes the last place."""
    places = (*public.places, next_holder(public.counts, public.places[-1]))
    winner = places[-1] if options.objective == "hold" else places[0]
    return replace(public, phase=ENDED, places=places, reason=Reason.OUT, winners=(winner,), shown=hands)


def _put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    changed = [*values]
    changed[place] = value
    return tuple(changed)
