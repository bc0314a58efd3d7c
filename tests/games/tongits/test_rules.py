"""Rules of docs/rules/tongits.md that its examples leave out, options included."""

from __future__ import annotations

from typing import Any

import pytest

from p2pcards.cards import cards_of, deck
from p2pcards.games.base import Place, Seat, Secrecy, Where
from p2pcards.games.tongits import TongIts
from p2pcards.games.tongits.options import TongItsOptions
from tests.games.tongits.builder import Round


def test_r01_three_play_with_one_pack() -> None:
    game = TongIts()
    assert (list(game.seats), game.decks()) == ([3], 1)


def test_r08_the_winner_starts_the_next_round() -> None:
    played = Round("9S KD", "9C 9D", "2C 3D").play("A draw", "A discard 9S", "B take 9C 9D")
    assert played.game.starter(played.outcome, 3, 0) == 1
    assert played.game.starter(None, 3, 2) == 2


def test_r09_twelve_cards_each_in_turn_from_the_starter() -> None:
    layout = TongIts().layout(3, Seat(1))
    assert [place.seat for place in layout[:7]] == [1, 2, 0, 1, 2, 0, 1]
    assert layout[36:] == (Place(Where.STOCK),) * 16
    state = TongIts().deal(list(deck()), 3, Seat(1))
    assert state.public.counts == (12, 12, 12)
    assert state.stock == tuple(range(36, 52))
    assert state.hands[1] == cards_of(list(deck())[0:36:3])
    assert (state.public.turn, state.public.stock, state.public.discards) == (1, 16, ())


def test_r10_a_turn_begins_with_a_card() -> None:
    played = Round("AS 2S 3S 9D", "QC", "QD")
    for line in ("A expose AS 2S 3S", "A discard 9D", "A layoff 9D m1"):
        assert played.refused(line) == "draw_first"
    played.play("A draw")
    for line in ("A draw", "A take AS 2S", "A take m1"):
        assert played.refused(line) == "already_drawn"


def test_r10_others_wait() -> None:
    played = Round("AS 2S 3S 9D", "QC", "QD")
    assert played.refused("B draw") == "not_your_turn"
    assert played.legal("B") == []
    played.play("A draw", "A discard 9D")
    assert played.to_act == "B"


def test_r10_expose_and_lay_off_as_often_as_you_like() -> None:
    played = Round("AS 2S 3S 4S 7C 7D 7H 7S 9D", "QC", "QD")
    played.play("A draw", "A expose 7C 7D 7H", "A expose AS 2S 3S", "A layoff 7S m1", "A layoff 4S m2")
    assert played.melds() == ["A: 7C 7D 7H 7S", "A: AS 2S 3S 4S"]


def test_r11_draw_takes_the_top_card_unseen() -> None:
    played = Round("9D", "QC", "QD", stock="4H 5H").play("A draw")
    assert played.hand("A") == "4H 9D"
    assert (played.public.stock, played.public.counts, played.public.last_drawer) == (1, (2, 1, 1), 0)
    assert played.game.view(played.state, Seat(1)).hand == played.state.hands[1]
    assert played.game.view(played.state, None).hand == 0


def test_r12_only_the_top_discard_and_only_held_cards() -> None:
    played = Round("7H 9D 8C", "7S 7D QC 8D", "8S 8H 2C")
    played.play("A draw", "A discard 7H")
    assert played.refused("B take 7C 7D") == "not_held 7C"
    assert played.refused("B take 8D QC") == "no_meld 7H 8D QC"
    assert played.refused("B take 7D 7H") == "not_held 7H"
    played.play("B draw", "B discard 8D")
    assert "take 8H 8S" in played.legal("C")
    assert played.play("C take 8H 8S").public.discards == (played.game.ranking.parse("7H"),)


def test_r12_every_meld_with_the_top_discard() -> None:
    played = Round("7H 2C", "5H 6H 8H 9H 7C 7D QC", "KD").play("A draw", "A discard 7H")
    assert set(played.legal("B")) == {
        "draw", "take 7C 7D", "take 5H 6H", "take 6H 8H", "take 8H 9H", "take 5H 6H 8H", "take 6H 8H 9H",
        "take 5H 6H 8H 9H",
    }  # fmt: skip


def test_r13_expose_only_melds_that_you_hold() -> None:
    played = Round("AS 2S 3S 9D 9H", "QC", "QD").play("A draw")
    assert played.refused("A expose AS 2S 9D") == "no_meld AS 2S 9D"
    assert played.refused("A expose 9D 9H") == "no_meld 9D 9H"
    assert played.refused("A expose 9C 9D 9H") == "not_held 9C"


