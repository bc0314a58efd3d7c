"""Rules of docs/rules/tienlen.md that its examples leave out."""

from __future__ import annotations

import pytest

from p2pcards.cards import DECK, THREE_LOW, cards_of, deck
from p2pcards.errors import InvalidOption
from p2pcards.games.base import Place, Seat, Secrecy, Where
from p2pcards.games.tienlen import TienLen, TienLenOptions
from p2pcards.games.tienlen.state import Act, Chop
from tests.games.tienlen.builder import Round, cards


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_r01_r12_thirteen_cards_each_in_turn_from_the_starter(seats: int) -> None:
    layout = TienLen().layout(seats, Seat(1))
    assert [place.seat for place in layout[:5]] == [(1 + step) % seats for step in range(5)]
    assert layout[13 * seats :] == (Place(Where.UNUSED),) * (DECK - 13 * seats)
    state = TienLen(TienLenOptions(instant_win="off")).deal(list(deck()), seats, Seat(1))
    assert state.public.counts == (13,) * seats
    assert state.hands[1] == cards_of(list(deck())[0 : 13 * seats : seats])
    assert (state.public.turn, state.public.leader, state.public.pile) == (1, 1, None)


def test_r01_two_to_four_play_with_one_pack() -> None:
    game = TienLen()
    assert (list(game.seats), game.usual_seats, game.decks()) == ([2, 3, 4], 4, 1)
    for seats in (1, 5):
        with pytest.raises(InvalidOption, match="2 to 4"):
            game.check_seats(seats)


def test_r02_threes_are_low_and_spades() -> None:
    assert [THREE_LOW.format(card) for card in deck()][:5] == ["3S", "3C", "3D", "3H", "4S"]
    assert THREE_LOW.format(list(deck())[-1]) == "2H"


def test_r04_r05_r06_r14_any_combination_may_be_led() -> None:
    led = Round("3S 3C 3D 4S 4C 5S 5C", "6S")
    assert {"3S", "3S 3C", "3S 3C 3D", "3S 4C 5S", "3C 3D 4S 4C 5S 5C"} <= set(led.legal())
    assert "pass" not in led.legal()
    assert led.refused("A 3S 4S") == "no_combination 3S 4S"
    assert led.refused("A 3S 3C 4S 5S") == "no_combination 3S 3C 4S 5S"
    assert led.refused("A 3S 3C 3D 4S 4C 5S") == "no_combination 3S 3C 3D 4S 4C 5S"
    assert led.refused("A 6S") == "not_held 6S"
    assert Round("3S 5C KH", "6S", first_lead="random").legal() == ["3S", "5C", "KH"]


def test_r15_anybody_may_pass_who_does_not_lead() -> None:
    played = Round("3S 4S", "KS 2S", "5S").play("A 3S", "B pass")
    assert played.turn == "follow C"
    assert played.public.trick == (Act(Seat(0), cards("3S")), Act(Seat(1), cards("")))


def test_r15_the_kind_that_lies_there_must_be_played() -> None:
    played = Round("3S 3C 8S", "4S 4C 4D 5S 6S").play("A 3S 3C")
    assert played.refused("B 4S") == "wrong_kind pair 2 3S 3C"
    assert played.refused("B 4S 4C 4D") == "wrong_kind pair 2 3S 3C"
    assert played.refused("B 4S 5S 6S") == "wrong_kind pair 2 3S 3C"
    assert played.legal() == ["4C 4D", "4S 4C", "4S 4D", "pass"]


def test_r17_the_last_to_play_leads_and_all_are_in_again() -> None:
    played = Round("3S 9S", "4S 8S", "5S 7S").play("A 3S", "B 4S", "C pass", "A pass")
    assert (played.turn, played.public.leader) == ("lead B", 1)
    assert played.play("B 8S").turn == "after_out C"


def test_r17_two_players_answer_each_other() -> None:
    played = Round("3S 9S 3D", "4S 8S KD").play("A 3S", "B 4S", "A 9S", "B pass")
    assert played.turn == "lead A"


