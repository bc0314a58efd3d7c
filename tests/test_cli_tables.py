"""host, join, list and practise from the command line, on loopback: what they exit with, and that they say why."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from p2pcards import cli
from p2pcards.games.registry import GAMES
from tests.testing.clients import P2PCARDS, PATIENCE, Client, homes, local

Start = Callable[..., Client]

HOST = ("host", "tongits", "--interface", "lo", "--json")
PRACTISE = ("practise", "tongits", "--seed", "7", "--pace", "0")


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with local(tmp_path / "user") as start:
        yield start


def run(*words: str, stdin: str = "", home: Path | None = None) -> subprocess.CompletedProcess[str]:
    """p2pcards to its end, for another user where there is another home."""
    environment = {**os.environ, **(homes(home) if home else {})}
    return subprocess.run([*P2PCARDS, *words], input=stdin, capture_output=True, text=True, timeout=60, env=environment)


def complaint(done: subprocess.CompletedProcess[str] | Client) -> str:
    """The one sentence on standard error."""
    if isinstance(done, Client):
        assert done.process.stderr is not None
        text = done.process.stderr.read()
    else:
        text = done.stderr
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    return text.strip()


# ---- how it ends


def test_headless_tables_play_to_the_end_and_write_equal_records(start: Start, tmp_path: Path) -> None:
    records = [tmp_path / f"{name}.p2pcards.toml" for name in ("ana", "ben")]
    story = tmp_path / "story.txt"
    opener = start(
        *HOST, "--headless", "--nick", "ana", "--rounds", "2", "--bots", "1", "--level", "easy",
        "--option", "scoring=chips", "--record", str(records[0]), "--log", str(story), "--port", "0",
    )  # fmt: skip
    port = opener.hear("table")["port"]
    joiner = start(
        "join", f"127.0.0.1:{port}", "--interface", "lo", "--headless", "--nick", "ben", "--record", str(records[1]),
        "--json", home=tmp_path / "ben",
    )  # fmt: skip
    assert (opener.finish(), joiner.finish()) == (0, 0)
    assert [event["number"] for event in joiner.told("round")] == [1, 2]
    assert records[0].read_text() == records[1].read_text()
    checked = run("replay", "--check", "--json", str(records[0]))
    report = json.loads(checked.stdout)
    assert (checked.returncode, report["over"], len(report["rounds"])) == (0, True, 2)
    assert 'scoring = "chips"' in records[0].read_text()
    assert "Round 1" in story.read_text()


def test_a_second_program_of_one_user_takes_another_profile_and_says_so(start: Start) -> None:
    opener = start(*HOST, "--port", "0")
    port = opener.hear("table")["port"]
    joiner = start("join", f"127.0.0.1:{port}", "--interface", "lo", "--json")
    joiner.hear("entered")
    joiner.say("quit")
    assert joiner.finish() == 0
    assert complaint(joiner) == "Another p2pcards of yours runs here, so this one is default-2."


def test_a_key_that_is_at_the_table_from_another_machine_is_left_for_another_and_said_so(
    start: Start, tmp_path: Path
) -> None:
    """A home on a file server has one key for all machines, and each machine knows of its own programs alone."""
    opener = start(*HOST, "--port", "0")
    port = opener.hear("table")["port"]
    key = Path("data", "p2pcards", "identity.key")
    (tmp_path / "other" / key).parent.mkdir(parents=True, mode=0o700)
    shutil.copy2(tmp_path / "user" / key, tmp_path / "other" / key)
    joiner = start("join", f"127.0.0.1:{port}", "--interface", "lo", "--json", home=tmp_path / "other")
    joiner.hear("entered")
    joiner.say("quit")
    assert joiner.finish() == 0
    assert complaint(joiner) == "A program with your key is at that table already, so this one is default-2."


def test_two_programs_of_one_user_at_one_table_keep_one_match(start: Start, tmp_path: Path) -> None:
    opener = start(*HOST, "--headless", "--rounds", "2", "--bots", "1", "--level", "easy", "--port", "0")
    port = opener.hear("table")["port"]
    joiner = start("join", f"127.0.0.1:{port}", "--interface", "lo", "--headless", "--json")
    assert (opener.finish(), joiner.finish()) == (0, 0)
    (kept,) = json.loads(run("history", "--json", home=tmp_path / "user").stdout)
    (over,) = opener.told("match")
    assert (kept["scores"], kept["winners"]) == (over["scores"], over["winners"])
    record = tmp_path / "game.p2pcards.toml"
    assert run("history", "export", "1", str(record), home=tmp_path / "user").returncode == 0
    assert run("verify", str(record), home=tmp_path / "user").returncode == 0


def test_a_host_that_is_gone_is_exit_5(start: Start, tmp_path: Path) -> None:
    opener = start(*HOST, "--port", "0")
    port = opener.hear("table")["port"]
    joiner = start("watch", f"127.0.0.1:{port}", "--interface", "lo", "--json", home=tmp_path / "ben")
    joiner.hear("entered")
    opener.say("leave")
    assert joiner.finish() == 5
    assert joiner.told("closed")[-1]["text"]
    assert opener.finish() == 0


def test_nothing_there_is_exit_3(start: Start) -> None:
    with socket.socket() as taken:  # bound, but nobody listens
        taken.bind(("127.0.0.1", 0))
        lost = start("join", f"127.0.0.1:{taken.getsockname()[1]}", "--interface", "lo", "--json")
        assert lost.finish() == 3
    unknown = start("join", "no such table", "--wait", "0.1", "--interface", "lo", "--json")
    assert unknown.finish() == 3
    assert "no such table" in unknown.told("closed")[-1]["text"]


def test_a_full_table_is_exit_4_and_names_who_sits_there(start: Start, tmp_path: Path) -> None:
    opener = start(*HOST, "--port", "0", "--nick", "ana")
    port = opener.hear("table")["port"]
    for name in ("ben", "cy"):
        guest = start("join", f"127.0.0.1:{port}", "--interface", "lo", "--json", "--nick", name, home=tmp_path / name)
        guest.hear("entered")
    late = start("join", f"127.0.0.1:{port}", "--interface", "lo", "--json", home=tmp_path / "dan")
    assert late.finish() == 4
    assert late.told("closed")[-1]["reason"] == "full"
    assert "ana, ben, cy" in late.told("closed")[-1]["text"]


def test_a_port_in_use_is_exit_1(start: Start) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        opener = start(*HOST, "--port", str(port))
        assert opener.finish() == 1
        assert str(port) in opener.told("error")[-1]["text"]


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)])
@pytest.mark.parametrize("how", [("--json",), ("--headless", "--json")], ids=" ".join)
def test_signals_end_it_with_their_codes_and_close_the_table(
    start: Start, tmp_path: Path, how: tuple[str, ...], number: signal.Signals, code: int
) -> None:
    opener = start("host", "tongits", "--interface", "lo", "--port", "0", *how)
    opener.hear("table")
    opener.process.send_signal(number)
    assert opener.finish() == code
    assert not list((tmp_path / "user" / "state").rglob("journal"))


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_a_guest_whose_terminal_is_closed_keeps_its_seat(start: Start, tmp_path: Path) -> None:
    opener = start(*HOST, "--port", "0")
    port = opener.hear("table")["port"]
    joiner = start("join", f"127.0.0.1:{port}", "--interface", "lo", "--json", "--nick", "ben", home=tmp_path / "ben")
    joiner.hear("entered")
    opener.hear("seated")
    joiner.process.send_signal(signal.SIGHUP)
    assert joiner.finish() == 129
    assert opener.hear("dropped")["nick"] == "ben"
    assert not opener.told("left")


# ---- what is refused before anything begins


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("host", "tongit"), "did you mean tongits?"),
        (("host", "tongits", "--option", "scoring"), "'scoring' is not KEY=VALUE."),
        (("host", "tongits", "--bot", "easy"), "--bot plays your seat: it goes with --headless."),
        (("host", "tongits", "--level", "grim"), "No bot level is called 'grim'; there are: random, easy, medium, "),
        (("join", "--bot", "Medum"), "No bot level is called 'Medum'; did you mean medium?"),
        (("practise", "tongits", "--nick", "no nick!"), "'no nick!' can't be a nick"),
        (("practise", "tongits", "--nick", "bot-1"), "'bot-1' can't be a nick"),
        (("practise", "tongits", "--profile", "a/b"), "'a/b' can't be a profile"),
        (("join", "lab", "--nick", "host"), "'host' can't be a nick"),
    ],
)
def test_a_wrong_word_is_one_sentence_and_exit_2(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    assert cli.run(words) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert says in told.err


@pytest.mark.parametrize(("option", "says"), [("scoring=lots", "allowed: "), ("speed=1", "speed")])
def test_a_house_rule_that_is_none_is_one_sentence_and_exit_2(option: str, says: str) -> None:
    done = run(*PRACTISE, "--option", option)
    assert done.returncode == 2
    assert says in complaint(done)


@pytest.mark.parametrize("option", ["--record", "--log"])
def test_a_file_that_cannot_be_written_is_told_before_the_game(option: str, tmp_path: Path) -> None:
    done = run(*PRACTISE, option, str(tmp_path / "none" / "file"))
    assert done.returncode == 2
    assert str(tmp_path / "none" / "file") in complaint(done)


def test_no_such_interface_is_one_sentence_that_names_those_there_are(tmp_path: Path) -> None:
    done = run("host", "tongits", "--plain", "--interface", "nope0")
    assert done.returncode == 1
    assert "lo (127.0.0.1)" in complaint(done)


# ---- home, list, practise


def test_home_without_input_prints_the_list_and_ends() -> None:
    done = run("--interface", "lo")
    assert done.returncode == 0
    assert done.stderr == ""
    assert re.search(r"^(No tables yet\.|1: )", done.stdout, re.MULTILINE)  # other tests may have theirs on loopback


@pytest.mark.skipif(sys.platform == "win32", reason="no sh there")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_fault(closed: str) -> None:
    command = f'exec "$@" --interface lo {closed}'
    done = subprocess.run(["sh", "-c", command, "sh", *P2PCARDS], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_option_before_the_command_counts_for_the_command() -> None:
    done = run("--nick", "dora", *PRACTISE, "--json")
    assert "dora" in done.stdout


def test_a_table_has_one_name() -> None:
    done = run("host", "tongits", "Friday night", *HOST[2:], "--name", "lab")
    assert (done.returncode, done.stderr.strip()) == (
        2,
        "The table has two names: leave out --name, or the other one.",
    )


def test_the_list_shows_tables_of_this_machine_and_that_they_go(start: Start) -> None:
    watcher = start("list", "--watch", "--json", "--interface", "lo", "--wait", "0.1")
    opener = start("host", "tongits", "Friday night", *HOST[2:], "--port", "0", "--nick", "ana")
    table = opener.hear("table")

    def listed(count: int) -> list[dict[str, Any]]:
        """Our table in the first list that has it so often; other tests have theirs on the same loopback."""
        end = time.monotonic() + PATIENCE
        while (rows := cast(list[dict[str, Any]], watcher.next(end))) is not None:
            ours = [row for row in rows if row["id"] == table["id"]]
            if len(ours) == count:
                return ours
        raise AssertionError(f"no list with our table {count} times")

    (row,) = listed(1)
    assert (row["name"], row["game"], row["host"]) == ("Friday night", "tongits", "ana")
    assert (row["seats"], row["taken"], row["state"], row["door"]) == (3, 1, "lobby", "open")
    assert f"127.0.0.1:{table['port']}" in row["addresses"]
    opener.say("leave")
    listed(0)


def test_a_list_is_an_array_and_no_failure() -> None:
    done = run("list", "--json", "--interface", "lo", "--wait", "0")
    assert (done.returncode, type(json.loads(done.stdout)), done.stderr) == (0, list, "")


def test_who_only_looks_needs_nobody_whom_they_know(tmp_path: Path) -> None:
    for folder, name, text in (("data", "known_peers", "["), ("config", "config.toml", 'lab_keys = "/nowhere"')):
        file = tmp_path / folder / "p2pcards" / name
        file.parent.mkdir(parents=True)
        file.write_text(text)
    done = run("list", "--json", "--interface", "lo", "--wait", "0", home=tmp_path)
    assert (done.returncode, type(json.loads(done.stdout)), done.stderr) == (0, list, "")


def test_a_hidden_table_is_joined_by_address_only(start: Start, tmp_path: Path) -> None:
    table = start(*HOST, "--port", "0", "--hidden").hear("table")
    rows = json.loads(run("list", "--json", "--interface", "lo", "--wait", "1").stdout)
    assert table["id"] not in [row["id"] for row in rows]
    guest = start("join", f"127.0.0.1:{table['port']}", "--interface", "lo", "--json", home=tmp_path / "ben")
    guest.hear("entered")


def test_practice_with_a_seed_deals_the_same_cards_again() -> None:
    first, again, other = (run(*PRACTISE[:2], "--seed", seed, "--pace", "0") for seed in ("7", "7", "8"))
    assert first.returncode == 0

    def hand(done: subprocess.CompletedProcess[str]) -> str:
        return next(line for line in done.stdout.splitlines() if line.startswith("You hold"))

    assert hand(first) == hand(again) != hand(other)


def test_practice_under_another_word_is_practice() -> None:
    done = run("practice", *PRACTISE[1:])
    assert (done.returncode, done.stderr) == (0, "")


# ---- seats, presets, demo


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("practise", "tongits", "-n", "4"), "Tong-its is for 3 players, not 4."),
        (("host", "onecard", "-n", "9"), "One Card is for 2 to 8 players, not 9."),
        (("practise", "onecard", "-n", "8", "-c", "15", "-d", "1"), "8 players with 15 cards each need 137 cards"),
        (("practise", "onecard", "-r", "100"), "rounds can't be 100; allowed: 1 to 99."),
        (("practise", "tongits", "--level", "seed-hard"), "bot_level is one of: random, easy, medium, hard."),
        (("practise", "tongits", "--preset", "friday"), "No preset for Tong-its is called friday; none is kept yet"),
    ],
)
def test_a_set_up_that_can_not_be_is_one_sentence_and_exit_2(words: tuple[str, ...], says: str, home: Path) -> None:
    done = run(*words, *(("--interface", "lo") if words[0] == "host" else ()))
    assert (done.returncode, done.stdout) == (2, "")
    assert says in complaint(done)


def test_the_numbers_of_one_card_are_those_of_the_old_program(home: Path, tmp_path: Path) -> None:
    record = tmp_path / "game.p2pcards.toml"
    given = ("-n", "3", "-c", "2", "-d", "1", "-r", "2", "--option", "scoring=points")
    done = run("practise", "one-card", *given, "--demo", "--seed", "4", "--record", str(record))
    assert (done.returncode, done.stderr) == (0, "")
    text = record.read_text()
    assert 'decks = 1\ncards = 2\nrounds = 2\nscoring = "points"' in text
    assert text.count("[[rounds]]") == 2
    assert 'players = ["bot-' in text


@pytest.mark.parametrize("game", GAMES)
def test_a_demo_prints_a_play_through_of_a_whole_match(game: str, home: Path, tmp_path: Path) -> None:
    log = tmp_path / "story.txt"
    done = run("practise", game, "--demo", "--plain", "--seed", "1", "--log", str(log))
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[-1] == "The match is over, and the table is closed."
    assert lines[-2].startswith("The match is over, and bot-")
    assert any(line.startswith("Round 1: bot-") for line in lines)
    assert len(log.read_text().splitlines()) == len(lines)


def test_a_preset_comes_before_the_options_and_what_there_is_no_more_is_said(home: Path) -> None:
    file = home / "config" / "p2pcards" / "presets.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[tongits.friday]\nscoring = "chips"\nstake = 5\nblind = true\nturn_seconds = 30\n')
    done = run("practise", "tongits", "--preset", "Friday", "--option", "stake=7", "--demo", "--seed", "1")
    assert done.returncode == 0
    assert complaint(done) == ("The preset Friday has what Tong-its no longer has, so it is left out: blind true.")
    rules = next(line for line in done.stdout.splitlines() if line.startswith("Rules"))
    assert rules == "Rules of this table: scoring chips, stake 7, match_rounds 1, 30 s a turn."


def test_presets_that_can_not_be_read_are_one_sentence_and_stay(home: Path) -> None:
    file = home / "config" / "p2pcards" / "presets.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[tongits.friday")
    done = run("practise", "tongits", "--preset", "friday")
    assert done.returncode == 1
    assert "can't be read as presets" in complaint(done)
    assert file.read_text() == "[tongits.friday"


def test_the_rules_of_a_table_are_kept_and_loaded_at_another(home: Path) -> None:
    host = ("host", "tienlen", "--interface", "lo", "--port", "0", "--plain")
    kept = run(*host, "--option", "turn_seconds=30", "-n", "3", stdin="set twos_high\npreset save fast\nquit\n")
    assert "Kept as fast: 30 s a turn." in kept.stdout
    loaded = run(*host, stdin="set turn_seconds 60\npreset load fast\nset turn_seconds\nquit\n")
    assert "turn_seconds is 30 here, usually 0." in loaded.stdout
    assert (
        run("--plain", "--interface", "lo", stdin="preset list\n").stdout.count("fast, for Tiến lên: 30 s a turn.") == 1
    )
