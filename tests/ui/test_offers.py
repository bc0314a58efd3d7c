"""What the menu offers on an empty line, and what it keeps to itself."""

from __future__ import annotations

from msgspec.structs import replace

from p2pcards.commands.command import Command
from p2pcards.commands.context import Context
from p2pcards.table.tableview import Stage
from p2pcards.ui.context import Here
from p2pcards.ui.offers import offers
from tests.testing import crowd, tienlen_spot
from tests.testing.fake_node import FakeNode, row

NONE: frozenset[int] = frozenset()


def offered(text: str, context: Context, joinable: frozenset[int] = NONE, hidden: bool = False) -> list[str]:
    return [one.display for one in offers(text, context, joinable, hidden)]


def playing() -> FakeNode:
    node = FakeNode(1)
    node.sit(bots=2)
    node.start()
    return node


def test_at_home_free_seats_come_first() -> None:
    context = Here(FakeNode(rows=(row("one"), row("two", 2), row("three", 3)))).context()
    found = offered("", context, frozenset({1, 3}))
    assert found[:3] == ["join 1", "join 3", "join TABLE"]
    first = next(iter(offers("", context, frozenset({3}), hidden=False)))
    assert (first.text, first.start) == ("join 3", 0)


def test_on_the_way_to_a_table_giving_up_comes_first() -> None:
    node = FakeNode()
    assert "leave" not in offered("", Here(node).context())
    node.rows(row("one"), joining="one")
    assert offered("", Here(node).context(), frozenset({1}))[0] == "leave"


def test_who_waits_in_a_lobby_is_offered_to_say_something() -> None:
    node = FakeNode()
    node.sit(others=1, host=False)
    assert offered("", Here(node).context())[0] == "say TEXT"


def test_in_a_round_an_empty_line_offers_moves_alone() -> None:
    node = playing()
    assert node.table is not None
    context = Here(node).context()
    assert {line.split()[0] for line in offered("", context)} <= set(node.table.game.verbs)
    assert "log [N]" in offered("l", context)
    node.change(to_act=(1,))
    assert offered("", Here(node).context()) == []


def test_between_rounds_going_on_comes_first() -> None:
    node = playing()
    node.change(stage=Stage.BETWEEN, view=None)
    assert offered("", Here(node).context())[0] == "next"


def test_a_hidden_hand_is_not_given_away() -> None:
    node = playing()
    node.do(Command("draw", (), "draw"))
    context = Here(node).context()
    held = {context.game.ranking.format(card) for card in context.hand} if context.game else set()
    assert held & set(offered("discard ", context))
    for text in ("", "discard ", "expose ", "take "):
        words = {word for line in offered(text, context, hidden=True) for word in line.split()}
        assert not words & held


def test_a_few_moves_of_a_hidden_hand_are_offered_as_their_verb() -> None:
    where = tienlen_spot.context(tienlen_spot.spot("3S JC QD", "3 9D"))
    assert offered("", where) == ["play JC", "play QD", "pass"]
    assert offered("", where, hidden=True) == ["play", "pass"]
    (play, _) = offers("", where, NONE, hidden=True)
    assert (play.text, play.start) == ("play ", 0)
    assert offered("pl", where, hidden=True) == ["play"]
    assert offered("jc", where) == ["play JC"]
    pair = tienlen_spot.context(tienlen_spot.spot("JC JH QD"))
    assert offered("play jc ", pair) == ["Enter", "JH"]
    assert offered("play jc ", pair, hidden=True) == []
    assert offered("play ", where, hidden=True) == offered("jc", where, hidden=True) == []


def test_answers_to_who_waits_come_first_but_behind_the_moves_of_our_turn() -> None:
    lobby = replace(crowd.HOST, knocks=(crowd.DAN,))
    assert offered("", lobby)[:3] == ["admit dan", "deny dan", "start"]
    context = replace(Here(playing()).context(), knocks=(crowd.DAN,))
    moves = offered("", replace(context, knocks=()))
    assert offered("", context) == [*moves, "admit dan", "deny dan"]
    assert offered("", replace(context, to_act=(1,))) == ["admit dan", "deny dan"]
    assert offered("", replace(context, to_act=(1,)), hidden=True) == ["admit dan", "deny dan"]


def test_a_code_that_is_asked_for_comes_first() -> None:
    node = FakeNode(rows=(row("lab"),))
    node.rows(row("lab"), joining="lab", asking="lab")
    assert offered("", Here(node).context(), frozenset({1}))[:2] == ["code CODE", "leave"]
