"""Evenings at a real terminal: a newcomer's first five minutes, and a round of each game with completion alone."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.testing.clients import P2PCARDS, homes
from tests.testing.tmux import Tmux, terminal

TABLES = {
    "tongits": (),
    "tienlen": (),
    "straights": (),
    "onecard": ("-n", "3", "-c", "5"),
}
MOVES, TABS = 400, 40
"""More moves than a round takes, and more Tabs than a move."""


@pytest.fixture
def window() -> Iterator[Tmux]:
    with terminal() as opened:
        yield opened


def start(window: Tmux, home: Path, *words: str) -> None:
    """Runs p2pcards with folders of its own."""
    settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in homes(home).items())
    window.type(f"env {settings} {shlex.join([*P2PCARDS, *words])}; echo EXIT=$?")
    window.keys("Enter")


def lines(window: Tmux) -> list[str]:
    """The screen's lines down to the keys, which are the last."""
    text = window.text().rstrip("\n").splitlines()
    while text and not text[-1].strip():
        text.pop()
    return text


def prompt(window: Tmux) -> str:
    """What stands at the prompt."""
    found = [typed for line in reversed(lines(window)) if (typed := re.match(r" (?:\S+ )?>(.*)", line))]
    return found[0][1] if found else ""


def press(window: Tmux, *keys: str) -> None:
    """Presses keys, and waits until something has come of them."""
    before = window.text()
    window.keys(*keys)
    window.until(lambda: window.text() != before, f"something comes of {keys}")


def enter(window: Tmux, text: str) -> None:
    """Types a line and enters it."""
    window.type(text)
    window.until(lambda: prompt(window).strip() == text, f"{text!r} is typed")
    press(window, "Enter")


def chosen(window: Tmux) -> str:
    """The suggestion that was taken last, with its note; empty where none is marked."""
    return next((line.strip() for line in lines(window)[-6:] if line.startswith(" ▸ ")), "")


def offers(window: Tmux) -> list[str]:
    """The first word of each row of the menu."""
    return [line.split()[0] for line in lines(window)[-6:-2] if line.startswith("   ") and line.strip()]


def complete(window: Tmux) -> bool:
    """Whether nothing more is offered than what stands at the prompt."""
    words = prompt(window).split()
    return bool(words) and offers(window) in ([], words[-1:])


def moves(window: Tmux) -> None:
    """One move by Tab, Space and Enter alone, or the answer to the question that the last one led to."""
    if "yes or no?" in window.text():
        enter(window, "y")
        return
    for _ in range(TABS):
        before = window.text()
        window.keys("Tab")
        window.until(lambda: window.text() != before or complete(window), "something is completed")  # noqa: B023 - at once
        if "to go on" in chosen(window):
            press(window, "Space")
        elif chosen(window) or complete(window):
            break
    press(window, "Enter")


def mine(window: Tmux) -> bool:
    """Whether the person is to act, or the round is over."""
    text = window.text()
    return "▸ your turn" in text or "yes or no?" in text or "deal and moves" in text


@pytest.mark.parametrize("game", TABLES)
def test_a_round_of_each_game_with_completion_alone(game: str, window: Tmux, tmp_path: Path) -> None:
    own = ("--interface", "lo", "--nick", "ana", "--port", "0", "--pace", "0", "--rounds", "1")
    start(window, tmp_path, "host", game, *own, *TABLES[game])
    window.sees("is open for others")
    enter(window, "start")
    for _ in range(MOVES):
        window.until(lambda: mine(window), "my turn")
        if "deal and moves" in window.text():
            break
        moves(window)
    assert "✓ deal and moves verified" in window.text()
    enter(window, "quit")
    window.sees("EXIT=0")