def test_r13_every_meld_can_be_exposed() -> None:
    played = Round("AS 2S 3S 4S 9C 9D 9H 9S", "QC", "QD", stock="KD").play("A draw")
    assert [text.removeprefix("expose ") for text in played.legal("A") if text.startswith("expose")] == [
        "9C 9D 9H", "9C 9D 9S", "9C 9H 9S", "9D 9H 9S", "9C 9D 9H 9S", "AS 2S 3S", "AS 2S 3S 4S", "2S 3S 4S",
    ]  # fmt: skip


def test_r14_lay_off_needs_a_meld_that_is_there_and_a_card_held() -> None:
    played = Round("AS 2S 3S 9D", "4S QC", "QD").play("A draw", "A expose AS 2S 3S", "A discard 9D", "B draw")
    assert played.refused("B layoff 4S m2") == "unknown_meld m2"
    assert played.refused("B layoff KD m1") == "not_held KD"
    assert "layoff 4S m1" in played.legal("B")


def test_r06_r14_the_meld_stays_its_owners() -> None:
    played = Round("AS 2S 3S 9D", "4S QC", "QD").play("A draw", "A expose AS 2S 3S", "A discard 9D", "B draw")
    assert played.play("B layoff 4S m1").melds() == ["A: AS 2S 3S 4S"]


def test_r15_discard_a_card_that_you_hold() -> None:
    played = Round("AS 9D", "QC", "QD").play("A draw")
    assert played.refused("A discard KD") == "not_held KD"


def test_r17_laying_off_on_a_meld_exposed_in_the_same_turn_blocks() -> None:
    played = Round("AS 2S 3S 4S 9D KD", "QC JC", "QD JD").play("A draw", "A expose AS 2S 3S", "A layoff 4S m1")
    played.play("A discard 9D", "B draw", "B discard QC", "C draw", "C discard QD")
    assert played.refused("A call") == "blocked_own"
    assert "call" not in played.legal("A")


def test_r17_exposing_and_taking_do_not_block() -> None:
    played = Round("QC KC", "QD QH AS 2S 3S 4S 9D 8C", "5C JD").play("A draw", "A discard QC")
    played.play("B take QD QH", "B expose AS 2S 3S 4S", "B discard 9D", "C draw", "C discard JD", "A draw")
    assert "call" in played.play("A discard KC").legal("B")


def test_r17_a_block_ends_with_the_next_turn() -> None:
    played = Round("AS 2S 3S 9D KD 8D", "4S QC JC", "QD JD", stock="6C 6D 8H 7D TD TH TC")
    played.play("A draw", "A expose AS 2S 3S", "A discard 9D", "B draw", "B layoff 4S m1", "B discard QC")
    played.play("C draw", "C discard QD")
    assert played.refused("A call") == "blocked_laid"
    played.play("A draw", "A discard KD", "B draw", "B discard JC", "C draw", "C discard JD")
    assert "call" in played.legal("A")


def test_r18_answers_may_come_in_any_order() -> None:
    def called() -> Round:
        played = Round("AS 2S 3S 9D KD", "4C 4D 4H QC JC", "5C 5D 5H QD JD", stock="6C 6D 8H 7D TD TH")
        played.play("A draw", "A expose AS 2S 3S", "A discard 9D", "B draw", "B expose 4C 4D 4H", "B discard QC")
        return played.play("C draw", "C expose 5C 5D 5H", "C discard QD", "A call")

    one, other = called().play("B challenge", "C fold"), called().play("C fold", "B challenge")
    assert one.state == other.state
    half = called().play("C fold")
    assert half.to_act == "B"
    assert half.refused("C challenge") == "not_your_turn"
    for line in ("B draw", "B call", "B discard JC", "B expose AS 2S 3S"):
        assert half.refused(line) == "answer_the_call"
    assert half.game.secrecy(half.game.parse("fold")) is Secrecy.BLIND
    assert half.game.secrecy(half.game.parse("draw")) is Secrecy.PUBLIC


def test_r18_there_is_nothing_to_answer_without_a_call() -> None:
    played = Round("AS 2S 3S 9D KD", "4C", "5C")
    assert played.refused("A challenge") == "no_call"
    assert played.play("A draw").refused("A fold") == "no_call"


def test_r20_melds_in_hand_count_and_nothing_is_laid_off() -> None:
    played = Round("AS 2S 3S 9D 8C 8D 8H", "4C 4D 4H 4S QC", "5C 5D 5H QD", stock="6C 6D TD 7D")
    played.play("A draw", "A expose AS 2S 3S", "A discard 9D", "B draw", "B expose 4C 4D 4H", "B discard QC")
    played.play("C draw", "C discard QD", "A call", "B challenge")
    assert played.shown() == ["A 6", "B 10"]  # 4S would fit A's run and B's own set
    assert played.winner == "call A"


