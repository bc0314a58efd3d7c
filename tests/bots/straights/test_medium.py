"""The rules of thumb of `medium`, each in the smallest round that shows it."""

from __future__ import annotations

from p2pcards.bots.registry import bot
from tests.games.straights.builder import Round
from tests.testing.dice import dice


def chosen(played: Round, name: str) -> str:
    """What medium does there."""
    return played.game.format(bot("straights", "medium").choose(played.game, played.view(name), dice(0)))


def test_it_plays_what_leads_to_its_own_cards() -> None:
    assert chosen(Round("7S", "8S 6S 9S KD").play("A play 7S"), "B") == "play 8S"
    assert chosen(Round("7S", "8S 6S 4S 3S KD").play("A play 7S"), "B") == "play 6S"


def test_own_high_cards_count_more_than_low_ones() -> None:
    assert chosen(Round("7S", "8S 6S TS 4S").play("A play 7S"), "B") == "play 8S"


def test_far_cards_count_less_than_near_ones() -> None:
    played = Round("7H 2C", "8S KS 8H TH", "3C", "7S 2D").play("D play 7S", "A play 7H")
    assert chosen(played, "B") == "play 8H"


def test_cards_beyond_one_that_it_put_aside_count_nothing() -> None:
    played = Round("7S 7H", "9H 8H KH 6H 5H", "3C", "2D").play("A play 7S", "B discard 9H", "C discard 3C")
    played.play("D discard 2D", "A play 7H")
    assert chosen(played, "B") == "play 6H"


def test_it_holds_back_a_seven_that_only_others_wait_for() -> None:
    played = Round("7S", "7D 6S 5S 2C").play("A play 7S")
    assert chosen(played, "B") == "play 6S"
    assert chosen(Round("7S", "7D 6S TD JD").play("A play 7S"), "B") == "play 7D"


def test_it_plays_an_end_rather_than_open_a_row_for_others() -> None:
    row = Round("7S JS", "8S QS", "9S KS 7D 2C", "TS 6H 8H")
    row.play("A play 7S", "B play 8S", "C play 9S", "D play TS", "A play JS", "B play QS")
    assert row.legal("C") == ["play 7D", "play KS"]
    assert chosen(row, "C") == "play KS"


def test_it_puts_aside_what_is_cheap() -> None:
    assert chosen(Round("7S", "KC TD 3H").play("A play 7S"), "B") == "discard 3H"


def test_of_two_kings_it_puts_the_one_aside_that_is_farther_from_its_row() -> None:
    played = Round("7C 2C", "KC KH", "3C", "7S 2D").play("D play 7S", "A play 7C")
    assert chosen(played, "B") == "discard KH"


def test_it_puts_a_card_aside_that_can_no_longer_be_played() -> None:
    """What it had to put aside cut the nine off: to lose that now costs nothing more."""
    played = Round("7S 6S KS", "8H 9H 2C", "KD QD", "KH QH").play(
        "A play 7S", "B discard 8H", "C discard QD", "D discard QH"
    )
    played.play("A play 6S")
    assert chosen(played, "B") == "discard 9H"


def test_it_sees_what_others_put_aside_face_up() -> None:
    def played(**options: bool) -> str:
        game = Round("7S 6S KS", "9H 8C KD", "8H QD", "KH QH", **options)
        game.play("A play 7S", "B discard KD", "C discard 8H", "D discard QH", "A play 6S")
        return chosen(game, "B")

    assert played(open_discards=True) == "discard 9H"
    assert played() == "discard 8C"


def test_it_does_not_cut_itself_off() -> None:
    """The six is dearer than the eight by what lies beyond it, not by its own points."""
    played = Round("7S", "6H 5H 4H 3H 9C").play("A play 7S")
    assert chosen(played, "B") != "discard 6H"
    assert chosen(Round("7S", "8H QH KH TC").play("A play 7S"), "B") == "discard TC"


def test_it_likes_to_cut_off_others() -> None:
    """Two nines: beyond the one lie cards of others, beyond the other its own."""
    assert chosen(Round("7S", "9C 9D TC JC QC KC").play("A play 7S"), "B") == "discard 9D"


def test_it_passes_when_there_is_nothing_else() -> None:
    assert chosen(Round("7S 2D", mode="sevens_pass").play("A play 7S"), "B") == "pass"
