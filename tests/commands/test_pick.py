"""What picked cards can mean: every legal action and nothing else, in any position of every game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.cards import DECK, Card
from p2pcards.commands.command import Command, Problem, Trouble
from p2pcards.commands.context import Chair, Context, Where
from p2pcards.commands.parse import parse
from p2pcards.commands.pick import picked, refusal, unable, whole, without_cards
from p2pcards.commands.suggest import Suggestion, suggest
from p2pcards.games.base import Refusal
from p2pcards.games.tongits.state import Phase
from tests.commands.test_reach import mine
from tests.games.anygame import games
from tests.games.walk import AnyGame
from tests.testing import onecard_spot, straights_spot, tienlen_spot, tongits_spot
from tests.testing.dice import dice

ACT = tongits_spot.context(tongits_spot.spot("7H 7D 7S KD", melds=((1, "4H 5H 6H"), (2, "8H 9H TH"))))
LEAD = tienlen_spot.context(tienlen_spot.spot("7S 7C 8H KD"))
BEAT = tienlen_spot.context(tienlen_spot.spot("7S 8C KD 2H", "1 9S"))
ATTACKED = onecard_spot.context(onecard_spot.moment(("2H 9S QH", "5C 6C"), "2S", pending=2))


def cards(text: str, where: Context) -> tuple[Card, ...]:
    """Those of the hand."""
    assert where.game is not None
    wanted = text.split()
    return tuple(card for card in where.hand if where.game.ranking.format(card) in wanted)


def lines(found: tuple[Suggestion, ...]) -> list[str]:
    return [one.text for one in found]


@given(games(), st.integers(0, 1 << 32))
def test_every_legal_action_is_picked_by_its_cards_and_is_what_typing_makes_of_it(game: AnyGame, seed: int) -> None:
    rng = dice(seed)
    for where, legal in mine(game, seed):
        texts = [game.ranking.format(card) for card in where.hand]
        for place in rng.sample(range(len(legal.lines)), min(40, len(legal.lines))):
            raised = tuple(where.hand[texts.index(word)] for word in legal.words[place] if word in texts)
            found = picked(raised, where)
            assert legal.lines[place] in lines(found)
            for one in found:
                command = parse(one.text, where)
                assert isinstance(command, Command)
                assert command.action == one.text
                words = [word for word in one.text.split()[1:] if word in texts]
                assert sorted(words) == sorted(game.ranking.format(card) for card in raised)


@given(games(), st.integers(0, 1 << 32))
def test_cards_that_mean_nothing_are_refused_as_a_typed_line_with_them_is(game: AnyGame, seed: int) -> None:
    rng = dice(seed)
    for where, legal in mine(game, seed):
        for _ in range(10):
            raised = tuple(rng.sample(where.hand, rng.randint(1, min(4, len(where.hand)))))
            if picked(raised, where):
                continue
            texts = " ".join(game.ranking.format(card) for card in raised)
            typed = [parse(f"{verb} {texts}".strip(), where) for verb in ("", *legal.game.verbs)]
            assert refusal(raised, where) in [*typed, Problem(Trouble.NO_USE, tuple(texts.split()))]


def test_one_card_may_mean_several_things() -> None:
    assert lines(picked(cards("7H", ACT), ACT)) == ["layoff 7H m1", "layoff 7H m2", "discard 7H"]
    assert lines(picked(cards("7H 7D 7S", ACT), ACT)) == ["expose 7D 7H 7S"]


def test_cards_beside_the_raised_ones_are_never_played() -> None:
    only = tienlen_spot.context(tienlen_spot.spot("7S 8C 9H KD", "1 6S 7H 8S"))
    assert [line for line in only.legal.lines if "7S" in line] == ["play 7S 8C 9H"]  # type: ignore[union-attr]  # a round is open
    assert not picked(cards("7S", only), only)
    assert isinstance(refusal(cards("7S", only), only), Problem)


def test_two_copies_of_one_card_are_no_play() -> None:
    where = onecard_spot.context(onecard_spot.moment(("8H 9S", "5C 6C"), "8S"))
    copies = (*cards("8H", where), Card(cards("8H", where)[0] + DECK))
    where = replace(where, hand=(*copies, *cards("9S", where)))
    assert lines(picked(copies[1:], where)) == ["play 8H"]
    assert not picked(copies, where)
    assert refusal(copies, where) == Problem(Trouble.TWICE, ("8H",))


@pytest.mark.parametrize(
    ("where", "typed", "line"),
    [
        (ACT, "KD 7D", "expose KD 7D"),
        (BEAT, "7S", "play 7S"),
        (LEAD, "7S 8H", "play 7S 8H"),
        (ATTACKED, "9S", "play 9S"),
        (tongits_spot.context(tongits_spot.spot("7H 8D", phase=Phase.DRAW)), "7H", "discard 7H"),
        (straights_spot.context(straights_spot.spot("8H KD", "7S 7H")), "KD", "play KD"),
    ],
)
def test_the_refusal_is_that_of_the_line_that_was_meant(where: Context, typed: str, line: str) -> None:
    assert not picked(cards(typed, where), where)
    assert refusal(cards(typed, where), where) == parse(line, where)


def test_out_of_turn_whose_turn_it_is_is_said() -> None:
    where = replace(LEAD, to_act=(1,))
    assert not picked(cards("7S", where), where)
    assert refusal(cards("7S", where), where) == Problem(Refusal.NOT_YOUR_TURN, ("ben",))
    assert unable(where) == Problem(Refusal.NOT_YOUR_TURN, ("ben",))
    assert not without_cards(where)


def test_nothing_is_picked_twice_while_an_act_is_on_its_way() -> None:
    where = replace(LEAD, pending="play 7S")
    assert not picked(cards("7S", where), where)
    assert refusal(cards("7S", where), where) == Problem(Trouble.PENDING, ("play 7S",))


def test_without_cards_is_to_pass_to_draw_or_to_go_on() -> None:
    assert without_cards(BEAT) == "pass"
    assert not without_cards(LEAD)
    assert unable(LEAD) == parse("pass", LEAD)
    assert without_cards(ATTACKED) == "draw"
    assert not without_cards(ACT)
    between = Context(where=Where.BETWEEN, me=0, chairs=(Chair("ana"), Chair("ben")))
    assert without_cards(between) == "next"
    assert not without_cards(replace(between, ready=True))
    assert not without_cards(replace(between, me=None))
    assert without_cards(replace(between, where=Where.OVER)) == "again"
    assert not without_cards(Context())
    assert unable(Context()) is None


def test_only_what_can_be_done_as_it_stands_is_offered_whole() -> None:
    home = Context()
    found = [one.text for one in whole(suggest("", home), home)]
    assert "practise tongits" in found
    assert all(isinstance(parse(line, home), Command) for line in found)