def test_r22_the_last_card_exposed_or_laid_off_wins() -> None:
    assert Round("AS 2S", "QC", "QD", stock="3S KD").play("A draw", "A expose AS 2S 3S").winner == "tongits A"
    played = Round("AS 2S 3S 4S 5H", "QC", "QD", stock="5S KD").play("A draw", "A expose AS 2S 3S", "A discard 5H")
    assert played.to_act == "B"
    played = Round("AS 2S 3S 4S", "QC", "QD", stock="5S KD").play("A draw", "A expose AS 2S 3S", "A layoff 4S m1")
    assert played.play("A layoff 5S m1").winner == "tongits A"


def test_over_is_over() -> None:
    played = Round("AS 2S", "QC", "QD", stock="3S KD").play("A draw", "A expose AS 2S 3S")
    assert played.to_act == ""
    for line in ("A draw", "B draw", "B fold"):
        assert played.refused(line) == "over"
    assert [played.legal(name) for name in "ABC"] == [[], [], []]


@pytest.mark.parametrize("blocks", [True, False])
def test_r36_a_taken_discard_blocks_the_discarder(blocks: bool) -> None:
    played = Round("AS 2S 3S 7H KD", "7C 7D QC JC", "QD JD", taken_discard_blocks_draw=blocks)
    played.play("A draw", "A expose AS 2S 3S", "A discard 7H", "B take 7C 7D", "B discard QC", "C draw", "C discard QD")
    if blocks:
        assert played.refused("A call") == "blocked_taken"
    else:
        assert "call" in played.legal("A")


def test_r36_also_when_it_is_laid_off() -> None:
    played = Round(
        "AS 2S 3S 4S KD 9C", "QC JC", "QD JD", taken_discard_blocks_draw=True, discard_layoff=True,
        self_layoff_blocks_draw=False,
    )  # fmt: skip
    played.play("A draw", "A expose AS 2S 3S", "A discard 4S", "B take m1", "B discard QC", "C draw", "C discard QD")
    assert played.refused("A call") == "blocked_laid"


def test_r37_thirteen_cards_and_no_draw() -> None:
    game = TongIts(TongItsOptions(dealer_13=True))
    state = game.deal(list(deck()), 3, Seat(2))
    assert state.public.counts == (12, 12, 13)
    assert (state.public.stock, state.public.last_drawer) == (15, 2)
    assert state.hands[2] == cards_of(list(deck())[0:37:3])
    played = Round("AS 2S 3S 9D", "QC", "QD", dealer_13=True)
    assert played.legal("A")[0] == "expose AS 2S 3S"
    for line, refusal in (("A draw", "already_drawn"), ("A call", "call_first"), ("A take AS 2S", "already_drawn")):
        assert played.refused(line) == refusal
    assert played.play("A discard 9D").legal("B") == ["draw"]


def test_r38_laying_the_top_discard_off() -> None:
    played = Round("AS 2S 3S 4S 9C KD", "8C QC JC", "QD JD", stock="6C 6D TD 7D", discard_layoff=True)
    assert played.refused("A take m1") == "no_discard"
    played.play("A draw", "A expose AS 2S 3S", "A discard 4S")
    assert played.refused("B take m2") == "unknown_meld m2"
    assert played.legal("B") == ["draw", "take m1"]
    played.play("B take m1")
    assert (played.to_act, played.melds(), played.public.counts) == ("B", ["A: AS 2S 3S 4S"], (3, 3, 2))
    played.play("B discard 8C")
    assert played.refused("C take m1") == "does_not_fit 8C m1 AS 2S 3S 4S"
    played.play("C draw", "C discard QD")
    assert played.refused("A call") == "blocked_laid"


def test_r38_on_ones_own_meld_it_is_a_lay_off_of_ones_own() -> None:
    played = Round("AS 2S 3S 9C KD 9H", "8C QC JC", "4S QD JD", stock="6C 6D TD 7D TH 7S TS", discard_layoff=True)
    played.play("A draw", "A expose AS 2S 3S", "A discard 9C", "B draw", "B discard 8C", "C draw", "C discard 4S")
    played.play("A take m1", "A discard KD", "B draw", "B discard QC", "C draw", "C discard QD")
    assert played.refused("A call") == "blocked_own"


def _secret(**options: Any) -> Round:
    """A has called; B has exposed nothing but holds four nines; C has neither."""
    played = Round("AS 2S 3S KC KD", "9C 9D 9H 9S QC 2C", "QD JD", stock="6C 6D TD 7D", **options)
    played.play("A draw", "A expose AS 2S 3S", "A discard KC", "B draw", "B discard QC", "C draw", "C discard QD")
    assert played.refused("B call") == "not_your_turn"
    return played.play("A call")


def test_r39_a_secret_set_may_challenge() -> None:
    assert _secret().winner == "call A"
    played = _secret(secret_set=True)
    assert played.to_act == "B"
    assert played.play("B challenge").winner == "call B"


