"""Each game from one process to another: a headless table of two programs and bots, to its end and its records."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.testing.clients import P2PCARDS, local

TABLES = {
    "tongits": ("--bots", "1", "--rounds", "2"),
    "tienlen": ("--seats", "3", "--bots", "1", "--rounds", "2", "--option", "first_lead=lowest_card"),
    "straights": ("--bots", "2", "--option", "threshold=20", "--option", "turn_seconds=30"),
    "onecard": ("-n", "4", "-c", "9", "-d", "1", "-r", "2", "--bots", "2"),
}


@pytest.mark.parametrize("game", TABLES)
def test_two_programs_play_a_match_and_keep_the_same_record(game: str, tmp_path: Path) -> None:
    records = [tmp_path / f"{name}.p2pcards.toml" for name in ("ana", "ben")]
    with local(tmp_path / "user") as start:
        opener = start(
            "host", game, "--interface", "lo", "--json", "--headless", "--nick", "ana", "--port", "0",
            "--record", str(records[0]), *TABLES[game],
        )  # fmt: skip
        port = opener.hear("table")["port"]
        joiner = start(
            "join", f"127.0.0.1:{port}", "--interface", "lo", "--json", "--headless", "--nick", "ben", "--bot", "easy",
            "--record", str(records[1]), home=tmp_path / "ben",
        )  # fmt: skip
        assert (opener.finish(), joiner.finish()) == (0, 0)
    assert opener.told("match") == joiner.told("match") != []
    assert [event["ok"] for event in joiner.told("audit")] == [True] * len(joiner.told("round"))
    acts = [[event for event in client.told("entry") if event["kind"] != "open"] for client in (opener, joiner)]
    assert acts[0] == acts[1] != []
    assert records[0].read_bytes() == records[1].read_bytes()
    done = subprocess.run(
        [*P2PCARDS, "replay", "--check", "--json", str(records[0])], capture_output=True, text=True, timeout=60
    )
    report = json.loads(done.stdout)
    assert (done.returncode, report["game"], report["over"]) == (0, game, True)
    (match,) = joiner.told("match")
    assert report["scores"] == match["scores"]
    assert set(report["winners"]) == set(match["winners"])
