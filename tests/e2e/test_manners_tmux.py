"""Manners at a real terminal: stopped and back, pastes, sizes, kinds of terminals, faults, and what is left behind."""

from __future__ import annotations

import os
import re
import shlex
import signal
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.testing.clients import P2PCARDS, homes, local
from tests.testing.faulty import FAULTS
from tests.testing.require import require
from tests.testing.tmux import Tmux, terminal

ROOT = Path(__file__).parents[2]
ENDS = {"painting"}
"""Faults with which nothing can go on."""


@pytest.fixture
def window() -> Iterator[Tmux]:
    require(sys.platform == "linux", "terminal settings and processes are asked for as Linux has them")
    with terminal() as opened:
        opened.until(lambda: opened.text().strip(), "a shell")
        opened.type(f"cd {shlex.quote(str(ROOT))}")
        opened.keys("Enter")
        yield opened


@pytest.fixture
def code(tmp_path: Path) -> Path:
    return tmp_path / "code"


def run(window: Tmux, *words: str, before: str = "") -> None:
    window.type(f"{before}{shlex.join(words)}; echo EXIT=$?")
    window.keys("Enter")


def playing(window: Tmux, code: Path, before: str = "") -> str:
    """The screens over a fake node; gives the terminal's settings from before."""
    settings = window.settings()
    run(window, sys.executable, "-m", "tests.testing.screens_alone", "3", str(code), before=before)
    window.sees("deadwood")
    return settings


def process(code: Path) -> Path:
    """The program's folder in /proc, found by its code file."""
    for found in Path("/proc").iterdir():
        try:
            if found.name.isdigit() and str(code).encode() in (found / "cmdline").read_bytes().split(b"\0"):
                return found
        except OSError:  # it has ended meanwhile
            continue
    raise AssertionError("no such process")


def state(found: Path) -> str:
    """T while it is stopped."""
    return (found / "stat").read_text().rpartition(")")[2].split()[0]


def whole(window: Tmux) -> None:
    """The picture is what a fresh paint makes of it; nothing may change it meanwhile."""
    seen = window.text()
    window.keys("C-l")
    window.type("#")
    window.until(lambda: "#" in window.text().splitlines()[-2], "the key behind it")
    window.keys("BSpace")
    window.until(lambda: window.text() == seen, f"the same picture as\n{seen}")


def leave(window: Tmux, told: int = 130) -> None:
    window.keys("C-c", "C-c", "C-c")
    window.sees(f"EXIT={told}")


def typed(window: Tmux) -> str:
    return "".join(window.text().splitlines()[-2:][:1]).strip()


# ---- stopped and back


def test_the_shell_is_usable_while_it_is_stopped_and_the_screen_whole_when_back(window: Tmux, code: Path) -> None:
    playing(window, code)
    found = process(code)
    window.type("dr")
    window.until(lambda: typed(window) == "> dr", "a line begun")
    window.keys("C-z")
    window.until(lambda: state(found) == "T" and not window.alternate(), "stopped")
    window.sees("p2pcards is stopped: `fg` brings it back")
    window.type("echo out''put")
    window.keys("Enter")
    window.sees("output")
    window.resize(100, 30)
    window.type("fg")
    window.keys("Enter")
    window.sees("deadwood")
    window.until(lambda: typed(window) == "> dr", "the line begun")
    assert "output" not in window.text()
    assert len(window.text().splitlines()) == 30
    whole(window)
    window.keys("Tab", "Enter")
    window.sees("You drew")


def test_stopped_and_woken_from_outside_it_paints_over_what_the_shell_wrote(window: Tmux, code: Path) -> None:
    playing(window, code)
    found = process(code)
    os.kill(int(found.name), signal.SIGSTOP)
    window.sees("Stopped")
    window.type("stty sane; echo gar''bage")
    window.keys("C-j")  # it left the terminal raw
    window.sees("garbage")
    window.type("fg")
    window.keys("Enter")
    window.until(lambda: "garbage" not in window.text() and "deadwood" in window.text(), "the whole screen")
    assert "-icanon" in window.settings()
    whole(window)


