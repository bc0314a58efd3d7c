"""What holds in every state of every round of Tiến lên, whatever the options."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.cards import Cards
from p2pcards.games.base import Seat
from p2pcards.games.options import read_options
from p2pcards.games.tienlen import TienLen
from p2pcards.games.tienlen.actions import Pass, Play
from p2pcards.games.tienlen.instant import instant_of
from p2pcards.games.tienlen.state import Phase, Reason, State
from tests.games.anygame import options as any_options
from tests.games.tienlen.builder import Round, cards
from tests.games.walk import walk
from tests.testing.dice import dice

OPTIONS = any_options(TienLen)
SEEDS = st.integers(0, 2**32)


def _game(options: dict[str, str]) -> TienLen:
    return TienLen(read_options(TienLen, options))


def _zones(state: State) -> list[Cards]:
    laid = state.public.instant
    aside = [laid.cards] if laid is not None and state.public.reason is not Reason.INSTANT else []
    return [*state.hands, state.public.played, *aside]


@given(OPTIONS, SEEDS)
@settings(deadline=None)
def test_in_every_state(options: dict[str, str], seed: int) -> None:
    played = walk(_game(options), dice(seed))
    dealt = sum(_game(options).dealt(played.order, played.seats, played.starter).hands)
    for moment in played.moments:
        state, public = moment.state, moment.state.public
        zones = _zones(state)
        assert sum(zones) == dealt  # every card dealt lies in exactly one place
        assert sum(zone.bit_count() for zone in zones) == 13 * played.seats
        assert public.counts == tuple(hand.bit_count() for hand in state.hands)
        assert (public.pile is None) is (public.owner is None)
        assert all(act.cards for act in public.trick[:1])
        if public.phase is Phase.LEAD:
            assert (public.pile, public.trick, any(public.passed)) == (None, (), False)
            assert public.leader == public.turn
        if public.phase is not Phase.OVER:
            assert public.counts[public.turn]
            assert public.turn != public.owner
            assert set(public.places) == {seat for seat, count in enumerate(public.counts) if not count}
            assert public.shown == ()


@given(OPTIONS, SEEDS)
@settings(deadline=None)
def test_every_round_ends_with_one_holder(options: dict[str, str], seed: int) -> None:
    game = _game(options)
    played = walk(game, dice(seed))
    plays = sum(isinstance(moment.action, Play) for moment in played.moments)
    end, outcome = played.end, game.outcome(played.end)
    assert plays <= 52
    assert outcome is not None
    assert end.public.shown == end.hands
    if outcome.reason == "out":
        assert sorted(end.public.places) == list(range(played.seats))
        assert [seat for seat, count in enumerate(end.public.counts) if count] == [end.public.places[-1]]
    else:
        assert plays == 0
    if game.options.scoring == "chips":
        assert sum(outcome.points) == 0


@given(OPTIONS, SEEDS)
@settings(deadline=None)
def test_nobody_is_asked_again_in_a_trick(options: dict[str, str], seed: int) -> None:
    """With pass_lock and without late bombs one pass ends the trick for a seat."""
    options = {name: value for name, value in options.items() if name not in ("pass_lock", "bomb_after_pass")}
    passed: set[Seat | None] = set()
    for moment in walk(_game(options), dice(seed)).moments:
        if moment.state.public.phase is Phase.LEAD:
            passed = set()
        assert moment.seat not in passed
        if isinstance(moment.action, Pass):
            passed.add(moment.seat)


@given(OPTIONS, SEEDS)
@settings(deadline=None, max_examples=50)
def test_a_resampled_world_has_no_hand_that_would_have_won(options: dict[str, str], seed: int) -> None:
    rng = dice(seed)
    game = _game({**options, "instant_win": "ends_round"})
    played = walk(game, rng)
    for moment in played.moments[:3]:
        if moment.seat is None:
            return
        world = game.resample(game.view(moment.state, moment.seat), rng)
        assert instant_of(game.options, world.hands, Seat(0)) is None


def test_r35_a_resampled_world_keeps_the_lowest_card_where_it_must_be() -> None:
    played = Round("4D 9S", "5S 6S", "7S 8S", first_lead="lowest_card")
    view = played.game.view(played.state, Seat(1))
    rng = dice(1)
    worlds = {played.game.resample(view, rng) for _ in range(50)}
    assert len(worlds) > 10
    for world in worlds:
        assert world.hands[0] & cards("4D")
        assert all(hand & -hand >= cards("4D") for hand in world.hands)
        assert played.game.view(world, Seat(1)) == view


def test_hands_shown_at_the_end_are_kept() -> None:
    played = Round("3S", "4S 2H").play("A 3S")
    assert played.game.resample(played.game.view(played.state, None), dice(1)).hands == played.state.hands


def test_r43_a_hand_laid_aside_is_in_no_other() -> None:
    played = Round("2S 2C 2D 2H 3S", "4S 5S", "6S 7S", instant_win="goes_out_first")
    world = played.game.resample(played.game.view(played.state, Seat(1)), dice(1))
    assert world.hands[0] == 0
    assert not world.hands[2] & cards("2S 2C 2D 2H 3S 4S 5S")
