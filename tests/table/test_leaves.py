"""Which leaf is whose, while a round goes on."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.cards import Card, face
from p2pcards.games.base import Game, Seat
from p2pcards.games.onecard import OneCard
from p2pcards.games.options import read_options
from p2pcards.games.registry import GAMES
from p2pcards.games.tienlen import TienLen
from p2pcards.table.deal import Deal, leaf
from p2pcards.table.fold import RoundFold
from p2pcards.table.leaves import opened
from tests.games.anygame import games
from tests.games.walk import AnyGame, seatings
from tests.testing.folding import EPOCH, STARTED, TABLE, Folding
from tests.testing.onecard_spot import cards

seeds = st.integers(0, 2**32)


def _holds(played: Folding) -> None:
    """What must hold at every moment of a round."""
    leaves, seats = played.fold.leaves, range(played.seats)
    for seat in seats:
        faces = Counter(played.fold.card_at(*leaf) for leaf in leaves.held(seat))
        assert faces == played.hand(seat)
        assert set(leaves.held(seat)) <= set(leaves.of(seat))
    owned = [leaf for seat in seats for leaf in leaves.of(seat)] + list(leaves.up)
    assert len(set(owned)) == len(owned)
    assert all(face(played.orders[epoch][place]) == played.fold.card_at(epoch, place) for epoch, place in owned)
    left = played.game.stock(played.fold.view(None))
    stock = {(played.newest, len(played.orders[played.newest]) - 1 - place) for place in range(left)}
    assert stock.isdisjoint(owned)
    if played.game.reshuffles or left:
        assert len(owned) + left == sum(map(len, played.orders.values()))


@given(games(), seeds, st.integers(0, 9), st.booleans())
@settings(max_examples=60, deadline=None)
def test_every_card_in_a_hand_is_one_of_its_leaves_and_no_leaf_is_in_two_places(
    game: AnyGame, seed: int, draws: int, first: bool
) -> None:
    played = Folding(game, seatings(game)[seed % len(seatings(game))], seed, first=first, draws=draws)
    _holds(played)
    for _ in range(150):
        if not played.step():
            break
        _holds(played)


@given(games(), seeds)
@settings(max_examples=40, deadline=None)
def test_draws_take_the_stock_in_order(game: AnyGame, seed: int) -> None:
    played = Folding(game, seatings(game)[0], seed, draws=8)
    got, left = played.got(), played.game.stock(played.fold.view(None))
    stock = [(EPOCH, place) for place in range(len(played.orders[EPOCH]))][len(played.orders[EPOCH]) - left :]
    epoch = EPOCH
    for _ in range(150):
        if not played.step():
            break
        if played.newest != epoch:
            epoch = played.newest
            stock = [(epoch, place) for place in range(len(played.orders[epoch]))]
        now = played.got()
        fresh = [mine[len(before) :] for mine, before in zip(now, got, strict=True)]
        drawn = [leaf for mine in fresh for leaf in mine]
        assert sum(map(bool, fresh)) <= 1
        assert drawn == stock[: len(drawn)]
        del stock[: len(drawn)]
        assert len(stock) == played.game.stock(played.fold.view(None))
        got = now


@pytest.mark.parametrize("seed", range(3))
def test_a_draw_goes_on_in_the_new_stock_for_the_same_seat(seed: int) -> None:
    game = OneCard(read_options(OneCard, {"decks": "1", "must_play": "false"}))
    played, shuffles = Folding(game, 4, seed, draws=7), 0
    while shuffles < 3 and played.step():
        _holds(played)
        drawing = played.fold.state.public.drawing
        if drawing is None:
            continue
        got = played.got()
        assert played.step()
        shuffles += 1
        _holds(played)
        drew = [seat for seat in range(4) if played.got()[seat] != got[seat]]
        assert drew == [drawing.seat]
        assert played.got()[drawing.seat][-1][0] == played.newest
    assert shuffles == 3


def _onecard(order: str, options: dict[str, str], seats: int = 2) -> RoundFold:
    """A round that the first seat starts, from these cards, the rest below them in order."""
    game = OneCard(read_options(OneCard, {"decks": "1", "cards": "2", "order_cards": "never", **options}))
    top = cards(order)
    rest = [Card(card) for card in range(52) if card not in top]
    return RoundFold(game, Deal((*top, *rest), 0), seats, 0, True, STARTED, EPOCH)


def _got(fold: RoundFold, seat: int) -> list[int]:
    return [place for _, place in fold.leaves.of(seat)]


@pytest.mark.parametrize("penalty", [1, 2, 3])
def test_who_forgets_to_call_draws_the_penalty(penalty: int) -> None:
    fold = _onecard("4C 9H KD 9S 5C 6H 7H 8H", {"call_one_card": "self", "call_penalty": str(penalty)})
    fold.act(0, "play 4C", 6)
    assert _got(fold, 0) == [0, 2, *range(5, 5 + penalty)]
    assert _got(fold, 1) == [1, 3]
    assert fold.leaves.held(0) == tuple((EPOCH, place) for place in (2, *range(5, 5 + penalty)))


def test_a_penalty_may_be_the_card_that_was_played() -> None:
    game = OneCard(read_options(OneCard, {"cards": "2", "order_cards": "never", "call_one_card": "self"}))
    twin = cards("4C")[0]
    top = [twin, *cards("9H KD 9S 5C"), Card(52 + twin)]
    rest = [Card(card) for card in range(104) if card not in top]
    fold = RoundFold(game, Deal((*top, *rest), 0), 2, 0, True, STARTED, EPOCH)
    fold.act(0, "play 4C", 6)
    assert fold.leaves.held(0) == ((EPOCH, 2), (EPOCH, 5))


def test_who_wins_with_the_cards_dealt_holds_none_of_them_where_the_others_play_on() -> None:
    game = TienLen(read_options(TienLen, {"instant_win": "goes_out_first"}))
    two = list(game.ranking.parse_all("2S 2C 2D 2H"))
    rest = [Card(card) for card in range(52) if card not in two]
    order = [two.pop() if two and not place % 4 else rest.pop() for place in range(52)]
    fold = RoundFold(game, Deal(tuple(order), 0), 4, 0, False, STARTED, EPOCH)
    assert fold.state.public.instant is not None
    assert fold.leaves.held(0) == ()
    assert [len(fold.leaves.held(seat)) for seat in (1, 2, 3)] == [13, 13, 13]
    assert len(fold.leaves.of(0)) == 13


def test_the_seat_that_a_last_attack_hits_draws() -> None:
    fold = _onecard("2C 9H 2H 9S 5C 6H 7H 8H JD JH", {"final_attack_counts": "true"})
    fold.act(0, "play 2C", 6)
    fold.act(1, "draw", 7)
    before = _got(fold, 1)
    fold.act(0, "play 2H", 8)
    assert fold.outcome is not None
    assert len(_got(fold, 1)) > len(before)
    assert _got(fold, 0) == [0, 2]
    assert fold.leaves.held(0) == ()


def test_who_goes_bankrupt_keeps_the_cards_drawn_until_then() -> None:
    fold = _onecard("2C 9H KD 9S 5C 6H 7H 8H JD", {"bankrupt_at": "3"})
    fold.act(0, "play 2C", 6)
    fold.act(1, "draw", 7)
    assert fold.state.public.bankrupt == (1,)
    assert _got(fold, 1) == [1, 3, 5]


def test_of_equal_cards_the_lowest_leaf_counts_as_played() -> None:
    game = OneCard(read_options(OneCard, {"decks": "2", "cards": "2", "order_cards": "never"}))
    twin = cards("4C")[0]
    top = [twin, *cards("9H"), Card(52 + twin), *cards("9S 5C")]
    rest = [Card(card) for card in range(104) if card not in top]
    fold = RoundFold(game, Deal((*top, *rest), 0), 2, 0, True, STARTED, EPOCH)
    assert fold.leaves.held(0) == ((EPOCH, 0), (EPOCH, 2))
    fold.act(0, "play 4C", 6)
    assert fold.leaves.held(0) == ((EPOCH, 2),)
    assert fold.leaves.of(0) == [(EPOCH, 0), (EPOCH, 2)]
    assert fold.leaves.held(0, 2) == ()


@given(games(), seeds, st.booleans())
@settings(max_examples=40, deadline=None)
def test_what_is_turned_up_at_the_deal_are_its_leaves_in_order(game: AnyGame, seed: int, first: bool) -> None:
    played = Folding(game, seatings(game)[-1], seed, first=first)
    up = [played.fold.card_at(*leaf) for leaf in played.fold.leaves.up]
    assert up == list(map(face, played.fold.dealt.shown))


@pytest.mark.parametrize("name", GAMES)
def test_an_opening_fits_the_leaf_in_the_journal(name: str) -> None:
    game: Game[object, object, object] = GAMES[name]()
    played = Folding(game, game.usual_seats, name)
    for seat in map(Seat, range(played.seats)):
        shown = opened(played.fold, played.secret, played.fold.leaves.of(seat))
        assert len(shown) == played.hand(seat).total()
        for epoch, place, salt, card in shown:
            assert leaf(TABLE, epoch, place, salt, card) == played.books.epochs[epoch].leaf(place)