def test_woken_where_nobody_noticed_it_goes_on(window: Tmux, code: Path) -> None:
    playing(window, code, before="set +m; ")
    number = int(process(code).name)
    os.kill(number, signal.SIGSTOP)
    window.resize(90, 26)
    os.kill(number, signal.SIGCONT)
    window.until(lambda: len(window.text().splitlines()) == 26 and typed(window) == ">", "the new size")
    whole(window)


def test_stopped_by_a_signal_it_leaves_the_screen_too(window: Tmux, code: Path) -> None:
    playing(window, code)
    os.kill(int(process(code).name), signal.SIGTSTP)
    window.until(lambda: not window.alternate(), "the shell")
    assert "icanon" in window.settings()
    window.type("fg")
    window.keys("Enter")
    window.sees("deadwood")
    whole(window)


def test_in_the_background_it_goes_on_without_its_screen_until_it_is_brought_back(window: Tmux, code: Path) -> None:
    before = playing(window, code)
    found = process(code)
    window.keys("C-z")
    window.until(lambda: state(found) == "T", "stopped")
    window.type("bg")
    window.keys("Enter")
    window.until(lambda: state(found) != "T", "going on")
    assert not window.alternate()
    window.type("fg")
    window.keys("Enter")
    window.sees("deadwood")
    whole(window)
    window.keys("C-c", "C-c")
    window.until(lambda: code.exists() and code.read_text() == "130", "its exit code")
    window.until(lambda: not window.alternate(), "the shell again")
    assert window.settings() == before


def test_ended_while_it_is_stopped_it_leaves_the_terminal_to_the_shell(window: Tmux, code: Path) -> None:
    before = playing(window, code)
    found = process(code)
    window.keys("C-z")
    window.until(lambda: state(found) == "T", "stopped")
    window.type("kill %1; kill -CONT %1")
    window.keys("Enter")
    window.until(lambda: code.exists() and code.read_text() == "143", "its exit code")
    window.until(lambda: not found.exists() or state(found) == "Z", "its end")
    window.type("echo sh''ell")
    window.keys("Enter")
    window.sees("shell")
    assert not window.alternate()
    assert window.settings() == before


def test_where_no_shell_could_bring_it_back_it_says_so_and_stays(window: Tmux, code: Path) -> None:
    window.type(f"exec {sys.executable} -m tests.testing.screens_alone 3 {code}")
    window.keys("Enter")
    window.sees("deadwood")
    window.type("dr")
    window.keys("C-z")
    window.sees("p2pcards can't be stopped here")
    window.until(lambda: window.alternate() and typed(window) == "> dr", "the screen")
    assert "is stopped" not in window.behind()
    window.type("aw")
    window.keys("Enter")
    window.sees("You drew")


# ---- pastes, sizes, terminals


def test_a_pasted_block_becomes_one_line_and_plays_nothing(window: Tmux, code: Path) -> None:
    playing(window, code)
    window.paste("draw\ndiscard\t7H\n\x1b[31mred\x07\n", bracketed=True)
    names = re.compile(r"\^\[\[31m|\^G")  # a tmux of 3.6 and later pastes these for control characters
    window.until(lambda: names.sub("", typed(window)) == "> draw discard 7H red", "one line")
    window.keys("C-c")
    window.paste("draw\n" * 2000, bracketed=False)
    window.until(lambda: typed(window).endswith("draw draw draw"), "one line")
    assert "You drew" not in window.text()


def test_a_storm_of_sizes_leaves_the_log_empty(window: Tmux, tmp_path: Path) -> None:
    settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in homes(tmp_path).items())
    run(window, *P2PCARDS, "practise", "onecard", before=f"env {settings} ")
    window.until(lambda: typed(window) == ">", "the prompt")
    for turn in range(8):
        for cols, rows in ((1, 1), (300, 100), (2, 40), (39, 9), (40, 10), (120 + turn, 3), (200, 60)):
            window.resize(cols, rows)
        window.resize(39, 9)
        window.sees("40x10")
    window.resize(80, 24)
    window.until(lambda: len(window.text().splitlines()) == 24 and typed(window) == ">", "the last size")
    window.type("turn")
    window.keys("Enter")
    window.until(lambda: typed(window) == ">", "an answer")
    leave(window)
    logs = [file for file in tmp_path.rglob("*.log") if file.read_text()]
    assert not logs, logs[0].read_text()


