"""The examples of docs/rules/tongits.md, in its order; A is Ana, B Ben, C Cy."""

from __future__ import annotations

from typing import Any

import pytest

from p2pcards.games.tongits import melds
from tests.games.tongits.builder import Round, cards


def test_r12_example_01_take_for_a_set() -> None:
    played = Round("7H KD", "7S 7D QC", "2C 3D").play("A draw", "A discard 7H", "B take 7S 7D")
    assert played.melds() == ["B: 7D 7H 7S"]
    assert played.to_act == "B"
    short = Round("7H KD", "7S QC", "2C 3D").play("A draw", "A discard 7H")
    assert short.refused("B take 7S") == "no_meld 7H 7S"
    assert short.legal("B") == ["draw"]


def test_r12_example_02_take_with_two_or_three() -> None:
    played = Round("7H KD", "7S 7D 7C QC", "2C 3D").play("A draw", "A discard 7H")
    assert set(played.legal("B")) == {"draw", "take 7C 7D", "take 7C 7S", "take 7D 7S", "take 7C 7D 7S"}


@pytest.mark.parametrize("layoff", [False, True])
def test_r12_r38_example_03_a_lay_off_is_no_new_meld(layoff: bool) -> None:
    played = Round("4C 5C 6C KD 9H", "QC 2H", "7C 3D", stock="KH KS TH TS 9S", discard_layoff=layoff)
    played.play("A draw", "A expose 4C 5C 6C", "A discard KD", "B draw", "B discard QC", "C draw", "C discard 7C")
    assert played.legal("A") == (["draw", "take m1", "call"] if layoff else ["draw", "call"])
    if layoff:
        assert played.play("A take m1").melds() == ["A: 4C 5C 6C 7C"]
    else:
        assert played.refused("A take m1") == "not_on_melds"


def test_r14_example_04_a_run_grows_at_both_ends_without_gaps() -> None:
    played = Round("5H 6H 7H 3H 4H 8H 9H TH KD", "QC 2H", "7C 3D", stock="KS KC")
    played.play("A draw", "A expose 5H 6H 7H")
    assert played.refused("A layoff TH m1") == "does_not_fit TH m1 5H 6H 7H"
    assert played.refused("A layoff 3H m1") == "does_not_fit 3H m1 5H 6H 7H"
    played.play("A layoff 8H m1", "A layoff 9H m1", "A layoff 4H m1", "A layoff 3H m1")
    assert played.melds() == ["A: 3H 4H 5H 6H 7H 8H 9H"]


def test_r02_r05_r14_example_05_the_ace_is_low() -> None:
    assert not melds.is_meld(cards("QS KS AS"))
    assert melds.is_meld(cards("AS 2S 3S"))
    assert not melds.fits(cards("JS QS KS")) & cards("AS")
    assert melds.fits(cards("TS JS QS")) & cards("KS")


def test_r04_example_06_tens_of_different_ranks_are_no_set() -> None:
    assert not melds.is_meld(cards("TC JD QH"))
    assert melds.fits(cards("9C 9D 9H")) == cards("9S")
    assert melds.fits(cards("9C 9D 9H 9S")) == 0


def _after_ana_exposed(**options: Any) -> Round:
    played = Round(
        "5D 6D 7D KD QH JS", "8D 5S QC JH", "2S 3S 4S TC 9C", stock="KH KS TH TS 9S 9H 4H JC", starter="C", **options
    )
    return played.play("C draw", "C expose 2S 3S 4S", "C discard TC", "A draw", "A expose 5D 6D 7D", "A discard KD")


def test_r17_example_07_laid_on_by_another() -> None:
    played = _after_ana_exposed().play("B draw", "B layoff 8D m2", "B discard QC", "C draw", "C discard 9C")
    assert played.refused("A call") == "blocked_laid"
    assert "call" not in played.legal("A")
    played.play("A draw", "A discard QH", "B draw", "B discard JH", "C draw", "C discard TS")
    assert "call" in played.legal("A")


def test_r17_example_08_only_the_owner_is_blocked() -> None:
    played = _after_ana_exposed().play("B draw", "B layoff 5S m1", "B discard QC")
    assert played.refused("C call") == "blocked_laid"
    played.play("C draw", "C discard 9C")
    assert "call" in played.legal("A")


