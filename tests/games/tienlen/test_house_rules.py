"""The options of docs/rules/tienlen.md, R35 to R47."""

from __future__ import annotations

from typing import Any

import pytest

from p2pcards.cards import deck
from p2pcards.games.base import Seat
from p2pcards.games.tienlen import TienLen, TienLenOptions
from tests.games.played import NAMES
from tests.games.tienlen.builder import Round, cards


def test_r35_the_lowest_card_leads_the_first_round_only() -> None:
    game = TienLen(TienLenOptions(first_lead="lowest_card", instant_win="off"))
    order = list(deck())
    dealt = game.dealt(order, 4, Seat(2))
    assert [game.opener(dealt, Seat(2), first) for first in (True, False)] == [2, 2]
    dealt = game.dealt([*order[1:], order[0]], 4, Seat(2))
    assert [game.opener(dealt, Seat(2), first) for first in (True, False)] == [1, 2]
    assert game.position(dealt, Seat(1), True).public.must == 0
    assert game.position(dealt, Seat(1), False).public.must is None
    assert TienLen().opener(dealt, Seat(2), True) == 2


def test_r35_the_first_play_must_have_that_card_in_it() -> None:
    played = Round("3C 3D 4S 5S", "KS 6D", first_lead="lowest_card")
    assert played.legal() == ["3C", "3C 3D", "3C 4S 5S"]
    assert played.refused("A 3D") == "must_contain 3C"
    played.play("A 3C 3D", "B pass")
    assert played.legal() == ["4S", "5S"]


def test_r35_who_leads_without_the_lowest_card_is_free() -> None:
    assert Round("4S 5S", "3C 6D", first_lead="lowest_card").legal() == ["4S", "5S"]


@pytest.mark.parametrize(("rule", "leads"), [("loser", "B"), ("winner", "A")])
def test_r36_who_leads_the_next_round(rule: str, leads: str) -> None:
    played = Round("3S", "4S 5S", next_lead=rule).play("A 3S")
    assert played.end == f"out A 1 0 {leads}"
    assert played.game.starter(played.outcome, 2, 0) == NAMES.index(leads)
    assert played.game.starter(None, 2, 1) == 1


def test_r36_after_a_win_at_once() -> None:
    hands = ("3S 4S", "2S 2C 2D 2H")
    assert Round(*hands, next_lead="winner").end == "instant B 0 1 B"
    assert Round(*hands).end == "instant B 0 1 A"


def test_r37_no_twos_in_sequences() -> None:
    played = Round("KS KC AS AC 2S 2C QS", "3S", twos_in_sequences=False)
    assert {text for text in played.legal() if len(text.split()) > 2} == {
        f"QS {king} {ace}" for king in ("KS", "KC") for ace in ("AS", "AC")
    }
    assert played.refused("A KS AS 2S") == "two_in_sequence KS AS 2S"
    assert played.refused("A KS KC AS AC 2S 2C") == "two_in_sequence KS KC AS AC 2S 2C"
    follow = Round("2S 3D", "QS QC KS KC AS AC 2C 2H", twos_in_sequences=False).play("A 2S")
    assert follow.legal() == ["2C", "2H", "QS QC KS KC AS AC", "pass"]


def test_r38_who_has_passed_may_come_in_again() -> None:
    played = Round("5S 3D", "7S 8S", "6D 4D", pass_lock=False).play("A 5S", "B pass", "C 6D")
    assert played.turn == "follow A"
    assert played.play("A pass").turn == "follow B"
    assert played.legal() == ["7S", "8S", "pass"]
    assert played.play("B 7S", "C pass").turn == "follow A"
    assert played.play("A pass").turn == "lead B"


def test_r38_after_last_cards_nobody_is_locked() -> None:
    played = Round("5S KH", "7S AS", "6D 4D", pass_lock=False).play("A 5S", "B pass", "C 6D", "A KH")
    assert (played.turn, played.legal()) == ("after_out B", ["AS", "pass"])


def test_r39_all_who_have_not_passed_may_beat_last_cards() -> None:
    played = Round("5S KH", "AS 3S", "6S 2H", "7S 8S", out_rule="all_may_beat")
    played.play("A 5S", "B pass", "C 6S", "D 7S", "A KH")
    assert (played.turn, played.legal()) == ("follow C", ["2H", "pass"])
    assert played.play("C pass", "D pass").turn == "lead B"


