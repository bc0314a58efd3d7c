"""What happens leaves a line that was begun; what goes wrong leaves the game, or the terminal as it was."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.application import Application
from prompt_toolkit.output import Output

from p2pcards.errors import UserError
from p2pcards.table import notices
from p2pcards.table.tableview import Stage
from p2pcards.ui.app import run_app
from p2pcards.ui.pace import Pace
from tests.testing.fake_node import FakeNode
from tests.testing.terminal import Terminal, running
from tests.ui.test_app import CTRL_C, CTRL_L, ENTER, ESCAPE, F1, F2, F4, PRACTISE, TAB, forever, program

LINE = "discard 7"
KEY = b"\x07" * 32


def boom(*args: object, **more: object) -> Any:
    raise ZeroDivisionError


EVENTS: dict[str, Callable[[FakeNode], None]] = {
    "turn of another": lambda node: node.change(to_act=(1,)),
    "round over": lambda node: node.change(stage=Stage.BETWEEN, view=None, to_act=()),
    "lobby": lambda node: node.change(stage=Stage.LOBBY, view=None, to_act=()),
    "another host": lambda node: node.tell(notices.HostIs("ben", 2)),
    "chat": lambda node: node.tell(notices.Spoken("ben", KEY, "", "hi")),
    "go on without": lambda node: node.tell(notices.GoOnAsked(("ben",))),
    "alarm": lambda node: node.tell(notices.Alarm("he signed two entries")),
    "line lost": lambda node: node.tell(notices.LinkLost()),
    "failed": lambda node: node.tell(notices.Failed("The port 25252 is in use.", 0)),
    "tables": lambda node: node.rows(),
}


@pytest.mark.parametrize("event", sorted(EVENTS))
async def test_a_line_that_was_begun_survives(event: str) -> None:
    node = FakeNode(3)
    async with program(node, PRACTISE) as (terminal, _):
        terminal.type(LINE)
        await terminal.until(lambda: terminal.lines()[-2] == f" > {LINE}")
        EVENTS[event](node)
        node.tell(notices.Alarm("behind it"))
        await terminal.sees("behind it")
        assert terminal.lines()[-2] == f" > {LINE}"
        terminal.type("H")
        await terminal.until(lambda: terminal.lines()[-2] == f" > {LINE}H")


async def test_it_survives_pages_sizes_and_a_fresh_paint() -> None:
    async with program(FakeNode(3), PRACTISE) as (terminal, _):
        terminal.type(LINE + F1)
        await terminal.sees("Esc closes")
        terminal.type(ESCAPE)
        await terminal.sees("deadwood")
        terminal.type(F4 + F4 + F2 + F2 + CTRL_L)
        for cols, rows in ((1, 1), (300, 100), (40, 10), (100, 30)):
            terminal.resize(cols, rows)
            terminal.type(CTRL_L)
        await terminal.until(lambda: terminal.lines()[-2] == f" > {LINE}")
        assert len(terminal.lines()) == 30


async def test_it_survives_another_theme_and_is_painted_in_it() -> None:
    node = FakeNode(3)
    async with program(node, PRACTISE) as (terminal, _):
        terminal.type(LINE)
        await terminal.until(lambda: terminal.lines()[-2] == f" > {LINE}")
        row = terminal.screen.buffer[terminal.rows - 2]
        before = [row[column] for column in range(terminal.cols)]
        app = node._heard[0].__self__  # type: ignore[attr-defined]  # a method of the screens
        app.command("theme contrast")
        await terminal.until(lambda: row[1] != before[1], "another look")
        assert terminal.lines()[-2] == f" > {LINE}"
        terminal.type("H")
        await terminal.until(lambda: terminal.lines()[-2] == f" > {LINE}H")


async def test_a_fresh_paint_never_leaves_the_alternate_screen() -> None:
    async with program(FakeNode(3), PRACTISE) as (terminal, _):
        terminal.type(CTRL_L + "x")
        await terminal.until(lambda: terminal.lines()[-2] == " > x")
        written = "".join(terminal.raw)
        assert "\x1b[?1049l" not in written
        assert written.rindex("\x1b[2J") > written.rindex("\x1b[?1049h")


async def test_lines_pasted_without_a_mark_are_one_line() -> None:
    node = FakeNode(3)
    async with program(node, PRACTISE) as (terminal, _):
        terminal.type("draw\r" * 400)
        await terminal.until(lambda: terminal.lines()[-2].endswith("draw draw draw"))
        assert [command.verb for command in node.done] == ["practise"]
        terminal.type(CTRL_C)
        await terminal.until(lambda: terminal.lines()[-2] == " >")


@pytest.mark.parametrize(
    "broken",
    [
        "p2pcards.ui.menu.Menu.accept",
        "p2pcards.ui.completer.Suggesting.get_completions",
        "p2pcards.ui.frame.compose",
        "p2pcards.ui.desk.Desk.heard",
        "p2pcards.ui.desk.Desk.typed",
    ],
)
async def test_what_goes_wrong_is_told_and_the_game_goes_on(
    broken: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    node = FakeNode(3)
    async with program(node, PRACTISE, log_file=tmp_path / "log", rows=40) as (terminal, _):
        with monkeypatch.context() as patched:
            patched.setattr(broken, boom)
            terminal.type("x" + TAB)
            node.tell(notices.Alarm("something"))
            terminal.type(ENTER)
            await terminal.sees("Something went wrong")
        assert "ZeroDivisionError" in caplog.text
        terminal.type(CTRL_C + "draw" + ENTER)
        await terminal.sees("You drew")


async def test_at_home_it_stands_where_answers_do(tmp_path: Path) -> None:
    async with program(FakeNode(3), log_file=tmp_path / "log") as (terminal, _):
        asyncio.get_running_loop().call_soon(boom)
        await terminal.sees("Something went wrong inside p2pcards, the game goes on")
        terminal.type("list" + ENTER)
        await terminal.until(lambda: "Something went wrong" not in terminal.text())


async def test_the_clock_goes_on_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = [1]
    counts = Pace.count_down

    async def count_down(pace: Pace) -> None:
        if faults:
            faults.pop()
            boom()
        await counts(pace)

    monkeypatch.setattr(Pace, "count_down", count_down)
    node = FakeNode(3)
    async with program(node, PRACTISE) as (terminal, _):
        node.change(stage=Stage.BETWEEN, view=None, to_act=(), next_at=42.0)
        node.tell(None)
        await terminal.sees("in 42 s")
        for clock, left in ((7.0, 35), (10.0, 32)):  # the first of them may still be what an event asked for
            node.clock = clock
            await terminal.sees(f"in {left} s")


async def test_a_paint_that_fails_once_is_made_good(monkeypatch: pytest.MonkeyPatch) -> None:
    async with program(FakeNode(3), PRACTISE) as (terminal, _):
        with monkeypatch.context() as patched:

            def once(app: Application[int], output: Output, *args: object, **more: object) -> None:
                patched.undo()
                output.cursor_goto(1, 1)
                output.write("half a pic\nture")
                boom()

            patched.setattr("prompt_toolkit.renderer._output_screen_diff", once)
            terminal.type("draw" + ENTER)
            await terminal.sees("You drew")
            assert "half a pic" in "".join(terminal.raw)
            seen = terminal.lines()
            terminal.type(CTRL_L + "#")
            await terminal.until(lambda: terminal.lines()[-2] == " > #")
            terminal.type("\x7f")
            await terminal.until(lambda: terminal.lines() == seen, "the same picture")


async def test_a_screen_that_can_not_be_painted_any_more_is_put_back(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with program(FakeNode(3), PRACTISE, log_file=tmp_path / "log") as (terminal, task):
        monkeypatch.setattr("prompt_toolkit.renderer._output_screen_diff", boom)
        terminal.type("x")
        assert (await asyncio.wait((task,), timeout=20))[0], "it ends by itself"
        assert_put_back(terminal, task)


async def test_one_that_could_never_be_painted_is_put_back_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("prompt_toolkit.renderer._output_screen_diff", boom)

    def run(terminal: Terminal) -> Awaitable[int]:
        return run_app(forever, log_file=tmp_path / "log", input=terminal.keys, output=terminal.output)

    async with running(run) as (terminal, task):
        assert (await asyncio.wait((task,), timeout=20))[0], "it ends by itself"
        assert_put_back(terminal, task)


def assert_put_back(terminal: Terminal, task: asyncio.Task[int]) -> None:
    with pytest.raises(UserError, match=r"it had to end; the log is .*log\."):
        task.result()
    written = "".join(terminal.raw)
    for on, off in (("\x1b[?1049h", "\x1b[?1049l"), ("\x1b[?2004h", "\x1b[?2004l"), ("\x1b[?25l", "\x1b[?25h")):
        assert written.rfind(off) > written.rfind(on)


async def test_where_it_can_not_be_stopped_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pcards.ui.jobs._STOP", None)
    async with program(FakeNode(3), PRACTISE) as (terminal, _):
        terminal.type("dr\x1a")
        await terminal.sees("can't be stopped here")
        assert terminal.lines()[-2] == " > dr"


async def test_text_that_comes_at_once_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async with program(FakeNode(3), PRACTISE) as (terminal, _):
        looked: list[int] = []
        monkeypatch.setattr("p2pcards.ui.menu.Menu.offer", lambda menu: looked.append(1))
        terminal.type("say " + "x y " * 200 + "end")
        await terminal.until(lambda: terminal.lines()[-2].endswith("end"))
        assert len(looked) < 20
