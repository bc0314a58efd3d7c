"""The commands of docs/lab.md, in their order, on loopback: a lab evening in small."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, cast

import pytest

from tests.testing.clients import P2PCARDS, PATIENCE, Client, homes, local
from tests.testing.house import ROOT

PAGE = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a lab's key is kept by the rights of its file")


def words(line: str, folder: Path) -> list[str]:
    """The command's words behind `p2pcards`, with the paths of this test and on loopback."""
    name, *given = shlex.split(line.partition(" > ")[0].replace("/srv/lab", str(folder)))
    assert name == "p2pcards"
    return [*given, "--interface", "lo"] if given[0] in ("host", "join", "list") else given


def test_the_page_in_its_order(tmp_path: Path) -> None:
    records = tmp_path / "teacher"
    with local(tmp_path / "user") as start:

        def finish(line: str, home: Path) -> str:
            """Runs a command to its end, with nothing to read."""
            done = subprocess.run(
                [*P2PCARDS, *words(line, tmp_path)],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, cwd=records,
                env={**os.environ, **homes(home)},
            )  # fmt: skip
            assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
            return done.stdout

        records.mkdir()
        teacher, tables = tmp_path / "user", dict[str, Client]()
        for line in COMMANDS:
            given = words(line, tmp_path)
            match given[:2]:
                case ["host", game]:
                    given[given.index("--record") + 1] = str(records / given[given.index("--record") + 1])
                    tables[game] = start(*given, "--port", "0", "--json")
                    tables[game].hear("table")
                case ["list", _]:
                    listing = start(*given, "--json", home=tmp_path / "projector")
                    until_listed(listing, {"lab-1", "lab-2"})
                    listing.process.send_signal(signal.SIGINT)
                    assert listing.finish() == 130
                case ["join", target]:
                    port = tables["tongits"].told("table")[0]["port"]
                    line = line.replace("10.0.0.7:25252", f"127.0.0.1:{port}")
                    assert "You left the table." in finish(line, tmp_path / f"student {target}")
                case ["history", _]:
                    play_a_match_each(tables)
                    played = json.loads(finish(line, teacher))
                    assert {one["game"] for one in played} == {"tongits", "tienlen"}
                case _:
                    finish(line, teacher)
        for table in tables.values():
            table.say("quit")
            assert table.finish() == 0


def until_listed(listing: Client, names: set[str]) -> None:
    """Waits for a list with these tables."""
    end = time.monotonic() + PATIENCE
    while (rows := cast(list[dict[str, Any]], listing.next(end))) is not None:
        if names <= {row["name"] for row in rows}:
            return
    raise AssertionError(f"no list with {names}")


def play_a_match_each(tables: dict[str, Client]) -> None:
    """Bots fill the tables and play."""
    for table in tables.values():
        table.say("start")
    for table in tables.values():
        table.hear("match")
        table.say("who")
        table.hear("answer", command="who")
