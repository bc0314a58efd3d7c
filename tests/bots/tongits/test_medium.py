"""The rules of thumb of `medium`, each in the smallest round that shows it."""

from __future__ import annotations

from p2pcards.bots.registry import bot
from p2pcards.games.base import Seat
from tests.games.played import NAMES
from tests.games.tongits.builder import Round
from tests.testing.dice import dice

FILLER = "AC AD 2H 3S 6C 9H"  # nothing to expose


def chosen(played: Round, name: str) -> str:
    """What medium does there."""
    game = played.game
    return game.format(bot("tongits", "medium").choose(game, game.view(played.state, Seat(NAMES.index(name))), dice(0)))


def test_it_exposes_its_first_meld_at_once_and_keeps_the_second() -> None:
    played = Round("7C 7D 7H 7S JC QC KC 2D 4H", FILLER, "5S 8D", stock="TD 2C 4S").play("A draw")
    assert chosen(played, "A") == "expose 7C 7D 7H 7S"  # nothing more fits there, a run could grow
    played.play("A expose 7C 7D 7H 7S")
    assert chosen(played, "A") == "discard TD"


def test_it_exposes_a_meld_that_blocks_no_call() -> None:
    hand = "7C 7D 7H 7S JC QC KC 2D 4H"
    played = Round(hand, FILLER, "5S 8D", stock="TD 2C 4S", four_meld_is_self_layoff=True).play("A draw")
    assert chosen(played, "A") == "expose JC QC KC"


def test_it_throws_away_the_highest_card_that_it_has_no_hope_for() -> None:
    played = Round("KC KD QS 2H 5D 9C", FILLER.replace("9H", "9S"), "TS 8D", stock="3C 2C 4S").play("A draw")
    assert chosen(played, "A") == "discard QS"


def test_it_keeps_from_the_next_seat_what_is_easy_to_take() -> None:
    """All kings but one are gone, no queen is."""
    played = Round("KS QD 2H 4D", "3D 5C 8S 9D TC 6H", "KC KD KH JS", stock="7C 2S 9S 4C 3H", starter="C")
    played.play("C draw", "C discard KC", "A draw")
    assert chosen(played, "A") == "discard KS"


def test_it_takes_the_discard_that_lowers_its_hand() -> None:
    played = Round("7H KC", "7S 7D 2C 9H", "5S 8D").play("A draw", "A discard 7H")
    assert chosen(played, "B") == "take 7D 7S"


def test_it_does_not_break_a_meld_to_take_when_it_has_exposed_one() -> None:
    played = Round("7H 4C", "2C 2D 2H 7S 8S 9S 7D 5H", "JC JD JH AC", stock="KC QS 3S QC", starter="B")
    played.play("B draw", "B expose 2C 2D 2H", "B discard KC", "C draw", "C expose JC JD JH", "C discard QS")
    played.play("A draw", "A discard 7H")
    assert "take 7D 7S" in played.legal("B")
    assert chosen(played, "B") == "draw"


def test_it_calls_when_nobody_can_contest() -> None:
    played = Round("2C 2D 2H KS KD QH 9C", FILLER, "5S 8D", stock="TD 2S 4S TH")
    played.play("A draw", "A expose 2C 2D 2H", "A discard TD", "B draw", "B discard 2S", "C draw", "C discard 4S")
    assert chosen(played, "A") == "call"


def contested(a: str, b: str = "AC AD 3S 6C 9H JS", **options: str) -> Round:
    """A and B hold these cards and have each exposed a meld; A is to begin its turn."""
    played = Round(f"2C 2D 2H {a}", f"4C 4D 4H {b}", "5S 8D", stock="TD 2S 4S TH", **options)
    played.play("A draw", "A expose 2C 2D 2H", "A discard TD", "B draw", "B expose 4C 4D 4H", "B discard 2S")
    return played.play("C draw", "C discard 4S")


def test_it_calls_with_a_low_hand_against_a_contender_and_not_with_a_high_one() -> None:
    assert chosen(contested("3H 5D AH"), "A") == "call"
    assert chosen(contested("KS KD QH 9C"), "A") == "draw"


def test_it_contests_every_call_where_folding_saves_nothing() -> None:
    assert chosen(contested("3H 5D AH").play("A call"), "B") == "challenge"


def test_it_folds_where_a_lost_contest_costs_more() -> None:
    assert chosen(contested("3H 5D AH", scoring="chips").play("A call"), "B") == "fold"
    assert chosen(contested("KS KD QH 9C", "AC AD 3S", scoring="chips").play("A call"), "B") == "challenge"


def beside_nines(hand: str, discard: str = "6S", **options: bool) -> Round:
    """B has exposed three nines and C discarded; A, with this hand, is to begin its turn."""
    played = Round(hand, "9C 9D 9H 3S 5D JC", "TS 6S 9S", stock="QD 7C 7D QC", starter="B", **options)
    return played.play("B draw", "B expose 9C 9D 9H", "B discard QD", "C draw", f"C discard {discard}")


def test_it_lays_off_what_it_need_not_keep() -> None:
    assert chosen(beside_nines("9S 4C KD 2H").play("A draw"), "A") == "layoff 9S m1"
    own = beside_nines("AC AD AH 9S TS JS KD 4C").play("A draw", "A expose AC AD AH")
    assert chosen(own, "A") == "discard KD"


def test_it_lays_off_a_card_of_a_longer_meld_to_keep_a_rival_from_calling() -> None:
    played = beside_nines("AC AD AH 9S TS JS QS KD 4C").play("A draw", "A expose AC AD AH")
    assert chosen(played, "A") == "layoff 9S m1"


def test_it_lays_the_top_discard_on_a_meld_rather_than_draw() -> None:
    assert chosen(beside_nines("4C KD 2H", "9S", discard_layoff=True), "A") == "take m1"