def test_r39_a_secret_set_survives_the_stock_but_cannot_call() -> None:
    for secret, winner in ((True, "exhausted B"), (False, "exhausted A")):
        played = Round("AS 2S 3S KC KD 8D", "9C 9D 9H 9S QC 2C", "QD JD", stock="6C 6D TD 7D 8H", secret_set=secret)
        played.play("A draw", "A expose AS 2S 3S", "A discard KC", "B draw", "B discard QC", "C draw", "C discard QD")
        played.play("A draw", "A discard KD")
        assert played.refused("B call") == "nothing_exposed"
        assert played.play("B draw", "B discard 8H").winner == winner


def test_r40_leftovers_may_go_on_the_table() -> None:
    for layoff, shown, winner in ((False, ["A 16", "B 23"], "call A"), (True, ["A 16", "B 14"], "call B")):
        played = Round("AS 2S 3S 9D KC", "4C 4D 4H 4S 5S QC 8C", "QD JD", stock="6C 6D TD 7D", showdown_layoff=layoff)
        played.play("A draw", "A expose AS 2S 3S", "A discard 9D", "B draw", "B expose 4C 4D 4H", "B discard QC")
        played.play("C draw", "C discard QD")
        # B holds 4S 5S 6D 8C: 4S and 5S go on A's run, one after the other
        assert played.play("A call", "B challenge").shown() == shown
        assert played.winner == winner


def test_r41_four_cards_count_as_a_lay_off() -> None:
    for option, taking in ((True, False), (True, True), (False, False), (False, True)):
        played = Round(
            "9S QC", "9C 9D 9H 5D TH AS 2S 3S 4S", "8C 8D", stock="6C 6D TD 7D JH KH", four_meld_is_self_layoff=option
        )
        played.play("A draw", "A discard 9S")
        played.play(*(["B take 9C 9D 9H"] if taking else ["B draw", "B expose AS 2S 3S 4S"]))
        played.play("B discard 5D", "C draw", "C discard 8C", "A draw", "A discard QC")
        assert ("call" in played.legal("B")) is not option
        if option:
            assert played.refused("B call") == "blocked_own_or_four"


def test_r41_three_cards_do_not() -> None:
    played = Round("QC QD", "9C 9D 9H 5D TH", "8C 8D", four_meld_is_self_layoff=True)
    played.play("A draw", "A discard QC", "B draw", "B expose 9C 9D 9H", "B discard 5D", "C draw", "C discard 8C")
    assert "call" in played.play("A draw", "A discard QD").legal("B")


def test_r42_what_fits_may_not_be_discarded() -> None:
    played = Round("AS 2S 3S 4S 9D", "QC", "QD", stock="KD 6C", must_not_discard_layoffable=True)
    played.play("A draw", "A expose AS 2S 3S")
    assert played.refused("A discard 4S") == "fits_a_meld 4S m1"
    assert [text for text in played.legal("A") if text.startswith("discard")] == ["discard 9D", "discard KD"]


def test_r43_who_starts_after_a_round_without_a_winner() -> None:
    for option, starter in (("next_in_turn", 2), ("same_starter", 0)):
        played = Round("KC KH", "4C 4D", "5D 5H", stock="JH JS", no_winner_starter=option)
        played.play("A draw", "A discard JH", "B draw", "B discard JS")
        assert (played.winner, played.outcome.starter) == ("exhausted ", starter)


@pytest.mark.parametrize(
    ("hand", "drawn", "action"),
    [
        ("KC KD KH 9S 2C", "5D", "discard 9S"),
        ("KC JD 2C", "5D", "discard KC"),
        ("TC JD 2C", "JH", "discard JH"),
        ("AS 2S 3S 9C 9D", "9H", "discard 9H"),
    ],
)
def test_r44_the_tamest_thing(hand: str, drawn: str, action: str) -> None:
    played = Round(hand, "QC", "QD", stock=f"{drawn} 7H")
    view = played.game.view(played.state, Seat(0))
    assert played.game.format(played.game.default(view)) == "draw"
    view = played.game.view(played.play("A draw").state, Seat(0))
    assert played.game.format(played.game.default(view)) == action


def test_r44_folds_and_lays_off_where_nothing_else_is_left() -> None:
    played = Round("AS 2S 3S 4S", "QC", "QD", stock="5S 6C", must_not_discard_layoffable=True)
    played.play("A draw", "A expose AS 2S 3S", "A layoff 4S m1")
    view = played.game.view(played.state, Seat(0))
    assert played.game.format(played.game.default(view)) == "layoff 5S m1"
    played = _secret(secret_set=True)
    assert played.game.format(played.game.default(played.game.view(played.state, Seat(1)))) == "fold"
