"""The card picker: what its keys do, on the screen and by themselves."""

from __future__ import annotations

from typing import Any

import pytest

from p2pcards.cards import ACE_LOW, DECK, Card
from p2pcards.commands.arrange import arrange
from p2pcards.commands.command import Command, Problem
from p2pcards.commands.context import Context
from p2pcards.games.registry import GAMES
from p2pcards.table.tableview import Stage
from p2pcards.ui.habits import Habits
from p2pcards.ui.picker import Picker, Reach
from p2pcards.ui.prompt import Prompt
from p2pcards.ui.voice import Cards
from tests.testing import tongits_spot
from tests.testing.dice import dice
from tests.testing.fake_node import FakeNode, row
from tests.testing.terminal import Terminal
from tests.testing.tienlen_spot import spot
from tests.ui.test_app import CTRL_D, DOWN, ENTER, ESCAPE, F1, F2, TAB, UP, playing, program
from tests.ui.test_desk import Person

LEFT, RIGHT, HOME, END = "\x1b[D", "\x1b[C", "\x1b[H", "\x1b[F"
F3, F5 = "\x1bOR", "\x1b[15~"


def raising(node: FakeNode, *texts: str) -> str:
    """The keys that raise these cards of a hand that lies by rank."""
    assert node.table is not None
    game = node.table.game
    hand = [game.ranking.format(card) for card in arrange(game, game.hand(node.table.view), "rank")]
    return "".join(HOME + RIGHT * hand.index(text) + UP for text in texts)


# ---- on and off


async def test_one_key_switches_it_on_and_the_last_line_says_its_keys() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        assert "F5 pick" in terminal.lines()[-1]
        terminal.type(F5)
        await terminal.sees("Left Right card")
        assert "Space draw" in terminal.lines()[-1]
        assert "Esc type" in terminal.lines()[-1]
        terminal.type(ESCAPE)
        await terminal.sees("Tab complete")
        terminal.type("picker on" + ENTER)
        await terminal.sees("Left Right card")
        terminal.type(F5)
        await terminal.sees("Tab complete")
        terminal.type("picker off" + ENTER)
        await terminal.sees("You type again")


async def test_where_there_are_no_cards_the_arrows_are_for_the_lines() -> None:
    async with program(FakeNode()) as (terminal, _):
        assert "F5 arrows" in terminal.lines()[-1]
        terminal.type(F5)
        await terminal.sees("Up and Down go along the lines")
        assert "F5 type" in terminal.lines()[-1]
        assert "F2" not in terminal.lines()[-1]


def test_each_line_stands_there_once() -> None:
    person = Person(FakeNode(1, rows=(row("Friday night"), row("lab", 2))))
    lines = [one.text for one in person.desk.picker.lines]
    assert lines[:4] == ["join 1", "join 2", "watch 1", "watch 2"]
    assert len(set(lines)) == len(lines)


def test_it_may_be_on_from_the_beginning() -> None:
    assert Prompt(FakeNode(), Cards.SIGNS, str, habits=Habits(input="picker")).settings.picker
    assert not Prompt(FakeNode(), Cards.SIGNS, str, habits=Habits(input="typed")).settings.picker


def test_plain_mode_has_none() -> None:
    prompt = Prompt(FakeNode(), Cards.WORDS, str)
    assert prompt.enter("picker on").lines == (
        "The card picker is for the full screen; here you type, `help` says what.",
    )
    assert not prompt.settings.picker


async def test_a_line_that_was_begun_stays_and_has_the_arrows() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type("drw" + F5 + LEFT + "a" + UP)
        await terminal.until(lambda: terminal.lines()[-2] == " > draw")
        assert "▾▾" in terminal.text()
        terminal.type(ENTER)
        await terminal.sees("You drew")
        terminal.type("sc" + TAB)
        await terminal.sees(" > scores")


# ---- cards


async def test_raised_cards_are_played_with_enter() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type(F5 + " ")
        await terminal.sees("You drew")
        terminal.type(raising(node, "2D"))
        await terminal.sees("Enter discard")
        await terminal.sees("   discard 2D  2 points")
        terminal.type(ENTER)
        await terminal.until(lambda: node.done[-1].action == "discard 2D")


async def test_what_may_not_be_done_is_refused_and_stays_raised() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type(F5 + raising(node, "2D") + ENTER)
        await terminal.sees("Your turn begins with a card")
        assert [command.verb for command in node.done] == ["practise"]
        assert "Enter why" in terminal.lines()[-1]
        terminal.type(ESCAPE)
        await terminal.sees("Enter choose")
        assert "Your turn begins" not in terminal.text()


