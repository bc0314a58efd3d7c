"""What holds in every state of every round of Tong-its."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.cards import Cards, cards_of, deck
from p2pcards.games.base import Seat
from p2pcards.games.options import convert_options
from p2pcards.games.tongits import TongIts
from p2pcards.games.tongits.actions import Draw, Take
from p2pcards.games.tongits.melds import deadwood, fours, is_meld, split
from p2pcards.games.tongits.state import Phase, Reason, State
from tests.games.tongits.builder import Round
from tests.games.walk import walk
from tests.testing.dice import dice

seeds = st.integers(0, 2**32)
switches = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(
        [
            "self_layoff_blocks_draw",
            "taken_discard_blocks_draw",
            "dealer_13",
            "discard_layoff",
            "secret_set",
            "showdown_layoff",
            "four_meld_is_self_layoff",
            "must_not_discard_layoffable",
        ],
        st.booleans(),
    ),
)
games = switches.map(lambda options: TongIts(convert_options(TongIts, {"scoring": "chips", **options})))


def _whole(state: State) -> bool:
    """Every card lies in exactly one place."""
    zones = [*state.hands, cards_of(state.stock), cards_of(state.public.discards)]
    zones += [meld.cards for meld in state.public.melds]
    return sum(zones) == cards_of(deck()) and sum(zone.bit_count() for zone in zones) == 52


@given(games, seeds)
@settings(deadline=None)
def test_in_every_state(game: TongIts, seed: int) -> None:
    for moment in walk(game, dice(seed)).moments:
        state, public = moment.state, moment.state.public
        assert _whole(state)
        assert public.counts == tuple(hand.bit_count() for hand in state.hands)
        assert public.stock == len(state.stock)
        assert all(is_meld(meld.cards) for meld in public.melds)
        if public.phase is not Phase.OVER:
            assert all(public.counts)
        if public.phase is Phase.DRAW:
            assert state.stock
            assert not any(public.self_laid)


@given(games, seeds)
@settings(deadline=None)
def test_every_round_ends(game: TongIts, seed: int) -> None:
    """No more than 16 turns begin with the stock, and every take shrinks a hand."""
    moments = walk(game, dice(seed)).moments
    assert sum(isinstance(moment.action, Draw) for moment in moments) <= 16
    assert sum(isinstance(moment.action, Take) for moment in moments) <= 18


@given(games, seeds)
@settings(deadline=None)
def test_the_winner_is_the_one_the_rules_name(game: TongIts, seed: int) -> None:
    end = walk(game, dice(seed)).end
    public, outcome = end.public, game.outcome(end)
    assert outcome is not None
    assert sum(outcome.points) == 0
    assert (public.reason is Reason.TONGITS) is (0 in public.counts)
    for seat, hand, points in public.shown:
        assert hand == end.hands[seat]
        table = tuple(meld.cards for meld in public.melds)
        assert points == (split(hand, table).points if game.options.showdown_layoff else deadwood(hand))
    if public.shown:
        points = {seat: count for seat, _, count in public.shown}
        assert points[public.winners[0]] == min(points.values())
        assert public.reason is not Reason.CALL or len(points) > 1
    if public.winners:
        assert outcome.points[public.winners[0]] > 0


def test_r39_a_resampled_world_explains_who_was_asked() -> None:
    """B was asked though nothing of B's is exposed: there are four of a kind in that hand, and none in C's."""
    hands = ("AS 2S 3S KC KD", "9C 9D 9H 9S QC 2C 4D", "QD JD 5C 6H 5D 6S 7H 7S 8C TC TS JH KH")
    played = Round(*hands, stock="6C 6D TD 7D", secret_set=True)
    played.play("A draw", "A expose AS 2S 3S", "A discard KC", "B draw", "B discard QC", "C draw", "C discard QD")
    played.play("A call")
    view = played.game.view(played.state, Seat(0))
    rng = dice(1)
    worlds = {played.game.resample(view, rng) for _ in range(100)}
    assert len(worlds) == 100
    for world in worlds:
        assert fours(world.hands[1]) == 1
        assert fours(world.hands[2]) == 0
        assert played.game.view(world, Seat(0)) == view


def test_a_resampled_showdown_keeps_the_hands_shown() -> None:
    played = Round("AS 2S 3S 9D KC", "4C 4D 4H QC 8C", "QD JD", stock="6C 6D TD 7D")
    played.play("A draw", "A expose AS 2S 3S", "A discard 9D", "B draw", "B expose 4C 4D 4H", "B discard QC")
    played.play("C draw", "C discard QD", "A call", "B challenge")
    world = played.game.resample(played.game.view(played.state, None), dice(2))
    assert world.hands[:2] == played.state.hands[:2]
    assert world.hands[2].bit_count() == 2
    assert Cards(world.hands[2]) & (played.state.hands[0] | played.state.hands[1]) == 0