def test_the_first_five_minutes_of_a_newcomer(window: Tmux, tmp_path: Path) -> None:
    start(window, tmp_path, "--interface", "lo", "--nick", "ana")
    window.sees("Tables on this network")
    enter(window, "hello")
    window.sees("There is no command hello")
    press(window, "F1")
    window.sees("practise GAME")
    press(window, "Escape")
    window.keys("p", "r", "a", "Tab")
    window.until(lambda: prompt(window) == " practise" and "tongits" in offers(window), "games are offered")
    window.keys("t", "o", "Tab")
    window.until(lambda: prompt(window) == " practise tongits", "the game is completed")
    press(window, "Enter")
    window.sees("Your turn: draw")
    enter(window, "discard #1")
    window.sees("draw")
    assert "╰12╯" in window.text()
    enter(window, "why")
    window.sees("(rule R")
    press(window, "Escape")
    window.keys("d", "r", "Tab")
    window.until(lambda: prompt(window) == " draw", "the word is completed")
    press(window, "Enter")
    window.sees("You drew")
    enter(window, "discard #1")
    window.sees("You discarded")
    enter(window, "hide")
    window.sees("hidden")
    enter(window, "hide")
    window.sees("deadwood")
    enter(window, "rules")
    window.sees("PageDown")
    press(window, "PageDown")
    press(window, "Escape")
    enter(window, "leave")
    window.sees("yes or no?")
    enter(window, "y")
    window.sees("Tables on this network")
    enter(window, "host onecard")
    window.sees("lobby")
    enter(window, "set cards 7")
    window.sees("cards 7")
    enter(window, "set cards 99")
    window.sees("99")
    enter(window, "door code")
    window.sees("who knows these two words can come in")
    enter(window, "start")
    window.sees("round 1")
    press(window, "C-c")
    window.sees("yes or no?")
    press(window, "C-c")
    window.sees("EXIT=130")
    assert not window.alternate()


def test_a_round_in_plain_mode_at_a_terminal(window: Tmux, tmp_path: Path) -> None:
    window.resize(80, 300)  # all that is said stays there to be read
    own = ("--interface", "lo", "--nick", "ana", "--port", "0", "--pace", "0", "--rounds", "1", "--plain")
    start(window, tmp_path, "host", "straights", *own)
    window.sees("is open for others")
    asked = 0

    def answer(line: str) -> list[str]:
        """What is said to a line. A word that is no command ends it: its answer comes behind all of that."""
        nonlocal asked
        asked += 1
        window.type(f"{line}\rend{asked}\r")
        window.sees(f"There is no command end{asked}")
        return window.text().partition(f"command end{asked - 1}")[2].splitlines()[1:]

    answer("start")
    for _ in range(MOVES):
        window.until(lambda: "Your turn" in window.text() or "moves verified" in window.text(), "my turn")
        if "moves verified" in window.text():
            break
        offered = [said.split(":")[0] for said in answer("legal") if re.match(r"(play|discard) \S+: ", said)]
        if offered:
            answer(offered[0])
    window.sees("Round 1: deal and moves verified.")
    window.type("scores\r")
    window.sees("Scores: ")
    window.type("quit\r")
    window.sees("EXIT=0")
    assert not window.alternate()


def test_ctrl_c_in_plain_mode_asks_once_and_leaves_at_the_second(window: Tmux, tmp_path: Path) -> None:
    window.resize(80, 300)  # all that is said stays there to be read
    start(window, tmp_path, "--interface", "lo", "--nick", "ana", "--plain")
    window.sees("You are ana")
    window.type("practise straights\r")
    window.sees("You hold ")
    window.type("pla")
    window.keys("C-c")
    window.sees("yes or no?")
    window.type("no\r")
    window.sees("Not done.")
    window.type("hand\r")
    window.until(lambda: window.text().count("You hold ") > 1, "the game goes on")
    window.keys("C-c")
    window.until(lambda: window.text().count("yes or no?") > 1, "it asks again")
    window.keys("C-c")
    window.sees("EXIT=130")
    assert "You left the table." in window.text()
