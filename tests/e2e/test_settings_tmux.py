"""From the file of settings, and from what was set the last time, to the screen of a running program."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise
from pathlib import Path

from tests.testing.clients import P2PCARDS, homes
from tests.testing.tmux import Tmux, terminal

CONFIG = """
sort = "suit"
cards = "text"
theme = "sea"

[keys]
help = "f6"

[themes.sea]
title = "bold"
based_on = "mono"
"""


def start(window: Tmux, home: Path) -> None:
    settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in homes(home).items())
    window.type(f"clear; env {settings} {shlex.join([*P2PCARDS, '--interface', 'lo'])}; echo EXIT=$?")
    window.keys("Enter")
    window.sees("Tables on this network")


def enter(window: Tmux, line: str, sees: str) -> None:
    window.type(line)
    window.keys("Enter")
    window.sees(sees)


def hand(window: Tmux) -> list[str]:
    """The cards, where they are drawn as text."""
    lines = window.text().splitlines()
    above = next((place for place, line in enumerate(lines) if line.startswith(" #1 ")), 0) - 1
    return re.findall(r"\S[♠♥♦♣]", lines[above]) if above > 0 else []


def quit_(window: Tmux) -> None:
    window.type("quit")
    window.keys("Enter")
    window.until(lambda: "yes or no?" in window.text() or "EXIT=0" in window.text(), "the end")
    if "yes or no?" in window.text():
        window.type("y")
        window.keys("Enter")
    window.sees("EXIT=0")


def test_the_file_of_settings_reaches_the_screen(tmp_path: Path) -> None:
    file = Path(homes(tmp_path)["XDG_CONFIG_HOME"]) / "p2pcards" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(CONFIG)
    with terminal() as window:
        start(window, tmp_path)
        window.sees("F6 help")
        enter(window, "theme", "sea")
        window.keys("Escape")
        enter(window, "practise straights", "round 1")
        window.until(lambda: hand(window), "cards as text")
        suits = [card[1] for card in hand(window)]
        assert len([one for one, other in pairwise(suits) if one != other]) < 4
        quit_(window)


def test_what_was_set_last_is_there_the_next_time(tmp_path: Path) -> None:
    with terminal() as window:
        start(window, tmp_path)
        enter(window, "cardmode text", "Cards")
        enter(window, "coach off", "The coach is off")
        quit_(window)
        start(window, tmp_path)
        enter(window, "coach", "The coach is off")
        enter(window, "practise straights", "round 1")
        window.until(lambda: hand(window), "cards as text")
        quit_(window)
