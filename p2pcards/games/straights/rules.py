"""Straights as a `Game`: the deal, views, whose turn it is, the match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

from msgspec.structs import replace

from p2pcards.cards import ACE_LOW, DECK, NONE, Card, Cards, Ranking, by_bytes, by_few, gathered
from p2pcards.errors import InvalidRecord
from p2pcards.games.base import Dealt, Game, Options, Outcome, Place, Rng, Seat, Secrecy, Where
from p2pcards.games.straights import codec, legality, play, worlds
from p2pcards.games.straights.actions import DISCARDS, PASS, PLAYS, Action, Discard, Play, format_action, parse_action
from p2pcards.games.straights.options import StraightsOptions
from p2pcards.games.straights.state import BITS, SEATS, Public, State, View

_PLAYS, _DISCARDS = by_bytes(PLAYS), by_bytes(DISCARDS)
_FEW_PLAYS, _FEW_DISCARDS = by_few(PLAYS), by_few(DISCARDS)
_PASSING = (PASS,)
_TURNS = tuple((Seat(seat),) for seat in range(SEATS))


@lru_cache
def _layout(seats: int, starter: Seat) -> tuple[Place, ...]:
    return tuple(Place(Where.HAND, Seat((starter + place) % seats)) for place in range(DECK))


class Straights(Game[State, View, Action]):
    """Four players build each suit from its seven; who can't play puts a card aside, and that is what counts."""

    name = "straights"
    title = "Straights"
    seats = range(SEATS, SEATS + 1)
    usual_seats = SEATS
    sealed_as = "discard"
    rules = 1
    ranking: ClassVar[Ranking] = ACE_LOW
    options_type = StraightsOptions
    verbs: ClassVar[dict[str, str]] = {
        "play": "put a seven, or a card next to one of its suit, on the table",
        "discard": "put a card aside when you can't play: it counts against you",
        "pass": "end your turn when you can't play (with sevens_pass)",
    }
    opener_in_cards = True

    options: StraightsOptions

    def __init__(self, options: Options | None = None) -> None:
        super().__init__(options)
        self.start_card: Card = ACE_LOW.parse(self.options.start_card)
        self._puts_aside = self.options.mode == "straights"

    def opener(self, dealt: Dealt, starter: Seat, first: bool) -> Seat:
        """Who holds the start card."""
        for seat, hand in enumerate(dealt.hands):
            if hand >> self.start_card & 1:
                return Seat(seat)
        raise InvalidRecord(f"nobody holds {self.options.start_card}, which opens the round")

    def layout(self, seats: int, starter: Seat, first: bool = True) -> tuple[Place, ...]:
        return _layout(seats, starter)

    def position(self, dealt: Dealt, opener: Seat, first: bool = True) -> State:
        public = Public(
            turn=opener,
            starter=opener,
            table=NONE,
            fits=Cards(1 << self.start_card),
            counts=tuple(hand.bit_count() for hand in dealt.hands),
            lacked=((),) * SEATS,
            passed=0,
            discards=play.NOTHING,
            left=(),
            points=(),
            reason=None,
            winners=(),
        )
        return State(public, dealt.hands, play.NOTHING)

    def view(self, state: State, seat: Seat | None) -> View:
        if seat is None:
            return View(None, state.public)
        return View(seat, state.public, state.hands[seat], state.discards[seat])

    def encode_view(self, view: View) -> bytes:
        return codec.encode(view)

    def decode_view(self, data: bytes) -> View:
        return codec.decode(data, self.start_card)

    def hand(self, view: View) -> Cards:
        return view.hand

    def to_act(self, view: View) -> tuple[Seat, ...]:
        return () if view.public.reason else _TURNS[view.public.turn]

    def legal_actions(self, view: View) -> Sequence[Action]:
        public = view.public
        if view.seat != public.turn or public.reason:
            return ()
        if playable := view.hand & public.fits:
            return _FEW_PLAYS.get(playable) or gathered(_PLAYS, playable)
        if self.options.mode == "sevens_pass":
            return _PASSING
        return _FEW_DISCARDS.get(view.hand) or gathered(_DISCARDS, view.hand)

    def check(self, view: View, action: Action) -> None:
        legality.check(self.options, view.public, view.seat, view.hand, action)

    def apply(self, state: State, seat: Seat, action: Action) -> State:
        return play.after(self.options, state, seat, action)

    def step(self, state: State, seat: Seat, action: Action) -> State:
        """Check, then apply; what is legal under the usual options is found to be so here at once."""
        public, hand = state.public, state.hands[seat]
        if seat == public.turn and not public.reason:
            playable = hand & public.fits
            if type(action) is Play:
                if playable & BITS[action.card]:
                    return play.played(self.options, state, seat, action.card)
            elif type(action) is Discard and not playable and hand >> action.card & 1 and self._puts_aside:
                return play.put_aside(self.options, state, seat, action.card)
        legality.check(self.options, public, seat, hand, action)
        return play.after(self.options, state, seat, action)

    def outcome(self, state: State) -> Outcome | None:
        public = state.public
        return Outcome(public.reason.value, public.winners, public.points, None) if public.reason else None

    def format(self, action: Action) -> str:
        return format_action(action)

    def parse(self, text: str) -> Action:
        return parse_action(text)

    def secrecy(self, action: Action) -> Secrecy:
        hidden = isinstance(action, Discard) and not self.options.open_discards
        return Secrecy.SEALED if hidden else Secrecy.PUBLIC

    def default(self, view: View) -> Action:
        """The lowest card that can be played, else the lowest one is put aside."""
        return self.legal_actions(view)[0]

    def resample(self, view: View, rng: Rng) -> State:
        passes = self.options.mode == "sevens_pass"
        return worlds.world(view, (0,) * SEATS if passes else view.public.aside, rng)

    def low_wins(self) -> bool:
        return True

    def ended(self, rounds: int, wins: Sequence[int], scores: Sequence[int]) -> bool:
        options = self.options
        if 0 < options.match_rounds <= rounds:
            return True
        decided = options.tie_rule == "joint" or len(self.leaders(scores)) == 1
        return decided and max(scores) >= options.threshold

    def endless(self) -> bool:
        return False

    def stopped(self, rounds: int) -> Straights:
        return Straights(replace(self.options, match_rounds=rounds))
