"""What an action of Straights does, as the menu says it."""

from __future__ import annotations

from msgspec.structs import replace

from p2pcards.cards import ACE_LOW
from p2pcards.commands.context import Context
from p2pcards.commands.notes_straights import Does, following
from tests.testing.straights_spot import cards, context, spot


def note(line: str, where: Context) -> tuple[object, ...]:
    legal = where.legal
    assert legal is not None
    remark = legal.notes[legal.lines.index(line)]
    return (remark.code, *remark.detail)


def test_the_start_card_opens_the_round() -> None:
    assert note("play 7S", context(spot("7S 7H 8S", ""))) == (Does.OPENS_ROUND, "7S")
    hearts = context(spot("7S 7H 8S", "", start="7H"), {"start_card": "7H"})
    assert note("play 7H", hearts) == (Does.OPENS_ROUND, "7H")


def test_a_seven_opens_its_suit() -> None:
    assert note("play 7H", context(spot("7H 2C"))) == (Does.OPENS, "7H", "6H 8H")
    assert note("play 7H", context(spot("7H 2C 8H"))) == (Does.OPENS_OWN, "7H", "8H")
    assert note("play 7H", context(spot("7H 6H 8H"))) == (Does.OPENS_OWN, "7H", "6H 8H")


def test_what_a_card_lets_follow_and_whose_that_is() -> None:
    assert note("play 8S", context(spot("8S 2C"))) == (Does.FOLLOWS, "9S")
    assert note("play 8S", context(spot("8S 9S"))) == (Does.FOLLOWS_OWN, "9S")
    assert note("play 6S", context(spot("6S 2C"))) == (Does.FOLLOWS, "5S")


def test_nothing_follows_an_ace_or_a_king() -> None:
    where = context(spot("AS KS", "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS"))
    assert note("play AS", where) == (Does.ENDS, "AS")
    assert note("play KS", where) == (Does.ENDS, "KS")


def test_nothing_follows_where_the_next_card_is_known_to_be_aside() -> None:
    assert note("play 8S", context(spot("8S 2C", aside="9S"))) == (Does.ENDS, "8S")
    assert note("play 7H", context(spot("7H 2C", aside="6H"))) == (Does.OPENS, "7H", "8H")
    view = spot("7H 8S 2C")
    openly = replace(
        view, public=replace(view.public, discards=((), ACE_LOW.parse_all("6H 9S"), ACE_LOW.parse_all("8H"), ()))
    )
    where = context(openly, {"open_discards": "true"})
    assert note("play 7H", where) == (Does.OPENS_ALONE, "7H")
    assert note("play 8S", where) == (Does.ENDS, "8S")


def test_a_card_put_aside_costs_its_rank() -> None:
    where = context(spot("AC 2C KD"))
    assert [note(f"discard {card}", where)[1:] for card in ("AC", "2C", "KD")] == [("1",), ("2",), ("13",)]


def test_passing_and_going_out() -> None:
    passing = {"mode": "sevens_pass"}
    assert note("pass", context(spot("2C KD"), passing)) == (Does.PASSES,)
    assert note("play 8S", context(spot("8S"), passing)) == (Does.EMPTIES,)
    assert note("play 8S", context(spot("8S 2C"), passing)) == (Does.FOLLOWS, "9S")
    assert note("play 8S", context(spot("8S"))) == (Does.FOLLOWS, "9S")  # the others play on


def test_rows_grow_away_from_the_seven() -> None:
    for card, behind in (
        ("7D", "6D 8D"),
        ("8D", "9D"),
        ("6D", "5D"),
        ("QD", "KD"),
        ("2D", "AD"),
        ("KS", ""),
        ("AC", ""),
    ):
        assert following(ACE_LOW.parse(card)) == cards(behind)
