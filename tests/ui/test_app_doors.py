"""Codes, knocks and chat in the running screen: no key and no line being typed is taken away."""

from __future__ import annotations

from p2pcards.commands.command import Command
from tests.testing.fake_door import CODE, DoorNode
from tests.testing.fake_node import row
from tests.ui.test_app import ENTER, TAB, UP, program

HOST = Command("host", ("tongits",))


async def test_a_code_is_completed_word_by_word_and_kept_nowhere() -> None:
    node = DoorNode(rows=(row("lab"),))
    async with program(node) as (terminal, _):
        terminal.type("foo" + ENTER)
        await terminal.sees("There is no command foo")
        node.wants_code("lab")
        await terminal.sees(" code >")
        assert any("The table lab asks for its code" in line for line in terminal.lines())
        terminal.type("mang" + TAB)
        await terminal.sees("code > mango-")
        terminal.type("tige" + TAB)
        await terminal.sees("code > mango-tiger")
        terminal.type(ENTER)
        await terminal.until(lambda: node.done[-1:] == [Command("code", (CODE,))])
        await terminal.until(lambda: not any("code >" in line for line in terminal.lines()))
        terminal.type(UP)
        await terminal.sees(" > foo")


async def test_a_knock_leaves_the_line_and_the_menu_takes_it_up() -> None:
    node = DoorNode()
    async with program(node) as (terminal, _):
        terminal.type("host tongits" + ENTER)
        await terminal.sees("lobby")
        terminal.type("say hel")
        await terminal.sees(" > say hel")
        node.knocks("eve")
        await terminal.sees("asks to come in")
        assert any(line.endswith(" > say hel") for line in terminal.lines())
        terminal.type("lo" + ENTER)
        await terminal.sees("you: hello")
        terminal.type(TAB)
        await terminal.sees(" > admit eve")
        terminal.type(ENTER)
        await terminal.sees("eve is in seat")
