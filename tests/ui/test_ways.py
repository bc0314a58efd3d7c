"""How somebody is reached: which terminals show a notice, what is started, what comes of it when nothing can be."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from unittest.mock import Mock

import pytest

from p2pcards.ui.faults import Faults
from p2pcards.ui.ways import Lack, Starter, Ways, notifier, sequence

TEXT = "Your turn (Tong-its)."
OSC_9 = f"\x1b]9;p2pcards: {TEXT}\x1b\\"
OSC_777 = f"\x1b]777;notify;p2pcards;{TEXT}\x1b\\"


class Started:
    """Remembers what was to be started."""

    def __init__(self) -> None:
        self.words: list[tuple[str, ...]] = []

    def __call__(self, words: Sequence[str]) -> None:
        self.words.append(tuple(words))


def shown(environ: Mapping[str, str], text: str = TEXT) -> str | None:
    made = sequence(environ)
    return None if made is None else made(text)


@pytest.mark.parametrize(
    "environ",
    [
        {"TERM": "xterm-kitty"},
        {"TERM": "xterm-ghostty"},
        {"TERM": "wezterm"},
        {"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"},
        {"TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"},
        {"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"},
    ],
)
def test_terminals_that_show_the_text_behind_9_get_it(environ: dict[str, str]) -> None:
    assert shown(environ) == OSC_9


@pytest.mark.parametrize("term", ["foot", "foot-extra", "rxvt-unicode-256color"])
def test_terminals_that_know_777_get_title_and_text(term: str) -> None:
    assert shown({"TERM": term}) == OSC_777
    assert shown({"TERM": term}, "a;b") == "\x1b]777;notify;p2pcards;a,b\x1b\\"


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"TERM": "xterm-256color"},
        {"TERM": "linux", "LC_TERMINAL": "iTerm2"},
        {"TERM": "dumb", "TERM_PROGRAM": "ghostty"},
        {"TERM": "screen-256color", "LC_TERMINAL": "iTerm2"},
        {"TERM": "tmux-256color", "TERM_PROGRAM": "WezTerm"},
        {"TERM": "xterm-kitty", "TMUX": "/tmp/tmux-0/default,1,0"},  # noqa: S108 - as tmux says it
        {"TERM": "xterm-kitty", "STY": "1.pts-0"},
    ],
)
def test_other_terminals_get_nothing_nor_do_those_behind_tmux_and_screen(environ: dict[str, str]) -> None:
    assert shown(environ) is None


def test_notify_send_needs_itself_and_a_display(tmp_path: Path) -> None:
    program = tmp_path / "notify-send"
    program.write_text("")
    program.chmod(0o755)
    path = {"PATH": str(tmp_path)}
    assert notifier({**path, "DISPLAY": ":0"}) == str(program)
    assert notifier({**path, "WAYLAND_DISPLAY": "wayland-0"}) == str(program)
    assert notifier(path) == ""
    assert notifier({"PATH": str(tmp_path / "none"), "DISPLAY": ":0"}) == ""


def test_a_notice_goes_one_way_only(tmp_path: Path) -> None:
    program = tmp_path / "notify-send"
    program.write_text("")
    program.chmod(0o755)
    environ = {"PATH": str(tmp_path), "DISPLAY": ":0", "TERM": "xterm-kitty"}
    written: list[str] = []
    started = Started()
    Ways(write=written.append, environ=environ, start=started).notice(TEXT)
    assert (written, started.words) == ([OSC_9], [])
    Ways(environ=environ, start=started).notice(TEXT)  # nothing is written where there is no terminal
    assert (written, started.words) == ([OSC_9], [(str(program), "--app-name=p2pcards", "--", TEXT)])


def test_nothing_that_a_terminal_obeys_stands_in_a_notice() -> None:
    written: list[str] = []
    Ways(write=written.append, environ={"TERM": "foot"}).notice("a\x1b]0;b\x07\n\u202ec\x9c")
    assert written == ["\x1b]777;notify;p2pcards;a]0,b c\x1b\\"]


def test_the_sound_is_split_as_a_shell_would_and_no_shell_runs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ana")
    started = Started()
    Ways(command="play -q '~/my ding.oga' ~/ding.oga; rm *", start=started).sound()
    assert started.words == [("play", "-q", "/home/ana/my ding.oga", "/home/ana/ding.oga;", "rm", "*")]


def test_what_leads_nowhere_says_why() -> None:
    nothing = Ways(environ={})
    assert nothing.lacking == {
        "bell": Lack.NO_TERMINAL,
        "title": Lack.NO_TITLE,
        "notice": Lack.NO_NOTICE,
        "sound": Lack.NO_COMMAND,
    }
    nothing.ring()
    nothing.notice(TEXT)
    nothing.sound()
    assert Ways(command="play 'ding", environ={}).lacking["sound"] is Lack.BAD_COMMAND
    everything = Ways(ring=lambda: None, titled=True, write=lambda text: None, command="true", environ={"TERM": "foot"})
    assert everything.lacking == {}


def test_a_program_is_started_on_its_own_and_leaves_no_zombie(tmp_path: Path) -> None:
    told = tmp_path / "told"
    code = f"import os; open({str(told)!r}, 'w').write(f'{{os.getpid()}} {{os.getsid(0)}} {{os.isatty(0)}}')"
    starter = Starter()
    starter((sys.executable, "-c", code))
    assert starter._thread is not None
    starter._thread.join(30)
    pid, session, terminal = told.read_text().split()
    assert (session, terminal) == (pid, "False")
    with pytest.raises(ProcessLookupError):  # a zombie would still be there
        os.kill(int(pid), 0)


def test_a_program_that_still_runs_is_not_started_again(tmp_path: Path) -> None:
    marks, gate = tmp_path / "marks", tmp_path / "gate"
    os.mkfifo(gate)
    starter = Starter()
    line = ("sh", "-c", f"echo x >> {marks}; read line < {gate}")
    starter(line)
    running = starter._thread
    with gate.open("w") as open_gate:  # waits until it reads, so it runs
        starter(line)
        assert starter._thread is running
        open_gate.write("go\n")
    assert running is not None
    running.join(30)
    assert marks.read_text() == "x\n"


@pytest.mark.parametrize("words", [("/nowhere/player",), ("",), ("bad\0word",)])
def test_what_can_t_be_started_is_passed_over_in_silence(
    words: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    starter = Starter()
    starter(words)
    assert starter._thread is not None
    starter._thread.join(30)
    assert capfd.readouterr() == ("", "")


async def test_a_notice_that_goes_wrong_is_told_and_the_next_one_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = tmp_path / "shown"
    notifier = tmp_path / "notify-send"
    notifier.write_text(f'#!/bin/sh\necho "$3" >> {shown}\nexit 1\n')
    notifier.chmod(0o755)
    ways = Ways(environ={"DISPLAY": ":0", "PATH": str(tmp_path)})
    told: asyncio.Queue[str] = asyncio.Queue()
    with Faults(told.put_nowait).watched(asyncio.get_running_loop()):
        with monkeypatch.context() as broken:
            broken.setattr(subprocess, "Popen", Mock(side_effect=ZeroDivisionError))
            ways.notice("one")
            await asyncio.wait_for(told.get(), 20)
            started = ways._start_notice
            assert isinstance(started, Starter)
            assert started._thread is not None
            started._thread.join(20)
        ways.notice("two")
        started._thread.join(20)
    assert shown.read_text() == "two\n"
    assert told.empty(), "that it fails says nothing"


def test_the_program_ends_while_the_sound_still_plays(tmp_path: Path) -> None:
    up, gate = tmp_path / "up", tmp_path / "gate"
    os.mkfifo(up)
    os.mkfifo(gate)
    command = f"sh -c 'echo up > {up}; read line < {gate}'"
    code = f"from p2pcards.ui.ways import Ways; Ways(command={command!r}).sound(); open({str(up)!r}).read()"
    done = subprocess.run([sys.executable, "-c", code], timeout=60, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    with gate.open("w") as open_gate:  # somebody still reads there
        open_gate.write("go\n")
