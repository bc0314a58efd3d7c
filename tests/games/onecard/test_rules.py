"""The rules of docs/rules/onecard.md, by their numbers; R27 to R29, R41 and R42 are in test_score.py."""

from __future__ import annotations

from typing import Any

import pytest

from p2pcards.cards import ACE_LOW, Card, deck, face, rank
from p2pcards.errors import InvalidOption
from p2pcards.games.base import Seat, Where
from p2pcards.games.match import Match
from p2pcards.games.onecard import OneCard, OneCardOptions
from p2pcards.games.onecard.state import Phase, Why
from tests.games.onecard.builder import Round, cards, twice
from tests.games.onecard.test_examples import HANDS, order_of


def refused(seats: int, **options: Any) -> str:
    with pytest.raises(InvalidOption) as caught:
        OneCard(OneCardOptions(**options)).check_seats(seats)
    return str(caught.value)


def test_r01_two_to_eight_play_with_two_packs() -> None:
    game = OneCard()
    assert (list(game.seats), game.usual_seats, game.decks()) == ([2, 3, 4, 5, 6, 7, 8], 4, 2)
    assert refused(1) == "One Card is for 2 to 8 players, not 1"
    assert refused(9) == "One Card is for 2 to 8 players, not 9"


def test_r02_equal_cards_of_several_packs_are_one() -> None:
    played = Round("8H 8H 8H 4C", "5C", top="9H", decks=3)
    assert played.legal("A") == "play 8H"
    played.play("A play 8H", "B draw")
    assert (played.hand("A"), played.legal("A"), played.discards()) == ("4C 8H 8H", "play 8H", "9H 8H")
    dealt = OneCard(OneCardOptions(decks=3)).dealt(order_of("8H 4C 8H 5C", decks=3), 2, Seat(0), False)
    assert dealt.hands[0] & cards("8H 8H") == cards("8H 8H")


def test_r02_hands_and_piles_are_the_same_whichever_copies_are_dealt() -> None:
    """From the copy of a card nobody could tell where its twin lies."""
    game, order = OneCard(), list(deck(2))
    swapped = [Card((card + 52) % 104) for card in order]
    assert game.deal(order, 3, Seat(1)) == game.deal(swapped, 3, Seat(1))
    assert twice("8H 4C") == cards("8H 8H 4C 4C")


def test_r03_there_must_be_cards_enough() -> None:
    OneCard(OneCardOptions(decks=4, cards=15)).check_seats(8)
    OneCard(OneCardOptions(decks=2, cards=10)).check_seats(8)
    assert refused(8, decks=2, cards=11) == (
        "8 players with 11 cards each need 105 cards: 8×11 for the hands, 2×8 order cards and a starter card; "
        "decks = 2 gives 104"
    )


def test_r04_cards_are_dealt_from_the_starter_on() -> None:
    game = OneCard(OneCardOptions(cards=2, order_cards="never"))
    dealt = game.dealt(order_of("AC 2C 3C 4C 5C 6C", "8H 9H"), 3, Seat(1))
    assert dealt.hands == (cards("3C 6C"), cards("AC 4C"), cards("2C 5C"))
    assert [ACE_LOW.format(card) for card in (*dealt.shown, dealt.stock[0])] == ["8H", "9H"]
    assert len(dealt.stock) == 104 - 7


def test_r05_the_lowest_order_card_starts() -> None:
    game = OneCard(OneCardOptions(cards=2))
    for drawn, opener in (("AC AD KS AH", 2), ("3C 2S 4C 2D KC 9C", 3), ("KC QC JC TC", 3)):
        assert game.opener(game.dealt(order_of(HANDS, drawn), 4, Seat(0)), Seat(0), True) == opener
    places = game.layout(4, Seat(2), True)
    assert [place.seat for place in places if place.where is Where.FACE_UP] == [0, 1, 2, 3]


def test_r06_ties_are_drawn_again_as_long_as_there_are_cards() -> None:
    game = OneCard(OneCardOptions(cards=2))
    dealt = game.dealt(order_of(HANDS, "4S 4D 4H 9C", "9S 5D 5H", "6C 6S", "8D 7D", "8H"), 4, Seat(3))
    assert [seat for seat, _ in dealt.order] == [0, 1, 2, 3, 0, 1, 2, 1, 2, 1, 2]
    assert game.opener(dealt, Seat(3), True) == 2
    assert ACE_LOW.format(dealt.shown[-1]) == "8H"


