"""Tong-its as a Game: the rules of docs/rules/tongits.md put together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

from msgspec.structs import replace

from p2pcards.cards import ACE_LOW, DECK, NONE, Card, Cards, Ranking, cards_of, each
from p2pcards.games.base import Carry, Dealt, Game, Outcome, Place, Rng, Seat, Secrecy, Where
from p2pcards.games.tongits import codec, legality, play, showdown
from p2pcards.games.tongits.actions import (
    DISCARDS,
    DRAW,
    FOLD,
    Action,
    Challenge,
    Discard,
    Fold,
    format_action,
    parse_action,
)
from p2pcards.games.tongits.melds import points, split
from p2pcards.games.tongits.options import TongItsOptions
from p2pcards.games.tongits.state import ACTING, DRAWING, ENDED, RESPONDING, Public, State, View

SEATS = 3
_TRIES = 1000  # to draw hands that explain who was asked; the first fits nearly always


@lru_cache
def _layout(dealt: int, seats: int, starter: Seat) -> tuple[Place, ...]:
    hands = (Place(Where.HAND, Seat((starter + place) % seats)) for place in range(dealt))
    return (*hands, *[Place(Where.STOCK)] * (DECK - dealt))


class TongIts(Game[State, View, Action]):
    """Three players; the first empty hand, the end of the stock or a called draw ends the round."""

    name = "tongits"
    title = "Tong-its"
    seats = range(SEATS, SEATS + 1)
    usual_seats = SEATS
    rules = 1
    ranking: ClassVar[Ranking] = ACE_LOW
    options_type = TongItsOptions
    verbs: ClassVar[dict[str, str]] = {
        "draw": "take the top card of the stock",
        "take": "take the top discard and lay it down at once with cards of your hand",
        "call": "claim that your hand is the lowest",
        "expose": "lay a meld face up",
        "layoff": "add a card to a meld on the table",
        "discard": "put a card on the discard pile and end your turn",
        "challenge": "contest the call",
        "fold": "give in to the call",
    }
    questions = ("challenge", "fold")

    options: TongItsOptions

    def layout(self, seats: int, starter: Seat, first: bool = True) -> tuple[Place, ...]:
        return _layout(12 * seats + self.options.dealer_13, seats, starter)

    def position(self, dealt: Dealt, opener: Seat, first: bool = True) -> State:
        public = Public(
            phase=ACTING if self.options.dealer_13 else DRAWING,
            turn=opener,
            starter=opener,
            counts=tuple(hand.bit_count() for hand in dealt.hands),
            stock=len(dealt.stock),
            discards=(),
            melds=(),
            call_blocked=(None, None, None),
            self_laid=(False, False, False),
            last_drawer=opener if self.options.dealer_13 else None,
            asked=(),
            answers=(),
            reason=None,
            winners=(),
            shown=(),
        )
        return State(public, dealt.hands, dealt.stock)

    def view(self, state: State, seat: Seat | None) -> View:
        return View(seat, state.public, NONE if seat is None else state.hands[seat])

    def encode_view(self, view: View) -> bytes:
        return codec.encode(view)

    def decode_view(self, data: bytes) -> View:
        return codec.decode(data)

    def hand(self, view: View) -> Cards:
        return view.hand

    def stock(self, view: View) -> int:
        return view.public.stock

    def to_act(self, view: View) -> tuple[Seat, ...]:
        public = view.public
        if public.phase is RESPONDING:
            return public.asked
        return () if public.phase is ENDED else (public.turn,)

    def legal_actions(self, view: View) -> Sequence[Action]:
        return legality.legal(self.options, view)

    def check(self, view: View, action: Action) -> None:
        legality.check(self.options, view, action)

    def apply(self, state: State, seat: Seat, action: Action) -> State:
        return play.after(self.options, state, seat, action)

    def step(self, state: State, seat: Seat, action: Action) -> State:
        """Check, then apply, without the other methods between them."""
        legality.check(self.options, View(seat, state.public, state.hands[seat]), action)
        return play.after(self.options, state, seat, action)

    def outcome(self, state: State) -> Outcome | None:
        return showdown.outcome(self.options, state)

    def format(self, action: Action) -> str:
        return format_action(action)

    def parse(self, text: str) -> Action:
        return parse_action(text)

    def secrecy(self, action: Action) -> Secrecy:
        return Secrecy.BLIND if isinstance(action, Challenge | Fold) else Secrecy.PUBLIC

    def mid_turn(self, view: View) -> bool:
        return view.public.phase is ACTING

    def default(self, view: View) -> Action:
        """Draw; then discard the card that counts most of those in no meld; fold."""
        if view.public.phase is RESPONDING:
            return FOLD
        if view.public.phase is DRAWING:
            return DRAW
        actions = self.legal_actions(view)
        allowed = cards_of(action.card for action in actions if isinstance(action, Discard))
        loose = allowed & split(view.hand).leftovers or allowed
        if not loose:  # must_not_discard_layoffable, and every card fits a meld
            return actions[0]
        return DISCARDS[max(each(Cards(loose)), key=lambda card: (points(Cards(1 << card)), card))]

    def resample(self, view: View, rng: Rng) -> State:
        public = view.public
        hands: list[int] = [0] * SEATS
        if view.seat is not None:
            hands[view.seat] = view.hand
        for seat, hand, _ in public.shown:
            hands[seat] = hand
        seen = hands[0] | hands[1] | hands[2] | cards_of(public.discards)
        for meld in public.melds:
            seen |= meld.cards
        unseen = list(each(Cards((1 << DECK) - 1 & ~seen)))
        for _ in range(_TRIES):
            filled, stock = self._filled(public, hands, list(unseen), rng)
            if self._could_be(public, filled):
                break
        return State(public, filled, stock)

    def _filled(
        self, public: Public, hands: Sequence[int], unseen: list[Card], rng: Rng
    ) -> tuple[tuple[Cards, ...], tuple[Card, ...]]:
        """Hands and stock filled up with unseen cards by chance."""
        filled = list(hands)
        for asked in public.asked:  # asked without a meld: there are four of a kind in that hand (secret_set)
            if not filled[asked] and all(meld.owner != asked for meld in public.melds):
                held = cards_of(unseen)
                ranks = [rank for rank in range(0, DECK, 4) if held >> rank & 0b1111 == 0b1111]
                filled[asked] = 0b1111 << ranks[rng.randrange(len(ranks))] if ranks else 0
                unseen = [card for card in unseen if not filled[asked] >> card & 1]
        for last in range(len(unseen) - 1, 0, -1):
            place = rng.randrange(last + 1)
            unseen[last], unseen[place] = unseen[place], unseen[last]
        for seat, count in enumerate(public.counts):
            while filled[seat].bit_count() < count:
                filled[seat] |= 1 << unseen.pop()
        return tuple(map(Cards, filled)), tuple(unseen[: public.stock])

    def _could_be(self, public: Public, hands: Sequence[Cards]) -> bool:
        """Whether exactly the seats that could contest the open call were asked."""
        if public.phase is not RESPONDING:
            return True
        asked = {*public.asked, *(seat for seat, _ in public.answers)}
        return all(
            showdown.may_contest(self.options, public, seat, hands[seat]) == (seat in asked)
            for seat in map(Seat, range(SEATS))
            if seat != public.turn
        )

    def settle(self, carry: Carry, outcome: Outcome) -> tuple[tuple[int, ...], Carry]:
        return showdown.settled(self.options, carry, outcome)

    def pot(self, carry: Carry, seats: int) -> int:
        return carry.pot + seats * self.options.ante if self.options.scoring == "chips" else 0

    def ended(self, rounds: int, wins: Sequence[int], scores: Sequence[int]) -> bool:
        options = self.options
        return 0 < options.match_rounds <= rounds or 0 < options.target_wins <= max(wins)

    def endless(self) -> bool:
        return not self.options.match_rounds and not self.options.target_wins

    def stopped(self, rounds: int) -> TongIts:
        return TongIts(replace(self.options, match_rounds=rounds))
