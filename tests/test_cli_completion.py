"""What a shell offers behind `p2pcards`, asked as each shell asks, and in a real Bash."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from p2pcards.cli import run
from p2pcards.cli_completion import _LINES
from p2pcards.games.registry import GAMES
from tests.testing.require import require

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    return tmp_path


def offered(monkeypatch: pytest.MonkeyPatch, capsys: Capture, *words: str) -> list[str]:
    """What Bash is told for these words behind the program's name, the last of them begun."""
    monkeypatch.setenv("_P2PCARDS_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "\n".join(("p2pcards", *(word or "''" for word in words))))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    with pytest.raises(SystemExit):
        run(())
    return list(filter(None, capsys.readouterr().out.splitlines()))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("hos",), ["plain,host"]),
        (("host", ""), [f"plain,{game}" for game in GAMES]),
        (("host", "ton"), ["plain,tongits"]),
        (("host", "straights", "--level", "seed-e"), ["plain,seed-easy"]),
        (("host", "tongits", "--level", "seed-e"), []),
        (("host", "tongits", "--door", "la"), ["plain,lab", "plain,lab+uid"]),
        (("host", "tongits", "--option", "sco"), ["plain,scoring="]),
        (("host", "tongits", "--option", "scoring", "="), ["plain,chips", "plain,wins"]),
        (("host", "tongits", "--option", "scoring", "=", "c"), ["plain,chips"]),
        (("host", "tongits", "--option", "seat_order", "=", "r"), ["plain,random"]),
        (("host", "tongits", "--option", "nothing", "="), []),
        (("host", "--option", "sco"), []),
        (("arena", "tongits", "--seat", "har"), ["plain,hard"]),
        (("arena", "tongits", "--seat", "./my"), ["file,./my"]),
        (("practise", "tongits", "--record", "ga"), ["file,ga"]),
        (("--lab-keys", "/sr"), ["dir,/sr"]),
        (("--interface", "lo"), ["plain,lo"]),
    ],
)
def test_what_can_follow_is_offered(
    words: tuple[str, ...], expected: list[str], home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert sorted(offered(monkeypatch, capsys, *words)) == sorted(expected)


def test_presets_and_profiles_are_offered_by_name(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    (home / "CONFIG" / "p2pcards").mkdir(parents=True)
    (home / "CONFIG" / "p2pcards" / "presets.toml").write_text('[tongits.friday]\nscoring = "chips"\n')
    assert offered(monkeypatch, capsys, "host", "tongits", "--preset", "") == ["plain,friday"]
    assert offered(monkeypatch, capsys, "host", "tienlen", "--preset", "") == []
    monkeypatch.delenv("_P2PCARDS_COMPLETE")
    assert run(("identity", "new", "lab")) == 0
    capsys.readouterr()
    assert offered(monkeypatch, capsys, "--profile", "") == ["plain,default", "plain,lab"]


def test_a_file_of_presets_that_is_none_offers_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (home / "CONFIG" / "p2pcards").mkdir(parents=True)
    (home / "CONFIG" / "p2pcards" / "presets.toml").write_text("[")
    assert offered(monkeypatch, capsys, "host", "tongits", "--preset", "") == []


@pytest.mark.parametrize("shell", _LINES)
def test_the_script_says_how_to_keep_it_and_asks_the_program(shell: str, capsys: Capture) -> None:
    assert run(("completion", shell)) == 0
    first, *script = capsys.readouterr().out.splitlines()
    assert first == f"# To keep it: {_LINES[shell]}"
    assert f"_P2PCARDS_COMPLETE={shell}_complete" in "\n".join(script)


def test_another_shell_is_one_sentence(capsys: Capture) -> None:
    assert run(("completion", "tcsh")) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_in_bash_the_value_alone_goes_behind_the_key(tmp_path: Path) -> None:
    require(shutil.which("bash"), "bash is not installed")
    program = tmp_path / "p2pcards"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m p2pcards "$@"\n')
    program.chmod(0o755)
    script = """
        PATH="$1:$PATH"
        eval "$(p2pcards completion bash)"
        compopt() { :; }
        COMP_WORDS=(p2pcards host tongits --option scoring = ch) COMP_CWORD=6 COMPREPLY=()
        _p2pcards_completion p2pcards
        echo "${COMPREPLY[@]}"
        complete -p p2pcards
    """
    said = subprocess.run(["bash", "-c", script, "bash", str(tmp_path)], capture_output=True, text=True, check=True)
    assert said.stdout.splitlines() == ["chips", "complete -o nosort -F _p2pcards_completion p2pcards"]
