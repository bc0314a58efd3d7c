"""A table under siege, on machines of a LAN: it is found, joined and played to its end all the same."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import ANY

import pytest

from p2pcards.wire.text import parse_table
from tests.testing.clients import P2PCARDS, Client, homes
from tests.testing.lan import Host, lan

LONG = "600"
"""Seconds that a siege lasts unless the test is over."""


def start(host: Host, folder: Path, *words: str) -> Client:
    """p2pcards on that machine."""
    folder.mkdir(parents=True, exist_ok=True)
    return Client(host.start(*P2PCARDS, *words, env=homes(folder)))


def besiege(host: Host, *words: str) -> Client:
    """Strangers on that machine, who have begun."""
    client = Client(host.start("nice", sys.executable, "-m", "tests.testing.siege", *words))
    assert client.line(60) == "ready\n"
    return client


@pytest.mark.timeout(240)
def test_a_table_under_siege_is_found_among_fakes_lets_somebody_in_and_deals(tmp_path: Path) -> None:
    with lan(3) as net:
        here, there, elsewhere = net.hosts
        opener = start(
            here, tmp_path / "a", "host", "tongits", "--headless", "--bot", "medium", "--bots", "1",
            "--name", "lab", "--nick", "ana", "--rounds", "1", "--json",
        )  # fmt: skip
        table = opener.hear("table")
        besiege(here, "tcp", str(table["port"]), LONG)  # 500 half-open connections and more
        besiege(elsewhere, "adverts", LONG, parse_table(table["id"]).hex())
        joiner = start(
            there, tmp_path / "b", "join", "lab", "--headless", "--bot", "easy",
            "--nick", "ben", "--json", "--wait", "45",
        )  # fmt: skip
        assert (joiner.finish(90), joiner.events[-3:]) == (0, ANY)  # first: without it the table waits for ever
        assert opener.finish(10) == 0
        for client in (opener, joiner):
            assert [event["ok"] for event in client.told("audit")] == [True]
            assert client.told("match")
