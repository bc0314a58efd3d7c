"""What bots read from hand and table, against slower ways to find it."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from p2pcards.bots.registry import bot
from p2pcards.bots.tongits.reading import chance_to_take, completing, rivals, unseen, way_out
from p2pcards.cards import DECK, Card, Cards, cards_of, deck
from p2pcards.games.base import Seat
from p2pcards.games.tongits import TongIts
from p2pcards.games.tongits.melds import is_meld
from p2pcards.games.tongits.state import Phase
from tests.bots.rounds import states

HANDS = st.sets(st.integers(0, DECK - 1), max_size=13).map(lambda chosen: cards_of(map(Card, chosen)))


def completes(card: Card, hand: Cards) -> int:
    """With how many pairs of the hand."""
    pairs = combinations([held for held in deck() if hand >> held & 1], 2)
    return sum(is_meld(cards_of((card, *pair))) for pair in pairs)


@given(HANDS)
def test_completing_cards_are_those_that_make_a_meld_with_two_of_the_hand(hand: Cards) -> None:
    assert completing(hand) == cards_of(card for card in deck() if not hand >> card & 1 and completes(card, hand))


@given(HANDS, st.integers(0, DECK - 1))
def test_the_chance_to_take_a_card_grows_with_the_pairs_that_do(hidden: Cards, number: int) -> None:
    card, rest = Card(number), Cards(hidden & ~(1 << number))
    pairs = completes(card, rest)
    assert chance_to_take(card, rest, 5) == pairs * (5 / max(rest.bit_count(), 1)) ** 2


def test_unseen_cards_are_those_of_the_stock_and_of_the_rivals() -> None:
    game = TongIts()
    for state in states(game, [bot("tongits", "medium")] * 3, 4):
        for seat in map(Seat, range(3)):
            view = game.view(state, seat)
            others = state.hands[seat - 1] | state.hands[seat - 2]
            assert unseen(view) == cards_of(state.stock) | others
            assert [state.hands[rival] for rival in rivals(view)] == [state.hands[seat - 2], state.hands[seat - 1]]


@given(st.integers(0, 2**32))
def test_a_way_out_empties_the_hand_in_this_turn(seed: int) -> None:
    game = TongIts()
    for state in states(game, [bot("tongits", "easy")] * 3, seed):
        seat = state.public.turn
        while state.public.phase is Phase.ACT:
            view = game.view(state, seat)
            step = way_out(view, list(game.legal_actions(view)))
            if step is None:
                break
            state = game.step(state, seat, step)
            assert state.public.phase is Phase.ACT or state.public.winners == (seat,)