def test_r39_where_all_have_passed_the_next_holder_leads() -> None:
    played = Round("5S KH", "AS 3S", "6S 2H", out_rule="all_may_beat").play("A 5S", "B pass", "C pass")
    assert played.play("A KH").turn == "follow B"
    locked = Round("5S 6H KH", "AS 3S", "6S 2H", "8S 9S", out_rule="all_may_beat")
    locked.play("A 5S", "B pass", "C 6S", "D pass", "A 6H", "C pass", "A KH", "B pass", "C pass", "D pass")
    assert locked.turn == "lead B"


def test_r39_who_beats_last_cards_where_all_others_have_passed_leads() -> None:
    played = Round("5S KH", "6S AS 3S", "2H 3H", "9S 4H", out_rule="all_may_beat")
    played.play("A 5S", "B 6S", "C pass", "D pass", "A KH", "B AS")
    assert played.turn == "lead B"


@pytest.mark.parametrize(
    ("pile", "hand", "beats"),
    [
        ("3S 3C 4S 4C 5S 5C", "6S 6C 6D 6H", True),
        ("6S 6C 6D 6H", "7S 7C 8S 8C 9S 9C TS TC", True),
        ("6S 6C 6D 6H", "7S 7C 8S 8C 9S 9C", False),
        ("7S 7C 8S 8C 9S 9C TS TC", "JS JC JD JH", False),
        ("7S 7C 8S 8C 9S 9C", "3S 3C 4S 4C 5S 5C 6S 6C", True),
        ("7S 7C 8S 8C 9S 9C TS TC", "3S 3C 4S 4C 5S 5C 6S 6C JS JC", False),
        ("9S 9C TS TC JS JC QS QC", "3S 3C 4S 4C 5S 5C 6S 6C 7S 7C", True),
        ("9S 9C TS TC JS JC QS QC KS KC", "3S 3C 4S 4C 5S 5C 6S 6C 7S 7C 8S 8C", True),
        ("AH", "6S 6C 6D 6H", False),
    ],
)
def test_r40_the_southern_chain(pile: str, hand: str, beats: bool) -> None:
    played = Round(f"{pile} 3D", f"{hand} KH", bomb_chain="southern").play(f"A {pile}")
    if beats:
        assert hand in played.legal()
        assert hand not in Round(f"{pile} 3D", f"{hand} KH").play(f"A {pile}").legal()
    elif pile == "7S 7C 8S 8C 9S 9C TS TC":
        assert [text for text in played.legal() if len(text.split()) in (4, 8)] == []
    else:
        assert played.legal() == ["pass"]


def test_r41_a_quad_that_beats_no_pair_of_twos() -> None:
    pair = Round("2S 2C 3D", "9S 9C 9D 9H 3S", bomb_quad_beats_pair_of_twos=False).play("A 2S 2C")
    assert pair.legal() == ["pass"]
    assert pair.refused("B 9S 9C 9D 9H") == "bomb_too_small 4  2S 2C"
    single = Round("2S 3D", "9S 9C 9D 9H 3S", bomb_quad_beats_pair_of_twos=False).play("A 2S")
    assert single.legal() == ["9S 9C 9D 9H", "pass"]


BOMB = "4S 4C 5S 5C 6S 6C 7S 7C"
EIGHT = "8S 8C 8D 8H JS JC JD JH"


def late(hand: str = BOMB, top: str = "2S", **options: Any) -> Round:
    """A led; B and C passed; D played twos, and A passed."""
    first = "3S 3C" if len(top) > 2 else "3S"
    played = Round(
        f"{first} 3H", f"{hand} 3D", f"{EIGHT} QS", f"{top} KD", **{"bomb_after_pass": "four_pairs", **options}
    )
    return played.play(f"A {first}", "B pass", "C pass", f"D {top}", "A pass")


def test_r42_who_has_passed_is_asked_for_four_pairs() -> None:
    played = late()
    assert (played.turn, played.legal()) == ("follow B", [BOMB, "pass"])
    assert played.refused("B 4S 4C 5S 5C 6S 6C") == "only_four_pairs 2S"
    assert played.play(f"B {BOMB}").turn == "follow D"
    assert played.play("D pass").turn == "lead B"


def test_r42_whatever_the_cards_and_only_once() -> None:
    played = late().play("B pass")
    assert (played.turn, played.legal()) == ("follow C", ["pass"])
    assert played.refused("C 8S 8C 8D 8H") == "only_four_pairs 2S"
    assert played.play("C pass").turn == "lead D"


