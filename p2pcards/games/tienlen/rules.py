"""Tiến lên as a Game: the rules of docs/rules/tienlen.md put together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

from msgspec.structs import replace

from p2pcards.cards import DECK, NONE, THREE_LOW, Cards, Ranking, each
from p2pcards.games.base import Dealt, Game, Outcome, Place, Rng, Seat, Where
from p2pcards.games.tienlen import codec, legality, play, scoring
from p2pcards.games.tienlen.actions import PASS, Action, Play, format_action, parse_action
from p2pcards.games.tienlen.instant import instant_of
from p2pcards.games.tienlen.options import TienLenOptions
from p2pcards.games.tienlen.scoring import PENALTY_TARGET
from p2pcards.games.tienlen.state import ENDED, LEADING, Phase, Public, Reason, State, View

_DEALT = 13
_ALL = (1 << DECK) - 1
_TURNS = tuple((Seat(seat),) for seat in range(4))
_TRIES = 100  # to draw hands of which none would have won at once; the first does nearly always


@lru_cache
def _layout(seats: int, starter: Seat) -> tuple[Place, ...]:
    hands = (Place(Where.HAND, Seat((starter + place) % seats)) for place in range(_DEALT * seats))
    return (*hands, *[Place(Where.UNUSED)] * (DECK - _DEALT * seats))


class TienLen(Game[State, View, Action]):
    """Two to four players; whoever leads says what kind of combination must be beaten, and the last one loses."""

    name = "tienlen"
    title = "Tiến lên"
    seats = range(2, 5)
    usual_seats = 4
    largest_hand = 26  # the plays of one twice as large again couldn't be listed
    rules = 1
    ranking: ClassVar[Ranking] = THREE_LOW
    options_type = TienLenOptions
    verbs: ClassVar[dict[str, str]] = {
        "play": "lead a combination, or beat the one that lies there",
        "pass": "play nothing more until the trick ends",
    }

    options: TienLenOptions

    def layout(self, seats: int, starter: Seat, first: bool = True) -> tuple[Place, ...]:
        return _layout(seats, starter)

    def opener(self, dealt: Dealt, starter: Seat, first: bool) -> Seat:
        if not first or self.options.first_lead == "random":
            return starter
        return min(map(Seat, range(len(dealt.hands))), key=lambda seat: dealt.hands[seat] & -dealt.hands[seat])

    def position(self, dealt: Dealt, opener: Seat, first: bool = True) -> State:
        hands, seats = dealt.hands, len(dealt.hands)
        nobody = (False,) * seats
        public = Public(
            phase=LEADING,
            turn=opener,
            starter=opener,
            leader=opener,
            counts=tuple(hand.bit_count() for hand in hands),
            must=None,
            pile=None,
            owner=None,
            trick=(),
            passed=nobody,
            played=NONE,
            active=nobody,
            places=(),
            three=False,
            chops=(),
            instant=instant_of(self.options, hands, opener),
            reason=None,
            winners=(),
            shown=(),
        )
        if public.instant is not None:
            holder = public.instant.seat
            if self.options.instant_win == "ends_round":
                over = replace(public, phase=ENDED, reason=Reason.INSTANT, winners=(holder,), shown=hands)
                return State(over, hands)
            hands = (*hands[:holder], NONE, *hands[holder + 1 :])
            public = replace(public, counts=tuple(hand.bit_count() for hand in hands), places=(holder,))
            if seats == 2:
                return State(play.finish(self.options, public, hands), hands)
            if opener == holder:
                public = play.lead(public, play.next_holder(public.counts, holder))
        if first and self.options.first_lead == "lowest_card":
            lowest = min(hand & -hand for hand in dealt.hands)
            if hands[public.turn] & lowest:
                public = replace(public, must=next(each(Cards(lowest))))
        return State(public, hands)

    def view(self, state: State, seat: Seat | None) -> View:
        return View(seat, state.public, NONE if seat is None else state.hands[seat])

    def encode_view(self, view: View) -> bytes:
        return codec.encode(view)

    def decode_view(self, data: bytes) -> View:
        return codec.decode(data)

    def hand(self, view: View) -> Cards:
        return view.hand

    def to_act(self, view: View) -> tuple[Seat, ...]:
        public = view.public
        return () if public.phase is ENDED else _TURNS[public.turn]

    def legal_actions(self, view: View) -> Sequence[Action]:
        return legality.legal(self.options, view)

    def check(self, view: View, action: Action) -> None:
        legality.check(self.options, view.public, view.seat, view.hand, action)

    def apply(self, state: State, seat: Seat, action: Action) -> State:
        return play.after(self.options, state, seat, action)

    def step(self, state: State, seat: Seat, action: Action) -> State:
        """Check, then apply, without a view between them."""
        legality.check(self.options, state.public, seat, state.hands[seat], action)
        return play.after(self.options, state, seat, action)

    def outcome(self, state: State) -> Outcome | None:
        return scoring.outcome(self.options, state.public)

    def format(self, action: Action) -> str:
        return format_action(action)

    def parse(self, text: str) -> Action:
        return parse_action(text)

    def default(self, view: View) -> Action:
        """Pass; who leads plays the lowest single card."""
        return Play(Cards(view.hand & -view.hand)) if view.public.phase is Phase.LEAD else PASS

    def resample(self, view: View, rng: Rng) -> State:
        public = view.public
        known = list(public.shown) or [NONE] * len(public.counts)
        if view.seat is not None:
            known[view.seat] = view.hand
        if public.must is not None:
            known[public.turn] = Cards(known[public.turn] | 1 << public.must)
        seen: int = public.played
        for hand in known:
            seen |= hand
        if public.instant is not None:
            seen |= public.instant.cards
        if public.must is not None:  # nobody was dealt a lower card
            seen |= (1 << public.must) - 1
        unseen = list(each(Cards(_ALL & ~seen)))
        for _ in range(_TRIES):
            hands = self._filled(public, known, list(unseen), rng)
            if public.instant is not None or instant_of(self.options, hands, public.turn) is None:
                break
        return State(public, hands)

    def _filled(self, public: Public, known: Sequence[Cards], unseen: list[int], rng: Rng) -> tuple[Cards, ...]:
        """Hands filled up with unseen cards by chance."""
        hands: list[int] = list(known)
        for seat, count in enumerate(public.counts):
            while hands[seat].bit_count() < count:
                place = rng.randrange(len(unseen))
                unseen[place], unseen[-1] = unseen[-1], unseen[place]
                hands[seat] |= 1 << unseen.pop()
        return tuple(map(Cards, hands))

    def low_wins(self) -> bool:
        return bool(self.options.scoring == "penalty")

    def ended(self, rounds: int, wins: Sequence[int], scores: Sequence[int]) -> bool:
        if 0 < self.options.match_rounds <= rounds:
            return True
        reached = -min(scores) if self.options.scoring == "cards_left" else max(scores)
        return 0 < self._target <= reached

    def endless(self) -> bool:
        return not self.options.match_rounds and not self._target

    @property
    def _target(self) -> int:
        """The score that ends the match; 0 for none."""
        return self.options.target_score or (PENALTY_TARGET if self.options.scoring == "penalty" else 0)

    def stopped(self, rounds: int) -> TienLen:
        return TienLen(replace(self.options, match_rounds=rounds))
