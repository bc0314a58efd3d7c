"""What holds in every state of every round of Straights."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.cards import DECK, Cards, cards_of, deck, each, rank, suit
from p2pcards.games.base import Dealt, Seat
from p2pcards.games.options import convert_options
from p2pcards.games.straights import Straights
from p2pcards.games.straights.actions import DISCARDS, Discard, Pass, Play
from p2pcards.games.straights.state import SEVEN, SUITS, State, fitting
from tests.games.straights.builder import Round
from tests.games.walk import Walk, walk
from tests.testing.dice import dice

seeds = st.integers(0, 2**32)
games = st.fixed_dictionaries(
    {},
    optional={
        "start_card": st.sampled_from(["7S", "7D", "7H", "7C"]),
        "open_discards": st.booleans(),
        "mode": st.sampled_from(["straights", "sevens_pass"]),
    },
).map(lambda values: Straights(convert_options(Straights, values)))


def _passes(game: Straights) -> bool:
    return bool(game.options.mode == "sevens_pass")


@given(games, seeds)
@settings(deadline=None)
def test_in_every_state(game: Straights, seed: int) -> None:
    for moment in walk(game, dice(seed)).moments:
        state, public = moment.state, moment.state.public
        zones = [*state.hands, public.table, *map(cards_of, state.discards)]
        assert sum(zones) == cards_of(deck())
        assert sum(zone.bit_count() for zone in zones) == DECK
        assert public.counts == tuple(hand.bit_count() for hand in state.hands)
        if not _passes(game):
            assert public.aside == tuple(map(len, state.discards))
        for row, pile in zip(SUITS, public.piles, strict=True):
            lying = sorted(map(rank, each(Cards(public.table & row))))
            assert lying == (list(range(rank(pile[0]), rank(pile[1]) + 1)) if pile else [])
            assert SEVEN in lying or not lying
        assert not public.fits & public.table
        assert public.fits == (fitting(public.table) if public.table else 1 << game.start_card)


@given(games, seeds)
@settings(deadline=None)
def test_a_round_is_52_cards_and_364_points(game: Straights, seed: int) -> None:
    moments = walk(game, dice(seed)).moments
    end = moments[-1].state
    assert sum(end.public.points) + sum(rank(card) + 1 for card in each(end.public.table)) == 364
    acts = [moment.seat for moment in moments if moment.seat is not None]
    assert end.public.turn == acts[-1]
    if _passes(game):
        assert 0 in end.public.counts
        assert end.public.left == end.hands
    else:
        assert [acts.count(Seat(seat)) for seat in range(4)] == [13, 13, 13, 13]
        assert end.public.discards == end.discards
        assert all(after == (before + 1) % 4 for before, after in pairwise(acts))


@given(games, seeds)
@settings(deadline=None)
def test_who_is_stuck_holds_no_card_that_fits(game: Straights, seed: int) -> None:
    """A seven above all, once the round is open; and nobody has a choice between playing and not playing."""
    for moment in walk(game, dice(seed)).moments[:-1]:
        hand = moment.state.hands[moment.seat or 0]
        kinds = {type(action) for action in game.legal_actions(game.view(moment.state, moment.seat))}
        assert len(kinds) == 1
        assert (Play in kinds) is bool(hand & moment.state.public.fits)
        if Play not in kinds:
            assert all(rank(card) != SEVEN for card in each(hand))
            assert kinds == {Pass if _passes(game) else Discard}


@given(games, seeds, seeds)
@settings(deadline=None, max_examples=60)
def test_a_world_that_a_view_allows_could_have_been_played(game: Straights, seed: int, chance: int) -> None:
    """The whole round up to there is legal in it, each card put aside taken from the world."""
    played, rng = walk(game, dice(seed)), dice(chance)
    number = rng.randrange(len(played.moments))
    state = played.moments[number].state
    for seat in (None, *map(Seat, range(4))):
        world = game.resample(game.view(state, seat), rng)
        assert _relived(game, played, number, world) == world


def _relived(game: Straights, played: Walk, number: int, world: State) -> State:
    done = [(moment.seat, moment.action) for moment in played.moments[:number] if moment.seat is not None]
    hands = [hand | cards_of(aside) for hand, aside in zip(world.hands, world.discards, strict=True)]
    for seat, action in done:
        if isinstance(action, Play):
            hands[seat] |= 1 << action.card
    dealt = Dealt(tuple(map(Cards, hands)), ())
    state = game.position(dealt, game.opener(dealt, Seat(0), True))
    aside = [list(cards) for cards in world.discards]
    for seat, action in done:
        if isinstance(action, Discard):
            action = DISCARDS[aside[seat].pop(0)]
        state = game.step(state, seat, action)
    return state


def test_worlds_differ_where_they_may() -> None:
    state = walk(Straights(), dice(3)).moments[20].state
    view = Straights().view(state, Seat(0))
    worlds = {Straights().resample(view, dice(number)) for number in range(50)}
    assert len(worlds) == 50
    assert {world.hands[0] for world in worlds} == {state.hands[0]}


def test_in_every_world_the_opener_holds_the_start_card() -> None:
    state = walk(Straights(), dice(3)).moments[0].state
    for seat in (None, *map(Seat, range(4))):
        for number in range(10):
            world = Straights().resample(Straights().view(state, seat), dice(number))
            assert world.hands[state.public.turn] >> Straights().start_card & 1


def test_a_world_of_a_small_round_may_hold_other_cards() -> None:
    played = Round("7S 8S", "2C 3C", "KD", "KH").play("A play 7S", "B discard 3C")
    view = played.view("A")
    worlds = [played.game.resample(view, dice(number)) for number in range(50)]
    assert all(played.game.view(world, Seat(0)) == view for world in worlds)
    assert len({world.discards[1] for world in worlds}) > 10
    assert all(suit(card) != 3 or rank(card) != 5 for world in worlds for card in world.discards[1])