def test_r06_without_cards_enough_the_first_by_seat_starts() -> None:
    """Seven hands of five leave 17 cards, seven order cards 10. Seven and one must stay: two may draw, three not."""
    game = OneCard(OneCardOptions(decks=1))
    two = game.dealt(_after_hands("2C 2D 3C 3D 3H 3S 4C", "4D 4H"), 7, Seat(0))
    assert (len(two.order), game.opener(two, Seat(0), True), len(two.stock)) == (9, 0, 7)
    three = game.dealt(_after_hands("3C 2C 2D 2H 3D 3S 4C", "4D 4H"), 7, Seat(0))
    assert (len(three.order), game.opener(three, Seat(0), True), len(three.stock)) == (7, 1, 9)


def _after_hands(*texts: str) -> list[Card]:
    """One pack of which 35 cards, none of them a 2, 3 or 4, come before these."""
    cards = [card for text in texts for card in ACE_LOW.parse_all(text)]
    hands = [card for card in deck() if rank(card) not in (1, 2, 3)][:35]
    return [*hands, *cards, *(card for card in deck() if card not in hands and card not in cards)]


def test_r07_order_cards_lie_on_the_discard_pile_and_turns_go_by_seat() -> None:
    game = OneCard(OneCardOptions(cards=2))
    state = game.deal(order_of(HANDS, "9S 2D AH KC", "8H"), 4, Seat(3))
    assert " ".join(map(ACE_LOW.format, state.public.discards)) == "9S 2D AH KC 8H"
    assert [(seat, ACE_LOW.format(card)) for seat, card in state.public.order] == [
        (0, "9S"),
        (1, "2D"),
        (2, "AH"),
        (3, "KC"),
    ]
    assert (state.public.turn, state.public.starter, state.public.direction) == (1, 1, 1)


@pytest.mark.parametrize("top", ["2H", "3H", "7H", "JH", "QH"])
def test_r08_the_starter_card_has_no_effect(top: str) -> None:
    played = Round("4H 5C", "4C", "4D", top=top)
    assert (played.attack, played.public.direction) == ("A 0", 1)
    assert played.legal("A") == "play 4H"


def test_r09_turns_go_by_seat() -> None:
    played = Round("4C", "4C", "4C", top="8H", starter="B").play("B draw", "C draw", "A draw")
    assert played.to_act == "B"


def test_r10_the_winner_starts_the_next_round_without_order_cards() -> None:
    played = Round("4C", "8H", "4D", top="9H", starter="B", rounds=3).play("B play 8H")
    game = played.game
    match = Match.start(game, 3)
    assert (match.first, match.starter(2)) == (True, 2)
    match = match.settle(played.outcome)
    assert (match.first, match.starter(2)) == (False, 1)
    dealt = game.dealt(list(deck(2)), 3, Seat(1), False)
    assert (dealt.order, len(dealt.shown), game.opener(dealt, Seat(1), False)) == ((), 1, 1)


def test_r11_one_card_of_the_suit_or_the_rank() -> None:
    played = Round("8C KH 9C", "4C", top="8H")
    assert played.legal("A") == "play 8C, play KH"
    assert played.refused("A play 9C") == "no_match 9C 8H"
    assert played.refused("A play 8S") == "not_held 8S"
    assert played.refused("B play 4C") == "not_your_turn"
    assert played.refused("A pass") == "no_passing"
    assert played.refused("A play 8C one") == "no_calling"
    assert played.play("A play 8C").to_act == "B"


def test_r12_drawing_takes_one_card_and_ends_the_turn() -> None:
    played = Round("4C", "4C", top="8H", stock="8D 9D").draws("A", 1)
    assert (played.to_act, played.hand("A"), played.stock()) == ("B", "4C 8D", "9D")


def test_r13_who_can_play_must_but_not_under_attack() -> None:
    assert Round("8C KH 3C", "4C", top="8H").refused("A draw") == "must_play 8C KH"
    played = Round("2H 4C", "2C 7H", top="8H").play("A play 2H")
    assert played.legal("B") == "play 2C, play 7H, draw"
    played.draws("B", 2)