def test_r18_turns_pass_over_who_is_out() -> None:
    played = Round("KH", "AS 3S", "4S 2H", "5S 6S").play("A KH", "B AS", "C pass", "D pass")
    assert (played.turn, played.places) == ("lead B", "A")
    assert played.play("B 3S").places == "AB"
    assert played.turn == "after_out C"


def test_r19_r20_earlier_passes_stay_when_last_cards_are_beaten() -> None:
    played = Round("5S KH", "6S AS 3S", "2H 3H", "9S 4H").play("A 5S", "B 6S", "C pass", "D 9S", "A KH")
    assert played.turn == "after_out B"
    assert played.play("B AS").turn == "follow D"
    assert played.play("D pass").turn == "lead B"


def test_r19_who_beats_last_cards_leads_at_once_where_all_others_have_passed() -> None:
    played = Round("5S KH", "6S AS 3S", "2H 3H", "9S 4H").play("A 5S", "B 6S", "C pass", "D pass", "A KH", "B AS")
    assert played.turn == "lead B"


def test_r20_a_pass_and_then_a_lead() -> None:
    played = Round("KH", "AS 3S", "4S 2H").play("A KH", "B pass")
    assert played.refused("B pass") == "must_lead"
    assert played.legal() == ["3S", "AS"]


def test_r21_two_players_end_with_the_first_one_out() -> None:
    played = Round("3S", "4S 2H").play("A 3S")
    assert (played.turn, played.places, played.end) == ("over", "AB", "out A 1 0 B")
    assert played.public.shown == (cards(""), cards("4S 2H"))
    assert played.legal("B") == []


def test_r24_how_a_match_ends() -> None:
    plain, target = TienLen(), TienLen(TienLenOptions(target_score=3))
    assert plain.endless()
    assert not plain.ended(50, (30, 20), (30, 20))
    assert not target.endless()
    assert not target.ended(9, (2, 2), (2, 2))
    assert target.ended(9, (3, 2), (3, 2))
    short = plain.stopped(4)
    assert not short.endless()
    assert not short.ended(3, (3, 0), (3, 0))
    assert short.ended(4, (2, 2), (2, 2))
    assert short.leaders((2, 2, 0)) == (0, 1)


def test_r25_a_win_with_the_three_of_spades_is_told() -> None:
    played = Round("9S 3S", "4S 2H", "5S 6S").play("A 9S", "B pass", "C pass", "A 3S")
    assert played.public.three
    alone = Round("9S 3S", "4S 2H").play("A 9S", "B pass", "A 3S")
    assert (alone.public.three, alone.end) == (True, "out A 1 0 B")


@pytest.mark.parametrize(
    ("hands", "lines"),
    [
        (("9S 3C", "4S 2H"), ("A 9S", "B pass", "A 3C")),
        (("9S 3S 3C", "4S 2H"), ("A 9S", "B pass", "A 3S 3C")),
        (("9S", "3S", "4S 2H"), ("A 9S", "B pass", "B 3S")),  # second
    ],
)
def test_r25_nothing_else_is_that_feat(hands: tuple[str, ...], lines: tuple[str, ...]) -> None:
    assert not Round(*hands).play(*lines).public.three


def test_r31_what_is_chopped_is_kept() -> None:
    played = Round("2S 2D 3H", "4S 4C 5S 5C 6S 6C 7S 7C 3C", "9S KD").play("A 2S 2D", "B 4S 4C 5S 5C 6S 6C 7S 7C")
    assert played.public.chops == (Chop(Seat(1), Seat(0), cards("2S 2D")),)
    higher = Round("2S 3H", "2D 3C").play("A 2S", "B 2D")
    assert higher.public.chops == ()


def test_r48_what_is_played_when_the_time_is_up() -> None:
    played = Round("5S 3D 3H", "4S 9S")
    assert played.game.format(played.game.default(played.game.view(played.state, Seat(0)))) == "play 3D"
    played.play("A 3D")
    assert played.game.format(played.game.default(played.game.view(played.state, Seat(1)))) == "pass"


def test_nothing_is_hidden_but_the_hands() -> None:
    game = TienLen()
    assert game.secrecy(game.parse("play 3S")) is game.secrecy(game.parse("pass")) is Secrecy.PUBLIC
    assert not game.mid_turn(game.view(Round("3S", "4S").state, Seat(0)))