@pytest.mark.parametrize("blocks", [True, False])
def test_r17_r35_example_09_laid_on_ones_own(blocks: bool) -> None:
    played = Round("6H 7H 8H 9H KD QC", "2C 3D", "4C 5D", stock="KC KS TC TS", self_layoff_blocks_draw=blocks)
    played.play("A draw", "A expose 6H 7H 8H", "A discard KD", "B draw", "B discard 2C", "C draw", "C discard 4C")
    assert "call" in played.legal("A")
    played = Round("6H 7H 8H 9H KD QC", "2C 3D", "4C 5D", stock="KC KS TC TS", self_layoff_blocks_draw=blocks)
    played.play("A draw", "A expose 6H 7H 8H", "A layoff 9H m1", "A discard KD")
    played.play("B draw", "B discard 2C", "C draw", "C discard 4C")
    assert ("call" in played.legal("A")) is not blocks
    if blocks:
        assert played.refused("A call") == "blocked_own"


def test_r16_example_10_too_late_to_call() -> None:
    played = _after_ana_exposed().play("B draw", "B discard QC", "C draw", "C discard 9C", "A draw")
    assert played.refused("A call") == "call_first"


def test_r12_r17_example_11_the_first_turn() -> None:
    played = Round("7S 7D 2C", "3D 4D", "5C 6H")
    assert played.legal("A") == ["draw"]
    assert played.refused("A take 7S 7D") == "no_discard"
    assert played.refused("A call") == "nothing_exposed"


@pytest.mark.parametrize(
    ("counts", "winner"), [((7, 7, 20), "B"), ((6, 15, 6), "C"), ((9, 8, 8), "B"), ((6, 15, 7), "A")]
)
def test_r23_r24_examples_12_13_ties_when_the_stock_ends(counts: tuple[int, int, int], winner: str) -> None:
    """B draws the last card."""
    left = {6: "6", 7: "7", 8: "8", 9: "9", 15: "9 6", 20: "T K"}
    a, b, c = (" ".join(rank + suit for rank in left[count].split()) for count, suit in zip(counts, "HDC", strict=True))
    played = Round(f"{a} 2C 2D 2H", f"{b} 3C 3S 3H", f"{c} 5D 5H 5S", stock="JH JS JC JD", starter="B")
    played.play("B draw", "B expose 3C 3H 3S", "B discard JH", "C draw", "C expose 5D 5H 5S", "C discard JS")
    played.play("A draw", "A expose 2C 2D 2H", "A discard JC", "B draw", "B discard JD")
    assert played.shown() == [f"{name} {count}" for name, count in zip("ABC", counts, strict=True)]
    assert played.winner == f"exhausted {winner}"


def test_r23_example_14_only_who_has_exposed_is_counted() -> None:
    played = Round("KC KH TD 2C 2D 2H QS", "4C 4D 4S 6H", "5D 5H 5S 6C", stock="JH JS", starter="A")
    played.play("A draw", "A expose 2C 2D 2H", "A discard QS", "B draw", "B discard JS")
    assert played.winner == "exhausted A"
    assert played.shown() == ["A 40"]


def test_r25_r08_example_15_nobody_exposed() -> None:
    played = Round("KC KH", "4C 4D 4S", "5D 5H", stock="JH JS", starter="A")
    played.play("A draw", "A discard JH", "B draw", "B discard JS")
    assert played.winner == "exhausted "
    assert played.outcome.points == (0, 0, 0)
    assert played.outcome.starter == 2


A_MELD, B_MELD, C_MELD = "2C 2D 2H", "3C 3D 3H", "5C 5D 5H"


def _called(a: str, b: str, c: str, b_meld: str = B_MELD, c_meld: str = C_MELD, **options: Any) -> Round:
    """A has called with `a` in hand; B and C have exposed their melds, if they have one."""
    played = Round(
        f"{a} {A_MELD} QS", f"{b} {b_meld} QH", f"{c} {c_meld} QD", stock="JH JS JC JD KC", starter="A", **options
    )
    played.play("A draw", f"A expose {A_MELD}", "A discard JH", "B draw")
    played.play(*([f"B expose {b_meld}"] if b_meld else []), "B discard JS", "C draw")
    return played.play(*([f"C expose {c_meld}"] if c_meld else []), "C discard JC", "A call")