async def test_where_several_things_are_meant_one_is_chosen() -> None:
    node, start = playing()
    melds = ((1, "4H 5H 6H"), (2, "8H 9H TH"))
    async with program(node, start) as (terminal, _):
        view = tongits_spot.spot("7H 7D 7S KD", melds=melds)
        node.change(view=view, to_act=(0,))
        node.tell(None)
        terminal.type(F5 + raising(node, "7H") + ENTER)
        await terminal.sees(" ▸ layoff 7H m1")
        terminal.type(DOWN + DOWN)
        await terminal.sees(" ▸ discard 7H")
        terminal.type(UP + UP + UP)
        await terminal.until(lambda: " ▸ layoff" not in terminal.text())
        terminal.type(ENTER)
        await terminal.sees(" ▸ layoff 7H m1")
        terminal.type(ESCAPE)
        await terminal.until(lambda: " ▸ layoff" not in terminal.text())
        assert "Enter choose" in terminal.lines()[-1]
        terminal.type(TAB + TAB)
        await terminal.sees(" ▸ layoff 7H m2")


async def test_enter_with_nothing_raised_plays_nothing_by_itself() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type(F5 + ENTER)
        await terminal.sees(" ▸ draw")
        assert [command.verb for command in node.done] == ["practise"]
        terminal.type(ENTER)
        await terminal.sees("You drew")
        node.change(view=tongits_spot.spot("7H 8D KD"), to_act=(0,))
        node.tell(None)
        terminal.type(ENTER)
        await terminal.sees("Raise cards with Up")


async def test_space_passes_and_says_why_it_can_not() -> None:
    node = FakeNode(3)
    async with program(node) as (terminal, _):
        node.do(Command("practise", ("tienlen",)))
        node.change(view=spot("7S 8C 8H KD"), to_act=(0,))
        node.tell(None)
        terminal.type(F5)
        await terminal.sees("Left Right card")
        assert "Space" not in terminal.lines()[-1]
        terminal.type(" ")
        await terminal.until(lambda: "lead" in terminal.lines()[-9] + terminal.lines()[-8])
        node.change(view=spot("7S 8C 8H KD", "1 9S"), to_act=(0,))
        node.tell(None)
        await terminal.sees("Space pass")


async def test_what_asks_once_is_asked_and_answered_with_arrows() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type(F5 + "leave" + ENTER)
        await terminal.sees(" ▸ no")
        terminal.type(DOWN)
        await terminal.sees(" ▸ yes")
        terminal.type(UP + ENTER)
        await terminal.sees("Not done")
        terminal.type("leave" + ENTER + DOWN)
        await terminal.sees(" ▸ yes")
        terminal.type(ESCAPE)
        await terminal.until(lambda: "y/n" not in terminal.text())
        terminal.type("leave" + ENTER)
        await terminal.sees(" ▸ no")
        terminal.type(DOWN + ENTER)
        await terminal.until(lambda: node.table is None)


async def test_an_answer_that_was_not_given_is_no_again() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type(F5 + CTRL_D + DOWN)
        await terminal.sees(" ▸ yes")
        terminal.type(ESCAPE)
        await terminal.until(lambda: "y/n" not in terminal.text())
        terminal.type(CTRL_D)
        await terminal.sees(" ▸ no")
        assert node.table is not None


async def test_space_turns_a_page_and_begins_no_line_while_something_is_asked() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type(F5 + F1 + " ")
        await terminal.sees("lines 14-")
        terminal.type(ESCAPE)
        await terminal.sees("Left Right card")
        terminal.type(CTRL_D + " " + DOWN)
        await terminal.sees(" ▸ yes")
        terminal.type(ENTER)
        await terminal.until(lambda: node.table is None)


async def test_a_hidden_hand_is_not_picked_from() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type(F5 + raising(node, "2D") + F2)
        await terminal.sees("░░")
        assert "▾▾" not in terminal.text()
        terminal.type(RIGHT)
        await terminal.sees("so that you can pick")
        assert "2D" not in terminal.text()
        terminal.type(ENTER)
        await terminal.sees(" ▸ draw")
        terminal.type(ESCAPE + F2)
        await terminal.sees("▾▾")


async def test_lobby_and_score_sheet_offer_what_is_to_be_done() -> None:
    node = FakeNode(3)
    async with program(node) as (terminal, _):
        terminal.type(F5)
        await terminal.sees("   practise tongits")
        node.sit("tongits", bots=2)
        await terminal.sees("   start")
        terminal.type(DOWN + ENTER)
        await terminal.until(lambda: node.table is not None and node.table.stage is Stage.PLAYING)


