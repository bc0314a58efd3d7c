"""What the coach of One Card says."""

from __future__ import annotations

import pytest

from p2pcards.commands.coach import coach
from p2pcards.commands.coach_onecard import MOST, Tip
from p2pcards.games.base import Seat
from p2pcards.games.onecard import Refusal
from p2pcards.games.onecard.state import Phase, State
from tests.testing.onecard_spot import context, game_of, moment, random_states

OTHERS = ("4S 4D", "5S 5H")
PASSING = {"draw_then_play": "true"}


def advice(state: State, options: dict[str, str] | None = None) -> list[tuple[object, ...]]:
    """The remarks, each with its code first."""
    return [(remark.code, *remark.detail) for remark in coach(context(state, options))]


def test_what_fits() -> None:
    assert advice(moment(("8C 9H KC", *OTHERS), "8H")) == [(Tip.PLAY, "8H", "8C", "9H")]
    assert advice(moment(("8C 9H KC", *OTHERS), "8H"), {"must_play": "false"}) == [(Tip.PLAY_OR_DRAW, "8H", "8C", "9H")]


def test_of_many_cards_the_number_is_told() -> None:
    many = moment(("8C 9H TH JH QH KH AH", *OTHERS), "8H")
    assert advice(many) == [(Tip.PLAY_MANY, "8H", "7")]
    assert advice(many, {"must_play": "false"}) == [(Tip.PLAY_MANY_OR_DRAW, "8H", "7")]


def test_copies_of_a_card_are_one_choice() -> None:
    assert advice(moment(("8C 8C KC", *OTHERS), "8H")) == [(Tip.PLAY, "8H", "8C")]


def test_nothing_fits() -> None:
    assert advice(moment(("9C KC", *OTHERS), "8H")) == [(Tip.DRAW, "8H")]
    assert advice(moment(("9C KC", *OTHERS), "8H", stock="")) == [(Tip.DRAW, "8H")]
    assert advice(moment(("9C KC", *OTHERS), "8H", stock="", under="")) == [(Tip.DRAW_NOTHING, "8H")]


def test_under_attack() -> None:
    hand = "2C 3H 7H JH KH 7C"
    assert advice(moment((hand, *OTHERS), "2H", pending=4)) == [(Tip.ANSWER, "4", "2C", "3H", "7H", "JH")]
    assert advice(moment(("KH 7C", *OTHERS), "2H", pending=4)) == [(Tip.NO_ANSWER, "4")]


def test_a_queen_or_jack_of_another_suit_does_not_turn_an_attack() -> None:
    state = moment(("QS 4C", *OTHERS), "QD", pending=3)
    assert advice(state) == [(Tip.NO_ANSWER, "3"), (Refusal.REDIRECT_BY_SUIT, "QS", "QD")]
    assert advice(state, {"redirect_by_rank": "true"}) == [(Tip.ANSWER, "3", "QS")]


def test_between_two_players_a_jack_keeps_the_attack() -> None:
    assert advice(moment(("JH 4C", OTHERS[0]), "2H", pending=2)) == [(Tip.ANSWER, "2", "JH"), (Tip.STAYS, "JH")]
    assert advice(moment(("JH 4C", *OTHERS), "2H", pending=2, bankrupt=(1,)))[1] == (Tip.STAYS, "JH")
    assert advice(moment(("JH 4C", *OTHERS), "2H", pending=2)) == [(Tip.ANSWER, "2", "JH")]


def test_going_out_comes_before_everything() -> None:
    assert advice(moment(("8C", *OTHERS), "8H")) == [(Tip.GO_OUT, "play 8C")]
    assert advice(moment(("3H", *OTHERS), "2H", pending=2)) == [(Tip.GO_OUT, "play 3H")]
    assert advice(moment(("9C", *OTHERS), "8H")) == [(Tip.DRAW, "8H")]


def test_the_last_card_is_to_be_announced() -> None:
    calls = {"call_one_card": "self", "call_penalty": "2"}
    state = moment(("8C KC", *OTHERS), "8H")
    assert advice(state, calls) == [(Tip.PLAY, "8H", "8C"), (Tip.SAY_ONE, "play 8C one", "2")]
    assert advice(moment(("9C KC", *OTHERS), "8H"), calls) == [(Tip.DRAW, "8H")]
    assert advice(moment(("8C KC KC", *OTHERS), "8H"), calls) == [(Tip.PLAY, "8H", "8C")]


def test_a_drawn_card() -> None:
    fits = moment(("9C 9H", *OTHERS), "8H", phase=Phase.DRAWN, drawn="9H")
    assert advice(fits, PASSING) == [(Tip.DREW, "9H")]
    misfit = moment(("9C 9H", *OTHERS), "8H", phase=Phase.DRAWN, drawn="9C")
    assert advice(misfit, PASSING) == [(Tip.DREW_MISFIT, "9C", "8H")]


@pytest.mark.parametrize("seed", range(6))
def test_what_is_advised_is_legal(seed: int) -> None:
    options = {"must_play": str(bool(seed % 2)).lower(), "draw_then_play": str(seed > 2).lower(), "bankrupt_at": "20"}
    game = game_of(options)
    for state in random_states(seed, 2 + seed, options):
        if state.public.turn != 0 or not game.to_act(game.view(state, Seat(0))) or state.public.phase is Phase.SHUFFLE:
            continue
        remarks = coach(context(state, options))
        assert remarks
        view = game.view(state, Seat(0))
        for remark in remarks:
            match remark.code:
                case Tip.PLAY | Tip.PLAY_OR_DRAW | Tip.ANSWER:
                    assert remark.code is Tip.ANSWER or len(remark.detail) <= MOST + 1
                    lines = [f"play {card}" for card in remark.detail[1:]]
                case Tip.DREW:
                    lines = [f"play {remark.detail[0]}", "pass"]
                case Tip.DREW_MISFIT:
                    lines = ["pass"]
                case Tip.DRAW | Tip.DRAW_NOTHING | Tip.NO_ANSWER | Tip.PLAY_MANY_OR_DRAW:
                    lines = ["draw"]
                case Tip.GO_OUT:
                    lines = list(remark.detail)
                case _:
                    lines = []
            for line in lines:
                game.check(view, game.parse(line))
