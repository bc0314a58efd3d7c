"""Cards hidden from neighbours: always, never, or shown on the own turn alone."""

from __future__ import annotations

import pytest

from p2pcards.cards import format_cards
from p2pcards.table.notices import Notice
from p2pcards.table.tableview import Stage
from p2pcards.ui import words_tell
from p2pcards.ui.desk import Desk
from p2pcards.ui.frame import compose
from p2pcards.ui.habits import USUAL, Habits
from p2pcards.ui.plain import Plain
from p2pcards.ui.prompt import Prompt
from p2pcards.ui.streams import Out
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.voice import Cards
from tests.testing.fake_node import FakeNode
from tests.testing.screens import texts
from tests.testing.talking import Written

SIZE = Size(80, 24)
ON_TURN = Habits(hand="my_turn")


def prompt_of(habits: Habits = USUAL) -> tuple[FakeNode, Prompt]:
    node = FakeNode(3)
    prompt = Prompt(node, Cards.SIGNS, str, habits=habits)

    def heard(notice: Notice | None) -> None:
        if notice is not None:
            prompt.heard(notice)

    node.listen(heard)
    node.sit(bots=2)
    node.start()
    return node, prompt


def turn(node: FakeNode, *, mine: bool) -> None:
    node.change(to_act=(0,) if mine else (1,))
    node._tell_turn()


def test_hide_changes_what_is_to_be_seen() -> None:
    _, prompt = prompt_of()
    assert not prompt.hidden
    assert prompt.enter("hide").lines == (words_tell.HIDDEN,)
    assert prompt.hidden
    assert prompt.enter("hand").lines == (words_tell.HIDDEN,)
    assert prompt.enter("hide").lines == (words_tell.SHOWN,)
    assert not prompt.hidden


@pytest.mark.parametrize("habits", [USUAL, Habits(hand="hidden"), ON_TURN])
def test_each_word_behind_it_holds_whatever_was_before(habits: Habits) -> None:
    node, prompt = prompt_of(habits)
    for line, said, seen in (
        ("hide on", words_tell.HIDDEN, (False, False)),
        ("hide off", words_tell.SHOWN, (True, True)),
        ("hide turn", words_tell.ON_TURN, (True, False)),
    ):
        assert prompt.enter(line).lines == (said,)
        for mine, shown in zip((True, False), seen, strict=True):
            turn(node, mine=mine)
            assert prompt.hidden is not shown, (line, mine)


def test_on_my_turn_alone_they_are_shown_in_a_round_and_only_then_hidden() -> None:
    node, prompt = prompt_of(ON_TURN)
    assert not prompt.hidden  # it is mine
    turn(node, mine=False)
    assert prompt.hidden
    node.change(to_act=())  # between two hosts nobody is to act
    assert prompt.hidden
    node.change(stage=Stage.BETWEEN)
    assert not prompt.hidden


def test_a_look_between_two_turns_ends_with_the_next() -> None:
    node, prompt = prompt_of(ON_TURN)
    turn(node, mine=False)
    assert prompt.enter("hide").lines == (words_tell.PEEK,)
    assert not prompt.hidden
    turn(node, mine=True)
    assert not prompt.hidden
    turn(node, mine=False)
    assert prompt.hidden
    prompt.enter("hide")
    prompt.enter("hide")
    assert prompt.hidden
    turn(node, mine=True)
    assert prompt.hidden, "hidden by hand, it stays so"
    assert prompt.enter("hide").lines == (words_tell.ON_TURN,)


def test_a_look_ends_with_the_cards_of_another_round() -> None:
    node, prompt = prompt_of(ON_TURN)
    turn(node, mine=False)
    prompt.enter("hide")
    node.deal(starter=1)
    node.change(to_act=(1,))
    assert prompt.hidden


def test_plain_mode_tells_the_hand_on_each_turn_instead_of_when_it_is_dealt() -> None:
    node, written = FakeNode(3), Written()
    prompt = Prompt(node, Cards.WORDS, str, habits=ON_TURN)
    plain = Plain(node, prompt, Out(written, lambda: None), terminal=False)
    node.listen(plain.heard)
    node.sit(bots=2)
    node.start()
    assert written.getvalue().count("You hold ") == 1
    turn(node, mine=False)
    assert written.getvalue().count("You hold ") == 1
    turn(node, mine=True)
    assert written.getvalue().count("You hold ") == 2
    prompt.enter("hide")
    turn(node, mine=False)
    turn(node, mine=True)
    assert written.getvalue().count("You hold ") == 2


def test_the_screen_follows_the_turn_and_its_log_too() -> None:
    node = FakeNode(3)
    desk = Desk(node, str, exit_=lambda code: None, habits=ON_TURN)
    node.listen(desk.heard)

    def sees() -> str:
        local = desk.local()
        return "\n".join(texts(compose(desk.screen(SIZE, local), SIZE, Look(), local)))

    desk.typed("practise tongits")
    desk.typed("draw")
    drawn = next(one.text for one in desk.local().happened if one.text.startswith("You drew"))
    assert node.table is not None
    game = node.table.game
    hand = set(format_cards(game.ranking, game.hand(node.table.view)).split())
    assert drawn in sees()
    assert not desk.local().hidden
    turn(node, mine=False)
    assert desk.local().hidden
    assert drawn not in sees()
    offered = {word for one in desk.suggest("") for word in one.display.split()}
    assert not hand & offered
