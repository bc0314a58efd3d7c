"""What each action does to the state (docs/rules/tienlen.md, R15 to R27). Nothing here asks whether it is legal."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from p2pcards.cards import NONE, Cards
from p2pcards.games.base import Seat
from p2pcards.games.tienlen.actions import Action, Pass
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

_FOUR_PAIRS = 8
_THREE_OF_SPADES = 1


def after(options: TienLenOptions, state: State, seat: Seat, action: Action) -> State:
    """The state after a legal action of this seat."""
    if isinstance(action, Pass):
        return State(_pass(options, state.public, seat), state.hands)
    hands = _put(state.hands, seat, Cards(state.hands[seat] ^ action.cards))
    return State(_play(options, state.public, seat, action.cards, hands), hands)


def _pass(options: TienLenOptions, public: Public, seat: Seat) -> Public:
    if public.phase is AFTER_OUT:
        return lead(public, seat)
    passed = _put(public.passed, seat, True)
    public = replace(public, trick=(*public.trick, Act(seat, NONE)), passed=passed)
    return _ask(options, public, seat)


def _play(options: TienLenOptions, public: Public, seat: Seat, cards: Cards, hands: tuple[Cards, ...]) -> Public:
    left = hands[seat].bit_count()
    chops, places, three, passed = public.chops, public.places, public.three, public.passed
    lying = public.pile
    if lying is not None and public.owner is not None and lying.only_twos and cards & ~TWOS:
        chops = (*chops, Chop(seat, public.owner, lying.cards))
    if not options.pass_lock:
        passed = (False,) * len(passed)
    if not left:
        three = three or (not places and cards == _THREE_OF_SPADES)
        places = (*places, seat)
    public = Public(
        FOLLOWING,
        seat,
        public.starter,
        public.leader,
        _put(public.counts, seat, left),
        None,
        combo_of(cards),
        seat,
        (*public.trick, Act(seat, cards)),
        passed,
        Cards(public.played | cards),
        _put(public.active, seat, True),
        places,
        three,
        chops,
        public.instant,
        None,
        (),
        (),
    )
    if left:
        return _ask(options, public, seat)
    if len(places) == len(hands) - 1:
        return finish(options, public, hands)
    if options.out_rule == "all_may_beat":
        return _ask(options, public, seat)
    following = next_holder(public, seat)
    if _may_answer(options, public, following):
        return replace(public, phase=AFTER_OUT, turn=following)
    return lead(public, following)


def _ask(options: TienLenOptions, public: Public, seat: Seat) -> Public:
    """The next seat after this one that may answer what lies there has its turn; without one the trick ends."""
    seats, owner = len(public.counts), seat if public.owner is None else public.owner
    for step in range(1, seats):
        other = Seat((seat + step) % seats)
        if other != owner and public.counts[other] and _may_answer(options, public, other):
            return replace(public, turn=other)
    return lead(public, owner if public.counts[owner] else next_holder(public, owner))


def _may_answer(options: TienLenOptions, public: Public, seat: Seat) -> bool:
    """Whether the seat is asked: it has not passed, or four pairs that it may hold could go on the 2s there."""
    if not public.passed[seat]:
        return True
    if options.bomb_after_pass == OFF or public.counts[seat] < _FOUR_PAIRS:
        return False
    return _takes_four_pairs(public.pile) and not _has_answered(public, seat)


def _takes_four_pairs(pile: Combo | None) -> bool:
    return pile is not None and pile.only_twos and pile.size <= 2


def _has_answered(public: Public, seat: Seat) -> bool:
    """Whether the seat has passed on what lies there now."""
    for act in reversed(public.trick):
        if act.cards:
            break
        if act.seat == seat:
            return True
    return False


def next_holder(public: Public, seat: Seat) -> Seat:
    """The next seat after this one that still has cards; that seat itself where no other has."""
    seats = len(public.counts)
    order = (Seat((seat + step) % seats) for step in range(1, seats))
    return next((other for other in order if public.counts[other]), seat)


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
    last = next(Seat(seat) for seat, count in enumerate(public.counts) if count)
    places = (*public.places, last)
    winner = places[-1] if options.objective == "hold" else places[0]
    return replace(public, phase=ENDED, places=places, reason=Reason.OUT, winners=(winner,), shown=hands)


def _put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])