def test_r42_on_two_twos_also_and_not_on_three() -> None:
    assert late(top="2S 2C").legal() == [BOMB, "pass"]
    three = Round("3S 3C 3D 3H", f"{BOMB} QD", "2S 2C 2D KD", bomb_after_pass="four_pairs")  # noqa: S106 - an option
    assert three.play("A 3S 3C 3D", "B pass", "C 2S 2C 2D", "A pass").turn == "lead C"


def test_r42_fewer_than_eight_cards_are_not_asked() -> None:
    eight = late("4S 4C 5S 5C 6S 6C 7S")
    assert (eight.turn, eight.legal()) == ("follow B", ["pass"])
    assert late("4S 4C 5S 5C 6S 6C").turn == "follow C"
    assert late(bomb_after_pass="false").turn == "lead D"  # noqa: S106 - an option


def test_r42_a_higher_two_is_asked_about_anew() -> None:
    played = Round("3S 2D 3H", f"{BOMB} 3D", "2S KD", bomb_after_pass="four_pairs")  # noqa: S106 - an option
    played.play("A 3S", "B pass", "C 2S", "A 2D")
    assert played.turn == "follow B"
    assert played.play("B pass", "C pass").turn == "lead A"
    again = Round("3S 2D 3H", f"{BOMB} 3D", "2S 2H KD", bomb_after_pass="four_pairs")  # noqa: S106 - an option
    again.play("A 3S", "B pass", "C 2S", "A 2D", "B pass", "C 2H", "A pass")
    assert (again.turn, again.legal()) == ("follow B", [BOMB, "pass"])


def test_r42_after_last_cards_only_the_next_player() -> None:
    played = Round("3S 3H", f"{BOMB} 3D", f"{EIGHT} QS", "2S", bomb_after_pass="four_pairs")  # noqa: S106 - an option
    played.play("A 3S", "B pass", "C pass", "D 2S")
    assert played.turn == "after_out A"
    assert played.play("A pass").turn == "lead A"


def test_r42_a_passed_next_player_is_asked_after_last_cards() -> None:
    played = Round("3S 2C", f"{BOMB} 3D", f"{EIGHT} QS", bomb_after_pass="four_pairs")  # noqa: S106 - an option
    played.play("A 3S", "B pass", "C QS", "A 2C")
    assert (played.turn, played.legal()) == ("after_out B", [BOMB, "pass"])
    assert played.play("B pass").turn == "lead B"


def test_r43_the_holder_is_first_and_the_others_play_on() -> None:
    played = Round("2S 2C 2D 2H 3S", "4S 5S", "6S 7S", instant_win="goes_out_first")
    assert (played.turn, played.places, played.hand("A")) == ("lead B", "A", "")
    assert played.public.instant is not None
    assert played.public.instant.cards == cards("2S 2C 2D 2H 3S")
    played.play("B 4S", "C 6S", "B pass", "C 7S")
    assert (played.places, played.end) == ("ACB", "out A 1 0 0 B")
    assert not played.public.three


def test_r43_two_players_are_done_at_once() -> None:
    played = Round("3S 4S", "2S 2C 2D 2H", instant_win="goes_out_first")
    assert (played.turn, played.end) == ("over", "out B 0 1 A")


def test_r43_the_lowest_card_is_laid_aside_with_the_hand() -> None:
    options: dict[str, Any] = {"instant_win": "goes_out_first", "first_lead": "lowest_card"}
    played = Round("2S 2C 2D 2H 3S", "4S 5S", "6S 7S", **options)
    assert (played.turn, played.legal()) == ("lead B", ["4S", "5S"])
    other = Round("4S 5S", "2S 2C 2D 2H", "6S 7S", **options)
    assert (other.turn, other.legal()) == ("lead A", ["4S"])


def test_r43_off_is_off() -> None:
    played = Round("2S 2C 2D 2H 3S", "4S 5S", instant_win="off", instant_win_extra="dragon+six_pairs")
    assert played.turn == "lead A"


DRAGON = "3S 4C 5D 6H 7S 8S 9S TS JS QS KS AS"
SIX_PAIRS = "3S 3C 5S 5C 7S 7C 7D 7H 9S 9C JS JC KD"
FIVE_PAIRS = "3C 3D 4S 4D 5S 5H 6S 6C 7C 7D QS KS AS"


