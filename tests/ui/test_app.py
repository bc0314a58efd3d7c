"""The whole screen on a terminal in this process: keys in, cells out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from p2pcards.commands.command import Command
from p2pcards.errors import UserError
from p2pcards.table import notices
from p2pcards.table.tableview import Stage
from p2pcards.ui.app import run_app
from p2pcards.ui.habits import USUAL, Habits
from p2pcards.ui.ports import Node
from p2pcards.ui.tell import BELL_SECONDS
from p2pcards.ui.theme import Look
from tests.testing.fake_node import OTHERS, FakeNode, row
from tests.testing.terminal import Terminal, running
from tests.testing.tienlen_spot import spot

ENTER, TAB, SHIFT_TAB, ESCAPE, UP, DOWN = "\r", "\t", "\x1b[Z", "\x1b", "\x1b[A", "\x1b[B"
CTRL_C, CTRL_D, CTRL_L, CTRL_R, PAGE_DOWN = "\x03", "\x04", "\x0c", "\x12", "\x1b[6~"
BACKSPACE = "\x7f"
F1, F2, F4 = "\x1bOP", "\x1bOQ", "\x1bOS"
PRACTISE = Command("practise", ("tongits",))


async def forever() -> Node:
    await asyncio.Event().wait()
    raise AssertionError


@asynccontextmanager
async def program(
    node: FakeNode | None = None,
    start: Command | None = None,
    *,
    make: Callable[[], Awaitable[Node]] | None = None,
    look: Look | None = None,
    cols: int = 80,
    rows: int = 24,
    log_file: Path | None = None,
    habits: Habits = USUAL,
) -> AsyncIterator[tuple[Terminal, asyncio.Task[int]]]:
    """The program with this node, at home or where `start` leads."""

    async def given() -> Node:
        return node or FakeNode(3)

    def run(terminal: Terminal) -> Awaitable[int]:
        return run_app(
            make or given,
            start,
            look=look,
            manual=lambda game: "# Tong-its\n\nMelds and a call.",
            log_file=log_file,
            habits=habits,
            input=terminal.keys,
            output=terminal.output,
        )

    async with running(run, cols, rows) as (terminal, task):
        await terminal.sees("Tab" if rows >= 10 else "p2pcards")
        if make is None and rows >= 10:
            await terminal.sees("mango-tiger" if start is None else "deadwood")
        yield terminal, task


def playing() -> tuple[FakeNode, Command]:
    return FakeNode(3), PRACTISE


# ---- the first paint and the end


async def test_home_is_there_before_the_node() -> None:
    async with program(make=forever) as (terminal, _):
        await terminal.sees("looking…")
        terminal.type("list" + ENTER)
        await terminal.sees("still starting")
        assert "> list" in terminal.text()


async def test_a_node_that_can_not_be_made_ends_with_its_sentence() -> None:
    async def refused() -> Node:
        raise UserError("The port 25252 is in use.", 1)

    async with program(make=refused) as (terminal, task):
        with pytest.raises(UserError, match="port 25252"):
            await task
        assert "\x1b[?1049l" in "".join(terminal.raw)


async def test_a_node_that_breaks_ends_with_a_sentence_and_a_log(caplog: pytest.LogCaptureFixture) -> None:
    async def broken() -> Node:
        raise RuntimeError("boom")

    async with program(make=broken) as (_, task):
        with pytest.raises(UserError, match="could not start: boom"):
            await task
    assert "boom" in caplog.text


async def test_quit_puts_the_terminal_back() -> None:
    async with program() as (terminal, task):
        terminal.type("quit" + ENTER)
        assert await task == 0
    written = "".join(terminal.raw)
    assert written.index("\x1b[?1049h") < written.index("\x1b[?1049l")
    assert written.rindex("\x1b[?25h") > written.rindex("\x1b[?25l")
    assert written.rindex("\x1b[?2004l") > written.rindex("\x1b[?2004h")
    assert written.index("\x1b[22;2t") < written.index("\x1b[23;2t")
    assert "\x1b[6n" not in written
    assert "\x1b[?1000h" not in written


async def test_input_that_ends_is_a_terminal_that_is_gone() -> None:
    async with program() as (terminal, task):
        terminal.keys.close()
        assert await task == 129


# ---- the prompt


async def test_tab_accepts_and_enter_runs_what_is_typed() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type("dr" + TAB + ENTER)
        await terminal.sees("You drew")
        terminal.type("discard " + TAB + TAB)
        await terminal.until(lambda: sum("▸" in line for line in terminal.lines()[-7:]) == 1)
        terminal.type(ENTER)
        await terminal.until(lambda: node.done[-1].verb == "discard")
        assert node.done[-1].action == "discard 2D"


async def test_a_space_behind_a_chosen_word_goes_on_to_the_next() -> None:
    async with program() as (terminal, _):
        terminal.type("h" + TAB)
        await terminal.until(lambda: terminal.lines()[-2] == " > host")
        terminal.type(" ")
        await terminal.until(lambda: any(line.startswith("   tongits") for line in terminal.lines()[-7:-2]))
        terminal.type("t")
        await terminal.until(lambda: terminal.lines()[-2] == " > host t")


async def test_tab_goes_past_the_row_that_says_what_enter_does() -> None:
    node = FakeNode(3)
    async with program(node) as (terminal, _):
        node.do(Command("practise", ("tienlen",)))
        node.change(view=spot("7S 7C 7H KD"), to_act=(0,))
        node.tell(None)
        await terminal.sees("you lead")
        terminal.type("play 7s ")
        await terminal.sees("   Enter  leads a single card, but breaks three 7s")
        terminal.type(TAB)
        await terminal.until(lambda: terminal.lines()[-2] == " > play 7s 7C")
        terminal.type(ESCAPE)
        await terminal.until(lambda: terminal.lines()[-2] == " > play 7s")


async def test_escape_takes_back_what_tab_filled_in() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type("dr" + TAB)
        await terminal.sees(" > draw")
        terminal.type(ESCAPE)
        await terminal.until(lambda: terminal.lines()[-2] == " > dr")
        terminal.type(ENTER)
        await terminal.sees("There is no command dr")
        assert [command.verb for command in node.done] == ["practise"]


async def test_escape_closes_the_page_first() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type(F1)
        await terminal.sees("Esc closes")
        terminal.type("s" + TAB)
        await terminal.until(lambda: terminal.lines()[-2].startswith(" > sc"))
        terminal.type(ESCAPE)
        await terminal.sees("deadwood")
        assert terminal.lines()[-2].startswith(" > sc")


async def test_a_bare_enter_plays_nothing() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type(ENTER + ENTER + "  " + ENTER + "turn" + ENTER)
        await terminal.sees("Your turn")
        assert [command.verb for command in node.done] == ["practise"]


async def test_arrows_are_history_until_something_is_chosen() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type("foo" + ENTER)
        await terminal.sees("There is no command foo")
        terminal.type(UP)
        await terminal.sees(" > foo")
        terminal.type(CTRL_C + "draw" + ENTER + "discard " + TAB + DOWN + DOWN)
        await terminal.sees("> discard 2H")
        terminal.type(UP)
        await terminal.sees("> discard 2D")
        terminal.type(SHIFT_TAB)
        await terminal.sees("> discard AS")
        terminal.type(ESCAPE)
        await terminal.until(lambda: " > discard" in terminal.lines())


async def test_history_is_searched_backwards() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type("foo" + ENTER + "bar" + ENTER + CTRL_R + "fo")
        await terminal.sees("I-search backward: fo")
        terminal.type(ENTER)
        await terminal.sees(" > foo")
        terminal.type(CTRL_C + CTRL_R + "zzz" + CTRL_C)
        await terminal.until(lambda: terminal.lines()[-2:][0] == " >" and "Tab complete" in terminal.lines()[-1])


async def test_a_half_typed_line_survives_whatever_happens() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type("discard 7")
        await terminal.sees("> discard 7")
        node.tell(notices.Alarm("he signed two entries"))
        await terminal.sees("two entries")
        node.change(stage=Stage.BETWEEN)
        node.tell(None)
        terminal.resize(100, 30)
        await terminal.until(lambda: terminal.lines()[-2] == " > discard 7")
        terminal.type(F1)
        await terminal.sees("Esc closes")
        assert terminal.lines()[-2] == " > discard 7"


async def test_a_pasted_block_becomes_one_line() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type("\x1b[200~draw\ndiscard 7H\r\n\x1b[201~")
        await terminal.sees("> draw discard 7H")
        assert [command.verb for command in node.done] == ["practise"]
        terminal.type(CTRL_C + "\x1b[200~" + "x" * 5000 + "\x1b[201~")
        await terminal.sees("xxx")
        terminal.type(ENTER)
        await terminal.sees("There is no command")


async def test_the_prompt_stays_when_a_line_is_longer_than_the_screen() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type("x" * 100)
        await terminal.until(lambda: terminal.lines()[-2].startswith(" > xxx"))
        terminal.type("\x01discard ")
        await terminal.until(lambda: terminal.lines()[-2].startswith(" > discard xxx"))
        terminal.type(ENTER)
        await terminal.until(lambda: terminal.lines()[-2] == " >", "an empty prompt")
        terminal.type("draw")
        await terminal.until(lambda: terminal.lines()[-2] == " > draw")
        terminal.type(CTRL_C + "quit" + ENTER)
        await terminal.until(lambda: terminal.lines()[-2] == " y/n >")


async def test_the_menu_follows_what_becomes_possible() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        await terminal.sees("from the stock")
        node.change(to_act=(1,))
        node.tell(None)
        await terminal.until(lambda: "from the stock" not in terminal.text())


# ---- leaving


async def test_ctrl_c_clears_then_asks_then_leaves() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, task):
        terminal.type("discard")
        await terminal.sees("> discard")
        terminal.type(CTRL_C)
        await terminal.until(lambda: terminal.lines()[-2] == " >")
        terminal.type(CTRL_C)
        await terminal.sees("Ctrl-C again")
        terminal.type(ENTER)
        await terminal.until(lambda: "Ctrl-C again" not in terminal.text())
        terminal.type(CTRL_C + CTRL_C)
        assert await task == 130
    assert node.table is None
    assert node.done[-1].verb == "leave"


async def test_ctrl_c_drops_the_cards_that_are_asked_for() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, task):
        terminal.type("draw" + ENTER + "discard" + ENTER)
        await terminal.sees("Discard which card")
        terminal.type(CTRL_C)
        await terminal.until(lambda: "Discard which card" not in terminal.text())
        assert "yes or no?" not in terminal.text()
        terminal.type("discard" + ENTER)
        await terminal.sees("Discard which card")
        terminal.type(ESCAPE)
        await terminal.until(lambda: "Discard which card" not in terminal.text())
        assert not task.done()


async def test_a_question_says_what_it_waits_for_and_leaves_nothing_in_the_line() -> None:
    async with program() as (terminal, _):
        terminal.type(CTRL_C)
        await terminal.sees("Leave p2pcards: yes or no?")
        terminal.type(F1)
        await terminal.sees("Answer y or n first. Leave p2pcards: yes or no?")
        terminal.type("q")
        await terminal.sees("y/n > q")
        terminal.type(ESCAPE)
        await terminal.until(lambda: terminal.lines()[-2] == " >")
        terminal.type(CTRL_D)
        await terminal.sees("Leave p2pcards: yes or no?")
        assert "Answer y or n first" not in terminal.text()


async def test_a_line_in_the_place_of_an_answer_is_done() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, task):
        terminal.type(CTRL_C)
        await terminal.sees("Ctrl-C again")
        terminal.type("draw" + ENTER)
        await terminal.sees("You drew")
        assert not task.done()


async def test_ctrl_d_asks_and_leaves_the_table_then_the_program() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, task):
        terminal.type(CTRL_D)
        await terminal.sees("Leave the table? The match ends with it: yes or no?")
        terminal.type("n" + ENTER + CTRL_D + "y" + ENTER)
        await terminal.sees("Tables on this network")
        terminal.type(CTRL_D)
        await terminal.sees("Leave p2pcards: yes or no?")
        terminal.type(CTRL_D)
        assert await task == 0


async def test_whoever_leaves_is_told_what_comes_of_it() -> None:
    node = FakeNode(3)
    async with program(node) as (terminal, task):
        node.sit(others=1, host=False)
        terminal.type(CTRL_D)
        await terminal.sees("Leave the table: yes or no?")
        terminal.type(ENTER)
        node.start()
        terminal.type(CTRL_D)
        await terminal.sees("a bot plays for you")
        terminal.type(ENTER)
        node.sit(others=1)
        node.start()
        terminal.type(CTRL_C)
        await terminal.sees("ben will host the table")
        assert terminal.lines()[-1] == " y, Enter yes · Enter no · Ctrl-C again yes"
        terminal.type("y")
        await terminal.until(lambda: terminal.lines()[-1] == " Enter yes")
        terminal.type(BACKSPACE)
        await terminal.until(lambda: terminal.lines()[-1] == " y, Enter yes · Enter no · Ctrl-C again yes")
        terminal.type(ENTER)
        assert node.table is not None
        terminal.type("leave" + ENTER)
        await terminal.sees("plays for you: yes or no?")
        terminal.type(CTRL_D)
        await terminal.sees("Tables on this network")
        assert not task.done()


async def test_ctrl_d_in_a_line_only_deletes() -> None:
    async with program() as (terminal, _):
        terminal.type("lists\x01" + CTRL_D)
        await terminal.sees("> ists")
        assert "Leave" not in terminal.text()


async def test_a_question_of_the_game_is_answered_at_the_prompt() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, task):
        terminal.type("ragequit" + ENTER)
        await terminal.sees("Leave in a rage")
        assert terminal.lines()[-2] == " y/n >"
        terminal.type(CTRL_C)
        await terminal.until(lambda: terminal.lines()[-2] == " >")
        assert node.table is not None
        terminal.type("ragequit" + ENTER + "y" + ENTER)
        await terminal.sees("Tables on this network")
        assert not task.done()


# ---- keys


async def test_keys_open_pages_and_hide_the_hand() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        terminal.type(F1)
        await terminal.sees("Esc closes")
        terminal.type(ESCAPE)
        await terminal.sees("deadwood")
        terminal.type(F4)
        await terminal.sees("The match begins")
        terminal.type(F4)
        await terminal.sees("deadwood")
        terminal.type(F2)
        await terminal.until(lambda: "deadwood" not in terminal.text())
        terminal.type("help draw" + ENTER + "log 5" + ENTER + F4)
        await terminal.sees("The match begins")
        terminal.type(F4)
        await terminal.until(lambda: "The match begins" not in terminal.text())
        terminal.type(F2 + "rules" + ENTER)
        await terminal.sees("Melds and a call.")
        terminal.type(PAGE_DOWN + CTRL_L + ESCAPE)
        await terminal.sees("deadwood")


# ---- what happens by itself


async def test_an_event_is_painted_without_a_key() -> None:
    node = FakeNode(3)
    async with program(node) as (terminal, _):
        node.rows(row("Friday night"))
        await terminal.sees("Friday night")
        node.rows()
        await terminal.sees("No tables yet")


async def test_it_rings_when_somebody_comes_and_when_it_is_my_turn() -> None:
    node = FakeNode(3)
    async with program(node) as (terminal, _):
        terminal.type("host tongits" + ENTER)
        await terminal.sees("lobby")
        assert terminal.bells() == 0
        assert node.table is not None
        nick, key = OTHERS[0]
        seats = node.table.seats
        node.change(seats=(seats[0], type(seats[0])(nick, key), seats[2]))
        node.tell(notices.Seated(1, nick, key, ""))
        await terminal.until(lambda: terminal.bells() == 1)
        node.clock += BELL_SECONDS
        terminal.type("start" + ENTER)
        await terminal.sees("deadwood")
        assert terminal.bells() == 2


async def test_the_window_s_title_names_the_turn_and_no_card() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        await terminal.until(lambda: "\x1b]2;your turn - Tong-its - p2pcards\x07" in "".join(terminal.raw))


async def test_seconds_are_counted_down_by_themselves() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        assert node.table is not None
        seats = node.table.seats
        held = type(seats[1])("ben", b"\2" * 32, held_until=60.0)
        node.change(seats=(seats[0], held, seats[2]))
        node.tell(None)
        await terminal.sees("held 60 s")
        node.clock = 7.0
        await terminal.sees("held 53 s")


async def test_the_next_round_is_counted_down_to() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        node.change(stage=Stage.BETWEEN, view=None, to_act=(), next_at=42.0)
        node.tell(None)
        await terminal.sees("in 42 s")
        node.clock = 7.0
        await terminal.sees("in 35 s")


async def test_an_exception_in_the_background_is_told_and_the_game_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    node, start = playing()
    async with program(node, start, log_file=tmp_path / "log") as (terminal, _):
        asyncio.get_running_loop().call_soon(lambda: 1 / 0)
        await terminal.sees("Something went wrong")
        assert "ZeroDivisionError" in caplog.text
        terminal.type("draw" + ENTER)
        await terminal.sees("You drew")


async def test_what_goes_wrong_in_telling_does_not_reach_the_node(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        await terminal.sees("from the stock")
        with monkeypatch.context() as patched:
            patched.setattr("p2pcards.ui.tongits_table.laid", lambda *args: 1 / 0)
            terminal.type("draw" + ENTER + "discard AS" + ENTER)
            await terminal.sees("Something went wrong")
        assert node.done[-1].action == "discard AS"
        await terminal.sees("Your turn")
    assert "ZeroDivisionError" in caplog.text


async def test_a_screen_that_can_not_be_drawn_does_not_end_the_program(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        with monkeypatch.context() as patched:
            patched.setattr("p2pcards.ui.tongits_table.draw", lambda *args: 1 / 0)
            node.tell(None)
            await terminal.sees("Something went wrong")
        terminal.type("draw" + ENTER)
        await terminal.sees("You drew")
    assert any(record.levelno == logging.ERROR for record in caplog.records)


# ---- sizes and looks


async def test_any_size_down_to_one_cell_and_back() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, task):
        for cols, rows in ((1, 1), (200, 60), (39, 10), (40, 9), (2, 50), (200, 2), (40, 10), (120, 40)):
            terminal.resize(cols, rows)
            node.tell(None)
            wanted = "p2pcards needs"[: max(1, cols)].split(" ")[0] if cols < 40 or rows < 10 else "draw"
            await terminal.sees(wanted)
            assert not task.done()
        terminal.resize(80, 24)
        node.tell(None)
        await terminal.sees("deadwood")


async def test_below_the_least_size_it_says_what_it_wants() -> None:
    async with program(cols=39, rows=9) as (terminal, task):
        await terminal.sees("40x10")
        terminal.type(CTRL_C + CTRL_C)
        assert await task == 130


async def test_ascii_where_nothing_else_can_be_shown() -> None:
    node, start = playing()
    node.rows(row("Nhà số 7 🇻🇳"))
    async with program(node, start, look=Look(unicode=False)) as (terminal, _):
        terminal.type("foo’s" + ENTER)
        await terminal.sees("There is no command foo's")
        assert all(line.isascii() for line in terminal.lines())


async def test_no_colours_where_none_are_wanted() -> None:
    node, start = playing()
    async with program(node, start, look=Look(colours=False)) as (terminal, _):
        assert {cell.fg for line in terminal.screen.buffer.values() for cell in line.values()} == {"default"}
        assert any(cell.bold for line in terminal.screen.buffer.values() for cell in line.values())


async def test_suits_have_four_colours() -> None:
    node, start = playing()
    async with program(node, start) as (terminal, _):
        colours = {
            cell.data: cell.fg
            for line in terminal.screen.buffer.values()
            for cell in line.values()
            if cell.data in "♣♦♥♠"
        }
        assert colours == {"♣": "green", "♦": "brightblue", "♥": "red", "♠": "default"}
