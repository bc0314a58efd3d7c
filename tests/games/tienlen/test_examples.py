"""The examples of docs/rules/tienlen.md, in its order; A is Ana, B Ben, C Cy, D Dan."""

from __future__ import annotations

import pytest

from tests.games.tienlen.builder import Round

OTHERS = ("4C 3D", "5D 6H", "7D 8C")


def on(pile: str, hand: str) -> Round:
    """A has led this pile, and B holds this hand and one card more."""
    return Round(f"{pile} 3D", f"{hand} 3H", "4D 4H", instant_win="off").play(f"A {pile}")


def test_r03_r09_example_01_rank_before_suit() -> None:
    assert on("7S", "7C").legal() == ["7C", "pass"]
    assert on("7C", "7S").refused("B 7S") == "too_low single 1 7C 7S"
    assert on("7H", "8S").legal() == ["8S", "pass"]
    assert on("AH", "2S").legal() == ["2S", "pass"]


def test_r08_example_02_the_better_card_of_a_pair_decides() -> None:
    assert on("9C 9D", "9S 9H").legal() == ["9S 9H", "pass"]
    assert on("9S 9H", "9C 9D").refused("B 9C 9D") == "too_low pair 2 9H 9D"


def test_r09_example_03_a_straight_of_the_same_length() -> None:
    assert on("9H TC JD QS KS", "9S TD JC QH KC").legal() == ["9S TD JC QH KC", "pass"]
    four = on("9H TC JD QS KS", "TS JC QD KH")
    assert four.refused("B TS JC QD KH") == "wrong_size straight 5 4 9H TC JD QS KS"


def test_r08_example_04_only_the_top_card_of_a_straight_counts() -> None:
    assert on("4H 5S 6S", "4S 5C 6C").legal() == ["4S 5C 6C", "pass"]
    assert on("4S 5C 6C", "4H 5S 6S").refused("B 4H 5S 6S") == "too_low straight 3 6C 6S"


def test_r07_example_05_straights_end_in_a_two_at_most() -> None:
    led = Round("KS AD 2C 3H QS AH 3D", *OTHERS)
    assert {"KS AD 2C", "QS KS AD 2C"} <= set(led.legal())
    assert led.refused("A AD 2C 3H") == "no_combination 3H AD 2C"
    assert on("TS JC QD KH", "QS KD AH 2C").legal() == ["QS KD AH 2C", "pass"]
    whole = "3S 4C 5D 6H 7S 8S 9S TS JS QS KS AS 2S"
    assert whole in Round(whole, *OTHERS).legal()


def test_r06_r10_example_06_what_beats_a_single_two() -> None:
    rich = on("2S", "2C 4S 4C 4D 4H 3S 3C 5S 5C 5D")
    assert rich.refused("B 5S 5C 5D") == "wrong_kind single 1 2S"
    assert rich.refused("B 3S 3C 4S 4C") == "no_combination 3S 3C 4S 4C"
    assert {"2C", "4S 4C 4D 4H", "3S 3C 4S 4C 5S 5C"} <= set(rich.legal())


def test_r10_example_07_what_beats_a_pair_of_twos() -> None:
    rich = on("2S 2C", "2D 2H 9S 9C 9D 9H 3S 3C 4S 4C 5S 5C 6S 6C")
    assert {"2D 2H", "9S 9C 9D 9H", "3S 3C 4S 4C 5S 5C 6S 6C"} < set(rich.legal())
    assert rich.refused("B 3S 3C 4S 4C 5S 5C") == "bomb_too_small 4 quad 2S 2C"


def test_r10_example_08_what_beats_three_twos() -> None:
    rich = on("2S 2C 2D", "2H 9S 9C 9D 9H 3S 3C 4S 4C 5S 5C 6S 6C 7S 7C")
    assert rich.refused("B 9S 9C 9D 9H") == "bomb_too_small 5  2S 2C 2D"
    assert rich.refused("B 3S 3C 4S 4C 5S 5C 6S 6C") == "bomb_too_small 5  2S 2C 2D"
    assert {len(text.split()) for text in rich.legal()} == {10, 1}  # five pairs, and pass
    assert "3S 3C 4S 4C 5S 5C 6S 6C 7S 7C" in rich.legal()


def test_r11_example_09_bombs_beat_twos_alone() -> None:
    assert on("AH", "8S 8C 8D 8H").refused("B 8S 8C 8D 8H") == "bombs_beat_twos single 1 AH"
    straight = on("KS AD 2C", "2H 8S 8C 8D 8H")
    assert straight.refused("B 2H") == "wrong_kind straight 3 KS AD 2C"
    assert straight.refused("B 8S 8C 8D 8H") == "bombs_beat_twos straight 3 KS AD 2C"
    assert straight.legal() == ["pass"]


@pytest.mark.parametrize("chain", ["same_type", "southern"])
def test_r11_r40_example_10_bomb_on_bomb(chain: str) -> None:
    played = Round("2S 3D", "5S 5C 5D 5H 3H", "9S 9C 9D 9H TS TC JS JC QS QC KS KC 3C", bomb_chain=chain).play(
        "A 2S", "B 5S 5C 5D 5H"
    )
    assert "9S 9C 9D 9H" in played.legal()
    if chain == "southern":
        assert "TS TC JS JC QS QC KS KC" in played.legal()
    else:
        assert played.refused("C TS TC JS JC QS QC KS KC") == "wrong_kind quad 4 5S 5C 5D 5H"


