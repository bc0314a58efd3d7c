"""What holds in every state of every round of One Card."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.cards import DECK, deck, each, face
from p2pcards.games.base import DEALER, Seat
from p2pcards.games.onecard import OneCard
from p2pcards.games.onecard.actions import Draw
from p2pcards.games.onecard.pack import FITTING, held
from p2pcards.games.onecard.state import Phase, Reason
from p2pcards.games.options import convert_options
from tests.games.onecard.builder import Round, everything
from tests.games.walk import seatings, walk
from tests.testing.dice import dice

seeds = st.integers(0, 2**32)
games = (
    st.fixed_dictionaries(
        {"turn_limit": st.sampled_from([300, 300, 20, 5])},
        optional={
            "decks": st.integers(1, 4),
            "cards": st.sampled_from([2, 3, 7, 15]),
            "must_play": st.booleans(),
            "draw_then_play": st.booleans(),
            "draw_until_playable": st.booleans(),
            "free_defence": st.booleans(),
            "redirect_by_rank": st.booleans(),
            "starter_effect": st.booleans(),
            "final_attack_counts": st.booleans(),
            "order_cards": st.sampled_from(["first_round", "every_round", "never"]),
            "two_player_queen": st.sampled_from(["literal", "skip"]),
            "call_one_card": st.sampled_from(["off", "self"]),
            "call_penalty": st.integers(1, 10),
            "bankrupt_at": st.integers(3, 20),
            "scoring": st.sampled_from(["cards", "points", "winner_takes"]),
        },
    )
    .map(lambda options: OneCard(convert_options(OneCard, options)))
    .filter(seatings)
)


@given(games, seeds)
@settings(deadline=None)
def test_in_every_state(game: OneCard, seed: int) -> None:
    whole = sorted(map(face, deck(game.options.decks)))
    played = walk(game, dice(seed))
    for moment in played.moments:
        state, public = moment.state, moment.state.public
        assert everything(state) == whole
        assert public.counts == tuple(hand.bit_count() for hand in state.hands)
        assert all(held(each(hand)) == hand for hand in state.hands)
        assert public.stock == len(state.stock)
        assert public.discards
        assert all(card < DECK for card in (*public.discards, *state.stock))
        assert public.direction in (1, -1)
        assert 0 <= public.pending <= 20 * game.options.decks
        assert not public.pending or public.top >> 2 in (1, 2, 10, 11)
        assert public.turn not in public.bankrupt or public.phase in (Phase.SHUFFLE, Phase.OVER)
        assert (public.phase is Phase.DRAWN) is (state.drawn is not None)
        assert (public.phase is Phase.SHUFFLE) is (public.drawing is not None) is (moment.seat == DEALER)
        if public.phase is Phase.SHUFFLE:
            assert public.stock == 0 < len(public.discards) - 1
        if public.phase is not Phase.OVER and public.drawing is None:
            assert all(public.counts)
        if isinstance(moment.action, Draw):
            assert game.step(state, public.turn, moment.action).public.pending == 0


@given(games, seeds)
@settings(deadline=None)
def test_every_round_ends_as_the_rules_say(game: OneCard, seed: int) -> None:
    end = walk(game, dice(seed)).end
    public, outcome = end.public, game.outcome(end)
    assert outcome is not None
    assert public.left == end.hands
    assert outcome.starter is not None
    if public.reason is Reason.BLOCKED:
        assert outcome.winners == ()
        assert public.counts[outcome.starter] == min(public.counts)
        assert all(points < 0 for points in outcome.points)
    else:
        assert outcome.winners == (outcome.starter,)
        assert 0 in public.counts or len(public.bankrupt) == len(public.counts) - 1
        assert max(outcome.points) == outcome.points[outcome.starter] >= 0


def test_a_resampled_world_holds_a_card_that_fits_where_one_was_drawn_to() -> None:
    played = Round("4C", "4C 5S 9H", top="8H", stock="9C TC 5H 6H", draw_until_playable=True).play("A draw")
    view, rng = played.game.view(played.state, Seat(1)), dice(3)
    for world in (played.game.resample(view, rng) for _ in range(50)):
        assert world.drawn is not None
        assert FITTING[played.public.top] >> world.drawn & 1
        assert world.hands[0] >> world.drawn & 1
        played.game.step(world, Seat(0), played.game.legal_actions(played.game.view(world, Seat(0)))[0])


def test_a_resampled_end_keeps_the_hands_that_are_shown() -> None:
    played = Round("8H", "4C 4C 5S", "9S", top="9H", decks=2).play("A play 8H")
    for seat in (Seat(0), Seat(1), None):
        assert played.game.resample(played.game.view(played.state, seat), dice(1)).hands == played.state.hands


def test_resampled_worlds_differ() -> None:
    played = Round("4C 5C", "4D 5D", "6D 7D", top="8H")
    worlds = {played.game.resample(played.game.view(played.state, Seat(0)), dice(seed)) for seed in range(50)}
    assert len(worlds) == 50
