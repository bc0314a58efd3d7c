"""The viewer of records on a terminal: its keys, what runs by itself, and how it is left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager

import pytest

from p2pcards.bots.thinking import Thought
from p2pcards.games.base import Seat
from p2pcards.games.registry import GAMES
from p2pcards.ui import replay_hint
from p2pcards.ui.replay_app import run_viewer
from p2pcards.ui.replay_desk import Viewing
from p2pcards.ui.signals import INTERRUPTED
from p2pcards.ui.theme import Look, Size
from tests.testing.replays import EMPTY, WRONG, reel, sample_reel
from tests.testing.terminal import Terminal, running

RIGHT, LEFT, UP, DOWN = "\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B"
PAGE_UP, PAGE_DOWN, HOME, END = "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F"
TAB, BACK_TAB, ESC, CTRL_C, CTRL_D = "\t", "\x1b[Z", "\x1b", "\x03", "\x04"


@asynccontextmanager
async def viewer(desk: Viewing, cols: int = 80, rows: int = 24) -> AsyncIterator[tuple[Terminal, asyncio.Task[int]]]:
    def run(terminal: Terminal) -> Awaitable[int]:
        return run_viewer(desk, look=Look(), input=terminal.keys, output=terminal.output)

    async with running(run, cols, rows) as (terminal, task):
        await terminal.until(lambda: terminal.text().strip(), "a picture")
        yield terminal, task


async def test_keys_go_through_a_record() -> None:
    async with viewer(Viewing(sample_reel("tongits"))) as (terminal, _):
        for keys, place in (
            (" ", "round 1 of 3 · move 1 of 16"),
            ("n", "round 1 of 3 · move 2 of 16"),
            (RIGHT, "round 1 of 3 · move 3 of 16"),
            (LEFT, "round 1 of 3 · move 2 of 16"),
            ("p", "round 1 of 3 · move 1 of 16"),
            ("]", "round 1 of 3 · move 3 of 16"),
            (DOWN, "round 1 of 3 · move 6 of 16"),
            ("[", "round 1 of 3 · move 3 of 16"),
            (UP, "round 1 of 3 · move 0 of 16"),
            (PAGE_DOWN, "round 2 of 3 · move 0 of 40"),
            (PAGE_UP, "round 1 of 3 · move 0 of 16"),
            (END, "round 3 of 3 · move 47 of 47"),
            (HOME, "round 1 of 3 · move 0 of 16"),
            ("ground 2\r", "round 2 of 3 · move 0 of 40"),
            ("turn 4\r", "round 2 of 3 · move 11 of 40"),
            (":move 1\r", "round 2 of 3 · move 1 of 40"),
        ):
            terminal.type(keys)
            await terminal.sees(place)


async def test_eyes_change_by_key() -> None:
    async with viewer(Viewing(sample_reel("tongits"))) as (terminal, _):
        for keys, eyes in (
            (TAB, "as bot-1"),
            (TAB, "as bot-2"),
            (BACK_TAB, "as bot-1"),
            ("3", "as bot-3"),
            ("0", "all hands open"),
        ):
            terminal.type(keys)
            await terminal.sees(eyes)
        terminal.type("9eyes bot-2\r")  # nobody has the ninth seat
        await terminal.sees("as bot-2")


async def test_a_line_that_means_nothing_is_answered_and_can_be_taken_back() -> None:
    async with viewer(Viewing(sample_reel("tongits"))) as (terminal, task):
        terminal.type("round 7\r")
        await terminal.sees("There is no round 7. The record has 3 rounds.")
        terminal.type("round 2")
        await terminal.sees("go to > round 2")
        terminal.type(CTRL_C)
        await terminal.until(lambda: "go to >" not in terminal.text(), "the line is taken back")
        assert not task.done()
        assert "round 1 of 3 · move 0 of 16" in terminal.text()


async def test_what_was_legal_and_the_help_come_and_go() -> None:
    async with viewer(Viewing(sample_reel("tongits"))) as (terminal, _):
        terminal.type("  l")
        await terminal.sees("▸ discard TH")
        terminal.type("l")
        await terminal.until(lambda: "discard TH" not in terminal.text(), "it is gone")
        terminal.type("?")
        await terminal.sees("one move on")
        terminal.type("q")  # closes the page, and not the program
        await terminal.sees("round 1 of 3 · move 2 of 16")
        terminal.type("L")
        await terminal.sees("what was legal")
        terminal.type(ESC)
        await terminal.sees("round 1 of 3 · move 2 of 16")


async def test_a_hint_comes_and_is_given_up_with_a_step() -> None:
    desk = Viewing(sample_reel("tongits"), Seat(1))
    async with viewer(desk) as (terminal, _):
        terminal.type("  h")
        await terminal.sees("In your place the hard bot would")
        await terminal.sees("deals that fit what you")
        terminal.type("ph")
        await terminal.sees("The bot thinks…")
        terminal.type("nn")
        await terminal.sees("move 3 of 16")
        assert "bot thinks" not in terminal.text()
        terminal.type("h")
        await terminal.sees("It is not bot-2's turn: `eyes bot-3` first.")


async def test_a_bot_thinks_no_more_once_one_steps_on(monkeypatch: pytest.MonkeyPatch) -> None:
    thinking: list[int] = []

    def endless(*about: object) -> Iterator[Thought[str]]:
        try:
            thinking.append(1)
            while True:
                yield Thought("draw")
        finally:
            thinking.clear()

    monkeypatch.setattr(replay_hint, "thoughts", endless)
    async with viewer(Viewing(sample_reel("tongits"), Seat(1))) as (terminal, _):
        terminal.type("h")
        await terminal.until(lambda: thinking, "it thinks")
        await terminal.sees("The bot thinks…")
        terminal.type("n")
        await terminal.until(lambda: not thinking, "it has given up")
        await terminal.sees("move 1 of 16")


async def test_it_runs_by_itself_to_the_end_and_stands_when_a_key_is_pressed() -> None:
    desk = Viewing(sample_reel("tongits"))
    desk.speed = 100
    async with viewer(desk) as (terminal, _):
        terminal.type("a")
        await terminal.until(lambda: desk.at > 3, "it runs")
        terminal.type("n")
        await terminal.until(lambda: not desk.playing, "it stands")
        terminal.type("a")
        await terminal.sees("round 3 of 3 · move 47 of 47")
        await terminal.until(lambda: not desk.playing, "it is over")


@pytest.mark.parametrize(
    ("keys", "code"), [("q", 0), (CTRL_D, 0), ("quit\r", 0), ("gquit\r", 0), (CTRL_C, INTERRUPTED)]
)
async def test_it_is_left(keys: str, code: int) -> None:
    async with viewer(Viewing(sample_reel("onecard"))) as (terminal, task):
        terminal.type(keys)
        assert await asyncio.wait_for(task, 20) == code


async def test_cards_are_shown_in_another_way() -> None:
    async with viewer(Viewing(sample_reel("tienlen"), Seat(1)), 120, 40) as (terminal, _):
        await terminal.sees("╭──╮")
        seen = set()
        for _ in range(3):
            seen.add(terminal.text())
            terminal.type("c")
            await terminal.until(lambda: terminal.text() not in seen, "other cards")
        assert len(seen) == 3


async def test_a_record_that_goes_wrong_says_so_at_first_and_where_it_does() -> None:
    async with viewer(Viewing(reel(WRONG))) as (terminal, _):
        await terminal.sees("it is shown up to there")
        terminal.type(END)
        await terminal.sees("Here it goes wrong: round 1, line 3, ben: draw")


async def test_a_record_of_nothing_but_a_deal_is_shown() -> None:
    async with viewer(Viewing(reel(EMPTY))) as (terminal, task):
        await terminal.sees("move 0 of 0")
        terminal.type("n p a ] [" + PAGE_DOWN + PAGE_UP + END + "l?q")
        await terminal.sees("move 0 of 0")
        assert not task.done()


@pytest.mark.parametrize("size", [(39, 24), (80, 9), (40, 10), (200, 60)])
async def test_any_size_of_window_will_do(size: tuple[int, int]) -> None:
    async with viewer(Viewing(sample_reel("straights")), *size) as (terminal, task):
        terminal.type("nnl?")
        terminal.resize(80, 24)
        terminal.type("\x0c")
        await terminal.sees("one move on")
        assert not task.done()


@pytest.mark.parametrize("game", GAMES)
async def test_what_is_painted_is_the_picture(game: str) -> None:
    desk = Viewing(sample_reel(game))
    async with viewer(desk) as (terminal, _):
        terminal.type(END)
        await terminal.sees("round 3 of 3" if game != "straights" else "round 4 of 4")
        size = Size(80, 24)
        lines = [*desk.picture(size, Look()), desk.keys_line(size, Look())]
        assert terminal.lines() == ["".join(part for _, part in line).rstrip() for line in lines]
