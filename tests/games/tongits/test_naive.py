"""The engine against the plain one of tests/testing: the same legal texts, states and ends in random rounds."""

from __future__ import annotations

import pytest

from p2pcards.cards import ACE_LOW, deck, format_cards
from p2pcards.games.base import Seat
from p2pcards.games.options import convert_options
from p2pcards.games.tongits import TongIts
from p2pcards.games.tongits.state import Public, State
from tests.testing import naive_tongits as naive
from tests.testing.dice import dice

OPTIONS: list[dict[str, bool | int | str]] = [
    {},
    {"self_layoff_blocks_draw": False, "four_meld_is_self_layoff": True, "no_winner_starter": "same_starter"},
    {"taken_discard_blocks_draw": True, "discard_layoff": True, "scoring": "chips", "stake": 3},
    {"dealer_13": True, "must_not_discard_layoffable": True, "four_meld_is_self_layoff": True},
    {"secret_set": True, "showdown_layoff": True, "scoring": "chips"},
    {"discard_layoff": True, "showdown_layoff": True, "must_not_discard_layoffable": True, "dealer_13": True},
]


def _texts(cards: list[str]) -> str:
    return " ".join(sorted(cards, key=naive.PACK.index))


def _same(public: Public, state: State, plain: naive.NaiveRound) -> None:
    assert public.phase == plain.phase
    assert [format_cards(ACE_LOW, hand) for hand in state.hands] == [_texts(hand) for hand in plain.hands]
    assert list(map(ACE_LOW.format, state.stock)) == plain.stock
    assert list(map(ACE_LOW.format, public.discards)) == plain.discards
    assert [(meld.owner, format_cards(ACE_LOW, meld.cards)) for meld in public.melds] == [
        (owner, _texts(cards)) for owner, cards in plain.melds
    ]
    if plain.phase in ("draw", "act"):
        assert public.turn == plain.turn
        assert [block is not None for block in public.call_blocked] == plain.blocked


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options) or "default")
@pytest.mark.parametrize("shy", [False, True])
def test_both_engines_agree(options: dict[str, bool | int | str], shy: bool) -> None:
    """Shy players call seldom, so that rounds get long; packs that are hardly mixed hold many melds."""
    rng = dice(f"{options}{shy}")
    game = TongIts(convert_options(TongIts, options))
    for number in range(25):
        order = list(deck())
        if number % 3:
            rng.shuffle(order)
        else:
            for _ in range(20):
                first, second = rng.randrange(52), rng.randrange(52)
                order[first], order[second] = order[second], order[first]
        starter = rng.randrange(3)
        state = game.deal(order, 3, Seat(starter))
        plain = naive.dealt([naive.PACK[card] for card in order], starter, options)
        while True:
            _same(state.public, state, plain)
            acting = game.to_act(game.view(state, None))
            assert list(acting) == plain.acting()
            if not acting:
                break
            for seat in range(3):
                view = game.view(state, Seat(seat))
                assert sorted(map(game.format, game.legal_actions(view))) == sorted(plain.legal(seat))
            seat = acting[rng.randrange(len(acting))]
            texts = plain.legal(seat)
            text = texts[rng.randrange(len(texts))]
            if shy and text == "call" and rng.randrange(4):
                text = texts[0]
            state = game.step(state, seat, game.parse(text))
            plain.act(seat, text)
        outcome = game.outcome(state)
        assert outcome is not None
        assert outcome.reason == plain.reason
        assert outcome.winners == (() if plain.winner is None else (plain.winner,))
        assert list(outcome.points) == plain.points()
        assert outcome.starter == plain.next_starter()


def test_a_random_round_ends() -> None:
    assert naive.random_round(dice(1)) > 1
