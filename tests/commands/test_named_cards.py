"""Only cards that were named are played, in every game: a verb with cards and the cards alone agree."""

from __future__ import annotations

from itertools import combinations

import pytest

from p2pcards.commands.command import Command, Problem, Trouble
from p2pcards.commands.context import Context
from p2pcards.commands.parse import MELD, parse
from p2pcards.games.straights.refusals import Refusal as Straights
from p2pcards.games.tienlen.refusals import Refusal as TienLen
from p2pcards.games.tongits.refusals import Refusal as TongIts
from p2pcards.games.tongits.state import Phase
from tests.testing import onecard_spot, straights_spot, tienlen_spot, tongits_spot

FOUR = tienlen_spot.context(tienlen_spot.spot("7D 8D 9C TC QS QH KD", "3 3C 4C 5D 6H"))
PAIR = tienlen_spot.context(tienlen_spot.spot("7D QS QH 2D", "3 4C 4D"))
EITHER = tienlen_spot.context(tienlen_spot.spot("3S QS QH QD"))
TAKING = tongits_spot.context(tongits_spot.spot("9D 9H 9S KD", phase=Phase.DRAW, discards="KH 9C"))
ONE_TAKE = tongits_spot.context(tongits_spot.spot("9D 9H KD", phase=Phase.DRAW, discards="KH 9C"))
MELDED = tongits_spot.context(tongits_spot.spot("AS 2S 3S 7H 7D 7S KD", melds=((1, "4H 5H 6H"), (0, "7C 8C 9C"))))
ROW = straights_spot.context(straights_spot.spot("8S 6S AD 2S"))
SHED = onecard_spot.context(next(iter(onecard_spot.random_states(1, 3))))


def problem(line: str, where: Context) -> Problem:
    found = parse(line, where)
    assert isinstance(found, Problem), found
    return found


@pytest.mark.parametrize("where", [FOUR, PAIR, EITHER, TAKING, ONE_TAKE, MELDED, ROW, SHED])
def test_what_is_played_was_named(where: Context) -> None:
    assert where.game is not None
    held = [where.game.ranking.format(card) for card in where.hand]
    for cards in (some for size in (1, 2, 3, 4) for some in combinations(dict.fromkeys(held), size)):
        for line in (" ".join(cards), *(" ".join([own, *cards]) for own in where.game.verbs)):
            found = parse(line, where)
            if isinstance(found, Command):
                words = {word for word in found.action.split(" ")[1:] if not MELD.fullmatch(word) and word != "one"}
                assert words == set(cards), line


@pytest.mark.parametrize("line", ["7d 8d 9c", "play 7d 8d 9c"])
def test_cards_that_are_too_few_are_refused_and_what_would_do_is_said(line: str) -> None:
    assert problem(line, FOUR) == Problem(TienLen.WRONG_SIZE, problem(line, FOUR).detail, ("play 7D 8D 9C TC",))


def test_one_card_alone_is_refused_as_it_is_with_its_verb() -> None:
    assert problem("qs", PAIR) == problem("play qs", PAIR)
    assert problem("qs", PAIR).code is TienLen.WRONG_KIND
    assert problem("qs", PAIR).would == ("play QS QH",)
    assert problem("7d", PAIR) == problem("play 7d", PAIR)
    assert problem("7d", PAIR).would == ()


def test_cards_of_one_legal_action_alone_are_that_action_though_more_may_follow() -> None:
    assert parse("qs qh", EITHER) == Command("play", (), "play QS QH")
    assert parse("qs", EITHER) == Command("play", (), "play QS")


def test_a_beginning_asks_with_what_is_left() -> None:
    assert problem("take", TAKING) == Problem(Trouble.WHICH_CARDS, ("take", "9D 9H", "9D 9S", "9H 9S", "9D 9H 9S"))
    assert problem("take 9d", TAKING) == Problem(Trouble.WHICH_CARDS, ("take 9D", "9H", "9S", "9H 9S"))
    assert parse("take 9d 9h", TAKING) == Command("take", (), "take 9D 9H")
    assert problem("9d", ONE_TAKE) == Problem(Trouble.WHICH, ("take 9D 9H",))
    assert problem("take 9d", ONE_TAKE) == Problem(Trouble.WHICH_CARDS, ("take 9D", "9H"))
    assert problem("expose 7h", MELDED) == Problem(Trouble.WHICH_CARDS, ("expose 7H", "7D 7S"))


def test_a_meld_is_no_card_that_has_to_be_named() -> None:
    assert parse("layoff 7h", MELDED) == Command("layoff", (), "layoff 7H m1")
    assert problem("discard 7h m1", MELDED).code is Trouble.NOT_AN_ACTION


def test_two_cards_where_one_is_played_at_a_time() -> None:
    for line in ("play AD 2S", "AD 2S"):
        assert problem(line, ROW) == Problem(Trouble.ONE_CARD, ("AD", "2S"))
    assert problem("discard AS KD", MELDED) == Problem(Trouble.ONE_CARD, ("AS", "KD"))


def test_examples_are_of_the_own_cards() -> None:
    assert problem("layoff KD", MELDED).detail == ("layoff", "layoff CARD MELD", "layoff 7H m1")
    assert TongIts.NO_MELD is problem("expose AS 2S KD", MELDED).code
    assert problem("play AD", ROW).code in set(Straights)
