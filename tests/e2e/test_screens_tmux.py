"""What needs a real terminal: its settings, signals, suspending, sizes from the kernel."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.testing.require import require
from tests.testing.tmux import DEADLINE, Tmux, terminal

ROOT = Path(__file__).parents[2]


@pytest.fixture
def window() -> Iterator[Tmux]:
    require(sys.platform == "linux", "terminal settings and processes are asked for as Linux has them")
    with terminal() as opened:
        opened.until(lambda: opened.text().strip(), "a shell")
        yield opened


@pytest.fixture
def code(tmp_path: Path) -> Path:
    return tmp_path / "code"


def start(window: Tmux, code: Path, *more: str) -> str:
    """Starts the program and returns the terminal's settings from before."""
    before = window.settings()
    words = ["cd", str(ROOT), "&&", sys.executable, "-m", "tests.testing.screens_alone", "3", str(code), *more]
    window.type(" ".join(words) + "; echo EXIT=$?")
    window.keys("Enter")
    return before


def playing(window: Tmux, code: Path) -> str:
    before = start(window, code)
    window.sees("deadwood")
    return before


def pid(code: Path) -> int:
    """The program's, found by its code file."""
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:  # it has ended meanwhile
                continue
            if b"tests.testing.screens_alone" in words and str(code).encode() in words:
                return int(process.name)
    raise AssertionError("no such process")


def ended(window: Tmux, told: int, before: str) -> None:
    """The shell is back, on the screen as it was, with the terminal as it was."""
    window.sees(f"EXIT={told}")
    assert not window.alternate()
    assert window.settings() == before


def test_a_turn_is_played_and_quit_leaves_the_terminal_as_it_was(window: Tmux, code: Path) -> None:
    before = playing(window, code)
    assert window.alternate()
    window.type("dr")
    window.keys("Tab", "Enter")
    window.sees("You drew")
    window.type("discard ")
    window.sees("1 point")
    window.keys("Tab", "Enter", "F4")
    window.sees("You discarded A♠.")
    window.type("quit")
    window.keys("Enter")
    window.sees("yes or no?")
    window.type("y")
    window.keys("Enter")
    ended(window, 0, before)


def test_ctrl_c_twice_ends_it(window: Tmux, code: Path) -> None:
    before = playing(window, code)
    window.type("half a line")
    window.keys("C-c")
    window.until(lambda: "half a line" not in window.text(), "an empty line")
    window.keys("C-c")
    window.sees("Ctrl-C again")
    window.keys("C-c")
    ended(window, 130, before)


@pytest.mark.parametrize(("number", "told"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_signals_end_it_politely(window: Tmux, code: Path, number: signal.Signals, told: int) -> None:
    before = playing(window, code)
    os.kill(pid(code), number)
    ended(window, told, before)


def test_an_interrupt_from_outside_is_ctrl_c(window: Tmux, code: Path) -> None:
    before = playing(window, code)
    os.kill(pid(code), signal.SIGINT)
    window.sees("Ctrl-C again")
    os.kill(pid(code), signal.SIGINT)
    ended(window, 130, before)


def test_a_closed_terminal_ends_it(window: Tmux, code: Path) -> None:
    playing(window, code)
    window.close_window()
    end = time.monotonic() + DEADLINE
    while not code.exists() or not code.read_text():
        assert time.monotonic() < end, "it goes on without a terminal"
        time.sleep(0.05)
    assert code.read_text() == "129"


def test_suspended_and_back(window: Tmux, code: Path) -> None:
    before = playing(window, code)
    window.type("discard")
    window.sees("> discard")
    window.keys("C-z")
    window.until(lambda: not window.alternate(), "the shell")
    assert "icanon" in window.settings()
    window.type("fg")
    window.keys("Enter")
    window.until(window.alternate, "the screen")
    window.sees("> discard")
    window.keys("C-c", "C-c", "C-c")
    window.until(lambda: code.exists() and code.read_text() == "130", "its exit code")
    window.until(lambda: not window.alternate(), "the shell again")
    assert window.settings() == before


def test_a_storm_of_sizes(window: Tmux, code: Path) -> None:
    before = playing(window, code)
    for cols, rows in ((1, 1), (200, 50), (39, 9), (10, 40), (120, 40), (40, 10)):
        window.resize(cols, rows)
    window.resize(80, 24)
    window.sees("deadwood")
    window.type("draw")
    window.keys("Enter")
    window.sees("You drew")
    window.keys("C-c", "C-c")
    ended(window, 130, before)


def test_the_prompt_stays_after_a_line_longer_than_the_screen(window: Tmux, code: Path) -> None:
    before = playing(window, code)
    window.type("x" * 100)
    window.until(lambda: window.text().splitlines()[-2].startswith(" > xxx"), "the prompt before a long line")
    window.keys("Enter")
    window.sees("There is no command")
    window.until(lambda: window.text().splitlines()[-2].rstrip() == " >", "an empty prompt")
    window.type("draw")
    window.until(lambda: window.text().splitlines()[-2].rstrip() == " > draw", "the line behind the prompt")
    window.keys("C-c", "C-c", "C-c")
    ended(window, 130, before)


def test_what_fails_for_good_puts_the_terminal_back_and_says_why(window: Tmux, code: Path) -> None:
    before = start(window, code, "break")
    window.sees("could not start: broken on purpose")
    ended(window, 1, before)


def test_straights_is_played_at_every_size(window: Tmux, code: Path) -> None:
    before = start(window, code, "straights")
    window.sees("of a match to 80")
    for cols, rows in ((1, 1), (200, 50), (120, 40), (60, 20), (40, 10)):
        window.resize(cols, rows)
    window.sees("♠")
    window.resize(80, 24)
    window.sees("can play")
    window.type("6d")
    window.keys("Enter", "F4")
    window.sees("You played 6♦.")
    window.keys("C-c", "C-c")
    ended(window, 130, before)
