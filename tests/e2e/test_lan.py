"""Machines on a LAN that know nothing of each other: found, joined, played, recorded, gone."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from p2pcards import PROTOCOL
from tests.testing.clients import P2PCARDS, Client, homes
from tests.testing.lan import Host, avahi, lan, until
from tests.testing.require import require

Row = dict[str, Any]

TEN_TIMES = 10
"""How much longer than promised a test waits: the figure itself is the benchmark's."""


def start(host: Host, folder: Path, *words: str) -> Client:
    """p2pcards on that machine."""
    folder.mkdir(parents=True, exist_ok=True)
    return Client(host.start(*P2PCARDS, *words, env=homes(folder)))


def check(*records: Path) -> subprocess.CompletedProcess[str]:
    """Replays records."""
    return subprocess.run(
        [*P2PCARDS, "replay", "--check", *map(str, records)], capture_output=True, text=True, check=False
    )


def test_three_machines_find_each_other_and_play_a_round(tmp_path: Path) -> None:
    with lan(3) as net:
        records = [tmp_path / f"{host.name}.p2pcards.toml" for host in net.hosts]
        opener = start(
            net.hosts[0], tmp_path / "a", "host", "tongits", "--headless", "--bot", "medium",
            "--name", "lab", "--nick", "ana", "--rounds", "1", "--record", str(records[0]), "--json",
        )  # fmt: skip
        table = opener.hear("table")
        assert (table["v"], table["name"]) == (1, "lab")
        joiners = [
            start(
                host, tmp_path / nick, "join", "lab", "--headless", "--bot", "easy",
                "--nick", nick, "--record", str(record), "--json",
            )
            for host, nick, record in zip(net.hosts[1:], ("ben", "cy"), records[1:], strict=True)
        ]  # fmt: skip
        clients = [opener, *joiners]
        assert [client.finish() for client in clients] == [0, 0, 0]
        seated = [client.told("started")[0]["players"] for client in clients]
        assert sorted(seated[0]) == ["ana", "ben", "cy"]
        assert seated[0] == seated[1] == seated[2]
        for client in clients:
            assert [event["ok"] for event in client.told("audit")] == [True]
            assert client.told("match")
        entries = [[(event["index"], event["text"]) for event in client.told("entry")] for client in clients]
        assert entries[0] == entries[1] == entries[2]
    texts = {record.read_text() for record in records}
    assert len(texts) == 1
    assert check(*records).returncode == 0


def test_a_table_is_listed_soon_and_leaves_the_list_when_it_closes(tmp_path: Path) -> None:
    with lan(3) as net:
        watcher = start(net.hosts[1], tmp_path / "w", "list", "--watch", "--json")
        opener = start(net.hosts[0], tmp_path / "a", "host", "tongits", "--name", "lab", "--json")
        table = opener.hear("table")
        rows = _listed(watcher, lambda rows: [row["id"] for row in rows] == [table["id"]])
        assert rows[0]["name"] == "lab"
        assert rows[0]["game"] == "tongits"
        assert (rows[0]["taken"], rows[0]["seats"], rows[0]["state"], rows[0]["door"]) == (1, 3, "lobby", "open")
        assert rows[0]["addresses"][0] == f"{net.hosts[0].address}:{table['port']}"
        late = net.hosts[2].run(*P2PCARDS, "list", "--json", "--wait", "3", timeout=60)
        assert [row["id"] for row in json.loads(late.stdout)] == [table["id"]]
        opener.say("leave")
        _listed(watcher, lambda rows: rows == [])


def _listed(watcher: Client, fits: Callable[[list[Row]], bool]) -> list[Row]:
    """The first list with these rows that `list --watch --json` prints."""
    while not fits(rows := json.loads(watcher.line())):
        pass
    return list(rows)


def test_avahi_sees_the_table_with_its_fields_and_its_goodbye(tmp_path: Path) -> None:
    with lan(2) as net, avahi(net.hosts[1]) as beside:
        opener = start(
            net.hosts[0], tmp_path / "a", "host", "tongits", "--name", "v1.2 room", "--nick", "ana", "--json"
        )
        table = opener.hear("table")
        found = ""
        for _ in until(20, 0.2):
            found = beside.run("avahi-browse", "-rpt", "_p2pcards._tcp").stdout
            if any(line.startswith("=") for line in found.splitlines()):
                break
        line = next(line for line in found.splitlines() if line.startswith("=") and ";IPv4;" in line)
        fields = dict(field.strip('"').split("=", 1) for field in line.split(";")[9].split('" "'))
        assert fields["v"] == str(PROTOCOL)
        assert fields["t"] == table["id"]
        assert (fields["n"], fields["h"], fields["g"], fields["p"]) == ("v1.2 room", "ana", "tongits", "1/3")
        assert (fields["a"], fields["s"], fields["e"]) == ("open", "lobby", "1")
        assert line.split(";")[8] == str(table["port"])
        opener.process.terminate()
        assert opener.finish() == 143
        for _ in until(2 * TEN_TIMES, 0.2):
            if "=" not in beside.run("avahi-browse", "-rpt", "_p2pcards._tcp").stdout:
                break