@pytest.mark.parametrize(
    ("cols", "rows", "told"),
    [
        (80, 24, ("are written so: A♠", "are written so: AS", "stand in boxes", "are written so: A♠")),
        (120, 40, ("are drawn where", "are written so: A♠", "are written so: AS", "stand in boxes")),
    ],
)
async def test_the_next_card_mode_is_one_that_has_room(cols: int, rows: int, told: tuple[str, ...]) -> None:
    node, start = playing()
    async with program(node, start, cols=cols, rows=rows) as (terminal, _):
        for sentence in told:
            terminal.type(F3)
            await terminal.sees(f"Cards {sentence}")


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_round_is_played_with_its_keys_alone(game: str) -> None:
    node, rng = FakeNode(5), dice(5)
    async with program(node) as (terminal, _):
        node.do(Command("practise", (game,)))
        node.tell(None)
        terminal.type(F5)
        await terminal.sees("Left Right card")
        while node.table is not None and node.table.stage is Stage.PLAYING:
            await _act(node, terminal, rng)
        between = node.table is not None and node.table.stage is Stage.BETWEEN
        await terminal.sees("next   go on" if between else "again  ")
        terminal.type(" ")
        await terminal.until(lambda: node.done[-1].verb in ("next", "again"))


async def _act(node: FakeNode, terminal: Terminal, rng: Any) -> None:
    """One of the legal actions, by keys."""
    table, count = node.table, len(node.done)
    assert table is not None
    held = {table.game.ranking.format(card) for card in arrange(table.game, table.game.hand(table.view), "rank")}
    actions = [table.game.format(action) for action in table.game.legal_actions(table.view)]
    wanted = rng.choice(actions)
    raised = [word for word in wanted.split()[1:] if word in held]
    same = [line for line in actions if [word for word in line.split()[1:] if word in held] == raised]
    if not raised:  # nothing is done by one bare Enter
        terminal.type(ENTER + DOWN * same.index(wanted) + ENTER)
    else:
        terminal.type(raising(node, *raised) + ENTER)
        if len(same) > 1:
            terminal.type(DOWN * same.index(wanted) + ENTER)
    if wanted in ("call", "fold"):
        await terminal.sees(" ▸ no")
        terminal.type(DOWN + ENTER)
    await terminal.until(lambda: len(node.done) > count, wanted)
    assert node.done[count].action == wanted


# ---- by itself


class Held:
    """A picker of which the test holds the hand."""

    def __init__(self, text: str) -> None:
        self.hand = ACE_LOW.parse_all(text)
        self.number = 1
        self.picker = Picker(
            Reach(
                lambda: Context(game=GAMES["tongits"](), hand=self.hand),
                lambda: False,
                lambda: (b"", self.number),
                lambda: (),
                lambda line: None,
                lambda problem: self.refused.append(problem),
                lambda text: None,
                lambda: None,
                str,
            )
        )
        self.refused: list[Problem] = []

    def raise_(self, *places: int) -> None:
        for place in places:
            self.picker.end(last=False)
            self.picker.move(place)
            self.picker.up()

    @property
    def raised(self) -> list[str]:
        return [ACE_LOW.format(card) for card in self.hand if card in self.picker.raised]


def test_raised_cards_stay_raised_wherever_they_lie() -> None:
    held = Held("2C 3C 4C 5C")
    held.raise_(1, 3)
    held.hand = (*reversed(held.hand), *ACE_LOW.parse_all("KD"))
    assert held.raised == ["5C", "3C"]
    assert held.picker.cursor == ACE_LOW.parse("5C")


def test_a_card_that_is_gone_is_lowered_and_the_cursor_stays_in_the_hand() -> None:
    held = Held("2C 3C 4C 5C")
    held.raise_(1, 3)
    held.hand = held.hand[:3]
    assert held.raised == ["3C"]
    assert held.picker.cursor == held.hand[2]
    held.hand = ()
    assert held.picker.cursor is None
    assert not held.picker.raised


def test_of_copies_the_one_that_went_counts_as_the_raised_one() -> None:
    held = Held("8H 9C")
    copy = Card(held.hand[0] + DECK)
    held.hand = (held.hand[0], copy, held.hand[1])
    held.raise_(1)
    assert held.picker.raised == {copy}
    held.hand = held.hand[1:]
    assert not held.picker.raised


def test_a_new_round_begins_with_nothing_raised() -> None:
    held = Held("2C 3C 4C")
    held.raise_(0, 1)
    held.number = 2
    assert not held.picker.raised
    assert held.picker.cursor == held.hand[0]


def test_down_lowers_and_the_cursor_goes_around_the_ends() -> None:
    held = Held("2C 3C 4C")
    held.picker.move(-1)
    held.picker.up()
    held.picker.up()
    assert held.raised == ["4C"]
    held.picker.down()
    assert held.raised == []
    held.picker.move(1)
    assert held.picker.cursor == held.hand[0]