@pytest.mark.parametrize(
    ("card", "attack", "direction"),
    [
        *((f"{rank}H", "B 0", 1) for rank in "A456789TK"),
        ("2H", "B 2", 1),
        ("3H", "B 3", 1),
        ("JH", "C 0", 1),
        ("QH", "D 0", -1),
    ],
)
def test_r14_what_cards_do(card: str, attack: str, direction: int) -> None:
    played = Round(f"{card} 4C", "4C", "4C", "4C", top="6H").play(f"A play {card}")
    assert (played.attack, played.public.direction) == (attack, direction)


def test_r14_a_turned_direction_lasts_until_the_next_queen() -> None:
    played = Round("QH 4C", "4D", "QC 4C", "4D", top="6H").play("A play QH", "D draw")
    assert played.to_act == "C"
    assert (played.public.discards[-1], played.public.direction) == (cards("QH").bit_length() - 1, -1)
    played.play("C play QC")
    assert (played.to_act, played.public.direction) == ("D", 1)


def test_r15_drawing_the_attack_ends_it_and_the_turn() -> None:
    played = Round("3H 4C", "3C 4C", "4D KH", top="6H", draw_then_play=True).play("A play 3H").draws("B", 3)
    assert played.attack == "C 0"
    assert played.legal("C") == "play KH"


@pytest.mark.parametrize(
    ("card", "attack"), [("2H", "C 5"), ("3S", "C 6"), ("7H", "C 0"), ("JH", "D 3"), ("QH", "A 3")]
)
def test_r16_answers(card: str, attack: str) -> None:
    played = Round("3H 4C", f"{card} 4C", "4C", "4C", top="6H").play("A play 3H", f"B play {card}")
    assert played.attack == attack


def test_r16_nothing_else_answers() -> None:
    played = Round("3H 4C", "2C 7C AH KH 9H", top="6H").play("A play 3H")
    assert played.legal("B") == "draw"
    assert played.refused("B play AH") == "under_attack AH 3H 3"
    assert played.refused("B play 2C") == "no_match 2C 3H"
    assert played.refused("B play 7C") == "no_match 7C 3H"


def test_r17_queens_and_jacks_answer_by_suit_alone() -> None:
    played = Round("2H QC JC QH 4C", "QH 4C", "4C", top="6H").play("A play 2H", "B play QH")
    assert played.legal("A") == "play QH, draw"
    assert played.refused("A play QC") == "redirect_by_suit QC QH"
    assert played.refused("A play JC") == "no_match JC QH"
    two = Round("2H 4C", "2S 3C QC QS", top="6H").play("A play 2H")
    assert two.legal("B") == "play 2S, draw"


def test_r18_the_attack_falls_on_the_neighbour() -> None:
    played = Round("3H 4C", "JH 4C", "4C", "QH 4C", top="6H").play("A play 3H", "B play JH", "D play QH")
    assert (played.attack, played.public.direction) == ("C 3", -1)


def test_r19_between_two_a_jack_gives_another_turn_and_a_queen_none() -> None:
    assert Round("JH 4C", "4D", top="6H").play("A play JH").to_act == "A"
    played = Round("QH 4C", "4D", top="6H").play("A play QH")
    assert (played.to_act, played.public.direction) == ("B", -1)


def test_r20_between_two_a_jack_keeps_the_attack() -> None:
    played = Round("2H 4C 4D", "JH 3H QH", top="6H").play("A play 2H", "B play JH")
    assert (played.attack, played.public.skipped) == ("B 2", 0)
    assert played.play("B play QH").attack == "A 2"


def test_r21_discards_become_the_stock_when_a_card_is_needed() -> None:
    played = Round("4C", "4C 5S", top="8H", under="KC KD", stock="5C 9S").draws("A", 1).play("B draw")
    assert (played.to_act, played.public.stock, played.discards()) == ("A", 0, "KC KD 8H")
    played.play("A draw")
    assert (played.to_act, played.public.phase) == ("dealer", Phase.SHUFFLE)
    assert played.legal("A") == ""
    assert played.refused("A draw") == "shuffle_first"
    assert played.refused("B draw") == "shuffle_first"
    assert played.refused("dealer shuffle KC KD 8H") == "wrong_shuffle  8H"
    assert played.refused("dealer shuffle KC") == "wrong_shuffle KD"
    assert played.refused("dealer shuffle KC KC") == "wrong_shuffle KD KC"
    assert played.refused("A shuffle KC KD") == "not_your_turn"
    played.play("dealer shuffle KD KC")
    assert (played.to_act, played.hand("A"), played.stock(), played.discards()) == ("B", "4C 5C KD", "KC", "8H")
    assert played.refused("dealer shuffle KC") == "no_shuffle"