def test_a_crash_leaves_no_table_in_the_list(tmp_path: Path) -> None:
    with lan(2) as net:
        watcher = start(net.hosts[1], tmp_path / "w", "list", "--watch", "--json")
        opener = start(net.hosts[0], tmp_path / "a", "host", "tongits", "--name", "lab", "--json")
        opener.hear("table")
        _listed(watcher, lambda rows: len(rows) == 1)
        opener.process.kill()
        _listed(watcher, lambda rows: rows == [])


def test_the_guest_of_two_goes_on_alone_when_the_grace_time_of_a_dead_host_is_over(tmp_path: Path) -> None:
    with lan(2) as net:
        own = ("--option", "grace_seconds=5", "--nick", "ana")
        opener = start(net.hosts[0], tmp_path / "a", "host", "tongits", "--name", "lab", "--json", *own)
        opener.hear("table")
        guest = start(net.hosts[1], tmp_path / "b", "join", "lab", "--headless", "--nick", "ben", "--json")
        opener.hear("seated", seat=1)
        opener.say("say hello")
        guest.hear("chat")  # by then ben is a voter
        opener.process.kill()
        assert guest.hear("waits")["nicks"] == ["ana"]
        assert guest.hear("host", nick="ben")["why"] == "forked"


def test_where_multicast_is_filtered_an_address_leads_there(tmp_path: Path) -> None:
    with lan(2) as net:
        require(shutil.which("nft"), "`nft` is not installed")
        net.drop_multicast()
        opener = start(net.hosts[0], tmp_path / "a", "host", "tongits", "--name", "lab", "--nick", "ana", "--json")
        table = opener.hear("table")
        blind = net.hosts[1].run(*P2PCARDS, "list", "--json", "--wait", "1")
        assert json.loads(blind.stdout) == []
        guest = start(net.hosts[1], tmp_path / "b", "join", f"{net.hosts[0].address}:{table['port']}", "--json")
        assert guest.hear("host")["nick"] == "ana"
        opener.hear("seated", seat=1)


def test_a_pulled_cable_is_mended_and_a_bot_plays_meanwhile(tmp_path: Path) -> None:
    with lan(3) as net:
        opener = start(
            net.hosts[0], tmp_path / "a", "host", "tongits", "--headless", "--bot", "easy", "--nick", "ana",
            "--name", "lab", "--rounds", "1", "--pace", "1.5", "--json",
        )  # fmt: skip
        opener.hear("table")
        guest = start(
            net.hosts[1], tmp_path / "b", "join", "lab", "--headless", "--nick", "ben", "--pace", "1.5", "--json"
        )
        guest.hear("entered")
        other = start(
            net.hosts[2], tmp_path / "c", "join", "lab", "--headless", "--nick", "cy", "--pace", "1.5", "--json"
        )
        other.hear("started")
        net.cut(net.hosts[1])
        assert other.hear("bot", on=True)["nick"] == "ben"
        net.heal(net.hosts[1])
        assert other.hear("bot", on=False, seconds=60)["nick"] == "ben"
        guest.hear("turn", seats=[guest.told("entered")[0]["seat"]])


def test_no_network_at_all_is_said_and_practice_goes_on(tmp_path: Path) -> None:
    with lan(1) as net:
        lonely = net.hosts[0]
        net.down(lonely)
        run = lonely.run("ip", "link", "set", "lo", "down", check=False)
        assert run.returncode == 0
        listed = lonely.run(*P2PCARDS, "list", "--json", "--wait", "0.5", check=False)
        assert (listed.returncode, json.loads(listed.stdout)) == (0, [])
        wrong = lonely.run(*P2PCARDS, "list", "--interface", "wlan7", check=False)
        assert wrong.returncode == 1
        assert "wlan7" in wrong.stderr
        assert len(wrong.stderr.splitlines()) == 1
        practice = start(lonely, tmp_path / "a", "practise", "tongits", "--json")
        practice.hear("started")
        practice.hear("turn", seconds=60)
        practice.say("quit")
        assert practice.finish() == 0
