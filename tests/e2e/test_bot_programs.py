"""Programs of one's own at real tables of two processes, from the command line on."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
from pathlib import Path

import pytest

from tests.testing.clients import P2PCARDS, homes, local
from tests.testing.odd_bots import CAUTIOUS_PY, FIRST_SH, written

TABLES = {
    "tongits": ("--bots", "1", "--rounds", "1"),
    "tienlen": ("--bots", "2", "--rounds", "1"),
    "straights": ("--bots", "2", "--option", "threshold=20"),
    "onecard": ("-n", "4", "-r", "1", "--bots", "2"),
}


def _run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The program, headless, on loopback, with that folder as home and current one."""
    return subprocess.run(
        [*P2PCARDS, *words, "--headless", "--interface", "lo"],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=folder,
        env={**os.environ, **homes(folder)},
    )


@pytest.mark.parametrize("game", TABLES)
def test_the_examples_play_each_other_to_the_end_of_a_match(game: str, tmp_path: Path) -> None:
    with local(tmp_path / "user") as start:
        host = start(
            "host", game, "--interface", "lo", "--json", "--headless", "--nick", "ana", "--port", "0",
            "--bot", FIRST_SH, "--bot-seconds", "20", *TABLES[game],
        )  # fmt: skip
        port = host.hear("table")["port"]
        guest = start(
            "join", f"127.0.0.1:{port}", "--interface", "lo", "--json", "--headless", "--nick", "ben",
            "--bot", CAUTIOUS_PY, "--bot-seconds", "20", home=tmp_path / "ben",
        )  # fmt: skip
        assert (host.finish(), guest.finish()) == (0, 0)
    assert host.told("match") == guest.told("match") != []
    assert host.told("error") == guest.told("error") == []
    acts = [event for event in guest.told("entry") if event["seat"] is not None]
    assert {"ana", "ben"} <= {event["nick"] for event in acts}


def test_what_it_does_wrong_is_an_event_and_its_complaint_is_in_the_log(tmp_path: Path) -> None:
    bad = written(tmp_path, "raise RuntimeError('out of ideas')")
    with local(tmp_path / "user") as start:
        host = start(
            "host", "tongits", "--interface", "lo", "--json", "--headless", "--nick", "ana", "--port", "0",
            "--bot", bad, "--bots", "2", "--rounds", "1",
        )  # fmt: skip
        assert host.finish() == 0
    told = [event["text"] for event in host.told("error")]
    assert told[0] == "The bot odd.py ended with exit code 1 before it answered; the safe default was played."
    logs = "".join(file.read_text() for file in (tmp_path / "user").rglob("*.log"))
    assert "odd.py says: RuntimeError: out of ideas" in logs


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_it_ends_with_the_program_that_it_plays_for(end: int, tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    before = f"signal.signal(signal.SIGTERM, signal.SIG_IGN); open({str(mark)!r}, 'w').write(str(os.getpid()))"
    stuck = written(tmp_path, "say(id=number, action=legal[0])\n    time.sleep(600)", before)
    with local(tmp_path / "user") as start:
        host = start(
            "host", "tongits", "--interface", "lo", "--json", "--headless", "--nick", "ana", "--port", "0",
            "--bot", stuck, "--bots", "2", "--rounds", "1",
        )  # fmt: skip
        host.hear("entry", nick="ana", kind="act")
        host.process.send_signal(end)
        host.finish()
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="this system tells of ends otherwise")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_what_is_stuck_does_not_outlive_an_arena_that_is_killed(end: int, tmp_path: Path) -> None:
    fifo = tmp_path / "pids"
    os.mkfifo(fifo)
    before = f"signal.signal(15, signal.SIG_IGN); os.fork(); print(os.getpid(), file=open({str(fifo)!r}, 'w'))"
    stuck = written(tmp_path, "time.sleep(600)", before)
    words = ("arena", "onecard", "--seat", stuck, "--seat", "easy")
    with (
        subprocess.Popen([*P2PCARDS, *words], env={**os.environ, **homes(tmp_path)}) as arena,
        os.fdopen(os.open(fifo, os.O_RDWR)) as told,
    ):
        bots = [os.pidfd_open(int(told.readline())) for _ in range(2)]
        arena.send_signal(end)
    for bot in bots:
        assert select.select([bot], [], [], 60)[0]  # it has ended
        os.close(bot)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("./nothing", "The bot ./nothing is not there.\n"),
        ("./plain", "The bot ./plain can't be executed (chmod +x).\n"),
        ("medium --fast", "The bot medium is not there.\n"),
        ("./it's", """"./it's" is no command line: No closing quotation.\n"""),
    ],
)
@pytest.mark.parametrize("verb", ["join", "host"])
def test_a_program_that_cannot_be_had_is_one_sentence(verb: str, command: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    done = _run(tmp_path, verb, "tongits", "--bot", command)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)


@pytest.mark.parametrize("verb", ["join", "host"])
def test_a_program_that_is_nearly_named_so_can_be_meant(verb: str, tmp_path: Path) -> None:
    (tmp_path / "mybot.sh").touch(0o755)
    done = _run(tmp_path, verb, "tongits", "--bot", "mybot")
    assert (done.returncode, done.stdout) == (2, "")
    assert "No bot level is called 'mybot'; did you mean ./mybot.sh?" in done.stderr


def test_a_level_goes_before_a_file_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "easy").touch()
    done = _run(tmp_path, "host", "tongits", "--bot", "easy", "--bots", "2", "--rounds", "1", "--port", "0")
    assert (done.returncode, done.stderr) == (0, "")


def test_time_is_given_to_programs_alone(tmp_path: Path) -> None:
    done = _run(tmp_path, "host", "tongits", "--bot", "easy", "--bot-seconds", "3")
    assert (done.returncode, done.stderr.partition(".")[0]) == (
        2,
        "--bot-seconds is for a program of yours: it goes with --bot COMMAND",
    )


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_arena_plays_it_and_keeps_its_complaints(jobs: str, tmp_path: Path) -> None:
    bad = written(tmp_path, "raise RuntimeError('out of ideas')")
    seats = ("--seat", FIRST_SH, "--seat", bad, "--seat", "easy")
    done = subprocess.run(
        [*P2PCARDS, "arena", "tongits", *seats, "--rounds", "12", "--jobs", jobs, "--json"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **homes(tmp_path)},
    )
    assert done.returncode == 0
    assert [seat["bot"] for seat in json.loads(done.stdout)["seats"]] == [FIRST_SH, bad, "easy"]
    assert "The bot odd.py ended with exit code 1 before it answered; the safe default was played." in done.stderr
    (log,) = tmp_path.rglob("arena.log")
    assert "odd.py says: RuntimeError: out of ideas" in log.read_text()
