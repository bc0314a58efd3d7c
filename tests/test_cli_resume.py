"""Coming back to a table and looking on at one, from the command line: real processes on loopback, killed outright."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.testing.clients import Client, local

Start = Callable[..., Client]

LO = ("--interface", "lo", "--json")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with local(tmp_path / "user") as start:
        yield start


class Table:
    """ana, who opens one, and others who join; each has a home to come back from."""

    def __init__(self, start: Start, folder: Path, *others: str) -> None:
        self._start, self._folder = start, folder
        self.clients = {"ana": self.run("ana", "host", "tongits", "--name", "lab", "--port", "0")}
        self.port = self.clients["ana"].hear("table")["port"]
        for name in others:
            self.clients[name] = self.run(name, "join", f"127.0.0.1:{self.port}")
            self.clients[name].hear("entered")
            self.clients["ana"].hear("seated", nick=name)

    def run(self, name: str, *words: str) -> Client:
        """A program of that person."""
        return self._start(*words, *LO, *(("--nick", name) if words[0] != "list" else ()), home=self._folder / name)

    def deal(self) -> dict[str, str]:
        """Starts the match; everybody's hand."""
        self.clients["ana"].say("start")
        return {name: client.hear("view")["hand"] for name, client in self.clients.items()}

    def kill(self, *names: str) -> None:
        """kill -9."""
        for name in names or tuple(self.clients):
            self.clients[name].process.kill()
            self.clients[name].process.wait()

    def resume(self, *names: str) -> None:
        """The same people come back."""
        for name in names or tuple(self.clients):
            self.clients[name] = self.run(name, "resume")

    def hears_its_hand(self, name: str, hand: str) -> None:
        """The cards in that person's hand are these again."""
        assert self.clients[name].hear("view")["hand"] == hand


def test_everybody_is_killed_and_resume_brings_every_hand_back(start: Start, tmp_path: Path) -> None:
    table = Table(start, tmp_path, "ben", "cy")
    hands = table.deal()
    table.kill()
    table.resume()
    for name, hand in hands.items():
        table.hears_its_hand(name, hand)
    ben = table.clients["ben"]
    while ben.told("host")[-1]["term"] < 2:  # a view may come before the word that its host's term is committed
        ben.hear("host")


def test_one_alone_with_bots_goes_on_at_the_same_cards(start: Start, tmp_path: Path) -> None:
    table = Table(start, tmp_path)
    (hand,) = table.deal().values()
    table.kill()
    table.resume()
    ana = table.clients["ana"]
    assert ana.hear("entered")["seat"] is not None
    table.hears_its_hand("ana", hand)
    assert ana.hear("table")["name"] == "lab"
    assert [event["term"] for event in ana.told("host")] == [1]
    assert len(ana.told("seated")) == 3


def test_the_host_is_killed_and_comes_back_as_a_guest(start: Start, tmp_path: Path) -> None:
    table = Table(start, tmp_path, "ben", "cy")
    hands = table.deal()
    table.kill("ana")
    assert table.clients["ben"].hear("host", term=2)["nick"] in ("ben", "cy")
    table.resume("ana")
    table.hears_its_hand("ana", hands["ana"])


def test_who_resumes_finds_the_others_where_they_are_now(start: Start, tmp_path: Path) -> None:
    """ben's program listens on another port after it was killed, and nobody tells the others but its advert."""
    table = Table(start, tmp_path, "ben", "cy")
    hands = table.deal()
    table.kill()
    table.resume("cy", "ben")
    for name in ("ben", "cy"):
        table.hears_its_hand(name, hands[name])


def test_nothing_to_resume_is_one_sentence_and_exit_3(start: Start, tmp_path: Path) -> None:
    client = start("resume", *LO)
    assert client.finish() == 3
    assert "kept on this machine" in client.told("error")[-1]["text"]


def test_a_table_that_was_left_is_not_kept(start: Start, tmp_path: Path) -> None:
    table = Table(start, tmp_path)
    table.clients["ana"].say("leave")
    assert table.clients["ana"].finish() == 0
    table.resume()
    assert table.clients["ana"].finish() == 3


def test_who_looks_on_has_no_seat_and_is_told_when_the_table_closes(start: Start, tmp_path: Path) -> None:
    table = Table(start, tmp_path)
    watcher = table.run("dan", "watch", f"127.0.0.1:{table.port}")
    assert watcher.hear("entered")["seat"] is None
    table.clients["ana"].say("leave")
    assert watcher.finish() == 5


def test_a_headless_program_looks_on_to_the_end_of_the_match(start: Start, tmp_path: Path) -> None:
    record = tmp_path / "game.p2pcards.toml"
    host = start(
        "host", "tongits", *LO, "--headless", "--port", "0", "--rounds", "1", "--bots", "1", "--nick", "ana"
    )  # fmt: skip
    port = host.hear("table")["port"]
    watcher = start(
        "watch", f"127.0.0.1:{port}", *LO, "--headless", "--record", str(record), home=tmp_path / "dan"
    )  # fmt: skip
    assert watcher.hear("entered")["seat"] is None
    guest = start("join", f"127.0.0.1:{port}", *LO, "--headless", "--nick", "ben", home=tmp_path / "ben")
    assert (host.finish(), guest.finish(), watcher.finish()) == (0, 0, 0)
    assert not watcher.told("view")
    assert "[rounds.proof]" in record.read_text()


def test_the_host_s_terminal_is_closed_and_the_table_goes_on(start: Start, tmp_path: Path) -> None:
    table = Table(start, tmp_path, "ben", "cy")
    hands = table.deal()
    table.clients["ana"].process.send_signal(signal.SIGHUP)
    assert table.clients["ana"].finish() == 129
    assert table.clients["ben"].hear("host", term=2)["nick"] in ("ben", "cy")
    table.resume("ana")
    table.hears_its_hand("ana", hands["ana"])


def test_a_host_that_ends_politely_hands_over_and_is_gone(start: Start, tmp_path: Path) -> None:
    table = Table(start, tmp_path, "ben")
    table.clients["ana"].process.send_signal(signal.SIGTERM)
    assert table.clients["ana"].finish() == 143
    assert table.clients["ben"].hear("host", term=2)["nick"] == "ben"
    assert not list((tmp_path / "ana").rglob("journal"))
