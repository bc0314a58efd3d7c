"""A record looked at in a real terminal: stepped, jumped, seen through other eyes, stopped and left as it was found."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.testing.clients import P2PCARDS, homes
from tests.testing.replays import WRONG
from tests.testing.require import require
from tests.testing.samples import record_file
from tests.testing.tmux import Tmux, terminal

ROOT = Path(__file__).parents[2]


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Tmux]:
    require(sys.platform == "linux", "terminal settings are asked for as Linux has them")
    with terminal() as opened:
        opened.until(lambda: opened.text().strip(), "a shell")
        own = " ".join(f"{name}={shlex.quote(value)}" for name, value in homes(tmp_path).items())
        opened.type(f"cd {shlex.quote(str(ROOT))}; export {own}; clear")
        opened.keys("Enter")
        yield opened


def run(window: Tmux, *words: str) -> None:
    window.type(f"{shlex.join((*P2PCARDS, 'replay', *words))}; echo EXIT=$?")
    window.keys("Enter")


def test_a_record_is_stepped_through_and_the_terminal_is_as_it_was(window: Tmux) -> None:
    settings = window.settings()
    run(window, str(record_file("tongits")))
    window.sees("round 1 of 3 · move 0 of 16")
    assert window.alternate()
    window.keys("Space", "Right", "n")
    window.sees("move 3 of 16")
    window.keys("Left")
    window.sees("move 2 of 16")
    window.keys("PageDown")
    window.sees("round 2 of 3 · move 0 of 40")
    window.type("move 14")
    window.sees("go to > move 14")
    window.keys("Enter")
    window.sees("round 2 of 3 · move 14 of 40")
    window.keys("Tab", "Tab")
    window.sees("as bot-2")
    window.keys("C-z")
    window.until(lambda: not window.alternate(), "stopped")
    window.sees("p2pcards is stopped")
    window.resize(100, 30)
    window.type("fg; echo EXIT=$?")
    window.keys("Enter")
    window.sees("round 2 of 3 · move 14 of 40")
    assert len(window.text().splitlines()) == 30
    window.keys("End")
    window.sees("round 3 of 3 · move 47 of 47")
    window.keys("q")
    window.sees("EXIT=0")
    assert not window.alternate()
    assert window.settings() == settings.replace("rows 24; columns 80", "rows 30; columns 100")


def test_ctrl_c_leaves_it_with_its_code(window: Tmux) -> None:
    settings = window.settings()
    run(window, str(record_file("straights")), "--ascii", "--no-color", "--eyes", "bot-1")
    window.sees("round 1 of 4")
    window.keys("C-c")
    window.sees("EXIT=130")
    assert window.settings() == settings


def test_a_wrong_record_is_shown_so_far_and_what_is_wrong_stands_behind_it(window: Tmux, tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(WRONG)
    run(window, str(file))
    window.sees("it is shown up to there")
    window.keys("q")
    window.sees("EXIT=1")
    assert "round 1, line 3, ben: draw: " in window.text()


def test_in_lines_it_answers_what_is_typed(window: Tmux) -> None:
    run(window, str(record_file("tongits")), "--plain")
    window.sees("bot-2 is to act.")
    assert not window.alternate()
    window.keys("Enter")
    window.sees("bot-2 drew the queen of hearts.")
    window.type("round 3")
    window.keys("Enter")
    window.sees("Round 3 of 3, move 0 of 47.")
    window.type("quit")
    window.keys("Enter")
    window.sees("EXIT=0")


def test_settings_that_cannot_be_read_keep_nobody_from_looking(window: Tmux, tmp_path: Path) -> None:
    settings = tmp_path / "config" / "p2pcards" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("theme = [")
    run(window, str(record_file("tongits")))
    window.sees("round 1 of 3 · move 0 of 16")
    window.keys("q")
    window.sees("EXIT=0")
    assert "Soitlooksasusual." in "".join(window.text().split())  # the name of the file may break the line anywhere


def test_settings_are_those_of_the_program(window: Tmux, tmp_path: Path) -> None:
    settings = tmp_path / "config" / "p2pcards" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('cards = "ascii"\naces = "1"\n')
    run(window, str(record_file("tongits")))
    window.sees("▸ bot-2 1S 2C")
    window.keys("q")
    window.sees("EXIT=0")
