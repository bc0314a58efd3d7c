"""`p2pcards arena`: what it prints, and that every error is one sentence."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from p2pcards.bots import arena
from p2pcards.cli import run
from tests.testing.odd_bots import written

BOTS = ("--seat", "medium", "--seat", "random", "--seat", "random")

Capture = pytest.CaptureFixture[str]


def printed(capsys: Capture, *arguments: str, code: int = 0) -> str:
    """What arena prints on standard output, and nothing else."""
    assert run(["arena", "tongits", *arguments]) == code
    told = capsys.readouterr()
    assert told.err == ""
    return told.out


def test_json_holds_a_row_for_each_seat_in_their_order(capsys: Capture) -> None:
    report = json.loads(printed(capsys, *BOTS, "--rounds", "30", "--json"))
    assert list(report) == ["game", "rounds", "seats", "deals", "chance", "ended"]
    assert (report["game"], report["rounds"], report["deals"]) == ("tongits", 30, 10)
    assert (report["chance"], report["ended"]) == (1 / 3, "rounds")
    columns = ["bot", "win_share", "low", "high", "mean_points", "defaults", "clear"]
    assert [list(row) for row in report["seats"]] == [columns] * 3
    assert [row["clear"] for row in report["seats"]] == [True, True, True]
    assert [row["bot"] for row in report["seats"]] == ["medium", "random", "random"]
    assert all(0 <= row["low"] <= row["win_share"] <= row["high"] <= 1 for row in report["seats"])
    assert report["seats"][0]["win_share"] > 0.5
    turned = json.loads(printed(capsys, *BOTS[2:], *BOTS[:2], "--rounds", "30", "--json"))
    assert [row["bot"] for row in turned["seats"]] == ["random", "random", "medium"]
    assert turned["seats"][2]["win_share"] > 0.5


def test_the_same_command_prints_the_same_and_another_seed_does_not(capsys: Capture) -> None:
    command = (*BOTS, "--rounds", "60", "--seed", "7")
    assert printed(capsys, *command) == printed(capsys, *command)
    assert printed(capsys, *command) != printed(capsys, *command[:-1], "8")
    assert printed(capsys, *BOTS, "--rounds", "9") == printed(capsys, *BOTS, "--rounds", "9", "--seed", "0")


def test_rounds_are_filled_up_to_whole_deals(capsys: Capture) -> None:
    assert json.loads(printed(capsys, *BOTS, "--rounds", "4", "--json"))["rounds"] == 6
    assert "6 rounds (4 asked for): 2 deals, each played from all 3 seats" in printed(capsys, *BOTS, "--rounds", "4")


def test_options_are_those_of_the_game_and_a_match_of_theirs_is_won_whole(capsys: Capture) -> None:
    told = printed(capsys, *BOTS, "--rounds", "3", "--option", "match_rounds=4", "--option", "scoring=chips")
    assert told.startswith("Tong-its, 3 matches: 1 deal,")


def test_ctrl_c_prints_what_there_is(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    play = arena.play_deal

    def two(game: Any, bots: Any, seed: int, number: int) -> arena.Played:
        if number == 2:
            raise KeyboardInterrupt
        return play(game, bots, seed, number)

    monkeypatch.setattr(arena, "play_deal", two)
    told = printed(capsys, *BOTS, "--rounds", "3000", code=130)
    assert told.startswith("Tong-its, 6 rounds (3000 asked for): 2 deals,")
    assert json.loads(printed(capsys, *BOTS, "--rounds", "3000", "--json", code=130))["rounds"] == 6


def test_ctrl_c_before_the_first_deal_prints_nothing(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: Any) -> arena.Played:
        raise KeyboardInterrupt

    monkeypatch.setattr(arena, "play_deal", none)
    assert printed(capsys, *BOTS, "--json", code=130) == ""


def test_until_stops_early_and_the_same_whoever_plays(capsys: Capture) -> None:
    told = printed(capsys, *BOTS, "--until", "8")
    assert "It ended with every interval at most 8 points to either side." in told
    assert printed(capsys, *BOTS, "--until", "8", "--jobs", "3") == told
    report = json.loads(printed(capsys, *BOTS, "--until", "8", "--json"))
    assert report["ended"] == "until"
    assert all(row["high"] - row["low"] <= 0.16 for row in report["seats"])
    assert f"Tong-its, {report['rounds']} rounds: {report['deals']} deals" in told


def test_any_number_of_rounds_may_be_the_most(capsys: Capture) -> None:
    command = (*BOTS, "--until", "12", "--seed", str(10**30))
    assert printed(capsys, *command, "--rounds", str(10**30)) == printed(capsys, *command)


def test_until_clear_stops_as_soon_as_the_first_bot_is(capsys: Capture) -> None:
    report = json.loads(printed(capsys, *BOTS, "--until", "clear", "--json"))
    assert report["ended"] == "until"
    assert report["deals"] < 30
    assert report["seats"][0]["clear"]
    before = str(report["rounds"] - 3)
    report = json.loads(printed(capsys, *BOTS, "--until", "clear", "--rounds", before, "--json"))
    assert report["ended"] == "rounds"
    assert not report["seats"][0]["clear"]


# ---- kept in a file


def test_it_goes_on_where_it_stopped(capsys: Capture, tmp_path: Path) -> None:
    file, command = tmp_path / "deals", (*BOTS, "--seed", "7")
    first = printed(capsys, *command, "--save", str(file), "--rounds", "12")
    assert first == printed(capsys, *command, "--rounds", "12")
    four = file.read_bytes()
    assert four.count(b"\n") == 5
    told = printed(capsys, *command, "--save", str(file), "--rounds", "30", "--jobs", "2")
    assert told == printed(capsys, *command, "--rounds", "30")
    assert file.read_bytes().startswith(four)
    assert printed(capsys, *command, "--save", str(file), "--rounds", "12") == first
    assert file.read_bytes().count(b"\n") == 11


def test_deals_that_are_kept_are_not_played_again(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = (*BOTS, "--save", str(tmp_path / "deals"), "--until", "8")
    told = printed(capsys, *command)
    monkeypatch.setattr(arena, "play_deal", None)
    assert printed(capsys, *command) == told


def test_ctrl_c_keeps_what_there_is(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = arena.play_deal

    def two(game: Any, bots: Any, seed: int, number: int) -> arena.Played:
        if number == 2:
            raise KeyboardInterrupt
        return play(game, bots, seed, number)

    command = (*BOTS, "--save", str(tmp_path / "deals"), "--rounds", "12")
    monkeypatch.setattr(arena, "play_deal", two)
    assert json.loads(printed(capsys, *command, "--json", code=130))["ended"] == "interrupted"
    monkeypatch.setattr(arena, "play_deal", play)
    assert printed(capsys, *command) == printed(capsys, *BOTS, "--rounds", "12")


def test_a_file_of_another_arena_is_left_alone(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "deals"
    printed(capsys, *BOTS, "--save", str(file), "--rounds", "6")
    before = file.read_bytes()
    assert run(["arena", "tongits", *BOTS, "--save", str(file), "--rounds", "12", "--seed", "7"]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err) == (
        "",
        f"{file} is of another arena: its seed is 0, not 7; nothing was changed in it.\n",
    )
    assert file.read_bytes() == before


def test_the_deals_of_a_bot_are_not_mixed_with_those_of_what_it_became(capsys: Capture, tmp_path: Path) -> None:
    bot = written(tmp_path, "say(id=number, action=legal[0])")
    command = ("--seat", bot, *BOTS[2:], "--save", str(tmp_path / "deals"), "--rounds", "3")
    first = printed(capsys, *command)
    assert printed(capsys, *command) == first
    written(tmp_path, "say(id=number, action=legal[-1])")
    assert run(["arena", "tongits", *command]) == 2
    assert f"deals is of another arena: the bot {bot} has been changed since; " in capsys.readouterr().err


def test_a_full_disk_ends_it_with_a_sentence_and_what_there_is(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    file = tmp_path / "deals"
    printed(capsys, *BOTS, "--save", str(file), "--rounds", "6")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size + 100, limits[1]))
    try:
        assert run(["arena", "tongits", *BOTS, "--save", str(file), "--rounds", "30"]) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    told = capsys.readouterr()
    assert told.err == f"{file} can't be written: File too large.\n"
    assert told.out.startswith("Tong-its, 12 rounds (30 asked for): 4 deals")
    assert file.read_bytes().count(b"\n") == 4  # the third deal was written, the fourth not even in part
    assert file.read_bytes().endswith(b"\n")


# ---- programs


def test_what_a_program_does_wrong_is_told_once_whoever_plays(capsys: Capture, tmp_path: Path) -> None:
    bot = written(tmp_path, "say(id=number, action='win')")
    said = set()
    for jobs in ("1", "2"):
        assert run(["arena", "tongits", "--seat", bot, *BOTS[2:], "--rounds", "6", "--jobs", jobs, "--json"]) == 0
        told = capsys.readouterr()
        assert json.loads(told.out)["seats"][0]["bot"] == bot
        first, *others = told.err.splitlines()
        said.add(first)
        assert first not in others
    (sentence,) = said
    assert sentence.startswith("The bot odd.py wants what is not legal now: ")


# ---- in a terminal


class Terminal:
    """The command with its standard error in a terminal, in a session of its own."""

    def __init__(self, *arguments: str, columns: int = 80) -> None:
        pty, termios = pytest.importorskip("pty"), pytest.importorskip("termios")
        self._screen, other = pty.openpty()
        termios.tcsetwinsize(other, (24, columns))
        self.shown = b""
        command = [sys.executable, "-m", "p2pcards", "arena", "tongits", *arguments]
        self.running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=other, start_new_session=True)
        os.close(other)

    def see(self, what: bytes) -> None:
        """Reads on until that is shown."""
        while what not in self.shown:
            self.shown += os.read(self._screen, 65536)

    def end(self) -> tuple[int, str]:
        """Its exit code and what it printed."""
        printed, _ = self.running.communicate()
        os.close(self._screen)
        return self.running.returncode, printed.decode()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_bar_gets_to_its_end_though_it_stops_early(jobs: str) -> None:
    terminal = Terminal(*BOTS, "--until", "8", "--jobs", jobs)
    terminal.see(b"100%")
    code, out = terminal.end()
    assert code == 0
    assert "It ended with every interval" in out


def test_the_bar_is_no_wider_than_the_screen() -> None:
    terminal = Terminal(*BOTS, "--rounds", "30", columns=40)
    terminal.see(b"100%")
    assert terminal.end()[0] == 0
    shown = [line.removeprefix(b"\x1b[?25l").rstrip() for line in terminal.shown.split(b"\r")]
    assert 20 <= max(map(len, shown)) < 40


def test_ctrl_c_prints_what_several_processes_have_played() -> None:
    terminal = Terminal(*BOTS, "--rounds", "900", "--jobs", "2")
    terminal.see(b"1%")
    os.killpg(terminal.running.pid, signal.SIGINT)  # as a terminal does
    code, out = terminal.end()
    assert code == 130
    assert "(900 asked for)" in out


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and pidfd")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9), (signal.SIGTERM, -15)])
def test_whatever_ends_it_in_the_middle_of_a_deal_ends_all_that_it_has_started(
    sent: signal.Signals, code: int, tmp_path: Path
) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    bot = written(tmp_path, "say(id=number, action=legal[0])", before=f"open({str(begun)!r}, 'w').write('!')")
    terminal = Terminal("--seat", bot, *BOTS[2:], "--option", "match_rounds=1000000", "--jobs", "2")
    seen = ""
    while len(seen) < 2:
        seen += begun.read_text()
    children = [os.pidfd_open(pid) for pid in _below(terminal.running.pid)]
    assert len(children) >= 4
    if sent == signal.SIGINT:
        os.killpg(terminal.running.pid, sent)
    else:
        terminal.running.send_signal(sent)
    assert terminal.end() == (code, "")
    for child in children:
        assert select.select([child], [], [], 20)[0] == [child]
        os.close(child)


def _below(pid: int) -> list[int]:
    """The processes that it has started, and that those have."""
    children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [*children, *(far for child in children for far in _below(child))]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--seat", "Hart", *BOTS[2:]), "No bot level is called 'Hart'; did you mean hard?"),
        (("--seat", "hal", *BOTS[2:]), "No bot level is called 'hal'; there are: random, easy, medium"),
        (BOTS[2:], "Tong-its is for 3 players, not 2."),
        ((*BOTS, *BOTS), "Tong-its is for 3 players, not 6."),
        ((), "Missing option '--seat'."),
        ((*BOTS, "--rounds", "0"), "'0' is not a number of rounds, 1 or more."),
        ((*BOTS, "--rounds", "many"), "'many' is not a number of rounds, 1 or more."),
        ((*BOTS, "--seed", "x"), "'x' is not a valid integer"),
        ((*BOTS, "--until", "0"), "'0' is neither clear nor a number of points, such as 2."),
        ((*BOTS, "--until", "nan"), "'nan' is neither clear nor a number of points, such as 2."),
        ((*BOTS, "--until", "sure"), "'sure' is neither clear nor a number of points, such as 2."),
        ((*BOTS, "--jobs", "0"), "'0' is neither all nor a number of processes, 1 to 256."),
        ((*BOTS, "--jobs", "1000"), "'1000' is neither all nor a number of processes, 1 to 256."),
        ((*BOTS, "--jobs", "two"), "'two' is neither all nor a number of processes, 1 to 256."),
        ((*BOTS, "--think", "0"), "'0' is not a number of milliseconds, more than 0."),
        ((*BOTS, "--think", "inf"), "'inf' is not a number of milliseconds, more than 0."),
        ((*BOTS, "--save", "."), ". is no file that deals can be kept in."),
        ((*BOTS, "--save", "nowhere/deals"), "nowhere/deals can't be written: No such file or directory."),
        ((*BOTS, "--option", "scoring"), "'scoring' is not KEY=VALUE."),
        ((*BOTS, "--option", "scoring=gold"), "scoring can't be gold; allowed: chips or wins."),
        ((*BOTS, "--option", "colour=red"), "Tong-its has no option colour; it has"),
    ],
)
def test_mistakes_are_one_sentence(capsys: Capture, arguments: tuple[str, ...], says: str) -> None:
    assert run(["arena", "tongits", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert says in told.err
    assert told.err.count("\n") == 1
