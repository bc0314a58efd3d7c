"""One Card as a game (docs/rules/onecard.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from p2pcards.cards import (
    ACE_LOW,
    DECK,
    NONE,
    ByBytes,
    Card,
    Cards,
    Ranking,
    by_bytes,
    by_few,
    deck,
    each,
    face,
    gathered,
)
from p2pcards.errors import InvalidOption
from p2pcards.games.base import DEALER, Dealt, Game, Outcome, Place, Rng, Seat
from p2pcards.games.onecard import codec, legality, play, score
from p2pcards.games.onecard.actions import CALLS, DRAW, PASS, PLAYS, Action, Draw, Play, format_action, parse_action
from p2pcards.games.onecard.deal import dealt, layout, lowest, ordered, placed
from p2pcards.games.onecard.options import OneCardOptions
from p2pcards.games.onecard.pack import ANSWERING, BITS, FITTING, held, with_card
from p2pcards.games.onecard.state import DRAWN, SEATS, SHUFFLE, TURN, Public, State, View

_ALONE, _DEALER = tuple((seat,) for seat in SEATS), (DEALER,)

_PLAYS: ByBytes[Action] = by_bytes(PLAYS)
_FEW_PLAYS: dict[int, tuple[Action, ...]] = by_few(PLAYS)
_NOTHING: tuple[Action, ...] = ()
_DRAWING: tuple[Action, ...] = (DRAW,)
_PASSING: tuple[Action, ...] = (PASS,)


class OneCard(Game[State, View, Action]):
    """Two to eight players; match suit or rank, and the first empty hand ends the round."""

    name = "onecard"
    title = "One Card"
    seats = range(2, len(SEATS) + 1)
    usual_seats = 4
    reshuffles = True
    rules = 1
    ranking: ClassVar[Ranking] = ACE_LOW
    options_type = OneCardOptions
    verbs: ClassVar[dict[str, str]] = {
        "play": "put a card that fits on the discard pile",
        "draw": "take a card of the stock, or all cards of an attack",
        "pass": "keep the card that you have drawn",
    }

    options: OneCardOptions

    def decks(self) -> int:
        return self.options.decks

    def check_seats(self, seats: int) -> None:
        super().check_seats(seats)
        cards, decks, limit = self.options.cards, self.options.decks, self.options.bankrupt_at
        needed, there = seats * cards + 2 * seats + 1, DECK * decks
        if needed > there:
            raise InvalidOption(
                f"{seats} players with {cards} cards each need {needed} cards: {seats}×{cards} for the hands, "
                f"2×{seats} order cards and a starter card; decks = {decks} gives {there}"
            )
        if 0 < limit <= cards:
            raise InvalidOption(f"bankrupt_at = {limit} must be more than the {cards} cards dealt to everybody")

    def opener(self, dealt: Dealt, starter: Seat, first: bool) -> Seat:
        return lowest(dealt.order)[0] if dealt.order else starter

    def layout(self, seats: int, starter: Seat, first: bool = True) -> tuple[Place, ...]:
        return layout(seats, starter, self.options.cards, self.options.decks, ordered(self.options, first))

    def places(self, order: Sequence[Card], seats: int, starter: Seat, first: bool = True) -> tuple[Place, ...]:
        dealt = self.dealt(order, seats, starter, first)
        return placed(self.layout(seats, starter, first), dealt)

    def dealt(self, order: Sequence[Card], seats: int, starter: Seat, first: bool = True) -> Dealt:
        return dealt(order, seats, starter, self.options.cards, ordered(self.options, first))

    def position(self, dealt: Dealt, opener: Seat, first: bool = True) -> State:
        hands = tuple(held(each(hand)) for hand in dealt.hands)
        public = Public(
            phase=TURN,
            turn=opener,
            starter=opener,
            direction=1,
            pending=0,
            counts=tuple(hand.bit_count() for hand in hands),
            stock=len(dealt.stock),
            discards=tuple(map(face, dealt.shown)),
            idle=0,
            actions=0,
            skipped=None,
            drawing=None,
            bankrupt=(),
            order=tuple((seat, face(card)) for seat, card in dealt.order),
            reason=None,
            winners=(),
            left=(),
        )
        return State(play.started(self.options, public), hands, tuple(map(face, dealt.stock)))

    def view(self, state: State, seat: Seat | None) -> View:
        if seat is None:
            return View(None, state.public)
        if state.drawn is None or seat != state.public.turn:
            return View(seat, state.public, state.hands[seat])
        return View(seat, state.public, state.hands[seat], state.drawn)

    def encode_view(self, view: View) -> bytes:
        return codec.encode(view)

    def decode_view(self, data: bytes) -> View:
        return codec.decode(data)

    def hand(self, view: View) -> Cards:
        return view.hand

    def stock(self, view: View) -> int:
        return view.public.stock

    def to_act(self, view: View) -> tuple[Seat, ...]:
        phase = view.public.phase
        if phase is TURN or phase is DRAWN:
            return _ALONE[view.public.turn]
        return _DEALER if phase is SHUFFLE else ()

    def legal_actions(self, view: View) -> Sequence[Action]:
        public, options, phase = view.public, self.options, view.public.phase
        if view.seat != public.turn or (phase is not TURN and phase is not DRAWN):
            return ()
        top, last = public.discards[-1], _DRAWING
        if public.pending:
            cards = view.hand & ANSWERING[options.free_defence][options.redirect_by_rank][top]
        elif view.drawn is None:
            cards = view.hand & FITTING[top]
            if cards and options.must_play:
                last = _NOTHING
        else:
            cards, last = 1 << view.drawn & FITTING[top], _PASSING
        if not cards:
            return last
        if options.call_one_card == "self" and public.counts[public.turn] == 2:
            return (*(kind[card] for card in each(Cards(cards)) for kind in (CALLS, PLAYS)), *last)
        plays = _FEW_PLAYS.get(cards) or gathered(_PLAYS, cards)
        return (*plays, *last) if last else plays

    def check(self, view: View, action: Action) -> None:
        legality.check(self.options, view, self.legal_actions(view), action)

    def apply(self, state: State, seat: Seat, action: Action) -> State:
        return play.after(self.options, state, seat, action)

    def step(self, state: State, seat: Seat, action: Action) -> State:
        """Check, then apply; what is done most of the time is checked here at once."""
        public, options = state.public, self.options
        if seat == public.turn and public.phase is TURN:
            top, pending = public.discards[-1], public.pending
            fits = ANSWERING[options.free_defence][options.redirect_by_rank][top] if pending else FITTING[top]
            if type(action) is Play:
                if state.hands[seat] & fits & BITS[action.card] and not action.one:
                    return play.played(options, state, seat, action)
            elif type(action) is Draw and (pending or not (options.must_play and state.hands[seat] & fits)):
                return play.drew(options, state, seat)
        self.check(self.view(state, None if seat == DEALER else seat), action)
        return play.after(options, state, seat, action)

    def outcome(self, state: State) -> Outcome | None:
        return score.outcome(self.options, state.public)

    def format(self, action: Action) -> str:
        return format_action(action)

    def parse(self, text: str) -> Action:
        return parse_action(text)

    def to_shuffle(self, view: View) -> tuple[Card, ...]:
        return legality.to_shuffle(view.public)

    def mid_turn(self, view: View) -> bool:
        return view.public.phase is DRAWN

    def default(self, view: View) -> Action:
        """The first card that fits, announced where that is due; else draw, or keep what was drawn."""
        return self.legal_actions(view)[0]

    def resample(self, view: View, rng: Rng) -> State:
        public = view.public
        unseen = Counter(map(face, deck(self.options.decks)))
        unseen.subtract(map(face, each(view.hand)))
        unseen.subtract(public.discards)
        hands = [NONE] * len(public.counts)
        if view.seat is not None:
            hands[view.seat] = view.hand
        if public.left:
            hands = list(public.left)
            for seat, hand in enumerate(hands):
                if seat != view.seat:
                    unseen.subtract(map(face, each(hand)))
        cards = sorted((+unseen).elements())
        for last in range(len(cards) - 1, 0, -1):
            place = rng.randrange(last + 1)
            cards[last], cards[place] = cards[place], cards[last]
        drawn = view.drawn
        if public.phase is DRAWN and view.seat != public.turn:
            drawn = self._drawn(public, cards)
            hands[public.turn] = with_card(NONE, drawn)
        for seat, count in enumerate(public.counts):
            while hands[seat].bit_count() < count:
                hands[seat] = with_card(hands[seat], cards.pop())
        return State(public, tuple(hands), tuple(cards[: public.stock]), drawn)

    def _drawn(self, public: Public, cards: list[Card]) -> Card:
        """Takes out of the cards one that somebody else may have drawn: who drew on until one fitted holds one."""
        goes_on = self.options.draw_until_playable and (public.stock or len(public.discards) > 1)
        fits = FITTING[public.top]
        place = next((place for place, card in enumerate(cards) if fits >> card & 1), -1) if goes_on else -1
        return cards.pop(place)

    def low_wins(self) -> bool:
        return bool(self.options.match_winner == "most_penalties")

    def ended(self, rounds: int, wins: Sequence[int], scores: Sequence[int]) -> bool:
        return rounds >= self.options.rounds

    def endless(self) -> bool:
        return False

    def stopped(self, rounds: int) -> OneCard:
        return OneCard(replace(self.options, rounds=rounds))
