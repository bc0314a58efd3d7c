"""The commands of the documentation that open tables, come to them or look for them are run as they stand, on loopback.

Whatever a line leaves open (how it is ended, who sits at the other machine) a test supplies by JSON events. A table's
title gets the number of this process behind it, since all tests of a machine share loopback.
"""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest

from p2pcards.games.record import read
from p2pcards.store.folders import Folders
from p2pcards.store.presets import PresetFile
from tests.testing.bots_of_readers import bots_of_their_own
from tests.testing.clients import PATIENCE, Client, local
from tests.testing.shown import ALL, IN_A_POSIX_SHELL, commands, lines

pytestmark = IN_A_POSIX_SHELL

NO_NETWORK = ("practise",)
"""Commands that know no interface, for they use none."""

MATCH = [found.line for found in ALL if found.page == "docs/play.md" and found.block and "--headless" in found.line]
"""The lines of one block that play a match with one another: a host and who joins."""


def titled(word: str) -> str:
    """A title of the pages as this test has it."""
    return f"{word} {os.getpid()}"


class Net:
    """Programs of several people on this machine, each in a home of its own."""

    def __init__(self, folder: Path, start: Any) -> None:
        self.folder, self._start, self._people = folder, start, 0

    def runs(self, *words: str, home: Path | None = None, json: bool = True) -> Client:
        """Starts p2pcards with these words, in somebody's new home or in a known one."""
        given = list(words)
        verb = given[0] if given else ""
        if verb not in NO_NETWORK:
            given += ["--interface", "lo"]
        if verb in ("host", "doctor"):
            given += ["--port", "0"]
        if json and "--json" not in given:
            given.append("--json")
        self._people += 1
        client: Client = self._start(*given, home=home or self.folder / f"home {self._people}")
        return client

    def table(self, title: str, *more: str) -> tuple[Client, str]:
        """A table with a bot and two free seats that plays a round when they are taken; its address."""
        host = self.runs("host", "tongits", title, "--no-seat", "--headless", "--rounds", "1", "--bots", "1", *more)
        return host, f"127.0.0.1:{host.hear('table')['port']}"


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Net]:
    here = tmp_path / "here"
    here.mkdir()
    bots_of_their_own(here)
    monkeypatch.chdir(here)
    monkeypatch.setenv("PATH", os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    with local(tmp_path / "user") as start:
        yield Net(tmp_path, start)


class Line(NamedTuple):
    """A line of this test's: its words behind p2pcards, its verb aside, with the titles of this test."""

    verb: str
    words: tuple[str, ...]
    title: str
    """What its table is called; "" where it names none, and an address of the pages where it names that."""


def parsed(line: str) -> Line:
    (words,) = commands(line)
    verb, *given = words or ("",)
    at = 0 if verb in ("join", "watch", "doctor") and given and not given[0].startswith("-") else None
    if verb == "host":
        at = given.index("--name") + 1 if "--name" in given else 1 if given[1:] and given[1][0] != "-" else None
    title = "" if at is None else given[at]
    if at is not None and not is_address(title):
        title = given[at] = titled(title)
    return Line(verb, tuple(given), title)


def is_address(title: str) -> bool:
    return title.startswith("10.0.0.7") or title == "HOST:PORT"


def ended(client: Client, code: int = 0) -> None:
    assert client.finish() == code
    assert client.process.stderr is not None
    assert "Traceback" not in client.process.stderr.read()


def of(verb: str) -> pytest.MarkDecorator:
    """Runs the test with each line of that command, but for those that the match below plays."""
    return pytest.mark.parametrize("line", [line for line in lines("tables") if is_of(line, verb)])


def is_of(line: str, verb: str) -> bool:
    return line not in MATCH and shlex.split(line)[1:2] == ([verb] if verb else [])


def test_each_line_is_run_by_one_of_these_tests() -> None:
    assert all(line in MATCH or any(is_of(line, verb) for verb in RUN) for line in lines("tables"))


# ---- host, join, watch


@of("host")
def test_a_host_opens_the_table_that_its_line_describes(line: str, net: Net, tmp_path: Path) -> None:
    home = tmp_path / "host"
    preset = ("scoring", "chips")
    PresetFile(Folders(home / "config" / "p2pcards", home / "data", home / "locks")).save(
        "tongits", "friday", (preset,)
    )
    said = parsed(line)
    words = said.words
    host = net.runs("host", *words, home=home)
    table = host.hear("table")
    assert table["name"] == (said.title or table["name"])
    assert ("code" in table) == ("code" in words)
    (options,) = host.told("options")
    told = {**options["options"], **options["settings"]}
    shown = {word.partition("=")[0]: word.partition("=")[2] for word in words if "=" in word}
    assert told.items() >= {**shown, **(dict([preset]) if "--preset" in words else {})}.items()
    assert bool(host.told("seated")) == ("--no-seat" not in words)
    if "--headless" in words and "--keep" not in words:
        host.finish(2 * PATIENCE)
        assert len(host.told("round")) == int(words[words.index("--rounds") + 1])
        assert host.told("error") == []
    else:
        host.say("who" if "--keep" in words else "quit")
        if "--keep" in words:
            host.hear("answer", command="who")
            host.say("quit")
    ended(host)


@of("join")
def test_who_joins_has_a_seat_at_the_table_that_the_line_names(line: str, net: Net) -> None:
    said = parsed(line)
    host, address = net.table("x" if is_address(said.title) else said.title)
    words = [address if is_address(word) else word for word in said.words]
    guest = net.runs("join", *words)
    seat = guest.hear("entered")["seat"]
    assert isinstance(seat, int)
    assert "bot" not in host.hear("seated", seat=seat)
    if "--headless" in words:
        other = net.runs("join", address, "--headless")
        assert (other.finish(), host.finish()) == (0, 0)
        assert guest.hear("match")
        assert guest.told("error") == []
    else:
        guest.say("leave")
    ended(guest)


@of("watch")
def test_who_looks_on_has_no_seat(line: str, net: Net) -> None:
    said = parsed(line)
    host, _ = net.table(said.title)
    guest = net.runs("watch", *said.words)
    assert guest.hear("entered")["seat"] is None
    host.hear("watching")
    guest.say("quit")
    ended(guest)


def test_the_lines_of_a_block_play_a_match_with_each_other(net: Net) -> None:
    first, *others = map(parsed, MATCH)
    host = net.runs(first.verb, *first.words)
    assert host.hear("table")["name"] == first.title
    guests = [net.runs(line.verb, *line.words) for line in others]
    for client in (host, *guests):
        ended(client)
        assert len(client.told("match")) == 1
        assert client.told("error") == []
    record = read(Path(first.words[first.words.index("--record") + 1]).read_text(encoding="utf-8"))
    assert len(record.players) == len(MATCH)


# ---- alone


@of("practise")
def test_practice_deals_by_its_line(line: str, net: Net) -> None:
    words = parsed(line).words
    game = net.runs("practise", *words)
    started = game.hear("started")
    if "-n" in words:
        assert len(started["players"]) == int(words[words.index("-n") + 1])
    if "-r" in words:
        assert game.told("options")[-1]["options"]["rounds"] == words[words.index("-r") + 1]
    if "-c" in words:
        assert len(game.hear("view")["hand"].split()) == int(words[words.index("-c") + 1])
    if "--demo" in words:
        game.hear("match")
    else:
        game.hear("turn")
        game.say("quit")
    ended(game)


@of("resume")
def test_who_was_killed_comes_back_with_the_same_hand(line: str, net: Net, tmp_path: Path) -> None:
    home = tmp_path / "home"
    before = net.runs("host", "tongits", "--bots", "2", home=home)
    before.hear("table")
    before.say("start")
    hand = before.hear("view")["hand"]
    before.process.kill()
    before.process.wait()
    after = net.runs("resume", *parsed(line).words, home=home)
    assert after.hear("view")["hand"] == hand
    after.say("quit")
    ended(after)


# ---- the list, home, the doctor


@of("")
def test_home_shows_the_tables(line: str, net: Net) -> None:
    home = net.runs(*parsed(line).words, json=False)
    assert home.line().startswith("You are ")
    home.say("quit")
    assert home.process.wait(PATIENCE) == 0


@of("list")
def test_the_list_goes_on_and_shows_what_is_opened(line: str, net: Net) -> None:
    listing = net.runs("list", *parsed(line).words)
    net.table(titled("listed"))
    end = time.monotonic() + PATIENCE
    names: set[str] = set()
    while titled("listed") not in names:
        rows = cast(list[dict[str, Any]], listing.next(end))
        assert rows is not None, f"not listed, but {names}"
        names = {row["name"] for row in rows}
    listing.process.send_signal(signal.SIGINT)
    ended(listing, 130)


@of("doctor")
def test_the_doctor_examines_and_finds_who_listens(line: str, net: Net) -> None:
    words = parsed(line).words
    listener = net.runs("doctor", "--listen", json=False)
    while "> On the other machine: " not in (heard := listener.line()):
        pass
    if words != ("--listen",):
        _, address = next(commands(heard.partition("`")[2].rstrip("`\n")))
        looks = net.runs("doctor", *(address if is_address(word) else word for word in words), "--wait", "0.1")
        rows = cast(list[dict[str, str]], looks.next(time.monotonic() + PATIENCE))
        ended(looks, int(any(row["state"] == "bad" for row in rows)))
        states = {row["check"]: row["state"] for row in rows}
        assert {"version", "multicast", "firewall", "peer"} <= set(states)
        if words:
            assert (states["peer"], states["back"], states["join"]) == ("ok", "ok", "ok")
    listener.process.send_signal(signal.SIGINT)
    assert listener.process.wait(PATIENCE) == 130


RUN = ("host", "join", "watch", "practise", "resume", "list", "doctor", "")