def test_r09_example_11_double_sequences_of_the_same_length() -> None:
    played = on("3S 3H 4S 4C 5S 5C", "3C 3D 4D 4H 5D 5H 8S 8C 9S 9C TS TC JS JC")
    assert "3C 3D 4D 4H 5D 5H" in played.legal()
    assert played.refused("B 8S 8C 9S 9C TS TC JS JC") == "wrong_size doubles 3 4 3S 3H 4S 4C 5S 5C"


def test_r16_r17_example_12_who_has_passed_is_out_of_the_trick() -> None:
    played = Round("5S 3D", "7S 7C 7D 7H 6S", "9D 4D", "2S 8D")
    played.play("A 5S", "B pass", "C 9D", "D 2S", "A pass")
    assert played.turn == "follow C"
    assert played.legal("B") == []
    assert played.refused("B 7S 7C 7D 7H") == "not_your_turn"
    assert played.play("C pass").turn == "lead D"
    assert played.public.passed == (False,) * 4


def test_r14_example_13_the_leader_cannot_pass() -> None:
    assert Round("5S 3D", "6S").refused("A pass") == "must_lead"


def test_r19_example_14_the_next_player_beats_the_last_cards() -> None:
    played = Round("KH", "AS 3S", "4S 2H", "5S 6S").play("A KH")
    assert (played.turn, played.legal()) == ("after_out B", ["AS", "pass"])
    assert played.play("B AS").turn == "follow C"
    assert played.play("C 2H").turn == "follow D"
    assert played.play("D pass").turn == "follow B"


@pytest.mark.parametrize("rule", ["next_player", "all_may_beat"])
def test_r20_r39_example_15_the_next_player_passes(rule: str) -> None:
    played = Round("KH", "AS 3S", "4S 2H", "5S 6S", out_rule=rule).play("A KH", "B pass")
    if rule == "next_player":
        assert played.turn == "lead B"
        assert played.legal("C") == []
    else:
        assert (played.turn, played.legal()) == ("follow C", ["2H", "pass"])
        assert played.play("C pass", "D pass").turn == "lead B"


def test_r20_example_16_the_next_player_had_passed() -> None:
    played = Round("5S KH", "AS 3S", "6S 2H", "7S 8S")
    played.play("A 5S", "B pass", "C 6S", "D 7S", "A KH")
    assert played.turn == "lead B"
    assert played.public.trick == ()


def test_r18_r19_example_17_last_cards_on_last_cards() -> None:
    played = Round("KH", "AS", "4S 2H", "5S 6S").play("A KH", "B AS")
    assert (played.places, played.turn) == ("AB", "after_out C")
    assert played.legal() == ["2H", "pass"]


def test_r21_r22_example_18_the_last_holder_gets_no_answer() -> None:
    played = Round("4S 9S", "3S", "2H 5S 6D", "KS", leads="B")
    played.play("B 3S", "C pass", "C 5S", "D KS", "A pass")
    assert played.turn == "lead A"
    assert played.play("A 4S", "C 6D", "A 9S").turn == "over"
    assert (played.places, played.hand("C")) == ("BDAC", "2H")
    assert played.end == "out B 0 1 0 0 C"


def test_r13_r23_example_19_four_twos() -> None:
    played = Round("3S 4S", "5S 6S", "7S 8S", "2S 2C 2D 2H KS", leads="B")
    assert (played.turn, played.end) == ("over", "instant D 0 0 0 1 B")
    assert played.refused("B 5S") == "over"


def test_r01_r35_example_20_the_lowest_card_dealt_leads() -> None:
    played = Round("5S 3D", "KS 3C", "3H 4S", leads="B", first_lead="lowest_card")
    assert played.legal() == ["3C"]


def test_r09_r11_example_21_a_double_sequence_with_twos_is_no_pile_of_twos() -> None:
    played = on("KS KC AD AH 2S 2C", "KD KH AS AC 2D 2H 8S 8C 8D 8H 9S 9C TS TC JS JC")
    assert played.legal() == ["KD KH AS AC 2D 2H", "pass"]


def test_r04_r11_example_22_pairs_out_of_quads_and_quads_led() -> None:
    assert {"7S 7H", "7S 7C 7D 7H"} <= set(Round("7S 7C 7D 7H 3D", "4D").legal())
    played = on("7S 7C 7D 7H", "8S 8C 8D 8H 9S 9C TS TC JS JC")
    assert played.legal() == ["8S 8C 8D 8H", "pass"]


def test_r30_r31_r32_example_with_chips() -> None:
    played = Round("2H 8S", "4S 4C 5S 5C 6S 6C 3S", "3H 9S", "2S 3C 4H", scoring="chips")
    played.play("A 2H", "B 4S 4C 5S 5C 6S 6C", "C pass", "D pass", "A pass", "B 3S", "C pass")
    played.play("C 3H", "D 4H", "A 8S", "C 9S")
    assert played.places == "BACD"
    assert played.end == "out B -1 4 0 -3 D"