def test_r22_with_nothing_to_shuffle_one_draws_what_there_is() -> None:
    played = Round("3H 4C", "5C", top="6H", stock="KC").play("A play 3H", "B draw", "dealer shuffle 6H")
    assert (played.attack, played.hand("B"), played.discards()) == ("A 0", "5C 6H KC", "3H")
    assert played.public.idle == 0
    played = Round("4C", "5C", top="6H", stock="").draws("A", 0)
    assert (played.to_act, played.public.idle) == ("B", 1)


def test_r23_as_many_idle_turns_as_players_block_the_round() -> None:
    played = Round("4C 8S", "5C 6S", top="6H", stock="", must_play=False).play("A draw")
    assert played.public.idle == 1
    assert played.play("B play 6S").public.idle == 0
    played = Round("4C", "5C 6S", top="6H", stock="", must_play=False).play("A draw", "B draw")
    assert played.result == "blocked nobody, next A"


def test_r23_an_attack_that_finds_nothing_to_draw_is_an_idle_turn_too() -> None:
    """The last card before the attack is taken for the stock, so the attack is drawn in part; then nothing is left."""
    played = Round("2H 4S", "5C", "6C", top="6H", stock="").play("A play 2H", "B draw", "dealer shuffle 6H", "C draw")
    assert (played.attack, played.public.idle, played.hand("B")) == ("A 0", 1, "5C 6H")
    assert played.play("A draw", "B play 6H").public.idle == 0


def test_r24_a_round_of_too_many_actions_is_blocked() -> None:
    played = Round("4C", "4C 4D", "4D 5D", top="8H", turn_limit=4).play("A draw", "B draw", "C draw")
    assert played.public.actions == 3
    assert played.play("A draw").result == "blocked nobody, next B"
    assert played.outcome.points == (-3, -3, -3)


def test_r24_a_shuffle_is_no_action_and_the_draw_is_finished() -> None:
    played = Round("4C", "4C 4D", top="8H", under="9S", stock="", turn_limit=1).play("A draw")
    assert played.to_act == "dealer"
    assert played.play("dealer shuffle 9S").result == "blocked nobody, next B"
    assert played.hand("A") == "4C 9S"


def test_r24_the_limit_ends_a_turn_in_its_middle() -> None:
    played = Round("4C", "4C 4D", "4D", top="8H", turn_limit=1, draw_then_play=True).play("A draw")
    assert (played.result, played.public.turn) == ("blocked nobody, next C", 1)


@pytest.mark.parametrize("card", ["8H", "2H", "3H", "7H", "JH", "QH"])
def test_r25_the_first_empty_hand_ends_the_round(card: str) -> None:
    played = Round(card, "4C 5C", "4C", top="6H").play(f"A play {card}")
    assert (played.result, played.outcome.points) == ("out A, next A", (0, -2, -1))
    assert (played.to_act, played.public.pending, played.legal("B")) == ("", 0, "")
    assert played.public.left == (0, cards("4C 5C"), cards("4C"))
    assert played.refused("B draw") == "over"
    assert played.refused("dealer shuffle 6H") == "over"


def test_r26_after_a_blocked_round_the_fewest_cards_start() -> None:
    played = Round("4C 5C", "4D", "KC", "KC 4D", top="8H", stock="", starter="C")
    assert played.play("C draw", "D draw", "A draw", "B draw").result == "blocked nobody, next C"
    played = Round("4C", "4D", "KC", "KC 4D", top="QH", stock="", starter="D", starter_effect=True)
    assert played.play("D draw", "C draw", "B draw", "A draw").result == "blocked nobody, next C"


def test_r30_drawing_is_free() -> None:
    played = Round("8C 4C", "4C", top="8H", must_play=False)
    assert played.legal("A") == "play 8C, draw"
    played.draws("A", 1)


def test_r31_the_drawn_card_may_be_played() -> None:
    played = Round("4C KC", "4C", top="8H", stock="8C 9C", draw_then_play=True)
    assert played.refused("A pass") == "draw_first"
    played.draws("A", 1)
    assert (played.to_act, played.legal("A"), played.public.phase) == ("A", "play 8C, pass", Phase.DRAWN)
    assert played.refused("A draw") == "already_drawn"
    assert played.refused("A play 4C") == "only_drawn 4C 8C"
    assert played.game.view(played.state, Seat(0)).drawn == cards("8C").bit_length() - 1
    assert played.game.view(played.state, Seat(1)).drawn is None
    assert played.game.mid_turn(played.game.view(played.state, Seat(0)))
    assert played.play("A play 8C").to_act == "B"


