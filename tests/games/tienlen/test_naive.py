"""The engine against the plain one of tests/testing: the same legal texts, states and ends in random rounds."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict

from p2pcards.cards import THREE_LOW, cards_of, format_cards
from p2pcards.games.base import Dealt, Seat
from p2pcards.games.options import read_options
from p2pcards.games.tienlen import TienLen
from p2pcards.games.tienlen.state import Public, State
from tests.games.anygame import options
from tests.games.walk import mixed
from tests.testing import naive_tienlen as naive
from tests.testing.dice import dice


def _same(state: State, plain: naive.NaiveRound) -> None:
    public = state.public
    assert public.phase == plain.phase
    if plain.reason != "instant":
        assert [format_cards(THREE_LOW, hand).split() for hand in state.hands] == [
            sorted(hand, key=naive.PACK.index) for hand in plain.hands
        ]
    assert list(public.places) == plain.out
    assert public.three == plain.three
    if plain.phase != "over":
        _same_trick(public, plain)


def _same_trick(public: Public, plain: naive.NaiveRound) -> None:
    assert public.turn == plain.turn
    pile = "" if public.pile is None else format_cards(THREE_LOW, public.pile.cards)
    assert pile.split() == sorted(plain.pile, key=naive.PACK.index)
    assert {seat for seat, passed in enumerate(public.passed) if passed} == plain.passed
    assert (-1 if public.owner is None else public.owner) == plain.owner


@given(options(TienLen), st.integers(0, 2**32), st.integers(2, 4), st.booleans(), st.integers(0, 3))
@settings(max_examples=80, deadline=None)
def test_both_engines_agree(chosen: dict[str, str], seed: int, seats: int, first: bool, shy: int) -> None:
    """Packs that are hardly mixed hold many combinations; hands are of any size; shy players pass often."""
    rng = dice(seed)
    game = TienLen(read_options(TienLen, chosen))
    order = mixed(game, rng)
    hands = game.dealt(order, seats, Seat(0)).hands
    if rng.randrange(2):  # a puzzle
        hands = tuple(cards_of(order[13 * seat : 13 * seat + 1 + rng.randrange(13)]) for seat in range(seats))
    dealt = Dealt(hands, ())
    opener = game.opener(dealt, Seat(rng.randrange(seats)), first)
    state = game.position(dealt, opener, first)
    plain = naive.NaiveRound(
        [format_cards(THREE_LOW, hand).split() for hand in hands], opener, first, asdict(game.options)
    )
    while True:
        _same(state, plain)
        acting = game.to_act(game.view(state, None))
        assert list(acting) == plain.acting()
        if not acting:
            break
        seat = acting[0]
        legal = plain.legal(seat)
        assert sorted(map(game.format, game.legal_actions(game.view(state, seat)))) == sorted(legal)
        text = legal[-1] if rng.randrange(4) < shy else legal[rng.randrange(len(legal))]
        state = game.step(state, seat, game.parse(text))
        plain.act(seat, text)
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.reason == plain.reason
    assert outcome.winners == (plain.winner(),)
    assert list(outcome.points) == plain.points()
    assert outcome.starter == plain.next_starter()