@pytest.mark.parametrize(
    ("hand", "kind"), [(DRAGON, "dragon"), (SIX_PAIRS, "six_pairs"), (FIVE_PAIRS, "five_pair_sequence")]
)
def test_r44_more_hands_that_win_at_once(hand: str, kind: str) -> None:
    assert Round("TD 2H", hand, instant_win_extra=kind).end == "instant B 0 1 A"
    assert Round("TD 2H", hand).turn == "lead A"
    for extra in ("dragon", "six_pairs", "five_pair_sequence"):
        if extra != kind:
            assert Round("TD 2H", hand, instant_win_extra=extra).turn == "lead A"


@pytest.mark.parametrize(
    "hand", ["3S 4C 5D 6H 7S 8S 9S TS JS QS KS 2S", "3S 3C 5S 5C 7S 7C 7D 9S 9C JS JC KD", "3C 3D 4S 4D 5S 5H 6S 6C 7C"]
)
def test_r44_hands_that_nearly_do(hand: str) -> None:
    assert Round("TD 2H", hand, instant_win_extra="dragon+six_pairs+five_pair_sequence").turn == "lead A"


def test_r44_five_pairs_that_end_in_twos() -> None:
    hand = "TS TC JS JC QS QC KS KC AS AC"
    high = "JS JC QS QC KS KC AS AC 2S 2C"
    for twos in (True, False):
        options: dict[str, Any] = {"instant_win_extra": "five_pair_sequence", "twos_in_sequences": twos}
        assert Round("TD 2H", hand, **options).turn == "over"
        assert (Round("TD 2H", high, **options).turn == "over") is twos


def test_r44_the_strongest_of_several() -> None:
    every: dict[str, Any] = {"instant_win_extra": "dragon+six_pairs+five_pair_sequence"}
    sixes = "3H 3D 5H 5D 8C 8D 9D 9H JD JH QD QH"
    dragon = "3H 4H 5H 6D 7H 8H 9H TH JH QH KH AH"
    fives = "4H 4D 5C 5D 6H 6D 7H 7D 8H 8D"
    twos = "2S 2C 2D 2H"
    assert Round(sixes, fives, "TD", **every).end.startswith("instant B")
    assert Round(FIVE_PAIRS, dragon, "TD", **every).end.startswith("instant B")
    assert Round(dragon, "TD", twos, **every).end.startswith("instant C")
    assert Round(sixes, "TD", SIX_PAIRS, leads="B", **every).end.startswith("instant C")
    assert Round(sixes, "TD", SIX_PAIRS, leads="A", **every).end.startswith("instant A")


def test_r45_nobody_goes_out_on_twos() -> None:
    played = Round("3S 4S", "2S", "5D 6D", no_finish_on_two=True).play("A 3S")
    assert played.legal() == ["pass"]
    assert played.refused("B 2S") == "no_finish_on_two"
    pair = Round("3S 3C 4S", "2S 2C", "5D 6D", no_finish_on_two=True).play("A 3S 3C")
    assert pair.legal() == ["pass"]


def test_r45_a_leader_with_nothing_but_a_two_may() -> None:
    assert Round("2S", "3S 4S", no_finish_on_two=True).legal() == ["2S"]
    several = Round("2S 2C", "3S 4S", no_finish_on_two=True)
    assert several.legal() == ["2C", "2S"]
    assert several.refused("A 2S 2C") == "no_finish_on_two"


def test_r45_a_longer_combination_may_end_in_a_two() -> None:
    assert "KS AS 2S" in Round("KS AS 2S", "3S 4S", no_finish_on_two=True).legal()
    four = Round("2S 2C 2D 2H", "3S 4S", no_finish_on_two=True, instant_win="off")
    assert "2S 2C 2D 2H" not in four.legal()
    assert "2S 2C 2D" in four.legal()


def test_r46_a_straight_of_one_suit_needs_another() -> None:
    hand = "6S 7S 8D 6H 7H 8H 3D"
    played = Round("4S 5S 6C 4C 5C 3H", hand, suited_straight_lock=True).play("A 4C 5C 6C")
    assert played.legal() == ["6H 7H 8H", "pass"]
    assert played.refused("B 6S 7S 8D") == "one_suit 4C 5C 6C"
    mixed = Round("4S 5S 6C 4C 5C 3H", hand, suited_straight_lock=True).play("A 4S 5C 6C")
    assert "6S 7S 8D" in mixed.legal()


def test_r47_the_last_to_hold_cards_wins() -> None:
    played = Round("3S", "4S", "5S 6S", objective="hold").play("A 3S", "B 4S")
    assert (played.places, played.end) == ("ABC", "out C 0 0 1 C")