def test_r31_a_drawn_card_that_does_not_fit_is_passed() -> None:
    played = Round("4C KC", "4C", top="8H", stock="9C 9D", draw_then_play=True).draws("A", 1)
    assert (played.to_act, played.legal("A")) == ("A", "pass")
    assert played.refused("A play 9C") == "no_match 9C 8H"
    played.play("A pass")
    assert (played.to_act, played.public.idle, played.state.drawn) == ("B", 0, None)


def test_r31_with_nothing_drawn_the_turn_ends() -> None:
    played = Round("4C", "4C", top="8H", stock="", draw_then_play=True).draws("A", 0)
    assert (played.to_act, played.public.idle) == ("B", 1)


def test_r31_of_two_equal_cards_the_drawn_one_is_played() -> None:
    played = Round("4C 8C", "4C", top="8H", stock="8C", draw_then_play=True, must_play=False).draws("A", 1)
    assert played.play("A play 8C").hand("A") == "4C 8C"


def test_r32_draws_go_on_until_a_card_fits() -> None:
    played = Round("4C", "4C", top="8H", stock="9C TC 5H 6H", draw_until_playable=True).draws("A", 3)
    assert (played.to_act, played.legal("A"), played.stock()) == ("A", "play 5H, pass", "6H")
    assert played.play("A pass").to_act == "B"


def test_r32_over_a_shuffle_and_until_nothing_is_left() -> None:
    played = Round("4C", "4C", top="8H", under="KC 9S TS", stock="9C TC", draw_until_playable=True).play("A draw")
    assert played.public.drawing is not None
    assert (played.to_act, played.public.drawing.taken, played.hand("A")) == ("dealer", 2, "4C 9C TC")
    played.play("dealer shuffle TS KC 9S")
    assert (played.hand("A"), played.legal("A")) == ("4C 9C 9S TC TS KC", "pass")


def test_r32_under_attack_the_attack_is_drawn_and_no_more() -> None:
    played = Round("2H 4C", "4C", top="8H", stock="9C TC JC", draw_until_playable=True).play("A play 2H")
    played.draws("B", 2)
    assert played.to_act == "A"


def test_r33_defences_need_not_match() -> None:
    played = Round("3H 4C", "2C 3C 7C QC JC 8H", top="8H", free_defence=True)
    assert Round("2C 7C", "4C", top="8H", free_defence=True).legal("A") == "draw"
    assert played.play("A play 3H").legal("B") == "play 2C, play 3C, play 7C, draw"
    assert played.refused("B play QC") == "no_match QC 3H"


def test_r34_queens_go_on_queens_and_jacks_on_jacks() -> None:
    played = Round("3H QC JC 4C", "QH JH 4C", "JC QC", top="8H", redirect_by_rank=True)
    played.play("A play 3H", "B play QH")
    assert played.legal("A") == "play QC, draw"
    assert played.refused("A play JC") == "no_match JC QH"
    assert played.play("A play QC").attack == "B 3"


@pytest.mark.parametrize(
    ("top", "seats", "attack", "direction"),
    [
        ("2H", 3, "A 2", 1),
        ("3H", 3, "A 3", 1),
        ("7H", 3, "A 0", 1),
        ("JH", 3, "B 0", 1),
        ("JH", 2, "B 0", 1),
        ("QH", 3, "A 0", -1),
        ("QH", 2, "A 0", -1),
        ("8H", 3, "A 0", 1),
    ],
)
def test_r35_the_starter_card_takes_effect(top: str, seats: int, attack: str, direction: int) -> None:
    played = Round(*["4C 2C"] * seats, top=top, starter_effect=True)
    assert (played.attack, played.public.direction) == (attack, direction)
    assert (played.public.skipped == 0) is (top == "JH")
    assert played.public.starter == 0


def test_r35_a_starter_card_that_attacks_is_answered_or_drawn() -> None:
    played = Round("2C 4C", "4C", top="2H", starter_effect=True)
    assert played.legal("A") == "play 2C, draw"
    assert played.draws("A", 2).attack == "B 0"


