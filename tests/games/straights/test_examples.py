"""The examples of docs/rules/straights.md, by their numbers (16, how cards are written, is in test_actions)."""

from __future__ import annotations

from p2pcards.bots.registry import bot
from p2pcards.cards import DECK, rank
from p2pcards.games.straights import Straights
from tests.games.straights.builder import Round, settled
from tests.games.walk import walk
from tests.testing.dice import dice

SPADES_5_TO_9 = ("A play 7S", "B play 8S", "C play 6S", "D play 5S", "A play 9S")


def test_example_01_only_the_start_card_opens() -> None:
    played = Round("7S 7H 8S")
    assert played.legal("A") == ["play 7S"]
    assert played.refused("A play 7H") == "start_card 7S"
    assert played.refused("A discard 8S") == "start_card 7S"
    assert played.refused("A pass") == "nobody_passes"


def test_example_02_next_to_the_seven_or_a_seven() -> None:
    played = Round("7S KS", "6S 8D 7C 9S").play("A play 7S")
    assert played.legal("B") == ["play 6S", "play 7C"]
    assert played.refused("B play 8D") == "suit_not_open 8D 7D"
    assert played.refused("B play 9S") == "does_not_fit 9S 6S 8S"


def test_example_03_what_fits_after_seven_and_eight() -> None:
    played = Round("7S KS", "8S", "6S 9S 7C 7D 7H 5S TS").play("A play 7S", "B play 8S")
    assert played.legal("C") == ["play 6S", "play 7C", "play 7D", "play 7H", "play 9S"]


def test_example_04_both_ends_of_a_row() -> None:
    played = Round("7S 9S", "8S 4S TS 3S JS", "6S", "5S").play(*SPADES_5_TO_9)
    assert played.piles() == "5S-9S"
    assert played.legal("B") == ["play 4S", "play TS"]
    assert played.refused("B play 3S") == "does_not_fit 3S 4S TS"
    assert played.refused("B play JS") == "does_not_fit JS 4S TS"


def test_example_05_nothing_follows_the_king() -> None:
    played = Round("7S JS 6S 2S", "8S QS 5S AS", "9S KS 4S", "TS 2C 3S")
    played.play(
        "A play 7S", "B play 8S", "C play 9S", "D play TS", "A play JS", "B play QS", "C play KS", "D discard 2C"
    )
    assert played.piles() == "7S-KS"
    played.play("A play 6S")
    assert played.legal("B") == ["play 5S"]
    assert played.refused("B play AS") == "does_not_fit AS 5S"
    played.play("B play 5S", "C play 4S", "D play 3S")
    assert played.legal("A") == ["play 2S"]
    assert played.play("A play 2S").legal("B") == ["play AS"]
    played.play("B play AS")
    assert (played.piles(), played.outcome.points) == ("AS-KS", (0, 0, 0, 2))


def test_example_06_no_discard_with_a_play_in_hand() -> None:
    played = Round("7S KS", "7H 2C").play("A play 7S")
    assert played.legal("B") == ["play 7H"]
    assert played.refused("B discard 2C") == "must_play 7H"


def test_example_07_any_card_may_be_put_aside() -> None:
    for first, points in (("2C", 2), ("KD", 13)):
        played = Round("7S", "2C KD 7C", "KC 8S", "KH 9S").play("A play 7S", "B play 7C")
        played.play("C play 8S", "D play 9S")
        assert played.legal("B") == ["discard 2C", "discard KD"]
        played.play(f"B discard {first}")
        assert sum(rank(card) + 1 for card in played.view("B").discards) == points


def test_example_08_points_of_what_was_put_aside() -> None:
    played = Round("7S 6S 8S", "AC 6D KC", "KD", "KH")
    played.play("A play 7S", "B discard AC", "C discard KD", "D discard KH", "A play 6S", "B discard 6D", "A play 8S")
    played.play("B discard KC")
    assert played.outcome.points == (0, 20, 13, 13)


def test_example_09_eighty_ends_the_match() -> None:
    assert not settled((79, 60, 42, 55)).over
    match = settled((79, 60, 42, 55), (1, 0, 0, 0))
    assert (match.over, match.winners, match.scores) == (True, (2,), (80, 60, 42, 55))


