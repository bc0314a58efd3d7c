"""Bad input at a running table: one sentence for whoever sent it, and the table goes on."""

from __future__ import annotations

import os
import signal
import socket
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.testing.clients import Client, local

LO = ("--interface", "lo", "--json")
Start = Callable[..., Client]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with local(tmp_path / "home") as started:
        yield started


@pytest.fixture
def title() -> str:
    """Nobody else's: tables of other tests may be open on this machine."""
    return f"t{uuid.uuid4().hex[:8]}"


def opened(start: Start, title: str, *more: str) -> tuple[Client, int]:
    """A host that reads commands, and its port."""
    host = start("host", "tongits", "--name", title, "--nick", "ana", "--port", "0", *LO, *more)
    return host, int(host.hear("table")["port"])


def joined(start: Start, port: int, nick: str) -> Client:
    guest = start("join", f"127.0.0.1:{port}", "--nick", nick, *LO)
    guest.hear("entered")
    return guest


def goes_on(host: Client, start: Start, port: int) -> None:
    """The table still takes a guest, and deals."""
    guest = joined(start, port, "ben")
    host.hear("seated", nick="ben")
    host.say("start")
    assert host.hear("started")["round"] == 1
    assert guest.hear("started")["round"] == 1


@pytest.mark.parametrize(
    "noise",
    [b"", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", bytes(10_000_000), b"P2PC\x01\x01" + bytes(32), os.urandom(300)],
    ids=["silence", "http", "10MB", "small-order", "random"],
)
def test_a_stranger_gets_nothing_and_the_table_goes_on(start: Start, title: str, noise: bytes) -> None:
    host, port = opened(start, title)
    with socket.create_connection(("127.0.0.1", port)) as stranger:
        stranger.settimeout(20)
        try:
            stranger.sendall(noise)
            said = stranger.recv(4096)
        except ConnectionError:
            said = b""
        assert len(said) in (0, 196)  # M2 at the most, to something that looks like M1
        goes_on(host, start, port)


def test_a_fourth_player_is_told_who_sits_there(start: Start, title: str) -> None:
    _, port = opened(start, title, "--bots", "1")
    joined(start, port, "ben")
    joined(start, port, "cy")  # in the bot's place
    late = start("join", f"127.0.0.1:{port}", "--nick", "dan", *LO)
    refused = late.hear("refused")
    assert refused["reason"] == "full"
    assert "ana, cy, ben" in refused["text"]
    late.hear("closed")
    late.say("quit")
    assert late.finish() in (0, 4)


def test_a_scripted_join_of_a_full_table_ends_with_4(start: Start, title: str) -> None:
    _, port = opened(start, title)
    joined(start, port, "ben")
    joined(start, port, "cy")
    late = start("join", f"127.0.0.1:{port}", "--headless", *LO)
    assert late.hear("refused")["reason"] == "full"
    assert late.finish() == 4


def test_no_such_table_ends_with_3(start: Start) -> None:
    nobody = start("join", "~aaaaaaaaaa", "--headless", "--wait", "0.5", *LO)
    assert nobody.finish() == 3


def test_a_port_in_use_ends_with_1_and_names_it(start: Start, title: str) -> None:
    _, port = opened(start, title)
    second = start("host", "tongits", "--headless", "--port", str(port), *LO)
    assert str(port) in second.hear("error")["text"]
    assert second.finish() == 1


def test_bad_lines_change_nothing(start: Start, title: str) -> None:
    host, _ = opened(start, title, "--bots", "2")
    for line in (
        "dance",
        "discard KD",
        "start now please",
        "set scoring beans",
        "set colour blue",
        "bot add genius",
        "",
    ):
        host.say(line)
    host.say("start")
    host.hear("started")
    told = [event for event in host.events if event["event"] in ("refused", "error")]
    assert len(told) == 6
    assert all(event["text"] and "Traceback" not in event["text"] for event in told)


def test_not_my_turn_and_a_card_not_held_are_refused(start: Start, title: str) -> None:
    host, port = opened(start, title, "--pace", "0")
    guest = joined(start, port, "ben")
    other = joined(start, port, "cy")
    host.say("start")
    clients = {"ana": host, "ben": guest, "cy": other}
    for client in clients.values():
        client.hear("started")
    players = host.told("started")[0]["players"]
    turn = host.hear("turn")["seats"][0]
    mine, waiting = clients[players[turn]], clients[players[(turn + 1) % 3]]
    waiting.say("draw")
    assert waiting.hear("refused")["reason"] == "not_your_turn"
    mine.say("draw")
    hand = mine.hear("view")["hand"]
    while len(hand.split()) < 13:
        hand = mine.hear("view")["hand"]
    missing = next(card for card in ("AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC", "AD")
                   if card not in hand.split())  # fmt: skip
    mine.say(f"discard {missing}")
    assert mine.hear("refused")["reason"] == "not_held"
    mine.say(f"discard {hand.split()[0]}")
    assert waiting.hear("entry", text=f"discard {hand.split()[0]}")


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
def test_signals_end_the_table_politely(start: Start, title: str, sent: signal.Signals, code: int) -> None:
    host, port = opened(start, title)
    guest = joined(start, port, "ben")
    guest.say("say here I am")
    host.hear("chat")  # by then ben is a voter, and can take over
    host.process.send_signal(sent)
    assert guest.hear("host", nick="ben")["why"] == "handed over"
    assert host.finish() == code


def test_two_programs_of_one_user_take_two_keys(start: Start, title: str) -> None:
    host, port = opened(start, title)
    guest = start("join", f"127.0.0.1:{port}", *LO)
    guest.hear("entered")
    host.hear("seated", seat=1)


def test_a_key_file_that_others_can_read_is_refused(start: Start, tmp_path: Path) -> None:
    assert start("identity").process.wait(30) == 0
    key = next((tmp_path / "home" / "data").rglob("identity.key"))
    key.chmod(0o644)
    refused = start("host", "tongits", "--headless", *LO)
    assert refused.process.stderr is not None
    assert refused.finish() == 1
    sentence = refused.process.stderr.read()
    assert "chmod 600" in sentence
    assert len(sentence.splitlines()) == 1
