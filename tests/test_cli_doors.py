"""Doors from the command line, on loopback: who gets in, what the others are told, and that the table stands."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from p2pcards.store.folders import Folders
from p2pcards.store.identity_file import key_file, seed
from p2pcards.store.lab import create_lab_key
from p2pcards.store.people import KnownPeople
from p2pcards.table.people import Ban, Known
from p2pcards.wire.code import code_words
from p2pcards.wire.identity import Identity
from tests.testing.clients import P2PCARDS, PATIENCE, Client, homes, local

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no owners of files there")

Start = Callable[..., Client]

HERE = ("--interface", "lo", "--json")


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with local(tmp_path / "ana") as start:
        yield start


@pytest.fixture
def lab(tmp_path: Path) -> str:
    create_lab_key(tmp_path / "lab.key")
    return str(tmp_path / "lab.key")


def own(home: Path) -> Folders:
    """The folders of the user whose home this is."""
    config, data, local = (home / name / "p2pcards" for name in ("config", "data", "state"))
    return Folders(config, data, local)


def opened(start: Start, *words: str) -> tuple[Client, str]:
    """Ana's table, and the address where it is."""
    opener = start("host", "tongits", *HERE, "--port", "0", "--nick", "ana", *words)
    return opener, f"127.0.0.1:{opener.hear('table')['port']}"


def knock(start: Start, address: str, home: Path, *words: str) -> Client:
    """Somebody who comes with a bot at the seat, so that nobody can be asked for anything."""
    return start("join", address, *HERE, "--headless", *words, home=home)


def turned_away(guest: Client, reason: str) -> dict[str, Any]:
    """The one `refused` event of a guest who wasn't let in, with exit code 4."""
    assert guest.finish() == 4
    (refused,) = guest.told("refused")
    assert refused["reason"] == reason
    assert refused["text"].endswith(".")
    assert guest.told("closed")[-1]["reason"] == reason
    assert not guest.told("entered")
    return refused


def let_in(opener: Client, guest: Client, nick: str) -> None:
    """The guest gets a seat, and the host sees it."""
    guest.hear("entered")
    assert opener.hear("seated", nick=nick)["seat"] == 1


def stands(opener: Client) -> None:
    """The table goes on as if nothing had been."""
    opener.say("leave")
    assert opener.finish() == 0


# ---- code


def test_a_code_is_read_as_people_write_it_and_written_as_programs_read_it(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "code"
    code = "-".join(code_words()[1:3])
    file.write_text(code.upper().replace("-", " "))
    opener, _ = opened(start, "--door", "code", "--code-file", str(file))
    assert opener.told("table")[-1]["code"] == code
    assert file.read_text() == f"{code}\n"
    assert file.stat().st_mode & 0o777 == 0o600
    stands(opener)


# ---- lab


def test_a_labs_tables_are_shown_apart(start: Start, lab: str, tmp_path: Path) -> None:
    opener, _ = opened(start, "--door", "lab", "--lab-key", lab, "--name", "members")
    until_listed(start, opener, tmp_path / "cy", "--lab", "--lab-key", lab)
    stands(opener)


def until_listed(start: Start, opener: Client, home: Path, *words: str) -> None:
    """Waits until the list that is printed shows the table."""
    looking = start("list", "--watch", "--interface", "lo", "--json", "--wait", "0.1", *words, home=home)
    end = time.monotonic() + PATIENCE
    while (rows := cast(list[dict[str, Any]], looking.next(end))) is not None:
        if opener.told("table")[-1]["id"] in [row["id"] for row in rows]:
            return
    raise AssertionError("the table was never listed")


# ---- who is who


def test_who_is_banned_stays_outside_and_is_told_why_and_until_when(start: Start, tmp_path: Path) -> None:
    ben = Identity(seed(key_file(own(tmp_path / "ben").data, "default"))).key
    until = int(time.time()) + 7200
    KnownPeople(own(tmp_path / "ana")).ban(Ban(ben, "ben", reason="stalling", until=until))
    opener, address = opened(start)
    told = turned_away(knock(start, address, tmp_path / "ben", "--nick", "somebody"), "banned")
    assert "stalling" in told["text"]
    assert told["until"] == until
    stands(opener)


def test_a_known_name_under_another_key_is_not_seated_where_nobody_can_be_asked(start: Start, tmp_path: Path) -> None:
    ben = Identity(seed(key_file(own(tmp_path / "ben").data, "default"))).key
    KnownPeople(own(tmp_path / "ana")).meet(ben, "ben", time.time())
    _, address = opened(start, "--headless", "--no-seat")
    told = turned_away(knock(start, address, tmp_path / "mallory", "--nick", "Ben"), "declined")
    assert "--nick" in told["text"]
    guest = knock(start, address, tmp_path / "ben", "--nick", "ben")
    guest.hear("entered")


def test_who_sat_with_us_is_known_from_then_on(start: Start, tmp_path: Path) -> None:
    opener, address = opened(start)
    guest = start("join", address, *HERE, "--nick", "ben", home=tmp_path / "ben")
    let_in(opener, guest, "ben")
    guest.hear("seated", nick="ben")
    guest.say("quit")
    assert guest.finish() == 0
    stands(opener)
    keys = {name: Identity(key_file(own(tmp_path / name).data, "default").read_bytes()).key for name in ("ana", "ben")}
    assert KnownPeople(own(tmp_path / "ana")).what(keys["ben"], "ben") is Known.MET
    assert KnownPeople(own(tmp_path / "ben")).what(keys["ana"], "ana") is Known.MET


# ---- settings


def test_settings_count_and_the_command_line_goes_on_top(start: Start, lab: str, tmp_path: Path) -> None:
    folder = own(tmp_path / "ana").config
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(f'nick = "dora"\ndoor = "code"\nlab_key = "{lab}"\n')
    opener = start("host", "tongits", *HERE, "--port", "0")
    assert "code" in opener.hear("table")
    assert [event["nick"] for event in opener.told("seated")] == ["dora"]
    stands(opener)
    opener = start("host", "tongits", *HERE, "--port", "0", "--door", "lab", "--nick", "ana")
    assert "code" not in opener.hear("table")
    assert [event["nick"] for event in opener.told("seated")] == ["ana"]
    stands(opener)


def test_a_lab_that_is_out_of_reach_is_said_and_the_table_opens(start: Start, tmp_path: Path) -> None:
    folder = own(tmp_path / "ana").config
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('lab_key = "/nowhere/key"\nlab_keys = "/nowhere/keys"\n')
    opener, _ = opened(start)
    stands(opener)
    assert opener.process.stderr is not None
    said = opener.process.stderr.read().splitlines()
    assert [line.split(" can't be")[0] for line in said] == [
        "The lab's key /nowhere/key",
        "The directory of keys /nowhere/keys",
    ]


@pytest.mark.parametrize("name", ["known_peers", "bans"])
def test_a_file_of_people_that_can_not_be_read_stops_the_program_and_stays(tmp_path: Path, name: str) -> None:
    file = own(tmp_path).data / name
    file.parent.mkdir(parents=True)
    file.write_text("[[oh")
    words = ("host", "tongits", *HERE)
    environment = {**os.environ, **homes(tmp_path)}
    done = subprocess.run([*P2PCARDS, *words], capture_output=True, text=True, env=environment, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"{file} can't be read as ")
    assert done.stderr.count("\n") == 1
    assert file.read_text() == "[[oh"