def test_example_10_the_lowest_win_however_high() -> None:
    assert settled((85, 81, 81, 90)).winners == (1, 2)


def test_example_11_joint_winners() -> None:
    assert settled((30, 30, 80, 44)).winners == (0, 1)


def test_example_12_totals_count_after_the_round() -> None:
    match = settled((75, 0, 0, 0))
    assert not match.over
    played = Round("7S TC 8S", "6S QC 9S", "KD 5S", "KH 4S")
    played.play(
        "A play 7S", "B play 6S", "C play 5S", "D play 4S", "A play 8S", "B play 9S", "C discard KD", "D discard KH"
    )
    assert played.play("A discard TC").to_act == "B"
    match = match.settle(played.play("B discard QC").outcome)
    assert (match.over, match.scores) == (True, (85, 12, 13, 13))


def test_example_13_turns_go_around_from_the_start_card() -> None:
    played = Round("8S KC", "9S KD", "7S KH", "6S KS")
    order = ""
    for line in ("C play 7S", "D play 6S", "A play 8S", "B play 9S", "C discard KH"):
        order += played.to_act
        played.play(line)
    assert (order, played.public.starter) == ("CDABC", 2)


def test_example_14_a_bot_that_takes_over_keeps_what_was_put_aside() -> None:
    played = Round("7S 8S 9S TS", "2C 3C JH QH", "KC 2D", "KD 2H")
    played.play("A play 7S", "B discard 2C", "C discard KC", "D discard KD", "A play 8S", "B discard 3C")
    played.play("C discard 2D", "D discard 2H", "A play 9S")
    view = played.view("B")
    action = bot("straights", "medium").choose(played.game, view, dice(1))
    played.play(f"B {played.game.format(action)}")
    assert played.view("B").discards[:2] == view.discards
    assert len(played.view("B").discards) == 3


def test_example_15_the_others_see_no_card_put_aside() -> None:
    one, other = Round("7S", d="2C KH"), Round("7S", d="2C KH")
    for played, line in ((one, "D discard 2C"), (other, "D discard KH")):
        played.play("A play 7S", "B discard KC", "C discard KD", line)
    for name in ("A", "B", "C", ""):
        assert one.view(name) == other.view(name)
    assert one.public.aside == (0, 1, 1, 1)
    assert one.view("D") != other.view("D")
    one.play("D discard KH")
    assert [[one.game.ranking.format(card) for card in cards] for cards in one.public.discards] == [
        [],
        ["KC"],
        ["KD"],
        ["2C", "KH"],
    ]


def test_example_17_the_last_cards_leave_no_choice() -> None:
    for seed in range(10):
        moments = walk(Straights(), dice(seed)).moments
        assert len(moments) == DECK + 1
        for moment in moments[48:52]:
            view = Straights().view(moment.state, moment.seat)
            assert len(list(Straights().legal_actions(view))) == 1


def test_example_18_a_seven_is_never_stuck() -> None:
    played = Round("7S KS", "7C QC", "7D QD", "7H QH").play("A play 7S")
    for name, seven in (("B", "7C"), ("C", "7D"), ("D", "7H")):
        assert played.legal(name) == [f"play {seven}"]
        played.play(f"{name} play {seven}")


def test_example_19_a_threshold_of_one() -> None:
    assert settled((0, 0, 1, 0), threshold=1).winners == (0, 1, 3)
    assert not settled((0, 0, 0, 0), threshold=1).over


def test_example_20_a_playoff() -> None:
    tied = (50, 40, 40, 80)
    assert settled(tied).winners == (1, 2)
    assert not settled(tied, tie_rule="playoff").over
    match = settled(tied, (0, 4, 12, 0), tie_rule="playoff")
    assert (match.winners, match.scores) == ((1,), (50, 44, 52, 80))


def test_example_21_the_first_empty_hand_ends_sevens_pass() -> None:
    played = Round("7S", "KD 2C", "AS", "9H", mode="sevens_pass").play("A play 7S")
    assert (played.to_act, played.winners, played.outcome.points) == ("", "A", (0, 15, 1, 9))