def test_r36_an_attack_with_the_last_card_is_drawn() -> None:
    played = Round("3H", "4C 7H", "2C", top="8H", final_attack_counts=True).play("A play 3H")
    assert (played.result, played.outcome.points) == ("out A, next A", (0, -5, -1))
    assert played.hand("B") == "4C 4C 5C 6C 7H"
    hit = Round("2H 4C", "3H", "4D", top="8H", final_attack_counts=True).play("A play 2H", "B play 3H")
    assert hit.outcome.points == (-1, 0, -6)


def test_r36_redirected_with_the_last_card_it_counts_too_but_never_for_the_winner() -> None:
    played = Round("2H 4C", "QH", "4D", top="8H", final_attack_counts=True).play("A play 2H", "B play QH")
    assert played.outcome.points == (-3, 0, -1)
    two = Round("2H 4C", "JH", top="8H", final_attack_counts=True).play("A play 2H", "B play JH")
    assert two.outcome.points == (-1, 0)
    none = Round("2H 4C", "7H", top="8H", final_attack_counts=True).play("A play 2H", "B play 7H")
    assert none.outcome.points == (-1, 0)


def test_r36_over_a_shuffle() -> None:
    played = Round("3H", "4C", top="8H", under="9S TS", stock="KC", final_attack_counts=True).play("A play 3H")
    assert (played.to_act, played.public.reason) == ("dealer", None)
    assert played.public.drawing is not None
    assert (played.public.drawing.why, played.public.drawing.left) == (Why.FINAL, 2)
    played.play("dealer shuffle TS 8H 9S")
    assert (played.result, played.outcome.points, played.hand("B")) == ("out A, next A", (0, -4), "4C 8H TS KC")


def test_r37_order_cards_in_every_round_or_in_none() -> None:
    order = order_of("5C 6C 7C 8C", "9S 2D", "8H")
    every, never = (OneCard(OneCardOptions(cards=2, order_cards=choice)) for choice in ("every_round", "never"))
    for first in (True, False):
        dealt = every.dealt(order, 2, Seat(0), first)
        assert (len(dealt.order), every.opener(dealt, Seat(0), first)) == (2, 1)
        dealt = never.dealt(order, 2, Seat(0), first)
        assert (dealt.order, list(map(ACE_LOW.format, dealt.shown))) == ((), ["9S"])
        assert never.opener(dealt, Seat(0), first) == 0
    assert [face(card) for card in every.dealt(order, 2, Seat(0), False).shown] == list(ACE_LOW.parse_all("9S 2D 8H"))


def test_r38_a_queen_skips_between_two() -> None:
    played = Round("QH 2H 4C", "QH 4C", top="6H", two_player_queen="skip").play("A play QH")
    assert (played.attack, played.public.direction, played.public.skipped) == ("A 0", 1, 1)
    assert played.play("A play 2H", "B play QH").attack == "A 2"
    three = Round("QH 4C", "4C", "4D", top="6H", two_player_queen="skip").play("A play QH")
    assert (three.to_act, three.public.direction) == ("C", -1)
    starter = Round("QH 4C", "4C", top="QS", two_player_queen="skip", starter_effect=True)
    assert (starter.to_act, starter.public.direction) == ("B", 1)


def test_r39_one_card_is_called() -> None:
    played = Round("8C 4C", "4C 5C", top="8H", call_one_card="self", call_penalty=2)
    assert played.legal("A") == "play 8C one, play 8C"
    called = Round("8C 4C", "4C 5C", top="8H", call_one_card="self").play("A play 8C one")
    assert (called.to_act, called.hand("A")) == ("B", "4C")
    played.play("A play 8C")
    assert (played.to_act, played.hand("A"), played.public.actions) == ("B", "4C 4C 5C", 1)


def test_r39_only_when_it_is_one_card() -> None:
    for hand, left in (("8C 4C 5C", "2"), ("8C", "0")):
        played = Round(hand, "4C 5C", top="8H", call_one_card="self")
        assert played.legal("A") == "play 8C"
        assert played.refused("A play 8C one") == f"not_one_card {left}"
        assert len(played.play("A play 8C").hand("A")) < len(hand)


