"""Tables that stay open over an evening: `host --keep`, on loopback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.testing.clients import P2PCARDS, Client, homes, local

Start = Callable[..., Client]

KEPT = ("host", "tongits", "--no-seat", "--keep", "--headless", "--interface", "lo", "--port", "0", "--json")


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with local(tmp_path / "user") as start:
        yield start


def guest(start: Start, port: int, home: Path) -> Client:
    return start(
        "join", f"127.0.0.1:{port}", "--headless", "--bot", "easy", "--interface", "lo", "--json",
        "--nick", home.name, home=home,
    )  # fmt: skip


def test_a_table_without_a_seat_hosts_match_after_match(start: Start, tmp_path: Path) -> None:
    record = tmp_path / "lab.p2pcards.toml"
    table = start(*KEPT, "--bots", "1", "--level", "easy", "--record", str(record))
    opened = table.hear("table")
    for match in (1, 2):
        guests = [guest(start, opened["port"], tmp_path / name) for name in ("ben", "cy")]
        assert len(table.hear("match")["scores"]) == 3
        assert [one.finish() for one in guests] == [0, 0]
        table.say("who")
        table.hear("answer", command="who")
        assert len(table.told("match")) == match
    table.say("set idle_minutes")
    assert "it stays open" in table.hear("answer", command="set")["lines"][0] + table.events[-1]["lines"][0]
    table.say("quit")
    assert table.finish() == 0
    assert len(table.told("table")) == 1
    assert (record.exists(), record.with_name("lab-2.p2pcards.toml").exists()) == (True, True)


def test_its_door_can_ask_for_somebody_reads_commands(start: Start, tmp_path: Path) -> None:
    table = start(*KEPT, "--door", "ask")
    port = table.hear("table")["port"]
    ben = guest(start, port, tmp_path / "ben")
    assert table.hear("knock")["nick"] == "ben"
    table.say("deny ben later")
    assert ben.finish() == 4
    cy = guest(start, port, tmp_path / "cy")
    table.hear("knock", nick="cy")
    table.say("admit cy")
    table.hear("seated", nick="cy")
    table.say("start")
    table.hear("match")
    assert cy.finish() == 0
    table.say("leave")
    assert table.finish() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_the_end_of_its_input_ends_nothing_and_a_signal_does(start: Start, tmp_path: Path) -> None:
    table = start(*KEPT)
    port = table.hear("table")["port"]
    assert table.process.stdin is not None
    table.process.stdin.close()
    looker = start("watch", f"127.0.0.1:{port}", "--interface", "lo", "--json", home=tmp_path / "ben")
    looker.hear("entered")
    table.hear("watching")
    table.process.send_signal(signal.SIGTERM)
    assert table.finish() == 143
    assert looker.finish() == 5


def test_without_json_each_command_has_its_sentence(tmp_path: Path) -> None:
    lines = "bot add easy\nset scoring chips\nbid 4\nwho\nquit\n"
    done = subprocess.run(
        [*P2PCARDS, *KEPT[:-1], "--name", "lab"],
        input=lines, capture_output=True, text=True, timeout=60, env={**os.environ, **homes(tmp_path)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    told = done.stdout.splitlines()
    assert "bot-1 is in seat 1, a bot (easy)." in told
    assert any(line.startswith("Rules of this table: ") and "scoring chips" in line for line in told)
    assert "There is no command bid; `help` lists them all." in told
    assert "Seat 2: free." in told
    assert told[-1] == "You left the table."


@pytest.mark.parametrize("more", [(), ("--keep",)])
def test_nobody_is_asked_at_the_door_of_a_headless_table_that_is_not_kept(start: Start, more: tuple[str, ...]) -> None:
    table = start("host", "tongits", "--headless", "--door", "ask", "--interface", "lo", "--port", "0", "--json", *more)
    if more:
        table.hear("table")
        table.say("quit")
    assert table.finish() == (0 if more else 2)
