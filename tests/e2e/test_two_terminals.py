"""Two people at two terminals of one machine: one opens a table, one joins, a bot sits with them, a round is played."""

from __future__ import annotations

import shlex
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.testing.clients import P2PCARDS, homes
from tests.testing.tmux import Tmux, terminal

MOVES = 400
"""More key presses than a round of two people ever takes."""


def command(home: Path, *words: str) -> str:
    """A shell line that runs p2pcards with folders of its own, on loopback only."""
    settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in homes(home).items())
    return f"env {settings} {shlex.join([*P2PCARDS, *words])}; echo EXIT=$?"


@pytest.fixture
def windows(tmp_path: Path) -> Iterator[tuple[Tmux, Tmux, str]]:
    """ana's terminal with an open table, ben's with the table joined, and its title."""
    title = f"t{uuid.uuid4().hex[:8]}"
    with ExitStack() as stack:
        ana, ben = stack.enter_context(terminal(80, 24)), stack.enter_context(terminal(120, 40))
        own = ("--interface", "lo", "--nick")
        ana.type(command(tmp_path, "host", "tongits", "--name", title, "--rounds", "1", "--pace", "0", *own, "ana"))
        ana.keys("Enter")
        ana.sees("is open for others")
        ben.type(command(tmp_path, *own, "ben"))
        ben.keys("Enter")
        ben.sees(title)
        ben.type(f"join {title[:5]}")
        ben.sees("2 seats free")
        ben.keys("Tab", "Enter")
        ben.sees("You are in seat 2.")
        yield ana, ben, title


def typed(window: Tmux) -> str:
    """What stands at the prompt."""
    return next(line[2:].strip() for line in reversed(window.text().splitlines()) if line.startswith(" >"))


def enter(window: Tmux, text: str, *keys: str) -> None:
    """Types the text, then the keys, then Enter; each is on the screen, or gone from it, before the next step."""
    if text:
        window.type(text)
        window.until(lambda: typed(window) == text, f"{text!r} is typed")
    if keys:
        window.keys(*keys)
        window.until(lambda: typed(window) not in ("", text), "the suggestion is taken")
    window.keys("Enter")
    window.until(lambda: not typed(window), "the line is run")


def act(window: Tmux) -> bool:
    """One step of whoever is to act, by accepting suggestions; False when it isn't this window's turn."""
    offers = [line.split()[0] for line in window.text().splitlines() if line.startswith("   ") and line.strip()]
    if "yes or no?" in window.text():
        enter(window, "y")
    elif "discard" in offers:
        enter(window, "dis", "Tab", "Tab")
    elif "draw" in offers or "challenge" in offers:
        enter(window, "", "Tab")
    else:
        return False
    return True


def changed(before: tuple[str, str], ana: Tmux, ben: Tmux) -> None:
    """Waits until something has happened on one of the screens."""
    ana.until(lambda: (ana.text(), ben.text()) != before, "somebody's turn")


def test_a_round_is_played_through_completion(windows: tuple[Tmux, Tmux, str], tmp_path: Path) -> None:
    ana, ben, title = windows
    ana.sees("ben")
    ana.type("start")
    ana.keys("Enter")
    ben.sees("deadwood")
    for _ in range(MOVES):
        before = ana.text(), ben.text()
        if "verified" in before[0] and "verified" in before[1]:
            break
        if not (act(ana) or act(ben)):
            changed(before, ana, ben)
    else:
        raise AssertionError(f"no end of the round\n{ana.text()}\n{ben.text()}")
    assert title in ana.text()
    ana.type("quit")
    ana.keys("Enter")
    ana.sees("The table goes on, and ben will host it")
    ana.type("y")
    ana.keys("Enter")
    ana.sees("EXIT=0")
    ben.sees("host you")
    ben.type("leave")
    ben.keys("Enter")
    ben.sees("Tables on this network")
    ben.keys("C-d", "C-d")
    ben.sees("EXIT=0")
    assert not ana.alternate()
    assert not ben.alternate()


def test_the_table_of_a_closed_terminal_goes_on_until_the_last_one_leaves(windows: tuple[Tmux, Tmux, str]) -> None:
    ana, ben, title = windows
    ana.sees("ben")
    ana.close_window()
    ben.sees("host you")
    assert title in ben.text()
    ben.type("leave")
    ben.keys("Enter")
    ben.sees("the table closes for everybody")
    ben.type("y")
    ben.keys("Enter")
    ben.sees("Tables on this network")
    ben.until(lambda: f"{title}   " not in ben.text(), "the row is gone")
