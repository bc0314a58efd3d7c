"""A host whose system gives it few file descriptors, and strangers who take all that they can get."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.testing.clients import P2PCARDS, Client, homes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8")

LIMIT = 40
"""Descriptors of the host: fewer than strangers may have connections."""
HOST = ("host", "tongits", "--no-seat", "--bots", "3", "--hidden", "--interface", "lo", "--json")


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_a_host_goes_on_dealing_when_strangers_take_its_descriptors(stack: ExitStack, tmp_path: Path) -> None:
    process = subprocess.Popen(
        ["sh", "-c", f'ulimit -n {LIMIT}; exec "$@"', "sh", *P2PCARDS, *HOST],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **homes(tmp_path)},
    )
    stack.enter_context(process)
    stack.callback(process.kill)
    host = Client(process)
    port = host.hear("table")["port"]
    siege = subprocess.Popen(
        ["nice", sys.executable, "-m", "tests.testing.siege", "tcp", str(port), "600"],
        stdout=subprocess.PIPE,
        text=True,
    )
    stack.enter_context(siege)
    stack.callback(siege.kill)
    assert siege.stdout is not None
    assert siege.stdout.readline() == "ready\n"
    host.say("start")
    for _ in range(4):
        host.hear("entry", by="bot")
    host.say("quit")
    assert host.finish() == 0