def test_r39_the_card_still_acts_and_the_penalty_may_need_a_shuffle() -> None:
    hands = ("JH 4C", "4C", "5C", "6C")
    played = Round(*hands, top="8H", under="9S", stock="KC", call_one_card="self", call_penalty=3).play("A play JH")
    assert (played.to_act, played.hand("A"), played.public.turn) == ("dealer", "4C KC", 2)
    played.play("dealer shuffle 8H 9S")
    assert (played.to_act, played.hand("A"), played.public.skipped) == ("C", "4C 8H 9S KC", 1)
    attack = Round("2H 4C", "4C", top="8H", call_one_card="self").play("A play 2H")
    assert (attack.attack, attack.hand("A")) == ("B 2", "4C 4C")


def test_r40_too_many_cards_are_bankrupt() -> None:
    hands = ("2H 5S 9S", "4C 5C 6C", "4D 5D 6D")
    played = Round(*hands, top="8H", bankrupt_at=4).play("A play 2H", "B draw")
    assert (played.public.bankrupt, played.hand("B"), played.to_act) == ((1,), "4C 4C 5C 6C", "C")
    assert played.refused("B draw") == "not_your_turn"
    assert played.public.stock == 11
    played.play("C draw")
    assert (played.result, played.outcome.points) == ("out A, next A", (0, -4, -4))
    assert played.public.counts == (2, 4, 4)


def test_r40_turns_pass_the_bankrupt_over_and_their_cards_are_not_shuffled_in() -> None:
    hands = ("4S 5S", "4C 5C 6C", "4D 5D", "JH 4S 9H")
    played = Round(*hands, top="8H", under="KC", stock="6D", bankrupt_at=4, starter="B").play("B draw", "C draw")
    assert played.public.bankrupt == (1,)
    played.play("dealer shuffle KC", "D play JH")
    assert (played.to_act, played.public.skipped) == ("C", 0)
    played.play("C draw", "dealer shuffle 8H")
    assert played.to_act == "D"


def test_r40_two_that_are_left_play_as_two() -> None:
    hands = ("4S 5S", "4C 5C 6C", "JH 9H 9S")
    played = Round(*hands, top="8H", bankrupt_at=4, starter="B").play("B draw", "C play JH")
    assert (played.to_act, played.public.skipped) == ("C", 0)
    queen = ("4S 5S", "4C 5C 6C", "QH 9H 9S")
    played = Round(*queen, top="8H", bankrupt_at=4, starter="B", two_player_queen="skip").play("B draw", "C play QH")
    assert (played.to_act, played.public.direction) == ("C", 1)


def test_r40_a_penalty_can_ruin_too_and_a_drawn_card_is_not_played_then() -> None:
    played = Round("2H 4C", "4C", "4D", top="8H", bankrupt_at=3, call_one_card="self", call_penalty=5)
    played.play("A play 2H")
    assert (played.public.bankrupt, played.attack, played.hand("A")) == ((0,), "B 2", "4C 4C 5C")
    played = Round("4C 5C", "4C", "4D", top="8H", stock="8C", bankrupt_at=3, draw_then_play=True).play("A draw")
    assert (played.public.bankrupt, played.to_act) == ((0,), "B")


def test_r40_only_who_draws_goes_bankrupt() -> None:
    played = Round("4C 5C 6C", "4C 4D 5D 9S", top="8H", stock="", bankrupt_at=3).play("A draw", "B draw")
    assert played.result == "blocked nobody, next A"
    assert played.public.bankrupt == ()


def test_r40_it_must_be_more_than_the_cards_dealt() -> None:
    assert refused(4, bankrupt_at=5) == "bankrupt_at = 5 must be more than the 5 cards dealt to everybody"
    OneCard(OneCardOptions(bankrupt_at=6)).check_seats(4)


def test_r43_the_default_plays_the_first_card_that_fits() -> None:
    def default(played: Round) -> str:
        return played.game.format(played.game.default(played.game.view(played.state, Seat(0))))

    assert default(Round("KH 8C 3C", "4C", top="8H")) == "play 8C"
    assert default(Round("4C", "4C", top="8H")) == "draw"
    assert default(Round("4C", "4C", top="8H", must_play=False)) == "draw"
    assert default(Round("8C 4C", "4C", top="8H", call_one_card="self")) == "play 8C one"
    assert default(Round("2C 7H", "4C", top="2H", starter_effect=True)) == "play 2C"
    assert default(Round("4D", "4C", top="8H", stock="8C", draw_then_play=True).play("A draw")) == "play 8C"
    assert default(Round("4D", "4C", top="8H", stock="9C", draw_then_play=True).play("A draw")) == "pass"
