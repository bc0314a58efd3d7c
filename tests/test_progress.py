"""The bar over many files, with standard error in a terminal and without."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.testing.house import ROOT

COMMANDS = [("verify",), ("replay", "--check"), ("history", "import")]
SAMPLE = ROOT / "docs" / "samples" / "tongits.p2pcards.toml"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three records, one of them none."""
    for name in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    good = [tmp_path / f"{name}.p2pcards.toml" for name in ("mon", "tue")]
    for file in good:
        file.write_bytes(SAMPLE.read_bytes())
    return [str(good[0]), str(tmp_path / "none.p2pcards.toml"), str(good[1])]


def run(*words: str, columns: int = 80) -> tuple[int, str, str]:
    """Exit code, standard output, and what came to a terminal."""
    pty, termios = pytest.importorskip("pty"), pytest.importorskip("termios")
    screen, other = pty.openpty()
    termios.tcsetwinsize(other, (24, columns))
    command = [sys.executable, "-m", "p2pcards", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=other, text=True) as running:
        os.close(other)
        shown = b""
        while piece := _read(screen):
            shown += piece
        out, _ = running.communicate()
    os.close(screen)
    return running.returncode, out, shown.decode()


def _read(screen: int) -> bytes:
    try:
        return os.read(screen, 65536)
    except OSError:  # nobody writes any more
        return b""


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_many_files_have_a_bar_and_the_sentences_stand_above_it(command: tuple[str, ...], files: list[str]) -> None:
    _, out, shown = run(*command, *files)
    assert "100%" in shown
    assert "mon.p2pcards.toml: " in out + shown or out == "1 match taken in, 1 there already, 1 left out.\n"
    complaint = next(line for line in shown.replace("\r\x1b[2K", "\n").split("\n") if "can't be read" in line)
    assert complaint.rstrip().endswith(("No such file or directory", "No such file or directory; it is left out."))
    assert "%" not in complaint


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_single_file_has_none_and_nor_has_a_screen_without_room(command: tuple[str, ...], files: list[str]) -> None:
    assert "%" not in run(*command, files[0])[2]
    assert "%" not in run(*command, *files, columns=25)[2]


def test_without_a_terminal_there_is_nothing_but_the_sentences(files: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "p2pcards", "replay", "--check", *files], capture_output=True, text=True
    )
    assert done.stderr.count("\n") == 1
    assert "\x1b" not in done.stderr + done.stdout


@pytest.mark.parametrize("kind", ["--cast", "--html"])
def test_what_is_written_of_a_long_record_has_a_bar(kind: str, tmp_path: Path) -> None:
    code, out, shown = run("replay", str(SAMPLE), kind, str(tmp_path / "out"))
    assert code == 0
    assert "is written" in out
    assert "100%" in shown
