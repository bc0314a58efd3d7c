"""The worked examples of docs/rules/onecard.md, one test each, by their numbers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from p2pcards.cards import ACE_LOW, Card, deck
from p2pcards.errors import InvalidOption
from p2pcards.games.base import Dealt, Seat
from p2pcards.games.match import Match
from p2pcards.games.onecard import OneCard, OneCardOptions
from tests.games.onecard.builder import Round


def order_of(*texts: str, decks: int = 2) -> list[Card]:
    """All cards in an order that begins like this."""
    faces = [card for text in texts for card in ACE_LOW.parse_all(text)]
    order, left = list[Card](), list(deck(decks))
    for wanted in faces:
        card = next(card for card in left if card % 52 == wanted)
        left.remove(card)
        order.append(card)
    return order + left


def dealt(order: Sequence[Card], seats: int = 4) -> Dealt:
    return OneCard(OneCardOptions(cards=2)).dealt(order, seats, Seat(0))


HANDS = "5C 6C 7C 8C 9C TC JC QC"
"""Two cards for each of four."""


def test_example_01_two_is_the_lowest_order_card_and_the_ace_the_highest() -> None:
    given = dealt(order_of(HANDS, "9S 2D AH KC 8H"))
    assert OneCard().opener(given, Seat(0), True) == 1
    assert [ACE_LOW.format(card) for card in given.shown] == ["9S", "2D", "AH", "KC", "8H"]


def test_example_02_who_ties_draws_again() -> None:
    given = dealt(order_of(HANDS, "4S 9D 4D KC JH 6C 8H"))
    assert OneCard().opener(given, Seat(0), True) == 2
    assert " ".join(map(ACE_LOW.format, given.shown)) == "4S 9D 4D KC JH 6C 8H"
    assert [seat for seat, _ in given.order] == [0, 1, 2, 3, 0, 2]


def test_example_03_the_starter_card_does_not_attack() -> None:
    played = Round("2H KS QD", "4C 5C", top="2S")
    assert played.attack == "A 0"
    assert played.legal("A") == "play 2H, play KS"


def test_example_04_suit_or_rank_or_the_same_card_again() -> None:
    played = Round("8C KH 8H 9C", "4C 5C", top="8H")
    assert played.legal("A") == "play 8C, play 8H, play KH"
    assert played.refused("A play 9C") == "no_match 9C 8H"


@pytest.mark.parametrize(
    ("answer", "pending"), [("2H", "C 4"), ("3S", "C 5"), ("7S", "C 0"), ("QS", "A 2"), ("JS", "D 2")]
)
def test_example_05_what_answers_an_attack(answer: str, pending: str) -> None:
    hand = "2H 3S 7S QS JS 3H 7H QH KS"
    played = Round("2S 4D", hand, "4C 5C", "4C 5C", top="5S").play("A play 2S")
    assert played.legal("B") == "play 2H, play 3S, play 7S, play JS, play QS, draw"
    assert played.refused("B play 3H") == "no_match 3H 2S"
    assert played.refused("B play 7H") == "no_match 7H 2S"
    assert played.refused("B play QH") == "no_match QH 2S"
    assert played.refused("B play KS") == "under_attack KS 2S 2"
    assert played.play(f"B play {answer}").attack == pending


def test_example_05_or_two_cards_are_drawn() -> None:
    played = Round("2S 4D", "2H 3S", "4C 5C", top="5S").play("A play 2S")
    assert played.draws("B", 2).attack == "C 0"


def test_example_06_attacks_add_up() -> None:
    played = Round("2S 4D", "2H 4D", "3H 4D", "KS 4D", top="5S").play("A play 2S", "B play 2H", "C play 3H")
    assert played.attack == "D 7"
    assert played.legal("D") == "draw"
    assert played.draws("D", 7).attack == "A 0"


def test_example_07_a_seven_ends_it() -> None:
    played = Round("2H 4D", "3H 4D", "7H 4D", "KH 7S 7H AS", top="5H").play("A play 2H", "B play 3H", "C play 7H")
    assert played.attack == "D 0"
    assert played.legal("D") == "play 7H, play 7S, play KH"


def test_example_08_a_queen_sends_it_back() -> None:
    hand = "3D 2D 3D 7D JD QD QH 2H KD"
    played = Round(hand, "QD 4C", "4C 5C", "4C 5C", top="5D").play("A play 3D", "B play QD")
    assert (played.attack, played.public.direction) == ("A 3", -1)
    assert played.legal("A") == "play 2D, play 3D, play 7D, play JD, play QD, draw"
    assert played.refused("A play QH") == "redirect_by_suit QH QD"
    assert played.refused("A play 2H") == "no_match 2H QD"


def test_examples_09_10_a_jack_passes_it_over_and_a_queen_back_to_who_was_skipped() -> None:
    played = Round("3D 4C", "JD 4C", "4C 5C", "QD 4C", top="5D").play("A play 3D", "B play JD")
    assert (played.attack, played.public.skipped) == ("D 3", 2)
    assert played.play("D play QD").attack == "C 3"


def test_example_11_among_three_a_jack_brings_it_back_to_who_began() -> None:
    played = Round("2C 4D", "JC 4D", "4D 5D", top="5C").play("A play 2C", "B play JC")
    assert (played.attack, played.public.skipped) == ("A 2", 2)


def test_example_12_between_two() -> None:
    for answer, attack in (("QC", "A 2"), ("JC", "B 2")):
        played = Round("2C 4D 5D", "QC JC 7C", top="5C").play("A play 2C", f"B play {answer}")
        assert played.attack == attack
    assert played.legal("B") == "play 7C, play QC, draw"


def test_example_13_the_last_card_hits_nobody() -> None:
    played = Round("3H", "4C 5C 6C", top="5H").play("A play 3H")
    assert (played.result, played.outcome.points) == ("out A, next A", (0, -3))
    assert played.public.pending == 0


def test_example_14_the_stock_runs_out_in_the_middle_of_a_draw() -> None:
    played = Round("3H 4C", "5C 5D", "6C 6D", top="5H", under="8H 9S KD", stock="AC").play("A play 3H", "B draw")
    assert (played.to_act, played.hand("B")) == ("dealer", "AC 5C 5D")
    assert played.public.drawing is not None
    assert (played.public.drawing.taken, played.public.drawing.left) == (1, 2)
    played.play("dealer shuffle KD 5H 8H 9S")
    assert (played.hand("B"), played.stock(), played.discards()) == ("AC 5C 5D 5H KD", "8H 9S", "3H")
    assert played.attack == "C 0"


def test_example_15_nothing_to_draw_and_a_blocked_round() -> None:
    played = Round("4C 5C", "4D 5D", "KC", top="8H", stock="")
    for name in "AB":
        assert played.legal(name) == "draw"
        played.draws(name, 0)
    assert played.to_act == "C"
    assert played.play("C draw").result == "blocked nobody, next C"
    assert played.outcome.points == (-2, -2, -1)


def test_example_16_a_drawn_attack_is_over() -> None:
    played = Round("2S 4D", "4H 5H", "KS 2D AH 3C", "4C 5C", top="5S").play("A play 2S").draws("B", 2)
    assert (played.attack, played.discards()) == ("C 0", "5S 2S")
    assert played.legal("C") == "play 2D, play KS"
    assert played.play("C play 2D").attack == "D 2"


def test_example_17_who_can_play_must() -> None:
    assert Round("KH 3C", "4C", top="8H").refused("A draw") == "must_play KH"
    assert Round("KH 3C", "4C", top="8H", must_play=False).legal("A") == "play KH, draw"


def test_example_18_a_drawn_card_waits_for_the_next_turn() -> None:
    played = Round("3C", "4D 5D", top="8H", stock="QH 6C").play("A draw")
    assert (played.to_act, played.hand("A")) == ("B", "3C QH")
    assert played.refused("A play QH") == "not_your_turn"
    assert played.play("B draw").legal("A") == "play QH"


def test_example_19_a_jack_skips_once() -> None:
    played = Round("JH 4C", "5H 5C", "KH 4S", "AH AD", top="8H").play("A play JH")
    assert (played.to_act, played.public.skipped) == ("C", 1)
    played.play("C play KH")
    assert (played.to_act, played.public.skipped) == ("D", None)


def test_example_20_the_highest_total_wins_the_match() -> None:
    for last, winners in (("KH", (3,)), ("KH KC KD KS", (1, 2, 3))):
        first = Round("8H", "4C 4C 4D 4D", "5C 5C 5D 5D 6C 6C 6D 6D", "4C 4C 4D 4D", top="9H", rounds=2)
        match = Match.start(first.game, 4).settle(first.play("A play 8H").outcome)
        assert (match.points, match.winners) == ((0, -4, -8, -4), ())
        nine = "4C 4C 4D 4D 5C 5C 5D 5D 6C"
        second = Round(nine, "4C 4C 4D 4D", "8H", last, top="9H", starter="C", rounds=2)
        match = match.settle(second.play("C play 8H").outcome)
        assert match.scores[:3] == (-9, -8, -8)
        assert match.winners == winners


def test_example_21_the_winner_starts_the_next_round_in_the_usual_direction() -> None:
    played = Round("QH 8H", "4C 4D", "5C", top="9H", rounds=2)
    played.play("A play QH", "C draw", "B draw", "A play 8H")
    assert (played.result, played.public.direction) == ("out A, next A", -1)
    game = played.game
    match = Match.start(game, 3).settle(played.outcome)
    assert match.starter(2) == 0
    given = game.dealt(order_of(), 3, Seat(0), match.first)
    assert (given.order, len(given.shown)) == ((), 1)
    assert game.deal(order_of(), 3, Seat(0), match.first).public.direction == 1


def test_example_22_a_table_that_needs_more_cards_than_there_are() -> None:
    game = OneCard(OneCardOptions(decks=1))
    game.check_seats(7)
    with pytest.raises(InvalidOption) as refused:
        game.check_seats(8)
    assert str(refused.value) == (
        "8 players with 5 cards each need 57 cards: 8×5 for the hands, 2×8 order cards and a starter card; "
        "decks = 1 gives 52"
    )