@pytest.mark.parametrize("term", ["screen", "screen-256color", "tmux-256color", "linux", "vt100", "xterm", "ansi"])
def test_every_kind_of_terminal_is_played_on_and_left_clean(window: Tmux, code: Path, term: str) -> None:
    before = playing(window, code, before=f"TERM={term} ")
    window.type("draw")
    window.keys("Enter")
    window.sees("You drew")
    leave(window)
    assert not window.alternate()
    assert window.settings() == before


def test_nothing_of_the_game_stays_in_the_scrollback(window: Tmux, code: Path) -> None:
    window.type("seq 1 60")
    window.keys("Enter")
    window.sees("60")
    before = playing(window, code)
    for keys in ("F1", "Escape", "C-l", "F4", "C-l"):
        window.keys(keys)
    window.resize(60, 20)
    window.resize(80, 24)
    window.keys("C-z")
    window.until(lambda: not window.alternate(), "the shell")
    window.type("fg")
    window.keys("Enter")
    window.until(window.alternate, "the screen")
    window.keys("Escape")
    window.sees("deadwood")
    window.keys("C-c", "C-c")
    window.until(lambda: not window.alternate(), "the shell")
    window.until(lambda: window.settings() == before, "its settings")
    history = window.history()
    numbers = [line for line in history.splitlines() if line.isdigit()]
    assert numbers == [str(number) for number in range(1, 61)]
    assert "deadwood" not in history
    assert "Tong-its" not in history


# ---- faults and the end


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_a_fault_anywhere_names_the_log(window: Tmux, tmp_path: Path, fault: str) -> None:
    log = tmp_path / "log"
    window.resize(160, 40)
    window.until(lambda: "columns 160" in window.settings(), "the size")
    before = window.settings()
    run(window, sys.executable, "-m", "tests.testing.faulty", fault, str(log))
    window.sees("deadwood")
    window.type("draw")
    window.keys("Enter", "Tab")
    if fault in ENDS:
        window.sees("it had to end")
        window.sees("EXIT=1")
        assert not window.alternate()
        assert window.settings() == before
    else:
        window.sees("Something went wrong")
        window.keys("C-c")
        window.type("quit")
        window.keys("Enter")
        window.type("y")
        window.keys("Enter")
        window.sees("EXIT=0")
    assert str(log) in window.history().replace("\n", "") or fault not in ENDS
    assert "Boom" in log.read_text()


def test_killed_it_leaves_the_terminal_to_reset(window: Tmux, code: Path) -> None:
    playing(window, code)
    os.kill(int(process(code).name), signal.SIGKILL)
    window.sees("EXIT=137")
    window.type("tput rmcup; stty sane")
    window.keys("C-j")
    window.until(lambda: not window.alternate() and "-icanon" not in window.settings(), "a terminal")


def test_a_host_that_was_stopped_is_told_whose_table_it_is_now(window: Tmux, tmp_path: Path) -> None:
    title = f"t{uuid.uuid4().hex[:8]}"
    mine = ("--interface", "lo", "--nick")
    folders = " ".join(f"{name}={shlex.quote(value)}" for name, value in homes(tmp_path / "ana").items())
    run(window, *P2PCARDS, "host", "tongits", "--name", title, *mine, "ana", before=f"env {folders} ")
    window.sees("is open for others")
    with local(tmp_path) as start:
        headless = ("join", title, "--headless", "--json", "--bot", "easy", *mine)
        ben, cy = (start(*headless, nick, home=tmp_path / nick) for nick in ("ben", "cy"))
        for client in (ben, cy):
            client.hear("seated")
        window.sees("safe ✓")  # both have a vote
        window.type("start")
        window.keys("Enter")
        window.sees("deadwood")
        window.keys("C-z")
        window.until(lambda: not window.alternate(), "the shell")
        window.sees("may find another host")
        cy.hear("host", term=2)
        window.type("fg")
        window.keys("Enter")
        window.until(lambda: re.search(r"host (ben|cy)", window.text()), "the host now")
        window.until(lambda: "deadwood" in window.text(), "my hand")
        window.sees("your turn")  # from here on all wait for me, so nothing but a fresh paint changes the picture
        whole(window)
