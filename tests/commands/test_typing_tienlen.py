"""Combinations as they are typed: one word at a time, in any order, or the cards alone."""

from __future__ import annotations

import pytest

from p2pcards.commands.command import Command, Problem, Trouble
from p2pcards.commands.context import Context
from p2pcards.commands.notes_tienlen import Does
from p2pcards.commands.parse import parse
from p2pcards.commands.suggest import ENTER, Note, suggest
from p2pcards.games.tienlen.refusals import Refusal
from tests.testing.tienlen_spot import context, spot

LEADS = context(spot("3S 7S 8H 9S 9D TS JH"))
FOLLOWS = context(spot("3S 7S 8H 9S 9D TS JH", "3 6S 7D 8C"))
BARE = context(spot("3S 7S 8H", "3 KD"))


def action(line: str, where: Context) -> str:
    found = parse(line, where)
    assert isinstance(found, Command), found
    return found.action


def problem(line: str, where: Context) -> tuple[object, ...]:
    found = parse(line, where)
    assert isinstance(found, Problem), found
    return (found.code, *found.detail)


def texts(line: str, where: Context) -> list[str]:
    return [one.text for one in suggest(line, where)]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("9s", "play 9S"),
        ("#4", "play 9S"),
        ("9d 9s", "play 9S 9D"),
        ("9d 7s 8h", "play 7S 8H 9D"),
        ("play jh ts 9d 8h", "play 8H 9D TS JH"),
    ],
)
def test_cards_alone_are_the_play_of_these_cards(line: str, text: str) -> None:
    assert action(line, LEADS) == text


def test_the_beginning_of_several_plays_says_what_would_do() -> None:
    for line in ("7s 8h", "play 7s 8h"):
        found = parse(line, LEADS)
        assert isinstance(found, Problem)
        assert (found.code, *found.detail) == (Refusal.NO_COMBINATION, "7S 8H")
        assert set(found.would) == {
            f"play 7S 8H {rest}" for rest in ("9S", "9D", "9S TS", "9D TS", "9S TS JH", "9D TS JH")
        }
        assert found.would[0] == "play 7S 8H 9S"


def test_cards_alone_that_may_not_be_played_say_why() -> None:
    assert problem("3s 9s", LEADS) == (Refusal.NO_COMBINATION, "3S 9S")
    assert problem("9s 9d", FOLLOWS) == (Refusal.WRONG_KIND, "straight", "3", "6S 7D 8C")
    assert problem("play", BARE) == (Trouble.NOTHING_TO, "play")
    assert problem("7s", BARE) == (Refusal.TOO_LOW, "single", "1", "KD", "7S")


def test_a_few_plays_are_offered_whole_and_many_word_by_word() -> None:
    assert texts("", FOLLOWS)[:2] == ["play ", "pass"]
    assert suggest("", FOLLOWS)[0].note.detail == ("beat what lies there",)
    assert suggest("", LEADS)[0].note.detail == ("lead a combination",)
    few = context(spot("3S 7S 8H 9D", "3 6S 7D 8C"))
    assert texts("", few)[:2] == ["play 7S 8H 9D", "pass"]
    assert suggest("", few)[0].note.code is Does.BEAT
    assert texts("", BARE)[0] == "pass"


def test_the_next_word_in_any_order() -> None:
    assert texts("play 9", LEADS) == ["9S ", "9D "]
    assert texts("play jh ", LEADS) == ["", "7S ", "8H ", "9S ", "9D ", "TS "]
    assert texts("play 8h 7s ", FOLLOWS) == ["9S", "9D"]
    assert texts("play 9d 9", LEADS) == ["9S"]
    assert texts("play 9d 9s ", LEADS) == []
    assert texts("play 9d 9s", LEADS) == ["9S"]


def test_enter_after_a_card_plays_what_it_says_while_more_may_follow() -> None:
    enter, *more = suggest("play 9s ", LEADS)
    assert (enter.display, enter.note.code, enter.note.detail) == (ENTER, Does.LEAD_BREAKING, ("single 1", "pair 9"))
    assert [one.text for one in more] == ["9D", "7S ", "8H ", "TS ", "JH "]
    assert action("play 9s ", LEADS) == "play 9S"
    assert "" not in texts("play 8h ts ", LEADS)  # no combination, so Enter plays nothing


def test_bare_cards_with_many_plays_are_offered_one_word_at_a_time() -> None:
    rich = context(spot("3S 3C 3D 4S 4C 4D 5S 5C 5D 5H 6S 6C 6D"))
    assert rich.legal is not None
    assert len(rich.legal.lines) == 486
    for typed in ("3", "3s", "3s ", "3s 4", "#1", "5s 4c 3d "):
        offered = suggest(typed, rich)
        assert 0 < len(offered) <= 13
        assert all(one.text.count(" ") < 2 or one.text.startswith("play ") for one in offered)
    assert suggest("3s", rich)[0].display == "3S +"
    assert suggest("3s ", rich)[0].display == ENTER
    assert [one.note.code is Note.WAYS for one in suggest("3s 4s ", rich)] == [False] * 4 + [True] * 7
    assert texts("3s 3c 3d ", rich) == ["play 3S 3C 3D"]
    few = context(spot("7S 8H 9D JC", "3 6S 7D 8C"))
    assert texts("7s", few) == ["play 7S 8H 9D"]