def test_r19_example_16_both_fold() -> None:
    played = _called("9H", "AD", "8C")
    assert played.to_act == "BC"
    assert played.legal("B") == played.legal("C") == ["challenge", "fold"]
    assert played.refused("A fold") == "not_your_turn"
    assert played.play("B fold", "C fold").winner == "call A"
    assert played.shown() == []


def test_r21_example_17_the_caller_loses_a_tie() -> None:
    played = _called("5S", "4D AD", "8C").play("B challenge", "C fold")
    assert played.shown() == ["A 15", "B 15"]
    assert played.winner == "call B"


@pytest.mark.parametrize("order", [("B challenge", "C challenge"), ("C challenge", "B challenge")])
@pytest.mark.parametrize(("a", "b", "c"), [("8H", "6H", "6C"), ("4H", "4S", "4C")])
def test_r21_example_18_ties_of_challengers(a: str, b: str, c: str, order: tuple[str, str]) -> None:
    assert _called(a, b, c).play(*order).winner == "call B"


def test_r18_r19_example_19_burned_players_are_not_asked() -> None:
    played = _called("9H", "AD", "8C", b_meld="")
    assert played.to_act == "C"
    assert played.refused("B challenge") == "not_your_turn"
    assert played.play("C fold").winner == "call A"
    alone = _called("9H", "AD", "8C", b_meld="", c_meld="")
    assert (alone.to_act, alone.winner) == ("", "call A")


@pytest.mark.parametrize(
    ("example", "hand", "points", "partition"),
    [
        (20, "2S 9D 9H 9C 4D", 6, "9C 9D 9H"),
        (21, "4H 5H 6H 6S 6D KC", 19, "6D 6H 6S"),
        (22, "5H 6H 7H 8H 7S 7D", 14, "5H 6H 7H 8H"),
    ],
)
def test_r07_examples_20_to_22_the_best_split(example: int, hand: str, points: int, partition: str) -> None:
    assert melds.deadwood(cards(hand)) == points
    best = melds.split(cards(hand))
    assert (best.points, best.melds) == (points, (cards(partition),))


def test_r22_example_23_take_empties_the_hand() -> None:
    played = Round("9S KD", "9C 9D", "2C 3D").play("A draw", "A discard 9S", "B take 9C 9D")
    assert played.winner == "tongits B"
    assert played.melds() == ["B: 9C 9D 9S"]


def test_r22_example_24_tongits_comes_before_the_end_of_the_stock() -> None:
    played = Round("AS 2S KD", "9C 9D", "2C 3D", stock="3S").play("A draw", "A expose AS 2S 3S", "A discard KD")
    assert played.winner == "tongits A"


def test_r14_r22_example_25_lay_off_everything() -> None:
    played = Round("5C 6C 7C 4D 5D 6D KD", "8C", "TC TH", stock="KS 3D").play(
        "A draw", "A expose 5C 6C 7C", "A expose 4D 5D 6D", "A discard KD"
    )
    played.play("B draw", "B layoff 8C m1")
    assert played.to_act == "B"
    assert played.play("B layoff 3D m2").winner == "tongits B"


def test_r22_example_26_the_last_card_can_be_discarded() -> None:
    played = Round("5C 6C 7C KD", "8C", "TC TH", stock="KS 3D").play("A draw", "A expose 5C 6C 7C", "A discard KD")
    assert played.play("B draw", "B layoff 8C m1", "B discard 3D").winner == "tongits B"


def test_r14_r17_example_27_two_runs_that_a_card_joins() -> None:
    hands = ("3S 4S 5S KD KH", "6S QC JH", "7S 8S 9S TD TH")
    for meld, blocked in (("m1", "C"), ("m2", "A")):
        played = Round(*hands, stock="2C 3C 2D 3D 2H 3H", starter="C")
        played.play("C draw", "C expose 7S 8S 9S", "C discard TD", "A draw", "A expose 3S 4S 5S", "A discard KD")
        played.play("B draw")
        assert {"layoff 6S m1", "layoff 6S m2"} <= set(played.legal("B"))
        played.play(f"B layoff 6S {meld}", "B discard QC")
        assert len(played.public.melds) == 2
        assert ("call" in played.legal("C")) is (blocked != "C")
        played.play("C draw", "C discard TH")
        assert ("call" in played.legal("A")) is (blocked != "A")
