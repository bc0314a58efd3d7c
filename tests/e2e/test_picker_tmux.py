"""A round at a real terminal by somebody who never types: arrows, Enter, Space and two keys with names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.test_evening_tmux import MOVES, lines, mine, start
from tests.testing.tmux import Tmux, terminal

_CARD = re.compile(r"╰(?:#\d|\d\d|▴▴)╯")


@pytest.fixture
def window() -> Iterator[Tmux]:
    with terminal() as opened:
        yield opened


def press(window: Tmux, key: str, seen: str) -> None:
    """Presses the key, and waits until that stands on the last line or before a chosen one."""
    window.keys(key)
    window.until(lambda: seen in "\n".join(lines(window)[-7:]), f"{seen} after {key}")


def over(window: Tmux) -> bool:
    """Whether the round is over."""
    return "deal and moves" in window.text()


def play_a_card(window: Tmux) -> None:
    """Plays the first single card that may be played, else none; the picture may be one from before a bot's move."""
    before = window.text()
    for _ in range(len(_CARD.findall(before))):
        window.keys("Up")
        window.until(lambda: "Esc lower" in lines(window)[-1] or over(window), "a card raised")
        if over(window):
            return
        if "Enter play" in lines(window)[-1]:
            window.keys("Enter")
            break
        window.keys("Down")
        window.until(lambda: "Esc type" in lines(window)[-1] or over(window), "it lies again")
        window.keys("Right")
    else:
        window.keys("Space")
    window.until(lambda: over(window) or (window.text() != before and "Esc type" in lines(window)[-1]), "it is played")


def test_a_round_is_played_without_a_letter(window: Tmux, tmp_path: Path) -> None:
    own = ("--interface", "lo", "--nick", "ana", "--port", "0", "--pace", "0", "--rounds", "1")
    start(window, tmp_path, "host", "tienlen", *own)
    window.sees("is open for others")
    press(window, "F5", "Esc type")
    press(window, "Down", "▸ start")
    window.keys("Enter")
    window.sees("▾▾")
    for _ in range(MOVES):
        window.until(lambda: mine(window), "my turn")
        if over(window):
            break
        play_a_card(window)
    window.sees("✓ deal and moves verified")
    if "Esc back" in lines(window)[-1]:  # a key meant for the cards came when the round was over, and chose
        window.keys("Escape")
    window.sees("Space again")
    for question in ("Leave the table", "Leave p2pcards"):
        window.keys("C-d")
        window.sees(question)
        press(window, "Down", "▸ yes")
        window.keys("Enter")
    window.sees("EXIT=0")
