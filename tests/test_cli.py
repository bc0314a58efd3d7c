"""The command line: what it says, what it exits with, and that every error is one sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from p2pcards import PROTOCOL, __version__, cli
from p2pcards.cli import program, run
from p2pcards.games.registry import GAMES
from p2pcards.store.folders import folders
from p2pcards.store.identity_file import take
from p2pcards.store.lab import create_lab_key
from p2pcards.wire.identity import Identity, words
from tests.testing.require import require

RECORD = """
format = 1
game = "tongits"
players = ["ana", "ben", "cy"]
[[rounds]]
starter = "ana"
hands = { ana = "AS 2S 3S 9D", ben = "4C 5C", cy = "7H 8H" }
stock = "KD 3C"
actions = ["ana: draw", "ana: expose AS 2S 3S", "ana: discard KD"]
"""

Capture = pytest.CaptureFixture[str]


def refused(capsys: Capture, *arguments: str, code: int) -> str:
    """The one sentence on standard error with which p2pcards ends."""
    assert run(arguments) == code
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert "Traceback" not in told.err
    return told.err.rstrip("\n")


# ---- version and help


def test_the_version_names_program_and_protocol(capsys: Capture) -> None:
    line = f"p2pcards {__version__} (protocol {PROTOCOL})\n"
    started = [sys.executable, "-m", "p2pcards", "--version"]
    assert subprocess.run(started, capture_output=True, text=True, check=True).stdout == line
    assert run(["where", "--help"]) == 0  # what is below answers like what is above:
    capsys.readouterr()
    assert run(["--plain", "--version"]) == 0
    assert capsys.readouterr().out == line


@pytest.mark.parametrize("name", [None, *program.commands])
def test_help_shows_examples_before_options(capsys: Capture, name: str | None) -> None:
    assert run([*([name] if name else []), "--help"]) == 0
    told = capsys.readouterr().out
    assert told.index("\n    p2pcards ") < told.index("\nOptions:")


def test_short_help_is_help(capsys: Capture) -> None:
    assert run(["-h"]) == 0
    assert capsys.readouterr().out.startswith("Usage: p2pcards")


# ---- mistakes


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["rule", "tongits"], "No such command 'rule'. Did you mean 'rules'? Try 'p2pcards --help'."),
        (["rep"], "No such command 'rep'"),
        (["where", "--debgu"], "Did you mean '--debug'? Try 'p2pcards where --help'."),
        (["--port", "65536"], "'--port': '65536' is not a number from 0 to 65535."),
        (["practise", "tongits", "--pace", "nan"], "'--pace': 'nan' is not a number of seconds, 0 or more."),
        (["list", "--wait", "inf"], "'--wait': 'inf' is not a number of seconds, 0 or more."),
        (["replay"], "Say which record: FILE, or --history N."),
        (["rules"], "Missing argument 'GAME'."),
        (["rules", "tongit"], "No game is called 'tongit'; did you mean tongits?"),
        (["practise", "tongits", "-n", "0"], "'0' is not a number of seats, 1 or more."),
        (["practise", "tongits", "-c", "few"], "'few' is not a number, 0 or more."),
        (["practise", "tongits", "-c", "5"], "-c sets the cards of One Card; Tong-its leaves no choice there."),
        (["host", "tienlen", "-d", "2"], "-d sets the decks of One Card; Tiến lên leaves no choice there."),
        (["rules", "chess"], f"No game is called 'chess'; there is: {', '.join(GAMES)}."),
        (["identity", "--profile", "../x"], "'../x' can't be a profile: take 1 to 32 letters, digits, - and _."),
    ],
)
def test_a_wrong_word_is_one_sentence_and_exit_2(capsys: Capture, arguments: list[str], says: str) -> None:
    assert says in refused(capsys, *arguments, code=2)


def test_a_fault_of_ours_is_one_sentence_that_names_the_log(
    home: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("p2pcards.store.folders.folders", broken)
    monkeypatch.setattr(cli, "_logged", lambda error: f" It stands in the log: {type(error).__name__}.")
    told = refused(capsys, "where", code=1)
    assert told == (
        "p2pcards stopped over a fault of its own (ZeroDivisionError('oh')). It stands in the log: ZeroDivisionError."
    )
    with pytest.raises(ZeroDivisionError):
        run(["where", "--debug"])


def test_the_log_keeps_the_traceback(home: Path) -> None:
    code = "import sys; from p2pcards import cli\ncli._table = lambda *rows: 1 / 0\nsys.exit(cli.run(['where']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    file = home / "state/p2pcards/log/commands.log"
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"p2pcards stopped over a fault of its own (ZeroDivisionError('division by zero'))."
        f" What happened stands in {file}.\n"
    )
    assert "Traceback" in file.read_text()


@pytest.mark.skipif(os.name == "nt", reason="no modes there")
def test_a_key_others_can_read_is_refused_with_the_cure(home: Path, capsys: Capture) -> None:
    assert run(["identity"]) == 0
    capsys.readouterr()
    key = home / "data/p2pcards/identity.key"
    key.chmod(0o644)
    assert refused(capsys, "identity", code=1).endswith(f"chmod 600 {key}")
    key.chmod(0o600)
    assert run(["identity"]) == 0


def test_ctrl_c_is_exit_130(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def interrupted(*rows: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_table", interrupted)
    assert run(["where"]) == 130
    assert capsys.readouterr().err.strip() == ""


# ---- where and identity


def test_config_says_what_is_set_and_checks_the_file(home: Path, capsys: Capture) -> None:
    file = folders().settings
    assert run(("config",)) == 0
    assert capsys.readouterr().out.startswith(f"{file} is not there: nothing is set.\n  nick          -\n")
    file.parent.mkdir(parents=True)
    file.write_text('nick = "ana"\n[tell]\nmy_turn = ["bell"]\n')
    assert run(("config",)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (lines[0], lines[1]) == (str(file), "  nick          ana")
    assert "  [tell]        my_turn" in lines
    file.write_text("nick = 3\n")
    assert str(file) in refused(capsys, "config", code=2)


def test_where_prints_every_folder_and_makes_none(home: Path, capsys: Capture) -> None:
    assert run(["where"]) == 0
    rows = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert rows == {
        "config": str(home / "config/p2pcards"),
        "settings": str(home / "config/p2pcards/config.toml"),
        "presets": str(home / "config/p2pcards/presets.toml"),
        "data": str(home / "data/p2pcards"),
        "key": str(home / "data/p2pcards/identity.key"),
        "choices": str(home / "data/p2pcards/choices.toml"),
        "people": str(home / "data/p2pcards/known_peers"),
        "history": str(home / "data/p2pcards/history.db"),
        "bans": str(home / "data/p2pcards/bans"),
        "tables": str(home / "state/p2pcards/tables"),
        "logs": str(home / "state/p2pcards/log"),
        "locks": str(home / "state/p2pcards/locks"),
    }
    assert list(home.iterdir()) == []


def test_identity_shows_the_same_key_every_time(home: Path, capsys: Capture) -> None:
    shown = []
    for _ in range(2):
        assert run(["identity"]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    rows = dict(line.split(maxsplit=1) for line in shown[0].splitlines())
    file = home / "data/p2pcards/identity.key"
    seed = file.read_bytes()
    key = Identity(seed).key
    assert (rows["file"], rows["key"], rows["words"]) == (str(file), key.hex(), words(key))
    assert len(rows["words"].split("-")) == 6
    assert seed.hex() not in shown[0]


def test_a_profile_is_made_once_and_said_to_be_new(home: Path, capsys: Capture) -> None:
    assert run(["identity", "new", "lab"]) == 0
    told = capsys.readouterr()
    assert told.err == "The profile lab is new: its key was made now.\n"
    file = home / "data/p2pcards/identity-lab.key"
    assert words(Identity(file.read_bytes()).key) in told.out
    assert refused(capsys, "identity", "new", "lab", code=1) == f"The profile lab is there already; its key is {file}."
    assert run(["identity", "--profile", "lab"]) == 0
    assert capsys.readouterr() == (told.out, "")


def test_identity_tells_of_the_other_profiles_and_who_is_in_use(home: Path, capsys: Capture) -> None:
    own = folders()
    held = [take(own), take(own)]
    (home / "data/p2pcards/identity-odd.key").write_bytes(b"x")
    assert run(["identity"]) == 0
    rows = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert ["used", "by another program here"] in rows
    second = words(Identity(held[1].seed).key)
    assert [value for name, value in rows if name == "also"] == [
        f"default-2: {second}, in use",
        "odd: its key can't be used",
    ]
    for profile in held:
        profile.lock.release()
    assert run(["identity"]) == 0
    told = capsys.readouterr().out
    assert "used     no\n" in told
    assert "in use" not in told


def test_identity_shows_the_nick_of_the_settings(home: Path, capsys: Capture) -> None:
    (home / "config/p2pcards").mkdir(parents=True)
    (home / "config/p2pcards/config.toml").write_text('nick = "dora"\n')
    assert run(["identity"]) == 0
    assert "nick     dora\n" in capsys.readouterr().out


def test_another_profile_is_another_identity(home: Path, capsys: Capture) -> None:
    assert run(["identity"]) == 0
    usual = capsys.readouterr().out
    assert run(["identity", "--profile", "lab"]) == 0
    lab = capsys.readouterr().out
    assert "identity-lab.key" in lab
    assert lab.splitlines()[0] != usual.splitlines()[0]


# ---- doors


def test_a_lab_key_is_made_once_and_what_to_do_next_is_said(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "lab.key"
    assert run(["lab-key", "create", str(file)]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert f"chgrp GROUP {file}\n" in told.out
    key = file.read_bytes()
    assert key.hex() not in told.out
    assert "is there already" in refused(capsys, "lab-key", "create", str(file), code=1)
    assert file.read_bytes() == key
    assert "Missing command." in refused(capsys, "lab-key", code=2)


@pytest.mark.skipif(os.name == "nt", reason="no owners of files there")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["host", "tongits", "--door", "closed"],
            "No door is called 'closed'; there is: open, ask, code, lab, lab+uid.",
        ),
        (["host", "tongits", "--door", "lab"], "The door lab needs the lab's key: --lab-key FILE"),
        (
            ["--lab-key", "KEY", "host", "tongits", "--door", "lab+uid"],
            "needs the lab's directory of keys: --lab-keys DIR",
        ),
        (["host", "tongits", "--door", "lab+uid", "--lab-key", "KEY", "--lab-keys", "none"], "keys none can't be used"),
        (["host", "tongits", "--door", "lab", "--lab-key", "none"], "The lab's key none can't be read"),
        (["host", "tongits", "--headless", "--door", "ask"], "Nobody could be asked at the door of a --headless table"),
        (["host", "tongits", "--door", "code", "--code-file", "KEY"], "KEY holds no join code"),
        (["join", "x", "--code-file", "none"], "The code in none can't be read"),
        (["join", "x", "--lab-key", "none"], "The lab's key none can't be read"),
        (["list", "--lab"], "--lab shows the tables of your lab: name its key with --lab-key FILE"),
        (["--lab-keys", "none", "--plain"], "The directory of keys none can't be used"),
    ],
)
def test_a_door_that_can_not_be_is_one_sentence_and_exit_2(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, arguments: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    create_lab_key(Path("KEY"))
    assert says in refused(capsys, *arguments, code=2)


@pytest.mark.parametrize("arguments", [["host", "tongits"], ["list"], ["--plain"], ["identity"]])
def test_settings_that_can_not_be_are_one_sentence_and_exit_2(
    home: Path, capsys: Capture, arguments: list[str]
) -> None:
    (home / "config/p2pcards").mkdir(parents=True)
    file = home / "config/p2pcards/config.toml"
    file.write_text('\ndoor = "shut"\n')
    told = refused(capsys, *arguments, code=2)
    assert told == f"{file}, line 2: door is open, ask, code, lab or lab+uid, not 'shut'."


def test_a_door_of_the_settings_is_refused_like_one_that_was_typed(home: Path, capsys: Capture) -> None:
    (home / "config/p2pcards").mkdir(parents=True)
    (home / "config/p2pcards/config.toml").write_text('door = "ask"\n')
    assert "Nobody could be asked" in refused(capsys, "host", "tongits", "--headless", code=2)


# ---- rules


@pytest.mark.parametrize("name", ["tongits", "TONGITS", "Tong-its"])
def test_rules_of_a_game_are_plain_text_in_a_pipe(capsys: Capture, name: str) -> None:
    assert run(["rules", name]) == 0
    told = capsys.readouterr().out
    assert "Tong-its" in told
    assert "\x1b" not in told


def test_a_pipe_that_closes_early_is_no_fault() -> None:
    started = [sys.executable, "-m", "p2pcards", "rules", "tongits"]
    with subprocess.Popen(started, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as pager:
        assert pager.stdout is not None
        assert pager.stderr is not None
        pager.stdout.close()
        assert pager.stderr.read() == b""


LIST = ["list", "--interface", "lo", "--wait", "0", "--json"]
DEMO = ["practise", "onecard", "--demo", "--rounds", "1", "--option", "cards=2", "--plain", "--pace", "0"]


def test_a_full_disk_behind_the_output_is_no_fault_of_ours(home: Path, illegal: Path) -> None:
    require(sys.platform == "linux", "/dev/full is Linux's")
    for command_line in (["stats"], ["replay", str(illegal)], ["--version"], ["--help"], LIST, DEMO):
        with Path("/dev/full").open("w") as full:
            command = [sys.executable, "-m", "p2pcards", *command_line]
            found = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert (found.returncode, found.stderr) == (1, "No space is left on the disk that this goes to.\n")


def test_an_encoding_without_suits_shows_something_else() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "iso8859-1"}
    started = [sys.executable, "-m", "p2pcards", "rules", "tongits"]
    done = subprocess.run(started, capture_output=True, check=True, env=environment)
    assert done.stderr == b""
    assert b"Tong-its" in done.stdout


# ---- replay


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    file = tmp_path / "sound.p2pcards.toml"
    file.write_text(RECORD)
    return file


@pytest.fixture
def illegal(tmp_path: Path) -> Path:
    file = tmp_path / "illegal.p2pcards.toml"
    file.write_text(RECORD.replace("discard KD", "discard KC"))
    return file


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    file = tmp_path / "broken.p2pcards.toml"
    file.write_text("format = 1\ngame = ")
    return file


def test_a_sound_record_is_exit_0(capsys: Capture, sound: Path) -> None:
    assert run(["replay", "--check", str(sound)]) == 0
    told = capsys.readouterr()
    assert (told.out, told.err) == ("every action was legal and every stated result agrees\n", "")


def test_without_check_a_record_is_told(capsys: Capture, sound: Path) -> None:
    assert run(["replay", str(sound)]) == 0
    assert "expose AS 2S 3S" in capsys.readouterr().out


def test_an_illegal_action_is_exit_1_with_round_line_and_reason(capsys: Capture, illegal: Path) -> None:
    told = refused(capsys, "replay", "--check", str(illegal), code=1)
    assert told.startswith("round 1, line 3, ana: discard KC: ")
    assert run(["replay", "--check", "--json", str(illegal)]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["ok"], report["round"], report["line"], report["action"]) == (False, 1, 3, "ana: discard KC")


def test_what_is_no_record_is_exit_2_and_says_so_on_both_streams(capsys: Capture, broken: Path) -> None:
    assert run(["replay", "--check", "--json", str(broken)]) == 2
    told = capsys.readouterr()
    report = json.loads(told.out)
    assert set(report) == {"ok", "error"}
    assert report["error"] == told.err.rstrip("\n")


@pytest.mark.parametrize("name", ["none.p2pcards.toml", "."])
def test_a_file_that_cannot_be_read_is_exit_2(capsys: Capture, tmp_path: Path, name: str) -> None:
    told = refused(capsys, "replay", str(tmp_path / name), code=2)
    assert told.startswith(f"not a record: {tmp_path / name} can't be read: ")


def test_a_file_whose_name_is_no_text_is_told_in_one_line(capsys: Capture) -> None:
    told = refused(capsys, "replay", "no\udcff\n\x1b.toml", code=2)
    assert told == "not a record: no???.toml can't be read: No such file or directory"


def test_several_records_get_a_line_each_and_the_worst_exit(
    capsys: Capture, sound: Path, illegal: Path, broken: Path
) -> None:
    def codes(*files: Path) -> tuple[int, list[bool]]:
        code = run(["replay", "--json", "--check", *map(str, files)])
        return code, [json.loads(line)["ok"] for line in capsys.readouterr().out.splitlines()]

    assert codes(sound, sound) == (0, [True, True])
    assert codes(illegal, sound) == (1, [False, True])
    assert codes(sound, broken, illegal) == (2, [True, False, False])


def test_of_several_records_each_sentence_names_its_file(
    capsys: Capture, sound: Path, illegal: Path, broken: Path
) -> None:
    assert run(["replay", "--check", str(sound), str(illegal), str(broken)]) == 2
    told = capsys.readouterr()
    assert told.out.startswith(f"{sound}: ")
    assert [line.split(": ")[0] for line in told.err.splitlines()] == [str(illegal), str(broken)]
